"""Go as slowly and plainly as it can be written: a list of rows, groups found anew for every move.

The oracle for the bitboards. A simple ko is what the rule says: a move that restores the board as it was
before the opponent's move.
"""

EMPTY, BLACK, WHITE = ".", "X", "O"
COLOURS = (BLACK, WHITE)


class Refused(Exception):
    """The first word of why."""


class NaiveGo:
    def __init__(self, width, height, *, suicide, rows=None):
        self.width = width
        self.height = height
        self.suicide = suicide
        self.rows = rows or [[EMPTY] * width for _ in range(height)]
        self.before = None  # the board before the last move; None after a pass
        self.lost = {BLACK: 0, WHITE: 0}

    def around(self, x, y):
        near = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
        return [(u, v) for u, v in near if 0 <= u < self.width and 0 <= v < self.height]

    def group(self, rows, x, y):
        """(all points of the same content joined to (x, y), all that they touch)."""
        inside, border, todo = set(), set(), [(x, y)]
        while todo:
            u, v = todo.pop()
            if (u, v) in inside:
                continue
            if rows[v][u] == rows[y][x]:
                inside.add((u, v))
                todo += self.around(u, v)
            else:
                border.add((u, v))
        return inside, border

    def regions(self, rows):
        """(what they hold, their points, what they touch) of all groups and all empty regions."""
        seen = set()
        for y in range(self.height):
            for x in range(self.width):
                if (x, y) not in seen:
                    inside, border = self.group(rows, x, y)
                    seen |= inside
                    yield rows[y][x], inside, {rows[v][u] for u, v in border}

    def remove_dead(self, rows, colour):
        groups = [(inside, touched) for content, inside, touched in self.regions(rows) if content == colour]
        dead = [point for inside, touched in groups if EMPTY not in touched for point in inside]
        for x, y in dead:
            rows[y][x] = EMPTY
        return len(dead)

    def attempt(self, seat, x, y):
        """(the board after the move, stones lost by seat, by the other); raises Refused."""
        if self.rows[y][x] != EMPTY:
            raise Refused("occupied")
        rows = [list(row) for row in self.rows]
        rows[y][x] = COLOURS[seat]
        taken = self.remove_dead(rows, COLOURS[1 - seat])
        own = self.remove_dead(rows, COLOURS[seat])
        if own and not self.suicide:
            raise Refused("suicide")
        # a suicide that leaves the board as it was two moves ago retakes nothing: it is no ko
        if rows == self.before and taken:
            raise Refused("ko")
        return rows, own, taken

    def play(self, seat, x, y):
        rows, own, taken = self.attempt(seat, x, y)
        self.before, self.rows = self.rows, rows
        self.lost[COLOURS[seat]] += own
        self.lost[COLOURS[1 - seat]] += taken

    def play_pass(self):
        self.before = None

    def legal(self, seat):
        return {(x, y) for y in range(self.height) for x in range(self.width) if self.stands(seat, x, y)}

    def stands(self, seat, x, y):
        try:
            self.attempt(seat, x, y)
        except Refused:
            return False
        return True

    def score(self):
        """(Black's points, White's points), every stone alive."""
        points = {BLACK: 0, WHITE: 0}
        for content, inside, touched in self.regions(self.rows):
            owners = {content} if content != EMPTY else touched
            if len(owners) == 1:
                points[owners.pop()] += len(inside)
        return points[BLACK], points[WHITE]
