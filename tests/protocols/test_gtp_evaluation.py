"""Evaluations that an engine is asked for if its settings say so."""

import pytest
from gtp_engine_script import ready

from gyoji.core import messages as m
from gyoji.core.messages import Evaluation

KATA, LZ, ESTIMATE = "kata-genmove_analyze", "lz-genmove_analyze", "estimate_score"
EXPLAIN = "gomill-explain_last_move"
INFO = "info move D4 visits 9 winrate 0.6 scoreLead 1.5 order 0 pv D4 E5"
SAID = Evaluation(1.5, 0.6, None, 9, ("D4", "E5"))


def moved(script, text, said=None):
    return m.Moved(script.rules.parse(text), said)


def test_an_engine_of_katagos_kind_says_what_it_thinks_with_its_move():
    script = ready({KATA: [f"=\n{INFO}\nplay D4", "=\nplay resign"]}, [KATA, LZ, ESTIMATE], evaluate=True)
    assert script.ask() == [moved(script, "D4", SAID)]
    assert script.ask("b D4", "w E5") == [m.Resigned()]
    asked = f"{KATA} b maxmoves 1 rootInfo true"
    assert script.writes == [[asked], ["play w E5", asked]]


def test_an_engine_of_leelas_kind_says_its_chance():
    told = "=\ninfo move D4 visits 9 winrate 6000 order 0 pv D4\nplay D4"
    script = ready({LZ: told}, [LZ, ESTIMATE], evaluate=True)
    said = Evaluation(None, 0.6, None, 9, ("D4",))
    assert script.ask() == [moved(script, "D4", said)]
    assert script.seen == [f"{LZ} b"]


@pytest.mark.parametrize(("seat", "score"), [(0, 5.9), (1, -5.9)])
def test_gnu_go_is_asked_for_the_score_after_its_move(seat, score):
    answers = {"genmove": "= D4", ESTIMATE: "= B+5.9 (upper bound: -5.9, lower: -5.9)"}
    script = ready(answers, [ESTIMATE], evaluate=True, seat=seat)
    assert script.ask() == [moved(script, "D4"), m.Comment("", Evaluation(score=score))]
    assert script.writes == [[f"genmove {'bw'[seat]}"], [ESTIMATE]]


def test_an_engine_may_be_asked_for_words_and_for_the_score():
    answers = {"genmove": ["= D4", "= D5"], ESTIMATE: ["= 0", "? no"], EXPLAIN: ["= quiet", "= loud"]}
    script = ready(answers, [ESTIMATE, EXPLAIN], evaluate=True)
    assert script.ask() == [moved(script, "D4"), m.Comment("quiet"), m.Comment("", Evaluation(score=0.0))]
    assert script.ask("b D4", "w E5") == [moved(script, "D5"), m.Comment("loud")]


def test_an_engine_that_nobody_asks_is_asked_nothing():
    script = ready({"genmove": "= D4"}, [KATA, LZ, ESTIMATE])
    assert script.ask() == [moved(script, "D4")]
    assert script.seen == ["genmove b"]


def test_an_engines_words_on_its_move_may_be_an_opinion():
    script = ready({"genmove": "= D4", EXPLAIN: "= winrate 61% after 500 playouts, pv D4 E5"}, [EXPLAIN])
    text = "winrate 61% after 500 playouts, pv D4 E5"
    assert script.ask() == [moved(script, "D4"), m.Comment(text, Evaluation(win=0.61, pv=("D4", "E5")))]


def test_words_beside_an_analysis_are_no_second_opinion():
    answers = {KATA: f"=\n{INFO}\nplay D4", EXPLAIN: "= winrate 61%"}
    script = ready(answers, [KATA, EXPLAIN], evaluate=True)
    assert script.ask() == [moved(script, "D4", SAID), m.Comment("winrate 61%")]


@pytest.mark.parametrize(
    ("answer", "reply"),
    [
        ("? no", m.Unsupported(f"refused {KATA} b maxmoves 1 rootInfo true: 'no'")),
        (f"=\n{INFO}", m.Malformed(f"\n{INFO}")),
        ("= D4", "D4"),
        (f"=\n{INFO}\nplay Z9", m.Malformed("Z9")),
    ],
)
def test_an_analysis_that_is_none_is_judged_as_an_answer_to_genmove(answer, reply):
    script = ready({KATA: answer}, [KATA], evaluate=True)
    got = script.ask()[0]
    assert got == (moved(script, reply) if isinstance(reply, str) else reply)


def test_who_may_claim_a_win_moves_in_the_way_that_allows_it():
    claim = "gomill-genmove_ex"
    script = ready({claim: "= claim"}, [claim, KATA], evaluate=True, allow_claim=True)
    assert script.ask() == [m.ClaimedWin()]
