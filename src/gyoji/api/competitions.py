"""Competitions of control files: what has been played of them, what it comes to, and playing on."""

import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gyoji.api.games import Game
from gyoji.api.showing import event_html, results_html, shares_chart
from gyoji.config.document import suggest
from gyoji.core.record import GameResult
from gyoji.core.tables import Chart
from gyoji.core.text import counted
from gyoji.pairing.cross import Cross, crosses_of
from gyoji.pairing.failures import SetAside
from gyoji.pairing.standings import Standing, standings
from gyoji.scheduler import event as scheduler
from gyoji.scheduler.events import Listener
from gyoji.scheduler.hooks import call_at_end
from gyoji.scheduler.run import RunOptions, taking
from gyoji.scheduler.status import RunEnd
from gyoji.store.store import Store
from gyoji.tables.digest import Beside

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame


class Results(Iterator[GameResult]):
    """The finished games of an event, one after the other. A notebook shows them as a table."""

    def __init__(self, event: "Event", read: Callable[[], Iterator[GameResult]]) -> None:
        self._event, self._read = event, read
        self._left = read()

    def __next__(self) -> GameResult:
        return next(self._left)

    def _repr_html_(self) -> str:
        return results_html(self._read(), self._event.setup.game)


class Event(scheduler.Event):
    """A competition and what has been played of it until now.

    setup        what the control file says, its warnings included.
    competition  the format's own object, with every result that was stored when the event was opened, or
                 refreshed: its statistics are there under their own names (`gyoji.formats`).
    comparison   which games do not count in it, because they were played by other settings.

    What is stored is read anew by each method that iterates games, also while a run is writing.
    """

    def __repr__(self) -> str:
        with self._store() as store:
            games = store.count if store is not None else 0
        what = f"{self.setup.kind} of {self.setup.game}"
        return f"<Event {self.source}: {what}, {counted(games, 'game')} stored>"

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

    def results(self) -> Results:
        """Every finished game without its moves, in the order in which they were stored.

        An iterator, which a notebook shows as a table of the newest games.
        """
        return Results(self, self._results)

    def _results(self) -> Iterator[GameResult]:
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
        """One finished game. Raises KeyError, which names some ids, if there is none of that id."""
        with self._store() as store:
            if store is None:
                raise KeyError(f"{game_id!r}; nothing has been played yet")
            try:
                return Game(*store.record(game_id))
            except KeyError:
                ids = [result.id for result in store.results()]
                raise KeyError(f"{game_id!r}{suggest(game_id, ids)}") from None

    @property
    def set_aside(self) -> Mapping[str, SetAside]:
        """The games that are not played any more, by id: they keep failing, or somebody is suspended."""
        return self.failures.set_aside

    # What it comes to

    def crosses(self) -> Mapping[str, Cross]:
        """Everybody's games against everybody; by the name of the part if the format has several."""
        return crosses_of(self.competition)

    def standings(self, part: str | None = None) -> list[Standing]:
        """Who is ahead, from first to last; in a format of several parts, say in which.

        Raises KeyError, which names the parts, if there is no such part, or none is named of several.
        """
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

    # For notebooks, and for libraries that not everybody has

    def to_pandas(self, *, moves: bool = False) -> "DataFrame":
        """A DataFrame of pandas with a row for each finished game, or for each move of all of them.

        Games have the keys of a result in docs/reference/games-as-json.md as columns, lists by seat or team
        as columns with a number from 0: `player_0`, `points_0`, `think_s_0` ... Moves have `game`, `turn`
        from 1, `seat` from 0, `player`, `move`, `seconds` charged, `phase`, `comment`, and of the opinion
        `score`, `win` (0 to 1), `depth`, `nodes`. Raises ImportError where pandas is not installed.
        """
        from gyoji.api import analysis  # noqa: PLC0415 - pandas is an extra

        return (
            analysis.moves_frame(self.games())
            if moves
            else analysis.games_frame(self.results(), self.setup.game)
        )

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw how the competition went, by matplotlib: see `charts`. Returns the axes.

        ax: axes to draw in; None for new ones. Raises ImportError where matplotlib is not installed.
        """
        from gyoji.api import analysis  # noqa: PLC0415 - matplotlib is an extra

        return analysis.plot_chart(self.charts()[0], ax)

    def charts(self) -> list[Chart]:
        """How the competition went, game by game: the charts of its format, else players' shares of points.

        The first one is what `plot` draws.
        """
        own = [each for each in self.tables().charts() if isinstance(each, Chart)]
        return own or [shares_chart(self.results())]

    def _repr_html_(self) -> str:
        return event_html(self)

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
