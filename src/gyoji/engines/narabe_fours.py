"""Winning by fours alone: each stone makes a four, so the other side has no choice but to stop it.

The tree is narrow, because a four leaves one answer (a few under the rule of caro), and what it finds is
exact: when it says that a side wins, it wins.
"""

from collections.abc import Callable
from typing import NamedTuple

from gyoji.engines.narabe_lines import Glance, Lines, Position, points, spread
from gyoji.engines.narabe_renju import is_forbidden


class Win(NamedTuple):
    """The first stone of a win, how many stones it takes, and all points that play a part in it."""

    move: int
    length: int
    zone: int


class Fours:
    """Wins by fours on one board. nodes: how many positions one question may cost; is_late: if none."""

    def __init__(self, lines: Lines, nodes: int, is_late: Callable[[], bool] = lambda: False) -> None:
        self.lines = lines
        self.nodes = nodes
        self.is_late = is_late
        self._left = 0
        self._failed: set[Position] = set()

    def win(self, position: Position) -> Win | None:
        """How the side to move wins by fours; None if it does not, or if that takes too long to see."""
        self._left = 0 if self.is_late() else self.nodes
        self._failed.clear()
        return self._win(position)

    def _win(self, position: Position) -> Win | None:
        mine = self.lines.glance(position)
        if mine.fives:
            five = mine.fives & -mine.fives
            return Win(five.bit_length() - 1, 1, five)
        tries = mine.fours
        if not tries or self._left <= 0 or position in self._failed:
            return None
        self._left -= 1
        if fives := self.lines.glance(position.turned()).fives:
            tries &= fives if fives.bit_count() == 1 else 0
        for move, answers in self._makers(mine, position, tries):
            if is_forbidden(self.lines, position, move, mine):
                continue
            if win := self._after(position.after(move), answers):
                return Win(move, win.length + 1, win.zone | 1 << move | answers)
        self._failed.add(position)
        return None

    def _after(self, position: Position, answers: int) -> Win | None:
        """How the side that has just made a four wins; the longest way, of those the answers leave."""
        longest = Win(-1, 1, 0)
        for answer in points(answers):
            if is_forbidden(self.lines, position, answer):
                continue
            win = self._win(position.after(answer))
            if not win:
                return None
            longest = Win(-1, max(longest.length, win.length), longest.zone | win.zone)
        return longest

    def _makers(self, mine: Glance, position: Position, tries: int) -> list[tuple[int, int]]:
        """The moves among `tries` that make fours, each with the points that stop them all; fewest first."""
        empty, found = self.lines.empty(position), dict[int, int]()
        for row in mine.rows:
            for start in points(row.threes):
                pair = spread(1 << start, row.step) & empty
                ends = self._open_end(1 << start, row.step, position.other, empty)
                for move in points(pair & tries):
                    stops = pair & ~(1 << move) | ends
                    found[move] = found.get(move, empty) & stops
        return sorted(found.items(), key=lambda item: item[1].bit_count())

    def stops(self, mine: Glance, position: Position) -> int:
        """The points on which the other side stops all fives of the side to move."""
        empty = found = self.lines.empty(position)
        for row in mine.rows:
            for start in points(row.fours):
                five = spread(1 << start, row.step) & empty
                found &= five | self._open_end(1 << start, row.step, position.other, empty)
        return found

    def _open_end(self, window: int, step: int, other: int, empty: int) -> int:
        """In caro, the empty end of a window whose other end is closed: a stone there stops it, too."""
        if not self.lines.caro:
            return 0
        before, after = window >> step, window << 5 * step
        return (before & empty if other & after else 0) | (after & empty if other & before else 0)
