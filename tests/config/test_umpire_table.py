"""The table of an umpire in control files: the program, and the game's own settings in it."""

import pytest

from gyoji.config.competition import load
from gyoji.core.faults import ConfigError
from gyoji.core.text import parse_duration

HEAD = 'competition = "allplayall"\ngame = "umpire"\n'
UMPIRE = '[umpire]\ncommand = "sh"\n'
PLAYERS = '[players]\na = { command = "sh" }\nb = { command = "sh", speak = "json" }\n'


def read(tmp_path, *parts):
    file = tmp_path / "cup.toml"
    file.write_text("".join(parts), encoding="utf-8")
    return load(file)


def test_the_table_has_the_program_and_the_settings_of_the_game(tmp_path):
    setup = read(
        tmp_path,
        HEAD,
        UMPIRE,
        'settings = { heap = 21, names = ["x"] }\nfailure = "loses"\nbudgets = { move = "5s" }\n',
        PLAYERS,
    )
    assert setup.settings.options == {
        "seats": 2,
        "teams": [],
        "settings": {"heap": 21, "names": ["x"]},
        "failure": "loses",
        "opening": "",
    }
    umpire = setup.umpire
    assert umpire.command[0].endswith("/sh")
    assert (umpire.protocol, umpire.containment.level) == ("umpire-program", "guarded")
    assert (umpire.budgets.move, umpire.budgets.line) == (parse_duration("5s"), 1 << 20)
    assert [player.options for player in setup.players.values()] == [{"speak": "text"}, {"speak": "json"}]


def test_what_players_are_allowed_and_given_is_not_for_the_umpire(tmp_path):
    top = 'sandbox = "strict"\nmax_memory = "1GB"\nbudgets = { move = "1s" }\n'
    setup = read(tmp_path, HEAD, top, UMPIRE, PLAYERS)
    assert setup.players["a"].containment.level == "strict"
    assert setup.umpire.containment.level == "guarded"
    assert (setup.umpire.budgets.memory, setup.umpire.budgets.move) == (0, parse_duration("1m"))


def test_neither_players_nor_umpire_see_the_files_of_the_others(tmp_path):
    (tmp_path / "rules.py").write_text("")
    (tmp_path / "a.py").write_text("")
    setup = read(
        tmp_path,
        HEAD,
        '[umpire]\ncommand = "python rules.py"\n',
        '[players]\na = { command = "python a.py" }\nb = { command = "sh" }\n',
    )
    rules, own = (str(tmp_path / name) for name in ("rules.py", "a.py"))
    assert setup.players["a"].containment.foreign == (rules,)
    assert setup.players["b"].containment.foreign == (own, rules)
    assert setup.umpire.containment.foreign == (own,)


WRONG = {
    "no table": ((HEAD, PLAYERS), "umpire: required, but not given"),
    "no program": ((HEAD, "[umpire]\nseats = 2\n", PLAYERS), "umpire.command: required"),
    "no table but a text": ((HEAD, 'umpire = "sh"\n', PLAYERS), "umpire: expected a table, got 'sh'"),
    "an unknown setting": ((HEAD, UMPIRE, "seat = 2\n", PLAYERS), "umpire.seat: there is no such setting"),
    "seats as text": ((HEAD, UMPIRE, 'seats = "2"\n', PLAYERS), "umpire.seats: expected a whole number"),
    "no seats": ((HEAD, UMPIRE, "seats = 0\n", PLAYERS), "umpire.seats: expected 1 to 64, got 0"),
    "teams that do not fit": (
        (HEAD, UMPIRE, "teams = [0]\n", PLAYERS),
        "umpire.teams: expected one for each",
    ),
    "a setting of players": (
        (HEAD, UMPIRE, 'clock = "1s"\n', PLAYERS),
        "umpire.clock: is a setting of players",
    ),
    "a setting at the top": ((HEAD, "seats = 2\n", UMPIRE, PLAYERS), "seats: there is no such setting"),
    "a way to speak": (
        (HEAD, UMPIRE, '[players]\na = { command = "sh", speak = "xml" }\n'),
        "players.a.speak",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_mistake_is_told_with_its_place(tmp_path, name):
    parts, message = WRONG[name]
    with pytest.raises(ConfigError) as told:
        read(tmp_path, *parts)
    assert message in str(told.value)
    assert ":" in str(told.value).partition("cup.toml")[2]


def test_a_setting_of_the_game_at_the_top_is_told_where_it_stands(tmp_path):
    with pytest.raises(ConfigError) as error:
        read(tmp_path, HEAD, "seats = 4\n", UMPIRE, "seats = 4\n", PLAYERS)
    assert str(error.value).endswith(
        "/cup.toml:3: seats: there is no such setting at the top; it stands in the table umpire: umpire.seats"
    )
