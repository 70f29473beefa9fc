"""Man pages and completions, as a wheel gets them: of every command, with every option."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import click
import pytest

from gyoji.cli.app import app
from gyoji.cli.manual import COMPLETIONS, completions, pages

REPOSITORY = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The folder with the files that the build makes, by what it calls."""
    folder = tmp_path_factory.mktemp("made")
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]
    commands = project["entry-points"]["gyoji.commands"]
    script = f"from pathlib import Path; from gyoji.cli.manual import write; write(Path('.'), {commands!r})"
    subprocess.run([sys.executable, "-c", script], cwd=folder, check=True, timeout=60)
    return folder


def test_every_command_has_a_page_those_of_games_too(made):
    context = click.Context(app)
    names = {f"gyoji-{name}.1" for name in app.list_commands(context)} | {"gyoji.1"}
    there_are = {path.name for path in (made / "share/man/man1").iterdir()}
    assert names <= there_are
    assert {name for name in there_are - names if not name.startswith("gyoji-field-")} == set()


def test_every_option_is_on_its_page():
    for name, command in app.commands.items():
        text = pages(command, f"gyoji {name}")[f"gyoji-{name}"].replace("\\-", "-")
        for option in (each for each in command.params if isinstance(each, click.Option)):
            assert all(word in text for word in option.opts), (name, option.opts)


def test_no_line_of_text_is_a_request_to_troff(made):
    known = re.compile(r"\.(TH|SH|PP|TP|B|BR|RS|RE|nf|fi)\b")
    for path in (made / "share/man/man1").iterdir():
        for line in path.read_text().splitlines():
            assert not line.startswith("'"), (path.name, line)
            assert not line.startswith(".") or known.match(line), (path.name, line)


def test_the_scripts_are_those_that_click_has_for_each_shell(made):
    for path, text in completions().items():
        assert (made / path).read_text() == text
        assert "_GYOJI_COMPLETE" in text
    assert (made / "share/zsh/site-functions/_gyoji").read_text().startswith("#compdef gyoji\n")
    assert len(COMPLETIONS) == 3


@pytest.mark.process
def test_bash_completes_commands_options_and_games(made):
    script = f"""
        source {made}/share/bash-completion/completions/gyoji
        COMP_WORDS=(gyoji ma) COMP_CWORD=1; _gyoji_completion gyoji
        COMP_WORDS=(gyoji run --para) COMP_CWORD=2; _gyoji_completion gyoji
        COMP_WORDS=(gyoji match --game go) COMP_CWORD=3; _gyoji_completion gyoji
        echo "${{COMPREPLY[@]}}"
    """
    path = str(Path(sys.executable).parent)
    done = subprocess.run(
        ["bash", "-c", script],
        env={"PATH": f"{path}:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["match", "--parallel", "go", "gomoku"]
