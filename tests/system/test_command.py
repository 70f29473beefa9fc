"""The command as a script sees it: exit statuses, bad input, stopping, what is left behind."""

import json
import os
import pty
import shutil
import signal
import sqlite3
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from bench.misbehaving import engine

from processes import marked, of_kind

pytestmark = pytest.mark.process

CONTROL = """\
competition = "playoff"
board_size = 9
komi = 7.5

[players.one]
command = "{engine} --seed 1 {options}"

[players.two]
command = "{engine} --seed 2 {options}"

[[matchups]]
player_1 = "one"
player_2 = "two"
alternating = true
number_of_games = {games}
"""

UNTOLD = "gyoji: players one, two: cannot be told the rules; each goes by its own settings\n"
"""The instant engine has no command for rules."""


@pytest.fixture
def event(gyoji, instant):
    def write(games=6, options="--moves 20"):
        (gyoji.folder / "event.toml").write_text(CONTROL.format(engine=instant, games=games, options=options))

    write()
    return write


def stored(gyoji):
    with sqlite3.connect(gyoji.folder / "event.db") as connection:
        return [row[0] for row in connection.execute("SELECT id FROM games ORDER BY id")]


def wait_until(condition, patience=60.0):
    end = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)


def test_a_whole_playoff_leaves_its_files_and_status_0(gyoji, event):
    status, out, err = gyoji("run", "event.toml", "-j", "2", "--transcripts")
    assert (status, err) == (0, UNTOLD)
    assert "one v two (6/6 games)" in out
    assert stored(gyoji) == [f"0_{n}" for n in range(6)]
    for name in ("event.log", "event.hist", "event.report"):
        assert (gyoji.folder / name).stat().st_size > 0
    assert len(list((gyoji.folder / "event.games").glob("*.sgf"))) == 6
    transcript = (gyoji.folder / "event.gtplogs" / "0_0.log").read_text()
    assert ">> one: genmove b" in transcript
    assert "<< two: = " in transcript
    assert gyoji.left() == {}


def test_max_games_is_kept_to_and_the_rest_is_played_next_time(gyoji, event):
    assert gyoji("run", "event.toml", "-q", "-j", "2", "-g", "4")[0] == 0
    assert len(stored(gyoji)) == 4
    assert gyoji("run", "event.toml", "-q", "-j", "2")[0] == 0
    assert len(stored(gyoji)) == 6


def test_show_as_json_says_what_the_report_says(gyoji, event):
    gyoji("run", "event.toml", "-q")
    status, out, _ = gyoji("show", "event.toml", "--json")
    assert status == 0
    assert json.loads(out)["matchups"][0]["played"] == 6
    assert gyoji("report", "event.toml")[0] == 0
    assert "one v two (6/6 games)" in (gyoji.folder / "event.report").read_text()


def test_a_second_run_and_a_reset_are_refused_while_one_runs_and_stop_ends_it(gyoji, event):
    event(games=50, options="--moves 40 --delay-us 20000")
    run = gyoji.start("run", "event.toml", "-q")
    wait_until(lambda: of_kind(gyoji.token, "gtp_instant --seed"))
    wait_until((gyoji.folder / "event.sock").exists)
    for words in (("run", "event.toml", "-q"), ("reset", "event.toml")):
        status, _, err = gyoji(*words)
        assert status == 2, err
        assert "running" in err
    assert gyoji("stop", "event.toml")[0] == 0
    run.communicate(timeout=60)
    assert run.returncode == 3
    assert gyoji.left() == {}
    assert gyoji("reset", "event.toml")[0] == 0
    assert [path.name for path in gyoji.folder.iterdir()] == ["event.toml"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_ends_at_once_while_engines_think_and_goes_on_later(gyoji, event, number):
    event(games=4, options="--moves 20 --fail-at 3 hang")
    run = gyoji.start("run", "event.toml", "-q", "-j", "2")
    wait_until(lambda: len(of_kind(gyoji.token, "gtp_instant --seed")) == 4)
    run.send_signal(number)
    run.communicate(timeout=60)  # the engines would think for ever
    assert run.returncode == 3
    assert gyoji.left() == {}
    event(games=4)
    assert gyoji("run", "event.toml", "-q")[0] == 0
    assert len(stored(gyoji)) == 4


def test_ctrl_x_is_acknowledged_at_once_and_twice_ends_games_that_hang(gyoji, event):
    event(games=4, options="--moves 20 --fail-at 3 hang")
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(gyoji.folder)
        words = [shutil.which("env"), *gyoji.command("run", "event.toml", "-j", "2")]
        os.execve(words[0], words, gyoji.environ | {"TERM": "xterm", "COLUMNS": "100", "LINES": "40"})
    seen = bytearray()

    def shows(text):
        seen.extend(os.read(terminal, 65536))
        return text in bytes(seen)

    wait_until(lambda: shows(b"Ctrl-X"))
    wait_until(lambda: shows(b"") and len(of_kind(gyoji.token, "gtp_instant --seed")) == 4)
    os.write(terminal, b"\x18")
    wait_until(lambda: shows(b"waiting for 2 games to finish"))
    os.write(terminal, b"\x18")
    with suppress(OSError):  # that is how a terminal ends whose last process has gone
        while os.read(terminal, 65536):
            pass
    _, status = os.waitpid(pid, 0)
    os.close(terminal)
    assert os.waitstatus_to_exitcode(status) == 3
    assert gyoji.left() == {}


def test_a_player_that_is_not_there_fails_the_check_and_nothing_is_played(gyoji, event):
    control = gyoji.folder / "event.toml"
    control.write_text(
        control.read_text()
        .replace("--seed 2", "")
        .replace('[players.two]\ncommand = "', '[players.two]\ncommand = "./no-such-')
    )
    for words in (("run", "event.toml"), ("check", "event.toml")):
        status, out, err = gyoji(*words)
        assert status == 1
        assert "two" in out + err
        assert "no program" in out + err
    assert stored(gyoji) == []


BAD_FILES = {
    "not TOML": ("competition = = 1", "event.toml:1"),
    "an unknown key": ('competition = "playoff"\nkommi = 5', "did you mean komi"),
    "no competition": ("board_size = 9", "competition"),
    "no such competition": ('competition = "playof"', "playoff"),
    "empty": ("", "competition"),
}


@pytest.mark.parametrize("case", BAD_FILES)
def test_a_broken_control_file_is_one_clear_message_and_status_2(gyoji, case):
    text, words = BAD_FILES[case]
    (gyoji.folder / "event.toml").write_text(text)
    status, out, err = gyoji("run", "event.toml")
    assert status == 2
    assert out == ""
    assert "event.toml" in err
    assert words in err
    assert "Traceback" not in err


def test_a_missing_control_file_is_status_2(gyoji):
    status, _, err = gyoji("run", "nowhere.toml")
    assert status == 2
    assert "nowhere.toml" in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize(
    "content", [b"this is no database at all, but long enough to be looked at", b"\0" * 8192]
)
def test_a_foreign_or_damaged_database_is_one_clear_message_and_is_left_alone(gyoji, event, content):
    (gyoji.folder / "event.db").write_bytes(content)
    for command in ("run", "show", "report"):
        status, _, err = gyoji(command, "event.toml")
        assert status == 2, command
        assert "event.db" in err
        assert len(err.strip().splitlines()) == 1
    assert (gyoji.folder / "event.db").read_bytes() == content


def test_a_database_with_a_hole_in_it_is_not_taken_for_an_empty_one(gyoji, event):
    gyoji("run", "event.toml", "-q")
    database = gyoji.folder / "event.db"
    data = bytearray(database.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    database.write_bytes(data)
    status, _, err = gyoji("run", "event.toml", "-q")
    assert status == 2
    assert "event.db" in err
    assert "Traceback" not in err


def test_no_finished_game_is_lost_when_its_record_cannot_be_written(gyoji, event):
    (gyoji.folder / "event.games" / "0_3.sgf").mkdir(parents=True)
    status, _, err = gyoji("run", "event.toml", "-q")
    assert status == 0, err
    assert len(stored(gyoji)) == 6
    assert "0_3.sgf" in (gyoji.folder / "event.log").read_text()


def test_a_folder_that_cannot_be_made_is_said_before_anything_is_played(gyoji, event):
    (gyoji.folder / "event.games").write_text("a file where the folder should be")
    status, _, err = gyoji("run", "event.toml", "-q")
    assert status == 2
    assert "event.games" in err
    assert len(err.removeprefix(UNTOLD).strip().splitlines()) == 1


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
def test_a_full_disk_stops_the_run_with_a_message(gyoji, event):
    os.symlink("/dev/full", gyoji.folder / "event.log")
    status, _, err = gyoji("run", "event.toml", "-q")
    assert status in (0, 2)
    assert "event.log" in err
    assert "Traceback" not in err


def test_a_match_needs_no_control_file(gyoji, instant):
    engines = [f"{instant} --seed {seed} --moves 20 --name engine{seed}" for seed in (1, 2)]
    status, out, err = gyoji("match", *engines, "--games", "2", "--size", "9", "--komi", "7.5")
    assert status == 0, err
    assert "2/2 games" in out
    assert list(Path(gyoji.folder).iterdir()) == []
    assert marked(gyoji.token) == {}


def test_a_match_can_be_played_where_temporary_files_are(gyoji, instant):
    gyoji.environ["TMPDIR"] = str(gyoji.folder)
    status, out, err = gyoji("match", str(instant), str(instant), "--games", "2", "--size", "9")
    assert status == 0, err
    assert "2/2 games" in out


def test_a_daemon_that_an_engine_leaves_is_ended_with_its_game(gyoji):
    program = f"{sys.executable} -I -S {engine.__file__}"
    control = CONTROL.format(engine="ENGINE", games=2, options="").replace("ENGINE --seed 2", program)
    control = control.replace("ENGINE --seed 1", f"{program} --do daemon --at 6")
    (gyoji.folder / "event.toml").write_text(control)
    status, _, err = gyoji("run", "event.toml", "-q", "-j", "2")
    assert status == 0, err
    assert len(stored(gyoji)) == 2
    assert gyoji.left() == {}
