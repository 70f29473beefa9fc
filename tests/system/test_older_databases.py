"""A competition that an older gyoji began is gone on with by this one, as that would have done."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gyoji.api import open_event
from gyoji.core.faults import ConfigError
from gyoji.pairing.comparison import Comparison
from gyoji.scheduler.event import Event, count
from gyoji.store.store import Store

OLD = Path(__file__).parents[1] / "store" / "layout_2"
PLAYED = {"half": ["0_0", "large_0", "0_1"], "finished": ["0_0", "large_0", "0_1", "large_1", "0_2", "0_3"]}


@pytest.fixture(autouse=True)
def engines_on_the_path(monkeypatch):
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")


def lay_out(folder, name, ruleset='ruleset = "none"\n'):
    """The control file of the event, with that database beside it.

    ruleset: what its user adds, for the games have none: that was the default then.
    """
    shutil.copy(OLD / f"{name}.db", folder / "cup.db")
    path = folder / "cup.toml"
    path.write_text(ruleset + (OLD / "cup.toml").read_text())
    return path


def finished_then(folder):
    """What the older one made of it in the end."""
    return Store.read(Path(shutil.copy(OLD / "finished.db", folder / "then.db")), competition="cup")


@pytest.mark.parametrize("name", PLAYED)
def test_it_is_opened_and_reported(tmp_path, name):
    event = open_event(lay_out(tmp_path, name))
    assert [result.id for result in event.results()] == PLAYED[name]
    assert event.comparison.apart == ()
    assert [matchup["played"] for matchup in event.values()["matchups"]] == (
        [2, 1] if name == "half" else [4, 2]
    )
    told = "player one has changed: {} games by another command: /tmp/gyoji-old/bin/gyoji-kozo"
    assert told.format(len(PLAYED[name])) in event.report()


def test_games_of_the_old_default_are_counted_apart_until_the_file_says_that_they_have_no_ruleset(tmp_path):
    event = open_event(lay_out(tmp_path, "half", ruleset=""))
    told = (
        "counted apart: 3 games of one v two (one 3, two 0), ruleset none, not chinese; scorer players, not"
    )
    assert told in event.report()


def test_the_games_that_are_left_are_those_that_were_left_then(tmp_path):
    event = Event.open(lay_out(tmp_path, "half"))
    with Store.read(tmp_path / "cup.db") as store:
        count(store, Comparison(event.setup), event.competition)
    specs = []
    while spec := event.competition.next_game():
        specs.append(spec)
    with finished_then(tmp_path) as store:
        for spec in specs:
            then, _ = store.record(spec.id)
            names = [player.code for player in spec.players]
            assert names == [player.code for player in then.players]
            assert (spec.seed, spec.clock, spec.move_limit) == (then.seed, then.clock, then.move_limit)
            assert then.options.items() <= spec.options.items()
    assert sorted(spec.id for spec in specs) == sorted(PLAYED["finished"][3:])


@pytest.mark.process
@pytest.mark.timeout(120)
def test_a_run_goes_on_to_the_same_end(tmp_path):
    event = lay_out(tmp_path, "half")
    words = [sys.executable, "-m", "gyoji", "run", "--quiet", str(event)]
    assert subprocess.run(words, capture_output=True, check=False).returncode == 0
    with Store.read(tmp_path / "cup.db", competition="cup") as now, finished_then(tmp_path) as then:
        assert sorted(result.id for result in now.results()) == sorted(PLAYED["finished"])
        for game_id in PLAYED["finished"]:
            (spec, record), (old_spec, old_record) = now.record(game_id), then.record(game_id)
            moves = [[move.move for move in turn] for turn in record.turns]
            assert moves == [[move.move for move in turn] for turn in old_record.turns]
            assert spec.seed == old_spec.seed
            assert record.result.outcome == old_record.result.outcome


def test_a_database_of_an_older_gyoji_that_is_no_other_competition_s(tmp_path):
    lay_out(tmp_path, "half")
    with pytest.raises(ConfigError, match="holds the results of competition 'cup'"):
        Store.read(tmp_path / "cup.db", competition="other")
