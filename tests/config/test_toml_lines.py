"""Every key of a TOML file is found on its line, however it is written."""

import tomllib
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gyoji.config.toml_file import key_lines


def paths(plain, path=()):
    """Every key path of a parsed document."""
    if isinstance(plain, dict):
        items = plain.items()
    elif isinstance(plain, list):
        items = enumerate(plain)
    else:
        return
    for key, value in items:
        yield (*path, key)
        yield from paths(value, (*path, key))


CASES = {
    "keys and comments": (
        """
        # a = 0
        a = 1  # b = 2
        "b c" = "x = 3 # no"
        'd"e' = 4
        """,
        {("a",): 2, ("b c",): 3, ('d"e',): 4},
    ),
    "tables": (
        """
        [a]
        x = 1
        [a.b]
        y = 2
        [ c . "d.e" ]
        z = 3
        """,
        {("a",): 1, ("a", "x"): 2, ("a", "b", "y"): 4, ("c",): 5, ("c", "d.e"): 5, ("c", "d.e", "z"): 6},
    ),
    "arrays of tables": (
        """
        [[m]]
        x = 1

        [[m]]
        [m.sub]
        y = 1
        [[m.deep]]
        [[m.deep]]
        z = 1
        """,
        {
            ("m", 0): 1,
            ("m", 0, "x"): 2,
            ("m", 1): 4,
            ("m", 1, "sub", "y"): 6,
            ("m", 1, "deep", 1): 8,
            ("m", 1, "deep", 1, "z"): 9,
        },
    ),
    "lists over several lines": (
        """
        a = [  # [
          1, "]",
          [2,
           { x = 3, y = [4] }],
        ]
        b = 1
        """,
        {
            ("a", 0): 2,
            ("a", 1): 2,
            ("a", 2): 3,
            ("a", 2, 0): 3,
            ("a", 2, 1, "x"): 4,
            ("a", 2, 1, "y", 0): 4,
            ("b",): 6,
        },
    ),
    "long strings": (
        '''
        a = """
        b = 1
        \\""" [ { """""
        c = \'\'\'
        d = "
        \'\'\'\'
        e = ""
        f = \'\'
        g = 1
        ''',
        {("a",): 1, ("c",): 4, ("e",): 7, ("f",): 8, ("g",): 9},
    ),
    "dotted keys and dates": (
        """
        a.b.c = 1979-05-27 07:32:00
        a."x y".z = { p.q = 1, r = {} }
        """,
        {
            ("a",): 1,
            ("a", "b"): 1,
            ("a", "b", "c"): 1,
            ("a", "x y", "z", "p", "q"): 2,
            ("a", "x y", "z", "r"): 2,
        },
    ),
}


@pytest.mark.parametrize(("text", "lines"), CASES.values(), ids=CASES)
def test_keys_are_found_on_their_lines(text, lines):
    text = dedent(text).lstrip("\n")
    tomllib.loads(text)
    found = key_lines(text)
    assert {path: found.get(path) for path in lines} == lines


@pytest.mark.parametrize(("text", "lines"), CASES.values(), ids=CASES)
def test_every_key_of_a_document_is_found_and_no_other(text, lines):
    text = dedent(text).lstrip("\n")
    assert set(key_lines(text)) == set(paths(tomllib.loads(text)))


KEYS = st.text(st.sampled_from("ab.#[ ='\""), min_size=1, max_size=4)
SCALARS = st.one_of(
    st.integers().map(str),
    st.booleans().map(lambda value: str(value).lower()),
    st.text(st.sampled_from("a#]},=' "), max_size=8).map(lambda text: f'"{text}"'),
    st.sampled_from(["'''\n#]'''", '"""\n#]\\""" "" """', "1.5e3", "inf", "1979-05-27"]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda items: "[ # ,]\n" + ",\n".join(items) + "\n]"),
        st.dictionaries(KEYS, inner, max_size=3).map(
            lambda table: "{" + ", ".join(f"{quoted(key)} = {value}" for key, value in table.items()) + "}"
        ),
    ),
    max_leaves=8,
)


def quoted(key):
    return '"' + key.replace("\\", "\\\\").replace('"', '\\"') + '"'


@given(st.dictionaries(KEYS, VALUES, max_size=4))
def test_every_key_stands_on_the_line_that_is_told(table):
    text = "".join(f"# [x]\n{quoted(key)} = {value} # {{\n" for key, value in table.items())
    try:
        plain = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return  # what was drawn is no TOML: an inline table over several lines
    found = key_lines(text)
    assert set(found) == set(paths(plain))
    for path, line in found.items():
        if isinstance(path[-1], str):
            assert quoted(path[-1]) in text.splitlines()[line - 1]
