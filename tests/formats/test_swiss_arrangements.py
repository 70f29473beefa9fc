"""What is arranged of a Swiss tournament: byes, who comes late or leaves, forbidden pairs, acceleration; and
what stays when that changes."""

import pytest
from format_events import all_drawn, event, games, result, stronger_wins, won
from msgspec.structs import replace

from gyoji.core.faults import ConfigError
from gyoji.core.outcome import Ending, Outcome
from gyoji.pairing import swiss
from gyoji.pairing.fide import pair
from gyoji.pairing.tournament import Kind, Result
from gyoji.scheduler.reload import Fresh, join
from gyoji.testing.competition_kit import check_competition, drawn_result, skipped_result


def meetings(cup):
    """Who has met whom, round by round, as far as rounds have begun; in the order of the alphabet."""
    return [" ".join(sorted("".join(sorted(match.players)) for match in matches)) for matches in cup.played]


def standings(cup):
    return {place.player: place.points for place in cup.system.standings(cup.played)}


def played(players="abcdef", result_of=stronger_wins, **settings):
    cup = event("swiss", players, **{"rounds": 3, "games_per_match": 1, **settings})
    results = [result_of(spec) for spec in games(cup, result_of)]
    return cup, results


def folded(results, players="abcdef", **settings):
    cup = event("swiss", players, **{"rounds": 3, "games_per_match": 1, **settings})
    for each in results:
        cup.add(each)
    return cup


def test_who_has_asked_for_a_bye_is_not_paired_and_gets_what_it_is_worth():
    cup, _ = played(half_point_byes={"a": (2,), "b": (2,)}, zero_point_byes={"c": (3,)})
    first, second, third = meetings(cup)
    assert sorted(first.replace(" ", "")) == list("abcdef")
    assert sorted(second.replace(" ", "")) == list("cdef")
    assert "c" not in third
    assert cup.system.absences(cup.played) == [{}, {"a": 0.5, "b": 0.5}, {"c": 0.0}]
    assert cup.system.byes(cup.played)[:2] == ["", ""]
    assert cup.system.byes(cup.played)[2] in set("abdef")
    assert cup.is_over


def test_a_half_point_bye_counts_before_a_late_entry_and_not_after_a_withdrawal():
    arranged = {"late_entries": {"a": 2, "f": 2}, "withdrawals": {"b": 3, "c": 3}}
    cup, _ = played("abcdef", all_drawn, half_point_byes={"a": (1,), "b": (3,)}, **arranged)
    assert standings(cup) == {"a": 1.5, "b": 1, "c": 1, "d": 1.5, "e": 1.5, "f": 1}
    assert cup.system.absences(cup.played)[2] == {"b": 0.0, "c": 0.0}


def test_a_half_point_bye_is_half_of_a_match_of_any_number_of_games():
    cup, _ = played("abcd", all_drawn, rounds=1, games_per_match=4, half_point_byes={"a": (1,), "b": (1,)})
    assert standings(cup) == {"a": 2, "b": 2, "c": 2, "d": 2}
    cup, _ = played("abcd", all_drawn, rounds=1, points="matches", half_point_byes={"a": (1,), "b": (1,)})
    assert standings(cup) == {"a": 1, "b": 1, "c": 1, "d": 1}


def test_who_comes_later_plays_from_then_on_and_changes_nothing_before():
    before, results = played(rounds=2)
    cup = folded(results, "axbcdefy", rounds=3, late_entries={"x": 3, "y": 3})
    assert meetings(cup)[:2] == meetings(before)
    assert sorted(meetings(cup)[2].replace(" ", "")) == list("abcdefxy")
    assert (cup.uncounted, cup.remaining()) == ([], 4)
    assert standings(cup)["x"] == 0


def test_who_leaves_is_not_paired_any_more_and_keeps_its_points():
    before, results = played(rounds=1)
    cup = folded(results, rounds=3, withdrawals={"a": 2, "b": 2})
    games(cup)
    assert meetings(cup)[0] == meetings(before)[0]
    assert not set("ab") & set("".join(meetings(cup)[1:]))
    assert (standings(cup)["a"], cup.uncounted) == (1, [])


def test_players_of_one_author_and_forbidden_pairs_never_meet():
    cup, _ = played(
        "abcdefgh",
        all_drawn,
        rounds=4,
        forbidden_pairs=(("a", "e"), ("b", "f")),
        authors={"c": "Ann", "g": "Ann", "d": "Ben"},
    )
    met = " ".join(meetings(cup)).split()
    assert len(met) == 16
    assert not {"ae", "bf", "cg"} & set(met)


def test_in_an_accelerated_tournament_the_upper_half_meets_itself_first():
    assert meetings(played("abcdefgh", rounds=5)[0])[0] == "ae bf cg dh"
    accelerated = played("abcdefgh", rounds=5, acceleration="baku")[0]
    assert meetings(accelerated)[0] == "ac bd eg fh"
    assert standings(accelerated)["a"] <= 5, "virtual points are not in the table"


def test_late_entries_do_not_change_who_is_accelerated():
    """Of five, four are; then x comes above the last of these, and y below."""
    cup = event(
        "swiss", "axbcdye", rounds=4, acceleration="baku", late_entries={"x": 2, "y": 2}, games_per_match=1
    )
    games(cup, most=2)
    tournament = cup.system.tournament(cup.played[:1])
    assert [player.name for player in tournament.players if player.acceleration] == list("axbcd")
    assert tournament.players[0].acceleration == (10, 5)


# What was paired stays


def of_another_pairing(like, *pairs, started="2026-11-22T01:00:00Z"):
    """Results of round 2 as if these had met."""
    names = [f"2,{min(pair)},{max(pair)}" for pair in pairs]
    return [
        replace(like, id=f"{name}_0", pairing=name, players=tuple(pair), started=started)
        for name, pair in zip(names, pairs, strict=True)
    ]


def test_a_round_that_was_paired_otherwise_stays_and_the_rest_is_paired_around_it():
    cup, results = played("abcdefgh", rounds=2)
    first = results[:4]
    usual = meetings(cup)[1]
    assert usual == "ab cd ef gh" or "ah" not in usual
    kept = of_another_pairing(results[0], "ha")
    cup = folded([*first, *kept], "abcdefgh", rounds=3)
    assert "ah" in meetings(cup)[1]
    assert sorted(meetings(cup)[1].replace(" ", "")) == list("abcdefgh")
    assert cup.uncounted == []
    specs = games(cup)
    assert len(specs) == 3 + 4
    assert cup.cross.of("h").total.played == 3


def test_a_round_with_all_its_results_is_not_paired_again(monkeypatch):
    _, results = played("abcdefgh", rounds=3)
    paired = []
    monkeypatch.setattr(
        swiss, "pair", lambda tournament: paired.append(tournament.played) or pair(tournament)
    )
    cup = folded(results, "abcdefgh", rounds=3)
    assert (cup.is_over, cup.next_game(), paired) == (True, None, [0])


def test_a_round_that_was_cut_off_is_the_same_when_it_goes_on():
    cup, results = played("abcdefghijk", all_drawn, rounds=4)
    for count in range(len(results)):
        again = folded(results[:count], "abcdefghijk", rounds=4)
        games(again, all_drawn)
        assert meetings(again) == meetings(cup)


def test_of_two_matches_of_a_player_in_a_round_the_newer_one_counts():
    """As after a ruling that changed who should have met whom."""
    _, results = played("abcd", rounds=2)
    first = results[:2]
    older = of_another_pairing(results[0], "ab", "cd")
    newer = of_another_pairing(results[0], "ad", "bc", started="2026-11-23T01:00:00Z")
    for order in ([*older, *newer], [*newer, *older]):
        cup = folded([*first, *order], "abcd", rounds=2)
        assert meetings(cup)[1] == "ad bc"
        assert cup.uncounted == ["2,a,b_0", "2,c,d_0"]


def test_who_is_not_in_the_list_any_more_has_no_matches():
    """It had the bye in round 1, so its name is not missed there."""
    _, results = played("abcde", rounds=2)
    cup = folded(results, "abcd", rounds=3)
    games(cup)
    assert cup.is_over
    assert [sorted(each.replace(" ", "")) for each in meetings(cup)] == [list("abcd")] * 3
    assert cup.uncounted == [each.id for each in results if "e" in each.players]


def test_who_has_played_has_entered_whatever_is_arranged_now():
    _, results = played("abcd", rounds=2, late_entries={"d": 2})
    cup = folded(results, "abcd", rounds=3, late_entries={"d": 3}, zero_point_byes={"a": (2,)})
    assert "d" in "".join(meetings(cup)[1])
    assert len(cup.system.report(cup.played, ratings={}, lines=()).tournament.players) == 4
    assert cup.uncounted == []


def test_the_seats_of_a_match_that_has_begun_stay():
    cup = event("swiss", "abcd", rounds=2, games_per_match=3)
    first = [won(spec, "a") for spec in games(cup, lambda spec: won(spec, "a"), most=6)]
    spec = cup.next_game()
    turned = replace(won(spec, "a"), players=spec.codes[::-1])
    again = folded([*first, turned], "abcd", rounds=2, games_per_match=3)
    rest = {each.id: each.codes for each in games(again)}
    assert rest[spec.id[:-1] + "1"] == spec.codes
    assert rest[spec.id[:-1] + "2"] == spec.codes[::-1]


def test_what_is_being_played_while_the_file_is_read_again_stays_paired_too():
    """x comes into the round that is being played: it has the bye."""
    cup, results = played("abcdef", rounds=1)
    before = folded(results, rounds=3)
    playing = [before.next_game() for _ in range(3)]
    finished = won(playing[0], playing[0].codes[0])

    def make():
        return event("swiss", "xabcdef", rounds=3, games_per_match=1, late_entries={"x": 2})

    going_on, overlap = join(Fresh(make().setup, make), [*results, finished], playing[1:])
    assert set(overlap.values()) == {True}
    assert meetings(going_on) == [*meetings(cup), meetings(before)[1]]
    assert going_on.system.byes(going_on.played) == ["", "x"]


def test_a_round_in_which_nobody_is_there_is_over_at_once():
    cup, results = played("abcd", rounds=3, zero_point_byes=dict.fromkeys("abcd", (2,)))
    assert [len(matches) for matches in cup.played] == [2, 0, 2]
    assert len(results) == 4


def test_forbidden_pairs_that_cannot_be_avoided_are_told():
    cup, _ = played("abcd", rounds=1, forbidden_pairs=(("a", "b", "c"),))
    (line,) = cup.system.departures(cup.played).values()
    assert line.startswith("not paired as the rules say: ")
    assert line.endswith(" although that is forbidden")


# What the rounds are to those who pair and report them


def test_a_match_of_which_no_game_was_played_is_a_forfeit():
    cup = event("swiss", "abcd", rounds=2, games_per_match=1)
    one, other = cup.next_game(), cup.next_game()
    cup.add(skipped_result(one))
    cup.add(won(other, "b"))
    entries = [player.entries[0] for player in cup.system.tournament(cup.played[:1]).players]
    assert [entry.kind for entry in entries] == [Kind.FORFEIT, Kind.GAME, Kind.FORFEIT, Kind.GAME]
    assert [entry.result for entry in entries] == [Result.LOSS, Result.WIN, Result.LOSS, Result.LOSS]


def test_matches_of_an_even_number_of_games_give_nobody_a_claim_to_a_seat():
    for number, expected in ((1, {0, 1}), (2, {None}), (3, {0, 1})):
        cup, _ = played("abcd", rounds=1, games_per_match=number)
        tournament = cup.system.tournament(cup.played)
        assert {player.entries[0].seat for player in tournament.players} == expected


def test_points_of_games_are_those_of_the_match_even_where_no_result_has_as_many():
    cup = event("swiss", "ab", rounds=1, games_per_match=3)
    for winner in ("a", "a", ""):
        cup.add(won(cup.next_game(), winner))
    tournament = cup.system.tournament(cup.played)
    assert [tournament.score(number) for number in (0, 1)] == [25, 5]
    assert [player.entries[0].result for player in tournament.players] == [Result.WIN, Result.LOSS]


def test_a_report_has_the_rounds_that_are_over_and_byes_on_request_of_later_ones():
    cup = event(
        "swiss",
        "abcdef",
        rounds=4,
        games_per_match=1,
        half_point_byes={"c": (2, 4)},
        withdrawals={"f": 3},
        late_entries={"e": 4},
    )
    games(cup, most=3)
    report = cup.system.report(cup.played, ratings={"a": 2000.4}, lines=(("012", "cup"),))
    assert [player.name for player in report.tournament.players] == list("abcdf")
    assert report.tournament.players[0].rating == 2000
    assert report.tournament.played == 1
    assert report.byes == {2: {4: Result.LOSS}, 3: {2: Result.DRAW, 4: Result.LOSS}}
    assert sorted(report.ranks) == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"half_point_byes": {"z": (1,)}}, "cup: half_point_byes: 'z' is not a competitor"),
        ({"half_point_byes": {"a": (1, 4)}}, "half_point_byes: a: expected a round from 1 to 3, got 4"),
        ({"late_entries": {"a": 0}}, "late_entries: a: expected a round from 1 to 3, got 0"),
        ({"withdrawals": {"a": 1}}, "withdrawals: a: expected a round after its first one, got 1"),
        ({"authors": {"z": "Ann"}}, "authors: 'z' is not a competitor"),
        ({"forbidden_pairs": (("a",),)}, "forbidden_pairs: expected two players or more in a group, got 1"),
        ({"forbidden_pairs": (("a", "z"),)}, "forbidden_pairs: 'z' is not a competitor"),
    ],
)
def test_what_cannot_be_arranged_is_refused(settings, problem):
    with pytest.raises(ConfigError, match=problem):
        event("swiss", rounds=3, **settings)


@pytest.mark.parametrize(
    "settings",
    [
        {"half_point_byes": {"a": (1, 3)}, "zero_point_byes": {"b": (2,)}},
        {"late_entries": {"c": 3}, "withdrawals": {"d": 2}, "acceleration": "baku"},
        {"forbidden_pairs": (("a", "b", "c"),), "authors": {"d": "Ann", "e": "Ann"}, "games_per_match": 1},
    ],
    ids=["byes", "coming and going", "forbidden"],
)
def test_arranged_tournaments_keep_the_promises_of_a_competition(settings):
    def summary(cup):
        return cup.system.standings(cup.played), cup.uncounted, cup.engines

    check_competition(
        lambda: event("swiss", "abcdefghi", **{"rounds": 4, **settings}),
        drawn_result,
        summary=summary,
        is_balanced=True,
    )


def test_an_undecided_game_gives_nobody_a_point():
    cup = event("swiss", "ab", rounds=1, games_per_match=1)
    cup.add(result(cup.next_game(), Outcome(points=None, ending=Ending.MOVE_LIMIT)))
    entries = [player.entries[0] for player in cup.system.tournament(cup.played).players]
    assert [(entry.kind, entry.result) for entry in entries] == [(Kind.GAME, Result.LOSS)] * 2
