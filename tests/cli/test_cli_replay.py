import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from click.testing import CliRunner

from gyoji.cli import replaying
from gyoji.cli.app import app
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
DOC = Path(__file__).parents[2] / "docs" / "replay.md"


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
    assert "rules  plain" in replayed(suicide, "--rules", "plain", "--score").stdout


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
        ("(;SZ[9];B[zz])", "g.sgf", [], "g.sgf: node 1: 'zz' is no point on a board of 9x9"),
        (
            "(;GM[2];B[aa])",
            "g.sgf",
            [],
            "g.sgf: GM[2] is no game that can be replayed; there are: GM[1] go",
        ),
        (FINISHED, "g.SGF", ["--rules", "x"], "g.SGF: rules: 'x' is neither fields such as"),
        (FINISHED, "g.sgf", ["--komi", "nan"], "g.sgf: komi: got nan, expected a finite number"),
        (FINISHED, "g.pgn", [], "g.pgn: no record that can be replayed has such a name; there are: .sgf"),
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


def test_a_new_format_needs_nothing_but_a_module_that_replays(replayed, monkeypatch):
    game = SimpleNamespace(facts=(("five", "Ann"),), notes=("n",), refusals=(), diagram="", verdict="v")
    module = ModuleType("psq")
    module.suffix, module.replay = ".psq", lambda data, wanted: [game]
    monkeypatch.setattr(replaying, "plugin_names", lambda package: ("psq", "mute"))
    mute = SimpleNamespace(suffix=".mute")
    monkeypatch.setattr(replaying, "plugin", lambda package, name: {"psq": module, "mute": mute}[name])
    result = replayed("", name="a.psq")
    assert result.stdout.splitlines() == ["a.psq", "  five  Ann", "note: n", "every move is legal", "v"]
    assert "there are: .psq" in replayed("", name="a.mute").stderr


def test_the_command_is_listed_and_starts_nothing(replayed):
    assert "\n  replay " in CliRunner().invoke(app, ["--help"]).stdout
    replayed(FINISHED)
    assert sys.modules.get("gyoji.cli.replaying") is replaying


def _examples():
    """(name of the file, its text, words after it, what is printed) of each example in the documentation."""
    blocks = DOC.read_text(encoding="utf-8").split("```")[1::2]
    files = {}
    for block in blocks:
        first, _, rest = block.lstrip("\n").partition("\n")
        if first.startswith("file: "):
            files[first.removeprefix("file: ")] = rest
        elif first.startswith("$ gyoji replay "):
            name, *words = first.removeprefix("$ gyoji replay ").split()
            yield name, files[name], words, rest


@pytest.mark.parametrize(
    "example", list(_examples()), ids=lambda example: " ".join([example[0], *example[2]])
)
def test_the_examples_of_the_documentation_are_what_is_printed(replayed, example):
    name, text, words, printed = example
    assert replayed(text, *words, name=name).output == printed
