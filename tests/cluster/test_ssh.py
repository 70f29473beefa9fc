"""`--hosts` over ssh, to a real server of ssh; hosts that cannot be used are refused."""

import os
import shutil
import signal
import socket
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest
from hosts import GO, course, gyoji, run, stored, wait_for, write_event

from gyoji.cluster.open_cluster import check_players, read_hosts
from gyoji.core.faults import ConfigError
from gyoji.core.spec import Containment, Player


def test_hosts_are_read_as_ssh_reads_them():
    assert read_hosts("lab1, me@lab2,lab3.example.org:2222,[fe80::1]:22") == {
        "lab1": "lab1",
        "lab2": "me@lab2",
        "lab3.example.org": "lab3.example.org:2222",
        "fe80::1": "[fe80::1]:22",
    }


@pytest.mark.parametrize(
    "text", ["", "a,,b", "-oProxyCommand=x", "-x", "a b", "a:x", "a'b", "$(x)", "a,me@a"]
)
def test_what_is_no_host_is_told(text):
    with pytest.raises(ConfigError, match="--hosts: "):
        read_hosts(text)


def player(level, *, network=False, **changes):
    contained = Containment(level=level, network=network)
    return Player(code="a", command=("/x",), containment=contained, **changes)


def test_engines_that_are_not_contained_play_on_no_host():
    check_players([player("strict"), player("guarded", network=True), player("off", executor="person")])
    with pytest.raises(ConfigError, match=r'players\.a: sandbox: "off" does not go with --hosts'):
        check_players([player("strict"), player("off")])


CONFIG = """\
Port {port}
ListenAddress 127.0.0.1
HostKey {folder}/host
PidFile none
AuthorizedKeysFile {folder}/own.pub
StrictModes no
UsePAM no
PasswordAuthentication no
SetEnv XDG_CACHE_HOME={folder}/cache
"""
CLIENT = """\
Host gone
    Port 1
Host *
    HostName 127.0.0.1
    ConnectTimeout 20
    Port {port}
    IdentityFile {folder}/own
    UserKnownHostsFile {folder}/.ssh/known_hosts
"""


class Servers:
    """A server of ssh, which hosts of any name are; home: the folder of a user who may log in."""

    def __init__(self, folder):
        self.home = folder
        (folder / ".ssh").mkdir(mode=0o700, parents=True)
        for name in ("host", "own"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / name], check=True)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        (folder / "sshd_config").write_text(CONFIG.format(port=port, folder=folder))
        (folder / ".ssh" / "config").write_text(CLIENT.format(port=port, folder=folder))
        key = " ".join((folder / "host.pub").read_text().split()[:2])
        (folder / ".ssh" / "known_hosts").write_text(f"[127.0.0.1]:{port} {key}\n")
        if os.geteuid() == 0:
            Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)
        words = [shutil.which("sshd", path="/usr/sbin:/usr/bin"), "-D", "-e", "-f", folder / "sshd_config"]
        with (folder / "sshd.log").open("w") as log:
            self.process = subprocess.Popen(
                words, stdin=subprocess.DEVNULL, stderr=log, start_new_session=True
            )
        wait_for(lambda: "listening" in (folder / "sshd.log").read_text(), "the server of ssh listens")

    def processes(self):
        """The processes that were started over ssh, by their environment."""
        own, found = os.fsencode(f"XDG_CACHE_HOME={self.home}/cache"), []
        for place in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if own in (place / "environ").read_bytes() and b"gyoji" in (place / "cmdline").read_bytes():
                    found.append(int(place.name))
        return found

    def end(self):
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


@pytest.fixture
def servers(tmp_path):
    servers = Servers(tmp_path / "home")
    yield servers
    servers.end()


@pytest.mark.process
@pytest.mark.slow
@pytest.mark.timeout(600)
def test_hosts_over_ssh_play_and_nothing_is_left_there(servers, tmp_path):
    connect = ("--connect", f"ssh -F {servers.home}/.ssh/config -o BatchMode=yes ssh://{{host}}")
    alone = write_event(tmp_path / "alone", *GO, count=12)
    many = write_event(tmp_path / "many", *GO, count=12)
    run(alone)
    output = run(many, "--hosts", "lab1,lab2,gone", *connect)
    games, hosts = course(many)
    assert games == course(alone)[0]
    assert hosts <= {"lab1", "lab2"}
    assert "gyoji: host gone: ssh: connect to host" in output
    assert "tried again every 10s" in output
    wait_for(lambda: not servers.processes(), "nothing is left of the run that is over")

    killed = write_event(tmp_path / "killed", *GO, count=10000)
    process = gyoji("run", killed, "--hosts", "lab1,lab2", *connect, log=tmp_path / "log")
    wait_for(lambda: stored(killed), "a game is played")
    process.kill()
    process.wait()
    wait_for(lambda: not servers.processes(), "nothing is left of the run that was killed")
