"""The games of players counted: who won, on which side, by whose fault, at what cost of time.

A `Tally` counts one player, or two that meet; `gyoji.pairing.cross` everybody against everybody.

A side is what a player had on the board, its colour; that is the seat unless players could change sides. In
games of two teams a player is a team, and the engines of its seats are counted together.
"""

from array import array
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

from msgspec import Struct

from gyoji.core.outcome import Ending, Outcome
from gyoji.core.record import GameResult
from gyoji.core.setup import GameSettings

SIDES = 2


class SideStats(Struct, frozen=True, kw_only=True):
    """The results of one player on one side: games by how they ended for it.

    unknown: nobody can say who won. timeouts and errors are those of its losses in which it broke a rule;
    won_again, lost_again and level_again those games that went as one before (see `Seen`).
    """

    wins: int = 0
    losses: int = 0
    levels: int = 0
    unknown: int = 0
    timeouts: int = 0
    errors: int = 0
    won_again: int = 0
    lost_again: int = 0
    level_again: int = 0

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

    @property
    def observations(self) -> tuple[int, int, int]:
        """Counts for intervals: games lost, level and won, each that was repeated once."""
        return self.losses - self.lost_again, self.levels - self.level_again, self.wins - self.won_again


_FIELDS = SideStats.__struct_fields__
_COUNTS, _AGAIN = _FIELDS[:6], _FIELDS[6:]


class PlayerStats(Struct, frozen=True, kw_only=True):
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
        return SideStats(**{name: sum(getattr(side, name) for side in self.sides) for name in _FIELDS})

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


class PairStats(Struct, frozen=True, kw_only=True):
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
_ENDS = SIDES * _KINDS
_UNTIMED = _ENDS
_GAMES = _ENDS + 1
"""The numbers of games in a row: how they ended on each side, and in how many the CPU time is not known."""
_THINK_NS, _HALF_MOVES, _CPU_NS = range(3)
_SUMS = 3


Increment: TypeAlias = tuple[int, int, int, int | None, int]
"""The results of one player in one game, as numbers to add: the cell of how it ended, that of its breach of a
rule (0 for none), half moves, CPU time (None: not known), time charged for moves."""


def increments(result: GameResult) -> list[Increment]:
    """The increments of the players of a finished game, in the order of their teams."""
    engines, outcome, teams = result.engines, result.outcome, result.teams
    seats = len(result.players)
    cells = _cells(outcome.points, outcome.ending, result.sides, min(seats, SIDES))
    if seats == len(engines) == SIDES and not teams:  # as nearly always
        (cell, fault), (its_cell, its_fault) = cells
        (one, other), half_moves = engines, result.turns
        return [
            (cell, fault, half_moves, one.cpu_ns, one.think_ns),
            (its_cell, its_fault, half_moves, other.cpu_ns, other.think_ns),
        ]
    half_moves = result.turns if seats == SIDES else result.turns * seats
    done = []
    for team, (cell, fault) in enumerate(cells):
        mine = [engines[seat] for seat in result.seats_of(team)] if teams else engines[team::SIDES]
        times = [engine.cpu_ns for engine in mine if engine.cpu_ns is not None]
        think_ns = sum(engine.think_ns for engine in mine)
        done.append((cell, fault, half_moves, sum(times) if times else None, think_ns))
    return done


@lru_cache(maxsize=1024)
def _cells(
    points: tuple[float, ...] | None, ending: Ending, sides: tuple[int, ...], teams: int
) -> tuple[tuple[int, int], ...]:
    """The cells of each team: how the game ended for it, and its breach of a rule, 0 for none."""
    winner, done = Outcome(points=points, ending=ending).winner, []
    for team in range(teams):
        side = _KINDS * (sides[team] if sides else team)
        cell, fault = side + _LOSS, 0
        if winner is None:
            cell = side + (_UNKNOWN if points is None else _LEVEL)
        elif winner == team:
            cell = side + _WIN
        elif ending.is_forfeit:
            fault = side + (_TIMEOUT if ending is Ending.TIME else _ERROR)
        done.append((cell, fault))
    return tuple(done)


class Rows:
    """The running numbers of players: a row for each of them, or for each of a pair. A million are normal."""

    __slots__ = ("_again", "_games", "_sums")

    def __init__(self, rows: int = 0) -> None:
        self._again: Counter[int] = Counter()  # of the cells that have repeated games, which are few
        self._games = array("I", bytes(4 * _GAMES * rows))
        self._sums = array("q", bytes(8 * _SUMS * rows))

    def extend(self, rows: int) -> None:
        """Add rows of noughts."""
        self._games.extend(_NO_GAMES * rows)
        self._sums.extend(_NO_SUMS * rows)

    def count(self, rows: Sequence[int], increments: Sequence[Increment], *, is_again: bool = False) -> None:
        """Count what the players of these rows did in a game. is_again: whether it went as one before."""
        games, sums = self._games, self._sums
        for row, (cell, fault, half_moves, cpu_ns, think_ns) in zip(rows, increments, strict=True):
            start, sum_of = _GAMES * row, _SUMS * row
            games[start + cell] += 1
            sums[sum_of + _THINK_NS] += think_ns
            sums[sum_of + _HALF_MOVES] += half_moves
            if cpu_ns is None:
                games[start + _UNTIMED] += 1
            else:
                sums[sum_of + _CPU_NS] += cpu_ns
            if fault:
                games[start + fault] += 1
            if is_again:
                self._again[start + cell] += 1

    def include(self, row: int, other: "Rows", source: int) -> None:
        """Count all that a row of `other` has counted."""
        for cell in range(_GAMES):
            self._games[_GAMES * row + cell] += other._games[_GAMES * source + cell]
            if again := other._again[_GAMES * source + cell]:
                self._again[_GAMES * row + cell] += again
        for cell in range(_SUMS):
            self._sums[_SUMS * row + cell] += other._sums[_SUMS * source + cell]

    def points(self, row: int) -> float:
        """The points of the player of a row: its `PlayerStats` say the same, and cost more."""
        games, start = self._games, _GAMES * row
        level = start + _LEVEL
        return games[start] + games[start + _KINDS] + (games[level] + games[level + _KINDS]) / 2

    def of(self, row: int, player: str) -> PlayerStats:
        """The stats of the player of a row."""
        games = self._games[_GAMES * row : _GAMES * (row + 1)]
        sums = self._sums[_SUMS * row : _SUMS * (row + 1)]
        again = [self._again[_GAMES * row + cell] for cell in range(_ENDS)] if self._again else _NONE_AGAIN
        sides = _side(games[:_KINDS], again[:_KINDS]), _side(games[_KINDS:_ENDS], again[_KINDS:])
        return PlayerStats(
            player=player,
            sides=sides,
            think_ns=sums[_THINK_NS],
            moves=sums[_HALF_MOVES] / 2,
            cpu_ns=sums[_CPU_NS],
            cpu_games=sum(side.played for side in sides) - games[_UNTIMED],
        )


_NO_GAMES = array("I", bytes(4 * _GAMES))
_NO_SUMS = array("q", bytes(8 * _SUMS))


_NONE_AGAIN = (0,) * _ENDS


def _side(cells: "array[int]", again: Sequence[int]) -> SideStats:
    """The results on one side. again: how many games of each cell were repeated."""
    return SideStats(**dict(zip(_FIELDS, (*cells, *again[: len(_AGAIN)]), strict=True)))


class Seen:
    """The games that have been played, by how they went: 16 to 32 bytes for each of a million.

    Two programs that draw no lots play the same game as often as they are asked, and it is as much as one.
    """

    __slots__ = ("_cells", "_free", "_last")

    def __init__(self) -> None:
        self._cells = array("q", bytes(8 * _LEAST_ROOM))
        self._last = _LEAST_ROOM - 1
        self._free = _LEAST_ROOM // 2  # cells to fill before there are twice as many

    def has(self, result: GameResult) -> bool:
        """Whether a game went as one before of the same players on the same sides; it is taken in.

        No if it is not known how it went.
        """
        digest = result.digest
        if not digest:
            return False
        opponents = result.opponents if result.teams else result.players[:2]
        return not self.add(hash((opponents, digest)))

    def add(self, number: int) -> bool:
        """Take in a number that has a hash's 64 bits; whether it is new. 0 and 1 are the same."""
        number = number or 1  # 0 is a cell that is free
        cells, last = self._cells, self._last
        place = number & last
        while found := cells[place]:
            if found == number:
                return False
            place = place + 1 & last
        cells[place] = number
        self._free -= 1
        if not self._free:
            self._grow()
        return True

    def _grow(self) -> None:
        half = len(self._cells)
        cells, last = array("q", bytes(16 * half)), 2 * half - 1
        for number in self._cells:
            if number:  # as `add` does, but for what need not be asked here: a million games come by often
                place = number & last
                while cells[place]:
                    place = place + 1 & last
                cells[place] = number
        self._cells, self._last, self._free = cells, last, half - half // 2


_LEAST_ROOM = 16


class Tally:
    """The running numbers of one player, or of two that meet."""

    __slots__ = ("_places", "_seen", "players", "rows")

    def __init__(self, *players: str) -> None:
        self.players = players
        self._places = {players[::step]: tuple(range(len(players)))[::step] for step in (-1, 1)}
        self.rows = Rows(len(players))
        self._seen = Seen()

    def add(self, result: GameResult) -> None:
        """Count a finished game for those of its players that are counted here; not one that is set aside."""
        if result.outcome.ending is Ending.SET_ASIDE:
            return
        is_again, found, opponents = self._seen.has(result), increments(result), result.opponents
        rows = self._places.get(opponents)
        if rows is not None and len(rows) == len(found):
            self.rows.count(rows, found, is_again=is_again)
            return
        for player, increment in zip(opponents, found, strict=False):
            if player in self.players:
                self.rows.count((self.players.index(player),), (increment,), is_again=is_again)

    def points(self, player: str) -> float:
        """The points that `player` has here."""
        return self.rows.points(self.players.index(player))

    def of(self, player: str) -> PlayerStats:
        """The stats of one player."""
        return self.rows.of(self.players.index(player), player)
