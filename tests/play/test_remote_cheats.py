"""What an owner may send who wants to gain from it, against the seat in a worker: it gains nothing."""

import time

import msgspec
import pytest
from test_remote_seats import SECOND, Scene, ask

from gyoji.core import messages as m
from gyoji.core.faults import FaultKind
from gyoji.play.remote_seats import RemoteWords
from gyoji.play.remote_talk import Talk


@pytest.fixture
def scene():
    made = Scene()
    yield made
    made.close()


def broken(scene):
    return [reply for reply, _ in scene.table.replies if isinstance(reply, m.Broken)]


def test_a_false_figure_of_lag_is_no_message_and_counts_for_nothing(scene):
    ask(scene)
    scene.greet()
    scene.new()
    told = msgspec.Raw(b'{"n": 1, "text": "= 2\\n\\n", "lag": 9000000000}')
    scene.seats.hear(RemoteWords(game="0_0", player="x", talk=told))
    scene.rounds()
    (reply,) = broken(scene)
    assert "makes no sense" in reply.detail
    assert not [reply for reply, _ in scene.table.replies if isinstance(reply, m.Delayed)]


def test_nonces_that_are_guessed_or_returned_twice_make_no_delay(scene):
    ask(scene)
    scene.greet()
    scene.new()
    time.sleep(0.2)  # the engine thinks
    scene.say(p="0000000000000000")
    session = scene.seats._sessions["x"]
    assert session.delay() < 0.1 * SECOND


def test_a_flood_of_output_without_a_line_end_is_a_fault(scene):
    ask(scene)
    scene.greet()
    scene.new()
    scene.answer("= ")
    for _ in range(60):
        scene.answer("x" * (1 << 16))
        scene.rounds(1)
        if broken(scene):
            break
    (reply,) = broken(scene)
    assert reply.kind is FaultKind.FLOOD


def test_half_a_line_is_no_answer(scene):
    ask(scene, patience=SECOND // 20)
    scene.greet()
    scene.new()
    scene.answer("= 2")
    time.sleep(0.06)
    scene.rounds()
    assert scene.table.replies == [("late", False)]


def test_words_for_another_player_or_another_game_do_nothing(scene):
    ask(scene)
    scene.greet()
    scene.new()
    talk = msgspec.Raw(msgspec.json.encode(Talk(n=1, text="= 2\n\n")))
    for game, player in (("0_0", "y"), ("0_1", "x")):
        scene.seats.hear(RemoteWords(game=game, player=player, talk=talk))
    scene.rounds()
    assert scene.table.replies == []
    assert scene.new() == []


def test_an_owner_that_says_hello_without_end_is_answered_now_and_then(scene):
    ask(scene)
    for _ in range(1000):
        scene.greet()
    assert sum(bool(talk.session) for talk in scene.heard) == 1
    scene.loop.run(lambda: sum(bool(talk.session) for talk in scene.heard) == 2)
    opened, asked = scene.new()  # and what was not acknowledged came with it
    assert (opened.n, asked.text) == (1, "protocol_version\n")
