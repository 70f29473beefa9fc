"""Games that gyoji has played: what agents were told."""

import gzip
import json
from pathlib import Path

import pytest

from gyoji.core.clocks import TimeControl
from gyoji.core.outcome import Ending, Outcome
from gyoji.core.record import EngineReport, GameRecord, GameResult, Played
from gyoji.core.spec import GameSpec, Player
from gyoji.games.dighere.fields import Agent, Field
from gyoji.games.dighere.files import json_field, read_log
from gyoji.games.dighere.plans import Cell, Treasure
from gyoji.games.dighere.played import told_of
from gyoji.games.dighere.records import SUMMARY

FIELD = Field(
    size=7,
    steps=3,
    agents=(Agent(1, 0), Agent(6, 6), Agent(0, 6), Agent(4, 6)),
    holes=(Cell(1, 1),),
    known=(Treasure(3, 3, 6),),
    hidden=(Treasure(2, 3, 4),),
)
SPEC = GameSpec(
    id="0_0",
    pairing="0",
    game="dighere",
    players=tuple(Player(code=code, command=(code,)) for code in "abab"),
    options={"opening": json_field(FIELD)},
)


FOLDER = Path(__file__).parents[2] / "golden" / "dighere"
MS = 1_000_000
PLAYERS = tuple(Player(code=code, command=("x",)) for code in "abab")


def golden(name):
    lines = gzip.decompress((FOLDER / f"{name}.jsonl.gz").read_bytes()).decode().splitlines()
    return [json.loads(line) for line in lines]


def game_of(log, without=()):
    """Return the spec and the record of the game of a log; without: (seat, step) from which a seat made no
    plan.
    """
    options = {"opening": json_field(log.field), "invalid_plans": "shown", "check_field": False}
    clock = TimeControl(main=log.field.think_time * MS)
    spec = GameSpec(id="g", pairing="g", game="dighere", players=PLAYERS, options=options, clock=clock)
    turns, left = [], (log.field.think_time,) * 4
    for play in log.plays:
        turns.append(
            tuple(
                Played(seat, str(plan), (left[seat] - play.time_left[seat]) * MS)
                for seat, plan in enumerate(play.plans)
                if not any(gone == seat and play.step >= step for gone, step in without)
            )
        )
        left = play.time_left
    outcome = Outcome(points=None, ending=Ending.SCORE)
    result = GameResult(
        id="g",
        pairing="g",
        players=tuple("abab"),
        outcome=outcome,
        turns=len(turns),
        engines=(EngineReport(),) * 4,
        started="",
        wall_ns=0,
    )
    return spec, GameRecord(result=result, turns=tuple(turns))


@pytest.mark.parametrize("name", ["legal", "fuzz"])
def test_what_agents_were_told_is_what_the_official_manager_sent_them(name):
    records = golden(name)[::6]
    assert records
    for record in records:
        log = read_log(record["log"].encode())
        assert [told.decode() for told in told_of(*game_of(log))] == record["stdin"], record["id"]


def test_who_is_out_was_told_of_the_step_in_which_it_fell_out_and_of_none_after_it():
    log = read_log(golden("legal")[0]["log"].encode())
    told = told_of(*game_of(log, without=[(2, 3)]))
    assert [each.count(b"\n") // 13 for each in told] == [len(log.plays), len(log.plays), 4, len(log.plays)]


def test_the_summary_names_who_is_out_before_the_step():
    log = read_log(golden("legal")[0]["log"].encode())
    lines = SUMMARY.write(*game_of(log, without=[(2, 3), (0, 5)])).decode().splitlines()
    places = [number for number, line in enumerate(lines) if "is out of the game" in line]
    assert [lines[place : place + 2] for place in places] == [
        ["Agent 2 (dog of a) is out of the game", "Step: 4"],
        ["Agent 0 (samurai of a) is out of the game", "Step: 6"],
    ]
    assert lines[-1].startswith("Scores are ")
