"""Brains of the older protocol, with a process for every move and the position in files."""

import os
import sys
import zipfile
from subprocess import run

import pytest

from gyoji.core.clocks import TimeControl
from gyoji.core.outcome import Ending
from gyoji.core.plugins import PROTOCOLS
from gyoji.core.spec import Containment, GameSpec, Player
from gyoji.engines.file_brain import FileBrain
from gyoji.play.game import play
from gyoji.play.order import Order

pytestmark = pytest.mark.process

BRAIN = f"""#!{sys.executable} -IS
# By the document: reads its files, writes its move over TAH.DAT, ends.
import os, sys
def read(name):
    with open(name) as file:
        return file.read()
asked = {{name: read(name) for name in ("PLOCHA.DAT", "TAH.DAT", "TIMEOUTS.DAT", "INFO.DAT", "MSG.DAT")}}
rows = asked["PLOCHA.DAT"].split()
empty = [(x, y) for y, row in enumerate(rows) for x, sign in enumerate(row) if sign == "-"]
x, y = empty[0]
"""
MOVES = 'with open("TAH.DAT", "w") as file: file.write(f"{x},{y}\\n")\n'
SHOWS = (
    'with open("MSG.DAT", "w") as file:'
    ' file.write("\\n".join(f"{name} {text.split()}" for name, text in asked.items()))\n'
)


@pytest.fixture
def old(tmp_path, monkeypatch):
    """Return a function that makes a brain with a given program, in a folder of its own."""
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")

    def make(*program, name="old"):
        path = tmp_path / "brain" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("".join((BRAIN, *program)))
        path.chmod(0o755)
        return path

    return make


def talk(program, *lines):
    """Return the brain's output to these lines."""
    brain = FileBrain([str(program)])
    return "".join(brain.answer(f"{line}\r\n".encode()).decode() for line in lines).splitlines()


def test_a_brain_finds_its_question_in_files_and_its_answer_and_messages_are_told(old):
    said = talk(
        old(SHOWS, MOVES),
        *("START 5", "INFO rule 1", "INFO timeout_turn 2500", "INFO time_left 148150", "INFO max_memory 7"),
        *("BEGIN", "TURN 4,3"),
    )
    info = "MESSAGE INFO.DAT ['max_memory', '7', 'timeout_turn', '2500', 'rule', '1', 'time_left', '148150']"
    assert said == [
        "OK",
        "MESSAGE PLOCHA.DAT ['-----', '-----', '-----', '-----', '-----']",
        *("MESSAGE TAH.DAT ['x']", "MESSAGE TIMEOUTS.DAT ['2', '148150']", info, "MESSAGE MSG.DAT []"),
        "0,0",
        "MESSAGE PLOCHA.DAT ['x----', '-----', '-----', '----o', '-----']",
        *("MESSAGE TAH.DAT ['x']", "MESSAGE TIMEOUTS.DAT ['2', '148150']", info, "MESSAGE MSG.DAT []"),
        "1,0",
    ]


def test_no_limit_is_the_greatest_number_and_haste_is_0(old):
    unlimited, haste = (
        talk(old(SHOWS, MOVES), "START 5", *info, "BEGIN")[3] for info in ((), ("INFO timeout_turn 900",))
    )
    assert unlimited == "MESSAGE TIMEOUTS.DAT ['2147483', '2147483647']"
    assert haste == "MESSAGE TIMEOUTS.DAT ['0', '2147483647']"


def test_the_second_player_is_o_and_stones_of_counted_rows_are_marked(old):
    said = talk(old(SHOWS, MOVES), "START 5", "BOARD", "0,0,2", "1,1,1", "2,2,3", "DONE")
    assert said[1:3] == [
        "MESSAGE PLOCHA.DAT ['x----', '-o---', '--#--', '-----', '-----']",
        "MESSAGE TAH.DAT ['o']",
    ]


def test_in_a_continuous_game_a_row_counts_for_nobody_once_it_is_made(old):
    board = [f"{x},{y},{field}" for x in range(4) for y, field in ((1, 2), (2, 1))]
    lines = ("START 7", "INFO rule 2", "BOARD", *board[:-1], "DONE", "TURN 4,1")
    said = [line for line in talk(old(SHOWS, MOVES), *lines) if "PLOCHA" in line]
    assert said[-1] == (
        "MESSAGE PLOCHA.DAT ['o------', '#####--', 'ooo----', '-------', '-------', '-------', '-------']"
    )


@pytest.mark.parametrize("move", ["3,3", "-1,0", "9,9"])
def test_a_move_that_the_rules_refuse_is_told_as_it_is(old, move):
    program = old(f'with open("TAH.DAT", "w") as file: file.write("{move}")\n')
    assert talk(program, "START 5", "TURN 3,3") == ["OK", move]


def test_the_case_of_a_files_name_does_not_matter_nor_that_a_brain_makes_it_anew(old):
    program = old(
        'assert read("plocha.dat") == read("Plocha.dat") == asked["PLOCHA.DAT"]\n'
        'assert read("TimeOuts.dat") == asked["TIMEOUTS.DAT"]\n'
        'os.unlink("tah.dat")\nwith open("tah.dat", "w") as file: file.write("2,2")\n'
    )
    assert talk(program, "START 5", "BEGIN", "TURN 0,0") == ["OK", "2,2", "2,2"]


def test_what_the_protocol_of_files_lacks_is_refused(old):
    assert talk(
        old(MOVES), "RECTSTART 6,5", "START 5", "SWAP2BOARD", "DONE", "INFO rule 2", "TAKEBACK 0,0"
    ) == [
        "ERROR the protocol of files has no board with sides that differ",
        "OK",
        "ERROR SWAP2BOARD: the protocol of files has no choice of sides",
        "ERROR TAKEBACK: a counted row cannot be taken back; send RESTART and BOARD",
    ]


def game(program, **settings):
    """Return the report of a game between such a brain and one that uses pipes."""
    level = settings.pop("level", "guarded")
    players = (
        Player(
            code="old",
            command=(str(program),),
            cwd="",
            protocol="gomocup-files",
            containment=Containment(level=level),
            executor="contained",
        ),
        Player(
            code="new",
            command=(sys.executable, "-m", "gyoji.engines.narabe"),
            cwd="",
            protocol="gomocup",
            containment=Containment(level="off"),
        ),
    )
    spec = GameSpec(
        id="0", pairing="0", game="gomoku", players=players, options={"board_size": 7}, **settings
    )
    report = play(Order(spec=spec))
    assert report.record is not None, report.void
    return report.record.result


@pytest.mark.parametrize("level", ["off", "guarded", "strict"])
def test_a_brain_of_the_older_protocol_plays_a_game_contained_and_finds_its_own_files(old, level):
    program = old('read(os.path.join(os.path.dirname(sys.argv[0]), "book.dat"))\n', MOVES)
    (program.parent / "book.dat").write_text("a book")
    result = game(program, level=level)
    assert (result.outcome.ending.value, result.outcome.winner) == ("five", 1)
    assert (result.engines[0].name, result.late) == ("old", ())
    assert not os.listdir()


def test_a_brain_that_leaves_no_move_has_crashed_and_the_result_says_how(old):
    outcome = game(old("raise SystemExit(3)\n")).outcome
    assert (outcome.ending, outcome.winner) == (Ending.FAULT, 1)
    assert "the brain exited with status 3; expected a move such as 7,7 in TAH.DAT, got 'x'" in outcome.detail


def test_the_clock_runs_until_the_process_has_ended(old):
    program = old(MOVES, "import time\ntime.sleep(60)\n")
    outcome = game(program, clock=TimeControl.parse("1s")).outcome
    assert (outcome.ending, outcome.winner) == (Ending.TIME, 1)


def test_a_program_that_is_not_there_is_named(tmp_path):
    spec = GameSpec(
        id="0",
        pairing="0",
        game="gomoku",
        players=(Player(code="old", command=("/no/such/brain",), protocol="gomocup-files"),) * 2,
    )
    assert "no program '/no/such/brain'" in play(Order(spec=spec)).void.reason


def test_the_program_of_a_package_is_the_one_without_the_prefix_of_the_newer_protocol(old, tmp_path):
    chosen = PROTOCOLS.find("gomocup-files").executable
    assert chosen(["pbrain-new.exe", "old.exe", "old.txt"]) == ("old.exe", ())
    program = old(MOVES)
    package = tmp_path / "old.zip"
    with zipfile.ZipFile(package, "w") as archive:
        archive.write(program, "old")
        archive.writestr("readme", "")
    result = game(package, level="strict")
    assert result.outcome.ending.value == "five"


def test_the_files_of_a_game_are_gone_when_the_brain_is_told_to_end(old):
    command = (sys.executable, "-m", "gyoji.engines.file_brain", str(old(MOVES)))
    done = run(command, input=b"START 5\r\nBEGIN\r\nEND\r\n", capture_output=True, check=False)
    assert (done.stdout, done.returncode, os.listdir()) == (b"OK\n0,0\n", 0, [])
