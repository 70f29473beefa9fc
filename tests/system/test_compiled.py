"""The compiled build: the same modules as extensions, which play the same games and pass the same tests."""

import runpy
import sys
from functools import partial

import pytest
from bench.compiled import REPOSITORY, make_compiled

import commands

COMPILED = runpy.run_path(str(REPOSITORY / "hatch_build.py"))["COMPILED"]
PLAY = """
import sys
from importlib import import_module
from gyoji import api
for module in sys.argv[1:]:
    print(import_module(module).__file__.rpartition(".")[2])
kozo, narabe = (
    [
        api.Player(code=n, command=(sys.executable, "-P", "-m", bot, "--random", "--seed", n), protocol=name)
        for n in "12"
    ]
    for bot, name in (("gyoji.engines.kozo", "gtp"), ("gyoji.engines.narabe", "gomocup"))
)
dogs = [lambda view, n=n: n for n in (-1, 101, 5, 7)]
for game, players, options in (
    ("go", kozo, {"board_size": 9, "komi": 7.5}),
    ("gomoku", narabe, {}),
    ("dighere", dogs, {"seed": 3, "steps": 9}),
):
    record = api.play(game, players, clock="5m", **options)
    print(record.result.outcome, *[(each.seat, each.move) for turn in record.turns for each in turn])
"""

pytestmark = [pytest.mark.process, pytest.mark.slow, pytest.mark.nightly]


run = partial(commands.run, cwd=REPOSITORY, timeout=500)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A folder with gyoji in it, compiled without optimising: that takes the least time."""
    return str(make_compiled(tmp_path_factory.mktemp("compiled"), level=0))


def test_compiled_modules_play_the_same_games(site):
    names = [f"gyoji.{module.replace('/', '.')}" for module in COMPILED]
    plain = run(sys.executable, "-P", "-c", PLAY, *names).splitlines()
    compiled = run(sys.executable, "-P", "-c", PLAY, *names, PYTHONPATH=site).splitlines()
    assert (plain[:-3], compiled[:-3]) == (["py"] * len(names), ["so"] * len(names))
    assert compiled[-3:] == plain[-3:]


@pytest.mark.parametrize(
    ("game", "bot", "settings"),
    [
        ("go", "kozo", "board_size=9"),
        ("gomoku", "narabe", "board_size=15"),
        ("dighere", "horidashi", "steps=20"),
        ("chess", "koma --depth 1", "openings=none"),
    ],
)
def test_a_run_plays_with_compiled_workers(site, tmp_path, game, bot, settings):
    engine = f"{sys.executable} -P -m gyoji.engines.{bot}"
    words = ["match", engine, engine, "--name", "one", "--name", "two", "--game", game, "--games", "2"]
    words += ["--set", settings]
    said = run(sys.executable, "-P", "-m", "gyoji", *words, PYTHONPATH=site)
    assert "2/2 games" in said


def test_the_referee_s_tests_hold_for_compiled_modules(site):
    fast = ("-p", "no:xdist", "-p", "no:cacheprovider", "-m", "not process")
    run(sys.executable, "-m", "pytest", *fast, "tests/referee", "tests/games/chess", PYTHONPATH=site)
