"""The conformance kit for codecs finds each broken promise."""

from typing import get_args

import pytest

from gyoji.core import messages as m
from gyoji.core.faults import FaultKind
from gyoji.testing.codec_kit import ENDS, Exchange, check_codec, evaluation_flaw


class Toy:
    """A codec of lines: every line is a move, "!" breaks, "?" is continued by `More`."""

    def __init__(self):
        self.text = b""
        self.is_broken = False

    def send(self, request):
        return b"" if self.is_broken else b"go\n"

    def receive(self, data):
        *lines, self.text = (self.text + data).split(b"\n")
        replies = []
        for line in lines:
            if line and not self.is_broken:
                replies.append(self.reply(line))
        return replies

    def reply(self, line):
        if line == b"!":
            self.is_broken = True
            return m.Broken(FaultKind.PROTOCOL, "shouted")
        return m.More(b"well?\n") if line == b"?" else m.Moved(line.decode())

    def finish(self):
        return self.receive(b"\n")


ASK = m.AskMove(None, (), "", None)
MOVE = Exchange(request=ASK, sent=b"go\n", heard=b"a1\n", replies=(m.Moved("a1"),))
SLOW = Exchange(request=ASK, heard=b"?\n?\na1\n", replies=(m.More(b"well?\nwell?\n"), m.Moved("a1")))
LAST = Exchange(request=ASK, heard=b"a1", replies=(m.Moved("a1"),), closes=True)
SHOUT = Exchange(request=ASK, heard=b"!\na1\n", replies=(m.Broken(FaultKind.PROTOCOL, "shout"),))


def test_the_kit_knows_how_each_request_can_end():
    assert set(ENDS) == set(get_args(m.Request))
    between = {m.Comment, m.Warned, m.Delayed, m.More, m.Broken}
    assert {end for ends in ENDS.values() for end in ends} == set(get_args(m.Reply)) - between


def test_a_good_codec_passes():
    check_codec(Toy, [[MOVE], [MOVE, SLOW, MOVE], [SLOW, SHOUT], [MOVE, LAST], []])


class Impatient(Toy):
    def receive(self, data):
        return [self.reply(line) for line in data.split(b"\n") if line]


class Deaf(Toy):
    def finish(self):
        return []


class Undying(Toy):
    def reply(self, line):
        reply = super().reply(line)
        self.is_broken = False
        return reply


class Chatty(Toy):
    def send(self, request):
        return b"go\n"


class Textual(Toy):
    def send(self, request):
        return "go\n"


class Empty(Toy):
    def reply(self, line):
        return m.More(b"") if line == b"?" else super().reply(line)


class Messy(Toy):
    def reply(self, line):
        reply = super().reply(line)
        return m.Broken(FaultKind.PROTOCOL, "shout\ned") if self.is_broken else reply


class Foreign(Toy):
    def reply(self, line):
        return line.decode()


class Sensitive(Toy):
    def receive(self, data):
        self.is_broken |= data.endswith(b"\n\n")
        return super().receive(data)


class Shared(Toy):
    count = 0

    def reply(self, line):
        Shared.count += 1
        return m.Moved(f"a{Shared.count}")


class Boastful(Toy):
    def reply(self, line):
        return m.Comment("mine", m.Evaluation(win=53.0))


class Mistaken(Toy):
    def reply(self, line):
        return m.HasQuit()


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"score": 3.5, "win": 1.0, "depth": 4, "nodes": 0, "pv": ("D4",)}, ""),
        ({}, "it says nothing"),
        ({"score": float("nan")}, "expected a number"),
        ({"win": -0.1}, "expected 0 to 1"),
        ({"nodes": 2**63}, "expected whole numbers"),
        ({"depth": 1.5}, "expected whole numbers"),
        ({"pv": ("D4", "")}, "expected moves"),
    ],
)
def test_an_opinion_that_none_can_be_is_a_flaw(said, words):
    flaw = evaluation_flaw(m.Evaluation(**said))
    assert words in flaw
    assert bool(words) == bool(flaw)


@pytest.mark.parametrize(
    ("flawed", "conversation", "words"),
    [
        (Impatient, [MOVE], "conversation 0, byte by byte: exchange 0: .*replies are"),
        (Deaf, [MOVE, LAST], "exchange 1: the replies are"),
        (Undying, [SHOUT], "after Broken|not the last"),
        (Chatty, [SHOUT], "to send after Broken"),
        (Textual, [MOVE], "expected bytes"),
        (Empty, [SLOW], "asks to write nothing"),
        (Messy, [SHOUT], "expected a printable line"),
        (Foreign, [MOVE], "is no reply"),
        (Sensitive, [MOVE, MOVE], "with a tail"),
        (Shared, [MOVE], "two codecs differ"),
        (Boastful, [MOVE], "win is 53.0, expected 0 to 1"),
    ],
)
def test_a_flawed_codec_is_found_out(flawed, conversation, words):
    with pytest.raises(AssertionError, match=words):
        check_codec(flawed, [conversation])


@pytest.mark.parametrize(
    ("make", "conversation", "words"),
    [
        (Toy, [Exchange(request=ASK, sent=b"no\n")], "AskMove is put as b'go"),
        (Toy, [Exchange(request=ASK), MOVE], "was not answered"),
        (Toy, [Exchange(heard=b"a1\n", replies=(m.Moved("a1"),))], "does not answer None"),
        (Toy, [SHOUT, MOVE], "goes on after Broken"),
        (Toy, [Exchange(request=ASK, heard=b"?\n")], "to write"),
        (Mistaken, [Exchange(request=ASK, heard=b"a1\n", replies=(m.HasQuit(),))], "does not answer Ask"),
    ],
)
def test_a_conversation_that_no_codec_may_hold_is_refused(make, conversation, words):
    with pytest.raises(AssertionError, match=words):
        check_codec(make, [conversation])
