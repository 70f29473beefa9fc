"""What a control file for a match would say: codes, the game's own settings, where things are."""

import os
from pathlib import Path

import pytest
from command_line import gyoji
from msgspec.structs import replace

from gyoji.cli import matching
from gyoji.cli.matching import given_settings, match_setup, play_match
from gyoji.cli.naming import player_codes
from gyoji.core.clocks import TimeControl
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


def test_colours_do_not_alternate_where_a_setting_says_so(setup):
    assert not matchup_of(setup(alternating=False)).alternating


def test_settings_are_those_of_the_top_of_a_control_file(setup):
    got = setup(clock="3m", move_limit=70, scorer="internal", max_memory="1GB", ponder=False)
    assert (matchup_of(got).clock.describe(), matchup_of(got).move_limit) == ("3m", 70)
    assert {(each.budgets.memory, each.ponders) for each in got.players.values()} == {(1 << 30, False)}


def test_what_is_not_said_is_as_in_a_control_file(setup):
    got = setup()
    assert (matchup_of(got).move_limit, matchup_of(got).scorer) == (1000, "internal")
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
        (("x --net nets/one.bin", "x --net nets/two.bin"), ("x-net-nets-one.bin", "x-net-nets-two.bin")),
        (("x --seed 1 2", "x --seed 2 1"), ("x-seed-1-2", "x-seed-2-1")),
        (("x", "x"), ("x-1", "x-2")),
        (("x " + "a" * 50, "x b"), ("x", "x-b")),
        (("g --level 1", "g --level 5", "g --level 10"), ("g-level-1", "g-level-5", "g-level-10")),
        (("k", "k --random", "other", "k"), ("k-1", "k-random", "other", "k-2")),
        (("k", "k --level 5", "k --level 10"), ("k", "k-level-5", "k-level-10")),
        (("a/bot.py x", "b/bot.py x", "c/d/bot.py x"), ("bot.py-a", "bot.py-b", "bot.py-c-d")),
    ],
)
def test_players_of_one_program_are_called_after_what_differs(commands, codes):
    assert player_codes(commands) == codes


def test_names_that_are_given_count():
    assert player_codes(("x", "x"), ("one", "two")) == ("one", "two")
    assert player_codes(("x", "y"), ("one",)) == ("one", "y")
    with pytest.raises(ConfigError, match="--name: two players would be called 'y'"):
        player_codes(("x", "y"), ("y",))
    with pytest.raises(ConfigError, match="--name: expected letters, digits"):
        player_codes(("x", "y"), ("a b",))
    with pytest.raises(ConfigError, match="--name: 3 names for 2 players"):
        player_codes(("x", "y"), ("a", "b", "c"))


def test_given_names_are_those_of_the_players_in_order(setup, tmp_path):
    got = match_setup(
        ("./a", "./b"), {"game": "go", "games": 2}, names=("one", "two"), keeps=False, folder=tmp_path
    )
    assert [(code, player.command[0][-2:]) for code, player in got.players.items()] == [
        ("one", "/a"),
        ("two", "/b"),
    ]


def test_more_than_two_play_everybody_against_everybody(setup):
    got = setup("./a", "./b", "./c", games=4)
    assert (got.kind, got.settings.competitors, got.settings.rounds) == ("allplayall", ("a", "b", "c"), 4)
    assert got.description == "./a, ./b, ./c"


def test_in_a_gauntlet_the_first_plays_each_of_the_others(setup):
    got = setup("./a", "./b", "./c", format="gauntlet", games=None)
    assert (got.kind, got.settings.champions) == ("gauntlet", ("a",))
    assert (got.settings.challengers, got.settings.rounds) == (("b", "c"), 2)


@pytest.mark.parametrize("text", ["0,10", "0, 10", "0,10,.05"])
def test_a_sequential_test_is_of_the_first_against_the_second_until_it_is_decided(setup, text):
    got = setup(sprt=text, games=None)
    assert (got.kind, got.settings.competitors, got.settings.rounds) == ("sprt", ("a", "b"), None)
    assert (got.settings.elo0, got.settings.elo1, got.settings.alpha) == (0, 10, 0.05)


def test_a_sequential_test_has_a_model_and_a_last_game_where_they_are_given(setup):
    got = setup(sprt="0,10,0.1,0.2", model="logistic", games=40).settings
    assert (got.alpha, got.beta, got.model, got.rounds) == (0.1, 0.2, "logistic", 40)


@pytest.mark.parametrize("who", ["2", "b"])
def test_settings_of_one_player_are_those_of_its_table(setup, tmp_path, who):
    own = [(who, "clock=8+0.08"), (who, "max_memory=1GB"), (who, "budgets.move=5s"), (who, "environ.X=1")]
    with pytest.raises(ConfigError, match=r"players.b.environ.X: expected a string"):
        match_setup(("./a", "./b"), {"game": "go"}, own=own, keeps=False, folder=tmp_path)
    got = match_setup(("./a", "./b"), {"game": "go"}, own=own[:3], keeps=False, folder=tmp_path).players
    assert (got["a"].clock, got["a"].budgets.memory) == (None, 0)
    assert got["b"].clock == TimeControl.parse("8s + 80ms/move")
    assert (got["b"].budgets.memory, got["b"].budgets.move) == (1 << 30, 5 * 10**9)


def test_a_number_alone_is_a_clock_too(setup, tmp_path):
    got = match_setup(("./a", "./b"), {"game": "go"}, own=[("1", "clock=60")], keeps=False, folder=tmp_path)
    assert got.players["a"].clock.describe() == "1m"


def test_every_player_may_have_a_protocol_of_its_own(tmp_path):
    own = [("1", "protocol=usenix"), ("2", "protocol=gtp")]
    got = match_setup(("./a", "./b"), {"game": "go"}, own=own, keeps=False, folder=tmp_path)
    assert [each.protocol for each in got.players.values()] == ["usenix", "gtp"]


@pytest.mark.parametrize(
    ("commands", "settings", "own", "message"),
    [
        (("./a",), {}, (), "a match is between two players or more: give a COMMAND for each"),
        (
            ("./a", "./b"),
            {},
            [("3", "x=1")],
            "--for: there is no player '3'; there are: a, b, or a number from",
        ),
        (("./a", "./b"), {}, [("0", "x=1")], "--for: there is no player '0'"),
        (("./a", "./b"), {}, [("a", "clock")], "--for: expected KEY=VALUE, got 'clock'"),
        (
            ("./a", "./b"),
            {},
            [("a", "clok=1m")],
            "gyoji match: players.a.clok: there is no such setting; did",
        ),
        (("./a", "./b"), {}, [("a", "info=1"), ("a", "info.x=2")], "--for: info.x: info is given as a value"),
        (("./a", "./b", "./c"), {"sprt": "0,5"}, (), "--sprt: is a test of two players, the first against"),
        (("./a", "./b"), {"sprt": "0,5", "format": "gauntlet"}, (), "--sprt: is a test of two players"),
        (("./a", "./b"), {"sprt": "0,5", "games": 5}, (), "--games: expected an even number with --sprt"),
        (
            ("./a", "./b"),
            {"sprt": "5"},
            (),
            "--sprt: expected ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA such as 0,10",
        ),
        (
            ("./a", "./b"),
            {"sprt": "0,x"},
            (),
            "--sprt: expected ELO0,ELO1 or ELO0,ELO1,ALPHA,BETA such as 0,10",
        ),
        (
            ("./a", "./b"),
            {"sprt": "5,0"},
            (),
            "gyoji match: elo1: expected more than elo0, which is 5, got 0",
        ),
    ],
)
def test_a_mistake_names_the_option(tmp_path, commands, settings, own, message):
    with pytest.raises(ConfigError) as caught:
        match_setup(commands, {"game": "go", **settings}, own=own, keeps=False, folder=tmp_path)
    assert str(caught.value).startswith(message)


@pytest.mark.process
def test_a_match_says_as_it_goes_how_far_the_players_are_apart():
    words = ["match", "gyoji-kozo", "gyoji-kozo --random", "--size", "5", "-n", "2", "--every", "1"]
    begun = [line.split(":")[0] for line in gyoji(*words).stdout.splitlines()]
    said = [each for each in begun if each in ("game 0_0", "game 0_1", "progress", "standings", "elo")]
    state = ["progress", "standings", "elo"]
    assert said == ["game 0_0", *state, "game 0_1", *state]


def test_a_match_with_a_mistake_makes_no_folder(tmp_path):
    def play(keep, **settings):
        play_match(("./a", "./b"), RunOptions(), keep=keep, quiet=True, game="go", games=1, **settings)

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
    keep = tmp_path / "x"
    with pytest.raises(ConfigError) as caught:
        play_match(("./a", "./b"), RunOptions(), extra=(extra,), keep=keep, quiet=True, game="go", games=1)
    assert str(caught.value).removeprefix("gyoji match: ").startswith(complaint)


@pytest.mark.parametrize(
    ("command", "game", "full"),
    [
        ("gnuchess", "chess", "gnuchess --uci"),
        ("/usr/games/gnuchess", "chess", "/usr/games/gnuchess --uci"),
        ("gnuchess -e", "chess", "gnuchess -e"),
        ("stockfish", "chess", "stockfish"),
        ("gnugo", "go", "gnugo --mode gtp"),
        ("gnugo", "chess", "gnugo"),
        ("x", "unknown", "x"),
    ],
)
def test_a_known_program_gets_the_words_of_its_protocol(command, game, full):
    assert matching._full_command(command, game) == full


@pytest.mark.parametrize(
    ("commands", "game"),
    [
        (("stockfish", "gnuchess"), "chess"),
        (("/usr/games/stockfish",), "chess"),
        (("gyoji-koma --depth 2", "gyoji-koma"), "chess"),
        (("gnugo --mode gtp", "gyoji-kozo"), "go"),
        (("stockfish", "gyoji-kozo"), "go"),
        (("python bot.py",), "go"),
    ],
)
def test_known_programs_tell_their_game(commands, game):
    assert given_settings({}, [], commands)["game"] == game
    assert given_settings({"game": "gomoku"}, [], commands)["game"] == "gomoku"
