"""`games_from`: games of other events, from a list or from the store of another tuner."""

import pytest

from finished import resigned
from gyoji.config.competition import load
from gyoji.core.faults import ConfigError
from gyoji.core.plugins import FORMATS
from gyoji.core.setup import Stored
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
    """Loads a control file with that `games_from`, beside a list if its text is given."""

    def make(given='["old.csv"]', *, text=None, kind="auto_tuner"):
        if text is not None:
            (tmp_path / "old.csv").write_text(text)
        path = tmp_path / "new.toml"
        path.write_text(TOML.format(kind=kind, given=given))
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


def test_a_list_is_read_in_the_order_of_the_parameters(loaded):
    setup = loaded(text="mode,a,score,games\nfast,0.5,0.25,8\n\ndeep,1,1,1\n")
    (games,) = setup.settings.games_from.sources
    assert games == (Stored((0.5, "fast"), 0.25, 8), Stored((1.0, "deep"), 1.0, 1))
    assert setup.warnings == ()
    assert FORMATS.find(setup.kind).competition(setup).learned == 9


def test_a_list_may_have_games_of_two_candidates(loaded):
    setup = loaded(text="a,mode,other.mode,other.a,score\n1,fast,deep,0.5,1\n")
    (games,) = setup.settings.games_from.sources
    assert games == (Stored((1.0, "fast"), 1.0, 1, (0.5, "deep")),)
    with pytest.raises(ConfigError, match="got games of two candidates"):
        FORMATS.find(setup.kind).competition(setup)


def test_games_outside_the_ranges_are_left_out_and_told_of(loaded):
    setup = loaded(text="a,mode,score\n2.5,fast,1\n1,slow,0\n1,fast,0\n")
    assert setup.settings.games_from.sources == ((Stored((1.0, "fast"), 0.0),),)
    (warning,) = setup.warnings
    assert "games_from: old.csv: 2 games are left out, outside the ranges of now" in warning


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,score\n1,1\n", "old.csv: it has the parameters a: expected a, mode"),
        ("a,mode,weight,score\n1,fast,2,1\n", "it has the parameters a, mode, weight: expected a, mode"),
        ("a,mode,other.a,score\n", "parameters a, mode, other.a: expected a, mode, other.a, other.mode"),
        ("a,mode\n1,fast\n", "old.csv: line 1: expected the columns a, mode, score"),
        ("", "old.csv: it has the parameters : expected a, mode"),
        ("a,mode,score\n1,fast\n", "old.csv:2: expected 3 columns, got 2"),
        ("a,mode,score\n1,fast,1.5\n", "old.csv:2: score: expected a number from 0 to 1, got '1.5'"),
        ("a,mode,score\n1,fast,nan\n", "old.csv:2: score: expected a number from 0 to 1, got 'nan'"),
        ("a,mode,score,games\n1,fast,1,0.5\n", "games: expected a whole number from 1, got '0.5'"),
    ],
)
def test_a_list_that_is_none_is_refused(loaded, text, message):
    with pytest.raises(ConfigError) as error:
        loaded(text=text)
    assert message in str(error.value)


@pytest.mark.parametrize("name", ["before.toml", "before.db"])
def test_the_games_of_another_tuner_are_taken_from_its_store(loaded, tmp_path, name):
    there = played(tmp_path)
    (games,) = loaded(f'["{name}"]').settings.games_from.sources
    assert [game.score for game in games] == [game.score for game in there]
    assert [game.values for game in games] == [game.values for game in there]


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
        ('["none.csv"]', "none.csv: it cannot be read"),
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
    with pytest.raises(ConfigError, match="allplayall is no tuner: expected a list"):
        loaded('["all.toml"]')


def test_events_that_name_each_other_do_not_go_round_in_circles(loaded, tmp_path):
    played(tmp_path, 4)
    before = tmp_path / "before.toml"
    before.write_text(before.read_text().replace("games_from = []", 'games_from = ["new.toml"]'))
    (games,) = loaded('["before.toml"]').settings.games_from.sources
    assert len(games) == 4
