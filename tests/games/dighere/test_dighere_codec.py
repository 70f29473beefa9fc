"""The codec of Dig Here: 13 lines to the byte, plans as C reads them, and blame for what was said unasked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from gyoji.core.clocks import TimeControl
from gyoji.core.faults import FaultKind
from gyoji.core.messages import (
    Acknowledged,
    AskMove,
    AskScore,
    Broken,
    HasQuit,
    Malformed,
    Moved,
    NewGame,
    Quit,
    Ready,
    Scored,
    TellMoves,
)
from gyoji.games.dighere.codec import Options, codec
from gyoji.games.dighere.fields import Agent, Field
from gyoji.games.dighere.plans import LARGEST_PLAN, Cell, Treasure
from gyoji.games.dighere.rules import DigHereRules
from gyoji.testing.codec_kit import Exchange, check_codec

CONTROL = TimeControl.parse("10s")
FIELD = Field(
    size=10,
    steps=100,
    agents=(Agent(9, 5), Agent(2, 3), Agent(4, 2), Agent(0, 5)),
    holes=(Cell(5, 1), Cell(7, 3)),
    known=(Treasure(6, 6, 6),),
    hidden=(Treasure(9, 6, 4), Treasure(4, 3, 8), Treasure(0, 6, 8)),
    think_time=60_000,
)
RULES = DigHereRules(FIELD)
START = RULES.start()
LATER = RULES.play(START, ((0, 4), (1, 3), (2, 6), (3, 0)))  # 3 is no plan of a samurai; the last one barks
READY = Ready(can_score=False, knows_rules=True, takes_back=False)


def prepare(seat=2, control=CONTROL):
    return NewGame(seat, RULES, RULES.view(START, seat), control)


def ask(seat=2, position=START, ms=10_000):
    return AskMove(RULES.view(position, seat), (), "", replace(CONTROL.start(), main=ms * 1_000_000))


def prepared(**settings):
    conversation = codec(Options())
    conversation.send(prepare(**settings))
    assert conversation.receive(b"") == [READY]
    return conversation


def asked():
    conversation = prepared()
    conversation.send(ask())
    return conversation


FIRST = (
    b"2\n10\n0\n100\n2 5 1 7 3\n1 6 6 6\n1 4 3 8\n9 5 2 3 4 2 0 5\n-1 -1 -1 -1\n-1 -1 -1 -1\n0 0\n26\n10000\n"
)
SECOND = (
    b"2\n10\n1\n100\n2 5 1 7 3\n2 6 6 6 0 6 8\n1 4 3 8\n9 4 2 3 5 2 0 6\n4 -1 6 0\n4 -1 6 0\n0 0\n26\n9876\n"
)


def test_a_question_has_13_lines_to_the_byte_and_an_agent_is_told_nothing_else():
    check_codec(
        lambda: codec(Options()),
        [
            [
                Exchange(request=prepare(), sent=b"", heard=b"\n", replies=(READY,)),
                Exchange(request=ask(), sent=FIRST, heard=b"6\n", replies=(Moved(6),)),
                Exchange(
                    request=ask(position=LATER, ms=9876), sent=SECOND, heard=b" -1 ", replies=(Moved(-1),)
                ),
                Exchange(request=TellMoves(None, ()), sent=b"", heard=b" \n", replies=(Acknowledged(),)),
                Exchange(request=AskScore(), sent=b"", heard=b"\n", replies=(Scored(),)),
                Exchange(request=Quit(), sent=b"", heard=b"bye\n", replies=(HasQuit(),)),
            ]
        ],
    )


def test_a_samurai_is_told_of_no_hidden_treasure_and_a_list_without_anything_is_0():
    lines = prepared(seat=1).send(ask(seat=1)).decode().splitlines()
    assert (lines[0], lines[6]) == ("1", "0")


def test_in_byo_yomi_the_last_line_is_the_time_left_of_the_period():
    control = TimeControl.parse("40/300")
    late = replace(ask(), clock=control.spend(control.start(), 100 * 10**9))
    assert prepared(control=control).send(late).decode().splitlines()[12] == "200000"


@pytest.mark.parametrize(
    ("control", "ms", "told"),
    [
        (TimeControl.parse("10s"), 9_999, "9999"),
        (TimeControl(main=10**9, margin=10**9), -5, "0"),
        (TimeControl.parse("2s/move"), 0, "2000"),
        (TimeControl(), 0, "60000"),
    ],
)
def test_the_last_line_is_the_time_left_or_what_there_always_is(control, ms, told):
    lines = prepared(control=control).send(ask(ms=ms)).decode().splitlines()
    assert lines[12] == told


NUMBERS = {
    b"4\n": 4,
    b"-1\n": -1,
    b"14 ": 14,
    b"4\r\n": 4,
    b"+4\n": 4,
    b"007\n": 7,
    b"-0\n": 0,
    b" \t\r\n\v\f 22\n": 22,
    b"\n\n\n6\n": 6,
    b"0" * 5000 + b"5\n": 5,
    b"2147483647\n": LARGEST_PLAN,
    b"4294967302\n": LARGEST_PLAN,
    b"-99999999999999999999999\n": -LARGEST_PLAN,
}


@pytest.mark.parametrize("said", NUMBERS)
def test_a_number_is_read_as_c_reads_it_and_one_of_more_than_32_bits_is_the_nearest(said):
    assert list(asked().receive(said)) == [Moved(NUMBERS[said])]


GARBAGE = [
    b"abc",
    b"4abc",
    b"3.7",
    b"0x4",
    b"-",
    b"+",
    b"- 4",
    b"--4",
    b"four 4",
    b"\xff\xfe",
    b"4\x00",
    b"4_0",
    "\uff14".encode(),
]


@pytest.mark.parametrize("line", GARBAGE)
def test_garbage_is_never_a_plan(line):
    (reply,) = asked().receive(line + b"\n")
    assert reply == Malformed(line.decode("utf-8", "replace"))
    conversation = asked()
    assert conversation.receive(line) == []
    assert conversation.finish() == [reply]


def test_answers_and_garbage_come_out_the_same_however_they_are_cut():
    begun = Exchange(request=prepare(), heard=b"\n", replies=(READY,))
    early = Broken(FaultKind.PROTOCOL, "before it was asked")
    conversations = [
        [begun, Exchange(request=ask(), heard=said, replies=(Moved(plan),))] for said, plan in NUMBERS.items()
    ]
    conversations += [
        [
            begun,
            Exchange(
                request=ask(), heard=line + b"\n", replies=(Malformed(line.decode("utf-8", "replace")),)
            ),
        ]
        for line in GARBAGE
    ]
    conversations += [
        [begun, Exchange(request=ask(), heard=b"6", replies=(Moved(6),), closes=True)],
        [begun, Exchange(request=ask(), heard=b"4 5\n", replies=(Moved(4), early))],
        [begun, Exchange(request=ask(), heard=b"4\n5\n", replies=(Moved(4), early))],
        [begun, Exchange(request=ask(), heard=b"4 north\n", replies=(Moved(4), early))],
        [begun, Exchange(request=ask(), heard=b"x\n5\n", replies=(Malformed("x"), early))],
        [Exchange(request=prepare(), heard=b"hello\n", replies=(READY, early))],
    ]
    check_codec(lambda: codec(Options()), conversations, tail=b"\n \r\n")


def test_a_number_without_an_end_counts_once_the_output_ends():
    conversation = asked()
    assert conversation.receive(b"1") == []
    assert conversation.receive(b"4") == []
    assert conversation.finish() == [Moved(14)]
    assert conversation.finish() == []


def test_an_answer_that_has_not_begun_is_none_when_the_output_ends():
    conversation = asked()
    assert conversation.receive(b" \n") == []
    assert conversation.finish() == []


def test_what_is_said_before_the_question_breaks_the_conversation_and_is_never_played():
    conversation = asked()
    moved, broken = conversation.receive(b"4\n6\n")
    assert moved == Moved(4)
    assert broken == Broken(FaultKind.PROTOCOL, "said '6' before it was asked")
    assert conversation.send(ask(position=LATER)) == b""
    assert conversation.receive(b"6\n") == []


def test_blanks_between_questions_mean_nothing():
    conversation = asked()
    assert list(conversation.receive(b"4\n\n \r\n")) == [Moved(4)]
    assert conversation.receive(b"\n\n") == []
    conversation.send(ask(position=LATER))
    assert list(conversation.receive(b"\n6\n")) == [Moved(6)]


@given(st.binary(max_size=40))
def test_whatever_is_said_is_one_answer_at_most(data):
    conversation = asked()
    replies = [*conversation.receive(data), *conversation.finish()]
    answers = [reply for reply in replies if isinstance(reply, Moved | Malformed)]
    assert len(answers) == (1 if data.strip() else 0)
    assert replies[: len(answers)] == answers
    assert len(replies) - len(answers) <= 1


@given(st.integers(-LARGEST_PLAN, LARGEST_PLAN))
def test_every_plan_that_can_be_written_is_read_again(plan):
    assert list(asked().receive(b"%d\n" % plan)) == [Moved(plan)]
