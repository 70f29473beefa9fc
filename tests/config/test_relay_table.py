"""The table of a relay in control files: the runner, its seats, and what its players cannot have."""

import pytest

from gyoji.config.competition import load
from gyoji.core.faults import ConfigError
from gyoji.core.text import parse_duration

HEAD = 'competition = "allplayall"\ngame = "relay"\n'
RELAY = '[relay]\ncommand = "sh run.sh {seed} {seat1} {seat2}"\n'
RESULT = 'result = { json = "stats.*.rank" }\n'
PLAYERS = '[players]\na = { command = "sh" }\nb = { command = "sh" }\n'


def read(tmp_path, *parts):
    file = tmp_path / "cup.toml"
    file.write_text("".join(parts), encoding="utf-8")
    return load(file)


def test_the_table_has_the_runner_and_the_settings_of_the_game(tmp_path):
    setup = read(tmp_path, HEAD, RELAY, RESULT, PLAYERS)
    assert setup.settings.options == {"seats": 2, "teams": [], "opening": ""}
    runner = setup.umpire
    assert runner.command[1:] == ("run.sh", "{seed}", "{seat1}", "{seat2}")
    assert (runner.code, runner.protocol, runner.containment.level) == ("relay", "relay-program", "guarded")
    assert runner.options == {"result": {"json": "stats.*.rank"}}
    assert runner.budgets.move == parse_duration("10m")
    assert {player.protocol for player in setup.players.values()} == {"relay"}
    assert setup.settings.clock.is_unlimited


WRONG = {
    "no table": ((HEAD, PLAYERS), "relay: required"),
    "no result": ((HEAD, RELAY, PLAYERS), "relay.result: expected one of json"),
    "two results": (
        (HEAD, RELAY, 'result = { json = "x", pattern = "(1)" }\n', PLAYERS),
        "expected one of json.*, got json, pattern",
    ),
    "a setting that is none": (
        (HEAD, RELAY, 'result = { json = "x", file = "y" }\n', PLAYERS),
        "result: there is no 'file'",
    ),
    "a pattern without a number": (
        (HEAD, RELAY, 'result = { pattern = "score" }\n', PLAYERS),
        "'score' has no group",
    ),
    "no regular expression": (
        (HEAD, RELAY, 'result = { pattern = "(" }\n', PLAYERS),
        "no regular expression",
    ),
    "no exit status": (
        (HEAD, RELAY, "result = { status = { 256 = [1, 0] } }\n", PLAYERS),
        "points by exit status",
    ),
    "places by exit status": (
        (HEAD, RELAY, 'result = { status = { 0 = [1, 2] }, means = "places" }\n', PLAYERS),
        "means: expected",
    ),
    "a seat too few": (
        (HEAD, RELAY, "seats = 3\n", RESULT, PLAYERS),
        r"relay.command: expected \{seat1\} to \{seat3\} for seats = 3, got \{seat1\}, \{seat2\}",
    ),
    "no seat": ((HEAD, '[relay]\ncommand = "sh"\n', RESULT, PLAYERS), r"relay.command: expected \{seat1\}"),
    "a clock": (
        (HEAD, 'clock = "5m"\n', RELAY, RESULT, PLAYERS),
        "clock: the runner of a relay keeps the time",
    ),
    "a player's clock": (
        (HEAD, RELAY, RESULT, PLAYERS.replace('"sh" }\nb', '"sh", clock = "1s" }\nb')),
        "players.a.clock: the runner of a relay keeps the time",
    ),
    "a process that stays": (
        (HEAD, 'restart = "off"\n', RELAY, RESULT, PLAYERS),
        "restart: a relay needs a new process",
    ),
    "a person": (
        (HEAD, RELAY, RESULT, PLAYERS, "c = { human = true }\n"),
        "players.c: a relay needs programs",
    ),
    "a player with the runner's name": (
        (HEAD, RELAY, RESULT, PLAYERS, 'relay = { command = "sh" }\n'),
        "players.relay: is the name of the program that decides games: expected another name than 'relay'",
    ),
    "a clock of the runner": (
        (HEAD, RELAY, 'clock = "5m"\n', RESULT, PLAYERS),
        "relay.clock: is a setting of players, and not of the relay",
    ),
    "seats at the top": (
        (HEAD, "seats = 2\n", RELAY, RESULT, PLAYERS),
        "it stands in the table relay: relay.seats",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_told_with_its_place(name, tmp_path):
    parts, message = WRONG[name]
    with pytest.raises(ConfigError, match=message):
        read(tmp_path, *parts)
