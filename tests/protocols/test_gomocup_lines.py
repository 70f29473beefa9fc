"""Bytes in any pieces, and lines with any ends."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gyoji.games.gomoku.board import board_of
from gyoji.protocols.gomocup.commands import tables
from gyoji.protocols.gomocup.lines import LONGEST, Kind, Lines, read_line, read_points

OUTPUT = st.text(alphabet="7,\r\n \x00a", max_size=40).map(str.encode)


@given(OUTPUT, st.lists(st.integers(0, 40)))
def test_it_makes_no_difference_how_the_bytes_are_cut(data, cuts):
    whole, pieces = Lines(), Lines()
    places = [0, *sorted(cuts), len(data)]
    got = [line for start, end in pairwise(places) for line in pieces.feed(data[start:end])]
    assert got == whole.feed(data)
    assert pieces.has_begun == whole.has_begun


@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n", b"\n\r", b"\r\r\n\n"])
def test_every_end_of_a_line_is_one(end):
    assert Lines().feed(b"a" + end + b"b" + end) == [b"a", b"b"]


def test_a_long_line_is_cut_and_the_next_one_is_whole():
    lines = Lines()
    for _ in range(300):
        assert lines.feed(b"x" * 1000) == []
    assert lines.feed(b"x\n7,7\n") == [b"x" * LONGEST + b" ...", b"7,7"]


@pytest.mark.parametrize(
    ("line", "kind", "rest"),
    [
        (b"MESSAGE  hello ", Kind.MESSAGE, "hello"),
        (b"message", Kind.MESSAGE, ""),
        (b"Debug: x", Kind.DEBUG, ": x"),
        (b"ERROR", Kind.ERROR, ""),
        (b"Unknown command", Kind.UNKNOWN, "command"),
        (b"OK-fine", Kind.OK, "-fine"),
        (b" suggest 1,2", Kind.SUGGEST, "1,2"),
        (b"7,7", Kind.OTHER, "7,7"),
    ],
)
def test_a_line_is_known_by_its_first_letters(line, kind, rest):
    read = read_line(line)
    assert (read.kind, read.rest) == (kind, rest)


@given(st.lists(st.tuples(st.integers(-9, 999), st.integers(-9, 999)), min_size=1, max_size=5))
def test_points_are_read_as_they_are_written(points):
    assert read_points(" ".join(f"{x},{y}" for x, y in points)) == points


def test_the_tables_of_a_board_have_every_point_once():
    board = tables(board_of(6, 5))
    assert len(board.names) == len(set(board.names.values())) == 30
    assert len(board.answers) == 60
    for move, name in board.names.items():
        assert board.turns[move] == b"TURN " + name + b"\r\n"
        assert board.answers[name + b"\n"][0].move == board.answers[name + b"\r\n"][0].move == move
