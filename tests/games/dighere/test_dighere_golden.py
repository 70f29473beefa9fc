"""The rules, the protocol and the logs of Dig Here against golden data. See golden/dighere/README.md."""

import copy
import gzip
import json
from pathlib import Path

import pytest
from tests.golden import replay

FOLDER = Path(__file__).parents[2] / "golden" / "dighere"
WHOLE = ("legal", "odd", "short")
STRIDE = 5
"""Of other files every fifth record; `python -m tests.golden tests/golden` takes all."""


def records_of(name):
    lines = gzip.decompress((FOLDER / f"{name}.jsonl.gz").read_bytes()).decode().splitlines()
    return [json.loads(line) for line in lines]


@pytest.mark.parametrize("name", ["fuzz", "legal", "odd", "pair", "short", "target"])
def test_games_go_as_they_should(name):
    records = records_of(name)
    for record in records if name in WHOLE else records[len(name) % STRIDE :: STRIDE]:
        assert (record["id"], replay.first_difference(record)) == (record["id"], None)


def spoiled(record):
    """Yield the record, wrong in one way at a time."""
    log = json.loads(record["log"])

    def changed(change):
        other = copy.deepcopy(log)
        change(other)
        return record | {"log": json.dumps(other, sort_keys=True, separators=(",", ":")) + "\n"}

    for step, play in enumerate(log["plays"]):
        for key in ("actions", "plans", "scores"):
            for index in range(len(play[key])):

                def bump(other, step=step, key=key, index=index):
                    other["plays"][step][key][index] += 1

                yield changed(bump)
        for index in range(4):
            for key in ("x", "y", "direction"):

                def turn(other, step=step, index=index, key=key):
                    other["plays"][step]["agents"][index][key] += 1

                yield changed(turn)
        for seat in range(4):

            def wait(other, step=step, seat=seat):
                other["plays"][step]["timeLeft"][seat] -= 1

            if step + 1 < len(log["plays"]):
                yield changed(wait)
    yield changed(lambda other: other["plays"].pop())
    yield changed(lambda other: other["plays"].append(other["plays"][-1]))
    for kind in (kind for kind in ("holes", "known", "hidden") if log["field"][kind]):
        yield changed(lambda other, kind=kind: other["field"][kind].pop())
    yield record | {"log": record["log"].replace(",", ", ")}
    for seat in range(4):
        for at in range(0, len(record["stdin"][seat]), 97):
            told = list(record["stdin"])
            told[seat] = told[seat][:at] + "x" + told[seat][at + 1 :]
            yield record | {"stdin": told}


def test_anything_wrong_in_a_game_is_noticed():
    record = next(each for each in records_of("fuzz") if 5 < len(json.loads(each["log"])["plays"]) < 15)
    wrong = list(spoiled(record))
    assert len(wrong) > 200
    assert [each for each in wrong if replay.first_difference(each) is None] == []
