"""Preparation of a Gomocup brain: ABOUT, START, INFO, and RESTART for another game."""

import json
from dataclasses import fields
from pathlib import Path

import pytest
from gomocup_exchanges import ABOUT, END, MATCH, NONE, Table, game, infos, lines, ready

from gyoji.core import messages as m
from gyoji.core.clocks import TimeControl
from gyoji.core.spec import Budgets, Player
from gyoji.protocols.gomocup import PROTOCOL, Options
from gyoji.testing.codec_kit import Exchange

START = b"ABOUT\r\nSTART 15\r\n"


def answered(heard, *replies, **options):
    """Check the replies to an answer to ABOUT and START 15."""
    table = Table(**options)
    start = START if table.options.send_about else b"START 15\r\n"
    table.check(Exchange(request=table.prepare(), sent=start, heard=heard, replies=replies))


# What it calls itself


@pytest.mark.parametrize(
    ("about", "name", "description"),
    [
        (ABOUT, "Swine:1.0", "Swine:1.0"),
        (b'name="A", version="2", author="B, C", country="CZ"\n', "A:2", "A:2, author B, C, country CZ"),
        (b'name = "Wine"  version = "1"\n', "Wine:1", "Wine:1"),
        (b'NAME="PPay" VERSION="" author="x"\n', "PPay", "PPay, author x"),
        (b'author="Petr", www="http://p"\n', "", "author Petr, www http://p"),
        (b'name="V", version="' + b"long " * 9 + b'"\n', "V", "V, version " + ("long " * 9).strip()),
        (b"A brain by me, 2004\n", "", "A brain by me, 2004"),
        (b'Welcome!\nname="W"\nbla\n', "W", "W"),
        (b"Welcome!\nagain\n", "", "Welcome!"),
        (b"MESSAGE Copyright\nMESSAGE 2004\nDEBUG on\n" + ABOUT, "Swine:1.0", "Swine:1.0\nCopyright\n2004"),
        (b"\n", "", ""),
        (b"", "", ""),
        (b'name="caf\xe9"\n', "café", "café"),
        ('name="café"\n'.encode(), "café", "café"),
    ],
)
def test_a_brain_introduces_itself_or_not_and_is_ready_when_it_says_ok(about, name, description):
    answered(about + b"OK\r\n", m.More(infos()), ready(name, description))


@pytest.mark.parametrize("text", ["OK", "ok", "OK - everything is good", "Ok.", "OKAY"])
def test_ok_may_have_more_behind_it(text):
    answered(ABOUT + text.encode() + b"\n", m.More(infos()), ready())


def test_a_brain_need_not_be_asked_what_it_calls_itself():
    answered(b"OK\n", m.More(infos()), ready("", ""), send_about=False)


def test_an_answer_to_about_that_comes_late_answers_nothing_else():
    table = Table()
    table.check(
        Exchange(request=table.prepare(), heard=b"OK\n" + ABOUT, replies=(m.More(infos()), ready("", ""))),
        table.asked(
            b"BEGIN\r\n",
            ABOUT + b"7,7\n",
            (m.Warned(ABOUT.decode().strip()), table.moved("h8")),
        ),
        END,
    )


# Refusals

AGAIN = m.More(b"START 15\r\n")


def test_who_knows_no_about_is_asked_to_start_once_more():
    table = Table()
    table.check(
        Exchange(request=table.prepare(), sent=START, heard=b"UNKNOWN command\n", replies=(AGAIN,)),
        Exchange(heard=b"OK\r\nOK\r\n", replies=(m.More(infos()), ready("", ""))),
        table.asked(b"BEGIN\r\n", b"OK\n7,7\n", (m.Warned("OK"), table.moved("h8"))),
    )


@pytest.mark.parametrize("about", [b"", b"\n", b"free text\n"])
def test_who_refuses_the_size_refuses_it_twice_unless_its_answer_to_about_was_plain(about):
    refused = m.Unsupported("refused START 15: 'ERROR unsupported size'")
    answered(about + b"ERROR unsupported size\n" * 2, AGAIN, refused)
    answered(ABOUT + b"ERROR unsupported size\n", refused)


@pytest.mark.parametrize("text", ["ERROR size", "UNKNOWN START", "error"])
def test_a_refusal_is_quoted(text):
    refused = m.Unsupported(f"refused START 15: {text!r}")
    answered(f"MESSAGE hm\n{text}\n".encode(), refused, send_about=False)


def test_a_rectangle_may_be_refused():
    table = Table(rules=game((20, 10)))
    refused = m.Unsupported("refused RECTSTART 20,10: 'UNKNOWN command'")
    heard = ABOUT + b"UNKNOWN command\n"
    table.check(
        Exchange(
            request=table.prepare(), sent=b"ABOUT\r\nRECTSTART 20,10\r\n", heard=heard, replies=(refused,)
        )
    )


def test_a_move_before_it_is_ready_is_none():
    table = Table()
    table.check(
        Exchange(request=table.prepare(), heard=b"7,7\nOK\n8,8\n", replies=(m.More(infos()), ready("", ""))),
        table.asked(b"BEGIN\r\n", b"9,9\n", "j10"),
    )


# Limits


def told(control=NONE, rules=None, folder=None, memory=0, **options):
    """Return the INFO lines, and what could not be told."""
    player = Player(code="b", command=("b",), folder=folder, budgets=Budgets(memory=memory))
    table = Table(0, rules, control, player, **options)
    conversation = table.codec()
    conversation.send(table.prepare())
    more, reply = conversation.receive(b"OK\n")
    return more.data, reply.unable


@pytest.mark.parametrize(
    ("control", "limits", "unable"),
    [
        (NONE, {"match": 0}, ()),
        (MATCH, {"match": 180000, "turn": 180000}, ()),
        (TimeControl(main=180 * 10**9, move=30 * 10**9, margin=10**9), {"match": 180000, "turn": 30000}, ()),
        (TimeControl.parse("2s/move"), {"match": 0, "turn": 2000}, ()),
        (TimeControl(move=1), {"match": 0, "turn": 0}, ()),
        (TimeControl(main=10**19), {"match": 2**31 - 1, "turn": 2**31 - 1}, ()),
        (TimeControl.parse("1m + 3s/move"), {"match": 60000, "turn": 60000}, ("the increment",)),
        (TimeControl.parse("1m + 3x30s"), {"match": 60000, "turn": 60000}, ("byo-yomi",)),
        (TimeControl.parse("0s + 1x5s"), {"match": 5000, "turn": 5000}, ("byo-yomi",)),
    ],
)
def test_limits_are_told_in_milliseconds_and_a_turn_without_one_as_no_haste(control, limits, unable):
    assert told(control) == (infos(**limits), unable)


def test_memory_rule_and_folder_are_told():
    rules = game(rule="renju")
    assert told(rules=rules, folder="/tmp/x y/z", memory=350 << 20) == (
        infos(memory=367001600, rule=4, folder="/tmp/x y/z"),
        (),
    )
    assert told(memory=1 << 40)[0] == infos(memory=2**31 - 1)


@pytest.mark.parametrize("folder", ["/" + "x" * 250, "/a\nb", "/\udcff"])
def test_a_folder_that_does_not_fit_into_a_line_is_not_told(folder):
    assert told(folder=folder) == (infos(), ("its folder",))


def test_more_may_be_told_in_a_players_own_words():
    info = {"timeout_turn": "4500", "max_depth": "3"}
    control = TimeControl.parse("5s/move")
    assert told(control, info=info, game_type=1)[0] == infos(turn=4500, game_type=1) + lines(
        "INFO max_depth 3"
    )


def test_info_may_be_told_before_start_and_then_what_it_brings_about_is_not_held_against_start():
    table = Table(info_before_start=True)
    before = b"ABOUT\r\n" + infos() + b"START 15\r\n"
    table.check(
        Exchange(request=table.prepare(), sent=before, heard=b"UNKNOWN\n" * 3, replies=(AGAIN,) * 3),
        Exchange(heard=ABOUT + b"OK\n" * 4, replies=(ready(),)),
        table.asked(b"BEGIN\r\n", b"7,7\n", "h8"),
    )


@pytest.mark.parametrize(
    "options",
    [
        {"game_type": 4},
        {"game_type": -1},
        {"info": {"two words": "1"}},
        {"info": {"": "1"}},
        {"info": {"a": "1\r\nEND"}},
        {"info": {"a": "x" * 250}},
        {"info": {"a\x00": "1"}},
    ],
)
def test_settings_that_cannot_be_told_are_refused_by_name(options):
    (name,) = options
    with pytest.raises(ValueError, match=f"^{name}"):
        Options(**options)


def test_every_setting_is_in_the_documentation_with_its_default():
    text = (Path(__file__).parents[2] / "docs/how-to/gomocup.md").read_text()
    for field in fields(Options):
        default = getattr(Options(), field.name)
        shown = "{}" if field.name == "info" else json.dumps(default)
        assert f"| `{field.name}` | `{shown}` |" in text


def test_no_line_of_ours_is_longer_than_old_brains_can_read():
    data, _ = told(MATCH, folder="/" + "x" * 234, info={"key": "y" * 238})
    assert 245 <= max(map(len, data.split(b"\r\n"))) < 250


# Another game


def second_game(answer, *replies, first=None, second=None, sent=b"RESTART\r\n", **options):
    one, two = Table(0, first, **options), Table(1, second, **options)
    one.check(
        one.prepared(),
        one.asked(b"BEGIN\r\n", b"7,7\n", "h8"),
        Exchange(request=m.Quit(keep=True), sent=b"", heard=b"\n", replies=(m.HasQuit(stays=True),)),
        Exchange(request=two.prepare(), sent=sent, heard=answer, replies=replies),
    )
    return two


def test_a_brain_that_stays_is_restarted_and_told_its_limits_again():
    second_game(b"MESSAGE hm\nOK\n", m.More(infos()), ready(description="Swine:1.0\nhm"))


def test_nothing_of_the_game_before_is_left():
    two = Table(1)
    conversation = Table().begun(answer=b"7,7\n8,8\nMESSAGE old\n")
    conversation.send(m.Quit(keep=True))
    problem = "answered once when nothing was asked, first '8,8'"
    assert conversation.receive(b"") == [m.Comment("old"), m.HasQuit(problem=problem, stays=True)]
    conversation.receive(b"MESSAGE in between\n")
    conversation.send(two.prepare())
    assert list(conversation.receive(b"")) == []
    conversation.receive(b"OK\n")
    assert conversation.send(two.ask("h8")) == b"TURN 7,7\r\n"
    conversation.receive(b"8,8\n")
    conversation.send(m.Quit())
    assert list(conversation.receive(b"")) == []
    assert list(conversation.finish()) == [m.HasQuit()]


@pytest.mark.parametrize("text", ["UNKNOWN command", "ERROR no"])
def test_a_brain_that_cannot_restart_declines(text):
    second_game(f"{text}\nOK\n".encode(), m.Unsupported(f"refused RESTART: {text!r}"))


@pytest.mark.parametrize("second", [{"size": 20}, {"size": (15, 20)}, {"rule": "standard"}])
def test_a_game_of_another_kind_is_declined_without_a_word_to_the_brain(second):
    declined = m.Unsupported("was started for a board of another size or another rule")
    second_game(b"\n", declined, second=game(**second), sent=b"")


def test_brains_have_a_working_folder_of_their_own():
    assert PROTOCOL.private_folder is True


def test_depth_nodes_and_threads_are_told_where_they_are_set():
    more = b"INFO max_depth 8\r\nINFO max_node 50000\r\nINFO thread_num 2\r\n"
    table = Table(depth=8, nodes=50_000, thread=2)
    table.check(
        Exchange(request=table.prepare(), heard=ABOUT + b"OK\n", replies=(m.More(infos() + more), ready())),
        END,
    )


@pytest.mark.parametrize("options", [{"depth": -1}, {"nodes": 2**31}, {"thread": -2}])
def test_limits_that_no_brain_could_read_are_refused(options):
    with pytest.raises(ValueError, match=f"{next(iter(options))}: expected 0 to 2147483647, got "):
        Options(**options)
