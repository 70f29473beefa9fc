"""Players and settings are written as they are read."""

import tomllib

import pytest

from gyoji.config.competition import load
from gyoji.config.toml_writer import player_table, toml

PLAYERS = [
    'command = "prog --flag file.cfg"',
    'command = "prog"\ncwd = "private"\nmax_disk = "3MB"\nmax_memory = 1000001',
    'command = "prog"\nenviron = { A = "b", TOKEN = true, HOME = false }',
    'command = "prog"\nbudgets = { move = "7s", line = "1KB" }\nponder = false\nthreads = 2',
    'command = "prog"\nsandbox = "strict"\nreadable = ["net"]\ndevices = ["dri"]\nwritable = ["/tmp"]',
    'command = "prog"\nsandbox = "off"\nrestart = "off"\nstderr = "discard"',
    'command = "prog"\nexecutor = "local"',
    'command = ["prog", "a \\" \\\\ \\u0001 \\u007f é 😀"]\nresources = { gpu = 1 }',
    'command = "prog"\nstartup_gtp_commands = ["a", "b c"]',
]

EVENT = """
competition = "playoff"
board_size = 9
komi = 6.5
resources = {{ gpu = 2 }}
budgets = {{ startup = "90s" }}
[players.one]
{player}
[players.other]
command = "other"
[[matchups]]
players = ["one", "other"]
number_of_games = 1
"""


@pytest.mark.parametrize("player", PLAYERS)
def test_a_player_is_the_same_in_another_folder(tmp_path, player):
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
    path = tmp_path / "first" / "event.toml"
    path.write_text(EVENT.format(player=player))
    read = load(path).players["one"]
    written = {
        "competition": "playoff",
        "board_size": 9,
        "komi": 6.5,
        "resources": {"gpu": 2},
        "players": {"one": player_table(read), "other": {"command": "other"}},
        "matchups": [{"players": ["one", "other"]}],
    }
    path = tmp_path / "second" / "copy.toml"
    path.write_text(toml(written))
    again = load(path).players["one"]
    hidden = read.containment.hidden
    contained = type(read.containment)
    fields = {name: getattr(again.containment, name) for name in contained.__struct_fields__}
    assert contained(**{**fields, "hidden": hidden}) == read.containment
    for name in set(read.__struct_fields__) - {"containment", "folder"}:
        assert getattr(again, name) == getattr(read, name), name


@pytest.mark.parametrize(
    "settings",
    [
        {"a": 1, "b": 1.5, "c": True, "d": "x\ny\t\"'\\"},
        {"list": [[1, 2], ["a"], []], "empty": {}},
        {"players": {"a.b": {"clock": {"main": "3s", "deep": {"er": [1]}}}, "": {"x": -1}}},
        {"matchups": [{"id": "0", "players": ["a", "b"]}, {"id": "1"}], "top": "comes first"},
    ],
)
def test_what_is_written_reads_as_the_same(settings):
    assert tomllib.loads(toml(settings)) == settings
