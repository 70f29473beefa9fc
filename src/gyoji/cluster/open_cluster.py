"""The pool of `gyoji run --hosts`: names of hosts, the commands that reach them, and demands on players."""

import re
import shlex
import shutil
from collections.abc import Iterable
from hashlib import sha256

from gyoji.cluster.agent_processes import AGENT, ProcessHosts
from gyoji.cluster.cluster_pool import ClusterPool
from gyoji.core.faults import ConfigError
from gyoji.core.spec import Player
from gyoji.core.text import quote
from gyoji.scheduler.event import Event
from gyoji.scheduler.pool import Pool
from gyoji.scheduler.run import OpenPool, RunOptions
from gyoji.store.connections import read_secret

SSH = "ssh -o BatchMode=yes ssh://{host}"
"""The command that runs the words after it on a host."""

_HOST = re.compile(r"(?:[\w.-]+@)?([\w.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?", re.ASCII)


def on_hosts(hosts: str, connect: str | None = None) -> OpenPool:
    """Return a function that opens the pool of a run on several hosts.

    Args:
        hosts: Hosts with commas between them, each as [USER@]HOST[:PORT].
        connect: Command that runs the words after it on the host "{host}"; None means `SSH`.

    Raises:
        ConfigError: A host is malformed, or the command cannot be used.
    """
    by_name, words = read_hosts(hosts), _words(connect or SSH)

    def open_pool(event: Event, options: RunOptions) -> Pool:
        setup = event.setup
        check_players(setup.players.values())
        agent = [*AGENT, "--cores", str(setup.cores), "--event", _event_key(event)]
        if not setup.skip_player_checks:
            agent.append("--try")
        commands = {
            name: [*(word.replace("{host}", host) for word in words), *agent]
            for name, host in by_name.items()
        }
        return ClusterPool(
            ProcessHosts(commands),
            most=options.parallel,
            folder=event.files.folder,
            keeps_pairs=setup.pairs_on_one_host,
        )

    return open_pool


def read_hosts(text: str) -> dict[str, str]:
    """Return hosts as they were written, by name: without user and port. Raises ConfigError."""
    hosts: dict[str, str] = {}
    for host in map(str.strip, text.split(",")):
        if (found := _HOST.fullmatch(host)) is None or host.startswith("-"):
            raise ConfigError(f"--hosts: expected hosts such as lab1,me@lab2,lab3:2222, got {quote(host)}")
        if (name := found[1].strip("[]")) in hosts:
            raise ConfigError(f"--hosts: {name} is there twice")
        hosts[name] = host
    return hosts


def _words(connect: str) -> list[str]:
    try:
        words = shlex.split(connect)
    except ValueError as error:
        raise ConfigError(f"--connect: {quote(connect)}: {error}") from None
    if not any("{host}" in word for word in words):
        raise ConfigError(f"--connect: expected a command with {{host}} in it, such as {SSH!r}")
    if shutil.which(words[0]) is None:
        raise ConfigError(f"--connect: there is no program {quote(words[0])}")
    return words


def _event_key(event: Event) -> str:
    """Return the name under which hosts keep reports of a competition. It does not reveal the secret."""
    return sha256(f"reports of {read_secret(event.files.database)}".encode()).hexdigest()[:32]


def check_players(players: Iterable[Player]) -> None:
    """Raise ConfigError for a player that is not contained: its engines could do anything on every host."""
    for player in players:
        if player.containment.level == "off" and not player.is_person:
            raise ConfigError(
                f'players.{player.code}: sandbox: "off" does not go with --hosts: its engines could do '
                "anything on every host; contain it (docs/how-to/cluster.md)"
            )
