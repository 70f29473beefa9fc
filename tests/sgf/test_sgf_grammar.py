"""The grammar: what is understood, what is refused, and how written lines are folded."""

import re
import time
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sgfmill import sgf_grammar

from gyoji.sgf.grammar import Node, SgfError, fold, parse
from gyoji.sgf.property_values import format_text


def shape(node):
    """Return a tree as nested tuples: ({properties}, children...)."""
    return (node.properties, *[shape(child) for child in node.children])


A, B, C = ({"B": ["aa"]}, {"W": ["bb"]}, {"C": ["x"]})

UNDERSTOOD = {
    "one node": ("(;B[aa])", ({"B": ["aa"]},)),
    "an empty node": ("(;)", ({},)),
    "a sequence": ("(;B[aa];W[bb])", (A, (B,))),
    "variations": ("(;B[aa](;W[bb])(;C[x]))", (A, (B,), (C,))),
    "nested variations": ("(;B[aa](;W[bb](;C[x])(;))(;))", (A, (B, (C,), ({},)), ({},))),
    "several values": ("(;AB[aa][bb]\n[cc])", ({"AB": ["aa", "bb", "cc"]},)),
    "an empty value": ("(;B[])", ({"B": [""]},)),
    "space everywhere": (" ( ; B [aa]\r\n\t ; W\n[bb] ) ", (A, (B,))),
    "escapes kept as they are": (r"(;C[a\]b\\])", ({"C": [r"a\]b\\"]},)),
    "delimiters in a value": ("(;C[(;B[aa\\])])", ({"C": ["(;B[aa\\])"]},)),
    "line breaks in a value": ("(;C[a\nb])", ({"C": ["a\nb"]},)),
    "junk before": ("From: x (y)\n\n(;B[aa])", (A,)),
    "junk after": ("(;B[aa]) thanks ] ; )", (A,)),
    "no final parenthesis": ("(;B[aa];W[bb]", (A, (B,))),
    "no final parentheses and a line break": ("(;B[aa](;W[bb])(;C[x]\n", (A, (B,), (C,))),
    "the end of a DOS file": ("(;B[aa]\x1a", (A,)),
    "one parenthesis too many": ("(;B[aa]))", (A,)),
    "no first semicolon": ("(GM[1]SZ[9];B[aa])", ({"GM": ["1"], "SZ": ["9"]}, (A,))),
    "no semicolon in a variation": ("(;B[aa](W[bb])(C[x];C[x]))", (A, (B,), (C, (C,)))),
    "an empty variation at the end": ("(;B[aa](;W[bb])())", (A, (B,))),
    "two parentheses at the start": ("((;B[aa]))", (A,)),
    "lower-case letters": ("(;AddBlack[aa]GaMe[1])", ({"AB": ["aa"], "GM": ["1"]},)),
    "a property given twice": ("(;AB[aa]AW[cc]AB[bb])", ({"AB": ["aa", "bb"], "AW": ["cc"]},)),
    "an identifier of 64 letters": (f"(;{'A' * 64}[x])", ({"A" * 64: ["x"]},)),
    "private properties": ("(;MULTIGOGM[1]KGSDE[aa])", ({"MULTIGOGM": ["1"], "KGSDE": ["aa"]},)),
}


@pytest.mark.parametrize("name", UNDERSTOOD)
def test_a_game_is_understood(name):
    text, expected = UNDERSTOOD[name]
    [root] = parse(text)
    assert shape(root) == expected
    assert [shape(each) for each in parse(text.encode())] == [expected]


REFUSED = [
    ("", 0, "the end"),
    ("B[aa]", 0, "'B[aa]'"),
    ("()", 0, "'()'"),
    ("(;C[abc", 2, "'C[abc'"),
    ("(;C[abc\\]", 2, "'C[abc"),
    ("(;B[aa]W", 7, "'W'"),
    ("(;B;W[aa])", 2, "'B;W[aa])'"),
    ("(;[aa])", 2, "'[aa])'"),
    ("(;B[aa];[bb])", 8, "'[bb])'"),
    ("(;B[aa] ? )", 8, "'? )'"),
    ("(;b[aa])", 2, "'b[aa])'"),
    ("(;B[aa](;W[bb]);B[cc])", 15, "';B[cc])'"),
    ("(;B[aa]();)", 9, "';)'"),
    ("(;B[aa](;W[bb]) C[x])", 16, "'C[x])'"),
    (f"(;{'A' * 65}[x])", 2, "'AAAA"),
    ("(;B[aa])(;W[bb", 10, "'W[bb'"),
]


@pytest.mark.parametrize(("text", "offset", "found"), REFUSED)
def test_what_is_no_sgf_is_refused_with_its_place(text, offset, found):
    with pytest.raises(SgfError) as caught:
        parse(text)
    assert isinstance(caught.value, ValueError)
    assert str(caught.value).startswith(f"at offset {caught.value.offset}: ")
    assert f"found {found}" in str(caught.value)
    assert caught.value.offset == offset


def test_an_error_shows_no_more_than_a_line():
    with pytest.raises(SgfError) as caught:
        parse("(;B[aa]" + "?\n\x00" * 10_000)
    assert len(str(caught.value)) < 250
    assert str(caught.value).isprintable()


def test_a_collection_has_its_games_in_order():
    games = parse("junk (;B[aa]) junk (;W[bb](;C[x]))(;C[x])")
    assert [shape(game) for game in games] == [(A,), (B, (C,)), (C,)]


ENCODINGS = [
    ("nothing declared is Latin 1", b"(;C[\xe9])", "é"),
    ("UTF-8", "(;CA[UTF-8]C[é 行司])".encode(), "é 行司"),
    ("UTF-8 declared after the text", "(;C[行司]CA[utf8])".encode(), "行司"),
    ("a byte order mark alone", b"\xef\xbb\xbf" + "(;C[行司])".encode(), "行司"),
    ("UTF-16 with its mark", "(;C[行司])".encode("utf-16"), "行司"),
    ("another Latin", "(;CA[ISO-8859-2]C[ł])".encode("iso8859-2"), "ł"),
    ("Cyrillic", "(;CA[windows-1251]C[Го])".encode("cp1251"), "Го"),
    ("Shift JIS with bytes like a backslash", "(;CA[Shift_JIS]C[表示])".encode("shift_jis"), "表示"),
    ("GBK with bytes like brackets", "(;CA[GBK]C[乗\u4e57僝])".encode("gbk"), "乗\u4e57僝"),
    ("Big5", "(;CA[Big5]C[功許])".encode("big5"), "功許"),
    ("ISO 2022", "(;CA[ISO-2022-JP]C[行司戦])".encode("iso2022-jp"), "行司戦"),
    ("EUC", "(;CA[EUC-JP]C[行司])".encode("euc-jp"), "行司"),
    ("an unknown encoding is Latin 1", b"(;CA[Klingon]C[\xe9])", "é"),
    ("a codec that is none for text", b"(;CA[base64]C[\xe9])", "é"),
    ("an encoding that ASCII is not part of", b"(;CA[UTF-16]C[\xe9])", "é"),
    ("bad bytes are replaced", b"(;CA[UTF-8]C[a\xff])", "a\ufffd"),
]


@pytest.mark.parametrize(("name", "source", "text"), ENCODINGS)
def test_text_is_decoded_as_the_file_says(name, source, text):
    [root] = parse(source)
    assert root.first("C") == text


def test_the_first_encoding_that_can_be_used_is_that_of_the_whole_file():
    source = "(;CA[Klingon]C[é])(;CA[utf-8]C[é])(;CA[cp850]C[é])(;C[é])".encode()
    assert [root.first("C") for root in parse(source)] == ["é"] * 4


def test_an_encoding_named_in_a_comment_counts_for_nothing():
    assert parse(b"(;C[see CA[UTF-8\\]])(;C[\xe9])")[1].first("C") == "é"


def test_a_file_may_be_a_fifty_thousand_nodes_deep():
    for source in (b"(" + b";B[aa]" * 50_000 + b")", b"(;B[aa]" * 50_000 + b")" * 50_000):
        [root] = parse(source)
        assert sum(1 for _ in root.main_line()) == 50_000


def test_reading_takes_time_in_proportion():
    awkward = [b"(;C[" + b"\\x" * 200_000, b"(" * 400_000, b"(;" + b" " * 400_000 + b"?", b"(;)" * 100_000]
    awkward += [b"( " * 200_000, b"(;" + b"A" * 400_000, b"(;AB" + b"[aa]" * 100_000, b"[" * 400_000]
    for source in awkward:
        before = time.process_time()
        with suppress(SgfError):
            parse(source)
        assert time.process_time() - before < 30  # in quadratic time it would be hours


def test_a_node_is_shown_with_its_properties():
    assert repr(parse("(;B[aa];W[bb])")[0]) == "<Node {'B': ['aa']} with 1 children>"


NAMES = st.sampled_from(("B", "W", "C", "AB", "BL", "FF", "GM", "N", "XYZ", "MULTIGOGM")) | st.text(
    "ABCXYZ", min_size=1, max_size=64
)
VALUES = st.text(st.characters(max_codepoint=255, exclude_characters="\x00"), max_size=20).map(format_text)
RAW_VALUES = st.text("ab]\\\n:;()", max_size=8).filter(
    lambda raw: sgf_grammar.is_valid_property_value(raw.encode())
)
PROPERTIES = st.dictionaries(NAMES, st.lists(VALUES | RAW_VALUES, min_size=1, max_size=4), max_size=5)


@st.composite
def trees(draw):
    """Any tree: each node hangs below one drawn from those before it."""
    nodes = [Node(draw(PROPERTIES))]
    for properties in draw(st.lists(PROPERTIES, max_size=8)):
        parent = nodes[draw(st.integers(0, len(nodes) - 1))]
        nodes.append(Node(properties))
        parent.children.append(nodes[-1])
    return nodes[0]


def from_sgfmill(coarse):
    """Our tree of sgfmill's, raw values as Latin 1."""
    root = Node()
    pending = [(root, coarse)]
    while pending:
        node, tree = pending.pop()
        for index, properties in enumerate(tree.sequence):
            if index:
                node.children.append(Node())
                node = node.children[0]
            node.properties = {
                name: [value.decode("latin-1") for value in values] for name, values in properties.items()
            }
        for child in tree.children:
            node.children.append(Node())
            pending.append((node.children[-1], child))
    return root


@given(trees(), st.sampled_from((None, 30, 79)))
def test_we_read_what_sgfmill_writes(tree, wrap):
    def coarse(node):
        return sgf_grammar.make_coarse_game_tree(
            node,
            lambda each: each.children,
            lambda each: {name: [v.encode("latin-1") for v in vs] for name, vs in each.properties.items()},
        )

    written = sgf_grammar.serialise_game_tree(coarse(tree), wrap=wrap)
    assert [shape(each) for each in parse(written.decode("latin-1"))] == [shape(tree)]


MARKS = st.sampled_from(("(", ")", ";", "(;", " ", "\n", "B", "x", "?", "[", "[cc]", "\\]"))
PARTS = st.sampled_from(
    ("B[aa]", "AB[aa][bb]", "W[tt]", "C[a\\]b]", "Game[1]", "GM[1]", "C[(;)]", "Cc[x]C[y]")
)


@settings(max_examples=300)
@given(st.sampled_from(("", "(;", "x(;GM[1]")), st.lists(MARKS | PARTS, max_size=14), st.integers(0, 3))
def test_we_read_all_that_sgfmill_accepts_and_read_it_equally(start, pieces, closing):
    source = f"{start}{''.join(pieces)}{')' * closing}"
    try:
        accepted = sgf_grammar.parse_sgf_collection(source.encode())
    except ValueError:
        return
    ours = r"\(\s*[A-Z]+\s*\["  # a game without its first semicolon, which we find
    theirs = r"\b[a-z]+\s*\["  # an identifier that nothing is left of, which we refuse
    if not re.search(f"{ours}|{theirs}", source):
        theirs_read = [shape(from_sgfmill(coarse)) for coarse in accepted]
        assert [shape(each) for each in parse(source.encode())] == theirs_read


@given(
    st.lists(st.text("ab;[]", min_size=1, max_size=30), min_size=1, max_size=20), st.sampled_from((1, 20, 79))
)
def test_lines_have_the_width_or_one_piece(pieces, width):
    text = fold(pieces, width)
    assert text.replace("\n", "") == "".join(pieces)
    for line in text.removesuffix("\n").split("\n"):
        assert len(line) <= width or line in pieces


def test_a_piece_with_line_breaks_counts_with_its_full_length():
    assert fold(["line\n" * 16, "DT[x]"]).endswith("line\n\nDT[x]\n")
