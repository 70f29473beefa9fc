"""The playoff: matchups of two players each, every one with its own settings and number of games.

A fold over finished games. A matchup knows which of its games are taken (issued, or finished); its next game
is the lowest number that is not, so a resumed playoff first plays what it lacks. Among matchups, the one with
fewest games taken is served first, and of equals the one that stands first in the control file.

Results of a matchup that is no longer in the control file (a ghost) are kept and counted; it is given no
games, and carries on where it was if it comes back.

Longer than a module should be: the statistics of pairings and their numbering wait for a second format to say
which part of them is common, and go below the formats then, since formats do not know each other.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from heapq import heapify, heappop, heapreplace
from typing import Any

from gyoji.core.faults import ConfigError
from gyoji.core.record import EngineReport, GameResult
from gyoji.core.setup import (
    FROM_TOP,
    POSITIONAL,
    UNIQUE,
    CompetitionSetup,
    GameSettings,
    Identifier,
    PlayerCode,
)
from gyoji.core.spec import GameSpec, Player, derive_seed
from gyoji.core.text import quote

CHECK_ID = "startup-check"
SEATS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Matchup(GameSettings):
    """Two players and how they play each other.

    id               its position in the list if the user gives none.
    name             for reports; "A v B" if the user gives none.
    alternating      player_1 has the first seat in games with an even number, and only there; otherwise
                     always.
    number_of_games  None: endless; 0 or less: none, but results are kept.
    """

    player_1: PlayerCode = field(metadata=POSITIONAL)
    player_2: PlayerCode = field(metadata=POSITIONAL)
    id: Identifier = field(metadata=UNIQUE)
    name: str
    alternating: bool = field(default=False, metadata=FROM_TOP)
    number_of_games: int | None = field(default=None, metadata=FROM_TOP)

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
            full["name"] = f"{full.get('player_1')} v {full.get('player_2')}"
        return full

    @property
    def codes(self) -> tuple[str, str]:
        """The two codes in reports: a player that meets itself has a clone."""
        return self.player_1, clone_code(self.player_2) if self.player_1 == self.player_2 else self.player_2

    @property
    def is_named(self) -> bool:
        """Whether the user gave it another name than it would have had."""
        return self.name != f"{self.player_1} v {self.player_2}"

    @property
    def limit(self) -> int | None:
        """How many games it is to have, from 0; None when endless."""
        return None if self.number_of_games is None else max(self.number_of_games, 0)

    def game_id(self, number: int) -> str:
        """The id of its game `number`, padded so that ids sort."""
        width = len(str(self.limit - 1)) if self.limit else 1
        return f"{self.id}_{number:0{width}}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """A playoff's own settings; `matchups` in the order of the control file."""

    matchups: tuple[Matchup, ...]

    def __post_init__(self) -> None:
        if not self.matchups:
            raise ValueError("matchups: expected one matchup or more")


def clone_code(code: str) -> str:
    """What a player is called on the other side when it plays itself."""
    return f"{code}#2"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatStats:
    """What one player did in one seat: games by how they ended for it.

    forfeits are those of its losses in which it broke a rule. unknown: nobody can say who won.
    """

    wins: int = 0
    losses: int = 0
    levels: int = 0
    unknown: int = 0
    forfeits: int = 0

    @property
    def played(self) -> int:
        return self.wins + self.losses + self.levels + self.unknown

    @property
    def points(self) -> float:
        """A win is 1, a level game ½."""
        return self.wins + self.levels / 2


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerStats:
    """What one player of a matchup did. seats: by seat (Go: Black, White).

    cpu_ns is the sum over the cpu_games games in which it is known.
    """

    player: str
    seats: tuple[SeatStats, SeatStats]
    cpu_ns: int = 0
    cpu_games: int = 0

    @property
    def played(self) -> int:
        return sum(seat.played for seat in self.seats)

    @property
    def points(self) -> float:
        return sum(seat.points for seat in self.seats)

    @property
    def forfeits(self) -> int:
        return sum(seat.forfeits for seat in self.seats)

    @property
    def cpu_s(self) -> float | None:
        """Mean CPU time of a game in seconds; None if it is known of no game."""
        return self.cpu_ns / self.cpu_games / 1e9 if self.cpu_games else None


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchupStats:
    """The results of a matchup so far. matchup: its settings, None for a ghost."""

    id: str
    name: str
    matchup: Matchup | None
    players: tuple[PlayerStats, PlayerStats]
    total: int
    unknown: int


class _Numbers:
    """A growing set of whole numbers from 0, small when it is nearly a range."""

    __slots__ = ("_ahead", "count", "lowest_missing")

    def __init__(self) -> None:
        self.count = 0
        self.lowest_missing = 0
        self._ahead: set[int] = set()

    def add(self, number: int) -> bool:
        """Whether the number is new."""
        if number < self.lowest_missing or number in self._ahead:
            return False
        self.count += 1
        self._ahead.add(number)
        while self.lowest_missing in self._ahead:
            self._ahead.remove(self.lowest_missing)
            self.lowest_missing += 1
        return True


_WIN, _LOSS, _LEVEL, _UNKNOWN, _FORFEIT, _CPU_NS, _CPU_GAMES = range(7)


class _Results:
    """The running statistics of one matchup; `first` is the lowest game number that has a result."""

    __slots__ = ("cells", "finished", "first", "first_players", "unknown")

    def __init__(self) -> None:
        self.finished = _Numbers()
        self.unknown = 0
        self.first = -1
        self.first_players: tuple[str, ...] = ()
        self.cells: dict[tuple[str, int], list[int]] = {}

    def add(self, number: int, result: GameResult) -> None:
        if not self.finished.add(number):
            return
        if not self.first_players or number < self.first:
            self.first, self.first_players = number, result.players
        outcome = result.outcome
        winner = outcome.winner
        self.unknown += outcome.points is None
        for seat, player in enumerate(result.players):
            cell = self.cells.setdefault((player, seat), [0] * 7)
            if winner is not None:
                cell[_WIN if winner == seat else _LOSS] += 1
                cell[_FORFEIT] += outcome.is_forfeit and winner != seat
            else:
                cell[_UNKNOWN if outcome.points is None else _LEVEL] += 1
            cpu_ns = result.engines[seat].cpu_ns if seat < len(result.engines) else None
            if cpu_ns is not None:
                cell[_CPU_NS] += cpu_ns
                cell[_CPU_GAMES] += 1

    def of(self, player: str) -> PlayerStats:
        cells = [self.cells.get((player, seat), [0] * 7) for seat in range(SEATS)]
        first, second = (
            SeatStats(
                wins=cell[_WIN],
                losses=cell[_LOSS],
                levels=cell[_LEVEL],
                unknown=cell[_UNKNOWN],
                forfeits=cell[_FORFEIT],
            )
            for cell in cells
        )
        return PlayerStats(
            player=player,
            seats=(first, second),
            cpu_ns=sum(cell[_CPU_NS] for cell in cells),
            cpu_games=sum(cell[_CPU_GAMES] for cell in cells),
        )


class Playoff:
    """The playoff of a setup, as far as it has been played. See `gyoji.core.ports.Competition`."""

    def __init__(self, setup: CompetitionSetup) -> None:
        self.setup = setup
        self.matchups: tuple[Matchup, ...] = setup.settings.matchups
        self.engines: dict[str, EngineReport] = {}
        """What each player's engine said of itself in its last game, by code in that game."""
        self._last: dict[str, tuple[str, str]] = {}
        self._by_id = {matchup.id: matchup for matchup in self.matchups}
        self._taken = {matchup.id: _Numbers() for matchup in self.matchups}
        self._results: dict[str, _Results] = {}
        self._queue = [(0, order) for order, matchup in enumerate(self.matchups) if matchup.limit != 0]
        heapify(self._queue)
        limits = [matchup.limit for matchup in self.matchups]
        self._is_endless = None in limits
        self._remaining = sum(limit or 0 for limit in limits)

    def add(self, result: GameResult) -> None:
        """Count a finished game, once. Raises ConfigError if its matchup now is of other players."""
        number = _number(result)
        matchup = self._by_id.get(result.pairing)
        if matchup is not None:
            if sorted(result.players) != sorted(matchup.codes):
                raise ConfigError(_changed(matchup, result))
            self._take(matchup, number)
        self._results.setdefault(result.pairing, _Results()).add(number, result)
        moment = (result.started, result.id)
        for player, engine in zip(result.players, result.engines, strict=False):
            if moment >= self._last.get(player, ("", "")):
                self._last[player] = moment
                self.engines[player] = engine

    def next_game(self) -> GameSpec | None:
        """The next game, of the matchup with fewest games taken."""
        while self._queue:
            count, order = self._queue[0]
            matchup = self.matchups[order]
            taken = self._taken[matchup.id]
            if matchup.limit is not None and taken.count >= matchup.limit:
                heappop(self._queue)
            elif taken.count != count:
                heapreplace(self._queue, (taken.count, order))
            else:
                number = taken.lowest_missing
                self._take(matchup, number)
                return self._spec(matchup, matchup.game_id(number), self._seated(matchup, number))
        return None

    def remaining(self) -> int | None:
        """How many games are still to be issued; None when a matchup is endless."""
        return None if self._is_endless else self._remaining

    def checks(self) -> Iterator[GameSpec]:
        """For each player of a matchup that has games, the one that scores included, by code, the earliest
        such matchup's settings.

        The player to try has the first seat; the other seat is filled with the same player.
        """
        earliest: dict[str, Matchup] = {}
        for matchup in self.matchups:
            if matchup.limit != 0:
                earliest.setdefault(matchup.player_1, matchup)
                earliest.setdefault(matchup.player_2, matchup)
                if matchup.scoring_player:
                    earliest.setdefault(matchup.scoring_player, matchup)
        for code in sorted(earliest):
            player = self.setup.players[code]
            yield self._spec(earliest[code], CHECK_ID, (player, player))

    def stats(self, matchup_id: str) -> MatchupStats:
        """The results of a matchup of the control file, or of a ghost; KeyError if there is neither."""
        matchup = self._by_id.get(matchup_id)
        results = self._results[matchup_id] if matchup is None else self._results.get(matchup_id, _Results())
        codes = results.first_players if matchup is None else matchup.codes
        first, second = (results.of(code) for code in codes)
        return MatchupStats(
            id=matchup_id,
            name=f"{codes[0]} v {codes[1].removesuffix('#2')}" if matchup is None else matchup.name,
            matchup=matchup,
            players=(first, second),
            total=results.finished.count,
            unknown=results.unknown,
        )

    def ghosts(self) -> tuple[str, ...]:
        """The ids of matchups that have results but are not in the control file, sorted."""
        return tuple(sorted(self._results.keys() - self._by_id.keys()))

    def _take(self, matchup: Matchup, number: int) -> None:
        """Note that a game is issued or finished."""
        taken = self._taken[matchup.id]
        if taken.add(number) and matchup.limit is not None and taken.count <= matchup.limit:
            self._remaining -= 1

    def _seated(self, matchup: Matchup, number: int) -> tuple[Player, Player]:
        """The players of a game in seat order: it depends on the number alone, so a replay keeps it."""
        first = self.setup.players[matchup.player_1]
        second = self.setup.players[matchup.player_2]
        if matchup.player_1 == matchup.player_2:
            second = replace(second, code=clone_code(second.code))
        return (second, first) if matchup.alternating and number % 2 else (first, second)

    def _spec(self, matchup: Matchup, game_id: str, players: tuple[Player, Player]) -> GameSpec:
        code = self.setup.code
        return GameSpec(
            id=game_id,
            pairing=matchup.id,
            game=matchup.game,
            players=players,
            options=matchup.options,
            clock=matchup.clock,
            move_limit=matchup.move_limit,
            scorer=matchup.scorer,
            scoring_player=self.setup.players.get(matchup.scoring_player),
            seed=derive_seed(self.setup.seed, game_id),
            competition=code,
            event=f"{code} ({matchup.name})" if matchup.is_named else code,
            place=self.setup.place,
        )


def competition(setup: CompetitionSetup) -> Playoff:
    """The playoff that `setup` describes, before its first game."""
    return Playoff(setup)


def _number(result: GameResult) -> int:
    """The number of a game in its matchup. Raises ConfigError for an id that no playoff makes."""
    matchup_id, _, digits = result.id.rpartition("_")
    if matchup_id != result.pairing or not (digits.isascii() and digits.isdigit()):
        raise ConfigError(f"stored game {quote(result.id)} is no game of matchup {quote(result.pairing)}")
    return int(digits)


def _changed(matchup: Matchup, result: GameResult) -> str:
    stored, now = " v ".join(result.players), " v ".join(matchup.codes)
    return (
        f"matchup {matchup.id}: its stored games (such as {result.id}) are of {stored}, the control file "
        f"now says {now}: give the new matchup another id, or reset the competition"
    )
