"""Values survive a conversion to JSON and back."""

import subprocess
import sys

import pytest

from gyoji.core import wire
from gyoji.core.clocks import Meter, TimeControl
from gyoji.core.outcome import Ending, Outcome
from gyoji.core.record import EngineReport, GameRecord, GameResult, Played
from gyoji.core.spec import Budgets, GameSpec, Player

SPEC = GameSpec(
    id="0_1",
    pairing="0",
    game="go",
    players=(
        Player(code="a", command=("x", "--y"), environ={"K": "V"}, options={"allow_claim": True}),
        Player(code="b", command=("z",), clock=TimeControl(main=5, meter=Meter.CPU), budgets=Budgets(line=9)),
    ),
    options={"board_size": [9, 13], "komi": 7.5},
    clock=TimeControl.parse("1m + 2s/move"),
)
RECORD = GameRecord(
    result=GameResult(
        id="0_1",
        pairing="0",
        players=("a", "b"),
        outcome=Outcome(points=(1.0, 0.0), ending=Ending.SCORE, margin=3.5),
        turns=1,
        engines=(EngineReport(name="A"), EngineReport(cpu_ns=5)),
        started="2026-11-21T06:00:00+00:00",
        wall_ns=123,
        scores=("B+3.5", ""),
    ),
    turns=((Played(0, "D4", 17, "a comment\nof two lines"),),),
    final_remarks=((1, "good game"),),
)


@pytest.mark.parametrize("value", [SPEC, RECORD, RECORD.result, RECORD.result.outcome])
def test_a_value_written_and_read_is_the_same(value):
    assert wire.loads(type(value), wire.dumps(value)) == value
    assert wire.decode(type(value), wire.encode(value)) == value


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        (Budgets, "{}", Budgets()),
        (Outcome, '{"points":[1,0],"ending":"five"}', Outcome(points=(1.0, 0.0), ending=Ending("five"))),
        (Outcome, '{"ending":"time","points":null}', Outcome(points=None, ending=Ending.TIME)),
        (Played, '[0,"D4",17]', Played(0, "D4", 17)),
        (Player, '{"code":"a","command":[]}', Player(code="a", command=())),
        (TimeControl, '{"main":5,"meter":"cpu"}', TimeControl(main=5, meter=Meter.CPU)),
    ],
)
def test_what_was_written_before_a_field_was_there_has_its_default(kind, text, value):
    assert wire.loads(kind, text) == value


def test_a_value_that_makes_no_sense_is_refused_where_it_is_read():
    with pytest.raises(ValueError, match="increment and byo-yomi do not go together"):
        wire.loads(TimeControl, '{"main":1,"increment":1,"period":1,"periods":1}')


def test_the_name_of_a_file_that_is_not_utf_8_is_sent_and_stored_as_it_is():
    player = Player(code="a", command=("/opt/caf\udce9",), options={"size": (9, 13)})
    text = wire.dumps(player)
    assert text.encode() == rb'{"code":"a","command":["/opt/caf\udce9"],"options":{"size":[9,13]}}'
    assert wire.loads(Player, text).command == player.command
    assert wire.reader(Player)(text.encode()).command == player.command
    assert wire.encode(player)["command"] == list(player.command)


def test_all_that_stands_at_its_default_is_left_out():
    assert wire.dumps(SPEC.players[0]) == (
        '{"code":"a","command":["x","--y"],"environ":{"K":"V"},"options":{"allow_claim":true}}'
    )


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (Budgets, '{"line": "long"}'),
        (Budgets, '{"nine": 9}'),
        (Budgets, "[]"),
        (GameSpec, "{}"),
        (Outcome, '{"points": [1, true], "ending": "score"}'),
        (Outcome, '{"points": null, "ending": "Boredom!"}'),
        (Played, '[0, "D4"]'),
        (Budgets, "{"),
    ],
)
def test_what_is_not_that_value_is_refused(kind, text):
    with pytest.raises(ValueError, match=r"."):
        wire.loads(kind, text)


def test_what_has_no_json_form_is_refused():
    with pytest.raises(TypeError):
        wire.dumps(object())


def test_an_ending_of_a_game_is_one_object_whenever_it_is_read():
    read = wire.reader(Outcome)
    mate = Ending("mate in three")
    for _ in range(2):
        assert read('{"points": null, "ending": "mate in three"}').ending is mate
        assert Ending("mate in three") is mate


THREADS = """
import sys, threading
from gyoji.core import wire

def decode_at_once():
    class Inner(wire.Value, frozen=True, kw_only=True):
        text: str = ""
    class Outer(wire.Value, frozen=True, kw_only=True):
        inner: Inner = Inner()
    begin = threading.Barrier(4)
    def decode(read):
        begin.wait()
        read()
    reads = [lambda: wire.decode(Outer, {"inner": {"text": "a"}}), lambda: wire.loads(Outer, b'{"inner":{}}')]
    threads = [threading.Thread(target=decode, args=(read,)) for read in reads * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

sys.setswitchinterval(1e-6)
for _ in range(2000):
    decode_at_once()
"""


def test_threads_may_decode_a_class_for_the_first_time_at_once():
    done = subprocess.run([sys.executable, "-c", THREADS], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
