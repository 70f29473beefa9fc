"""Running a probe: each step is sent to a real engine through a link, and the output is collected.

Each step has a deadline, and ends early on too much output or the end of the process. A process that has
ended is replaced only if the probe asks for a new one. The check of a player's signature is a probe of one
step: another build or version, or faulty hardware, gives another answer.
"""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from time import monotonic_ns
from typing import Any, Generic, TypeVar

from msgspec.structs import replace

from gyoji.core import messages as m
from gyoji.core.clocks import Meter
from gyoji.core.faults import Breakdown
from gyoji.core.plugins import EXECUTORS, PROTOCOLS, AnyProtocol
from gyoji.core.ports import Channel
from gyoji.core.probe import Findings, Heard, Probe, Step
from gyoji.core.spec import GameSpec, Player, Signature
from gyoji.core.text import printable, quote
from gyoji.play.context import Watch, WorkerContext, borrowed, engine_environ, make_rules
from gyoji.play.link import Link
from gyoji.play.monitor import longest_delay

T = TypeVar("T")

GAME_ID = "probe"
"""The game token in the environment of probed engines."""


def carry_out(probe: Probe[T], player: Player, *, context: WorkerContext | None = None) -> T:
    """Run a probe with a player's engine and return its findings.

    Must be called from the main thread. The engine is never suspended, so that unexpected output is seen.

    Args:
        context: Context to start the engine in; it stays open. None for a new one.

    Raises:
        Breakdown: The engine could not be started.
    """
    with borrowed(context) as place:
        probe_run = _ProbeRun(place, replace(player, stderr="log", ponders=True), probe)
        made = probe_run.run()
    if isinstance(made, Findings):
        return replace(made, waited=probe_run.waited, delay=probe_run.delay)
    return made


def find_spoken(player: Player, *, context: WorkerContext | None = None) -> AnyProtocol | None:
    """Return the protocol that a player's program speaks, if it is not the one in the player's settings.

    Return None if the program speaks no other protocol. The one in the settings is not tried.

    Args:
        context: Context to start the engine in; it stays open. None for a new one. Its `watch` is not
            notified.
    """
    quiet = None if context is None else replace(context, watch=None)
    for name in PROTOCOLS.names:
        protocol = PROTOCOLS.find(name)
        if name == player.protocol or protocol.greeting is None:
            continue
        with suppress(Breakdown):
            if carry_out(protocol.greeting(), player, context=quiet):
                return protocol
    return None


def try_out(spec: GameSpec, *, context: WorkerContext | None = None) -> Findings:
    """Run the protocol's short probe (`Protocol.trial`) with the engine of seat 0, for games like `spec`.

    The findings are empty if the protocol has no trial, or if the player's executor does not use protocols.

    Args:
        context: Context to start the engine in; it stays open. None for a new one.

    Raises:
        Breakdown: The engine cannot be started.
    """
    player = spec.players[0]
    trial = PROTOCOLS.find(player.protocol).trial if EXECUTORS.find(player.executor).has_protocol else None
    return Findings() if trial is None else carry_out(trial(make_rules(spec)), player, context=context)


class _ProbeCodec:
    """A codec whose requests are the steps of a probe. It replies once, when the answer is complete."""

    def __init__(self, watch: Watch | None = None) -> None:
        self.said = b""
        self._watch = watch
        self._step = Step(b"", 0)
        self._is_complete = False

    def send(self, request: Any) -> bytes:
        self.said, self._step, self._is_complete = b"", request, False
        return self._step.data

    def receive(self, data: bytes) -> Sequence[m.Reply]:
        self.said += data
        if self._watch is not None:
            self._watch.on_said(data)
        until = self._step.until
        if self._is_complete or until is None or not until(self.said):
            return ()
        self._is_complete = True
        return (m.Acknowledged(),)

    def finish(self) -> Sequence[m.Reply]:
        return ()


class _ProbeRun(Generic[T]):
    """One run of a probe with a player's engine, possibly in several processes one after another."""

    def __init__(self, context: WorkerContext, player: Player, probe: Probe[T]) -> None:
        self._context = context
        self._player = player
        self._probe = probe
        self._link: Link | None = None  # None after its process has ended
        self._ear = _ProbeCodec()
        self._step = Step(b"", 0)
        self._asked = 0
        self._took = -1  # ns until the answer was complete, or -1
        self._channel: Channel | None = None
        self._delays: Mapping[int, int] = {}  # of the engine's threads, at the start of the step
        self.waited = self.delay = 0  # ns in all steps
        self._ended = ""  # how the process ended, if it did
        self._starts_again = False  # whether to start another process
        self._results: list[T] = []
        self._failure: Exception | None = None

    def run(self) -> T:
        try:
            self._go_on(None)
            self._context.loop.run(lambda: self._is_over)
        finally:
            self._starts_again = False
            if self._link is not None:
                self._link.dismiss(kindly=False)
                self._context.loop.run(lambda: self._link is None)
        if self._failure is not None:
            raise self._failure
        return self._results[0]

    @property
    def _is_over(self) -> bool:
        return bool(self._results) or self._failure is not None

    def _go_on(self, heard: Heard | None) -> None:
        """Pass the output of the last step to the probe, and start the probe's next step.

        Args:
            heard: Output of the last step; None before the first step.
        """
        try:
            self._step = step = next(self._probe) if heard is None else self._probe.send(heard)
            while self._ended and not step.fresh:
                self._step = step = self._probe.send(Heard(ended=self._ended))
        except StopIteration as end:
            self._results.append(end.value)
            return
        if self._link is None:
            self._start()
        elif step.fresh:
            self._starts_again = True
            self._link.dismiss(kindly=False)
        else:
            self._delays, self._asked = self._delays_now(), monotonic_ns()
            self._put()

    def _start(self) -> None:
        self._ear, self._ended, self._starts_again = _ProbeCodec(self._context.watch), "", False
        self._asked = monotonic_ns()
        channel, self._cleanup = self._context.start(self._player, engine_environ(GAME_ID, None))
        self._channel = channel
        self._delays = {}
        self._link = Link(self._context.loop, self, 0, channel=channel, codec=self._ear, meter=Meter.WALL)
        self._put()

    def _put(self) -> None:
        assert self._link is not None
        self._took = -1
        step: Any = self._step  # this codec's requests are steps
        patience = self._player.budgets.startup if step.patience is None else step.patience
        if (watch := self._context.watch) is not None:
            watch.on_asked(self._player, step.data, patience)
        self._link.send(step, patience)

    def _conclude(self, ended: str = "") -> None:
        """End the step and pass its output to the probe.

        Args:
            ended: Why this process can be asked nothing more: how it ended, or that it does not read its
                input. "" if it can be asked more.
        """
        self._ended = ended
        took = self._took if self._took >= 0 else monotonic_ns() - self._asked
        # The longest time that a thread of the engine waited for a processor during this step.
        delay = min(longest_delay(self._delays, self._delays_now()) or 0, took)
        self.waited += took
        self.delay += delay
        self._go_on(Heard(self._ear.said, took, self._took >= 0, ended, delay))

    def _delays_now(self) -> Mapping[int, int]:
        if self._channel is None or self._channel.process is None:
            return {}
        return self._channel.process.delays()

    # Events from the link

    def on_reply(self, _seat: int, reply: m.Reply, used: int) -> None:
        assert self._link is not None
        if not isinstance(reply, m.Broken):
            self._took = used
            self._link.wait(self._step.linger)
        else:
            self._link.dismiss(kindly=False)
            self._conclude(reply.detail)

    def on_expiry(self, _seat: int, _used: int, _waited: int, *, deaf: bool) -> None:
        self._conclude("did not read what it was sent" if deaf else "")

    def on_failure(self, reason: str, _trace: Sequence[str], *, by_death: bool = False) -> None:
        self._failure = Breakdown(reason)

    def on_closed(self, _seat: int) -> None:
        self._link = None
        self._cleanup()
        if self._starts_again:
            self._start()


_STATUS = re.compile(r"[=?][0-9]*(?: |$)")
"""The beginning of a GTP answer."""


def signature_problem(player: Player, *, context: WorkerContext | None = None) -> str:
    """Return why a player's engine fails the test of its signature, or "". Call from the main thread.

    A signature is a line to send to the engine, and a line that the answer must contain.

    Args:
        context: Context to start the engine in; it stays open. None for a new one.
    """
    if player.signature is None:
        return ""
    try:
        return carry_out(_asking(player.signature), player, context=context)
    except Breakdown as error:
        return f"signature: {error}"


def _asking(signature: Signature) -> Probe[str]:
    """Send an engine the line of its signature. Return what is wrong with the answer, or ""."""
    until = partial(_is_complete, signature.expect)
    heard = yield Step(f"{signature.send}\n".encode(), None, until)
    lines = _lines(heard.said)
    if signature.expect in lines:
        return ""
    got = quote(printable(lines[-1], 100)) if lines else "nothing"
    ended = f" and {heard.ended}" if heard.ended else ""
    return (
        f"signature: expected {quote(signature.expect)} as the answer to {quote(signature.send)}, "
        f"got {got}{ended}: this is another engine than is meant, or a machine that computes wrongly"
    )


def _is_complete(expect: str, said: bytes) -> bool:
    """Return whether an answer is complete: it has the expected line, or ends like a GTP response."""
    if said.lstrip()[:1] in (b"=", b"?") and said.endswith((b"\n\n", b"\n\r\n")):
        return True
    return expect in _lines(said[: said.rfind(b"\n") + 1])


def _lines(said: bytes) -> list[str]:
    """Return the lines of an answer without GTP's prefix and without empty lines."""
    lines = said.decode("utf-8", "replace").splitlines()
    return [told for line in lines if (told := _STATUS.sub("", line.strip(), count=1).strip())]
