"""The event around a tuner: its estimate, the condition for stopping, and the check match."""

# Theory of operation
# -------------------
#
# A tuner (`formats/*_tuner`) finds parameters. The event around it is the competition that the scheduler
# sees:
#
#     tuning ---- the tuner's games are issued; add() --> the tuner, and Observations
#        |  whenever there are 10 % more games (a milestone): the landscape is fitted, if `stop_below` is set
#        |  no parameters are better by `stop_below` (95 %), or the tuner has issued its number of games
#        v
#     stopped --- games in progress still count
#        |  all of them have ended (`is_tuned`)
#        v
#     check match: the best parameters against the start, `check_games` games
#        v
#     over ------ a raised number_of_games leads back to tuning
#
# The fit depends only on the records up to a milestone, so a resumed event stops at the same game. It is made
# when it is needed: it takes a second or more, and a fold over stored games needs only the last one.
#
# The id of a check match is computed from the values that play in it. If the tuner goes on and finds other
# parameters, these play a match of their own, and the games of the old one stay in the store without being
# shown.

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from gyoji.core.record import EngineReport, GameResult
from gyoji.core.setup import CompetitionSetup
from gyoji.core.spec import GameSpec, Player, derive_seed
from gyoji.pairing.pair_competition import UniformPairs
from gyoji.results.tally import PairStats
from gyoji.tables.head_to_head import Encounter, HeadToHead
from gyoji.tuning.games import BEST, START, CandidateTuner, TunerSettings, known_score
from gyoji.tuning.observations import Observations, Point
from gyoji.tuning.parameters import described, values_at

if TYPE_CHECKING:
    from gyoji.tuning.estimate import Estimate, Survey

GROWTH = 1.1
"""The factor from one milestone to the next, in games."""
LEAST_GAMES = 20
"""Number of games per parameter at the first milestone."""


CHECK = "check-"
"""The prefix of the names of check matches."""


class CheckMatch(UniformPairs):
    """A match of two candidates, the best parameters against the start, with alternating sides.

    Attributes:
        note: The parameter values of both candidates. The id of the match is computed from it.
        versus: The head-to-head comparison of the two candidates.
    """

    def __init__(self, setup: CompetitionSetup, candidates: Mapping[str, Player], note: str) -> None:
        settings = setup.settings_as(TunerSettings)
        everyone = replace(setup, players={**setup.players, **candidates})
        super().__init__(everyone, settings, (BEST, START), pairs=1, limit=settings.check_games, block=2)
        self.note = note
        self.versus = HeadToHead()

    def name(self, pair: int = 0) -> str:
        return f"{CHECK}{derive_seed('check', self.note) % 16**6:06x}"

    def codes(self, pair: int) -> tuple[str, str]:
        return BEST, START

    def _pair_of(self, result: GameResult) -> int:
        return 0

    def _count(self, pair: int, number: int, result: GameResult) -> None:
        super()._count(pair, number, result)
        self.versus.add(result)

    def _spec(self, pair: int, number: int) -> GameSpec:
        return replace(super()._spec(pair, number), note=f"Candidate parameters: {self.note}")


class TuningEvent:
    """A competition that tunes parameters. It implements `gyoji.core.ports.Competition`.

    Its games are those of the tuner's candidates and, at the end, those of the check match, in which the best
    parameters found play the start parameters.

    Attributes:
        observations: The games of candidates with a known result.
    """

    adapts = True

    def __init__(self, setup: CompetitionSetup, tuner: CandidateTuner) -> None:
        self.setup = setup
        self.settings = setup.settings_as(TunerSettings)
        self.tuner = tuner
        pairs = not getattr(setup.settings, "opponent", "")
        self.observations = Observations(tuner.parameters, pairs=pairs)
        self._seen: set[str] = set()
        self._issued: set[str] = set()  # ids of the tuner's games without a result
        self._milestone = 0  # the number of games at the last milestone
        self._next_milestone = LEAST_GAMES * len(tuner.parameters)
        self._mark: tuple[int, Point] | None = None  # (number of games, best point) at the last milestone
        self._check: CheckMatch | None = None
        self._checked: dict[str, list[GameResult]] = {}  # games of check matches, by the match's name
        self._survey: Survey | None = None
        self._estimate: Estimate | None = None
        self._left: tuple[int, float] | None = None  # (number of games, `Estimate.left` from them)

    @property
    def engines(self) -> Mapping[str, EngineReport]:
        return self.tuner.engines

    @property
    def played(self) -> int:
        """The number of the tuner's games with a known result."""
        return len(self.observations)

    def add(self, result: GameResult) -> None:
        """Count a finished game, once.

        Raises:
            ConfigError: The game does not belong to this event.
        """
        if result.pairing.startswith(CHECK):
            self._checked.setdefault(result.pairing, []).append(result)
            if self._check is not None and self._check.name() == result.pairing:
                self._check.add(result)
            return
        point, other = self.tuner.where(result)
        self.tuner.add(result)
        self._issued.discard(result.id)
        won = known_score(result)
        if won is None or result.id in self._seen:
            return
        self._seen.add(result.id)
        self.observations.add(point, won, other=other)
        if self.played >= self._next_milestone:
            self._milestone = self.played
            self._next_milestone = max(self.played + 1, int(self.played * GROWTH))
            if self.settings.stop_below is not None:
                best = self.tuner.best
                self._mark = None if best is None else (len(self.observations), best)

    def next_game(self) -> GameSpec | None:
        """Issue the next game of the tuner, or of the check match once the tuner is done."""
        if not self.is_stopped and (spec := self.tuner.next_game()) is not None:
            self._issued.add(spec.id)
            return spec
        match = self.check_match() if self.is_tuned else None
        return match.next_game() if match else None

    def remaining(self) -> int | None:
        """Return the number of games still to be issued; None if the tuner has no limit."""
        left = 0 if self.is_stopped else self.tuner.remaining()
        if left is None:
            return None
        match = self.check_match() if self.is_tuned else None
        if match:
            return match.remaining()
        return left if self.is_tuned else left + self.settings.check_games

    def checks(self) -> Iterator[GameSpec]:
        """Yield the games for the check before a run: for a sample candidate, and for each other player."""
        return self.tuner.checks()

    @property
    def is_tuned(self) -> bool:
        """Whether the tuner issues no more games, and all of its games have ended."""
        return not self._issued and (self.is_stopped or self.tuner.remaining() == 0)

    @property
    def is_stopped(self) -> bool:
        """Whether the tuner has stopped early (`TunerSettings.stop_below`)."""
        if self.settings.stop_below is None or self._mark is None:
            return False
        games, best = self._mark
        if self._left is None or self._left[0] != games:
            self._left = games, self._surveyed(games).estimate(best, self.tuner.start).left
        return self._left[1] < self.settings.stop_below

    def survey(self) -> "Survey | None":
        """Return the landscape from which the estimate is made; None before the first one is fitted.

        The first fit needs `LEAST_GAMES` games per parameter. Another follows whenever the number of games
        has grown by the factor `GROWTH`. When the tuner is done, a last fit has all games.
        """
        due = self.played if self.is_tuned else self._milestone
        return self._surveyed(due) if due else None

    def estimate(self) -> "Estimate | None":
        """Return the estimate for the tuner's best point; None before it can be made."""
        best, survey = self.tuner.best, self.survey()
        if best is None or survey is None:
            return None
        if self._estimate is None or (self._estimate.games, self._estimate.best) != (survey.games, best):
            self._estimate = survey.estimate(best, self.tuner.start)
        return self._estimate

    def check_match(self) -> CheckMatch | None:
        """Return the check match between the present best point and the start.

        Return None if there is no best point yet, if it has the same values as the start, or if `check_games`
        is 0.
        """
        best = self.tuner.best
        if best is None or not self.settings.check_games:
            return None
        note = f"best {self._told(best)} | start {self._told(self.tuner.start)}"
        if self._check is None or self._check.note != note:
            if self._told(best) == self._told(self.tuner.start):
                return None
            points = {BEST: best, START: self.tuner.start}
            players = {code: self.tuner.candidate(code, point) for code, point in points.items()}
            self._check = CheckMatch(self.setup, players, note)
            for result in self._checked.get(self._check.name(), ()):
                self._check.add(result)
        return self._check

    def check_results(self) -> tuple[PairStats, Encounter] | None:
        """Return the results of the check match, and the comparison of its candidates.

        Return None before the first game of the check match has ended.
        """
        match = self.check_match()
        found = match.versus.encounters((BEST,)) if match else ()
        return (next(match.stats()), found[0]) if match and found else None

    def games(self) -> Iterator[tuple[Any, ...]]:
        """Yield a tuple for each game: first the parameter values of the first candidate.

        Those of the second candidate follow if there is one, then the first candidate's score (0, ½ or 1).
        """
        size, width = len(self.tuner.parameters), self.observations.width
        rows = self.observations.rows
        for begin in range(0, len(rows), width):
            *places, score = rows[begin : begin + width]
            candidates = (self._values(places[at : at + size]) for at in range(0, width - 1, size))
            yield (*chain.from_iterable(candidates), score)

    def _values(self, positions: Sequence[float]) -> tuple[Any, ...]:
        """Return the engine's values at positions, which are fractions of the parameters' ranges."""
        point = [self.observations.coordinate(*each) for each in enumerate(positions)]
        return values_at(self.tuner.parameters, point)

    def _told(self, point: Point) -> str:
        """Return the values at a point as text, rounded so that they are the same on every machine."""
        parameters = self.tuner.parameters
        values = values_at(parameters, point)
        short = [float(f"{each:.6g}") if isinstance(each, float) else each for each in values]
        return described(parameters, short)

    def _surveyed(self, games: int) -> "Survey":
        if self._survey is None or self._survey.games != games:
            from gyoji.tuning.estimate import survey  # noqa: PLC0415 - numpy, which many commands do without

            self._survey = survey(self.observations, games)
        return self._survey
