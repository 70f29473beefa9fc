"""The launcher of one worker: a small process that forks cells, the sandboxes in which engines are started.

It is started as ``python -c ... FD`` (`cells.COMMAND`), where FD is a stream socket of the worker. Only
``gyoji contain`` makes it by a fork instead (`outlive`).
"""

# Theory of operation
#
# Three kinds of process lie between a worker and an engine's first instruction:
#
#     worker --Launcher--> launcher ----clone(flags)----> cell -----posix_spawn----> engine
#       |    (socket)      (this file)     once for a   (cell_process)  once for    (session of its own; the
#       |                                player's plan        |         each game    cell adopts its orphans)
#       +-----------------Cell (one socket each)--------------+
#
# Why a launcher: only a process itself can change its namespaces, mounts and capabilities, between fork and
# exec, and a worker is too large to fork cheaply. The launcher has one thread and imports only the standard
# library and a few modules of this package, so a cell costs a fork of a small process instead of the start of
# an interpreter.
#
# Why cells: children inherit the restrictions of their parent. A cell restricts itself once; then an engine
# costs a posix_spawn, and the preparation is not charged to the engine's CPU time.
#
# Messages are lines of JSON, and descriptors are sent with them (`fd_lines`). The worker sends orders to the
# launcher, which does not answer:
#
#     worker -> launcher   `plan.Order` + a socket        fork a cell that listens to this socket
#
# All other messages are between the worker (`cells.Cell`) and the cell:
#
#     cell -> worker   {"ready": [missing layer, ...], "first": pid of the cell as the worker sees it}
#                      + a perf counter of the CPU time of all that will run in it, if the kernel has one
#                      or {"error": text}
#                      or {"out_of_reach": path}: as another user its engines could not read this file
#     worker -> cell   {"start": variables of this game, "launch": `plan.Launch`} + stdin, stdout, stderr
#                      ("launch" is left out if it is the one of the previous start)
#     cell -> worker   {"started": [us user, us kernel]} + a pidfd: CPU time of all that has ended in the cell
#                      or {"error": text, "file": path}: the program could not be executed
#     worker -> cell   {"signal": number}: send it to every process in the cell. No answer.
#     cell -> worker   {"code": exit code, "cpu": ns, "leftovers": text}: the engine has ended, unasked
#
#                        +------------------------- "leftovers" is empty -------------------------+
#                        v                                                                        |
#     order --> [set up] --"ready"--> [idle] --"start"--> [running] --SIGCHLD of the engine--> [clean]
#                  |                    |                     |            kill and reap all,
#               "error",             end of file on the socket, or          remove shared memory
#             "out_of_reach"         death of the launcher or the worker
#                  v                                v
#                exit                      kill all, exit
#
# Invariants:
#
# * A cell runs one engine at a time. When it says "code", no process of that engine is left.
# * A cell dies with its launcher and a launcher with its worker (PR_SET_PDEATHSIG, and end of file on the
#   sockets). An engine dies with its cell, which is process 1 of its pid namespace; without such a namespace
#   the worker adopts the engine and kills it with other orphans. So nothing is left if any of them is killed.
# * Limits of a cell are set before it starts anything. Limits set after an engine's start would be too late
#   for a child that the engine forks at once.
# * No cell blocks in a send: answers are short, and a worker has at most two of them unread.
#
# What may go wrong:
#
# * ETOOMANYREFS. The kernel counts descriptors in flight for each user, and refuses to let a process send
#   more than its own limit of open files. A hostile engine can keep descriptors in flight, so that the cell
#   of another engine cannot send its pidfd. Then "started" comes without one, the worker opens a pidfd by the
#   pid, which it finds in /proc, and answers {"taken": true}. The cell reaps nothing before that answer, so
#   the pid cannot have been given to another process.
# * An order arrives in two reads, and descriptors with the first: the cell keeps them until the message is
#   complete.
# * The launcher is killed: each cell gets SIGKILL from the kernel, `Cell.has_ended` sees the end of file, and
#   the game is void and is played again (`ProcessLost`).
#
# Given up: a fork of the launcher for every engine (2 to 3 ms of CPU instead of 1.3, ADR 7); engines as
# process 1 of a namespace, which ignore signals without a handler and inherit orphans that they do not reap.

import gc
import os
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from typing import NoReturn

from gyoji.executors import kernel
from gyoji.executors.contained import uids
from gyoji.executors.contained.cell_process import be_cell
from gyoji.executors.contained.fd_lines import FdLines, send
from gyoji.executors.contained.plan import Order

_PATIENCE = 60
"""The time limit, in seconds, for a launcher that outlives its worker to end cells and clean up."""


def launch_cells(connection: socket.socket) -> None:
    """Make cells, the sandboxes of engines, until the worker closes the connection or ends."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the kernel reaps cells: the worker watches their sockets
    lines = FdLines(connection)
    while message := lines.next():
        order: Order
        order, (descriptor,) = message
        with socket.socket(fileno=descriptor) as theirs:
            try:
                users = uids.namespaces(order["user"]["uid"]) if order["user"] else uids.NONE
                with closing(users):
                    if kernel.clone(order["flags"]) == 0:
                        connection.close()
                        be_cell(theirs, order, users)
            except OSError as error:
                why = kernel.describe_error(error)
                send(theirs, {"error": f"it cannot get namespaces of its own: {why}"})


def outlive(connection: socket.socket, after: Callable[[], object]) -> NoReturn:
    """Make cells in a fork of the worker, for `gyoji contain`, then wait for their ends and call `after`.

    The worker has ended by then. If cells still run 60 s later, this process ends without calling `after`.

    Args:
        after: Removes files that the worker cannot remove if it is killed.
    """
    os.setsid()  # a signal to the worker's process group must not reach the launcher
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in range(3):  # else a reader of the engine's output would wait for the launcher, too
        os.dup2(nowhere, number)
    _ignore_terminal()
    launch_cells(connection)
    signal.alarm(_PATIENCE)
    with suppress(ChildProcessError):
        os.wait()  # returns when no child is left, since SIGCHLD is ignored
    after()
    os._exit(0)


def _ignore_terminal() -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)


def main() -> None:
    kernel.die_with_parent()
    _ignore_terminal()
    # Cells share the pages of the launcher. The collector writes to each object's header and would copy them.
    gc.disable()
    gc.freeze()
    launch_cells(socket.socket(fileno=int(sys.argv[1])))
    os._exit(0)  # skips finalization, for which the worker would wait


if __name__ == "__main__":
    main()
