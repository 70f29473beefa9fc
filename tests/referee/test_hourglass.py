"""Hourglasses in a game: the time that one seat uses is on the other's clock."""

from msgspec.structs import replace
from test_lag import BEN, S, Table

from gyoji.core import messages as m
from gyoji.core.clocks import TimeControl
from gyoji.core.outcome import Ending
from gyoji.core.spec import Player

GLASS = TimeControl.parse("10s hourglass")
PLAYERS = (Player(code="ann", command=("ann",)), BEN)


def table(*answers, **changes):
    return Table(*answers, **{"clock": GLASS, "players": PLAYERS, "lag": 0, **changes})


def test_what_one_side_uses_is_given_to_the_other():
    game = table(("A1", 4, 0), ("A2", 0, 0), ("A3", 7, 0))
    # The other side always uses 1 s.
    assert game.patience == [10 * S, 7 * S, 8 * S, 2 * S]
    assert game.referee.time_left() == (2 * S, 18 * S)


def test_a_side_that_uses_more_than_it_has_loses_and_the_game_can_be_verified():
    game = table(("A1", 4, 0), ("A2", 7.5, 0))
    assert game.record.result.outcome.ending is Ending.TIME
    assert "used 7.500s with 7.000s left" in game.record.result.outcome.detail
    assert game.flaws() == []


def test_a_review_knows_what_the_other_side_gave():
    game = table(("A1", 0, 0), ("A2", 10.5, 0), (m.Resigned(), 0, 0))
    record = game.record
    assert record.result.outcome.ending is not Ending.TIME
    (first, *others) = record.turns
    late = others[0][0]._replace(ns=0)  # the other side gives nothing
    changed = replace(record, turns=(first, (late,), *others[1:]))
    assert [what for what, _ in game.flaws(changed) if what.startswith("clock")] == ["clock of ann"]
