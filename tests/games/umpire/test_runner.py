"""What a relay's runner printed, and how it ended, as the end of a game."""

import json

import pytest

from gyoji.core import messages as m
from gyoji.core.plugins import PROTOCOLS
from gyoji.games.umpire.runner import numbers_of

RANKS = '{"stats": {"10": {"rank": 1}, "2": {"rank": 3}, "0": {"rank": 2}}, "log": [1, 2]}'

FOUND = {
    "objects in the order of their numbers": ({"json": "stats.*.rank"}, RANKS, [2, 3, 1]),
    "objects in the order of the text": ({"json": "*.n"}, '{"b": {"n": 4}, "a": {"n": 3.5}}', [4, 3.5]),
    "a list at the end": ({"json": "log"}, RANKS, [1, 2]),
    "an item of a list": ({"json": "0.1"}, "[[5, 6], [7]]", [6]),
    "all items of a list": ({"json": "*.s"}, '[{"s": 1}, {"s": 2}]', [1, 2]),
    "after a log": ({"json": "s"}, 'turn 1\n[info] x\n{\n  "s": [1, 2]\n}\n', [1, 2]),
    "before a last word": ({"json": "s"}, '{"s": [1, 2]}\nbye\n', [1, 2]),
    "the last one": ({"json": "s"}, '{"s": [1, 2]}\n{"s": [3, 4]}\n', [3, 4]),
    "the groups of the last match": (
        {"pattern": r"^score (\d+) (\d+)$"},
        "score 1 2\nscore 30 4\n",
        [30, 4],
    ),
    "a match for each": ({"pattern": r"scored (-?[\d.]+)"}, "a scored 1.5\nb scored -2\n", [1.5, -2]),
}


@pytest.mark.parametrize("name", FOUND)
def test_numbers_are_found(name):
    result, output, numbers = FOUND[name]
    assert list(numbers_of(result, output, "exit 0")) == numbers


MISSING = {
    "no JSON": ({"json": "s"}, "score 1", "wrote no JSON; its output ends with 'score 1'"),
    "nothing": ({"json": "s"}, "", "wrote no JSON"),
    "another path": ({"json": "s.*.x"}, '{"s": 1}', "without anything at 's.*.x'"),
    "a path into a number": ({"json": "s.1"}, '{"s": 1}', "without anything at"),
    "a name of an item of a list": ({"json": "s.x"}, '{"s": [1, 2]}', "JSON without anything at 's.x'"),
    "infinity": ({"json": "s"}, '{"s": [1, 1e400]}', "'inf' at 's', which is no number"),
    "a whole number that is too large": (
        {"json": "s"},
        f'{{"s": [1{"0" * 400}]}}',
        "at 's', which is no number",
    ),
    "infinity in words": ({"pattern": "score (.*)"}, "score inf", "are no numbers"),
    "truth": ({"json": "s"}, '{"s": true}', "'True' at 's', which is no number"),
    "no match": ({"pattern": "score (.)"}, "points 1", "nothing that matches"),
    "no number": ({"pattern": "score (.*)"}, "score high", "are no numbers"),
    "a group that was not there": ({"pattern": "(a)|(b)"}, "a", "are no numbers"),
}


@pytest.mark.parametrize("name", MISSING)
def test_numbers_that_are_not_there_are_told(name):
    result, output, message = MISSING[name]
    with pytest.raises(ValueError, match="wrote") as error:
        numbers_of(result, output, "exit 0")
    assert message in str(error.value)


@pytest.mark.parametrize("result", [{"json": "s"}, {"pattern": "(1)"}])
def test_a_runner_that_failed_has_no_result_whatever_it_printed(result):
    with pytest.raises(ValueError, match=r"exited \(exit 1\)"):
        numbers_of(result, '{"s": [1, 1]}', "exit 1")


def test_an_exit_status_is_a_result_if_it_is_listed():
    result = {"status": {"0": [1, 0], "42": [0, 1]}}
    assert list(numbers_of(result, "", "exit 42")) == [0, 1]
    for status in ("exit 1", "signal 9", "signal 0"):
        with pytest.raises(ValueError, match=f"exited .{status}"):
            numbers_of(result, "", status)


def codec_of(**result):
    return PROTOCOLS.find("relay-program").make_codec({"result": result})


def ended(codec, *output, status="exit 0", broke=()):
    for each in output:
        assert codec.receive(each) == []
    assert codec.send(m.RunnerEnded(status, broke)) == b""
    return codec.receive(b"")


def test_a_game_ends_with_the_output_as_a_picture_and_a_fault_for_each_player_that_broke():
    (said,) = ended(codec_of(json="r"), b'\x1b[2Jhi\n{"r": [', b"2, 1]}\n", broke=((1, "exited (exit 1)"),))
    assert [json.loads(line) for line in said.lines] == [
        {"picture": {"text": '\\u001b[2Jhi\n{"r": [2, 1]}'}},
        {"fault": {"seat": 1, "why": "exited (exit 1)"}},
        {"end": {"places": [2, 1]}},
    ]


def test_a_long_output_is_kept_at_both_ends():
    (said,) = ended(codec_of(json="r", means="points"), b"a" + b"x" * 100_000 + b'\n{"r": [0.5, 1]}')
    picture, end = map(json.loads, said.lines)
    text = picture["picture"]["text"]
    assert len(text) < 17_000
    assert text.startswith("axx")
    assert "characters ..." in text
    assert text.endswith('{"r": [0.5, 1]}')
    assert end == {"end": {"points": [0.5, 1]}}


def test_places_that_are_no_whole_numbers_are_no_result():
    (said,) = ended(codec_of(json="r"), b'{"r": [1.5, 1]}')
    assert isinstance(said, m.Broken)
    assert "as places, which are no whole numbers" in said.detail
