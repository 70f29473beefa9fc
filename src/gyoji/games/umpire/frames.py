"""Pictures of games with an umpire, as the umpire draws them, with its names of the moves."""

import re
from collections.abc import Iterator, Sequence

from gyoji.core.game import Choice, Frame, Offered, Scene
from gyoji.core.record import GameRecord
from gyoji.core.replay import left_out
from gyoji.games.umpire.messages import Picture, said_in
from gyoji.games.umpire.position import Position, View, format_answer
from gyoji.games.umpire.rules import UmpireRules
from gyoji.games.umpire.words import choices_of, said_to


def scene(rules: UmpireRules) -> Scene:
    """Return the drawn board: the grid of the first picture for spectators, or an empty one."""
    for name, value in said_in(rules.conversation):
        if name == "picture" and value.grid and not value.seats:
            return _scene_of(value)
    return _NO_PLACES


_NO_PLACES = Scene(kind="cells", columns=(), rows=())


def _scene_of(picture: Picture) -> Scene:
    height, width = len(picture.grid), len(picture.grid[0])
    return Scene(
        kind=picture.kind,
        columns=picture.columns or tuple(map(str, range(width))),
        rows=picture.rows or tuple(map(str, range(height))),
        tally=picture.counts,
        legend=tuple((_drawn(sign), meaning) for sign, meaning in picture.legend.items()),
    )


def frames(rules: UmpireRules, record: GameRecord) -> Iterator[Frame]:
    """Yield a frame for the first position of a game, and one for each turn (`Pictures.frames`).

    The picture before a turn is the one in the umpire's answer to the previous turn.
    """
    position = rules.start()
    shown = position.picture
    yield _frame(rules, None, shown)
    for number, played in enumerate(record.turns, 1):
        turn = tuple((each.seat, rules.parse(each.move)) for each in played)
        position = left_out(rules, record.result, position, [seat for seat, _ in turn])
        position = rules.play(position, turn)
        words = _words(position, turn)
        if number == len(record.turns):  # what happened when seats left after it
            position = left_out(rules, record.result, position)
        yield _frame(rules, shown, position.picture, words=words)
        shown = position.picture


def _words(position: Position, turn: Sequence[tuple[int, str]]) -> tuple[str, ...]:
    """Return the moves of a turn as the umpire names them; () if it names none of them.

    Moves without a name are shown as the seats sent them.
    """
    names = dict(position.names)
    return tuple(names.get(seat, format_answer(move)) for seat, move in turn) if names else ()


def _frame(
    rules: UmpireRules, before: Picture | None, picture: Picture | None, words: tuple[str, ...] = ()
) -> Frame:
    if picture is None:
        return Frame(changes=(), words=words)
    now, then = _signs(picture), _signs(before) if before is not None else {}
    changes = tuple((place, sign) for place, sign in now.items() if then.get(place, "") != sign)
    gone = tuple((place, "") for place in then if place not in now)
    width = len(picture.grid[0]) if picture.grid else 0
    return Frame(
        changes=tuple(sorted((*changes, *gone))),
        marks=tuple(row * width + column for row, column in picture.marks),
        tally=picture.tally,
        words=words,
        arrows=tuple((row * width + column, to * width + end) for row, column, to, end in picture.arrows),
        text=picture.text,
        table=_table(picture),
    )


def _table(picture: Picture) -> tuple[tuple[str, ...], ...]:
    if picture.table is None:
        return ()
    return tuple(tuple(map(str, row)) for row in (picture.table.columns, *picture.table.rows))


_KNOWN = re.compile(r"[BWbwH]|\+[01]|=[0-7]|[TU]\d+|[SD]\d[0-7]|M[01][KQRBNP]")
"""Matches signs that are drawn as shapes (`gyoji.core.game`, "Pictures"). Others are shown as text."""


def _signs(picture: Picture) -> dict[int, str]:
    """Return {number of a place: its sign} for all places of a picture that are not empty."""
    signs = (_drawn(str(sign)) for row in picture.grid for sign in row)
    return {place: sign for place, sign in enumerate(signs) if sign}


def _drawn(signs: str) -> str:
    """Return the signs of a place in the form of frames, with an apostrophe before text.

    >>> _drawn("=2 B"), _drawn("Bob"), _drawn("")
    ('=2 B', "'Bob", '')
    """
    return " ".join([each if _KNOWN.fullmatch(each) else f"'{each[:4]}" for each in signs.split()])


def seen(rules: UmpireRules, view: View, seat: int) -> Frame:
    """Return the last picture that the seat may see, with its messages and question as text."""
    frame = _frame(rules, None, view.picture)
    return frame._replace(text="\n".join([*filter(None, [frame.text]), *said_to(view)]))


def seen_scene(rules: UmpireRules, view: View) -> Scene:
    """Return the board of the last picture that the seat may see; a board without places if there is none."""
    if view.picture is None or not view.picture.grid:
        return _NO_PLACES
    return _scene_of(view.picture)


def offered(rules: UmpireRules, view: View, seat: int) -> Offered:
    """Return the choices of the open question (`SeesViews.offered`)."""
    choices = choices_of(view.ask) if view.ask is not None else ()
    made = [Choice(format_answer(each), each, key=each if len(each) == 1 else "") for each in choices]
    return Offered((), choices=tuple(made))
