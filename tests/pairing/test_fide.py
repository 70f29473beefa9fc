"""Swiss rounds by FIDE's Dutch system: small fields whose pairing can be told by reading the rules."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gyoji.core.faults import ConfigError
from gyoji.pairing import fide
from gyoji.pairing.fide import pair
from gyoji.pairing.tournament import (
    BYE,
    Entry,
    Forbidden,
    Kind,
    Player,
    Result,
    Tournament,
    absence,
)

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def rounds(count, *told, **terms):
    """Return a tournament of `count` players, a, b, ..., with rounds: "ab+ dc= ef- g": a beat b, g had the
    bye.

    "ab>" a won because b did not come; "(h)" h was not there, "(h=)" with half a point.
    """
    entries = {letter: [] for letter in LETTERS[:count]}
    for text in told:
        for word in text.split():
            read(entries, word)
    players = tuple(Player(entries=tuple(each)) for each in entries.values())
    return Tournament(players=players, **{"rounds": 9, "played": len(told), "first_seat": 0} | terms)


def read(entries, word):
    if word[0] == "(":
        entries[word[1]].append(absence(Result.DRAW if "=" in word else Result.LOSS))
    elif len(word) == 1:
        entries[word].append(BYE)
    else:
        first, second, sign = word
        kind = Kind.FORFEIT if sign == ">" else Kind.GAME
        result = Result("-=+".index(sign.replace(">", "+")))
        for player, other, seat, own in ((first, second, 0, result), (second, first, 1, Result(2 - result))):
            entries[player].append(Entry(kind=kind, result=own, opponent=LETTERS.index(other), seat=seat))


def drawn(tournament):
    """Return the pairs, each with the first seat's player first, and the bye's behind a blank."""
    found = pair(tournament)
    words = [LETTERS[first] + LETTERS[second] for first, second in found.pairs]
    return " ".join([*words, *([] if found.bye is None else LETTERS[found.bye])])


def test_in_the_first_round_the_upper_half_meets_the_lower_and_the_first_seat_goes_in_turn():
    assert drawn(rounds(8)) == "ae fb cg hd"
    assert drawn(rounds(8, first_seat=1)) == "ea bf gc dh"


def test_in_an_odd_field_the_last_one_has_the_bye():
    assert drawn(rounds(7)) == "ad eb cf g"


@pytest.mark.parametrize(
    ("count", "told", "expected", "why"),
    [
        (8, ("ae+ fb+ cg+ hd+",), "fa hc be dg", "winners meet, in the other seat if they can"),
        (6, ("ad+ eb- cf+",), "ba dc fe", "the one over floats to the best of the next group"),
        (6, ("ad= eb= cf=",), "fa bc de", "nobody meets the same one again"),
        (7, ("ad+ eb- cf+ g", "bg+ ac= df+ e"), "cb ga de f", "no second bye"),
    ],
)
def test_rounds_are_paired_by_the_rules(count, told, expected, why):
    assert drawn(rounds(count, *told)) == expected, why


def test_two_who_met_do_not_meet_again_but_after_a_forfeit_they_may():
    assert drawn(rounds(4, "ac+ bd+", "ab= cd=")) == "da bc"
    assert drawn(rounds(2, "ab>")) == "ab"
    assert not pair(rounds(2, "ab>")).departure


def test_one_float_is_made_where_three_are_not_needed():
    told = ("ad+ eb- cf+ g", "ga+ bc- de- f", "cg+ ae- fb+ d")
    assert drawn(rounds(7, *told)) == "ec gf bd a"


def test_nobody_gets_a_seat_a_third_time_running_if_it_can_be_helped():
    told = ("ag= hb- ci= jd+ ek+ lf-", "bj= fe= ia= gc= dl= kh=", "fb- ej= ac= ig= kd= hl-")
    assert sorted(drawn(rounds(12, *told)).split()) == ["be", "cf", "dh", "gk", "ja", "li"]


def test_who_is_not_there_is_not_paired():
    event = rounds(5, "ac+ bd+ e")
    late = Tournament(
        players=(
            *event.players[:3],
            Player(entries=(*event.players[3].entries, absence())),
            event.players[4],
        ),
        rounds=9,
        played=1,
        first_seat=0,
    )
    assert drawn(late) == "ea cb"


def test_seats_that_do_not_count_are_dealt_in_turn():
    event = rounds(4, "ac+ bd+")
    players = tuple(
        Player(entries=tuple(Entry(kind=e.kind, result=e.result, opponent=e.opponent) for e in each.entries))
        for each in event.players
    )
    assert drawn(Tournament(players=players, rounds=3, played=1)) == "ab cd"


def test_forbidden_pairs_do_not_meet_in_their_rounds():
    friends = frozenset({0, 2})
    assert drawn(rounds(4, forbidden=(Forbidden(players=friends),))) == "ad cb"
    assert drawn(rounds(4, forbidden=(Forbidden(players=friends, since=1),))) == "ac db"


def test_virtual_points_make_score_groups():
    players = tuple(Player(acceleration=(10,) if number < 4 else ()) for number in range(8))
    assert drawn(Tournament(players=players, rounds=5, played=0)) == "ac db eg hf"


@pytest.mark.parametrize(
    ("event", "pairs", "departure"),
    [
        (rounds(2, "ab+"), "ba", "1 pairs that meet again"),
        (rounds(4, "ab+ cd+", "ac+ bd+", "ad+ bc+"), None, "2 pairs that meet again"),
        (rounds(2, forbidden=(Forbidden(players=frozenset({0, 1})),)), "ab", "1 pairs that are forbidden"),
        (rounds(1, "a"), "a", "1 byes for one who has had one"),
        (rounds(2, "(a) b", "(a) (b)", "a (b)"), "ab", ""),
        (rounds(3, "ab+ c", "bc+ a", "ca+ b"), None, "1 pairs that meet again, 1 byes for one who has had"),
    ],
)
def test_what_the_rules_forbid_is_done_if_all_cannot_be_paired_otherwise_and_told(event, pairs, departure):
    assert pairs is None or drawn(event) == pairs
    found = pair(event).departure
    assert departure in found
    assert bool(found) == bool(departure)


def test_a_wrong_seat_comes_before_meeting_again():
    """Both a and b had seat 0 in all three rounds."""
    event = rounds(8, "ac= bd= eg= fh=", "ad= bc= eh= fg=", "ae= bf= cg= dh=", rounds=20)
    present = [
        each if number < 2 else Player(entries=(*each.entries, absence()))
        for number, each in enumerate(event.players)
    ]
    alone = Tournament(players=tuple(present), rounds=20, played=3, first_seat=0)
    assert drawn(alone) == "ba"
    assert "1 pairs in which both must have the same seat" in pair(alone).departure


def test_in_the_last_round_two_who_must_have_the_same_seat_meet_if_one_is_a_top_scorer():
    event = rounds(8, "ac+ bd+ eg= fh=", "ad+ bc+ eh= fg=", rounds=3)
    present = [
        each if number < 2 else Player(entries=(*each.entries, absence()))
        for number, each in enumerate(event.players)
    ]
    assert pair(Tournament(players=tuple(present), rounds=3, played=2)).departure == ""
    assert pair(Tournament(players=tuple(present), rounds=4, played=2)).departure


def test_nobody_nothing_and_no_next_round():
    assert pair(rounds(0)).pairs == ()
    assert drawn(rounds(1)) == "a"
    with pytest.raises(ConfigError, match="no next one"):
        pair(rounds(2, "ab+", rounds=1))


def test_a_large_field_is_paired_in_parts_which_is_told(monkeypatch):
    monkeypatch.setattr(fide, "MOST_EXACT", 8)
    forbidden = (Forbidden(players=frozenset({0, 20})),)
    found = pair(rounds(21, forbidden=forbidden))
    assert found.departure == "21 players are too many to be paired as a whole: they are paired in 3 parts"
    assert sorted([*(each for both in found.pairs for each in both), found.bye]) == list(range(21))
    assert {abs(first - second) for first, second in found.pairs} <= {9, 10, 11}


def test_a_first_round_is_paired_as_a_whole_however_large_it_is():
    event = Tournament(players=(Player(),) * 9999, rounds=20, played=0)
    found = pair(event)
    assert found.pairs[:2] == ((0, 4999), (5000, 1))
    assert (found.bye, found.departure) == (9998, "")


@settings(max_examples=30)
@given(st.integers(2, 26), st.integers(1, 6), st.integers(4, 30), st.randoms(use_true_random=False))
def test_any_tournament_is_drawn_properly(count, length, most_exact, chance):
    event = rounds(count, rounds=max(length, 1))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fide, "MOST_EXACT", most_exact)
        while event.played < event.rounds:
            found = pair(event)
            playing = [player for both in found.pairs for player in both]
            assert sorted([*playing, *([] if found.bye is None else [found.bye])]) == list(range(count))
            if "again" not in found.departure:
                assert all(
                    entry.opponent != second
                    for first, second in found.pairs
                    for entry in event.players[first].entries
                )
            words = [LETTERS[one] + LETTERS[two] + chance.choice("+=-") for one, two in found.pairs]
            words += [] if found.bye is None else [LETTERS[found.bye]]
            entries = {LETTERS[number]: list(each.entries) for number, each in enumerate(event.players)}
            for word in words:
                read(entries, word)
            players = tuple(Player(entries=tuple(each)) for each in entries.values())
            event = Tournament(players=players, rounds=event.rounds, played=event.played + 1)


def test_one_float_is_made_where_one_is_enough():
    told = "ad+ eb- cf+ g", "ga+ bc- de- f", "cg+ ae- fb+ d"
    assert set(drawn(rounds(7, *told)).split()) == {"ec", "gf", "bd", "a"}
