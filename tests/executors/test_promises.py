"""The promises of docs/explanation/security.md about an engine's network, sockets, limits and rights."""

import os
import resource
import socket
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from contained_players import make_player, output, started
from msgspec import structs

from gyoji.core.spec import Budgets, Containment, Player
from gyoji.executors.contained.planning import plan_of
from gyoji.play.workspace import Workspace

pytestmark = pytest.mark.process
LEVELS = pytest.mark.parametrize("level", ["guarded", "strict"])


def said(executor, player, place):
    """Return the lines of an engine."""
    return until_its_end(started(executor, player, place))


def until_its_end(engine):
    text = output(engine)
    engine.reap()
    engine.close()
    return text.splitlines()


CONNECTS = """
import socket, sys
print([name for _, name in socket.if_nameindex()] == ["lo"])
try:
    socket.create_connection(("127.0.0.1", int(sys.argv[1])), 5)
except OSError as error:
    print(error.strerror)
else:
    print("connected")
"""


@LEVELS
@pytest.mark.parametrize(
    ("network", "told"), [(False, ["True", "Connection refused"]), (True, ["connected"])]
)
def test_an_engine_has_nothing_but_loopback_unless_its_player_may_use_the_network(
    executor, place, level, network, told
):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = str(server.getsockname()[1])
        player = make_player(CONNECTS, port, cwd=place / "work", level=level, network=network)
        assert said(executor, player, place)[-len(told) :] == told


TALKS = """
import os, socket
try:
    socket.socket(socket.AF_UNIX).connect(os.environ["HOME"] + "/agent")
except OSError as error:
    print(error.strerror)
else:
    print("connected")
"""


@LEVELS
def test_sockets_in_the_home_of_its_user_are_no_use_to_an_engine(executor, place, level):
    home = place.parent / "home"
    home.mkdir(mode=0o755)
    path = str(home / "agent")
    with socket.socket(socket.AF_UNIX) as listener, socket.socket(socket.AF_UNIX) as ours:
        listener.bind(path)
        os.chmod(path, 0o777)
        listener.listen()
        player = make_player(TALKS, cwd=place / "work", level=level)
        player = structs.replace(player, environ={"HOME": str(home)})
        ours.connect(path)
        told = said(executor, player, place)
    seen = level == "guarded" and executor.machine.overlays and executor.machine.read_only
    assert told == (["Connection refused"] if seen else ["No such file or directory"])


STATUS = """
import os
print(open("/proc/self/status").read())
os.execv("/bin/cat", ["cat", "/proc/self/status"])
"""


@LEVELS
def test_no_engine_and_no_program_that_it_starts_has_a_capability(executor, place, level):
    lines = said(executor, make_player(STATUS, cwd=place / "work", level=level), place)
    fields = [line.split(":\t") for line in lines if line.startswith(("Cap", "NoNewPrivs"))]
    rights = [int(value, 16) for name, value in fields if name not in {"CapBnd", "NoNewPrivs"}]
    assert rights == [0] * 8  # inheritable, permitted, effective and ambient ones, twice
    assert [value for name, value in fields if name == "NoNewPrivs"] == ["1", "1"]


MOST = """
import os, resource
if os.fork():
    os.wait()
print(resource.getrlimit(resource.RLIMIT_NOFILE)[1], resource.getrlimit(resource.RLIMIT_FSIZE)[1], flush=True)
"""


@LEVELS
def test_an_engine_and_its_first_child_may_open_fewer_files_than_gyoji_and_at_strict_small_ones(
    executor, place, level
):
    first, second = said(executor, make_player(MOST, cwd=place / "work", level=level), place)
    assert first == second
    files, size = map(int, first.split())
    _, ours = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert files < ours
    assert size == (1 << 30 if level == "strict" else resource.getrlimit(resource.RLIMIT_FSIZE)[1])


@pytest.mark.parametrize(("level", "processes"), [("guarded", 4097), ("strict", 257)])
def test_a_group_has_room_for_the_cell_and_for_a_little_more_memory_than_the_player_may_use(
    executor, place, level, processes
):
    player = make_player("", cwd=place / "work", level=level)
    assert plan_of(player, str(place), executor.machine)["group"] == {"memory": 0, "processes": processes}
    player = structs.replace(player, budgets=Budgets(memory=64 << 20))
    group = plan_of(player, str(place), executor.machine)["group"]
    assert group["memory"] == (64 << 20) + (2 << 20) + (16 << 20)


LISTS = """
import os
for path in ("/run", os.environ["HOME"] + "/.gnupg", *os.environ["FOLDERS"].split()):
    try:
        print(os.listdir(path))
    except OSError as error:
        print(error.strerror)
"""


def test_where_services_listen_is_out_of_sight_of_a_guarded_engine(executor, place, monkeypatch):
    home = place.parent / "home"
    (home / ".gnupg").mkdir(parents=True)
    (home / ".gnupg/S.gpg-agent").touch()
    monkeypatch.setenv("HOME", str(home))
    with (
        TemporaryDirectory(prefix="tmux-", dir="/tmp") as tmux,
        TemporaryDirectory(prefix="ssh-", dir="/tmp") as ssh,
    ):
        for each in (tmux, ssh):
            Path(each).chmod(0o755)
            Path(each, "agent").touch()
        player = make_player(LISTS, cwd=place / "work")
        player = structs.replace(player, environ={"HOME": str(home), "FOLDERS": f"{tmux} {ssh}"})
        told = said(executor, player, place)
    assert {*told} <= {"[]", "Permission denied", "No such file or directory"}


KEEPS = """
import os
for folder in filter(os.path.isdir, (os.environ["HOME"], "/tmp")):
    print("kept" in os.listdir(folder))
    open(folder + "/kept", "w").close()
"""


@pytest.fixture
def workspace(place, monkeypatch):
    """Folders of a worker below a temporary folder that other users can enter."""
    monkeypatch.setattr("tempfile.tempdir", str(place.parent))
    opened = Workspace()
    yield opened
    opened.close()


def plays(executor, workspace, player):
    """Return the lines of an engine in a game with folders of its own."""
    folders = workspace.make_folders(player)
    engine = executor.start(folders.player, folders.environ, place=folders.place)
    told = until_its_end(engine)
    assert folders.cleanup() == ""
    return told


@LEVELS
def test_its_copies_stay_for_the_next_engine_of_a_player_and_for_nobody_else(
    executor, workspace, place, level
):
    home = place.parent / "home"
    home.mkdir(mode=0o755)
    player = make_player(KEEPS, cwd="", level=level)
    if level == "guarded":
        player = structs.replace(player, environ={"HOME": str(home)})
    first, second = (plays(executor, workspace, player) for _ in range(2))
    other = plays(executor, workspace, structs.replace(player, code="b"))
    assert first == other == ["False"] * len(first)
    assert second == ["True"] * len(first)
    assert os.listdir(home) == []
    workspace.close()
    assert not workspace.root.exists()
    assert not Path("/tmp/kept").exists()


CHANGES = """#!/bin/sh
for each in "$0" "${0%/*}/new"; do
    if echo "# changed" >> "$each"; then echo changed; else echo refused; fi
done 2>/dev/null
"""


@LEVELS
def test_an_engine_does_not_change_the_package_that_its_program_was_unpacked_from(
    executor, workspace, place, level
):
    package = place.parent / "brain.zip"
    with zipfile.ZipFile(package, "w") as written:
        written.writestr("pbrain-changes", CHANGES)
    player = Player(code="a", command=(str(package),), cwd="", protocol="gomocup")
    player = structs.replace(player, containment=Containment(level=level))
    assert plays(executor, workspace, player) == ["refused", "refused"]
