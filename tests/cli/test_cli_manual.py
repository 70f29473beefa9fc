"""Man pages and completions, as a wheel gets them: of every command, with every option."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import click
import pytest

from gyoji.cli.app import app

REPOSITORY = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The folder with the files that the build makes. A process makes them: `write` changes the commands."""
    pytest.importorskip("click_man", reason="click-man is not installed: pip install -e '.[dev]'")
    folder = tmp_path_factory.mktemp("made")
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]
    commands = project["entry-points"]["gyoji.commands"]
    script = f"from pathlib import Path; from gyoji.cli.manual import write; write(Path('.'), {commands!r})"
    subprocess.run([sys.executable, "-c", script], cwd=folder, check=True, timeout=60)
    return folder


def pages(made):
    return {path.name: path.read_text() for path in (made / "share/man/man1").iterdir()}


def test_every_command_has_a_page_with_every_option_plugins_too(made):
    written = pages(made)
    assert {f"gyoji-{name}.1" for name in app.list_commands(click.Context(app))} < written.keys()
    for name, command in app.commands.items():
        text = written[f"gyoji-{name}.1"].replace("\\-", "-").replace("\\fP", "").replace("\\fB", "")
        for option in (each for each in command.params if isinstance(each, click.Option)):
            assert all(word in text for word in option.opts), (name, option.opts)
    assert app.epilog.split(",")[0] in written["gyoji.1"]


def test_no_line_of_text_is_a_request_to_troff(made):
    known = re.compile(r"\.(TH|SH|PP|TP|B)\b")
    for name, text in pages(made).items():
        assert "\b" not in text, name
        for line in text.splitlines():
            assert not line.startswith("'"), (name, line)
            assert not line.startswith(".") or known.match(line), (name, line)


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
