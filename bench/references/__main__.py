"""``python -m bench.references [--only SUBJECT] [--all] [--json] [--keep] [--PROGRAM PATH]...``

Holds our figures against those of programs that others wrote, and prints the largest difference of each
kind; the exit status is 1 if one is larger than it may be. A program is found by its option or in PATH.
Without it, that is said, and its kept output (`tests/data/references/<subject>/`) is compared with; tests
do the same. `--keep` writes down what the programs say now.

A subject is a module here with PROGRAMS, the programs that it knows, and `compare(tools)`, which yields rows.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from importlib import import_module
from pathlib import Path

from bench.references.comparison import Program, Row, Tools, found, largest

SUBJECTS = ("ratings", "swiss", "trf", "sprt", "tuners", "territory", "syzygy", "fastchess", "clients")
"""The modules here that compare."""

WIDTHS = (32, 16, 44)


def main() -> int:
    subjects = {name: import_module(f"bench.references.{name}") for name in SUBJECTS}
    programs = list({each.name: each for module in subjects.values() for each in module.PROGRAMS}.values())
    options = parsed(programs)
    given = {
        each.name: path
        for each in programs
        if (path := getattr(options, each.name.replace("-", "_"))) is not None
    }
    tools = found(programs, given, keep=options.keep)
    told: dict[str, list[Row]] = {}
    for name, module in subjects.items():
        if options.only in (None, name):
            if not options.json:
                print("\n".join([f"## {name}", *absent(module.PROGRAMS, tools)]), flush=True)
            told[name] = list(module.compare(tools))
            if not options.json:
                print("\n".join(lines(told[name], every=options.all)), flush=True)
    if options.json:
        print(json.dumps({name: [asdict(row) for row in rows] for name, rows in told.items()}, indent=2))
    return int(not all(row.holds for rows in told.values() for row in rows))


def parsed(programs: Sequence[Program]) -> argparse.Namespace:
    """Return the command line, with an option for each program."""
    parser = argparse.ArgumentParser(prog="python -m bench.references")
    parser.add_argument("--only", choices=SUBJECTS, help="only this subject")
    parser.add_argument(
        "--all", action="store_true", help="print all differences, not the largest of each kind"
    )
    parser.add_argument("--json", action="store_true", help="print all differences as JSON")
    parser.add_argument("--keep", action="store_true", help="keep what the programs say, for tests")
    for each in programs:
        parser.add_argument(f"--{each.name}", type=path_of, metavar="PATH", help=each.about)
    return parser.parse_args()


def path_of(text: str) -> Path:
    """Return a path that exists, absolute."""
    path = Path(text).absolute()
    if not path.exists():
        raise argparse.ArgumentTypeError(f"there is no {path}")
    return path


def absent(programs: Sequence[Program], tools: Tools) -> list[str]:
    """Return a line for each program that is not here."""
    return [
        f"{each.name} is not on this machine (--{each.name} PATH): its kept output is compared with"
        for each in programs
        if each.name not in tools
    ]


def lines(rows: Sequence[Row], *, every: bool) -> list[str]:
    """Return the table."""
    heading = laid_out("figure", "reference", "case", f"{'difference':>10}  {'allowed':>9}")
    shown = [(1, row) for row in rows] if every else largest(rows)
    return [heading, *(line(number, row) for number, row in shown), ""]


def line(number: int, row: Row) -> str:
    case = row.case if number == 1 else f"{row.case} (of {number})"
    verdict = "" if row.holds else "  TOO LARGE"
    return laid_out(row.figure, row.reference, case, f"{row.difference:10.3g}  {row.allowed:9.3g}{verdict}")


def laid_out(*cells: str) -> str:
    return "  ".join([*(cell.ljust(width) for cell, width in zip(cells, WIDTHS, strict=False)), cells[-1]])


if __name__ == "__main__":
    sys.exit(main())
