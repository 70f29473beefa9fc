"""Games that gyoji has played: counts of their plans, and what agents were told."""

import gzip
import json
from collections import Counter
from pathlib import Path

import pytest

from gyoji.core.clocks import TimeControl
from gyoji.core.outcome import Ending, Outcome
from gyoji.core.record import EngineReport, GameRecord, GameResult, Played
from gyoji.core.spec import GameSpec, Player
from gyoji.games.dighere.fields import Agent, Field
from gyoji.games.dighere.files import plain_field, read_log
from gyoji.games.dighere.plans import Cell, Treasure
from gyoji.games.dighere.played import count_plans, describe_field, told_of
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
    options={"opening": plain_field(FIELD)},
)


def record(*steps):
    """A game of these plans, by seat; None for an agent that is not asked any more."""
    turns = tuple(
        tuple(Played(seat, str(plan), 0) for seat, plan in enumerate(plans) if plan is not None)
        for plans in steps
    )
    result = GameResult(
        id="0_0",
        pairing="0",
        players=tuple("abab"),
        outcome=Outcome(points=None, ending=Ending.SCORE),
        turns=len(turns),
        engines=(),
        started="",
        wall_ns=0,
    )
    return GameRecord(result=result, turns=turns)


def test_every_plan_is_counted_once():
    counts = count_plans(SPEC, record((16, 2, 6, 2), (8, 99, -1, None), (0, 12, 7, None)))
    assert counts == [
        Counter({("plug", ""): 1, ("dig", ""): 1, ("move", "a hole is there"): 1}),
        Counter({("move", ""): 1, ("plug", "invalid"): 1, ("dig", ""): 1}),
        Counter({("move", ""): 1, ("stay", ""): 1, ("move", "outside the field"): 1}),
        Counter({("move", ""): 1}),
    ]


def test_a_game_of_no_steps_has_no_plans():
    assert count_plans(SPEC, record()) == [Counter()] * 4


def test_a_field_is_described_by_what_is_in_it():
    assert describe_field(SPEC.options, 0) == "7x7, 10 in 2 cells"
    assert describe_field({}, 3) == "6x6, 400 in 8 cells"


FOLDER = Path(__file__).parents[2] / "golden" / "dighere"
MS = 1_000_000
PLAYERS = tuple(Player(code=code, command=("x",)) for code in "abab")


def golden(name):
    lines = gzip.decompress((FOLDER / f"{name}.jsonl.gz").read_bytes()).decode().splitlines()
    return [json.loads(line) for line in lines]


def game_of(log, without=()):
    """The spec and the record of the game of a log; without: (seat, step) from which a seat made no plan."""
    options = {"opening": plain_field(log.field), "invalid_plans": "shown", "check_field": False}
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
