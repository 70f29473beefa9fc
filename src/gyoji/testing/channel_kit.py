"""The conformance kit for channels: `check_channel` talks to players that say back what they are told.

An executor passes if its channels do. Their player is a program such as `cat`, a thread, or whatever else
writes all that it reads, and ends when it reads an end of file. Nothing is waited for longer than `PATIENCE`.
The first promise of `gyoji.core.ports.Channel` or `Process` that is broken raises AssertionError.
"""

import os
import select
from collections.abc import Callable
from contextlib import suppress

from gyoji.core.ports import Channel, Process
from gyoji.testing import demand

PATIENCE = 30.0
"""Seconds in which an echo comes, and an end."""

_MUCH = b"0123456789abcde\n" * (1 << 14)  # 256 KiB: more than pipes and sockets hold


def check_channel(start: Callable[[], Channel]) -> None:
    """Start three players, one after the other: one comes to its end, one is killed, one is just closed.

    start: makes the channel of a new player that says back what it is told.
    """
    channel = start()
    try:
        _check_talk(channel)
        _check_end(channel)
    finally:
        channel.close()
    _check_closed(channel)
    channel = start()
    process = channel.process
    if process is not None:
        _check_kill(channel, process)
    channel.close()
    channel.close()


def _check_talk(channel: Channel) -> None:
    stdin, stdout = channel.stdin, channel.stdout
    demand(stdin != stdout, f"stdin and stdout are one descriptor, {stdin}")
    for name, descriptor in (("stdin", stdin), ("stdout", stdout)):
        demand(not os.get_blocking(descriptor), f"{name} blocks")
        demand(not os.get_inheritable(descriptor), f"{name} can be inherited by programs that are started")
    demand(_taken(channel) is None, "there is output before there was input")
    for told in (b"one line\n", b"a line that does not ", b"end here\n", _MUCH):
        said = _said_back(channel, told)
        demand(
            said == told, f"told {told[:40]!r}, {len(told)} bytes, and read {said[:40]!r}, {len(said)} bytes"
        )
    process = channel.process
    if process is not None:
        _check_process(channel, process)


def _check_process(channel: Channel, process: Process) -> None:
    """Of a process that runs."""
    demand(process.pid > 0, f"pid is {process.pid}")
    demand(process.reap() is None, "reap: it has ended, while it talks to us")
    demand(not _is_ready(process.pidfd, 0), "pidfd is readable, and it has not ended")
    first = process.tree_ns()
    demand(process.cpu_ns(user_only=True) >= 0, "cpu_ns is below 0")
    demand(first <= process.tree_ns(), "tree_ns has become less")
    demand(process.memory() >= 0, "memory is below 0")
    demand(all(ns >= 0 for ns in process.delays().values()), "a delay is below 0")
    process.suspend()
    process.resume()
    demand(_said_back(channel, b"again\n") == b"again\n", "it does not go on after suspend and resume")


def _check_end(channel: Channel) -> None:
    """When its input ends, so does its output."""
    process = channel.process
    channel.close_stdin()
    channel.close_stdin()
    while (data := _taken(channel, PATIENCE)) is not None and data:
        pass
    demand(data is not None, f"no end of file {PATIENCE:.0f} s after the end of its input")
    if process is not None:
        demand(_is_ready(process.pidfd, PATIENCE), "pidfd: it has not ended")
        _check_reaped(process)


def _check_kill(channel: Channel, process: Process) -> None:
    process.kill()
    demand(_is_ready(process.pidfd, PATIENCE), "kill: it has not ended")
    end = _check_reaped(process)
    demand(end != "exit 0", "it was killed, and reap says that it ended by itself")
    demand(_taken(channel, PATIENCE) == b"", "kill: its output is still open")
    process.kill()  # its number may be somebody else's by now


def _check_reaped(process: Process) -> str:
    """How a process ended that has."""
    end = process.reap()
    if end is None:
        raise AssertionError("reap gives nothing, and it has ended")
    demand(end[0] and end[1] >= 0, f"reap gives {end}")
    demand(process.reap() == end, "reap gives something else the second time")
    return end[0]


def _check_closed(channel: Channel) -> None:
    channel.close()
    for name in ("stdin", "stdout"):
        descriptor = getattr(channel, name)
        demand(descriptor == -1, f"{name} is still {descriptor} after close, expected -1")


def _is_ready(descriptor: int, seconds: float) -> bool:
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(seconds * 1000))


def _taken(channel: Channel, seconds: float = 0) -> bytes | None:
    """The bytes that it says, b"" at its end, None if it says nothing in so many seconds."""
    if not _is_ready(channel.stdout, seconds):
        return None
    try:
        return os.read(channel.stdout, 1 << 16)
    except BlockingIOError:
        return None
    except OSError:
        return b""


def _said_back(channel: Channel, told: bytes) -> bytes:
    """Its answer when it is told this, as far as that is as long."""
    said, left = b"", told
    while len(said) < len(told):
        if left:
            with suppress(BlockingIOError):
                left = left[os.write(channel.stdin, left) :]
        if not (data := _taken(channel, 0 if left else PATIENCE)) and not left:
            break
        said += data or b""
        if left and not data:
            _wait_for_either(channel)
    return said


def _wait_for_either(channel: Channel) -> None:
    poll = select.poll()
    poll.register(channel.stdin, select.POLLOUT)
    poll.register(channel.stdout, select.POLLIN)
    demand(poll.poll(PATIENCE * 1000), f"it takes and says nothing for {PATIENCE:.0f} s")
