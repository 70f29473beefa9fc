"""Both games of a pair are played on the same host, where that is wished and the host is there."""

from random import Random

import pytest
from msgspec.structs import replace

from gyoji.play.order import Files, Order
from gyoji.scheduler.issued_games import GamesInProgress, IssuedGame
from scripted_hosts import Scene, make_spec


def spec_of(number):
    return replace(make_spec(number), id=f"0_{number}")


@pytest.fixture
def make():
    made = []

    def scene(**slots):
        made.append(Scene(keeps_pairs=True))
        for host, number in slots.items():
            made[-1].hosts.join(host, slots=number)
        return made[-1]

    yield scene
    for each in made:
        each.close()


def order(scene, *numbers):
    return [scene.pool.submit(Order(spec=spec_of(number))) for number in numbers]


def given(scene, host):
    return [game for _, game in scene.hosts.given(host)]


def end(scene, host, number):
    ticket = next(ticket for ticket, game in scene.hosts.given(host) if game == f"0_{number}")
    scene.hosts.end(host, ticket, spec_of(number))


def test_the_second_game_waits_for_the_host_of_the_first_and_no_other_is_idle(make):
    scene = make(one=1, two=1)
    order(scene, 0, 1, 2, 3)
    assert (given(scene, "one"), given(scene, "two")) == (["0_0"], ["0_2"])
    end(scene, "two", 2)
    assert given(scene, "two") == ["0_2", "0_3"]
    end(scene, "two", 3)  # it has nothing to do: what waits is not its own
    assert given(scene, "two") == ["0_2", "0_3"]
    order(scene, 4)
    assert given(scene, "two")[-1] == "0_4"
    end(scene, "one", 0)
    assert given(scene, "one") == ["0_0", "0_1"]


def test_a_host_that_is_lost_is_not_waited_for(make):
    scene = make(one=1, two=1)
    order(scene, 0, 1)
    end(scene, "one", 0)
    scene.hosts.leave("one")  # with the second game
    assert given(scene, "two") == ["0_1"]


def test_a_host_that_lacks_a_program_by_now_is_not_waited_for(make):
    scene = make(one=1, two=1)
    order(scene, 0, 1)
    scene.hosts.end("one", 1, None, lacks="a: there is no /bin/true")
    assert given(scene, "two") == ["0_0"]
    end(scene, "two", 0)
    assert given(scene, "two") == ["0_0", "0_1"]


def test_a_game_that_is_played_once_more_is_of_the_same_pair(make):
    scene = make(one=1, two=1)
    order(scene, 0)
    scene.pool.submit(Order(spec=replace(spec_of(1), id="0_1@2")))
    assert given(scene, "two") == []


def test_a_run_orders_as_many_games_ahead_as_there_are_slots(make):
    scene = make(one=1, two=1)
    games = GamesInProgress(scene.pool, is_parallel=True)
    slots = []
    for number in range(9):
        if games.has_room:
            slots.append(games.start(IssuedGame(spec_of(number), number), Files(), watch=False).slot)
    assert slots == [0, 1, 2, 3]
    assert games.slots == 2
    end(scene, "two", 2)
    assert [game.id for game in games.ended()] == ["0_2"]
    assert games.has_room


def test_where_it_is_not_wished_games_are_not_held_back():
    scene = Scene("one", "two")
    order(scene, 0, 1, 2, 3)
    assert scene.pool.ahead == 0
    assert (given(scene, "one"), given(scene, "two")) == (["0_0", "0_2"], ["0_1", "0_3"])
    scene.close()


@pytest.mark.parametrize("seed", range(10))
def test_at_random_all_pairs_are_on_one_host_and_all_games_end(make, seed):
    random = Random(seed)
    scene = make(one=1, two=random.randint(1, 3), three=random.randint(1, 5))
    futures = order(scene, *range(40))
    while not all(future.done() for future in futures):
        playing = [(host.name, game) for host in scene.pool.hosts for game in host.playing]
        host, game = random.choice(playing)
        end(scene, host, int(game[2:]))
    hosts = [future.result(0).finished.result.host for future in futures]
    assert hosts[::2] == hosts[1::2]
    assert set(hosts) == {"one", "two", "three"}
