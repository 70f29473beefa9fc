"""`gyoji field`: checked, drawn, hidden anew, collected; all of it can be played on."""

import json

import pytest
from click.testing import CliRunner

from gyoji.cli.app import app
from gyoji.games.dighere.fields import Agent, Field
from gyoji.games.dighere.files import format_field, read_field
from gyoji.games.dighere.game_options import openings
from gyoji.games.dighere.plans import Treasure

SMALL = Field(
    size=7,
    steps=20,
    agents=(Agent(0, 0), Agent(6, 6), Agent(0, 6), Agent(6, 0)),
    known=(Treasure(3, 3, 6),),
    hidden=(Treasure(2, 3, 4), Treasure(4, 3, 10)),
)


def gyoji(*words):
    return CliRunner().invoke(app, ["field", *map(str, words)])


@pytest.fixture
def folder(tmp_path):
    """A folder with a field, one that the rules exclude, and both in a file of openings."""
    bad = format_field(SMALL).replace(b'"amount":6', b'"amount":5')
    (tmp_path / "good.dighere").write_bytes(format_field(SMALL))
    (tmp_path / "bad.dighere").write_bytes(bad)
    (tmp_path / "both.jsonl").write_bytes(format_field(SMALL) + b"\n" + bad)
    return tmp_path


def test_a_field_is_described_and_found_good(folder):
    done = gyoji("check", folder / "good.dighere")
    assert done.stdout == (
        f"{folder}/good.dighere: 7x7, 20 steps, 0 holes, 1 known and 2 hidden treasures of 20\n"
        "1 field, none of them excluded\n"
    )
    assert done.exit_code == 0


def test_what_the_rules_exclude_is_said_with_the_line_it_is_in(folder):
    done = gyoji("check", folder / "both.jsonl")
    assert done.stdout.splitlines()[1:] == [
        f"{folder}/both.jsonl:3: 7x7, 20 steps, 0 holes, 1 known and 2 hidden treasures of 19",
        "    treasure at (3,3): expected an even amount from 2, got 5",
        "2 fields, 1 of them excluded",
    ]
    assert done.exit_code == 1


def test_the_contest_excluded_more(folder):
    wide = format_field(SMALL).replace(b'"size":7', b'"size":20')
    (folder / "wide.dighere").write_bytes(wide)
    assert gyoji("check", folder / "wide.dighere").exit_code == 0
    done = gyoji("check", "--contest", folder / "wide.dighere")
    assert "size: expected 6 to 12, got 20" in done.stdout
    assert done.exit_code == 1


@pytest.mark.parametrize("command", ["check", "hide", "collect"])
def test_a_file_that_is_no_field_is_told_in_one_line(folder, command):
    (folder / "none.jsonl").write_text('{"size": 7}\n')
    done = gyoji(command, folder / "none.jsonl")
    assert done.exit_code == 2
    assert done.stderr == f"gyoji: {folder}/none.jsonl:1: agents: expected 4, got 0\n"
    done = gyoji(command, folder / "missing.dighere")
    assert (done.exit_code, done.stderr) == (
        2,
        f"gyoji: {folder}/missing.dighere: No such file or directory\n",
    )


def test_drawn_fields_are_openings_that_differ_and_can_be_drawn_again(folder):
    (folder / "drawn.jsonl").write_text(gyoji("draw", "-n", 4, "--seed", 7, "--size", 8).stdout)
    fields = openings((folder / "drawn.jsonl").read_bytes(), "drawn.jsonl", {})
    assert [field["size"] for field in fields] == [8] * 4
    assert len({json.dumps(field) for field in fields}) == 4
    assert gyoji("check", "--contest", folder / "drawn.jsonl").exit_code == 0
    assert (
        gyoji("draw", "--seed", 7, "--size", 8).stdout
        == (folder / "drawn.jsonl").read_text().split("\n")[0] + "\n"
    )
    assert gyoji("draw", "--seed", 8, "--size", 8).stdout != gyoji("draw", "--seed", 7, "--size", 8).stdout


def test_hidden_treasure_is_drawn_anew_and_nothing_else(folder):
    done = gyoji("hide", "--seed", 3, folder / "good.dighere")
    field = read_field(json.loads(done.stdout))
    assert (field.known, field.agents, field.treasure, len(field.hidden)) == (
        SMALL.known,
        SMALL.agents,
        20,
        2,
    )
    assert field.hidden != SMALL.hidden
    field = read_field(
        json.loads(gyoji("hide", "--hidden", 3, "--total", 60, folder / "good.dighere").stdout)
    )
    assert (len(field.hidden), field.treasure) == (3, 66)


def test_treasure_that_there_is_no_room_for_is_refused(folder):
    done = gyoji("hide", "--hidden", 99, folder / "good.dighere")
    assert done.exit_code == 2
    assert (
        done.stderr
        == f"gyoji: {folder}/good.dighere: count: expected 1 to 44, for so many cells are free, got 99\n"
    )


def test_fields_are_collected_into_a_file_of_openings(folder):
    done = gyoji("collect", folder / "good.dighere", folder / "both.jsonl")
    assert len(openings(done.stdout.encode(), "all.jsonl", {"check_field": False})) == 3
    assert done.stdout.startswith(format_field(SMALL).decode())


def test_a_file_that_cannot_be_read_does_not_keep_the_others_from_being_looked_at(folder):
    three = format_field(SMALL).replace(b'{"direction":0,"x":0,"y":0},', b"", 1)
    (folder / "three.dighere").write_bytes(three)
    (folder / "lines.jsonl").write_bytes(b"{\n" + format_field(SMALL))
    names = ("good.dighere", "three.dighere", "missing.dighere", "lines.jsonl", "bad.dighere")
    done = gyoji("check", *(folder / name for name in names))
    told = done.stderr.splitlines()
    assert told[:2] == [
        f"gyoji: {folder}/three.dighere: field.agents: expected 4, got 3",
        f"gyoji: {folder}/missing.dighere: No such file or directory",
    ]
    assert told[2].startswith(f"gyoji: {folder}/lines.jsonl:1: no JSON")
    lines = done.stdout.splitlines()
    assert [line.split(":")[0].rpartition("/")[2] for line in lines if " holes, " in line] == [
        "good.dighere",
        "lines.jsonl",
        "bad.dighere",
    ]
    assert lines[-1] == "3 fields, 1 of them excluded; 3 cannot be read"
    assert done.exit_code == 2


def test_what_makes_files_of_fields_still_refuses_one_that_cannot_be_read(folder):
    (folder / "empty.dighere").write_bytes(b"")
    done = gyoji("collect", folder / "good.dighere", folder / "empty.dighere")
    assert done.exit_code == 2
    assert f"{folder}/empty.dighere: no JSON" in done.stderr
