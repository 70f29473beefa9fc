import json
from textwrap import dedent

import pytest

from gyoji.core.outcome import Ending, Outcome, lost_by, shared, won_by
from gyoji.core.record import EngineReport, GameResult
from gyoji.core.setup import CompetitionSetup
from gyoji.core.spec import Adjudication, Player, Threshold
from gyoji.formats.playoff import Matchup, Playoff, Settings
from gyoji.tables.event import history_line, player_lines
from shown import report_lines, screen_lines, values

SCORED = {"ending": Ending.SCORE, "margin": 3.5}


def game(name, players, outcome, engines=None, cpu=None):
    """A result; outcome is a dict of Outcome's fields."""
    return GameResult(
        id=name,
        pairing=name.rpartition("_")[0],
        players=tuple(players),
        outcome=Outcome(**outcome),
        turns=10,
        engines=engines or tuple(EngineReport(name=p.upper(), cpu_ns=cpu) for p in players),
        started="2026-11-21T01:10:00+00:00",
        wall_ns=10**9,
    )


def won(name, players, by, **more):
    return game(name, players, {"points": won_by(by, 2), **SCORED}, **more)


def matchup(first, second, name, **more):
    options = {"board_size": 9, "komi": 7.5}
    more.setdefault("name", f"{first} v {second}")
    return Matchup(game="go", options=options, player_1=first, player_2=second, id=name, **more)


def playoff(*matchups, results=(), description=""):
    players = {
        code: Player(code=code, command=(code,)) for m in matchups for code in (m.player_1, m.player_2)
    }
    setup = CompetitionSetup(
        code="cup",
        kind="playoff",
        players=players,
        settings=Settings(matchups=matchups),
        description=description,
    )
    made = Playoff(setup)
    for result in results:
        made.add(result)
    return made


def ringmaster_sample():
    """The first three games of the ringmaster's manual: gnugo-l1 took two of three."""
    one, two = "gnugo-l1", "gnugo-l2"
    cup = matchup(one, two, "0", alternating=True, number_of_games=5)
    return playoff(
        cup,
        results=[
            won("0_0", (one, two), 0),
            won("0_1", (two, one), 0),
            won("0_3", (two, one), 1),
        ],
    )


def test_the_screen_of_the_manual():
    assert list(screen_lines(ringmaster_sample())) == [
        "gnugo-l1 v gnugo-l2 (3/5 games)",
        "board size: 9   komi: 7.5",
        "           wins              black         white",
        "gnugo-l1      2 66.67%       1 100.00%     1 50.00%",
        "gnugo-l2      1 33.33%       1  50.00%     0  0.00%",
        "                             2  66.67%     1 33.33%",
    ]


def test_a_whole_report_with_a_ghost_and_an_unplayed_matchup():
    engines = (
        EngineReport(name="Alpha:1.0", description="Alpha:1.0 seed 1\nby nobody"),
        EngineReport(name="Béta"),
    )
    cup = playoff(
        matchup("a", "b", "m", number_of_games=2),
        matchup("a", "c", "later"),
        results=[
            won("m_0", ("a", "b"), 0, engines=engines),
            won("gone_0", ("a", "x"), 1, engines=(engines[0], EngineReport())),
        ],
        description="the autumn cup",
    )
    assert report_lines(cup) == dedent(
        """\
        playoff: cup
        the autumn cup

        a v b (1/2 games)
        board size: 9   komi: 7.5
            wins
        a      1 100.00%   (black)
        b      0   0.00%   (white)

        a v x (1 games)
        ?? (missing from control file)
            wins
        a      0   0.00%   (black)
        x      1 100.00%   (white)

        player a: Alpha:1.0 seed 1
        by nobody
        player b: Béta
        player x: x
        """
    ).split("\n")
    assert "a v x (1 games)" not in list(screen_lines(cup))


def test_a_playoff_without_results_says_who_will_meet_and_its_report_nothing():
    cup = playoff(matchup("a", "b", "0"))
    assert list(screen_lines(cup)) == ["a v b (0 games)"]
    assert report_lines(cup) == ["playoff: cup", "", "", ""]


def test_the_last_game_says_what_an_engine_is():
    def told(version):
        return (EngineReport(name="A", description=f"A {version}"), EngineReport(name="B"))

    cup = playoff(
        matchup("a", "b", "0"),
        results=[won("0_1", ("a", "b"), 0, engines=told(2)), won("0_0", ("a", "b"), 0, engines=told(1))],
    )
    assert player_lines(cup.engines)[0] == "player a: A 2"


def test_the_settings_say_what_may_end_a_game_before_its_rules_do():
    win = Threshold(chance=0.95, after=20)
    adjudicated = matchup("a", "b", "0", adjudication=Adjudication(win=win, length=300))
    cup = playoff(adjudicated, results=[won("0_0", ("a", "b"), 0)])
    told = "win (chance 0.95, 3 moves, after 20) by both sides, level after 300"
    line = f"board size: 9   komi: 7.5   adjudication: {told}"
    assert line in report_lines(cup)


def test_self_play_has_two_rows():
    cup = playoff(
        matchup("a", "a", "0", alternating=True),
        results=[won("0_0", ("a", "a#2"), 0), won("0_1", ("a#2", "a"), 0)],
    )
    rows = list(screen_lines(cup))[3:5]
    assert [row.split()[0] for row in rows] == ["a", "a#2"]


def test_the_sides_add_up_to_the_wins_when_games_were_level():
    """gomill gave every colour cell half of every level game."""
    level = {"points": shared(2), "ending": Ending.SCORE}
    cup = playoff(
        matchup("a", "b", "0", alternating=True),
        results=[
            game("0_0", ("a", "b"), level),
            won("0_1", ("b", "a"), 0),
            game("0_2", ("a", "b"), level),
            won("0_3", ("b", "a"), 1),
        ],
    )
    assert list(screen_lines(cup))[3:] == [
        "a      2 50.00%       1 50.00%     1 50.00%",
        "b      2 50.00%       1 50.00%     1 50.00%",
        "                      2 50.00%     2 50.00%",
    ]


@pytest.mark.parametrize(
    ("name", "line"),
    [("0_1", "    0_1 a beat b B+3.5"), ("matchup_10", "matchup_10 a beat b B+3.5")],
)
def test_history_lines_align_ids(name, line):
    assert history_line(won(name, ("a", "b"), 0)) == line


def test_json_values_say_what_the_tables_say_and_more():
    forfeit = {"points": lost_by(1, 2), "ending": Ending.ILLEGAL_MOVE, "detail": "ko at D4", "seat": 1}
    cup = playoff(
        matchup("a", "b", "0", alternating=True, number_of_games=10),
        results=[
            won("0_0", ("a", "b"), 0, cpu=2 * 10**9),
            game("0_1", ("b", "a"), {"points": None, "ending": Ending.MOVE_LIMIT}),
            game("0_2", ("a", "b"), forfeit),
        ],
    )
    shown = json.loads(json.dumps(values(cup, {"0": {"score": 1, "illegal move": 1, "move limit": 1}})))
    assert shown["competition"] == {"code": "cup", "kind": "playoff", "game": "go", "description": ""}
    assert shown["remaining"] == 7
    (block,) = shown["matchups"]
    assert block["settings"] == {
        "game": "go",
        "options": {"board_size": 9, "komi": 7.5},
        "clock": "none",
        "move_limit": 1000,
        "scorer": "players",
        "adjudication": "none",
        "alternating": True,
        "number_of_games": 10,
    }
    assert (block["played"], block["unknown"], block["in_control_file"]) == (3, 1, True)
    assert block["endings"] == {"illegal move": 1, "move limit": 1, "score": 1}
    first, second = block["players"]
    assert (first["points"], first["wins"], first["losses"], first["unknown"]) == (2, 2, 0, 1)
    assert (first["score"], second["score"]) == (1, 0)
    assert (second["forfeits"], second["timeouts"], second["errors"]) == (1, 0, 1)
    assert first["interval_95"] == pytest.approx([0.342, 1], abs=0.001)
    assert first["sides"]["white"] == {
        "played": 1, "points": 0, "wins": 0, "losses": 0, "level": 0, "unknown": 1,
        "forfeits": 0, "timeouts": 0, "errors": 0,
    }  # fmt: skip
    assert first["cpu_s"] == 2


def test_values_without_games_have_no_score_and_no_interval():
    (block,) = values(playoff(matchup("a", "b", "0")), {})["matchups"]
    assert [(p["score"], p["interval_95"]) for p in block["players"]] == [(None, None)] * 2


def test_the_layout_of_a_format_is_found_by_its_name():
    lines = screen_lines(ringmaster_sample())
    assert next(lines).startswith("gnugo-l1 v gnugo-l2")
