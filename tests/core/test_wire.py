"""Values survive their journey through JSON."""

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
    ("kind", "text"),
    [
        (Budgets, '{"line": "long"}'),
        (Budgets, '{"nine": 9}'),
        (Budgets, "[]"),
        (GameSpec, "{}"),
        (Outcome, '{"points": [1, true], "ending": "score"}'),
        (Outcome, '{"points": null, "ending": "boredom"}'),
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
