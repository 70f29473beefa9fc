"""Engines tried in a position that shows whether they play by all of the rules, with real processes."""

import sys
from pathlib import Path

import pytest

from gyoji.core.spec import Budgets, GameSpec, Player
from gyoji.play.startup_check import try_rules

pytestmark = [pytest.mark.process, pytest.mark.timeout(60)]

ENGINE = Path(__file__).with_name("small_engine.py")
KNOWS = "answer = 'true' if line.split()[1] in ('kata-set-rules', 'kgs-genmove_cleanup') else 'false'"
UNTOLD = "answer = 'true' if line.split()[1] == 'kgs-rules' else 'false'"
LATE = "keep.append(1); answer = 'pass' if len(keep) < 2 else 'B1'"
OTHERWISE = "answer = 'resign'"
ODD = "answer = 'A1'"
GONE = "sys.exit(3)"


def tried(known, genmove, **changes):
    """What comes of an engine that knows these commands and does this when asked for a clean-up move."""
    words = ("--on", "known_command", known, "--on", "kgs-genmove_cleanup", genmove)
    command = (sys.executable, str(ENGINE), *words)
    player = Player(code="p", command=command, budgets=Budgets(startup=20 * 10**9))
    options = {"board_size": 13, "komi": 0.5, "ruleset": "japanese"}
    spec = GameSpec(id="0", pairing="0", game="go", players=(player, player), options=options | changes)
    return try_rules(spec)


PASSES = "answer = 'pass'"


def test_an_engine_that_passes_to_the_end_of_the_clean_up_fails():
    found = tried(KNOWS, PASSES)
    assert found is not None
    assert found.failure.startswith("does not play the clean-up phases")
    assert "preventCleanupPhase = false" in found.remedy


@pytest.mark.parametrize(
    ("known", "genmove"),
    [(KNOWS, LATE), (UNTOLD, PASSES), (KNOWS, OTHERWISE), (KNOWS, ODD), (KNOWS, GONE)],
    ids=["takes it in the second phase", "was not told the rules", "resigns", "plays illegally", "exits"],
)
def test_only_what_it_was_seen_to_do_is_held_against_an_engine(known, genmove):
    assert tried(known, genmove) is None


def test_nothing_is_started_for_rules_without_clean_up():
    assert tried(KNOWS, PASSES, ruleset="chinese") is None
