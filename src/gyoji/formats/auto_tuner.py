"""The automatic tuner, which needs no settings of its own. A newcomer begins with it.

Candidates play each other, or an opponent if there is one. Models of strength that are learned from all games
(`gyoji.tuning.search`) choose the candidates and the best parameters.

The pairing id of a game has the parameter values of its candidates, before rounding. So they keep their
meaning if the bounds of a scale are changed between two runs. The search learns from games in the order of
the records, so that new candidates depend only on the records.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from gyoji.core.record import GameResult
from gyoji.core.setup import CompetitionSetup, GameSettings, PlayerCode, check_least
from gyoji.core.spec import GameSpec
from gyoji.core.tables import Block
from gyoji.pairing.game_maker import block_of
from gyoji.results.game_ids import plain
from gyoji.tables.event_tables import played_line
from gyoji.tuning.features import Array
from gyoji.tuning.games import MARK, MINUS, PLUS, SeriesTuner, TunerSettings, score
from gyoji.tuning.observations import Point
from gyoji.tuning.parameters import Parameter
from gyoji.tuning.scales import CTL_NAMES, Linear, Log
from gyoji.tuning.search import Search, Trial
from gyoji.tuning.series import Series, format_point, recorded_number, recorded_points
from gyoji.tuning.tables import TunerTables, opponent_lines, outcome_word, region_table
from gyoji.tuning.tuner_report import tuner_format

_NOBODY = PlayerCode("")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings(TunerSettings):
    """The settings of an automatic tuner, besides those of its games.

    Attributes:
        opponent: The opponent of all candidates, "" to have candidates play each other.
        number_of_games: Number of games. None: endless. 0: none, but results are kept.
    """

    parameters: tuple[Parameter, ...]
    opponent: PlayerCode = _NOBODY
    number_of_games: int | None = None

    def __post_init__(self) -> None:
        GameSettings.__post_init__(self)
        self.check_tuning(self.parameters)
        check_least(0, number_of_games=self.number_of_games)

    # The two candidates of a trial play each side once at least, so that the side favours neither.
    @property
    def block(self) -> int:
        """Number of consecutive games with the same candidates: the games of an opening, at least two."""
        return max(2, block_of(self))


class AutoTuner(SeriesTuner[Trial]):
    """An automatic tuner: the competition of its candidates."""

    def __init__(self, setup: CompetitionSetup) -> None:
        self.settings = setup.settings_as(Settings)
        parameters, opponent = self.settings.parameters, self.settings.opponent
        self.start: Point = tuple(parameter.first for parameter in parameters)
        super().__init__(setup, self.settings, parameters, self.start, opponent=opponent)
        self._scales = [parameter.scale for parameter in parameters]
        self.search = Search(
            [0 if each.axis.ordered else each.axis.levels for each in parameters],
            against=bool(opponent),
            seed=setup.seed,
            snap=self._snapped,
        )
        self._series = Series(self.settings.number_of_games, self.settings.block)

    @property
    def best(self) -> Point | None:
        """The estimate of the best point, as positions from 0 to 1 on the scales; None before the first
        estimate.
        """
        return self.search.best if self.search.has_learned else None

    def add(self, result: GameResult) -> None:
        """Count a finished game, once.

        Raises:
            ConfigError: The game does not belong to this tuner.
        """
        number, trial = recorded_number(result), Trial(*self.where(result))
        if self._series.add(number, trial):
            self.search.add(trial, score(result))
            self._note_engine(result)

    def next_game(self) -> GameSpec | None:
        """Issue the next game. Candidates whose block of games is not finished come before new candidates."""
        found = self._series.next(self.search.trial)
        if found is None:
            return None
        number, candidate, (first, second) = found
        mark = f"{MARK}{candidate}"
        if second is None:
            players = [self.candidate(mark, first), self.setup.players[self.settings.opponent]]
        else:
            players = [self.candidate(mark + PLUS, first), self.candidate(mark + MINUS, second)]
        points = [point for point in found.chosen if point is not None]
        exact = [[scale.exact(x) for scale, x in zip(self._scales, each, strict=True)] for each in points]
        names = str(number), ";".join(map(format_point, exact))
        note = " | ".join(map(self.describe, points))
        return self._game(*names, players, number, first=number % 2, note=note)

    # Records have the values of the parameters, not positions, so positions are computed by the present
    # bounds.
    def where(self, result: GameResult) -> tuple[Point, Point | None]:
        """Return the parameters of both candidates of a stored game, as positions on the present scales.

        Positions go from 0 to 1, or beyond if a value is outside the present bounds. The second element is
        None if the settings name an opponent, which plays instead of a second candidate.

        Raises:
            ConfigError: The game has other parameters, or another number of candidates.
        """
        points = recorded_points(result, len(self.parameters), 1 if self._opponent else 2)
        first, *other = (
            tuple(scale.position(each) for scale, each in zip(self._scales, point, strict=True))
            for point in points
        )
        return first, other[0] if other else None

    # Without it two candidates of equal values would count as different, and might play each other.
    def _snapped(self, points: Array) -> Array:
        """Return the points with each position moved to the middle of the range that gives the same value.

        This concerns listed values and whole numbers. Points with the same parameter values become equal.

        Args:
            points: One point per row, as positions from 0 to 1 on the scales.
        """
        moved = points.copy()
        for axis, scale in enumerate(self._scales):
            if count := scale.axis.levels:
                moved[:, axis] = (np.minimum(np.floor(points[:, axis] * count), count - 1) + 0.5) / count
            elif isinstance(scale, Linear | Log) and scale.integer:
                moved[:, axis] = [scale.position(scale(float(each))) for each in points[:, axis]]
        return moved


class AutoTables(TunerTables[AutoTuner]):
    """The report of an automatic tuner: number of games, best parameters, and how probable each model is."""

    method = "automatic"

    def screen(self) -> Iterator[Block]:
        event = self.event
        yield played_line(event.played, event.settings.number_of_games)
        yield ""
        best = event.best
        if best is None:
            first = event.search.first_due
            yield (
                f"no estimate before {first} games"
                if event.played < first
                else "no estimate yet: too few games were won, or too few lost, to compare candidates"
            )
            return
        yield f"Best parameters: {event.describe(best)}"
        shares = event.search.shares.items()
        yield f"models: {', '.join(f'{name} {100 * share:.0f} %' for name, share in shares)}"
        yield ""
        yield region_table(
            event.parameters, best, event.search.spread, of="where the tuner expects the best values"
        )

    def body(self) -> Iterator[Block]:
        yield from super().body()
        if opponent := self.event.settings.opponent:
            yield from opponent_lines(opponent, self.event.engines)
            yield ""

    def facts(self) -> dict[str, Any]:
        """Return the values for JSON: the number of games, and the estimate once there is one.

        The estimate has the best position and its standard deviation on each scale, and the probability of
        each model.
        """
        event, best = self.event, self.event.best
        if best is None:
            return {"played": event.played}
        return {
            "played": event.played,
            "position": best,
            "standard_deviation": event.search.spread,
            "models": event.search.shares,
        }

    def history(self, result: GameResult) -> Iterator[str]:
        """Yield a line with the parameters of the game's candidates and the result of the first candidate."""
        points = [point for point in self.event.where(plain(result)) if point is not None]
        yield f"{' | '.join(map(self.event.describe, points))} {outcome_word(score(result))}"


FORMAT = tuner_format(
    name="auto_tuner", settings=Settings, tuner=AutoTuner, ctl_names=CTL_NAMES, tables=AutoTables
)
