"""A run's games: each issued once, whatever becomes of its competition."""

import pytest
from fakes import Games, make_record, make_setup, make_spec
from msgspec.structs import replace

from gyoji.core.spec import Player
from gyoji.results.failures import Failures, Suspensions
from gyoji.scheduler.game_queue import GameQueue
from gyoji.scheduler.reload import Fresh, join


def fresh(**settings):
    """Nothing has failed yet."""
    return {"failures": Failures(), "suspensions": Suspensions(make_setup(**settings))}


class Padded(Games):
    """Its games are called "0_N", N padded for the number of games."""

    def name(self, number):
        return f"0_{number:0{len(str(self.count - 1))}}"

    def next_game(self):
        spec = super().next_game()
        return spec and replace(spec, id=self.name(int(spec.id[1:])))

    def add(self, result):
        super().add(replace(result, id=f"g{int(result.id[2:])}"))


def test_a_game_in_progress_is_the_same_however_its_number_is_padded():
    queue = GameQueue(Padded(10), there_is={}, **fresh())
    playing = [queue.next() for _ in range(3)]
    assert [game.id for game in playing] == ["0_0", "0_1", "0_2"]
    queue.replace(*join(Fresh(None, lambda: Padded(100)), [], [game.spec for game in playing]))
    assert queue.remaining == 97
    assert queue.next().id == "0_03"
    assert queue.remaining == 96
    queue.add(make_record(playing[1].spec).result)
    assert [queue.next().id for _ in range(96)] == [f"0_{number:02}" for number in range(4, 100)]
    assert queue.next() is None
    assert queue.remaining == 0


class Adapting(Games):
    adapts = True


@pytest.mark.parametrize(("kind", "issued"), [(Games, 10), (Adapting, 2)])
def test_a_competition_that_adapts_issues_no_games_ahead(kind, issued):
    games = kind(10)
    queue = GameQueue(games, there_is={"threads": 1}, **fresh())
    assert queue.next().id == "g0"
    assert queue.next() is None
    assert 10 - games.remaining() == issued


def test_a_game_in_progress_that_is_in_no_plan_any_more_does_not_count():
    queue = GameQueue(Games(10), there_is={}, **fresh())
    playing = [queue.next() for _ in range(3)]
    queue.replace(*join(Fresh(None, lambda: Games(2)), [], [game.spec for game in playing]))
    assert queue.next() is None
    assert queue.remaining == 0


def test_what_is_stored_does_not_remain():
    results = [make_record(make_spec(number)).result for number in (0, 4)]
    competition, overlap = join(Fresh(None, lambda: Games(6)), results, [make_spec(1)])
    queue = GameQueue(Games(0), max_games=3, there_is={}, **fresh())
    queue.replace(competition, overlap)
    assert queue.remaining == 3
    assert [queue.next().id for _ in range(3)] == ["g2", "g3", "g5"]
    assert not queue.is_cut_off


@pytest.mark.parametrize(
    ("agreeing", "setting", "scorer"),
    [({"b"}, "players", "players"), ({"c"}, "players", "internal"), ({"b"}, "refuse", "internal")],
)
def test_the_games_of_a_player_that_does_not_clean_up_are_scored_by_the_players(agreeing, setting, scorer):
    players = (Player(code="a", command=("a",)), Player(code="b", command=("b",)))

    class Territory(Games):
        def next_game(self):
            spec = super().next_game()
            return spec and replace(spec, players=players, scorer="internal", without_cleanup=setting)

    queue = GameQueue(Territory(1), there_is={}, **fresh(), agreeing=agreeing)
    spec = queue.next().spec
    assert (spec.scorer, spec.asks_instead) == (scorer, scorer == "players")
