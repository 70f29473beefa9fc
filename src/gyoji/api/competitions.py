"""Competitions of control files: their results so far, their statistics, and playing on."""

import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

from gyoji.api.games import Game
from gyoji.config.document import suggest
from gyoji.core.record import GameResult
from gyoji.core.text import counted
from gyoji.results.cross import Cross, crosses_of
from gyoji.results.failures import SkippedGame
from gyoji.results.standings import Standing, standings
from gyoji.scheduler import event as scheduler
from gyoji.scheduler.events import Listener
from gyoji.scheduler.hooks import call_at_end
from gyoji.scheduler.run import RunOptions, taking
from gyoji.scheduler.status import RunEnd
from gyoji.store.store import Store
from gyoji.tables.digest import ResultsDigest


class Event(scheduler.Event):
    """A competition and its games so far.

    Methods that iterate games read the store anew each time, also while a run is writing to it.

    Attributes:
        setup: The contents of the control file, with its warnings.
        competition: The format's own object (`gyoji.formats`) with all results that were stored when the
            event was opened or refreshed. It has the format's statistics.
        comparison: The games that do not count because they were played with other settings.
    """

    def __repr__(self) -> str:
        with self._store() as store:
            games = store.count if store is not None else 0
        what = f"{self.setup.kind} of {self.setup.game}"
        return f"<Event {self.source}: {what}, {counted(games, 'game')} stored>"

    def refresh(self) -> None:
        """Count the stored games anew, since another process may have played."""
        self.begin_anew()
        self._count_stored()

    def _count_stored(self) -> None:
        self._endings, self._digest = scheduler.Endings(), ResultsDigest(self.setup.players)
        with self._store() as store:
            if store is not None:
                self.count(store, self._endings, self._digest)

    @contextmanager
    def _store(self) -> Iterator[Store | None]:
        """Yield the open store, or None if nothing has been played yet."""
        if not self.files.database.exists():
            yield None
            return
        with self.read() as store:
            yield store

    # What has been played

    def results(self) -> Iterator[GameResult]:
        """Yield every finished game without its moves, in the order in which they were stored."""
        with self._store() as store:
            if store is not None:
                yield from store.results()

    def games(self) -> Iterator[Game]:
        """Yield every finished game with its moves, in the order in which they were stored."""
        with self._store() as store:
            if store is not None:
                for result in store.results():
                    yield Game(*store.record(result.id))

    def game(self, game_id: str) -> Game:
        """Return one finished game.

        Raises:
            KeyError: There is no game with this id. The message names some ids.
        """
        with self._store() as store:
            if store is None:
                raise KeyError(f"{game_id!r}; nothing has been played yet")
            try:
                return Game(*store.record(game_id))
            except KeyError:
                ids = [result.id for result in store.results()]
                raise KeyError(f"{game_id!r}{suggest(game_id, ids)}") from None

    @property
    def skipped(self) -> Mapping[str, SkippedGame]:
        """Return games that are not played again, by id: they kept failing or a player is suspended."""
        return self.failures.skipped

    # What it comes to

    def crosses(self) -> Mapping[str, Cross]:
        """Return the cross table of each part of the format, by its name. A format without parts has one."""
        return crosses_of(self.competition)

    def standings(self, part: str | None = None) -> list[Standing]:
        """Return the standings, leader first. A format with several parts needs the name of one.

        Raises:
            KeyError: There is no such part, or a name is missing. The message names the parts.
        """
        crosses = self.crosses()
        if part is None and len(crosses) == 1:
            (part,) = crosses
        if part is None or part not in crosses:
            raise KeyError(f"{part!r}; there are: {', '.join(map(repr, crosses))}")
        return list(standings(crosses[part]))

    def report(self) -> str:
        """Return the text that `gyoji report` writes."""
        return "".join(f"{line}\n" for line in scheduler.report_lines(self, self._digest))

    def values(self) -> dict[str, Any]:
        """Return what `gyoji show --json` prints for a competition that is not running."""
        return scheduler.event_values(self, self._endings, self._digest)

    # Playing

    def run(
        self,
        listener: Listener | None = None,
        *,
        parallel: int | None = None,
        max_games: int | None = None,
        retry: bool = False,
    ) -> RunEnd:
        """Play the remaining games and count them here.

        Call it from the main thread, because engines die with the thread that started them. Players are
        not checked beforehand.

        Args:
            listener: Gets the events of the run, in this thread. An exception that it raises ends the run.
            parallel: Number of games at once.
            max_games: Play at most this many.
            retry: Play skipped games too.

        Raises:
            ConfigError: Another run is in progress, or the stored games do not fit the control file any
                more.
        """
        options = RunOptions(parallel=parallel, max_games=max_games, retry=retry)
        self.begin_anew()
        with taking(self, options, warnings.warn) as taken:
            end = taken.play(lambda _loop: nullcontext(listener))
        self.refresh()
        call_at_end(self, end, self._digest, warnings.warn)
        return end


def open_event(path: str | Path) -> Event:
    """Open the competition of a control file.

    Raises:
        ConfigError: The control file has mistakes. The message lists all of them.
    """
    event = Event.open(Path(path), lambda _: None)  # they stay in its setup
    event._count_stored()
    return event
