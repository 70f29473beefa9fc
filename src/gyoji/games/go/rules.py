"""The port `Rules` for Go: the side to move, legal moves and ko, captures, and the end of the game.

A move is the bit index of a point, `PASS`, or a tuple of points where Black places a free handicap. A game
goes through these phases; without a ruleset, and under area scoring, it ends after ordinary play::

    handicap -> "" (ordinary play) -> cleanup 1 -> cleanup 2
"""

# Theory of operation
# -------------------
# The referee calls `play` once for each move of each game, so its cost decides how many games of fast engines
# a core can referee. Hence its shape:
#
# * Sets of points are Python ints (`board`); captures are shifts and masks. A flood runs only for a group
#   beside the new stone whose own neighbours have no liberty, which is rare.
# * `_play_stone` handles an ordinary stone in one function without further calls. `_play_otherwise` handles
#   everything else: passes, handicap, clean-up, and refusals that do not depend on the board.
# * `Position` is built by `tuple.__new__`: the constructor of a named tuple costs twice as much.
# * The history is used only if the rules need it (`Position.history` is None otherwise), by one dict look-up.
#
# Repetition, by the ruleset's ko:
#
#    SIMPLE       `ko` forbids the immediate recapture of one stone; a position that occurs a third time
#                 without a pass in between voids the game (NO_RESULT)
#    POSITIONAL   key = the stones; a play may not make a key that is in the history
#    SITUATIONAL  key = the stones and the side to move
#    SPIGHT       as POSITIONAL, but every pass clears the history
#    no ruleset   simple ko alone; the history is None
#
# Invariants: every group on the board has a liberty; `ko` is 0 or one point; `to_play` is valid even after
# the end of the game, because play may be resumed.
#
# Calls: the referee asks `acting`, `view`, `check`, `play` and, at the end, `stopped`, `resume`, `close`,
# `outcome` (referee/counting.py). `legal` is for kits, pages and functions, and yields points without trying
# them where it can. `phases` handles the ends of phases and clean-up, `score` the counting. The rules hold no
# state of a game except `_scored`, a cache of the last score, because the score of the last position is used
# several times.

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from gyoji.core.boards import bits
from gyoji.core.faults import IllegalMove
from gyoji.core.messages import Turn, whole
from gyoji.core.outcome import Ending, Outcome
from gyoji.core.text import quote
from gyoji.games.go import phases
from gyoji.games.go.board import PASS, Move, board_of, draw, vertices_of
from gyoji.games.go.opening import Opening, check_set_up, checked_placement, fixed_points, read_opening
from gyoji.games.go.position import (
    AGREED,
    CLEANUP,
    HANDICAP,
    NO_RESULT,
    SETTLED,
    TWO_PASSES,
    IllegalPlay,
    IllegalReason,
    Notes,
    Position,
)
from gyoji.games.go.ruleset_text import HouseRules
from gyoji.games.go.rulesets import POSITIONAL, SIMPLE, SPIGHT, kata_params, kgs_name
from gyoji.games.go.score import Score, area_score, compensation, outcome_of, ruled_score, settled_score

if TYPE_CHECKING:  # options try their opening out with the rules
    from gyoji.games.go.game_options import Options

_SEATS: Final = ((0,), (1,))

_position = tuple.__new__  # a named tuple's own constructor costs twice as much


class GoRules:
    """Go with its options fixed. Seat 0 is Black, seat 1 White.

    Attributes:
        handicap: The number of handicap stones; 0 if there are none.
        handicap_points: The fixed handicap stones, which are on the board from the start.
        ruleset: The name or compact string of the ruleset, with house rules; "" without a ruleset.
        choices: The ruleset's choices; None without a ruleset, when only the options hold.
        rules_agreed: Whether there is a ruleset: see the port `HasAgreedRules`.
        allows_suicide: Whether suicide is legal, whichever option decided it.
        dead_stones: Method that settles dead stones if the rules count: see `phases.WAYS`.
        kata_rules: The argument of `kata-set-rules`; "" if engines are not told the ruleset. It never has
            friendlyPassOk, because the final board is counted as it is, so dead stones must be captured.
        kgs_rules: The argument of `kgs-rules`; "" also if KGS has no name for these rules.
        kata_params: The result of `rulesets.kata_params`.
        sgf_rules: The value of RU in an SGF file if the final board was counted as it is.
        sgf_agreed_rules: The value of RU if the players agreed on dead stones.
        opening: The opening besides a fixed handicap.
        opening_plays: The plays, as (seat, move), that lead to the opening, for engines and records.

    Raises:
        ValueError: The opening is illegal, or the game is over after it.
    """

    # Without slots, so many attributes are looked up in a dict: see `Link` in `play/link.py`.
    # fmt: off
    __slots__ = (
        "_bonus", "_counted_by", "_early_is_handicap", "_ends_when_settled", "_full", "_is_literal",
        "_is_superko", "_keys_have_mover", "_places", "_scored", "_smothered", "_start",
        "allows_suicide", "board", "choices", "column_row", "dead_stones", "format", "handicap",
        "handicap_points", "handicap_style", "height", "kata_params", "kata_rules", "kgs_rules",
        "komi", "news", "opening", "opening_plays", "parse", "point", "rules_agreed", "ruleset",
        "sgf_agreed_rules", "sgf_rules", "width",
    )
    # fmt: on

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
        self.rules_agreed = choices is not None
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
        self.parse, self.format = names.parse, names.format
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
        """Return the first position of a game without an opening."""
        if self.handicap_points:
            return self.set_up(sum(1 << point for point in self.handicap_points), 0, to_play=1)
        return Position(0, 0, phase=HANDICAP) if self.handicap else self.set_up(0, 0)

    def _opened(self) -> Position:
        """Return the position after the opening, whose moves are played by the rules. Raises ValueError."""
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
        """Return the position of a game that begins with these stones.

        Args:
            black: The set of black stones. Without a white stone they are a handicap.
            white: The set of white stones.
            to_play: The seat that moves first.
            ko: The set of the point that ko forbids.
            phase: "" for ordinary play, or a clean-up phase.
        """
        position = Position(black, white, to_play, ko)
        if self.choices is None:
            return position
        stones = 0 if white else black.bit_count()
        notes = Notes(handicap=stones, is_opening=self._early_is_handicap and not white)
        position = position._replace(notes=notes)
        begun = phases.first_position(self.choices, position)
        return phases.begin_cleanup(self.choices, begun, phase) if phase else begun

    # The state

    def acting(self, position: Position) -> tuple[int, ...]:
        return () if position.passes >= TWO_PASSES else _SEATS[position.to_play]

    def phase(self, position: Position) -> str:
        notes = position.notes
        return CLEANUP if notes is not None and notes.is_resumed else position.phase

    def view(self, position: Position, seat: int) -> Position:
        return position

    def render(self, position: Position, last: Turn[Move] = ()) -> str:
        """Draw the board with coordinates, the last moves in brackets."""
        marked = [move for _, move in last]
        return draw(self.board, position.black, position.white, position.ko, marked=marked)

    # Moves

    def legal(self, position: Position, seat: int) -> Iterator[Move]:
        """Yield the legal points ascending, then `PASS`; where a handicap is placed, only one example."""
        if seat not in self.acting(position):
            return
        if position.phase == HANDICAP:
            yield tuple(self._places)[: self.handicap]
            return
        if position.phase:
            yield from phases.legal_points(self.board, position, self._play_stone)
        else:
            empty = self._full ^ position.black ^ position.white
            # A point with an empty neighbour is neither ko nor suicide; other points, and superko, are tried.
            free = 0 if self._is_superko else empty
            for point in bits(empty):
                if self._places[point].near & free or self._is_legal(position, seat, point):
                    yield point
        yield PASS

    def takes_mark_off(self, position: Position, move: Move) -> bool:
        """Return whether a legal clean-up move unblocks a stone instead of placing one.

        See `phases.unblocked_stone`. An engine that does not know blocked stones must get a pass instead, or
        its board would become wrong.
        """
        place = self._places.get(move)
        return place is not None and bool(phases.unblocked_stone(self.board, position, place))

    def simplify(self, position: Position, move: Move) -> Move:
        """Return a pass for a move that only unblocks a stone, else the move itself.

        An engine that does not know blocked stones would take such a move for a capture.
        """
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
        """Return the position after a stone in ordinary play. Other moves go to `_play_otherwise`.

        This is one long function because each call in it would cost a tenth of a move.

        Args:
            is_trial: Whether the move is only checked, so that the position is not used and not added to the
                history.
        """
        black, white, to_play, ko, passes, black_lost, white_lost, phase, history, notes = position
        place = self._places.get(move)
        if place is None or seat != to_play or phase or passes >= TWO_PASSES:
            return self._play_otherwise(position, seat, move, is_trial=is_trial)
        bit, near, neighbours = place
        empty = self._full ^ black ^ white
        if bit == ko or not bit & empty:
            raise IllegalPlay(
                seat, IllegalReason.KO if bit == ko else IllegalReason.OCCUPIED, self.format(move)
            )
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
                raise IllegalPlay(seat, IllegalReason.SUICIDE, self.format(move))
        own = (own | bit) ^ lost
        if taken or lost:
            gone, back = taken.bit_count(), lost.bit_count()
            black_lost += gone if seat else back
            white_lost += back if seat else gone
        black, white = (other, own) if seat else (own, other)
        passes = 0
        if history is not None:
            key = (black, white, 1 - seat) if self._keys_have_mover else (black, white)
            if key in history.first and key in history:  # the first alone is enough in most moves
                if self._is_superko:
                    raise IllegalPlay(seat, IllegalReason.SUPERKO, self.format(move))
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
        """Return the position after a pass, a placement of handicap stones or a move in a clean-up phase.

        Args:
            is_trial: Whether the move is only checked, so that the position is not used.

        Raises:
            IllegalMove: The move is illegal, as is any other kind of move.
        """
        if position.passes >= TWO_PASSES:
            raise IllegalMove(seat, "the game is over")
        if seat != position.to_play:
            raise IllegalMove(seat, "not to move")
        if position.phase == HANDICAP:
            try:
                points = checked_placement(move, self.handicap, self._places, vertices_of(self.board))
            except ValueError as error:
                raise IllegalMove(seat, str(error)) from None
            return self.set_up(sum(1 << point for point in points), 0, to_play=1)
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

    def drop(self, position: Position, seat: int) -> Position | None:
        """Return None: a game of Go cannot go on with one player."""
        return None

    # Once both have passed

    def stopped(self, position: Position) -> bool:
        """Return whether passes ended play, so that dead stones can be settled (see `phases.is_stopped`)."""
        return phases.is_stopped(self.choices, position)

    def resume(self, position: Position) -> Position:
        """Return a stopped position with play resumed, in the clean-up phases or in ordinary play."""
        return position if self.acting(position) else phases.resumed(position)

    @property
    def longest_cleanup(self) -> int:
        """The maximum number of turns of resumed play: more than enough to capture every stone."""
        return 2 * self.width * self.height

    def close(self, position: Position, dead: int = 0) -> Position:
        """Return the position of the finished game without the dead groups, a set from `dead_groups`."""
        return phases.without(position, dead)._replace(ko=0, passes=AGREED)

    def dead_groups(self, position: Position, names: Iterable[str]) -> int:
        """Return the set of all groups with a named stone."""
        return phases.groups_named(self.board, position, self.parse, names)

    def of_seat(self, position: Position, seat: int, stones: int) -> int:
        """Return the stones of the set `stones` that belong to a seat."""
        return stones & (position.white if seat else position.black)

    def names_of(self, stones: int) -> tuple[str, ...]:
        return tuple(self.format(point) for point in bits(stones))

    def cost_of_playing_on(self) -> str:
        return phases.cost_of_playing_on(self.choices)

    def greatest_margins(self, position: Position) -> tuple[float, float]:
        """Return the greatest possible margin of each side (`phases.greatest_margins`)."""
        off = self.komi + self.score(position).handicap
        return phases.greatest_margins(self.choices, position, self._full.bit_count(), off)

    # The end

    def _settled(self, position: Position) -> Position:
        """Return the position, with the game over if every point is pass-alive or pass-alive territory.

        It is called only under the house rule `settled`.
        """
        if position.passes < TWO_PASSES and position.notes is not None and self.settled_score(position):
            return position._replace(passes=SETTLED)
        return position

    def outcome(self, position: Position) -> Outcome:
        """Return the score, or no result after a repetition. Raises ValueError if the game is not over."""
        if position.passes < TWO_PASSES:
            raise ValueError("the game is not over: no two passes in a row")
        if position.passes == NO_RESULT:
            return Outcome(points=None, ending=Ending.NO_RESULT, detail="the third time the same position")
        settled = self.settled_score(position) if position.passes == SETTLED else None
        return outcome_of(settled or self.score(position))

    def score(self, position: Position) -> Score:
        """Return the score of any position as it is, in any phase."""
        # What does not count is left out: so a position and the same one after `close` are counted once.
        counted = position._replace(ko=0, passes=0, history=None)
        if self._scored is None or self._scored[0] != counted:
            self._scored = counted, self._count(counted)
        return self._scored[1]

    def _count(self, position: Position) -> Score:
        board, komi = self.board, self.komi
        if self._counted_by is None:
            return area_score(board, position, komi=komi, bonus=self._bonus)
        return ruled_score(board, position, self._counted_by, komi=komi, removes_dead=not self._is_literal)

    def deciding_score(self, position: Position, outcome: Outcome) -> Score | None:
        """Return the rules' score of a finished game if this score decided the game, else None.

        It is None for any other end (a resignation, no result), and if engines or a judge decided against the
        rules' count.

        Args:
            position: The position that was counted, without dead stones.
            outcome: The recorded outcome of the game.
        """
        if outcome.ending is not Ending.SCORE or self.acting(position):
            return None
        settled = self.settled_score(position) if position.passes == SETTLED else None
        score = settled or self.score(position)
        counted = outcome_of(score)
        is_same = (counted.points, counted.margin or 0) == (outcome.points, outcome.margin or 0)
        return score if is_same else None

    def settled_score(self, position: Position) -> Score | None:
        """Return the score if every point is pass-alive or pass-alive territory, so that it cannot change.

        It is None if some point is open, and always without a ruleset.
        """
        if self._counted_by is None:
            return None
        return settled_score(self.board, position, self._counted_by, komi=self.komi)


def _after_opening(notes: Notes, seat: int) -> Notes:
    """Return the notes after a play of `seat` while `notes.is_opening` is True (house rule `opening`).

    A play of Black adds a handicap stone. A play of White sets `is_opening` to False.
    """
    return notes._replace(is_opening=False) if seat else notes._replace(handicap=notes.handicap + 1)


def rules(options: "Options", seed: int = 0) -> GoRules:
    """Return the rules with these options. `seed` is ignored, because Go has no chance."""
    return GoRules(options)
