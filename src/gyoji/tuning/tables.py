"""Tables and lines for the reports of all tuners."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from gyoji.core.record import EngineReport
from gyoji.core.setup import CompetitionSetup, GameSettings
from gyoji.core.tables import Block, Cell, Style, Table, Value, numbers, texts
from gyoji.core.text import printable
from gyoji.tables.event_tables import Event, EventTables
from gyoji.tables.pair_tables import settings_line
from gyoji.tuning.games import OpponentSettings
from gyoji.tuning.parameters import Valued, values_at


class TunerTables(EventTables[Event]):
    """The base of tuners' tables. By default a report has a title, the blocks of `screen`, and the opponent.

    Attributes:
        method: The name of the method in the report.
    """

    method: ClassVar[str]

    def report(self) -> Iterator[Block]:
        yield from title_lines(self.event.setup, self.method)
        yield from self.body()

    def body(self) -> Iterator[Block]:
        yield from self.screen()
        yield ""
        settings = self.event.setup.settings
        if isinstance(settings, OpponentSettings):
            yield from opponent_lines(settings.opponent, self.event.engines)
            yield ""

    def tables(self) -> list[Table]:
        """Return the tables among the blocks that `screen` yields."""
        return [block for block in self.screen() if isinstance(block, Table)]


_GOMILL = ("board_size", "komi")
"""The settings of a game that gomill's reports show. For games without them all settings are shown."""


def title_lines(setup: CompetitionSetup, name: str) -> list[str]:
    """Return the first lines of a report: the event, the method and the game."""
    lines = [f"{name} tuning event: {setup.code}"]
    if setup.description:
        lines.append(setup.description)
    settings = setup.settings_as(GameSettings)
    if all(key in settings.options for key in _GOMILL):
        return [*lines, *(f"{key.replace('_', ' ')}: {settings.options[key]}" for key in _GOMILL)]
    return [*lines, *filter(None, [settings_line(settings)])]


def opponent_lines(opponent: str, engines: Mapping[str, EngineReport]) -> Iterator[str]:
    """Yield lines with the opponent and its engine's description."""
    engine = engines.get(opponent)
    told = (engine.description or engine.name) if engine else ""
    first, *rest = told.splitlines() or [""]
    yield printable(f"opponent ({opponent}): {first}" if told else f"opponent: {opponent}", 1000)
    yield from (printable(line, 1000) for line in rest)


def values_by_code(parameters: Sequence[Valued], point: Sequence[float]) -> dict[str, Any]:
    """Return the engine's values at a point, JSON-ready, by the names of the parameters."""
    codes = [parameter.code for parameter in parameters]
    return dict(zip(codes, (cell.value for cell in shown_at(parameters, point)), strict=True))


def shown(value: Any) -> str:
    """Return a value as tables show it."""
    return f"{value:.4g}" if isinstance(value, float) else printable(str(value))


def outcome_word(score: float) -> str:
    """Return the word for a candidate's points in a game: "won" for 1, "level" for ½, "lost" for 0."""
    return "won" if score == 1 else "level" if score else "lost"


def parameter_table(
    parameters: Sequence[Valued], columns: Mapping[str, Sequence[Value]], *, note: str = ""
) -> Table:
    """Return a table with a row for each parameter.

    Args:
        columns: The cells of each further column, by its heading.
        note: A line below the table.
    """
    codes = texts("parameter", [each.code for each in parameters])
    others = (numbers(heading, cells) for heading, cells in columns.items())
    return Table(
        name="parameters", title="Best parameters", columns=(codes, *others), note=note, style=Style.GOMILL
    )


def region_table(
    parameters: Sequence[Valued], best: Sequence[float], spread: Sequence[float], *, of: str
) -> Table:
    """Return the table of the best point, and of the points a standard deviation below and above it.

    Args:
        parameters: The parameters.
        best: The best point.
        spread: Standard deviations of positions on the scales (0 to 1).
        of: The words after "the standard deviation of" in the table's note.
    """
    pairs = list(zip(best, spread, strict=True))
    points = {
        "best": best,
        "1 sd below": [max(centre - reach, 0.0) for centre, reach in pairs],
        "1 sd above": [min(centre + reach, 1.0) for centre, reach in pairs],
    }
    return parameter_table(
        parameters,
        {heading: shown_at(parameters, point) for heading, point in points.items()},
        note=f"sd: the standard deviation of {of}. It is no 95 % interval, which the estimate has.",
    )


def shown_at(parameters: Sequence[Valued], point: Sequence[float]) -> list[Cell]:
    """Return the engine's values at a point as cells of a table."""
    return [
        Cell(shown(value), value if isinstance(value, bool | int | float | str) else str(value))
        for value in values_at(parameters, point)
    ]
