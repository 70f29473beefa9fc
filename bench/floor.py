"""``python -m bench.floor ENGINE GAMES GAME ... [--keep]``: a bare loop over the same pipes, as the floor.

Play games between two instant engines without rules, records, clocks or any care: one write per question,
and reads until the answer is complete. Print units, own CPU and wall time in seconds, as JSON. Engines are
started anew for each game, or once for all games with --keep.
"""

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence

Pipes = tuple[int, int]
GOMOKU_MOVES = 110  # about what two random movers need on 15x15
DIGHERE_STEPS = 100


def start(words: Sequence[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)


def ask(pipes: Pipes, data: bytes, end: bytes, count: int = 1) -> bytes:
    """Write `data`, then read until `count` answers that end with `end` have arrived."""
    os.write(pipes[0], data)
    got = os.read(pipes[1], 65536)
    while got.count(end) < count:
        got += os.read(pipes[1], 65536)
    return got


def play_go(pipes: Sequence[Pipes], size: int) -> int:
    """Play one game by GTP, set-up included. Return the number of moves."""
    for each in pipes:
        ask(
            each, b"protocol_version\nname\nversion\nboardsize %d\nclear_board\nkomi 7.5\n" % size, b"\n\n", 6
        )
    colours = (b"b", b"w")
    vertex, mover, passes, moves = b"", 0, 0, 0
    while passes < 2:
        question = b"genmove " + colours[mover] + b"\n"
        if vertex:
            question = b"play " + colours[1 - mover] + b" " + vertex + b"\n" + question
        answer = ask(pipes[mover], question, b"\n\n", 2 if vertex else 1)
        vertex = answer[answer.rindex(b"= ") + 2 : -2]
        passes = passes + 1 if vertex == b"PASS" else 0
        mover = 1 - mover
        moves += 1
    return moves


def play_gomoku(pipes: Sequence[Pipes], size: int) -> int:
    """Play one game of a fixed number of moves by Gomocup's protocol. No rules would end it."""
    for each in pipes:
        ask(each, b"START %d\r\n" % size, b"\n")
    point, mover = b"", 0
    for _ in range(GOMOKU_MOVES):
        question = b"TURN " + point + b"\r\n" if point else b"BEGIN\r\n"
        point = ask(pipes[mover], question, b"\n").strip()
        mover = 1 - mover
    return GOMOKU_MOVES


def play_dighere(pipes: Sequence[Pipes], size: int) -> int:
    """Play one game of Dig Here with all its steps: query all four agents, then read their plans."""
    holes = f"{size}" + "".join(f" {x} {size // 2}" for x in range(size))
    known, sensed = "5" + " 1 2 40" * 5, "2" + " 3 4 20" * 2
    rest = f"{holes}\n{known}\n{sensed}\n0 0 9 9 0 9 9 0\n-1 -1 -1 -1\n-1 -1 -1 -1\n0 0\n400\n10000\n"
    for step in range(DIGHERE_STEPS):
        for seat, (stdin, _) in enumerate(pipes):
            os.write(stdin, f"{seat}\n{size}\n{step}\n{DIGHERE_STEPS}\n{rest}".encode())
        for _, stdout in pipes:
            while not os.read(stdout, 65536).endswith(b"\n"):
                pass
    return DIGHERE_STEPS


def play_chess(pipes: Sequence[Pipes], size: int) -> int:
    """Play one game of at most `size` moves by UCI. No rules would end it."""
    for each in pipes:
        ask(each, b"uci\nisready\nucinewgame\nisready\n", b"readyok\n", 2)
    line, mover = b"position startpos moves", 0
    for number in range(size):
        question = line + b"\ngo wtime 60000 btime 60000 winc 100 binc 100\n"
        answer = ask(pipes[mover], question if number else question.replace(b" moves", b""), b"bestmove ")
        move = answer[answer.rindex(b"bestmove ") + 8 :].rstrip()
        if move == b" 0000":
            return number
        line += move
        mover = 1 - mover
    return size


GAMES: dict[str, tuple[Callable[[Sequence[Pipes], int], int], bytes, Sequence[Sequence[str]]]] = {
    "go": (play_go, b"quit\n", (("--seed", "1"), ("--seed", "2"))),
    "gomoku": (play_gomoku, b"END\r\n", (("1",), ("2",))),
    "chess": (play_chess, b"quit\n", (("--seed", "1"), ("--seed", "2"))),
    "dighere": (play_dighere, b"", (("1",), ("2",), ("1",), ("2",))),
}
"""By game: the function that plays it, the line that ends an engine, and the engines' arguments."""


def own_cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    engine, games, game, size, keeps = *sys.argv[1:5], "--keep" in sys.argv
    play, goodbye, words = GAMES[game]
    processes: list[subprocess.Popen[bytes]] = []
    before, began, units = own_cpu(), time.monotonic(), 0
    for number in range(int(games)):
        if not processes:
            processes = [start((engine, *each)) for each in words]
        pipes = [
            (each.stdin.fileno(), each.stdout.fileno()) for each in processes if each.stdin and each.stdout
        ]
        units += play(pipes, int(size))
        if not keeps or number == int(games) - 1:
            for each in processes:
                each.communicate(goodbye)
            processes = []
    print(json.dumps({"units": units, "cpu_s": own_cpu() - before, "wall_s": time.monotonic() - began}))


if __name__ == "__main__":
    main()
