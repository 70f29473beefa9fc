"""The floor: a bare loop over the same pipes, without rules, records, clocks or any care.

``python -m bench.floor ENGINE SIZE GAMES [--keep]`` plays games between two instant engines: per move one
write of ``play`` and ``genmove`` and the reads until the answer is there. Prints JSON: moves, seconds of its
own CPU. New engine processes for each game, as a match has them, or with --keep the same two for all.
"""

import json
import os
import resource
import subprocess
import sys

SETUP = b"protocol_version\nname\nversion\nboardsize %d\nclear_board\nkomi 7.5\n"
ANSWERS = 6


def start(engine: str, seed: int) -> subprocess.Popen[bytes]:
    command = [engine, "--seed", str(seed)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)


def ask(process: tuple[int, int], data: bytes, answers: int) -> bytes:
    """Write, then read until as many answers are there."""
    os.write(process[0], data)
    got = os.read(process[1], 65536)
    while got.count(b"\n\n") < answers:
        got += os.read(process[1], 65536)
    return got


def play_game(pipes: list[tuple[int, int]], size: int) -> int:
    """One game between two engines that have been set up; the number of moves."""
    for each in pipes:
        ask(each, SETUP % size, ANSWERS)
    colours = (b"b", b"w")
    vertex, mover, passes, moves = b"", 0, 0, 0
    while passes < 2:
        question = b"genmove " + colours[mover] + b"\n"
        if vertex:
            question = b"play " + colours[1 - mover] + b" " + vertex + b"\n" + question
        answer = ask(pipes[mover], question, 2 if vertex else 1)
        vertex = answer[answer.rindex(b"= ") + 2 : -2]
        passes = passes + 1 if vertex == b"PASS" else 0
        mover = 1 - mover
        moves += 1
    return moves


def own_cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    engine, size, games, keep = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), "--keep" in sys.argv
    processes: list[subprocess.Popen[bytes]] = []
    before, moves = own_cpu(), 0
    for _ in range(games):
        if not processes:
            processes = [start(engine, 1), start(engine, 2)]
        pipes = [
            (each.stdin.fileno(), each.stdout.fileno()) for each in processes if each.stdin and each.stdout
        ]
        moves += play_game(pipes, size)
        if not keep:
            quit_all(processes)
            processes = []
    quit_all(processes)
    print(json.dumps({"moves": moves, "cpu_s": own_cpu() - before}))


def quit_all(processes: list[subprocess.Popen[bytes]]) -> None:
    for each in processes:
        each.communicate(b"quit\n")


if __name__ == "__main__":
    main()
