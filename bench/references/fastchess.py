"""Matches by `gyoji-fastchess` beside the same matches by fastchess: openings, moves, ends, PGN, output.

Stockfish and Ethereal play at fixed depths with one thread, in a new process for each game: then a game
follows from its opening alone. Both programs are given the same words. Compared are the opening, moves, tags,
comments and last position of each game, and the lines of output. Left out are times, dates, the order of
lines that games in parallel mix, and checksums of files that contain times.

`CASES` are short matches over the books of fastchess's own tests, which are not kept here; `MATCH` has 400
games from our own book. What fastchess made of it is kept: `compare` then plays no engine but reads the PGN,
and holds the openings by `-srand`, the moves by our rules, each end by our adjudication, our PGN of the same
games, and our lines of output against it.

To build fastchess 1.8.2: check out f618e34540f94f4719ad3817950618dabe441318 of
github.com/Disservin/fastchess, and `make`. Its data are in `app/tests/data`.
"""

import gzip
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from bench.references.comparison import Program, Row, Tools
from bench.references.fastchess_kept import (
    BOOK,
    HERE,
    MATCH,
    book_text,
    games_of,
    held,
    lines_of_output,
    masked,
)

PROGRAMS = (
    Program("fastchess-cli", "fastchess", "fastchess 1.8.2"),
    Program("fastchess-data", "", "folder app/tests/data of a checkout of fastchess"),
    Program("stockfish", "stockfish", "Stockfish 15.1"),
    Program("ethereal", "ethereal-chess", "Ethereal 12.00"),
)
PGNOUT = "-pgnout file=games.pgn nodes=true seldepth=true hashfull=true tbhits=true pv=true"
ENDS = "-draw movenumber=30 movecount=4 score=20 -resign movecount=3 score=400 -maxmoves 100"
TEST = "-sprt elo0=0 elo1=2 alpha=0.05 beta=0.05"
CASES: Mapping[str, str] = {
    "dfrc.pgn": "-variant fischerandom -rounds 3 -pgnout file=games.pgn notation=uci pv=true",
    "openings.pgn": f"-srand 3 -rounds 4 -epdout file=last.epd {PGNOUT} notation=lan",
    "openings.pgn plies": f"order=random plies=5 start=2 -srand 99 -rounds 4 {PGNOUT}",
    "openings.epd": f"order=random -srand 5 -rounds 10 -epdout file=last.epd -crc32 pgn=true {ENDS} {PGNOUT}",
    "openings.epd logistic": f"order=random -srand 5 -rounds 6 {TEST} model=logistic {PGNOUT}",
    "openings.epd cutechess": f"order=random -srand 6 -rounds 6 -output format=cutechess {PGNOUT}",
    "short.epd": f"order=random start=3 -srand 1234567890123 -rounds 8 {PGNOUT} min=true",
    "black-to-move.epd": f"-rounds 2 {PGNOUT}",
    "test.epd": f"-rounds 3 -noswap -games 1 {PGNOUT}",
    "test.pgn": f"-rounds 4 -reverse -games 1 -tournament gauntlet {PGNOUT}",
}
"""Short matches: a book of fastchess's tests, and what comes after it."""


class Match(NamedTuple):
    """What a program made of a match.

    Attributes:
        pgn: The games, by (round, White).
        ends: Their last positions, as EPD, in alphabetical order.
        lines: The lines of output, in alphabetical order.
    """

    pgn: Mapping[tuple[str, str], str]
    ends: Sequence[str]
    lines: Sequence[str]


def compare(tools: Tools) -> Iterator[Row]:
    """Rows for each match: how many games and lines differ."""
    if {program.name for program in PROGRAMS if program.name != "fastchess-data"} <= tools.paths.keys():
        with TemporaryDirectory() as folder:
            yield from played(tools, Path(folder))
    yield from held()


# Played


def played(tools: Tools, folder: Path) -> Iterator[Row]:
    """Play the matches with both programs."""
    if "fastchess-data" in tools:
        for name, words in CASES.items():
            book = tools.paths["fastchess-data"] / name.split()[0]
            yield from compared(
                name, tools, folder / name.replace(" ", "-"), f"-openings file={book} {words}"
            )
    (folder / BOOK).write_text(book_text())
    # One game at once: the estimates that are printed between show in which order two pairs ended.
    words = MATCH.replace(BOOK, str(folder / BOOK))
    yield from compared("400 games", tools, folder / "match", words, at_once=1)
    if tools.keep:
        theirs = folder / "match" / "fastchess"
        for name in ("games.pgn", "out.txt"):
            text = masked((theirs / name).read_text())
            (HERE / f"match-{name}.gz").write_bytes(gzip.compress(text.encode(), mtime=0))


def compared(name: str, tools: Tools, folder: Path, words: str, at_once: int = 2) -> Iterator[Row]:
    """Play one match with both programs.

    Args:
        at_once: Number of games at once.
    """
    engines = (
        f"-engine cmd={tools.paths['stockfish']} name=A depth=5"
        f" -engine cmd={tools.paths['ethereal']} name=B depth=6"
        if "fischerandom" not in words
        else f"-engine cmd={tools.paths['stockfish']} name=A depth=5"
        f" -engine cmd={tools.paths['stockfish']} name=B depth=4"
    )
    # 100 s to start an engine: on a busy machine fastchess ended a match after its default of 10 s.
    each = "-each option.Hash=4 option.Threads=1 restart=on -startup-ms 100000"
    line = f"{engines} {each} -concurrency {at_once} {words}".split()
    ours = [sys.executable, "-c", "from gyoji.fastchess.command import main; main()"]
    theirs = made([str(tools.paths["fastchess-cli"])], line, folder / "fastchess")
    mine = made(ours, line, folder / "gyoji")
    numbers = {
        "games that differ": sum(
            theirs.pgn.get(key) != mine.pgn.get(key) for key in {*theirs.pgn, *mine.pgn}
        ),
        "last positions that differ": len(set(theirs.ends) ^ set(mine.ends)),
        "lines of output that differ": len(set(theirs.lines) ^ set(mine.lines)),
    }
    if not theirs.pgn:
        raise ValueError(f"{name}: fastchess played nothing: {theirs.lines}")
    for figure, number in numbers.items():
        yield Row(case=name, figure=figure, reference="fastchess", difference=number, allowed=0)


def made(program: Sequence[str], line: Sequence[str], folder: Path) -> Match:
    """Play a match in a folder."""
    folder.mkdir(parents=True)
    with (folder / "out.txt").open("w") as out, (folder / "err.txt").open("w") as err:
        subprocess.run([*program, *line], stdout=out, stderr=err, cwd=folder, check=False)
    return read_match(folder)


def read_match(folder: Path) -> Match:
    """Return what a program made of a match in a folder."""
    pgn, ends = folder / "games.pgn", folder / "last.epd"
    return Match(
        games_of(pgn.read_text()) if pgn.exists() else {},
        sorted(ends.read_text().splitlines()) if ends.exists() else (),
        lines_of_output((folder / "out.txt").read_text()),
    )
