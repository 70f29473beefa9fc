"""The codec of a human player: events with fields, and the replies to answers."""

import json

import pytest

from gyoji.core import messages as m
from gyoji.core.clocks import TimeControl
from gyoji.core.text import parse_duration
from gyoji.games.go import frames
from gyoji.games.go.game_options import Options as GoOptions
from gyoji.games.go.rules import rules as go_rules
from gyoji.protocols.human import HumanCodec
from gyoji.testing.codec_kit import Exchange, check_codec

RULES = go_rules(GoOptions(board_size=2, komi=0.5), 0)
START = RULES.start()
CONTROL = TimeControl.parse("1m + 3x30s")
READY = m.Ready(can_score=False, knows_rules=True, tries_again=True, consents=True, chooses=True)


def turn(seat, text):
    return ((seat, RULES.parse(text)),)


def ask(*moves, view=START, clock=None, **changes):
    """Return the question for a move after these turns."""
    return m.AskMove(view, moves, "", clock or CONTROL.start(), (), **changes)


def event(name, **fields):
    """Return the `More` with an event."""
    return m.More(json.dumps({"event": name, "seat": 0, **fields}, separators=(",", ":")).encode() + b"\n")


def answered(question):
    return event("answered", question=question)


class Talk:
    """A codec that has begun a game in seat 0."""

    def __init__(self, pictures=frames, rules=RULES):
        self.codec = HumanCodec(pictures, ("take-back", "resign"))
        (self.begin,) = self.put(m.NewGame(0, rules, START, CONTROL))
        self.replies = self.codec.receive(b"")

    def put(self, request):
        return [json.loads(line) for line in self.codec.send(request).splitlines()]

    def ask(self, *moves, **changes):
        (event,) = self.put(ask(*moves, **changes))
        return event

    def answer(self, **fields):
        return list(self.codec.receive(json.dumps(fields).encode() + b"\n"))


def test_the_page_is_told_the_board_and_what_may_be_requested():
    talk = Talk()
    assert talk.replies == [READY]
    begin = talk.begin
    assert (begin["event"], begin["seat"], begin["may"]) == ("begin", 0, ["take-back", "resign"])
    assert (begin["scene"]["columns"], begin["clock"]) == (["A", "B"], "1m + 3x30s")
    assert begin["notation"] == "a point such as D4, or pass"
    assert begin["frame"] == [[], [], [0, 0]]


def test_a_question_has_the_moves_the_position_and_what_is_offered():
    view = RULES.play(RULES.play(START, turn(0, "A1")), turn(1, "B2"))
    asked = Talk().ask(turn(0, "A1"), turn(1, "B2"), view=view)
    assert (asked["event"], asked["about"], asked["question"], asked["turn"]) == ("ask", "move", 1, 2)
    assert asked["news"] == [[[0, "A1"]], [[1, "B2"]]]
    assert asked["frame"] == [[2, "B", 1, "W"], [], [0, 0]]
    assert asked["board"] == " 2 .(O)\n 1 X .\n   A B"
    assert asked["offered"] == {
        "points": [1],
        "between": "",
        "choices": [["pass", "pass", -1, ""]],
        "signs": ["B"],
        "ways": [],
    }


def test_the_clock_is_told_in_its_parts():
    assert Talk().ask()["clock"] == {
        "left": 150000,
        "main": 60000,
        "period": 30000,
        "periods": 3,
        "stones": 0,
        "move": 0,
    }
    spent = CONTROL.spend(CONTROL.start(), parse_duration("65s"))
    assert Talk().ask(clock=spent)["clock"]["left"] == 90000


def test_what_was_taken_back_is_told_and_turns_are_counted_on():
    talk = Talk()
    talk.ask(turn(0, "A1"), turn(1, "B2"))
    event = talk.ask(taken_back=2)
    assert (event["taken_back"], event["turn"]) == (2, 0)


def test_a_hint_is_a_field_of_its_own():
    event = Talk().ask(notice="hint: B1", hint=RULES.parse("B1"))
    assert (event["hint"], event["notice"]) == ("B1", "hint: B1")


@pytest.mark.parametrize(
    ("answer", "reply"),
    [
        ({"move": "A1"}, m.Moved(RULES.parse("A1"))),
        ({"move": "  b2 "}, m.Moved(RULES.parse("B2"))),
        ({"move": "pass"}, m.Moved(RULES.parse("pass"))),
        ({"request": "hint"}, m.WantsHint()),
        ({"request": "resign"}, m.Resigned()),
    ],
)
def test_an_answer_is_a_move_or_a_request(answer, reply):
    talk = Talk()
    talk.ask()
    assert talk.answer(question=1, **answer) == [answered(1), reply]


@pytest.mark.parametrize(
    ("lag", "ns"), [(120, 120_000_000), (0.5, 500_000), (1e9, 60_000_000_000), (0, None), (-5, None)]
)
def test_the_time_of_the_network_goes_before_the_answer(lag, ns):
    talk = Talk()
    talk.ask()
    replies = talk.answer(question=1, move="A1", lag=lag)
    assert replies == [answered(1), *([m.Delayed(ns)] if ns else []), m.Moved(RULES.parse("A1"))]


@pytest.mark.parametrize(
    ("fields", "reason", "move"),
    [
        ({"question": 1}, "expected a move or a request", None),
        ({"question": 1, "agree": True}, "expected a move or a request", None),
        ({"question": 1, "move": "Z9"}, "'Z9' is off the 2x2 board", "Z9"),
        ({"question": 1, "move": "\x1b[2J"}, "ill-formed vertex", "\x1b[2J"),
        ({"question": 1, "request": "to win"}, "Invalid enum value 'to win'", None),
        ({"move": "A1"}, "missing required field `question`", None),
        ({"question": 1, "move": "A1", "more": 1}, "unknown field `more`", None),
    ],
)
def test_what_is_no_answer_is_refused_with_the_reason_and_the_question_stays(fields, reason, move):
    talk = Talk()
    talk.ask()
    (more,) = talk.answer(**fields)
    event = json.loads(more.data)
    assert (event["event"], event["question"]) == ("refused", 1)
    assert event["move"] == move
    assert reason in event["reason"]
    assert talk.answer(question=1, move="A1") == [answered(1), m.Moved(RULES.parse("A1"))]


@pytest.mark.parametrize("line", [b"move\n", b"[]\n", b'"\n', b"\xff\xfe\n", b'{"question":1e999}\n'])
def test_what_is_no_json_object_is_refused(line):
    talk = Talk()
    talk.ask()
    (more,) = talk.codec.receive(line)
    assert json.loads(more.data)["event"] == "refused"


def test_an_answer_to_another_question_is_dropped():
    talk = Talk()
    assert talk.answer(question=0, move="A1") == []  # nothing is asked
    talk.ask()
    assert talk.answer(question=1, move="A1") == [answered(1), m.Moved(RULES.parse("A1"))]
    assert talk.answer(question=1, move="B1") == []
    talk.ask(notice="no")
    assert talk.answer(question=1, move="B1") == []  # it was meant for the first one
    assert talk.answer(question=2, move="B2") == [answered(2), m.Moved(RULES.parse("B2"))]


def test_a_person_is_asked_whether_it_agrees():
    talk = Talk()
    (event,) = talk.put(m.AskConsent(1, "take-back"))
    assert (event["about"], event["request"], event["of"]) == ("consent", "take-back", 1)
    (more,) = talk.answer(question=1, move="A1")
    assert "expected whether you agree" in json.loads(more.data)["reason"]
    assert talk.answer(question=1, agree=True) == [answered(1), m.Agreed()]
    talk.put(m.AskConsent(1, "draw"))
    assert talk.answer(question=2, agree=False) == [answered(2), m.Declined()]


@pytest.mark.parametrize(("named", "dead"), [([], ()), (["a1", "B2"], ("A1", "B2"))])
def test_a_person_is_asked_which_stones_are_dead(named, dead):
    talk = Talk()
    (event,) = talk.put(m.AskScore(wants_dead=True, wants_score=False))
    assert event["about"] == "dead"
    assert talk.answer(question=1, dead=named) == [answered(1), m.Scored(dead=dead)]


#  5 . X O . .     E3 is a black stone behind White's wall.
def test_groups_are_marked_as_dead_one_by_one_and_each_mark_tells_the_count():
    rules = go_rules(GoOptions(board_size=5, komi=0.5, ruleset="chinese"), 0)
    position = rules.start()
    moves = ["B1", "C1", "B2", "C2", "B3", "C3", "B4", "C4", "B5", "C5", "E3", "pass", "pass"]
    for number, move in enumerate(moves):
        position = rules.play(position, ((number % 2, rules.parse(move)),))
    talk = Talk(rules=rules)
    request = m.AskScore(wants_dead=True, wants_score=False, view=position, claims=((1, ("E3",)),))
    (asked,) = talk.put(request)
    assert (asked["claims"], asked["cost"]) == ([[1, ["E3"]]], "Playing on costs nothing.")
    assert (asked["dead"], asked["result"]) == (["E3"], "White wins by 5.5 points")
    signs = dict(map(tuple, asked["overlay"]))
    assert signs[14] == "owner1"  # E3, counted from the top left
    assert signs[0] == "owner0"
    assert [14, "dead"] in asked["overlay"]

    def marked(point):
        (more,) = talk.answer(question=1, turn=point)
        told = json.loads(more.data)
        assert told["event"] == "counted"
        return told["dead"], told["result"]

    assert marked("e3") == ([], "Black wins by 5.5 points")
    assert marked("c4") == (["C1", "C2", "C3", "C4", "C5"], "Black wins by 24.5 points")
    assert marked("C1") == ([], "Black wins by 5.5 points")
    (more,) = talk.answer(question=1, turn="A1")
    assert "there is no stone at A1" in json.loads(more.data)["reason"]
    assert talk.answer(question=1, dead=["E3"]) == [answered(1), m.Scored(dead=("E3",))]


def test_a_request_to_others_is_pending_until_the_next_question():
    talk = Talk()
    for number, request, reply in ((1, "take-back", m.WantsTakeBack()), (2, "draw", m.OffersDraw())):
        talk.ask()
        closed = event("answered", question=number, request=request)
        assert talk.answer(question=number, request=request) == [closed, reply]


def test_what_a_person_is_not_asked_about_is_answered_for_it():
    talk = Talk()
    view = RULES.play(START, turn(0, "A1"))
    (told,) = talk.put(m.TellMoves(view, (turn(0, "A1"),)))
    assert (told["event"], told["frame"][0]) == ("tell", [2, "B"])
    for request, reply in (
        (None, m.Acknowledged()),
        (m.AskHint(1, START, (), CONTROL.start()), m.Unsupported("a human player gives no hints")),
        (m.AskScore(), m.Scored()),
        (m.Quit(), m.HasQuit()),
        (m.Quit(keep=True), m.HasQuit(stays=True)),
    ):
        assert (talk.put(request) if request else []) == []
        assert list(talk.codec.receive(b"")) == [reply]


class Bare:
    """Rules that draw nothing."""

    def parse(self, text):
        return text

    def format(self, move):
        return move


def test_a_game_without_pictures_is_played_by_its_notation_alone():
    talk = Talk(None, Bare())
    assert (talk.begin["scene"], talk.begin["notation"]) == (None, "")
    event = talk.ask(((1, "up"),))
    assert "frame" not in event
    assert event["offered"]["points"] == []
    assert talk.answer(question=1, move="down") == [answered(1), m.Moved("down")]


def test_the_codec_keeps_the_promises_of_its_port():
    def heard(**fields):
        return json.dumps(fields).encode() + b"\n"

    def moved(text):
        return m.Moved(RULES.parse(text))

    begin = Exchange(request=m.NewGame(0, RULES, START, CONTROL), heard=b"\n", replies=(READY,))
    move = Exchange(request=ask(), heard=heard(question=1, move="A1"), replies=(answered(1), moved("A1")))
    refused = event("refused", question=2, reason="expected a move or a request", move=None)
    again = Exchange(
        request=ask(notice="no"),
        heard=heard(question=2) + heard(question=2, move="b2"),
        replies=(refused, answered(2), moved("B2")),
    )
    consent = Exchange(
        request=m.AskConsent(1, "draw"),
        heard=heard(question=3, agree=True),
        replies=(answered(3), m.Agreed()),
    )
    end = Exchange(request=m.Quit(), sent=b"", heard=b"\n", replies=(m.HasQuit(),))
    check_codec(lambda: HumanCodec(frames), [[begin, move, again, consent, end], [begin, end]])


def test_the_move_of_an_engine_that_suggests_one_is_asked_as_a_move_with_a_hint():
    talk = Talk()
    view = RULES.play(START, turn(0, "A1"))
    request = m.AskChoice(1, RULES.parse("B1"), "y suggests B1", view, (turn(0, "A1"),))
    (asked,) = talk.put(request)
    assert (asked["event"], asked["about"], asked["hint"], asked["notice"]) == (
        *("ask", "move", "B1", "y suggests B1"),
    )
    assert (asked["turn"], asked["offered"]["points"]) == (1, [1])
    (refused,) = talk.answer(question=1, request="take-back")
    assert b"first choose the move of the engine" in refused.data
    assert talk.answer(question=1, move="b2")[-1] == m.Moved(RULES.parse("B2"))
    talk.put(request)
    assert talk.answer(question=2, request="resign")[-1] == m.Resigned()
