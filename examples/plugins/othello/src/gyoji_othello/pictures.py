"""Games of Othello as pictures: stones in cells."""

from collections.abc import Iterator

from gyoji.core.game import Frame, Scene
from gyoji.core.record import GameRecord
from gyoji_othello.rules import COLUMNS, SIDE, OthelloRules, Position, squares


def scene(rules: OthelloRules) -> Scene:
    """The board. What each side has is counted."""
    rows = tuple(str(row + 1) for row in range(SIDE))
    return Scene(kind="cells", columns=tuple(COLUMNS), rows=rows, tally="discs")


def frames(rules: OthelloRules, record: GameRecord) -> Iterator[Frame]:
    """A disc that is turned changes its colour in the frame of the move that turns it."""
    position = rules.start()
    yield _frame(Position(0, 0), position, ())
    for turn in record.turns:
        before, move = position, rules.parse(turn[0].move)
        position = rules.play(position, ((turn[0].seat, move),))
        yield _frame(before, position, (move,))


def _frame(before: Position, after: Position, marks: tuple[int, ...]) -> Frame:
    changed = (before.black ^ after.black) | (before.white ^ after.white)
    changes = tuple((square, "B" if after.black >> square & 1 else "W") for square in squares(changed))
    return Frame(changes=changes, marks=marks, tally=(after.black.bit_count(), after.white.bit_count()))
