"""Hosts with networks of their own, one of which is cut off for a while."""

import os
import shutil
import subprocess
from contextlib import suppress

import pytest
from dask_cluster import GO, SECONDS, Cluster, course, run, stored, wait_for, write_event

from gyoji.store.store import Store

IP = shutil.which("ip", path="/usr/sbin:/sbin:/usr/bin")
DELAYED = (GO[0], GO[1], "--delay-us 3000 --seed", GO[3])
IMPATIENT = {
    "DASK_DISTRIBUTED__COMM__TIMEOUTS__TCP": "12s",
    "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "4s",
    "DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "8s",
}


def ip(*words):
    subprocess.run([IP, *words], check=True, capture_output=True)


class Networks:
    """A bridge, and namespaces that have a link to it. Raises CalledProcessError where none can be made."""

    def __init__(self, *names):
        number = os.getpid() % 250
        self.bridge, self.first = f"gyb{number}", f"10.231.{number}"
        self.spaces = {name: f"gyn{number}{name}" for name in names}
        self.links = {name: f"gyl{number}{name}" for name in names}
        try:
            ip("link", "add", self.bridge, "type", "bridge")
            ip("addr", "add", f"{self.first}.1/24", "dev", self.bridge)
            ip("link", "set", self.bridge, "up")
            for place, name in enumerate(names, 2):
                self._make(name, f"{self.first}.{place}/24")
        except BaseException:
            self.end()
            raise

    def _make(self, name, address):
        space, link = self.spaces[name], self.links[name]
        ip("netns", "add", space)
        ip("link", "add", link, "type", "veth", "peer", "name", "eth0", "netns", space)
        ip("link", "set", link, "master", self.bridge, "up")
        ip("-n", space, "addr", "add", address, "dev", "eth0")
        ip("-n", space, "link", "set", "eth0", "up")
        ip("-n", space, "link", "set", "lo", "up")

    def inside(self, name):
        """Words before a command that is to run in there."""
        return (IP, "netns", "exec", self.spaces[name])

    def cut(self, name, state="down"):
        ip("link", "set", self.links[name], state)

    def end(self):
        for space in self.spaces.values():
            with suppress(subprocess.CalledProcessError):
                ip("netns", "del", space)
        with suppress(subprocess.CalledProcessError):
            ip("link", "del", self.bridge)


@pytest.fixture
def networks():
    try:
        networks = Networks("a", "b")
    except (OSError, TypeError, subprocess.CalledProcessError) as error:
        pytest.skip(f"network namespaces need root, and ip of iproute2: {error}")
    yield networks
    networks.end()


def by_host(path):
    """Return how many stored games each host has played."""
    with Store.read(path.with_suffix(".db")) as store:
        hosts = [result.host for result, _ in store.played()]
    return {host: hosts.count(host) for host in hosts}


@pytest.mark.process
@pytest.mark.slow
@pytest.mark.nightly
def test_a_host_that_is_cut_off_loses_no_game_and_plays_again_when_it_is_back(networks, tmp_path):
    alone = write_event(tmp_path / "alone", *DELAYED, count=120)
    many = write_event(tmp_path / "many", *DELAYED, count=120)
    run(alone, "-j", "4")
    cluster = Cluster(tmp_path, host=f"{networks.first}.1", environ=IMPATIENT)
    try:
        cluster.start_scheduler()
        for name in ("a", "b"):
            cluster.start_worker(name, before=networks.inside(name))
        process = cluster.run(many)
        wait_for(lambda: by_host(many).get("b", 0) > 1 if stored(many) else False, "b plays")
        networks.cut("b")
        wait_for(lambda: "host b is gone" in (tmp_path / "run.log").read_text(), "b is missed")
        before = by_host(many)
        wait_for(lambda: by_host(many)["a"] > before["a"] + 2, "a plays on")
        networks.cut("b", "up")
        cluster.processes["b"].wait(SECONDS)  # dask's scheduler has given it up, and says so
        cluster.start_worker("b", before=networks.inside("b"))
        wait_for(lambda: by_host(many)["b"] > before["b"], "b plays again")
        assert process.wait(SECONDS) == 0, (tmp_path / "run.log").read_text()
    finally:
        cluster.end()
    games, hosts = course(many)
    assert games == course(alone)[0]
    assert hosts == {"a", "b"}
