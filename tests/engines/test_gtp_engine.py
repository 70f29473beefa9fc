"""The helper for GTP engines: input, output, and the end of a session."""

import io
import os
import subprocess
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gyoji.engines import gtp, session
from gyoji.engines.gtp import (
    Arguments,
    GtpEngine,
    GtpError,
    GtpQuit,
    command,
    read_line,
    write_answer,
)
from gyoji.engines.session import ControllerGone


class Parrot(GtpEngine):
    name = "Parrot"
    version = "3"

    @command("echo")
    @command("repeat")
    def echo(self, args):
        return " ".join(args)

    @command("fail")
    def fail(self, args):
        raise GtpError("no such luck")

    @command("leave")
    def leave(self, args):
        raise GtpQuit("bye")

    @command("bug")
    def bug(self, args):
        raise KeyError("nobody thought of this")

    @command("yes")
    def yes(self, args):
        return True


class Quiet(Parrot):
    @command("echo")
    def whisper(self, args):
        return " ".join(args).lower()


def talk(engine, data):
    sink = io.BytesIO()
    engine.session(io.BytesIO(data), sink)
    return sink.getvalue()


@pytest.mark.parametrize(
    ("line", "ident", "words"),
    [
        (b"name\n", "", ["name"]),
        (b"  name  \r\n", "", ["name"]),
        (b"name", "", ["name"]),
        (b"12 name\n", "12", ["name"]),
        (b"012 name\n", "12", ["name"]),
        (b"-3 name\n", "", ["name"]),
        (b"99999999999999999999 name\n", "2147483647", ["name"]),
        (b"12\n", "12", []),
        (b"12name\n", "", ["12name"]),
        (b"play\tb\tD4 # a good move\n", "", ["play", "b", "D4"]),
        (b"# 5 name\n", "", []),
        (b"na\x00m\x07e\x7f\n", "", ["name"]),
        (b"echo caf\xc3\xa9 \xff\n", "", ["echo", "caf\u00e9", "\ufffd"]),
        (b" \t \r\n", "", []),
        (b"", "", []),
    ],
)
def test_a_line_is_cleaned_and_split(line, ident, words):
    assert read_line(line) == (ident, words)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("", b"=\n\n"),
        ("  ", b"=\n\n"),
        ("D4", b"= D4\n\n"),
        ("one\ntwo\n", b"= one\ntwo\n\n"),
        ("one\n\n \ntwo", b"= one\n.\n.\ntwo\n\n"),
        ("\nboard", b"= .\nboard\n\n"),
        ("one\r\ntwo\r\x00\x1b", b"= one\ntwo\n\n"),
        ("tab\tstays", b"= tab\tstays\n\n"),
        ("\u706b", b"= \xe7\x81\xab\n\n"),
        ("\udcff", b"= ?\n\n"),
    ],
)
def test_an_answer_has_no_blank_line_but_the_last(text, answer):
    assert write_answer("=", text) == answer


@given(st.text())
def test_whatever_the_text_an_answer_is_one_answer(text):
    answer = write_answer("=", text)
    assert answer.endswith(b"\n\n")
    assert answer.count(b"\n\n") == 1
    assert not set(answer) & {*range(9), *range(11, 32)}


@example(b"\xd9\xa0")  # a digit, but none of ours
@given(st.binary())
def test_whatever_the_input_every_command_gets_one_answer(data):
    answers = talk(Parrot(), data)
    commands = sum(bool(read_line(line)[1]) for line in data.split(b"\n"))
    assert answers.count(b"\n\n") == commands


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        (b"name", b"= Parrot\n\n"),
        (b"version", b"= 3\n\n"),
        (b"protocol_version", b"= 2\n\n"),
        (b"5 echo a b", b"=5 a b\n\n"),
        (b"repeat a", b"= a\n\n"),
        (b"yes", b"= true\n\n"),
        (b"known_command echo", b"= true\n\n"),
        (b"known_command Echo", b"= false\n\n"),
        (b"known_command", b"? argument 1 is missing: a word\n\n"),
        (b"7 dance", b"?7 unknown command\n\n"),
        (b"fail", b"? no such luck\n\n"),
        (b"# nothing", b""),
        (b"8", b""),
    ],
)
def test_commands_are_answered(line, answer):
    assert Parrot().answer(line) == answer


def test_the_commands_are_listed_in_order():
    names = Parrot().call("list_commands").split("\n")
    assert names == sorted(names)
    assert {"quit", "echo", "repeat", "known_command"} < set(names)


def test_a_subclass_redefines_a_command_by_its_name():
    assert Quiet().call("echo", "LOUD") == "loud"
    assert Quiet().call("repeat", "LOUD") == "LOUD"


@pytest.mark.parametrize(
    ("last", "answer"),
    [(b"quit", b"=\n\n"), (b"leave", b"= bye\n\n")],
)
def test_a_session_ends_after_the_answer_to_its_last_command(last, answer):
    assert talk(Parrot(), b"fail\n" + last + b"\nname\n") == b"? no such luck\n\n" + answer


def test_a_session_ends_with_its_input_even_in_the_middle_of_a_line():
    assert talk(Parrot(), b"name\nversion") == b"= Parrot\n\n= 3\n\n"


def test_a_bug_is_an_answer_that_begins_with_the_exception_and_the_session_goes_on():
    answers = talk(Parrot(), b"4 bug\nname\n")
    assert answers.startswith(b"?4 internal error: KeyError('nobody thought of this')\nTraceback")
    assert answers.endswith(b"KeyError: 'nobody thought of this'\n\n= Parrot\n\n")


def test_a_line_without_end_ends_the_session(monkeypatch):
    monkeypatch.setattr(session, "LINE_LIMIT", 10)
    assert talk(Parrot(), b"name\n" + b"x" * 100 + b"\nname\n") == b"= Parrot\n\n"


def test_a_vanished_controller_is_told_apart():
    class Gone(io.BytesIO):
        def write(self, data):
            raise BrokenPipeError

    with pytest.raises(ControllerGone):
        Parrot().session(io.BytesIO(b"name\n"), Gone())


@pytest.mark.parametrize(
    ("reader", "good"),
    [
        (Arguments.colour, {"b": "b", "Black": "b", "W": "w", "white": "w"}),
        (
            Arguments.integer,
            {"0": 0, "-0": -1, "19": 19, "-19": -1, "9" * 5000: gtp.BIGGEST, "0" * 40 + "7": 7},
        ),
        (Arguments.number, {"6.5": 6.5, "-7": -7.0, "1e2": 100.0}),
    ],
)
def test_words_are_read_as_values(reader, good):
    for text, value in good.items():
        assert reader(Arguments((text,)), 0) == value
    for text in ("", "x", "nan", "inf", "1.5x", "\u0663", "--1"):
        with pytest.raises(GtpError):
            reader(Arguments((text,)), 0)
    with pytest.raises(GtpError, match="argument 1 is missing"):
        reader(Arguments(()), 0)


@pytest.mark.parametrize(
    ("text", "point"),
    [("A1", (0, 0)), ("j9", (8, 8)), ("H09", (7, 8)), ("pass", None), ("PASS", None)],
)
def test_vertices_are_read(text, point):
    assert Arguments((text,)).vertex(0, 9) == point


@pytest.mark.parametrize(
    "text", ["I1", "K1", "A0", "A10", "A", "1A", "", "A-1", "A1x", "resign", "A\u0661", "A0009"]
)
def test_what_is_no_vertex_of_the_board_is_refused(text):
    with pytest.raises(GtpError, match="vertex"):
        Arguments((text,)).vertex(0, 9)


@given(st.integers(0, 24), st.integers(0, 24))
def test_a_written_vertex_is_read_as_the_same_point(column, row):
    assert gtp.read_vertex(gtp.write_vertex((column, row)), 25) == (column, row)


PROGRAM = "from gyoji.engines.gtp import GtpEngine; raise SystemExit(GtpEngine().run())"


@pytest.mark.process
def test_a_program_answers_ends_cleanly_and_says_nothing_when_nobody_listens():
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], input=b"name\nquit\n", capture_output=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"= unnamed engine\n\n=\n\n", b"")

    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as closed:
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            input=b"name\nname\n",
            stdout=closed,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert (done.returncode, done.stderr) == (1, b"")
