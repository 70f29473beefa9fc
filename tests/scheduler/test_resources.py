"""Games that wait for what they need, and slots that have processors of their own."""

import os

import pytest
from fakes import PLAYERS, DrivenPool, make_spec
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from gyoji.core.faults import ConfigError
from gyoji.core.spec import GameSpec, Player
from gyoji.play.order import Order
from gyoji.scheduler.issued_games import IssuedGame
from gyoji.scheduler.resources import (
    PATIENCE,
    THREADS,
    ReadyQueue,
    UnsatisfiableResource,
    share_out,
    threads_of,
)


def game(number, **needs):
    """Return a game whose first player needs so much."""
    threads = needs.pop("threads", 1)
    needy = Player(code="a", command=("/bin/true",), threads=threads, resources=needs)
    return replace(make_spec(number), players=(needy, PLAYERS[1]))


class Line:
    """A queue whose games are named by their ids; issued: those that have been put and are not over."""

    def __init__(self, there_is, *specs):
        self.queue = ReadyQueue(there_is)
        self.issued = {}
        for number, spec in enumerate(specs):
            self.put(number, spec)

    def __len__(self):
        return len(self.queue)

    @property
    def free(self):
        return self.queue.free

    def put(self, number, spec):
        self.issued[spec.id] = IssuedGame(spec, number)
        self.queue.put(self.issued[spec.id])

    def release(self, game_id):
        self.queue.release(self.issued.pop(game_id))

    def provide(self, there_is):
        self.queue.provide(there_is, self.issued.values())


def taken(line):
    """Return the ids of all that may start now."""
    return [game.id for game in iter(line.queue.take, None)]


def test_where_nothing_is_counted_games_start_in_their_order():
    line = Line({}, *[game(number, gpu=9) for number in range(3)])
    assert len(line) == 3
    assert taken(line) == ["g0", "g1", "g2"]
    assert not line


def test_a_game_waits_until_there_is_enough_for_it():
    line = Line({"gpu": 2}, game(0, gpu=2), game(1, gpu=1), game(2))
    assert taken(line) == ["g0", "g2"]
    assert line.free == {"gpu": 0}
    line.release("g2")
    assert taken(line) == []
    line.release("g0")
    assert taken(line) == ["g1"]
    assert line.free == {"gpu": 1}


def test_what_came_back_goes_before_what_came_later():
    line = Line({"gpu": 1}, game(0, gpu=1), game(1, gpu=1))
    assert taken(line) == ["g0"]
    line.release("g0")
    line.put(0, game(0, gpu=1))
    assert taken(line) == ["g0"]


@pytest.mark.parametrize(
    ("there_is", "needs"), [({"gpu": 1}, {"gpu": 2}), ({"gpu": 4, "mem": 10}, {"gpu": 4, "mem": 11})]
)
def test_what_can_never_be_had_is_refused(there_is, needs):
    with pytest.raises(UnsatisfiableResource, match=r"game g7 needs \d+ \w+, and there is only \d+"):
        Line(there_is).put(7, game(7, **needs))


def test_all_processes_of_a_game_count():
    both = Player(code="c", command=("/bin/true",), resources={"gpu": 1})
    spec = replace(make_spec(0), players=(both, both), scoring_player=both, scorer="engine")
    line = Line({"gpu": 3}, spec)
    line.queue.take()
    assert line.free == {"gpu": 0}
    line = Line({"gpu": 3}, replace(spec, scorer="internal"))
    line.queue.take()
    assert line.free == {"gpu": 1}


def test_two_players_think_in_turn_and_more_together_unless_they_are_asked_in_turn():
    a, b = (replace(player, threads=threads) for player, threads in zip(PLAYERS, (4, 2), strict=True))
    spec = replace(make_spec(0), players=(a, b))
    assert threads_of(spec) == 4
    assert threads_of(replace(spec, players=(a, b, a, b))) == 12
    assert threads_of(replace(spec, players=(a, b, a, b), asking="in turn")) == 4


def test_a_game_that_could_use_more_processors_than_there_are_is_played_alone():
    line = Line({THREADS: 4}, game(0), game(1, threads=9), game(2), game(3))
    assert taken(line) == ["g0", "g2", "g3"]
    for game_id in ("g0", "g2", "g3"):
        line.release(game_id)
    assert taken(line) == ["g1"]
    assert line.free == {THREADS: 0}


def test_the_first_in_the_line_is_overtaken_only_so_often_by_those_that_take_what_it_waits_for():
    line = Line({"gpu": 2}, game(0, gpu=1), game(1, gpu=2))
    assert taken(line) == ["g0"]
    playing, number = ["g0"], 2
    while True:
        line.put(number, game(number, gpu=1))
        number += 1
        started = taken(line)
        if not started:
            break
        playing += started
        line.release(playing.pop(0))
    assert number - 2 == PATIENCE + 1
    assert taken(line) == []
    line.release(playing.pop(0))
    assert taken(line) == ["g1"]


def test_those_that_leave_it_what_it_needs_may_overtake_it_for_ever():
    line = Line({"gpu": 1, "mem": 10}, game(0, gpu=1, mem=4), game(1, gpu=1, mem=4))
    assert taken(line) == ["g0"]
    for number in range(2, 100):
        line.put(number, game(number, mem=2))
        assert taken(line) == [f"g{number}"]
        line.release(f"g{number}")


def test_the_machine_may_change_while_games_are_played():
    line = Line({"gpu": 2}, *[game(number, gpu=1) for number in range(4)])
    assert taken(line) == ["g0", "g1"]
    line.provide({"gpu": 1})
    assert line.free == {"gpu": -1}
    line.release("g0")
    assert taken(line) == []
    line.provide({"gpu": 3, "disk": 1})
    assert line.free == {"gpu": 2, "disk": 1}
    assert taken(line) == ["g2", "g3"]


def test_games_that_wait_can_be_sent_away():
    line = Line({"gpu": 1}, game(0, gpu=1), game(1, gpu=1), game(2, gpu=1))
    assert taken(line) == ["g0"]
    assert sorted(game.id for game in line.queue.clear()) == ["g1", "g2"]
    assert not line
    assert taken(line) == []


@given(
    needs=st.lists(st.fixed_dictionaries({"gpu": st.integers(0, 2), "mem": st.integers(0, 9)}), max_size=40),
    ends=st.randoms(use_true_random=False),
)
def test_all_games_are_played_and_never_more_is_used_than_there_is(needs, ends):
    there_is = {"gpu": 2, "mem": 9}
    specs = {f"g{number}": game(number, **need) for number, need in enumerate(needs)}
    line, played, playing = Line(there_is, *specs.values()), [], []
    while line or playing:
        playing += taken(line)
        assert playing, "games wait, and nothing is played"
        for name, total in there_is.items():
            used = sum(specs[game_id].players[0].resources[name] for game_id in playing)
            assert line.free[name] == total - used >= 0
        played.append(playing.pop(ends.randrange(len(playing))))
        line.release(played[-1])
    assert sorted(played) == sorted(specs)


HERE = os.sched_getaffinity(0)


def test_each_slot_gets_as_many_as_it_wants_and_none_gets_what_another_has():
    shares = share_out(len(HERE), 1)
    assert [len(share) for share in shares] == [1] * len(HERE)
    assert frozenset().union(*shares) == HERE
    assert share_out(1, len(HERE)) == (HERE,)
    assert share_out(5, 0) == ()


def test_more_than_there_are_is_refused_with_what_to_do():
    with pytest.raises(ConfigError, match=r"cores: \d+ games at once with 1 processors each .*--parallel"):
        share_out(len(HERE) + 1, 1)


@pytest.mark.process
def test_an_engine_runs_on_the_processors_of_its_slot():
    share = share_out(1, 1)
    code = "import os, sys; print('on', *os.sched_getaffinity(0), file=sys.stderr)"
    player = Player(code="curious", command=("python3", "-I", "-S", "-c", code))
    options = {"board_size": 9, "komi": 7.5}
    spec = GameSpec(id="0", pairing="0", game="go", players=(player, player), options=options)
    with DrivenPool(1, share=lambda slots: share) as pool:
        log = pool.submit(Order(spec=spec)).result(10).log
    (cpu,) = share[0]
    assert f"    on {cpu}" in log
