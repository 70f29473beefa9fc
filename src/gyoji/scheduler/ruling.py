"""Decisions about finished games: a judge's rulings, and the invalidation of one machine's games."""

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
"""Largest number of characters of a reason."""


@contextmanager
def between_runs(event: Event) -> Iterator[Store]:
    """Open the database of an event for writing. Raises ConfigError while the event is being played."""
    with ExitStack() as stack:
        try:
            stack.enter_context(RunLock(event.files))
        except ConfigError as error:
            remedy = f"rulings are given between runs: wait, or `gyoji stop {event.source}`"
            raise ConfigError(f"{error}; {remedy}") from None
        yield stack.enter_context(Store.open(event.files.database, event.setup.code))


def purge(store: Store, host: str, *, because: str, who: str, when: str) -> Purge:
    """Invalidate all games that a machine has played: they do not count any more and are played again.

    Args:
        host: Name of the machine.
        because: The organiser's reason.
        who: Name of the organiser.
        when: Time of the decision, ISO 8601.

    Raises:
        ConfigError: The machine has no games that count, or the reason is empty.
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
    """An engine's opinion on a finished game: its score and the dead stones.

    Attributes:
        player: Code of the player whose engine was asked.
        said: The score in the engine's words.
        dead: One point of each group that it calls dead.
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
    """The judging of one finished game.

    Attributes:
        table: Carries out the judge's commands and shows the game.
        earlier: Earlier rulings on this game, the oldest first.
        advice: Lines with the opinion of the engine that scores the event's games. Empty if there is no such
            engine, or if the game has no judge's table of its own.
    """

    spec: GameSpec
    record: GameRecord
    table: JudgeTable
    earlier: Sequence[Ruling]
    advice: Sequence[str]

    @classmethod
    def of(cls, event: Event, store: Store, game_id: str, ask: Ask | None = None) -> "RulingSession":
        """Begin to judge a stored game. Raises ConfigError for an unknown id.

        Args:
            ask: Returns the opinion of the engine that scores the event's games. The default starts that
                engine.
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
        """Return (player, final score in its engine's words) for each engine that reported one."""
        result = self.record.result
        return [(self.spec.players[seat].code, said) for seat, said in enumerate(result.scores) if said]

    def opening(self) -> Iterator[str]:
        """Yield what the judge sees first: result, earlier rulings, opinions, position, and a proposal."""
        words = self.game.result_words
        yield f"{self.spec.id}: {describe_result(self.record.result, words)}"
        for each in self.earlier:
            yield f"  {each.when}  {result_code(each.outcome, words.letters)}  {each.text}"
        for player, said in self.said():
            yield f"{player} said {printable(said)}"
        yield from self.advice
        yield from self.table.opening()

    def rule(self, event: Event, store: Store, ruling: Ruling) -> tuple[str, list[str]]:
        """Store a ruling, and write the game's record files again if the competition has record files.

        Returns:
            (the result as it is now, one error line for each file that could not be written)
        """
        store.rule(self.spec.id, ruling)
        ruled = store.record(self.spec.id)[1]
        told = f"{self.spec.id}: {describe_result(ruled.result, self.game.result_words)}"
        if not event.setup.record_games:
            return told, []
        formats = event.setup.record_formats or self.game.records
        files = Files(records=str(event.files.games), formats=formats)
        return told, write_records(files, self.spec, ruled)


def _advice(spec: GameSpec, record: GameRecord, ask: Ask | None) -> tuple[tuple[str, ...], list[str]]:
    """Return (points of dead stones, opinion of the scoring engine in lines).

    The scoring engine says which stones are dead. Without such an engine the points are those of the record,
    and there are no lines.
    """
    if spec.scoring_player is None:
        return record.result.dead, []
    opinion = (ask or opinion_of)(spec, record, spec.scoring_player)
    return opinion.dead, [opinion.line]


def opinion_of(spec: GameSpec, record: GameRecord, player: Player) -> EngineOpinion:
    """Ask a player's engine for the score and the dead stones of a finished game.

    The engine is started, so call this in the main thread. Its failure is returned as the opinion's problem.
    """
    asked = replace(spec, scorer="judge", scoring_player=player)
    verdict = score_by_engine(asked, record)
    if verdict.problem:
        return EngineOpinion(player.code, problem=printable(verdict.problem))
    dead = tuple(map(printable, verdict.dead or ()))
    return EngineOpinion(player.code, printable(verdict.text), dead)


def opinion_of_player(event: Event, store: Store, game_id: str, code: str) -> EngineOpinion:
    """Ask the engine of the player `code` about a stored game. Raises ConfigError for unknown names."""
    spec, record = event.finished(store, game_id)
    known = {**event.setup.players, **{each.code: each for each in spec.players}}
    if spec.scoring_player is not None:
        known[spec.scoring_player.code] = spec.scoring_player
    if code not in known or known[code].is_elsewhere:
        able = ", ".join(name for name, player in known.items() if not player.is_elsewhere)
        raise ConfigError(f"{event.source}: nobody called {quote(code)} can be asked; there are: {able}")
    return opinion_of(spec, record, known[code])
