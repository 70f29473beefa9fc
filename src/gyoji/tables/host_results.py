"""Tables of the hosts (machines) that played a competition's games, and of the hosts of a run in progress."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from gyoji.core.outcome import Ending
from gyoji.core.record import GameResult
from gyoji.core.tables import Table, names, numbers, texts
from gyoji.core.text import printable

SILENT = 10.0
"""Seconds without a message from a host after which the table shows the age of the last message instead of
"now".
"""

FAULTS = frozenset(each for each in Ending if each.is_forfeit) - {Ending.ABSENCE, Ending.FORFEIT}


class Hosts:
    """Counts of games by the name of the host (machine) that played them.

    Games played on the machine of the run itself have no host and are not counted.

    Attributes:
        games: Number of finished games by host.
        faults: Number of games by host in which an engine failed: overstepped its time, crashed, played an
            illegal move and so on.
        wall_ns: Total duration of the games by host, in ns.
    """

    def __init__(self) -> None:
        self.games, self.faults, self.wall_ns = Counter[str](), Counter[str](), Counter[str]()

    def add(self, result: GameResult) -> None:
        """Count a finished game. A skipped one does not count."""
        host, outcome = result.host, result.outcome
        if host and outcome.ending is not Ending.SKIPPED:
            self.games[host] += 1
            # A game in which a team lost one of its engines and played on has a fault, whatever its result.
            self.faults[host] += outcome.ending in FAULTS or bool(result.left_out)
            self.wall_ns[host] += result.wall_ns


def hosts_table(hosts: Hosts) -> Table:
    """Return the table of games and faults by host. Empty if all games were played on the machine of the
    run.
    """
    found = sorted(hosts.games)
    seconds = [hosts.wall_ns[host] / hosts.games[host] / 1e9 for host in found]
    return Table(
        name="hosts",
        title="Hosts",
        lead="hosts",
        note="faults: games lost by time, a crash, an illegal move and so on.",
        columns=(
            names("host", found),
            numbers("games", [hosts.games[host] for host in found]),
            numbers("faults", [hosts.faults[host] for host in found]),
            numbers("s a game", seconds, key="game_s", digits=1),
        ),
    )


def running_table(hosts: Sequence[Mapping[str, Any]]) -> Table:
    """Return the table of the hosts of a run in progress.

    Args:
        hosts: The hosts as the run's control socket describes them, see docs/reference/http-api.md.
    """
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
