"""`gyoji pair` and `gyoji export --to trf`: what is read and printed."""

import json

import pytest
from command_line import gyoji
from refereed_events import play

REPORT = """\
012 The cup
142 4
001    1      Ai                                2100                             1.0    1     4 w 1
001    2      Beni                              2000                             1.0    2     5 b 1
001    3      Cha                               1900                             0.5    3     6 w =
001    4      Dai                               1800                             0.0    5     1 b 0
001    5      Ebi                               1700                             0.0    6     2 w 0
001    6      Fuji                              1600                             0.5    4     3 b =
"""

CUP = """
competition = "swiss"
game = "gomoku"
board_size = 5
rule = "freestyle"
rounds = 3
games_per_match = 1
seed = 0
description = "The autumn cup"
place = "Kyoto"
seeding = "ratings"
ratings = { a = 2000, c = 1900, b = 1800.4, e = 1600 }
half_point_byes = { b = [3] }
authors = { a = "Ann", d = "Ann" }

[players]
""" + "".join(f'{code} = {{ command = "pbrain-{code}" }}\n' for code in "abcde")


@pytest.fixture
def report(tmp_path):
    path = tmp_path / "cup.trf"
    path.write_text(REPORT)
    return path


def test_the_next_round_is_printed_as_pairing_engines_do(report):
    done = gyoji("pair", report)
    assert (done.exit_code, done.stdout) == (0, "3\n2 1\n4 3\n6 5\n")


def test_the_next_round_is_values_or_a_file(report, tmp_path):
    values = json.loads(gyoji("pair", "--json", report).stdout)
    assert values == {"round": 2, "pairs": [[2, 1], [4, 3], [6, 5]], "bye": None, "departure": ""}
    assert gyoji("pair", report, "-o", tmp_path / "pairs").stdout == ""
    assert (tmp_path / "pairs").read_text() == "3\n2 1\n4 3\n6 5\n"


def test_a_name_in_an_old_encoding_is_no_obstacle(report):
    report.write_bytes(REPORT.replace("Beni", "Bénï").encode("latin-1"))
    assert gyoji("pair", report).stdout.startswith("3\n2 1\n")


def test_rounds_that_were_paired_otherwise_are_told(report):
    done = gyoji("pair", "--check", report)
    assert (done.exit_code, done.stdout) == (0, "round 1: as the rules make it\n")
    report.write_text(
        REPORT.replace("4 w 1", "6 w 1")
        .replace("6 w =", "4 w =")
        .replace("0.0    5     1 b 0", "0.5    5     3 b =")
        .replace("0.5    4     3 b =", "0.0    4     1 b 0")
    )
    done = gyoji("pair", "--check", report)
    assert (done.exit_code, done.stdout) == (1, "round 1: was 1-6 3-4, by the rules 1-4 3-6\n")
    values = json.loads(gyoji("pair", "--check", "--json", report).stdout)
    assert values == [{"round": 1, "was": ["1-6", "3-4"], "rules": ["1-4", "3-6"], "departure": ""}]


def test_a_round_that_no_pairing_by_the_rules_has_is_told(report):
    """The two have met, and there is nobody else."""
    rounds = {"Ai": "1.0    1     2 w 1", "Beni": "0.0    2     1 b 0"}
    again = {"Ai": "     2 b =", "Beni": "     1 w ="}
    players = [
        f"001    {number}      {name:67}{rounds[name].replace('.0', '.5')}{again[name]}"
        for number, name in enumerate(rounds, 1)
    ]
    report.write_text("\n".join(["142 3", *players]))
    done = gyoji("pair", "--check", report)
    assert done.exit_code == 1
    assert "round 2: not all can be paired by the rules: 1 pair" in done.stdout
    assert "round 3: not all can be paired" in gyoji("pair", report).stderr


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (REPORT.replace("142 4", "142 1"), "1 of 1 rounds have been paired, and there is no next one"),
        (
            "012 The cup\n",
            "expected a tournament report in TRF(x), got no line 001 of a player; `gyoji export --to",
        ),
        (REPORT.replace("4 w 1", "9 w 1"), "cup.trf:3: there is no player 9, its opponent"),
    ],
    ids=["over", "nobody", "opponent"],
)
def test_a_report_that_cannot_be_paired_is_a_message(report, text, problem):
    report.write_text(text)
    done = gyoji("pair", report)
    assert done.exit_code == 2
    assert problem in done.stderr


def test_a_file_that_is_not_there_and_options_that_do_not_go_together_are_messages(report):
    assert "No such file" in gyoji("pair", report.with_name("none")).stderr
    assert gyoji("pair", "--check", "-o", "x", report).exit_code == 2


def test_an_event_is_exported_as_a_report_that_can_be_paired(tmp_path):
    path = tmp_path / "cup.toml"
    path.write_text(CUP)
    play(path, most=2)
    lines = gyoji("export", "--to", "trf", path).stdout.splitlines()
    assert lines[:3] == ["012 The autumn cup", "022 Kyoto", "062 5"]
    players = [line for line in lines if line.startswith("001")]
    assert [line[14:52].split() for line in players] == [
        ["a", "2000"],
        ["c", "1900"],
        ["b", "1800"],
        ["e", "1600"],
        ["d"],
    ]
    assert lines[-2:] == ["240 H 003    3", "260 001 003    1    5"]
    assert gyoji("export", "--to", "trf", path, "-o", tmp_path / "cup.trf").exit_code == 0
    made = gyoji("pair", tmp_path / "cup.trf").stdout
    shown = json.loads(gyoji("show", "--json", path).stdout)
    codes = "acbed"
    assert made.splitlines()[1:3] == [
        f"{codes.index(match['first']) + 1} {codes.index(match['second']) + 1}"
        for match in shown["tables"]["matches"]
        if match["round"] == 2
    ]


def test_a_report_of_an_event_that_is_over_can_be_checked(tmp_path):
    path = tmp_path / "cup.toml"
    path.write_text(CUP)
    play(path)
    gyoji("export", "--to", "trf", path, "-o", tmp_path / "cup.trf")
    done = gyoji("pair", "--check", tmp_path / "cup.trf")
    assert done.stdout.splitlines() == [f"round {number}: as the rules make it" for number in (1, 2, 3)]
    assert "b does not play, and gets 0.5" in gyoji("report", path, "-o", "-").stdout


def test_other_formats_have_no_tournament_report(tmp_path):
    path = tmp_path / "cup.toml"
    path.write_text(CUP.replace('"swiss"', '"stages"').replace("half_point", "#").replace("authors", "#"))
    done = gyoji("export", "--to", "trf", path)
    assert (done.exit_code, "expected competition = \"swiss\", got 'stages'" in done.stderr) == (2, True)
