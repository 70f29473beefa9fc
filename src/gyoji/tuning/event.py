"""The event around a tuner: its estimate, when it stops, its check match, and games of other events."""

# Theory of operation
# -------------------
#
# A tuner (`formats/*_tuner`) finds parameters. The event around it is the competition that the scheduler
# sees:
#
#     tuning ---- the tuner's games are issued; add() --> the tuner, and Observations
#        |  every tenth more games (a milestone): the landscape is surveyed, if `stop_below` is set
#        |  no parameters are better by `stop_below` (95 %), or the tuner has issued its number of games
#        v
#     stopped --- games in progress still count
#        |  all of them have ended (`is_tuned`)
#        v
#     check match: the best parameters against the start, `check_games` games
#        v
#     over ------ a raised number_of_games leads back to tuning
#
# The survey depends only on the records up to a milestone, so a resumed event stops where it would have
# stopped. It is lazy: fitting a landscape takes a second or more, and a fold over stored games asks for none
# but the last.
#
# A check match is named after the values that play in it. If the tuner goes on and finds other parameters,
# these play a match of their own, and the games of the old one stay in the store without being shown.

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from msgspec.structs import replace

from gyoji.core.faults import ConfigError
from gyoji.core.ports import supports
from gyoji.core.record import EngineReport, GameResult
from gyoji.core.setup import CompetitionSetup, GameSettings, Stored
from gyoji.core.spec import GameSpec, Player, derive_seed
from gyoji.pairing.game_maker import GameMaker, block_of
from gyoji.pairing.schedule import Schedule
from gyoji.results.cross import Cross
from gyoji.results.game_ids import game_number
from gyoji.results.tally import PairStats
from gyoji.tables.head_to_head import Encounter, HeadToHead
from gyoji.tuning.games import BEST, START, TunerSettings, known_score
from gyoji.tuning.observations import Observations, Point
from gyoji.tuning.parameters import Valued, described, values_at

if TYPE_CHECKING:
    from gyoji.tuning.estimate import Estimate, Survey

GROWTH = 1.1
"""The growth in games, as a factor, after which the landscape is surveyed again."""

LEAST_GAMES = 20
"""The games for each parameter before the landscape is surveyed for the first time."""


class Tuner(Protocol):
    """A tuner as its event uses it. Points are the tuner's own."""

    @property
    def parameters(self) -> Sequence[Valued]: ...

    @property
    def engines(self) -> Mapping[str, EngineReport]: ...

    @property
    def best(self) -> Point | None:
        """The estimate of the best point, None before there is one."""

    @property
    def start(self) -> Point:
        """The point to improve upon."""

    def where(self, result: GameResult) -> tuple[Point, Point | None]:
        """Return where the candidate of a game stands, and the second candidate if there is one.

        Raises:
            ConfigError: The game is none of this tuner's.
        """

    def candidate(self, code: str, point: Point) -> Player: ...

    def add(self, result: GameResult) -> None: ...

    def next_game(self) -> GameSpec | None: ...

    def remaining(self) -> int | None: ...

    def checks(self) -> Iterator[GameSpec]: ...


class Learns(Protocol):
    """A tuner that learns from games whose candidates it did not choose."""

    def learn(self, points: Sequence[Point], scores: Sequence[float]) -> None:
        """Learn from these games, before the first one of its own."""


class LearnsPairs(Protocol):
    """A tuner that learns from games of two candidates that it did not choose."""

    def learn_pairs(self, points: Sequence[Point], others: Sequence[Point], scores: Sequence[float]) -> None:
        """Learn from these games. The scores are those of the first candidates."""


T = TypeVar("T", bound=Tuner)


class CheckMatch:
    """A match of two candidates, the best against the start, with alternating sides.

    Attributes:
        name: The name of its pairing.
        note: The values of both candidates.
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
"""The prefix of the names of check matches."""


def check_name(note: str) -> str:
    """Return the name of the check match of two candidates."""
    return f"{CHECK}{derive_seed('check', note) % 16**6:06x}"


class TuningEvent(Generic[T]):
    """A tuner and its check match as far as they have been played. See `gyoji.core.ports.Competition`.

    Attributes:
        observations: The games of candidates with a known result, those of other events first.
        learned: How many of them are of other events.
    """

    adapts = True

    def __init__(self, setup: CompetitionSetup, tuner: T) -> None:
        """Begin with the games of other events.

        Raises:
            ConfigError: The tuner cannot learn from such games.
        """
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
        self._versus: dict[str, HeadToHead] = {}
        self._survey: Survey | None = None
        self._estimate: Estimate | None = None
        self._left: tuple[int, float] | None = None  # games, and how much better others may be

    @property
    def engines(self) -> Mapping[str, EngineReport]:
        return self.tuner.engines

    @property
    def played(self) -> int:
        """The number of the tuner's games with a known result."""
        return len(self.observations) - self.learned

    def add(self, result: GameResult) -> None:
        """Count a finished game, once.

        Raises:
            ConfigError: The game is none of this event's.
        """
        if result.pairing.startswith(CHECK):
            self._add_check(result)
            return
        point, other = self.tuner.where(result)
        self.tuner.add(result)
        self._issued.discard(result.id)
        won = known_score(result)
        if won is None or result.id in self._seen:
            return
        self._seen.add(result.id)
        self.observations.add(point, won, other=other)
        if self._milestones.reached(self.played) and self.settings.stop_below is not None:
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
        """Return the number of games still to be issued, None while the tuner has no limit."""
        left = 0 if self.is_stopped else self.tuner.remaining()
        if left is None:
            return None
        match = self.check_match() if self.is_tuned else None
        if match:
            return match.remaining
        return left if self.is_tuned else left + self.settings.check_games

    def checks(self) -> Iterator[GameSpec]:
        """Yield a game to try one candidate, which stands for all, and one for each other player."""
        return self.tuner.checks()

    @property
    def is_tuned(self) -> bool:
        """Whether the tuner issues no more games, and all of its games have ended."""
        return not self._issued and (self.is_stopped or self.tuner.remaining() == 0)

    @property
    def is_stopped(self) -> bool:
        """Whether the tuner has stopped because no parameters are better by `stop_below`."""
        if self.settings.stop_below is None or self._mark is None:
            return False
        games, best = self._mark
        if self._left is None or self._left[0] != games:
            self._left = games, self._surveyed(games).estimate(best, self.tuner.start).left
        return self._left[1] < self.settings.stop_below

    def survey(self) -> "Survey | None":
        """Return the landscape as of the last milestone, or of all games once the tuner is done; None before
        the first.
        """
        due = self.played if self.is_tuned else self._milestones.last
        return self._surveyed(self.learned + due) if due else None

    def estimate(self) -> "Estimate | None":
        """Return how good the tuner's best point is, None before it can be estimated."""
        best, survey = self.tuner.best, self.survey()
        if best is None or survey is None:
            return None
        if self._estimate is None or (self._estimate.games, self._estimate.best) != (survey.games, best):
            self._estimate = survey.estimate(best, self.tuner.start)
        return self._estimate

    def check_match(self) -> CheckMatch | None:
        """Return the check match of the present best; None if there is to be none, or the best is
        the start.
        """
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
        """Return the results of the check match, None before its first game."""
        match = self.check_match()
        if match is None or match.name not in self._cross:
            return None
        cross, limit = self._cross[match.name], self.settings.check_games
        return cross.pair_stats(match.name, (BEST, START), self.setup.settings_as(GameSettings), limit=limit)

    def check_encounter(self) -> Encounter | None:
        """Return the comparison of the two candidates of the check match, None before its first game."""
        match = self.check_match()
        found = self._versus[match.name].encounters((BEST,)) if match and match.name in self._versus else ()
        return found[0] if found else None

    def stored(self) -> Iterator[Stored]:
        """Yield its own games, for another event to learn from."""
        rows, size, width = self.observations.rows, len(self.tuner.parameters), self.observations.width
        for row in range(self.learned * width, len(rows), width):
            first = self._values(rows[row : row + size])
            other = self._values(rows[row + size : row + 2 * size]) if self.observations.pairs else ()
            yield Stored(first, rows[row + width - 2], other=other)

    def _values(self, positions: Sequence[float]) -> tuple[Any, ...]:
        """Return the values at positions."""
        point = [self.observations.coordinate(*each) for each in enumerate(positions)]
        return values_at(self.tuner.parameters, point)

    def _add_check(self, result: GameResult) -> None:
        number = game_number(result)
        numbers = self._checked.setdefault(result.pairing, set())
        if number in numbers:
            return
        numbers.add(number)
        self._cross.setdefault(result.pairing, Cross()).add(result)
        self._versus.setdefault(result.pairing, HeadToHead()).add(result)
        if self._check is not None and self._check.name == result.pairing:
            self._check.finish(number)

    def _told(self, point: Point) -> str:
        """Return the values at a point, rounded so that they are the same on every machine."""
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
        """Give the games of other events to the tuner."""
        sources, pairs = self.settings.games_from.sources, self.observations.pairs
        learner: object = self.tuner
        if any(sources) and not supports(learner, LearnsPairs if pairs else Learns):
            raise ConfigError(
                f"{self.setup.code}: games_from: {self.setup.kind} learns only from games of candidates "
                "that it has chosen: expected auto_tuner or mc_tuner; or leave out games_from"
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
        if points and pairs and supports(learner, LearnsPairs):
            learner.learn_pairs(points, others, scores)
        elif points and supports(learner, Learns):
            learner.learn(points, scores)

    def _unlike(self, pairs: bool) -> ConfigError:
        kinds = ("of a candidate and another player", "of two candidates")
        return ConfigError(
            f"{self.setup.code}: games_from: expected games {kinds[pairs]}, as they are played here; "
            f"got games {kinds[not pairs]}"
        )

    def _point(self, values: Sequence[Any]) -> Point:
        """Return the tuner's point of these values, () for no values."""
        parameters = self.tuner.parameters if values else ()
        return tuple(each.place(value) for each, value in zip(parameters, values, strict=True))


class _Milestones:
    """The numbers of games at which a survey is due: the first one, and each a tenth more than the last."""

    def __init__(self, first: int) -> None:
        self.last = 0
        self._next = first

    def reached(self, games: int) -> bool:
        """Return whether a milestone is reached. Call it for each game."""
        if games < self._next:
            return False
        self.last, self._next = games, max(games + 1, int(games * GROWTH))
        return True
