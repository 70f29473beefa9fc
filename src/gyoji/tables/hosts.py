"""The results by host, where games were played on several machines, and whether the hosts agree.

Two tests (`gyoji.stats.agreement`), both of games between the same two players on the same sides: of the
points of the one of them whose name comes first, which finds a host that favours somebody; and of the games
that were lost by a fault (time, a crash, an illegal move), which finds one that harms all alike.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from gyoji.core.outcome import Ending
from gyoji.core.record import GameResult
from gyoji.core.tables import Block, Table, names, numbers, texts
from gyoji.core.text import counted, printable
from gyoji.stats.agreement import Agreement, Off, Samples

DOUBT = 0.01
"""Hosts differ, where samples of one host would by so much in fewer than this share of all events."""

SILENT = 10.0
"""Seconds after which it is told for how long a host has been silent: signs of life come more often."""

FAULTS = frozenset(each for each in Ending if each.is_forfeit) - {Ending.ABSENCE, Ending.FORFEIT}

_NONE = Off(0.0, None)

NOTE = (
    "points off: how many more points than on average the first by name of each two players took there; "
    "z: how many standard deviations that is. faults: games lost by time, a crash, an illegal move and so on."
)


class _Row(Struct):
    games: int = 0
    faults: int = 0
    wall_ns: int = 0


class Hosts:
    """A fold over results: what was played on each host. Games of the machine of the run are left out."""

    def __init__(self) -> None:
        self._rows: dict[str, _Row] = {}
        self._points = Samples()
        self._faults = Samples()

    def add(self, result: GameResult) -> None:
        """Count a finished game, under the names that tables have for its players."""
        host, outcome = result.host, result.outcome
        if not host or outcome.ending is Ending.SET_ASIDE:
            return
        row = self._rows.get(host)
        if row is None:
            row = self._rows[host] = _Row()
        is_fault = outcome.ending in FAULTS or bool(result.left_out)
        row.games += 1
        row.faults += is_fault
        row.wall_ns += result.wall_ns
        players = result.opponents
        self._faults.add(players, host, float(is_fault))
        if outcome.points is not None:
            self._points.add(players, host, outcome.points[players.index(min(players))])

    def rows(self) -> Iterator[tuple[str, int, int, float]]:
        """(host, games, games lost by a fault, mean seconds of a game), by name."""
        for host, row in sorted(self._rows.items()):
            yield host, row.games, row.faults, row.wall_ns / row.games / 1e9

    @property
    def of_points(self) -> Agreement | None:
        """Whether hosts agree about who wins; None if nobody can say."""
        return self._points.test()

    @property
    def of_faults(self) -> Agreement | None:
        """Whether as many games are lost by a fault on each."""
        return self._faults.test()


def hosts_table(hosts: Hosts) -> Table:
    """The table of a report; empty if no game has a host."""
    return _table(hosts, hosts.of_points, hosts.of_faults)


def hosts_blocks(hosts: Hosts) -> list[Block]:
    """The same as a part of a text; nothing if no game has a host."""
    points, faults = hosts.of_points, hosts.of_faults
    table = _table(hosts, points, faults)
    return [] if table.is_empty else ["hosts", table, *_lines(points, faults)]


def _table(hosts: Hosts, points: Agreement | None, faults: Agreement | None) -> Table:
    rows = list(hosts.rows())
    of_points, of_faults = (
        [(test.hosts if test else {}).get(host, _NONE) for host, *_ in rows] for test in (points, faults)
    )
    return Table(
        name="hosts",
        title="Hosts",
        note=" ".join((NOTE, *_lines(points, faults))),
        columns=(
            names("host", [host for host, *_ in rows]),
            numbers("games", [games for _, games, *_ in rows]),
            numbers("points off", [each.amount for each in of_points], digits=1),
            numbers("z", [each.deviations for each in of_points], digits=1),
            numbers("faults", [faults for *_, faults, _ in rows]),
            numbers("z of faults", [each.deviations for each in of_faults], digits=1),
            numbers("s a game", [seconds for *_, seconds in rows], digits=1),
        ),
    )


def _lines(points: Agreement | None, faults: Agreement | None) -> list[str]:
    tests = (("results", points), ("faults", faults))
    return [_line(what, test) for what, test in tests if test is not None]


def _line(what: str, test: Agreement) -> str:
    is_off = test.chance < DOUBT
    verdict = f"hosts differ, {test.farthest} most" if is_off else "hosts agree"
    freedom = f"{counted(test.freedom, 'degree')} of freedom"
    figures = f"chi-square {test.chi_square:.1f}, {freedom}, p = {test.chance:.2g}"
    return f"Of {what}, {verdict} ({figures})."


def running_blocks(hosts: Sequence[Mapping[str, Any]]) -> list[Block]:
    """The hosts of a run and their work, by its status, as a part of a text; nothing if it has none."""
    if not hosts:
        return []
    heard = ["now" if host["silent"] < SILENT else f"{host['silent']:.0f}s ago" for host in hosts]
    table = Table(
        name="running",
        title="Hosts of the run",
        columns=(
            names("host", [host["name"] for host in hosts]),
            numbers("at once", [host["slots"] for host in hosts]),
            numbers("playing", [len(host["playing"]) for host in hosts]),
            numbers("played", [host["played"] for host in hosts]),
            numbers("speed", [host["speed"] for host in hosts], digits=2),
            texts("heard", heard),
        ),
    )
    troubles = [printable(f"host {host['name']} {host['trouble']}") for host in hosts if host["trouble"]]
    return ["", "hosts of the run that goes on", table, *troubles]


def hosts_values(hosts: Hosts) -> dict[str, Any]:
    """The same as JSON-ready values."""
    points, faults = hosts.of_points, hosts.of_faults
    return {
        "hosts": [
            {
                "host": host,
                "games": games,
                "faults": lost,
                "game_s": seconds,
                "points": _off(points, host),
                "of_faults": _off(faults, host),
            }
            for host, games, lost, seconds in hosts.rows()
        ],
        "hosts_agree": {
            name: None
            if test is None
            else {"chi_square": test.chi_square, "freedom": test.freedom, "p": test.chance}
            for name, test in (("points", points), ("faults", faults))
        },
    }


def _off(test: Agreement | None, host: str) -> Mapping[str, float | None] | None:
    off = (test.hosts if test else {}).get(host)
    return None if off is None else {"off": off.amount, "z": off.deviations}
