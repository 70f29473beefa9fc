"""Without the extra, nothing of it is imported, and who asks for it is told what to install."""

import subprocess
import sys

import pytest

from gyoji.cluster.dasked import DaskHosts
from gyoji.cluster.pool import ClusterPool
from gyoji.core.faults import ConfigError


def test_what_is_missing_is_told_with_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(
        ConfigError, match=r"--cluster: dask is not installed here: .*pip install 'gyoji\[cluster\]'"
    ):
        ClusterPool(DaskHosts("tcp://127.0.0.1:1"))


@pytest.mark.process
def test_nothing_of_dask_is_imported_for_a_run_on_this_machine():
    words = "import sys, gyoji.cli.running, gyoji.cluster.opening, gyoji.cluster.agent, gyoji.cluster.actor"
    check = "assert not {'dask', 'distributed', 'tornado', 'cryptography'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", f"{words}; {check}"], check=True)


@pytest.mark.slow
def test_a_scheduler_of_dask_that_is_not_there_is_told(monkeypatch):
    monkeypatch.setattr("gyoji.cluster.dasked.CONNECT_SECONDS", 0.5)
    with pytest.raises(ConfigError, match=r"--cluster tcp://127.0.0.1:1: "):
        ClusterPool(DaskHosts("tcp://127.0.0.1:1"))
