"""What notebooks show of games and competitions: HTML and SVG that need nothing beside them."""

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from html import escape
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from gyoji.core.describe import describe_result
from gyoji.core.game import Frame, Scene
from gyoji.core.plugins import GAMES
from gyoji.core.record import GameRecord, GameResult
from gyoji.core.spec import GameSpec
from gyoji.core.tables import Chart, Line
from gyoji.core.text import counted, printable
from gyoji.report.html.drawn import blocks_html, board_svg, chart_svg
from gyoji.report.html.games import pictures_of
from gyoji.tables.digest import side_of

if TYPE_CHECKING:
    from gyoji.api.competitions import Event

NEWEST = 20
"""How many results a notebook shows."""

MOST_LINES = 6
"""How many players a chart has lines of."""


class Picture(NamedTuple):
    """A position as SVG, which notebooks show. turn: after how many turns; svg: its text."""

    turn: int
    svg: str

    def _repr_svg_(self) -> str:
        return self.svg


def picture(spec: GameSpec, record: GameRecord, turn: int | None = None) -> Picture:
    """The position after so many turns; None: after all. Raises ValueError if there is no such picture."""
    scene, frames, _ = _frames(spec, record)
    number = len(frames) - 1 if turn is None else turn
    if not 0 <= number < len(frames):
        raise ValueError(f"turn: expected 0 to {len(frames) - 1}, got {turn}")
    signs: dict[int, str] = {}
    for frame in frames[: number + 1]:
        signs.update(frame.changes)
    return Picture(number, board_svg(scene, signs, frames[number].marks))


def pictures(spec: GameSpec, record: GameRecord) -> Iterator[Picture]:
    """The position before the first turn, and after each. The game is gone over once.

    Raises ValueError if there are no pictures, or from some turn on none.
    """
    scene, frames, missing = _frames(spec, record)
    signs: dict[int, str] = {}
    for number, frame in enumerate(frames):
        signs.update(frame.changes)
        yield Picture(number, board_svg(scene, signs, frame.marks))
    if missing:
        raise ValueError(missing)


def _frames(spec: GameSpec, record: GameRecord) -> tuple[Scene, list[Frame], str]:
    """As of `pictures_of`. Raises ValueError for a game without pictures."""
    scene, frames, missing = pictures_of(spec, record)
    if scene is None:
        raise ValueError(missing)
    return scene, frames, missing


def game_line(spec: GameSpec, record: GameRecord) -> str:
    """Who won, and why the game ended, in a line."""
    result = record.result
    told = describe_result(result, GAMES.find(spec.game).result_words)
    if not told.endswith(")"):  # which has no reason in it
        detail = f" ({result.outcome.detail})" if result.outcome.detail else ""
        told = f"{told}: {result.outcome.ending}{detail}"
    return printable(f"{told} after {counted(result.turns, 'turn')}", 1000)


def game_html(spec: GameSpec, record: GameRecord) -> str:
    """The last position of a game, and beside it what became of it."""
    game, result = GAMES.find(spec.game), record.result
    rows = [("result", game_line(spec, record))]
    for seat, (code, engine) in enumerate(zip(spec.codes, result.engines, strict=False)):
        side = side_of(result, seat)
        name = game.side_names[side] if side < len(game.side_names) else f"side {side}"
        rows.append((name, f"{code}, {engine.think_ns / 1e9:.3f} s"))
    rows += [("warning", warning) for warning in result.warnings]
    facts = "".join(
        f'<tr><th style="text-align:left">{escape(name)}</th>'
        f'<td style="text-align:left">{escape(printable(text, 1000))}</td></tr>'
        for name, text in rows
    )
    try:
        board = picture(spec, record).svg
    except ValueError as error:
        board = f"<div>{escape(str(error))}</div>"
    return (
        '<div style="display:flex;flex-wrap:wrap;gap:1em;align-items:flex-start">'
        f"<div>{board}</div><table><tbody>{facts}</tbody></table></div>"
    )


def results_html(results: Iterable[GameResult], game: str) -> str:
    """How many games there are, and the newest ones in a table."""
    newest: deque[GameResult] = deque(maxlen=NEWEST)
    number = 0
    for result in results:
        number += 1
        newest.append(result)
    words = GAMES.find(game).result_words
    rows = "".join(
        f'<tr><td style="text-align:left">{escape(result.id)}</td>'
        f'<td style="text-align:left">{escape(printable(describe_result(result, words), 300))}</td>'
        f"<td>{result.turns}</td></tr>"
        for result in reversed(newest)
    )
    left = '<th style="text-align:left">'
    head = f"<thead><tr>{left}game</th>{left}result</th><th>turns</th></tr></thead>"
    more = f", the newest {len(newest)}" if number > len(newest) else ""
    return f"<div>{counted(number, 'game')}{more}</div><table>{head}<tbody>{rows}</tbody></table>"


def event_html(event: "Event") -> str:
    """The name of a competition, its tables as the screen has them, and a chart."""
    setup = event.setup
    head = f"<h4>{escape(setup.code)}</h4><div>{escape(printable(setup.description, 1000))}</div>"
    tables = "".join(blocks_html(event.tables().screen()))
    return f"<div>{head}{tables}{chart_svg(event.charts()[0])}</div>"


def shares_chart(results: Iterable[GameResult]) -> Chart:
    """The share of its points that each player has taken so far, after each of its games."""
    points: Counter[str] = Counter()
    played: Counter[str] = Counter()
    lines: dict[str, list[tuple[float, float]]] = {}
    for number, result in enumerate(results, 1):
        taken = result.outcome.points
        if taken is None:
            continue
        for player, own in zip(result.opponents, taken, strict=True):
            points[player] += own  # type: ignore[assignment] # halves are counted too
            played[player] += 1
            lines.setdefault(player, []).append((number, points[player] / played[player]))
    best = sorted(lines, key=lambda player: -lines[player][-1][1])
    return Chart(
        title="Points by game",
        lines=tuple(Line(player, tuple(lines[player])) for player in islice(best, MOST_LINES)),
        y="share of points",
        note="The share of its points that each player has taken so far.",
    )
