"""The conformance kit for channels (port `Channel`): `check_channel`.

It uses a player that echoes its input: any program, thread or function that writes everything it reads and
ends at the end of its input, such as `cat`. An executor passes if its channels do. No wait is longer than
`PATIENCE`. The first violation of `gyoji.core.ports.Channel` or `Process` raises AssertionError.
"""

# Descriptors may be blocking or not, and a player may echo its input in arbitrary pieces, so every read waits
# with `poll` and collects the expected bytes. A slow start is not a failure: an interpreter may take a second
# to start on a busy machine, hence the long `PATIENCE`.

import os
import select
from collections.abc import Callable
from contextlib import suppress

from gyoji.core.ports import Channel, Process
from gyoji.testing import demand

PATIENCE = 30.0
"""The time limit, in seconds, for a player to echo its input, and to end."""

_MUCH = b"0123456789abcde\n" * (1 << 14)  # 256 KiB: more than pipes and sockets hold


def check_channel(start: Callable[[], Channel]) -> None:
    """Check two players: one ends by itself when its input is closed, the other is killed.

    A player without a process cannot be killed: its channel is only closed.

    Args:
        start: Returns the channel of a new player that echoes its input.
    """
    channel = start()
    try:
        stdin, stdout = channel.stdin, channel.stdout
        demand(stdin != stdout, f"stdin and stdout are one descriptor, {stdin}")
        for name, descriptor in (("stdin", stdin), ("stdout", stdout)):
            demand(not os.get_blocking(descriptor), f"{name} blocks")
            demand(
                not os.get_inheritable(descriptor), f"{name} can be inherited by programs that are started"
            )
        demand(_taken(channel) is None, "there is output before there was input")
        for told in (b"one line\n", b"a line that does not ", b"end here\n", _MUCH):
            said = _said_back(channel, told)
            demand(
                said == told,
                f"told {told[:40]!r}, {len(told)} bytes, and read {said[:40]!r}, {len(said)} bytes",
            )
        process = channel.process
        if process is not None:
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
            demand(
                _said_back(channel, b"again\n") == b"again\n", "it does not go on after suspend and resume"
            )
        _check_end(channel)
    finally:
        channel.close()
    channel.close()
    for name in ("stdin", "stdout"):
        descriptor = getattr(channel, name)
        demand(descriptor == -1, f"{name} is still {descriptor} after close, expected -1")
    channel = start()
    process = channel.process
    if process is not None:
        process.kill()
        demand(_is_ready(process.pidfd, PATIENCE), "kill: it has not ended")
        end = _check_reaped(process)
        demand(end != "exit 0", "it was killed, and reap says that it ended by itself")
        demand(_taken(channel, PATIENCE) == b"", "kill: its output is still open")
        process.kill()  # its number may be somebody else's by now
    channel.close()
    channel.close()


def _check_end(channel: Channel) -> None:
    """Close the player's input, and check that its output ends and its process exits."""
    process = channel.process
    channel.close_stdin()
    channel.close_stdin()
    while (data := _taken(channel, PATIENCE)) is not None and data:
        pass
    demand(data is not None, f"no end of file {PATIENCE:.0f} s after the end of its input")
    if process is not None:
        demand(_is_ready(process.pidfd, PATIENCE), "pidfd: it has not ended")
        _check_reaped(process)


def _check_reaped(process: Process) -> str:
    """Check that `reap` returns how an ended process ended, and that a second call returns the same.

    Return the end in words, such as "exit 0".
    """
    end = process.reap()
    if end is None:
        raise AssertionError("reap gives nothing, and it has ended")
    demand(end[0] and end[1] >= 0, f"reap gives {end}")
    demand(process.reap() == end, "reap gives something else the second time")
    return end[0]


def _is_ready(descriptor: int, seconds: float) -> bool:
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(seconds * 1000))


def _taken(channel: Channel, seconds: float = 0) -> bytes | None:
    """Read available output. Return b"" at its end, or None if there is none within `seconds`."""
    if not _is_ready(channel.stdout, seconds):
        return None
    try:
        return os.read(channel.stdout, 1 << 16)
    except BlockingIOError:
        return None
    except OSError:
        return b""


def _said_back(channel: Channel, told: bytes) -> bytes:
    """Write `told` to the player and return its echo, which is shorter if the output ends or stops."""
    said, left = b"", told
    while len(said) < len(told):
        if left:
            with suppress(BlockingIOError):
                left = left[os.write(channel.stdin, left) :]
        if not (data := _taken(channel, 0 if left else PATIENCE)) and not left:
            break
        said += data or b""
        if left and not data:
            poll = select.poll()
            poll.register(channel.stdin, select.POLLOUT)
            poll.register(channel.stdout, select.POLLIN)
            demand(poll.poll(PATIENCE * 1000), f"it takes and says nothing for {PATIENCE:.0f} s")
    return said
