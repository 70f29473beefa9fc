"""Everybody against everybody: gomill's ids, both orders of seats; competitors that join; a large field."""

from collections import Counter
from itertools import combinations

import pytest
from format_events import mistake
from msgspec.structs import replace

from gyoji.config.competition import load
from gyoji.core.faults import ConfigError
from gyoji.core.openings import Openings
from gyoji.core.setup import CompetitionSetup
from gyoji.core.spec import Player
from gyoji.formats.allplayall import RoundRobinEvent, Settings
from gyoji.testing.competition_kit import check_competition, drawn_result


def event(codes="abc", *, players="", **settings):
    """Return an all-play-all of competitors with codes of one letter. players: all players of the file."""
    made = {code: Player(code=code, command=(f"/bin/{code}",)) for code in players or codes}
    full = Settings(game="go", competitors=tuple(codes), **settings)
    return RoundRobinEvent(
        CompetitionSetup(code="cup", kind="allplayall", players=made, settings=full, seed=3)
    )


def specs(cup, count=1000):
    issued = []
    while len(issued) < count and (spec := cup.next_game()) is not None:
        issued.append(spec)
    return issued


def ids(cup, count=1000):
    return [spec.id for spec in specs(cup, count)]


def played(codes, **settings):
    """Return the results of a whole event."""
    return [drawn_result(spec) for spec in specs(event(codes, **settings))]


def folded(results, *how, **settings):
    cup = event(*how, **settings)
    for result in results:
        cup.add(result)
    return cup


def seats(cup):
    """Who has the first and the second seat, game by game."""
    return ["".join(player.code for player in spec.players) for spec in specs(cup)]


def test_a_round_is_a_game_of_every_pair():
    assert ids(event(rounds=2, seating="list")) == ["AvB_0", "AvC_0", "BvC_0", "AvB_1", "AvC_1", "BvC_1"]
    assert ids(event(rounds=2)) == ["BvC_0", "AvB_0", "AvC_0", "BvC_1", "AvB_1", "AvC_1"]


def test_in_gomills_order_the_earlier_competitor_begins_and_then_they_take_turns():
    assert seats(event(rounds=2, seating="list")) == ["ab", "ac", "bc", "ba", "ca", "cb"]


def test_in_bergers_tables_each_begins_in_turn_and_then_they_change_seats():
    assert seats(event(rounds=2)) == ["bc", "ab", "ca", "cb", "ba", "ac"]


@pytest.mark.parametrize("rounds", [1, 2, 3, 5])
@pytest.mark.parametrize("codes", ["ab", "abc", "abcd", "abcdefg", "abcdefgh", "abcdefghijk"])
def test_nobody_has_the_first_seat_more_than_once_more_than_the_second(codes, rounds):
    firsts = Counter(pair[0] for pair in seats(event(codes, rounds=rounds)))
    games = rounds * (len(codes) - 1)
    assert all(abs(2 * firsts[code] - games) == rounds * (len(codes) - 1) % 2 for code in codes)


@pytest.mark.parametrize("games", [1, 8, 15, 22])
@pytest.mark.parametrize("more", ["", "g", "gh"])
def test_who_have_met_go_on_changing_seats_whoever_joins(games, more):
    stored = [drawn_result(spec) for spec in specs(event("abcdef", rounds=2))[:games]]
    rest = seats(folded(stored, "abcdef" + more, rounds=2))
    met = Counter(["".join(result.players) for result in stored] + rest)
    assert all(met[a + b] == met[b + a] == 1 for a, b in combinations("abcdef" + more, 2))


def test_ids_are_padded_by_the_number_of_rounds():
    assert ids(event("ab", rounds=11))[-2:] == ["AvB_09", "AvB_10"]
    assert ids(event("ab"), 11)[-2:] == ["AvB_9", "AvB_10"]


@pytest.mark.parametrize(("rounds", "remaining", "issued"), [(2, 6, 6), (0, 0, 0), (None, None, 20)])
def test_rounds_limit_the_games_of_each_pair(rounds, remaining, issued):
    assert event(rounds=rounds).remaining() == remaining
    assert len(ids(event(rounds=rounds), 20)) == issued


def test_both_games_of_an_opening_are_played_before_the_next_pair_has_its_turn():
    cup = event(rounds=4, seating="list", options={"opening": ""}, openings=Openings(lines=("x", "y")))
    told = [(spec.id, spec.players[0].code, spec.options["opening"]) for spec in specs(cup)]
    assert told[:4] == [("AvB_0", "a", "x"), ("AvB_1", "b", "x"), ("AvC_0", "a", "x"), ("AvC_1", "c", "x")]
    assert [name for name, _, opening in told if opening == "y"] == [
        f"{pair}_{number}" for pair in ("AvB", "AvC", "BvC") for number in (2, 3)
    ]


def test_a_competitor_that_joins_catches_up_first():
    cup = folded(played("abc", rounds=3), "abcd", rounds=4)
    late = [f"{pair}_{number}" for number in range(3) for pair in ("AvD", "CvD", "BvD")]
    assert ids(cup) == [*late, "AvD_3", "BvC_3", "CvD_3", "AvB_3", "BvD_3", "AvC_3"]


def test_games_are_played_by_the_players_of_their_letters():
    for spec in specs(event("abcdefg", rounds=1)):
        first, second = ("abcdefg"["ABCDEFG".index(letter)] for letter in spec.pairing.split("v"))
        assert {player.code for player in spec.players} == {first, second}


@pytest.mark.parametrize("now", ["ac", "acb", "bac", "abd", "abx"])
def test_competitors_that_were_taken_out_replaced_or_moved_are_refused(now):
    with pytest.raises(ConfigError, match=r"stored game .* may be added at the end, but not taken out"):
        folded(played("abc", rounds=1), now, rounds=1)


def test_competitors_without_a_game_may_go():
    results = [result for result in played("abc", rounds=1) if "c" not in result.players]
    assert folded(results, "ab", rounds=1).played == 1


@pytest.mark.parametrize("name", ["AvB_x", "AvB_", "AvB"])
def test_a_stored_game_that_no_all_play_all_made_is_refused(name):
    stored = replace(played("ab", rounds=1)[0], id=name)
    with pytest.raises(ConfigError, match="does not belong to matchup 'AvB'"):
        event("ab").add(stored)


def test_fewer_rounds_forget_nothing():
    cup = folded(played("ab", rounds=4), "ab", rounds=2)
    assert (ids(cup), cup.remaining(), cup.played) == ([], 0, 4)


@pytest.mark.parametrize(
    ("competitors", "problem"),
    [("a", "competitors: expected two or more, got only 'a'"), ("aba", "competitors: 'a' is given twice")],
)
def test_competitors_are_two_or_more_and_different(competitors, problem):
    with pytest.raises(ValueError, match=problem):
        Settings(game="go", competitors=tuple(competitors))


def test_without_a_list_all_players_compete_but_the_one_that_scores():
    cup = event("", players="abs", rounds=1, scorer="engine", scoring_player="s")
    assert cup.competitors == ("a", "b")
    with pytest.raises(ConfigError, match="expected two or more"):
        event("", players="a")


def test_every_competitor_is_checked_in_order_and_the_player_that_scores():
    cup = event("cab", players="abcds", rounds=1, scorer="engine", scoring_player="s")
    assert [spec.players[0].code for spec in cup.checks()] == ["c", "a", "b", "s"]
    assert list(event("ab", rounds=0).checks()) == []


@pytest.mark.parametrize(
    ("codes", "settings"),
    [
        ("ab", {"rounds": 1}),
        ("abcd", {"rounds": 3}),
        ("abc", {}),
        ("abc", {"rounds": 5, "options": {"opening": ""}, "openings": Openings(lines=("x", "y", "z"))}),
    ],
    ids=["one game", "four", "endless", "openings"],
)
def test_an_all_play_all_keeps_the_promises_of_a_competition(codes, settings):
    def summary(cup):
        return list(cup.stats()), cup.engines, cup.played

    check_competition(
        lambda: event(codes, **settings), drawn_result, longest=60, summary=summary, is_balanced=True
    )


def test_a_thousand_players_are_half_a_million_pairs_at_once():
    """Nothing is made for a pair before it meets: 2000 games of a thousand players take no time."""
    players = {f"p{number}": Player(code=f"p{number}", command=("/x",)) for number in range(1000)}
    setup = CompetitionSetup(
        code="cup", kind="allplayall", players=players, settings=Settings(game="go", rounds=2)
    )
    cup = RoundRobinEvent(setup)
    assert cup.remaining() == 999_000
    for spec in specs(cup, 2000):
        cup.add(drawn_result(spec))
    assert cup.next_game().pairing == "CvALL"
    assert cup.remaining() == 999_000 - 2001
    assert sum(1 for player in players for _ in cup.cross.opponents(player)) == 4000
    assert {sum(1 for _ in cup.cross.opponents(player)) for player in players} == {4}


TOML = """
competition = "allplayall"
board_size = 9
komi = 7.5
competitors = ["b", "a"]
rounds = 4
players = {a = {command = "a"}, b = {command = "b"}, c = {command = "c"}}
"""
CTL = """
competition_type = 'allplayall'
board_size, komi = 9, 7.5
players = {code: Player(code) for code in "abc"}
competitors = ["b", Competitor("a")]
rounds = 4
"""


@pytest.mark.parametrize(("name", "text"), [("cup.toml", TOML), ("cup.ctl", CTL)])
def test_control_files_of_both_kinds(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text)
    cup = RoundRobinEvent(load(path))
    assert (cup.competitors, cup.settings.rounds, cup.setup.warnings) == (("b", "a"), 4, ())
    assert cup.next_game().options["board_size"] == 9
    assert cup.settings.seating == ("list" if name.endswith(".ctl") else "berger")


def test_gomills_control_files_can_ask_for_bergers_tables(tmp_path):
    path = tmp_path / "cup.ctl"
    path.write_text(CTL + "seating = 'berger'")
    assert load(path).settings.seating == "berger"


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('"a"]', '"q"]', "competitors.1: there is no player 'q'"),
        ('"a"]', '"b"]', "competitors: 'b' is given twice"),
        ("rounds = 4", "rounds = 4.5", "rounds: expected a whole number"),
        ("komi = 7.5", "", "komi: required, but not given"),
    ],
)
def test_mistakes_are_told_with_their_place(tmp_path, old, new, problem):
    assert problem in mistake(tmp_path, TOML.replace(old, new))
