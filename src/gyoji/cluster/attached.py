"""``python -m gyoji.cluster.attached COMMAND ...``: run a command until it ends or standard input ends.

A command started by ssh goes on after the connection is lost. But then its standard input ends, and this
program ends the command.
"""

import os
import select
import subprocess
import sys
from contextlib import suppress

from gyoji.executors.kernel import die_with_parent

LEAVE_SECONDS = 5.0
_CHUNK = 1 << 16


def main(words: list[str]) -> int:
    """Run a command until it ends or standard input ends. Return its exit status."""
    with subprocess.Popen(words, stdin=subprocess.DEVNULL, preexec_fn=die_with_parent) as process:  # noqa: PLW1509 - there is one thread
        ended = os.pidfd_open(process.pid)
        while True:
            ready, _, _ = select.select([ended, 0], [], [])
            if ended in ready:
                return process.wait()
            if not os.read(0, _CHUNK):
                break
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            return process.wait(LEAVE_SECONDS)
        process.kill()
    return process.wait()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
