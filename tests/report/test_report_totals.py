"""The table of what was gathered, and the same as values."""

from dataclasses import replace

from gyoji.core.outcome import Ending, Outcome, won_by
from gyoji.core.record import EngineReport, GameResult
from gyoji.games.dighere import GAME as DIGHERE
from gyoji.games.go import GAME as GO
from gyoji.pairing.gathering import Gathering
from gyoji.report.text import text_lines
from gyoji.tables.totals import totals_blocks, totals_values


def result(number, players, totals):
    return GameResult(
        id=f"x_{number}",
        pairing="x",
        players=players * 2,
        outcome=Outcome(points=won_by(0, 2), ending=Ending.SCORE, totals=totals),
        turns=10,
        engines=tuple(EngineReport(think_ns=(seat + 1) * 10**9, slowest_ns=10**8) for seat in range(4)),
        started="2026-11-21T01:00:00Z",
        wall_ns=1,
    )


def totals_lines(found, module):
    return list(text_lines(totals_blocks(found, module)))


def gathering(*games):
    found = Gathering()
    for number, (players, totals) in enumerate(games):
        found.add(result(number, players, totals))
    return found


PLAYED = gathering((("moe", "larry"), (100.0, 20.0)), (("larry", "moe"), (30.0, 200.0)))


def test_the_table():
    assert totals_lines(PLAYED, DIGHERE) == [
        "treasure per game",
        "        games mean   95%     team 0 team 1 matches won level lost samurai s/game dog s/game",
        "moe        2  150.0  ± 98.0  100.0  200.0           1     0    0           1.50       3.50",
        "larry      2   25.0   ± 9.8   30.0   20.0           0     0    1           1.50       3.50",
    ]


def test_what_is_not_known_yet_is_left_blank():
    assert totals_lines(gathering((("moe", "larry"), (100.0, 20.0))), DIGHERE)[2] == (
        "moe        1  100.0      100.0                  1.00       3.00"
    )
    assert totals_lines(gathering(), DIGHERE) == []


def test_the_values():
    values = totals_values(PLAYED, DIGHERE)
    assert values["unit"] == "treasure"
    moe, larry = values["players"]
    assert (moe["player"], larry["player"]) == ("moe", "larry")
    assert {key: moe[key] for key in ("games", "sum", "mean", "matches")} == {
        "games": 2,
        "sum": 300.0,
        "mean": 150.0,
        "matches": {"won": 1, "level": 0, "lost": 0},
    }
    low, high = moe["interval_95"]
    assert (round(low, 1), round(high, 1)) == (52.0, 248.0)
    assert moe["sides"]["team 1"] == {"games": 1, "sum": 200.0, "mean": 200.0, "interval_95": None}
    assert moe["engines"] == {
        "samurai": {"think_s": 1.5, "slowest_s": 0.1, "left_out": 0},
        "dog": {"think_s": 3.5, "slowest_s": 0.1, "left_out": 0},
    }


def test_a_game_says_what_is_gathered_in_it():
    assert (DIGHERE.unit, GO.unit) == ("treasure", "")
    assert totals_lines(PLAYED, replace(GO, unit="gold"))[0] == "gold per game"
