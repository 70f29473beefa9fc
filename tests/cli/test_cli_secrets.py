"""The seed of a competition: drawn by its first run and the same ever after, unless its file gives one."""

import json

import pytest
from command_line import gyoji

from gyoji.api import open_event as api_event
from gyoji.config.competition import load
from gyoji.core.faults import ConfigError
from gyoji.scheduler.event import Event
from gyoji.scheduler.reload import read_again
from gyoji.store.store import Store

CONTROL = """\
competition = "swiss"
seeding = "lot"
rounds = 2
board_size = 9
komi = 7.5
{more}

[players]
"""
PLAYERS = "".join(f'p{number} = {{ command = "true" }}\n' for number in range(12))


@pytest.fixture
def control(tmp_path):
    path = tmp_path / "cup.toml"
    path.write_text(CONTROL.format(more="") + PLAYERS)
    return path


def begin(control):
    """As the first run does."""
    with Store.open(control.with_suffix(".db"), control.stem, create=True) as store:
        return store.secret


def test_the_seed_is_drawn_when_the_first_run_begins_and_everybody_has_it_then(control):
    event = Event.open(control)
    assert (event.setup.seed, event.setup.draws_seed, event.setup.is_seed_secret) == (0, True, False)
    before, secret = event.competition, begin(control)
    with Store.read(control.with_suffix(".db")) as store:
        event.take_secret(store)
    assert event.setup.seed == secret
    assert event.setup.is_seed_secret
    players = event.competition.system.players
    assert event.competition is not before
    assert players != before.system.players
    again, reloaded = Event.open(control), read_again(control)
    assert again.setup.seed == reloaded.setup.seed == api_event(control).setup.seed == secret
    assert again.competition.system.players == reloaded.make().system.players == players


def test_a_seed_of_the_control_file_is_the_seed_whatever_was_drawn(control):
    number = 10**38
    control.write_text(CONTROL.format(more=f"seed = {number}") + PLAYERS)
    begin(control)
    event = Event.open(control)
    made = event.competition
    with Store.read(control.with_suffix(".db")) as store:
        event.take_secret(store)
    assert event.competition is made
    assert (event.setup.seed, event.setup.is_seed_secret) == (number, False)


def test_who_asks_is_told_the_seed_and_programs_only_that_there_is_one(control):
    assert gyoji("show", control, "--seed").stderr.endswith("there is no seed yet: the first run draws it\n")
    secret = begin(control)
    told = gyoji("show", control, "--json").stdout
    assert json.loads(told)["secret_seed"] is True
    assert str(secret) not in told
    assert gyoji("show", control, "--seed").stdout == f"{secret}\n"
    control.write_text(CONTROL.format(more="seed = 7") + PLAYERS)
    assert json.loads(gyoji("show", control, "--json").stdout)["secret_seed"] is False
    assert gyoji("show", control, "--seed").stdout == "7\n"


def test_a_drawn_seed_can_be_given_to_another_competition(control):
    secret = begin(control)
    control.with_name("twin.toml").write_text(CONTROL.format(more=f"seed = {secret}") + PLAYERS)
    twin = Event.open(control.with_name("twin.toml"))
    assert twin.competition.system.players == Event.open(control).competition.system.players


def test_a_database_that_cannot_be_read_is_told_of_by_whoever_needs_its_results(control):
    control.with_suffix(".db").write_bytes(b"no database" * 99)
    assert Event.open(control).setup.seed == 0
    with pytest.raises(ConfigError):
        read_again(control)
    assert gyoji("show", control).exit_code == 2


def test_gomills_files_draw_their_seed(tmp_path):
    path = tmp_path / "old.ctl"
    path.write_text(
        'competition_type = "playoff"\nboard_size = 9\nkomi = 7.5\n'
        'players = {"a": Player("true"), "b": Player("true")}\nmatchups = [Matchup("a", "b")]\n'
    )
    setup = load(path)
    assert (setup.names_games, setup.draws_seed) == (True, True)
