"""Seats of human players in a worker: events are sent, and sent again; answers reach their seat."""

import json
import os

import pytest

from gyoji.core.spec import PERSON, GameSpec, Player
from gyoji.play.loop import Loop
from gyoji.play.seats import MOST_KEPT, HumanMessage, Seats, possible_requests

ANN = Player(code="ann", command=(PERSON,), protocol=PERSON, executor=PERSON)
BEN = Player(code="ben", command=("ben",))


def spec(*players, **changes):
    return GameSpec(id="0", pairing="0", game="go", players=players, **changes)


class Table:
    """The seats of a worker, what was told of them, and the game's ends of their conversations."""

    def __init__(self, loop):
        self.loop, self.told = loop, []
        self.seats = Seats(loop, self.told.append)
        self.seats.prepare(spec(ANN, ANN))
        self.channels = [self.seats.start(ANN, {}), self.seats.start(ANN, {})]
        for seat, channel in enumerate(self.channels):
            self.happens(channel, event="begin", seat=seat)
        self.told.clear()

    def happens(self, channel, **event):
        os.write(channel.stdin, json.dumps(event).encode() + b"\n")
        before = len(self.told)
        self.loop.run(lambda: len(self.told) > before)

    def again(self):
        self.seats.say(HumanMessage(game="0", player="ann", again=True))
        assert self.told[-1].again
        return [json.loads(bytes(event)) for event in self.told[-1].events]


@pytest.fixture
def table():
    loop = Loop()
    table = Table(loop)
    yield table
    for channel in table.channels:
        channel.close()
    table.seats.close()
    loop.close()


def test_an_answer_goes_to_the_seat_that_is_meant_and_to_no_other(table):
    table.seats.say(HumanMessage(game="0", player="ann", seat=1, answer={"question": 1, "move": "a\n"}))
    assert os.read(table.channels[1].stdout, 100) == b'{"question":1,"move":"a\\n"}\n'
    with pytest.raises(BlockingIOError):
        os.read(table.channels[0].stdout, 100)


def test_what_happens_at_each_seat_is_told_and_can_be_told_again(table):
    table.happens(table.channels[1], event="ask", seat=1)
    assert [json.loads(bytes(each)) for each in table.told[0].events] == [{"event": "ask", "seat": 1}]
    assert table.again() == [
        {"event": "begin", "seat": 0},
        {"event": "begin", "seat": 1},
        {"event": "ask", "seat": 1},
    ]


def test_who_comes_back_is_told_how_the_game_began_and_its_last_events(table):
    for number in range(40):
        table.happens(table.channels[0], event="ask", seat=0, board="x" * (MOST_KEPT // 20), number=number)
    told = table.again()
    assert told[0] == {"event": "begin", "seat": 0}
    assert 10 < len(told) < 30
    assert told[-2]["number"] == 39


def test_the_end_of_a_seat_is_told_and_who_has_none_is_told_nothing(table):
    table.channels[0].close()
    table.loop.run(lambda: table.told)
    assert json.loads(bytes(table.told[0].events[0])) == {"event": "end", "seat": 0}
    assert table.again() == [{"event": "begin", "seat": 1}]
    table.seats.say(HumanMessage(game="0", player="ann", seat=0, answer={}))
    table.seats.say(HumanMessage(game="0", player="nobody", again=True))
    assert (table.told[-1].game, table.told[-1].player, table.told[-1].events) == ("0", "nobody", ())


@pytest.mark.parametrize(
    ("players", "settings", "requests"),
    [
        ((ANN, BEN), {}, ("resign",)),
        (
            (ANN, BEN),
            {"take_backs": "ask", "draw_offers": True, "hints": True},
            ("take-back", "hint", "resign"),
        ),
        ((ANN, ANN), {"draw_offers": True, "hints": True}, ("draw", "resign")),
        ((ANN, BEN, ANN, BEN), {"take_backs": "always", "hints": True}, ("resign",)),
    ],
)
def test_what_the_settings_of_a_game_allow_can_be_requested(players, settings, requests):
    assert possible_requests(spec(*players, **settings)) == requests
