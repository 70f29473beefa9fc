"""What became of the plans of a game, counted from its record."""

from collections import Counter

from gyoji.core.outcome import Ending, Outcome
from gyoji.core.record import GameRecord, GameResult, Played
from gyoji.core.spec import GameSpec, Player
from gyoji.games.dighere.account import count_plans, describe_field
from gyoji.games.dighere.fields import Agent, Field, Treasure, plain_field
from gyoji.games.dighere.plans import Cell

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
