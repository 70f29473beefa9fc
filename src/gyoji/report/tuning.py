"""What the reports of tuners have in common."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gyoji.core.record import EngineReport, GameResult
from gyoji.core.setup import CompetitionSetup, GameSettings
from gyoji.core.text import printable
from gyoji.report.matchup import settings_line
from gyoji.tuning.games import score
from gyoji.tuning.parameters import Valued, values_at

_GOMILL = ("board_size", "komi")
"""What gomill's reports say of the games; where a game has not these, all its settings are said."""


def title_lines(setup: CompetitionSetup, name: str) -> list[str]:
    """The first lines of a report: what is tuned, how, and what is played. name: of the method."""
    lines = [f"{name} tuning event: {setup.code}"]
    if setup.description:
        lines.append(setup.description)
    settings: GameSettings = setup.settings
    if all(key in settings.options for key in _GOMILL):
        return [*lines, *(f"{key.replace('_', ' ')}: {settings.options[key]}" for key in _GOMILL)]
    return [*lines, *filter(None, [settings_line(settings)])]


def played_line(played: int, total: int | None) -> str:
    """How many games have results, of how many."""
    return f"{played}{'' if total is None else f'/{total}'} games played"


def opponent_lines(opponent: str, engines: Mapping[str, EngineReport]) -> Iterator[str]:
    """Whom the candidates play against, in its engine's words."""
    engine = engines.get(opponent)
    told = (engine.description or engine.name) if engine else ""
    first, *rest = told.splitlines() or [""]
    yield printable(f"opponent ({opponent}): {first}" if told else f"opponent: {opponent}", 1000)
    yield from (printable(line, 1000) for line in rest)


def candidate_values(parameters: Sequence[Valued], point: Sequence[float]) -> dict[str, Any]:
    """What the engine is given at a point, by the parameters' codes, JSON-ready."""
    values = values_at(parameters, point)
    return {
        parameter.code: value if isinstance(value, bool | int | float | str) else str(value)
        for parameter, value in zip(parameters, values, strict=True)
    }


def shown(value: Any) -> str:
    """A value in a table."""
    return f"{value:.4g}" if isinstance(value, float) else printable(str(value))


def outcome_word(result: GameResult) -> str:
    """What a game was for the candidate; lost where nobody can say."""
    won = score(result, unknown=0)
    return "won" if won == 1 else "level" if won else "lost"
