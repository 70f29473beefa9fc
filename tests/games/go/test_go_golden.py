"""The rules of Go against golden data: games, boards and texts of rulesets. See golden/go/README.md."""

import copy
import gzip
import json
from pathlib import Path

import pytest
from tests.golden import replay

FOLDER = Path(__file__).parents[2] / "golden" / "go"
WHOLE = ("smoke.jsonl", "rules_strings.jsonl")
STRIDE = 12
"""Of other files every twelfth record; `.ci/run nightly` takes all, by `python -m tests.golden`."""


def lines_of(name):
    content = (FOLDER / name).read_bytes()
    return (gzip.decompress(content) if name.endswith(".gz") else content).decode().splitlines()


@pytest.mark.parametrize("name", WHOLE)
def test_every_record_is_as_it_should_be(name, capsys):
    assert replay.main([str(FOLDER / name)]) == 0
    assert capsys.readouterr().out == f"{len(lines_of(name))} passed, 0 failed\n"


@pytest.mark.parametrize("name", sorted(path.name for path in FOLDER.glob("*.gz")))
def test_games_and_areas_are_as_they_should_be(name):
    for line in lines_of(name)[len(name) % STRIDE :: STRIDE]:
        record = json.loads(line)
        assert (record["id"], replay.first_difference(record)) == (record["id"], None)


def changed(record, key, value):
    other = copy.deepcopy(record)
    other[key] = value
    return other


def spoiled(record):
    """Yield the record, wrong in one way at a time."""
    yield changed(record, "cap", [*record["cap"], [record["end"]["n"], 5]])
    yield changed(record, "cap", record["cap"][:-1])
    yield changed(record, "ph", record["ph"][:-1])
    yield changed(record, "ph", [[i, phase, "other"] for i, phase, _ in record["ph"]])
    yield changed(record, "pfk", record["pfk"][:-1])
    yield changed(record, "pfk", [*record["pfk"], 1])
    yield changed(record, "apa", [0, 0.5])
    yield changed(record, "hb0", 9)
    yield changed(record, "mv", record["mv"] + " A1")
    for index, (number, picture) in enumerate(record["s"]):
        for sign in sorted(set(picture) - {"/"}):
            pictures = copy.deepcopy(record["s"])
            pictures[index] = [number, picture.replace(sign, "s" if sign == "." else ".", 1)]
            yield changed(record, "s", pictures)
    for key in record["end"]:
        yield changed(record, "end", record["end"] | {key: "other"})


def test_anything_wrong_in_a_game_is_noticed():
    records = [json.loads(line) for line in lines_of("smoke.jsonl")]
    (record, *_) = [each for each in records if len(each["pfk"]) > 1 and len(each["ph"]) == 2 and each["cap"]]
    wrong = list(spoiled(record))
    assert len(wrong) > 50
    assert [each for each in wrong if replay.first_difference(each) is None] == []


def test_differences_are_printed_and_the_status_is_1(tmp_path, capsys):
    record = json.loads(lines_of("smoke.jsonl")[0])
    record["end"]["score"] += 1
    path = tmp_path / "wrong.jsonl"
    path.write_text("\n".join([json.dumps(record)] * 15) + "\n" + lines_of("smoke.jsonl")[1])
    assert replay.main([str(tmp_path)]) == 1
    out = capsys.readouterr().out.splitlines()
    assert len(out) == replay.SHOWN + 1
    assert out[0] == f"{path}:1: {record['id']}: end: score is 4.5, expected 5.5"
    assert out[-1] == "1 passed, 15 failed"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"id": "a"}', "no game here knows this kind of record"),
        ("[1]", "expected a JSON object"),
        ("nothing", "Expecting value"),
        (None, "there is no such file or folder"),
    ],
)
def test_what_cannot_be_read_gives_status_2(tmp_path, capsys, text, message):
    path = tmp_path / "odd.jsonl"
    if text is not None:
        path.write_text(text)
    assert replay.main([str(path)]) == 2
    assert message in capsys.readouterr().err


def test_a_damaged_archive_gives_status_2(tmp_path, capsys):
    path = tmp_path / "cut.jsonl.gz"
    path.write_bytes((FOLDER / "areas.jsonl.gz").read_bytes()[:1000])
    assert replay.main([str(path)]) == 2
    assert str(path) in capsys.readouterr().err


def test_records_can_be_picked_by_their_id(capsys):
    assert replay.main([str(FOLDER / "smoke.jsonl"), "-k", "positional-area-all-s0"]) == 0
    passed = int(capsys.readouterr().out.split()[0])
    assert 0 < passed < len(lines_of("smoke.jsonl"))
