"""`gyoji sprt`: a calculator for sequential tests."""

from collections.abc import Sequence
from typing import Any

import click

from gyoji.core.faults import ConfigError
from gyoji.core.text import legible_json
from gyoji.scheduler.status import ExitStatus
from gyoji.stats.scores import GAME, PAIR, Scores
from gyoji.stats.sprt import Model, Sprt
from gyoji.tables.sequential import sprt_lines, sprt_values


def calculate(counts: Sequence[int], *, model: str, as_json: bool, **design: Any) -> ExitStatus:
    """The whole command. design: the numbers that make a `Sprt`. Raises ConfigError."""
    try:
        test, scores = Sprt(model=Model(model), **design), parse_counts(counts)
        test.llr(scores)
    except ValueError as error:
        raise ConfigError(str(error)) from None
    if as_json:
        click.echo(legible_json(sprt_values(test, scores), indent=2))
        return ExitStatus.COMPLETE
    for line in sprt_lines(test, scores):
        click.echo(line)
    return ExitStatus.COMPLETE


def parse_counts(counts: Sequence[int]) -> Scores:
    """Scores from what is typed: won, drawn, lost; or pairs of 0, ½, 1, 1½, 2 points; or nothing.

    Raises ConfigError.
    """
    if not counts:
        return Scores.none(pairs=False)
    if len(counts) not in (GAME, PAIR):
        raise ConfigError(
            f"expected {GAME} counts, of games won, drawn and lost, or {PAIR}, of pairs from 0 to 2 points; "
            f"got {len(counts)}"
        )
    return Scores(tuple(counts if len(counts) == PAIR else counts[::-1]))
