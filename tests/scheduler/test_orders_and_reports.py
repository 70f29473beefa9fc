"""A report arrives as it was sent, and what is no report does not arrive."""

import pytest
from fakes import make_record, make_spec, make_void
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from gyoji.core import wire
from gyoji.core.record import Played
from gyoji.play.order import Files, Order, Report
from gyoji.play.worker_messages import read_from_worker, read_to_worker
from gyoji.store.game_texts import Finished

SPEC = make_spec(1)
TEXT = st.text(max_size=12) | st.sampled_from(['"},"turns":[', '","log":["', "\\", "\t", "\n"])


def received(line):
    assert line.count(b"\n") == 1
    return read_from_worker(line).report(SPEC)


@given(
    turns=st.lists(st.tuples(st.builds(Played, st.integers(0, 1), TEXT, st.integers(0, 9), TEXT))).map(tuple),
    remarks=st.lists(st.tuples(st.integers(0, 1), TEXT), max_size=2).map(tuple),
    warnings=st.lists(TEXT, max_size=2).map(tuple),
    log=st.lists(TEXT, max_size=2).map(tuple),
)
def test_a_finished_game_arrives_as_it_was_sent(turns, remarks, warnings, log):
    first = make_record(SPEC, warnings=warnings)
    record = type(first)(result=first.result, turns=turns, final_remarks=remarks)
    report = Report.of(SPEC, record, log)
    arrived = received(wire.dump_line(report.sent()))
    assert (arrived.record, arrived.void, arrived.log) == (record, None, log)
    assert arrived.finished == Finished.of(SPEC, record)
    assert arrived == report


def test_a_report_with_the_name_of_a_file_that_is_not_utf_8_arrives():
    record = structs.replace(make_record(SPEC), turns=((Played(0, "D4", 1, "caf\udce9"),),))
    report = Report.of(SPEC, record, ("cannot write caf\udce9",))
    arrived = received(wire.dump_line(report.sent()))
    assert arrived.record == structs.replace(record, turns=((Played(0, "D4", 1, "caf\\udce9"),),))
    assert arrived.log == ("cannot write caf\\udce9",)


def test_a_void_game_arrives_as_it_was_sent():
    report = Report(void=make_void(SPEC), log=("x",))
    arrived = received(wire.dump_line(report.sent()))
    assert arrived == report
    assert (arrived.record, arrived.finished) == (None, None)


GOOD = wire.dumps(Report.of(SPEC, make_record(SPEC)).sent())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        "nonsense",
        GOOD[:-1],
        GOOD[:-9],
        GOOD + "}",
        GOOD.replace('"turns":[', '"moves":['),
        GOOD.replace('"g1"', '"g2"'),
        GOOD.replace('"points":[1.0,0.0],', '"points":"1",'),
        wire.dumps(Report(void=make_void(make_spec(2))).sent()),
        '{"type":"report","log":["x"]}',
        '{"type":"report","result":[],"rest":{"turns":[]}}',
        GOOD.partition(',"rest"')[0] + "}",
    ],
)
def test_what_is_no_report_of_the_game_is_refused(text):
    with pytest.raises(ValueError, match=r"."):
        read_from_worker(text).report(SPEC)


@pytest.mark.parametrize(
    "order",
    [
        Order(spec=SPEC),
        Order(spec=make_spec(2, 'a "note"'), slot=3, watch=True),
        Order(spec=SPEC, slot=0, files=Files(records="/x", formats=("sgf",), transcript="/y")),
    ],
)
def test_an_order_is_sent_as_it_is(order):
    assert read_to_worker(wire.dump_line(order)) == order
