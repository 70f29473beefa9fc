"""Pictures of Go games. If the rules have counted the game, the last frame shows the territory."""

from collections.abc import Iterator, Sequence
from decimal import Decimal

from gyoji.core.boards import bits
from gyoji.core.game import Choice, Counted, Frame, Offered, PhaseWords, Scene
from gyoji.core.record import GameRecord
from gyoji.core.replay import positions
from gyoji.games.go.board import COLUMNS, PASS
from gyoji.games.go.count_table import count_table
from gyoji.games.go.life import touched_alone
from gyoji.games.go.position import CLEANUP, CLEANUP_1, CLEANUP_2, HANDICAP, Position
from gyoji.games.go.rules import GoRules
from gyoji.games.go.rulesets import TERRITORY

_ON = "playing on to capture dead stones"
_TASK = "Play goes on: capture what is dead, then both pass."


def scene(rules: GoRules) -> Scene:
    """Return the parts of a game's pictures that do not change (`Pictures.scene`): the board and its legend.

    The number beside each side (`Scene.tally`) is that of the stones that it has captured.
    """
    width, height = rules.width, rules.height
    return Scene(
        kind="points",
        columns=tuple(COLUMNS[:width]),
        rows=tuple(str(y) for y in range(height, 0, -1)),
        stars=_stars(width, height),
        tally="prisoners",
        legend=(("+0", "counts for Black"), ("+1", "counts for White")),
        phases=tuple(_phases(rules)),
    )


def _phases(rules: GoRules) -> Iterator[PhaseWords]:
    """Yield the phases that a game by these rules may have, in words."""
    if rules.handicap and not rules.handicap_points:
        yield PhaseWords(HANDICAP, "handicap", f"Choose {rules.handicap} points for your handicap stones.")
    if rules.choices is None:
        return
    if rules.choices.scoring != TERRITORY:
        yield PhaseWords(CLEANUP, _ON, _TASK)
        return
    yield PhaseWords(CLEANUP_1, _ON, _TASK)
    yield PhaseWords(CLEANUP_2, f"{_ON}, at no cost", f"{_TASK} Stones cost nothing now.")


def frames(rules: GoRules, record: GameRecord) -> Iterator[Frame]:
    """Yield a frame for the first position of a game, and one for each turn (`Pictures.frames`)."""
    position = rules.start()
    captured: tuple[int, int] | None = None  # before plays were free
    yield _frame(rules, Position(0, 0), position, ())
    for number, (((_, move),), after) in enumerate(positions(rules, record), 1):
        before, position = position, after
        if position.phase == CLEANUP_2 and captured is None:
            captured = position.black_lost, position.white_lost
        points = move if isinstance(move, tuple) else () if move == PASS else (move,)
        frame = _frame(rules, before, position, points)
        if number == len(record.turns):
            frame = _counted(rules, position, record, frame, captured)
        yield frame


def seen(rules: GoRules, view: Position, seat: int) -> Frame:
    """Return the picture of what a seat sees (`SeesViews.seen`). Both players see the whole board."""
    return _frame(rules, Position(0, 0), view, ())


def offered(rules: GoRules, view: Position, seat: int) -> Offered:
    """Return how a human player can enter a move: handicap stones at once, or a point or pass
    (`SeesViews.offered`).
    """
    if view.phase == HANDICAP:
        return Offered((rules.handicap,), " ", signs=("B",))
    return Offered(choices=(Choice("pass", "pass"),), signs=("BW"[seat],))


def counted(rules: GoRules, view: Position, dead: Sequence[str]) -> Counted:
    """Return the count of a position in which both sides have passed (`CountsViews.counted`).

    Args:
        rules: The rules of the game.
        view: The position.
        dead: A vertex of each group that the players call dead.
    """
    named = rules.dead_groups(view, dead)
    closed = rules.close(view, named)
    score = rules.score(closed)
    # Stones in the other side's pass-alive territory are dead whether they are named or not.
    gone = named | (view.black & score.white) | (view.white & score.black)
    signs = (("dead", gone), ("owner0", score.black & ~closed.black), ("owner1", score.white & ~closed.white))
    overlay = [(place_of(rules, point), sign) for sign, points in signs for point in bits(points)]
    return Counted(
        rules.names_of(named),
        tuple(overlay),
        _lead_text(score.lead),
        count_table(rules, closed),
        _note_on_neutral(rules, closed),
    )


def _note_on_neutral(rules: GoRules, closed: Position) -> str:
    """Return a sentence about neutral points: empty points that count for neither side; "" if there are none.

    A point is neutral if the empty region around it touches stones of both sides, or none. Under a ruleset
    with a tax, the empty points of a group in seki are neutral, too. A group is in seki if it is beside a
    neutral point or in atari (`life.independent_life`).
    """
    score, stones = rules.score(closed), closed.black | closed.white
    neutral = rules.board.full & ~(stones | score.black | score.white)
    if not neutral or not stones:
        return ""
    alone = touched_alone(rules.board, closed.black, closed.white)
    seki = ", nor do those of groups beside such points (seki)" if neutral & (alone[0] | alone[1]) else ""
    return f"Points beside stones of both sides count for nobody{seki}: mark all dead stones first."


def _lead_text(lead: Decimal) -> str:
    """Return a result in words. `lead` is White's points minus Black's.

    >>> _lead_text(Decimal("6.50")), _lead_text(Decimal(-1)), _lead_text(Decimal(0))
    ('White wins by 6.5 points', 'Black wins by 1 point', 'a draw')
    """
    if not lead:
        return "a draw"
    margin = f"{abs(lead).normalize():f}"
    return f"{'White' if lead > 0 else 'Black'} wins by {margin} point{'s' * (margin != '1')}"


def _stars(width: int, height: int) -> tuple[int, ...]:
    """Return the star points, as indices by rows from the top left.

    They are on the third or fourth lines and in the middle, from 15x15 on also on the middle lines.

    >>> _stars(9, 9), len(_stars(19, 19)), len(_stars(13, 13)), _stars(5, 5)
    ((20, 24, 40, 56, 60), 9, 5, ())
    """
    if min(width, height) < 7:
        return ()
    columns, rows = (_lines(side) for side in (width, height))
    has_all = min(width, height) >= 15
    return tuple(
        y * width + x for y in rows for x in columns if has_all or (x == width // 2) == (y == height // 2)
    )


def _lines(side: int) -> tuple[int, ...]:
    """Return the lines (columns or rows, from 0) with star points, for a side of 7 points or more.

    The middle line has star points if the side is odd and 9 or more.
    """
    line = 3 if side >= 13 else 2
    middle = (side // 2,) if side % 2 and side >= 9 else ()
    return (line, *middle, side - 1 - line)


def _frame(rules: GoRules, before: Position, after: Position, points: tuple[int, ...]) -> Frame:
    changed = (before.black ^ after.black) | (before.white ^ after.white)
    return Frame(
        changes=tuple((place_of(rules, point), _sign(after, point)) for point in bits(changed)),
        marks=tuple(place_of(rules, point) for point in points),
        tally=(after.white_lost, after.black_lost),
    )


def _counted(
    rules: GoRules, last: Position, record: GameRecord, frame: Frame, captured: tuple[int, int] | None
) -> Frame:
    """Return the last frame, with the territory and the count if the rules decided the game by counting.

    Args:
        rules: The rules of the game.
        last: The last position, with dead stones on the board.
        record: The game.
        frame: The last frame without the count.
        captured: See `count_table`.
    """
    position = last
    if record.result.dead:
        position = rules.close(position, rules.dead_groups(position, record.result.dead))
    if (score := rules.deciding_score(position, record.result.outcome)) is None:
        return frame
    owned = ((0, score.black & ~position.black), (1, score.white & ~position.white))
    signs = {
        place_of(rules, point): f"{_sign(last, point).lower()} +{side}".strip()
        for side, points in owned
        for point in bits(points)
    }
    changes = tuple((dict(frame.changes) | signs).items())
    return frame._replace(changes=changes, table=count_table(rules, position, captured))


def place_of(rules: GoRules, point: int) -> int:
    """Return the index of a point in a picture, whose points are numbered by rows from the top left."""
    x, y = rules.column_row(point)
    return (rules.height - 1 - y) * rules.width + x


def _sign(position: Position, point: int) -> str:
    bit = 1 << point
    return "B" if position.black & bit else "W" if position.white & bit else ""
