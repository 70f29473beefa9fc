"""Run a whole event of hostile engines and two innocent ones, all against all: no test, a program.

    event.py '{"folder": ..., "level": ..., "hostile": {code: [command, [name, ...]]}, "settings": "..."}'

It is a process of its own, since the attempts may end it. The last line of its output is JSON: {"status":
of the run, "said": its last lines, "games": [...], "voids": [...], "tried": {name: [result, ...]}, "harm":
[...], "records": their names, "limits": lines of the log about limits}.
"""

import json
import os
import re
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

from trial import Bystanders, innocent

from gyoji.store.store import Store

INNOCENT = ("a", "b")
_FIRST = "AvB_0"  # the game of the two innocent ones that is over while others go on
_RUN = 'HOSTILE_SCHEDULER=$$ HOSTILE_WORKER=$$ exec "$0" -m gyoji run e.toml --quiet -j 2'
_HEAD = """\
competition = "allplayall"
rounds = 1
board_size = 9
komi = 7.5
ruleset = "tromp-taylor"
dead_stones = "alive"
skip_player_checks = true
sandbox = "{level}"
{settings}
"""
_TRIED = re.compile(r"TRY ([a-z-]+): (.*)")


def main():
    told = json.loads(sys.argv[1])
    folder = Path(told["folder"])
    with ExitStack() as stack:
        bystanders = Bystanders(folder, stack, is_event=True)
        (bystanders.event / "e.toml").write_text(control_file(told, bystanders))
        before, own = bystanders.look(), own_files(bystanders.event)
        done = subprocess.run(
            ["/bin/sh", "-c", _RUN, sys.executable],
            cwd=bystanders.event,
            capture_output=True,
            text=True,
            check=False,
        )
        report = {"status": done.returncode, "said": (done.stdout + done.stderr)[-2000:]}
        report |= what_was_played(bystanders.event)
        report["harm"] = [*bystanders.harm(before), *bystanders.left()]
        if (now := own_files(bystanders.event)) != own:
            report["harm"].append(f"the event's own files: {own} -> {now}")
    print(json.dumps(report))


def own_files(event):
    """Return the files in the event's folder that no engine may change, with their contents."""
    return oct(event.stat().st_mode), (event / "e.toml").read_text(), sorted(os.listdir(event / "e.folders"))


def control_file(told, bystanders):
    lines = [_HEAD.format(**told)]
    for code in INNOCENT:
        lines += player(code, innocent("gtp"), told, {"HOSTILE_MARK": str(bystanders.folder)}, [])
    for number, (code, (command, attempts)) in enumerate(told["hostile"].items()):
        environ = {
            **bystanders.environ,
            "HOSTILE_TRY": ",".join(attempts),
            "HOSTILE_LATE": ",".join(told["late"]),
            "HOSTILE_RECORD": str(bystanders.event / f"e.games/{_FIRST}.sgf"),
        }
        for name in ("HOSTILE_WORKER", "HOSTILE_SCHEDULER"):
            environ.pop(name, None)  # the run's own
        lines += player(code, [*command, "gtp"], told, environ, [str(bystanders.lasting)])
        lines.append(f'restart = "{"off" if number % 2 else "on"}"\n')
    return "\n".join(lines)


def player(code, command, told, environ, writable):
    return [
        f"[players.{code}]",
        f"command = {json.dumps(command)}",
        f"environ = {{ {', '.join(f'{name} = {json.dumps(value)}' for name, value in environ.items())} }}",
        f"readable = {json.dumps(told['readable'])}",
        f"writable = {json.dumps(writable)}",
    ]


def what_was_played(event):
    with Store.read(event / "e.db") as store:
        games = [
            {
                "id": result.id,
                "players": list(result.players),
                "ending": result.outcome.ending.value,
                "winner": None if result.outcome.winner is None else result.players[result.outcome.winner],
                "detail": result.outcome.detail,
                "warnings": list(result.warnings),
            }
            for result in store.results()
        ]
        voids = [f"{each.void.id}: {each.void.reason}" for each in store.voids()]
    tried, limits = {}, []
    for line in (event / "e.log").read_text().splitlines():
        if found := _TRIED.search(line):
            tried.setdefault(found[1], []).append(found[2])
        if " allowed" in line:
            limits.append(line)
    records = sorted(os.listdir(event / "e.games"))
    return {"games": games, "voids": voids, "tried": tried, "records": records, "limits": limits}


if __name__ == "__main__":
    main()
