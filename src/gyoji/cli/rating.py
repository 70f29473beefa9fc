"""`gyoji ratings`: the strength of everybody in any number of files."""

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gyoji.cli.exits import complain, say
from gyoji.cli.result_files import Gathered, gather
from gyoji.core.faults import ConfigError
from gyoji.core.text import legible_json, quote
from gyoji.scheduler.status import ExitStatus

if TYPE_CHECKING:
    from gyoji.stats.ratings import Ratings


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
        raise ConfigError(f"{', '.join(map(str, paths))}: no game has a result yet")
    if len(rated) > 1:
        names = ", ".join(each.name for each in rated)
        complain(f"{len(rated)} games are played in these files, and rated apart: {names}")
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
    from gyoji.report.csv_text import row as line  # noqa: PLC0415
    from gyoji.tables.ratings import rating_rows  # noqa: PLC0415

    for number, each in enumerate(rated):
        heading, *rows = rating_rows(each.ratings)
        if len(rated) > 1:
            heading, rows = ["game", *heading], [[each.pile.game, *row] for row in rows]
        for cells in rows if number else [heading, *rows]:
            say(line("" if cell is None else str(cell) for cell in cells))


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
