import re
import subprocess
import sys
from collections import Counter
from importlib.metadata import distribution
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from distributions import lay_out, look_again
from gyoji.cli.app import app
from gyoji.cli.exits import Application
from gyoji.core.faults import Breakdown, ConfigError
from gyoji.scheduler.status import ExitStatus


def broken_by(error):
    """Return an application whose only command raises `error`."""

    @click.group(cls=Application)
    def group():
        pass

    @group.command()
    def work():
        raise error

    return group


@pytest.mark.parametrize(
    ("error", "status", "message"),
    [
        (ConfigError("a.toml: no 'players'"), ExitStatus.USAGE, "gyoji: a.toml: no 'players'\n"),
        (Breakdown("the store is damaged"), ExitStatus.HALTED, "gyoji: the store is damaged\n"),
        (PermissionError(13, "Permission denied", "/x/a.log"), 1, "gyoji: /x/a.log: Permission denied\n"),
        (OSError(28, "No space left on device"), ExitStatus.HALTED, "gyoji: No space left on device\n"),
        (KeyboardInterrupt(), ExitStatus.STOPPED, "gyoji: interrupted\n"),
        (BrokenPipeError(), ExitStatus.COMPLETE, ""),
        (click.UsageError("no such thing"), ExitStatus.USAGE, "gyoji: no such thing\n"),
    ],
)
def test_every_error_is_one_line_and_a_status(error, status, message):
    result = CliRunner().invoke(broken_by(error), ["work"])
    assert (result.exit_code, result.stderr, result.stdout) == (status, message, "")


def test_a_bug_shows_where_it_is_and_asks_to_be_reported():
    result = CliRunner().invoke(broken_by(ZeroDivisionError("division by zero")), ["work"])
    lines = result.stderr.splitlines()
    assert result.exit_code == ExitStatus.INTERNAL
    assert any("test_cli_app.py" in line for line in lines)
    assert lines[-2:] == [
        "  ZeroDivisionError: division by zero",
        "gyoji: this is a bug in gyoji: please report it with the lines above",
    ]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["rnu", "x.toml"], "No such command 'rnu'. Did you mean 'run'?"),
        (["run"], "Missing argument 'FILE'."),
        (["run", "-j", "0", "x.toml"], "'-j' / '--parallel': 0 is not in the range 1<=x<=1023."),
        (["run", "-j", "1024", "x.toml"], "'-j' / '--parallel': 1024 is not in the range"),
        (["run", "-g", "0", "x.toml"], "'-g' / '--max-games': 0 is not in the range x>=1."),
        (["run", "-g", "-3", "x.toml"], "'-g' / '--max-games': -3 is not in the range x>=1."),
        (["run", "--paralel", "2", "x.toml"], "--parallel"),
        (["match"], "Missing argument"),
        (
            ["match", "-engine", "cmd=a"],
            "No such option '-engine'. Here it is a COMMAND in quotes with its own",
        ),
        (
            ["match", "a", "b", "-each", "tc=8"],
            "No such option '-each'. Here it is any option without --for.",
        ),
        (["match", "a", "b", "-rounds", "9"], "No such option '-rounds'. Here it is --games."),
        (["match", "a", "b", "--tc=8+0.08"], "No such option '--tc'. Here it is --clock."),
        (["match", "a", "b", "-openings", "x"], "No such option '-openings'. Here it is --openings."),
        (["show", "-rounds", "x.toml"], "No such option '-r'. See gyoji show --help."),
        (["match", "one"], "a match is between two players or more: give a COMMAND for each"),
    ],
)
def test_a_wrong_command_line_is_one_line_and_status_2(words, message):
    result = CliRunner().invoke(app, words)
    assert result.exit_code == ExitStatus.USAGE
    assert message in result.stderr
    assert result.stderr.startswith("gyoji: ")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("words", [["--help"], ["-h"], ["--version"], ["run", "--help"], ["match", "-h"]])
def test_asking_for_help_is_no_error(words):
    result = CliRunner().invoke(app, words)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout


def test_no_command_at_all_shows_what_there_is():
    result = CliRunner().invoke(app, [])
    assert result.exit_code == 2
    assert result.stderr.startswith("Usage: gyoji")
    assert "\n  match " in result.stderr


def test_the_commands_are_listed_in_the_order_of_use():
    listed = CliRunner().invoke(app, ["--help"]).stdout
    names = ("run", "show", "report", "check", "reset", "stop", "match")
    at = [listed.index(f"\n  {name} ") for name in names]
    assert at == sorted(at)


def test_no_summary_of_a_command_is_cut_off():
    for words in ([], ["field"]):
        listed = CliRunner().invoke(app, [*words, "--help"]).stdout.partition("Commands:")[2]
        assert "..." not in listed


def test_commands_that_are_plugged_in_are_listed_after_the_others_and_each_of_ours_with_a_line():
    listed = CliRunner().invoke(app, ["--help"]).stdout
    assert listed.index("\n  judge ") < listed.index("\n  serve ") < listed.index("\n  field ")
    ours = {each.name for each in distribution("gyoji").entry_points.select(group="gyoji.commands")}
    lines = {words[0]: words[1:] for line in listed.splitlines() if (words := line.split())}
    assert all(len(lines[name]) > 4 and "See" not in lines[name] for name in ours)
    assert "field check [OPTIONS]" in CliRunner().invoke(app, ["field", "check", "--help"]).stdout


def test_a_command_of_a_distribution_is_listed_and_imported_when_it_is_given(tmp_path, monkeypatch):
    source = "import click\n\n@click.command()\ndef shuffle():\n    click.echo('shuffled')\n"
    entries = [("gyoji.commands", "shuffle", "shuffling:shuffle"), ("gyoji.commands", "cut", "nowhere:cut")]
    monkeypatch.syspath_prepend(lay_out(tmp_path, {"shuffling": source}, entries))
    look_again(monkeypatch)
    assert "\n  cut " in CliRunner().invoke(app, ["--help"]).stdout
    assert CliRunner().invoke(app, ["shuffle"]).stdout == "shuffled\n"
    broken = CliRunner().invoke(app, ["cut"])
    assert broken.exit_code == ExitStatus.USAGE
    assert broken.stderr == (
        "gyoji: command 'cut', nowhere:cut of plug-ins-of-tests 1.0: cannot be imported: "
        "ModuleNotFoundError: No module named 'nowhere'; mend or uninstall it\n"
    )


HEAVY = {
    "rich",
    "numpy",
    "jinja2",
    "sqlite3",
    "gyoji.config",
    "gyoji.scheduler.run",
    "gyoji.play",
    "gyoji.games",
    "gyoji.core.plugins",
}
PLAYS = {
    "rich",
    "numpy",
    "jinja2",
    "gyoji.executors.contained.engines",
    "gyoji.results.matches",
    "gyoji.protocols.gtp.codec",
    "gyoji.referee",
    "gyoji.scheduler.issued_games",
    "gyoji.tuning",
}
TWO = """competition = "playoff"
board_size = 9
komi = 7
players = { a = { command = "a" }, b = { command = "b" } }
matchups = [{ players = ["a", "b"] }]
"""
SHOW = "from click.testing import CliRunner; from gyoji.cli.app import app; CliRunner().invoke(app, {!r})"


@pytest.mark.parametrize(
    ("script", "heavy"),
    [
        (SHOW.format(["--help"]), HEAVY),
        (SHOW.format(["show", "two.toml"]), PLAYS),
        ("import gyoji.web.app", {"rich", "numpy"}),
        ("import gyoji", HEAVY | PLAYS | {"click", "msgspec"}),
    ],
)
def test_what_starts_quickly_loads_nothing_heavy(script, heavy, tmp_path):
    (tmp_path / "two.toml").write_text(TWO)
    told = f"import sys; {script}; print(sorted({heavy!r} & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", told], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert done.stdout.strip() == "[]"


# docs/reference/command-line.md has every command once, and every option of the commands that it describes

DOCUMENT = (Path(__file__).parents[2] / "docs" / "reference" / "command-line.md").read_text(encoding="utf-8")
(TABLE,) = re.findall(r"\| command \| what it does \|\n(.*?)\n\n", DOCUMENT, re.S)
CONTEXT = click.Context(app)
COMMANDS = {name: app.get_command(CONTEXT, name) for name in app.list_commands(CONTEXT)}
SECTIONS = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", DOCUMENT, re.M | re.S))


def test_the_table_has_each_command_once_and_no_other():
    listed = Counter(re.findall(r"^\| `(\w+)` \|", TABLE, re.M))
    assert listed == Counter(COMMANDS.keys())


@pytest.mark.parametrize("name", [name for name in COMMANDS if name in SECTIONS])
def test_a_section_has_every_option_of_its_command(name):
    options = [param for param in COMMANDS[name].params if isinstance(param, click.Option)]
    assert [
        option.opts for option in options if not any(word in SECTIONS[name] for word in option.opts)
    ] == []


def test_what_has_no_section_has_a_page_of_its_own():
    rows = {name: row for row in TABLE.splitlines() for name in re.findall(r"^\| `(\w+)`", row)}
    for name in COMMANDS.keys() - SECTIONS.keys():
        assert ".md" in rows[name], name
