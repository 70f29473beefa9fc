"""The all-play-all's reports: gomill's layout, and standings where a grid is of no use."""

import json
from textwrap import dedent

import pytest

from gyoji.core.outcome import Ending, Outcome, shared, won_by
from gyoji.core.record import EngineReport, GameResult
from gyoji.core.setup import CompetitionSetup
from gyoji.core.spec import Player
from gyoji.formats.allplayall import Allplayall, Settings
from shown import crosses, report_lines, screen_lines, values

OUTCOMES = {
    "+": Outcome(points=won_by(0, 2), ending=Ending.SCORE, margin=3.5),
    "-": Outcome(points=won_by(1, 2), ending=Ending.TIME, seat=0),
    "=": Outcome(points=shared(2), ending=Ending.SCORE),
    "?": Outcome(points=None, ending=Ending.MOVE_LIMIT),
}


def event(codes, results="", rounds=3, description=""):
    """The results of the first games, in the order in which they are issued, from the first seat."""
    cup = Allplayall(
        CompetitionSetup(
            code="cup",
            kind="allplayall",
            players={code: Player(code=code, command=(code,)) for code in codes},
            settings=Settings(
                game="go",
                rounds=rounds,
                seating="list",
                competitors=codes,
                options={"board_size": 9, "komi": 7.5},
            ),
            description=description,
        )
    )
    for how in results:
        spec = cup.next_game()
        players = tuple(player.code for player in spec.players)
        cup.add(
            GameResult(
                id=spec.id,
                pairing=spec.pairing,
                players=players,
                outcome=OUTCOMES[how],
                turns=10,
                engines=tuple(EngineReport(name=code.upper()) for code in players),
                started="2026-11-21T01:00:00Z",
                wall_ns=1,
            )
        )
    return cup


def text(layout):
    return dedent(layout).strip("\n").splitlines()


def test_the_grid_of_the_manual():
    """s1 lost all to s2, won all of r; s2 won all; r has not won."""
    cup = event(("s1", "s2", "r"), "-+++---++")
    assert list(screen_lines(cup)) == text(
        """
        9/9 games played

              A   B   C
        A s1     0-3 3-0
        B s2 3-0     3-0
        C r  0-3 0-3
        """
    )


def test_level_games_are_halves_and_unknown_ones_nobodys():
    cup = event(("a", "b"), "=+?", rounds=None)
    assert list(screen_lines(cup)) == text(
        """
        3 games played

             A       B
        A a         0.5-1.5
        B b 1.5-0.5
        """
    )


def test_nothing_played_is_a_grid_of_nothing():
    assert list(screen_lines(event(("a", "b"))))[-1] == "B b 0-0"


def test_a_whole_report():
    cup = event(("a", "b", "c"), "+-", rounds=2, description="the autumn cup")
    assert report_lines(cup) == dedent(
        """\
        allplayall: cup
        the autumn cup

        2/6 games played

             A   B   C
        A a     1-0 0-1
        B b 0-1     0-0
        C c 1-0 0-0

        a v b (1/2 games)
        board size: 9   komi: 7.5
            wins
        a      1 100.00%   (black)
        b      0   0.00%   (white)

        a v c (1/2 games)
        board size: 9   komi: 7.5
            wins                   forfeits
        a      0   0.00%   (black)        1
        c      1 100.00%   (white)        0

        player a: A
        player b: B
        player c: C
        """
    ).split("\n")


@pytest.mark.parametrize(("number", "has_grid"), [(50, True), (51, False)])
def test_a_large_field_has_standings_for_a_grid(number, has_grid):
    cup = event(tuple(f"p{place:02}" for place in range(number)), "-" * number)
    shown, report = list(screen_lines(cup)), report_lines(cup)
    assert any(line.startswith("A  p00     0-1") for line in shown) == has_grid
    assert any(" v " in line for line in report) == has_grid
    assert (shown[-1] == "… and 1 more") != has_grid
    if not has_grid:
        # the first has lost to all others, and the second to the third
        assert shown[2:5] == [
            "          games  points    share  Berger  won  level  lost  forfeits",
            " 1. p02       2       2  100.00%    1.00    2      0     0         0",
            " 2. p03       1       1  100.00%    0.00    1      0     0         0",
        ]
        assert [line.split()[1] for line in report if "p50" in line] == ["p50", "p50:"]


def test_json_values_say_what_the_tables_say_and_more():
    cup = event(("a", "b", "c"), "+-", rounds=2)
    shown = json.loads(json.dumps(values(cup, {"AvC": {"time": 1}})))
    assert (shown["competition"]["kind"], shown["remaining"], shown["played"]) == ("allplayall", 4, 2)
    assert shown["competitors"] == {"A": "a", "B": "b", "C": "c"}
    assert [(block["id"], block["endings"]) for block in shown["matchups"]] == [
        ("AvB", {}),
        ("AvC", {"time": 1}),
    ]
    assert shown["matchups"][1]["players"][0]["timeouts"] == 1
    assert [(place["rank"], place["player"], place["points"]) for place in shown["standings"]] == [
        (1, "c", 1),
        (2, "a", 1),
        (3, "b", 0),
    ]
    assert shown["players"]["a"]["name"] == "A"


def test_a_cross_table_is_of_everybody():
    cup = event(("a", "b", "c"), "+-")
    assert crosses(cup)[""].score("a", "b") == (1, 0)
