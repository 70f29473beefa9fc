"""Games of a host are taken back on the record, and are played again."""

import json
import re

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from finished import resigned, store_games
from gyoji.cli.app import app
from gyoji.scheduler.event import Event
from gyoji.store.files import RunLock
from gyoji.store.store import Store

CUP = """
competition = "playoff"
board_size = 5
komi = 0.5

[players.a]
command = "nowhere-a"
[players.b]
command = "nowhere-b"

[[matchups]]
players = ["a", "b"]
number_of_games = 6
"""


@pytest.fixture
def cup(tmp_path):
    """A control file with four games played, on two hosts in turn."""
    path = tmp_path / "cup.toml"
    path.write_text(CUP)

    def on_a_host(spec, number):
        record = resigned(spec, 0)
        return replace(record, result=replace(record.result, host=f"lab{number % 2}"))

    store_games(path, 4, on_a_host)
    return path


def gyoji(*words):
    result = CliRunner().invoke(app, [*map(str, words)])
    return result.exit_code, result.output


def purged(cup, host="lab1", because="its fan is broken"):
    return gyoji("purge", cup, "--host", host, "--because", because, "--as", "ann")


def test_the_games_count_no_more_and_are_told_of_with_the_reason(cup):
    code, output = purged(cup)
    assert code == 0
    assert output == f"2 games of host lab1 taken back: `gyoji run {cup}` plays them again\n"
    shown = json.loads(gyoji("show", cup, "--json")[1])
    assert shown["remaining"] == 4
    (excluded,) = shown["tables"]["excluded"]
    assert excluded["settings"] == [
        {"setting": "taken back", "was": "from host lab1: its fan is broken", "now": ""}
    ]
    line = "excluded: 2 games of a v b (a 2, b 0), taken back from host lab1: its fan is broken"
    assert line in gyoji("show", cup)[1]
    assert "its fan is broken" in gyoji("report", cup, "-o", "-")[1]
    assert "its fan is broken" in gyoji("report", cup, "--format", "html", "-o", "-")[1]


def test_who_did_it_and_when_is_on_record_with_the_games(cup):
    purged(cup)
    with Store.read(cup.with_suffix(".db")) as store:
        ((host, purge),) = store.purges()
    assert (host, purge.who, purge.games) == ("lab1", "ann", ("0_1", "0_3"))
    assert purge.when.startswith("20")


def test_what_is_taken_back_verifies(cup):
    before = gyoji("verify", cup)
    purged(cup)
    assert gyoji("verify", cup)[0] == before[0] == 0


def test_ratings_leave_them_out(cup):
    purged(cup)
    assert json.loads(gyoji("ratings", cup, "--json")[1])["games"] == 2


def test_so_does_the_export_for_programs_that_compute_ratings(cup):
    before = gyoji("export", cup, "--to", "bayeselo")[1]
    purged(cup)
    after = gyoji("export", cup, "--to", "bayeselo")[1]
    assert [re.findall(r'GameId "(.*)"', text) for text in (before, after)] == [
        ["0_0", "0_1", "0_2", "0_3"],
        ["0_0", "0_2"],
    ]


def test_a_host_that_has_played_nothing_is_told_which_have(cup):
    code, output = purged(cup, host="lab7")
    assert code == 2
    assert "no game of host 'lab7' counts: expected one of the hosts 'lab0', 'lab1'" in output
    assert purged(cup)[0] == 0
    assert "expected one of the hosts 'lab0'" in purged(cup)[1]


def test_while_another_process_holds_the_competition_nothing_is_taken_back(cup):
    with RunLock(Event.open(cup).files):
        code, output = purged(cup)
    assert code == 2
    assert "gyoji stop" in output
