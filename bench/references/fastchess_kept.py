"""What fastchess made of a match of 400 games, and ours held against it without an engine.

The PGN of fastchess has the moves, evaluations and ends of its games. From them follow the openings by
`-srand`, the position after each move by our rules, the end of each game by our adjudication of the same
evaluations, and our PGN and lines of output for the same results.
"""

import gzip
import io
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.references.comparison import KEPT, Row
from gyoji.core.game import make_options
from gyoji.core.messages import Move, Turn
from gyoji.core.outcome import Outcome
from gyoji.core.record import EngineReport, GameRecord, GameResult, Opinion, Played
from gyoji.core.spec import GameSpec
from gyoji.fastchess.options import parse
from gyoji.fastchess.output import Output
from gyoji.fastchess.settings import competition_setup
from gyoji.fastchess.wishes import Wishes
from gyoji.formats.sprt import FORMAT
from gyoji.games.chess.books import own_openings
from gyoji.games.chess.fen import format_epd
from gyoji.games.chess.game_options import Options, rules
from gyoji.games.chess.pgn_reader import PgnGame, lines_of, read_games
from gyoji.games.chess.position import Position
from gyoji.games.chess.san import read_san
from gyoji.protocols.uci.info import read_info
from gyoji.referee.adjudication import adjudicator_of

HERE = KEPT / "fastchess"
BOOK = "own.epd"
"""The name of our own book as EPD, which is made for a match."""

MATCH = (
    f"-openings file={BOOK} format=epd order=random -srand 20261124 -rounds 200"
    " -draw movenumber=30 movecount=4 score=20 -resign movecount=3 score=400 -maxmoves 100"
    " -sprt elo0=0 elo1=2 alpha=0.05 beta=0.05"
    " -pgnout file=games.pgn nodes=true seldepth=true hashfull=true tbhits=true pv=true"
)


def book_text() -> str:
    """Return our own book as EPD."""
    openings = [rules(Options(opening=str(opening))) for opening in own_openings({})]
    return "".join(f"{format_epd(made.start())}\n" for made in openings)


_VARYING = (
    (re.compile(r'^\[(Date|GameDuration|GameStartTime|GameEndTime) ".*"\]\n', re.MULTILINE), ""),
    (re.compile(r"(/\d+ |, tl=|, latency=)-?\d+\.\d{3}s"), r"\1Ts"),
    (re.compile(r"nps=\d+"), "nps=N"),
)


def masked(text: str) -> str:
    """Return PGN, or output, without times. Its lines may break elsewhere then."""
    for pattern, other in _VARYING:
        text = pattern.sub(other, text)
    return text


def games_of(text: str) -> dict[tuple[str, str], str]:
    """Return the games of a PGN file without times, with their moves in one line, by (round, White)."""
    found = {}
    for game in re.split(r"(?=^\[Event )", masked(text), flags=re.MULTILINE):
        if game.strip():
            tags = dict(re.findall(r'^\[(\w+) "(.*)"\]', game, re.MULTILINE))
            head, _, moves = game.partition("\n\n")
            found[tags["Round"], tags["White"]] = f"{head}\n{' '.join(moves.split())}"
    return found


def lines_of_output(text: str) -> list[str]:
    """Return the lines of output that neither tell times nor depend on the order of games, sorted."""
    mixed = ("Total Time", "File ", "Score of")
    return sorted(line for line in text.splitlines() if line and not line.startswith(mixed))


@cache
def kept_text(name: str) -> str:
    """Return a kept file of fastchess: "games.pgn" or "out.txt"."""
    return gzip.decompress((HERE / f"match-{name}.gz").read_bytes()).decode()


def held() -> Iterator[Row]:
    """Hold our openings, rules, adjudication, PGN and output against the kept match."""
    games = read_games(lines_of(kept_text("games.pgn").encode()))
    theirs = games_of(kept_text("games.pgn"))
    wrong = dict.fromkeys(("openings", "ends", "games", "lines of output"), 0)
    with TemporaryDirectory() as folder:
        wishes = _wishes(Path(folder))
        competition = FORMAT.competition(competition_setup(wishes, Path(folder)))
        found: dict[str, tuple[GameSpec, GameRecord]] = {}
        output, said = Output(wishes, found.__getitem__), io.StringIO()
        for game in sorted(games, key=_place):
            spec = competition.next_game()
            assert spec is not None
            made = rules(make_options(Options, spec.options))
            players = (game.tags["White"], game.tags["Black"])
            wrong["openings"] += (made.start_fen, spec.codes) != (game.tags["FEN"], players)
            record = replayed(spec, made, game)
            wrong["ends"] += record is None
            if record is not None:
                found[spec.id] = spec, record
                with redirect_stdout(said):
                    output.finished(record.result)
        ours = games_of((Path(folder) / "games.pgn").read_text())
    wrong["games"] = sum(theirs[key] != game for key, game in ours.items())
    lines = (kept_text("out.txt"), said.getvalue())
    first, second = (set(_results(lines_of_output(text))) for text in lines)
    wrong["lines of output"] = len(first ^ second)
    for kind, count in wrong.items():
        figure = f"{kind} that differ"
        yield Row(case="400 games", figure=figure, reference="fastchess, kept", difference=count, allowed=0)


def _wishes(folder: Path) -> Wishes:
    """Return the match as a command line asks for it, with files in a folder and engines that never start."""
    (folder / BOOK).write_text(book_text())
    engines = " ".join(f"-engine cmd={sys.executable} name={name} depth={5 + (name == 'B')}" for name in "AB")
    match = MATCH.replace(BOOK, str(folder / BOOK)).replace("games.pgn", str(folder / "games.pgn"))
    return parse(f"{engines} -each option.Hash=4 option.Threads=1 -concurrency 1 {match}".split())


def _place(game: PgnGame) -> tuple[int, str]:
    return int(game.tags["Round"]), game.tags["White"]  # A is White in the first game of a round


def _results(lines: Sequence[str]) -> list[str]:
    """Return the lines about games, and the figures of all: those before depend on the order of games."""
    return [line for line in lines if line.startswith(("Finished game", "Games: 400,"))]


_COMMENT = re.compile(
    r"([+-]?)(M?)([\d.]*)/(\d+) Ts, n=(\d+), sd=(\d+), hashfull=(\d+), tbhits=(\d+), pv=\"(.*?)\""
)


def info_line(comment: str) -> bytes:
    """Return the line of UCI whose evaluation fastchess wrote as a comment.

    >>> info_line('-M4/9 Ts, n=7, sd=8, hashfull=0, tbhits=0, pv="e2e4"')
    b'info depth 9 seldepth 8 score mate -2 nodes 7 hashfull 0 tbhits 0 pv e2e4'
    """
    match = _COMMENT.match(comment)
    if match is None:
        raise ValueError(f"got the comment {comment!r}")
    sign, mate, number, depth, nodes, seldepth, hashfull, tbhits, pv = match.groups()
    moves = (int(number) + 1) // 2 if mate else round(100 * float(number))
    score = f"{'mate' if mate else 'cp'} {'-' if sign == '-' else ''}{moves}"
    figures = f"nodes {nodes} hashfull {hashfull} tbhits {tbhits}"
    return f"info depth {depth} seldepth {seldepth} score {score} {figures} pv {pv}".encode()


def replayed(spec: GameSpec, made: Any, game: PgnGame) -> GameRecord | None:
    """Play a game of fastchess by our rules, with our adjudication of its evaluations.

    Returns:
        The record; None if the game does not end with its last move.
    """
    thresholds = adjudicator_of(spec.adjudication, made)
    assert thresholds is not None

    def end(position: Position, turns: Sequence[Turn[Move]]) -> Outcome | None:
        return made.outcome(position) if position.end else thresholds.outcome(position, turns)

    position: Position = made.start()
    turns: list[Turn[Move]] = []
    opinions: list[Opinion] = []
    for number, move in enumerate(game.moves):
        if end(position, turns) is not None:
            return None
        text, after = read_san(position, move.text)
        evaluation = read_info(info_line(move.comment), white_view=False)
        assert evaluation is not None
        thresholds.add_opinion(number, position.turn, evaluation, True)
        opinions.append(Opinion(number, position.turn, evaluation, with_move=True))
        turns.append(((position.turn, text),))
        position = after
    outcome = end(position, turns)
    if outcome is None:
        return None
    engines = [
        EngineReport(name=name, description=f"{name} by {author}" if author else name)
        for name, author in (
            (game.tags[f"Engine{side}Name"], game.tags.get(f"Engine{side}Author"))
            for side in ("White", "Black")
        )
    ]
    result = GameResult(
        id=spec.id,
        pairing=spec.pairing,
        players=spec.codes,
        outcome=outcome,
        turns=len(turns),
        engines=tuple(engines),
        started="",
        wall_ns=0,
    )
    played = tuple((Played(seat, str(move), 0),) for ((seat, move),) in turns)
    return GameRecord(result=result, turns=played, opinions=tuple(opinions))
