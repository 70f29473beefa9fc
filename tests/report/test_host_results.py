"""Reports count the games and faults of each host; they have no such table for one machine."""

import pytest
import report_games
from msgspec.structs import replace

from gyoji.core.outcome import Ending, Outcome, won_by
from gyoji.report.html.games import about_game
from gyoji.report.text import text_lines
from gyoji.tables.host_results import Hosts, hosts_table, running_table


def game(number, host, winner=0, ending=Ending.RESIGNATION, players=("b", "a")):
    outcome = Outcome(points=won_by(winner, 2), ending=ending, seat=1 - winner)
    return replace(report_games.game(number, players, outcome)[1].result, host=host)


def counted(games):
    hosts = Hosts()
    for each in games:
        hosts.add(each)
    return hosts


def test_games_of_the_machine_of_the_run_are_no_table():
    hosts = counted([game(0, ""), game(1, "")])
    assert hosts_table(hosts).is_empty
    assert list(text_lines([hosts_table(hosts)])) == []


@pytest.fixture
def bad_host():
    """Of three hosts one lets the engine that moves first lose on time, half of its games."""
    games = []
    for number in range(120):
        host = ("one", "two", "bad")[number % 3]
        is_late = host == "bad" and number % 2
        games.append(game(number, host, winner=1, ending=Ending.TIME) if is_late else game(number, host))
    return counted(games)


def test_games_and_faults_are_counted_by_host(bad_host):
    lines = list(text_lines([hosts_table(bad_host)]))
    assert lines[0] == "hosts"
    assert lines[2].split() == ["bad", "40", "20", "7.0"]


def test_programs_get_the_same(bad_host):
    rows = hosts_table(bad_host).records()
    assert [(each["host"], each["games"], each["faults"]) for each in rows] == [
        ("bad", 40, 20),
        ("one", 40, 0),
        ("two", 40, 0),
    ]


def test_a_game_whose_result_nobody_knows_counts_for_faults_alone():
    unknown = Outcome(points=None, ending=Ending.SCORE)
    hosts = counted([replace(game(0, "x"), outcome=unknown), game(1, "x")])
    assert (hosts.games, hosts.faults) == ({"x": 2}, {"x": 0})


def test_what_hosts_do_is_told_of_a_run_that_goes_on():
    host = {
        "name": "lab1",
        "slots": 4,
        "playing": ["0_1"],
        "played": 7,
        "silent": 0.5,
        "trouble": "",
    }
    silent = {**host, "name": "lab2", "silent": 42.4, "trouble": "makes no sense"}
    lines = list(text_lines([running_table([host, silent])]))
    assert [line.split() for line in lines[2:]] == [
        ["lab1", "4", "1", "7", "now"],
        ["lab2", "4", "1", "7", "42s", "ago"],
        ["host", "lab2", "makes", "no", "sense"],
    ]
    assert running_table(()).is_empty


def test_the_page_of_a_game_names_its_host():
    spec, record = report_games.game(0)
    about = about_game(spec, replace(record.result, host="lab3"), None)["about"]
    assert about.endswith(", host lab3")
    assert "host" not in about_game(spec, record.result, None)["about"]
