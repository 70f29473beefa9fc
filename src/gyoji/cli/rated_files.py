"""The games of files, whatever files they are, counted for ratings.

What a file is, its name says: `.db` is a store, `.csv` a list, `.pgn` games; any other is taken for the
control file of a competition, whose store stands beside it. Stores and PGN are read a game at a time. A store
says what game was played; games of different kinds are never counted together.

A list has a line for each game. Its first line may name the columns: `winner`, `loser` and perhaps `draw`;
or `first`, `second` and `result` (1-0, 0-1, 1/2-1/2, or the points of the first), and perhaps `pair`, a name
that the two games of an opening have in common; and perhaps `weight`, for how many games it counts. Otherwise
they are winner, loser, draw. Many lines are taken at once where nothing is special about any of them. Of PGN
the tags White, Black and Result are read, and White is first, as it is in chess.
"""

import csv
import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from operator import eq
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, TextIO

from gyoji.core.faults import ConfigError
from gyoji.core.record import GameResult
from gyoji.core.text import quote
from gyoji.pairing.games import pair_of
from gyoji.stats.ledger import Ledger
from gyoji.store.files import CompetitionFiles
from gyoji.store.store import Store


@dataclass(slots=True)
class Gathered:
    """The games of some files, of one kind of game. unknown: how many more nobody knows the result of.

    game: its name; "" where the files do not name it.
    """

    game: str
    ledger: Ledger = field(default_factory=Ledger)
    unknown: int = 0

    def add(self, game: "_Game | _Batch", file: int) -> None:
        """Count a game, or many, of the file of that number."""
        if isinstance(game, _Batch):
            self.ledger.add_all(game.first, game.second, game.half_points, sided=game.sided)
        elif game.half_points is None:
            self.unknown += 1
        else:
            self.ledger.add(
                game.first,
                game.second,
                game.half_points,
                pair=game.pair and f"{file} {game.pair}",
                sided=game.sided,
                weight=game.weight,
            )


class _Game(NamedTuple):
    """A game as `Ledger.add` takes it; half_points is None where nobody knows."""

    first: str
    second: str
    half_points: int | None
    pair: str = ""
    sided: bool = True
    kind: str = ""  # what was played, "" where it is not said
    weight: float = 1


class _Batch(NamedTuple):
    """Games as `Ledger.add_all` takes them, of which it is not said what was played."""

    first: list[str]
    second: list[str]
    half_points: list[int]
    sided: bool
    kind: str = ""


def gather(paths: Sequence[Path]) -> Sequence[Gathered]:
    """Count the games of all files, apart for each kind of game; where only one is named, all are of it.

    Raises ConfigError for what cannot be read, naming file and line.
    """
    piles: dict[str, Gathered] = {}
    numbered = sorted(enumerate(paths), key=lambda each: each[1].suffix.lower() in _TEXTS)
    for number, path in numbered:  # stores first: they name their game
        try:
            for game in _games_of(path):
                kind = game.kind or (next(iter(piles)) if len(piles) == 1 else "")
                if kind not in piles:
                    piles[kind] = Gathered(kind)
                piles[kind].add(game, number)
        except OSError as error:
            raise ConfigError(f"{path}: {error.strerror}") from None
        except (ValueError, csv.Error) as error:
            raise ConfigError(f"{path}: {error}") from None
    return tuple(piles.values())


def _games_of(path: Path) -> Iterator[_Game | _Batch]:
    read = _TEXTS.get(path.suffix.lower())
    if read is None:
        yield from _stored(path)
        return
    with path.open(encoding="utf-8-sig", errors="backslashreplace", newline="") as lines:
        yield from read(lines)


def _stored(path: Path) -> Iterator[_Game]:
    """The games of a store, or of that beside a control file, which is not read itself."""
    competition = None
    if path.suffix.lower() != ".db":
        if not path.exists():
            raise ConfigError(f"{path}: there is no such control file")
        files = CompetitionFiles(path)
        path, competition = files.database, files.code
    kinds: dict[int, str] = {}
    with Store.read(path, competition=competition) as store:
        for result, played_by in store.played():
            if played_by.purged:
                continue
            if played_by.frame not in kinds:
                kinds[played_by.frame] = str(json.loads(store.text(played_by.frame)).get("game", ""))
            yield _of_result(result)._replace(kind=kinds[played_by.frame])


def _of_result(result: GameResult) -> _Game:
    """Who has the first side is first. A team is its player."""
    first = result.sides.index(0) if result.sides else 0
    players, outcome = result.opponents, result.outcome
    if outcome.points is None or len(outcome.points) != 2:
        half_points = None
    elif outcome.winner is None:
        half_points = 1
    else:
        half_points = 2 if outcome.winner == first else 0
    return _Game(players[first], players[1 - first], half_points, pair_of(result.id, result.pairing))


_BY_WINNER = ("winner", "loser", "draw", "weight")
_BY_SIDE = ("first", "second", "result", "pair", "weight")
_NEEDED = {_BY_WINNER: 2, _BY_SIDE: 3}
"""How many of the columns must be there."""

_FORMS = (
    "expected winner,loser,draw, or a first line that names the columns: winner,loser,draw, or "
    "first,second,result with the side that moves first and 1-0 where it won; commas separate them"
)

_DRAWN: Mapping[str, bool] = MappingProxyType(
    dict.fromkeys(("", "0", "no", "false"), False) | dict.fromkeys(("1", "yes", "true", "draw", "="), True)
)
_RESULTS: Mapping[str, int | None] = MappingProxyType(
    dict.fromkeys(("1-0", "1", "1.0"), 2)
    | dict.fromkeys(("1/2-1/2", "1/2", "0.5", "½"), 1)
    | dict.fromkeys(("0-1", "0", "0.0"), 0)
    | dict.fromkeys(("*", "?", ""))
)
_AT_ONCE = 1024
"""Lines that are taken together."""


def _listed(lines: TextIO) -> Iterator[_Game | _Batch]:
    """The games of a list. Raises ValueError, naming the line."""
    rows = csv.reader(lines)
    columns: Sequence[str] = ()
    known: dict[str, str] = {}
    at = 0
    while some := list(islice(rows, _AT_ONCE)):
        batch = _batch_of(columns, some, known)
        if batch is not None:
            yield batch
            at = rows.line_num
            continue
        for row in some:
            at += 1 + sum(cell.count("\n") for cell in row)
            if _is_empty(row):
                continue
            if not columns:
                columns = _columns_of(row, f"line {at}")
                if columns:
                    continue
                columns, where = _BY_WINNER[:3], f"line {at}"
                if len(row) > len(columns) or (len(row) == 1 and ";" in row[0]):
                    raise ValueError(f"{where}: {_FORMS}, got {quote(','.join(row))}")
            game = _of_row(columns, [cell.strip() for cell in row], f"line {at}")
            known |= {cell: name for cell in row if (name := cell.strip()) in game[:2] and name[0] != "#"}
            yield game


def _is_empty(row: Sequence[str]) -> bool:
    return not any(map(str.strip, row)) or row[0].lstrip().startswith("#")


def _columns_of(row: Sequence[str], where: str) -> Sequence[str]:
    """The names of the columns, if the line has them. Raises ValueError for one that nobody knows."""
    names = [cell.strip().lower() for cell in row]
    for allowed, needed in _NEEDED.items():
        if {*allowed[:needed]} <= {*names}:
            for name in names:
                if name not in allowed or names.count(name) > 1:
                    expected = ", ".join(allowed)
                    raise ValueError(
                        f"{where}: expected the columns {expected}, each once, got {quote(name)}"
                    )
            return names
    return ()


def _batch_of(
    columns: Sequence[str], rows: Sequence[Sequence[str]], known: Mapping[str, str]
) -> _Batch | None:
    """All these games at once; None if one of them is to be looked at more closely.

    known: names by the cells that they were in.
    """
    is_sided = "result" in columns
    one, other, result = ("first", "second", "result") if is_sided else ("winner", "loser", "draw")
    widths = {*map(len, rows)}
    present = columns[: max(widths)]
    if (
        len(widths) > 1
        or max(widths) != len(present)
        or not {one, other} <= {*present} <= {one, other, result}
    ):
        return None
    cells = dict(zip(present, zip(*rows, strict=True), strict=True))
    try:
        first = [known[cell] for cell in cells[one]]
        second = [known[cell] for cell in cells[other]]
        if is_sided:
            points = [_RESULTS[cell] for cell in cells[result]]
        else:
            points = [1 if _DRAWN[cell] else 2 for cell in cells.get(result, [""] * len(rows))]
    except KeyError:
        return None
    if None in points or any(map(eq, first, second)):
        return None
    return _Batch(first, second, [point for point in points if point is not None], is_sided)


def _of_row(columns: Sequence[str], cells: Sequence[str], where: str) -> _Game:
    """The game of a line of a list; where: which line, for errors."""
    known = dict(zip(columns, cells, strict=False))
    is_sided = "result" in columns
    one, other = ("first", "second") if is_sided else ("winner", "loser")
    if len(cells) > len(columns) or not known.get(one) or not known.get(other):
        raise ValueError(f"{where}: expected {','.join(columns)}, got {quote(','.join(cells))}")
    column, words = ("result", _RESULTS) if is_sided else ("draw", _DRAWN)
    said = known.get(column, "").lower()
    if said not in words:
        raise ValueError(
            f"{where}: {column}: expected one of {', '.join(filter(None, words))}, got {quote(said)}"
        )
    half_points = _RESULTS[said] if is_sided else 1 if _DRAWN[said] else 2
    weight = _weight(known.get("weight", ""), where) if "weight" in columns else 1
    return _Game(known[one], known[other], half_points, known.get("pair", ""), is_sided, weight=weight)


def _weight(text: str, where: str) -> float:
    try:
        weight = float(text)
    except ValueError:
        weight = math.nan
    if not 0 < weight < math.inf:
        raise ValueError(f"{where}: weight: expected a number above 0, got {quote(text)}")
    return weight


_TAG = re.compile(r'\s*\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*')
_ESCAPED = re.compile(r"\\(.)")


def _tagged(lines: TextIO) -> Iterator[_Game]:
    """The games of a PGN file: a tag that a game has already begins the next. Raises ValueError."""
    tags: dict[str, str] = {}
    begun = 0
    for number, line in enumerate(lines, 1):
        if (match := _TAG.fullmatch(line)) is None:
            continue
        if match[1] in tags:
            yield _of_tags(tags, begun)
            tags = {}
        if not tags:
            begun = number
        tags[match[1]] = _ESCAPED.sub(r"\1", match[2])
    if tags:
        yield _of_tags(tags, begun)


def _of_tags(tags: Mapping[str, str], line: int) -> _Game:
    """The game of these tags, which begin in that line."""
    for name in ("White", "Black", "Result"):
        if not tags.get(name):
            raise ValueError(f"line {line}: the game that begins here has no tag {name}")
    if tags["Result"] not in _RESULTS:
        raise ValueError(f"line {line}: Result: expected 1-0, 0-1, 1/2-1/2 or *, got {quote(tags['Result'])}")
    return _Game(tags["White"], tags["Black"], _RESULTS[tags["Result"]])


_TEXTS: Mapping[str, Callable[[TextIO], Iterator[_Game | _Batch]]] = MappingProxyType(
    {".csv": _listed, ".pgn": _tagged}
)
