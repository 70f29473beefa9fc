"""Without the extra, nothing of it is imported, and who asks for it is told what to install."""

import asyncio
import subprocess
import sys
from types import SimpleNamespace

import pytest

from gyoji.cluster.cluster_pool import ClusterPool
from gyoji.cluster.dask_hosts import DaskHosts
from gyoji.core.faults import ConfigError


def test_what_is_missing_is_told_with_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(
        ConfigError, match=r"--cluster: dask is not installed here: .*pip install 'gyoji\[cluster\]'"
    ):
        ClusterPool(DaskHosts("tcp://127.0.0.1:1"))


@pytest.mark.process
def test_nothing_of_dask_is_imported_for_a_run_on_this_machine():
    words = (
        "import sys, gyoji.cli.running, gyoji.cluster.open_cluster, gyoji.cluster.agent, gyoji.cluster.actor"
    )
    check = "assert not {'dask', 'distributed', 'tornado', 'cryptography'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", f"{words}; {check}"], check=True)


@pytest.mark.slow
def test_a_scheduler_of_dask_that_is_not_there_is_told(monkeypatch):
    monkeypatch.setattr("gyoji.cluster.dask_hosts.CONNECT_SECONDS", 0.5)
    with pytest.raises(ConfigError, match=r"--cluster tcp://127.0.0.1:1: "):
        ClusterPool(DaskHosts("tcp://127.0.0.1:1"))


class Nowhere:
    """A client of dask with one worker, on which nothing can be started."""

    def __init__(self):
        self.scheduler, self.submitted = self, 0

    async def identity(self, n_workers):
        assert n_workers == -1
        return {"workers": {"tcp://127.0.0.1:9": {"name": "w", "nthreads": 1}}}

    async def submit(self, *_, **__):
        self.submitted += 1
        raise RuntimeError("Error during deserialization of the task graph") from ImportError("no gyoji")


def test_a_worker_on_which_nothing_can_be_started_is_told_why_and_left_alone_for_a_while(monkeypatch):
    hosts, client = DaskHosts("tcp://127.0.0.1:1"), Nowhere()
    heard = []
    monkeypatch.setattr(hosts, "_hear", heard.append)

    async def look():
        hosts._asyncio, hosts._wake = asyncio.get_running_loop(), asyncio.Event()
        hosts._listener = SimpleNamespace(joined=lambda *_: None, left=lambda *_: None)
        for _ in range(10):
            await hosts._look(client)
            await asyncio.sleep(0)
            await asyncio.sleep(0)

    asyncio.run(look())
    assert client.submitted == 2
    assert heard[1].args == ("w", "no gyoji: gyoji has to be where dask's scheduler is, and on each host")
    hosts._close_bell()
