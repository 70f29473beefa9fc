"""Reports tell what was played on each host, and whether hosts agree; of one machine they say nothing."""

import pytest
import report_games
from msgspec.structs import replace

from gyoji.core.clocks import TimeControl
from gyoji.core.outcome import Ending, Outcome, won_by
from gyoji.core.spec import scaled
from gyoji.report.html.games import about_game
from gyoji.report.text import text_lines
from gyoji.tables.hosts import Hosts, hosts_blocks, hosts_table, hosts_values, running_blocks


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
    assert hosts_blocks(hosts) == []
    assert hosts_values(hosts)["hosts"] == []


@pytest.fixture
def bad_host():
    """Of three hosts one lets the engine that moves first lose on time, half of its games."""
    games = []
    for number in range(120):
        host = ("one", "two", "bad")[number % 3]
        is_late = host == "bad" and number % 2
        games.append(game(number, host, winner=1, ending=Ending.TIME) if is_late else game(number, host))
    return counted(games)


def test_a_host_that_differs_is_named(bad_host):
    lines = list(text_lines(hosts_blocks(bad_host)))
    assert lines[0] == "hosts"
    assert lines[2].split() == ["bad", "40", "13.3", "6.9", "20", "6.9", "7.0"]
    assert lines[-2].startswith("Of results, hosts differ, bad most (chi-square 47.6, 2 degrees of freedom,")
    assert lines[-1].startswith("Of faults, hosts differ, bad most (chi-square ")


def test_hosts_that_do_not_differ_agree():
    lines = list(
        text_lines(hosts_blocks(counted(game(n, "xy"[n % 2], winner=n // 2 % 2) for n in range(40))))
    )
    assert lines[-1] == "Of results, hosts agree (chi-square 0.0, 1 degree of freedom, p = 1)."


def test_programs_get_the_same(bad_host):
    values = hosts_values(bad_host)
    assert [(each["host"], each["games"], each["faults"]) for each in values["hosts"]] == [
        ("bad", 40, 20),
        ("one", 40, 0),
        ("two", 40, 0),
    ]
    assert values["hosts_agree"]["points"]["freedom"] == 2
    assert values["hosts_agree"]["points"]["p"] < 1e-9
    assert values["hosts"][0]["points"]["z"] == pytest.approx(6.899, abs=0.001)


def test_a_game_whose_result_nobody_knows_counts_for_faults_alone():
    unknown = Outcome(points=None, ending=Ending.SCORE)
    hosts = counted([replace(game(0, "x"), outcome=unknown), game(1, "x")])
    ((name, games, faults, _),) = hosts.rows()
    assert (name, games, faults) == ("x", 2, 0)


def test_games_of_many_sides_are_counted_by_the_first_name():
    outcome = Outcome(points=(0.0, 1.0, 0.5), ending=Ending.SCORE)
    each = replace(game(0, "x", players=("c", "a", "b")), outcome=outcome, teams=(0, 1, 2))
    hosts = counted([each, replace(each, host="y", outcome=replace(outcome, points=(1.0, 0.0, 0.5)))])
    assert hosts.of_points.hosts["x"].amount == 0.5


def test_what_hosts_do_is_told_of_a_run_that_goes_on():
    host = {
        "name": "lab1",
        "slots": 4,
        "playing": ["0_1"],
        "played": 7,
        "speed": 1.25,
        "silent": 0.5,
        "trouble": "",
    }
    silent = {**host, "name": "lab2", "silent": 42.4, "speed": None, "trouble": "makes no sense"}
    lines = list(text_lines(running_blocks([host, silent])))
    assert [line.split() for line in lines[3:]] == [
        ["lab1", "4", "1", "7", "1.25", "now"],
        ["lab2", "4", "1", "7", "42s", "ago"],
        ["host", "lab2", "makes", "no", "sense"],
    ]
    assert running_blocks(()) == []


def test_the_page_of_a_game_names_its_host_and_the_factor_of_its_clocks():
    spec, record = report_games.game(0)
    timed = scaled(replace(spec, clock=TimeControl.parse("10s/move"), scale_clocks=True), 0.5)
    about = about_game(timed, replace(record.result, host="lab3"), None)["about"]
    assert "clock: 5s/move, clocks times 0.5, " in about
    assert about.endswith(", host lab3")
    assert "host" not in about_game(spec, record.result, None)["about"]
