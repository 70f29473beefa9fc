"""`games_from`: games of other events, from the store of another tuner."""

import pytest

from finished import resigned
from gyoji.config.competition import load
from gyoji.core.faults import ConfigError
from gyoji.core.plugins import FORMATS
from gyoji.store.store import Store

TOML = """
competition = "{kind}"
seed = 1
board_size = 9
komi = 7.5
number_of_games = 40
opponent = "steady"
games_from = {given}

[players.steady]
command = "steady"

[candidate]
command = "engine {{a}} {{mode}}"

[[parameters]]
code = "a"
min = 0
max = 2

[[parameters]]
code = "mode"
values = ["fast", "deep"]
"""


@pytest.fixture
def loaded(tmp_path):
    """Loads a control file with that `games_from`."""

    def make(given, *, kind="auto_tuner", most=2):
        path = tmp_path / "new.toml"
        path.write_text(TOML.format(kind=kind, given=given).replace("max = 2", f"max = {most}"))
        return load(path)

    return make


def played(tmp_path, count=20):
    """Another event with so many games that candidates with `a` above 1 have won."""
    path = tmp_path / "before.toml"
    path.write_text(TOML.format(kind="auto_tuner", given="[]"))
    setup = load(path)
    event = FORMATS.find(setup.kind).competition(setup)
    with Store.open(tmp_path / "before.db", "before", create=True) as store:
        for _ in range(count):
            spec = event.next_game()
            seat = next(seat for seat, code in enumerate(spec.codes) if "#" in code)
            is_won = float(spec.players[seat].command[1]) > 1
            record = resigned(spec, seat if is_won else 1 - seat)
            store.append(spec, record)
            event.add(record.result)
    return list(event.stored())


@pytest.mark.parametrize("name", ["before.toml", "before.db"])
def test_the_games_of_another_tuner_are_taken_from_its_store(loaded, tmp_path, name):
    there = played(tmp_path)
    (games,) = loaded(f'["{name}"]').settings.games_from.sources
    assert [game.score for game in games] == [game.score for game in there]
    assert [game.values for game in games] == [game.values for game in there]


def test_games_outside_the_ranges_are_left_out_and_told_of(loaded, tmp_path):
    fitting = [game for game in played(tmp_path) if game.values[0] <= 1]
    setup = loaded('["before.toml"]', most=1)
    assert [game.values for game in setup.settings.games_from.sources[0]] == [each.values for each in fitting]
    (warning,) = setup.warnings
    assert (
        f"games_from: before.toml: {20 - len(fitting)} games are left out, outside the ranges of now"
        in warning
    )


def test_parameters_of_another_tuner_that_differ_are_told(loaded, tmp_path):
    played(tmp_path, 1)
    before = tmp_path / "before.toml"
    before.write_text(before.read_text().replace('"a"', '"b"').replace("{a}", "{b}"))
    with pytest.raises(ConfigError, match="it has the parameters b, mode: expected a, mode"):
        loaded('["before.toml"]')


def test_a_bandit_learns_from_the_games_of_another_method(loaded, tmp_path):
    played(tmp_path)
    loaded('["before.toml"]')
    path = tmp_path / "new.toml"
    lines = path.read_text().replace('code = "a"', 'code = "a"\nsplit = 4')
    mc = lines.replace("auto_tuner", "mc_tuner").replace(
        "number_of_games = 40",
        "candidate_colour = 'black'\nexploration_coefficient = 0.4\ninitial_visits = 10\ninitial_wins = 5",
    )
    path.write_text(mc)
    setup = load(path)
    tree = FORMATS.find(setup.kind).competition(setup).tuner.tree
    assert sum(tree.games(node) for _, node in tree.level(1)) == 20


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ('["old.csv"]', "old.csv: removed: name the other tuner's control file or database instead"),
        ('["none.toml"]', "there is no such control file"),
        ('["none.db"]', "none.db: there is no control file beside it: expected none.toml"),
        ('"old.csv"', "games_from: expected a list"),
    ],
)
def test_games_that_are_not_there_are_told_of(loaded, given, message):
    with pytest.raises(ConfigError) as error:
        loaded(given)
    assert message in str(error.value)


def test_an_event_that_is_no_tuner_has_no_games_to_learn_from(loaded, tmp_path):
    (tmp_path / "all.toml").write_text(
        'competition = "allplayall"\nboard_size = 9\nkomi = 7.5\n[players.a]\ncommand = "a"\n'
        '[players.b]\ncommand = "b"\n'
    )
    with pytest.raises(ConfigError, match="allplayall is no tuner: expected a tuner's control file"):
        loaded('["all.toml"]')


def test_events_that_name_each_other_do_not_go_round_in_circles(loaded, tmp_path):
    played(tmp_path, 4)
    before = tmp_path / "before.toml"
    before.write_text(before.read_text().replace("games_from = []", 'games_from = ["new.toml"]'))
    (games,) = loaded('["before.toml"]').settings.games_from.sources
    assert len(games) == 4
