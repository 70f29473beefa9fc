"""Swiss rounds: who meets whom, who has a bye, who has which seat."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gyoji.pairing.dutch import Card, pair


def cards(*told):
    """Cards by words such as "a:1.5 met bc firsts +-+ byes 1 sunk"."""
    made = []
    for text in told:
        name, *words = text.split()
        player, _, points = name.partition(":")
        card = Card(player=player, points=float(points or 0))
        for key, value in pairwise(words):
            if key == "met":
                card.met.update(value)
            elif key == "firsts":
                card.firsts.extend(sign == "+" for sign in value)
            elif key == "byes":
                card.byes = int(value)
        card.has_sunk = "sunk" in words
        made.append(card)
    return made


def drawn(*told):
    """The pairs, each with the first seat's player first, and the bye's behind a blank."""
    pairing = pair(cards(*told))
    return " ".join([*map("".join, pairing.pairs), *pairing.bye])


def test_in_the_first_round_the_upper_half_meets_the_lower_and_the_first_seat_goes_in_turn():
    assert drawn(*"abcdefgh") == "ae fb cg hd"


def test_players_with_the_same_points_meet():
    assert drawn("a:1", "b:0", "c:1", "d:0", "e:1", "f:0", "g:1", "h:0") == "ae gc bf hd"


def test_nobody_meets_an_opponent_again():
    assert drawn("a:1 met c", "b:1", "c:1 met a", "d:1") == "ad cb"


def test_who_is_left_over_in_a_group_meets_the_first_of_the_next():
    assert drawn("a:1", "b:1", "c:1", "d:0", "e:0", "f:0") == "ab dc ef"


def test_nobody_floats_down_twice_running_if_another_can():
    assert drawn("a:1", "b:1", "c:1 sunk", "d:0", "e:0", "f:0") == "ac db ef"


def test_two_that_have_met_do_not_meet_even_if_a_group_is_torn_apart():
    assert drawn("a:2 met bcd", "b:1 met a", "c:1 met a", "d:1 met a", "e:0", "f:0") == "ae cb df"


def test_the_end_of_the_list_is_kept_in_mind():
    """The best for a is b, but then c and d would be left, who have met."""
    assert drawn("a:1", "b:1", "c:0 met d", "d:0 met c") == "ac db"


def test_if_everybody_has_met_those_meet_again_that_met_least():
    told = ("a:1 met bbcdd", "b:1 met aaccd", "c:0 met abbdd", "d:0 met aabcc")
    assert drawn(*told) == "ac db"


def test_the_last_of_those_with_the_fewest_byes_has_no_opponent():
    assert drawn(*"abcde") == "ac db e"
    assert drawn("a:1", "b:1", "c:1 byes 1", "d:0", "e:0 byes 1") == "ab ec d"
    assert drawn("a byes 1", "b byes 1", "c byes 1") == "ab c"


@pytest.mark.parametrize(
    ("first", "second", "expected", "why"),
    [
        ("+", "-", "ba", "each changes"),
        ("-", "+", "ab", "each changes"),
        ("+-+", "-+", "ba", "who has had it more often gives it up"),
        ("-+", "+-+", "ab", "who has had it more often gives it up"),
        ("+-", "-+", "ab", "both have had it as often: they change what they had"),
        ("-+", "+-", "ba", "both have had it as often: they change what they had"),
        ("-+-+", "+--+", "ba", "the last round in which they differed counts"),
        ("+--+", "-+-+", "ab", "the last round in which they differed counts"),
        ("+-", "+-", "ab", "nothing tells them apart: the higher one changes"),
        ("-+", "-+", "ba", "nothing tells them apart: the higher one changes"),
        ("", "-", "ba", "who has played goes before who has not"),
        ("", "+", "ab", "who has played goes before who has not"),
    ],
)
def test_seats_go_to_who_wants_them_more(first, second, expected, why):
    told = [f"{code} firsts {had}" if had else code for code, had in (("a", first), ("b", second))]
    assert drawn(*told) == expected, why


def test_two_who_both_must_change_the_same_seat_do_not_meet():
    must = ("a:1 firsts ++", "b:1 firsts ++", "c:0 firsts --", "d:0 firsts --")
    assert drawn(*must) == "ca db"


def test_two_who_both_should_change_the_same_seat_meet_others_of_their_group():
    should = ("a firsts +-+", "b firsts -+-", "c firsts +-+", "d firsts -+-")
    assert drawn(*should) == "da bc"


@st.composite
def tournaments(draw):
    return draw(st.integers(2, 14)), draw(st.integers(1, 6)), draw(st.randoms())


@given(tournaments())
def test_any_tournament_is_drawn_properly(tournament):
    count, rounds, chance = tournament
    field = {card.player: card for card in cards(*"abcdefghijklmn"[:count])}
    for number in range(min(rounds, count - 1)):
        pairs, bye = pair(list(field.values()))
        playing = [player for both in pairs for player in both]
        assert sorted([*playing, *bye]) == sorted(field)
        if number * 2 < count - 2:  # surely possible (Dirac's theorem), with one of them away
            assert all(not field[first].met[second] for first, second in pairs)
            assert not bye or field[bye].byes == min(card.byes for card in field.values())
        for players in pairs:
            for player, other in (players, players[::-1]):
                field[player].met[other] += 1
                field[player].firsts.append(player == players[0])
            field[chance.choice(players)].points += 1
        if bye:
            field[bye].byes += 1
            field[bye].points += 1


def test_places_are_balanced_in_a_field_of_sixty():
    field = {code: Card(player=code) for code in (f"p{number:02}" for number in range(60))}
    for number in range(9):
        for first, second in pair(list(field.values())).pairs:
            assert not field[first].met[second]
            field[first].met[second] += 1
            field[second].met[first] += 1
            field[first].firsts.append(True)
            field[second].firsts.append(False)
            winner = first if (int(first[1:]) * 7 + int(second[1:]) * 11 + number) % 3 else second
            field[winner].points += 1
    balances = [abs(2 * sum(card.firsts) - 9) for card in field.values()]
    assert max(balances) <= 3
    assert balances.count(1) >= 56
