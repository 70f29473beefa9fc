"""What players need of the machine: read, and refused where it can never be had."""

import pytest

from gyoji.config.competition import load

CUP = """\
competition = "playoff"
board_size = 9
komi = 7
{top}
[players.a]
command = "./a"
{a}
[players.b]
command = "./b"
{b}
[[matchups]]
players = ["a", "b"]
{more}
"""
ROBIN = CUP.replace("playoff", "allplayall").replace('[[matchups]]\nplayers = ["a", "b"]\n', "")


def cup(text=CUP, **parts):
    return text.format(**({"top": "", "a": "", "b": "", "more": ""} | parts))


def test_a_player_needs_a_thread_and_nothing_else_if_it_does_not_say(write):
    setup = load(write(cup()))
    assert [(player.threads, player.resources) for player in setup.players.values()] == [(1, {}), (1, {})]
    assert setup.resources == {}


def test_needs_are_read_and_threads_have_a_default_at_the_top(write):
    top = "threads = 2\nresources = { gpu = 2, mem = 16000 }"
    setup = load(write(cup(top=top, a="threads = 4", b="resources = { gpu = 1, mem = 4000 }")))
    a, b = setup.players.values()
    assert (a.threads, a.resources) == (4, {})
    assert (b.threads, b.resources) == (2, {"gpu": 1, "mem": 4000})
    assert setup.resources == {"gpu": 2, "mem": 16000}


@pytest.mark.parametrize(
    ("parts", "complaint"),
    [
        ({"a": "threads = 0"}, "event.toml:7: players.a.threads: expected 1 or more, got 0"),
        ({"top": "threads = -1"}, "event.toml:4: threads: expected 1 or more, got -1"),
        ({"a": "threads = 1.5"}, "event.toml:7: players.a.threads: expected a whole number, got 1.5"),
        (
            {"top": "cores = 2", "a": "threads = 4"},
            "event.toml:7: players.a.threads: 4 are more than a game has processors (cores = 2)",
        ),
        (
            {"a": "resources = { gpu = 1 }"},
            "event.toml:7: players.a.resources.gpu: resources.gpu at the top must say how much there is",
        ),
        (
            {"top": "resources = { gpu = -1 }"},
            "event.toml:4: resources.gpu: expected 0 or more, got -1",
        ),
        (
            {"top": "resources = { threads = 8 }"},
            "event.toml:4: resources.threads: is a setting of players only: gyoji counts the processors",
        ),
        (
            {"top": "resources = { gpu = 1 }", "b": "resources = { gpu = -1 }"},
            "event.toml:10: players.b.resources.gpu: expected 0 or more, got -1",
        ),
        (
            {"top": "resources = { gpu = 'one' }"},
            "event.toml:4: resources.gpu: expected a whole number, got 'one'",
        ),
        (
            {"top": "resources = { gpu = 1 }", "a": "resources = { gpu = 2 }"},
            "event.toml:7: players.a.resources.gpu: a game a v b needs 2, and there is only 1",
        ),
        (
            {
                "top": "resources = { gpu = 9, mem = 10 }",
                "a": "resources = { mem = 5 }",
                "b": "resources = { mem = 6, gpu = 1 }",
            },
            "event.toml:10: players.b.resources.mem: a game a v b needs 11, and there is only 10",
        ),
        (
            {
                "top": 'resources = { gpu = 2 }\nscorer = "engine"\nscoring_player = "b"',
                "b": "resources = { gpu = 1 }",
                "more": '[[matchups]]\nplayers = ["b", "b"]',
            },
            "event.toml:12: players.b.resources.gpu: a game b v b v b needs 3, and there is only 2",
        ),
    ],
)
def test_what_makes_no_sense_or_can_never_be_had_is_refused(complaints, parts, complaint):
    assert complaint in complaints(cup(**parts))


def test_where_anybody_may_meet_anybody_the_two_that_need_most_have_to_fit(complaints, write):
    parts = {"top": "resources = { gpu = 3 }", "a": "resources = { gpu = 2 }", "b": "resources = { gpu = 2 }"}
    (complaint,) = complaints(cup(ROBIN, **parts))
    assert complaint == "event.toml:7: players.a.resources.gpu: a game a v b needs 4, and there is only 3"
    assert load(write(cup(ROBIN, **parts | {"b": "resources = { gpu = 1 }"})))


def test_those_that_never_meet_need_not_fit_together(write):
    more = 'number_of_games = 0\n[[matchups]]\nplayers = ["a", "a"]'
    parts = {"top": "resources = { gpu = 3 }", "a": "resources = { gpu = 1 }", "b": "resources = { gpu = 3 }"}
    assert load(write(cup(**parts, more=more)))


def test_a_game_of_four_agents_has_two_processes_of_each_player(complaints):
    text = CUP.replace("board_size = 9\nkomi = 7", 'game = "dighere"')
    parts = {"top": "resources = { mem = 5 }", "a": "resources = { mem = 3 }"}
    assert "a game a v b needs 6, and there is only 5" in complaints(cup(text, **parts))[0]


def test_whoever_stays_between_games_is_warned_that_it_keeps_what_it_has(write):
    setup = load(write(cup(top="resources = { gpu = 1 }\nrestart = 'auto'", a="resources = { gpu = 1 }")))
    (warning,) = setup.warnings
    assert 'players.a.resources: it keeps its resources between games, because restart is "auto"' in warning
