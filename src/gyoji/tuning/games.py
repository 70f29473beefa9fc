"""The games of candidates against one opponent: settings, who is made, who sits where, what came of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from msgspec.structs import replace

from gyoji.core.faults import ConfigError
from gyoji.core.outcome import Ending
from gyoji.core.record import GameResult
from gyoji.core.setup import CandidateMaker, CompetitionSetup, GameSettings, PlayerCode, StoredGames
from gyoji.core.spec import GameSpec, Player, derive_seed
from gyoji.core.text import quote
from gyoji.pairing.field import EngineReports, check_least, trials
from gyoji.pairing.games import CHECKED, GameMaker, block_of
from gyoji.tuning.parameters import Valued, described, values_at


class CandidateColour(StrEnum):
    """Black has the first seat. Chance is of the game's id, so a game that is replayed has the same side."""

    BLACK = "black"
    WHITE = "white"
    RANDOM = "random"
    ALTERNATING = "alternating"

    @classmethod
    def convert(cls, plain: Any) -> "CandidateColour":
        """The colour of a setting: its name or the first letter of it, in capitals or not.

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
        """The candidate's seat in its game with that number.

        seed: the competition's; game: the id. Alternating: Black in games with an even number.
        """
        if self is CandidateColour.RANDOM:
            return derive_seed(seed, "colour", game) % 2
        if self is CandidateColour.ALTERNATING:
            return number % 2
        return int(self is CandidateColour.WHITE)


@dataclass(frozen=True, slots=True, kw_only=True)
class TunerSettings(GameSettings):
    """How candidates are made, when there have been enough of them, and what is done then.

    stop_below   the tuner stops when no parameters are better by so many Elo points, with 95 %; None: never.
    check_games  games of its result against the start, in the end.
    games_from   games of other events to learn from before the first one.
    """

    candidate: CandidateMaker
    stop_below: float | None = None
    check_games: int = 0
    games_from: StoredGames = field(default_factory=StoredGames)

    def check_tuning(self, parameters: Sequence[Valued]) -> None:
        """Raise ValueError, "key: problem", for what cannot be."""
        if not parameters:
            raise ValueError("parameters: expected one parameter or more")
        check_least(0, check_games=self.check_games)
        if self.stop_below is not None and self.stop_below <= 0:
            raise ValueError(f"stop_below: expected more than 0 Elo points, got {self.stop_below:g}")


@dataclass(frozen=True, slots=True, kw_only=True)
class OpponentSettings(TunerSettings):
    """Whom candidates play against, and which side they have."""

    opponent: PlayerCode
    candidate_colour: CandidateColour

    @property
    def block(self) -> int:
        """How many games in a row are one candidate's: those of an opening, and one of each colour."""
        colours = 2 if self.candidate_colour is CandidateColour.ALTERNATING else 1
        return max(colours, block_of(self))


def check_share(**numbers: float) -> None:
    """Raise ValueError, "key: problem", for a number that is not between 0 and 1."""
    for key, number in numbers.items():
        if not 0 < number < 1:
            raise ValueError(f"{key}: expected more than 0 and less than 1, got {number:g}")


SAMPLE = "candidate"
"""The code of the candidate that is tried before the first game."""

MARK = "#"
"""In the code of every candidate, and of no other player."""

BEST, START = CHECKED
"""The codes of the candidates of a check match."""


class CandidateTuner:
    """The part that tuners share whose candidates play against one opponent: their games.

    engines: the report on the opponent's engine in its last game.
    """

    adapts = True

    def __init__(
        self, setup: CompetitionSetup, parameters: Sequence[Valued], sample: Sequence[float]
    ) -> None:
        """sample: the point of the candidate to try before the first game. Raises ConfigError without one."""
        settings = setup.settings_as(OpponentSettings)
        self.setup = setup
        self.parameters = parameters
        self.engines = EngineReports()
        self._settings = settings
        self._maker = GameMaker(setup, settings)
        self._sample = self.candidate(SAMPLE, sample)

    def candidate(self, code: str, point: Sequence[float]) -> Player:
        """The candidate at a point."""
        return self._settings.candidate(code, values_at(self.parameters, point))

    def describe(self, point: Sequence[float]) -> str:
        """A point as reports show it: by what the engine is given there."""
        return described(self.parameters, values_at(self.parameters, point))

    def checks(self) -> Iterator[GameSpec]:
        """A game for one candidate, which stands for all, and for each other player."""
        yield self._maker.check("", self._sample)
        yield from trials(self.setup, self._settings, self._settings.opponent)

    def _spec(self, name: str, pairing: str, code: str, point: Sequence[float], number: int) -> GameSpec:
        """The game of a candidate at a point against the opponent.

        code: the candidate's. number: of the game, which decides about opening and side.
        """
        values = values_at(self.parameters, point)
        seats = [self._settings.candidate(code, values), self.setup.players[self._settings.opponent]]
        if self._settings.candidate_colour.seat(number, self.setup.seed, name):
            seats.reverse()
        note = f"Candidate parameters: {described(self.parameters, values)}"
        return self._maker.game(name, pairing, (seats[0], seats[1]), number, note=note)

    def _note_engine(self, result: GameResult) -> None:
        """Take note of the opponent's engine."""
        pairs = zip(result.players, result.engines, strict=False)
        known = [(code, engine) for code, engine in pairs if MARK not in code]
        if known:
            codes, engines = zip(*known, strict=True)
            self.engines.add(replace(result, players=codes, engines=engines))


def score(result: GameResult, *, unknown: float = 0.5) -> float:
    """The candidate's score: 1 won, 0 lost, ½ level; `unknown` where nobody can say."""
    outcome = result.outcome
    if outcome.points is None or outcome.ending is Ending.NO_RESULT:
        return unknown
    return outcome.points[result.team_of(candidate_seat(result))]


def candidate_seat(result: GameResult) -> int:
    """The first seat of the candidate. Raises ConfigError for a game without one."""
    for seat, code in enumerate(result.players):
        if MARK in code:
            return seat
    raise ConfigError(f"stored game {quote(result.id)} is not a game of a tuner: it has no candidate")
