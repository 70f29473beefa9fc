"""The test of one player against another that stops by itself: a sequential probability ratio test (SPRT).

The first player is being tested against the second. Games come in pairs: the players change places, and where
there are openings, both games have the same one; a pair is one observation, so that an opening that favours
one side makes no noise. `gyoji.stats.sprt` has the theory.

The decision is a function of the set of results, although a sequential test depends on their order:
observations are looked at in the order of the games' numbers, up to the first that is lacking. Games that end
early wait for those before them. When it is decided no more games are issued; those in progress then are
finished and stored, and change nothing. A pair with a game that nobody can decide is left out.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from gyoji.core.faults import ConfigError
from gyoji.core.plugins import Format
from gyoji.core.record import GameResult, is_waiting
from gyoji.core.setup import CompetitionSetup, GameSettings, PlayerCode
from gyoji.core.spec import GameSpec
from gyoji.core.tables import Block, Chart, Drawing, Endings, Gauge, Line
from gyoji.core.text import quote
from gyoji.pairing.cross import Cross
from gyoji.pairing.field import EngineReports, check_least, refuse_twins, trials
from gyoji.pairing.games import GameMaker, block_of, game_number
from gyoji.pairing.schedule import Schedule
from gyoji.pairing.tally import PairStats
from gyoji.stats.sprt import Decision, Model, Sprt
from gyoji.tables.event import EventTables
from gyoji.tables.pairs import block, pair_values
from gyoji.tables.ratings import sprt_lines, sprt_values


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings(GameSettings):
    """A test's own settings, beside those of its games.

    competitors   the player under test and its opponent; none given: the two players of the control file.
    elo0, elo1    the strength of the first above the second, by H0 and by H1.
    alpha, beta   how often H1 and H0 may be accepted wrongly.
    model         what these Elo are: "normalized" by the deviation of a game, "logistic" (the usual ones), or
                  of single games only "bayesian" (BayesElo's, as fastchess has it) or "cutechess" (the usual
                  ones, with BayesElo's draws), of which "bayeselo" is an older name.
    observations  "pairs": two games with changed places are looked at together; "games": each for itself.
    rounds        how many games there are at most; None: until it is decided.
    """

    competitors: tuple[PlayerCode, ...] = ()
    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: Literal["normalized", "logistic", "bayesian", "cutechess", "bayeselo"] = "normalized"
    observations: Literal["pairs", "games"] = "pairs"
    rounds: int | None = None

    def __post_init__(self) -> None:
        GameSettings.__post_init__(self)
        refuse_twins("competitors", self.competitors)
        if self.competitors and len(self.competitors) != 2:
            raise ValueError(f"competitors: expected two, got {len(self.competitors)}")
        if self.observations == "pairs":
            if not Model(self.model).has_pairs:
                raise ValueError(f'observations: expected "games" where model is "{self.model}", got "pairs"')
            if self.openings and self.openings.games % 2:
                raise ValueError(
                    f"openings: games: expected an even number for pairs, got {self.openings.games}"
                )
            if self.rounds is not None and self.rounds % 2:
                raise ValueError(f"rounds: expected an even number for pairs, got {self.rounds}")
        check_least(1, rounds=self.rounds)
        if not self.elo0 < self.elo1:
            raise ValueError(f"elo1: expected more than elo0, which is {self.elo0:g}, got {self.elo1:g}")
        self.test()

    @classmethod
    def check_players(cls, table: Mapping[str, object], players: Collection[str]) -> None:
        """Raise ValueError where it is not said who of more than two is tested, or there are fewer."""
        count = len({*players} - {table.get("scoring_player")})
        if not table.get("competitors") and count != 2:
            raise ValueError(
                f"competitors: required where players are not two, got {count}: name the player under test, "
                "then its opponent"
            )

    def test(self) -> Sprt:
        """The test itself. Raises ValueError for rates and hypotheses that there are no tests of."""
        return Sprt(elo0=self.elo0, elo1=self.elo1, alpha=self.alpha, beta=self.beta, model=Model(self.model))


class SequentialTest:
    """The test of a setup, as far as it has been played. See `gyoji.core.ports.Competition`.

    players   the one under test, and its opponent.
    trial     what is decided, and by what; see `gyoji.stats.sprt`.
    counted   how many games have been looked at, in order; left_out: how many of them are in observations
              with a game that nobody can decide.
    evidence  the LLR after so many games.
    cross     all games, those included that came after the decision.
    """

    def __init__(self, setup: CompetitionSetup) -> None:
        self.setup = setup
        self.settings = setup.settings_as(Settings)
        idle = tuple(code for code in setup.players if code != self.settings.scoring_player)
        first, second = self.settings.competitors or idle
        self.players = first, second
        self.pairing = ",".join(self.players)
        self.trial = self.settings.test().start(pairs=self.settings.observations == "pairs")
        self.counted = 0
        self.left_out = 0
        self.evidence: list[tuple[float, float]] = [(0, 0)]
        self.cross = Cross(self.players)
        self._unit = 2 if self.settings.observations == "pairs" else 1
        self._waiting: dict[int, float | None] = {}  # points of the first player in games after a gap
        self._schedule = Schedule([self.settings.rounds], [max(self._unit, block_of(self.settings))])
        self._maker = GameMaker(setup, self.settings)
        self.engines = EngineReports()

    @property
    def is_decided(self) -> bool:
        return self.trial.decision is not Decision.CONTINUE

    def add(self, result: GameResult) -> None:
        """Count a finished game, once. Raises ConfigError for one of another test."""
        number = game_number(result)
        if result.pairing != self.pairing:
            raise ConfigError(
                f"stored game {quote(result.id)} is not of {' against '.join(self.players)}: "
                "restore the competitors, or reset the competition"
            )
        if not self._schedule.finish(0, number):
            return
        self.engines.add(result)
        self.cross.add(result)
        if not is_waiting(result):
            self._waiting[number] = _points(result, self.players[0])
            self._look()

    def next_game(self) -> GameSpec | None:
        """The next game, unless it is decided."""
        found = None if self.is_decided else self._schedule.next()
        if found is None:
            return None
        first, second = (self.setup.players[code] for code in self.players)
        return self._maker.spec(self.pairing, found[1], self.settings.rounds, (first, second), swaps=True)

    def remaining(self) -> int | None:
        """How many games are still to be issued at most; None where it depends on the results alone."""
        return 0 if self.is_decided else self._schedule.remaining

    def checks(self) -> Iterator[GameSpec]:
        """A game for each of the two, and for the player that scores."""
        return trials(self.setup, self.settings, *self.players)

    def crosses(self) -> dict[str, Cross]:
        """One, of all games."""
        return {"": self.cross}

    def stats(self) -> PairStats:
        """All games of the two."""
        return self.cross.pair_stats(self.pairing, self.players, self.settings, limit=self.settings.rounds)

    def _look(self) -> None:
        """Look at the observations that are complete, in order, until it is decided."""
        while not self.is_decided:
            numbers = range(self.counted, self.counted + self._unit)
            if not all(number in self._waiting for number in numbers):
                return
            points = [self._waiting.pop(number) for number in numbers]
            self.counted += self._unit
            known = [each for each in points if each is not None]
            if len(known) == self._unit:
                self.trial = self.trial.add(sum(known))
                self.evidence.append((self.counted, self.trial.llr))
            else:
                self.left_out += self._unit


def _points(result: GameResult, player: str) -> float | None:
    """The points of a player in a game; None if nobody can say."""
    winner = result.outcome.winner
    if winner is None:
        return 0.5 if result.outcome.is_level else None
    return float(result.opponents[winner] == player)


class SequentialTables(EventTables[SequentialTest]):
    """The test so far, the games it left out, and the block of all games."""

    def screen(self) -> Iterator[Block]:
        event = self.event
        is_vain = not event.is_decided and event.remaining() == 0
        yield " against ".join(event.players) + (": undecided after all its games" if is_vain else "")
        yield from sprt_lines(event.trial.test, event.trial.scores)
        yield from self._omissions()
        stats = event.stats()
        if stats.played:
            yield ""
            yield from block(stats)

    def brief(self) -> Iterator[str]:
        """Who is ahead, and how far the test is."""
        yield from super().brief()
        trial = self.event.trial
        test, unit = trial.test, trial.test.model.unit
        hypotheses = (
            f"{test.lower:.2f} (H0: {test.elo0:g} {unit}) to {test.upper:.2f} (H1: {test.elo1:g} {unit})"
        )
        yield f"llr: {trial.llr:.2f}, bounds {hypotheses}: {self._verdict()}"

    def own_values(self, endings: Endings) -> dict[str, Any]:
        event = self.event
        return {
            "test": {
                "players": list(event.players),
                "counted": event.counted,
                "left_out": event.left_out,
                **sprt_values(event.trial.test, event.trial.scores),
            },
            "matchups": [pair_values(event.stats(), endings.get(event.pairing, {}))],
        }

    def charts(self) -> tuple[Drawing, ...]:
        """How far the test is, and the evidence game by game, between the bounds at which it is decided."""
        trial = self.event.trial
        test = trial.test
        unit = test.model.unit
        gauge = Gauge(
            title="The test",
            key="LLR",
            value=trial.llr,
            lower=test.lower,
            upper=test.upper,
            below=f"H0: {test.elo0:g} {unit}",
            above=f"H1: {test.elo1:g} {unit}",
            verdict=self._verdict(),
        )
        chart = Chart(
            title="The evidence",
            note="The log likelihood ratio of the hypotheses: the test ends where it leaves its bounds.",
            lines=(Line("LLR", tuple(self.event.evidence)),),
            y="LLR",
            limits=(("H0 is accepted below", test.lower), ("H1 is accepted above", test.upper)),
        )
        return gauge, chart

    def _verdict(self) -> str:
        event, test = self.event, self.event.trial.test
        (first, second), after = event.players, f"after {event.counted} games"
        if not event.is_decided:
            return f"Undecided {after}: {first} against {second}."
        is_h1 = event.trial.decision is Decision.H1
        better, worse = (test.elo1, test.elo0) if is_h1 else (test.elo0, test.elo1)
        fits = f"the results fit {better:g} {test.model.unit} better than {worse:g}"
        passed, kept = ("passed", "H1") if is_h1 else ("not passed", "H0")
        return f"{first} has {passed} {after} against {second}: {fits} ({kept} is accepted)."

    def _omissions(self) -> Iterator[str]:
        """Which games were not looked at, and why."""
        event = self.event
        if event.left_out:
            yield f"left out  {event.left_out} games, of {event.settings.observations} that nobody can decide"
        if later := event.stats().played - event.counted:
            lacking = "one before them, or of their pair, is lacking"
            why = "they came after the decision" if event.is_decided else lacking
            yield f"not seen  {later} games: {why}"


FORMAT = Format(name="sprt", settings=Settings, competition=SequentialTest, tables=SequentialTables)
