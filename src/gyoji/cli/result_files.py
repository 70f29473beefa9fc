"""Results of games in whatever files they are, for ratings: stores, lists of results, PGN.

What a file is, its name says: `.db` is a store, `.csv` a list, `.pgn` games; any other is taken for the
control file of a competition, whose store stands beside it. All of them are read a game at a time. A store
says what game was played; games of different kinds are never counted together.

A list has a line for each game. Its first line may name the columns: `winner`, `loser` and perhaps `draw`;
or `first`, `second` and `result` (1-0, 0-1, 1/2-1/2, or the points of the first), and perhaps `pair`, a name
that the two games of an opening have in common. Otherwise they are winner, loser, draw. Of PGN the tags
White, Black and Result are read, and White is first, as it is in chess.
"""

import csv
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, TextIO

from gyoji.core.faults import ConfigError
from gyoji.core.record import GameResult
from gyoji.core.text import quote
from gyoji.pairing.repeats import plain_id
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

    def add(self, game: "_Game", file: int) -> None:
        """Count a game of the file of that number."""
        if game.half_points is None:
            self.unknown += 1
        else:
            pair = game.pair and f"{file} {game.pair}"
            self.ledger.add(game.first, game.second, game.half_points, pair=pair, sided=game.sided)


class _Game(NamedTuple):
    """A game as `Ledger.add` takes it; half_points is None where nobody knows."""

    first: str
    second: str
    half_points: int | None
    pair: str = ""
    sided: bool = True
    kind: str = ""  # what was played, "" where it is not said


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


def _games_of(path: Path) -> Iterator[_Game]:
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
    return _Game(players[first], players[1 - first], half_points, _pair_of(result))


def _pair_of(result: GameResult) -> str:
    """The name of a pair of games from one opening: a game with an even number and the next; "" for none."""
    number = plain_id(result.id).rpartition("_")[2]
    return f"{result.pairing} {int(number) // 2}" if number.isdecimal() else ""


_BY_WINNER = ("winner", "loser", "draw")
_BY_SIDE = ("first", "second", "result")
_DRAWN: Mapping[str, bool] = MappingProxyType(
    dict.fromkeys(("", "0", "no", "false"), False) | dict.fromkeys(("1", "yes", "true", "draw", "="), True)
)
_RESULTS: Mapping[str, int | None] = MappingProxyType(
    dict.fromkeys(("1-0", "1", "1.0"), 2)
    | dict.fromkeys(("1/2-1/2", "1/2", "0.5", "½"), 1)
    | dict.fromkeys(("0-1", "0", "0.0"), 0)
    | dict.fromkeys(("*", "?", ""))
)


def _listed(lines: TextIO) -> Iterator[_Game]:
    """The games of a list. Raises ValueError, naming the line."""
    names: Sequence[str] = ()
    rows = csv.reader(lines)
    for row in rows:
        cells = [cell.strip() for cell in row]
        if not any(cells) or cells[0].startswith("#"):
            continue
        if not names:
            names = [cell.lower() for cell in cells]
            if {*_BY_WINNER[:2]} <= {*names} or {*_BY_SIDE} <= {*names}:
                continue
            names = _BY_WINNER
        yield _of_row(names, cells, f"line {rows.line_num}")


def _of_row(names: Sequence[str], cells: Sequence[str], where: str) -> _Game:
    """The game of a line of a list; where: which line, for errors."""
    known = dict(zip(names, cells, strict=False))
    wanted = _BY_SIDE if "result" in names else _BY_WINNER[:2]
    if len(cells) > len(names) or not all(known.get(name) or name == "result" for name in wanted):
        raise ValueError(f"{where}: expected {','.join(names)}, got {quote(','.join(cells))}")
    column, words = ("result", _RESULTS) if "result" in names else ("draw", _DRAWN)
    said = known.get(column, "").lower()
    if said not in words:
        raise ValueError(
            f"{where}: {column}: expected one of {', '.join(filter(None, words))}, got {quote(said)}"
        )
    if "result" in names:
        return _Game(known["first"], known["second"], _RESULTS[said], known.get("pair", ""))
    return _Game(known["winner"], known["loser"], 1 if _DRAWN[said] else 2, sided=False)


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


_TEXTS: Mapping[str, Callable[[TextIO], Iterator[_Game]]] = MappingProxyType(
    {".csv": _listed, ".pgn": _tagged}
)
