"""Rounds of matches: when they begin, which games come next, what openings they have, what does not count."""

import pytest
from msgspec.structs import replace

from gyoji.core.faults import ConfigError
from gyoji.core.openings import Openings
from gyoji.core.outcome import Ending, Outcome, shared, won_by
from gyoji.core.record import WAITING, GameResult
from gyoji.core.setup import CompetitionSetup, GameSettings
from gyoji.core.spec import Player
from gyoji.pairing.rounds import Rounds
from gyoji.results.matches import Fixture, Terms

PLAYERS = {code: Player(code=code, command=(code,)) for code in "abcd"}
OPENED = {"options": {"opening": ""}, "openings": Openings(lines=tuple("rstuvw"))}


class WinnersMeet:
    """Two rounds: a and b, c and d; then the winners, and the losers; a, c and b, d if it does not wait."""

    def __init__(self, terms, *, waits=True):
        self.players = tuple("abcd")
        self.sizes = (2, 2)
        self.terms = terms
        self.waits = waits

    def draw(self, played):
        winners, losers = ["a", "c"], ["b", "d"]
        if not played:
            return [Fixture("a", "b", "semifinal"), Fixture("c", "d", "semifinal")]
        if self.waits:
            winners = [match.players[match.winner or 0] for match in played[0]]
            losers = [match.players[1 - (match.winner or 0)] for match in played[0]]
        return [Fixture(*winners, "final"), Fixture(*losers, "consolation")]

    def ranking(self, played):
        return self.players


def rounds(*, waits=True, path=(), is_begin=True, terms=None, **settings):
    setup = CompetitionSetup(code="cup", kind="swiss", players=PLAYERS, settings=None)
    system = WinnersMeet(terms or Terms(games=2), waits=waits)
    return Rounds(setup, GameSettings(game="go", **settings), system, path=path, is_begin=is_begin)


def result(spec, winner="a", **outcome):
    """`winner` wins if it plays, else the game is level."""
    codes = [player.code for player in spec.players]
    points = won_by(codes.index(winner), 2) if winner in codes else shared(2)
    return GameResult(
        id=spec.id,
        pairing=spec.pairing,
        players=tuple(codes),
        outcome=Outcome(**{"points": points, "ending": Ending.SCORE, **outcome}),
        turns=1,
        engines=(),
        started="",
        wall_ns=1,
    )


def issue(made, most=100):
    """Return the specs that can be issued now."""
    specs = []
    while len(specs) < most and (spec := made.next_game()) is not None:
        specs.append(spec)
    return specs


def play(made, winner="a"):
    """Everything, each result told at once."""
    specs = []
    while (spec := made.next_game()) is not None:
        specs.append(spec)
        made.add(result(spec, winner))
    return specs


def ids(specs):
    return [spec.id for spec in specs]


def test_a_round_begins_when_the_one_before_is_over():
    made = rounds()
    first = issue(made)
    assert ids(first) == ["1,a,b_0", "1,c,d_0", "1,a,b_1", "1,c,d_1"]
    for spec in first[:3]:
        made.add(result(spec, "b"))
        assert (issue(made), made.remaining()) == ([], 4)
    made.add(result(first[3]))
    assert ids(issue(made)) == ["2,b,c_0", "2,a,d_0", "2,b,c_1", "2,a,d_1"]
    assert (made.remaining(), made.is_over) == (0, False)


def test_rounds_that_wait_for_nothing_follow_at_once():
    assert len(issue(rounds(waits=False))) == 8


def test_the_players_change_places_after_each_game():
    seats = ["".join(player.code for player in spec.players) for spec in play(rounds())]
    assert seats[:4] == ["ab", "cd", "ba", "dc"]


def test_records_say_which_match_a_game_is_of():
    assert [spec.note for spec in play(rounds())][::4] == ["semifinal", "final"]


def opening_of(specs):
    return {spec.id: spec.options["opening"] for spec in specs}


def test_a_round_has_openings_of_its_own_the_same_in_every_match():
    openings = opening_of(play(rounds(**OPENED)))
    assert {name[0]: opening for name, opening in openings.items()} == {"1": "r", "2": "s"}
    assert len(set(openings.values())) == 2


def test_both_games_of_an_opening_come_one_after_the_other():
    assert ids(issue(rounds(**OPENED))) == ["1,a,b_0", "1,a,b_1", "1,c,d_0", "1,c,d_1"]


@pytest.mark.parametrize(("games", "expected"), [(1, "r s"), (2, "rr ss"), (3, "rrs ttu"), (4, "rrss ttuu")])
def test_a_match_begins_with_a_new_opening_whatever_its_number_of_games(games, expected):
    openings = opening_of(play(rounds(terms=Terms(games=games), **OPENED)))
    told = [
        "".join(openings[f"{number},a,{other}_{game}"] for game in range(games))
        for number, other in ((1, "b"), (2, "c"))
    ]
    assert " ".join(told) == expected


def test_extra_games_have_openings_that_come_after_those_of_all_rounds():
    specs = play(rounds(terms=Terms(games=2, extras=2), **OPENED), winner="nobody")
    openings = opening_of(specs)
    assert [openings[f"1,a,b_{game}"] for game in range(6)] == list("rrttvv")
    assert [openings[f"2,a,c_{game}"] for game in range(6)] == list("ssuuww")


def test_extra_games_are_issued_when_a_match_is_drawn():
    made = rounds(terms=Terms(games=1, extras=1))
    specs = issue(made)
    made.add(result(specs[0], "nobody"))
    made.add(result(specs[1], "c"))
    assert (made.remaining(), ids(issue(made))) == (1 + 2, ["1,a,b_1"])


def test_results_of_a_round_that_has_not_begun_are_kept_until_it_does():
    played = [result(spec) for spec in play(rounds())]
    made = rounds()
    for each in reversed(played):
        made.add(each)
    assert (made.is_over, made.remaining(), made.uncounted) == (True, 0, [])
    assert made.cross.of("a").total.wins == 4


def test_results_of_rounds_that_wait_for_nothing_count_at_once():
    specs = issue(rounds(waits=False))
    made = rounds(waits=False)
    made.add(result(specs[-1], "d"))
    assert made.cross.points("d") == 1
    assert sorted(ids(issue(made))) == sorted(ids(specs[:-1]))


def test_a_ruling_that_changes_who_meets_whom_leaves_out_what_was_played_in_vain():
    played = [result(spec) for spec in play(rounds())]
    made = rounds()
    for each in played:
        made.add(result_as(each, "b") if each.pairing == "1,a,b" else each)
    assert made.uncounted == ["2,a,c_0", "2,a,c_1", "2,b,d_0", "2,b,d_1"]
    assert ids(issue(made)) == ["2,b,c_0", "2,a,d_0", "2,b,c_1", "2,a,d_1"]


def result_as(each, winner):
    points = won_by(each.players.index(winner), 2)
    return replace(each, outcome=Outcome(points=points, ending=Ending.SCORE))


def test_the_next_round_waits_for_the_judge():
    made = rounds()
    *specs, last = issue(made)
    for spec in specs:
        made.add(result(spec))
    made.add(result(last, points=None, detail=WAITING))
    assert (issue(made), made.remaining(), made.is_over) == ([], 4, False)


def test_games_and_rounds_that_there_are_not_any_more_do_not_count():
    longer = rounds(terms=Terms(games=3))
    made = rounds()
    for spec in issue(longer):
        made.add(result(spec))
    made.add(replace(result(spec), id="9,c,d_0", pairing="9,c,d"))
    assert made.uncounted == ["1,a,b_2", "1,c,d_2", "9,c,d_0"]
    assert made.cross.of("a").total.played == 2


@pytest.mark.parametrize(
    ("name", "players"),
    [
        ("1,b,a_0", "ab"),
        ("1,a,b_0", "ac"),
        ("0_0", "ab"),
        ("a,b_0", "ab"),
        ("x,a,b_0", "ab"),
        ("A,1,a,b_0", "ab"),
        ("1,a,b_x", "ab"),
    ],
)
def test_a_stored_game_that_no_rounds_made_is_refused(name, players):
    made = rounds()
    stored = result(made.next_game())
    with pytest.raises(ConfigError, match=r"is not a game of|does not belong to matchup"):
        made.add(replace(stored, id=name, pairing=name.rpartition("_")[0], players=tuple(players)))


def test_a_first_round_of_others_is_refused_unless_it_depends_on_results():
    stored = replace(result(rounds().next_game()), id="1,a,c_0", pairing="1,a,c", players=("a", "c"))
    with pytest.raises(ConfigError, match="round 1, in which its players do not meet: the competitors"):
        rounds().add(stored)
    later = rounds(is_begin=False)
    later.add(stored)
    assert later.uncounted == ["1,a,c_0"]


def test_ids_begin_with_the_path():
    made = rounds(path=("A", "2"))
    spec = made.next_game()
    assert spec.id == "A,2,1,a,b_0"
    made.add(result(spec))
    assert made.cross.of("a").total.played == 1
    with pytest.raises(ConfigError, match=r"is not a game of|does not belong to matchup"):
        made.add(result(rounds().next_game()))
