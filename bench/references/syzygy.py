"""Verdicts of Syzygy tables beside fastchess's, on positions of three and four pieces.

The positions are random, and kept: with pawns and without, with either side to move, some with en passant
possible, some with a clock that runs, which are not looked up. fastchess reads the tables
by Pyrrhic, in C; gyoji by the package `chess`, in Python. Both say of each position whether it is looked up,
and the result with the 50-move rule and without it.

No table is part of the repository. The sources of fastchess have the 35 of up to four pieces:
app/tests/data/syzygy_wdl3 and syzygy_wdl4.
"""

import gzip
from collections.abc import Iterator
from itertools import combinations_with_replacement
from pathlib import Path
from random import Random

from bench.references.comparison import KEPT, Program, Row, Tools
from gyoji.core.spec import Adjudication, GameSpec, Tablebases
from gyoji.games.chess.fen import format_fen, read_fen
from gyoji.games.chess.game_options import Options, rules
from gyoji.games.chess.position import NAMES, Position, legal_moves
from gyoji.games.chess.rules import ChessRules
from gyoji.play.tablebases import probe_of
from gyoji.referee.tablebases import Probe, TableVerdicts

PROGRAMS = (
    Program("syzygy", "", "folder with the folders syzygy_wdl3 and syzygy_wdl4 of fastchess's tests"),
    Program("syzygy-fastchess", "syzygy-fastchess", "drivers/syzygy.cpp, built in a checkout of fastchess"),
)
FILE = KEPT / "syzygy" / "positions.txt.gz"
NUMBER = 3_000
SEED = 27
NONE = 9


def compare(tools: Tools) -> Iterator[Row]:
    """Yield one row for each position, whose difference is 0 or 1."""
    reference = "fastchess, kept"
    if "syzygy" in tools and "syzygy-fastchess" in tools:
        reference = "fastchess"
        found = made(tools)
        if tools.keep:
            FILE.parent.mkdir(exist_ok=True)
            text = "".join(f"{ours}|{theirs}|{fen}\n" for ours, theirs, fen in found)
            FILE.write_bytes(gzip.compress(text.encode(), mtime=0))
    else:
        found = kept()
    for ours, theirs, fen in found:
        yield Row(
            case=fen,
            figure="looked up, and results (1: they differ)",
            reference=reference,
            difference=float(ours != theirs),
            allowed=0,
        )


def kept() -> list[tuple[str, str, str]]:
    """Return (what gyoji said, what fastchess said, FEN) for each kept position."""
    text = gzip.decompress(FILE.read_bytes()).decode()
    return [(ours, theirs, fen) for ours, theirs, fen in (line.split("|") for line in text.splitlines())]


def made(tools: Tools) -> list[tuple[str, str, str]]:
    """Return (what gyoji says, what fastchess says, FEN) for each position, asked now."""
    folder = tools.paths["syzygy"]
    folders = tuple(str(folder / name) for name in ("syzygy_wdl3", "syzygy_wdl4"))
    fens = [fen for fen, _ in zip(positions(SEED), range(NUMBER), strict=False)]
    given = "".join(f"{fen}\n" for fen in fens)
    theirs = tools.run("syzygy-fastchess", ":".join(folders), given=given, cwd=Path("/")).splitlines()
    spec = GameSpec(id="", pairing="", game="chess", players=(), adjudication=settings(folders))
    probe = probe_of(spec)
    assert probe is not None
    return [(said(fen, probe, folders), their, fen) for fen, their in zip(fens, theirs, strict=True)]


def settings(folders: tuple[str, ...], *, fifty_moves: bool = True) -> Adjudication:
    return Adjudication(tablebases=Tablebases(folders=folders, fifty_moves=fifty_moves))


def said(fen: str, probe: Probe, folders: tuple[str, ...] = ("",)) -> str:
    """Return what the referee takes from tables, in the form of the driver."""
    position = read_fen(fen)
    game = ChessRules("standard", rules(Options()).start())
    can = game.endgame(position) is not None
    results = []
    for fifty in (True, False):
        tables = settings(folders, fifty_moves=fifty).tablebases
        assert tables is not None
        results.append(_result(TableVerdicts(tables, game, probe), position))
    return f"{can:d} {results[0]} {results[1]}"


def _result(verdicts: TableVerdicts, position: Position) -> int:
    """Return the verdict on a position as a number for the side to move; NONE for none."""
    outcome = verdicts.outcome(position)
    if outcome is None:
        return NONE
    return 0 if outcome.winner is None else 1 if outcome.winner == position.turn else -1


def positions(seed: int) -> Iterator[str]:
    """Yield FENs of random positions with two kings and one or two other pieces, in which a move is legal."""
    dice = Random(seed)
    kinds = [*"QRBNP", *combinations_with_replacement("QRBNPqrbnp", 2)]
    while True:
        pieces = [*"Kk", *dice.choice(kinds)]
        squares = dict(zip(dice.sample(range(64), len(pieces)), pieces, strict=True))
        rows = ["".join(squares.get(8 * row + file, "1") for file in range(8)) for row in range(7, -1, -1)]
        turn = dice.choice("wb")
        passed = [
            NAMES[square + (8 if each == "p" else -8)]
            for square, each in squares.items()
            if (each, square // 8, turn) in (("p", 4, "w"), ("P", 3, "b"))
        ]
        clock = dice.choice([0] * 20 + [3])
        fen = f"{'/'.join(rows)} {turn} - {(passed or ['-'])[0]} {clock} 60"
        try:
            position = read_fen(fen)
        except ValueError:
            continue
        if not position.end and legal_moves(position):
            yield format_fen(position)
