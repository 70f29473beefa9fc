"""`--hosts`: a cluster over ssh to real servers of ssh, which is there while the run is, and no longer."""

import os
import shutil
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from dask_cluster import GO, SECONDS, course, gyoji, run, stored, wait_for, write_event

from gyoji.cluster.keys import make_keys
from gyoji.cluster.ssh_cluster import SshHost, read_hosts
from gyoji.core.faults import ConfigError


def test_hosts_are_read_as_ssh_reads_them():
    assert read_hosts("lab1, me@lab2,lab3.example.org:2222,[fe80::1]:22") == [
        SshHost("lab1"),
        SshHost("lab2", "me"),
        SshHost("lab3.example.org", None, 2222),
        SshHost("fe80::1", None, 22),
    ]
    assert SshHost("lab2", "me", 22).options == {"username": "me", "port": 22}
    assert SshHost("lab2").options == {}


@pytest.mark.parametrize("text", ["", "a,,b", "-oProxyCommand=x", "a b", "a:x", "a'b", "$(x)", "a,me@a"])
def test_what_is_no_host_is_told(text):
    with pytest.raises(ConfigError, match="--hosts: "):
        read_hosts(text)


def wrapped(*words):
    """Return a process that runs a command until its input ends."""
    command = [sys.executable, "-P", "-m", "gyoji.cluster.attached", *words]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


@pytest.mark.process
def test_a_command_ends_with_our_input_and_before_it_by_itself():
    with wrapped("sh", "-c", "echo $$; exec sleep 1000") as process:
        pid = int(process.stdout.readline())
        process.stdin.close()
        assert process.wait(SECONDS) != 0
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
    with wrapped("sh", "-c", "exit 3") as process:
        assert process.wait(SECONDS) == 3


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
        """Return the processes that were started over ssh, by their environment."""
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
def servers(tmp_path, monkeypatch):
    servers = Servers(tmp_path / "home")
    monkeypatch.setenv("HOME", str(servers.home))
    yield servers
    servers.end()


@pytest.mark.process
@pytest.mark.slow
def test_hosts_over_ssh_play_and_nothing_is_left_there(servers, tmp_path):
    make_keys(tmp_path / "keys")
    keys = ("--keys", tmp_path / "keys")
    alone = write_event(tmp_path / "alone", *GO, count=12)
    many = write_event(tmp_path / "many", *GO, count=12)
    run(alone)
    output = run(many, "--hosts", "lab1,lab2,gone", *keys)
    games, hosts = course(many)
    assert games == course(alone)[0]
    assert hosts <= {"lab1", "lab2"}
    assert "gyoji: host gone: " in output
    wait_for(lambda: not servers.processes(), "nothing is left of the run that is over")

    killed = write_event(tmp_path / "killed", *GO, count=10000)
    process = gyoji("run", killed, "--hosts", "lab1,lab2", *keys, log=tmp_path / "log")
    wait_for(lambda: stored(killed), "a game is played")
    process.kill()
    process.wait()
    wait_for(lambda: not servers.processes(), "nothing is left of the run that was killed")


@pytest.mark.process
@pytest.mark.slow
def test_a_first_host_that_is_not_there_is_told(servers, tmp_path):
    make_keys(tmp_path / "keys")
    event = write_event(tmp_path / "event", *GO, count=1)
    with gyoji("run", event, "--hosts", "gone,lab1", "--keys", tmp_path / "keys") as process:
        output, _ = process.communicate(timeout=SECONDS)
    assert process.returncode == 2
    assert "--hosts: host gone: " in output
