"""Everybody plays everybody: gomill's all-play-all, a round robin of as many rounds as wanted.

The competitors have letters, and a pair is named after them: AvB. Berger's tables say who of the two has the
first seat in the games with an even number, the other has it in those with an odd one: so with an odd number
of rounds nobody has it much more often than others. In gomill's order it is the earlier one. Every pair has a
game before any has its next, so that standings mean something at any time; where there are openings, both
games of one.

Competitors may be added at the end of the list between two runs, and catch up first. A thousand of them are
half a million pairs: until two have met, their pair is a few bytes.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Any

from gyoji.core.faults import ConfigError
from gyoji.core.plugins import Format
from gyoji.core.record import GameResult
from gyoji.core.setup import CompetitionSetup, GameSettings, PlayerCode
from gyoji.core.spec import GameSpec, Player
from gyoji.core.tables import Block, Endings, Style, Table, count, texts
from gyoji.pairing.cross import Cross
from gyoji.pairing.field import EngineReports, trials
from gyoji.pairing.games import GameMaker, block_of, game_number
from gyoji.pairing.schedule import Meeting, RoundRobin, Seating
from gyoji.pairing.standings import standings
from gyoji.pairing.tally import PairStats
from gyoji.tables.event import EventTables, played_line
from gyoji.tables.pairs import blocks, pair_values
from gyoji.tables.standings import brief_table, standing_values


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings(GameSettings):
    """An all-play-all's own settings, beside those of its games.

    competitors  in the order of their letters; none given: all players, as the control file has them.
    rounds       games of each pair; None: endless; 0: none, but results are kept.
    seating      whose tables say who begins, and in which order pairs play: Berger's, or gomill's, the list.
    """

    competitors: tuple[PlayerCode, ...] = ()
    rounds: int | None = None
    seating: Seating = "berger"

    def __post_init__(self) -> None:
        GameSettings.__post_init__(self)
        twice = [code for code in self.competitors if self.competitors.count(code) > 1]
        if twice:
            raise ValueError(f"competitors: {twice[0]!r} is given twice")
        if len(self.competitors) == 1:
            raise ValueError(f"competitors: expected two or more, got only {self.competitors[0]!r}")
        if self.rounds is not None and self.rounds < 0:
            raise ValueError(f'rounds: expected 0 or more, or "none" for endless, got {self.rounds}')


def competitor(player: str) -> str:
    """gomill's other way to name a competitor, `Competitor("a")`, in Python control files."""
    return player


CTL_NAMES = {"Competitor": competitor}
"""Further names that a Python control file of this format may use."""


def letters(position: int) -> str:
    """The letters of a competitor, by its position.

    >>> [letters(position) for position in (0, 25, 26, 701, 702)]
    ['A', 'Z', 'AA', 'ZZ', 'AAA']
    """
    before, last = divmod(position, 26)
    return (letters(before - 1) if before else "") + chr(ord("A") + last)


class Allplayall:
    """The all-play-all of a setup, as far as it has been played. See `gyoji.core.ports.Competition`."""

    has_fixed_games = True

    def __init__(self, setup: CompetitionSetup) -> None:
        self.setup = setup
        self.settings = setup.settings_as(Settings)
        others = (code for code in setup.players if code != self.settings.scoring_player)
        self.competitors: tuple[str, ...] = self.settings.competitors or tuple(others)
        if len(self.competitors) < 2:
            raise ConfigError(f"{setup.code}: players: expected two or more, since all play each other")
        self.letters = tuple(map(letters, range(len(self.competitors))))
        settings = self.settings
        self.robin = RoundRobin(
            self.competitors, settings.rounds, block_of(settings), seating=settings.seating
        )
        self._positions = {code: position for position, code in enumerate(self.competitors)}
        self._maker = GameMaker(setup, self.settings)
        self.engines = EngineReports()

    def add(self, result: GameResult) -> None:
        """Count a finished game, once. Raises ConfigError if competitors are not those it was played by."""
        self.robin.add(self._meeting(result), result)
        self.engines.add(result)

    def keep(self, result: GameResult) -> None:
        """Take note of who has the first seat, before the result is counted. See `pairing.rounds`."""
        self.robin.keep(self._meeting(result), result)

    def next_game(self) -> GameSpec | None:
        """The next game, of the pair that has had fewest."""
        meeting = self.robin.next()
        if meeting is None:
            return None
        first, second, number = meeting
        pair = self._player(first), self._player(second)
        if not self.robin.begins(first, second):
            pair = pair[::-1]
        return self._maker.spec(self._name(first, second), number, self.settings.rounds, pair, swaps=True)

    def remaining(self) -> int | None:
        return self.robin.remaining

    def checks(self) -> Iterator[GameSpec]:
        """A game for each competitor, and for the player that scores."""
        if self.settings.rounds != 0:
            yield from trials(self.setup, self.settings, *self.competitors)

    def crosses(self) -> dict[str, Cross]:
        """One, of all games."""
        return {"": self.robin.cross}

    def stats(self) -> Iterator[PairStats]:
        """The results of each pair, in order, those that have none included. Lazy."""
        for first, second in combinations(range(len(self.competitors)), 2):
            codes = self.competitors[first], self.competitors[second]
            yield self.robin.cross.pair_stats(
                self._name(first, second), codes, self.settings, limit=self.settings.rounds
            )

    def _player(self, position: int) -> Player:
        return self.setup.players[self.competitors[position]]

    def _name(self, first: int, second: int) -> str:
        return f"{self.letters[first]}v{self.letters[second]}"

    def _meeting(self, result: GameResult) -> Meeting:
        """Which game a stored one is."""
        one, other = result.opponents
        first, second = self._positions.get(one, -1), self._positions.get(other, -1)
        if first > second:
            first, second = second, first
        if first < 0 or self._name(first, second) != result.pairing:
            raise ConfigError(
                f"stored game {result.id} is of {' v '.join(result.players)}, which does not fit the "
                "competitors: they may be added at the end, but not taken out, replaced or moved: "
                "give the list as it was, or reset the competition"
            )
        return Meeting(first, second, game_number(result))


MOST_IN_GRID = 50
"""With more competitors a grid is of no use, and blocks would be thousands: the standings take its place."""
MOST_ON_SCREEN = 50
"""How many of the standings are shown on the screen: who reads on will want the report."""


class AllplayallTables(EventTables[Allplayall]):
    """How much is played, a grid of everybody against everybody, a block of each pair: gomill's layout."""

    def screen(self) -> Iterator[Block]:
        yield played_line(self.event.robin.played, self.event.robin.total)
        yield ""
        yield from self._table(MOST_ON_SCREEN)

    def shown(self) -> Iterable[Block]:
        """The whole report, as gomill's `show` has it; of a large field what the screen has."""
        return self.report() if self._has_grid else self.screen()

    def body(self) -> Iterator[Block]:
        yield ""
        yield played_line(self.event.robin.played, self.event.robin.total)
        yield ""
        yield from self._table(None)
        yield ""
        if self._has_grid:
            yield from blocks(self.event.stats())
            yield ""

    def own_values(self, endings: Endings) -> dict[str, Any]:
        event = self.event
        return {
            "competitors": dict(zip(event.letters, event.competitors, strict=True)),
            "played": event.robin.played,
            "standings": standing_values(standings(event.robin.cross), event.setup.game),
            "matchups": [
                pair_values(stats, endings.get(stats.id, {})) for stats in event.stats() if stats.played
            ],
        }

    @property
    def _has_grid(self) -> bool:
        return len(self.event.competitors) <= MOST_IN_GRID

    def _table(self, most: int | None) -> Iterator[Block]:
        """The grid or, of a large field, the standings, `most` of them."""
        if self._has_grid:
            yield self._grid()
            return
        yield brief_table(islice(standings(self.event.robin.cross), most))
        hidden = 0 if most is None else len(self.event.competitors) - most
        if hidden > 0:
            yield f"… and {hidden} more"

    def _grid(self) -> Table:
        """Each competitor's row: its points and theirs against every other."""
        competitors, cross = self.event.competitors, self.event.robin.cross
        columns = [texts("", self.event.letters, gap=1), texts("", competitors, gap=1)]
        for letter, other in zip(self.event.letters, competitors, strict=True):
            cells = (
                "" if code == other else "-".join(map(count, cross.score(code, other)))
                for code in competitors
            )
            columns.append(texts(f" {letter}", cells, gap=1))
        return Table(columns=tuple(columns), style=Style.GOMILL)


FORMAT = Format(
    name="allplayall",
    settings=Settings,
    competition=Allplayall,
    ctl_names=CTL_NAMES,
    ctl_defaults={"seating": "list"},
    tables=AllplayallTables,
)
