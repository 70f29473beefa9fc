"""The rules of gomoku against golden data: forbidden points and how games end. See golden/gomoku."""

import copy
import gzip
import json
from pathlib import Path

import pytest
from tests.golden import replay

FOLDER = Path(__file__).parents[2] / "golden" / "gomoku"
STRIDES = {"renju.jsonl.gz": 9, "game_ends.jsonl.gz": 3}
"""Not all records at every run; `python -m tests.golden tests/golden` takes all."""


def records_of(name):
    return [json.loads(line) for line in gzip.decompress((FOLDER / name).read_bytes()).splitlines()]


@pytest.mark.parametrize("name", STRIDES)
def test_records_are_as_they_should_be(name):
    for record in records_of(name)[:: STRIDES[name]]:
        assert (record["id"], replay.first_difference(record)) == (record["id"], None)


def changed(record, key, value):
    other = copy.deepcopy(record)
    other[key] = value
    return other


def test_anything_wrong_in_a_position_is_noticed():
    lists = ("five", "overline", "double_four", "double_three", "forbidden")
    records = [record for record in records_of("renju.jsonl.gz") if record["five"] and record["overline"]]
    wrong = []
    for record in records[:5]:
        wrong += [changed(record, key, [*record[key], [0, 0], [14, 14]]) for key in lists]
        wrong += [changed(record, key, record[key][1:]) for key in lists if record[key]]
        wrong.append(changed(record, "stones", record["stones"] + 1))
        wrong.append(changed(record, "moves", record["moves"] + "p1"))
    assert len(wrong) > 40
    assert [each for each in wrong if replay.first_difference(each) is None] == []


def test_anything_wrong_in_a_game_is_noticed():
    records = records_of("game_ends.jsonl.gz")
    wrong = []
    for end in ("line", "forbidden", "full_board", "unfinished"):
        record = next(record for record in records if record["end"] == end)
        wrong.append(changed(record, "end", "line" if end != "line" else "unfinished"))
        wrong.append(changed(record, "winner", "white" if record["winner"] != "white" else "black"))
        wrong.append(changed(record, "plies", record["plies"] - 1))
        wrong.append(changed(record, "lines", [[[0, 0]]]))
        wrong.append(changed(record, "forbidden_types", ["overline", "double_four"]))
    line = next(record for record in records if len(record.get("lines", ())) == 2)
    wrong.append(changed(line, "lines", line["lines"][:1]))
    wrong.append(changed(line, "moves", line["moves"] + "a1"))
    assert [each for each in wrong if replay.first_difference(each) is None] == []
