"""The playoff: matchups of two players each, every one with its own settings and number of games.

A fold over finished games. A matchup knows which of its games are taken (issued, or finished); its next game
is the lowest number that is not, so a resumed playoff first plays what it lacks. Among matchups, the one with
fewest games taken is served first, and of equals the one that stands first in the control file.

Results of a matchup that is no longer in the control file (a ghost) are kept and counted; it is given no
games, and carries on where it was if it comes back.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from gyoji.core.faults import ConfigError
from gyoji.core.plugins import Format
from gyoji.core.record import GameResult
from gyoji.core.setup import (
    FROM_TOP,
    POSITIONAL,
    UNIQUE,
    CompetitionSetup,
    GameSettings,
    Identifier,
    PlayerCode,
)
from gyoji.core.spec import GameSpec, Player
from gyoji.core.tables import Block, Endings
from gyoji.pairing.cross import Cross
from gyoji.pairing.field import EngineReports
from gyoji.pairing.games import GameMaker, block_of, game_number
from gyoji.pairing.schedule import Schedule, Taken
from gyoji.pairing.tally import PairStats, Tally
from gyoji.tables.event import EventTables
from gyoji.tables.pairs import blocks, heading, pair_values

SEATS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Matchup(GameSettings):
    """Two players and how they play each other.

    id               its position in the list if the user gives none.
    name             for reports; "A v B" if the user gives none.
    alternating      player_1 has the first seat in games with an even number, and only there; otherwise
                     always. Where several games in a row have the same opening, they alternate anyway.
    number_of_games  None: endless; 0: none, but results are kept.
    """

    player_1: PlayerCode = field(metadata=POSITIONAL)
    player_2: PlayerCode = field(metadata=POSITIONAL)
    id: Identifier = field(metadata=UNIQUE)
    name: str
    alternating: bool = field(default=False, metadata=FROM_TOP)
    number_of_games: int | None = field(default=None, metadata=FROM_TOP)

    def __post_init__(self) -> None:
        GameSettings.__post_init__(self)
        if self.number_of_games is not None and self.number_of_games < 0:
            raise ValueError(
                f'number_of_games: expected 0 or more, or "none" for endless, got {self.number_of_games}'
            )

    @classmethod
    def complete(cls, table: Mapping[str, Any], index: int) -> dict[str, Any]:
        """`players = [a, b]` written out; the id and the name that a matchup has if none is given."""
        full = dict(table)
        if "players" in full:
            pair = full.pop("players")
            if "player_1" in full or "player_2" in full:
                raise ValueError("players: give either players or player_1 and player_2")
            if not isinstance(pair, list) or len(pair) != SEATS:
                raise ValueError("players: expected a list of two players")
            full["player_1"], full["player_2"] = pair
        if full.get("id") is None:
            full["id"] = str(index)
        if full.get("name") is None:
            full["name"] = _usual_name(full.get("player_1"), full.get("player_2"))
        return full

    @property
    def codes(self) -> tuple[str, str]:
        """The two codes in reports: a player that meets itself has a clone."""
        return _codes(self.player_1, self.player_2)

    @property
    def is_named(self) -> bool:
        """Whether the user gave it another name than it would have had."""
        return self.name != _usual_name(self.player_1, self.player_2)

    @property
    def swaps(self) -> bool:
        """Whether the players change seats in every other game."""
        return self.alternating or block_of(self) > 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """A playoff's own settings; `matchups` in the order of the control file."""

    matchups: tuple[Matchup, ...]

    def __post_init__(self) -> None:
        if not self.matchups:
            raise ValueError("matchups: expected one matchup or more")

    def settings_of(self, pairing: str) -> Matchup | None:
        """The matchup that games of a pairing belong to."""
        return next((matchup for matchup in self.matchups if matchup.id == pairing), None)

    @property
    def meetings(self) -> tuple[tuple[str, ...], ...]:
        """Who plays whom, and who counts for them."""
        return tuple(
            (matchup.player_1, matchup.player_2, *([matchup.scoring_player] * matchup.asks_scoring_player))
            for matchup in self.matchups
            if matchup.number_of_games != 0
        )


def _codes(first: Any, second: Any) -> tuple[Any, Any]:
    """The codes of two players; one that plays itself has another on the other side."""
    return first, f"{second}#2" if first == second else second


def _usual_name(first: Any, second: Any) -> str:
    return " v ".join(map(str, _codes(first, second)))


class _Results:
    """The results of one matchup, or of a ghost."""

    __slots__ = ("_finished", "first", "players", "tally")

    def __init__(self, result: GameResult) -> None:
        self.players = result.opponents
        self.first = game_number(result)  # the lowest number of a game that has a result
        self.tally = Tally(*self.players)
        self._finished = Taken(1)

    def add(self, number: int, result: GameResult) -> None:
        """Count a result, once."""
        if self._finished.add(0, number):
            self.tally.add(result)
            if number < self.first:
                self.first, self.players = number, result.opponents


class Playoff:
    """The playoff of a setup, as far as it has been played. See `gyoji.core.ports.Competition`."""

    has_fixed_games = True

    def __init__(self, setup: CompetitionSetup) -> None:
        self.setup = setup
        self.matchups = setup.settings_as(Settings).matchups
        self._order: dict[str, int] = {matchup.id: order for order, matchup in enumerate(self.matchups)}
        self._codes = [matchup.codes for matchup in self.matchups]
        self._pairs = [_pair(matchup, setup.players) for matchup in self.matchups]
        self._makers = [
            GameMaker(setup, matchup, name=matchup.name if matchup.is_named else "")
            for matchup in self.matchups
        ]
        self._schedule = Schedule(
            [matchup.number_of_games for matchup in self.matchups], list(map(block_of, self.matchups))
        )
        self._results: dict[str, _Results] = {}
        self.engines = EngineReports()

    def add(self, result: GameResult) -> None:
        """Count a finished game, once. Raises ConfigError if its matchup now is of other players."""
        number, order = game_number(result), self._order.get(result.pairing)
        results = self._results.get(result.pairing)
        if order is not None:
            _check_players(result, self._codes[order], "the control file now says")
            self._schedule.take(order, number)
        elif results is not None:
            _check_players(result, results.players, "others are of")
        if results is None:
            results = self._results[result.pairing] = _Results(result)
        results.add(number, result)
        self.engines.add(result)

    def next_game(self) -> GameSpec | None:
        """The next game, of the matchup with fewest games taken."""
        found = self._schedule.next()
        if found is None:
            return None
        order, number = found
        matchup = self.matchups[order]
        return self._makers[order].spec(
            matchup.id, number, matchup.number_of_games, self._pairs[order], swaps=matchup.swaps
        )

    def remaining(self) -> int | None:
        return self._schedule.remaining

    def checks(self) -> Iterator[GameSpec]:
        """For each player of a matchup that has games, the one that scores included, by code, the earliest
        such matchup's settings; of those with a trial of the rules if there are any.

        The player to try has every seat.
        """
        earliest: dict[str, int] = {}
        orders = sorted(range(len(self.matchups)), key=lambda order: not self._makers[order].has_trial)
        for order in orders:
            matchup = self.matchups[order]
            if matchup.number_of_games != 0:
                for player in filter(None, (matchup.player_1, matchup.player_2, matchup.scoring_player)):
                    earliest.setdefault(player, order)
        for code, order in sorted(earliest.items()):
            yield self._makers[order].check(self.matchups[order].id, self.setup.players[code])

    def stats(self, matchup_id: str) -> PairStats:
        """The results of a matchup of the control file, or of a ghost; KeyError if there is neither."""
        order, results = self._order.get(matchup_id), self._results.get(matchup_id)
        if order is not None:
            return _stats(self.matchups[order], results.tally if results else None)
        ghost = self._results[matchup_id]
        first, second = ghost.players
        return PairStats(
            id=matchup_id,
            name=f"{first} v {second}",
            settings=None,
            limit=None,
            swaps=False,
            players=(ghost.tally.of(first), ghost.tally.of(second)),
        )

    def ghosts(self) -> tuple[str, ...]:
        """The ids of matchups that have results but are not in the control file, sorted."""
        return tuple(sorted(self._results.keys() - self._order.keys()))

    def crosses(self) -> dict[str, Cross]:
        """One, of all matchups together."""
        names = [name for name in (*self._order, *self.ghosts()) if name in self._results]
        cross = Cross(stats.player for name in names for stats in self.stats(name).players)
        for name in names:
            cross.include(self._results[name].tally)
        return {"": cross}


class PlayoffTables(EventTables[Playoff]):
    """A block for each matchup; in the report those too that are not in the control file any more."""

    def screen(self) -> Iterator[Block]:
        stats = [self.event.stats(matchup.id) for matchup in self.event.matchups]
        if any(each.played for each in stats):
            yield from blocks(stats)
        else:  # nothing has ended yet
            yield from map(heading, stats)

    def body(self) -> Iterator[Block]:
        yield ""
        yield from blocks(map(self.event.stats, self._ids()))
        yield ""

    def own_values(self, endings: Endings) -> dict[str, Any]:
        pairs = (pair_values(self.event.stats(name), endings.get(name, {})) for name in self._ids())
        return {"matchups": list(pairs)}

    def _ids(self) -> tuple[str, ...]:
        return *(matchup.id for matchup in self.event.matchups), *self.event.ghosts()


def _pair(matchup: Matchup, players: Mapping[str, Player]) -> tuple[Player, Player]:
    """The players of a matchup under the codes that they have in it."""
    first, second = players[matchup.player_1], players[matchup.player_2]
    return first, replace(second, code=matchup.codes[1]) if first is second else second


def _stats(matchup: Matchup, tally: Tally | None) -> PairStats:
    """The results of a matchup of the control file, which may have none."""
    first, second = matchup.codes
    tally = tally or Tally(first, second)
    return PairStats(
        id=matchup.id,
        name=matchup.name,
        settings=matchup,
        limit=matchup.number_of_games,
        swaps=matchup.swaps,
        players=(tally.of(first), tally.of(second)),
    )


def _check_players(result: GameResult, codes: tuple[str, ...], others: str) -> None:
    """Raise ConfigError if a stored game is not of the players that its matchup has."""
    players = result.opponents
    if players != codes and players != codes[::-1]:
        raise ConfigError(
            f"matchup {result.pairing}: its stored games (such as {result.id}) are of "
            f"{' v '.join(result.players)}, {others} {' v '.join(codes)}: give the new matchup another id, "
            "or reset the competition"
        )


FORMAT = Format(name="playoff", settings=Settings, competition=Playoff, tables=PlayoffTables)
