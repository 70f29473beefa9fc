"""What OpenBench's client makes of a match: `python3 THIS CLIENT CASES`, in a folder as the client has it.

CLIENT is the folder `Client` of a checkout of OpenBench (tried with 9906bad1 of July 2026), CASES a JSON
object: name of a case -> [program of dev, program of base, time control, rounds]. The client's own functions
make the command line, read the output, and look through the PGN for errors. Prints JSON: name -> what they
said.
"""

import bz2
import json
import queue
import sys
import threading
import types

for missing in ("requests", "cpuinfo", "psutil"):
    sys.modules.setdefault(missing, types.ModuleType(missing))
sys.path.insert(0, sys.argv[1])
import pgn_util  # noqa: E402
import worker  # noqa: E402


def config(time_control: str, rounds: int) -> types.SimpleNamespace:
    """Return a workload as OpenBench's server sends it."""
    engine = {"options": "Threads=1 Hash=8", "engine": "E", "time_control": time_control}
    test = {"id": 1, "type": "SPRT", "book": {"name": "own.epd"}, "win_adj": "movecount=3 score=400"}
    test |= {"draw_adj": "movenumber=40 movecount=8 score=10", "syzygy_adj": "DISABLED"}
    test |= {"syzygy_wdl": "DISABLED", "book_index": 3, "book_seed": 77, "dev": engine, "base": engine}
    distribution = {"concurrency-per": 1, "rounds-per-runner": rounds}
    workload = {"test": test, "result": {"id": 2}, "distribution": distribution}
    return types.SimpleNamespace(workload=workload, syzygy_max=0, syzygy_path="")


def said(number: int, dev: str, base: str, time_control: str, rounds: int) -> dict:
    """Play a match and return what the client's functions say of it."""
    settings, results = config(time_control, rounds), queue.Queue()
    command = worker.build_runner_command(settings, dev, base, 1.0, number, 0)
    worker.run_and_parse_runner(settings, command, 0, results, threading.Event())
    total = {"trinomial": [0] * 3, "pentanomial": [0] * 5, "crashes": 0, "timelosses": 0, "illegals": 0}
    while not results.empty():
        for key, value in results.get().items():
            if isinstance(value, list):
                total[key] = [old + new for old, new in zip(total[key], value, strict=True)]
            elif key in total:
                total[key] += value
    pgn = worker.MatchRunner.pgn_name(settings, number, 0)
    headers = [head for head, _ in worker.PGNHelper.slice_pgn_file(pgn)]
    errors = [worker.PGNHelper.get_error_reason(head) for head in headers]
    told = bz2.decompress(pgn_util.compress_pgn_files([pgn], 1.0, False)).decode()
    return {
        "command": command,
        "results": total,
        "games": len(headers),
        "errors": sorted(filter(None, errors)),
        "moves": told.count("{"),
        "unknown": told.count("unknown"),
        "lines": told.count("line="),
    }


if __name__ == "__main__":
    sys.stdout, real = sys.stderr, sys.stdout
    found = {"version": worker.compare_versions("./fastchess-ob", "1.8.1")}
    for number, (name, case) in enumerate(json.loads(sys.argv[2]).items()):
        found[name] = said(number, *case)
    json.dump(found, real)
