"""TOML control files become frozen values: what each setting means, where it is from, its default."""

import os
from pathlib import Path

import pytest

from gyoji.config.competition import load
from gyoji.core.clocks import Meter, TimeControl
from gyoji.core.faults import ConfigError
from gyoji.core.spec import Adjudication, Budgets, Threshold
from gyoji.formats.playoff import Matchup, Playoff

HEAD = """
    competition = "playoff"
    board_size = 9
    komi = 7.5
    """
PLAYERS = """
    [players.a]
    command = "./a"
    [players.b]
    command = "./b"
    """
MATCHUP = """
    [[matchups]]
    players = ["a", "b"]
    """


@pytest.fixture
def setup(write):
    """The setup of a control file made of these parts."""
    return lambda *parts, **named: load(write("".join(parts), **named))


@pytest.fixture
def player(setup):
    """The player whose table has these lines."""

    def player(lines):
        text = f"{HEAD}[players.p]\n{lines}\n[[matchups]]\nplayers = ['p', 'p']\n"
        return setup(text).players["p"]

    return player


@pytest.fixture
def matchups(setup):
    def matchups(tables, top=""):
        return setup(f"{HEAD}\n{top}\n{PLAYERS}\n{tables}").settings.matchups

    return matchups


# The whole


def test_a_small_file_has_all_the_defaults(setup, tmp_path):
    got = setup(HEAD, PLAYERS, MATCHUP)
    assert (got.code, got.kind, got.game, got.description, got.seed) == ("event", "playoff", "go", "", 0)
    assert (got.record_games, got.stderr_to_log, got.skip_player_checks) == (True, True, False)
    assert (got.control_file, got.directory) == (str(tmp_path / "event.toml"), str(tmp_path))
    assert got.warnings == ()
    (matchup,) = got.settings.matchups
    assert (matchup.id, matchup.name, matchup.player_1, matchup.player_2) == ("0", "a v b", "a", "b")
    assert (matchup.alternating, matchup.number_of_games) == (False, None)
    assert (matchup.game, matchup.move_limit, matchup.scorer) == ("go", 1000, "internal")
    assert matchup.options["ruleset"] == "chinese"
    assert matchup.clock == TimeControl()
    assert matchup.options["board_size"] == 9
    assert matchup.options["handicap"] is None


def test_settings_of_the_competition_are_read(setup):
    top = """
    description = "  two lines\\n  of text  "
    seed = 7
    place = "Portland"
    record_games = false
    skip_player_checks = true
    """
    got = setup(HEAD, top, PLAYERS, MATCHUP)
    assert (got.description, got.seed, got.place) == ("two lines\n  of text", 7, "Portland")
    assert Playoff(got).next_game().place == "Portland"
    assert (got.record_games, got.skip_player_checks) == (False, True)


@pytest.mark.parametrize(
    ("lines", "are_files"),
    [
        ("", True),
        ('records = "files"', True),
        ('records = "store"', False),
        ('records = "store"\nrecord_games = false', False),
    ],
)
def test_records_are_files_unless_they_are_to_be_in_the_store_alone(setup, lines, are_files):
    assert setup(HEAD, lines, PLAYERS, MATCHUP).record_games is are_files


def test_records_cannot_be_in_two_places(setup):
    with pytest.raises(ConfigError, match="records: got 'store', but record_games says otherwise"):
        setup(HEAD, 'records = "store"\nrecord_games = true', PLAYERS, MATCHUP)


def test_a_relative_control_file_is_found_again_from_anywhere(write, monkeypatch, tmp_path):
    write(HEAD + PLAYERS + MATCHUP, name="sub/event.toml")
    monkeypatch.chdir(tmp_path)
    got = load("sub/event.toml")
    assert (got.control_file, got.directory) == (str(tmp_path / "sub/event.toml"), str(tmp_path / "sub"))


def test_a_byte_order_mark_and_dos_line_ends_do_not_matter(write):
    text = (HEAD + PLAYERS + MATCHUP).replace("\n", "\r\n")
    assert load(write(b"\xef\xbb\xbf" + text.encode())).kind == "playoff"


def test_the_setup_makes_a_competition(setup):
    event = Playoff(setup(HEAD, "number_of_games = 2", PLAYERS, MATCHUP))
    assert [event.next_game().id for _ in range(2)] == ["0_0", "0_1"]
    assert event.next_game() is None


# Matchups


def test_a_matchup_inherits_from_the_top_level_and_overrides_it(matchups):
    first, second = matchups(
        """
        [[matchups]]
        player_1 = "a"
        player_2 = "b"
        [[matchups]]
        player_1 = "b"
        player_2 = "a"
        id = "rev"
        name = "the return"
        alternating = false
        number_of_games = 3
        board_size = 13
        komi = 6
        handicap = 4
        handicap_style = "free"
        move_limit = 50
        scorer = "players"
        clock = "1m"
        """,
        top="""
        alternating = true
        number_of_games = 8
        scorer = "internal"
        move_limit = 70
        clock = "2s/move"
        """,
    )
    assert isinstance(first, Matchup)
    assert (first.alternating, first.number_of_games, first.move_limit) == (True, 8, 70)
    assert (first.scorer, first.clock) == ("internal", TimeControl.parse("2s/move"))
    assert (second.id, second.name) == ("rev", "the return")
    assert (second.alternating, second.number_of_games, second.move_limit) == (False, 3, 50)
    assert (second.scorer, second.clock) == ("players", TimeControl.parse("1m"))
    assert (
        dict(second.options) | {"board_size": 13, "handicap": 4, "handicap_style": "free"} == second.options
    )
    assert second.options["komi"] == 6.0
    assert isinstance(second.options["komi"], float)


def test_an_id_is_the_position_in_the_list(matchups):
    assert [matchup.id for matchup in matchups(MATCHUP * 2 + MATCHUP + "id = 'x'" + MATCHUP)] == [
        "0",
        "1",
        "x",
        "3",
    ]


def test_none_takes_back_what_the_top_level_says(matchups):
    first, second = matchups(
        MATCHUP + MATCHUP + "number_of_games = 'none'\nhandicap = 'none'",
        top="number_of_games = 8\nhandicap = 2",
    )
    assert (first.number_of_games, first.options["handicap"]) == (8, 2)
    assert (second.number_of_games, second.options["handicap"]) == (None, None)


def test_a_board_may_be_a_rectangle(matchups):
    assert matchups(MATCHUP + "board_size = [9, 13]")[0].options["board_size"] == [9, 13]


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ('"none"', TimeControl()),
        ('"10m + 3x30s"', TimeControl.parse("10m + 3x30s")),
        ('{ main = "10m", periods = 3, period = "30s" }', TimeControl.parse("10m + 3x30s")),
        ('{ main = 600, period = "5m", stones = 25 }', TimeControl.parse("10m + 5m/25")),
        ('{ main = "5m", increment = 3 }', TimeControl.parse("5m + 3s/move")),
        ('"40/90m + 30s, 30m + 30s"', TimeControl.parse("40/90m + 30s, 30m + 30s")),
        ('{ main = "10m", increment = "5s", bonus = "delay" }', TimeControl.parse("10m + 5s delay")),
        ('{ main = "3m", hourglass = true }', TimeControl.parse("3m hourglass")),
        (
            '{ control = "5m + 3s/move", margin = "100ms", meter = "cpu", move = "20s" }',
            TimeControl(
                main=300 * 10**9, increment=3 * 10**9, margin=10**8, meter=Meter.CPU, move=20 * 10**9
            ),
        ),
    ],
)
def test_a_clock_is_its_text_or_a_table(matchups, text, control):
    assert matchups(f"{MATCHUP}\nclock = {text}")[0].clock == control


# Players


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("'surely-no-such-program --x'", ("surely-no-such-program", "--x")),
        ("'sh -c \"a  b\"'", ("{sh}", "-c", "a  b")),
        ("['sh', '-c', 'a  b']", ("{sh}", "-c", "a  b")),
        ("'/opt/x y'", ("/opt/x", "y")),
        ("'./x'", ("{dir}/x",)),
        ("'../x/../y'", ("{up}/y",)),
        ("'bin/x # no comment'", ("{dir}/bin/x", "#", "no", "comment")),
        ("'~/x ~/y'", ("{home}/x", "~/y")),
        ("'~x'", ("~x",)),
    ],
)
def test_a_command_with_a_slash_is_a_path_and_another_is_looked_up(
    player, monkeypatch, tmp_path, command, words
):
    (tmp_path / "path").mkdir()
    shell = tmp_path / "path/sh"
    shell.write_text("")
    shell.chmod(0o755)
    monkeypatch.setenv("PATH", f"/nowhere:{tmp_path}/path")
    monkeypatch.setenv("HOME", "/home/someone")
    places = {"sh": shell, "dir": tmp_path, "up": tmp_path.parent, "home": "/home/someone"}
    assert player(f"command = {command}").command == tuple(word.format(**places) for word in words)


def test_a_command_is_looked_up_on_the_path_that_the_player_is_given(player, tmp_path):
    program = tmp_path / "only-here"
    program.write_text("")
    program.chmod(0o755)
    got = player(f"command = 'only-here'\nenviron = {{ PATH = '{tmp_path}' }}")
    assert got.command == (str(program),)


@pytest.mark.parametrize(
    ("cwd", "resolved"),
    [(".", "{dir}"), ("x/..", "{dir}"), ("/tmp/x", "/tmp/x"), ("~", "/h"), ("~/x", "/h/x")],
)
def test_a_working_directory_is_absolute(player, monkeypatch, tmp_path, cwd, resolved):
    monkeypatch.setenv("HOME", "/h")
    assert player(f"command = './x'\ncwd = '{cwd}'").cwd == resolved.format(dir=tmp_path)


def test_paths_do_not_depend_on_how_the_control_file_is_called(write, monkeypatch, tmp_path):
    write(HEAD + PLAYERS + "cwd = '.'\n" + MATCHUP, name="sub/event.toml")
    monkeypatch.chdir(tmp_path)
    player = load(Path("sub/event.toml")).players["b"]
    assert (player.command, player.cwd) == ((f"{tmp_path}/sub/b",), f"{tmp_path}/sub")


def test_a_player_has_all_its_settings(player):
    got = player(
        """
        command = "./x"
        environ = { A = "1", B = "" }
        clock = "5s"
        budgets = { startup = "2m", move = 5, line = 80 }
        protocol = "gtp"
        startup_gtp_commands = ["a b", "c"]
        gtp_aliases = { name = "my-name" }
        is_reliable_scorer = false
        """
    )
    assert (dict(got.environ), got.clock) == ({"A": "1", "B": ""}, TimeControl.parse("5s"))
    assert got.budgets == Budgets(startup=120 * 10**9, move=5 * 10**9, line=80)
    assert got.options["gtp_aliases"] == {"name": "my-name"}
    assert (got.options["is_reliable_scorer"], got.options["allow_claim"]) == (False, False)


@pytest.mark.parametrize(
    ("lines", "top", "stderr"),
    [
        ("", "", "log"),
        ("", "stderr_to_log = false", "inherit"),
        ("stderr = 'log'", "stderr_to_log = false", "log"),
        ("stderr = 'inherit'", "", "inherit"),
        ("stderr = 'discard'", "", "discard"),
        ("discard_stderr = true", "stderr_to_log = false", "discard"),
        ("discard_stderr = false", "", "log"),
    ],
)
def test_stderr_goes_where_the_player_or_the_competition_says(setup, lines, top, stderr):
    got = setup(HEAD, top, PLAYERS.replace('"./b"', f'"./b"\n{lines}'), MATCHUP)
    assert got.players["b"].stderr == stderr


def test_environ_sets_passes_on_and_takes_away(player):
    got = player("command = './x'\nenviron = { A = '1', SSH_AUTH_SOCK = true, PATH = false }")
    assert (dict(got.environ), got.inherits, got.lacks) == ({"A": "1"}, ("SSH_AUTH_SOCK",), ("PATH",))


@pytest.mark.parametrize(
    ("lines", "is_told"),
    [
        ("command = 'ssh host engine'", True),
        ("command = 'ssh host engine'\nenviron = { SSH_AUTH_SOCK = true }", False),
        ("command = 'ssh host engine'\nenviron = { SSH_AUTH_SOCK = false }", False),
        ("command = './engine'", False),
    ],
)
def test_who_runs_an_engine_by_ssh_is_told_how_it_finds_the_agent(write, monkeypatch, lines, is_told):
    monkeypatch.setenv("SSH_AUTH_SOCK", "/tmp/agent")
    text = f"competition = 'playoff'\nboard_size = 9\nkomi = 7\n[players.a]\n{lines}\n"
    setup = load(write(f"{text}[players.b]\ncommand = './b'\n[[matchups]]\nplayers = ['a', 'b']\n"))
    assert any("SSH_AUTH_SOCK = true" in warning for warning in setup.warnings) is is_told


def test_the_protocol_of_a_player_may_be_any_that_there_is(player):
    got = player("command = './x'\nprotocol = 'mute'\ngestures = ['nod']")
    assert (got.protocol, dict(got.options)) == ("mute", {"gestures": ["nod"]})


# Games and formats that the config layer does not know


def test_another_game_brings_its_own_settings(setup):
    text = 'competition = "playoff"\ngame = "pebbles"\npebbles = 5\n'
    got = setup(text, PLAYERS, MATCHUP, 'colour = "blue"\nweights = [1, 2.5]\nprize = 3')
    (matchup,) = got.settings.matchups
    assert (got.game, matchup.game) == ("pebbles", "pebbles")
    assert matchup.options == {"pebbles": 5, "colour": "blue", "weights": [1.0, 2.5], "prize": 3.0}


def test_another_format_brings_its_own_settings(setup):
    top = """
    competition = "circle"
    competitors = ["a", "b"]
    rounds = 2
    board_size = 9
    komi = 0
    move_limit = 5
    """
    got = setup(top, PLAYERS)
    assert (got.kind, got.settings.competitors, got.settings.rounds) == ("circle", ("a", "b"), 2)
    assert (got.settings.options["board_size"], got.settings.move_limit) == (9, 5)


# Files


@pytest.mark.parametrize("suffix", ["log", "hist", "report", "status", "cmd", "db", "games", "lock"])
def test_a_control_file_cannot_have_the_suffix_of_an_output(write, suffix):
    with pytest.raises(ConfigError, match=f"cannot end in .{suffix}"):
        load(write(HEAD, name=f"event.{suffix}"))


def test_a_file_that_is_not_there_is_named():
    with pytest.raises(ConfigError, match=r"^nowhere/x\.toml: there is no such control file$"):
        load("nowhere/x.toml")


def test_a_folder_is_no_control_file(tmp_path):
    with pytest.raises(ConfigError, match="this is a folder: name the control file in it"):
        load(tmp_path)


def test_what_is_no_utf_8_is_told_with_its_line(complaints):
    assert complaints(b"a = 1\nb = '\xe4'\n") == [
        "event.toml:2: this is not UTF-8 text (byte 0xe4): save the file as UTF-8"
    ]


def test_the_examples_are_good(monkeypatch):
    folder = Path(__file__).parents[2] / "examples"
    monkeypatch.chdir(os.sep)
    names = ("playoff.toml", "tune-auto.toml", "gomill-playoff.ctl", "gomill-simple.ctl")
    for name in (*names, "gomill-mc-tuner.ctl", "gomill-ce-tuner.ctl"):
        assert load(folder / name).warnings == ()


@pytest.mark.parametrize(
    ("text", "scorer"),
    [
        ("", "internal"),
        ('ruleset = "none"', "players"),
        ('ruleset = "none"\nscorer = "internal"', "internal"),
        ('ruleset = "japanese"', "internal"),
        ('ruleset = "chinese"\nscorer = "players"', "players"),
    ],
)
def test_the_rules_count_where_there_is_a_ruleset_unless_the_file_says_otherwise(matchups, text, scorer):
    (at_top,) = matchups(MATCHUP, text)
    (in_table,) = matchups(f"{MATCHUP}\n{text}")
    assert at_top.scorer == in_table.scorer == scorer


ADJUDICATED = """
take_backs = "ask"
draw_offers = true

[adjudication]
length = 400
win = { chance = 0.95, moves = 4, after = 30 }
"""


def test_what_may_end_a_game_and_what_seats_may_request_stand_at_the_top_or_in_a_matchup(matchups):
    first, second, third = matchups(
        """
        [[matchups]]
        players = ["a", "b"]
        [[matchups]]
        players = ["a", "b"]
        take_backs = "always"
        draw_offers = false
        hints = true
        adjudication = { draw = { score = 1 } }
        [[matchups]]
        players = ["a", "b"]
        adjudication = "none"
        """,
        top=ADJUDICATED,
    )
    win = Threshold(chance=0.95, moves=4, after=30)
    assert first.adjudication == Adjudication(win=win, length=400)
    assert (first.take_backs, first.draw_offers, first.hints) == ("ask", True, False)
    assert second.adjudication == Adjudication(draw=Threshold(score=1.0))
    assert (second.take_backs, second.draw_offers, second.hints) == ("always", False, True)
    assert third.adjudication == Adjudication()
