"""The cost of a turn through an umpire, beside a bare loop over the same pipes.

::

    python -m bench.umpire_turns [--turns N] [--rounds N]

An umpire in Python and one in C++ ask two players in turn, or four at once, and the players (C++) answer at
once. The bare loop is what a person would write for one such game: it starts the same programs with pipes,
reads a line, and passes on what is in it; it has no clocks, limits or records. Games of both are played
alternately.

The umpire measures each turn: from its question to the answers. A tenth of all turns are as fast as the tenth
percentile or faster: other programs on the machine have not got in their way, however busy it is. That figure
is compared. Beside it stands the CPU time of the loop and of the referee. The exit status is 1 if a turn
takes more than three times as long. It needs g++.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from gyoji.core.clocks import TimeControl
from gyoji.core.spec import GameSpec, Player
from gyoji.play.game import play
from gyoji.play.order import Order

MOST = 3.0

PYTHON = """
import json, sys
from time import perf_counter_ns
begin = json.loads(sys.stdin.readline())["begin"]
times = []
seats, turns = begin["seats"], begin["settings"]["turns"]
for turn in range(turns):
    asked = range(seats) if begin["settings"]["at_once"] else [turn % seats]
    question = json.dumps({"ask": [{"seat": seat, "say": str(turn)} for seat in asked]})
    began = perf_counter_ns()
    print(question, flush=True)
    line = sys.stdin.readline()
    times.append(perf_counter_ns() - began)
    answers = json.loads(line)["answers"]
    assert all(answers[str(seat)]["say"] == str(turn) for seat in asked)
print(json.dumps({"note": {"text": str(sorted(times)[turns // 10])}}))
print(json.dumps({"end": {}}), flush=True)
sys.stdin.readline()
"""

CPP = r"""
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>
using namespace std;
static int number(const string& line, const char* key) {
    return atoi(line.c_str() + line.find(key) + strlen(key));
}
int main(int count, char**) {
    string line;
    if (count > 1) {  // a player, which says again what it reads
        while (getline(cin, line)) {
            line += '\n';
            fwrite(line.data(), 1, line.size(), stdout);
            fflush(stdout);
        }
        return 0;
    }
    getline(cin, line);
    int seats = number(line, "\"seats\":"), turns = number(line, "\"turns\":");
    int at_once = number(line, "\"at_once\":");
    vector<long> times;
    for (int turn = 0; turn < turns; turn++) {
        string asked, said = to_string(turn);
        for (int seat = 0; seat < seats; seat++) {
            if (!at_once && turn % seats != seat) continue;
            asked += asked.empty() ? "" : ",";
            asked += "{\"seat\":" + to_string(seat) + ",\"say\":\"" + said + "\"}";
        }
        auto began = chrono::steady_clock::now();
        printf("{\"ask\":[%s]}\n", asked.c_str());
        fflush(stdout);
        getline(cin, line);
        times.push_back(chrono::nanoseconds(chrono::steady_clock::now() - began).count());
        if (line.find("\"say\":\"" + said + "\"") == string::npos) return 1;
    }
    sort(times.begin(), times.end());
    printf("{\"note\":{\"text\":\"%ld\"}}\n{\"end\":{}}\n", times[turns / 10]);
    fflush(stdout);
    getline(cin, line);
}
"""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.umpire_turns")
    parser.add_argument("--turns", type=int, default=2000, help="turns of a long game (2000)")
    parser.add_argument("--rounds", type=int, default=5, help="games of each kind (5)")
    options = parser.parse_args()
    worst = 0.0
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        Path(folder).chmod(0o755)
        fast, slow = programs(Path(folder))
        player = (fast, "player")
        print(f"{'':15} {'a fast turn, us':>21} {'':6} {'own CPU, us':>21}")
        print(f"{'umpire':8} {'seats':>6} " + f"{'bare':>10} {'gyoji':>10} {'times':>6} " * 2)
        for name, umpire in (("Python", (sys.executable, "-I", "-S", slow)), ("C++", (fast,))):
            for seats in (2, 4):
                told = compared(umpire, player, seats, turns=options.turns, rounds=options.rounds)
                figures = " ".join(f"{bare:10.1f} {ours:10.1f} {ratio:6.2f}" for bare, ours, ratio in told)
                print(f"{name:8} {seats:6} {figures}", flush=True)
                worst = max(worst, told[0][2])
    return int(worst > MOST)


def programs(folder: Path) -> tuple[str, str]:
    """Make the programs. Return the one in C++ and the umpire in Python."""
    source, fast, slow = folder / "fast.cpp", folder / "fast", folder / "slow.py"
    source.write_text(f"#include <cstring>\n{CPP}")
    slow.write_text(PYTHON)
    subprocess.run(["g++", "-O2", "-o", str(fast), str(source)], check=True)
    return str(fast), str(slow)


def compared(
    umpire: Sequence[str], player: Sequence[str], seats: int, *, turns: int, rounds: int
) -> list[tuple[float, float, float]]:
    """Return (figure of the bare loop, figure of gyoji, their ratio): of a fast turn, and of CPU time."""
    costs: dict[str, list[tuple[float, float]]] = {"bare": [], "gyoji": []}
    for _ in range(rounds):
        for name, run in (("bare", bare_loop), ("gyoji", through_gyoji)):
            short, long = (run(umpire, player, seats, count) for count in (turns // 4, turns))
            costs[name].append((long[0], (long[1] - short[1]) / (turns - turns // 4) * 1e6))
    medians = [
        [statistics.median(cost[kind] for cost in costs[name]) for name in ("bare", "gyoji")]
        for kind in (0, 1)
    ]
    return [(bare, ours, ours / bare) for bare, ours in medians]


def settings_of(seats: int, turns: int) -> dict[str, int]:
    return {"turns": turns, "at_once": int(seats > 2)}


def bare_loop(umpire: Sequence[str], player: Sequence[str], seats: int, turns: int) -> tuple[float, float]:
    """Play one game by the shortest loop. Return us of a fast turn, and our CPU time in seconds."""
    started = [
        subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for words in (umpire, *[player] * seats)
    ]
    judge, *players = started
    cpu = time.process_time()
    begin = {"protocol": 1, "seats": seats, "seed": 1, "settings": settings_of(seats, turns)}
    judge.stdin.write(json.dumps({"begin": begin}, separators=(",", ":")).encode() + b"\n")
    judge.stdin.flush()
    fast = 0.0
    while "end" not in (said := json.loads(judge.stdout.readline())):
        if "note" in said:
            fast = int(said["note"]["text"]) / 1e3
            continue
        for each in said["ask"]:
            players[each["seat"]].stdin.write(each["say"].encode() + b"\n")
            players[each["seat"]].stdin.flush()
        answers = {
            str(each["seat"]): {"say": players[each["seat"]].stdout.readline().decode().rstrip("\n")}
            for each in said["ask"]
        }
        judge.stdin.write(json.dumps({"answers": answers}, separators=(",", ":")).encode() + b"\n")
        judge.stdin.flush()
    took = time.process_time() - cpu
    for each in started:
        each.stdin.close()
        each.wait()
        each.stdout.close()
    return fast, took


def through_gyoji(
    umpire: Sequence[str], player: Sequence[str], seats: int, turns: int
) -> tuple[float, float]:
    """Play one game as `gyoji run` plays it. Return us of a fast turn, and our CPU time in seconds."""
    spec = GameSpec(
        id="0",
        pairing="0",
        game="umpire",
        players=tuple(
            Player(code="abcd"[seat], command=tuple(player), protocol="umpire") for seat in range(seats)
        ),
        options={"seats": seats, "settings": settings_of(seats, turns)},
        clock=TimeControl.parse("30s/move"),
        umpire=Player(code="umpire", command=tuple(umpire), protocol="umpire-program"),
        seed=1,
    )
    cpu = time.process_time()
    report = play(Order(spec=spec))
    took = time.process_time() - cpu
    assert report.record is not None, report.void
    assert report.record.result.turns == turns
    note = next(line for line in report.record.umpire if line.startswith('{"note"'))
    return int(json.loads(note)["note"]["text"]) / 1e3, took


if __name__ == "__main__":
    sys.exit(main())
