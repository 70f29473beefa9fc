"""The automatic tuner, which has nothing to set but its games: the one to begin with.

Candidates play each other, or an opponent if there is one. Models of strength that are learned from all
games (`search`) choose the candidates and the best parameters. A list of words has no order.

The pairing of a game is the points of its candidates, in the unit of the scales' bounds, so that the
bounds may be moved between two runs. The search learns from games in the order of the records, so new
candidates depend on them alone.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gyoji.core.record import GameResult
from gyoji.core.setup import CompetitionSetup, GameSettings, PlayerCode, check_least
from gyoji.core.spec import GameSpec, Player
from gyoji.core.tables import Block
from gyoji.pairing.game_maker import block_of
from gyoji.results.game_ids import plain
from gyoji.tables.event_tables import played_line
from gyoji.tuning.features import Array
from gyoji.tuning.games import MARK, MINUS, PLUS, CandidateTuner, TunerSettings, score
from gyoji.tuning.observations import Point
from gyoji.tuning.parameters import Parameter
from gyoji.tuning.scales import CTL_NAMES, Linear, Log, Scale
from gyoji.tuning.search import Search, Trial
from gyoji.tuning.series import Series, format_point, recorded_number, recorded_points
from gyoji.tuning.tables import TunerTables, opponent_lines, region_table
from gyoji.tuning.tuner_report import tuner_format

_NOBODY = PlayerCode("")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings(TunerSettings):
    """The settings of an automatic tuner, besides those of its games.

    Attributes:
        opponent: The opponent of all candidates, "" to have candidates play each other.
        number_of_games: None: endless. 0: none, but results are kept.
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
        """How many games in a row have the same candidates: those of an opening, at least one on
        each side.
        """
        return max(2, block_of(self))


class AutoTuner(CandidateTuner):
    """An automatic tuner as far as it has been played. See `gyoji.core.ports.Competition`."""

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
        self._series: Series[Trial] = Series(self.settings.number_of_games, self.settings.block)

    @property
    def played(self) -> int:
        """The number of games with a result."""
        return self._series.played

    @property
    def best(self) -> Point | None:
        """The estimate, None before the first one."""
        return self.search.best if self.search.has_learned else None

    def add(self, result: GameResult) -> None:
        """Count a finished game, once.

        Raises:
            ConfigError: The game is none of this tuner's.
        """
        number, trial = recorded_number(result), Trial(*self.where(result))
        if self._series.add(number, trial):
            self.search.add(trial, score(result))
            self._note_engine(result)

    def next_game(self) -> GameSpec | None:
        """Issue the next game: of the candidates whose block is not finished, or of new ones."""
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

    # Records have the values of the parameters, not positions, so positions follow the bounds of today.
    def where(self, result: GameResult) -> tuple[Point, Point | None]:
        """Return where the candidates of a stored game stand on the present scales.

        Raises:
            ConfigError: The game has other parameters, or another number of candidates.
        """
        points = recorded_points(result, len(self.parameters), 1 if self._opponent else 2)
        first, *other = (
            tuple(scale.position(each) for scale, each in zip(self._scales, point, strict=True))
            for point in points
        )
        return first, other[0] if other else None

    def learn(self, points: Sequence[Point], scores: Sequence[float]) -> None:
        """Seed the search with games from other events, of a candidate and the opponent."""
        for point, each in zip(points, scores, strict=True):
            self.search.add(Trial(point, None), each)

    def learn_pairs(self, points: Sequence[Point], others: Sequence[Point], scores: Sequence[float]) -> None:
        """Seed the search with games from other events, of two candidates. The scores are those of the first
        ones.
        """
        for point, other, each in zip(points, others, scores, strict=True):
            self.search.add(Trial(point, other), each)

    def _seated(self, number: int, trial: Trial) -> list[Player]:
        """Return the players of a trial, the first candidate first."""
        if trial.second is None:
            opponent = self.setup.players[self.settings.opponent]
            return [self.candidate(f"{MARK}{number}", trial.first), opponent]
        return [
            self.candidate(f"{MARK}{number}{PLUS}", trial.first),
            self.candidate(f"{MARK}{number}{MINUS}", trial.second),
        ]

    def _exact(self, point: Point) -> Point:
        return tuple(scale.exact(each) for scale, each in zip(self._scales, point, strict=True))

    # Without it two candidates of equal values would count as different, and might play each other.
    def _snapped(self, points: Array) -> Array:
        """Return points moved to where the engine gets the same values."""
        moved = points.copy()
        for axis, scale in enumerate(self._scales):
            moved[:, axis] = _middles(scale, points[:, axis])
        return moved


def _middles(scale: Scale, positions: Array) -> Array:
    """Return, for each position, one position that stands for all with the same value."""
    if count := scale.axis.levels:
        return np.asarray((np.minimum(np.floor(positions * count), count - 1) + 0.5) / count)
    if isinstance(scale, Linear | Log) and scale.integer:
        return np.array([scale.position(scale(float(each))) for each in positions])
    return positions


class AutoTables(TunerTables[AutoTuner]):
    """The number of games and, once there is an estimate, the best parameters and the shares of the
    models.
    """

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
        """Return the estimate: its position and standard deviation on the scales, and the share of each
        model.
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
        """Yield the parameters that were played, and the result of the first candidate."""
        points = [point for point in self.event.where(plain(result)) if point is not None]
        won = score(result)
        word = "won" if won == 1 else "level" if won else "lost"
        yield f"{' | '.join(map(self.event.describe, points))} {word}"


FORMAT = tuner_format(
    name="auto_tuner", settings=Settings, tuner=AutoTuner, ctl_names=CTL_NAMES, tables=AutoTables
)
