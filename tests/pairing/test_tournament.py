"""The value of a Swiss tournament: points, scores, who has which seat first, entries that contradict."""

import pytest

from gyoji.core.faults import ConfigError
from gyoji.pairing.tournament import (
    BYE,
    Entry,
    Forbidden,
    Kind,
    Player,
    Points,
    Result,
    Tournament,
    absence,
    with_baku_acceleration,
)

WIN, DRAW, LOSS = Result.WIN, Result.DRAW, Result.LOSS


def game(opponent, seat, result):
    return Entry(kind=Kind.GAME, result=result, opponent=opponent, seat=seat)


def forfeit(opponent, seat, result):
    return Entry(kind=Kind.FORFEIT, result=result, opponent=opponent, seat=seat)


def tournament(*entries, rounds=9, **terms):
    """Return a tournament of players with these entries. As many rounds are played as the first one has."""
    players = tuple(Player(entries=tuple(each)) for each in entries)
    return Tournament(players=players, rounds=rounds, played=len(entries[0]), **terms)


@pytest.mark.parametrize(
    ("entry", "points"),
    [
        (game(1, 0, WIN), 30),
        (game(1, 0, DRAW), 20),
        (game(1, 0, LOSS), 10),
        (forfeit(1, 0, WIN), 30),
        (forfeit(1, 0, LOSS), 3),
        (BYE, 25),
        (absence(WIN), 30),
        (absence(DRAW), 20),
        (absence(), 4),
        (Entry(kind=Kind.GAME, result=WIN, opponent=1, seat=0, points=25), 25),
    ],
)
def test_every_entry_has_its_points(entry, points):
    terms = Points(win=30, draw=20, loss=10, absence=4, forfeit_loss=3, bye=25)
    assert terms.of(entry) == points


def test_a_score_counts_the_rounds_that_are_paired_and_acceleration_is_that_of_the_next_one():
    entries = (game(1, 0, WIN), BYE, absence(DRAW))
    others = (game(0, 1, LOSS), absence(), absence())
    players = (
        Player(entries=entries, acceleration=(10, 10, 5)),
        Player(entries=others, acceleration=(10, 10)),
    )
    event = Tournament(players=players, rounds=5, played=2)
    assert [event.score(0), event.score(0, 1), event.accelerated(0), event.accelerated(0, 1)] == [
        20,
        10,
        25,
        20,
    ]
    assert event.accelerated(1) == 0


def test_who_has_an_absence_in_the_next_round_is_not_there():
    event = Tournament(
        players=(Player(entries=(BYE,)), Player(entries=(absence(), absence(DRAW)))), rounds=3, played=1
    )
    assert [event.is_there(number) for number in (0, 1)] == [True, False]


@pytest.mark.parametrize(
    ("entries", "seat", "why"),
    [
        ([[], []], 0, "nothing was played"),
        ([[game(1, 1, WIN)], [game(0, 0, LOSS)]], 1, "the top seed had it"),
        ([[BYE], [game(2, 0, WIN)], [game(1, 1, LOSS)]], 1, "the second one has the other seat"),
        ([[absence()], [game(2, 0, WIN)], [game(1, 1, LOSS)]], 0, "who was not there is not in the list"),
        ([[BYE, game(1, 1, WIN)], [absence(), game(0, 0, LOSS)]], 1, "the first round with seats"),
        ([[game(1, None, WIN)], [game(0, None, LOSS)]], 0, "seats do not count"),
        ([[forfeit(1, 1, WIN)], [forfeit(0, 0, LOSS)]], 1, "a forfeit was paired too"),
    ],
)
def test_the_top_seeds_seat_is_told_from_the_first_round_in_which_somebody_had_one(entries, seat, why):
    assert tournament(*entries).top_seat == seat, why
    assert tournament(*entries, first_seat=1).top_seat == 1


@pytest.mark.parametrize(
    ("players", "rounds", "points", "accelerated"),
    [
        (8, 9, (10, 10, 10, 5, 5), 4),
        (9, 9, (10, 10, 10, 5, 5), 6),
        (10, 8, (10, 10, 5, 5), 6),
        (161, 5, (10, 10, 5), 82),
    ],
)
def test_the_upper_half_is_accelerated_in_the_first_half_of_the_rounds(players, rounds, points, accelerated):
    event = with_baku_acceleration(tournament(*[()] * players, rounds=rounds))
    assert [player.acceleration for player in event.players] == (
        [points] * accelerated + [()] * (players - accelerated)
    )


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ([[BYE], []], "player 2 has 0 entries, expected 1"),
        ([[BYE], [BYE, BYE]], "player 2 has 2 entries, expected 1"),
        ([[game(1, 0, WIN)], [BYE]], "round 1 of player 1 contradicts"),
        ([[game(1, 0, WIN)], [game(0, 0, LOSS)]], "round 1 of player 1 contradicts"),
        ([[game(1, 0, WIN)], [game(0, None, LOSS)]], "round 1 of player 1 contradicts"),
        ([[game(0, 0, WIN)]], "round 1 of player 1 contradicts"),
        ([[game(3, 0, WIN)]], "round 1 of player 1 contradicts"),
        ([[Entry(kind=Kind.GAME, result=WIN)]], "round 1 of player 1 contradicts"),
        ([[Entry(kind=Kind.BYE, result=WIN, opponent=1)], [BYE]], "round 1 of player 1 contradicts"),
        ([[game(1, 2, WIN)], [game(0, 0, LOSS)]], "round 1 of player 1 contradicts"),
    ],
)
def test_entries_that_contradict_each_other_are_refused(entries, message):
    with pytest.raises(ConfigError, match=message):
        tournament(*entries)


def test_a_forfeit_is_each_players_own():
    assert tournament([forfeit(1, 0, LOSS)], [forfeit(0, 1, LOSS)]).score(0) == 0


def test_forbidden_pairs_name_players_that_there_are_and_hold_in_their_rounds():
    with pytest.raises(ConfigError, match="forbidden pairs name player 3 of 2"):
        tournament([], [], forbidden=(Forbidden(players=frozenset({0, 2})),))
    assert [Forbidden(players=frozenset(), since=1, until=3).holds(number) for number in range(4)] == [
        False,
        True,
        True,
        False,
    ]
    assert Forbidden(players=frozenset()).holds(9)


def test_a_tournament_may_be_over_and_has_no_more_rounds_than_it_says():
    assert tournament([BYE, BYE], rounds=2).score(0) == 20
    with pytest.raises(ConfigError, match="2 rounds, and 3 are paired"):
        tournament([BYE, BYE, BYE], rounds=2)
