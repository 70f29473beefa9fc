"""Golden data, records of what is right, replayed: ``python -m tests.golden PATH...``.

One record is one line, a JSON object. A path is a file, ``.jsonl`` or ``.jsonl.gz``, or a folder that is
searched for such. Prints the first differences and at the end ``N passed, N failed``; exits 1 if any record
failed, 2 if something could not be read. `-k WORD` takes only records whose id contains WORD.

The kinds of records of a game are in its own module: `go_records`, `dighere_records`, `gomoku_records`.
"""

import argparse
import gzip
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.golden import dighere_records, go_records, gomoku_records

SHOWN = 10
"""Differences that are printed."""

SUFFIXES = (".jsonl", ".jsonl.gz")

Record = Mapping[str, Any]

KINDS = (*go_records.KINDS, *dighere_records.KINDS, *gomoku_records.KINDS)
"""(whether a record is of this kind, the differences between the record and what gyoji plays)."""


class Unreadable(Exception):
    """A file or a line that is no golden data; the text says where."""


def files(paths: Sequence[Path]) -> Iterator[Path]:
    """Yield the files of golden data that the paths name or contain, in order."""
    for path in paths:
        if path.is_dir():
            yield from sorted(each for each in path.rglob("*") if each.name.endswith(SUFFIXES))
        elif path.is_file():
            yield path
        else:
            raise Unreadable(f"{path}: there is no such file or folder")


def records(path: Path) -> Iterator[tuple[str, Record]]:
    """(where it stands, the record) of each line of a file. Raises Unreadable."""
    try:
        with (
            gzip.open(path, "rt", encoding="utf-8")
            if path.suffix == ".gz"
            else path.open("rt", encoding="utf-8") as lines
        ):
            for number, line in enumerate(lines, 1):
                where = f"{path}:{number}"
                record = json.loads(line)
                if not isinstance(record, dict):
                    raise Unreadable(f"{where}: expected a JSON object")
                yield where, record
    except (OSError, EOFError, ValueError) as error:
        raise Unreadable(f"{path}: {error}") from None


def first_difference(record: Record) -> str | None:
    """Return the first thing that is not as the record says; None if all is. Raises Unreadable."""
    for is_of_kind, differences in KINDS:
        if is_of_kind(record):
            try:
                return next(differences(record), None)
            except (KeyError, TypeError, ValueError) as error:
                return f"cannot be replayed: {type(error).__name__}: {error}"
    raise Unreadable("no game here knows this kind of record")


def replay(paths: Sequence[Path], word: str = "", shown: int = SHOWN) -> tuple[int, int]:
    """(passed, failed) of all records; prints the first differences. Raises Unreadable."""
    passed, failed = 0, 0
    for path in files(paths):
        for where, record in records(path):
            name = str(record.get("id", ""))
            if word not in name:
                continue
            try:
                difference = first_difference(record)
            except Unreadable as error:
                raise Unreadable(f"{where}: {error}") from None
            if difference is None:
                passed += 1
                continue
            failed += 1
            if failed <= shown:
                print(f"{where}: {name}: {difference}")
    return passed, failed


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.golden", description="Replay golden data.")
    parser.add_argument("paths", metavar="PATH", nargs="+", type=Path, help="a file, or a folder to search")
    parser.add_argument("-k", dest="word", default="", help="only records whose id contains this")
    options = parser.parse_args(arguments)
    try:
        passed, failed = replay(options.paths, options.word)
    except Unreadable as error:
        print(error, file=sys.stderr)
        return 2
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
