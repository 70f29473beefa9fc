"""The bracket of a knockout as text: a column for each round, the winner on the right.

    1 ann 2 ┐
            ├ 1 ann 1 2 ┐
    4 dan 0 ┘           │
                        ├ 1 ann
    2 bob 2 ┐           │
            ├ 2 bob 1 0 ┘
    3 cat 0 ┘

Seeds stand before the names, and behind them what the players took from their match: points or, where they
decide, margins; extra games for themselves. Who comes into the second round without a match stands only
there.
"""

from collections.abc import Sequence
from typing import NamedTuple

from gyoji.pairing.knockout import THIRD_PLACE, Knockout
from gyoji.pairing.matches import Match
from gyoji.pairing.rounds import Played
from gyoji.report.matches import match_lines
from gyoji.report.numbers import count


class _Cell(NamedTuple):
    """Who has a place in a round, with seed, and what it took; both "" for nobody, or not yet."""

    name: str
    score: str


def bracket_lines(system: Knockout, played: Played) -> list[str]:
    """The bracket, and the match for the third place below it."""
    rows = [""] * (2 * len(system.bracket(played)[0]) - 1)
    for number, cells in enumerate(_columns(system, played)):
        _add_column(rows, number, cells)
    lines = [row.rstrip() for row in rows]
    third = [match for matches in played for match in matches if match.fixture.note == THIRD_PLACE]
    below = ["", THIRD_PLACE, *match_lines(third, system)] if third else []
    return [*(line for line in lines if line), *below]


def _columns(system: Knockout, played: Played) -> list[list[_Cell]]:
    """The places of each round, from the top."""
    seeds = {player: seed for seed, player in enumerate(system.players, 1)}
    columns = []
    for number, places in enumerate(system.bracket(played)):
        matches = played[number] if number < len(played) else ()
        by_player = {
            player: match
            for match in matches
            if match.fixture.note != THIRD_PLACE
            for player in match.players
        }
        columns.append([_cell(player, seeds, by_player) for player in places])
    pairs = zip(columns[0][::2], columns[0][1::2], strict=True)
    columns[0] = [cell if lower.name else _Cell("", "") for upper, lower in pairs for cell in (upper, lower)]
    return columns


def _cell(player: str | None, seeds: dict[str, int], matches: dict[str, Match]) -> _Cell:
    if player is None:
        return _Cell("", "")
    match = matches.get(player)
    return _Cell(f"{seeds[player]} {player}", _score(match, match.players.index(player)) if match else "")


def _score(match: Match, index: int) -> str:
    """What one of the two took, part by part."""
    if match.terms.decided_by == "games":
        return " ".join(count(part.points[index]) for part in match.parts)
    return " ".join(f"{-part.margin if index else part.margin:+zg}" for part in match.parts)


def _add_column(rows: list[str], number: int, cells: Sequence[_Cell]) -> None:
    """Write a round into the rows, and the lines to the next one behind it."""
    distance = 2 << number  # of two places
    first = (1 << number) - 1
    name_width = max(len(cell.name) for cell in cells)
    score_width = max(len(cell.score) for cell in cells)
    margin = max(map(len, rows))
    width = margin + name_width + 1 + score_width
    for index, cell in enumerate(cells):
        row = first + index * distance
        text = f"{rows[row].ljust(margin)}{cell.name.ljust(name_width)} {cell.score.rjust(score_width)}"
        is_bye = number == 0 and not cells[index & ~1].name
        if len(cells) > 1 and not is_bye:
            rows[row] = f"{text} ┘ " if index % 2 else f"{text} ┐ "
            between = range(row + 1, row + distance) if index % 2 == 0 else ()
            for other in between:
                corner = "├" if other == row + distance // 2 else "│"
                rows[other] = f"{rows[other].ljust(width)} {corner} "
        else:
            rows[row] = text
