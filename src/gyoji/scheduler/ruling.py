"""A game brought before a person who decides it, between runs: at the command line, or on a page."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

from msgspec import Struct

from gyoji.core.describe import describe_result, result_code
from gyoji.core.faults import ConfigError
from gyoji.core.game import AnyGame, JudgeTable
from gyoji.core.plugins import GAMES
from gyoji.core.record import GameRecord, Ruling
from gyoji.core.spec import GameSpec
from gyoji.core.text import printable
from gyoji.play.context import make_rules
from gyoji.play.engine_scoring import score_by_engine
from gyoji.play.game_files import write_records
from gyoji.play.order import Files
from gyoji.scheduler.event import Event
from gyoji.store.files import RunLock
from gyoji.store.store import Store


@contextmanager
def between_runs(event: Event) -> Iterator[Store]:
    """The store of an event, to be written, while no run goes on. Raises ConfigError if one does."""
    with ExitStack() as stack:
        try:
            stack.enter_context(RunLock(event.files))
        except ConfigError as error:
            remedy = f"rulings are given between runs: wait, or `gyoji stop {event.source}`"
            raise ConfigError(f"{error}; {remedy}") from None
        yield stack.enter_context(Store.open(event.files.database, event.setup.code))


class Hearing(Struct, frozen=True):
    """One game before its judge.

    table    what the judge does it at.   earlier: rulings that there are already, the oldest first.
    advice   what the scoring player says, in lines.
    """

    spec: GameSpec
    record: GameRecord
    table: JudgeTable
    earlier: Sequence[Ruling]
    advice: Sequence[str]

    @classmethod
    def of(cls, event: Event, store: Store, game_id: str) -> "Hearing":
        """The hearing of a stored game. Raises ConfigError for one that no person decides."""
        spec, record = event.finished(store, game_id)
        game = GAMES.find(spec.game)
        if game.judge is None:
            raise ConfigError(f"{spec.id} is a game of {spec.game}, which its rules decide, and not a person")
        opinion, advice = _advice(spec, record)
        table = game.judge()(make_rules(spec), record, opinion)
        return cls(spec, record, table, [ruling for _, ruling in store.rulings(game_id)], advice)

    @property
    def game(self) -> AnyGame:
        return GAMES.find(self.spec.game)

    def opening(self) -> Iterator[str]:
        """What the judge is told first: the result, earlier rulings, advice, the position and a proposal."""
        words = self.game.result_words
        yield f"{self.spec.id}: {describe_result(self.record.result, words)}"
        for each in self.earlier:
            yield f"  {each.when}  {result_code(each.outcome, words.letters)}  {each.text}"
        yield from self.advice
        yield from self.table.opening()

    def rule(self, event: Event, store: Store, ruling: Ruling) -> tuple[str, list[str]]:
        """Store a ruling. (the result as it is now, in words; what went wrong with the game's own file)."""
        store.rule(self.spec.id, ruling)
        ruled = store.record(self.spec.id)[1]
        told = f"{self.spec.id}: {describe_result(ruled.result, self.game.result_words)}"
        return told, _leave_file(event, self.spec, ruled)


def _advice(spec: GameSpec, record: GameRecord) -> tuple[tuple[str, ...], list[str]]:
    """(points of the stones that the scoring player calls dead, what there is to say of it)."""
    if spec.scoring_player is None:
        return record.result.dead, []
    code, verdict = spec.scoring_player.code, score_by_engine(spec, record)
    if verdict.opinion is None or verdict.problem:
        return (), [f"{code} has no opinion: {printable(verdict.problem)}"]
    dead = verdict.opinion.dead or ()
    return dead, [
        f"{code} says {printable(verdict.opinion.text)}; dead: {printable(' '.join(dead)) or 'none'}"
    ]


def _leave_file(event: Event, spec: GameSpec, record: GameRecord) -> list[str]:
    """The game's own file says what was ruled, too."""
    if not event.setup.record_games:
        return []
    formats = event.setup.record_formats or GAMES.find(spec.game).records
    files = Files(records=str(event.files.games), formats=formats)
    return write_records(files, spec, record)
