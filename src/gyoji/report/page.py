"""The result page of a competition: its cross tables as one HTML file that needs no other."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from gyoji.core.record import EngineReport
from gyoji.core.setup import CompetitionSetup
from gyoji.core.text import printable
from gyoji.pairing.cross import Cross
from gyoji.pairing.tally import PlayerStats
from gyoji.report.crosstable import Row, rows, score_text, totals
from gyoji.report.matchup import game_sides
from gyoji.report.numbers import count
from gyoji.report.parts import player_lines

_STYLE = """
:root { color-scheme: light dark; font-family: system-ui, sans-serif; }
table { border-collapse: collapse; margin: 1em 0; }
th, td { border: 1px solid #8886; padding: .25em .5em; text-align: right; white-space: nowrap; }
th.player { text-align: left; }
td small { display: block; opacity: .7; }
.win { background: #2a64; } .loss { background: #c334; } .level { background: #8883; }
""".strip()


def page_lines(
    setup: CompetitionSetup, crosses: Mapping[str, Cross], engines: Mapping[str, EngineReport]
) -> Iterator[str]:
    """The page. crosses: by heading, "" for none. engines: what players said of themselves."""
    title = escape(setup.code)
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{title}</title>\n<style>\n{_STYLE}\n</style>\n</head>\n<body>\n<h1>{title}</h1>"
    about = f"{setup.kind}, {setup.game}" + (f", {setup.place}" if setup.place else "")
    if setup.description:
        yield f"<p>{_text(setup.description)}</p>"
    yield f"<p>{_text(about)}</p>"
    for heading, cross in crosses.items():
        if heading:
            yield f"<h2>{escape(heading)}</h2>"
        yield from _table(rows(cross), game_sides(setup.game))
    yield "<ul>"
    yield from (f"<li>{_text(line)}</li>" for line in player_lines(engines))
    yield "</ul>\n</body>\n</html>"


def _table(lines: Sequence[Row], names: Sequence[str]) -> Iterator[str]:
    columns = list(totals(lines, names))
    opponents = "".join(f'<th title="{escape(row.place.player)}">{row.place.rank}.</th>' for row in lines)
    headings = "".join(f"<th>{escape(column.heading)}</th>" for column in columns)
    yield f'<table>\n<tr><th></th><th class="player">player</th>{opponents}{headings}</tr>'
    for number, row in enumerate(lines):
        met = "".join(
            _cell(row, other, stats, names) for other, stats in zip(lines, row.against, strict=True)
        )
        rest = "".join(f"<td>{escape(column.cells[number])}</td>" for column in columns)
        player = escape(row.place.player)
        yield f'<tr><th>{row.place.rank}.</th><th class="player">{player}</th>{met}{rest}</tr>'
    yield "</table>"


def _cell(row: Row, other: Row, stats: PlayerStats | None, names: Sequence[str]) -> str:
    """What one player did against another: the points, and below them those on each side."""
    if stats is None or not stats.total.played:
        return f"<td>{score_text(stats)}</td>"
    total = stats.total
    ahead = total.wins - total.losses
    kind = "win" if ahead > 0 else "loss" if ahead < 0 else "level"
    sides = " ".join(
        f"{name[:1].upper()} {count(side.points)}:{count(side.played - side.unknown - side.points)}"
        for name, side in zip(names, stats.sides, strict=True)
    )
    told = f"{row.place.player} against {other.place.player}: won {total.wins}, level {total.levels}, "
    told += f"lost {total.losses}" + (f", unknown {total.unknown}" if total.unknown else "")
    return f'<td class="{kind}" title="{escape(told)}">{score_text(stats)}<small>{escape(sides)}</small></td>'


def _text(text: str) -> str:
    return "<br>".join(escape(printable(line, 1000)) for line in text.splitlines())
