"""Who refuses a legal move has lost, by default, in every way of starting a game.

The page of `gyoji serve` is in `tests/web/test_begun.py`. gomill's control files keep gomill's rule.
"""

import json
import os
import shlex
import stat
import sys
from pathlib import Path

import pytest
from test_play import Sitting

from distributions import lay_out
from refuser import refusing

pytestmark = [pytest.mark.process, pytest.mark.slow]

OTHELLO = Path(__file__).parents[2] / "examples/plugins/othello/src"


ENVIRON = {"PYTHONPATH": f"{OTHELLO}{os.pathsep}{Path(__file__).parents[2] / 'src'}"}
"""The variables of the honest engines: that of Othello is not installed."""

CLOCK = "3s"
"""A brain cannot refuse a move: what it says instead of its own is no answer, and its clock goes on."""


def module(name):
    return [sys.executable, "-m", name]


GAMES = {
    "go": ({"board_size": 5, "komi": 7.5}, module("gyoji.engines.kozo"), refusing(), "C3"),
    "gomoku": ({"board_size": 9}, module("gyoji.engines.narabe"), refusing("gomocup"), "e5"),
    "othello": (
        {},
        [sys.executable, str(OTHELLO / "gyoji_othello/engine.py")],
        refusing(move="f5"),
        "f5",
    ),
}
"""By game: settings without a word about its rules, an honest engine, one that refuses, and a first move."""


@pytest.fixture
def system(gyoji):
    """Runs gyoji where Othello is installed."""
    lay_out(gyoji.folder, entries=[("gyoji.games", "othello", "gyoji_othello:GAME")])
    path = [str(gyoji.folder), str(OTHELLO), os.environ.get("PYTHONPATH", "")]
    gyoji.environ["PYTHONPATH"] = os.pathsep.join(filter(None, path))
    return gyoji


def environ():
    """Return the same as a table of TOML."""
    return f'{{ PYTHONPATH = "{ENVIRON["PYTHONPATH"]}" }}'


def by_match(system, game):
    settings, honest, refuser, _ = GAMES[game]
    said = [each for key, value in settings.items() for each in ("--set", f"{key}={value}")]
    commands = [shlex.join(honest), shlex.join(refuser)]
    said += ["--clock", CLOCK]
    names = ["--name", "honest", "--name", "refuser", "--for", "1", f"environ={environ()}"]
    return system("match", "--game", game, "--games", "2", "-j", "2", *said, *names, *commands)


def control_file(system, game, name, more=""):
    settings, honest, refuser, _ = GAMES[game]
    lines = [
        *('competition = "playoff"', f'game = "{game}"', f'clock = "{CLOCK}"', more),
        *(f"{key} = {value}" for key, value in settings.items()),
        *("[players.honest]", f"command = {json.dumps(honest)}", f"environ = {environ()}"),
        *("[players.refuser]", f"command = {json.dumps(refuser)}"),
        *("[[matchups]]", 'players = ["honest", "refuser"]', "alternating = true", "number_of_games = 2"),
    ]
    path = system.folder / name
    path.write_text("\n".join(lines))
    return path


def by_run(system, game):
    return system("run", control_file(system, game, "event.toml"), "-j", "2")


_IN_PYTHON = """
import json, sys
from gyoji import api
game, settings, clock, environ, protocol, honest, refuser = json.loads(sys.argv[1])
one, two = (
    api.Player(code=code, command=tuple(command), protocol=protocol, environ=environ)
    for code, command in (("honest", honest), ("refuser", refuser))
)
for number, players in enumerate([(one, two), (two, one)]):
    print(f"game {number}:", api.play(game, players, clock=clock, **settings))
"""


def by_python(system, game):
    settings, honest, refuser, _ = GAMES[game]
    told = [game, settings, CLOCK, ENVIRON, "gomocup" if game == "gomoku" else "gtp", honest, refuser]
    words = [sys.executable, "-c", _IN_PYTHON, json.dumps(told)]
    system.command = lambda *_: words
    return system()


WAYS = {"gyoji match": by_match, "gyoji run": by_run, "gyoji.api.play": by_python}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("way", WAYS)
def test_the_engine_that_refuses_a_legal_move_has_lost(system, way, game):
    status, out, err = WAYS[way](system, game)
    assert status == 0, err
    games = [line for line in out.splitlines() if line.startswith("game ")]
    assert len(games) == 2, out + err
    for line in games:
        assert "honest beat refuser" in line, out
        assert "forfeit by refuser" in line, out


@pytest.mark.parametrize("game", GAMES)
def test_the_engine_that_refuses_a_move_of_a_person_has_lost(system, game):
    settings, _, refuser, move = GAMES[game]
    said = [each for key, value in settings.items() for each in ("--set", f"{key}={value}")]
    person = Sitting(system, shlex.join(refuser), "--game", game, "--clock", CLOCK, "--untimed", *said)
    person.type(move)
    assert person.end() == 0
    assert "me beat" in person.lines, person.lines
    assert "forfeit by refuser" in person.lines, person.lines


def test_the_program_of_the_demo_that_refuses_a_legal_move_has_lost(system):
    """A program of that name stands first on PATH: as `chance` it refuses, else it plays."""
    programs = system.folder / "programs"
    programs.mkdir()
    program = programs / "pbrain-narabe"
    program.write_text(
        f'#!/bin/sh\n[ "$1" = --random ] && exec {shlex.join(refusing("gomocup"))}\n'
        f'exec {shlex.join(module("gyoji.engines.narabe"))} "$@"\n'
    )
    program.chmod(stat.S_IRWXU | stat.S_IRGRP | stat.S_IXGRP | stat.S_IROTH | stat.S_IXOTH)
    system.environ["PATH"] = f"{programs}{os.pathsep}{os.environ['PATH']}"
    # The refuser says nothing more: with the demo's own clock of 20 s, one game after the other took 80 s.
    demo = Path(__file__).parents[2].joinpath("examples/demo.toml").read_text()
    assert 'clock = "20s"' in demo
    (system.folder / "demo.toml").write_text(demo.replace('clock = "20s"', 'clock = "2s"'))
    status, out, err = system("run", system.folder / "demo.toml", "-j", "4")
    assert status == 0, err
    games = [line for line in out.splitlines() if line.startswith("game ") and "chance" in line]
    assert len(games) == 8, out
    assert all("beat chance" in line and "forfeit by chance" in line for line in games), out


@pytest.mark.parametrize(("ruleset", "loser"), [('"chinese"', "refuser"), ('"none"', "honest")])
def test_without_a_ruleset_go_believes_the_engine_that_refuses(system, ruleset, loser):
    path = control_file(system, "go", "event.toml", f"ruleset = {ruleset}")
    status, out, err = system("run", path)
    assert (status, out.count(f"by {loser}")) == (0, 2), out + err


def test_a_control_file_of_gomill_keeps_the_rule_of_gomill(system):
    _, honest, refuser, _ = GAMES["go"]
    path = system.folder / "event.ctl"
    path.write_text(
        'competition_type = "playoff"\nboard_size = 5\nkomi = 7.5\nalternating = True\nnumber_of_games = 2\n'
        f'players = {{"honest": Player({honest!r}), "refuser": Player({refuser!r})}}\n'
        'matchups = [Matchup("honest", "refuser")]\n'
    )
    status, out, err = system("run", path)
    assert (status, out.count("game "), out.count("refuser beat honest")) == (0, 2, 2), out + err
    assert "cannot be told" not in err
