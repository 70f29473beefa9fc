"""The function `play`: one game between functions or engines, without a competition."""

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
from gyoji.referee.seat_state import Action, Closing, Send


def first_legal(question: Question) -> m.Move:
    """Return the first legal move: an example of a function that plays."""
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
    requests: Collection[str] = (),
    **options: Any,
) -> PlayedGame:
    """Play one game and return its record. `str(record)` is a line with its result and the reason of its end.

    If engines play, call it from the main thread.

    Args:
        game: Name of the game.
        players: One function or engine (`Player`) per seat. The same function may have several seats.
        names: Names of the functions in the record, by default "player 1" and so on.
        clock: A time control such as "10s" or "1s/move". If all players are functions, they are called
            directly, so their time is checked only when they return. Otherwise they run in threads and lose
            when their time is up.
        seed: Seed of the game's random numbers.
        move_limit: Number of moves after which the game ends; 0 for no limit.
        adjudication: Settings that end the game early by the players' evaluations, or an object that decides
            it.
        requests: Requests that players may make: "take-back", "draw", "hint".
        **options: Settings of the game: `board_size`, `komi`, `rule` ...

    Raises:
        ConfigError: There is no such game.
        ValueError: An argument is wrong, or the game has no such setting.
        Breakdown: An engine could not be started.
        NoAnswer: A function returned None.
        Exception: Any exception that a function raises is passed on.
    """
    rules = GAMES.find(game).make_rules(options, seed)
    if len(players) != rules.seats:
        raise ValueError(f"players: got {len(players)}, and {game} has {rules.seats} seats")
    if names and len(names) != len(players):
        raise ValueError(f"names: got {len(names)}, and there are {len(players)} players: name all, or none")
    known = ("take-back", "draw", "hint")
    if unknown := sorted(set(requests).difference(known)):
        raise ValueError(f"requests: got {unknown[0]!r}, expected some of {', '.join(known)}")
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
        take_backs="ask" if "take-back" in requests else "never",
        draw_offers="draw" in requests,
        hints="hint" in requests,
    )
    adjudicator = None if isinstance(adjudication, Adjudication) else adjudication
    functions = {str(seat): each for seat, each in enumerate(players) if not isinstance(each, Player)}
    if len(functions) < len(players):
        record = _played_with_engines(spec, functions, adjudicator)
    else:
        record = _played_by_functions(Referee(spec, rules, adjudicator=adjudicator), list(functions.values()))
    return PlayedGame(spec=spec, **asdict(record))


_FUNCTION = "function"  # the executor of functions


def _player(seat: int, code: str, player: Function | Player) -> Player:
    """Return the player of a seat. A `Player` is returned unchanged. A function becomes a player whose
    command is the seat's number.

    Args:
        code: The name of the function in the record.
    """
    if isinstance(player, Player):
        return player
    return Player(code=code, command=(str(seat),), executor=_FUNCTION, containment=Containment(level="off"))


def _played_with_engines(
    spec: GameSpec, functions: Mapping[str, Function], adjudicator: Adjudicator | None
) -> GameRecord:
    """Play a game in which at least one player is an engine. Functions run in threads.

    Args:
        spec: The settings of the game.
        functions: The functions that play, by seat as text.
        adjudicator: Decides the game early; None if nothing does.
    """
    starter = FunctionExecutor(lambda player: functions[player.command[0]])
    report = play_order(Order(spec=spec), starters={_FUNCTION: starter}, adjudicator=adjudicator)
    if starter.raised:
        raise starter.raised[0]
    record = report.record
    if record is None:
        raise Breakdown(report.void.reason if report.void else "the game has no record")
    return record


def _played_by_functions(referee: Referee, functions: Sequence[Function]) -> GameRecord:
    """Play a game in which all players are functions, and call them directly.

    Args:
        referee: The referee of the game.
        functions: The functions by seat.
    """
    respondents = [Respondent(function) for function in functions]
    started, began = time_of_day(), time.monotonic_ns()
    actions: list[Action] = [*referee.begin()]
    while actions:
        action = actions.pop(0)
        if isinstance(action, Send):
            asked = time.monotonic_ns()
            replies = respondents[action.seat].replies(action.request)
            used = time.monotonic_ns() - asked if isinstance(action.request, m.AskMove) else 0
            actions += [each for reply in replies for each in referee.replied(action.seat, reply, used)]
    return referee.record(started, time.monotonic_ns() - began, [Closing()] * len(respondents))
