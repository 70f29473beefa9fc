"""Engines of root with a user of their own: what they see, what they are to others, when they have none.

If the tests do not run as root, or mounts cannot have mapped owners, the same engines run as our own user.
"""

import gc
import os
import select
import shutil
import tempfile
import weakref
from pathlib import Path

import pytest
from contained_players import PYTHON, output, started
from msgspec import structs

from gyoji.core.spec import Containment, Player
from gyoji.executors.contained import uids
from gyoji.store.filesystem import remove_tree

pytestmark = pytest.mark.process
SHOWS = "import os; print(os.getuid(), os.getgid(), os.getgroups(), flush=True); os.read(0, 1)"


@pytest.fixture
def room():
    """A folder that every user can enter."""
    folder = Path(tempfile.mkdtemp(dir="/var/tmp"))
    folder.chmod(0o755)
    yield folder
    remove_tree(folder)


def place_in(folder, name="gyoji-work-0123456789abcdef/0"):
    """Make the place of an engine as a worker does: open to our user alone."""
    place = folder / name
    for each in ("work", "tmp", "overlay/upper", "overlay/work"):
        (place / each).mkdir(parents=True, exist_ok=True)
    for each in (place, *place.parents[: len(Path(name).parts) - 1]):
        each.chmod(0o700)
    return place


def make_player(code, *words, **settings):
    return Player(code="a", command=(PYTHON, "-c", code, *words), **settings)


def ended(engine):
    engine.close_stdin()
    assert select.select([engine.pidfd], [], [], 20)[0]
    end = engine.reap()
    engine.close()
    return end[0]


def uid_of(pid):
    status = Path(f"/proc/{pid}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("Uid:"))


def test_engines_of_root_are_one_user_each_and_root_to_themselves(executor, room):
    player = make_player(SHOWS)
    engines = [
        started(executor, structs.replace(player, cwd=str(place / "work")), place)
        for place in (place_in(room), place_in(room, "gyoji-work-0123456789abcdef/1"))
    ]
    said = [output(each, lines=1).splitlines() for each in engines]
    seen = [uid_of(each.pid) for each in engines]
    assert said[0] == said[1]
    assert said[0][0].startswith(f"{os.getuid()} {os.getgid()} ")
    if executor.machine.own_uid:
        assert len({*seen}) == 2
        assert all(each >= uids.FIRST for each in seen)
        assert all(each.containment.startswith("guarded, own uid") for each in engines)
    else:
        assert seen == [os.getuid()] * 2
        assert "uid" not in engines[0].containment
    assert [ended(each) for each in engines] == ["exit 0", "exit 0"]


WRITES = """
import os, sys
for path in sys.argv[1:]:
    try:
        with open(path + "/new", "w") as file:
            file.write("x")
        os.mkdir(path + "/folder")
        os.remove(path + "/folder/../new")
        os.rename(path + "/folder", path + "/kept")
        open(path + "/kept/file", "w").close()
        print(os.stat(path).st_uid == os.getuid(), os.stat(path + "/kept/file").st_uid == os.getuid())
    except OSError as error:
        print(error)
open("/dev/stderr", "w").write("heard\\n")
"""


@pytest.mark.parametrize("level", ["guarded", "strict"])
def test_what_it_writes_in_folders_that_are_its_own_is_the_users_on_the_disk(executor, room, level):
    place = place_in(room)
    lasting, writable = room / "lasting", room / "writable"
    for each in (lasting, writable):
        each.mkdir(mode=0o700)
    folders = [str(each) for each in (place / "work", place / "tmp", lasting, writable)]
    containment = Containment(level=level, writable=(str(writable),))
    player = make_player(WRITES, *folders, cwd=folders[0], folder=str(lasting), containment=containment)
    engine = started(executor, player, place)
    said = output(engine, lines=4).splitlines()
    select.select([engine.stderr], [], [], 20)
    assert os.read(engine.stderr, 100) == b"heard\n"
    assert (said, ended(engine)) == (["True True"] * 4, "exit 0")
    for folder in folders:
        (found,) = Path(folder).iterdir()
        assert (found.name, found.stat().st_uid) == ("kept", os.getuid())
        assert (found / "file").stat().st_uid == os.getuid()


HOME = """
import os
os.chdir(os.environ["HOME"])
print(open(".katago/cache").read())
open(".katago/cache", "w").write("new")
open(".katago/more", "w").write("new")
print(open(".katago/cache").read(), sorted(os.listdir(".katago")))
"""


def test_it_has_its_copy_of_a_home_that_is_open_to_root_alone(executor, room):
    home = room / "home"
    (home / ".katago").mkdir(parents=True, mode=0o700)
    (home / ".katago/cache").write_text("old")
    for each in (home, home / ".katago", home / ".katago/cache"):
        each.chmod(0o700)
    place = place_in(room)
    player = make_player(HOME, cwd=str(place / "work"), environ={"HOME": str(home)})
    engine = started(executor, player, place)
    said = output(engine, lines=2).splitlines()
    assert ended(engine) == "exit 0"
    if executor.machine.overlays and executor.machine.read_only:
        assert said == ["old", "new ['cache', 'more']"]
    assert (home / ".katago/cache").read_text() == "old"
    assert os.listdir(home / ".katago") == ["cache"]


def test_where_a_file_that_it_needs_is_roots_alone_it_keeps_the_uid_and_says_so(executor, room):
    closed = room / "closed"
    place = place_in(room)
    closed.mkdir(mode=0o700)
    (closed / "bot.py").write_text(SHOWS)
    player = make_player("", cwd=str(place / "work"))
    player = structs.replace(player, command=(PYTHON, str(closed / "bot.py")))
    for _ in range(2):
        engine = started(executor, player, place)
        assert output(engine, lines=1).splitlines()
        assert uid_of(engine.pid) == os.getuid()
        told = engine.containment
        assert ended(engine) == "exit 0"
        if executor.machine.own_uid:
            assert told.startswith(f"guarded, uid 0 ({closed / 'bot.py'} is open to root alone)")
        else:
            assert "uid 0" not in told


def test_an_engine_that_keeps_the_uid_is_freed_at_once_when_its_game_is_over(executor, room):
    """A worker collects garbage every 100 games: an exception must not keep the frames of a game."""
    closed, place = room / "closed", place_in(room)
    closed.mkdir(mode=0o700)
    (closed / "bot.py").write_text(SHOWS)
    player = structs.replace(
        make_player("", cwd=str(place / "work")), command=(PYTHON, str(closed / "bot.py"))
    )
    gc.disable()
    try:
        engine = started(executor, player, place)
        assert output(engine, lines=1)
        assert ended(engine) == "exit 0"
        freed = weakref.ref(engine)
        del engine
        assert freed() is None
    finally:
        gc.enable()


def test_once_the_file_is_open_to_it_its_next_engine_has_a_uid_of_its_own(executor, room):
    closed, place = room / "closed", place_in(room)
    closed.mkdir(mode=0o700)
    (closed / "bot.py").write_text(SHOWS)
    player = make_player("", cwd=str(place / "work"))
    player = structs.replace(player, command=(PYTHON, str(closed / "bot.py")))
    told = []
    for mode in (0o700, 0o755):
        closed.chmod(mode)
        engine = started(executor, player, place)
        assert output(engine, lines=1).splitlines()
        told.append(engine.containment)
        assert ended(engine) == "exit 0"
    if executor.machine.own_uid:
        assert told[0].startswith("guarded, uid 0 (")
        assert told[1].startswith("guarded, own uid")


def test_where_the_interpreter_of_its_program_is_roots_alone_it_keeps_the_uid(executor, room):
    closed, place = room / "closed", place_in(room)
    closed.mkdir(mode=0o700)
    shutil.copy("/bin/sh", closed)
    script = room / "bot"
    script.write_text(f"#!{closed}/sh\necho started\nread line || true\n")
    script.chmod(0o755)
    player = structs.replace(make_player("", cwd=str(place / "work")), command=(str(script),))
    engine = started(executor, player, place)
    assert output(engine, lines=1).splitlines() == ["started"]
    assert uid_of(engine.pid) == os.getuid()
    assert ended(engine) == "exit 0"


def test_who_works_in_our_own_folder_which_is_roots_alone_keeps_the_uid(executor, room, monkeypatch):
    folder = room / "closed" / "event"
    folder.mkdir(parents=True)
    folder.parent.chmod(0o700)
    monkeypatch.chdir(folder)
    engine = started(executor, make_player(SHOWS, cwd=None), place_in(room))
    assert output(engine, lines=1).splitlines()
    assert uid_of(engine.pid) == os.getuid()
    assert ended(engine) == "exit 0"


def test_users_are_numbered_apart_from_all_that_systems_give():
    numbers = [uids.number(pid, index) for pid in (1, 2, 4_194_304) for index in (0, 1, 255)]
    assert len({*numbers}) == len(numbers)
    assert min(numbers) > 1_000_000_000
    assert max(numbers) < 1 << 32


def test_what_closes_a_file_to_other_users_is_named(room):
    folder = room / "a"
    (folder / "b").mkdir(parents=True)
    file = folder / "b" / "bot"
    file.touch(mode=0o604)
    assert uids.closed_part(str(file)) == ""
    folder.chmod(0o700)
    assert uids.closed_part(str(file)) == str(folder)
    assert uids.is_closed(str(folder), str(file))
    folder.chmod(0o711)
    assert not uids.is_closed(str(folder), str(file))
    file.chmod(0o600)
    assert uids.closed_part(str(file)) == str(file)
    file.unlink()
    assert uids.closed_part(str(file)) == str(file)
