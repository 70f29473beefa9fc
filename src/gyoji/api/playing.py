"""One game here and now, between functions or engines: the same referee, no competition."""

import time
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from msgspec.structs import asdict

from gyoji.api.games import PlayedGame
from gyoji.core import messages as m
from gyoji.core.clocks import TimeControl
from gyoji.core.faults import Breakdown
from gyoji.core.plugins import GAMES
from gyoji.core.record import GameRecord
from gyoji.core.spec import Adjudication, Containment, GameSpec, Player
from gyoji.executors.functions import Function, FunctionExecutor, Question, Respondent
from gyoji.play.game import play as play_order
from gyoji.play.loop import time_of_day
from gyoji.play.order import Order
from gyoji.referee.adjudication import Adjudicator
from gyoji.referee.referee import Referee
from gyoji.referee.seat_state import Action, Closing, Say


def first_legal(question: Question) -> m.Move:
    """The weakest player: the first move that the rules allow."""
    return next(iter(question.legal()))


def play(
    game: str,
    players: Sequence[Function | Player],
    *,
    names: Sequence[str] = (),
    clock: str = "none",
    seed: int = 0,
    move_limit: int = 0,
    adjudication: Adjudication | Adjudicator | None = None,
    wishes: Collection[str] = (),
    **options: Any,
) -> PlayedGame:
    """The record of one game, refereed like any other. Printed, it says who won and why the game ended.

    game, options  the name of a game, and its own settings (`board_size`, `komi`, `rule` ...).
    players        one for each seat, a function or an engine; several functions may be the same.
    names          the codes of functions in the record; "player 1" ... if there are none.
    clock          a time control such as "10s" or "1s/move". Where all are functions they are called one
                   after the other, and time is up when they return. A function that plays against an engine
                   is called in a thread, and has lost when time is up.
    adjudication   when the game ends by what is to be seen of it, or an object that says so.
    wishes         of "take-back", "draw" and "advice": what players may wish.

    With engines, call it from the main thread. Raises ConfigError for a game that there is not, ValueError
    for options that do not fit, Breakdown if an engine cannot be started, NoAnswer for a function that
    returned None, and what functions raise.
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
        players=tuple(_player(seat, codes[seat], player) for seat, player in enumerate(players)),
        options=options,
        clock=TimeControl.parse(clock),
        move_limit=move_limit,
        scorer="internal",
        seed=seed,
        adjudication=adjudication if isinstance(adjudication, Adjudication) else Adjudication(),
        **_allowed(wishes),
    )
    adjudicator = None if isinstance(adjudication, Adjudication) else adjudication
    functions = {str(seat): each for seat, each in enumerate(players) if not isinstance(each, Player)}
    if len(functions) < len(players):
        record = _played_with_engines(spec, functions, adjudicator)
    else:
        record = _Table(Referee(spec, rules, adjudicator=adjudicator), list(functions.values())).played()
    return PlayedGame(spec=spec, **asdict(record))


def _allowed(wishes: Collection[str]) -> dict[str, Any]:
    """The settings of a game in which players may wish this."""
    known = ("take-back", "draw", "advice")
    if unknown := sorted(set(wishes).difference(known)):
        raise ValueError(f"wishes: got {unknown[0]!r}, expected some of {', '.join(known)}")
    take_backs = "ask" if "take-back" in wishes else "never"
    return {"take_backs": take_backs, "draw_offers": "draw" in wishes, "advice": "advice" in wishes}


_FUNCTION = "function"  # the executor of functions


def _player(seat: int, code: str, player: Function | Player) -> Player:
    """The player of a seat, as its spec has it. What would be the command of a function is its seat."""
    if isinstance(player, Player):
        return player
    return Player(code=code, command=(str(seat),), executor=_FUNCTION, containment=Containment(level="off"))


def _played_with_engines(
    spec: GameSpec, functions: Mapping[str, Function], adjudicator: Adjudicator | None
) -> GameRecord:
    starter = FunctionExecutor(lambda player: functions[player.command[0]])
    report = play_order(Order(spec=spec), starters={_FUNCTION: starter}, adjudicator=adjudicator)
    if starter.raised:
        raise starter.raised[0]
    record = report.record
    if record is None:
        raise Breakdown(report.void.reason if report.void else "the game has no record")
    return record


class _Table:
    """A referee, and the functions that answer it."""

    def __init__(self, referee: Referee, functions: Sequence[Function]) -> None:
        self._referee = referee
        self._respondents = [Respondent(function) for function in functions]

    def played(self) -> GameRecord:
        started, began = time_of_day(), time.monotonic_ns()
        actions: list[Action] = [*self._referee.begin()]
        while actions:
            actions += self._done(actions.pop(0))
        closings = [Closing()] * len(self._respondents)
        return self._referee.record(started, time.monotonic_ns() - began, closings)

    def _done(self, action: Action) -> list[Action]:
        """Carry out an action; the actions that the referee wants next."""
        if not isinstance(action, Say):
            return []
        began = time.monotonic_ns()
        replies = self._respondents[action.seat].replies(action.request)
        used = time.monotonic_ns() - began if isinstance(action.request, m.AskMove) else 0
        return [each for reply in replies for each in self._referee.replied(action.seat, reply, used)]
