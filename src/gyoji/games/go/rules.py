"""The rules of Go: whose turn it is, which moves stand, what they take, when the game is over.

A move is the bit index of a point, `PASS`, or, where Black places a free handicap, a tuple of points. A game
goes through these phases; without a ruleset, or with area scoring, ordinary play is the only one besides
the first::

    handicap -> "" (ordinary play) -> cleanup 1 -> cleanup 2

`play` is the referee's cost for each move of each game, hence its shape: plain integers, a flood only for a
group without a liberty beside the new stone, and no look at the past where the rules do not look back. What
is rarer stands elsewhere: passes, the ends of phases, and plays in clean-up in `phases`.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from gyoji.core.boards import bits
from gyoji.core.faults import IllegalMove
from gyoji.core.messages import Turn, whole
from gyoji.core.outcome import Ending, Outcome
from gyoji.core.text import quote
from gyoji.games.go import phases
from gyoji.games.go.board import PASS, Move, board_of, draw, read_diagram, vertices_of
from gyoji.games.go.opening import Opening, check_set_up, checked_placement, fixed_points, read_opening
from gyoji.games.go.position import (
    CLEANUP,
    HANDICAP,
    NO_RESULT,
    SETTLED,
    TWO_PASSES,
    IllegalPlay,
    Law,
    Notes,
    Position,
)
from gyoji.games.go.ruleset_text import HouseRules
from gyoji.games.go.rulesets import POSITIONAL, SIMPLE, SPIGHT, kata_params, kgs_name
from gyoji.games.go.score import Score, compensation, outcome_of, plain_score, ruled_score, settled_score

if TYPE_CHECKING:  # options try their opening out with the rules
    from gyoji.games.go.options import Options

_SEATS: Final = ((0,), (1,))

_position = tuple.__new__  # a named tuple's own constructor costs twice as much


class GoRules:
    """Go with its options fixed. Seat 0 is Black, seat 1 White.

    handicap         stones, 0 if none; handicap_points: those that lie there from the start (fixed).
    ruleset          its name or compact string, and house rules; choices: what it says. "" and None: the
                     options alone hold.
    is_ruled         whether there is a ruleset: see the port `Rules`.
    allows_suicide   what is enforced, whichever option decided it.
    dead_stones      how it is settled which stones are dead, where the rules count: see `phases.WAYS`.
    kata_rules       what is enforced, as `kata-set-rules` takes it; "" if engines are not to be told. Never
                     friendlyPassOk: what is on the board at the end is counted, so dead stones must go.
    kgs_rules        likewise for `kgs-rules`, "" also where that has no word for these rules.
    kata_params      likewise for `kata-set-param`: (name, value, what it is for people; "" if an engine
                     without this parameter plays so anyway).
    sgf_rules        likewise for the property RU of an SGF file, if what is on the board at the end was
                     counted; sgf_agreed_rules: if the players agreed on what is dead.
    opening          what is on the board when the players' first move is made, beside a fixed handicap;
                     opening_plays: (seat, move) by which it comes to be, for engines and records.

    Raises ValueError for an opening that the rules refuse, or after which nobody is to move.
    """

    seats = 2
    teams: Sequence[int] = (0, 1)
    notation = "a point such as D4, or pass"

    def __init__(self, options: "Options") -> None:
        self.news: Callable[[Turn[Move], int], Turn[Move]] = whole
        self.width, self.height = options.size
        self.board = board = board_of(self.width, self.height)
        self.komi, self.handicap = options.komi, options.handicap or 0
        self.handicap_style = options.handicap_style
        is_fixed = self.handicap > 0 and self.handicap_style == "fixed"
        given = fixed_points(self.width, self.handicap) if is_fixed else ()
        self.handicap_points: tuple[Move, ...] = tuple(board.bit(x, y) for x, y in given)
        self.ruleset = options.ruleset
        agreed = options.agreed
        self.choices = choices = agreed.ruleset if agreed else None
        self.kata_rules = choices.compact().removesuffix("fpok1") if choices else ""
        self.kgs_rules = kgs_name(choices) if choices else ""
        self.sgf_rules = replace(choices, friendly_pass_ok=False).sgf_name() if choices else ""
        self.sgf_agreed_rules = choices.sgf_name() if choices else ""
        self.is_ruled = choices is not None
        self.allows_suicide = choices.suicide if choices else options.suicide
        self._is_superko = choices is not None and choices.ko != SIMPLE
        self._keys_have_mover = choices is not None and choices.ko not in (POSITIONAL, SPIGHT)
        house = agreed.house if agreed else HouseRules()
        self.dead_stones = phases.ALIVE if choices is None or house.literal else options.dead_stones
        self._is_literal, self._ends_when_settled, self._early_is_handicap, lives_by_suicide = house
        self._counted_by = replace(choices, suicide=True) if choices and lives_by_suicide else choices
        self.kata_params = kata_params(choices, lives_by_suicide=lives_by_suicide)
        self._places, self._full, self._smothered = board.places, board.full, board.smothered
        names = vertices_of(board)
        self.parse: Callable[[str], Move] = names.parse
        self.format: Callable[[Move], str] = names.format
        self.point, self.column_row = board.bit, board.column_row
        self.opening = opening = (
            read_opening(options.opening, names, first=int(is_fixed)) if options.opening else Opening()
        )
        self.opening_plays = opening.plays
        stones = self.handicap or opening.handicap
        self._bonus = compensation(stones, options.internal_scorer_handicap_compensation)
        self._scored: tuple[Position, Score] | None = None  # the last one: several ask for that of the end
        self._start = self._opened() if options.opening else self._first()

    # The beginning

    def start(self) -> Position:
        return self._start

    def _first(self) -> Position:
        """The position of a game without an opening."""
        if self.handicap_points:
            return self.set_up(sum(1 << point for point in self.handicap_points), 0, to_play=1)
        return Position(0, 0, phase=HANDICAP) if self.handicap else self.set_up(0, 0)

    def _opened(self) -> Position:
        """The position after the opening, its moves played by the rules. Raises ValueError."""
        opening, names = self.opening, vertices_of(self.board)
        if self.handicap and (opening.is_set_up or not self.handicap_points):
            raise ValueError("has set-up stones, or moves before a free handicap: leave handicap out")
        check_set_up(opening, self.board, names)
        black, white = (sum(1 << point for point in points) for points in opening[:2])
        position = self.set_up(black, white, to_play=opening.to_play)
        if self.handicap:
            position = self._first()._replace(to_play=opening.to_play)
        for number, move in enumerate(opening.moves, 1):
            seat = position.to_play
            where = f"move {number}, {'BW'[seat]} {self.format(move)}"
            try:
                position = self.play(position, ((seat, move),))
            except IllegalMove as refusal:
                raise ValueError(f"{where}: {refusal.reason}") from None
        if not self.acting(position):
            raise ValueError("nobody is to move after it: the game is over")
        return position

    def set_up(self, black: int, white: int, *, to_play: int = 0, ko: int = 0, phase: str = "") -> Position:
        """A game that begins with these stones on the board, in ordinary play or in a clean-up phase.

        The stones are handicap if there is no white one among them.
        """
        position = Position(black, white, to_play, ko)
        if self.choices is None:
            return position
        stones = 0 if white else black.bit_count()
        notes = Notes(handicap=stones, is_opening=self._early_is_handicap and not white)
        position = position._replace(notes=notes)
        begun = phases.first_position(self.choices, position)
        return phases.begin_cleanup(self.choices, begun, phase) if phase else begun

    def position_from_diagram(self, text: str, *, to_play: int = 0) -> Position:
        """The position that `render` would draw so, nothing lost and nobody passing. Raises ValueError."""
        black, white, ko = read_diagram(self.board, text)
        return self.set_up(black, white, to_play=to_play, ko=ko)

    # The state

    def acting(self, position: Position) -> tuple[int, ...]:
        return () if position.passes >= TWO_PASSES else _SEATS[position.to_play]

    def phase(self, position: Position) -> str:
        notes = position.notes
        return CLEANUP if notes is not None and notes.is_resumed else position.phase

    def view(self, position: Position, seat: int) -> Position:
        return position

    def render(self, position: Position, last: Turn[Move] = ()) -> str:
        """The board as a person would draw it, with coordinates; the last moves in brackets."""
        marked = [move for _, move in last]
        return draw(self.board, position.black, position.white, position.ko, marked=marked)

    # Moves

    def legal(self, position: Position, seat: int) -> Iterator[Move]:
        """Points ascending, then `PASS`. Of the placements of a handicap only one example."""
        if seat not in self.acting(position):
            return
        if position.phase == HANDICAP:
            yield tuple(self._places)[: self.handicap]
            return
        if position.phase:
            yield from phases.legal_points(self.board, position, self._play_stone)
        else:
            empty = self._full ^ position.black ^ position.white
            # A point beside an empty one is neither ko nor suicide; for the others, and superko, try.
            free = 0 if self._is_superko else empty
            for point in bits(empty):
                if self._places[point].near & free or self._is_legal(position, seat, point):
                    yield point
        yield PASS

    def takes_mark_off(self, position: Position, move: Move) -> bool:
        """Whether this move, legal in a clean-up phase, takes the mark off a stone instead of placing one.

        An engine that knows of no marks must be told of a pass instead, or its board goes wrong.
        """
        place = self._places.get(move)
        return place is not None and bool(phases.unblocked_stone(self.board, position, place))

    def plain(self, position: Position, move: Move) -> Move:
        """A pass for a move that takes a mark off: without marks it takes a stone that should stay."""
        return PASS if position.phase and self.takes_mark_off(position, move) else move

    def _is_legal(self, position: Position, seat: int, move: Move) -> bool:
        try:
            self.check(position, seat, move)
        except IllegalMove:
            return False
        return True

    def check(self, position: Position, seat: int, move: Move) -> None:
        self._play_stone(position, seat, move, True)

    def play(self, position: Position, turn: Turn[Move]) -> Position:
        ((seat, move),) = turn
        after = self._play_stone(position, seat, move, False)
        return self._settled(after) if self._ends_when_settled else after

    def _play_stone(self, position: Position, seat: int, move: Move, is_trial: bool) -> Position:
        """The position after a stone in ordinary play; what is something else goes elsewhere.

        is_trial: the position is not wanted, only whether the move stands, and nothing is remembered.
        One long function: each call in it would be a tenth of what a move costs.
        """
        black, white, to_play, ko, passes, black_lost, white_lost, phase, history, notes = position
        place = self._places.get(move)
        if place is None or seat != to_play or phase or passes >= TWO_PASSES:
            return self._play_otherwise(position, seat, move, is_trial=is_trial)
        bit, near, neighbours = place
        empty = self._full ^ black ^ white
        if bit == ko or not bit & empty:
            raise IllegalPlay(seat, Law.KO if bit == ko else Law.OCCUPIED, self.format(move))
        empty ^= bit
        own, other = (white, black) if seat else (black, white)
        taken = ko = lost = 0
        if near & other:
            for stone, around in neighbours:
                if stone & other and not around & empty and not stone & taken:
                    taken |= self._smothered(stone, other, empty)
        if taken:
            other ^= taken
            if not near & (own | empty) and not taken & (taken - 1):
                ko = taken  # one stone took one, and its only liberty is where that one was
        elif not near & empty:
            lost = self._smothered(bit, own | bit, empty)
            if lost and (not self.allows_suicide or (lost == bit and notes is not None)):
                raise IllegalPlay(seat, Law.SUICIDE, self.format(move))
        own = (own | bit) ^ lost
        if taken or lost:
            gone, back = taken.bit_count(), lost.bit_count()
            black_lost += gone if seat else back
            white_lost += back if seat else gone
        black, white = (other, own) if seat else (own, other)
        passes = 0
        if history is not None:
            key = (black, white, 1 - seat) if self._keys_have_mover else (black, white)
            if key in history:
                if self._is_superko:
                    raise IllegalPlay(seat, Law.SUPERKO, self.format(move))
                if history.count(key) >= 2:
                    passes = NO_RESULT
            if is_trial:
                return position
            history = history.plus(key)
            if notes is not None and notes.is_opening:
                notes = _after_opening(notes, seat)
        after = (black, white, 1 - seat, ko, passes, black_lost, white_lost, "", history, notes)
        return _position(Position, after)

    def _play_otherwise(self, position: Position, seat: int, move: Move, *, is_trial: bool) -> Position:
        """A pass, a move in another phase, and what is refused before the board is looked at."""
        if position.passes >= TWO_PASSES:
            raise IllegalMove(seat, "the game is over")
        if seat != position.to_play:
            raise IllegalMove(seat, "not to move")
        if position.phase == HANDICAP:
            return self._place_handicap(seat, move)
        if move == PASS:
            if self.choices is None:
                return position._replace(to_play=1 - seat, ko=0, passes=position.passes + 1)
            return position if is_trial else phases.play_pass(self.choices, position)
        if isinstance(move, tuple):
            raise IllegalMove(seat, "several stones in one move")
        if move not in self._places:
            raise IllegalMove(seat, f"no such point: {quote(repr(move))}")
        after = phases.play_in_cleanup(self.board, position, move, self._play_stone)
        if after.notes is not None and after.notes.is_opening:
            after = after._replace(notes=_after_opening(after.notes, seat))
        return after if is_trial else phases.remembered(after)

    def _place_handicap(self, seat: int, move: Move) -> Position:
        """White's first turn. No group of one colour can lack a liberty: one point is always empty."""
        try:
            points = checked_placement(move, self.handicap, self._places, self._shown)
        except ValueError as error:
            raise IllegalMove(seat, str(error)) from None
        return self.set_up(sum(1 << point for point in points), 0, to_play=1)

    def _shown(self, move: Move) -> str:
        try:
            return self.format(move)
        except ValueError:
            return quote(repr(move))

    def drop(self, position: Position, seat: int) -> Position | None:
        """None: nobody plays Go alone."""
        return None

    # Once both have passed

    def stopped(self, position: Position) -> bool:
        """See `phases.is_stopped`."""
        return phases.is_stopped(self.choices, position)

    def resume(self, position: Position) -> Position:
        """A stopped position with play going on: in the clean-up phases, or as before."""
        return position if self.acting(position) else phases.resumed(position)

    @property
    def longest_cleanup(self) -> int:
        """Turns after which play that was resumed ends: time to take everything off, and more."""
        return 2 * self.width * self.height

    def close(self, position: Position, dead: int = 0) -> Position:
        """The game over, without the stones of the groups that are dead, as `dead_groups` gives them."""
        return phases.closed(position, dead)

    def dead_groups(self, position: Position, names: Iterable[str]) -> int:
        """The groups of which stones are named, as a set."""
        return phases.groups_named(self.board, position, self.parse, names)

    def of_seat(self, position: Position, seat: int, stones: int) -> int:
        """The stones of a set that are the seat's own."""
        return stones & (position.white if seat else position.black)

    def names_of(self, stones: int) -> tuple[str, ...]:
        return tuple(self.format(point) for point in bits(stones))

    def greatest_margins(self, position: Position) -> tuple[float, float]:
        """See `phases.greatest_margins`."""
        off = self.komi + self.score(position).handicap
        return phases.greatest_margins(self.choices, position, self._full.bit_count(), off)

    # The end

    def _settled(self, position: Position) -> Position:
        """The position, over if nothing is left to play for."""
        if position.passes < TWO_PASSES and position.notes is not None and self.settled_score(position):
            return position._replace(passes=SETTLED)
        return position

    def outcome(self, position: Position) -> Outcome:
        """The score, or that there is none. Raises ValueError while somebody is still to move."""
        if position.passes < TWO_PASSES:
            raise ValueError("the game is not over: no two passes in a row")
        if position.passes == NO_RESULT:
            return Outcome(points=None, ending=Ending.NO_RESULT, detail="the third time the same position")
        settled = self.settled_score(position) if position.passes == SETTLED else None
        return outcome_of(settled or self.score(position))

    def score(self, position: Position) -> Score:
        """The score of any position as it stands, in whatever phase."""
        if self._scored is None or self._scored[0] is not position:
            self._scored = position, self._count(position)
        return self._scored[1]

    def _count(self, position: Position) -> Score:
        board, komi = self.board, self.komi
        if self._counted_by is None:
            return plain_score(board, position, komi=komi, bonus=self._bonus)
        return ruled_score(board, position, self._counted_by, komi=komi, removes_dead=not self._is_literal)

    def settled_score(self, position: Position) -> Score | None:
        """The score if each point is pass-alive or pass-alive territory, so that nothing is open; else None.

        Always None without a ruleset.
        """
        if self._counted_by is None:
            return None
        return settled_score(self.board, position, self._counted_by, komi=self.komi)


def _after_opening(notes: Notes, seat: int) -> Notes:
    """The notes after a play, where Black's plays before White's first count as handicap."""
    return notes._replace(is_opening=False) if seat else notes._replace(handicap=notes.handicap + 1)


def rules(options: "Options", seed: int = 0) -> GoRules:
    """The rules with these options. Nothing in Go is left to chance: `seed` makes no difference."""
    return GoRules(options)
