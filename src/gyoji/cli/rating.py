"""`gyoji ratings`: the strength of everybody, by the results of games in whatever files they are."""

import csv
import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gyoji.cli.exits import complain, say
from gyoji.cli.rated_files import Gathered, gather
from gyoji.core.faults import ConfigError
from gyoji.core.text import legible_json_pieces, quote
from gyoji.scheduler.status import ExitStatus

if TYPE_CHECKING:
    from gyoji.stats.ratings import Given, Ratings


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """The options of the command, as typed.

    form         text, json or csv.
    table        of `tables.comparisons`; None for that of ratings.
    relative_to  a player, or "" for the average: whom errors are relative to.
    """

    anchors: Sequence[str] = ()
    relations: Sequence[str] = ()
    relative_to: str | None = None
    bootstrap: int | None = None
    form: str = "text"
    table: str | None = None
    seats: bool = False


def rate_files(paths: Sequence[Path], wishes: Wishes) -> ExitStatus:
    """The whole command. Raises ConfigError."""
    # Games may be running on the other cores, and a few hundred equations are solved as soon by one.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    given = [*parse_anchors(wishes.anchors), *parse_relations(wishes.relations)]
    gathered = gather(paths)
    piles = [pile for pile in gathered if pile.ledger.meetings().players] or gathered
    _check_players(given, wishes.relative_to, piles)
    try:
        rated = [_rated(pile, given, wishes) for pile in piles]
    except ValueError:
        rated = []
    if not rated:
        raise ConfigError(f"{', '.join(map(str, paths))}: no game of two sides has a result yet")
    if len(rated) > 1:
        names = ", ".join(each.name for each in rated)
        complain(
            f"{len(rated)} different games are played in these files, and each is rated by itself: {names}"
        )
    if wishes.form == "json":
        told = rated[0].values() if len(rated) == 1 else {"rated_apart": (each.values() for each in rated)}
        for piece in legible_json_pieces(told):
            say(piece, nl=False)
        say("")
    elif wishes.form == "csv":
        _print_csv(rated)
    else:
        for number, each in enumerate(rated):
            if len(rated) > 1:
                click.echo("\n" * (number > 0) + f"{each.name}:")
            say("\n".join(each.lines()))
    return ExitStatus.COMPLETE


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rated:
    """The ratings of those who played one game. given: what of it is about them."""

    pile: Gathered
    ratings: "Ratings"
    given: Sequence["Given"]
    wishes: Wishes

    @property
    def name(self) -> str:
        return self.pile.game or "files that do not name theirs"

    def values(self) -> dict[str, Any]:
        """Its part of the JSON, with the players one after the other."""
        from gyoji.tables.comparisons import ROWS  # noqa: PLC0415
        from gyoji.tables.ratings import rating_values  # noqa: PLC0415

        anchors = [each for each in self.given if each.other is None]
        relations = [each for each in self.given if each.other is not None]
        table = self.wishes.table
        return {
            "game": self.pile.game,
            **rating_values(self.ratings),
            "unknown": self.pile.unknown,
            "weighted": self.ratings.is_weighted,
            "anchors": {each.player: each.elo for each in anchors},
            "anchor_errors_95": {each.player: each.error for each in anchors if each.error},
            "relations": [
                {"player": each.player, "other": each.other, "elo": each.elo, "error_95": each.error}
                for each in relations
            ],
            "relative_to": self.ratings.relative_to or None,
            "pool_relative": self.ratings.relative_to == "",
            "bootstrap": self.wishes.bootstrap,
            **({table.replace("-", "_"): ROWS[table](self.ratings)} if table else {}),
        }

    def lines(self) -> Iterator[str]:
        """Its part of the text."""
        from gyoji.report.text import text_lines  # noqa: PLC0415
        from gyoji.tables.comparisons import BLOCKS  # noqa: PLC0415
        from gyoji.tables.ratings import rating_blocks  # noqa: PLC0415

        if self.wishes.table:
            yield from text_lines(BLOCKS[self.wishes.table](self.ratings))
            return
        yield from text_lines(rating_blocks(self.ratings, seats=self.wishes.seats))
        left_out = f"; {self.pile.unknown} without a result left out" if self.pile.unknown else ""
        weighted = ", which count by their weights" if self.ratings.is_weighted else ""
        beside = {None: "", "": ", of the distance to the average"}.get(
            self.ratings.relative_to, f", of the distance to {self.ratings.relative_to}"
        )
        drawn = self.wishes.bootstrap
        bars = f", by {drawn} draws from the pairs of games" if drawn else ""
        yield f"games: {self.ratings.games}{weighted}{left_out}; +/- is 95%{beside}{bars}"


def _rated(pile: Gathered, given: Sequence["Given"], wishes: Wishes) -> _Rated:
    """Raises ValueError if no game has a result."""
    from gyoji.stats.ratings import Bootstrap, rate  # noqa: PLC0415

    players = {*pile.ledger.meetings().players}
    own = [each for each in given if {each.player, each.other or each.player} <= players]
    beside = wishes.relative_to
    ratings = rate(
        pile.ledger,
        given=own,
        bootstrap=Bootstrap(draws=wishes.bootstrap) if wishes.bootstrap else None,
        relative_to=beside if not beside or beside in players else None,
    )
    return _Rated(pile=pile, ratings=ratings, given=own, wishes=wishes)


def _print_csv(rated: Sequence[_Rated]) -> None:
    """One table; where there are several games its first column says which."""
    from gyoji.report.documents import csv_row  # noqa: PLC0415
    from gyoji.tables.comparisons import ROWS  # noqa: PLC0415
    from gyoji.tables.ratings import rating_rows  # noqa: PLC0415

    rows = [
        ({"game": each.pile.game} if len(rated) > 1 else {}) | row
        for each in rated
        for row in ROWS.get(each.wishes.table or "", rating_rows)(each.ratings)
    ]
    for cells in ([list(rows[0])] if rows else []) + [list(row.values()) for row in rows]:
        say(csv_row("" if cell is None else str(cell) for cell in cells))


def _check_players(given: Sequence["Given"], relative_to: str | None, piles: Sequence[Gathered]) -> None:
    """Raises ConfigError for a player that is named and has no game."""
    fields = [pile.ledger.meetings().players for pile in piles]
    players = [player for each in fields for player in each]
    named = [("--relative-to", relative_to)] if relative_to else []
    for each in given:
        option = "--anchor" if each.other is None else "--relation"
        named += [(option, name) for name in (each.player, each.other) if name is not None]
    for option, name in named:
        if players and name not in players:
            raise ConfigError(_no_player(option, name, players))
    for each in given:
        if players and not any({each.player, each.other or each.player} <= {*field} for field in fields):
            raise ConfigError(
                f"--relation: {quote(each.player)} and {quote(each.other or '')} play different games"
            )


def parse_anchors(texts: Sequence[str]) -> list["Given"]:
    """Ratings from texts such as "gnugo=1500" or "gnugo=1500+-40". Raises ConfigError."""
    from gyoji.stats.ratings import Given  # noqa: PLC0415

    anchors: dict[str, Given] = {}
    for text in texts:
        player, _, number = text.rpartition("=")
        elo, is_loose, error = number.replace("±", "+-").partition("+-")
        value, margin = _number(elo), _number(error) if is_loose else 0.0
        if not player or value is None or margin is None or bool(is_loose) != (margin > 0):
            raise ConfigError(
                "--anchor: expected PLAYER=ELO such as gnugo=1500 or, with an error, gnugo=1500+-40, "
                f"got {quote(text)}"
            )
        anchors[player] = Given(player=player, elo=value, error=margin)
    return list(anchors.values())


def parse_relations(texts: Sequence[str]) -> list["Given"]:
    """Differences of two ratings from texts such as "new,old,10,30". Raises ConfigError."""
    from gyoji.stats.ratings import Given  # noqa: PLC0415

    relations = []
    for text in texts:
        cells = [cell.strip() for cell in next(csv.reader([text]), [])]
        player, other, elo, error = cells if len(cells) == 4 else ("", "", "", "")
        value, margin = _number(elo), _number(error)
        if not player or not other or player == other or value is None or margin is None or margin <= 0:
            raise ConfigError(
                "--relation: expected PLAYER,OTHER,ELO,ERROR such as new,old,10,30 (new is 10 Elo stronger "
                f"than old, give or take 30), got {quote(text)}"
            )
        relations.append(Given(player=player, other=other, elo=value, error=margin))
    return relations


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _no_player(option: str, name: str, players: Sequence[str]) -> str:
    near = get_close_matches(name, players, 1)
    hint = f"did you mean {quote(near[0])}?" if near else f"there are {len(players)} others"
    return f"{option}: {quote(name)} has no game in these files; {hint}"
