"""What is hidden in a game follows from a secret of its competition, and engines cannot compute it."""

import re
import sys
from pathlib import Path

import pytest
from seeking_agent import digest

from gyoji.games.dighere.game_options import Options
from gyoji.store.store import Store

AGENT = Path(__file__).with_name("seeking_agent.py")
CONTROL = """\
competition = "playoff"
game = "dighere"
clock = "60s"
steps = 2
skip_player_checks = true
{seed}

[players]
a = {{ command = "{python} {agent}" }}
b = {{ command = "{python} {agent}" }}

[[matchups]]
players = ["a", "b"]
number_of_games = 2
"""


def play(gyoji, name, seed=""):
    """Return the fields of the games of a competition, and how often agents knew each of them."""
    path = gyoji.folder / f"{name}.toml"
    path.write_text(CONTROL.format(seed=seed, python=sys.executable, agent=AGENT))
    status, _, err = gyoji("run", "-q", path, timeout=300)
    assert (status, err) == (0, "")
    with Store.read(path.with_suffix(".db")) as store:
        seeds = [store.record(result.id)[0].seed for result in store.results()]
    assert len(seeds) == 2
    fields = [Options().field(seed) for seed in seeds]
    known = re.findall(r"knows ([0-9a-f]+)", path.with_suffix(".log").read_text())
    return fields, [known.count(digest(field)) for field in fields]


@pytest.mark.process
@pytest.mark.slow
def test_no_agent_computes_the_hidden_treasure_unless_the_control_file_gives_a_seed_that_can_be_guessed(
    gyoji,
):
    fields, known = play(gyoji, "cup")
    others, known_of_others = play(gyoji, "other")
    assert known == known_of_others == [0, 0]
    assert not set(fields) & set(others)
    guessed, known = play(gyoji, "guessed", "seed = 3")
    again, _ = play(gyoji, "again", "seed = 3")
    assert again == guessed
    assert known == [4, 4]
