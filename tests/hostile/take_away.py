"""Take each guard away in turn, and see that its test breaks: `python tests/hostile/take_away.py [WORD...]`.

With WORDs, only guards with one of them in their promise or layer. It takes some minutes, and needs root for
the guards that only root has. A copy of the sources loses one guard, and the test that the guard names runs
with this copy. It has to pass while nothing is taken away, and to fail without the guard. The exit status is
1 if it does not.

`--write` writes the table of docs/reference/guards.md instead.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from guards import GUARDS

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "src/gyoji"
PAGE = ROOT / "docs/reference/guards.md"
_START, _END = "<!-- guards: made by tests/hostile/take_away.py --write -->", "<!-- end of guards -->"
_PASSED, _FAILED = 0, 1


def line_of(guard):
    """Return the number of the line that a guard names. Raises ValueError if it is not there once."""
    text = (SOURCES / guard.file).read_text()
    if text.count(guard.line) != 1:
        raise ValueError(f"{guard.file} has this {text.count(guard.line)} times: {guard.line!r}")
    at = text.index(guard.line) + len(guard.line) - len(guard.line.lstrip())
    return text.count("\n", 0, at) + 1


def page():
    """Return the page with a new table."""
    rows = ["| an engine cannot or must | layer | code | test that breaks without it |", "|---|---|---|---|"]
    for guard in GUARDS:
        file, name = guard.test.split("::")
        code = f"`{guard.file}:{line_of(guard)}`"
        rows.append(f"| {guard.promise} | {guard.layer} | {code} | `{Path(file).name}`: `{name}` |")
    before, _, rest = PAGE.read_text().partition(_START)
    return f"{before}{_START}\n" + "\n".join(rows) + f"\n{_END}{rest.partition(_END)[2]}"


def status(test, sources):
    """Run a test with these sources. Return pytest's exit status and its output."""
    environ = {**os.environ, "PYTHONPATH": str(sources), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-x", "-p", "no:cacheprovider", "-m", "", test]
    ended = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False)
    return ended.returncode, ended.stdout


def without(guard, folder):
    """Copy the sources into a folder, without a guard."""
    shutil.copytree(SOURCES, folder / "gyoji", ignore=shutil.ignore_patterns("__pycache__"))
    if guard is not None:
        file = folder / "gyoji" / guard.file
        file.write_text(file.read_text().replace(guard.line, guard.without))
    for path in (folder, *folder.rglob("*")):
        path.chmod(path.stat().st_mode | 0o055 if path.is_dir() else 0o644)
    return folder


def main(words):
    chosen = [
        each for each in GUARDS if not words or any(word in f"{each.promise} {each.layer}" for word in words)
    ]
    whole, wrong = {}, 0
    with tempfile.TemporaryDirectory(prefix="guards-", dir="/var/tmp") as name:
        room = Path(name)
        sources = without(None, room / "whole")
        for number, guard in enumerate(chosen):
            line_of(guard)
            if guard.test not in whole:
                whole[guard.test], said = status(guard.test, sources)
                if whole[guard.test] != _PASSED:
                    print(said[-3000:])
            lacking = without(guard, room / str(number))
            came, said = status(guard.test, lacking)
            shutil.rmtree(lacking)
            is_right = (whole[guard.test], came) == (_PASSED, _FAILED)
            wrong += not is_right
            verdict = (
                "breaks" if is_right else f"WRONG: status {whole[guard.test]} with it, {came} without it"
            )
            print(f"{guard.layer}: {guard.promise}: {guard.test.split('::')[1]}: {verdict}", flush=True)
            if came not in (_PASSED, _FAILED):
                print(said[-3000:])
    print(f"{len(chosen)} guards, {wrong} whose test does not show it")
    return int(wrong > 0)


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        PAGE.write_text(page())
    else:
        sys.exit(main(sys.argv[1:]))
