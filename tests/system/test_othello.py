"""Othello, a distribution of its own, in an environment into which pip has put it and gyoji alone."""

import json
import os
import re
import sys
import sysconfig
from pathlib import Path

import pytest

from commands import run

REPOSITORY = Path(__file__).parents[2]
OTHELLO = REPOSITORY / "examples/plugins/othello"

pytestmark = [pytest.mark.process, pytest.mark.slow]


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    """The folder of the programs of a fresh environment with the wheels of gyoji and of the plug-in.

    Nothing is fetched: what gyoji depends on is taken from where the tests run.
    """
    folder = tmp_path_factory.mktemp("fresh")
    wheels, environment = folder / "wheels", folder / "environment"
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check")
    offline = ("--no-index", "--no-deps", "--quiet")
    run(*pip, "wheel", *offline, "--no-build-isolation", "-w", wheels, REPOSITORY, OTHELLO)
    run(sys.executable, "-m", "venv", "--without-pip", environment)
    python = environment / "bin/python"
    run(*pip, "--python", python, "install", *offline, "--no-compile", *sorted(wheels.iterdir()))
    site = Path(sysconfig.get_path("purelib", vars={"base": str(environment)}))
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    return environment / "bin"


@pytest.fixture(scope="module")
def gyoji(programs, tmp_path_factory):
    """Runs that environment's `gyoji` in a folder with the plug-in's control file."""
    folder = tmp_path_factory.mktemp("event")
    (folder / "othello.toml").write_text((OTHELLO / "othello.toml").read_text())

    def gyoji(*words, status=0):
        path = f"{programs}{os.pathsep}/usr/games{os.pathsep}{os.environ['PATH']}"
        return run(programs / "gyoji", *words, cwd=folder, status=status, PATH=path, PYTHONPATH="")

    gyoji.folder = folder
    return gyoji


@pytest.fixture(scope="module")
def played(gyoji):
    """The same, once its competition has been played by two workers."""
    said = gyoji("run", "othello.toml", "--parallel", "2")
    assert len(re.findall(r"^game 0_\d: ", said, re.MULTILINE)) == 4, said
    return gyoji


def test_the_game_is_known_where_it_is_installed_and_nowhere_else(gyoji):
    said = gyoji("match", "--game", "hex", "--", "a", "b", status=2)
    assert "there are: chess, dighere, go, gomoku, othello" in said
    here = run(sys.executable, "-m", "gyoji", "match", "--game", "othello", "--", "a", "b", status=2)
    assert "no game 'othello'" in here


def test_both_engines_pass_the_checks_of_their_protocol(gyoji):
    said = gyoji("check", "othello.toml")
    assert "player tiny: ok: Tiny Othello:1.0" in said
    assert "player rhino: ok: GTP GRhino:0.16.1" in said
    assert len(re.findall(r"set_game Othello +ok", said)) == 2, said
    assert len(re.findall(r"genmove w +ok", said)) == 2, said


def test_every_game_is_played_to_its_end_by_the_rules(played):
    standing = json.loads(played("show", "othello.toml", "--json"))
    (pair,) = standing["matchups"]
    assert pair["played"] == 4
    assert standing["endings"][pair["id"]] == {"score": 4}, pair


def test_stored_games_and_their_files_are_judged_again_alike(played):
    assert "4 games" in (said := played("verify", "othello.toml"))
    assert "4 record files" in said
    assert "no differences" in said
    said = played("replay", "othello.games")
    assert said.endswith("4 games: none illegal, none with another result; no files not read\n")


def test_the_page_of_the_report_has_the_boards(played):
    played("report", "othello.toml", "--format", "html")
    page = (played.folder / "othello.html").read_text()
    assert "There are no pictures" not in page
    assert '"tally":"discs"' in page.replace(" ", "")
