"""A competition in shards is, gathered, the competition that one machine would have played."""

import sqlite3

import pytest
from fakes import InstantPool, make_record

from gyoji.core.faults import ConfigError
from gyoji.core.outcome import Ending, Outcome
from gyoji.core.record import EngineReport
from gyoji.pairing.shards import Deal, Shard
from gyoji.play.order import Report
from gyoji.scheduler.event import Endings, Event, event_values
from gyoji.scheduler.gathering import gather
from gyoji.scheduler.run import RunOptions, run
from gyoji.scheduler.shards_file import divide, shard_files, shards_file
from gyoji.store.store import Store
from gyoji.tables.event_tables import unplayed

PLAYERS = "".join(f'[players.{name}]\ncommand = "/bin/true"\n' for name in "abcd")
SIZES = 'game = "go"\nboard_size = 9\nkomi = 7\nclock = "1m"\nseed = 5\n'
PLAYOFF = (
    f'competition = "playoff"\n{SIZES}{PLAYERS}'
    '[[matchups]]\nplayers = ["a", "b"]\nnumber_of_games = 41\n'
    '[[matchups]]\nplayers = ["c", "d"]\nnumber_of_games = 30\n'
)
ALL = f'competition = "allplayall"\nrounds = 7\n{SIZES}{PLAYERS}'
SECRET = PLAYOFF.replace("seed = 5\n", "")
SHARDS = 8


def by_seed(spec, attempt, *, version="1"):
    """Who wins, and in how many moves, depends on the game's own seed."""
    points = ((1.0, 0.0), (0.0, 1.0), (0.5, 0.5))[spec.seed % 3]
    engines = (EngineReport(name="e", description=f"engine {version}"),) * 2
    outcome = Outcome(points=points, ending=Ending.SCORE)
    record = make_record(spec, outcome=outcome, turns=spec.seed % 7 + 1, engines=engines)
    return Report.of(spec, record)


def play(event, outcome=by_seed, **options):
    """Play an event, all of it unless `options` limit the run. Return the number of games played."""
    with Store.open(event.files.database, event.setup.code, create=True, origin=event.origin) as store:
        event.take_secret(store)
        counted = event.count(store)
        share = event.share(store)
        end = run(
            event.setup,
            event.competition,
            store,
            event.files,
            InstantPool(outcome),
            options=RunOptions(**options),
            counted=counted,
            share=share,
        )
        return end.finished


def values(event):
    with event.read() as store:
        endings = Endings()
        event.count(store, endings)
    return event_values(event, endings, event.digest())


@pytest.fixture
def divided(tmp_path):
    """Write a control file and divide it; its path."""

    def divided(text, folder="split", shards=SHARDS):
        path = tmp_path / folder / "cup.toml"
        path.parent.mkdir()
        path.write_text(text)
        event = Event.open(path)
        divide(event.setup, event.files, shards, source="cup.toml")
        return path

    return divided


def databases(path, shards=SHARDS):
    return [shard_files(path, Shard(number, shards)).database for number in range(1, shards + 1)]


def play_shards(path, shards=SHARDS, outcome=by_seed, only=None):
    for number in only or range(1, shards + 1):
        play(Event.open(path, shard=Shard(number, shards)), outcome)


@pytest.mark.parametrize("text", [PLAYOFF, ALL], ids=["playoff", "allplayall"])
def test_eight_shards_joined_equal_the_whole(divided, tmp_path, text):
    path = divided(text)
    play_shards(path)
    gathered = gather(Event.open(path), databases(path))
    whole = tmp_path / "whole" / "cup.toml"
    whole.parent.mkdir()
    whole.write_text(text)
    total = play(Event.open(whole))
    assert gathered.total == total == sum(new for *_, new in gathered.games)
    assert not any(gathered.missing.values())
    assert values(Event.open(path)) == values(Event.open(whole))
    stored = []
    for each in (path, whole):
        with Event.open(each).read() as store:
            stored.append({result.id: store.record(result.id) for result in store.results()})
    ours, theirs = stored
    assert {name: record for name, (_, record) in ours.items()} == {
        name: record for name, (_, record) in theirs.items()
    }
    assert {name: spec.seed for name, (spec, _) in ours.items()} == {
        name: spec.seed for name, (spec, _) in theirs.items()
    }


@pytest.mark.parametrize("text", [PLAYOFF, ALL], ids=["playoff", "allplayall"])
def test_every_shard_has_as_many_games_of_a_pairing_as_another_and_pairs_stay_together(tmp_path, text):
    (tmp_path / "cup.toml").write_text(text)
    setup = Event.open(tmp_path / "cup.toml").setup
    deal = Deal(unplayed(setup), 3, source="cup.toml")
    shards = [deal.games(Shard(number, 3)) for number in (1, 2, 3)]
    assert sum(map(len, shards)) == len(deal) == len(frozenset().union(*shards))
    for pairing in {name.rpartition("_")[0] for shard in shards for name in shard}:
        counts = [sum(name.startswith(f"{pairing}_") for name in shard) for shard in shards]
        assert max(counts) - min(counts) <= 2
    home = {name: number for number, shard in enumerate(shards) for name in shard}
    for name, number in home.items():
        pairing, _, digits = name.rpartition("_")
        other = f"{pairing}_{int(digits) ^ 1:0{len(digits)}}"
        assert home.get(other, number) == number


def test_shards_have_one_secret_and_none_of_it_is_in_the_control_file(divided):
    path = divided(SECRET, shards=2)
    play_shards(path, 2)
    gather(Event.open(path), databases(path, 2))
    with Event.open(path).read() as store:
        assert store.secret == Event.open(path).setup.seed != 0
        first = [store.record(result.id)[0].seed for result in store.results()]
    assert len(set(first)) == len(first)
    assert shards_file(path).stat().st_mode & 0o077 == 0


def test_engines_cannot_see_the_folder_of_shards(divided):
    path = divided(PLAYOFF)
    (hidden,) = {player.containment.hidden for player in Event.open(path).setup.players.values()}
    assert str(shards_file(path).parent) in hidden


def test_a_shard_that_was_interrupted_goes_on_and_gathering_takes_each_game_once(divided):
    path = divided(ALL, shards=2)
    first = Event.open(path, shard=Shard(1, 2))
    assert play(first, max_games=3) == 3
    early = gather(Event.open(path), [first.files.database])
    assert [each[2:] for each in early.games] == [(3, 3)]
    rest = play(Event.open(path, shard=Shard(1, 2)))
    again = gather(Event.open(path), [first.files.database] * 2)
    assert [each[2:] for each in again.games] == [(3 + rest, rest), (3 + rest, 0)]
    assert again.missing == {1: 0, 2: again.total - 3 - rest}


def test_what_is_missing_can_be_played_where_the_games_were_gathered(divided):
    path = divided(ALL, shards=2)
    play_shards(path, 2, only=[2])
    gathered = gather(Event.open(path), databases(path, 2)[1:])
    assert play(Event.open(path)) == gathered.missing[1]
    assert gather(Event.open(path), databases(path, 2)[1:]).missing == {1: 0, 2: 0}


ADAPTING = f'competition = "swiss"\nrounds = 2\n{SIZES}{PLAYERS}'
SEQUENTIAL = (
    f'competition = "sprt"\nelo0 = 0\nelo1 = 10\n{SIZES}'
    '[players.a]\ncommand = "/bin/true"\n[players.b]\ncommand = "/bin/true"\n'
)
ENDLESS = PLAYOFF.replace("number_of_games = 41\n", "")


@pytest.mark.parametrize(
    ("text", "why"),
    [(ADAPTING, "results decide"), (SEQUENTIAL, "when there are enough"), (ENDLESS, "number_of_games")],
    ids=["swiss", "sprt", "endless"],
)
def test_a_competition_that_needs_its_results_is_refused(divided, text, why):
    with pytest.raises(ConfigError, match=why):
        divided(text)


def test_more_shards_than_games_and_a_second_division_are_refused(divided):
    with pytest.raises(ConfigError, match="expected 1 to 42 shards"):
        divided(ALL, shards=43)
    path = divided(ALL, "another")
    event = Event.open(path)
    with pytest.raises(ConfigError, match="in shards already"):
        divide(event.setup, event.files, 4, source="cup.toml")


def test_a_shard_without_the_file_of_shards_or_of_another_number_is_refused(divided, tmp_path):
    path = divided(ALL)
    with pytest.raises(ConfigError, match="divided into 8 shards, got 1/4"):
        Event.open(path, shard=Shard(1, 4))
    shards_file(path).unlink()
    with pytest.raises(ConfigError, match=r"make it with `gyoji shard cup\.toml N`"):
        Event.open(path, shard=Shard(1, 8))


def test_shards_of_another_division_are_refused_and_nothing_is_written(divided):
    path, other = divided(ALL, "one", 2), divided(ALL, "two", 2)
    play_shards(path, 2)
    play_shards(other, 2)
    with pytest.raises(ConfigError, match="another division"):
        gather(Event.open(path), [databases(path, 2)[0], databases(other, 2)[1]])
    assert not Event.open(path).files.database.exists()


def test_shards_that_other_engines_played_are_refused(divided):
    path = divided(ALL, shards=2)
    play_shards(path, 2, only=[1])
    play_shards(path, 2, only=[2], outcome=lambda spec, attempt: by_seed(spec, attempt, version="2"))
    with pytest.raises(ConfigError, match=r"'engine 2'.*the same engines"):
        gather(Event.open(path), databases(path, 2))


def test_shards_that_were_played_by_other_settings_are_refused(divided):
    path = divided(ALL, shards=2)
    play_shards(path, 2)
    path.write_text(ALL.replace("komi = 7", "komi = 6"))
    with pytest.raises(ConfigError, match="other settings than the control file has"):
        gather(Event.open(path), databases(path, 2))


def test_a_game_of_another_shard_is_refused(divided):
    path = divided(ALL, shards=2)
    play_shards(path, 2)
    database = databases(path, 2)[0]
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE about SET value = '2/2' WHERE key = 'shard'")
    connection.close()
    with pytest.raises(ConfigError, match="belongs to shard 1, and this is 2/2"):
        gather(Event.open(path), [database])


def test_results_of_an_undivided_run_are_not_taken_for_a_shard(divided, tmp_path):
    path = divided(ALL)
    plain = tmp_path / "plain" / "cup.toml"
    plain.parent.mkdir()
    plain.write_text(ALL)
    play(Event.open(plain))
    with pytest.raises(ConfigError, match="not played as a shard"):
        gather(Event.open(path), [Event.open(plain).files.database])
