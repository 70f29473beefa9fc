"""The games of candidates: their settings, how candidates are made, and the candidates' scores."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, TypeVar

from msgspec.structs import replace

from gyoji.core.faults import ConfigError
from gyoji.core.outcome import Ending
from gyoji.core.record import GameResult
from gyoji.core.setup import (
    CandidateMaker,
    CompetitionSetup,
    GameSettings,
    PlayerCode,
    check_least,
)
from gyoji.core.spec import GameSpec, Player, derive_seed
from gyoji.core.text import quote
from gyoji.pairing.competitors import trials
from gyoji.pairing.game_maker import GameMaker, block_of
from gyoji.results.engine_reports import EngineReports
from gyoji.results.game_ids import CHECKED
from gyoji.tuning.observations import Point
from gyoji.tuning.parameters import Valued, described, values_at
from gyoji.tuning.series import Series


# A random side is drawn from the game's id, so a game that is played again has the same side.
class CandidateColour(StrEnum):
    """The side of the candidate. Black has the first seat."""

    BLACK = "black"
    WHITE = "white"
    RANDOM = "random"
    ALTERNATING = "alternating"

    @classmethod
    def convert(cls, plain: Any) -> "CandidateColour":
        """Return the colour that a setting names, in full or by its first letter, in any case.

        >>> CandidateColour.convert("B"), CandidateColour.convert("r")
        (<CandidateColour.BLACK: 'black'>, <CandidateColour.RANDOM: 'random'>)
        """
        word = plain.lower() if isinstance(plain, str) else ""
        for colour in cls:
            if word and word in (colour.value, colour.value[0]):
                return colour
        there_are = ", ".join(f'"{colour.value}"' for colour in cls)
        raise ValueError(f"expected one of {there_are}, got {quote(str(plain))}")

    def seat(self, number: int, seed: int, game: str) -> int:
        """Return the candidate's seat in a game.

        Args:
            number: The number of the game. Alternating candidates are Black in games with an even number.
            seed: The competition's seed.
            game: The game's id.
        """
        if self is CandidateColour.RANDOM:
            return derive_seed(seed, "colour", game) % 2
        if self is CandidateColour.ALTERNATING:
            return number % 2
        return int(self is CandidateColour.WHITE)


@dataclass(frozen=True, slots=True, kw_only=True)
class TunerSettings(GameSettings):
    """The settings that all tuners share, besides those of their games.

    Attributes:
        candidate: Makes a candidate as a player from its name and the values of the parameters.
        stop_below: The tuner stops early when, with 95 % probability, no parameters are better than its best
            point by more than this, in Elo. None: it never stops early.
        check_games: Number of games of the check match at the end, between the best candidate and the start.
            0: no such match.
    """

    candidate: CandidateMaker
    stop_below: float | None = None
    check_games: int = 0

    def check_tuning(self, parameters: Sequence[Valued]) -> None:
        """Check the settings that all tuners share.

        Raises:
            ValueError: A setting is wrong. The text is "key: problem".
        """
        if not parameters:
            raise ValueError("parameters: expected one parameter or more")
        check_least(0, check_games=self.check_games)
        if self.stop_below is not None and self.stop_below <= 0:
            raise ValueError(f"stop_below: expected more than 0 Elo points, got {self.stop_below:g}")


@dataclass(frozen=True, slots=True, kw_only=True)
class OpponentSettings(TunerSettings):
    """The settings of tuners whose candidates all meet one opponent."""

    opponent: PlayerCode
    candidate_colour: CandidateColour

    @property
    def block(self) -> int:
        """Number of consecutive games that one candidate plays.

        They are all games of one opening. If the candidate's side alternates, there are at least two.
        """
        colours = 2 if self.candidate_colour is CandidateColour.ALTERNATING else 1
        return max(colours, block_of(self))


def check_share(**numbers: float) -> None:
    """Check that each setting is more than 0 and less than 1.

    Args:
        **numbers: The settings by key.

    Raises:
        ValueError: A setting is out of range. The text is "key: problem".
    """
    for key, number in numbers.items():
        if not 0 < number < 1:
            raise ValueError(f"{key}: expected more than 0 and less than 1, got {number:g}")


SAMPLE = "candidate"
"""The code of the candidate that is checked before a run."""
MARK = "#"
"""A character in the codes of candidates, and of no other players."""
BEST, START = CHECKED
"""The codes of the candidates of a check match: the tuner's best point, and its first one."""


class CandidateTuner(ABC):
    """The base of all tuners: a competition of candidates, each made from a point of parameter space.

    Attributes:
        engines: The report on the opponent's engine in its last game.
        start: The point that the tuner begins with.
        best: The estimate of the best point; None before there is one.
    """

    adapts = True
    start: Point

    def __init__(
        self,
        setup: CompetitionSetup,
        settings: TunerSettings,
        parameters: Sequence[Valued],
        sample: Sequence[float],
        *,
        opponent: str = "",
    ) -> None:
        """Begin without games.

        Args:
            setup: The competition's setup.
            settings: The settings of the games and of the candidates.
            parameters: The parameters that are tuned.
            sample: The point of the candidate that is checked before a run.
            opponent: The player that all candidates meet, "" if they meet each other.


        Raises:
            ConfigError: No candidate can be made from `sample`.
        """
        self.setup = setup
        self.parameters = parameters
        self.engines = EngineReports()
        self._settings = settings
        self._opponent = opponent
        self._maker = GameMaker(setup, settings)
        self._sample = self.candidate(SAMPLE, sample)

    @property
    @abstractmethod
    def best(self) -> Point | None: ...

    @abstractmethod
    def where(self, result: GameResult) -> tuple[Point, Point | None]:
        """Return the points of a stored game's first and second candidate.

        The second item is None if the game has only one candidate.

        Raises:
            ConfigError: The tuner cannot have issued the game.
        """

    @abstractmethod
    def add(self, result: GameResult) -> None:
        """Count a finished game. A second result of the same game is ignored.

        Raises:
            ConfigError: The tuner cannot have issued the game.
        """

    @abstractmethod
    def next_game(self) -> GameSpec | None:
        """Issue the next game; return None if there is none now."""

    @abstractmethod
    def remaining(self) -> int | None:
        """Return the number of games still to be issued; None if there is no limit."""

    def candidate(self, code: str, point: Sequence[float]) -> Player:
        """Return the candidate at a point, as a player with the name `code`."""
        return self._settings.candidate(code, values_at(self.parameters, point))

    def describe(self, point: Sequence[float]) -> str:
        """Return the engine's values at a point as text for reports."""
        return described(self.parameters, values_at(self.parameters, point))

    def checks(self) -> Iterator[GameSpec]:
        """Yield the games for the check before a run: for a sample candidate, and for each other player."""
        yield self._maker.check("", self._sample)
        yield from trials(self.setup, (self._settings, (self._opponent,)))

    def _game(
        self, name: str, pairing: str, players: Sequence[Player], number: int, *, first: int, note: str
    ) -> GameSpec:
        """Return a game of two players.

        Args:
            name: The id of the game.
            pairing: The id of its pairing.
            players: The two players.
            number: The number of the game, which decides its opening.
            first: Which of the players, 0 or 1, has the first seat.
            note: The parameters of the candidates, for the record.
        """
        seated = players[first], players[1 - first]
        return self._maker.game(name, pairing, seated, number, note=f"Candidate parameters: {note}")

    def _note_engine(self, result: GameResult) -> None:
        """Store the report on the opponent's engine, if it has played, in `engines`."""
        pairs = zip(result.players, result.engines, strict=False)
        known = [(code, engine) for code, engine in pairs if MARK not in code]
        if known:
            codes, engines = zip(*known, strict=True)
            self.engines.add(replace(result, players=codes, engines=engines))


T = TypeVar("T")


class SeriesTuner(CandidateTuner, Generic[T]):
    """A tuner that numbers its games from 0 and gives each candidate a block of games (`Series`)."""

    _series: Series[T]

    @property
    def played(self) -> int:
        """The number of games with a result."""
        return self._series.played

    def remaining(self) -> int | None:
        return self._series.remaining


class OpponentTuner(CandidateTuner):
    """A tuner whose candidates all play one opponent, on the side given by the settings."""

    def __init__(
        self, setup: CompetitionSetup, parameters: Sequence[Valued], sample: Sequence[float]
    ) -> None:
        settings = setup.settings_as(OpponentSettings)
        super().__init__(setup, settings, parameters, sample, opponent=settings.opponent)
        self._colour = settings.candidate_colour

    def _spec(self, name: str, pairing: str, code: str, point: Sequence[float], number: int) -> GameSpec:
        """Return the game of a candidate against the opponent.

        Args:
            name: The id of the game.
            pairing: The id of its pairing.
            code: The candidate's name.
            point: The candidate's point.
            number: The number of the game, which decides its opening and the candidate's side.
        """
        players = [self.candidate(code, point), self.setup.players[self._opponent]]
        first = self._colour.seat(number, self.setup.seed, name)
        return self._game(name, pairing, players, number, first=first, note=self.describe(point))


PLUS, MINUS = "+", "-"
"""Suffixes of the codes of two candidates that play each other. A game's score is the first one's score."""


def known_score(result: GameResult) -> float | None:
    """Return the score (0, ½ or 1) of a game's only or first candidate. Return None if it is unknown.

    Raises:
        ConfigError: No candidate played.
    """
    outcome = result.outcome
    if outcome.points is None or outcome.ending is Ending.NO_RESULT:
        return None
    for seat, code in enumerate(result.players):
        if MARK in code and not code.endswith(MINUS):
            return outcome.points[result.team_of(seat)]
    raise ConfigError(f"stored game {quote(result.id)} is not a game of a tuner: it has no candidate")


def score(result: GameResult, *, unknown: float = 0.5) -> float:
    """Return the score (0, ½ or 1) of a game's only or first candidate.

    Args:
        unknown: The score to return if the result is unknown.

    Raises:
        ConfigError: No candidate played.
    """
    known = known_score(result)
    return unknown if known is None else known
