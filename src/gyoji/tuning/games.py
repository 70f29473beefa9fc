"""The games of candidates against one opponent: who is made, who sits where, what came of it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from gyoji.core.faults import ConfigError
from gyoji.core.outcome import Ending
from gyoji.core.record import EngineReport, GameResult
from gyoji.core.setup import CompetitionSetup
from gyoji.core.spec import GameSpec, Player
from gyoji.core.text import quote
from gyoji.pairing.games import GameMaker
from gyoji.pairing.introductions import Introductions
from gyoji.tuning.parameters import Valued, described, values_at
from gyoji.tuning.settings import OpponentSettings

SAMPLE = "candidate"
"""The code of the candidate that is tried before the first game."""

MARK = "#"
"""In the code of every candidate, and of no other player."""


class CandidateGames:
    """Makes the games of a tuner, and remembers what the opponent's engine said of itself.

    sample: the point of the candidate to try before the first game. Raises ConfigError if there can be none.
    """

    def __init__(
        self, setup: CompetitionSetup, parameters: Sequence[Valued], sample: Sequence[float]
    ) -> None:
        settings: OpponentSettings = setup.settings
        self._setup = setup
        self._settings = settings
        self._parameters = parameters
        self._opponent = setup.players[settings.opponent]
        self._maker = GameMaker(setup, settings)
        self._introductions = Introductions()
        self._sample = self._made(SAMPLE, values_at(parameters, sample))

    @property
    def engines(self) -> Mapping[str, EngineReport]:
        """The report on the opponent's engine in its last game."""
        return self._introductions.engines

    def describe(self, point: Sequence[float]) -> str:
        """A point as reports show it: by what the engine is given there."""
        return described(self._parameters, values_at(self._parameters, point))

    def spec(self, name: str, pairing: str, code: str, point: Sequence[float], number: int) -> GameSpec:
        """The game of a candidate at a point against the opponent.

        code: the candidate's. number: of the game, which decides about opening and side.
        """
        values = values_at(self._parameters, point)
        seats = [self._made(code, values), self._opponent]
        if self._settings.candidate_colour.seat(number, self._setup.seed, name):
            seats.reverse()
        note = f"Candidate parameters: {described(self._parameters, values)}"
        return self._maker.game(name, pairing, (seats[0], seats[1]), number, note=note)

    def add(self, result: GameResult) -> None:
        """Take note of the opponent's engine."""
        pairs = zip(result.players, result.engines, strict=False)
        known = [(code, engine) for code, engine in pairs if MARK not in code]
        if known:
            codes, engines = zip(*known, strict=True)
            self._introductions.add(replace(result, players=codes, engines=engines))

    def checks(self) -> Iterator[GameSpec]:
        """A game for one candidate, which stands for all, and for each other player."""
        yield self._maker.check("", self._sample)
        for code in dict.fromkeys((self._settings.opponent, self._settings.scoring_player)):
            if code:
                yield self._maker.check("", self._setup.players[code])

    def _made(self, code: str, values: Sequence[Any]) -> Player:
        return self._settings.candidate(code, values)


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
    raise ConfigError(f"stored game {quote(result.id)} is no game of a tuner: nobody in it is a candidate")
