"""The channels of all executors against the conformance kit, and channels over open descriptors."""

import os
import shutil
import socket
import threading
from contextlib import suppress

import pytest

from gyoji import api
from gyoji.core.clocks import Meter
from gyoji.core.faults import Breakdown
from gyoji.core.messages import AskMove, HasQuit, NewGame, Ready
from gyoji.core.outcome import Ending
from gyoji.core.spec import GameSpec, Player
from gyoji.executors.fd_channel import FdChannel
from gyoji.executors.functions import FunctionExecutor
from gyoji.executors.local import LocalExecutor
from gyoji.play.context import WorkerContext
from gyoji.play.game import play
from gyoji.play.order import Order
from gyoji.testing.channel_kit import check_channel

CAT = Player(code="cat", command=(shutil.which("cat"),), stderr="discard")


def say_back(reads, writes):
    with suppress(OSError):
        while data := os.read(reads, 1 << 16):
            while data:
                data = data[os.write(writes, data) :]
    for descriptor in {reads, writes}:
        os.close(descriptor)


def by_socket():
    ours, theirs = (end.detach() for end in socket.socketpair())
    return (ours, ours), (theirs, theirs)


def by_pipes():
    (their_input, ours), (our_output, theirs) = os.pipe(), os.pipe()
    return (ours, our_output), (their_input, theirs)


@pytest.mark.parametrize("connect", [by_socket, by_pipes])
def test_held_descriptors_make_a_channel(connect):
    echoes = []

    def start():
        ours, theirs = connect()
        echoes.append(threading.Thread(target=say_back, args=theirs))
        echoes[-1].start()
        return FdChannel(Player(code="person", command=("",)), *ours)

    check_channel(start)
    for echo in echoes:
        echo.join(60)
        assert not echo.is_alive()


@pytest.mark.process
def test_engines_without_containment_are_channels():
    check_channel(lambda: LocalExecutor().start(CAT, {}))


@pytest.mark.process
def test_contained_engines_are_channels(executor, tmp_path):
    for part in ("work", "tmp"):
        (tmp_path / part).mkdir()
    for layer in ("upper", "work"):
        (tmp_path / "overlay" / layer).mkdir(parents=True)
    check_channel(lambda: executor.start(CAT, {}, place=str(tmp_path)))


class Deaf(FdChannel):
    """A channel that loses its input."""

    def __init__(self, player, stdin, stdout):
        super().__init__(player, stdin, stdout)
        os.dup2(os.open(os.devnull, os.O_WRONLY | os.O_NONBLOCK), self.stdin, inheritable=False)


def test_the_kit_finds_a_channel_that_loses_what_is_said(monkeypatch):
    monkeypatch.setattr("gyoji.testing.channel_kit.PATIENCE", 0.05)
    ours, theirs = by_pipes()
    with pytest.raises(AssertionError, match="told b'one line"):
        check_channel(lambda: Deaf(CAT, *ours))
    for descriptor in theirs:
        os.close(descriptor)


class Blocking(FdChannel):
    def __init__(self, player, stdin, stdout):
        super().__init__(player, stdin, stdout)
        os.set_blocking(stdout, True)


def test_the_kit_finds_a_channel_that_blocks():
    ours, theirs = by_pipes()
    with pytest.raises(AssertionError, match="stdout blocks"):
        check_channel(lambda: Blocking(CAT, *ours))
    for descriptor in theirs:
        os.close(descriptor)


class Connected:
    """An executor whose player is at the other end of two descriptors."""

    pids = frozenset()

    def __init__(self, channel, descriptors):
        self._channel, self._descriptors = channel, descriptors

    def start(self, player, environ, *, place=""):
        return self._channel(player, *self._descriptors)

    def close(self):
        pass


class Leaving:
    """A codec of players that send nothing but moves."""

    answers_itself = True

    def __init__(self):
        self.ready = []

    def send(self, request):
        if type(request) is AskMove:
            return b"your move?\n"
        self.ready.append(Ready(can_score=False) if type(request) is NewGame else HasQuit())
        return b""

    def receive(self, data):
        ready, self.ready = self.ready, []
        return ready

    def finish(self):
        return ()


def test_who_hangs_up_has_lost_the_game():
    """The channel brings its own codec, since no protocol for human players is installed."""
    ours, (reads, writes) = by_pipes()

    class Channel(FdChannel):
        codec = Leaving()

    def leaves():
        assert os.read(reads, 100) == b"your move?\n"
        os.close(reads)
        os.close(writes)

    other = threading.Thread(target=leaves)
    other.start()
    person, function = (Player(code=code, command=("0",), executor=code) for code in ("person", "function"))
    spec = GameSpec(id="0", pairing="0", game="gomoku", players=(person, function), options={"board_size": 5})
    starters = {"person": Connected(Channel, ours), "function": FunctionExecutor(lambda _: api.first_legal)}
    outcome = play(Order(spec=spec), starters=starters).record.result.outcome
    other.join(60)
    assert (outcome.winner, outcome.ending) == (1, Ending.FAULT)
    assert outcome.detail == "forfeit by person: closed its output"


def test_a_clock_of_cpu_time_needs_a_process():
    ours, theirs = by_pipes()
    context = WorkerContext(starters={"held": Connected(FdChannel, ours)})
    person = Player(code="person", command=("",), executor="held")
    with pytest.raises(Breakdown, match="player person: a clock of CPU time needs a process"):
        context.connect(None, 0, person, {}, meter=Meter.CPU)
    assert os.read(theirs[0], 1) == b""
    context.close()
    for descriptor in theirs:
        os.close(descriptor)
