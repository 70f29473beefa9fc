"""GTP for games other than Go: an engine is told no more than their rules have."""

from dataclasses import dataclass

import pytest

from gyoji.core import messages as m
from gyoji.core.clocks import TimeControl
from gyoji.core.probe import Heard
from gyoji.protocols.gtp import Options
from gyoji.protocols.gtp.codec import GtpCodec
from gyoji.protocols.gtp.probe import probe


class Checkers:
    """A game whose moves are pairs, without komi, handicap or rulesets."""

    width, height = 8, 6

    def parse(self, text):
        start, dash, end = text.partition("-")
        if not dash:
            raise ValueError(text)
        return (start, end)

    def format(self, move):
        return "-".join(move)


class NamedCheckers(Checkers):
    game_name = "Checkers"


@dataclass
class LaterCheckers(Checkers):
    opening_plays: tuple = ((0, ("a3", "b4")), (1, ("b6", "a5")))


def conversation(rules, known=()):
    """Return the codec, all commands until it is ready, and its reply."""
    codec, told, replies = GtpCodec(Options()), [], []
    data = codec.send(m.NewGame(0, rules, None, TimeControl()))
    while data:
        lines, data = data.decode().splitlines(), b""
        told += lines
        for line in lines:
            word, _, rest = line.partition(" ")
            answer = "2" if word == "protocol_version" else "true" if rest in known else ""
            for reply in codec.receive(f"= {answer}\n\n".encode()):
                if isinstance(reply, m.More):
                    data += reply.data
                else:
                    replies.append(reply)
    return codec, told, replies


@pytest.mark.parametrize(
    ("kind", "known", "set_up"),
    [
        (Checkers, (), ["boardsize 8 6", "clear_board"]),
        (NamedCheckers, (), ["boardsize 8 6", "clear_board"]),
        (NamedCheckers, ("set_game",), ["set_game Checkers", "boardsize 8 6", "clear_board"]),
        (LaterCheckers, (), ["boardsize 8 6", "clear_board", "play b a3-b4", "play w b6-a5"]),
    ],
)
def test_what_a_game_has_not_is_not_told(kind, known, set_up):
    _, told, replies = conversation(kind(), known)
    last = max(at for at, line in enumerate(told) if line.startswith("known_command"))
    assert told[last + 1 :] == set_up
    assert [type(reply) for reply in replies] == [m.Ready]


def test_a_move_that_is_a_tuple_is_a_move_like_any_other():
    codec, _, _ = conversation(Checkers())
    news = (((1, ("b6", "a5")),),)
    assert codec.send(m.AskMove(None, news, "", TimeControl().start())) == b"play w b6-a5\ngenmove b\n"
    assert list(codec.receive(b"= \n\n= c3-d4\n\n")) == [m.Moved(("c3", "d4"))]


def test_a_seat_may_be_asked_twice_in_a_row():
    codec, _, _ = conversation(Checkers())
    clock, move = TimeControl().start(), ("c3", "d4")
    codec.send(m.AskMove(None, (), "", clock))
    codec.receive(b"= c3-d4\n\n")
    assert codec.send(m.AskMove(None, (((0, move),),), "", clock)) == b"genmove b\n"


class Pebbles(Checkers):
    """A game of one move on a board that is not square."""

    def start(self):
        return ()

    def acting(self, position):
        return (len(position) % 2,)

    def legal(self, position, seat):
        yield ("a3", "b4")

    def check(self, position, seat, move):
        pass

    def play(self, position, turn):
        return (*position, turn)


def test_a_board_that_is_no_square_is_probed_with_both_of_its_sides():
    steps, said = probe(Pebbles()), []
    answers = {"protocol_version": "2", "list_commands": "boardsize\nclear_board\nkomi\nplay\ngenmove\nquit"}
    heard = None
    try:
        while True:
            step = steps.send(heard) if heard else next(steps)
            lines = step.data.decode("utf-8", "replace").splitlines()
            said += lines
            replies = "".join(f"= {answers.get(line, '')}\n\n" for line in lines if line.strip())
            heard = Heard(replies.encode(), 1000, complete=True)
    except StopIteration as stop:
        findings = stop.value
    assert "boardsize 8 6" in said
    assert findings.supports["sizes"] == ("8 6",)
