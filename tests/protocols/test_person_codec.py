"""The conversation with a person: what is shown, and what becomes of what is typed."""

import pytest

from gyoji.core import messages as m
from gyoji.core.clocks import TimeControl
from gyoji.games.go.options import Options as GoOptions
from gyoji.games.go.rules import rules as go_rules
from gyoji.protocols.person import Options, PersonCodec
from gyoji.testing.codec_kit import Exchange, check_codec

RULES = go_rules(GoOptions(board_size=2, komi=0.5), 0)
START = RULES.start()
NONE = TimeControl()
UNLIMITED = NONE.start()
CONTROL = TimeControl.parse("1m + 3x30s")
READY = m.Ready(can_score=False, knows_rules=True, tries_again=True, consents=True, chooses=True)
NAMES = Options(names=("black", "gnugo (white)"))


def turn(seat, text):
    return ((seat, RULES.parse(text)),)


def ask(*moves, view=START, clock=UNLIMITED, **changes):
    """A question after these turns."""
    return m.AskMove(view, moves, "", clock, (), **changes)


def new_game(control=NONE):
    return m.NewGame(0, RULES, START, control)


class Talk:
    """A codec that has been told of a game; what it writes is kept as text."""

    def __init__(self, options=NAMES, control=NONE):
        self.codec = PersonCodec(options)
        self.said = self.put(new_game(control))
        self.replies = self.codec.receive(b"")

    def put(self, request):
        return self.codec.send(request).decode()

    def type(self, text):
        return list(self.codec.receive(text.encode()))


def test_a_person_is_told_its_seat_and_how_moves_are_written():
    talk = Talk()
    assert talk.said == "You are black. A move is a point such as D4, or pass.\nType help for more.\n"
    assert talk.replies == [READY]


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


@pytest.mark.parametrize(
    ("typed", "reply"),
    [
        ("A1\n", m.Moved(RULES.parse("A1"))),
        ("  a1 \r\n", m.Moved(RULES.parse("A1"))),
        ("pass\n", m.Moved(RULES.parse("pass"))),
        ("undo\n", m.WantsTakeBack()),
        ("UNDO\n", m.WantsTakeBack()),
        ("hint\n", m.WantsAdvice()),
        ("draw\n", m.OffersDraw()),
        ("resign\n", m.Resigned()),
    ],
)
def test_a_line_is_a_move_or_a_wish(typed, reply):
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
        (
            "\udcff\n",
            "ill-formed vertex '???', expected one such as D4; help shows what can be typed\nblack> ",
        ),
    ],
)
def test_what_is_no_answer_is_asked_for_again(typed, shown):
    talk = Talk()
    talk.put(ask())
    replies = list(talk.codec.receive(typed.encode("utf-8", "surrogatepass")))
    assert [reply.data.decode().replace("\ufffd", "?") for reply in replies] == [shown]
    assert talk.type("A1\n") == [m.Moved(RULES.parse("A1"))]


def test_help_names_all_that_can_be_typed():
    talk = Talk()
    talk.put(ask())
    (more,) = talk.type("help\n")
    for word in ("D4", "undo", "hint", "draw", "resign", "board", "help"):
        assert word in more.data.decode()


def test_the_move_of_a_hint_is_played_by_a_word():
    talk = Talk()
    talk.put(ask())
    (more,) = talk.type("play\n")
    assert more.data == b"there is no hint to play\nblack> "
    talk.type("hint\n")
    talk.put(ask(notice="advice: B1", advice=RULES.parse("B1")))
    assert talk.type("play\n") == [m.Moved(RULES.parse("B1"))]
    talk.put(ask())
    assert isinstance(talk.type("play\n")[0], m.More)  # it was a hint for another position


def test_what_is_typed_while_nothing_is_asked_is_dropped():
    talk = Talk()
    assert talk.type("A1\nresign\n") == []
    talk.put(ask())
    assert talk.type("A1\nB1\n") == [m.Moved(RULES.parse("A1"))]
    talk.put(ask(notice="no"))
    assert talk.type("B2\n") == [m.Moved(RULES.parse("B2"))]


@pytest.mark.parametrize(
    ("wish", "typed", "replies"),
    [
        ("take-back", "yes\n", [m.Agreed()]),
        ("take-back", "N\n", [m.Declined()]),
        ("draw", "A1\nno\n", [m.More(b"please answer yes or no\nyes or no> "), m.Declined()]),
    ],
)
def test_a_person_is_asked_whether_it_agrees(wish, typed, replies):
    talk = Talk()
    assert talk.put(m.AskConsent(1, wish)) == f"gnugo (white) wishes a {wish}\nyes or no> "
    assert talk.type(typed) == replies


@pytest.mark.parametrize(
    ("typed", "dead"), [("none\n", ()), ("a1 B2\n", ("A1", "B2")), ("help\nZ1\n\nA1\n", ("A1",))]
)
def test_a_person_is_asked_which_stones_are_dead(typed, dead):
    talk = Talk()
    question = "Which stones are dead? Name one of each group, such as D4 E5, or none.\n"
    assert talk.put(m.AskScore(wants_dead=True, wants_score=False)) == f"{question}dead> "
    *_, answer = talk.type(typed)
    assert answer == m.Scored(dead=dead)


def test_what_a_person_is_not_asked_about_is_answered_for_it():
    talk = Talk()
    view = RULES.play(START, turn(0, "A1"))
    assert talk.put(m.TellMoves(view, (turn(0, "A1"),))) == " 2 . .\n 1(X).\n   A B\n"
    for request, reply in (
        (None, m.Acknowledged()),
        (m.AskAdvice(1, START, (), CONTROL.start()), m.Unsupported("a person gives no advice")),
        (m.AskScore(), m.Scored()),
        (m.Quit(), m.HasQuit()),
        (m.Quit(keep=True), m.HasQuit(stays=True)),
    ):
        assert (talk.put(request) if request else "") == ""
        assert list(talk.codec.receive(b"")) == [reply]


@pytest.mark.parametrize(
    ("typed", "reply"),
    [
        ("limit 5s", m.WantsLimit(5_000_000_000)),
        ("LIMIT  2m30s", m.WantsLimit(150_000_000_000)),
        ("limit none", m.WantsLimit(0)),
    ],
)
def test_a_limit_for_the_engine_is_a_wish(typed, reply):
    talk = Talk()
    talk.put(ask())
    assert talk.type(f"{typed}\n") == [reply]


@pytest.mark.parametrize("typed", ["limit soon", "limit -1s", "limit 0s"])
def test_a_limit_that_is_none_is_asked_for_again(typed):
    talk = Talk()
    talk.put(ask())
    (said,) = talk.type(f"{typed}\n")
    assert said.data.endswith(b"\nblack> ")
    assert b"type limit" in said.data


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
    assert b"ill-formed vertex 'undo'" in again.data
    (help_,) = talk.type("help\n")
    assert b"let it make the move that it suggests" in help_.data
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

    codec = PersonCodec(Options())
    assert (
        codec.send(m.NewGame(1, Bare(), None, TimeControl()))
        == b"You are seat 2. Type a move.\nType help for more.\n"
    )
    assert codec.send(ask(((0, "up"),))) == b"seat 1: up\nseat 2> "
    assert list(codec.receive(b"down\n"))[-1] == m.Moved("down")


def test_names_are_words_that_can_be_shown():
    with pytest.raises(ValueError, match="names: expected printable words"):
        Options(names=("a\x1b",))


def test_the_codec_keeps_the_promises_of_its_port():
    begin = Exchange(request=new_game(), heard=b"\n", replies=(READY,))
    move = Exchange(request=ask(), heard=b"A1\n", replies=(m.Moved(RULES.parse("A1")),))
    again = Exchange(
        request=ask(notice="no"),
        sent=b"no\nblack> ",
        heard=b"Z\n b2 \n",
        replies=(
            m.More(b"ill-formed vertex 'Z', expected one such as D4; help shows what can be typed\nblack> "),
            m.Moved(RULES.parse("B2")),
        ),
    )
    wishes = [
        Exchange(request=ask(), heard=word + b"\n", replies=(reply,))
        for word, reply in (
            (b"undo", m.WantsTakeBack()),
            (b"hint", m.WantsAdvice()),
            (b"draw", m.OffersDraw()),
        )
    ]
    consent = Exchange(request=m.AskConsent(1, "draw"), heard=b"yes\n", replies=(m.Agreed(),))
    end = Exchange(request=m.Quit(), sent=b"", heard=b"\n", replies=(m.HasQuit(),))
    check_codec(lambda: PersonCodec(NAMES), [[begin, move, again, *wishes, consent, end], [begin, end]])
