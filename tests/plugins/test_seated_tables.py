"""The format of tables: units on one seed, who meets whom, resuming, and what it shows."""

from collections import Counter
from itertools import combinations

import pytest
from msgspec.structs import replace

from gyoji.core.faults import ConfigError
from gyoji.core.outcome import Ending, Outcome, ranked
from gyoji.core.plugins import FORMATS
from gyoji.core.record import GameResult
from gyoji.core.setup import CompetitionSetup
from gyoji.core.spec import Player
from gyoji.report.text import text_lines
from gyoji.tables.event_tables import tables_of
from gyoji.testing.competition_kit import check_competition

ORDER = "abcdefghijklmnopqrstuvwxyz"


def event(players="abc", *, kind="tables", seed=3, **settings):
    module = FORMATS.find(kind)
    made = module.settings(game="high_card", options={"turns": 5}, scorer="internal", **settings)
    found = {code: Player(code=code, command=(f"/bin/{code}",)) for code in players}
    setup = CompetitionSetup(code="cup", kind=kind, players=found, settings=made, game="high_card", seed=seed)
    return module.competition(setup)


def placed(spec, order=ORDER):
    """Players come in by their place in `order`. Totals are worth one more for each place."""
    codes = spec.codes
    places = [1 + sum(order.index(other) < order.index(code) for other in codes) for code in codes]
    return GameResult(
        id=spec.id,
        pairing=spec.pairing,
        players=codes,
        outcome=Outcome(
            points=ranked(places), ending=Ending.SCORE, totals=tuple(4.0 - place for place in places)
        ),
        turns=10,
        engines=(),
        started="2026-11-24T01:00:00Z",
        wall_ns=1,
        teams=tuple(range(len(codes))),
    )


def played_out(competition, order=ORDER):
    specs = []
    while (spec := competition.next_game()) is not None:
        specs.append(spec)
        competition.add(placed(spec, order))
    return specs


def test_a_table_plays_each_rotation_on_one_seed():
    specs = played_out(event(tables=3))
    assert [spec.id.rpartition("_")[2] for spec in specs] == ["0", "1", "2"] * 3
    for start in (0, 3, 6):
        unit = specs[start : start + 3]
        assert len({spec.seed for spec in unit}) == len({spec.pairing for spec in unit}) == 1
        assert [sorted(column) for column in zip(*(spec.codes for spec in unit), strict=True)] == [
            ["a", "b", "c"]
        ] * 3
    assert len({spec.seed for spec in specs}) == 3


def test_of_more_players_those_that_have_met_least_sit_together():
    specs = played_out(event("abcde", tables=10))
    tables = {spec.pairing: frozenset(spec.codes) for spec in specs}
    met = Counter(pair for table in tables.values() for pair in combinations(sorted(table), 2))
    assert set(met.values()) == {3}
    assert len(met) == 10


def test_a_run_that_is_resumed_issues_the_games_that_it_would_have_issued():
    whole = [spec.id for spec in played_out(event("abcde", tables=8))]
    for stored in (set(whole[:7]), set(whole[2:5]) | set(whole[9:12])):
        first, again = event("abcde", tables=8), event("abcde", tables=8)
        for spec in played_out(first):
            if spec.id in stored:
                again.add(placed(spec))
        assert again.remaining() == 24 - len(stored)
        assert {spec.id for spec in played_out(again)} == set(whole) - stored


def test_a_player_that_joins_later_sits_down_where_it_is_needed():
    first, later = event("abc", tables=6), event("abcd", tables=6)
    for spec in played_out(first)[:7]:
        later.add(placed(spec))
    rest = played_out(later)
    assert [spec.pairing for spec in rest[:2]] == [rest[0].pairing] * 2  # the table that had begun
    assert "d" not in rest[0].codes
    assert sum("d" in spec.codes for spec in rest) >= 9


def test_games_of_a_player_that_is_gone_do_not_count():
    gone = event("abc", tables=4)
    for spec in played_out(event("abcd", tables=4)):
        gone.add(placed(spec))
    assert gone.uncounted
    assert all("d" in name.split("_")[0].split(",") for name in gone.uncounted)


def test_a_stored_game_of_another_kind_is_refused():
    spec = event().next_game()
    with pytest.raises(ConfigError, match="not of a table of 3"):
        event().add(replace(placed(spec), pairing="a,b,c", id="a,b,c_0"))


def test_too_few_players_are_refused():
    with pytest.raises(ConfigError, match="expected 3 or more, as many as high_card has sides, got 2"):
        event("ab")


def test_a_format_keeps_what_the_port_promises():
    check_competition(lambda: event("abcde", tables=4), placed)
    check_competition(lambda: event("abcdefgh", kind="elimination", advance=1, rounds=2), placed)


def test_what_is_shown():
    competition = event("abcd", tables=4)
    setup = competition.setup
    played_out(competition, "badc")
    text = "\n".join(text_lines(tables_of(setup, competition).report()))
    assert "12 of 12 games, 4 tables of 3 played" in text
    assert "1. b       9    6.00  66.67%   1.00" in text
    assert "\na   0:6       6:0  6:0\n" in text
    assert list(tables_of(setup, competition).summary()) == ["standings: b 6/9, a 4/9, d 2/9, c 0/9"]


# A sequential test


def trial(order, **settings):
    competition = event(
        "ab" if not settings.get("others") else "abc", kind="sprt", elo0=0, elo1=20, **settings
    )
    return competition, played_out(competition, order)


def test_a_test_in_a_game_of_three_looks_at_units_against_copies_of_the_second_player():
    competition, specs = trial("ab", model="logistic")
    assert {tuple(sorted(spec.codes)) for spec in specs} == {("a", "b", "b")}
    for start in range(0, len(specs), 3):
        unit = specs[start : start + 3]
        assert len({spec.seed for spec in unit}) == 1
        assert sorted(spec.codes.index("a") for spec in unit) == [0, 1, 2]
    assert competition.is_decided
    assert competition.trial.decision.value == "accept H1"
    assert competition.trial.scores.games == competition.counted == len(specs)
    assert competition.trial.scores.mean == 1


def test_others_may_sit_with_the_two_of_a_test():
    competition, specs = trial("cba", others=("c",), competitors=("a", "b"), rounds=300, model="logistic")
    assert {tuple(sorted(spec.codes)) for spec in specs} == {("a", "b", "c")}
    assert (competition.trial.decision.value, competition.trial.scores.mean) == ("accept H0", 0)
    text = "\n".join(text_lines(tables_of(competition.setup, competition).report()))
    assert "games, mean of each unit of 3: 0.00%" in text
    assert [check.players[0].code for check in competition.checks()] == ["a", "b", "c"]
    check_competition(
        lambda: event("abc", kind="sprt", elo0=0, elo1=20, others=("c",), competitors=("a", "b"), rounds=30),
        lambda spec: placed(spec, "abc" if spec.seed % 2 else "bca"),
    )


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"others": ("c", "d")}, "others: expected 1, as high_card has 3 sides, got 2"),
        ({"rounds": 10}, "rounds: expected a multiple of 3, the games of a unit, got 10"),
        (
            {"model": "bayesian", "observations": "games"},
            'expected "normalized" or "logistic" in a game of 3',
        ),
    ],
)
def test_settings_of_a_test_that_do_not_fit_the_game_are_refused(settings, told):
    with pytest.raises(ConfigError, match=told):
        event("abcd", kind="sprt", elo0=0, elo1=20, competitors=("a", "b"), **settings)


# Elimination


def test_the_best_of_each_table_go_on_until_one_table_is_left():
    competition = event("abcdefghi", kind="elimination", advance=1)
    specs = played_out(competition, "cabdefghi")
    assert [(stage.players, stage.tables, stage.advance) for stage in competition.plan] == [
        (9, 3, 1),
        (3, 1, 0),
    ]
    assert len(specs) == 12
    assert competition.ranking[0] == "c"
    assert set(competition.ranking[:3]) == {
        competition.placed(table, 0)[0] for table in competition.seated[0]
    }
    setup = competition.setup
    text = "\n".join(text_lines(tables_of(setup, competition).report()))
    assert "12 games played, 0 to come" in text
    assert "final:\n  table 1: c 2," in text
    assert list(tables_of(setup, competition).summary()) == ["winner: c"]


@pytest.mark.parametrize("count", range(3, 20))
@pytest.mark.parametrize("advance", [1, 2])
def test_any_number_of_players_comes_down_to_one_table(count, advance):
    competition = event(ORDER[:count], kind="elimination", advance=advance)
    first = competition.remaining()
    specs = played_out(competition)
    assert len(specs) == first
    assert competition.remaining() == 0
    assert competition.ranking[0] == "a"
    assert sorted(competition.ranking) == list(ORDER[:count])
    final = [spec for spec in specs if spec.pairing.startswith(f"{len(competition.plan)},")]
    assert len(final) == 3
    # Nobody has two byes before everybody has had one.
    seats = Counter(
        code for tables in competition.seated for table in tables for code in table.players if code in "ab"
    )
    assert seats


def test_an_elimination_that_is_resumed_goes_on():
    whole = played_out(event("abcdefg", kind="elimination", advance=1, rounds=2))
    again = event("abcdefg", kind="elimination", advance=1, rounds=2)
    for spec in reversed(whole[:-5]):
        again.add(placed(spec))
    assert [spec.id for spec in played_out(again)] == [spec.id for spec in whole[-5:]]


def test_who_cannot_go_on_is_refused():
    with pytest.raises(ConfigError, match="a table has 3 players"):
        event("abcd", kind="elimination", advance=3)
