"""Value types: text with its escapes, composed values, numbers; sgfmill says the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sgfmill import sgf_grammar

from gyoji.sgf.grammar import parse
from gyoji.sgf.property_values import (
    format_composed,
    format_real,
    format_simple_text,
    format_text,
    number,
    real,
    simple_text,
    text,
)

TEXTS = [
    # raw, text, simple text
    ("", "", ""),
    ("plain", "plain", "plain"),
    ("é 行司", "é 行司", "é 行司"),
    (r"a\]b\\c\:d\x", "a]b\\c:dx", "a]b\\c:dx"),
    ("a\nb\r\nc\rd\n\re", "a\nb\nc\nd\ne", "a b c d e"),
    ("a\n\nb\r\rc", "a\n\nb\n\nc", "a  b  c"),
    ("a\\\nb\\\r\nc\\\rd\\\n\re", "abcde", "abcde"),
    ("a\\\\\nb", "a\\\nb", "a\\ b"),
    ("a\tb\vc\fd", "a b c d", "a b c d"),
    ("a\\\tb", "a b", "a b"),
    ("end\\", "end\\", "end\\"),
]


@pytest.mark.parametrize(("raw", "words", "line"), TEXTS)
def test_a_text_is_read_as_the_table_says(raw, words, line):
    assert text(raw) == words
    assert simple_text(raw) == line


RAW = st.text(alphabet="ab\\]: \n\r\t\f\v:", max_size=12).filter(
    lambda raw: sgf_grammar.is_valid_property_value(raw.encode())
)


@given(RAW)
def test_text_is_what_sgfmill_reads(raw):
    assert text(raw) == sgf_grammar.text_value(raw.encode()).decode()
    assert simple_text(raw) == sgf_grammar.simpletext_value(raw.encode()).decode()


WORDS = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\r\t\f\v\x00"))


@given(WORDS)
def test_a_text_comes_back_from_a_file(words):
    [root] = parse(f"(;C[{format_text(words)}])")
    assert text(root.first("C")) == words


@given(st.text(max_size=30))
def test_simple_text_is_written_on_one_printable_line(words):
    line = simple_text(format_simple_text(words))
    assert line.isprintable()
    assert line == words or not words.isprintable()


def test_a_heading_of_several_lines_becomes_one():
    assert format_simple_text("GNU Go\n  3.8\x00]") == "GNU Go 3.8 \\]"


@given(st.text("ab:\\] ", max_size=8), st.text("ab:\\] ", max_size=8))
def test_composed_values_come_back(first, second):
    raw = format_composed(first, second)
    assert sgf_grammar.is_valid_property_value(raw.encode())
    one, two = sgf_grammar.parse_compose(raw.encode())
    assert (simple_text(one.decode()), simple_text(two.decode())) == (first, second)


@pytest.mark.parametrize(
    ("raw", "value"), [("7", 7), ("-3", -3), ("+4", 4), (" 12\n", 12), ("0", 0), ("007", 7)]
)
def test_a_number_is_whole(raw, value):
    assert number(raw) == value


@pytest.mark.parametrize("raw", ["", "x", "1.5", "1e3", "1_000", "- 1", "\u0661", "9" * 5000, "0x10"])
def test_anything_else_is_no_number(raw):
    with pytest.raises(ValueError, match="is not a whole number"):
        number(raw)


@pytest.mark.parametrize(
    ("raw", "value"), [("7.5", 7.5), ("-0.5", -0.5), ("6", 6.0), ("+.5", 0.5), ("7.", 7.0), (" 3.75 ", 3.75)]
)
def test_a_real_has_no_exponent(raw, value):
    assert real(raw) == value


@pytest.mark.parametrize("raw", ["", "1e3", "inf", "nan", "7,5", "6.5 points", ".", "1_0.0", "9" * 400])
def test_anything_else_is_no_real(raw):
    with pytest.raises(ValueError, match="is not a number"):
        real(raw)


@given(st.floats(-1e12, 1e12))
def test_a_real_comes_back_to_six_decimals(value):
    raw = format_real(value)
    assert abs(real(raw) - value) <= 1e-6
    assert not raw.endswith((".", ".0"))


def test_what_is_not_finite_is_not_written():
    for value in (float("inf"), float("nan")):
        with pytest.raises(ValueError, match="cannot be written"):
            format_real(value)
