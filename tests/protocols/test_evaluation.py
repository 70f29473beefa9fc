"""Evaluations from the search output of real programs."""

import time

import pytest
from gomocup_exchanges import Table
from msgspec.structs import replace

from gyoji.core import messages as m
from gyoji.core.evaluation import LONGEST, read_words
from gyoji.core.messages import Evaluation
from gyoji.protocols.gtp.analysis import KATA_ANALYZE, LZ_ANALYZE, read_analysis, read_estimate
from gyoji.protocols.uci.analysing import read_variations
from gyoji.testing.codec_kit import Exchange, evaluation_flaw

AIWINE = """depth: 1-1 best:[9,7] val=-37 time:0ms
VCT cost time:0ms
depth: 6-11 best:[6,7] val=-42 time:104ms
depth: 7-12 best:[6,7] val=-54 time:208ms
node:180098 eval:-54"""
AIWINE_FORCED = """VCF cost time:0ms  node:1
VCF success! win point[6, 6]
node:0 eval:0"""
RAPFI = """Speed 176K | Depth 16-35 | Eval -143 | Node 111K | Time 630ms
Bestline G8 G9 H7 H10 F9 E10"""
RAPFI_WINS = "Speed 10000 | Depth 6-2 | Eval +M3 | Node 10 | Time 0ms\nBestline G7"
RAPFI_LOSES = "Speed 595K | Depth 13-30 | Eval -M26 | Node 305K | Time 513ms\nBestline G7 H10"
RAPFI_LIKE_UCI = "depth 10-14 ev 123 n 456K n/ms 300 tm 120 pv H8 I9"
RAPFI_SEARCHING_TREES = """\
multipv 1 ev 12 w 53.2 d 1.5 stdev 0.3 v 100 seldepth 12 n 1M n/ms 3 tm 3 prior 0.3 pv H8
multipv 2 ev 99 w 1.2 d 0.1 stdev 0.3 v 50 seldepth 12 n 1M n/ms 3 tm 3 prior 0.3 pv I9"""
WINE = """depth=10 NPS=526k
best: [6,7] val=-990
bestLine: [6,7] [6,8] [8,6] [7,6]"""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (AIWINE, Evaluation(score=-54, depth=7, nodes=180098)),
        (AIWINE_FORCED, Evaluation(score=30000, win=1, nodes=1)),
        ("dep - ev -95 nd 118k tm 743 sp 159", Evaluation(score=-95, nodes=118_000)),
        ("dep - ev -v22 nd 902k tm 816 sp 1106", Evaluation(score=-29978, win=0, nodes=902_000)),
        ("dep - ev +v3 nd 1 tm 1 sp 1", Evaluation(score=29997, win=1, nodes=1)),
        (RAPFI, Evaluation(-143, None, 16, 111_000, ("G8", "G9", "H7", "H10", "F9", "E10"))),
        (RAPFI_WINS, Evaluation(29997, 1, 6, 10, ("G7",))),
        (RAPFI_LOSES, Evaluation(-29974, 0, 13, 305_000, ("G7", "H10"))),
        (RAPFI_LIKE_UCI, Evaluation(123, None, 10, 456_000, ("H8", "I9"))),
        (RAPFI_SEARCHING_TREES, Evaluation(12, 0.532, None, 100, ("H8",))),
        (WINE, Evaluation(-990, None, 10, None, ("[6,7]", "[6,8]", "[8,6]", "[7,6]"))),
        (
            "Visits 500 Winrate 52.36% ScoreLead -0.5 ScoreStdev 13.2 PV D4 E5 pass",
            Evaluation(-0.5, 0.5236, None, 500, ("D4", "E5", "pass")),
        ),
        ("winrate: 0.61, 2000 playouts", Evaluation(win=0.61)),
        (
            "Depth 10-20 | Eval 12 | Time 1s | H8 I9 J10",
            Evaluation(12, None, 10, None, ("H8", "I9", "J10")),
        ),
        ("ev 51.2% nodes 1.5M", Evaluation(win=0.512, nodes=1_500_000)),
    ],
)
def test_the_words_of_real_programs_are_an_opinion(text, said):
    assert read_words(text) == said
    assert not evaluation_flaw(said)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I will be the winner",
        "SlowRenju 2020 is ready.",
        "best so far: [7,7]",
        "winrate 120%",
        "winrate -3",
        "my evaluation is fine",
        "NPS=526k",
        "eval 3,4",
        "depth " + "9" * 5000,
        "nodes " + "9" * 5000,
        "eval nan",
        "depth 3k",
        "nodes -4",
        "eval 7k",
        "pv: none",
        "score 1e999",
        "eval" + " " * 100 + "3",
    ],
)
def test_other_words_are_none(text):
    assert read_words(text) is None


@pytest.mark.parametrize(
    "text", ["eval" + " " * 7000, "pv " + "a1 " * 2500 + "!", "| a1" * 2000, "ev " * 3000]
)
def test_no_words_keep_us_long(text):
    before = time.process_time()
    for _ in range(20):
        read_words(text)
    assert time.process_time() - before < 30


def test_a_long_line_of_play_is_cut():
    assert len(read_words("pv" + " D4" * 200).pv) == LONGEST


def test_a_brains_messages_are_an_opinion_of_the_move_they_came_with():
    table = Table()
    said = Evaluation(-143, None, 16, 111_000, ("G8", "G9"))
    text = "Speed 176K | Depth 16-35 | Eval -143 | Node 111K | Time 630ms", "Bestline G8 G9"
    heard = "".join(f"MESSAGE {line}\r\n" for line in text).encode() + b"7,7\r\n"
    replies = (m.Comment("\n".join(text)), table.moved("i9"))
    table.check(
        table.prepared(),
        table.asked(b"BEGIN\r\n", heard, (replace(table.moved("h8"), evaluation=said),)),
        Exchange(request=table.ask("h8", "a1"), sent=b"TURN 0,0\r\n", heard=b"8,8\r\n", replies=replies),
    )


def test_a_brains_messages_after_its_move_are_an_opinion_that_comes_late():
    table = Table()
    heard = b"MESSAGE Eval 5\r\n7,7\r\nMESSAGE Eval 9\r\n"
    replies = (m.Comment("Eval 5\nEval 9", Evaluation(9.0)), table.moved("i9"))
    table.check(
        table.prepared(),
        table.asked(b"BEGIN\r\n", heard, (replace(table.moved("h8"), evaluation=Evaluation(5.0)),)),
        Exchange(request=table.ask("h8", "a1"), sent=b"TURN 0,0\r\n", heard=b"8,8\r\n", replies=replies),
    )


# Commands of GTP that ask for opinions

KATAGO = """\
info move D7 visits 25 edgeVisits 25 utility 0.10119 winrate 0.53529 scoreMean 0.292399 scoreStdev 12.7422 \
scoreLead 0.292399 scoreSelfplay 0.516958 prior 0.453903 lcb 0.504455 utilityLcb 0.0148525 weight 25 order 0 \
pv D7 D8 E6 F6 rootInfo visits 30 utility 0.0877906 winrate 0.530777 scoreMean 0.234085 scoreStdev 12.7998 \
scoreLead 0.234085 scoreSelfplay 0.439782 weight 30 rawStWrError -1 rawStScoreError -1 rawVarTimeLeft -1
play {}"""
KATAGO_ALL = """info move D5 visits 27 winrate 0.529074 scoreLead 0.215873 order 0 pv D5 E7 \
info move D4 visits 2 winrate 0.497348 scoreLead -0.412454 order 1 pv D4 D6
play D4"""
LEELA = "info move E3 visits 8 winrate 4927 prior 897 lcb 4416 order 0 pv E3 D3 D2 E4\nplay E3"


@pytest.mark.parametrize(
    ("text", "command", "move", "said"),
    [
        (
            KATAGO.format("D7"),
            KATA_ANALYZE,
            "D7",
            Evaluation(0.292399, 0.53529, None, 30, ("D7", "D8", "E6", "F6")),
        ),
        (KATAGO.format("C3"), KATA_ANALYZE, "C3", Evaluation(0.234085, 0.530777, None, 30)),
        (KATAGO.format("resign"), KATA_ANALYZE, "resign", Evaluation(0.234085, 0.530777, None, 30)),
        (KATAGO_ALL, KATA_ANALYZE, "D4", Evaluation(-0.412454, 0.497348, None, 29, ("D4", "D6"))),
        (LEELA, LZ_ANALYZE, "E3", Evaluation(None, 0.4927, None, 8, ("E3", "D3", "D2", "E4"))),
        ("play pass", KATA_ANALYZE, "pass", None),
        ("info move D4 winrate 7 pv\nplay D4", KATA_ANALYZE, "D4", None),
        ("info move D4 visits x winrate nan scoreLead inf\nplay D4", KATA_ANALYZE, "D4", None),
        ("info info move\nplay D4", LZ_ANALYZE, "D4", None),
        ("D4", KATA_ANALYZE, "D4", None),
        ("", KATA_ANALYZE, "", None),
    ],
)
def test_an_analysis_is_a_move_and_the_opinion_of_it(text, command, move, said):
    assert read_analysis(text, command) == (move, said)


@pytest.mark.parametrize(
    ("text", "black"),
    [
        ("B+5.9 (upper bound: -5.9, lower: -5.9)", 5.9),
        ("W+3.2 (upper bound: 3.2, lower: 3.2)", -3.2),
        ("0", 0.0),
        ("unknown", None),
        ("B+", None),
        ("W+1e9", None),
    ],
)
def test_an_estimate_is_from_the_point_of_view_of_who_has_moved(text, black):
    for colour, sign in (("b", 1), ("w", -1)):
        said = None if black is None else Evaluation(score=sign * black)
        assert read_estimate(text, colour) == said


STOCKFISH_STOPPED = b"""\
info depth 9 seldepth 10 multipv 1 score cp 24 nodes 33907 nps 538206 time 63 pv d2d4 g8f6
info depth 9 seldepth 11 multipv 2 score cp 24 nodes 33907 nps 538206 time 63 pv e2e4 e7e5
info depth 9 seldepth 10 multipv 3 score cp 16 nodes 33907 nps 538206 time 63 pv c2c4 c7c5
info depth 10 seldepth 11 multipv 1 score cp 30 nodes 46444 nps 627621 time 74 pv e2e4 e7e5
info depth 10 seldepth 14 multipv 2 score cp 26 nodes 46444 nps 627621 time 74 pv c2c4 c7c5
info depth 9 seldepth 12 multipv 3 score cp 24 nodes 46444 nps 627621 time 74 pv d2d4 g8f6
bestmove e2e4 ponder e7e5
"""
"""Of Stockfish 15.1, stopped in its search of depth 10: the last list has two depths."""


def test_the_variations_of_a_stopped_search_are_of_one_list():
    found = read_variations(STOCKFISH_STOPPED, 3, white_view=False)
    assert [(each.pv[0], each.depth) for each in found] == [("e2e4", 10), ("c2c4", 10), ("d2d4", 9)]


@pytest.mark.parametrize("told", [(1, 2), (1, 1, 2), (1,), (2,)])
def test_a_list_that_ends_early_gives_way_to_the_one_before(told):
    whole = [f"info depth 4 multipv {number} score cp 9 pv {number}a" for number in (1, 1, 2, 2, 3)]
    early = [f"info depth 5 multipv {number} score cp 9 pv {number}b" for number in told]
    found = read_variations("\n".join([*whole, *early]).encode(), 3, white_view=False)
    assert [each.pv for each in found] == [("1a",), ("2a",), ("3a",)]
