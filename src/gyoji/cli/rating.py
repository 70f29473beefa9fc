"""`gyoji ratings`: the strength of everybody in any number of files."""

import csv
import math
import os
import sys
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path

import click

from gyoji.cli.exits import say
from gyoji.cli.result_files import gather
from gyoji.core.faults import ConfigError
from gyoji.core.text import legible_json, quote
from gyoji.scheduler.status import ExitStatus


def rate_files(
    paths: Sequence[Path], *, anchors: Sequence[str], bootstrap: int | None, form: str, seats: bool
) -> ExitStatus:
    """The whole command. anchors: as typed. form: text, json or csv. Raises ConfigError."""
    given = parse_anchors(anchors)
    ledger, unknown = gather(paths)
    # Games may be running on the other cores, and a few hundred equations are solved as soon by one.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from gyoji.report.ratings import rating_lines, rating_rows, rating_values  # noqa: PLC0415
    from gyoji.stats.ratings import Bootstrap, rate  # noqa: PLC0415

    try:
        ratings = rate(ledger, anchors=given, bootstrap=Bootstrap(draws=bootstrap) if bootstrap else None)
    except KeyError as error:
        raise ConfigError(_no_player(error.args[0], ledger.meetings().players)) from None
    except ValueError:
        raise ConfigError(f"{', '.join(map(str, paths))}: no game has a result yet") from None
    if form == "json":
        values = {**rating_values(ratings), "unknown": unknown, "anchors": given, "bootstrap": bootstrap}
        say(legible_json(values, indent=2))
    elif form == "csv":
        csv.writer(sys.stdout, lineterminator="\n").writerows(rating_rows(ratings))
    else:
        for line in rating_lines(ratings, seats=seats):
            say(line)
        left_out = f"; {unknown} without a result left out" if unknown else ""
        bars = f", by {bootstrap} draws from the pairs of games" if bootstrap else ""
        click.echo(f"games: {ratings.games}{left_out}; +/- is 95%{bars}")
    return ExitStatus.COMPLETE


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
