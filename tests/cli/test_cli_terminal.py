"""A human player at a terminal: the text of each event, and what a typed line comes to."""

import json

import pytest

from gyoji.cli.terminal import Seat
from gyoji.core import messages as m
from gyoji.core.clocks import TimeControl
from gyoji.games.go.game_options import Options as GoOptions
from gyoji.games.go.rules import rules as go_rules
from gyoji.protocols.human import HumanCodec

RULES = go_rules(GoOptions(board_size=2, komi=0.5), 0)
START = RULES.start()
NONE = TimeControl()
UNLIMITED = NONE.start()
CONTROL = TimeControl.parse("1m + 3x30s")
NAMES = ("black", "gnugo (white)")


def turn(seat, text):
    return ((seat, RULES.parse(text)),)


def ask(*moves, view=START, phase="", clock=UNLIMITED, **changes):
    """Return a question after these turns."""
    return m.AskMove(view, moves, phase, clock, (), **changes)


class Talk:
    """A codec that has been told of a game, and the seat that shows its events."""

    def __init__(self, names=NAMES, control=NONE, rules=RULES, number=0):
        self.codec, self.sent = HumanCodec(limits=True), []
        self.seat = Seat(self, names, {"cleanup": "Capture what is dead."})
        self.said = self.put(m.NewGame(number, rules, START, control))
        self.codec.receive(b"")

    def send(self, data):
        self.sent.append(data)

    def put(self, request):
        return self.shown(self.codec.send(request))

    def shown(self, data):
        return "".join([self.seat.shown(json.loads(line)) for line in data.splitlines()])

    def type(self, text):
        """Return the texts that typed lines bring about, and the replies, in order."""
        found = []
        for line in text.splitlines():
            self.seat.give(line, found.append)
            for reply in self.codec.receive(b"".join(self.sent)):
                found.append(self.shown(reply.data) if isinstance(reply, m.More) else reply)
            self.sent.clear()
        return [each for each in found if each]


def test_a_person_is_told_its_seat_and_how_moves_are_written():
    talk = Talk()
    assert talk.said == "You are black. A move is a point such as D4, or pass.\nType help for more.\n"


def test_a_question_shows_the_board_and_ends_with_a_prompt():
    assert Talk().put(ask()) == " 2 . .\n 1 . .\n   A B\nblack> "


def test_the_other_seats_moves_are_told_and_the_last_one_is_marked():
    view = RULES.play(RULES.play(START, turn(0, "A1")), turn(1, "B2"))
    talk = Talk()
    assert talk.put(ask(turn(0, "A1"), turn(1, "B2"), view=view)) == (
        "gnugo (white): B2\n 2 .(O)\n 1 X .\n   A B\nblack> "
    )


def test_what_was_taken_back_is_told_and_the_board_is_shown_again():
    talk = Talk()
    talk.put(ask())
    assert talk.put(ask(taken_back=2)) == "taken back: 2 turns\n 2 . .\n 1 . .\n   A B\nblack> "


def test_a_question_that_is_put_again_says_why_and_shows_no_board():
    talk = Talk()
    talk.put(ask())
    talk.type("A1\n")
    assert talk.put(ask(notice="occupied point A1")) == "occupied point A1\nblack> "


def test_a_question_says_what_to_do_in_a_phase_of_the_game():
    assert Talk().put(ask(phase="cleanup")).endswith("\nCapture what is dead.\nblack> ")
    assert Talk().put(ask(phase="another")).endswith("\nphase: another\nblack> ")


@pytest.mark.parametrize(
    ("typed", "reply"),
    [
        ("A1\n", m.Moved(RULES.parse("A1"))),
        ("  a1 \r\n", m.Moved(RULES.parse("A1"))),
        ("pass\n", m.Moved(RULES.parse("pass"))),
        ("undo\n", m.WantsTakeBack()),
        ("UNDO\n", m.WantsTakeBack()),
        ("hint\n", m.WantsHint()),
        ("draw\n", m.OffersDraw()),
        ("resign\n", m.Resigned()),
    ],
)
def test_a_line_is_a_move_or_a_request(typed, reply):
    talk = Talk()
    talk.put(ask())
    assert talk.type(typed) == [reply]


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("\n", "black> "),
        ("board\n", " 2 . .\n 1 . .\n   A B\nblack> "),
        ("Z9\n", "'Z9' is off the 2x2 board; help shows what can be typed\nblack> "),
        (
            "\x1b[2J\n",
            "ill-formed vertex '\\x1b[2J', expected one such as D4; help shows what can be typed\nblack> ",
        ),
    ],
)
def test_what_is_no_answer_is_asked_for_again(typed, shown):
    talk = Talk()
    talk.put(ask())
    assert talk.type(typed) == [shown]
    assert talk.type("A1\n") == [m.Moved(RULES.parse("A1"))]


def test_help_names_all_that_can_be_typed():
    talk = Talk()
    talk.put(ask())
    (text,) = talk.type("help\n")
    for word in ("D4", "undo", "hint", "draw", "resign", "board", "help"):
        assert word in text


def test_the_move_of_a_hint_is_played_by_a_word():
    talk = Talk()
    talk.put(ask())
    assert talk.type("play\n") == ["there is no hint to play\nblack> "]
    talk.type("hint\n")
    talk.put(ask(notice="hint: B1", hint=RULES.parse("B1")))
    assert talk.type("play\n") == [m.Moved(RULES.parse("B1"))]
    talk.put(ask())
    assert talk.type("play\n") == ["there is no hint to play\nblack> "]  # it was for another position


@pytest.mark.parametrize(
    ("wanted", "typed", "replies"),
    [
        ("take-back", "yes\n", [m.Agreed()]),
        ("take-back", "N\n", [m.Declined()]),
        ("draw", "A1\nno\n", ["please answer yes or no\nyes or no> ", m.Declined()]),
    ],
)
def test_a_person_is_asked_whether_it_agrees(wanted, typed, replies):
    talk = Talk()
    assert talk.put(m.AskConsent(1, wanted)) == f"gnugo (white) asks for a {wanted}\nyes or no> "
    assert talk.type(typed) == replies


@pytest.mark.parametrize(
    ("typed", "dead"), [("none\n", ()), ("a1 B2\n", ("A1", "B2")), ("help\nZ1\npass\n\nA1\n", ("A1",))]
)
def test_a_person_is_asked_which_stones_are_dead(typed, dead):
    talk = Talk()
    question = "Which stones are dead? Name one of each group, such as D4 E5, or none.\n"
    told = m.AskScore(wants_dead=True, wants_score=False, claims=((1, ("B1", "B2")),))
    claim = "gnugo (white) calls B1 B2 dead. Playing on costs nothing.\n"
    assert talk.put(told) == f"{claim}{question}dead> "
    *_, answer = talk.type(typed)
    assert answer == m.Scored(dead=dead)


def test_moves_after_the_last_question_are_shown():
    view = RULES.play(START, turn(0, "A1"))
    assert Talk().put(m.TellMoves(view, (turn(0, "A1"),))) == " 2 . .\n 1(X).\n   A B\n"


@pytest.mark.parametrize(
    ("typed", "reply"),
    [
        ("limit 5s", m.WantsLimit(5_000_000_000)),
        ("LIMIT  2m30s", m.WantsLimit(150_000_000_000)),
        ("limit none", m.WantsLimit(0)),
    ],
)
def test_a_limit_for_the_engine_is_a_request(typed, reply):
    talk = Talk()
    talk.put(ask())
    assert talk.type(f"{typed}\n") == [reply]


@pytest.mark.parametrize("typed", ["limit soon", "limit -1s", "limit 0s"])
def test_a_limit_that_is_none_is_asked_for_again(typed):
    talk = Talk()
    talk.put(ask())
    (said,) = talk.type(f"{typed}\n")
    assert said.endswith("\nblack> ")
    assert "type limit" in said


def choice(**changes):
    view = RULES.play(START, turn(0, "A1"))
    return m.AskChoice(1, RULES.parse("B1"), "gnugo suggests B1", view, (turn(0, "A1"),), **changes)


@pytest.mark.parametrize(
    ("typed", "reply"),
    [("b2", m.Moved(RULES.parse("B2"))), ("play", m.Moved(RULES.parse("B1"))), ("resign", m.Resigned())],
)
def test_the_move_of_an_engine_that_suggests_one_is_chosen(typed, reply):
    talk = Talk()
    talk.put(ask())
    assert talk.type("a1\n") == [m.Moved(RULES.parse("A1"))]
    assert talk.put(choice()) == " 2 . .\n 1(X).\n   A B\ngnugo suggests B1\ngnugo (white)> "
    (again,) = talk.type("undo\n")
    assert "ill-formed vertex 'undo'" in again
    (help_,) = talk.type("help\n")
    assert "let it make the move that it suggests" in help_
    assert talk.type(f"{typed}\n") == [reply]


def test_the_prompt_has_the_clock():
    talk = Talk(control=CONTROL)
    assert talk.put(ask(clock=CONTROL.start())).endswith("\nblack (1m, then 3 x 30s)> ")


def test_a_game_that_cannot_be_drawn_is_played_by_its_notation_alone():
    class Bare:
        def parse(self, text):
            return text

        def format(self, move):
            return move

    talk = Talk(("seat 1", "seat 2"), rules=Bare(), number=1)
    assert talk.said == "You are seat 2. Type a move.\nType help for more.\n"
    assert talk.put(ask(((0, "up"),))) == "seat 1: up\nseat 2> "
    assert talk.type("down\n") == [m.Moved("down")]
