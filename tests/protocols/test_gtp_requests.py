"""Moves taken back and hints: what an engine is told, and what follows if it cannot do it."""

import pytest
from gtp_engine_script import Script, ready

from gyoji.core import messages as m
from gyoji.core.clocks import TimeControl

ANEW = ["boardsize 9", "clear_board", "komi 6.0"]
FREE = {"handicap": 2, "handicap_style": "free"}
FIXED = {"handicap": 2, "handicap_style": "fixed"}


def moved(script, text):
    return m.Moved(script.rules.parse(text))


def hint(script, text):
    return m.Hint(script.rules.parse(text))


def white(answers=(), known=(), **settings):
    """White's engine after D4 and its answer E5."""
    script = ready({"genmove": ["= E5", "= C3", "= F6"], **dict(answers)}, known, seat=1, **settings)
    assert script.ask("b D4") == [moved(script, "E5")]
    script.forget()
    return script


# Moves taken back


def test_an_engine_undoes_what_was_taken_back_its_own_last_move_included():
    script = white()
    assert script.ask("b D5", taken_back=2) == [moved(script, "C3")]
    assert script.writes == [["undo", "undo"], ["play b D5", "genmove w"]]
    assert script.ask("w C3", "b D6") == [moved(script, "F6")]
    assert script.seen[-2:] == ["play b D6", "genmove w"]


def test_what_the_news_had_brought_before_is_undone_too():
    script = white()
    script.ask("w E5", "b D6")
    script.forget()
    assert script.ask("b A1", taken_back=4) == [moved(script, "F6")]
    assert script.writes == [["undo"] * 4, ["play b A1", "genmove w"]]


def test_a_move_that_was_taken_back_may_be_made_again():
    script = white({"genmove": ["= E5", "= E5", "= F6"]})
    assert script.ask("b D4", taken_back=2) == [moved(script, "E5")]
    script.ask("w E5", "b D6")
    assert script.writes == [["undo", "undo"], ["play b D4", "genmove w"], ["play b D6", "genmove w"]]


@pytest.mark.parametrize("answers", [["? unknown command"] * 2, ["=", "? cannot undo"]])
def test_an_engine_that_cannot_undo_is_set_up_anew(answers):
    script = white()
    script.ask("w E5", "b D6")
    script.forget()
    script.answers["undo"] = answers
    assert script.ask("b D7", taken_back=2) == [moved(script, "F6")]
    assert script.writes == [["undo"] * 2, ANEW, ["play b D4", "play w E5"], ["play b D7", "genmove w"]]


def test_an_engine_that_is_set_up_anew_is_told_rules_clock_and_opening_again():
    known = ["kata-set-rules", "time_settings", "time_left"]
    go = {"ruleset": "chinese", "opening": "A1 B1"}
    script = white({"undo": "? no"}, known, go=go, control=TimeControl.parse("10m"))
    assert script.ask("b D5", taken_back=2) == [moved(script, "C3")]
    assert script.writes[1] == ANEW
    told = [line for lines in script.writes[2:] for line in lines]
    assert told[0].startswith("kata-set-rules ")
    assert [line for line in told[1:] if not line.startswith("kata-set-param")] == [
        "time_settings 600 0 0",
        "play b A1",
        "play w B1",
        "play b D5",
        "time_left w 600 0",
        "genmove w",
    ]


def test_handicap_stones_are_not_undone_but_set_up_anew():
    script = ready({"genmove": ["= E5", "= C3"]}, go=FREE, seat=1)
    script.ask("b D4 G7")
    script.forget()
    assert script.ask("b D4 F6", taken_back=2) == [moved(script, "C3")]
    assert script.writes == [ANEW, ["set_free_handicap D4 F6", "genmove w"]]


def test_a_fixed_handicap_is_given_again():
    script = ready({"genmove": "= E5", "fixed_handicap": "= C3 G7", "undo": "? no"}, go=FIXED, seat=0)
    script.ask("w D4")
    script.forget()
    script.ask("w D5", taken_back=2)
    assert script.seen == ["undo", "undo", *ANEW, "fixed_handicap 2", "play w D5", "genmove b"]


def test_the_end_of_a_game_may_come_with_a_move_taken_back():
    script = white()
    assert script.tell("b pass", taken_back=2) == [m.Acknowledged()]
    assert script.writes == [["undo", "undo"], ["play b pass"]]


@pytest.mark.parametrize("undo", ["=", "? no"])
def test_a_game_may_end_with_nothing_but_a_move_taken_back(undo):
    script = white({"undo": undo})
    assert script.tell(taken_back=2) == [m.Acknowledged()]
    assert script.writes == [["undo", "undo"], *([ANEW] if undo != "=" else []), ["name"]]


def test_a_remark_on_a_move_that_was_taken_back_may_still_come():
    explain = "gomill-explain_last_move"
    script = white(known=[explain])
    script.codec.send(script.question("w E5", "b D6"))
    script.codec.receive(b"=\n\n= C3\n\n")
    assert script.codec.send(script.question("b A1", taken_back=2)) == b"undo\nundo\n"
    got = list(script.codec.receive(b"= late\n\n=\n\n=\n\n"))
    assert got == [m.Comment("late"), m.More(b"play b A1\ngenmove w\n")]


def test_an_engine_that_refuses_the_game_when_it_is_set_up_anew_cannot_go_on():
    script = white({"undo": "? no"})
    script.ask("w E5", "b D6")
    script.answers["play"] = "? no"
    refused = "refused play b D4: 'no', when the game was set up anew"
    assert script.ask("b D7", taken_back=2) == [m.Unsupported(refused)]
    script.answers["clear_board"] = "? never"
    assert script.ask("b D7", taken_back=1) == [m.Unsupported("refused clear_board: 'never'")]
    assert script.tell("b D7", taken_back=1) == [m.RejectedMove("refused clear_board: 'never'", False)]


def test_a_second_game_begins_without_what_was_played_in_the_first():
    script = white({"undo": "? no"})
    script.put(m.Quit(keep=True))
    script.prepare()
    script.ask("b D4")
    script.forget()
    script.ask("b D5", taken_back=2)
    assert script.writes == [["undo", "undo"], ANEW, ["play b D5", "genmove w"]]


# Hints


def test_a_hint_is_the_move_that_an_engine_would_make_for_the_other_side():
    script = white({"reg_genmove": "= G3"})
    assert script.put(script.hint("w E5")) == [hint(script, "G3")]
    assert script.ask("b D6") == [moved(script, "C3")]
    assert script.writes == [["reg_genmove b"], ["play b D6", "genmove w"]]


UNKNOWN = "? unknown command"


@pytest.mark.parametrize(
    ("answers", "asked"),
    [
        ({"kata-search": "= G3"}, ["reg_genmove b", "kata-search b"]),
        ({"genmove b": "= G3"}, ["reg_genmove b", "kata-search b", "genmove b", "undo"]),
    ],
)
def test_an_engine_without_reg_genmove_has_other_ways_to_give_a_hint(answers, asked):
    script = white({"reg_genmove": UNKNOWN, "kata-search": UNKNOWN, **answers})
    assert script.put(script.hint("w E5")) == [hint(script, "G3")]
    assert script.seen == asked
    script.forget()
    assert script.ask("b D6") == [moved(script, "C3")]
    assert script.seen == ["play b D6", "genmove w"]


def test_an_engine_that_cannot_undo_its_hint_is_set_up_anew_for_its_next_move():
    lacks = {"reg_genmove": UNKNOWN, "kata-search": UNKNOWN, "undo": UNKNOWN}
    script = white({**lacks, "genmove b": "= G3"})
    assert script.put(script.hint("w E5")) == [hint(script, "G3")]
    script.forget()
    assert script.ask("b D6") == [moved(script, "C3")]
    assert script.writes == [ANEW, ["play b D4", "play w E5"], ["play b D6", "genmove w"]]


@pytest.mark.parametrize(
    ("answers", "reply"),
    [
        ({"reg_genmove": "= resign"}, m.Hint(None, "it would resign")),
        ({"reg_genmove": "= Z9"}, m.Hint(None, "answered reg_genmove b with 'Z9', expected a move")),
        ({"reg_genmove": "= D4 E5"}, m.Hint(None, "answered reg_genmove b with 'D4 E5', expected a move")),
        (
            {"reg_genmove": UNKNOWN, "kata-search": UNKNOWN, "genmove b": "? no"},
            m.Unsupported("refused genmove b: 'no'"),
        ),
        (
            {"reg_genmove": UNKNOWN, "kata-search": UNKNOWN, "genmove b": "= resign"},
            m.Hint(None, "it would resign"),
        ),
    ],
)
def test_there_may_be_no_hints(answers, reply):
    script = white(answers)
    assert script.put(script.hint("w E5")) == [reply]
    assert "undo" not in script.seen


def test_moves_are_taken_back_before_a_hint_is_given():
    script = white({"reg_genmove": "= G3"})
    assert script.put(script.hint(taken_back=2)) == [hint(script, "G3")]
    assert script.writes == [["undo", "undo"], ["reg_genmove b"]]


def test_an_engine_that_refuses_the_news_gives_no_hints_and_answers_for_it_at_its_next_move():
    script = Script({"genmove": ["= E5", "= C3"], "reg_genmove": "= G3"}, seat=1)
    script.prepare()
    script.forget()
    script.answers["play"] = "? illegal move"
    assert script.put(script.hint("b D4")) == [m.Unsupported("refused play b D4: 'illegal move'")]
    refused = "refused play b D4: 'illegal move', when the game was set up anew"
    assert script.ask("b D5") == [m.Unsupported(refused)]
