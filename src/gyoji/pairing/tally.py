"""The games of players counted: who won, on which side, by whose fault, at what cost of time.

A `Tally` counts one player, or two that meet. A `Cross` counts everybody against everybody, whatever the
format: cross tables and standings are made of it.

A side is what a player had on the board, its colour; that is the seat unless players could change sides. In
games of two teams a player is a team, and the engines of its seats are counted together.
"""

from array import array
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import NamedTuple, Protocol

from gyoji.core.outcome import Ending
from gyoji.core.ports import offers
from gyoji.core.record import GameResult
from gyoji.core.setup import GameSettings

SIDES = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class SideStats:
    """The results of one player on one side: games by how they ended for it.

    unknown: nobody can say who won. timeouts and errors are those of its losses in which it broke a rule.
    """

    wins: int = 0
    losses: int = 0
    levels: int = 0
    unknown: int = 0
    timeouts: int = 0
    errors: int = 0

    @property
    def played(self) -> int:
        return self.wins + self.losses + self.levels + self.unknown

    @property
    def points(self) -> float:
        """A win is 1, a level game ½."""
        return self.wins + self.levels / 2

    @property
    def forfeits(self) -> int:
        return self.timeouts + self.errors


_COUNTS = tuple(field.name for field in fields(SideStats))


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerStats:
    """The results of one player, by side (Go: Black, White) and in all.

    think_ns  time charged for moves.   moves: half of the turns of its games, so good to half a move a game.
    cpu_ns    CPU time, over the cpu_games games in which it is known.
    """

    player: str
    sides: tuple[SideStats, SideStats]
    think_ns: int = 0
    moves: float = 0
    cpu_ns: int = 0
    cpu_games: int = 0

    @property
    def total(self) -> SideStats:
        """Both sides together."""
        return SideStats(**{name: sum(getattr(side, name) for side in self.sides) for name in _COUNTS})

    @property
    def move_s(self) -> float | None:
        """Mean time of a move in seconds; None without moves."""
        return self.think_ns / self.moves / 1e9 if self.moves else None

    @property
    def game_s(self) -> float | None:
        """Mean time of a game in seconds; None without games."""
        played = self.total.played
        return self.think_ns / played / 1e9 if played else None

    @property
    def cpu_s(self) -> float | None:
        """Mean CPU time of a game in seconds; None if it is known of no game."""
        return self.cpu_ns / self.cpu_games / 1e9 if self.cpu_games else None


@dataclass(frozen=True, slots=True, kw_only=True)
class PairStats:
    """The results of a pair so far.

    id, name  of the pairing, in ids and in reports.
    settings  what it is played with; None for a pair that is no longer in the control file.
    limit     how many games it is to have, None for endless.
    swaps     whether the players change sides in every other game.
    """

    id: str
    name: str
    settings: GameSettings | None
    limit: int | None
    swaps: bool
    players: tuple[PlayerStats, PlayerStats]

    @property
    def played(self) -> int:
        return self.players[0].total.played

    @property
    def unknown(self) -> int:
        return self.players[0].total.unknown


_WIN, _LOSS, _LEVEL, _UNKNOWN, _TIMEOUT, _ERROR = range(len(_COUNTS))
_KINDS = len(_COUNTS)
_THINK_NS, _HALF_MOVES, _CPU_NS, _CPU_GAMES = range(SIDES * _KINDS, SIDES * _KINDS + 4)
_ROW = SIDES * _KINDS + 4
"""The numbers of one player: how games ended on each side, then what does not depend on the side."""


class Increment(NamedTuple):
    """The results of one player in one game, as numbers to add. cells: of the row of a player, each by 1."""

    cells: tuple[int, ...]
    half_moves: int
    cpu_ns: int
    cpu_games: int
    think_ns: int


def increments(result: GameResult) -> list[Increment]:
    """The increments of the players of a finished game, in the order of their teams."""
    outcome, engines, sides = result.outcome, result.engines, result.sides
    seats, teams = len(result.players), result.teams
    half_moves = result.turns if seats == SIDES else result.turns * seats
    winner = outcome.winner
    done = []
    for team in range(min(seats, SIDES)):
        side = _KINDS * (sides[team] if sides else team)
        if winner is None:
            cells: tuple[int, ...] = (side + (_UNKNOWN if outcome.points is None else _LEVEL),)
        elif winner == team:
            cells = (side + _WIN,)
        elif outcome.is_forfeit:
            cells = side + _LOSS, side + (_TIMEOUT if outcome.ending is Ending.TIME else _ERROR)
        else:
            cells = (side + _LOSS,)
        cpu_ns = cpu_games = think_ns = 0
        mine = [engines[seat] for seat in result.seats_of(team)] if teams else engines[team::SIDES]
        for engine in mine:
            think_ns += engine.think_ns
            if engine.cpu_ns is not None:
                cpu_ns += engine.cpu_ns
                cpu_games = 1
        done.append(Increment(cells, half_moves, cpu_ns, cpu_games, think_ns))
    return done


class Tally:
    """The running numbers of one player, or of two that meet. Small: there may be half a million."""

    __slots__ = ("_cells", "players")

    def __init__(self, *players: str) -> None:
        self.players = players
        self._cells = array("q", bytes(8 * _ROW * len(players)))

    def add(self, result: GameResult) -> None:
        """Count a finished game for those of its players that are counted here; not one that is set aside."""
        if result.outcome.ending is Ending.SET_ASIDE:
            return
        for player, increment in zip(result.opponents, increments(result), strict=False):
            if player in self.players:
                self.count(player, increment)

    def count(self, player: str, increment: Increment) -> None:
        """Count what one of the players did in a game."""
        cells, row = self._cells, self.players.index(player) * _ROW
        for cell in increment.cells:
            cells[row + cell] += 1
        cells[row + _HALF_MOVES] += increment.half_moves
        cells[row + _CPU_NS] += increment.cpu_ns
        cells[row + _CPU_GAMES] += increment.cpu_games
        cells[row + _THINK_NS] += increment.think_ns

    def include(self, other: "Tally") -> None:
        """Count all that `other` has counted of the players that are counted here."""
        for index, player in enumerate(self.players):
            if player in other.players:
                start, source = index * _ROW, other.players.index(player) * _ROW
                for cell in range(_ROW):
                    self._cells[start + cell] += other._cells[source + cell]

    def points(self, player: str) -> float:
        """The points that `player` has here: its `PlayerStats` say the same, and cost more."""
        cells, row = self._cells, self.players.index(player) * _ROW
        level = row + _LEVEL
        return cells[row] + cells[row + _KINDS] + (cells[level] + cells[level + _KINDS]) / 2

    def of(self, player: str) -> PlayerStats:
        """The stats of one player."""
        start = self.players.index(player) * _ROW
        row = self._cells[start : start + _ROW]
        first, second = (_side(row[side * _KINDS : (side + 1) * _KINDS]) for side in range(SIDES))
        return PlayerStats(
            player=player,
            sides=(first, second),
            think_ns=row[_THINK_NS],
            moves=row[_HALF_MOVES] / 2,
            cpu_ns=row[_CPU_NS],
            cpu_games=row[_CPU_GAMES],
        )


def _side(cells: "array[int]") -> SideStats:
    return SideStats(**dict(zip(_COUNTS, cells, strict=True)))


class Cross:
    """The tallies of players and of the pairs that have met. Nothing is made for a pair that has not.

    players: in the order in which they are to be shown where nothing else decides. Others may come with
    results, after them.
    """

    __slots__ = ("_met", "_players")

    def __init__(self, players: Iterable[str] = ()) -> None:
        self._players: dict[str, Tally] = {player: Tally(player) for player in players}
        self._met: dict[str, dict[str, Tally]] = {player: {} for player in self._players}

    @property
    def players(self) -> tuple[str, ...]:
        return tuple(self._players)

    def add(self, result: GameResult) -> None:
        """Count a finished game; not one that is set aside."""
        if result.outcome.ending is Ending.SET_ASIDE:
            return
        first, second = result.opponents
        one, other, both = self._tallies(first, second)
        for player, increment, tally in zip((first, second), increments(result), (one, other), strict=True):
            tally.count(player, increment)
            both.count(player, increment)

    def include(self, pair: Tally) -> None:
        """Count all games that a tally of two players has counted."""
        for tally in self._tallies(*pair.players):
            tally.include(pair)

    def _tallies(self, first: str, second: str) -> tuple[Tally, Tally, Tally]:
        """The tallies of two players, and that of their meetings."""
        for player in (first, second):
            if player not in self._players:
                self._players[player], self._met[player] = Tally(player), {}
        pair = self._met[first].get(second)
        if pair is None:
            pair = self._met[first][second] = self._met[second][first] = Tally(first, second)
        return self._players[first], self._players[second], pair

    def of(self, player: str) -> PlayerStats:
        """All that a player did."""
        return self._players[player].of(player)

    def points(self, player: str) -> float:
        return self._players[player].points(player)

    def opponents(self, player: str) -> Iterator[tuple[str, float]]:
        """Each opponent that a player has met, and the player's points against it."""
        return ((opponent, pair.points(player)) for opponent, pair in self._met[player].items())

    def pair(self, first: str, second: str) -> tuple[PlayerStats, PlayerStats]:
        """The results of two players against each other; nothing if they have not met."""
        tally = self._met[first].get(second) or Tally(first, second)
        return tally.of(first), tally.of(second)

    def pair_stats(
        self, pairing: str, players: tuple[str, str], settings: GameSettings, *, limit: int | None
    ) -> PairStats:
        """The results of a pair that changes sides. pairing: its id; limit: how many games it is to have."""
        return PairStats(
            id=pairing,
            name=" v ".join(players),
            settings=settings,
            limit=limit,
            swaps=True,
            players=self.pair(*players),
        )

    def score(self, first: str, second: str) -> tuple[float, float]:
        """The points of two players against each other."""
        tally = self._met[first].get(second)
        return (tally.points(first), tally.points(second)) if tally else (0, 0)


class HasCrosses(Protocol):
    """A competition of players who meet each other."""

    def crosses(self) -> Mapping[str, Cross]:
        """Everybody's games, by the name of the part of the competition, "" for all of it."""


def crosses_of(competition: object) -> Mapping[str, Cross]:
    """The games that cross tables, standings and ratings count; nothing where nobody meets often."""
    return competition.crosses() if offers(competition, HasCrosses) else {}
