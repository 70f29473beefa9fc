"""The port `Rules` for gomoku: legal stones, winning rows, and the end of the game.

A move is a point; under swap2 it may also be `SWAP` or a tuple of points. Black plays first and the colours
alternate, so the colour to move is the number of stones modulo 2. Swap2 decides which seat has that colour.

`play` is most of the referee's cost of a move, so it first counts the stones near the new one, line by line.
Only if there are enough for a row, or for a foul of renju, does it examine the lines.
"""

from collections.abc import Callable, Iterator, Sequence

from gyoji.core.boards import bits
from gyoji.core.faults import IllegalMove
from gyoji.core.messages import Turn, whole
from gyoji.core.outcome import Ending, Outcome, shared, won_by
from gyoji.core.text import quote
from gyoji.games.gomoku import position as p
from gyoji.games.gomoku.board import SWAP, Move, board_of, draw, names_of
from gyoji.games.gomoku.position import THREE, Position, Stones, chosen, examples, in_order
from gyoji.games.gomoku.rulesets import CONTINUOUS, RENJU, Foul, Row, can_win, fouls, standards, winning_rows

FIVE = Ending("five")
"""The ending of a game that was won by a row of five or more."""

_SEATS = ((0,), (1,))
_SIDES = ((0, 1), (1, 0))

_new = tuple.__new__  # a named tuple's own constructor costs twice as much


class GomokuRules:
    """The rules of one kind of gomoku. Seat 0 is Black and seat 1 White; under swap2 seat 0 opens.

    Attributes:
        bits: The rule as the number in ``INFO rule`` of the Gomocup protocol.
        swap2: Whether the players place the first stones and choose sides.
    """

    seats = 2
    teams: Sequence[int] = (0, 1)
    notation = "a point such as h8; while sides are chosen, several such as h8i9, or swap"

    def __init__(
        self,
        size: tuple[int, int],
        number: int,
        *,
        opening: str = "",
        swap2: bool = False,
        max_moves: int = 0,
        draw_margin: int = 0,
        dead_draw: bool = False,
    ) -> None:
        self.news: Callable[[Turn[Move], int], Turn[Move]] = whole
        self.width, self.height = size
        self.board = board = board_of(*size)
        self.bits = number
        self.swap2 = swap2
        self._standards = standards(number)
        self._is_renju = bool(number & RENJU)
        self._is_continuous = bool(number & CONTINUOUS)
        self._max_moves = max_moves
        self._longest = board.points - draw_margin
        if max_moves:
            self._longest = min(self._longest, max_moves)
        self._ends_when_dead = dead_draw
        self._may_end_early = dead_draw or self._is_renju
        self._bits = board.bits
        self._reach, self._near, self._arms = board.reach, board.near, board.arms
        names = names_of(board)
        self.parse: Callable[[str], Move] = names.parse
        self.format: Callable[[Move], str] = names.format
        self.point: Callable[[int, int], Move] = board.point
        self.coordinates: Callable[[Move], tuple[int, int]] = board.coordinates
        self._opening = self._opened(names.stones(opening))
        self._start = Position(phase=THREE) if swap2 else self._opening

    def _opened(self, stones: Sequence[int]) -> Position:
        """Return the position after the opening. Raises ValueError if the opening is illegal."""
        position = Position()
        for number, point in enumerate(stones, 1):
            where = f"stone {number}, {self.format(point)}"
            if position.end:
                raise ValueError(f"{where}: the game is over before it: {position.end}")
            try:
                position = self.play(position, ((position.played & 1, point),))
            except IllegalMove as refusal:
                raise ValueError(f"{where}: {refusal.reason}") from None
        if position.end:
            raise ValueError(f"the game is over after its {len(stones)} stones: {position.end}")
        return position

    # The state

    def start(self) -> Position:
        return self._start

    def acting(self, position: Position) -> tuple[int, ...]:
        return () if position.end else _SEATS[position.played & 1 ^ position.swapped]

    def phase(self, position: Position) -> str:
        return position.phase

    def view(self, position: Position, seat: int) -> Position:
        return position

    def sides(self, position: Position) -> tuple[int, int]:
        """Return the present colour of each seat: 0 Black, 1 White."""
        return _SIDES[position.swapped]

    def colour(self, view: Position, seat: int) -> int:
        """Return the present colour of one seat."""
        return seat ^ view.swapped

    def to_move(self, view: Position) -> int:
        """Return the colour of the next stone."""
        return view.played & 1

    def stones(self, view: Position) -> tuple[tuple[Move, int], ...]:
        """Return all stones as (point, colour), in playing order."""
        return tuple([(point, index & 1) for index, point in enumerate(in_order(view.stones))])

    def dead(self, view: Position) -> frozenset[Move]:
        """Return the stones of counted rows in a continuous game."""
        return frozenset(bits(view.dead))

    def render(self, position: Position, last: Turn[Move] = ()) -> str:
        """Draw the board with coordinates, the last moves in brackets."""
        marked = [move for _, move in last]
        return draw(self.board, position.black, position.white, position.dead, marked=marked)

    # Moves

    def legal(self, position: Position, seat: int) -> Iterator[Move]:
        """Yield the legal points by row from the top; under swap2, one example of each kind of move."""
        if seat not in self.acting(position):
            return
        black, white = position.black, position.white
        empty = bits(self.board.full ^ (black | white | position.dead))
        if position.phase:
            yield from examples(position.phase, tuple(empty))
        elif self._is_renju and not position.played & 1:
            room = self.board.full ^ white
            yield from (point for point in empty if not fouls(self.board, black, room, point))
        else:
            yield from empty

    def check(self, position: Position, seat: int, move: Move) -> None:
        self.play(position, ((seat, move),))

    def play(self, position: Position, turn: Turn[Move]) -> Position:
        """Return the position after a turn.

        It is one long function, because each call in it would cost a tenth of a move.
        """
        ((seat, move),) = turn
        black, white, stones, played, end, phase, swapped, dead, fives = position
        bit = self._bits.get(move)
        colour = played & 1
        if bit is None or end or phase or seat != colour ^ swapped:
            return self._play_otherwise(position, seat, move)
        if bit & (black | white | dead):
            raise IllegalMove(seat, f"occupied point {self.format(move)}")
        if colour:
            own = white = white | bit
            other = black
        else:
            own = black = black | bit
            other = white
        near = own >> move - self._reach & self._near
        if near.bit_count() > 4:
            rows: tuple[Row, ...] = ()
            a, b, c, d = self._arms
            if (
                (near & a).bit_count() > 4
                or (near & b).bit_count() > 4
                or (near & c).bit_count() > 4
                or (near & d).bit_count() > 4
            ):
                rows = winning_rows(self.board, own, other, move, self._standards[colour])
            if rows and not self._is_continuous:
                end = p.FIVE
            elif rows:
                dead |= sum(1 << point for point in {point for row in rows for point in row})
                black &= ~dead
                white &= ~dead
                more = len(rows)
                fives = (fives[0], fives[1] + more) if colour else (fives[0] + more, fives[1])
            elif self._is_renju and not colour:
                self._refuse_foul(seat, black, white, move)
        played += 1
        if not end and (played >= self._longest or self._may_end_early):
            end = self._draw(black, white, dead, played)
        after = (black, white, _new(Stones, (stones, move)), played, end, "", swapped, dead, fives)
        return _new(Position, after)

    def _refuse_foul(self, seat: int, black: int, white: int, point: int) -> None:
        """Raise `IllegalMove` if renju forbids the stone at `point`, which is already in `black`."""
        if found := fouls(self.board, black, self.board.full ^ white, point):
            kinds = " and ".join(foul.value for foul in found)
            raise IllegalMove(seat, f"forbidden: {kinds} at {self.format(point)}")

    def _play_otherwise(self, position: Position, seat: int, move: Move) -> Position:
        """Play a choice of swap2, and refuse moves that are illegal on any board."""
        if position.end:
            raise IllegalMove(seat, "the game is over")
        if seat not in self.acting(position):
            raise IllegalMove(seat, "not to move")
        if position.phase:
            return self._choose(position, seat, move)
        if isinstance(move, tuple):
            raise IllegalMove(seat, "several stones in one move")
        if move == SWAP:
            raise IllegalMove(seat, "there is nothing to swap")
        raise IllegalMove(seat, f"no such point: {quote(repr(move))}")

    def _choose(self, position: Position, seat: int, move: Move) -> Position:
        """Return the position after a move of swap2."""
        try:
            after, points = chosen(position, move)
        except ValueError as error:
            raise IllegalMove(seat, f"{position.phase}: {error}") from None
        phase = after.phase
        after = after._replace(phase="")
        for point in points:
            if point not in self._bits:
                raise IllegalMove(seat, f"no such point: {quote(repr(point))}")
            try:
                after = self.play(after, ((after.played & 1 ^ after.swapped, point),))
            except IllegalMove as refusal:
                raise IllegalMove(seat, refusal.reason) from None
        return after._replace(phase=phase)

    def drop(self, position: Position, seat: int) -> Position | None:
        """Return None: a game of gomoku cannot go on with one player."""
        return None

    def declined(self, position: Position, seat: int) -> Position | None:
        """Return the position with which a game goes on if a seat's engine does not know swap2.

        It is the position after the stones that the option `opening` places. None without that option, or if
        swap2 is over.
        """
        return self._opening if position.phase and self._opening.played else None

    def simplify(self, position: Position, move: Move) -> Move:
        return move

    # What is forbidden, and the end

    def forbidden(self, position: Position) -> dict[Move, tuple[Foul, ...]]:
        """Return the points that renju forbids to Black, with their fouls; {} under other rules.

        It does not matter which side is to move.
        """
        if not self._is_renju:
            return {}
        black, room = position.black, self.board.full ^ position.white
        return {
            point: found for point in bits(room ^ black) if (found := fouls(self.board, black, room, point))
        }

    def _draw(self, black: int, white: int, dead: int, played: int) -> str:
        """Return the reason why the game is a draw after a stone that won nothing; "" if it goes on.

        Args:
            black: Black's stones that can be part of a row. `white` is the same for White.
            dead: The stones of counted rows (continuous game).
            played: The number of stones.
        """
        board = self.board
        if played >= self._longest:
            if played == board.points:
                return p.FULL_BOARD
            return p.MOST_MOVES if played == self._max_moves else p.FEW_POINTS
        if self._ends_when_dead:
            empty = board.full ^ (black | white | dead)
            sides = ((black, white), (white, black))
            kinds = zip(sides, self._standards, strict=True)
            if not any(can_win(board, own, other, own | empty, kind) for (own, other), kind in kinds):
                return p.NO_FIVE
        # A forbidden point has at least four black stones near it, and each stone is near 32 points.
        if self._is_renju and not played & 1 and 5 * played >= board.points:
            room = board.full ^ white
            if all(fouls(board, black, room, point) for point in bits(room ^ black)):
                return p.NO_MOVE
        return ""

    def rows(self, position: Position) -> tuple[Row, ...]:
        """Return the rows that won the game, each from end to end; () if none did."""
        if position.end != p.FIVE or position.stones is None:
            return ()
        black, white, colour = position.black, position.white, position.played - 1 & 1
        own, other = (white, black) if colour else (black, white)
        return winning_rows(self.board, own, other, position.stones.point, self._standards[colour])

    def outcome(self, position: Position) -> Outcome:
        """Return the outcome. Raises ValueError if the game is not over."""
        if not position.end:
            raise ValueError("the game is not over: nobody has five, and there is room")
        if position.end == p.FIVE:
            detail = "; ".join(self._described(row) for row in self.rows(position))
            winner = position.played - 1 & 1 ^ position.swapped
            return Outcome(points=won_by(winner, 2), ending=FIVE, detail=detail)
        if not self._is_continuous:
            detail = "" if position.end == p.FULL_BOARD else position.end
            return Outcome(points=shared(2), ending=Ending.FULL, detail=detail)
        black, white = position.fives
        lead = abs(black - white)
        points = won_by((white > black) ^ position.swapped, 2) if lead else shared(2)
        detail = f"Black made {black} of five, White {white}; {position.end}"
        return Outcome(points=points, ending=Ending.FULL, detail=detail, margin=lead)

    def _described(self, row: Row) -> str:
        kind = p.FIVE if len(row) == 5 else f"row of {len(row)}"
        return f"{kind}, {self.format(row[0])} to {self.format(row[-1])}"
