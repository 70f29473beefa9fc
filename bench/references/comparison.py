"""The values of a comparison: what it is handed (programs), and what it hands back (rows)."""

import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

KEPT = Path(__file__).parents[2] / "tests" / "data" / "references"
"""Where outputs of programs are kept: a folder for each subject, with a README."""


@dataclass(frozen=True, slots=True)
class Program:
    """A program to compare with. about: a word or two for `--help`.

    name     of its option.
    command  what is looked for in PATH; "" if it is only known by its option, as a folder is.
    """

    name: str
    command: str
    about: str


class Missing(Exception):
    """A program that is not on this machine."""


@dataclass(frozen=True, slots=True)
class Tools:
    """The programs of this machine. paths: those found, by name; keep: whether to write their output down."""

    paths: Mapping[str, Path]
    keep: bool = False

    def __contains__(self, name: str) -> bool:
        return name in self.paths

    def run(self, name: str, *words: str, given: str = "", seconds: float = 600, cwd: Path) -> str:
        """Return the output of a program. Raise Missing without it, and what `subprocess.run` raises."""
        if name not in self.paths:
            raise Missing(name)
        done = subprocess.run(
            [str(self.paths[name]), *words],
            input=given,
            capture_output=True,
            text=True,
            timeout=seconds,
            cwd=cwd,
            check=True,
        )
        return done.stdout


NO_TOOLS = Tools({})
"""With these a comparison has nothing but the kept outputs: as tests compare."""


def found(programs: Sequence[Program], given: Mapping[str, Path], *, keep: bool = False) -> Tools:
    """Return the programs that are there. given: paths by name, which go before PATH."""
    paths = dict(given)
    for program in programs:
        if program.name not in paths and program.command and (path := shutil.which(program.command)):
            paths[program.name] = Path(path)
    return Tools(paths, keep)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A figure of ours beside that of a reference.

    case        what both were given.
    figure      what is compared, with its unit.
    reference   whose figure it is, and whether it was made now or kept: "Ordo, kept".
    difference  between the two, as `figure` says: absolute, or a share.
    allowed     what it may be.
    """

    case: str
    figure: str
    reference: str
    difference: float
    allowed: float

    @property
    def holds(self) -> bool:
        """Whether the difference may be; nan may not."""
        return self.difference <= self.allowed


def largest(rows: Sequence[Row]) -> list[tuple[int, Row]]:
    """Return the row with the largest difference of each figure and reference, and of how many it is."""
    by_kind: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        by_kind.setdefault((row.figure, row.reference), []).append(row)
    return [(len(kind), max(kind, key=_excess)) for kind in by_kind.values()]


def _excess(row: Row) -> tuple[bool, float]:
    return (not row.holds, row.difference / row.allowed if row.allowed else row.difference)
