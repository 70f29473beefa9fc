"""The engines of a game on their owner's machine, with engines that are a part of the test."""

import pytest

from gyoji.core.spec import Player
from gyoji.play.remote_talk import Opening, Talk
from gyoji.remote.sessions import Engines, Session

KEPT = Opening(restart="off")


class Engine:
    def __init__(self, status=""):
        self.end, self.is_killed = status, False

    def status(self):
        return self.end

    def kill(self):
        self.is_killed = True

    def listen(self, *, wanted):
        pass


class Started:
    """Engines that start `Engine`s."""

    def __init__(self):
        self.made = []

    def start(self, _opening):
        self.made.append(Engine())
        return self.made[-1]


@pytest.fixture
def sent():
    return []


@pytest.fixture
def session(sent):
    made = Session(Started(), sent.append, pytest.fail)
    made.hear(Talk(session="s", got=0))
    made.hear(Talk(n=1, open=Opening()))
    sent.clear()
    return made


def numbers(sent):
    return [talk.n for talk in sent if talk.n]


def test_what_an_engine_says_before_the_answer_to_hello_follows_what_was_kept(session, sent):
    (engine,) = session._engines.made
    engine.heard(b"one")
    session.suspend()  # cut
    engine.heard(b"two")
    engine.heard(b"three")  # between hello and its answer
    assert numbers(sent) == [1]
    session.hear(Talk(session="s", got=1))
    engine.heard(b"four")
    assert numbers(sent) == [1, 2, 3, 4]


def test_a_kept_engine_that_has_ended_is_not_used_again(monkeypatch):
    class Context:
        def start(self, *_):
            return "channel", "cleanup"

    monkeypatch.setattr("gyoji.remote.sessions.LocalEngine", lambda *_: Engine())
    engines = Engines(Player(code="x", command=("engine",)), Context())
    running, ended = Engine(), Engine("exit 1")
    engines.park(running)
    engines.park(ended)
    assert engines.start(KEPT) is running
    assert (ended.is_killed, running.is_killed) == (True, False)
    engines.park(Engine("killed by SIGKILL"))
    assert not engines.start(KEPT).end
    assert engines._parked == []
