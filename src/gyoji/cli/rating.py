"""`gyoji ratings`: rate the players of competitions and files by the results of their games."""

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
from gyoji.core.plugins import GAMES
from gyoji.core.text import legible_json_pieces, quote
from gyoji.scheduler.status import ExitStatus

if TYPE_CHECKING:
    from gyoji.stats.placed_ratings import PlacedRatings
    from gyoji.stats.ratings import Given, Ratings  # numpy, which takes a tenth of a second to import


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """The options of `gyoji ratings`, as typed.

    Attributes:
        anchors: Fixed ratings (`--anchor`), such as "gnugo=1500" or "gnugo=1500+-40".
        relative_to: The player from whom distances are measured, for the printed margins of error. None for
            the average of all players, or for the anchors if there are any.
        form: "text", "json" or "csv".
    """

    anchors: Sequence[str] = ()
    relative_to: str | None = None
    form: str = "text"


# numpy takes a tenth of a second to import, so everything that needs it is imported below.
def rate_files(paths: Sequence[Path], wishes: Wishes) -> ExitStatus:
    """Rate the players of files, and print the ratings.

    Raise ConfigError for a wrong file or option, or if no game has a result.
    """
    # Games may be running on the other cores, and a few hundred equations are solved as soon by one.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    given = parse_anchors(wishes.anchors)
    gathered = gather(paths)
    piles = [pile for pile in gathered if _players(pile)] or gathered
    _check_players(given, wishes.relative_to, piles)
    try:
        rated = [each for pile in piles for each in _rated(pile, given, wishes)]
    except ValueError:  # the equations have no solution with these weights
        rated = []
    if not rated:
        raise ConfigError(f"{', '.join(map(str, paths))}: no game has a result yet")
    if len(rated) > 1:
        names = ", ".join(each.name for each in rated)
        complain(
            f"{len(rated)} different games are played in these files, and each is rated by itself: {names}"
        )
    if wishes.form == "json":
        values = rated[0].values() if len(rated) == 1 else {"rated_apart": (each.values() for each in rated)}
        for piece in legible_json_pieces(values):  # a row per pair of players: too much for one text
            say(piece, nl=False)
        say("")
    elif wishes.form == "csv":
        from gyoji.report.csv import csv_row  # noqa: PLC0415

        rows = [
            ({"game": each.pile.game} if len(rated) > 1 else {}) | row
            for each in rated
            for row in each.rows()
        ]
        heads = list(dict.fromkeys(key for row in rows for key in row))
        for cells in ([heads] if rows else []) + [[row.get(key) for key in heads] for row in rows]:
            say(csv_row("" if cell is None else str(cell) for cell in cells))
    else:
        for number, each in enumerate(rated):
            if len(rated) > 1:
                click.echo("\n" * (number > 0) + f"{each.name}:")
            say("\n".join(each.lines()))
    return ExitStatus.COMPLETE


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rated:
    """The ratings of all players of one game of two sides.

    Attributes:
        given: The fixed ratings (`--anchor`) of players of this game.
    """

    pile: Gathered
    ratings: "Ratings"
    given: Sequence["Given"]

    @property
    def name(self) -> str:
        return self.pile.game or "files that do not name theirs"

    def values(self) -> dict[str, Any]:
        """Return the ratings as an object for JSON, in which the list of players is an iterator."""
        from gyoji.tables.rating_tables import rating_facts  # noqa: PLC0415

        return {
            "game": self.pile.game,
            **rating_facts(self.ratings),
            "unknown": self.pile.unknown,
            "weighted": self.ratings.is_weighted,
            "anchors": {each.player: each.elo for each in self.given},
            "anchor_errors_95": {each.player: each.error for each in self.given if each.error},
            "relative_to": self.ratings.relative_to,
        }

    def rows(self) -> list[dict[str, Any]]:
        """Return the ratings as rows of a CSV file, one for each player."""
        from gyoji.tables.rating_tables import RATING_KEYS, rating_table  # noqa: PLC0415

        return rating_table(self.ratings, self.ratings.places).only(*RATING_KEYS).records()

    def lines(self) -> Iterator[str]:
        """Yield the ratings as text."""
        from gyoji.report.text import text_lines  # noqa: PLC0415
        from gyoji.tables.rating_tables import rating_remarks, rating_tables  # noqa: PLC0415

        ratings = self.ratings
        for table in rating_tables(ratings):
            yield from text_lines([table, ""])
        yield from rating_remarks(ratings)
        left_out = f"; {self.pile.unknown} without a result left out" if self.pile.unknown else ""
        weighted = ", which count by their weights" if ratings.is_weighted else ""
        distance = f", of the distance to {ratings.relative_to}" if ratings.relative_to else ""
        yield f"games: {ratings.games}{weighted}{left_out}; +/- is 95%{distance}"


@dataclass(frozen=True, slots=True, kw_only=True)
class _RatedByPlaces:
    """The ratings of all players of one game of more than two sides, with the same interface as `_Rated`."""

    pile: Gathered
    ratings: "PlacedRatings"
    given: Sequence["Given"]

    @property
    def name(self) -> str:
        return self.pile.game

    def values(self) -> dict[str, Any]:
        """Return the ratings for JSON."""
        from gyoji.tables.placed_tables import placed_facts  # noqa: PLC0415

        return {
            "game": self.pile.game,
            **placed_facts(self.ratings),
            "unknown": self.pile.unknown,
            "anchors": {each.player: each.elo for each in self.given},
            "relative_to": self.ratings.relative_to,
        }

    def rows(self) -> list[dict[str, Any]]:
        """Return the rows of a CSV file."""
        from gyoji.tables.placed_tables import PLACED_KEYS, placed_table  # noqa: PLC0415

        return placed_table(self.ratings, self.ratings.places).only(*PLACED_KEYS).records()

    def lines(self) -> Iterator[str]:
        """Yield the ratings as text."""
        from gyoji.report.text import text_lines  # noqa: PLC0415
        from gyoji.tables.placed_tables import placed_remarks, placed_tables  # noqa: PLC0415

        ratings = self.ratings
        unit = GAMES.find(self.pile.game).unit if self.pile.game in GAMES.names else ""
        for table in placed_tables(ratings, unit):
            yield from text_lines([table, ""])
        yield from placed_remarks(ratings)
        left_out = f"; {self.pile.unknown} without a result left out" if self.pile.unknown else ""
        distance = f", of the distance to {ratings.relative_to}" if ratings.relative_to else ""
        yield f"games: {ratings.games} in {ratings.units} units{left_out}; +/- is 95%{distance}"


def _rated(pile: Gathered, given: Sequence["Given"], wishes: Wishes) -> Iterator["_Rated | _RatedByPlaces"]:
    """Yield the ratings from the results of one kind of game, such as Go.

    There is one item for its results with two sides and one for its results with more sides, if there are
    such results.

    Args:
        given: The fixed ratings of all players (`--anchor`), whatever they play.

    Raises:
        ConfigError: All results with more than two sides are of games on one seed. Or one of their players
            has a given rating with a margin of error (`--anchor`), which is not possible for such games.
        ValueError: The equations of the ratings have no solution.
    """
    if players := {*pile.ledger.meetings().players}:
        from gyoji.stats.ratings import rate  # noqa: PLC0415

        own = [each for each in given if each.player in players]
        beside = wishes.relative_to if wishes.relative_to in players else None
        yield _Rated(pile=pile, ratings=rate(pile.ledger, given=own, relative_to=beside), given=own)
    if players := {*pile.placings.players}:
        from gyoji.stats.placed_ratings import rate_placings  # noqa: PLC0415

        own = [each for each in given if each.player in players]
        beside = wishes.relative_to if wishes.relative_to in players else None
        if pile.placings.units < 2:
            raise ConfigError(
                f"{pile.game}: expected two units or more, got one: the games of a table on one seed say "
                "nothing of how much is chance"
            )
        if loose := [each.player for each in own if each.error]:
            raise ConfigError(
                f"--anchor: {quote(loose[0])}: expected no error, which is for games of two sides alone"
            )
        anchors = {each.player: each.elo for each in own}
        ratings = rate_placings(pile.placings, anchors=anchors, relative_to=beside)
        yield _RatedByPlaces(pile=pile, ratings=ratings, given=own)


def _players(pile: Gathered) -> list[str]:
    """Return all players that have a result."""
    return list(dict.fromkeys((*pile.ledger.meetings().players, *pile.placings.players)))


def _check_players(given: Sequence["Given"], relative_to: str | None, piles: Sequence[Gathered]) -> None:
    """Raise ConfigError if an option names a player without a game."""
    players = [player for pile in piles for player in _players(pile)]
    named = [("--relative-to", relative_to)] if relative_to else []
    named += [("--anchor", each.player) for each in given]
    for option, name in named:
        if players and name not in players:
            near = get_close_matches(name, players, 1)
            hint = f"did you mean {quote(near[0])}?" if near else f"there are {len(players)} others"
            raise ConfigError(f"{option}: {quote(name)} has no game in these files; {hint}")


def parse_anchors(texts: Sequence[str]) -> list["Given"]:
    """Parse ratings such as "gnugo=1500" or "gnugo=1500+-40". Raise ConfigError for other texts."""
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


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None
