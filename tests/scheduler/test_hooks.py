"""The commands that a run calls: what they are told, and that none of them keeps the run from its end."""

import json
import os
import select
import signal
from contextlib import suppress

import pytest
from fakes import Games, InstantPool, make_record, make_setup, make_spec

from gyoji.core.faults import ConfigError
from gyoji.play.loop import Loop
from gyoji.scheduler import hooks
from gyoji.scheduler.events import Listener
from gyoji.scheduler.hooks import GameHook, Hook, check_commands
from gyoji.scheduler.reload import Fresh
from gyoji.scheduler.run import run
from gyoji.store.files import CompetitionFiles
from gyoji.store.store import Store

pytestmark = pytest.mark.process


class Calls:
    """A hook that calls a script of the shell, and what it says of it."""

    def __init__(self, folder, script):
        self.folder, self.log, self.warnings = folder, [], []
        self.loop = Loop()
        note = self.log.append
        self.hook = Hook(
            "on_game", str(folder), self.loop, log=lambda *lines: note(lines), warn=self.warnings.append
        )
        self.games = GameHook(make_setup(on_game=("/bin/sh", "-c", script)), self.hook)

    def tell(self, number):
        self.games.finished(make_record(make_spec(number)).result)

    def lines(self):
        return [line for lines in self.log for line in lines]


@pytest.fixture
def calls(tmp_path):
    made = []

    def make(script):
        made.append(Calls(tmp_path, script))
        return made[-1]

    yield make
    for each in made:
        each.loop.close()


def test_a_command_is_told_a_game_on_a_line_and_those_that_end_meanwhile_together(calls, tmp_path):
    told = calls("cat >> told; echo >> told")
    for number in range(3):
        told.tell(number)
    told.games.finish()
    first, second, *rest = (tmp_path / "told").read_text().split("\n\n")
    assert [json.loads(line)["id"] for line in first.splitlines()] == ["g0"]
    assert [json.loads(line)["id"] for line in second.splitlines()] == ["g1", "g2"]
    assert rest == [""]
    game = json.loads(first)
    assert (game["event"], game["competition"], game["winner"]) == ("game", "event", "a")
    assert (game["points"], game["ending"], game["result"]) == ([1, 0], "resignation", "a beat b B+R")
    assert (told.lines(), told.warnings) == ([], [])


def test_a_command_without_end_is_killed_with_all_that_it_has_started(calls, monkeypatch, tmp_path):
    monkeypatch.setattr(hooks, "SECONDS", 0.3)
    told = calls("sleep 600 & echo $! > child; cat; wait")
    told.tell(0)
    told.games.finish()
    child = int((tmp_path / "child").read_text())
    with suppress(ProcessLookupError):
        assert select.select([os.pidfd_open(child)], [], [], 30)[0]
    assert told.warnings == ["on_game: killed: not done after 0.3s; the event log has what it printed"]


def test_what_a_command_starts_may_go_on_though_it_holds_the_output(calls):
    told = calls("sleep 60 & echo $!")
    told.tell(0)
    told.games.finish()
    (line,) = told.lines()
    os.kill(int(line.removeprefix("on_game: ")), signal.SIGKILL)  # which it would fail to if it had ended


def test_a_command_that_fails_is_told_of_once_and_logged_each_time(calls):
    told = calls("echo no disk >&2; exit 3")
    for number in range(3):
        told.tell(number)
        told.games.finish()
    assert told.lines() == 3 * ["on_game: no disk", "on_game: exit status 3"]
    assert told.warnings == ["on_game: exit status 3; the event log has what it printed"]


def test_a_flood_of_words_is_read_and_cut_off(calls):
    told = calls("head -c 3000000 /dev/zero | tr '\\0' x; echo")
    told.tell(0)
    told.games.finish()
    assert sum(map(len, told.lines())) <= hooks.MOST_SAID + 100
    assert told.warnings == []


def test_a_command_need_not_read_what_it_is_told(calls):
    told = calls("exit 0")
    for number in range(3000):
        told.tell(number)
    told.games.finish()
    assert told.warnings == []


def test_a_signal_to_end_ends_the_wait(calls):
    told = calls("sleep 600")
    told.tell(0)
    told.loop.call_later(0, lambda: os.kill(os.getpid(), signal.SIGTERM))
    before = signal.getsignal(signal.SIGTERM)
    told.games.finish()
    assert told.warnings == ["on_game: killed: the run was to end; the event log has what it printed"]
    assert signal.getsignal(signal.SIGTERM) is before


def test_a_run_that_fails_kills_it_and_tells_it_nothing_more(calls):
    told = calls("sleep 600")
    told.tell(0)
    told.tell(1)
    told.games.close()
    assert not told.hook.is_busy
    assert told.warnings == ["on_game: killed: the run has failed; the event log has what it printed"]


def test_a_control_file_that_is_read_again_may_name_another_command_or_none(calls, tmp_path):
    told = calls("echo first >> told")
    told.tell(0)
    told.games.finish()
    another = make_setup(on_game=("/bin/sh", "-c", "echo second >> told"))
    told.games.reloaded(Fresh(another, None), None, remaining=0)
    told.tell(1)
    told.games.finish()
    told.games.reloaded(Fresh(make_setup(), None), None, remaining=0)
    told.tell(2)
    told.games.finish()
    assert (tmp_path / "told").read_text() == "first\nsecond\n"


def test_a_program_that_has_gone_costs_a_warning(calls):
    told = calls("")
    told.games.reloaded(Fresh(make_setup(on_game=("/nowhere/x",)), None), None, remaining=0)
    told.tell(0)
    told.games.finish()
    assert len(told.warnings) == 1
    assert told.warnings[0].startswith("on_game: /nowhere/x cannot be started: No such file")


def test_a_program_that_is_not_there_is_noticed_before_the_first_game():
    with pytest.raises(ConfigError, match=r"event: on_end: no program '\./tell' can be started; name"):
        check_commands(make_setup(on_end=("./tell",)))


def test_a_run_waits_for_the_last_games_to_be_told(tmp_path):
    class Slow(Listener):
        warnings = []  # noqa: RUF012

        def warning(self, text):
            self.warnings.append(text)

    files = CompetitionFiles(tmp_path / "event.toml")
    setup = make_setup(on_game=("/bin/sh", "-c", "sleep 0.05; cat >> told"))
    with Store.open(files.database, create=True, competition="event") as store, InstantPool() as pool:
        run(setup, Games(20), store, files, pool, listener=Slow())
    told = [json.loads(line)["id"] for line in (tmp_path / "told").read_text().splitlines()]
    assert (told, Slow.warnings) == ([f"g{number}" for number in range(20)], [])
