"""Preparation of a game: the commands in gomill's order, and the result of every failure."""

import pytest
from gtp_engine_script import ALWAYS_ASKED, Script, introduction, ready
from msgspec.structs import replace

from gyoji.core import messages as m
from gyoji.core.clocks import TimeControl
from gyoji.core.faults import FaultKind

INTRODUCTION = ["protocol_version", *introduction()]
BOARD = ["boardsize 9", "clear_board", "komi 6.0"]
FIXED = {"handicap": 2, "handicap_style": "fixed"}
CHINESE = {"ruleset": "chinese"}
SPIGHT = {"ruleset": "koSPIGHTscoreTERRITORYtaxNONEsui0"}
READY = m.Ready(can_score=False, gives_hints=True)
"""The reply for an engine without optional commands and without a name."""


def prepared(answers=(), known=(), **settings):
    script = Script(answers, known, **settings)
    return script, script.prepare()


def test_what_an_engine_is_told_before_a_game_comes_in_gomills_order():
    script, replies = prepared(
        {"name": "= Toy", "version": "= 1.2", "gomill-describe_engine": "= Toy 1.2\nseed 7"},
        known=["gomill-describe_engine"],
        startup_gtp_commands=("level 3", ("set", "x", "1")),
    )
    startup = ["gomill-describe_engine", "level 3", "set x 1"]
    assert script.seen == [*INTRODUCTION, *startup, *BOARD]
    assert replies == [m.Ready("Toy:1.2", "Toy 1.2\nseed 7", can_score=False, gives_hints=True)]


def test_nothing_is_written_behind_the_first_command_until_it_is_answered():
    script = Script()
    sent = script.codec.send(m.NewGame(0, script.rules, None, script.control))
    assert sent == b"protocol_version\n"
    assert script.codec.receive(b"=") == []
    (more,) = script.codec.receive(b" 2\n\n")
    assert more.data.decode().splitlines() == introduction()


# What the engine is asked


CLAIM = "gomill-genmove_ex"
CLEANUP = "kgs-genmove_cleanup"
RULES = (CLEANUP, "kata-set-rules", "kgs-rules", "kata-set-param")


@pytest.mark.parametrize(
    ("settings", "asked"),
    [
        ({}, ALWAYS_ASKED),
        ({"is_reliable_scorer": False}, ALWAYS_ASKED[:-1]),
        ({"allow_claim": True}, (*ALWAYS_ASKED, CLAIM)),
        ({"go": CHINESE}, (*ALWAYS_ASKED, *RULES)),
        ({"control": "10m"}, (*ALWAYS_ASKED, "time_left", "time_settings")),
        ({"control": "3s/move"}, (*ALWAYS_ASKED, "time_settings")),
        (
            {"control": "1m + 2s/move"},
            (*ALWAYS_ASKED, "time_left", "kata-time_settings", "time_settings"),
        ),
        ({"control": "1m + 2m/10"}, (*ALWAYS_ASKED, "time_left", "time_settings")),
        (
            {
                "is_reliable_scorer": False,
                "allow_claim": True,
                "go": CHINESE,
                "control": "10m + 3x30s",
            },
            (
                *ALWAYS_ASKED[:-1],
                CLAIM,
                *RULES,
                "time_left",
                "kgs-time_settings",
                "kata-time_settings",
                "time_settings",
            ),
        ),
    ],
)
@pytest.mark.parametrize("knows_all", [True, False])
def test_what_a_game_needs_is_asked_at_once_after_the_name_and_never_again(settings, asked, knows_all):
    control = TimeControl.parse(settings.get("control", "none"))
    script = Script({"genmove": "= D4"}, asked if knows_all else (), **{**settings, "control": control})
    script.prepare()
    assert script.writes[:2] == [
        ["protocol_version"],
        ["name", "version", *(f"known_command {command}" for command in asked)],
    ]
    script.ask()
    script.ask("b D4", "w E5")
    script.tell("b D4", "w E6")
    script.put(m.Quit())
    assert not any("known_command" in line for write in script.writes[2:] for line in write)


@pytest.mark.parametrize("answer", ["= false", "? unknown command"])
def test_an_engine_that_knows_nothing_plays_with_the_least_there_is(answer):
    control = TimeControl.parse("10m + 3x30s")
    settings = {"go": CHINESE, "control": control, "allow_claim": True}
    script = Script({"known_command": answer, "genmove": "= D4"}, **settings)
    assert script.prepare() == [m.Ready(unable=("the rules", "the clock"), can_score=False, gives_hints=True)]
    script.forget()
    assert script.ask() == [m.Moved(script.rules.parse("D4"))]
    assert script.tell("b D4", "w E5") == [m.Acknowledged()]
    assert script.put(m.Quit()) == [m.HasQuit()]
    assert script.writes == [["genmove b"], ["play w E5"], ["quit"]]


@pytest.mark.parametrize("answer", ["= True", "= yes", "= true\ntrue", "=", "? no", "? true"])
def test_only_the_exact_answer_true_means_that_a_command_is_known(answer):
    control = TimeControl.parse("10m")
    script, replies = prepared({"known_command": answer}, control=control, allow_claim=True)
    assert replies == [replace(READY, unable=("the clock",))]
    assert script.seen[-3:] == BOARD
    assert script.codec.send(script.question()) == b"genmove b\n"


@pytest.mark.parametrize("index", range(len(ALWAYS_ASKED)))
def test_one_command_that_is_known_among_others_is_that_one(index):
    answers = {"genmove": "= D4", "gomill-cpu_time": "= 1", "gomill-describe_engine": "= me"}
    answers["gomill-explain_last_move"] = "= so"
    script, replies = prepared(answers, [ALWAYS_ASKED[index]])
    assert replies == [m.Ready("", "me" if index == 0 else "", can_score=index == 3, gives_hints=True)]
    assert script.ask()[1:] == ([m.Comment("so")] if index == 1 else [])
    assert script.put(m.Quit()) == [m.HasQuit(1_000_000_000 if index == 2 else None)]


@pytest.mark.parametrize(
    ("is_reliable", "known", "can_score"),
    [
        (True, ["final_score"], True),
        (True, [], False),
        (False, ["final_score"], False),
        (False, [], False),
    ],
)
def test_an_engine_can_score_if_it_knows_how_and_is_to_be_believed(is_reliable, known, can_score):
    script, replies = prepared(known=known, is_reliable_scorer=is_reliable)
    assert replies == [m.Ready(can_score=can_score, tells_dead=is_reliable, gives_hints=True)]
    assert ("known_command final_score" in script.seen) is is_reliable


# Who the engine is


def test_an_engine_that_fails_to_introduce_itself_is_ready_without_a_name():
    _, replies = prepared({"name": "? no", "version": "? no", "known_command": "? no"})
    assert replies == [READY]


def test_a_name_that_is_not_utf_8_keeps_what_can_be_read():
    _, replies = prepared({"name": "= M\udcffGo", "version": "= 1"})
    assert replies == [m.Ready("M?Go:1", "M?Go:1", can_score=False, gives_hints=True)]


@pytest.mark.parametrize("answer", ["= 2", "=2", "= 2.0", "? unknown command", "?"])
def test_version_2_and_no_idea_are_versions_to_play_with(answer):
    _, replies = prepared({"protocol_version": answer})
    assert replies == [READY]


@pytest.mark.parametrize("version", ["1", "2.1", "abc", "", "nan", "22"])
def test_any_other_version_is_declined(version):
    script, replies = prepared({"protocol_version": f"= {version}"})
    assert replies == [m.Unsupported(f"speaks version {version!r} of GTP, expected 2")]
    assert script.seen == ["protocol_version"]


@pytest.mark.parametrize("first", [b" ", b"\t", b"\r", b"\n", b"#", b"=", b"?"])
def test_the_first_byte_may_be_any_that_begins_an_answer(first):
    script = Script()
    script.codec.send(m.NewGame(0, script.rules, None, script.control))
    assert script.codec.receive(first) == []


@pytest.mark.parametrize(
    ("data", "quoted"),
    [(b"usage: toy [options]", "'usage: toy [options]'"), (b"GTP> ", "'GTP> '"), (b"\xff", "xff")],
)
def test_any_other_first_byte_is_reported_at_once_with_what_was_said(data, quoted):
    script = Script()
    script.codec.send(m.NewGame(0, script.rules, None, script.control))
    (broken,) = script.codec.receive(data)
    assert broken.kind is FaultKind.PROTOCOL
    assert quoted in broken.detail
    assert "first command (protocol_version)" in broken.detail
    assert list(script.codec.receive(b"= 2\n\n")) == []


def test_gmp_is_called_by_its_name():
    script = Script()
    script.codec.send(m.NewGame(0, script.rules, None, script.control))
    said = "speaks GMP, not GTP; gnugo needs --mode gtp"
    assert script.codec.receive(b"\x01\xa2\x00") == [m.Broken(FaultKind.PROTOCOL, said)]


@pytest.mark.parametrize("word", ["boardsize", "clear_board", "komi", "level"])
def test_a_set_up_command_that_fails_is_declined_by_its_name(word):
    _, replies = prepared({word: "? unacceptable size"}, startup_gtp_commands=("level 3",))
    command = next(line for line in (*BOARD, "level 3") if line.startswith(word))
    assert replies == [m.Unsupported(f"refused {command}: 'unacceptable size'")]


def test_a_rectangular_board_is_told_by_width_and_height():
    script, _ = prepared(go={"board_size": (13, 9), "komi": 0.5})
    assert script.seen[-3:] == ["boardsize 13 9", "clear_board", "komi 0.5"]


# Rules


RULES_ASKED = [f"known_command {command}" for command in RULES]
KEPT = "kata-set-param alwaysComputePassAliveUnderSuicideRules false"


@pytest.mark.parametrize(
    ("known", "answers", "words", "unable"),
    [
        (("kata-set-rules", "kgs-rules"), {}, ["kata-set-rules KATA"], ()),
        (("kata-set-rules",), {}, ["kata-set-rules KATA"], ()),
        (("kgs-rules",), {}, ["kgs-rules KGS"], ()),
        ((), {}, [], ("the rules",)),
        (
            ("kata-set-rules", "kgs-rules"),
            {"kata-set-rules": "? no"},
            ["kata-set-rules KATA", "kgs-rules KGS"],
            (),
        ),
        (
            ("kgs-rules",),
            {"kgs-rules": "? not\nthese"},
            ["kgs-rules KGS"],
            ("the rules (refused kgs-rules chinese: 'not these')",),
        ),
        (("kata-set-rules", "kata-set-param"), {}, ["kata-set-rules KATA", KEPT], ()),
        (("kata-set-rules", "kata-set-param"), {"kata-set-param": "? no"}, ["kata-set-rules KATA", KEPT], ()),
        (("kgs-rules", "kata-set-param"), {}, ["kgs-rules KGS"], ()),
    ],
)
def test_rules_are_told_in_the_first_way_that_the_engine_knows(known, answers, words, unable):
    script, replies = prepared(answers, known, go=CHINESE)
    words = [
        word.replace("KATA", script.rules.kata_rules).replace("KGS", script.rules.kgs_rules) for word in words
    ]
    assert script.seen == [*INTRODUCTION, *RULES_ASKED, *BOARD, *words]
    knows_rules = "kata-set-rules" in known and "kata-set-rules" not in answers
    assert replies == [replace(READY, unable=unable, knows_rules=knows_rules, cleans_up=knows_rules)]


def test_an_engine_that_refuses_the_rules_does_not_play_by_others():
    said = "Rules {...} are not supported by this neural net version"
    script, replies = prepared({"kata-set-rules": f"? {said}"}, ["kata-set-rules"], go=SPIGHT)
    words = f"does not play by these rules: refused kata-set-rules {SPIGHT['ruleset']}: {said!r}"
    assert replies == [m.Unsupported(words)]
    assert script.seen[-1] == f"kata-set-rules {SPIGHT['ruleset']}"


@pytest.mark.parametrize(
    ("ruleset", "known", "answer", "told", "unable"),
    [
        ("chinese +suicidelife", True, "=", "true", ()),
        ("chinese +suicidelife", True, "? no such parameter", "true", ("the house rule suicidelife",)),
        ("chinese +suicidelife", False, "=", "", ("the house rule suicidelife",)),
        ("tromp-taylor +suicidelife", True, "=", "", ()),
        ("japanese", True, "=", "false", ()),
    ],
)
def test_how_pass_alive_is_decided_is_told_where_it_makes_a_difference(ruleset, known, answer, told, unable):
    commands = ["kata-set-rules", *(["kata-set-param"] if known else [])]
    go = {"board_size": 9, "komi": 6, "ruleset": ruleset}
    script, replies = prepared({"kata-set-param": answer}, commands, go=go)
    assert replies == [replace(READY, unable=unable, knows_rules=True, cleans_up=True)]
    words = [line.split()[-1] for line in script.seen if line.startswith("kata-set-param")]
    assert words == [told] * bool(told)


def test_without_a_ruleset_nothing_is_said_of_rules():
    script, _ = prepared(known=["kata-set-rules", "kgs-rules"])
    assert not any("rules" in line for line in script.seen)


# Clocks


@pytest.mark.parametrize(
    ("control", "known", "words", "unable"),
    [
        ("none", ("time_settings", "time_left"), [], ()),
        ("10m", ("time_settings", "time_left"), ["time_settings 600 0 0"], ()),
        ("3m hourglass", ("time_settings",), ["time_settings 180 0 0"], ("the hourglass",)),
        ("40/90m, 30m", ("time_settings",), ["time_settings 0 5400 40"], ("the later stages",)),
        (
            "10m + 5s delay",
            ("kata-time_settings", "time_settings"),
            ["kata-time_settings fischer 600 5"],
            ("the kind of the increment (delay)",),
        ),
        (
            "10m + 3x30s",
            ("kgs-time_settings", "kata-time_settings", "time_settings"),
            ["kgs-time_settings byoyomi 600 30 3"],
            (),
        ),
        (
            "10m + 3x30s",
            ("kata-time_settings", "time_settings"),
            ["kata-time_settings byoyomi 600 30 3"],
            (),
        ),
        ("10m + 3x30s", ("time_settings",), ["time_settings 600 30 1"], ()),
        ("1m + 2s/move", ("kata-time_settings", "time_settings"), ["kata-time_settings fischer 60 2"], ()),
        ("1m + 2s/move", ("time_settings",), ["time_settings 60 2 1"], ()),
        (
            "15s + 2x2.5s",
            ("kgs-time_settings", "kata-time_settings"),
            ["kata-time_settings byoyomi 15 2.5 2"],
            (),
        ),
        ("15s + 2x2.5s", ("kgs-time_settings",), ["kgs-time_settings byoyomi 15 2 2"], ()),
        ("3s/move", ("time_settings",), ["time_settings 0 3 1"], ()),
        ("3s/move", (), [], ("the clock",)),
        ("10m", (), [], ("the clock",)),
    ],
)
def test_the_clock_is_told_in_the_best_words_that_the_engine_knows(control, known, words, unable):
    script, replies = prepared(known=known, control=TimeControl.parse(control))
    assert script.seen[script.seen.index("boardsize 9") :] == [*BOARD, *words]
    assert replies == [replace(READY, unable=unable)]


def test_a_clock_that_is_refused_in_one_way_is_told_in_the_next():
    control = TimeControl.parse("10m + 3x30s")
    known = ["kgs-time_settings", "kata-time_settings", "time_settings"]
    answers = {"kgs-time_settings": "? no", "kata-time_settings": "? no"}
    script, replies = prepared(answers, known, control=control)
    assert script.seen[-3:] == [
        "kgs-time_settings byoyomi 600 30 3",
        "kata-time_settings byoyomi 600 30 3",
        "time_settings 600 30 1",
    ]
    assert replies == [READY]


def test_an_engine_that_refuses_its_time_settings_could_not_be_told_the_clock():
    control = TimeControl.parse("10m")
    _, replies = prepared({"time_settings": "? no"}, ["time_settings"], control=control)
    assert replies == [replace(READY, unable=("the clock",))]


def test_a_limit_per_move_on_top_of_a_clock_has_no_words():
    second = 1_000_000_000
    control = TimeControl(main=60 * second, move=5 * second)
    _, replies = prepared(known=["time_settings"], control=control)
    assert replies == [replace(READY, unable=("the limit per move",))]


def test_an_increment_has_no_words_where_so_many_moves_have_a_time():
    _, replies = prepared(known=["time_settings"], control=TimeControl.parse("40/300+2"))
    assert replies == [replace(READY, unable=("the increment",))]


# Handicap


def test_fixed_handicap_stones_are_placed_by_play_where_the_engine_has_no_handicap_commands():
    script, replies = prepared({"fixed_handicap": "? unknown command"}, go={**FIXED, "opening": "E5"})
    assert script.seen[-4:] == ["fixed_handicap 2", "play b C3", "play b G7", "play w E5"]
    assert type(replies[-1]) is m.Ready


def test_an_engine_that_will_not_have_them_either_way_cannot_play():
    _, replies = prepared({"fixed_handicap": "? unknown command", "play b G7": "? no"}, go=FIXED)
    said = "refused fixed_handicap 2: 'unknown command', and refused play b G7: 'no'"
    assert replies == [m.Unsupported(said)]


@pytest.mark.parametrize("text", ["C3 G7", "G7 C3", "g7  c3"])
def test_fixed_handicap_stones_may_be_named_in_any_order(text):
    script, replies = prepared({"fixed_handicap": f"= {text}"}, go=FIXED)
    assert script.seen[-2:] == ["komi 6.0", "fixed_handicap 2"]
    assert replies == [READY]


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("= C3 E5", "answered fixed_handicap 2 with 'C3 E5': missing G7, not expected E5"),
        ("= C3", "answered fixed_handicap 2 with 'C3': missing G7"),
        ("= C3 G7 G7", "answered fixed_handicap 2 with 'C3 G7 G7': not expected G7"),
        ("= pass", "answered fixed_handicap 2 with 'pass': missing C3 G7, not expected pass"),
        ("=", "answered fixed_handicap 2 with '', expected C3 G7"),
        ("= C3 Z99", "answered fixed_handicap 2 with 'C3 Z99', expected C3 G7"),
    ],
)
def test_other_points_than_the_rules_have_are_declined_with_the_difference(answer, words):
    _, replies = prepared({"fixed_handicap": answer}, go=FIXED)
    assert replies == [m.Unsupported(words)]


def test_a_free_handicap_is_not_spoken_of_before_the_game():
    script, _ = prepared(go={"handicap": 3, "handicap_style": "free"})
    assert script.seen == [*INTRODUCTION, *BOARD]


# Aliases, ids, claims


def test_aliases_hold_from_the_first_command_on_and_inside_known_command():
    aliases = {"protocol_version": "pv", "name": "who", "gomill-describe_engine": "about", "komi": "k"}
    answers = {"pv": "= 2", "k": "? too much"}
    script, replies = prepared(answers, known=["about"], gtp_aliases=aliases)
    questions = [f"known_command {command}" for command in ("about", *ALWAYS_ASKED[1:])]
    assert script.seen == ["pv", "who", "version", *questions, "about", *BOARD[:2], "k 6.0"]
    assert replies == [m.Unsupported("refused komi 6.0: 'too much'")]


def test_an_alias_of_a_command_does_not_touch_arguments():
    script, _ = prepared(gtp_aliases={"9": "x", "level": "strength"}, startup_gtp_commands=("level level 9",))
    assert "strength level 9" in script.seen
    assert "boardsize 9" in script.seen


class Numbered(Script):
    """A script that repeats the number of each command, plus `shift`."""

    shift = 0

    def answer(self, line):
        number, _, command = line.partition(" ")
        answer = super().answer(command)
        return f"{answer[0]}{int(number) + self.shift}{answer[1:]}"


def test_numbered_commands_are_numbered_from_one_and_their_answers_read():
    explain = "gomill-explain_last_move"
    script = Numbered({"name": "= Toy", "genmove": "= D4", explain: "= so"}, [explain], command_ids=True)
    assert script.prepare() == [m.Ready("Toy", "Toy", can_score=False, gives_hints=True)]
    assert script.seen[:3] == ["1 protocol_version", "2 name", "3 version"]
    assert script.ask("w E5") == [m.Moved(script.rules.parse("D4")), m.Comment("so")]
    assert script.seen[-3:] == ["11 play w E5", "12 genmove b", f"13 {explain}"]


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (b"=2 2\n\n", "answered protocol_version with id '2', expected id 1"),
        (b"= 2\n\n", "answered protocol_version with no id, expected id 1"),
    ],
)
def test_a_wrong_number_breaks_a_numbered_conversation(answer, words):
    script = Script(command_ids=True)
    script.codec.send(m.NewGame(0, script.rules, None, script.control))
    assert script.codec.receive(answer) == [m.Broken(FaultKind.PROTOCOL, words)]


def test_a_player_that_may_claim_is_asked_for_moves_in_a_way_that_lets_it():
    for known, question in ((["gomill-genmove_ex"], "gomill-genmove_ex b claim"), ([], "genmove b")):
        script = ready(known=known, allow_claim=True)
        assert script.codec.send(script.question()).decode() == f"{question}\n"


# Openings


OPENING = {"opening": "AB D4 G7 AW C3 PL W E5 pass"}
PLAYS = ["play w C3", "play b D4", "play b G7", "play w E5", "play b pass"]


def test_an_opening_is_told_by_play_after_all_else_and_whites_stones_first():
    script, replies = prepared(go=OPENING)
    assert script.seen == [*INTRODUCTION, *BOARD, *PLAYS]
    assert replies == [READY]
    script, replies = prepared({"fixed_handicap 2": "= C3 G7"}, go={**FIXED, "opening": "E5"})
    assert script.seen[-2:] == ["fixed_handicap 2", "play w E5"]


def test_an_engine_that_refuses_a_move_of_the_opening_declines():
    _, replies = prepared({"play b G7": "? illegal move"}, go=OPENING)
    assert replies == [m.Unsupported("refused play b G7: 'illegal move'")]
