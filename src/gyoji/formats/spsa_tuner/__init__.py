"""The SPSA tuner: two candidates on either side of the present parameters play, and the winner draws them.

There is no opponent. An iteration is a game of each colour from the same opening, or as many as an opening
has. It moves the parameters when all its games are in, so they depend on the order in which iterations end;
with games in parallel, an iteration may have begun from where the parameters were some iterations ago.

A game's pairing is where both candidates stand, before anything is rounded. `number_of_iterations` decides
how large all steps are: when it is changed between two runs, it is as if it had been so from the beginning.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from gyoji.core.faults import ConfigError
from gyoji.core.format import Format
from gyoji.core.outcome import Ending
from gyoji.core.record import EngineReport, GameResult
from gyoji.core.setup import CompetitionSetup
from gyoji.core.spec import GameSpec, Player
from gyoji.core.tables import Block, Chart, Endings, Line
from gyoji.core.text import quote
from gyoji.formats.spsa_tuner.settings import Parameter, Settings
from gyoji.formats.spsa_tuner.walk import Pair, Walk
from gyoji.pairing.games import GameMaker
from gyoji.tuning.games import SAMPLE
from gyoji.tuning.parameters import described, values_at
from gyoji.tuning.series import Series, format_point, parse_point, recorded_number
from gyoji.tuning.tables import TunerTables, candidate_values, parameter_table

__all__ = ["FORMAT", "Pair", "Parameter", "Settings", "SpsaTuner", "competition"]

_PLUS, _MINUS = "+", "-"
"""The ends of the codes of the two candidates of an iteration."""


class SpsaTuner:
    """An SPSA tuner as far as it has been played. See `gyoji.core.ports.Competition`.

    walk   where the parameters are.   iterations: how many are over.
    """

    adapts = True

    def __init__(self, setup: CompetitionSetup) -> None:
        self.setup = setup
        self.settings: Settings = setup.settings
        self.walk = Walk(self.settings, setup.seed)
        self.iterations = 0
        self._block = self.settings.block
        self._series: Series[Pair] = Series(self.settings.number_of_iterations * self._block, self._block)
        self._maker = GameMaker(setup, self.settings)
        self._leads: dict[int, tuple[float, int]] = {}  # lead, and games without a result, by iteration
        self._sample = self.settings.candidate(SAMPLE, self.walk.values(self.walk.place, "sample"))

    @property
    def engines(self) -> Mapping[str, EngineReport]:
        """Nobody but candidates plays."""
        return {}

    @property
    def played(self) -> int:
        """How many games have a result."""
        return self._series.played

    def add(self, result: GameResult) -> None:
        """Count a finished game, once. Raises ConfigError for one that is none of this tuner's."""
        number, pair, lead = recorded_number(result), self._pair(result), _lead(result)
        if not self._series.add(number, pair):
            return
        iteration = number // self._block + 1
        so_far, left = self._leads.pop(iteration, (0.0, self._block))
        if left > 1:
            self._leads[iteration] = so_far + lead, left - 1
            return
        self.iterations += 1
        self.walk.move(iteration, pair, so_far + lead)

    def next_game(self) -> GameSpec | None:
        """The next game: the rest of an iteration, or the first one of the next."""
        turn = self._series.next()
        if turn is None:
            return None
        iteration, pair = turn.candidate + 1, turn.chosen
        if pair is None:
            pair = self.walk.pair(iteration)
            self._series.choose(turn.candidate, pair)
        players, notes = [], []
        for mark, point in zip((_PLUS, _MINUS), pair, strict=True):
            values = self.walk.values(point, iteration, mark)
            players.append(self._candidate(f"#{iteration}{mark}", values))
            notes.append(f"{mark} {described(self.settings.parameters, values)}")
        if turn.number % 2:
            players.reverse()
        return self._maker.game(
            str(turn.number),
            ";".join(map(format_point, pair)),
            (players[0], players[1]),
            turn.number,
            note=f"Candidate parameters: {' | '.join(notes)}",
        )

    def remaining(self) -> int | None:
        """How many games are still to be issued."""
        return self._series.remaining

    def checks(self) -> Iterator[GameSpec]:
        """A game for the candidate at the start, and for the player that scores."""
        yield self._maker.check("", self._sample)
        if self.settings.scoring_player:
            yield self._maker.check("", self.setup.players[self.settings.scoring_player])

    def _candidate(self, code: str, values: tuple[float, ...]) -> Player:
        return self.settings.candidate(code, values)

    def _pair(self, result: GameResult) -> Pair:
        """The candidates of a stored game."""
        dimensions = len(self.settings.parameters)
        try:
            pair = Pair(*map(parse_point, result.pairing.split(";")))
            if [len(point) for point in pair] == [dimensions, dimensions]:
                return pair
        except (ValueError, TypeError):
            pass
        raise ConfigError(
            f"stored game {quote(result.id)} was played at {quote(result.pairing)}, which is no pair of "
            f"points of {dimensions} parameters: give the parameters as they were, or reset the competition"
        )


class SpsaTables(TunerTables[SpsaTuner]):
    """Iterations, the parameters as they are now, and a row for each: start, change, range."""

    method = "SPSA"

    def screen(self) -> Iterator[Block]:
        event, settings, place = self.event, self.event.settings, self.event.walk.place
        parameters = settings.parameters
        yield f"{event.iterations}/{settings.number_of_iterations} iterations, {event.played} games played"
        yield ""
        yield f"Parameters: {described(parameters, values_at(parameters, place))}"
        yield ""
        following = min(event.iterations + 1, settings.number_of_iterations)
        columns = {
            "now": place,
            "start": [each.start for each in parameters],
            "tried up and down by": [event.walk.change(each, following) for each in parameters],
            "from": [each.min for each in parameters],
            "to": [each.max for each in parameters],
        }
        cells = {name: [f"{number:.4g}" for number in column] for name, column in columns.items()}
        yield parameter_table(parameters, cells)

    def own_values(self, endings: Endings) -> dict[str, Any]:
        """exact: before they are rounded."""
        parameters, place = self.event.settings.parameters, self.event.walk.place
        return {
            "played": self.event.played,
            "iterations": self.event.iterations,
            "best": candidate_values(parameters, place),
            "exact": {parameter.code: value for parameter, value in zip(parameters, place, strict=True)},
        }

    def charts(self) -> tuple[Chart, ...]:
        """Where each parameter has been in its range."""
        lines = tuple(
            Line(
                parameter.code,
                tuple(
                    (number, (place[axis] - parameter.min) / (parameter.max - parameter.min))
                    for number, place in enumerate(self.event.walk.path)
                ),
            )
            for axis, parameter in enumerate(self.event.settings.parameters)
        )
        note = "Each parameter in its range: 0 is its min, 1 its max."
        return (Chart(title="Where the parameters go", lines=lines, x="iterations", y="place", note=note),)


def competition(setup: CompetitionSetup) -> SpsaTuner:
    """The tuner that `setup` describes, before its first game."""
    return SpsaTuner(setup)


def _lead(result: GameResult) -> float:
    """The value of the game for `plus`: 1 won, -1 lost, 0 level, or that nobody can say."""
    points = result.outcome.points
    if points is None or result.outcome.ending is Ending.NO_RESULT:
        return 0
    lead = points[0] - points[1]
    return lead if result.opponents[0].endswith(_PLUS) else -lead


FORMAT = Format(name="spsa_tuner", settings=Settings, competition=competition, tables=SpsaTables)
