"""Tables of tuners: what they have in common."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from gyoji.core.record import EngineReport, GameResult
from gyoji.core.setup import CompetitionSetup, GameSettings
from gyoji.core.tables import Block, Chart, Line, Style, Table, numbers, texts
from gyoji.core.text import printable
from gyoji.tables.event import Event, EventTables
from gyoji.tables.pairs import settings_line
from gyoji.tuning.games import OpponentSettings, score
from gyoji.tuning.generations import GameName, GenerationTuner, Scored
from gyoji.tuning.parameters import Valued, values_at


class TunerTables(EventTables[Event]):
    """The method, the games, the screen, the opponent. method: as the report calls it."""

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
        """The tables of the screen."""
        return [block for block in self.screen() if isinstance(block, Table)]


_GOMILL = ("board_size", "komi")
"""The settings in gomill's reports; where a game has not these, all its settings are said."""


def title_lines(setup: CompetitionSetup, name: str) -> list[str]:
    """The first lines of a report: what is tuned, how, and what is played. name: of the method."""
    lines = [f"{name} tuning event: {setup.code}"]
    if setup.description:
        lines.append(setup.description)
    settings = setup.settings_as(GameSettings)
    if all(key in settings.options for key in _GOMILL):
        return [*lines, *(f"{key.replace('_', ' ')}: {settings.options[key]}" for key in _GOMILL)]
    return [*lines, *filter(None, [settings_line(settings)])]


def opponent_lines(opponent: str, engines: Mapping[str, EngineReport]) -> Iterator[str]:
    """Whom the candidates play against, in its engine's words."""
    engine = engines.get(opponent)
    told = (engine.description or engine.name) if engine else ""
    first, *rest = told.splitlines() or [""]
    yield printable(f"opponent ({opponent}): {first}" if told else f"opponent: {opponent}", 1000)
    yield from (printable(line, 1000) for line in rest)


def candidate_values(parameters: Sequence[Valued], point: Sequence[float]) -> dict[str, Any]:
    """The values that the engine gets at a point, by the parameters' codes, JSON-ready."""
    values = values_at(parameters, point)
    return {
        parameter.code: value if isinstance(value, bool | int | float | str) else str(value)
        for parameter, value in zip(parameters, values, strict=True)
    }


def scored_values(
    parameters: Sequence[Valued], generation: int, candidates: Sequence[Scored]
) -> list[dict[str, Any]]:
    """The candidates of a generation as JSON-ready values."""
    return [
        {
            "code": GameName(generation, each.number, 0).code,
            "parameters": candidate_values(parameters, each.point),
            "games": each.games,
            "score": each.score,
        }
        for each in candidates
    ]


def shown(value: Any) -> str:
    """A value in a table."""
    return f"{value:.4g}" if isinstance(value, float) else printable(str(value))


def outcome_word(result: GameResult) -> str:
    """The result of a game for the candidate; lost where nobody can say."""
    won = score(result, unknown=0)
    return "won" if won == 1 else "level" if won else "lost"


def parameter_table(
    parameters: Sequence[Valued], columns: Mapping[str, Sequence[str]], *, note: str = ""
) -> Table:
    """A row for each parameter. columns: cells by heading."""
    codes = texts("parameter", [each.code for each in parameters])
    others = (numbers(heading, cells) for heading, cells in columns.items())
    return Table(
        name="parameters", title="Best parameters", columns=(codes, *others), note=note, style=Style.GOMILL
    )


def region_table(
    parameters: Sequence[Valued], best: Sequence[float], spread: Sequence[float], *, of: str
) -> Table:
    """The best point, and the points one standard deviation below and above it.

    spread: standard deviations on the scales, from 0 to 1. of: what they are the deviations of, for the note.
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


def shown_at(parameters: Sequence[Valued], point: Sequence[float]) -> list[str]:
    """The values that the engine gets at a point, as tables show them."""
    return [shown(value) for value in values_at(parameters, point)]


def generation_charts(event: GenerationTuner[Any]) -> tuple[Chart, ...]:
    """Where the middle of the distribution has been: a chart of each parameter that has numbers."""
    rows = [values_at(event.parameters, point) for point in event.learner.trail]
    return tuple(
        Chart(
            title=f"Where {parameter.code} goes",
            lines=(Line(parameter.code, tuple(enumerate(values))),),
            x="generations",
            note="The middle of what the candidates are drawn from.",
        )
        for parameter, values in zip(event.parameters, zip(*rows, strict=True), strict=True)
        if all(isinstance(value, int | float) for value in values)
    )
