"""One game between functions, in this process: no engines, no protocol, the same referee.

A player is a function of a `Question`. It returns a move: as the rules have it, or as text in the notation of
the rules. None is to resign. What it raises is not its opponent's gain but goes to the caller: it is a bug to
be seen.
"""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from gyoji.core import messages as m
from gyoji.core.clocks import TimeControl
from gyoji.core.plugins import GAMES
from gyoji.core.record import GameRecord
from gyoji.core.spec import GameSpec, Player
from gyoji.referee.referee import Referee
from gyoji.referee.seat_state import Action, Closing, Say


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question to a player.

    view   what its seat may know of the position: for most games the position itself.
    rules  the rules of the game: `format`, `parse`, `render`, and whatever the game offers.
    left   seconds on its clock for this move, None without a clock.
    """

    seat: int
    view: Any
    phase: str
    rules: Any
    left: float | None

    def legal(self) -> Iterable[m.Move]:
        """The moves that the rules allow, in a fixed order. For games in which a seat sees the position."""
        legal: Iterable[m.Move] = self.rules.legal(self.view, self.seat)
        return legal


Function: TypeAlias = Callable[[Question], m.Move | str | None]


def first_legal(question: Question) -> m.Move:
    """The weakest player: the first move that the rules allow."""
    return next(iter(question.legal()))


def play(
    game: str,
    players: Sequence[Function],
    *,
    names: Sequence[str] = (),
    clock: str = "none",
    seed: int = 0,
    move_limit: int = 0,
    **options: Any,
) -> GameRecord:
    """The record of one game, refereed like any other.

    game, options  the name of a game, and its own settings (`board_size`, `komi`, `rule` ...).
    players        one function for each seat; several may be the same.
    names          their codes in the record; "player 1" ... if there are none.
    clock          a time control such as "10s" or "1s/move". Functions cannot be stopped: time is up when
                   they return.

    Raises ConfigError for a game that there is not, ValueError for options that do not fit, and what players
    raise.
    """
    rules = GAMES.find(game).make_rules(options, seed)
    if len(players) != rules.seats:
        raise ValueError(f"players: got {len(players)}, and {game} has {rules.seats} seats")
    if names and len(names) != len(players):
        raise ValueError(f"names: got {len(names)}, and there are {len(players)} players: name all, or none")
    codes = names or [f"player {seat + 1}" for seat in range(rules.seats)]
    spec = GameSpec(
        id="game",
        pairing="",
        game=game,
        players=tuple(Player(code=code, command=("",)) for code in codes),
        options=options,
        clock=TimeControl.parse(clock),
        move_limit=move_limit,
        scorer="internal",
        seed=seed,
    )
    return _Table(Referee(spec, rules), players).played()


_REPLIES: Mapping[type, m.Reply] = {
    m.NewGame: m.Ready(can_score=False, knows_rules=True, tells_dead=False),
    m.TellMoves: m.Acknowledged(),
    m.Quit: m.HasQuit(),
}
"""The replies of a function to all requests that are no questions."""


class _Table:
    """A referee, and the functions that answer it."""

    def __init__(self, referee: Referee, players: Sequence[Function]) -> None:
        self._referee = referee
        self._players = players

    def played(self) -> GameRecord:
        started, began = time.strftime("%Y-%m-%dT%H:%M:%S%z"), time.monotonic_ns()
        actions: list[Action] = [*self._referee.begin()]
        while actions:
            actions += self._done(actions.pop(0))
        closings = [Closing()] * len(self._players)
        return self._referee.record(started, time.monotonic_ns() - began, closings)

    def _done(self, action: Action) -> list[Action]:
        """Carry out an action; the actions that the referee wants next."""
        if not isinstance(action, Say):
            return []
        seat, request = action.seat, action.request
        if isinstance(request, m.AskMove):
            began = time.monotonic_ns()
            reply = self._answer(seat, request)
            return self._referee.replied(seat, reply, time.monotonic_ns() - began)
        return self._referee.replied(seat, _REPLIES[type(request)], 0)

    def _answer(self, seat: int, ask: m.AskMove) -> m.Reply:
        rules, left = self._referee.rules, self._referee.time_left()[seat]
        question = Question(
            seat=seat, view=ask.view, phase=ask.phase, rules=rules, left=None if left is None else left / 1e9
        )
        move = self._players[seat](question)
        if move is None:
            return m.Resigned()
        if not isinstance(move, str):
            return m.Moved(move)
        try:
            return m.Moved(rules.parse(move))
        except ValueError:
            return m.Malformed(move)
