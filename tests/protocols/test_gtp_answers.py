"""How bytes become answers: every rule of the wire, whatever the cut."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gyoji.protocols.gtp.wording import Answers, read_answer


def read(data, is_numbered=False):
    return [read_answer(lines, is_numbered=is_numbered) for lines in Answers().feed(data)]


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
    answers = Answers()
    assert answers.feed(b"= D4\n\n\n" + line + b"\n= E5\n\n") == [[b"= D4"]]
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
    answers = Answers()
    answers.feed(data)
    assert answers.has_begun == has_begun
    one_by_one = Answers()
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
    at_once, in_pieces = Answers(), Answers()
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
        answers, filler = Answers(), (b"=" + line_end * size)[: size + 1]
        began = time.process_time()
        for byte in filler:
            answers.feed(b"%c" % byte)
        spent = time.process_time() - began
        (lines,) = answers.feed(b"\n\n")
        assert len(b"\n".join(lines)) == len(filler)
        return spent

    few, many = min(seconds(1 << 14) for _ in range(3)), seconds(1 << 18)
    assert many < few * 16 * 5
