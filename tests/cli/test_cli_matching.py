"""What a control file for a match would say: codes, the game's own settings, where things are."""

import os
from pathlib import Path

import pytest
from msgspec.structs import replace

from gyoji.cli.matching import match_setup, play_match, player_codes
from gyoji.core.faults import ConfigError
from gyoji.core.plugins import GAMES
from gyoji.scheduler.run import RunOptions


@pytest.fixture
def setup(tmp_path):
    """The setup of a match with these settings, kept in a folder of its own."""

    def setup(*commands, **settings):
        given = {"game": "go", "games": 2, **settings}
        return match_setup(commands or ("./a", "./b"), given, keeps=True, folder=tmp_path)

    return setup


def matchup_of(setup):
    (matchup,) = setup.settings.matchups
    return matchup


def test_a_match_of_go_is_on_a_small_board_unless_told_otherwise(setup):
    options = matchup_of(setup()).options
    assert (options["board_size"], options["komi"]) == (9, 7.5)
    options = matchup_of(setup(board_size=13)).options
    assert (options["board_size"], options["komi"]) == (13, 7.5)


def test_the_first_command_begins_and_colours_alternate(setup):
    matchup = matchup_of(setup("./x/a", "b -c", games=6))
    assert (matchup.player_1, matchup.player_2) == ("a", "b")
    assert (matchup.alternating, matchup.number_of_games) == (True, 6)


def test_settings_are_those_of_the_top_of_a_control_file(setup):
    got = setup(clock="3m", move_limit=70, scorer="internal", max_memory="1GB", ponder=False)
    assert (matchup_of(got).clock.describe(), matchup_of(got).move_limit) == ("3m", 70)
    assert {(each.budgets.memory, each.ponders) for each in got.players.values()} == {(1 << 30, False)}


def test_what_is_not_said_is_as_in_a_control_file(setup):
    got = setup()
    assert (matchup_of(got).move_limit, matchup_of(got).scorer) == (1000, "players")
    assert {player.protocol for player in got.players.values()} == {"gtp"}


@pytest.fixture
def league(monkeypatch):
    """Go with usual settings and a preset."""
    defaults, presets = {"protocol": "usenix", "move_limit": 33}, {"small": {"board_size": 5, "komi": 24}}
    go = replace(GAMES.find("go"), defaults=defaults, presets=presets)
    monkeypatch.setitem(GAMES._loaded, "go", go)


@pytest.mark.usefixtures("league")
def test_the_game_and_a_preset_say_the_rest(setup):
    got = setup(preset="small", komi=0)
    assert {player.protocol for player in got.players.values()} == {"usenix"}
    assert matchup_of(got).move_limit == 33
    assert [matchup_of(got).options[key] for key in ("board_size", "komi")] == [5, 0]
    assert matchup_of(setup(protocol="gtp")).options["board_size"] == 9


def test_commands_are_found_from_where_the_user_is_and_results_go_to_the_match_s_folder(
    setup, monkeypatch, tmp_path
):
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    got = setup("./a", "bin/b")
    commands = [player.command[0] for player in got.players.values()]
    assert commands == [f"{tmp_path}/here/a", f"{tmp_path}/here/bin/b"]
    assert (got.directory, got.control_file) == (str(tmp_path), "")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"game": "golf"}, "gyoji match: game: no game 'golf'; there are: "),
        ({"game": 3}, "gyoji match: game: expected a string, got 3; there are: "),
        ({"preset": "small"}, "gyoji match: preset: no preset 'small' of 'go'; it has none"),
        (
            {"protocol": "gomocup"},
            "gyoji match: protocol: protocol gomocup cannot play go; it plays gomoku; for go there are: ",
        ),
        (
            {"game": "gomoku", "protocol": "gtp"},
            "gyoji match: protocol: protocol gtp cannot play gomoku; it plays go; for gomoku there are: ",
        ),
        ({"max_memory": "much"}, "gyoji match: max_memory: expected a size such as"),
        ({"borad_size": 3}, "gyoji match: borad_size: there is no such setting; did you mean board_size?"),
    ],
)
def test_a_mistake_is_told_like_one_of_a_control_file(setup, settings, message):
    with pytest.raises(ConfigError) as caught:
        setup(**settings)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("commands", "codes"),
    [
        (("gnugo --mode gtp", "/opt/michi/gtp"), ("gnugo", "gtp")),
        (("./pbrain-a", "./pbrain-b.zip"), ("pbrain-a", "pbrain-b.zip")),
        (("'my engine'", "x 'y"), ("my-engine", "x-y")),
        (("", "é"), ("player-1", "player-2")),
        (("python first.py", "/usr/bin/python3.11 -u bots/second.py"), ("first.py", "second.py")),
        (("python -m bots.one", "java -jar two.jar"), ("bots.one", "two.jar")),
        (("sh", "python"), ("sh", "python")),
    ],
)
def test_players_are_called_after_their_programs_or_scripts(commands, codes):
    assert player_codes(commands) == codes


@pytest.mark.parametrize(
    ("commands", "codes"),
    [
        (("gnugo --level 1", "gnugo --level 10"), ("gnugo-level-1", "gnugo-level-10")),
        (("gnugo --level=1", "gnugo --level=10"), ("gnugo-level=1", "gnugo-level=10")),
        (("gyoji-kozo", "gyoji-kozo --random"), ("gyoji-kozo", "gyoji-kozo-random")),
        (("/opt/old/bin/engine -x", "/opt/new/bin/engine -x"), ("engine-old", "engine-new")),
        (("python a/bot.py", "python b/bot.py"), ("bot.py-a", "bot.py-b")),
        (("x --net nets/one.bin", "x --net nets/two.bin"), ("x-net-one.bin", "x-net-two.bin")),
        (("x --seed 1 2", "x --seed 2 1"), ("x-1", "x-2")),
        (("x", "x"), ("x-1", "x-2")),
        (("x " + "a" * 50, "x b"), ("x-1", "x-2")),
    ],
)
def test_players_of_one_program_are_called_after_what_differs(commands, codes):
    assert player_codes(commands) == codes


def test_names_that_are_given_count():
    assert player_codes(("x", "x"), ("one", "two")) == ("one", "two")
    assert player_codes(("x", "y"), ("one",)) == ("one", "y")
    with pytest.raises(ConfigError, match="--name: both players would be called 'y'"):
        player_codes(("x", "y"), ("y",))
    with pytest.raises(ConfigError, match="--name: expected letters, digits"):
        player_codes(("x", "y"), ("a b",))
    with pytest.raises(ConfigError, match="--name: 3 names for two players"):
        player_codes(("x", "y"), ("a", "b", "c"))


def test_given_names_are_those_of_the_players_in_order(setup, tmp_path):
    got = match_setup(
        ("./a", "./b"), {"game": "go", "games": 2}, names=("one", "two"), keeps=False, folder=tmp_path
    )
    assert [(code, player.command[0][-2:]) for code, player in got.players.items()] == [
        ("one", "/a"),
        ("two", "/b"),
    ]


def test_a_match_with_a_mistake_makes_no_folder(tmp_path):
    def play(keep, **settings):
        play_match(
            ("./a", "./b"),
            play={"game": "go", "games": 1, **settings},
            extra=(),
            keep=keep,
            options=RunOptions(),
            quiet=True,
        )

    with pytest.raises(ConfigError, match="komi"):
        play(tmp_path / "kept", komi="much")
    assert os.listdir(tmp_path) == []
    with pytest.raises(ConfigError, match="the folder cannot be made: Not a directory"):
        play(Path(__file__) / "kept")
    (tmp_path / "match.db").touch()
    with pytest.raises(ConfigError, match="this folder has another match"):
        play(tmp_path)


@pytest.mark.parametrize(
    ("extra", "complaint"),
    [
        (f"seed={'9' * 5000}", "seed: expected a whole number, got '9999"),
        (f"seed={'[' * 3000}", "--set: seed: too many nested tables and lists"),
    ],
)
def test_a_setting_that_no_number_and_no_table_can_have_is_told(tmp_path, extra, complaint):
    with pytest.raises(ConfigError) as caught:
        play_match(
            ("./a", "./b"),
            play={"game": "go", "games": 1},
            extra=(extra,),
            keep=tmp_path / "x",
            options=RunOptions(),
            quiet=True,
        )
    assert str(caught.value).removeprefix("gyoji match: ").startswith(complaint)
