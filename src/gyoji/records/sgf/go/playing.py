"""The main line of a record played by the rules, move by move: what they refuse, and where it ends.

A record is somebody's account of a game, not a protocol of ours: stones are set by hand, a side moves twice,
passes follow the end. What can be taken as it is meant is taken so and noted; only the rules refuse.
"""

from dataclasses import replace
from itertools import takewhile

from gyoji.core.faults import IllegalMove
from gyoji.games.go import PASS, GoRules, Position
from gyoji.games.go.board import bits
from gyoji.games.go.opening import smothered_stones
from gyoji.games.go.phases import first_position
from gyoji.games.go.position import NO_RESULT
from gyoji.games.go.settling import DISPUTE, PLAY
from gyoji.records.sgf.go.mainline import MainLine, Setup
from gyoji.records.sgf.go.nodes import DEAD_STONES
from gyoji.records.sgf.go.terms import first_stones
from gyoji.records.sgf.points import Point

SEATS = ("Black", "White")


def with_handicap_set_up(game: MainLine) -> tuple[MainLine, str]:
    """The game with the first moves as set-up stones, where HA counts them as handicap; and a note on it.

    Some servers write a free handicap as moves of Black in a row.
    """
    stones = game.handicap or 0
    if stones < 2 or any(first_stones(game)):
        return game, ""
    leading = [point for _, point in takewhile(lambda move: move[0] == 0, game.moves)]
    given = [point for point in leading[:stones] if point is not None]
    if len(set(given)) < stones:
        return game, f"HA[{stones}] but no handicap stones: played without"
    setups = (
        Setup(0, tuple(given), (), ()),
        *(each._replace(after=max(each.after - stones, 0)) for each in game.setups),
    )
    moved = replace(game, setups=setups, moves=game.moves[stones:])
    return moved, f"Black's first {stones} moves are its handicap stones"


class Playing:
    """A game as it is played over.

    before     the number of moves of the file that come before the game's first one.
    position   the present one.
    refusals   "move 5, White D4: ko at D4", a line each.
    notes      what was not as in a game of ours, a line each.
    """

    def __init__(self, game: MainLine, rules: GoRules, *, before: int = 0) -> None:
        self._game = game
        self._rules = rules
        self._before = before
        self._turned: list[int] = []  # numbers of the moves made out of turn
        self._goes_on = game.info.get(DEAD_STONES) in (PLAY, DISPUTE)  # after both sides have passed
        self._late = 0  # passes after the end
        self._notes: list[str] = []
        self.refusals: list[str] = []
        self.position = self._first_position()

    def play(self, *, goes_on: bool) -> None:
        """Play all moves, to the first one that is refused; goes_on: leave that out and play on."""
        moves = self._game.moves
        self._check_liberties("the stones at the start")
        goes_on = goes_on and not self.refusals
        for index, (seat, point) in enumerate(moves):
            if self.refusals and not goes_on:
                return
            if index:
                self._set_up(index)
            self._play_move(index, seat, point)
        if moves and (goes_on or not self.refusals):
            self._set_up(len(moves))

    @property
    def notes(self) -> list[str]:
        notes = list(self._notes)
        if self._turned:
            numbers = ", ".join(map(str, self._turned[:5])) + (", ..." if len(self._turned) > 5 else "")
            notes.append(f"out of turn, played as if it were that side's turn: move {numbers}")
        if self._late:
            notes.append(f"passes after the end of the game, left out: {self._late}")
        return notes

    def _first_position(self) -> Position:
        game, rules = self._game, self._rules
        black, white = (self._points(points) for points in first_stones(game))
        to_play = 1 if rules.handicap else 0
        if game.to_play is not None:
            to_play = game.to_play
        elif game.moves:
            to_play = game.moves[0][0]
        return rules.set_up(black, white, to_play=to_play)

    def _points(self, points: set[Point] | tuple[Point, ...]) -> int:
        return sum(1 << self._rules.point(*point) for point in set(points))

    def _play_move(self, index: int, seat: int, point: Point | None) -> None:
        rules, position = self._rules, self.position
        number = index + 1 + self._before
        move = PASS if point is None else rules.point(*point)
        if self._goes_on and rules.stopped(position) and not rules.acting(position):
            self._goes_on, position = False, rules.resume(position)
        if not rules.acting(position):
            if move == PASS:
                self._late += 1
            else:
                why = " (the third time the same position)" if position.passes == NO_RESULT else ""
                self._refuse(number, seat, move, f"the game is over{why}")
            return
        if position.to_play != seat:
            self._turned.append(number)
            position = position._replace(to_play=seat, ko=0, passes=0)
        try:
            self.position = rules.play(position, ((seat, move),))
        except IllegalMove as error:
            self._refuse(number, seat, move, error.reason)
            self.position = position._replace(to_play=1 - seat, ko=0)

    def _refuse(self, number: int, seat: int, move: int, reason: str) -> None:
        self.refusals.append(f"move {number}, {SEATS[seat]} {self._rules.format(move)}: {reason}")

    def _set_up(self, after: int) -> None:
        """Put the stones that the record sets by hand after so many moves; what was before is forgotten."""
        for setup in self._game.setups:
            if setup.after != after:
                continue
            for_black, for_white, empty = map(self._points, setup[1:])
            position = self.position
            position = position._replace(
                black=position.black & ~(for_white | empty) | for_black,
                white=position.white & ~(for_black | empty) | for_white,
                ko=0,
                passes=0,
            )
            if self._rules.choices is not None:
                position = first_position(self._rules.choices, position)
            self.position = position
            where = f"after move {after + self._before}"
            self._notes.append(f"stones are set by hand {where}")
            self._check_liberties(f"the stones set {where}")

    def _check_liberties(self, what: str) -> None:
        """Refuse a board that no play can lead to."""
        if smothered := smothered_stones(self._rules.board, *self.position[:2]):
            self.refusals.append(f"{what}: no liberty at {self._rules.format(next(bits(smothered)))}")
