"""The sequential test (SPRT) of one player against another: a match that stops when the result is
significant.

The first player is tested against the second. Games come in pairs with swapped seats, and with the same
opening if there are openings. A pair is one observation, so an opening that favours a side adds no noise.
`gyoji.stats.sprt` has the theory.

In a game of more than two sides the other seats have the players `others`, or else copies of the second
player. A unit has as many games as sides, with the same seed, in which each player has each seat once. A unit
is one observation: how often the first player finished ahead of the second. An Elo difference predicts the
same share as in a game of two (see `gyoji.stats.plackett_luce`).
"""

# Theory of operation
# -------------------
#
# The decision must be a function of the set of results, but a sequential test depends on their order. So
# observations enter the test in the order of the games' numbers, up to the first missing game:
#
#     add(result) --> _waiting[number] --_count()--> trial.add(points of the pair) --> CONTINUE | H0 | H1
#                                         stops at the first gap, and when the test is decided
#
# Games that end early wait for those before them, so a fast win cannot decide the test before a slow loss is
# in. After the decision no more games are issued. Games in progress then are finished and stored, and change
# nothing. A pair in which a game has no known winner is left out as a whole. A game that waits for the judge
# is a gap until it is ruled.

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from gyoji.core.faults import ConfigError
from gyoji.core.outcome import Ending
from gyoji.core.plugins import GAMES, Format
from gyoji.core.record import GameResult, is_waiting
from gyoji.core.setup import CompetitionSetup, GameSettings, PlayerCode, check_least, refuse_twins
from gyoji.core.spec import GameSpec
from gyoji.core.tables import Block, Chart, Drawing, Gauge, Line
from gyoji.core.text import quote
from gyoji.pairing.competitors import trials
from gyoji.pairing.game_maker import PAIR, sides_of
from gyoji.pairing.pair_competition import UniformPairs
from gyoji.results.cross import Cross
from gyoji.results.tally import PairStats
from gyoji.stats.scores import Scores
from gyoji.stats.sprt import Decision, Model, Sprt
from gyoji.tables.event_tables import EventTables
from gyoji.tables.pair_tables import block, matchup
from gyoji.tables.rankings import Rankings, rankings_table
from gyoji.tables.rating_tables import sprt_facts, sprt_lines


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings(GameSettings):
    """The settings of a test, besides those of its games.

    Attributes:
        competitors: The player under test and its opponent. Empty: the two players of the control file.
        elo0: By how much Elo the first player is stronger than the second if hypothesis H0 is true.
        elo1: The same for hypothesis H1.
        alpha: The probability of accepting H1 if H0 is true.
        beta: The probability of accepting H0 if H1 is true.
        model: The Elo scale of the hypotheses. "normalized" divides by the standard deviation of a game,
            "logistic" does not. Two further scales are for single games: "bayesian" is BayesElo's, as in
            fastchess, and "cutechess" is logistic with BayesElo's draws.
        observations: What one observation is. "pairs": two games with swapped seats, or the games of a unit
            if the game has more sides. "games": a single game.
        rounds: Largest number of games. None: until the test is decided.
        others: The players of the other seats in a game of more than two sides. Empty: the second player.
    """

    competitors: tuple[PlayerCode, ...] = ()
    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: Literal["normalized", "logistic", "bayesian", "cutechess"] = "normalized"
    observations: Literal["pairs", "games"] = "pairs"
    rounds: int | None = None
    others: tuple[PlayerCode, ...] = ()

    def __post_init__(self) -> None:
        GameSettings.__post_init__(self)
        refuse_twins("competitors", self.competitors)
        if twice := [code for code in self.others if code in self.competitors[:1]]:
            raise ValueError(f"others: {quote(twice[0])} is the player under test")
        if self.competitors and len(self.competitors) != 2:
            raise ValueError(f"competitors: expected two, got {len(self.competitors)}")
        if self.observations == "pairs":
            if not Model(self.model).has_pairs:
                raise ValueError(f'observations: expected "games" where model is "{self.model}", got "pairs"')
            is_of_two = GAMES.find(self.game).seats == PAIR
            if is_of_two and self.openings and self.openings.games % 2:
                raise ValueError(
                    f"openings: games: expected an even number for pairs, got {self.openings.games}"
                )
            if is_of_two and self.rounds is not None and self.rounds % 2:
                raise ValueError(f"rounds: expected an even number for pairs, got {self.rounds}")
        check_least(1, rounds=self.rounds)
        if not self.elo0 < self.elo1:
            raise ValueError(f"elo1: expected more than elo0, which is {self.elo0:g}, got {self.elo1:g}")
        self.test()

    @classmethod
    def check_players(cls, table: Mapping[str, object], players: Collection[str]) -> None:
        """Check that it is clear which two players are tested.

        Raises:
            ValueError: `competitors` is missing, and there are not exactly two players for it.
        """
        others = table.get("others")
        seated = {*others} if isinstance(others, list | tuple) else set()
        count = len({*players} - {table.get("scoring_player")} - seated)
        if not table.get("competitors") and count != 2:
            raise ValueError(
                f"competitors: required where players are not two, got {count}: name the player under test, "
                "then its opponent"
            )

    def test(self) -> Sprt:
        """Return the statistical test with these hypotheses and error rates.

        Raises:
            ValueError: A rate or hypothesis is out of range.
        """
        return Sprt(elo0=self.elo0, elo1=self.elo1, alpha=self.alpha, beta=self.beta, model=Model(self.model))


class SequentialTest(UniformPairs):
    """A sequential test. It implements `gyoji.core.ports.Competition`.

    Attributes:
        players: The player under test and its opponent.
        trial: The test with the observations so far: their log likelihood ratio and the decision.
        counted: Number of games, in their order, that the test has looked at.
        left_out: How many of the `counted` games are no evidence, because their observation includes a game
            without a known winner.
        evidence: The points of a chart: a number of games, and the log likelihood ratio after them.
        cross: The results of all games of two sides, games after the decision included.
        sides: Number of sides of a game.
        table: The players that meet in each game, the player under test first.
        rankings: The results of all games of more than two sides.
    """

    has_fixed_games = False

    def __init__(self, setup: CompetitionSetup) -> None:
        self.settings = setup.settings_as(Settings)
        helpers = {self.settings.scoring_player, *self.settings.others}
        idle = tuple(code for code in setup.players if code not in helpers)
        first, second = self.settings.competitors or idle
        self.pairing = f"{first},{second}"
        self.sides = sides_of(setup, self.settings)
        self._unit = self.sides if self.settings.observations == "pairs" else 1
        super().__init__(
            setup,
            self.settings,
            (first, second),
            pairs=1,
            limit=self.settings.rounds,
            block=self._unit,
            sides=None if self.sides > PAIR else PAIR,
        )
        self.table = self._table()
        self.rankings = Rankings()
        scores = None
        if self.sides > PAIR:
            scores = Scores.of_units(self._unit, self._unit * self.table.count(second))
        self.trial = self.settings.test().start(pairs=self._unit == PAIR, scores=scores)
        self.counted = 0
        self.left_out = 0
        self.evidence: list[tuple[float, float]] = [(0, 0)]
        self._waiting: dict[
            int, float | None
        ] = {}  # by number of a game after a gap: the first player's points

    def _table(self) -> tuple[str, ...]:
        """Return the players that meet in each game, the player under test first.

        Raises:
            ConfigError: The settings do not fit the number of sides.
        """
        others, settings = self.settings.others, self.settings
        table = (*self.players, *(others or self.players[1:] * (self.sides - PAIR)))
        where = f"{self.setup.code}: "
        if len(table) != self.sides:
            raise ConfigError(
                f"{where}others: expected {self.sides - PAIR}, as {settings.game} has {self.sides} sides, "
                f"got {len(others)}"
            )
        if self.sides > PAIR and not Model(settings.model).has_pairs:
            raise ConfigError(
                f'{where}model: expected "normalized" or "logistic" in a game of {self.sides} sides, got '
                f'"{settings.model}"'
            )
        if settings.rounds is not None and settings.rounds % self._unit:
            raise ConfigError(
                f"{where}rounds: expected a multiple of {self._unit}, the games of a unit, "
                f"got {settings.rounds}"
            )
        return table

    @property
    def is_decided(self) -> bool:
        """Whether the test has accepted one of its hypotheses."""
        return self.trial.decision is not Decision.CONTINUE

    def next_game(self) -> GameSpec | None:
        """Issue the next game. Return None if the test is decided, or if no game is left."""
        return None if self.is_decided else super().next_game()

    # `rounds` bounds the test from above. The expected number of games is a statistic
    # (`gyoji.stats.sprt_duration`).
    def remaining(self) -> int | None:
        """Return the largest number of games still to be issued; None if only the decision ends the test."""
        return 0 if self.is_decided else super().remaining()

    @property
    def games(self) -> PairStats:
        """The results of all games of the two players; zeros in a game of more than two sides."""
        return next(self.stats())

    def crosses(self) -> dict[str, Cross]:
        return super().crosses() if self.sides == PAIR else {}

    def codes(self, pair: int) -> tuple[str, str]:
        first, second = self.players
        return first, second

    def name(self, pair: int) -> str:
        return self.pairing

    # The order of the two matters: a test of A against B says nothing about the hypotheses of B against A.
    def _pair_of(self, result: GameResult) -> int:
        if result.pairing != self.pairing:
            raise ConfigError(
                f"stored game {quote(result.id)} is not of {' against '.join(self.players)}: "
                "restore the competitors, or reset the competition"
            )
        return 0

    def _spec(self, pair: int, number: int) -> GameSpec:
        if self.sides == PAIR:
            return super()._spec(pair, number)
        unit = number // self.sides
        return self._maker.rotation(self.pairing, self.table, number, self._limit, unit=unit)

    def checks(self) -> Iterator[GameSpec]:
        return trials(self.setup, (self.settings, dict.fromkeys(self.table)))

    def _count(self, pair: int, number: int, result: GameResult) -> None:
        if self.sides == PAIR:
            super()._count(pair, number, result)
        elif result.outcome.ending is not Ending.SKIPPED:
            self.played += 1
            self.rankings.add(result)
        if not is_waiting(result):
            self._waiting[number] = self._points(result)
        # Look at the complete observations in order, until the test is decided.
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

    def _points(self, result: GameResult) -> float | None:
        """Return the first player's points in a game against the second player; None if they are unknown.

        The second player may have several seats. For each, the first player gets 1 point if it finished ahead
        of that seat, ½ for a tie.
        """
        first, second = self.players
        places = dict[str, list[int]]()
        for player, place in zip(result.opponents, result.outcome.places, strict=False):
            places.setdefault(player, []).append(place)
        if first not in places:
            return None
        (own,) = places[first]
        return sum((own < its) + (own <= its) for its in places[second]) / 2


class SequentialTables(EventTables[SequentialTest]):
    """The tables of a sequential test: its state, the games that were left out, and the block of all
    games.
    """

    def screen(self) -> Iterator[Block]:
        event = self.event
        is_vain = not event.is_decided and event.remaining() == 0
        yield " against ".join(event.players) + (": undecided after all its games" if is_vain else "")
        yield from sprt_lines(event.trial.test, event.trial.scores)
        if event.left_out:
            yield f"left out  {event.left_out} games, of {event.settings.observations} that nobody can decide"
        if later := event.played - event.counted:
            lacking = "one before them, or of their pair, is lacking"
            why = "they came after the decision" if event.is_decided else lacking
            yield f"not seen  {later} games: {why}"
        if event.played:
            yield ""
            if event.sides > PAIR:
                yield rankings_table(event.rankings, GAMES.find(event.settings.game))
            else:
                yield from block(event.games)

    def summary(self) -> Iterator[str]:
        """Yield the standings if the game has two sides, then the LLR, its bounds and the decision."""
        if self.event.sides == PAIR:
            yield from super().summary()
        trial = self.event.trial
        test, unit = trial.test, trial.test.model.unit
        hypotheses = (
            f"{test.lower:.2f} (H0: {test.elo0:g} {unit}) to {test.upper:.2f} (H1: {test.elo1:g} {unit})"
        )
        yield f"llr: {trial.llr:.2f}, bounds {hypotheses}: {self._verdict()}"

    def facts(self) -> dict[str, Any]:
        event = self.event
        return {
            "test": {
                "players": event.players,
                "counted": event.counted,
                "left_out": event.left_out,
                **sprt_facts(event.trial.test, event.trial.scores),
            },
            "matchups": [matchup(event.games)] if event.sides == PAIR else [],
        }

    def charts(self) -> tuple[Drawing, ...]:
        """Return a gauge with the LLR between its bounds, and a chart of the LLR by number of games."""
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


FORMAT = Format(name="sprt", settings=Settings, competition=SequentialTest, tables=SequentialTables)
