"""`gyoji ratings`: the strength of everybody, by the results of games in whatever files they are.

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
import math
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

import click

from gyoji.cli.exits import complain, say
from gyoji.core.faults import ConfigError
from gyoji.core.record import GameResult
from gyoji.core.text import legible_json, quote
from gyoji.pairing.games import plain_id
from gyoji.scheduler.status import ExitStatus
from gyoji.stats.ledger import Ledger
from gyoji.store.files import CompetitionFiles
from gyoji.store.store import Store

if TYPE_CHECKING:
    from gyoji.stats.ratings import Ratings


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


def rate_files(
    paths: Sequence[Path], *, anchors: Sequence[str], bootstrap: int | None, form: str, seats: bool
) -> ExitStatus:
    """The whole command. anchors: as typed. form: text, json or csv. Raises ConfigError."""
    given = parse_anchors(anchors)
    gathered = gather(paths)
    # Games may be running on the other cores, and a few hundred equations are solved as soon by one.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    piles = [pile for pile in gathered if pile.ledger.meetings().players] or gathered
    _check_anchors(given, piles)
    try:
        rated = [_rated(pile, given, bootstrap) for pile in piles]
    except ValueError:
        rated = []
    if not rated:
        raise ConfigError(f"{', '.join(map(str, paths))}: no game of two sides has a result yet")
    if len(rated) > 1:
        names = ", ".join(each.name for each in rated)
        complain(
            f"{len(rated)} different games are played in these files, and each is rated by itself: {names}"
        )
    if form == "json":
        values = [each.values() for each in rated]
        told = values[0] if len(values) == 1 else {"rated_apart": values}
        say(legible_json(told, indent=2))
    elif form == "csv":
        _print_csv(rated)
    else:
        for number, each in enumerate(rated):
            if len(rated) > 1:
                click.echo("\n" * (number > 0) + f"{each.name}:")
            for line in each.lines(seats=seats):
                say(line)
    return ExitStatus.COMPLETE


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rated:
    """The ratings of those who played one game. anchors: those of them that were given."""

    pile: Gathered
    ratings: "Ratings"
    anchors: Mapping[str, float]
    bootstrap: int | None

    @property
    def name(self) -> str:
        return self.pile.game or "files that do not name theirs"

    def values(self) -> dict[str, Any]:
        """Its part of the JSON."""
        from gyoji.tables.ratings import rating_values  # noqa: PLC0415

        return {
            "game": self.pile.game,
            **rating_values(self.ratings),
            "unknown": self.pile.unknown,
            "anchors": self.anchors,
            "bootstrap": self.bootstrap,
        }

    def lines(self, *, seats: bool) -> Iterator[str]:
        """Its part of the text."""
        from gyoji.report.text import text_lines  # noqa: PLC0415
        from gyoji.tables.ratings import rating_blocks  # noqa: PLC0415

        yield from text_lines(rating_blocks(self.ratings, seats=seats))
        left_out = f"; {self.pile.unknown} without a result left out" if self.pile.unknown else ""
        bars = f", by {self.bootstrap} draws from the pairs of games" if self.bootstrap else ""
        yield f"games: {self.ratings.games}{left_out}; +/- is 95%{bars}"


def _rated(pile: Gathered, given: Mapping[str, float], bootstrap: int | None) -> _Rated:
    """Raises ValueError if no game has a result."""
    from gyoji.stats.ratings import Bootstrap, rate  # noqa: PLC0415

    players = pile.ledger.meetings().players
    anchors = {player: elo for player, elo in given.items() if player in players}
    draws = Bootstrap(draws=bootstrap) if bootstrap else None
    ratings = rate(pile.ledger, anchors=anchors, bootstrap=draws)
    return _Rated(pile=pile, ratings=ratings, anchors=anchors, bootstrap=bootstrap)


def _print_csv(rated: Sequence[_Rated]) -> None:
    """One table; where there are several games its first column says which."""
    from gyoji.report.documents import csv_row  # noqa: PLC0415
    from gyoji.tables.ratings import rating_rows  # noqa: PLC0415

    for number, each in enumerate(rated):
        heading, *rows = rating_rows(each.ratings)
        if len(rated) > 1:
            heading, rows = ["game", *heading], [[each.pile.game, *row] for row in rows]
        for cells in rows if number else [heading, *rows]:
            say(csv_row("" if cell is None else str(cell) for cell in cells))


def _check_anchors(anchors: Mapping[str, float], piles: Sequence[Gathered]) -> None:
    """Raises ConfigError for an anchor that has no game."""
    players = [player for pile in piles for player in pile.ledger.meetings().players]
    for name in anchors:
        if players and name not in players:
            raise ConfigError(_no_player(name, players))


def parse_anchors(texts: Sequence[str]) -> Mapping[str, float]:
    """Elo by player from texts such as "gnugo=1500". Raises ConfigError."""
    anchors: dict[str, float] = {}
    for text in texts:
        player, _, number = text.rpartition("=")
        try:
            elo = float(number)
        except ValueError:
            elo = math.nan
        if not player or not math.isfinite(elo):
            raise ConfigError(f"--anchor: expected PLAYER=ELO such as gnugo=1500, got {quote(text)}")
        anchors[player] = elo
    return anchors


def _no_player(name: str, players: Sequence[str]) -> str:
    near = get_close_matches(name, players, 1)
    hint = f"did you mean {quote(near[0])}?" if near else f"there are {len(players)} others"
    return f"--anchor: {quote(name)} has no game in these files; {hint}"


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
