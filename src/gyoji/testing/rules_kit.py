"""The conformance kit for the rules of a game: `check_rules` plays random games through the port.

The kit knows no game: there may be any number of seats and teams, and one seat to move or several at once.
The first violation of `gyoji.core.ports.Rules` raises AssertionError with game and turn. The same arguments
play the same games.

>>> from gyoji.games.go.game_options import Options
>>> from gyoji.games.go.rules import rules
>>> check_rules(rules(Options(board_size=3, komi=0)), games=2)
"""

# Rules are pure functions of immutable positions. So each position is described when it is new, and compared
# with that description after the game has been replayed, which detects rules that modify a position. `check`
# and `play` must refuse the same moves, and are compared move by move.

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from gyoji.core.faults import IllegalMove
from gyoji.core.messages import Move, Turn
from gyoji.core.outcome import Outcome
from gyoji.core.ports import AnyRules, DrawsViews, supports
from gyoji.core.spec import derive_seed
from gyoji.testing import demand

TRIED = 8
"""The numbers of other legal moves, and of earlier moves, that are tried at each turn."""

_STRANGERS = "seats that made no move in it, or one twice"


def check_rules(rules: AnyRules, games: int = 20, seed: int = 0, *, longest: int = 3000) -> None:
    """Play random games, and check what `gyoji.core.ports.Rules` demands.

    In every fourth game a seat may be dropped, if the rules can continue without it.

    Args:
        games: Number of games.
        seed: Seed of the moves.
        longest: Number of turns after which a game is stopped. At least one game must end within it.
    """
    demand(rules.seats >= 1, "a game has one seat or more", "")
    demand(len(rules.teams) == rules.seats, f"{len(rules.teams)} teams for {rules.seats} seats", "")
    count = len(set(rules.teams))
    demand(sorted(set(rules.teams)) == list(range(count)), f"teams are 0 to {count - 1}", "")
    ended = [_RandomGame(rules, game, seed, longest).play() for game in range(games)]
    demand(any(ended) or not games, f"none of {games} random games ended in {longest} turns", "")


@dataclass
class _RandomGame:
    """One random game: its turns, and a description of each position, made when the position was new."""

    rules: AnyRules
    game: int
    seed: int
    longest: int

    def __post_init__(self) -> None:
        # Each position, with the turn that was played in it or the seat that was dropped.
        self.history: list[tuple[Any, Turn[Move] | int]] = []
        self.looks: list[tuple[int, str]] = []
        self.known: dict[Move, None] = {}  # moves that were legal once, in order of first sight
        self.where = f"game {self.game} of seed {self.seed}: "

    def play(self) -> bool:
        """Play the game. Return whether it reached its end."""
        position = self.rules.start()
        while acting := self._look_at(position):
            if len(self.history) == self.longest:
                break
            turn = tuple((seat, self._choose(position, seat)) for seat in acting)
            self._try_others(position, turn)
            position = self._go_on(position, turn)
        else:
            self._check_end(position)
        self._check_replay(position)
        return not acting

    def _demand(self, holds: bool, what: str) -> None:
        demand(holds, what, f"{self.where}turn {len(self.history)}: ")

    def _demand_unchanged(self, position: Any) -> None:
        looks_the_same = (hash(position), repr(position)) == self.looks[-1]
        self._demand(looks_the_same, "a turn changed the position it was played from")

    def _draw(self, choices: Sequence[Any], *purpose: object) -> Any:
        """Return a random choice. The same arguments at the same turn give the same choice."""
        number = derive_seed(self.seed, self.game, len(self.history), *purpose)
        return choices[number % len(choices)]

    def _look_at(self, position: Any) -> tuple[int, ...]:
        """Check a new position and store its description. Return the seats to move."""
        rules = self.rules
        acting = rules.acting(position)
        self._demand(isinstance(acting, tuple), f"acting is {acting!r}, expected a tuple")
        self._demand(
            list(acting) == sorted(set(acting)) and all(0 <= seat < rules.seats for seat in acting),
            f"acting is {acting!r}, expected different seats in ascending order",
        )
        phase = rules.phase(position)
        self._demand(isinstance(phase, str) and phase.isprintable(), f"phase is {phase!r}, expected a word")
        for seat in range(rules.seats):
            self._check_drawing(rules.view(position, seat), seat)
            if seat not in acting:
                self._demand(not list(rules.legal(position, seat)), f"seat {seat} does not act but has moves")
        self.looks.append((hash(position), repr(position)))
        return acting

    def _check_drawing(self, view: object, seat: int) -> None:
        """Check that the rules draw a seat's view in printable lines, with and without marked moves."""
        drawing: object = self.rules
        if supports(drawing, DrawsViews):
            _, turn = self.history[-1] if self.history else (None, ())
            last = self.rules.news(turn, seat) if isinstance(turn, tuple) else ()
            for drawn in (drawing.render(view), drawing.render(view, last)):
                is_text = isinstance(drawn, str) and all(line.isprintable() for line in drawn.split("\n"))
                self._demand(is_text, f"a view is drawn as {drawn!r}, expected printable lines")
            self._demand(drawing.notation.isprintable(), f"notation is {drawing.notation!r}, expected words")

    def _choose(self, position: Any, seat: int) -> Move:
        """Check the legal moves of a seat. Return one of them at random."""
        rules = self.rules
        moves = list(rules.legal(position, seat))
        self._demand(bool(moves), f"seat {seat} acts but has no legal move")
        self._demand(moves == list(rules.legal(position, seat)), "legal gave another order the second time")
        self._demand(len(set(moves)) == len(moves), f"seat {seat}: a move is listed as legal twice")
        for move in {self._draw(moves, seat, "try", number): None for number in range(TRIED)}:
            text = self.rules.format(move)
            self._demand(bool(text) and text.isprintable(), f"move {move!r} is written {text!r}")
            again = self.rules.parse(text)
            is_same = again == move and hash(again) == hash(move)
            self._demand(is_same, f"{move!r} -> {text!r} -> {again!r}")
            self._demand(self._refusal(position, seat, move) is None, f"legal move {move!r} is refused")
        if not rules.phase(position):  # elsewhere legal may give examples only
            legal = frozenset(moves)
            stale = [move for move in self.known if move not in legal]
            for number in range(min(TRIED, len(stale))):
                move = self._draw(stale, seat, "stale", number)
                refused = self._refusal(position, seat, move) is not None
                self._demand(refused, f"seat {seat}: {move!r} is not in legal, but check lets it pass")
        self.known.update(dict.fromkeys(moves))
        return self._draw(moves, seat, "play")

    def _refusal(self, position: Any, seat: int, move: Move) -> IllegalMove | None:
        """Return the error with which `check` refuses a move; None if the move is legal.

        The error must have the seat and a reason.
        """
        try:
            self.rules.check(position, seat, move)
        except IllegalMove as refusal:
            self._demand(refusal.seat == seat, f"{move!r} of seat {seat} is blamed on seat {refusal.seat}")
            is_reason = bool(refusal.reason) and refusal.reason.isprintable()
            self._demand(is_reason, f"{move!r} is refused because {refusal.reason!r}")
            return refusal
        return None

    def _check_secrecy(self, turn: Turn[Move], other: Turn[Move], after: Any, after_other: Any) -> None:
        """Check that two turns give a seat the same news if they lead to the same view for it.

        Two cases are exempt. One is a seat whose own move differs in the two turns. The other is a seat whose
        view is the whole position: nothing is hidden from it, and its news may include moves that do not
        change the position.

        Args:
            after: The position after `turn`.
            after_other: The position after `other`.
        """
        rules = self.rules
        for seat in range(rules.seats):
            view = rules.view(after, seat)
            is_open = type(view) is type(after) and view == after
            if not is_open and view == rules.view(after_other, seat):
                told, told_other = rules.news(turn, seat), rules.news(other, seat)
                ours = [dict(each).get(seat) for each in (turn, other)]
                self._demand(
                    told == told_other or ours[0] != ours[1],
                    f"seat {seat}: {turn!r} and {other!r} are one turn to it by its views, "
                    f"but it is told {told!r} and {told_other!r}",
                )

    def _try_others(self, position: Any, turn: Turn[Move]) -> None:
        """Check what each seat is told of a turn, and try turns in which one move is replaced by another.

        `play` must refuse exactly the moves that `check` refuses. For seats that are not to move, `check`
        must refuse any move.
        """
        known, after = tuple(self.known), self.rules.play(position, turn)
        self._demand_unchanged(position)
        for seat in range(self.rules.seats):
            news = self.rules.news(turn, seat)
            where = f"seat {seat}: of {turn!r} it is told {news!r}"
            self._demand(isinstance(news, tuple), f"{where}, expected a tuple")
            made, told = dict(turn), dict(news)
            self._demand(len(told) == len(news) and told.keys() <= made.keys(), f"{where}: {_STRANGERS}")
            is_own_told = seat not in made or told.get(seat) == made[seat]
            self._demand(is_own_told, f"{where}, and is not told its own move")
            for move in told.values():
                text = self.rules.format(move)
                self._demand(
                    bool(text) and text.isprintable(), f"{where}, where {move!r} is written {text!r}"
                )
        for index, (seat, _) in enumerate(turn):
            for number in range(TRIED):
                move = self._draw(known, seat, "other", number)
                refusal = self._refusal(position, seat, move)
                tried = (*turn[:index], (seat, move), *turn[index + 1 :])
                try:
                    after_other = self.rules.play(position, tried)
                    self._demand_unchanged(position)
                except IllegalMove as raised:
                    agrees = refusal is not None and (raised.seat, raised.reason) == (seat, refusal.reason)
                    self._demand(agrees, f"play refuses {move!r} ({raised}), check says {refusal}")
                else:
                    self._demand(refusal is None, f"play takes {move!r}, check says {refusal}")
                    self._check_secrecy(turn, tried, after, after_other)
        for seat in set(range(self.rules.seats)) - {seat for seat, _ in turn}:
            refused = self._refusal(position, seat, turn[0][1]) is not None
            self._demand(refused, f"seat {seat} does not act, but check lets its move pass")

    def _go_on(self, position: Any, turn: Turn[Move]) -> Any:
        """Return the position after the turn. In some games a seat is occasionally dropped instead."""
        seat, _ = self._draw(turn, "seat")
        if self.game % 4 == 3 and self._draw(range(8), "drop") == 0:
            after = self.rules.drop(position, seat)
            if after is not None:
                self.history.append((position, seat))
                self._demand(seat not in self.rules.acting(after), f"seat {seat} was dropped but acts")
                return after
        after = self.rules.play(position, turn)
        self._demand_unchanged(position)
        self._demand(after == self.rules.play(position, turn), "the same turn gave two positions")
        self.history.append((position, turn))
        return after

    def _check_end(self, position: Any) -> None:
        outcome = self.rules.outcome(position)
        for flaw in _flaws(outcome, len(set(self.rules.teams))):
            self._demand(False, f"{flaw} in {outcome}")
        if self.history and isinstance(turn := self.history[-1][1], tuple):
            for seat, move in turn:
                refused = self._refusal(position, seat, move) is not None
                self._demand(refused, f"the game is over, but check lets seat {seat} play {move!r}")
        self._demand(outcome == self.rules.outcome(position), "the outcome changed the second time")

    def _check_replay(self, last: Any) -> None:
        """Replay the game, and check that its positions are equal and no turn changed an earlier position.

        Args:
            last: The last position of the game.
        """
        again, rules = self.rules.start(), self.rules
        for number, (position, step) in enumerate((*self.history, (last, ()))):
            where = f"{self.where}turn {number}: "
            look = (hash(position), repr(position))
            demand(look == self.looks[number], "a later turn changed the position", where)
            same = again == position and hash(again) == hash(position)
            demand(same, "replayed, the position or its hash differs", where)
            for seat in range(rules.seats):
                demand(rules.view(again, seat) == rules.view(position, seat), "the views differ", where)
            if number < len(self.history):
                again = rules.drop(again, step) if isinstance(step, int) else rules.play(again, step)


def _flaws(outcome: Outcome, teams: int) -> Iterator[str]:
    """Yield the errors in an outcome that the rules returned for a game with this number of teams."""
    if not outcome.ending.is_by_rules:
        yield f"the ending {outcome.ending.value!r} is the referee's"
    if not outcome.detail.isprintable():
        yield "the detail is not one printable line"
    if outcome.margin is not None and not (math.isfinite(outcome.margin) and outcome.margin >= 0):
        yield "the margin is negative or no number"
    if outcome.points is None:
        return
    if len(outcome.points) != teams:
        yield f"expected points for {teams} teams"
    if not all(0 <= points <= 1 for points in outcome.points) or not math.isclose(sum(outcome.points), 1):
        yield "expected points from 0 to 1 that make 1"
    for one, other in combinations(outcome.points, 2):
        if one != other and math.isclose(one, other, abs_tol=1e-9):
            yield "two teams have nearly the same points: level teams have equal ones"
    if outcome.totals and len(outcome.totals) != teams:
        yield f"expected totals of {teams} teams, or none"
