"""The search of Narabe: fives, wins by consecutive fours, then alpha-beta over the most promising moves."""

# The search for wins by fours is exact. Each stone makes a four that the opponent must stop, and there is
# only one point for that (a few under caro), so the tree is narrow.
#
# The search is limited by a number of positions, not by time, so that a position has the same move on any
# machine. The clock only stops a search that would exceed the time limit.

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from random import Random
from typing import NamedTuple

from gyoji.core.boards import bits
from gyoji.engines.narabe_lines import Glance, Lines, Position, is_forbidden, spread


class Win(NamedTuple):
    """A forced win by consecutive fours.

    Attributes:
        move: The point of its first stone.
        length: Number of the winner's stones until the five is made.
        zone: The points where the opponent may prevent the win. A stone elsewhere cannot.
    """

    move: int
    length: int
    zone: int


class Fours:
    """Finds wins by consecutive fours, each of which the opponent must stop.

    Attributes:
        nodes: The maximum number of positions of one search.
        is_late: The function that returns whether the time is up. If it is, no search begins.
    """

    def __init__(self, lines: Lines, nodes: int, is_late: Callable[[], bool] = lambda: False) -> None:
        self.lines = lines
        self.nodes = nodes
        self.is_late = is_late
        self._left = 0
        self._failed: set[Position] = set()

    def win(self, position: Position) -> Win | None:
        """Return a win by fours for the side to move, or None if there is none or the limit was reached."""
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
        """Return the win of the side that has just made a four, or None if the other side can prevent it.

        Args:
            answers: Points where the other side can stop the four.
        """
        longest = Win(-1, 1, 0)
        for answer in bits(answers):
            if is_forbidden(self.lines, position, answer):
                continue
            win = self._win(position.after(answer))
            if not win:
                return None
            longest = Win(-1, max(longest.length, win.length), longest.zone | win.zone)
        return longest

    def _makers(self, mine: Glance, position: Position, tries: int) -> list[tuple[int, int]]:
        """Return the moves that make fours. Each comes with the set of points that stop all fours it makes.

        The moves with the fewest such points come first.

        Args:
            mine: The possible lines of the side to move.
            tries: The set of points on which a move may be made.
        """
        empty, found = self.lines.empty(position), dict[int, int]()
        for row in mine.rows:
            for start in bits(row.threes):
                pair = spread(1 << start, row.step) & empty
                ends = self._open_end(1 << start, row.step, position.other, empty)
                for move in bits(pair & tries):
                    stops = pair & ~(1 << move) | ends
                    found[move] = found.get(move, empty) & stops
        return sorted(found.items(), key=lambda item: item[1].bit_count())

    def stops(self, mine: Glance, position: Position) -> int:
        """Return the points where a stone of the opponent stops all fives that the side to move threatens."""
        empty = found = self.lines.empty(position)
        for row in mine.rows:
            for start in bits(row.fours):
                five = spread(1 << start, row.step) & empty
                found &= five | self._open_end(1 << start, row.step, position.other, empty)
        return found

    def _open_end(self, window: int, step: int, other: int, empty: int) -> int:
        """Return the empty point beside a window where the opponent can stop it, as a set; 0 without such a
        point.

        Only the rule caro has such points. If the opponent has closed one end of the window, a stone at the
        other end stops it.

        Args:
            window: The first point of the window.
            step: Distance between the points of the window.
            other: The opponent's stones.
            empty: Empty points.
        """
        if not self.lines.caro:
            return 0
        before, after = window >> step, window << 5 * step
        return (before & empty if other & after else 0) | (after & empty if other & before else 0)


WON = 1 << 20
"""The value of a five. A win in N stones has a value of N less."""

SURE = WON - 1000
"""Larger values are forced wins that the search has found."""

MINE, THEIRS = (1, 5, 20), (-1, -4, -12)
"""Values of a window with one, two and three stones, for the side to move: own and opponent's windows."""

HEAT = ((1, 4, 8), (0, 3, 7))
"""Exponents of own and of the opponent's windows with one, two and three stones: a window adds 2**exponent to
the priority (`heat`) of its points.
"""

LUCK = 3.0
"""The maximum of the random part of a move's value."""

FOURS = 60
"""The minimum number of positions for a search of a win by fours."""

WIDTH = 10
"""The number of moves that are tried in each position."""

LONGEST = 20
"""The maximum search depth, in stones."""


class Choice(NamedTuple):
    """A move, its value for the side that makes it, and the reason in words."""

    move: int
    value: float
    why: str


class Spent(Exception):
    """Raised in a search when its maximum of positions or its time is used up."""


def heat(mine: Glance, theirs: Glance) -> list[int]:
    """Return the priority of every point in the search.

    The priority of a point is the sum of the values of all windows of both sides that contain it (see
    `HEAT`).

    Returns:
        The priorities bit by bit: item k is the set of points whose priority has bit k.
    """
    planes = [0] * 18
    for glance, powers in zip((mine, theirs), HEAT, strict=True):
        for row in glance.rows:
            step = row.step
            for windows, power in zip((row.ones, row.twos, row.threes), powers, strict=True):
                for shift in range(0, 5 * step, step) if windows else ():
                    carry, plane = windows << shift, power
                    while carry:
                        planes[plane], carry = planes[plane] ^ carry, planes[plane] & carry
                        plane += 1
    return planes


def hottest(planes: list[int], among: int, count: int) -> list[int]:
    """Split points into sets of equal priority, highest first, until the sets have at least `count` points.

    Args:
        planes: The priorities of all points, as `heat` returns them.
        among: The points to choose from.
    """
    sets = [among]
    for plane in reversed(planes):
        split, found = [], 0
        for each in sets:
            for part in (each & plane, each & ~plane):
                if part and found < count:
                    split.append(part)
                    found += part.bit_count()
        sets = split
    return sets


def worth(mine: Glance, theirs: Glance) -> int:
    """Return the static value of a position for the side to move. It is meaningful if neither side can win
    soon.

    Args:
        mine: The possible lines of the side to move.
        theirs: The possible lines of the other side.
    """
    return sum(
        one * row.ones.bit_count() + two * row.twos.bit_count() + three * row.threes.bit_count()
        for glance, (one, two, three) in ((mine, MINE), (theirs, THEIRS))
        for row in glance.rows
    )


class Search:
    """The search for the best move in one position.

    Attributes:
        depth: The depth in stones to which all moves have been searched.
    """

    def __init__(
        self, lines: Lines, *, nodes: int, random: Random, is_late: Callable[[], bool] = lambda: False
    ) -> None:
        self.lines = lines
        self.fours = Fours(lines, max(FOURS, nodes // 20), is_late)
        self.depth = 0
        self._left = nodes
        self._random = random
        self._is_late = is_late

    def choose(self, position: Position) -> Choice | None:
        """Return the best move for the side to move, or None if it has no legal move."""
        mine, theirs = self.lines.glance(position), self.lines.glance(position.turned())
        if mine.fives:
            return Choice(next(bits(mine.fives)), WON, "five")
        if theirs.fives:
            moves = self._legal(self._forced(theirs, position), position)
        elif win := self.fours.win(position):
            return Choice(win.move, WON - 2 * win.length, f"five in {win.length}, by fours")
        else:
            moves = self._unforced(mine, theirs, position)
        if not moves:
            moves = self._legal(bits(self.lines.empty(position)), position)[:1]
        return self._best(moves, position) if moves else None

    def _legal(self, moves: Iterable[int], position: Position) -> list[int]:
        return [move for move in moves if not is_forbidden(self.lines, position, move)]

    def _forced(self, theirs: Glance, position: Position) -> Iterable[int]:
        """Return the moves that stop all fives of the opponent. If no move does, return the points of these
        fives.
        """
        return bits(self.fours.stops(theirs, position.turned()) or theirs.fives)

    def _unforced(self, mine: Glance, theirs: Glance, position: Position) -> list[int]:
        """Return the most promising moves, highest priority first.

        If the opponent threatens a win by fours, return only the moves that prevent it; all moves if none
        prevents it.
        """
        moves = []
        for each in hottest(heat(mine, theirs), self.lines.empty(position), WIDTH):
            equal = list(bits(each))
            self._random.shuffle(equal)
            moves += equal[:WIDTH]
        threat = self.fours.win(position.turned())
        if threat:
            also = threat.zone & self.lines.empty(position) | mine.fours
            moves += [move for move in bits(also) if move not in moves]
        moves = self._legal(moves, position)
        if threat:
            return [move for move in moves if not self.fours.win(position.after(move))] or moves
        return moves

    def _best(self, moves: list[int], position: Position) -> Choice:
        """Return the best of some moves, by iterative deepening until a limit is reached."""
        if len(moves) == 1:
            return Choice(moves[0], 0.0, "the only move")
        luck = {move: self._random.random() * LUCK for move in moves}
        value = before = 0.0
        while abs(value) < SURE and self.depth < LONGEST:
            values = self._values(moves, luck, position)
            # moves not searched for lack of time rank below those searched, but above losing ones
            moves = sorted(moves, key=lambda move: values.get(move, -SURE), reverse=True)
            if len(values) < len(moves):
                break
            before, value = value, values[moves[0]]
            self.depth += 1
        why = f"depth {self.depth}"
        if abs(value) >= SURE:
            return Choice(moves[0], value, f"{why}, {'a win' if value > 0 else 'a loss'}")
        # the side that plays last looks better than it is, so the value is the mean of two depths
        value = (before + value) / 2
        return Choice(moves[0], value, f"{why}, {value:+.0f}")

    def _values(self, moves: list[int], luck: dict[int, float], position: Position) -> dict[int, float]:
        """Return the values of the moves that were searched in time.

        The value of the best move is exact. The values of other moves may be too high.

        Args:
            luck: A random number for each move, added to its value.
        """
        values: dict[int, float] = {}
        top = float(-WON)
        with suppress(Spent):
            for move in moves:
                value = -self._value(position.after(move), self.depth, -WON, LUCK - top, 1)
                values[move] = value + luck[move]
                top = max(top, values[move])
        return values

    def _value(self, position: Position, depth: int, low: float, high: float, ply: int) -> float:
        """Return the value of a position for the side to move. Outside the range from `low` to `high` it is a
        bound.

        Args:
            depth: Remaining depth, in stones.
            ply: Stones since the position where the search began.

        Raises:
            Spent: The maximum of positions or the time is used up.
        """
        self._left -= 1
        if self._left < 0 or (self._left % 32 == 0 and self._is_late()):
            raise Spent
        mine = self.lines.glance(position)
        if mine.fives:
            return WON - ply
        theirs = self.lines.glance(position.turned())
        if theirs.fives:
            moves = self._forced(theirs, position)
            depth += 1  # a forced move costs no depth
        elif any(not is_forbidden(self.lines, position, move, mine) for move in bits(mine.straights)):
            return WON - ply - 2
        elif depth <= 0:
            return worth(mine, theirs)
        else:
            moves = self._hot(mine, theirs, position)
        if ply >= LONGEST:
            return worth(mine, theirs)
        best = float(-WON)
        for move in moves:
            if is_forbidden(self.lines, position, move, mine):
                continue
            best = max(best, -self._value(position.after(move), depth - 1, -high, -max(low, best), ply + 1))
            if best >= high:
                break
        if best > -WON:
            return best
        return ply + 1 - WON if theirs.fives else 0.0  # no legal move stops the five, or there is none at all

    def _hot(self, mine: Glance, theirs: Glance, position: Position) -> Iterator[int]:
        """Yield the moves of highest priority.

        If the opponent threatens a straight four, yield only moves that make or stop a four.
        """
        among = self.lines.empty(position)
        if theirs.straights:
            among &= mine.fours | theirs.fours
        for each in hottest(heat(mine, theirs), among, WIDTH):
            yield from bits(each)
