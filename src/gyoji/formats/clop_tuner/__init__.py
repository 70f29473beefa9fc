"""The CLOP tuner: confident local optimization, by a regression on all games played (`regression`).

Made for noise, few parameters and many games; to be left alone, it has hardly a knob. Parameters are
positions on scales; whole numbers, and lists of values, which then have an order, are positions too.

A game's pairing is where its candidate stands, in the unit of the scale's bounds: these may be moved between
two runs, and games that are outside then still count. A model is fitted whenever a tenth more games have
ended, to those that had ended then, in their order; so the next candidate depends on the records alone.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from gyoji.core.record import GameResult
from gyoji.core.setup import CompetitionSetup, GameSettings
from gyoji.core.spec import GameSpec
from gyoji.core.tables import Block, Endings
from gyoji.formats.clop_tuner.regression import Model, Regression
from gyoji.pairing.field import check_least
from gyoji.pairing.games import plain
from gyoji.tables.event import played_line
from gyoji.tuning.around import tuner_format
from gyoji.tuning.games import CandidateColour, CandidateTuner, OpponentSettings, score
from gyoji.tuning.observations import Point
from gyoji.tuning.parameters import Parameter
from gyoji.tuning.scales import CTL_NAMES
from gyoji.tuning.series import Series, format_point, recorded_number, recorded_point, uniform
from gyoji.tuning.tables import TunerTables, candidate_values, outcome_word, region_table


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings(OpponentSettings):
    """A CLOP tuner's own settings, beside those of its games.

    number_of_games  None: endless; 0: none, but results are kept.
    correlations     whether parameters may depend on each other: a term for each pair of them.
    locality         how many standard errors below the mean a point must look to lose most of its weight.
    """

    parameters: tuple[Parameter, ...]
    candidate_colour: CandidateColour = CandidateColour.ALTERNATING
    number_of_games: int | None = None
    correlations: bool = True
    locality: float = 3.0

    def __post_init__(self) -> None:
        GameSettings.__post_init__(self)
        self.check_tuning(self.parameters)
        check_least(0.1, locality=self.locality)
        check_least(0, number_of_games=self.number_of_games)


GROWTH = 1.1
"""A model is fitted anew when there are so many times the games."""


class ClopTuner(CandidateTuner):
    """A CLOP tuner as far as it has been played. See `gyoji.core.ports.Competition`."""

    def __init__(self, setup: CompetitionSetup) -> None:
        self.settings = setup.settings_as(Settings)
        dimensions = len(self.settings.parameters)
        self.regression = Regression(
            dimensions, correlations=self.settings.correlations, locality=self.settings.locality
        )
        self.start: Point = tuple(parameter.first for parameter in self.settings.parameters)
        self._points: list[Point] = []
        self._scores: list[float] = []
        self._fitted: tuple[int, Model | None] = (0, None)  # the model, and to how many games it was fitted
        self._series: Series[Point] = Series(self.settings.number_of_games, self.settings.block)
        super().__init__(setup, self.settings.parameters, self.start)

    @property
    def played(self) -> int:
        """How many games have a result."""
        return self._series.played

    @property
    def model(self) -> Model | None:
        """The model of all results; None while there are too few games."""
        due = self._last_fit()
        if self._fitted[0] != due:
            self._fitted = due, self.regression.fit(self._points[:due], self._scores[:due])
        return self._fitted[1]

    @property
    def best(self) -> Point | None:
        """The estimate of the model; None while there is no model."""
        model = self.model
        return None if model is None else model.best

    def learn(self, points: Sequence[Point], scores: Sequence[float]) -> None:
        """Begin with games of another event."""
        self._points.extend(points)
        self._scores.extend(scores)

    def where(self, result: GameResult) -> tuple[Point, None]:
        """Where the candidate of a game stands. Raises ConfigError."""
        return self.point(result), None

    def add(self, result: GameResult) -> None:
        """Count a finished game, once. Raises ConfigError for one that is none of this tuner's."""
        number, point, won = recorded_number(result), self.point(result), score(result)
        if self._series.add(number, point):
            self._points.append(point)
            self._scores.append(won)
            self._note_engine(result)

    def next_game(self) -> GameSpec | None:
        """The next game: of a candidate drawn where it is likely to be good."""
        found = self._series.next()
        if found is None:
            return None
        point = found.chosen
        if point is None:
            point = self._drawn(found.candidate)
            self._series.choose(found.candidate, point)
        scales = zip(self.settings.parameters, point, strict=True)
        exact = format_point([parameter.scale.exact(position) for parameter, position in scales])
        return self._spec(str(found.number), exact, f"#{found.candidate}", point, found.number)

    def remaining(self) -> int | None:
        return self._series.remaining

    def point(self, result: GameResult) -> Point:
        """Where on the scales of now the candidate of a stored game stands."""
        exact = recorded_point(result, len(self.settings.parameters))
        scales = zip(self.settings.parameters, exact, strict=True)
        return tuple(parameter.scale.position(coordinate) for parameter, coordinate in scales)

    def _drawn(self, candidate: int) -> Point:
        """Where a new candidate stands: anywhere, until there is a model."""
        seed, model = self.setup.seed, self.model
        if model is None:
            return tuple(
                uniform(seed, "draw", candidate, axis) for axis in range(len(self.settings.parameters))
            )
        return self.regression.draw(model, seed, "draw", candidate)

    def _last_fit(self) -> int:
        """How many games the model of now is fitted to; 0 for no model."""
        due, following = 0, self.regression.first_fit
        while following <= len(self._points):
            due, following = following, max(following + 1, int(following * GROWTH))
        return due


class ClopTables(TunerTables[ClopTuner]):
    """How far it is; once there is an estimate: what it is, what it is worth, and which region is played."""

    method = "CLOP"

    def screen(self) -> Iterator[Block]:
        event = self.event
        yield played_line(event.played, event.settings.number_of_games)
        yield ""
        model = event.model
        if model is None:
            yield f"no estimate before {event.regression.first_fit} games"
            return
        best = model.best
        yield f"Best parameters: {event.describe(best)}"
        worth = event.regression.expected(model, best)
        yield f"expected score: {worth:.3f}, from games with a total weight of {model.weights.sum():.0f}"
        yield ""
        yield region_table(
            event.settings.parameters, best, model.spread, of="the games that count, by their weight"
        )

    def own_values(self, endings: Endings) -> dict[str, Any]:
        """The estimate. position, standard_deviation: on the scales; weight: of the games it rests on."""
        event, model = self.event, self.event.model
        if model is None:
            return {"played": event.played, "best": None}
        return {
            "played": event.played,
            "best": candidate_values(event.settings.parameters, model.best),
            "position": list(model.best),
            "standard_deviation": list(model.spread),
            "expected_score": event.regression.expected(model, model.best),
            "weight": float(model.weights.sum()),
        }

    def history(self, result: GameResult) -> Iterator[str]:
        """The parameters that were played, and the result."""
        yield f"{self.event.describe(self.event.point(plain(result)))} {outcome_word(result)}"


FORMAT = tuner_format(
    name="clop_tuner", settings=Settings, tuner=ClopTuner, ctl_names=CTL_NAMES, tables=ClopTables
)
