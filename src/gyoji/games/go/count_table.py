"""The count of a finished Go game as a table that players can check.

It has a column for each side and a row for each part of the score. Under area scoring the first parts are the
side's stones and the points that they surround; under territory scoring these points and the side's
prisoners, dead stones included. Then come tax, button and handicap, if there are any, and komi. White's sum
minus Black's is `Score.lead`.
"""

from collections.abc import Iterator
from decimal import Decimal

from gyoji.games.go.position import Position
from gyoji.games.go.rules import GoRules
from gyoji.games.go.rulesets import TERRITORY

Rows = tuple[tuple[str, ...], ...]


def _heading(rules: GoRules) -> str:
    """Return the heading of the first column: way of counting and ruleset, as "by area, chinese rules"."""
    is_territory = rules.choices is not None and rules.choices.scoring == TERRITORY
    way = "territory" if is_territory else "area"
    return f"by {way}, {rules.ruleset} rules" if rules.ruleset else f"by {way}"


def count_table(rules: GoRules, position: Position, captured: tuple[int, int] | None = None) -> Rows:
    """Return the rows of the table for a closed position: headings, the parts of the score, and the sum.

    The heading of the first column is the way of counting.

    Args:
        rules: The rules of the game.
        position: The position without its dead stones, see `GoRules.close`.
        captured: Numbers of (black, white) stones captured before the second clean-up phase, where plays are
            free; None if the game did not come to it.
    """
    parts = list(_parts(rules, position, captured or (position.black_lost, position.white_lost)))
    black = sum((points for _, points, _ in parts), Decimal(0))
    white = sum((points for _, _, points in parts), Decimal(0))
    rows = [(name, _shown(own), _shown(other)) for name, own, other in (*parts, ("sum", black, white))]
    return ((_heading(rules), "Black", "White"), *rows)


def _parts(
    rules: GoRules, position: Position, captured: tuple[int, int]
) -> Iterator[tuple[str, Decimal, Decimal]]:
    """Yield (name, Black's points, White's points) of each part of the score.

    Args:
        rules: The rules of the game.
        position: The position without its dead stones.
        captured: See `count_table`.
    """
    score, choices, notes = rules.score(position), rules.choices, position.notes
    stones = [score.black & position.black, score.white & position.white]
    is_territory = choices is not None and choices.scoring == TERRITORY
    if is_territory and notes is not None and notes.second_start is not None:
        # Stones of the second clean-up phase cost nothing, so those that count are territory.
        stones = [own & before for own, before in zip(stones, notes.second_start, strict=True)]
    surrounded = [
        (points & ~own).bit_count() for points, own in zip((score.black, score.white), stones, strict=True)
    ]
    if is_territory:
        before = (notes.second_start if notes else None) or (position.black, position.white)
        played = [own.bit_count() + lost for own, lost in zip(before, captured, strict=True)]
        taken = [count - own.bit_count() for count, own in zip(played, stones, strict=True)]
        yield _part("territory", *surrounded)
        yield _part("prisoners and dead stones", taken[1], taken[0])
    else:
        yield _part("stones", *(own.bit_count() for own in stones))
        yield _part("surrounded points", *surrounded)
    if score.tax:
        yield _part("tax on more groups", min(score.tax, 0), -max(score.tax, 0))
    if score.button:
        yield _part("button", max(-score.button, Decimal(0)), max(score.button, Decimal(0)))
    if score.handicap:
        yield _part("for the handicap", 0, score.handicap)
    yield _part("komi", 0, Decimal(repr(rules.komi)))


def _part(name: str, black: int | Decimal, white: int | Decimal) -> tuple[str, Decimal, Decimal]:
    return name, Decimal(black), Decimal(white)


def _shown(points: Decimal) -> str:
    """Return a number of points without trailing zeros.

    >>> _shown(Decimal("7.50")), _shown(Decimal(40))
    ('7.5', '40')
    """
    return f"{points.normalize():f}"
