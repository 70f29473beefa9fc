"""The event around a tuner, the same for all of them: when it has played enough, and what is done then.

A tuner finds parameters; the event asks the landscape of all games how good they are (`estimate`), stops the
tuner when nothing better is left to be found, and has the result play a check match against the start. The
landscape is surveyed anew whenever a tenth more games have ended, and once more in the end; so all of this
depends on the records alone, and a resumed event goes on as it would have gone on.

A check match is named after what plays in it: when the tuner goes on and finds other parameters, these play
a match of their own.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from msgspec.structs import replace

from gyoji.core.faults import ConfigError
from gyoji.core.outcome import Ending
from gyoji.core.ports import offers
from gyoji.core.record import EngineReport, GameResult
from gyoji.core.setup import CompetitionSetup, GameSettings, Stored
from gyoji.core.spec import GameSpec, Player, derive_seed
from gyoji.pairing.cross import Cross
from gyoji.pairing.games import GameMaker, block_of, game_number
from gyoji.pairing.schedule import Schedule
from gyoji.pairing.tally import PairStats
from gyoji.tables.versus import Encounter, Versus
from gyoji.tuning.games import BEST, MARK, START, TunerSettings
from gyoji.tuning.observations import Observations, Point
from gyoji.tuning.parameters import Valued, described, values_at

if TYPE_CHECKING:
    from gyoji.tuning.estimate import Estimate, Survey

GROWTH = 1.1
"""The landscape is surveyed anew when there are so many times the games."""

LEAST_GAMES = 20
"""For each parameter, before the landscape is surveyed."""


class Tuner(Protocol):
    """A tuner, as far as its event needs to know it. Points are its own."""

    @property
    def parameters(self) -> Sequence[Valued]: ...

    @property
    def engines(self) -> Mapping[str, EngineReport]: ...

    @property
    def best(self) -> Point | None:
        """Its estimate of the best point; None while it knows nothing."""

    @property
    def start(self) -> Point:
        """The point to improve upon."""

    def where(self, result: GameResult) -> tuple[Point, Point | None]:
        """Where the candidate of a game stands, and the other one where there are two. Raises ConfigError."""

    def candidate(self, code: str, point: Point) -> Player: ...

    def add(self, result: GameResult) -> None: ...

    def next_game(self) -> GameSpec | None: ...

    def remaining(self) -> int | None: ...

    def checks(self) -> Iterator[GameSpec]: ...


class Learns(Protocol):
    """A tuner that learns from games whose candidates it has not chosen."""

    def learn(self, points: Sequence[Point], scores: Sequence[float]) -> None:
        """Begin with these games, before the first one of its own."""


class LearnsPairs(Protocol):
    """One that learns from games of two candidates that it has not chosen."""

    def learn_pairs(self, points: Sequence[Point], others: Sequence[Point], scores: Sequence[float]) -> None:
        """Begin with these games; scores: of the first candidates."""


T = TypeVar("T", bound=Tuner)


class CheckMatch:
    """A match of two candidates: the best against the start, sides in turn.

    note: the values of both. tally: its games so far.
    """

    def __init__(self, setup: CompetitionSetup, players: tuple[Player, Player], note: str) -> None:
        self.settings = setup.settings_as(TunerSettings)
        self.name = check_name(note)
        self.note = note
        self._players = players
        self._maker = GameMaker(setup, self.settings)
        self._schedule = Schedule([self.settings.check_games], [max(2, block_of(self.settings))])

    def finish(self, number: int) -> None:
        """Note that a game has a result."""
        self._schedule.finish(0, number)

    def next_game(self) -> GameSpec | None:
        found = self._schedule.next()
        if found is None:
            return None
        limit = self.settings.check_games
        spec = self._maker.spec(self.name, found[1], limit, self._players, swaps=True)
        return replace(spec, note=f"Candidate parameters: {self.note}")

    @property
    def remaining(self) -> int:
        return self._schedule.remaining or 0


CHECK = "check-"
"""The beginning of the names of check matches."""


def check_name(note: str) -> str:
    """The name of the check match of two candidates."""
    return f"{CHECK}{derive_seed('check', note) % 16**6:06x}"


class TuningEvent(Generic[T]):
    """A tuner and its check match as far as they have been played. See `gyoji.core.ports.Competition`.

    observations: the games of candidates whose result is known, those of other events first.
    """

    adapts = True

    def __init__(self, setup: CompetitionSetup, tuner: T) -> None:
        """Raises ConfigError for games of other events that the tuner can do nothing with."""
        self.setup = setup
        self.settings = setup.settings_as(TunerSettings)
        self.tuner = tuner
        pairs = not getattr(setup.settings, "opponent", "")
        self.observations = Observations(tuner.parameters, pairs=pairs)
        self._learn()
        self.learned = len(self.observations)
        self._seen: set[str] = set()
        self._issued: set[str] = set()  # of the tuner's games those without a result
        self._milestones = _Milestones(LEAST_GAMES * len(tuner.parameters))
        self._mark: tuple[int, Point] | None = None  # games of the last milestone, and the best then
        self._check: CheckMatch | None = None
        self._checked: dict[str, set[int]] = {}
        self._cross: dict[str, Cross] = {}
        self._versus: dict[str, Versus] = {}
        self._survey: Survey | None = None
        self._estimate: Estimate | None = None
        self._left: tuple[int, float] | None = None  # games, and how much better others may be

    @property
    def engines(self) -> Mapping[str, EngineReport]:
        return self.tuner.engines

    @property
    def played(self) -> int:
        """How many games of the tuner have a known result."""
        return len(self.observations) - self.learned

    def add(self, result: GameResult) -> None:
        """Count a finished game, once. Raises ConfigError for one that is none of this event's."""
        if result.pairing.startswith(CHECK):
            self._add_check(result)
            return
        point, other = self.tuner.where(result)
        self.tuner.add(result)
        self._issued.discard(result.id)
        points = result.outcome.points
        if points is None or result.outcome.ending is Ending.NO_RESULT or result.id in self._seen:
            return
        self._seen.add(result.id)
        self.observations.add(point, points[result.team_of(_first_seat(result))], other=other)
        if self._milestones.reached(self.played) and self.settings.stop_below is not None:
            best = self.tuner.best
            self._mark = None if best is None else (len(self.observations), best)

    def next_game(self) -> GameSpec | None:
        """The next game of the tuner; when it has come to its end, of the check match."""
        if not self.is_stopped and (spec := self.tuner.next_game()) is not None:
            self._issued.add(spec.id)
            return spec
        match = self.check_match() if self.is_tuned else None
        return match.next_game() if match else None

    def remaining(self) -> int | None:
        """How many games are still to be issued; None while the tuner has no limit."""
        left = 0 if self.is_stopped else self.tuner.remaining()
        if left is None:
            return None
        match = self.check_match() if self.is_tuned else None
        if match:
            return match.remaining
        return left if self.is_tuned else left + self.settings.check_games

    def checks(self) -> Iterator[GameSpec]:
        """A game for one candidate, which stands for all, and for each other player."""
        return self.tuner.checks()

    @property
    def is_tuned(self) -> bool:
        """Whether the tuner has come to its end, and all of its games."""
        return not self._issued and (self.is_stopped or self.tuner.remaining() == 0)

    @property
    def is_stopped(self) -> bool:
        """Whether the tuner has stopped, because no parameters are better by enough."""
        if self.settings.stop_below is None or self._mark is None:
            return False
        games, best = self._mark
        if self._left is None or self._left[0] != games:
            self._left = games, self._surveyed(games).estimate(best, self.tuner.start).left
        return self._left[1] < self.settings.stop_below

    def survey(self) -> "Survey | None":
        """The landscape: of all games in the end, before that as of the last time it was due."""
        due = self.played if self.is_tuned else self._milestones.last
        return self._surveyed(self.learned + due) if due else None

    def estimate(self) -> "Estimate | None":
        """How good the tuner's best point is; None as long as nobody can say."""
        best, survey = self.tuner.best, self.survey()
        if best is None or survey is None:
            return None
        if self._estimate is None or (self._estimate.games, self._estimate.best) != (survey.games, best):
            self._estimate = survey.estimate(best, self.tuner.start)
        return self._estimate

    def check_match(self) -> CheckMatch | None:
        """The check match of what is the best now; None if there is to be none, or the best is the start."""
        best = self.tuner.best
        if best is None or not self.settings.check_games:
            return None
        note = f"best {self._told(best)} | start {self._told(self.tuner.start)}"
        if self._check is None or self._check.note != note:
            if self._told(best) == self._told(self.tuner.start):
                return None
            players = self.tuner.candidate(BEST, best), self.tuner.candidate(START, self.tuner.start)
            self._check = CheckMatch(self.setup, players, note)
            for number in self._checked.get(self._check.name, ()):
                self._check.finish(number)
        return self._check

    def check_stats(self) -> PairStats | None:
        """The games of the check match, None if it has none yet."""
        match = self.check_match()
        if match is None or match.name not in self._cross:
            return None
        cross, limit = self._cross[match.name], self.settings.check_games
        return cross.pair_stats(match.name, (BEST, START), self.setup.settings_as(GameSettings), limit=limit)

    def check_encounter(self) -> Encounter | None:
        """The result of the check match of the best; None if it has no game yet."""
        match = self.check_match()
        found = self._versus[match.name].encounters((BEST,)) if match and match.name in self._versus else ()
        return found[0] if found else None

    def stored(self) -> Iterator[Stored]:
        """Its own games, for another event to learn from."""
        rows, size, width = self.observations.rows, len(self.tuner.parameters), self.observations.width
        for row in range(self.learned * width, len(rows), width):
            first = self._values(rows[row : row + size])
            other = self._values(rows[row + size : row + 2 * size]) if self.observations.pairs else ()
            yield Stored(first, rows[row + width - 2], other=other)

    def _values(self, positions: Sequence[float]) -> tuple[Any, ...]:
        """The values at positions."""
        point = [self.observations.coordinate(*each) for each in enumerate(positions)]
        return values_at(self.tuner.parameters, point)

    def _add_check(self, result: GameResult) -> None:
        number = game_number(result)
        numbers = self._checked.setdefault(result.pairing, set())
        if number in numbers:
            return
        numbers.add(number)
        self._cross.setdefault(result.pairing, Cross()).add(result)
        self._versus.setdefault(result.pairing, Versus()).add(result)
        if self._check is not None and self._check.name == result.pairing:
            self._check.finish(number)

    def _told(self, point: Point) -> str:
        """The values at a point; the same on every machine."""
        parameters = self.tuner.parameters
        values = values_at(parameters, point)
        short = [float(f"{each:.6g}") if isinstance(each, float) else each for each in values]
        return described(parameters, short)

    def _surveyed(self, games: int) -> "Survey":
        if self._survey is None or self._survey.games != games:
            from gyoji.tuning.estimate import survey  # noqa: PLC0415 - numpy, which many commands do without

            self._survey = survey(self.observations, games)
        return self._survey

    def _learn(self) -> None:
        """Give the tuner the games of other events."""
        sources, pairs = self.settings.games_from.sources, self.observations.pairs
        learner: object = self.tuner
        if any(sources) and not offers(learner, LearnsPairs if pairs else Learns):
            raise ConfigError(
                f"{self.setup.code}: games_from: {self.setup.kind} learns only from games of candidates "
                "that it has chosen: expected auto_tuner, clop_tuner or mc_tuner; or leave out games_from"
            )
        points: list[Point] = []
        others: list[Point] = []
        scores: list[float] = []
        for source, games in enumerate(sources, 1):
            for game in games:
                if bool(game.other) is not pairs:
                    raise self._unlike(pairs)
                point, other = (self._point(values) for values in (game.values, game.other))
                for _ in range(game.games):
                    points.append(point)
                    others.append(other)
                    scores.append(game.score)
                    self.observations.add(point, game.score, other=other if pairs else None, source=source)
        if points and pairs and offers(learner, LearnsPairs):
            learner.learn_pairs(points, others, scores)
        elif points and offers(learner, Learns):
            learner.learn(points, scores)

    def _unlike(self, pairs: bool) -> ConfigError:
        kinds = ("of a candidate and another player", "of two candidates")
        return ConfigError(
            f"{self.setup.code}: games_from: expected games {kinds[pairs]}, as they are played here; "
            f"got games {kinds[not pairs]}"
        )

    def _point(self, values: Sequence[Any]) -> Point:
        """The tuner's point of values; of none, no point."""
        parameters = self.tuner.parameters if values else ()
        return tuple(each.place(value) for each, value in zip(parameters, values, strict=True))


class _Milestones:
    """The numbers of games at which something is due: the first one, and each a tenth more than the last."""

    def __init__(self, first: int) -> None:
        self.last = 0
        self._next = first

    def reached(self, games: int) -> bool:
        """Whether a milestone is reached with so many games; they grow by one."""
        if games < self._next:
            return False
        self.last, self._next = games, max(games + 1, int(games * GROWTH))
        return True


def _first_seat(result: GameResult) -> int:
    """The first seat of the candidate that a game counts for: in games of two that which is not `-`."""
    return next(seat for seat, code in enumerate(result.players) if MARK in code and not code.endswith("-"))
