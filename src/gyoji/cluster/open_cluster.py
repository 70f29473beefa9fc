"""The pool of `gyoji run --cluster` and `--hosts`, and the conditions that players must meet for these
options.
"""

import json
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

from gyoji.cluster.cluster_pool import ClusterPool
from gyoji.cluster.dask_hosts import DaskHosts
from gyoji.cluster.keys import Keys, keys_beside
from gyoji.cluster.ssh_cluster import read_hosts
from gyoji.core.faults import ConfigError
from gyoji.core.spec import Player
from gyoji.core.text import quote
from gyoji.scheduler.event import Event
from gyoji.scheduler.pool import Pool
from gyoji.scheduler.run import OpenPool, RunOptions
from gyoji.store.connections import read_secret


def on_cluster(address: str | None, *, hosts: str | None = None, keys: Path | None = None) -> OpenPool:
    """Return a function that opens the pool of a run on several hosts.

    The returned function raises ConfigError if the keys do not go with the address, or if engines of players
    could reach the ports of dask (`check_players`).

    Args:
        address: Address of dask's scheduler, or path of its scheduler file; None with `hosts`.
        hosts: Hosts, separated by commas, on which dask is started by ssh; None with `address`.
        keys: Folder of the cluster's TLS keys; None for connections without TLS.

    Raises:
        ConfigError: `address` and `hosts` are both given or both None, or the text of a host is wrong.
    """
    if address is None and hosts is None:
        raise ConfigError("--keys: goes with --cluster tls://ADDRESS or --hosts, which is missing")
    if address is not None and hosts is not None:
        raise ConfigError("--hosts: starts a cluster of its own; leave out --cluster, or --hosts")
    by_ssh = read_hosts(hosts) if hosts is not None else None

    def open_pool(event: Event, options: RunOptions) -> Pool:
        own = None if keys is None else Keys(keys.absolute(), "run")
        if own is not None:
            own.check()
        where = by_ssh or _checked(address_of(address or ""), own)
        check_players(event.setup.players.values(), is_closed=own is not None)
        cores = event.setup.cores
        words = ["--cores", str(cores)] if cores else []
        words += [] if event.setup.skip_player_checks else ["--try"]
        words += ["--event", event_key(read_secret(event.files.database))]
        if own is not None:  # a host may be this machine
            words += [word for path in keys_beside(own.key) for word in ("--hide", path)]
        connection = DaskHosts(where, keys=own, words=tuple(words))
        return ClusterPool(
            connection,
            most=options.parallel,
            folder=event.files.folder,
            keeps_pairs=event.setup.pairs_on_one_host,
        )

    return open_pool


def _checked(address: str, keys: Keys | None) -> str:
    if (keys is not None) != address.startswith("tls://"):
        raise ConfigError(
            f"--cluster {address}: keys go with tls://: give both --cluster tls://... and --keys FOLDER, "
            "or neither (docs/how-to/cluster.md)"
        )
    return address


def event_key(secret: int) -> str:
    """Return the name of the folder in which hosts keep the reports of a competition; "" without a secret.

    It is derived from the secret of the competition, and does not reveal it.
    """
    return sha256(f"reports of {secret}".encode()).hexdigest()[:32] if secret else ""


def address_of(text: str) -> str:
    """Return the address of dask's scheduler.

    Args:
        text: The address, or the path of the file that ``dask scheduler --scheduler-file`` writes.

    Raises:
        ConfigError: There is no such file, or it has no address.
    """
    if "://" in text:
        return text
    path = Path(text)
    if not path.exists():
        raise ConfigError(
            f"--cluster {quote(text)}: expected an address such as tls://lab1:8786, or the file that "
            "`dask scheduler --scheduler-file` writes; there is no such file"
        )
    try:
        address = json.loads(path.read_text())["address"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ConfigError(f"--cluster {path}: this is no scheduler file of dask: {error}") from None
    return str(address)


def check_players(players: Iterable[Player], *, is_closed: bool) -> None:
    """Raise ConfigError for a player whose engines could reach the ports of dask.

    Any program that connects to such a port can run commands on all hosts.

    Args:
        players: The players.
        is_closed: Whether connections need a key, which engines do not have.
    """
    for player in players:
        contained = player.containment
        if player.is_elsewhere or (contained.level != "off" and (is_closed or not contained.network)):
            continue
        setting, remedy = 'sandbox: "off"', "contain it"
        if contained.level != "off":
            setting, remedy = "network: true", "use keys (--keys), or leave network out"
        raise ConfigError(
            f"players.{player.code}: {setting} does not go with --cluster or --hosts: its engines could run "
            f"anything on all hosts through the ports of dask; {remedy} (docs/how-to/cluster.md)"
        )
