"""The playoff: matchups of two players, each with its own settings and number of games.

The next game of a matchup is the lowest number that was not issued or played, so a resumed playoff first
plays missing games. The matchup with the fewest games comes first, of equal ones the first in the control
file. With openings, the matchup with the fewest complete openings comes first.

A ghost is a matchup with results that is no longer in the control file. Its results are kept and reported,
and it gets no more games. If the matchup comes back, its results count again.
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
from gyoji.core.tables import Block
from gyoji.pairing.game_maker import GameMaker, block_of
from gyoji.pairing.pair_competition import PairCompetition
from gyoji.pairing.schedule import IssuedGames
from gyoji.results.cross import Cross
from gyoji.results.tally import PairStats, Tally
from gyoji.tables.event_tables import EventTables
from gyoji.tables.pair_tables import blocks, heading, matchup

SEATS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Matchup(GameSettings):
    """The settings of a matchup: two players, and the settings of their games.

    Attributes:
        id: The id; the position in the list, from 0, if the control file gives none.
        name: The name in reports, by default "A v B".
        alternating: Whether the players swap seats after each game. Game 0 has player_1 in the first seat,
            and without swaps so has every game. Games in a row with the same opening are always played with
            swapped seats.
        number_of_games: Number of games. None: endless. 0: none, but results are kept.
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
        """Return a matchup's table with `player_1`, `player_2`, `id` and `name` filled in.

        The two players may be given as `players = [a, b]` in the file.
        """
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
            full["name"] = " v ".join(map(str, _codes(full.get("player_1"), full.get("player_2"))))
        return full

    @property
    def codes(self) -> tuple[str, str]:
        """The names of the two players in reports. If a player meets itself, its second name ends with
        "#2"."""
        return _codes(self.player_1, self.player_2)

    # Both games of an opening are played from both sides, whatever `alternating` says: otherwise an opening
    # that favours a side would favour a player.
    @property
    def swaps(self) -> bool:
        """Whether the players change seats in every other game."""
        return self.alternating or block_of(self) > 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings of a playoff: its matchups in the order of the control file."""

    matchups: tuple[Matchup, ...]

    def __post_init__(self) -> None:
        if not self.matchups:
            raise ValueError("matchups: expected one matchup or more")

    def settings_of(self, pairing: str) -> Matchup | None:
        """Return the matchup of games with this pairing id; None if it is no longer in the control file."""
        return next((matchup for matchup in self.matchups if matchup.id == pairing), None)

    @property
    def meetings(self) -> tuple[tuple[str, ...], ...]:
        """For each matchup with games: its two players, and its scoring player if it may need one.

        A scoring player is an engine without a seat that scores finished games.
        """
        return tuple(
            (matchup.player_1, matchup.player_2, *([matchup.scoring_player] * matchup.asks_scoring_player))
            for matchup in self.matchups
            if matchup.number_of_games != 0
        )


# Counts are kept by code, so the two sides of a player that meets itself need two codes. "#" is in no
# player's code.
def _codes(first: Any, second: Any) -> tuple[Any, Any]:
    """Return the names under which two players' results count. If a player meets itself, "#2" ends the
    second.
    """
    return first, f"{second}#2" if first == second else second


class _Results:
    """The results of a matchup that is or was in the control file."""

    __slots__ = ("first", "players", "tally")

    def __init__(self, number: int, result: GameResult) -> None:
        self.players = result.opponents
        self.first = number  # the lowest number of a game that has a result
        self.tally = Tally(*self.players)

    def add(self, number: int, result: GameResult) -> None:
        self.tally.add(result)
        if number < self.first:
            self.first, self.players = number, result.opponents


class Playoff(PairCompetition):
    """A playoff. It implements `gyoji.core.ports.Competition`."""

    def __init__(self, setup: CompetitionSetup) -> None:
        self.matchups = setup.settings_as(Settings).matchups
        super().__init__(
            setup, [matchup.number_of_games for matchup in self.matchups], list(map(block_of, self.matchups))
        )
        self._order: dict[str, int] = {matchup.id: order for order, matchup in enumerate(self.matchups)}
        self._codes = [matchup.codes for matchup in self.matchups]
        self._seated = [_pair(matchup, setup.players) for matchup in self.matchups]
        self._makers = [
            GameMaker(setup, matchup, name="" if matchup.name == " v ".join(matchup.codes) else matchup.name)
            for matchup in self.matchups
        ]
        self._results: dict[str, _Results] = {}
        self._of_ghosts: dict[str, IssuedGames] = {}

    def _pair_of(self, result: GameResult) -> int | None:
        """Return the position of a game's matchup in the control file; None if it is no longer there.

        Raises:
            ConfigError: The game's players are not those of its matchup, or of its other stored games.
        """
        order, results = self._order.get(result.pairing), self._results.get(result.pairing)
        if order is not None:
            _check_players(result, self._codes[order], "the control file now says")
        elif results is not None:
            _check_players(result, results.players, "others are of")
        return order

    def _count(self, pair: int, number: int, result: GameResult) -> None:
        if result.pairing not in self._results:
            self._results[result.pairing] = _Results(number, result)
        self._results[result.pairing].add(number, result)

    def _count_other(self, number: int, result: GameResult) -> None:
        """Count a game of a matchup that is no longer in the control file. A repeated result is ignored.

        Args:
            number: Number of the game in its matchup.
        """
        if self._of_ghosts.setdefault(result.pairing, IssuedGames(1)).add(0, number):
            self._count(0, number, result)

    def _spec(self, pair: int, number: int) -> GameSpec:
        matchup = self.matchups[pair]
        limit, players = matchup.number_of_games, self._seated[pair]
        return self._makers[pair].spec(matchup.id, number, limit, players, swaps=matchup.swaps)

    # A matchup whose game has a test of the rules is preferred: that test finds out whether an engine knows
    # all of the rules.
    def checks(self) -> Iterator[GameSpec]:
        """Yield one game for the check of each player before a run, ordered by players' names.

        Scoring players are included. A player is checked with the settings of its first matchup whose game
        has a test of the rules, or of its first matchup if no game has one.
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
        """Return the results of a matchup that is or was in the control file.

        Raises:
            KeyError: There is no such matchup.
        """
        order, results = self._order.get(matchup_id), self._results.get(matchup_id)
        matchup = None if order is None else self.matchups[order]
        first, second = matchup.codes if matchup else self._results[matchup_id].players
        tally = results.tally if results else Tally(first, second)
        return PairStats(
            id=matchup_id,
            name=matchup.name if matchup else f"{first} v {second}",
            settings=matchup,
            limit=matchup.number_of_games if matchup else None,
            swaps=matchup is not None and matchup.swaps,
            players=(tally.of(first), tally.of(second)),
        )

    def ghosts(self) -> tuple[str, ...]:
        """Return the ids of the matchups with results that are no longer in the control file, sorted."""
        return tuple(sorted(self._results.keys() - self._order.keys()))

    # Each matchup keeps a tally of its own, so a game counts as repeated only within its matchup: the same
    # moves with another komi are another game.
    def crosses(self) -> dict[str, Cross]:
        """Return one cross table of all matchups together."""
        names = [name for name in (*self._order, *self.ghosts()) if name in self._results]
        cross = Cross(stats.player for name in names for stats in self.stats(name).players)
        for name in names:
            cross.include(self._results[name].tally)
        return {"": cross}


class PlayoffTables(EventTables[Playoff]):
    """The tables of a playoff: a block for each matchup.

    The report also has blocks for matchups that are no longer in the control file.
    """

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

    def facts(self) -> dict[str, Any]:
        return {"matchups": [matchup(self.event.stats(name)) for name in self._ids()]}

    def _ids(self) -> tuple[str, ...]:
        return *(matchup.id for matchup in self.event.matchups), *self.event.ghosts()


def _pair(matchup: Matchup, players: Mapping[str, Player]) -> tuple[Player, Player]:
    """Return the players of a matchup, with their names in this matchup (`Matchup.codes`)."""
    first, second = players[matchup.player_1], players[matchup.player_2]
    return first, replace(second, code=matchup.codes[1]) if first is second else second


# The id of a matchup is its position by default. Deleting the first of three matchups would move the games of
# the second one into it; comparing the players finds that.
def _check_players(result: GameResult, codes: tuple[str, ...], others: str) -> None:
    """Raise ConfigError if a stored game is not between the players of its matchup.

    Args:
        codes: The names of these players.
        others: Words of the message before these names.
    """
    players = result.opponents
    if players != codes and players != codes[::-1]:
        raise ConfigError(
            f"matchup {result.pairing}: its stored games (such as {result.id}) are of "
            f"{' v '.join(result.players)}, {others} {' v '.join(codes)}: give the new matchup another id, "
            "or reset the competition"
        )


FORMAT = Format(name="playoff", settings=Settings, competition=Playoff, tables=PlayoffTables)
