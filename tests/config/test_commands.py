"""A path in a command starts from the control file's folder, for the program and for its arguments."""

import os

import pytest

from gyoji.cli import checking
from gyoji.cli.matching import match_setup
from gyoji.config.competition import load

TOML = """competition = "playoff"
board_size = 9
komi = 7
[players.p]
command = {command!r}
{lines}
[[matchups]]
players = ["p", "p"]
"""
CTL = """competition_type = "playoff"
board_size = 9
komi = 7
players = {{"p": Player({command!r}, {lines})}}
matchups = [Matchup("p", "p")]
"""
FILES = ("bot.py", "deep/engine.cfg", "gtp", "elsewhere/own.cfg")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with files in it, for a control file; the caller is somewhere else."""
    for name in FILES:
        (tmp_path / "cup" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "cup" / name).touch()
    (tmp_path / "caller").mkdir()
    monkeypatch.chdir(tmp_path / "caller")
    return tmp_path / "cup"


@pytest.fixture
def player(folder):
    def player(command, lines="", name="event.toml"):
        text = TOML if name.endswith(".toml") else CTL
        (folder / name).write_text(text.format(command=command, lines=lines))
        return load(folder / name).players["p"]

    return player


BRAIN = "protocol = 'brain'"


@pytest.mark.parametrize(
    ("lines", "command", "arguments"),
    [
        # it runs in that folder, and finds what is there
        ("", "/x bot.py -c deep/engine.cfg", "bot.py -c deep/engine.cfg"),
        # it runs elsewhere
        (BRAIN, "/x bot.py", "{here}/bot.py"),
        (BRAIN, "/x ./bot.py ../cup/deep/engine.cfg", "{here}/bot.py {here}/deep/engine.cfg"),
        (BRAIN, "/x --config=deep/engine.cfg -c=bot.py", "--config={here}/deep/engine.cfg -c={here}/bot.py"),
        ("cwd = 'elsewhere'", "/x bot.py own.cfg", "{here}/bot.py own.cfg"),
        ("cwd = 'private'", "/x bot.py", "{here}/bot.py"),
        # what names no file, or looks like no path, is nobody's business
        (BRAIN, "/x gtp --gtp=gtp 2.5 deep other.py a=bot.py", "gtp --gtp=gtp 2.5 deep other.py a=bot.py"),
        (BRAIN, "/x /etc/passwd", "/etc/passwd"),
    ],
)
def test_a_word_that_names_a_file_in_the_folder_is_that_file(player, folder, lines, command, arguments):
    assert player(command, lines).command == ("/x", *arguments.format(here=folder).split())


def test_a_path_starts_from_a_home_where_it_begins_with_a_tilde(player, folder, monkeypatch):
    monkeypatch.setenv("HOME", str(folder / "deep"))
    assert player("~/x ~/engine.cfg", BRAIN).command == (f"{folder}/deep/x", f"{folder}/deep/engine.cfg")


def test_a_player_runs_in_the_folder_of_its_control_file_wherever_gyoji_is_called(player, folder):
    assert player("/x").cwd == str(folder)
    assert player("/x", "cwd = 'deep'").cwd == f"{folder}/deep"


def test_the_partner_s_command_is_read_like_the_player_s(player, folder):
    assert player("/x", f"{BRAIN}\npartner = './dog bot.py'").partner == (f"{folder}/dog", f"{folder}/bot.py")


def test_in_a_gomill_file_arguments_are_left_alone_and_players_run_where_gyoji_does(player):
    got = player("/x bot.py", name="event.ctl")
    assert (got.command, got.cwd) == (("/x", "bot.py"), None)
    got = player("/x bot.py", "cwd='elsewhere'", name="event.ctl")
    assert got.command == ("/x", "bot.py")


def test_in_a_gomill_file_a_player_in_a_private_folder_finds_its_script(player, folder):
    assert player("/x bot.py", "protocol='brain'", name="event.ctl").command == ("/x", f"{folder}/bot.py")


def test_the_commands_of_a_match_start_from_where_the_user_is(folder, monkeypatch, tmp_path):
    monkeypatch.chdir(folder)
    settings = {"game": "stones", "games": 2}
    setup = match_setup(("/x bot.py", "./y"), settings, keeps=False, folder=tmp_path)
    first, second = setup.players.values()
    assert (first.command, second.command) == (("/x", f"{folder}/bot.py"), (f"{folder}/y",))
    setup = match_setup(("/x bot.py", "./y"), {"game": "go", "games": 2}, keeps=False, folder=tmp_path)
    assert {player.cwd for player in setup.players.values()} == {str(folder)}


def test_so_does_the_command_of_a_check(folder, monkeypatch):
    monkeypatch.chdir(folder)
    assert checking._player("/x bot.py", "brain").command == ("/x", f"{folder}/bot.py")
    got = checking._player("/x bot.py", "gtp")
    assert (got.command, got.cwd) == (("/x", "bot.py"), str(folder))


def test_a_bare_name_is_looked_for_where_debian_has_games_too(player, folder, monkeypatch):
    (folder / "usr-games").mkdir()
    program = folder / "usr-games" / "wonderful-go"
    program.touch(mode=0o755)
    monkeypatch.setattr("gyoji.config.programs.DEBIAN_GAMES", str(program.parent))
    assert "usr-games" not in os.environ["PATH"]
    assert player("wonderful-go --gtp").command == (str(program), "--gtp")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("""on_end = "sh -c 'date >> log; ls | wc && echo $(id) `id`'" """, 3),
        ("""on_end = ["sh", "-c", "date >> log; ls | wc"]""", 3),
        ("""on_end = 'sh -c "date >> log; echo \\"$(id)\\" | wc"'""", 3),
        ("""on_end = "curl http://example.org/?a=1&b=2" """, 2),
        (r"""on_end = 'grep \| \> "a;b" '""", 4),
        ("""on_end = ["mail", "-s", "<over>", "me"]""", 4),
    ],
)
def test_what_is_quoted_in_a_command_of_the_organiser_is_an_argument(folder, line, words):
    (folder / "event.toml").write_text(line + "\n" + TOML.format(command="/x", lines=""))
    assert len(load(folder / "event.toml").on_end) == words
