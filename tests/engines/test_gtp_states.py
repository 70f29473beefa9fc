"""The helper for Go engines: the answer to each command, and the game that a move generator sees."""

import pytest

from gyoji.engines.gtp import GtpError
from gyoji.engines.gtp_states import RESIGN, GoEngine, Result, Stone, TimeLeft
from gyoji.games.go.board import PASS


class Script:
    """A move generator that plays a list of vertices and keeps the games that it saw."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.seen = []

    def __call__(self, game):
        self.seen.append(game)
        answer = self.answers.pop(0)
        return game.rules.parse(answer) if isinstance(answer, str) else answer


@pytest.fixture
def script():
    return Script()


@pytest.fixture
def engine(script):
    engine = GoEngine(script, name="Script", version="1", description="Seed 7")
    engine.call("boardsize", "5")
    return engine


def calls(engine, text):
    """Carry out one command for each line. Return the answers, with "?" before a failure."""
    answers = []
    for line in text.strip().splitlines():
        try:
            answers.append(engine.call(*line.split()))
        except GtpError as error:
            answers.append(f"?{error}")
    return answers


def diagram(engine):
    rows = engine.call("showboard").strip("\n").splitlines()[:-1]
    return ["".join(row.split()[1:]) for row in rows]


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("boardsize 19", ""),
        ("boardsize 1", ""),
        ("boardsize 26", "?unacceptable size"),
        ("boardsize 0", "?unacceptable size"),
        ("boardsize -1", "?unacceptable size"),
        ("boardsize x", "?invalid int: 'x'"),
        ("boardsize", "?argument 1 is missing: an int"),
        ("rectangular_boardsize 7 3", ""),
        ("clear_board", ""),
        ("komi 6.5", ""),
        ("komi x", "?invalid number: 'x'"),
        ("komi nan", "?not a finite number: 'nan'"),
        ("play b C3", ""),
        ("play black c3", ""),
        ("play w pass", ""),
        ("play z C3", "?invalid colour: 'z'"),
        ("play b F3", "?vertex is off the board: 'F3'"),
        ("play b", "?argument 2 is missing: a vertex"),
        ("undo", "?cannot undo"),
        ("fixed_handicap 2", "?invalid number of stones"),
        ("place_free_handicap 25", "?invalid number of stones"),
        ("place_free_handicap 1", "?invalid number of stones"),
        ("set_free_handicap A1", "?bad vertex list"),
        ("set_free_handicap A1 A1", "?bad vertex list"),
        ("set_free_handicap A1 pass", "?bad vertex list"),
        ("set_free_handicap A1 B2 E5", ""),
        ("gomill-genmove_ex", "claim"),
        ("gomill-explain_last_move", ""),
        ("gomill-describe_engine", "Script 1\nSeed 7"),
        ("gomill-cpu_time", "0.000000"),
        ("time_settings 60 30 5", ""),
        ("time_left b 12.5 0", ""),
        ("time_left b 12.5", "?argument 3 is missing: an int"),
        ("final_score", "0"),
        ("genmove x", "?invalid colour: 'x'"),
    ],
)
def test_each_command_says_so_when_it_succeeds_and_when_it_fails(engine, line, answer):
    assert calls(engine, line) == [answer]


def test_moves_are_played_captured_and_shown(engine):
    assert calls(engine, "play b A1\nplay w A2\nplay b C3\nplay w B1\nplay w C3") == [""] * 4 + [
        "?illegal move"
    ]
    assert diagram(engine) == [".....", ".....", "..X..", "O....", ".O..."]


def test_the_other_side_is_believed_about_colours_kos_suicides_and_passes(engine):
    moves = "play b B1\nplay b A2\nplay w A1\nplay b pass\nplay b pass\nplay b pass\nplay w D4"
    assert calls(engine, moves) == [""] * 7
    assert diagram(engine) == [".....", "...O.", ".....", "X....", ".X..."]


def test_the_generator_is_shown_the_game_as_it_is(engine, script):
    script.answers = [Result(0, comment="first", cookie={"depth": 3}), "pass"]
    calls(engine, "komi 7.5\ngenmove b\nplay w C3\ntime_left b 30 2\ngenmove b")
    game = script.seen[-1]
    assert game.moves == (Stone(0, 0, "first", {"depth": 3}), Stone(1, game.rules.parse("C3")))
    assert len(game.positions) == 3
    assert game.positions[-1] == game.position
    assert (game.position.to_play, game.rules.komi, game.time, game.handicap) == (
        0,
        7.5,
        TimeLeft(30.0, 2),
        0,
    )


def test_a_colour_may_be_asked_out_of_turn_and_then_no_ko_binds_it(engine, script):
    calls(
        engine,
        "play b B1\nplay w C2\nplay b A2\nplay w B3\nplay b C1\nplay b B2\nplay w A1\nplay b E5\nplay w D1",
    )
    script.answers = ["pass", "pass"]
    calls(engine, "reg_genmove w\nreg_genmove b")
    assert [game.position.to_play for game in script.seen] == [1, 0]
    assert all(not game.position.ko for game in script.seen)


KO = "play b B1\nplay w C1\nplay b A2\nplay w D2\nplay b B3\nplay w C3\nplay b C2\nplay w B2"
"""White has just captured C2 by B2, and Black may not recapture."""


def test_legal_moves_keep_the_ko_and_allow_no_suicide(engine, script):
    calls(engine, f"{KO}\nplay b E5\nplay w E4\nundo\nundo")
    script.answers = ["pass"] * 2
    calls(engine, "reg_genmove b\nclear_board\nplay b B1\nplay b A2\nreg_genmove w")
    ko, corner = ([*map(game.rules.format, game.legal())] for game in script.seen)
    assert "C2" not in ko
    assert "A1" not in corner
    assert len(ko) == 25 - 7 - 1 + 1
    assert corner[-1] == "pass"


def test_undo_after_two_passes_finds_no_ko_that_the_first_pass_had_ended(engine, script):
    calls(engine, KO)
    assert engine.position.ko
    script.answers = ["pass"] * 2
    calls(engine, "play b pass\nplay w pass\nundo\nreg_genmove w\nundo\nreg_genmove b")
    after_one, before = script.seen
    assert after_one.position.ko == 0
    assert before.rules.format(before.position.ko.bit_length() - 1) == "C2"


def test_undo_takes_back_moves_to_the_first_and_keeps_handicap_stones(engine):
    calls(engine, "boardsize 9\nfixed_handicap 2\nplay w E5\nplay b E6\nundo\nundo")
    assert calls(engine, "undo") == ["?cannot undo"]
    assert engine.position.black.bit_count() == 2
    assert engine.position.to_play == 1


def test_genmove_changes_the_game_and_reg_genmove_does_not(engine, script):
    script.answers = ["C3", "C3", RESIGN, RESIGN]
    assert calls(engine, "reg_genmove b\ngenmove b\ngenmove w\nreg_genmove w") == [
        "C3",
        "C3",
        "resign",
        "resign",
    ]
    assert len(engine.game(0).moves) == 1


def test_a_claim_is_made_only_where_it_is_understood(engine, script):
    claim = Result(0, claim=True, comment="it is mine")
    script.answers = [claim, claim, Result(1, claim=True)]
    assert calls(engine, "gomill-genmove_ex b claim\ngenmove b\ngomill-genmove_ex w other") == [
        "claim",
        "A1",
        "B1",
    ]
    assert [game.may_claim for game in script.seen] == [True, False, False]


def test_the_explanation_is_of_the_last_generated_move_and_never_stale(engine, script):
    script.answers = [
        Result(0, comment="corner"),
        Result(RESIGN, comment="hopeless"),
        Result(1, comment="more"),
    ]
    explain = "gomill-explain_last_move"
    assert calls(engine, f"genmove b\n{explain}\nplay w C3\n{explain}") == ["A1", "corner", "", ""]
    assert calls(engine, f"genmove b\n{explain}") == ["resign", "hopeless"]
    assert calls(engine, f"genmove b\n{explain}\nundo\n{explain}\nclear_board\n{explain}")[1::2] == [
        "more",
        "",
        "",
    ]


def test_an_illegal_move_of_the_generator_is_a_bug_of_the_engine(engine, script):
    calls(engine, "play b A1")
    script.answers = ["A1"]
    assert engine.answer(b"genmove w").startswith(b"? internal error: IllegalPlay(")


@pytest.mark.parametrize(
    ("size", "line", "answer"),
    [
        (9, "fixed_handicap 4", "C3 G7 C7 G3"),
        (7, "fixed_handicap 4", "C3 E5 C5 E3"),
        (9, "place_free_handicap 2", "C3 G7"),
    ],
)
def test_handicap_stones_are_named_and_placed(engine, size, line, answer):
    engine.call("boardsize", str(size))
    assert calls(engine, f"{line}\n{line}") == [answer, "?board not empty"]
    assert engine.position.to_play == 1


@pytest.mark.parametrize("stones", [2, 9, 10, 24])
def test_a_free_handicap_is_as_many_different_points_as_asked_for(engine, stones):
    points = engine.call("place_free_handicap", str(stones)).split()
    assert len(set(points)) == stones
    assert engine.position.black.bit_count() == stones


def test_the_score_is_the_area_less_komi_and_handicap_is_not_compensated(engine):
    moves = "".join(f"play b C{row}\nplay w D{row}\n" for row in range(1, 6))
    calls(engine, moves)
    assert calls(engine, "final_score\nkomi 5\nfinal_score") == ["B+5", "", "0"]
    assert calls(engine, "komi 9.5\nfinal_score\nkomi 1000\nfinal_score") == ["", "W+4.5", "", "W+620"]
    assert calls(engine, "boardsize 9\nkomi 0.5\nfixed_handicap 3\nfinal_score")[-1] == "B+80.5"


@pytest.mark.parametrize(
    ("settings", "time"),
    [
        ("60 0 0", TimeLeft(60.0, 0)),
        ("60 30 5", TimeLeft(60.0, 0)),
        ("0 30 5", TimeLeft(30.0, 5)),
        ("0 30 0", None),
        ("0 0 0", TimeLeft(0.0, 0)),
    ],
)
def test_time_settings_hold_for_the_next_game_too_and_time_left_does_not(engine, script, settings, time):
    script.answers = [PASS] * 3
    calls(engine, f"time_settings {settings}\nreg_genmove b\ntime_left b 7 0\nreg_genmove b")
    calls(engine, "clear_board\nreg_genmove b")
    assert [game.time for game in script.seen] == [time, TimeLeft(7.0, 0), time]


def test_cpu_time_grows_with_thinking_only(engine, script):
    script.answers = [PASS]
    calls(engine, "genmove b")
    first = float(engine.call("gomill-cpu_time"))
    assert first > 0
    calls(engine, "play w A1\nshowboard")
    assert float(engine.call("gomill-cpu_time")) == first
