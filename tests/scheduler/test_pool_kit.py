"""The pools keep what their port promises, and the kit notices where one does not."""

from concurrent.futures import Future
from functools import partial

import pytest
from fakes import WORKER, make_spec

from fake_pool import FakePool, report_of, void_of
from gyoji.play.live_updates import Live
from gyoji.play.order import Progress
from gyoji.scheduler.pool import WorkerDied
from gyoji.scheduler.slots import SlotPool
from gyoji.testing import pool_kit
from gyoji.testing.pool_kit import Games, check_pool


def noted(note):
    return partial(make_spec, note=note)


GAMES = Games(
    quick=noted(""), endless=noted("progress live silent"), void=noted("void"), deadly=noted("child die")
)


def answer(spec, _attempt):
    """Return what the fake worker does by the same notes."""
    if "silent" in spec.note:
        return None
    if "void" in spec.note:
        return void_of(spec)
    return WorkerDied("killed") if "die" in spec.note else report_of(spec)


class TellingPool(FakePool):
    """Tells of a game that is played, once, when somebody waits."""

    def submit(self, order):
        future = super().submit(order)
        if order.watch:
            self.loop.call_later(
                0, lambda: self.listener.on_progress(Progress(id=order.spec.id, turns=1, left=()))
            )
            self.loop.call_later(0, lambda: self.listener.on_live(Live(id=order.spec.id, first=0)))
        return future


@pytest.mark.parametrize("hosts", [None, {"one": 1, "two": 1, "three": 2}])
def test_the_fake_pool_conforms(hosts):
    check_pool(lambda slots: TellingPool(slots, answer, hosts=hosts), GAMES)


@pytest.mark.process
def test_the_pool_of_this_machine_conforms():
    check_pool(partial(SlotPool, command=WORKER, leave_seconds=0.3), GAMES)


class Eager(TellingPool):
    """Has more places than it says."""

    def _place(self):
        return ""


class Forgetful(TellingPool):
    """Loses what waits when it is told to play more games."""

    def resize(self, slots):
        self._waiting.clear()
        super().resize(slots)


class Stubborn(TellingPool):
    """Does not let go."""

    def abandon(self):
        pass


class Confused(TellingPool):
    """Reports another game."""

    def __init__(self, slots, answer):
        super().__init__(
            slots, lambda spec, n: report_of(make_spec(99)) if not spec.note else answer(spec, n)
        )


class Talkative(TellingPool):
    """Says that it has passed on what it has not."""

    def say(self, words):
        return True


class Careless(TellingPool):
    """Takes orders when it is closed."""

    def submit(self, order):
        return Future() if self._is_closed else super().submit(order)


@pytest.mark.parametrize(
    ("kind", "broken"),
    [
        (Eager, "not cancel|cannot be cancelled"),
        (Forgetful, "a game has ended: not after"),
        (Stubborn, "was not cancelled"),
        (Confused, "another game"),
        (Talkative, "to a game that is not played"),
        (Careless, "after it had been closed"),
    ],
)
def test_the_kit_notices_what_a_pool_does_not_keep(kind, broken, monkeypatch):
    monkeypatch.setattr(pool_kit, "PATIENCE", 0.05)
    with pytest.raises(AssertionError, match=broken):
        check_pool(lambda slots: kind(slots, answer), GAMES)
