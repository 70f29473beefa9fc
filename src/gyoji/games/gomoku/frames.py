"""Pictures of gomoku games. The last frame of a won game marks the winning row."""

from collections.abc import Iterator

from gyoji.core.boards import bits
from gyoji.core.game import Choice, Frame, Offered, PhaseWords, Scene
from gyoji.core.record import GameRecord
from gyoji.games.gomoku.board import column_name
from gyoji.games.gomoku.position import CHOICE, LAST, THREE, Position
from gyoji.games.gomoku.rules import GomokuRules
from gyoji.games.gomoku.rulesets import CONTINUOUS

_STAR = 3
"""The line with star points, from 0. On a board of 15 these and the middle are the star points of renju."""

_PHASES = (
    PhaseWords(
        THREE,
        "swap2: the first three stones",
        "Place black, white, black; the other side then chooses its colour.",
    ),
    PhaseWords(
        CHOICE,
        "swap2: the choice of a colour",
        "Play as Black; or stay White: choose a point for a white stone, then send; or place two more stones "
        "and let the other side choose.",
    ),
    PhaseWords(
        LAST,
        "swap2: the last choice of a colour",
        "Play as Black, or choose a point for a white stone to stay White.",
    ),
)
"""What swap2 asks of the players."""


def scene(rules: GomokuRules) -> Scene:
    """Return the parts of a game's pictures that do not change (`Pictures.scene`): the board and its legend.

    In the continuous game, the number beside each side (`Scene.tally`) is that of its rows of five.
    """
    width, height = rules.width, rules.height
    return Scene(
        kind="points",
        columns=tuple(column_name(x) for x in range(width)),
        rows=tuple(str(y + 1) for y in range(height)),
        stars=_stars(width, height),
        tally="fives" if rules.bits & CONTINUOUS else "",
        legend=(("b", "of a five that has been counted"), ("w", "of a five that has been counted")),
        phases=_PHASES if rules.start().phase else (),
    )


def frames(rules: GomokuRules, record: GameRecord) -> Iterator[Frame]:
    """Yield a frame for the first position of a game, and one for each turn (`Pictures.frames`).

    If swap2 could not be carried out, the first frame shows the opening that replaced it.
    """
    position = rules.start()
    if record.turns and position.phase and not record.turns[0][0].phase:
        position = rules.declined(position, 0) or position
    stones = tuple(point for point, _ in rules.stones(position))
    yield _frame(rules, Position(), position, stones[-1:])
    for turn in record.turns:
        before = position
        ((seat, text, *_),) = turn
        position = rules.play(position, ((seat, rules.parse(text)),))
        row = tuple(sorted({point for row in rules.rows(position) for point in row}))
        present, former = (each.black | each.white | each.dead for each in (position, before))
        yield _frame(rules, before, position, row or tuple(bits(present & ~former)))


def seen(rules: GomokuRules, view: Position, seat: int) -> Frame:
    """Return the picture of what a seat sees (`SeesViews.seen`). Both players see the whole board."""
    return _frame(rules, Position(), view, ())


def offered(rules: GomokuRules, view: Position, seat: int) -> Offered:
    """Return the choices on the page (`SeesViews.offered`). Swap2 offers stones or a swap."""
    if view.phase == THREE:
        return Offered((3,), signs=("B", "W", "B"))
    colour = rules.colour(view, seat)
    if not view.phase:
        return Offered(signs=("BW"[colour],))
    swap = (Choice("swap", f"play as {('White', 'Black')[colour]}"),)
    if view.phase == CHOICE:  # two stones, of White and Black, give the choice back
        return Offered((1, 2), choices=swap, signs=("W", "B"))
    return Offered(choices=swap, signs=("BW"[colour],))


def _frame(rules: GomokuRules, before: Position, after: Position, points: tuple[int, ...]) -> Frame:
    """Return the frame of a move: the stones that it changed. Stones of counted rows are drawn faded.

    Args:
        rules: The rules of the game.
        before: The position before the move.
        after: The position after it.
        points: The points to mark.
    """
    changed = (before.black ^ after.black) | (before.white ^ after.white) | (before.dead ^ after.dead)
    colours = dict(rules.stones(after)) if after.dead else {}
    changes = tuple((_place(rules, point), _sign(after, point, colours)) for point in bits(changed))
    tally = after.fives if rules.bits & CONTINUOUS else ()
    return Frame(changes=changes, marks=tuple(_place(rules, point) for point in points), tally=tally)


def _sign(position: Position, point: int, colours: dict[int, int]) -> str:
    """Return the sign that the picture of a position shows on a point; "" for an empty point.

    Args:
        colours: The colour of each stone by point, 0 for Black. It is looked up for the stones of rows that
            were counted in a continuous game, because the position does not keep their colours.
    """
    bit = 1 << point
    if position.dead & bit:
        return "bw"[colours[point]]
    return "B" if position.black & bit else "W" if position.white & bit else ""


def _place(rules: GomokuRules, point: int) -> int:
    x, y = rules.coordinates(point)
    return y * rules.width + x


def _stars(width: int, height: int) -> tuple[int, ...]:
    """Return the star points near the corners and in the middle, as indices by rows from the top left.

    Boards with a side below 9 have none. There is one in the middle only if both sides are odd.

    >>> _stars(15, 15), _stars(7, 7)
    ((48, 56, 112, 168, 176), ())
    """
    if min(width, height) < 9:
        return ()
    columns, rows = ((_STAR, side - 1 - _STAR) for side in (width, height))
    dots = [y * width + x for y in rows for x in columns]
    if width % 2 and height % 2:
        dots.append(height // 2 * width + width // 2)
    return tuple(sorted(dots))
