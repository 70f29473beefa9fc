"""`open_event` and `Event`: the results, statistics and reports of a competition, and playing its games."""

import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

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

if TYPE_CHECKING:
    from pandas import DataFrame


class Event(scheduler.Event):
    """A competition with its games played so far.

    Iterators over games read the database at each call, which is possible during a run of another process.

    Attributes:
        setup: The contents of the control file, with its warnings.
        competition: The `Competition` of the format, with all games that were stored when the event was
            opened or refreshed.
        comparison: Decides by their settings which stored games count, and lists those that do not.
    """

    def __repr__(self) -> str:
        with self._store() as store:
            games = store.count if store is not None else 0
        what = f"{self.setup.kind} of {self.setup.game}"
        return f"<Event {self.source}: {what}, {counted(games, 'game')} stored>"

    def refresh(self) -> None:
        """Read all stored games again. Call it when another process may have played some."""
        self.begin_anew()
        self._count_stored()

    def _count_stored(self) -> None:
        self._endings, self._digest = scheduler.Endings(), ResultsDigest(self.setup.players)
        with self._store() as store:
            if store is not None:
                self.count(store, self._endings, self._digest)

    @contextmanager
    def _store(self) -> Iterator[Store | None]:
        """Open the database of games for reading. Yield None if nothing has been played yet."""
        if not self.files.database.exists():
            yield None
            return
        with self.read() as store:
            yield store

    # Games

    def results(self) -> Iterator[GameResult]:
        """Yield every finished game without its moves, in the order in which they were stored."""
        with self._store() as store:
            yield from store.results() if store is not None else ()

    def games(self) -> Iterator[Game]:
        """Yield every finished game with its moves, in the order in which they were stored."""
        with self._store() as store:
            if store is not None:
                for result in store.results():
                    yield Game(*store.record(result.id))

    def game(self, game_id: str) -> Game:
        """Return the finished game with an id.

        Raises:
            KeyError: There is no game with this id. The message names similar ids.
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
        """The skipped games by id: games that failed too often, and games of suspended players."""
        return self.failures.skipped

    # Standings and reports

    def crosses(self) -> Mapping[str, Cross]:
        """Return the cross table of each part of the competition, such as a group, by the part's name. The
        name "" means the whole competition.
        """
        return crosses_of(self.competition)

    def standings(self, part: str | None = None) -> list[Standing]:
        """Return the standings, leader first.

        Args:
            part: Name of a part of the competition, such as a group. None is allowed if there is only one
                part.

        Raises:
            KeyError: There is no such part, or `part` is None and there are several. The message names the
                parts.
        """
        crosses = self.crosses()
        if part is None and len(crosses) == 1:
            (part,) = crosses
        if part is None or part not in crosses:
            raise KeyError(f"{part!r}; there are: {', '.join(map(repr, crosses))}")
        return list(standings(crosses[part]))

    def report(self) -> str:
        """Return the text report, as `gyoji report` writes it."""
        return "".join(f"{line}\n" for line in scheduler.report_lines(self, self._digest))

    def values(self) -> dict[str, Any]:
        """Return the values that `gyoji show --json` prints for a competition that is not running."""
        return scheduler.event_values(self, self._endings, self._digest)

    def to_pandas(self, *, moves: bool = False) -> "DataFrame":
        """Return a pandas DataFrame with one row for each finished game, or for each move.

        Columns of games are the keys of a result in docs/reference/games-as-json.md. A list by seat or
        team becomes one column per item, numbered from 0: `player_0`, `points_0`, `think_s_0` ... Columns
        of moves are `game`, `turn` from 1, `seat` from 0, `player`, `move`, `seconds` (charged to the clock),
        `phase`, `comment`, and the values of the evaluation: `score`, `win` (0 to 1), `depth` and `nodes`.

        Args:
            moves: Whether to return one row for each move.

        Raises:
            ImportError: pandas is not installed.
        """
        from gyoji.api import frames  # noqa: PLC0415 - pandas is an extra

        return (
            frames.moves_frame(self.games()) if moves else frames.games_frame(self.results(), self.setup.game)
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
        """Play the remaining games, and add their results to this event.

        Call it from the main thread, because engines are killed when the thread that started them ends.
        Players are not checked before the run.

        Args:
            listener: Gets the events of the run, in this thread. An exception that it raises ends the run.
            parallel: Number of games at once; None for one.
            max_games: Largest number of games to start; None for no limit. Games that are played again are
                not counted.
            retry: Whether to play skipped games again, including those of suspended players.

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
        ConfigError: The control file has errors. The message lists all of them.
    """
    event = Event.open(Path(path), lambda _: None)  # its warnings stay in `setup`
    event._count_stored()
    return event
