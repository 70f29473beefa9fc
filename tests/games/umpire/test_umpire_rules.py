"""The rules of games with an umpire: what becomes of what it says, without any program."""

import json

import pytest

from gyoji.core.faults import IllegalMove
from gyoji.core.outcome import Ending
from gyoji.core.replay import left_out
from gyoji.games.umpire.game_options import Options
from gyoji.games.umpire.position import Json, format_answer, parse_answer
from gyoji.games.umpire.rules import MOST_IDLE, UmpireRules

NAMES = ("a", "b", "c", "d")


def line(**message):
    return json.dumps(message)


def ask(*seats, say="go"):
    return line(ask=[{"seat": seat, "say": say} for seat in seats])


def end(*points, **more):
    return line(end={"points": points, **more})


def rules_for(seats=2, **options):
    return UmpireRules(Options(seats=seats, **options), 7)


class Talk:
    """A game in progress: it answers questions to the umpire with given lines, and keeps the conversation."""

    def __init__(self, rules):
        self.rules, self.position, self.lines = rules, rules.start(), []

    def umpire(self, *lines):
        self.lines.append(self.rules.question(self.position, NAMES[: self.rules.seats]))
        assert self.lines[-1], "it is not the umpire's turn"
        self.position = self.rules.ruled(self.position, lines)
        self.lines += lines
        return self

    def answer(self, **moves):
        turn = tuple((NAMES.index(name), move) for name, move in sorted(moves.items()))
        self.position = self.rules.play(self.position, turn)
        return self

    def fail(self, seat, ending=Ending.TIME):
        self.position = self.rules.failed(self.position, seat, ending)
        return self

    @property
    def acting(self):
        return self.rules.acting(self.position)


def test_a_game_begins_with_all_that_an_umpire_needs():
    rules = rules_for(3, teams=(0, 1, 0), settings={"heap": 21}, opening="late")
    told = json.loads(rules.question(rules.start(), NAMES[:3]))
    assert told == {
        "begin": {
            "protocol": 1,
            "seats": 3,
            "teams": [0, 1, 0],
            "players": ["a", "b", "c"],
            "seed": 7,
            "settings": {"heap": 21},
            "opening": "late",
        }
    }
    assert rules.acting(rules.start()) == ()


def test_seats_act_when_they_are_asked_and_the_umpire_when_all_have_answered():
    talk = Talk(rules_for(3)).umpire(ask(2, 0))
    assert talk.acting == (0, 2)
    assert talk.rules.question(talk.position, NAMES[:3]) == ""
    talk.answer(a="x", c=Json('{"y":1}'))
    assert talk.acting == ()
    question = talk.rules.question(talk.position, NAMES[:3])
    assert json.loads(question) == {"answers": {"0": {"say": "x"}, "2": {"say": {"y": 1}}}}


@pytest.mark.parametrize(
    ("ending", "word"),
    [
        (Ending.TIME, "time"),
        (Ending.FAULT, "fault"),
        (Ending.ILL_FORMED_MOVE, "malformed"),
        (Ending.RESIGNATION, "resigned"),
        (Ending.REJECTION, "fault"),
    ],
)
def test_the_umpire_learns_how_a_seat_failed(ending, word):
    talk = Talk(rules_for()).umpire(ask(0, 1)).fail(1, ending)
    assert talk.acting == (0,)
    talk.answer(a="x")
    told = json.loads(talk.rules.question(talk.position, NAMES[:2]))["answers"]
    assert told == {"0": {"say": "x"}, "1": {"failed": word}}


def test_a_seat_that_failed_is_never_acting_again_and_answers_at_once():
    talk = Talk(rules_for()).umpire(ask(0)).fail(0)
    assert talk.acting == ()
    talk.umpire(ask(0))
    assert talk.acting == ()
    assert json.loads(talk.rules.question(talk.position, NAMES[:2])) == {"answers": {"0": {"failed": "gone"}}}
    assert talk.umpire(ask(0, 1)).acting == (1,)


def test_an_umpire_that_asks_for_ever_those_who_are_out_is_stopped():
    talk = Talk(rules_for()).umpire(ask(0)).fail(0)
    for _ in range(MOST_IDLE):
        talk.umpire(ask(0))
    with pytest.raises(ValueError, match=f"asked only seats that are out of the game, {MOST_IDLE} times"):
        talk.umpire(ask(0))


def test_a_seat_that_failed_between_two_questions_answers_with_that_once():
    talk = Talk(rules_for()).umpire(ask(0)).fail(1, Ending.FAULT).answer(a="x").umpire(ask(1))
    assert talk.acting == ()
    assert json.loads(talk.rules.question(talk.position, NAMES[:2])) == {
        "answers": {"1": {"failed": "fault"}}
    }
    talk.umpire(ask(1))
    assert json.loads(talk.rules.question(talk.position, NAMES[:2])) == {"answers": {"1": {"failed": "gone"}}}


def test_a_failure_loses_if_the_settings_say_so():
    talk = Talk(rules_for(failure="loses")).umpire(ask(0))
    assert talk.rules.failed(talk.position, 0, Ending.TIME) is None


def test_a_seat_hears_what_it_is_told_and_asked_and_nothing_else():
    secret = {"seat": 1, "say": "the card is 5"}
    talk = Talk(rules_for(3)).umpire(line(tell=secret), line(tell={"seat": [0, 2], "say": "wait"}), ask(0))
    first, second, third = (talk.rules.view(talk.position, seat) for seat in range(3))
    assert (first.told, second.told, third.told) == (('"wait"',), ('"the card is 5"',), ('"wait"',))
    assert first.ask is not None
    assert second.ask is third.ask is None
    talk.answer(a="mine")
    assert talk.rules.view(talk.position, 0).told == ()
    assert talk.rules.news(((0, "mine"), (1, "other")), 0) == ((0, "mine"),)


def test_a_picture_for_some_is_not_seen_by_others_and_spectators_see_their_own():
    talk = Talk(rules_for()).umpire(
        line(picture={"text": "all"}),
        line(picture={"for": [1], "text": "b"}),
        line(picture={"for": [], "text": "w"}),
        ask(0),
    )
    seen = [talk.rules.view(talk.position, seat).picture.text for seat in (0, 1)]
    assert (*seen, talk.position.picture.text) == ("all", "b", "w")


@pytest.mark.parametrize(
    ("said", "points", "ending"),
    [
        ({"places": [1, 2, 2]}, (2 / 3, 1 / 6, 1 / 6), "score"),
        ({"points": [5, 7, 7]}, (0.0, 0.5, 0.5), "score"),
        ({"places": [3, 2, 1], "points": [9, 9, 9]}, (0.0, 1 / 3, 2 / 3), "score"),
        ({}, (1 / 3, 1 / 3, 1 / 3), "score"),
        ({"ending": "mate", "places": [1, 2, 3]}, (2 / 3, 1 / 3, 0.0), "mate"),
        ({"ending": "no result"}, None, "no result"),
        ({"ending": "illegal move", "seat": 2, "places": [1, 1, 3]}, (0.5, 0.5, 0.0), "illegal move"),
    ],
)
def test_places_decide_and_points_count_if_there_are_none(said, points, ending):
    talk = Talk(rules_for(3)).umpire(line(end=said))
    outcome = talk.rules.outcome(talk.position)
    assert outcome.points == (points and pytest.approx(points))
    assert outcome.ending.value == ending
    assert outcome.totals == tuple(map(float, said.get("points", ())))


WRONG = {
    "no JSON": ("hello", "is no JSON"),
    "a list": ("[1]", "Expected object, got array"),
    "an unknown message": (line(hello=1), "unknown field hello"),
    "an unknown key": (line(tell={"seat": 0, "says": "x"}), "unknown field says"),
    "two messages": (json.dumps({"move": {"seat": 0, "text": ""}, "refuse": "x"}), "expected one of"),
    "none": ("{}", "expected one of"),
    "a seat as text": (line(ask=[{"seat": "0", "say": ""}]), "Expected int, got str"),
    "a seat that is not there": (ask(2), "there is no seat 2: expected 0 to 1"),
    "a negative seat": (line(move={"seat": -1, "text": ""}), "there is no seat -1"),
    "nobody": (line(ask=[]), "expected a question for one seat or more"),
    "a seat twice": (ask(0, 0), "the same seat is asked twice"),
    "too few places": (line(end={"places": [1]}), "expected a number for each of 2 teams, got 1"),
    "no number": ('{"end":{"points":[1,1e999]}}', "out of range|finite"),
    "an ending of gyoji": (line(end={"ending": "skipped"}), "needs the seat"),
    "a forfeit of nobody": (line(end={"ending": "time"}), "needs the seat"),
    "no ending": (line(end={"ending": "Mate in 3!"}), "expected words in small letters"),
    "a refusal": (line(refuse="4 seats only"), "refuses this game: 4 seats only"),
    "a ragged grid": (line(picture={"grid": [["a"], []]}), "different lengths"),
    "a mark outside": (line(picture={"grid": [["a"]], "marks": [[0, 1]]}), "there is no place"),
    "too large a grid": (line(picture={"grid": [[""] * 200] * 200}), "10000 places at most"),
    "no lines": (line(ask=[{"seat": 0, "say": "", "lines": 0}]), "expected 1 to 1000"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_no_umpire_may_say_is_told_in_words(name):
    said, message = WRONG[name]
    with pytest.raises(ValueError, match=message):
        Talk(rules_for()).umpire(said)


def test_a_grid_keeps_its_size():
    talk = Talk(rules_for()).umpire(line(picture={"grid": [["a"]]}), ask(0)).answer(a="x")
    with pytest.raises(ValueError, match=r"it was \(1, 1\), and is \(1, 2\) now"):
        talk.umpire(line(picture={"grid": [["a", "b"]]}), ask(0))


def test_a_recorded_conversation_makes_ordinary_rules():
    talk = Talk(rules_for(3)).umpire(ask(0, 1, 2)).fail(1).answer(a="x", c="z")
    talk.umpire(ask(1)).umpire(ask(2)).answer(c="w").umpire(end(3, 2, 1))

    class Result:
        left_out = (1,)

    rules = talk.rules.replayed(tuple(talk.lines))
    position = left_out(rules, Result, rules.start(), (0, 2))
    assert rules.acting(position) == (0, 2)
    position = rules.play(position, ((0, "x"), (2, "z")))
    assert rules.acting(position) == (2,)
    position = rules.play(position, ((2, "w"),))
    assert rules.outcome(position) == talk.rules.outcome(talk.position)
    with pytest.raises(ValueError, match="the umpire was sent"):
        rules.play(left_out(rules, Result, rules.start(), (0, 2)), ((0, "y"), (2, "z")))


def test_a_conversation_that_grows_is_followed():
    talk = Talk(rules_for()).umpire(ask(0))
    lines = list(talk.lines)
    rules = talk.rules.replayed(lines)
    position = rules.play(rules.start(), ((0, "x"),))
    assert rules.acting(position) == ()
    talk.answer(a="x").umpire(ask(1))
    lines[:] = talk.lines
    assert rules.acting(rules.play(position, ((1, "y"),))) == ()


def test_whoever_was_not_asked_has_no_move():
    talk = Talk(rules_for()).umpire(ask(0))
    with pytest.raises(IllegalMove):
        talk.rules.check(talk.position, 1, "x")
    with pytest.raises(IllegalMove):
        talk.answer(b="x")


@pytest.mark.parametrize(
    ("move", "text"),
    [
        ("e2e4", "e2e4"),
        ("", '""'),
        ("a\nb", '"a\\nb"'),
        ('"', '"\\""'),
        ("=3", '"=3"'),
        (Json("3"), "=3"),
        (Json('{"x":"é"}'), '={"x":"é"}'),
    ],
)
def test_an_answer_is_written_in_one_line_and_read_again(move, text):
    assert format_answer(move) == text
    again = parse_answer(text)
    assert (again, type(again)) == (move, type(move))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seats": 0}, "expected 1 to 64, got 0"),
        ({"seats": 3, "teams": (0, 1)}, "one for each of 3 seats"),
        ({"seats": 2, "teams": (1, 0)}, "in the order of their first seats"),
        ({"failure": "draw"}, "expected 'umpire' or 'loses'"),
    ],
)
def test_settings_that_do_not_fit_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        Options(**options)
