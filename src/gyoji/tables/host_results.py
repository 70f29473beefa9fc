"""Games by host, for competitions that are played on several machines, and the hosts of a run in progress."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from gyoji.core.outcome import Ending
from gyoji.core.record import GameResult
from gyoji.core.tables import Table, names, numbers, texts
from gyoji.core.text import printable

SILENT = 10.0
"""Seconds without a message from a host after which its table says how long ago it was heard, instead of
"now".
"""

FAULTS = frozenset(each for each in Ending if each.is_forfeit) - {Ending.ABSENCE, Ending.FORFEIT}

NOTE = "faults: games lost by time, a crash, an illegal move and so on."


class _Row(Struct):
    games: int = 0
    faults: int = 0
    wall_ns: int = 0


class Hosts:
    """Games by the host that played them. Games on the machine of the run itself are not counted."""

    def __init__(self) -> None:
        self._rows: dict[str, _Row] = {}

    def add(self, result: GameResult) -> None:
        """Count a finished game, under the names that tables have for its players."""
        host, outcome = result.host, result.outcome
        # The machine of the run has no name: an event on one machine has no table of hosts.
        if not host or outcome.ending is Ending.SKIPPED:
            return
        row = self._rows.get(host)
        if row is None:
            row = self._rows[host] = _Row()
        # A team that goes on without one of its engines has a fault, whatever its result.
        is_fault = outcome.ending in FAULTS or bool(result.left_out)
        row.games += 1
        row.faults += is_fault
        row.wall_ns += result.wall_ns

    def rows(self) -> Iterator[tuple[str, int, int, float]]:
        """Yield (host, games, games lost by a fault, mean seconds of a game), by name."""
        for host, row in sorted(self._rows.items()):
            yield host, row.games, row.faults, row.wall_ns / row.games / 1e9


def hosts_table(hosts: Hosts) -> Table:
    """Return the games and faults of each host; empty if no game has a host."""
    rows = list(hosts.rows())
    return Table(
        name="hosts",
        title="Hosts",
        lead="hosts",
        note=NOTE,
        columns=(
            names("host", [host for host, *_ in rows]),
            numbers("games", [games for _, games, *_ in rows]),
            numbers("faults", [faults for *_, faults, _ in rows]),
            numbers("s a game", [seconds for *_, seconds in rows], key="game_s", digits=1),
        ),
    )


def running_table(hosts: Sequence[Mapping[str, Any]]) -> Table:
    """Return the hosts of a run and their work. The run's status supplies them."""
    heard = ["now" if host["silent"] < SILENT else f"{host['silent']:.0f}s ago" for host in hosts]
    return Table(
        title="Hosts of the run",
        lead="hosts of the run that goes on",
        remarks=tuple(
            printable(f"host {host['name']} {host['trouble']}") for host in hosts if host["trouble"]
        ),
        columns=(
            names("host", [host["name"] for host in hosts]),
            numbers("at once", [host["slots"] for host in hosts]),
            numbers("playing", [len(host["playing"]) for host in hosts]),
            numbers("played", [host["played"] for host in hosts]),
            texts("heard", heard),
        ),
    )
