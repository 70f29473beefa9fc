"""Bytes that arrive in any pieces are cut into lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gyoji.core.lines import LineReader


@given(st.lists(st.sampled_from([b"", b"a", b"\n", b"bc\nd", b"\n\n", b"\r\n"])))
def test_lines_do_not_depend_on_where_their_bytes_are_divided(pieces):
    whole, divided = LineReader(), LineReader()
    assert whole.feed(b"".join(pieces)) == [line for piece in pieces for line in divided.feed(piece)]
    assert whole.rest == divided.rest
    assert whole.size == divided.size == len(whole.rest)


def test_the_incomplete_line_can_be_taken():
    lines = LineReader()
    assert lines.feed(b"a\nb") == [b"a"]
    assert lines.take_rest() == b"b"
    assert (lines.size, lines.feed(b"c\n")) == (0, [b"c"])


@pytest.mark.parametrize("most", [0, 3])
def test_an_incomplete_line_beyond_its_limit_is_cut(most):
    lines = LineReader(most)
    for _ in range(100):
        assert lines.feed(b"ab") == []
    assert most < lines.size <= most + 2
    assert lines.feed(b"\nc\n")[1:] == [b"c"]
