"""`gyoji show --game ID --timing`: what became of the time of each move."""

import json

import pytest
from click.testing import CliRunner

from gyoji.cli.app import app
from gyoji.cli.standing import open_event
from gyoji.core.outcome import Ending, Outcome
from gyoji.core.record import EngineReport, GameRecord, GameResult, Played, Timing
from gyoji.store.store import Store

MS = 1_000_000
CUP = """
competition = "playoff"
board_size = 9
komi = 7
number_of_games = 1
players.one.command = "nowhere-one"
players.two.command = "nowhere-two"
matchups = [{ players = ["one", "two"] }]
"""
TIMINGS = (
    Timing(0, 0, 300 * MS, 2 * MS, 40 * MS, 250 * MS),
    Timing(2, 0, 1200 * MS, 0, None, None, 400 * MS),
)


def gyoji(*words):
    return CliRunner().invoke(app, [str(word) for word in words])


@pytest.fixture
def cup(tmp_path):
    path = tmp_path / "cup.toml"
    path.write_text(CUP)
    event = open_event(path)
    spec = event.competition.next_game()
    result = GameResult(
        id=spec.id,
        pairing=spec.pairing,
        players=("one", "two"),
        outcome=Outcome(points=(0, 2), ending=Ending.TIME, detail="too late", seat=0),
        turns=2,
        engines=(EngineReport(),) * 2,
        started="2026-11-21T01:00:00Z",
        wall_ns=1,
    )
    turns = ((Played(0, "D4", 301 * MS),), (Played(1, "E5", 4 * MS),))
    record = GameRecord(result=result, turns=turns, timings=TIMINGS)
    with Store.open(event.files.database, create=True, competition="cup") as store:
        store.append(spec, record)
    return path


def test_the_table_has_a_line_for_each_move_and_for_the_one_that_came_too_late(cup):
    lines = gyoji("show", "--game", "0_0", "--timing", cup).stdout.splitlines()
    assert [line.split() for line in lines[1:4]] == [
        ["1", "one", "D4", "0.301", "0.300", "0.250", "0.040", "0.002", "0.000"],
        ["2", "two", "E5", "0.004", *"-----"],
        ["3", "one", "-", "1.200", "-", "-", "0.000", "0.400"],
    ]
    heading = "move player charged asked engine's CPU no processor unread stood still"
    assert " ".join(lines[0].split()) == heading


def test_the_values_say_the_same_in_ns_and_null_where_nothing_is_known(cup):
    told = json.loads(gyoji("show", "--game", "0_0", "--timing", "--json", cup).stdout)
    assert told["game"] == "0_0"
    assert told["moves"][0] == {
        "move_number": 1,
        "seat": 0,
        "player": "one",
        "move": "D4",
        "charged_ns": 301 * MS,
        "asked_ns": 300 * MS,
        "cpu_ns": 250 * MS,
        "delayed_ns": 40 * MS,
        "unread_ns": 2 * MS,
        "stalled_ns": 0,
    }
    assert [(each["move"], each["asked_ns"]) for each in told["moves"][1:]] == [
        ("E5", None),
        (None, 1200 * MS),
    ]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--game", "9_9", "--timing"], "there is no finished game '9_9'"),
        (["--game", "0_0"], "--game ID and --timing go together"),
        (["--timing"], "--game ID and --timing go together"),
    ],
)
def test_what_cannot_be_shown_is_refused(cup, words, message):
    done = gyoji("show", *words, cup)
    assert done.exit_code == 2
    assert message in done.stderr
