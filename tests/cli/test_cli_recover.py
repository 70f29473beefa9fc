"""gyoji verify --recover: what can be saved is saved, what is lost is named, and the event goes on."""

import json
import os
import re
import shutil
import sqlite3
from pathlib import Path
from random import Random

import pytest
from command_line import gyoji
from refereed_events import EVENTS, play, results, write_event

from gyoji.core.outcome import Ending, Outcome
from gyoji.core.record import Purge, Ruling, VoidGame
from gyoji.store.store import Store
from gyoji.store.stored import Voided

OLD = Path(__file__).parents[1] / "store" / "layout_2"
PAGE = 4096


def recover(path):
    """(exit status, lines, the new database), the damaged one left as it was."""
    database, new = path.with_suffix(".db"), path.with_name("new.db")
    before = database.read_bytes()
    result = gyoji("verify", "--recover", new, path)
    assert database.read_bytes() == before
    return result.exit_code, (result.stdout + result.stderr).splitlines(), new


def go_on(path, new):
    """Play on with the new database in the old one's place."""
    for part in ("-wal", "-shm"):
        path.with_name(f"{path.stem}.db{part}").unlink(missing_ok=True)
    new.rename(path.with_suffix(".db"))
    play(path)


@pytest.fixture(scope="module", params=["go", "gomoku", "usenix", "with a secret"])
def played(tmp_path_factory, request):
    folder = tmp_path_factory.mktemp("played")
    if request.param == "with a secret":
        path = folder / "cup.toml"
        path.write_text(EVENTS["go"].replace("seed = 0\n", ""))
    else:
        path = write_event(folder, request.param)
    play(path)
    return path


@pytest.fixture
def cup(played, tmp_path):
    shutil.copytree(played.parent, tmp_path / "cup")
    return tmp_path / "cup" / played.name


def zeroed(data, chance):
    """A few pages are gone."""
    for _ in range(3):
        page = chance.randrange(len(data) // PAGE)
        data[page * PAGE : (page + 1) * PAGE] = bytes(PAGE)


def flipped(data, chance):
    for _ in range(40):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)


def truncated(data, chance):
    del data[int(len(data) * chance.uniform(0.3, 0.9)) :]


def headless(data, _):
    data[:PAGE] = bytes(PAGE)


def without_inner_pages(data, _):
    """Pages that lead to others lead nowhere."""
    for at in range(PAGE, len(data), PAGE):
        if data[at] in (0x02, 0x05):
            data[at : at + PAGE] = bytes(PAGE)


@pytest.mark.parametrize("harm", [zeroed, flipped, truncated, headless, without_inner_pages])
@pytest.mark.parametrize("seed", range(3))
def test_what_is_saved_verifies_and_goes_on_to_the_event_that_it_would_have_been(cup, harm, seed):
    wanted = results(cup.with_suffix(".db"))
    database = cup.with_suffix(".db")
    with Store.read(database) as store:
        secret = store.secret
    data = bytearray(database.read_bytes())
    harm(data, Random(seed))
    database.write_bytes(data)
    status, lines, new = recover(cup)
    if status == 2:
        assert "no game in it can be read" in lines[-1]
        assert not new.exists()
        return
    saved = results(new)
    assert set(saved) <= set(wanted)
    (counted,) = [
        re.match(r".*: (\d+) games, .*; (no|\d+) games lost", line) for line in lines if " saved; " in line
    ]
    assert int(counted[1]) == len(saved)
    with Store.read(new) as store:
        if store.secret != secret and "seed =" not in cup.read_text():
            assert any("the secret of the competition" in line for line in lines)
            return
    go_on(cup, new)
    assert results(database) == wanted
    assert gyoji("verify", cup).exit_code == 0


def test_a_sound_database_is_saved_whole(cup):
    database = cup.with_suffix(".db")
    status, lines, new = recover(cup)
    assert status == 0
    assert "no games lost" in lines[0]
    tables = ("games", "moves", "texts", "voids", "rulings", "purges", "about", "counts")
    for each in zip(
        *(
            map(sqlite3.connect(name).execute, (f"SELECT * FROM {t}" for t in tables))
            for name in (database, new)
        ),
        strict=True,
    ):
        assert each[0].fetchall() == each[1].fetchall()


def test_pages_that_lead_nowhere_cost_no_game(cup):
    database = cup.with_suffix(".db")
    data = bytearray(database.read_bytes())
    without_inner_pages(data, None)
    headless(data, None)
    database.write_bytes(data)
    _, lines, new = recover(cup)
    assert "no games lost" in next(line for line in lines if " saved; " in line), lines
    assert new.exists()


@pytest.mark.parametrize(
    ("statement", "line"),
    [
        ("DELETE FROM moves WHERE number = 2", r"lost: game \S+: its moves cannot be read"),
        ("DELETE FROM games WHERE number = 2", r"lost: game of row 2: its result cannot be read"),
        ("UPDATE moves SET rest = rest || ' ' WHERE number = 2", r"lost: game \S+: its moves cannot be read"),
        ("UPDATE texts SET text = text || ' ' WHERE number = 1", r"lost: game \S+: what it was played by"),
    ],
)
def test_each_game_that_is_lost_is_named_and_is_left_to_play(cup, statement, line):
    wanted = results(cup.with_suffix(".db"))
    with sqlite3.connect(cup.with_suffix(".db"), isolation_level=None) as connection:
        connection.execute(statement)
    connection.close()
    status, lines, new = recover(cup)
    lost = [each for each in lines if re.match(line, each)]
    assert status == 1
    assert lost, lines
    left = next(int(each.split()[0]) for each in lines if each.endswith(" left to play"))
    assert left == len(lost) or "swiss" in cup.read_text()  # of which a round is not drawn any more
    names = next(each for each in lines if each.startswith("there are record files of lost games:"))
    assert len(names.partition(": ")[2].split()) == len(lost)
    if new.exists():
        go_on(cup, new)
        assert results(cup.with_suffix(".db")) == wanted


def test_a_database_whose_tables_are_gone_is_not_half_saved(cup):
    with sqlite3.connect(cup.with_suffix(".db"), isolation_level=None) as connection:
        connection.execute("DROP TABLE moves")
    connection.close()
    status, lines, new = recover(cup)
    assert status in (0, 1)  # whether SQLite has overwritten what was dropped
    go_on(cup, new)
    assert gyoji("verify", cup).exit_code == 0
    assert lines


def test_what_is_in_the_log_alone_is_saved_too(cup):
    database = cup.with_suffix(".db")
    with Store.read(database) as store:
        games = [store.record(result.id) for result in store.results()]
    shutil.copy(database, cup.with_name("whole.db"))
    database.unlink()
    with Store.open(database, "cup", create=True) as store:
        for spec, record in games:
            store.append(spec, record)
        halfway = cup.with_name("halfway.db")  # as a power cut leaves it
        shutil.copy(database, halfway)
        shutil.copy(f"{database}-wal", f"{halfway}-wal")
    result = gyoji("verify", "--recover", cup.with_name("new.db"), halfway)
    assert result.exit_code == 0, result.output
    assert results(cup.with_name("new.db")) == results(cup.with_name("whole.db"))


PURGE = Purge(who="ann", when="now", because='a fan is "loud"', games=("0_0",))


def test_void_games_rulings_and_purges_are_saved(cup):
    database = cup.with_suffix(".db")
    with Store.open(database, "cup") as store:
        spec, _ = store.record(next(iter(store.results())).id)
        void = VoidGame(
            id=spec.id, pairing=spec.pairing, players=("a", "b"), reason="power cut", started="now"
        )
        store.append_many([], [Voided(void, 1)])
        outcome = Outcome(points=(1.0, 0.0), ending=Ending.SCORE)
        store.rule(spec.id, Ruling(who="ann", when="now", outcome=outcome))
        store.purge("lab1", PURGE)
    _, lines, new = recover(cup)
    assert any("1 void games, 1 rulings saved" in line for line in lines), lines
    with Store.read(new) as store:
        assert [each.void.reason for each in store.voids()] == ["power cut"]
        assert [game_id for game_id, _ in store.rulings()] == [spec.id]
        assert list(store.purges()) == [("lab1", PURGE)]


def test_json_names_what_is_lost(cup):
    with sqlite3.connect(cup.with_suffix(".db"), isolation_level=None) as connection:
        connection.execute("DELETE FROM moves WHERE number = 3")
    connection.close()
    told = json.loads(gyoji("verify", "--json", "--recover", cup.with_name("new.db"), cup).stdout)
    assert [each["number"] for each in told["lost"]] == [3]
    assert told["records_of_lost"] == [told["lost"][0]["id"]]
    assert told["remaining"] == 1


def test_nothing_is_written_over(cup):
    there = cup.with_name("there.db")
    there.write_text("mine")
    for name in (there, cup.with_suffix(".db")):
        result = gyoji("verify", "--recover", name, cup)
        assert (result.exit_code, "cannot be made: File exists" in result.stderr) == (2, True)
    assert there.read_text() == "mine"


def test_a_layout_without_checksums_is_refused(tmp_path):
    shutil.copy(OLD / "finished.db", tmp_path / "cup.db")
    result = gyoji("verify", "--recover", tmp_path / "new.db", tmp_path / "cup.db")
    assert result.exit_code == 2
    assert "whose rows have no checksums" in result.stderr
    assert os.listdir(tmp_path) == ["cup.db"]
