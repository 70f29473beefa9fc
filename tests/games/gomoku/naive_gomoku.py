"""Gomoku as slowly and plainly as it can be written: a dict of stones, every definition tried out on it.

The oracle for the bitboards. A point is (x, y); stones are "X" (Black), "O" (White), "#" (in a counted row).
"""

import itertools

BLACK, WHITE, DEAD = "X", "O", "#"
COLOURS = (BLACK, WHITE)
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))
OTHER = {BLACK: WHITE, WHITE: BLACK}


class NaiveGomoku:
    def __init__(self, width, height, rule, stones=None):
        self.width = width
        self.height = height
        self.rule = rule
        self.stones = dict(stones or {})

    def points(self):
        return itertools.product(range(self.width), range(self.height))

    def at(self, point):
        """ "X", "O", "#", "." for an empty point, "" off the board."""
        x, y = point
        on_board = 0 <= x < self.width and 0 <= y < self.height
        return self.stones.get(point, ".") if on_board else ""

    def empty(self):
        return [point for point in self.points() if self.at(point) == "."]

    def with_stone(self, point, colour):
        return NaiveGomoku(self.width, self.height, self.rule, {**self.stones, point: colour})

    def row(self, point, direction):
        """Return the unbroken row through a stone, from end to end."""
        colour, row = self.at(point), [point]
        while self.at(stepped(row[-1], direction)) == colour:
            row.append(stepped(row[-1], direction))
        while self.at(stepped(row[0], direction, -1)) == colour:
            row.insert(0, stepped(row[0], direction, -1))
        return row

    def wins(self, colour, length, ends):
        """Whether a row of that length between those two signs wins."""
        if length > 5:
            return not (self.rule & 1 or (self.rule & 4 and colour == BLACK))
        return length == 5 and not (self.rule & 8 and ends == [OTHER[colour]] * 2)

    def winning_rows(self, point):
        rows = [(direction, self.row(point, direction)) for direction in DIRECTIONS]
        return [
            row for direction, row in rows if self.wins(self.at(point), len(row), self.ends(row, direction))
        ]

    def ends(self, row, direction):
        return [self.at(stepped(row[0], direction, -1)), self.at(stepped(row[-1], direction))]

    def can_win(self, colour):
        """Whether some row, of any length, could come to stand somewhere and win."""
        for start, direction in itertools.product(self.points(), DIRECTIONS):
            row = [start]
            while self.at(row[-1]) in (colour, "."):
                before, behind = self.ends(row, direction)
                if colour not in (before, behind) and self.wins(colour, len(row), [before, behind]):
                    return True
                row.append(stepped(row[-1], direction))
        return False

    # Renju; all of these are asked of a board on which `point` is black already

    def lengths(self, point):
        return [len(self.row(point, direction)) for direction in DIRECTIONS]

    def fours(self, point):
        """Return the sets of four black stones, `point` one of them, that one more stone makes five."""
        found = set()
        for direction in DIRECTIONS:
            for first in range(-4, 1):
                five = [stepped(point, direction, first + step) for step in range(5)]
                gaps = [each for each in five if self.at(each) == "."]
                if len(gaps) == 1 and all(self.at(each) == BLACK for each in five if each not in gaps):
                    filled = self.with_stone(gaps[0], BLACK)
                    if len(filled.row(gaps[0], direction)) == 5:
                        found.add(frozenset(five) - {gaps[0]})
        return found

    def is_straight_four(self, point, direction):
        """Whether `point` is in four in a row that two points make five."""
        row = self.row(point, direction)
        ends = [stepped(row[0], direction, -1), stepped(row[-1], direction)]
        return len(row) == 4 and all(
            self.at(end) == "." and len(self.with_stone(end, BLACK).row(end, direction)) == 5 for end in ends
        )

    def has_three(self, point, direction):
        for step in (-3, -2, -1, 1, 2, 3):
            more = stepped(point, direction, step)
            if self.at(more) != ".":
                continue
            after = self.with_stone(more, BLACK)
            is_joined = point in after.row(more, direction)
            makes_five = 5 in after.lengths(more)
            if (
                is_joined
                and after.is_straight_four(more, direction)
                and not makes_five
                and not after.kinds(more)
            ):
                return True
        return False

    def kinds(self, point):
        """Why the black stone on `point` is forbidden."""
        lengths = self.lengths(point)
        if 5 in lengths:
            return set()
        found = set()
        if max(lengths) > 5:
            found.add("overline")
        if len(self.fours(point)) > 1:
            found.add("double four")
        if sum(self.has_three(point, direction) for direction in DIRECTIONS) > 1:
            found.add("double three")
        return found


def stepped(point, direction, count=1):
    return (point[0] + count * direction[0], point[1] + count * direction[1])
