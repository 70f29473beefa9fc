"""The text of GTP: answers cut from bytes, time controls, names, and the settings of a player."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gyoji.core.clocks import Clock, TimeControl
from gyoji.protocols.gtp import Options
from gyoji.protocols.gtp.wording import (
    SECOND,
    AnswerReader,
    describe,
    read_answer,
    settings_commands,
    short_name,
    time_left,
)


def read(data, is_numbered=False):
    return [read_answer(answer, is_numbered) for answer in AnswerReader().feed(data)]


ANSWERS = [
    (b"= D4\n\n", [(True, "", "D4")]),
    (b"=D4\n\n", [(True, "", "D4")]),
    (b"= \t D4 \t\n\n", [(True, "", "D4")]),
    (b"=\n\n", [(True, "", "")]),
    (b"=   \n\n", [(True, "", "")]),
    (b"? unknown command\n\n", [(False, "", "unknown command")]),
    (b"?\n\n", [(False, "", "")]),
    (b"= D4\r\n\r\n", [(True, "", "D4")]),
    (b"= one\n two\nthree\n\n", [(True, "", "one\n two\nthree")]),
    (b"=\nA\tB\n\n", [(True, "", "\nA B")]),
    (b"\n\r\n  \t\n\n= D4\n\n", [(True, "", "D4")]),
    (b"# hello\n\n # again\n= D4\n# kept\n\n", [(True, "", "D4\n# kept")]),
    (b"= D\x004\x07\x7f\n\x00\n", [(True, "", "D4")]),
    (b"\x00= D4\n\n", [(True, "", "D4")]),
    (b"= a\n\n\n\n= b\n\n", [(True, "", "a"), (True, "", "b")]),
    ("= M\u00fcller \u7881\n\n".encode(), [(True, "", "M\u00fcller \u7881")]),
    (b"= M\xfcller \xc3(\n\n", [(True, "", "M?ller ?(")]),
    (b"=7 D4\n\n", [(True, "7", "D4")]),
    (b"=2\n\n", [(True, "", "2")]),
    (b"= 2\n\n", [(True, "", "2")]),
    (b"=2.0\n\n", [(True, "", "2.0")]),
    (b"= D4\n", []),
    (b"= D4", []),
    (b"", []),
]


@pytest.mark.parametrize(("data", "expected"), ANSWERS)
def test_an_answer_is_read_by_the_rules_of_the_wire(data, expected):
    assert read(data) == expected


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"=7 D4\n\n", [(True, "7", "D4")]),
        (b"=7\n\n", [(True, "7", "")]),
        (b"?12 no\n\n", [(False, "12", "no")]),
        (b"= 7 D4\n\n", [(True, "", "7 D4")]),
    ],
)
def test_where_commands_are_numbered_the_number_is_taken_off(data, expected):
    assert read(data, is_numbered=True) == expected


@pytest.mark.parametrize("line", [b"hello", b" = D4", b"GNU Go> ", b"\xff"])
def test_a_line_that_begins_no_answer_is_kept_as_stray(line):
    answers = AnswerReader()
    assert answers.feed(b"= D4\n\n\n" + line + b"\n= E5\n\n") == [b"= D4"]
    assert answers.stray == line


@pytest.mark.parametrize(
    ("data", "has_begun"),
    [
        (b"", False),
        (b"  \t\x00\r", False),
        (b"\n# a comment", False),
        (b"#", False),
        (b"= D4\n\n", False),
        (b"=", True),
        (b"= D4\n", True),
        (b"  x", True),
    ],
)
def test_blanks_and_comments_are_no_beginning_of_an_answer(data, has_begun):
    answers = AnswerReader()
    answers.feed(data)
    assert answers.has_begun == has_begun
    one_by_one = AnswerReader()
    for byte in data:
        one_by_one.feed(bytes([byte]))
    assert one_by_one.has_begun == has_begun


@given(
    st.lists(st.sampled_from([b"=", b"?", b" ", b"\n", b"\n\n", b"\r", b"D4", b"#", b"\t", b"7"])), st.data()
)
def test_where_the_bytes_are_cut_makes_no_difference(pieces, data):
    whole = b"".join(pieces)
    places = sorted(data.draw(st.sets(st.integers(0, len(whole)))))
    cut = [whole[start:end] for start, end in zip([0, *places], [*places, len(whole)], strict=True)]
    at_once, in_pieces = AnswerReader(), AnswerReader()
    expected = at_once.feed(whole)
    got = []
    for piece in cut:
        if not in_pieces.stray:
            got += in_pieces.feed(piece)
    assert got == expected
    assert in_pieces.stray == at_once.stray
    if not at_once.stray:
        assert (in_pieces.begun(), in_pieces.has_begun) == (at_once.begun(), at_once.has_begun)


@pytest.mark.parametrize("line_end", [b"x", b"\n="], ids=["one line", "many lines"])
def test_a_long_answer_byte_by_byte_takes_time_in_proportion(line_end):
    def seconds(size):
        answers, filler = AnswerReader(), (b"=" + line_end * size)[: size + 1]
        began = time.process_time()
        for byte in filler:
            answers.feed(b"%c" % byte)
        spent = time.process_time() - began
        (answer,) = answers.feed(b"\n\n")
        assert len(answer) == len(filler)
        return spent

    few, many = min(seconds(1 << 14) for _ in range(3)), seconds(1 << 18)
    assert many < few * 16 * 5


MOGO = (
    "MoGo 3. Please read http://example.org/mogo.htm for more information. That is not an official version, "
    "but a public release."
)
PACHI = "Pachi UCT 8.99 (Hakugen-devel): I'm playing UCT. Anyone can send me 'winrate' in private chat."
LONG_VERSION = "release-20 " + "x" * 60
MIDDLING = "1.0-" + "y" * 30


@pytest.mark.parametrize(
    ("name", "version", "text", "short", "description"),
    [
        ("", "", "", "", ""),
        ("GNU Go", "3.8", "", "GNU Go:3.8", "GNU Go:3.8"),
        ("GNU Go", "", "", "GNU Go", "GNU Go"),
        ("", "3.8", "", "", "version 3.8"),
        ("GNU Go", "gnu go 3.8", "", "GNU Go:3.8", "GNU Go:3.8"),
        ("GNU Go", "GNU Go", "", "GNU Go", "GNU Go"),
        ("x", MIDDLING, "", "x", f"x:{MIDDLING}"),
        ("x", LONG_VERSION, "", "x:release-20", "x:release-20"),
        ("x", "z" * 70, "", "x", f"x:{'z' * 70}"),
        ("MoGo", MOGO, "", "MoGo:3", "MoGo:3"),
        ("Pachi UCT", PACHI, "", "Pachi UCT:8.99 (Hakugen-devel)", "Pachi UCT:8.99 (Hakugen-devel)"),
        ("x", "1", "x 1\nseed 7\n", "x:1", "x 1\nseed 7"),
        ("", "", "only this", "", "only this"),
        ("two\n lines", "1", "", "two lines:1", "two lines:1"),
    ],
)
def test_engines_are_called_by_name_and_short_version(name, version, text, short, description):
    assert (short_name(name, version), describe(name, version, text)) == (short, description)


@pytest.mark.parametrize(
    ("control", "expected"),
    [
        ("none", ""),
        ("10m", "time_settings 600 0 0"),
        ("0.4s", "kata-time_settings absolute 0.4, time_settings 1 0 0"),
        ("90.9s", "kata-time_settings absolute 90.9, time_settings 90 0 0"),
        ("10m + 5m/25", "time_settings 600 300 25"),
        ("10m + 1x30s", "time_settings 600 30 1"),
        ("0s + 1x0.5s", "kata-time_settings byoyomi 0 0.5 1, time_settings 0 1 1"),
        ("0.5s/move", "kata-time_settings byoyomi 0 0.5 1, time_settings 0 1 1"),
        ("10m + 3x0.5s", "kata-time_settings byoyomi 600 0.5 3, time_settings 600 0 0"),
        ("10m + 4.5s/10", "kata-time_settings canadian 600 4.5 10, time_settings 600 4 10"),
        (
            "15s + 2x2.5s",
            "kata-time_settings byoyomi 15 2.5 2, kgs-time_settings byoyomi 15 2 2, time_settings 15 2 1",
        ),
        ("10m + 3x0.0005s", "time_settings 600 0 0"),
        ("2s + 50ms/move", "kata-time_settings fischer 2 0.05, time_settings 2 0 0"),
        (
            "10m + 3x30s",
            "kgs-time_settings byoyomi 600 30 3, kata-time_settings byoyomi 600 30 3, time_settings 600 30 1",
        ),
        ("5m + 2.5s/move", "kata-time_settings fischer 300 2.5, time_settings 300 2 1"),
        ("3s/move", "time_settings 0 3 1"),
        ("40/300", "time_settings 0 300 40"),
        ("40/300+2", "time_settings 0 300 40"),
        ("40/2.5s", "kata-time_settings canadian 0 2.5 40, time_settings 0 2 40"),
    ],
)
def test_a_time_control_is_told_in_the_nearest_words_an_engine_may_have(control, expected):
    commands = settings_commands(TimeControl.parse(control))
    assert ", ".join(map(" ".join, commands)) == expected


@pytest.mark.parametrize("main", ["1s", "59.999s", "1m"])
@pytest.mark.parametrize("rest", ["", " + 50ms/move", " + 1.9s/move", " + 2x0.9s", " + 2x1.5s", " + 9.9s/10"])
def test_no_control_told_promises_more_time_than_there_is(main, rest):
    control = TimeControl.parse(main + rest)
    for _, arguments in settings_commands(control):
        told, extra, *_ = [*(float(word) for word in arguments.split() if word[0].isdigit()), 0]
        assert told * SECOND <= control.main
        assert extra * SECOND <= max(control.period, control.increment)


@pytest.mark.parametrize(
    ("clock", "counts_periods", "expected"),
    [
        (Clock(600 * SECOND, 0, 1, 0), False, "600 0"),
        (Clock(600 * SECOND, 3, 1, 30 * SECOND), False, "600 0"),
        (Clock(SECOND // 2, 3, 1, 30 * SECOND), False, "0 0"),
        (Clock(0, 0, 1, 0), False, "0 0"),
        (Clock(0, 3, 1, 30 * SECOND), False, "30 1"),
        (Clock(0, 3, 1, 30 * SECOND), True, "30 3"),
        (Clock(0, 1, 17, 29 * SECOND + 5), False, "29 17"),
    ],
)
def test_time_left_is_main_time_without_stones_or_the_period_with_them(clock, counts_periods, expected):
    assert time_left(clock, counts_periods=counts_periods) == expected


@pytest.mark.parametrize(
    ("clock", "expected"),
    [
        (Clock(90 * SECOND + 1_999_999, 0, 1, 0), "90.001 0"),
        (Clock(0, 2, 1, 2 * SECOND + SECOND // 2), "2.5 2"),
        (Clock(-5, 0, 1, 0), "0 0"),
    ],
)
def test_time_left_has_fractions_for_an_engine_that_reads_them(clock, expected):
    assert time_left(clock, counts_periods=True, is_exact=True) == expected


@pytest.mark.parametrize(
    ("commands", "lines"),
    [
        ((), ()),
        (("kata-set-param a 1",), ("kata-set-param a 1",)),
        ((" two  blanks ",), ("two blanks",)),
        ((("level", "10"), "orientation 3"), ("level 10", "orientation 3")),
        (("gr\u00f6\u00dfe 1",), ("gr\u00f6\u00dfe 1",)),
    ],
)
def test_startup_commands_are_lines_or_lists_of_words(commands, lines):
    assert Options(startup_gtp_commands=commands).startup_lines() == lines


@pytest.mark.parametrize(
    "command", ["", "  ", "a\tb", "a\nb", "a\x00", (), ("",), ("a", ""), ("a b",), ("a\n",), ("a", "b\x7f")]
)
def test_a_startup_command_that_is_no_words_is_refused(command):
    with pytest.raises(ValueError, match="startup_gtp_commands: got"):
        Options(startup_gtp_commands=(command,))


@pytest.mark.parametrize(
    "aliases", [{"": "x"}, {"x": ""}, {"genmove": "gen move"}, {"a\n": "b"}, {"a": "\x01"}]
)
def test_an_alias_that_is_no_word_is_refused(aliases):
    with pytest.raises(ValueError, match="gtp_aliases: got"):
        Options(gtp_aliases=aliases)
