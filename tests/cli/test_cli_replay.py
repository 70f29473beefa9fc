import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec.structs import replace
from tests.docs.transcript import blocks

from gyoji.cli.app import app
from gyoji.core.game import RecordFormat
from gyoji.core.plugins import GAMES
from gyoji.core.replay import Replay
from gyoji.scheduler.status import ExitStatus

FINISHED = "(;GM[1]FF[4]SZ[3]KM[0.5]RU[Chinese]PB[Ann]PW[Bob]RE[B+8.5];B[bb];W[];B[])"
ILLEGAL = "(;GM[1]FF[4]SZ[3]KM[0.5]RU[Chinese]PB[Ann]PW[Bob];B[bb];W[bb];B[bb])"
SHOWN = """\
{path}
  black  Ann
  white  Bob
  size   3
  komi   0.5
  rules  chinese
  moves  3
every move is legal
 3 . . .
 2 . X .
 1 . . .
   A B C
the record says B+8.5, the rules B+8.5
"""
DOC = Path(__file__).parents[2] / "docs" / "how-to" / "replay.md"


@pytest.fixture
def replayed(tmp_path, monkeypatch):
    """Run the command on a file of this text, in its folder."""
    monkeypatch.chdir(tmp_path)

    def run(text, *words, name="game.sgf"):
        (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        return CliRunner().invoke(app, ["replay", name, *words])

    return run


def test_a_game_that_is_played_out_is_shown_and_counted(replayed):
    result = replayed(FINISHED)
    assert (result.exit_code, result.stderr) == (ExitStatus.COMPLETE, "")
    assert result.stdout == SHOWN.format(path="game.sgf")


def test_an_illegal_move_is_the_end_of_it_and_status_1(replayed):
    result = replayed(ILLEGAL)
    assert result.exit_code == ExitStatus.HALTED
    assert result.stdout.splitlines()[-1] == "illegal: move 2, White B2: occupied point B2"


def test_all_illegal_moves_are_listed_on_request(replayed):
    lines = replayed(ILLEGAL, "--all").stdout.splitlines()
    assert lines[-2:] == [
        "illegal: move 2, White B2: occupied point B2",
        "illegal: move 3, Black B2: occupied point B2",
    ]


def test_a_result_that_differs_is_no_failure(replayed):
    result = replayed(FINISHED, "--komi", "2.5")
    assert result.exit_code == ExitStatus.COMPLETE
    assert result.stdout.splitlines()[-1] == "the record says B+8.5, the rules B+6.5: they differ"


def test_rules_can_be_chosen(replayed):
    suicide = "(;SZ[5]KM[0]RU[Japanese]AW[ca][cb][ab][bb]AB[ba];B[aa])"
    assert replayed(suicide).exit_code == ExitStatus.HALTED
    assert replayed(suicide, "--rules", "new-zealand").exit_code == ExitStatus.COMPLETE
    assert "rules  none" in replayed(suicide, "--rules", "none", "--score").stdout


def test_every_game_of_a_collection_is_replayed(replayed):
    result = replayed(FINISHED + ILLEGAL + FINISHED)
    lines = result.stdout.splitlines()
    assert result.exit_code == ExitStatus.HALTED
    assert [line for line in lines if line.startswith("game.sgf")] == [
        f"game.sgf: game {number} of 3" for number in (1, 2, 3)
    ]
    assert lines[-1] == "3 games, 1 of them illegal"


@pytest.mark.parametrize(
    ("text", "name", "words", "message"),
    [
        ("", "g.sgf", [], "g.sgf: at offset 0: a game starting with '(;' was expected, found the end"),
        ("(;SZ[9];B[aa", "g.sgf", [], "g.sgf: at offset 8: a property with a complete value was expected"),
        ("(;SZ[9];B[zz])", "g.sgf", [], "g.sgf: node 1: 'zz' is not a point on a board of 9x9"),
        (
            "(;GM[2];B[aa])",
            "g.sgf",
            [],
            "g.sgf: its game is none of those with such records: go, gomoku",
        ),
        (
            "(;GM[4];B[aa])(;GM[2];B[aa])",
            "g.sgf",
            [],
            "g.sgf: game 2: its game is none of those with such records: go, gomoku",
        ),
        (FINISHED, "g.SGF", ["--rules", "x"], "g.SGF: rules: 'x' is neither fields such as"),
        (FINISHED, "g.sgf", ["--komi", "nan"], "g.sgf: komi: got nan, expected a finite number"),
        (FINISHED, "g.txt", [], "g.txt: no record that can be replayed has this name; there are: "),
        (bytes(range(256)), "g.sgf", [], "g.sgf: at offset"),
    ],
)
def test_what_cannot_be_read_is_one_line_and_status_2(replayed, text, name, words, message):
    result = replayed(text, *words, name=name)
    assert (result.exit_code, result.stdout) == (ExitStatus.USAGE, "")
    assert result.stderr.startswith(f"gyoji: {message}")
    assert result.stderr.count("\n") == 1


def test_a_file_that_is_not_there_is_one_line_and_status_2(tmp_path):
    path = tmp_path / "none.sgf"
    result = CliRunner().invoke(app, ["replay", str(path)])
    assert result.exit_code == ExitStatus.USAGE
    assert result.stderr == f"gyoji: {path}: No such file or directory\n"


def test_a_new_format_needs_nothing_but_a_game_that_has_it(replayed, monkeypatch):
    game = Replay(facts=(("five", "Ann"),), notes=("n",), verdict="v")
    formats = {
        "psq": lambda: RecordFormat(suffix=".psq", replay=lambda data, wanted: [game]),
        "mute": lambda: RecordFormat(suffix=".mute"),
    }
    monkeypatch.setattr(GAMES, "_loaded", {"go": replace(GAMES.find("go"), record_formats=formats)})
    monkeypatch.setattr(GAMES, "_entries", {"go": []})
    result = replayed("", name="a.psq")
    assert result.stdout.splitlines() == ["a.psq", "  five  Ann", "note: n", "every move is legal", "v"]
    assert "there are: .psq" in replayed("", name="a.mute").stderr


PSQ = "Piskvorky 15x15, 7:7, 0\n{stones}a.exe\nb.exe\n{code}\n"
FIVE = "".join(f"{x},1,9\n{x},3,9\n" for x in range(1, 5)) + "5,1,9\n"
DOUBLE_THREE = "6,8,1\n1,1,1\n7,8,1\n15,1,1\n8,9,1\n1,15,1\n8,10,1\n15,15,1\n8,8,1\n"


def test_a_game_of_gomoku_is_judged_by_the_rules_that_are_asked_for(replayed):
    data = PSQ.format(stones=DOUBLE_THREE, code=0)
    result = replayed(data, "--rules", "renju", name="g.psq")
    assert result.exit_code == ExitStatus.HALTED
    lines = result.stdout.splitlines()
    assert lines[6] == "illegal: line 10: move 9, Black h8: forbidden: double three at h8"
    assert lines[-1] == "the record says a normal end (code 0), the rules W+F (illegal move)"
    result = replayed(data, "--rules", "caro", "--size", "20x16", name="g.PSQ")
    assert result.exit_code == ExitStatus.COMPLETE
    assert "  size    20x16" in result.stdout.splitlines()
    assert result.stdout.endswith("the record says a normal end (code 0), the rules no end: they differ\n")


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("g.psq", PSQ.format(stones=FIVE, code=0)),
        ("g.sgf", "(;GM[4]SZ[15];B[aa];W[ac];B[ba];W[bc];B[ca];W[cc];B[da];W[dc];B[ea])"),
    ],
)
def test_every_format_of_gomoku_is_replayed(replayed, name, data):
    result = replayed(data, name=name)
    assert result.exit_code == ExitStatus.COMPLETE
    assert result.stdout.endswith("the rules B+ (five, a1 to e1)\n")


@pytest.mark.parametrize(
    ("name", "words", "message"),
    [
        ("g.psq", ["--komi", "6.5"], "g.psq: komi: gomoku has none; it is replayed by rules, size"),
        ("g.psq", ["--all"], "g.psq: all: gomoku has none; it is replayed by rules, size"),
        ("g.psq", ["--rules", "chess"], "g.psq: rules: got 'chess', expected 'freestyle', "),
        ("g.psq", ["--size", "big"], "--size: expected a number such as 15, or two such as 20x15, got 'big'"),
        ("g.psq", ["--size", "3"], "g.psq: size: a board of 3x3: expected 5 to 127 columns and rows"),
        ("g.psq", ["--size", "8"], "g.psq: line 3: column 9, row 1 is off the 8x8 board"),
    ],
)
def test_what_does_not_fit_a_game_of_gomoku_is_one_line_and_status_2(replayed, name, words, message):
    data = PSQ.format(stones="8,1,1\n9,1,1\n", code=0)
    result = replayed(data, *words, name=name)
    assert (result.exit_code, result.stdout) == (ExitStatus.USAGE, "")
    assert result.stderr.startswith(f"gyoji: {message}")
    assert result.stderr.count("\n") == 1


LISTED = """\
cup.games/1.psq: the record says a normal end (code 0), the rules B+ (five, a1 to e1)
cup.games/2.psq: illegal: line 3: move 2, White h8: occupied point h8
cup.games/3.SGF: game 1: the record says W+R, the rules B+ (five, a1 to e1): they differ
cup.games/3.SGF: game 2: the record says nothing, the rules B+1.5
cup.games/deep/4.psq: the record says nothing (code -1), the rules no end
note: the file names no rules: freestyle is taken (4 games)
note: the file names no rules: chinese rules are taken (1 game)
note: the file gives no komi: it is taken as 7.5 (1 game)
5 games: 1 illegal, 1 with another result; no files not read
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with records of both games, and something else."""
    monkeypatch.chdir(tmp_path)
    games = tmp_path / "cup.games"
    (games / "deep").mkdir(parents=True)
    stones = "".join(f";B[{x}a];W[{x}c]" for x in "abcd")
    for name, text in {
        "1.psq": PSQ.format(stones=FIVE, code=0),
        "2.psq": PSQ.format(stones="8,8,1\n8,8,1\n", code=0),
        "3.SGF": f"(;GM[4]SZ[15]RE[W+R]{stones};B[ea])(;SZ[3];B[bb];W[];B[])",
        "deep/4.psq": PSQ.format(stones="8,8,1\n", code=-1),
        "notes.txt": "not a record",
    }.items():
        (games / name).write_text(text)
    return games


def replayed_all(*words):
    return CliRunner().invoke(app, ["replay", *map(str, words)])


def test_of_a_folder_every_game_is_a_line(folder):
    result = replayed_all("cup.games")
    assert (result.exit_code, result.stderr) == (ExitStatus.HALTED, "")
    assert result.stdout == LISTED


def test_several_files_are_a_list_and_one_that_cannot_be_read_is_status_2(folder):
    (folder / "2.psq").write_text("Piskvorky\n")
    result = replayed_all("cup.games/1.psq", "cup.games/2.psq", "cup.games/none.psq")
    assert result.exit_code == ExitStatus.USAGE
    assert (
        result.stdout.splitlines()[-1] == "1 game: none illegal, none with another result; 2 files not read"
    )
    assert result.stderr.splitlines() == [
        "gyoji: cup.games/2.psq: line 1: 'Piskvorky 15x15, 11:11, 0' was expected, found 'Piskvorky'",
        "gyoji: cup.games/none.psq: No such file or directory",
    ]


def test_what_is_asked_for_and_fits_no_game_ends_a_list_at_once(folder):
    result = replayed_all("--rules", "chess", "cup.games")
    assert (result.exit_code, result.stdout) == (ExitStatus.USAGE, "")
    assert result.stderr.startswith("gyoji: cup.games/1.psq: rules: got 'chess'")


def test_a_folder_without_records_is_one_line_and_status_2(folder):
    (folder / "empty").mkdir()
    result = replayed_all(folder / "empty")
    assert result.exit_code == ExitStatus.USAGE
    assert result.stderr.startswith("gyoji: no .")
    assert result.stderr.endswith(f" in {folder}/empty\n")


def test_the_command_is_listed_and_starts_nothing(replayed):
    assert "\n  replay " in CliRunner().invoke(app, ["--help"]).stdout
    replayed(FINISHED)
    assert "gyoji.cli.replaying" in sys.modules


def _examples():
    """(name of the file, its text, words after it, what is printed) of each example in the documentation."""
    files = {}
    for block in blocks(DOC.read_text(encoding="utf-8")):
        if name := block.marks.get("file"):
            files[name] = block.text
        if block.is_run:
            for command, shown in block.commands():
                name, *words = command.removeprefix("gyoji replay ").split()
                yield name, files[name], words, shown


@pytest.mark.parametrize(
    "example", list(_examples()), ids=lambda example: " ".join([example[0], *example[2]])
)
def test_the_examples_of_the_documentation_are_what_is_printed(replayed, example):
    name, text, words, printed = example
    assert replayed(text, *words, name=name).output == printed
