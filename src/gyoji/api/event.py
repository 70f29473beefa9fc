"""A competition of a control file, as a value to look at and as something to be run."""

import warnings
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from gyoji.config import load
from gyoji.core.record import GameRecord, GameResult
from gyoji.core.spec import GameSpec
from gyoji.pairing.failures import SetAside
from gyoji.pairing.standings import Standing, standings
from gyoji.pairing.tally import Cross, crosses_of
from gyoji.report.text import text_lines
from gyoji.scheduler import event as scheduler
from gyoji.scheduler.events import Listener
from gyoji.scheduler.run import RunOptions, taking
from gyoji.scheduler.status import RunEnd
from gyoji.store.store import Store
from gyoji.tables.remarks import remark_values, remarks


class Game(NamedTuple):
    """A finished game: before and after it was played."""

    spec: GameSpec
    record: GameRecord


class _Endings(defaultdict[str, Counter[str]]):
    """How the games of each pairing ended."""

    def __init__(self) -> None:
        super().__init__(Counter)

    def add(self, result: GameResult) -> None:
        self[result.pairing][result.outcome.ending.value] += 1


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
        self._endings = _Endings()
        with self._store() as store:
            if store is not None:
                self.count(store, self._endings)

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
        lines = chain(text_lines(self.tables().report()), remarks(self.comparison, self.failures))
        return "".join(f"{line}\n" for line in lines)

    def values(self) -> dict[str, Any]:
        """The tables of `gyoji show --json`."""
        engines = self.competition.engines
        return self.tables().values(self._endings) | remark_values(
            self.comparison, self.failures, engines=engines, suspended=self.suspended
        )

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
        return end


def open_event(path: str | Path) -> Event:
    """The competition of a control file. Raises ConfigError with all that is wrong with it."""
    event = Event.of(load(Path(path)), source=str(path), control_file=Path(path))
    event.refresh()
    return event
