"""The reports of groups: standings on the screen, cross tables in the report, both as values."""

import json
from textwrap import dedent

from gyoji.core.outcome import Ending, Outcome, won_by
from gyoji.core.record import EngineReport, GameResult
from gyoji.core.setup import CompetitionSetup
from gyoji.core.spec import Player
from gyoji.formats.groups import Groups
from gyoji.formats.groups.group import Group, Settings
from shown import crosses, report_lines, screen_lines, values


def group(code, players, **settings):
    options = {"board_size": 9, "komi": 7.5}
    return Group(
        game="go",
        id=code,
        name=f"group {code}",
        players=tuple(players),
        rounds=2,
        options=options,
        **settings,
    )


def result(name, pairing, codes, winner):
    return GameResult(
        id=name,
        pairing=pairing,
        players=codes,
        outcome=Outcome(points=won_by(winner, 2), ending=Ending.SCORE),
        turns=10,
        engines=tuple(EngineReport(name=code.upper(), think_ns=10**9) for code in codes),
        started="2026-11-21T01:00:00Z",
        wall_ns=1,
    )


def event(games, *groups):
    """The first `games` games of groups, which White wins, but for the first one."""
    codes = "".join(code for each in groups for code in each.players)
    players = {code: Player(code=code, command=(code,)) for code in codes}
    setup = CompetitionSetup(
        code="cup",
        kind="groups",
        players=players,
        settings=Settings(groups=groups),
        description="the autumn cup",
    )
    cup = Groups(setup)
    for number in range(games):
        spec = cup.next_game()
        codes = tuple(player.code for player in spec.players)
        cup.add(result(spec.id, spec.pairing, codes, min(number, 1)))
    return cup


CUP = (group("A", "a"), group("B", "bc", promote=1))


def text(layout):
    return dedent(layout).strip("\n").splitlines()


def test_the_screen_has_the_standings_of_each_group():
    assert list(screen_lines(event(1, *CUP))) == text(
        """
        group A waits for the best 1 of group B

        group B (1/2 games)
               games  points    share  Berger  won  level  lost
        1. b       1       1  100.00%    0.00    1      0     0
        2. c       1       0    0.00%    0.00    0      0     1
        """
    )


def test_the_report_has_a_cross_table_of_each_group_and_who_went_up():
    lines = report_lines(event(4, *CUP))
    at = lines.index("group B (2/2 games)")
    header, first, second, promotion = lines[at + 2 : at + 6]
    assert lines[at + 1] == "board size: 9   komi: 7.5"
    assert header.split()[:5] == ["1.", "2.", "points", "share", "won"]
    assert first.startswith("1. b    -  2:0       2  100.00%    2      0     0    1/1    1/1")
    assert second.startswith("2. c  0:2    -       0    0.00%    0      0     2    0/1    0/1")
    assert promotion == "promoted: b"
    assert lines[:4] == ["groups: cup", "the autumn cup", "", "group A (2/2 games)"]
    assert lines[-4:] == ["player a: A", "player b: B", "player c: C", ""]


def test_games_that_do_not_count_are_named():
    cup = event(2, *CUP)
    for pairing in ("A,a,c", "Z,a,b"):
        codes = tuple(pairing.split(",")[1:])
        cup.add(result(f"{pairing}_0", pairing, codes, 0))
    lines = report_lines(cup)
    assert "not counted, of players that are not in this group: A,a,c_0" in lines
    assert "not counted, of groups that no longer exist: Z,a,b_0" in lines
    assert "group A (0/2 games)" in lines
    assert not any("not counted" in line for line in report_lines(event(2, *CUP)))


def test_values_say_what_the_tables_say():
    shown = json.loads(json.dumps(values(event(3, *CUP), {"B,b,c": {"score": 2}})))
    final, below = shown["groups"]
    assert (shown["remaining"], final["players"], final["waits_for"]) == (1, ["a", "b"], [])
    assert (below["played"], below["total"], below["is_over"], below["promoted"]) == (2, 2, True, ["b"])
    assert [(place["rank"], place["player"], place["points"]) for place in below["standings"]] == [
        (1, "b", 2),
        (2, "c", 0),
    ]
    assert below["matchups"][0]["endings"] == {"score": 2}
    waiting = values(event(0, *CUP), {})["groups"][0]
    assert (waiting["waits_for"], waiting["standings"], waiting["matchups"]) == (["B"], [], [])


def test_there_is_a_cross_table_for_each_group_that_has_begun():
    assert list(crosses(event(1, *CUP))) == ["group B"]
    assert list(crosses(event(3, *CUP))) == ["group A", "group B"]
