"""Decisions about finished games: rulings of a judge, and games of a host that are invalidated."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from gyoji.core.describe import describe_result, result_code
from gyoji.core.faults import ConfigError
from gyoji.core.game import AnyGame, JudgeTable
from gyoji.core.plugins import GAMES
from gyoji.core.record import GameRecord, Purge, Ruling
from gyoji.core.spec import GameSpec, Player
from gyoji.core.text import printable, quote
from gyoji.play.context import make_rules
from gyoji.play.engine_scoring import score_by_engine
from gyoji.play.game_files import write_records
from gyoji.play.order import Files
from gyoji.scheduler.event import Event
from gyoji.scheduler.judge_table import DefaultJudgeTable
from gyoji.store.files import RunLock
from gyoji.store.store import Store

MOST_REASON = 400
"""Characters of a reason."""


@contextmanager
def between_runs(event: Event) -> Iterator[Store]:
    """Open the store of an event for writing while no run goes on. Raises ConfigError during a run."""
    with ExitStack() as stack:
        try:
            stack.enter_context(RunLock(event.files))
        except ConfigError as error:
            remedy = f"rulings are given between runs: wait, or `gyoji stop {event.source}`"
            raise ConfigError(f"{error}; {remedy}") from None
        yield stack.enter_context(Store.open(event.files.database, event.setup.code))


def purge(store: Store, host: str, *, because: str, who: str, when: str) -> Purge:
    """Invalidate all games of a host that still count. They are played again.

    Raises:
        ConfigError: The host has no games that count, or there is no reason.
    """
    because = printable(" ".join(because.split()), MOST_REASON)
    if not because:
        raise ConfigError("because: expected a reason, which goes into the record; got nothing")
    played: dict[str, list[str]] = {}
    for result, by in store.played():
        if not by.purged:
            played.setdefault(result.host, []).append(result.id)
    if host not in played:
        names = ", ".join(sorted(map(quote, filter(None, played)))) or "none"
        raise ConfigError(
            f"{store.path}: no game of host {quote(host)} counts: expected one of the hosts {names}"
        )
    taken_back = Purge(who=who, when=when, because=because, games=tuple(played[host]))
    store.purge(host, taken_back)
    return taken_back


class EngineOpinion(NamedTuple):
    """An engine's opinion on a finished game.

    Attributes:
        said: The score in the engine's words.
        dead: A point of each group that it calls dead.
        problem: Why there is no opinion; "" if there is one.
    """

    player: str
    said: str = ""
    dead: tuple[str, ...] = ()
    problem: str = ""

    @property
    def line(self) -> str:
        """The opinion in one line."""
        if self.problem:
            return f"{self.player} has no opinion: {self.problem}"
        return f"{self.player} says {self.said}; dead: {' '.join(self.dead) or 'none'}"


Ask: TypeAlias = Callable[[GameSpec, GameRecord, Player], EngineOpinion]
"""A function that returns a player's opinion on a game."""


class RulingSession(Struct, frozen=True):
    """One game before its judge.

    Attributes:
        table: The judge's commands and view of the game.
        earlier: Earlier rulings, the oldest first.
        advice: Lines with the opinion of the scoring player.
    """

    spec: GameSpec
    record: GameRecord
    table: JudgeTable
    earlier: Sequence[Ruling]
    advice: Sequence[str]

    @classmethod
    def of(cls, event: Event, store: Store, game_id: str, ask: Ask | None = None) -> "RulingSession":
        """Return the session of a stored game. Raises ConfigError.

        Args:
            ask: Gives the opinion of the scoring player; None asks its engine.
        """
        spec, record = event.finished(store, game_id)
        game = GAMES.find(spec.game)
        own, advice = None, list[str]()
        if game.judge is not None:
            opinion, advice = _advice(spec, record, ask)
            own = game.judge()(make_rules(spec), record, opinion)
        table = DefaultJudgeTable(record.result, game.result_words, own)
        return cls(spec, record, table, [ruling for _, ruling in store.rulings(game_id)], advice)

    @property
    def game(self) -> AnyGame:
        return GAMES.find(self.spec.game)

    def said(self) -> list[tuple[str, str]]:
        """Return the players with the final score that their engines reported, where they did."""
        result = self.record.result
        return [(self.spec.players[seat].code, said) for seat, said in enumerate(result.scores) if said]

    def opening(self) -> Iterator[str]:
        """Yield facts for the judge: result, earlier rulings, opinions, position, and a proposal."""
        words = self.game.result_words
        yield f"{self.spec.id}: {describe_result(self.record.result, words)}"
        for each in self.earlier:
            yield f"  {each.when}  {result_code(each.outcome, words.letters)}  {each.text}"
        for player, said in self.said():
            yield f"{player} said {printable(said)}"
        yield from self.advice
        yield from self.table.opening()

    def rule(self, event: Event, store: Store, ruling: Ruling) -> tuple[str, list[str]]:
        """Store a ruling. Return the result as it is now, and errors in writing the game's own file."""
        store.rule(self.spec.id, ruling)
        ruled = store.record(self.spec.id)[1]
        told = f"{self.spec.id}: {describe_result(ruled.result, self.game.result_words)}"
        return told, _leave_file(event, self.spec, ruled)


def _advice(spec: GameSpec, record: GameRecord, ask: Ask | None) -> tuple[tuple[str, ...], list[str]]:
    """Return points of the stones that the scoring player calls dead, and its opinion in lines."""
    if spec.scoring_player is None:
        return record.result.dead, []
    opinion = (ask or opinion_of)(spec, record, spec.scoring_player)
    return opinion.dead, [opinion.line]


def opinion_of(spec: GameSpec, record: GameRecord, player: Player) -> EngineOpinion:
    """Return a player's opinion on a finished game. Starts its engine, so call it in the main thread."""
    asked = replace(spec, scorer="judge", scoring_player=player)
    verdict = score_by_engine(asked, record)
    if verdict.opinion is None or verdict.problem:
        return EngineOpinion(player.code, problem=printable(verdict.problem) or "no answer")
    dead = tuple(map(printable, verdict.opinion.dead or ()))
    return EngineOpinion(player.code, printable(verdict.opinion.text), dead)


def opinion_of_player(event: Event, store: Store, game_id: str, code: str) -> EngineOpinion:
    """Return the opinion by the names of game and player. Raises ConfigError for unknown names."""
    spec, record = event.finished(store, game_id)
    known = {**event.setup.players, **{each.code: each for each in spec.players}}
    if spec.scoring_player is not None:
        known[spec.scoring_player.code] = spec.scoring_player
    if code not in known or known[code].is_person:
        able = ", ".join(name for name, player in known.items() if not player.is_person)
        raise ConfigError(f"{event.source}: nobody called {quote(code)} can be asked; there are: {able}")
    return opinion_of(spec, record, known[code])


def _leave_file(event: Event, spec: GameSpec, record: GameRecord) -> list[str]:
    """Write the ruled game to its own file. Return one error line for each file that failed."""
    if not event.setup.record_games:
        return []
    formats = event.setup.record_formats or GAMES.find(spec.game).records
    files = Files(records=str(event.files.games), formats=formats)
    return write_records(files, spec, record)
