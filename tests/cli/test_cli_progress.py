"""What a check that takes long says meanwhile, on a terminal and elsewhere; programs that do not answer."""

import re
import sys

import pytest
from click.testing import CliRunner

from gyoji.cli.app import app
from gyoji.cli.progress import Progress
from gyoji.core.spec import Player
from gyoji.scheduler.status import ExitStatus

SECOND = 10**9
PLAYER = Player(code="a", command=("gnugo", "--mode", "gtp"))


class Clock:
    """A loop in which time passes when it is told to; and the clock that goes with it."""

    def __init__(self, monkeypatch):
        self.now = 0
        self.alarms = []
        monkeypatch.setattr("gyoji.cli.progress.monotonic_ns", lambda: self.now)

    def book(self, when, alarm):
        self.alarms.append((when, alarm))

    def pass_by(self, seconds):
        end = self.now + seconds * SECOND
        while due := [entry for entry in self.alarms if entry[0] <= end]:
            first = min(due, key=lambda entry: entry[0])
            self.alarms.remove(first)
            self.now = first[0]
            first[1].come_up(first[0], self.now)
        self.now = end


@pytest.fixture
def clock(monkeypatch):
    return Clock(monkeypatch)


def test_after_five_seconds_it_is_told_once_who_is_waited_for_and_what_it_was_asked(clock, capsys):
    progress = Progress(clock)
    progress.on_asked(PLAYER, b"INFO rule 1\r\nSTART 15\r\n", 60 * SECOND)
    clock.pass_by(4)
    assert capsys.readouterr().err == ""
    progress.on_said(b"? unknown command\n\n")
    clock.pass_by(20)
    assert capsys.readouterr().err == (
        "gyoji: waiting for player a, asked 'START 15' 5s ago (it may take 1m): gnugo --mode gtp; "
        "it has said '? unknown command'\n"
    )


def test_a_long_check_tells_every_half_minute_what_it_is_at(clock, capsys):
    progress = Progress(clock)
    for number in range(1, 71):
        progress.on_asked(PLAYER, f"boardsize {number}\n".encode(), 0)
        clock.pass_by(1)
    assert capsys.readouterr().err.splitlines() == [
        "gyoji: checking player a: 30 questions in 30s; now 'boardsize 30'",
        "gyoji: checking player a: 60 questions in 1m; now 'boardsize 60'",
    ]


def test_on_a_terminal_one_line_changes_and_is_taken_off(clock, capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    progress = Progress(clock)
    progress.on_asked(PLAYER, b"name\n", 0)
    clock.pass_by(1)
    progress.on_asked(PLAYER, b"version\n", 0)
    progress.clear()
    clock.pass_by(60)
    assert re.split(r"\r\x1b\[K", capsys.readouterr().err) == [
        "",
        "checking player a: 1 question in 1s; now 'name'",
        "checking player a: 2 questions in 1s; now 'version'",
        "",
    ]


def test_a_quick_check_says_nothing_of_its_progress(clock, capsys):
    progress = Progress(clock)
    progress.on_asked(PLAYER, b"name\n", 0)
    clock.pass_by(1)
    progress.clear()
    clock.pass_by(60)
    assert capsys.readouterr().err == ""


GTP = "while read line; do printf '? unknown command\\n\\n'; done"
BRAIN = "while read line; do echo ERROR I play on other boards; done"


@pytest.mark.process
@pytest.mark.parametrize(
    ("game", "script", "spoken", "verdict"),
    [
        ('gomoku"\n', GTP, "gtp", "it speaks GTP, and was asked in Gomocup's protocol"),
        ('go"\nkomi = 7.5\n', BRAIN, "gomocup", "it speaks Gomocup's protocol, and was asked in GTP"),
    ],
)
@pytest.mark.parametrize("words", [("check",), ("check", "--quick"), ("run",)])
def test_a_program_that_speaks_another_protocol_is_told_so(
    tmp_path, be_impatient, game, script, spoken, verdict, words
):
    be_impatient(spoken=spoken)
    path = tmp_path / "e.toml"
    path.write_text(
        f'competition = "playoff"\ngame = "{game}board_size = 9\n'
        f'[players.a]\ncommand = ["/bin/sh", "-c", """{script}"""]\nbudgets = {{ startup = "0.3s" }}\n'
        '[[matchups]]\nplayers = ["a", "a"]\nnumber_of_games = 1\n'
    )
    result = CliRunner().invoke(app, [*words, str(path)])
    assert result.exit_code == ExitStatus.HALTED
    (line,) = (line for line in result.output.splitlines() if verdict in line)
    assert line.removeprefix("gyoji: ").startswith("player a: ")


@pytest.mark.process
def test_a_command_that_speaks_another_protocol_is_told_so(tmp_path):
    program = tmp_path / "bot"
    program.write_text("#!/bin/sh\nread line; echo ERROR I play on other boards\n")
    program.chmod(0o755)
    result = CliRunner().invoke(app, ["check", "--command", str(program)])
    assert result.exit_code == ExitStatus.HALTED
    assert "it speaks Gomocup's protocol, and was asked in GTP" in result.stdout


@pytest.mark.process
def test_before_a_run_a_program_that_hangs_is_named_while_it_is_waited_for(
    tmp_path, monkeypatch, be_impatient
):
    be_impatient()
    monkeypatch.setattr("gyoji.cli.progress._PATIENCE", 1)
    path = tmp_path / "e.toml"
    path.write_text(
        'competition = "playoff"\nboard_size = 9\nkomi = 7.5\n'
        '[players.a]\ncommand = ["/bin/sh", "-c", "sleep 20"]\nbudgets = { startup = "2.5s" }\n'
        '[[matchups]]\nplayers = ["a", "a"]\nnumber_of_games = 1\n'
    )
    result = CliRunner().invoke(app, ["run", str(path)])
    asked = r"waiting for player a, asked 'protocol_version' [12]s ago \(it may take 2\.5s\)"
    lines = result.stderr.splitlines()
    assert any(re.fullmatch(f"gyoji: {asked}: /bin/sh -c 'sleep 20'", line) for line in lines)
    assert any(re.search(r"gave no answer for [\d.]+s", line) for line in lines)
    assert "speaks" not in result.stderr
