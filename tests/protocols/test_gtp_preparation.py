"""Setting a game up: the exact commands in gomill's order, and what becomes of every kind of failure."""

import pytest
from gtp_engine_script import Script, ready

from gyoji.core import messages as m
from gyoji.core.clocks import TimeControl
from gyoji.core.faults import FaultKind

INTRODUCTION = ["protocol_version", "name", "version", "known_command gomill-describe_engine"]
BOARD = ["boardsize 9", "clear_board", "komi 6.0"]
FIXED = {"handicap": 2, "handicap_style": "fixed"}


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
    assert replies == [m.Ready("Toy:1.2", "Toy 1.2\nseed 7")]


def test_nothing_is_written_behind_the_first_command_until_it_is_answered():
    script = Script()
    sent = script.codec.send(m.Prepare(0, script.rules, None, script.control))
    assert sent == b"protocol_version\n"
    assert script.codec.receive(b"=") == []
    (more,) = script.codec.receive(b" 2\n\n")
    assert more == m.More(b"name\nversion\nknown_command gomill-describe_engine\n")


def test_an_engine_that_fails_to_introduce_itself_is_ready_without_a_name():
    _, replies = prepared({"name": "? no", "version": "? no", "known_command": "? no"})
    assert replies == [m.Ready()]


def test_a_name_that_is_not_utf_8_keeps_what_can_be_read():
    _, replies = prepared({"name": "= M\udcffGo", "version": "= 1"})
    assert replies == [m.Ready("M?Go:1", "M?Go:1")]


@pytest.mark.parametrize("answer", ["= 2", "=2", "= 2.0", "? unknown command", "?"])
def test_version_2_and_no_idea_are_versions_to_play_with(answer):
    _, replies = prepared({"protocol_version": answer})
    assert replies == [m.Ready()]


@pytest.mark.parametrize("version", ["1", "2.1", "abc", "", "nan", "22"])
def test_any_other_version_is_declined(version):
    script, replies = prepared({"protocol_version": f"= {version}"})
    assert replies == [m.Declined(f"speaks version {version!r} of GTP, expected 2")]
    assert script.seen == ["protocol_version"]


@pytest.mark.parametrize("first", [b" ", b"\t", b"\r", b"\n", b"#", b"=", b"?"])
def test_the_first_byte_may_be_any_that_begins_an_answer(first):
    script = Script()
    script.codec.send(m.Prepare(0, script.rules, None, script.control))
    assert script.codec.receive(first) == []


@pytest.mark.parametrize(
    ("data", "quoted"),
    [(b"usage: toy [options]", "'usage: toy [options]'"), (b"GTP> ", "'GTP> '"), (b"\xff", "xff")],
)
def test_any_other_first_byte_is_reported_at_once_with_what_was_said(data, quoted):
    script = Script()
    script.codec.send(m.Prepare(0, script.rules, None, script.control))
    (broken,) = script.codec.receive(data)
    assert broken.kind is FaultKind.PROTOCOL
    assert quoted in broken.detail
    assert "first command (protocol_version)" in broken.detail
    assert list(script.codec.receive(b"= 2\n\n")) == []


def test_gmp_is_called_by_its_name():
    script = Script()
    script.codec.send(m.Prepare(0, script.rules, None, script.control))
    assert script.codec.receive(b"\x01\xa2\x00") == [m.Broken(FaultKind.PROTOCOL, "speaks GMP, not GTP")]


@pytest.mark.parametrize("word", ["boardsize", "clear_board", "komi", "level"])
def test_a_set_up_command_that_fails_is_declined_by_its_name(word):
    _, replies = prepared({word: "? unacceptable size"}, startup_gtp_commands=("level 3",))
    command = next(line for line in (*BOARD, "level 3") if line.startswith(word))
    assert replies == [m.Declined(f"refused {command}: 'unacceptable size'")]


def test_a_rectangular_board_is_told_by_width_and_height():
    script, _ = prepared(go={"board_size": (13, 9), "komi": 0.5})
    assert script.seen[-3:] == ["boardsize 13 9", "clear_board", "komi 0.5"]


# Rules


CHINESE = {"ruleset": "chinese"}


@pytest.mark.parametrize(
    ("known", "answers", "words", "unable"),
    [
        (("kata-set-rules", "kgs-rules"), {}, ["known_command kata-set-rules", "kata-set-rules KATA"], ()),
        (
            ("kgs-rules",),
            {},
            ["known_command kata-set-rules", "known_command kgs-rules", "kgs-rules KGS"],
            (),
        ),
        ((), {}, ["known_command kata-set-rules", "known_command kgs-rules"], ("the rules",)),
        (
            ("kata-set-rules", "kgs-rules"),
            {"kata-set-rules": "? no"},
            [
                "known_command kata-set-rules",
                "kata-set-rules KATA",
                "known_command kgs-rules",
                "kgs-rules KGS",
            ],
            (),
        ),
    ],
)
def test_rules_are_told_in_the_first_way_that_the_engine_knows(known, answers, words, unable):
    script, replies = prepared(answers, known, go=CHINESE)
    words = [
        word.replace("KATA", script.rules.kata_rules).replace("KGS", script.rules.kgs_rules) for word in words
    ]
    assert script.seen == [*INTRODUCTION, *BOARD, *words]
    assert replies == [m.Ready(unable=unable)]


def test_without_a_ruleset_nothing_is_said_of_rules():
    script, _ = prepared(known=["kata-set-rules", "kgs-rules"])
    assert not any("rules" in line for line in script.seen)


# Clocks


@pytest.mark.parametrize(
    ("control", "known", "words", "unable"),
    [
        ("none", ("time_settings", "time_left"), [], ()),
        (
            "10m",
            ("time_settings", "time_left"),
            ["known_command time_settings", "time_settings 600 0 0", "known_command time_left"],
            (),
        ),
        (
            "10m + 3x30s",
            ("kgs-time_settings", "time_settings"),
            [
                "known_command kgs-time_settings",
                "kgs-time_settings byoyomi 600 30 3",
                "known_command time_left",
            ],
            (),
        ),
        (
            "1m + 2s/move",
            ("time_settings",),
            [
                "known_command kata-time_settings",
                "known_command time_settings",
                "time_settings 60 2 1",
                "known_command time_left",
            ],
            (),
        ),
        ("3s/move", ("time_settings",), ["known_command time_settings", "time_settings 0 3 1"], ()),
        ("3s/move", (), ["known_command time_settings"], ("the clock",)),
        ("10m", (), ["known_command time_settings", "known_command time_left"], ("the clock",)),
    ],
)
def test_the_clock_is_told_in_the_best_words_that_the_engine_knows(control, known, words, unable):
    script, replies = prepared(known=known, control=TimeControl.parse(control))
    assert script.seen == [*INTRODUCTION, *BOARD, *words]
    assert replies == [m.Ready(unable=unable)]


def test_an_engine_that_refuses_its_time_settings_could_not_be_told_the_clock():
    control = TimeControl.parse("10m")
    _, replies = prepared({"time_settings": "? no"}, ["time_settings"], control=control)
    assert replies == [m.Ready(unable=("the clock",))]


def test_a_limit_per_move_on_top_of_a_clock_has_no_words():
    second = 1_000_000_000
    control = TimeControl(main=60 * second, move=5 * second)
    _, replies = prepared(known=["time_settings"], control=control)
    assert replies == [m.Ready(unable=("the limit per move",))]


# Handicap


@pytest.mark.parametrize("text", ["C3 G7", "G7 C3", "g7  c3"])
def test_fixed_handicap_stones_may_be_named_in_any_order(text):
    script, replies = prepared({"fixed_handicap": f"= {text}"}, go=FIXED)
    assert script.seen[-2:] == ["komi 6.0", "fixed_handicap 2"]
    assert replies == [m.Ready()]


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("= C3 E5", "answered fixed_handicap 2 with 'C3 E5': missing G7, not expected E5"),
        ("= C3", "answered fixed_handicap 2 with 'C3': missing G7"),
        ("= C3 G7 G7", "answered fixed_handicap 2 with 'C3 G7 G7': not expected G7"),
        ("= pass", "answered fixed_handicap 2 with 'pass': missing C3 G7, not expected pass"),
        ("=", "answered fixed_handicap 2 with '', expected C3 G7"),
        ("= C3 Z99", "answered fixed_handicap 2 with 'C3 Z99', expected C3 G7"),
        ("? invalid handicap", "refused fixed_handicap 2: 'invalid handicap'"),
    ],
)
def test_other_points_than_the_rules_have_are_declined_with_the_difference(answer, words):
    _, replies = prepared({"fixed_handicap": answer}, go=FIXED)
    assert replies == [m.Declined(words)]


def test_a_free_handicap_is_not_spoken_of_before_the_game():
    script, _ = prepared(go={"handicap": 3, "handicap_style": "free"})
    assert script.seen == [*INTRODUCTION, *BOARD]


# Aliases, ids, claims


def test_aliases_hold_from_the_first_command_on_and_inside_known_command():
    aliases = {"protocol_version": "pv", "name": "who", "gomill-describe_engine": "about", "komi": "k"}
    answers = {"pv": "= 2", "k": "? too much"}
    script, replies = prepared(answers, known=["about"], gtp_aliases=aliases)
    assert script.seen == ["pv", "who", "version", "known_command about", "about", *BOARD[:2], "k 6.0"]
    assert replies == [m.Declined("refused komi 6.0: 'too much'")]


def test_an_alias_of_a_command_does_not_touch_arguments():
    script, _ = prepared(gtp_aliases={"9": "x", "level": "strength"}, startup_gtp_commands=("level level 9",))
    assert "strength level 9" in script.seen
    assert "boardsize 9" in script.seen


class Numbered(Script):
    """Gives back the number of each command, plus `shift`."""

    shift = 0

    def answer(self, line):
        number, _, command = line.partition(" ")
        answer = super().answer(command)
        return f"{answer[0]}{int(number) + self.shift}{answer[1:]}"


def test_numbered_commands_are_numbered_from_one_and_their_answers_read():
    script = Numbered({"name": "= Toy", "genmove": "= D4"}, command_ids=True)
    assert script.prepare() == [m.Ready("Toy", "Toy")]
    assert script.seen[:3] == ["1 protocol_version", "2 name", "3 version"]
    assert script.ask("w E5") == [m.Moved(script.rules.parse("D4"))]
    assert script.seen[-3:] == ["8 play w E5", "9 genmove b", "10 known_command gomill-explain_last_move"]


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (b"=2 2\n\n", "answered protocol_version with id '2', expected id 1"),
        (b"= 2\n\n", "answered protocol_version with no id, expected id 1"),
    ],
)
def test_a_wrong_number_breaks_a_numbered_conversation(answer, words):
    script = Script(command_ids=True)
    script.codec.send(m.Prepare(0, script.rules, None, script.control))
    assert script.codec.receive(answer) == [m.Broken(FaultKind.PROTOCOL, words)]


def test_a_player_that_may_claim_is_asked_for_moves_in_a_way_that_lets_it():
    for known, question in ((["gomill-genmove_ex"], "gomill-genmove_ex b claim"), ([], "genmove b")):
        script = ready(known=known, allow_claim=True)
        assert script.codec.send(script.question()).decode() == f"{question}\n"
