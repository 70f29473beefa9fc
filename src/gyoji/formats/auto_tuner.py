"""The automatic tuner: the one to begin with. It has nothing to set but its games.

Candidates play each other, or an opponent if there is one; which of them, and who is best, is told by models
of strength that are learned from all games (`search`). A list of words is taken to have no order.

A game's pairing is where its candidates stand, in the unit of the scales' bounds: these may be moved between
two runs. The search learns from games in the order of the records, so new candidates depend on them alone.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from msgspec.structs import replace

from gyoji.core.faults import ConfigError
from gyoji.core.outcome import Ending
from gyoji.core.record import GameResult
from gyoji.core.setup import CompetitionSetup, GameSettings, PlayerCode
from gyoji.core.spec import GameSpec, Player
from gyoji.core.tables import Block, Endings
from gyoji.core.text import quote
from gyoji.pairing.field import EngineReports, check_least, trials
from gyoji.pairing.games import GameMaker, block_of, plain
from gyoji.tables.event import played_line
from gyoji.tuning.around import tuner_format
from gyoji.tuning.features import Array
from gyoji.tuning.games import MARK, SAMPLE, TunerSettings, score
from gyoji.tuning.observations import Point
from gyoji.tuning.parameters import Parameter, described, values_at
from gyoji.tuning.scales import CTL_NAMES, Linear, Log
from gyoji.tuning.search import Search, Trial
from gyoji.tuning.series import Series, format_point, parse_point, recorded_number
from gyoji.tuning.tables import TunerTables, candidate_values, opponent_lines, region_table

_NOBODY = PlayerCode("")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings(TunerSettings):
    """An automatic tuner's own settings, beside those of its games.

    opponent         whom all candidates play against; "" to have them play each other.
    number_of_games  None: endless; 0: none, but results are kept.
    """

    parameters: tuple[Parameter, ...]
    opponent: PlayerCode = _NOBODY
    number_of_games: int | None = None

    def __post_init__(self) -> None:
        GameSettings.__post_init__(self)
        self.check_tuning(self.parameters)
        check_least(0, number_of_games=self.number_of_games)

    @property
    def block(self) -> int:
        """How many games in a row have the same candidates: those of an opening, one of each colour."""
        return max(2, block_of(self))


_PLUS, _MINUS = "+", "-"
"""The ends of the codes of two candidates that play each other."""


class AutoTuner:
    """An automatic tuner as far as it has been played. See `gyoji.core.ports.Competition`.

    engines: the report on the opponent's engine in its last game.
    """

    adapts = True

    def __init__(self, setup: CompetitionSetup) -> None:
        self.setup = setup
        self.settings = setup.settings_as(Settings)
        self.parameters = self.settings.parameters
        self.engines = EngineReports()
        self.start: Point = tuple(parameter.first for parameter in self.parameters)
        self.search = Search(
            [0 if each.axis.ordered else each.axis.levels for each in self.parameters],
            against=bool(self.settings.opponent),
            seed=setup.seed,
            snap=self._snapped,
        )
        self._series: Series[Trial] = Series(self.settings.number_of_games, self.settings.block)
        self._maker = GameMaker(setup, self.settings)
        self._sample = self.candidate(SAMPLE, self.start)

    @property
    def played(self) -> int:
        """How many games have a result."""
        return self._series.played

    @property
    def best(self) -> Point | None:
        """The estimate; None while there is none."""
        return self.search.best if self.search.has_learned else None

    def candidate(self, code: str, point: Sequence[float]) -> Player:
        """The candidate at a point."""
        return self.settings.candidate(code, values_at(self.parameters, point))

    def describe(self, point: Sequence[float]) -> str:
        """A point as reports show it: by what the engine is given there."""
        return described(self.parameters, values_at(self.parameters, point))

    def add(self, result: GameResult) -> None:
        """Count a finished game, once. Raises ConfigError for one that is none of this tuner's."""
        number, trial = recorded_number(result), Trial(*self.where(result))
        if self._series.add(number, trial):
            self.search.add(trial, _score(result))
            self._note_engine(result)

    def next_game(self) -> GameSpec | None:
        """The next game: of the candidates that play now, or of new ones."""
        found = self._series.next()
        if found is None:
            return None
        trial = found.chosen
        if trial is None:
            trial = self.search.trial(found.candidate)
            self._series.choose(found.candidate, trial)
        players = self._seated(found.candidate, trial)
        if found.number % 2:
            players.reverse()
        points = [point for point in trial if point is not None]
        return self._maker.game(
            str(found.number),
            ";".join(format_point(self._exact(point)) for point in points),
            (players[0], players[1]),
            found.number,
            note=f"Candidate parameters: {' | '.join(map(self.describe, points))}",
        )

    def remaining(self) -> int | None:
        return self._series.remaining

    def checks(self) -> Iterator[GameSpec]:
        """A game for one candidate, which stands for all, and for each other player."""
        yield self._maker.check("", self._sample)
        yield from trials(self.setup, self.settings, self.settings.opponent)

    def where(self, result: GameResult) -> tuple[Point, Point | None]:
        """Where the candidates of a stored game stand on the scales of now. Raises ConfigError."""
        wanted = 1 if self.settings.opponent else 2
        try:
            points = [parse_point(text) for text in result.pairing.split(";")]
        except ValueError:
            points = []
        if [len(point) for point in points] != [len(self.parameters)] * wanted:
            raise ConfigError(
                f"stored game {quote(result.id)} was played at {quote(result.pairing)}: expected "
                f"{wanted} of {len(self.parameters)} parameters: give parameters and opponent as they were, "
                "or reset the competition"
            )
        placed = [
            tuple(
                parameter.scale.position(each) for parameter, each in zip(self.parameters, point, strict=True)
            )
            for point in points
        ]
        return placed[0], placed[1] if wanted == 2 else None

    def learn(self, points: Sequence[Point], scores: Sequence[float]) -> None:
        """Begin with games of other events, of a candidate and the opponent."""
        for point, each in zip(points, scores, strict=True):
            self.search.add(Trial(point, None), each)

    def learn_pairs(self, points: Sequence[Point], others: Sequence[Point], scores: Sequence[float]) -> None:
        """Begin with games of other events, of two candidates; scores: of the first ones."""
        for point, other, each in zip(points, others, scores, strict=True):
            self.search.add(Trial(point, other), each)

    def _seated(self, number: int, trial: Trial) -> list[Player]:
        """Who plays in a trial, the first candidate first."""
        if trial.second is None:
            opponent = self.setup.players[self.settings.opponent]
            return [self.candidate(f"{MARK}{number}", trial.first), opponent]
        return [
            self.candidate(f"{MARK}{number}{_PLUS}", trial.first),
            self.candidate(f"{MARK}{number}{_MINUS}", trial.second),
        ]

    def _exact(self, point: Point) -> Point:
        return tuple(
            parameter.scale.exact(each) for parameter, each in zip(self.parameters, point, strict=True)
        )

    def _snapped(self, points: Array) -> Array:
        """Points moved to where the engine is given the same values."""
        moved = points.copy()
        for axis, parameter in enumerate(self.parameters):
            moved[:, axis] = _middles(parameter, points[:, axis])
        return moved

    def _note_engine(self, result: GameResult) -> None:
        """Take note of the opponent's engine."""
        pairs = [pair for pair in zip(result.players, result.engines, strict=False) if MARK not in pair[0]]
        if pairs:
            players, engines = zip(*pairs, strict=True)
            self.engines.add(replace(result, players=players, engines=engines))


def _score(result: GameResult) -> float:
    """The score of the first candidate; ½ where nobody can say."""
    firsts = [seat for seat, code in enumerate(result.players) if code.endswith(_PLUS)]
    if not firsts:
        return score(result)
    outcome = result.outcome
    if outcome.points is None or outcome.ending is Ending.NO_RESULT:
        return 0.5
    return outcome.points[result.team_of(firsts[0])]


def _middles(parameter: Parameter, positions: Array) -> Array:
    """For each position one that stands for all with the same value."""
    scale = parameter.scale
    if count := scale.axis.levels:
        return np.asarray((np.minimum(np.floor(positions * count), count - 1) + 0.5) / count)
    if isinstance(scale, Linear | Log) and scale.integer:
        return np.array([scale.position(scale(float(each))) for each in positions])
    return positions


class AutoTables(TunerTables[AutoTuner]):
    """How far it is; once there is an estimate: what it is, and how the models share in it."""

    method = "automatic"

    def screen(self) -> Iterator[Block]:
        event = self.event
        yield played_line(event.played, event.settings.number_of_games)
        yield ""
        best = event.best
        if best is None:
            yield f"no estimate before {event.search.first_due} games"
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

    def own_values(self, endings: Endings) -> dict[str, Any]:
        """The estimate. position, standard_deviation: on the scales; models: their shares."""
        event, best = self.event, self.event.best
        if best is None:
            return {"played": event.played, "best": None}
        return {
            "played": event.played,
            "best": candidate_values(event.parameters, best),
            "position": list(best),
            "standard_deviation": list(event.search.spread),
            "models": dict(event.search.shares),
        }

    def history(self, result: GameResult) -> Iterator[str]:
        """The parameters that were played, and the result for the first of them."""
        points = [point for point in self.event.where(plain(result)) if point is not None]
        won = _score(result)
        word = "won" if won == 1 else "level" if won else "lost"
        yield f"{' | '.join(map(self.event.describe, points))} {word}"


FORMAT = tuner_format(
    name="auto_tuner", settings=Settings, tuner=AutoTuner, ctl_names=CTL_NAMES, tables=AutoTables
)
