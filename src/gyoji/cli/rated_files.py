"""Readers of the files that `gyoji ratings` gets: games with their players and results.

The suffix says what a file is: `.db` is a store, `.csv` a list of results, `.pgn` games. Any other file is
the control file of a competition, whose store is beside it. A store says which game was played. Results of
different games are never counted together. docs/explanation/ratings.md describes columns and tags.
"""

import csv
import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, TextIO

from gyoji.core.faults import ConfigError
from gyoji.core.record import GameResult
from gyoji.core.text import quote
from gyoji.stats.ledger import Ledger
from gyoji.stats.placings import Placings
from gyoji.store.files import CompetitionFiles
from gyoji.store.store import Store
from gyoji.tables.rankings import add_placing, is_of_many


@dataclass(slots=True)
class Gathered:
    """The results of one game, such as Go, from all files.

    Attributes:
        game: Name of the game; "" if the files do not say it.
        ledger: Results with two sides.
        placings: Results with more than two sides.
        unknown: Number of games without a known result.
    """

    game: str
    ledger: Ledger = field(default_factory=Ledger)
    placings: Placings = field(default_factory=Placings)
    unknown: int = 0


class _Game(NamedTuple):
    """One result with two sides.

    Attributes:
        half_points: Half points of the first player: 0, 1 or 2; None if the result is unknown.
        sided: Whether `first` is known to have had the first side. If not, the sides are unknown.
        kind: Name of the game; "" if it is unknown.
        weight: How many times the result counts.
    """

    first: str
    second: str
    half_points: int | None
    sided: bool = True
    kind: str = ""
    weight: float = 1


class _Placed(NamedTuple):
    """One result with more than two sides.

    Attributes:
        kind: Name of the game.
    """

    result: GameResult
    kind: str


def gather(paths: Sequence[Path]) -> Sequence[Gathered]:
    """Collect the results of all files, separately for each game (Go, gomoku ...).

    CSV lists and PGN files do not name their game. Their results count for the game of the stores among the
    files, if all these stores have the same game; else they stand apart, without a game. Invalidated games of
    stores do not count.

    Raises:
        ConfigError: A file cannot be read. The message names the file, and its line if it is a text.
    """
    piles: dict[str, Gathered] = {}
    # Stores come first: they say which game lists and PGN are about.
    for path in sorted(paths, key=lambda each: each.suffix.lower() in _TEXTS):
        try:
            for game in _games_of(path):
                kind = game.kind or (next(iter(piles)) if len(piles) == 1 else "")
                if (pile := piles.get(kind)) is None:
                    pile = piles[kind] = Gathered(kind)
                if isinstance(game, _Placed):
                    pile.unknown += not add_placing(pile.placings, game.result)
                    continue
                first, second, half_points, sided, _, weight = game
                if half_points is None:
                    pile.unknown += 1
                else:
                    pile.ledger.add(first, second, half_points, sided=sided, weight=weight)
        except OSError as error:
            raise ConfigError(f"{path}: {error.strerror}") from None
        except (ValueError, csv.Error) as error:
            raise ConfigError(f"{path}: {error}") from None
    return tuple(piles.values())


def _games_of(path: Path) -> Iterator[_Game | _Placed]:
    read = _TEXTS.get(path.suffix.lower())
    if read is None:
        yield from _stored(path)
        return
    with path.open(encoding="utf-8-sig", errors="backslashreplace", newline="") as lines:
        yield from read(lines)


def _stored(path: Path) -> Iterator[_Game | _Placed]:
    """Yield the results that a store has.

    Args:
        path: The store, or a control file with its store beside it. The control file is not read.
    """
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
            if is_of_many(result):
                yield _Placed(result, kinds[played_by.frame])
                continue
            first = result.sides.index(0) if result.sides else 0
            players, outcome = result.opponents, result.outcome
            if outcome.points is None or len(outcome.points) != 2:
                half_points = None
            elif outcome.winner is None:
                half_points = 1
            else:
                half_points = 2 if outcome.winner == first else 0
            yield _Game(players[first], players[1 - first], half_points)._replace(kind=kinds[played_by.frame])


# Lists

HEAVIEST = 1_000_000_000
"""The largest weight of a game. Larger weights would make the sums of the fit inaccurate."""

_BY_WINNER = ("winner", "loser", "draw", "weight")
_BY_SIDE = ("first", "second", "result", "pair", "weight")
"""The columns of the two kinds of lists. The first two of `_BY_WINNER`, or three of `_BY_SIDE`, are
required.
"""

_DRAWN: Mapping[str, int | None] = MappingProxyType(
    dict.fromkeys(("", "0", "no", "false"), 2) | dict.fromkeys(("1", "yes", "true", "draw", "="), 1)
)
"""Half points of the winner for each text of the column `draw`."""

_RESULTS: Mapping[str, int | None] = MappingProxyType(
    dict.fromkeys(("1-0", "1", "1.0"), 2)
    | dict.fromkeys(("1/2-1/2", "1/2", "0.5", "½"), 1)
    | dict.fromkeys(("0-1", "0", "0.0"), 0)
    | dict.fromkeys(("*", "?", ""))
)
"""Half points of the first player for each text of the column `result`."""


def _listed(lines: TextIO) -> Iterator[_Game]:
    """Yield the results of a CSV list. Raise ValueError, with the number of the line, if a line is wrong."""
    columns: Sequence[str] = ()
    rows = csv.reader(lines)
    for row in rows:
        cells = [cell.strip() for cell in row]
        if not any(cells) or cells[0].startswith("#"):
            continue
        try:
            if columns or not (columns := _columns_of(cells)):
                columns = columns or _BY_WINNER[:3]
                yield _of_row(columns, cells)
        except ValueError as error:
            line = rows.line_num - sum(cell.count("\n") for cell in row)
            raise ValueError(f"line {line}: {error}") from None


def _columns_of(row: Sequence[str]) -> Sequence[str]:
    """Return the names of the columns if a row of a CSV list is its heading, () if it is a result.

    Raises:
        ValueError: A column is unknown or occurs twice.
    """
    names = [cell.lower() for cell in row]
    for allowed, needed in ((_BY_WINNER, 2), (_BY_SIDE, 3)):
        if {*allowed[:needed]} <= {*names}:
            if wrong := [name for name in names if name not in allowed or names.count(name) > 1]:
                expected = ", ".join(allowed)
                raise ValueError(f"expected the columns {expected}, each once, got {quote(wrong[0])}")
            return names
    return ()


def _of_row(columns: Sequence[str], cells: Sequence[str]) -> _Game:
    """Return the result in one line of a CSV list. Raise ValueError if the line is wrong.

    Args:
        columns: The names of the columns.
        cells: The texts of the line.
    """
    known = dict(zip(columns, cells, strict=False))
    is_sided = "result" in columns
    (one, other, column), words = (_BY_SIDE[:3], _RESULTS) if is_sided else (_BY_WINNER[:3], _DRAWN)
    if len(cells) > len(columns) or not known.get(one) or not known.get(other):
        raise ValueError(f"expected {','.join(columns)}, got {quote(','.join(cells))}")
    said = known.get(column, "").lower()
    if said not in words:
        expected = ", ".join(filter(None, words))
        raise ValueError(f"{column}: expected one of {expected}, got {quote(said)}")
    try:
        weight = float(known.get("weight", "")) if "weight" in columns else 1
    except ValueError:
        weight = math.nan
    if not 0 < weight <= HEAVIEST:
        got = quote(known.get("weight", ""))
        raise ValueError(f"weight: expected a number above 0, got {got}; the largest is {HEAVIEST:,}")
    return _Game(known[one], known[other], words[said], is_sided, weight=weight)


# PGN

_TAG = re.compile(r'\s*\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*')
_ESCAPED = re.compile(r"\\(.)")


def _tagged(lines: TextIO) -> Iterator[_Game]:
    """Yield the results of a PGN file. A tag that is repeated begins the next game."""
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
    for name in ("White", "Black", "Result"):
        if not tags.get(name):
            raise ValueError(f"line {line}: the game that begins here has no tag {name}")
    if tags["Result"] not in _RESULTS:
        raise ValueError(f"line {line}: Result: expected 1-0, 0-1, 1/2-1/2 or *, got {quote(tags['Result'])}")
    return _Game(tags["White"], tags["Black"], _RESULTS[tags["Result"]])  # White moves first, as in chess


_TEXTS: Mapping[str, Callable[[TextIO], Iterator[_Game]]] = MappingProxyType(
    {".csv": _listed, ".pgn": _tagged}
)
