"""gyoji from Python: competitions of control files, and games between callables.

>>> from gyoji import api
>>> record = api.play("gomoku", [api.first_legal, api.first_legal], board_size=5)
>>> record.result.outcome.detail, len(record.turns)
('five, e1 to a5', 21)

`open_event` loads a competition by its control file: iterate its results and records, ask for its standings
and statistics, have it played with your own `Listener` told what happens. `play` plays one game here and now,
between functions: no engines, no protocol, the same referee. An engine may be among them.

Such a player is a function of a `Question`. It returns a move: as the rules have it, or as text in the
notation of the rules. None is to resign; see `gyoji.executors.functions` for all that it may say. What it
raises is not its opponent's gain but goes to the caller: it is a bug to be seen.
"""

import time
import warnings
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, NamedTuple

from gyoji.core import messages as m
from gyoji.core.clocks import TimeControl
from gyoji.core.faults import Breakdown, ConfigError, GyojiError, IllegalMove
from gyoji.core.messages import Evaluation, OffersDraw, WantsAdvice, WantsTakeBack
from gyoji.core.outcome import Ending, Outcome
from gyoji.core.plugins import GAMES
from gyoji.core.record import GameRecord, GameResult, Played
from gyoji.core.spec import Adjudication, Containment, GameSpec, Player, Threshold
from gyoji.executors.functions import (
    Advises,
    Answer,
    Consents,
    Function,
    FunctionExecutor,
    Question,
    Respondent,
)
from gyoji.pairing.cross import Cross, crosses_of
from gyoji.pairing.failures import SetAside
from gyoji.pairing.standings import Standing, standings
from gyoji.play.game import play as play_order
from gyoji.play.loop import time_of_day
from gyoji.play.order import Order
from gyoji.referee.adjudication import Adjudicator
from gyoji.referee.referee import Referee
from gyoji.referee.seat_state import Action, Closing, Say
from gyoji.scheduler import event as scheduler
from gyoji.scheduler.events import Listener
from gyoji.scheduler.hooks import call_at_end
from gyoji.scheduler.run import RunOptions, taking
from gyoji.scheduler.status import ExitStatus, RunEnd
from gyoji.store.store import Store
from gyoji.tables.digest import Beside

__all__ = [
    "Adjudication",
    "Adjudicator",
    "Advises",
    "Answer",
    "Breakdown",
    "ConfigError",
    "Consents",
    "Ending",
    "Evaluation",
    "Event",
    "ExitStatus",
    "Function",
    "Game",
    "GameRecord",
    "GameResult",
    "GameSpec",
    "GyojiError",
    "IllegalMove",
    "Listener",
    "OffersDraw",
    "Outcome",
    "Played",
    "Player",
    "Question",
    "RunEnd",
    "Threshold",
    "WantsAdvice",
    "WantsTakeBack",
    "first_legal",
    "open_event",
    "play",
]


# Competitions


class Game(NamedTuple):
    """A finished game: before and after it was played."""

    spec: GameSpec
    record: GameRecord


class Event(scheduler.Event):
    """A competition and what has been played of it until now.

    setup        what the control file says, its warnings included.
    competition  the format's own object, with every result that was stored when the event was opened, or
                 refreshed: its statistics are there under their own names (`gyoji.formats`).
    comparison   which games do not count in it, because they were played by other settings.

    What is stored is read anew by each method that iterates games, also while a run is writing.
    """

    def refresh(self) -> None:
        """Count what is stored anew: others may have played."""
        self.begin_anew()
        self._count_stored()

    def _count_stored(self) -> None:
        self._endings, self._beside = scheduler.Endings(), Beside(self.setup.players)
        with self._store() as store:
            if store is not None:
                self.count(store, self._endings, self._beside)

    @contextmanager
    def _store(self) -> Iterator[Store | None]:
        """The open store, None if nothing has been played yet."""
        if not self.files.database.exists():
            yield None
            return
        with self.read() as store:
            yield store

    # What has been played

    def results(self) -> Iterator[GameResult]:
        """Every finished game without its moves, in the order in which they were stored."""
        with self._store() as store:
            if store is not None:
                yield from store.results()

    def games(self) -> Iterator[Game]:
        """Every finished game with its moves, in the order in which they were stored."""
        with self._store() as store:
            if store is not None:
                for result in store.results():
                    yield Game(*store.record(result.id))

    def game(self, game_id: str) -> Game:
        """One finished game. Raises KeyError if there is none of that id."""
        with self._store() as store:
            if store is None:
                raise KeyError(game_id)
            return Game(*store.record(game_id))

    @property
    def set_aside(self) -> Mapping[str, SetAside]:
        """The games that are not played any more, by id: they keep failing, or somebody is suspended."""
        return self.failures.set_aside

    # What it comes to

    def crosses(self) -> Mapping[str, Cross]:
        """Everybody's games against everybody; by the name of the part if the format has several."""
        return crosses_of(self.competition)

    def standings(self, part: str | None = None) -> list[Standing]:
        """Who is ahead, from first to last; in a format of several parts, say in which."""
        crosses = self.crosses()
        if part is None and len(crosses) == 1:
            (part,) = crosses
        if part is None or part not in crosses:
            raise KeyError(f"{part!r}; there are: {', '.join(map(repr, crosses))}")
        return list(standings(crosses[part]))

    def report(self) -> str:
        """The text that `gyoji report` writes."""
        return "".join(f"{line}\n" for line in scheduler.report_lines(self, self._beside))

    def values(self) -> dict[str, Any]:
        """The values of `gyoji show --json`, of a competition that nobody runs now."""
        return scheduler.event_values(self, self._endings, self._beside)

    # Playing

    def run(
        self,
        listener: Listener | None = None,
        *,
        parallel: int | None = None,
        max_games: int | None = None,
        retry: bool = False,
    ) -> RunEnd:
        """Play what is left, or `max_games` of it, `parallel` games at a time, and count it here.

        retry: games that are set aside are played too. listener: told what happens, in this thread; what it
        raises ends the run. Call it from the main thread: engines die with the thread that started them.
        Players are not checked beforehand. Raises ConfigError if another run goes on, or what is stored does
        not fit the control file any more.
        """
        options = RunOptions(parallel=parallel, max_games=max_games, retry=retry)
        self.begin_anew()
        with taking(self, options, warnings.warn) as taken:
            end = taken.play(lambda _loop: nullcontext(listener))
        self.refresh()
        call_at_end(self, end, self._beside, warnings.warn)
        return end


def open_event(path: str | Path) -> Event:
    """The competition of a control file. Raises ConfigError with all that is wrong with it."""
    event = Event.open(Path(path), lambda _: None)  # they stay in its setup
    event._count_stored()
    return event


# One game


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
) -> GameRecord:
    """The record of one game, refereed like any other.

    game, options  the name of a game, and its own settings (`board_size`, `komi`, `rule` ...).
    players        one for each seat, a function or an engine; several functions may be the same.
    names          the codes of functions in the record; "player 1" ... if there are none.
    clock          a time control such as "10s" or "1s/move". Where all are functions they are called one
                   after the other, and time is up when they return. A function that plays against an engine
                   is called in a thread, and has lost when time is up.
    adjudication   when the game ends by what is to be seen of it, or an object that says so.
    wishes         of "take-back", "draw" and "advice": what players may wish.

    With engines, call it from the main thread. Raises ConfigError for a game that there is not, ValueError
    for options that do not fit, Breakdown if an engine cannot be started, and what functions raise.
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
        return _played_with_engines(spec, functions, adjudicator)
    return _Table(Referee(spec, rules, adjudicator=adjudicator), list(functions.values())).played()


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
