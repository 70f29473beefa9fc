"""Moves, remarks, scores and the end of a conversation: the writes, and the meaning of every answer."""

from math import inf

import pytest
from gtp_engine_script import Script, introduction, ready
from msgspec.structs import replace

from gyoji.core import messages as m
from gyoji.core.clocks import Clock, TimeControl
from gyoji.core.faults import FaultKind
from gyoji.games.go.board import PASS

EXPLAIN = "gomill-explain_last_move"
CPU_TIME = "gomill-cpu_time"
FREE = {"handicap": 2, "handicap_style": "free"}
SECOND = 1_000_000_000
READY = m.Ready(gives_hints=True)


def settled(answers=(), known=(), **settings):
    """Return a script after its first move, A1, with a remark if it makes any. `seen` is cleared."""
    script = ready({"genmove": ["= A1"], **dict(answers)}, known, **settings)
    script.ask()
    script.forget()
    script.answers.pop("genmove")
    return script


def moved(script, text):
    return m.Moved(script.rules.parse(text))


# A whole game


def test_a_game_with_everything_in_it_comes_in_gomills_order():
    known = [EXPLAIN, "gomill-describe_engine", "final_score", CPU_TIME]
    answers = {
        "genmove": ["= D4", "= pass"],
        EXPLAIN: ["= the middle", "="],
        "final_score": "= B+3",
        CPU_TIME: "= 1.5",
    }
    script = Script(answers, known)
    assert script.prepare() == [READY]
    assert script.ask() == [moved(script, "D4"), m.Comment("the middle")]
    assert script.ask("b D4", "w E5") == [moved(script, "pass")]
    assert script.tell("b pass", "w pass") == [m.Acknowledged()]
    assert script.put(m.AskScore()) == [m.Scored("B+3", 0, margin=3.0)]
    assert script.put(m.Quit()) == [m.HasQuit(1_500_000_000)]
    assert script.writes == [
        ["protocol_version"],
        introduction(),
        ["gomill-describe_engine"],
        ["boardsize 9", "clear_board", "komi 6.0"],
        ["genmove b"],
        [EXPLAIN],
        ["play w E5", "genmove b"],
        [EXPLAIN],
        ["play w pass"],
        ["final_score"],
        [CPU_TIME, "quit"],
    ]


def test_the_news_and_the_question_travel_in_one_write():
    script = settled(seat=1)
    assert script.codec.send(script.question("b D4")) == b"play b D4\ngenmove w\n"


def test_an_engine_is_not_told_its_own_moves():
    script = settled()
    assert script.codec.send(script.question("b A1", "w E5")) == b"play w E5\ngenmove b\n"


def test_an_engine_is_told_moves_of_its_colour_that_it_did_not_choose():
    script = ready()
    sent = script.codec.send(script.question("b C3", "w E5", "b D4", "w pass"))
    assert sent == b"play b C3\nplay w E5\nplay b D4\nplay w pass\ngenmove b\n"


# Answers to genmove


@pytest.mark.parametrize(
    ("answer", "reply"),
    [
        ("= D4", "D4"),
        ("= d4", "D4"),
        ("=D4", "D4"),
        ("= PASS", "pass"),
        ("= pass", "pass"),
        ("= resign", m.Resigned()),
        ("= Resign", m.Resigned()),
        ("= RESIGN", m.Resigned()),
        ("= claim", m.Malformed("claim")),
        ("= Z9", m.Malformed("Z9")),
        ("= D10", m.Malformed("D10")),
        ("=", m.Malformed("")),
        ("= D4\nextra", m.Malformed("D4\nextra")),
        ("= D4 E5", m.Malformed("D4 E5")),
        ("= \udcff", m.Malformed("?")),
        ("? out of ideas", m.Unsupported("refused genmove b: 'out of ideas'")),
        ("? two\nlines", m.Unsupported("refused genmove b: 'two\\nlines'")),
    ],
)
def test_an_answer_to_genmove_is_a_move_or_says_what_else(answer, reply):
    for script in (ready({"genmove": answer}), settled({"genmove": ["= A1", answer]})):
        script.answers["genmove"] = answer
        assert script.ask() == [moved(script, reply) if isinstance(reply, str) else reply]


@pytest.mark.parametrize(
    ("allow", "known", "reply"),
    [
        (True, True, m.ClaimedWin()),
        (True, False, m.Malformed("Claim")),
        (False, True, m.Malformed("Claim")),
    ],
)
def test_a_claim_counts_only_where_it_is_allowed_and_the_engine_knows_how(allow, known, reply):
    answers = {"gomill-genmove_ex": "= Claim", "genmove": "= Claim"}
    script = ready(answers, ["gomill-genmove_ex"] if known else [], allow_claim=allow)
    assert script.ask() == [reply]


def test_more_for_the_engine_comes_before_the_move_that_lets_the_game_go_on():
    script = ready(known=[EXPLAIN])
    script.codec.send(script.question())
    got = script.codec.receive(b"= D4\n\n")
    assert list(got) == [m.More(f"{EXPLAIN}\n".encode()), moved(script, "D4")]
    assert script.codec.receive(b"=\n\n") == []
    script.codec.send(script.question("b D4", "w E5"))
    for piece in (b"=\n\n= E", b"4\n"):
        assert list(script.codec.receive(piece)) == []
    got = script.codec.receive(b"\n")
    assert list(got) == [m.More(f"{EXPLAIN}\n".encode()), moved(script, "E4")]


# News refused


@pytest.mark.parametrize(
    ("text", "is_illegal"), [("illegal move", True), ("Illegal move", False), ("illegal move: ko", False)]
)
def test_only_the_exact_words_call_a_move_illegal(text, is_illegal):
    script = settled({"play": f"? {text}", "genmove": "= D4"})
    assert script.ask("b D4", "w E5") == [m.RejectedMove(f"refused play w E5: {text!r}", is_illegal)]
    assert script.seen == ["play w E5", "genmove b"]


def test_the_answer_to_a_question_behind_refused_news_is_ignored_when_it_comes():
    script = settled(known=[CPU_TIME, EXPLAIN])
    script.codec.send(script.question("b A1", "w E5"))
    (refused,) = script.codec.receive(b"? illegal move\n\n")
    assert refused == m.RejectedMove("refused play w E5: 'illegal move'", True)
    assert script.codec.send(m.Quit()) == f"{CPU_TIME}\nquit\n".encode()
    assert script.codec.receive(b"= D4\n\n") == []
    assert script.codec.receive(b"= 3\n\n") == []
    assert script.codec.receive(b"=\n\n") == [m.HasQuit(3 * SECOND)]


@pytest.mark.parametrize("failing", [0, 1, 2])
def test_refused_news_name_the_move_that_was_refused(failing):
    news = ["w E5", "w E4", "w E3"]
    for put in ("ask", "tell"):
        answers = ["=", "=", "="]
        answers[failing] = "? no"
        script = settled({"play": answers})
        reply = m.RejectedMove(f"refused play {news[failing]}: 'no'", False)
        assert getattr(script, put)(*news) == [reply]


def test_an_alias_does_not_show_in_what_was_refused():
    script = settled({"put": "? no"}, gtp_aliases={"play": "put"})
    assert script.tell("w E5") == [m.RejectedMove("refused play w E5: 'no'", False)]
    assert script.seen == ["put w E5"]


def test_the_end_of_the_game_is_told_without_a_question():
    script = settled()
    assert script.tell("b A1", "w pass") == [m.Acknowledged()]
    assert script.seen == ["play w pass"]


def test_the_end_of_the_game_is_heard_only_when_all_of_it_is():
    script = settled(known=[EXPLAIN])
    script.codec.send(script.question("b A1", "w E5"))
    script.codec.receive(b"=\n\n= D4\n\n")
    sent = script.codec.send(m.TellMoves(None, script.turns("b D4", "w E6", "w E7")))
    assert sent == b"play w E6\nplay w E7\n"
    assert list(script.codec.receive(b"= late\n\n=\n\n")) == [m.Comment("late")]
    assert list(script.codec.receive(b"=\n\n")) == [m.Acknowledged()]


# Handicap


def test_black_places_free_handicap_stones_and_is_not_told_of_them():
    script = ready({"place_free_handicap": "= D4 G7", "genmove": "= C3"}, go=FREE)
    assert script.ask(phase="handicap") == [moved(script, "D4 G7")]
    script.ask("b D4 G7", "w E5")
    assert script.seen[:3] == ["place_free_handicap 2", "play w E5", "genmove b"]


def test_white_is_told_of_free_handicap_stones_by_points():
    script = ready({"genmove": "= C3"}, go=FREE, seat=1)
    assert script.codec.send(script.question("b D4 G7")) == b"set_free_handicap D4 G7\ngenmove w\n"


def test_white_may_refuse_the_handicap_stones():
    script = ready({"set_free_handicap": "? no"}, go=FREE, seat=1)
    assert script.ask("b D4 G7") == [m.RejectedMove("refused set_free_handicap D4 G7: 'no'", False)]


@pytest.mark.parametrize(
    ("answer", "reply"),
    [
        ("= D4", m.Malformed("D4")),
        ("= pass", m.Malformed("pass")),
        ("= D4 pass", m.Malformed("D4 pass")),
        ("= D4 J10", m.Malformed("D4 J10")),
        ("=", m.Malformed("")),
        ("? no", m.Unsupported("refused place_free_handicap 2: 'no'")),
    ],
)
def test_what_is_no_list_of_points_is_no_placement(answer, reply):
    assert ready({"place_free_handicap": answer}, go=FREE).ask(phase="handicap") == [reply]


# Clocks


@pytest.mark.parametrize(
    ("control", "style", "clock", "line"),
    [
        ("10m", "time_settings", Clock(90 * SECOND, 0, 1, 0), "time_left b 90 0"),
        ("1m + 3x30s", "time_settings", Clock(0, 2, 1, 30 * SECOND), "time_left b 30 1"),
        ("1m + 3x30s", "kgs-time_settings", Clock(0, 2, 1, 30 * SECOND), "time_left b 30 2"),
        ("1m + 2m/10", "time_settings", Clock(0, 1, 7, 99 * SECOND), "time_left b 99 7"),
        ("10/120", "time_settings", Clock(0, 1, 7, 199 * SECOND), "time_left b 199 7"),
        ("5s + 2x2.5s", "kata-time_settings", Clock(0, 2, 1, 5 * SECOND // 2), "time_left b 2.5 2"),
        ("5s + 2x2.5s", "kgs-time_settings", Clock(0, 2, 1, 5 * SECOND // 2), "time_left b 2 2"),
    ],
)
def test_time_left_goes_between_the_news_and_the_question(control, style, clock, line):
    script = ready({"genmove": "= D4"}, [style, "time_left"], control=TimeControl.parse(control))
    assert script.ask("w E5", clock=clock) == [moved(script, "D4")]
    assert script.seen[:3] == ["play w E5", line, "genmove b"]


@pytest.mark.parametrize(
    ("control", "known"), [("10m", []), ("3s/move", ["time_left"]), ("none", ["time_left"])]
)
def test_time_left_is_not_told_where_there_is_none_or_to_engines_that_do_not_know_it(control, known):
    script = ready({"genmove": "= D4"}, known, control=TimeControl.parse(control))
    script.ask()
    assert not any(line.startswith("time_left") for line in script.seen)


def test_an_engine_may_refuse_to_hear_its_time_and_its_aliases_hold_for_it():
    control = TimeControl.parse("10m")
    known = ["time_settings", "tl"]
    aliases = {"time_left": "tl"}
    script = settled({"tl": "? no"}, known, control=control, gtp_aliases=aliases)
    script.answers["genmove"] = "= D4"
    assert script.ask() == [moved(script, "D4")]
    assert script.seen == ["tl b 600 0", "genmove b"]


# Remarks


def test_an_engine_explains_each_of_its_moves_from_the_first_on():
    answers = {"genmove": ["= D4", "? no", "= E4", "= Z9", "= resign"], EXPLAIN: ["= 1", "= 2", "= 3", "= 4"]}
    script = ready(answers, [EXPLAIN])
    assert script.ask() == [moved(script, "D4"), m.Comment("1")]
    assert script.ask("b D4", "w E5") == [m.Unsupported("refused genmove b: 'no'")]
    assert script.ask() == [moved(script, "E4"), m.Comment("2")]
    assert script.ask("b E4", "w E6") == [m.Malformed("Z9"), m.Comment("3")]
    assert script.ask() == [m.Resigned(), m.Comment("4")]
    assert script.writes == [
        ["genmove b"],
        [EXPLAIN],
        ["play w E5", "genmove b"],
        ["genmove b"],
        [EXPLAIN],
        ["play w E6", "genmove b"],
        [EXPLAIN],
        ["genmove b"],
        [EXPLAIN],
    ]


def test_an_engine_that_has_no_words_for_its_moves_is_asked_for_none():
    script = ready({"genmove": ["= D4", "= E4"]})
    assert script.ask() == [moved(script, "D4")]
    assert script.ask("b D4", "w E5") == [moved(script, "E4")]
    assert script.writes == [["genmove b"], ["play w E5", "genmove b"]]


def test_a_placement_of_handicap_stones_is_not_explained():
    script = ready({"place_free_handicap": "= D4 G7"}, [EXPLAIN], go=FREE)
    assert script.ask(phase="handicap") == [moved(script, "D4 G7")]
    assert script.writes == [["place_free_handicap 2"]]


def test_an_alias_holds_for_the_question_why():
    script = ready({"genmove": "= D4", "why": "= so"}, ["why"], gtp_aliases={EXPLAIN: "why"})
    assert script.ask() == [moved(script, "D4"), m.Comment("so")]
    assert script.seen == ["genmove b", "why"]


@pytest.mark.parametrize(
    ("answer", "remarks"),
    [("= good", [m.Comment("good")]), ("=\na\nb", [m.Comment("a\nb")]), ("=", []), ("? none", [])],
)
def test_an_engines_words_on_its_move_are_a_remark(answer, remarks):
    script = settled({EXPLAIN: answer}, [EXPLAIN])
    for reply in ("= D4", "= resign", "= Z9"):
        script.answers["genmove"] = reply
        assert script.ask()[1:] == remarks


def test_an_engine_that_failed_to_move_is_not_asked_to_explain_an_earlier_one():
    script = settled({EXPLAIN: "= stale"}, [EXPLAIN])
    script.answers["genmove"] = "? no"
    assert script.ask() == [m.Unsupported("refused genmove b: 'no'")]
    assert script.seen == ["genmove b"]


def test_a_remark_may_come_after_the_next_question_has_been_put():
    script = settled({EXPLAIN: "= x"}, [EXPLAIN])
    script.codec.send(script.question("b A1", "w E5"))
    replies = list(script.codec.receive(b"=\n\n= D4\n\n"))
    assert replies == [m.More(f"{EXPLAIN}\n".encode()), moved(script, "D4")]
    assert script.codec.send(script.question("b D4", "w E6")) == b"play w E6\ngenmove b\n"
    assert script.codec.receive(b"= late\n\n=\n\n") == [m.Comment("late")]
    assert list(script.codec.receive(b"= D5\n\n"))[1:] == [moved(script, "D5")]


# Scores


@pytest.mark.parametrize(
    ("text", "opinion"),
    [
        ("B+3.5", m.Scored("B+3.5", 0, margin=3.5)),
        ("w+2", m.Scored("w+2", 1, margin=2.0)),
        ("0", m.Scored("0", is_level=True)),
        ("B+", m.Scored("B+", 0)),
        ("W+Resign", m.Scored("W+Resign", 1)),
        ("B+0", m.Scored("B+0", 0)),
        ("B+-1", m.Scored("B+-1", 0, margin=inf)),
        ("B+nan", m.Scored("B+nan", 0, margin=inf)),
        ("W+1e999", m.Scored("W+1e999", 1, margin=inf)),
        ("B +3", m.Scored("B +3")),
        ("no idea", m.Scored("no idea")),
        ("", m.Scored()),
    ],
)
def test_a_score_names_the_winner_and_a_margin_infinite_if_it_is_none_or_is_only_kept(text, opinion):
    script = settled({"final_score": f"= {text}"}, ["final_score"])
    assert script.put(m.AskScore()) == [opinion]


@pytest.mark.parametrize(
    ("answer", "dead"),
    [("= D4 E5\nC3", ("D4", "E5", "C3")), ("=", ()), ("? unknown command", None)],
)
def test_an_engine_is_asked_for_dead_stones_alone_and_may_not_know(answer, dead):
    script = settled({"final_status_list": answer})
    assert script.put(m.AskScore(wants_dead=True, wants_score=False)) == [m.Scored(dead=dead)]
    assert script.seen == ["final_status_list dead"]


def test_an_engine_that_has_told_its_dead_stones_plays_on():
    script = settled(
        {"genmove": "= pass", "kgs-genmove_cleanup": "= D4"},
        go={"ruleset": "chinese"},
        known=["kgs-genmove_cleanup"],
    )
    script.ask("b A1", "w C3")
    script.tell("b pass", "w pass")
    script.put(m.AskScore(wants_dead=True, wants_score=False))
    script.forget()
    assert script.ask(phase="cleanup") == [moved(script, "D4")]
    assert script.ask("b D4", "w E4", phase="cleanup") == [moved(script, "D4")]
    assert script.seen == ["kgs-genmove_cleanup b", "play w E4", "kgs-genmove_cleanup b"]


def test_an_engine_that_will_not_say_the_score_says_why():
    script = settled({"final_score": "? too early to pass"}, ["final_score"])
    assert script.put(m.AskScore()) == [m.Scored(problem="final_score failed: 'too early to pass'")]


# Good-byes


@pytest.mark.parametrize(
    ("answer", "parted"),
    [
        ("= 0.25", m.HasQuit(250_000_000)),
        ("= 0", m.HasQuit(0)),
        ("= lots", m.HasQuit(None, "gomill-cpu_time answered 'lots', expected seconds")),
        ("= -1", m.HasQuit(None, "gomill-cpu_time answered '-1', expected seconds")),
        ("= nan", m.HasQuit(None, "gomill-cpu_time answered 'nan', expected seconds")),
        ("= inf", m.HasQuit(None, "gomill-cpu_time answered 'inf', expected seconds")),
        ("? broken", m.HasQuit(None, "gomill-cpu_time failed: 'broken'")),
    ],
)
def test_cpu_time_is_what_the_engine_says_or_unknown_with_the_reason(answer, parted):
    script = settled({CPU_TIME: answer}, [CPU_TIME])
    assert script.put(m.Quit()) == [parted]
    assert script.writes == [[CPU_TIME, "quit"]]


def test_an_engine_that_keeps_no_cpu_time_is_told_to_quit_and_nothing_else():
    script = settled({CPU_TIME: "= 1"})
    assert script.put(m.Quit()) == [m.HasQuit()]
    assert script.writes == [["quit"]]


@pytest.mark.parametrize(
    ("known", "cpu_time", "parted"),
    [
        ([], "=", m.HasQuit(None, "quit failed: 'b'")),
        ([CPU_TIME], "= 1", m.HasQuit(SECOND, "quit failed: 'b'")),
        ([CPU_TIME], "? a", m.HasQuit(None, "gomill-cpu_time failed: 'a'; quit failed: 'b'")),
        (
            [CPU_TIME],
            "= a",
            m.HasQuit(None, "gomill-cpu_time answered 'a', expected seconds; quit failed: 'b'"),
        ),
    ],
)
def test_a_refused_quit_is_reported_beside_the_cpu_time(known, cpu_time, parted):
    script = settled({CPU_TIME: cpu_time, "quit": "? b"}, known)
    assert script.put(m.Quit()) == [parted]


@pytest.mark.parametrize("pieces", [[b"= 2\n\n"], [b"= 2\n", b"\n"], [b"= 2"], [b"= 2\n\n# bye\n"]])
def test_an_engine_that_leaves_between_cpu_time_and_quit_has_parted_with_its_cpu_time(pieces):
    script = settled(known=[CPU_TIME])
    assert script.codec.send(m.Quit()) == f"{CPU_TIME}\nquit\n".encode()
    for piece in pieces:
        assert list(script.codec.receive(piece)) == []
    assert script.codec.finish() == [m.HasQuit(2 * SECOND)]
    assert script.codec.finish() == []


def test_an_engine_that_fails_to_say_its_cpu_time_and_leaves_has_parted_with_the_reason():
    script = settled(known=[CPU_TIME])
    script.codec.send(m.Quit())
    script.codec.receive(b"? a\n\n")
    assert script.codec.finish() == [m.HasQuit(None, "gomill-cpu_time failed: 'a'")]


def test_an_engine_that_leaves_without_answering_quit_has_parted():
    script = settled()
    assert script.codec.send(m.Quit()) == b"quit\n"
    assert script.codec.finish() == [m.HasQuit()]


def test_an_engine_that_leaves_before_it_says_its_cpu_time_has_not_parted():
    script = settled(known=[CPU_TIME])
    script.codec.send(m.Quit())
    assert script.codec.finish() == []


def test_a_remark_may_come_after_good_bye_has_been_said():
    script = settled(known=[CPU_TIME, EXPLAIN])
    script.codec.send(script.question("b A1", "w E5"))
    script.codec.receive(b"=\n\n= resign\n\n")
    script.codec.send(m.Quit())
    got = script.codec.receive(b"= hopeless\n\n= 2\n\n=\n\n")
    assert got == [m.Comment("hopeless"), m.HasQuit(2 * SECOND)]


def test_what_is_said_after_good_bye_is_not_heard():
    script = settled()
    script.codec.send(m.Quit())
    assert script.codec.receive(b"=\n\nbye!\n") == [m.HasQuit()]
    assert list(script.codec.receive(b"bye!\n")) == []
    assert list(script.codec.finish()) == []


# The end of the engine's output


def test_a_last_answer_without_its_empty_line_counts():
    for data in (b"= D4", b"= D4\n", b"= D4\r\n"):
        script = settled()
        script.codec.send(script.question())
        assert script.codec.receive(data) == []
        assert script.codec.finish() == [moved(script, "D4")]


@pytest.mark.parametrize("data", [b"", b"\n", b"# bye", b"Segmentation fault"])
def test_an_end_without_an_answer_is_left_to_who_knows_why(data):
    script = settled()
    script.codec.send(script.question())
    script.codec.receive(data)
    assert script.codec.finish() == []
    assert script.codec.send(m.Quit()) == b""


# Out of turn and out of form


@pytest.mark.parametrize("data", [b"= D4\n\n", b"hello\n", b"h", b"=", b"? no\n", b"\n\n x"])
def test_who_speaks_unasked_breaks_the_conversation(data):
    script = settled()
    (broken,) = script.codec.receive(data)
    assert broken.kind is FaultKind.PROTOCOL
    assert broken.detail.startswith("spoke out of turn: ")
    assert list(script.codec.receive(b"= D4\n\n")) == []
    assert script.codec.send(m.Quit()) == b""


@pytest.mark.parametrize("data", [b"\n", b" \t\r\n\n", b"# a comment\n", b"# with no end yet", b"\x00\x07"])
def test_white_space_and_comments_are_harmless_at_any_time(data):
    script = settled()
    assert list(script.codec.receive(data)) == []
    script.codec.send(script.question())
    assert script.codec.receive(b"\n= D4\n\n") == [moved(script, "D4")]


def test_a_second_answer_is_no_answer_to_what_was_not_yet_asked():
    script = ready(known=[EXPLAIN])
    script.codec.send(script.question())
    *_, reply, broken = script.codec.receive(b"= D4\n\n= E5\n\n")
    assert (reply, broken) == (
        moved(script, "D4"),
        m.Broken(FaultKind.PROTOCOL, "spoke out of turn: '= E5'"),
    )


def test_a_line_that_begins_no_answer_is_quoted_with_the_command():
    script = settled()
    script.codec.send(script.question())
    words = "answered genmove b with 'thinking...', expected a line that begins with = or ?"
    assert script.codec.receive(b"thinking...\n") == [m.Broken(FaultKind.PROTOCOL, words)]


@pytest.mark.parametrize("knows", [True, False])
@pytest.mark.parametrize(("phase", "is_free"), [("cleanup", True), ("cleanup 1", False), ("cleanup 2", True)])
def test_an_engine_is_asked_to_clean_up_where_that_costs_nothing(knows, phase, is_free):
    known = {"kgs-genmove_cleanup", "kgs-rules"} if knows else {"kgs-rules"}
    script = Script({"genmove": "= D4", "kgs-genmove_cleanup": "= PASS"}, known, go={"ruleset": "japanese"})
    assert script.prepare() == [replace(READY, can_score=False, cleans_up=knows)]
    assert "known_command kgs-genmove_cleanup" in script.seen
    script.forget()
    knows = knows and is_free
    expected = PASS if knows else script.rules.parse("D4")
    assert script.ask("w pass", phase=phase) == [m.Moved(expected)]
    assert script.seen == ["play w pass", "kgs-genmove_cleanup b" if knows else "genmove b"]
    script.forget()
    assert script.ask("b pass" if knows else "b D4", "w pass") == [m.Moved(script.rules.parse("D4"))]
    assert script.seen == ["play w pass", "genmove b"]


def test_an_engine_whose_move_counted_as_something_else_takes_it_back():
    script = settled()
    script.answers["genmove"] = "= D4"
    assert script.ask("b pass", "w C3") == [m.Moved(script.rules.parse("D4"))]
    assert script.seen == ["undo", "play b pass", "play w C3", "genmove b"]
