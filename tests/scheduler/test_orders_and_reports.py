"""A report arrives as it was sent, and what is no report does not arrive."""

import pytest
from fakes import make_record, make_spec, make_void
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from gyoji.core import wire
from gyoji.core.record import Played
from gyoji.core.spec import Player
from gyoji.play.order import Files, Order, Report
from gyoji.play.order_lines import ABANDON, OrderReader, OrderWriter, read_instruction
from gyoji.store.stored import Finished, SpecSplitter

SPEC = make_spec(1)
TEXT = st.text(max_size=12) | st.sampled_from(['"},"turns":[', '","log":["', "\\", "\t", "\n"])


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
    line = report.line()
    assert "\n" not in line
    arrived = Report.read(SPEC, line)
    assert (arrived.record, arrived.void, arrived.log) == (record, None, log)
    assert arrived.finished == Finished.of(SPEC, record)
    assert arrived == report


def test_a_report_with_the_name_of_a_file_that_is_not_utf_8_arrives():
    record = structs.replace(make_record(SPEC), turns=((Played(0, "D4", 1, "caf\udce9"),),))
    report = Report.of(SPEC, record, ("cannot write caf\udce9",))
    assert Report.read(SPEC, report.line()) == report
    assert Report.read(SPEC, report.line()).record == record


def test_a_void_game_arrives_as_it_was_sent():
    report = Report(void=make_void(SPEC), log=("x",))
    arrived = Report.read(SPEC, report.line())
    assert arrived == report
    assert (arrived.record, arrived.finished) == (None, None)


GOOD = wire.dumps(Report.of(SPEC, make_record(SPEC)))


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
        Report(void=make_void(make_spec(2))).line(),
        '{"report":{"log":["x"]}}',
        f"{GOOD}\t{{}}",
        GOOD.rpartition("\t")[0],
    ],
)
def test_what_is_no_report_of_the_game_is_refused(text):
    with pytest.raises((ValueError, TypeError, KeyError, AttributeError)):
        Report.read(SPEC, text)


@pytest.mark.parametrize(
    "order",
    [
        Order(spec=SPEC),
        Order(spec=make_spec(2, 'a "note"'), slot=3, watch=True),
        Order(spec=SPEC, slot=0, files=Files(records="/x", formats=("sgf",), transcript="/y")),
    ],
)
def test_an_order_is_sent_as_it_is(order):
    writer, reader = OrderWriter(SpecSplitter()), OrderReader()
    for _ in range(2):
        assert reader.order(read_instruction(writer.line(order))) == order


def test_players_and_settings_are_sent_once():
    writer = OrderWriter(SpecSplitter())
    first, *others = [writer.line(Order(spec=make_spec(number))) for number in range(3)]
    assert first.count("/bin/true") == 2
    assert [line.count("/bin/true") + line.count('"game"') for line in others] == [0, 0]


def test_each_worker_is_told_what_another_has_been_told():
    splitter, order = SpecSplitter(), Order(spec=SPEC)
    for _ in range(2):
        assert OrderReader().order(read_instruction(OrderWriter(splitter).line(order))) == order


def test_players_and_settings_without_end_are_forgotten_on_both_sides():
    writer, reader = OrderWriter(SpecSplitter()), OrderReader()
    for number in range(1500):
        players = (Player(code=f"c{number}", command=("/bin/true",)), SPEC.players[1])
        spec = structs.replace(make_spec(number), players=players, options={"opening": f"{number % 7}"})
        assert reader.order(read_instruction(writer.line(Order(spec=spec)))) == Order(spec=spec)
    assert len(reader._players) < 510


def test_who_ends_a_game_is_understood():
    instruction = read_instruction(ABANDON)
    assert (instruction.abandon, OrderReader().order(instruction)) == (True, None)
