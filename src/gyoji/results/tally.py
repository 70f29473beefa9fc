"""Counts of players' results: wins and losses on each side, losses by faults, and time.

A `Tally` counts one player, or two that meet. `gyoji.results.cross` counts every player against every other.

A side is the role of a player in a game, such as Black. It equals the seat, except in games in which the
players could swap sides. In a game of two teams a player is a team, and the engines of its seats are counted
together.
"""

# Theory of operation
# -------------------
#
# A competition is a fold over finished games, so its counts are accumulators: `add(result)` in any order
# leads to the same state, and no result is ever looked at again.
#
#     GameResult --deltas()--> one Delta for each player --StatsArrays.count()--> sums of each player
#                                                                                      |
#                               SideStats <- PlayerStats <--StatsArrays.of() ----------+
#
# `deltas` turns a result into numbers to add: the counter of how the game ended for the player, the counter
# of the rule it broke, half moves, CPU time and time for moves. `_cells` caches the first two, because few
# combinations of points, ending and sides exist. The common game, of two seats without teams, has a branch of
# its own in `deltas`: it saves the lists of the general case in a loop that runs a million times.
#
# Layout. `StatsArrays` keeps one row for each player (in a `Tally` or a `Cross`) or for each player of a pair
# (in a `Cross`), in two arrays. A row has 13 unsigned ints and 3 signed 64-bit sums:
#
#     games:  side 0: wins losses levels unknown timeouts errors | side 1: the same | games without CPU time
#     sums:   ns charged for moves | half moves | ns of CPU
#
# That is 76 bytes a row, 152 bytes a pair. An object with a slot for each number takes about 260 bytes a row.
# A round robin of 1,000 players has 999,000 rows for its pairs: 76 MB here, 260 MB as objects, while `python
# -m bench.scale` aims at 300 MB for the whole process. So the arrays stay. Counts of repeated games are few,
# so they are in a Counter by cell.
#
# Invariants:
#   * Timeouts and errors are part of the losses, and repeated games part of the wins, losses and levels:
#     every game is counted in exactly one of wins, losses, levels and unknown.
#   * A game that was skipped is never counted. It has no result, only a reason.
#   * Sums are whole numbers, so that their order does not change them. Half moves are exact for a game of two
#     seats: each player is charged half of the game's turns.
#
# Repeated games. Two deterministic engines play the same game whenever they are asked. `DuplicateGames`
# recognizes such a game by the digest of its moves. It still counts in the score, but not in
# `SideStats.observations`, from which intervals and ratings are computed: it carries no new information.

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
    """The results of one player on one side (such as Black).

    Attributes:
        unknown: Games without a known result.
        levels: Draws.
        timeouts: Losses on time.
        errors: Losses by breaking any other rule.
        won_again: Wins that repeat an earlier game move for move (see `DuplicateGames`).
        lost_again: Losses that repeat an earlier game.
        level_again: Draws that repeat an earlier game.
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
        """The points: 1 for a win, ½ for a draw."""
        return self.wins + self.levels / 2

    @property
    def forfeits(self) -> int:
        return self.timeouts + self.errors

    @property
    def observations(self) -> tuple[int, int, int]:
        """The numbers of lost, drawn and won games for statistics. A game and its repetitions count once."""
        return self.losses - self.lost_again, self.levels - self.level_again, self.wins - self.won_again


_FIELDS = SideStats.__struct_fields__
_COUNTS, _AGAIN = _FIELDS[:6], _FIELDS[6:]


class PlayerStats(Struct, frozen=True, kw_only=True):
    """The results of one player on each side (Go: Black, White).

    Attributes:
        think_ns: Time charged for moves, in ns.
        moves: Number of moves of the player's seats. In a game of two seats it is half of the turns, so it
            may be wrong by half a move.
        cpu_ns: CPU time of the engine, in ns, in the games in which it is known.
        cpu_games: The number of games with a known CPU time.
    """

    player: str
    sides: tuple[SideStats, SideStats]
    think_ns: int = 0
    moves: float = 0
    cpu_ns: int = 0
    cpu_games: int = 0

    @property
    def total(self) -> SideStats:
        """The results on both sides together."""
        return SideStats(**{name: sum(getattr(side, name) for side in self.sides) for name in _FIELDS})

    @property
    def move_s(self) -> float | None:
        """The mean time of a move in seconds, None without moves."""
        return self.think_ns / self.moves / 1e9 if self.moves else None

    @property
    def game_s(self) -> float | None:
        """The mean time charged for moves in a game, in seconds; None without games."""
        played = self.total.played
        return self.think_ns / played / 1e9 if played else None

    @property
    def cpu_s(self) -> float | None:
        """The mean CPU time of a game in seconds, None if no game has a known one."""
        return self.cpu_ns / self.cpu_games / 1e9 if self.cpu_games else None


class PairStats(Struct, frozen=True, kw_only=True):
    """The results of a pair so far.

    Attributes:
        id: The id of the pair, with which the ids of its games begin.
        name: The name that reports show.
        settings: The settings of the pair's games, None for a pair that is no longer in the control file.
        limit: The number of the pair's games. None: no limit, or the pair is no longer in the control file.
        swaps: Whether the players change sides in every other game.
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
"""Number of counters in a row: six results on each of two sides, and the games with unknown CPU time."""
_THINK_NS, _HALF_MOVES, _CPU_NS = range(3)
_SUMS = 3


Delta: TypeAlias = tuple[int, int, int, int | None, int]
"""The contribution of one game to one player's row.

It has: the index of the counter of its result, that of the counter of its fault (0 for none), half moves, CPU
time (None if unknown) and time charged for moves, both in ns.
"""


def deltas(result: GameResult) -> list[Delta]:
    """Return what a finished game adds to each player's row in `StatsArrays`, in the order of the teams."""
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
    """Return, for each team, which two counters a game increases: that of the result, and that of the fault.

    Counters are given as columns of `StatsArrays`. The second is 0 for a team that did not lose by a fault.

    Args:
        points: The points of each team; None if the result is unknown.
        ending: How the game ended.
        sides: The side that each team had; () if team n had side n.
        teams: Number of teams.
    """
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


class StatsArrays:
    """Totals of many rows, one row for each player, or for each of the two players of a pair.

    A row has counts of games by result and side, and sums of half-moves, CPU time and thinking time.
    """

    __slots__ = ("_again", "_games", "_sums")

    def __init__(self, rows: int = 0) -> None:
        self._again: Counter[int] = Counter()  # by cell: repeated games, of which there are few
        self._games = array("I", bytes(4 * _GAMES * rows))
        self._sums = array("q", bytes(8 * _SUMS * rows))

    def extend(self, rows: int) -> None:
        """Append rows of zeros."""
        self._games.extend(_NO_GAMES * rows)
        self._sums.extend(_NO_SUMS * rows)

    def count(self, rows: Sequence[int], deltas: Sequence[Delta], *, is_again: bool = False) -> None:
        """Add a game to the rows of its players.

        Args:
            rows: The row of each player.
            deltas: The contribution of the game to each of these rows.
            is_again: Whether the game repeats an earlier one.
        """
        games, sums = self._games, self._sums
        for row, (cell, fault, half_moves, cpu_ns, think_ns) in zip(rows, deltas, strict=True):
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

    def include(self, row: int, other: "StatsArrays", source: int) -> None:
        """Add the counts and sums of row `source` of `other` to the row `row`."""
        for cell in range(_GAMES):
            self._games[_GAMES * row + cell] += other._games[_GAMES * source + cell]
            if again := other._again[_GAMES * source + cell]:
                self._again[_GAMES * row + cell] += again
        for cell in range(_SUMS):
            self._sums[_SUMS * row + cell] += other._sums[_SUMS * source + cell]

    def points(self, row: int) -> float:
        """Return the points of a row. It is cheaper than `of`, which matters in standings of a thousand
        players.
        """
        games, start = self._games, _GAMES * row
        level = start + _LEVEL
        return games[start] + games[start + _KINDS] + (games[level] + games[level + _KINDS]) / 2

    def of(self, row: int, player: str) -> PlayerStats:
        """Return the totals of a row as the results of `player`."""
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
    """Return the results on one side from its counters of games and of repeated games."""
    return SideStats(**dict(zip(_FIELDS, (*cells, *again[: len(_AGAIN)]), strict=True)))


class DuplicateGames:
    """The games so far, by players, sides and moves. It finds games that repeat an earlier game.

    Two deterministic engines play the same game again and again. All of these games together are one
    observation.
    """

    __slots__ = ("_keys",)

    def __init__(self) -> None:
        self._keys: set[int] = set()

    def repeats(self, result: GameResult) -> bool:
        """Add a game. Return whether an earlier game of the same players on the same sides had the same
        moves.

        Return False if the moves are unknown.
        """
        digest = result.digest
        if not digest:
            return False
        opponents = result.opponents if result.teams else result.players[:2]
        # 64 bits instead of the strings: 70 bytes a game instead of 160, and a million games are normal.
        key = hash((opponents, digest))
        if key in self._keys:
            return True
        self._keys.add(key)
        return False


class Tally:
    """The counts of one player's results, or of the results of two players against each other."""

    __slots__ = ("_places", "_seen", "players", "rows")

    def __init__(self, *players: str) -> None:
        self.players = players
        self._places = {players[::step]: tuple(range(len(players)))[::step] for step in (-1, 1)}
        self.rows = StatsArrays(len(players))
        self._seen = DuplicateGames()

    def add(self, result: GameResult) -> None:
        """Count a finished game for the players of this tally. A skipped game adds nothing."""
        if result.outcome.ending is Ending.SKIPPED:
            return
        is_again, found, opponents = self._seen.repeats(result), deltas(result), result.opponents
        rows = self._places.get(opponents)
        if rows is not None and len(rows) == len(found):
            self.rows.count(rows, found, is_again=is_again)
            return
        for player, delta in zip(opponents, found, strict=False):
            if player in self.players:
                self.rows.count((self.players.index(player),), (delta,), is_again=is_again)

    def points(self, player: str) -> float:
        """Return the points of a player."""
        return self.rows.points(self.players.index(player))

    def of(self, player: str) -> PlayerStats:
        """Return the counted results of a player."""
        return self.rows.of(self.players.index(player), player)
