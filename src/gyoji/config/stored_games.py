"""Games of other events for a tuner to learn from: a list (CSV), or the store of another tuner."""

import csv
import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from gyoji.config.document import Document, KeyPath
from gyoji.config.reader import Reader, Rejected
from gyoji.core.faults import ConfigError
from gyoji.core.plugins import FORMATS
from gyoji.core.setup import CompetitionSetup, Stored, StoredGames
from gyoji.core.text import quote
from gyoji.results.comparison import Comparison
from gyoji.results.game_ids import plain
from gyoji.store.files import CompetitionFiles
from gyoji.store.store import Store
from gyoji.tuning.event import TuningEvent
from gyoji.tuning.observations import OTHER
from gyoji.tuning.parameters import Valued

LoadOther: TypeAlias = Callable[[Path], CompetitionSetup]
"""A function that reads another event's control file, without its own games from others.

It raises ConfigError.
"""

_LIST = ("score", "games")
"""The columns of a list beside the parameters. `games` is optional."""


def read_stored(
    reader: Reader, path: KeyPath, given: Any, document: Document, *, parameters: Any, load: LoadOther
) -> StoredGames:
    """Return the games that the setting at `path` names, with a warning if some are outside the ranges.

    Args:
        parameters: The parameters of the tuner; None if they are wrong.

    Raises:
        Rejected: The setting is wrong, or a file cannot be read.
    """
    names = reader.value(path, tuple[str, ...], given)
    if parameters is None:
        raise Rejected
    sources = []
    for number, name in enumerate(names):
        try:
            games = tuple(_stored_in(Path(document.resolve(name)), parameters, load))
        except ConfigError as error:
            reader.problems.add((*path, number), str(error))
            raise Rejected from None
        fitting = tuple(game for game in games if _fits_in(parameters, game))
        if left_out := sum(game.games for game in games) - sum(game.games for game in fitting):
            reader.problems.doubt(path, f"{name}: {left_out} games are left out, outside the ranges of now")
        sources.append(fitting)
    return StoredGames(tuple(sources))


# The ranges of the other event may have been wider. A game outside them has no place in this tuner's model.
def _fits_in(parameters: Sequence[Valued], game: Stored) -> bool:
    """Whether the parameters can have these values."""
    try:
        for values in filter(None, (game.values, game.other)):
            for parameter, value in zip(parameters, values, strict=True):
                parameter.place(value)
    except ValueError:
        return False
    return True


def _stored_in(path: Path, parameters: Sequence[Valued], load: LoadOther) -> Iterator[Stored]:
    """Yield the games of a list, or of the event of a control file. Raises ConfigError."""
    codes = [parameter.code for parameter in parameters]
    if path.suffix.lower() == ".csv":
        yield from _of_list(path, codes)
        return
    setup = load(path)
    event = FORMATS.find(setup.kind).competition(setup)
    if not isinstance(event, TuningEvent):
        expected = "a list (.csv), or a tuner's control file"
        raise ConfigError(f"{path.name}: {setup.kind} is no tuner: expected {expected}")
    order = _order(path, [parameter.code for parameter in event.tuner.parameters], codes)
    with Store.read(CompetitionFiles(Path(setup.control_file)).database, competition=setup.code) as store:
        comparison = Comparison(setup)
        for result, by in store.played():
            if comparison.takes(result, by, store.text):
                event.add(plain(result))
    for game in event.stored():
        first, other = (
            tuple(values[place] for place in order if values) for values in (game.values, game.other)
        )
        yield game._replace(values=first, other=other)


def _order(path: Path, there: Sequence[str], codes: Sequence[str]) -> list[int]:
    """Return the place of each parameter among those of a file. Raises ConfigError if they differ."""
    if sorted(there) != sorted(codes):
        names = ", ".join(there)
        raise ConfigError(f"{path.name}: it has the parameters {names}: expected {', '.join(codes)}")
    return [there.index(code) for code in codes]


class _Columns(NamedTuple):
    """The columns of a list.

    Attributes:
        first: The columns of the candidate's values.
        other: The columns of the second candidate's values; () in games of one.
    """

    headings: Sequence[str]
    first: Sequence[int]
    other: Sequence[int]


def _of_list(path: Path, codes: Sequence[str]) -> Iterator[Stored]:
    """Yield the games of a CSV file: a column for each parameter, `score`, and perhaps `games`.

    The columns of a second candidate begin with `other.`.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            lines = csv.reader(file)
            columns = _columns(path, [heading.strip() for heading in next(lines, [])], codes)
            for line in lines:
                if line:
                    yield _of_line(f"{path.name}:{lines.line_num}", columns, line)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ConfigError(f"{path.name}: it cannot be read: {error}") from None


def _columns(path: Path, headings: Sequence[str], codes: Sequence[str]) -> _Columns:
    there = [heading for heading in headings if heading not in _LIST]
    pairs = any(heading.startswith(OTHER) for heading in there)
    others = [f"{OTHER}{code}" for code in codes] if pairs else []
    order = _order(path, there, [*codes, *others])
    if "score" not in headings or len(set(headings)) < len(headings):
        raise ConfigError(f"{path.name}: line 1: expected the columns {', '.join([*codes, *others])}, score")
    places = [headings.index(there[place]) for place in order]
    return _Columns(headings, places[: len(codes)], places[len(codes) :])


def _of_line(where: str, columns: _Columns, line: Sequence[str]) -> Stored:
    if len(line) != len(columns.headings):
        raise ConfigError(f"{where}: expected {len(columns.headings)} columns, got {len(line)}")
    cells = dict(zip(columns.headings, line, strict=True))
    score, games = _number(cells["score"]), _number(cells.get("games", "1"))
    if score is None or not 0 <= score <= 1:
        raise ConfigError(f"{where}: score: expected a number from 0 to 1, got {quote(cells['score'])}")
    if games is None or games < 1 or games != int(games):
        raise ConfigError(f"{where}: games: expected a whole number from 1, got {quote(cells['games'])}")
    first, other = (tuple(_value(line[place]) for place in each) for each in (columns.first, columns.other))
    return Stored(first, score, int(games), other)


def _value(cell: str) -> float | str:
    number = _number(cell)
    return cell.strip() if number is None else number


def _number(word: str) -> float | None:
    try:
        number = float(word)
    except ValueError:
        return None
    return number if math.isfinite(number) else None
