"""The conformance kit for competition formats: `check_competition` plays a competition without engines.

The kit knows no format. The first violation of `gyoji.core.ports.Competition` raises AssertionError with the
game.
"""

# The state of a competition follows from its results, so everything is checked by comparing two ways to the
# same results: in one run and resumed, one game at a time and several, in order and shuffled, original and
# copy. All other runs are compared with the games of the first run (`specs`, `results`). Results are derived
# from the spec's seed, so that a game that is played twice ends the same way.

from collections import Counter
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from random import Random
from typing import Any, TypeAlias

from gyoji.core.outcome import Ending, Outcome, lost_by, shared, won_by
from gyoji.core.ports import Competition, adapts, supports
from gyoji.core.record import EngineReport, GameResult, VoidGame
from gyoji.core.spec import GameSpec
from gyoji.core.wire import dumps, loads
from gyoji.results.comparison import Comparison
from gyoji.results.failures import SkippedGame
from gyoji.tables.event_tables import Shown

Make: TypeAlias = Callable[[], Competition]
ResultOf: TypeAlias = Callable[[GameSpec], GameResult]

CUTS = 60
"""The maximum number of interruptions that are tried, evenly spaced over the games."""

SKIPPED_SHARE = 0.3
"""Share of skipped games in the check of skipped games."""

AHEAD = 5
"""Number of games in progress at once in the checks of parallel games."""


def drawn_result(spec: GameSpec) -> GameResult:
    """Return a random result of a game of two sides: won, lost, tied, undecided, or forfeited.

    The seed of the game decides the result. In some results the sides were swapped, or the CPU time is
    unknown.
    """
    chance = Random(spec.seed)
    outcomes = (
        Outcome(points=won_by(0, 2), ending=Ending.SCORE),
        Outcome(points=won_by(1, 2), ending=Ending.RESIGNATION, seat=0),
        Outcome(points=shared(2), ending=Ending.SCORE),
        Outcome(points=None, ending=Ending.MOVE_LIMIT),
        Outcome(points=lost_by(0, 2), ending=Ending.TIME, seat=0),
        Outcome(points=lost_by(1, 2), ending=Ending.ILLEGAL_MOVE, seat=1),
    )
    return GameResult(
        id=spec.id,
        pairing=spec.pairing,
        players=spec.codes,
        outcome=chance.choice(outcomes),
        turns=chance.randrange(60),
        engines=tuple(
            EngineReport(
                name=f"{player.code} {spec.id}",
                cpu_ns=chance.choice((None, 7, 10**9)),
                think_ns=chance.randrange(10**9),
            )
            for player in spec.players
        ),
        started=f"2026-11-21T{chance.randrange(24):02}:00:00Z",
        wall_ns=1,
        sides=chance.choice(((), (), (1, 0))) if len(spec.players) == 2 else (),
    )


def skipped_result(spec: GameSpec) -> GameResult:
    """Return the result that a competition gets for a skipped game."""
    void = VoidGame(id=spec.id, pairing=spec.pairing, players=spec.codes, reason="void", started="")
    return SkippedGame((void,)).result()


def check_competition(
    make: Make,
    result_of: ResultOf,
    *,
    longest: int = 500,
    summary: Callable[[Any], object] = lambda _: None,
    is_balanced: bool = False,
    is_adaptive: bool = False,
    is_tuner: bool = False,
) -> None:
    """Play the same competition several times, and check what `gyoji.core.ports.Competition` demands.

    Args:
        make: Returns a new competition, each time the same one.
        result_of: Returns the result of a game, which must depend on the spec alone.
        longest: Number of games to play of an endless competition. Any other one must end within this number.
        summary: Returns the content of the report, which must not depend on the order of results.
        is_balanced: Whether each player of a pairing must at any time have had each seat equally often,
            give or take one game.
        is_adaptive: Whether results decide which games there are, so that late results may change them.
        is_tuner: Whether the competition is a tuner: the order of results matters, and candidates with # in
            their codes are created during the event.
    """
    kit = _Kit(make=make, result_of=result_of, longest=longest, summary=summary, is_tuner=is_tuner)
    kit.check_ends()
    kit.check_pure()
    kit.check_specs()
    kit.check_order()
    kit.check_resume()
    kit.check_copy()
    kit.check_checks()
    kit.check_skipped()
    if is_tuner:
        kit.check_fold()
    elif not is_adaptive:
        kit.check_parallel()
    if is_balanced:
        kit.check_balance()


@dataclass(kw_only=True)
class _Kit:
    """The checks of one competition. The first five fields are arguments of `check_competition`.

    Attributes:
        first: The competition after a run without interruptions.
        specs: The games of that run, in the order in which they were issued.
        results: Their results in the same order.
    """

    make: Make
    result_of: ResultOf
    longest: int
    summary: Callable[[Any], object]
    is_tuner: bool

    def __post_init__(self) -> None:
        self.chance = Random(0)
        self.first = self.make()
        self.specs, self.results = self.play(self.first)

    def play(
        self, competition: Competition, *, before: int = 0, ahead: int = 1
    ) -> tuple[list[GameSpec], list[GameResult]]:
        """Play a competition to its end, or until it has `longest` games.

        Args:
            before: Number of results that the competition already has.
            ahead: Number of games in progress at once. Which one ends first is random.

        Returns:
            (games in the order of issue, results in the order of arrival).
        """
        issued: list[GameSpec] = []
        running: list[GameSpec] = []
        came: list[GameResult] = []
        is_open = True
        while is_open or running:
            if is_open and len(running) < ahead:
                spec = competition.next_game() if before + len(issued) < self.longest else None
                is_open = spec is not None or (bool(running) and before + len(issued) < self.longest)
                if spec is not None:
                    issued.append(spec)
                    running.append(spec)
                    continue
            if running:
                result = self.result_of(running.pop(self.chance.randrange(len(running))))
                competition.add(result)
                came.append(result)
        ids = Counter(spec.id for spec in issued)
        # A game that is issued twice would be stored under one id, so the second result would be lost.
        assert len(ids) == len(issued), f"game {ids.most_common(1)[0][0]} was issued twice"
        return issued, came

    def folded(self, results: Sequence[GameResult]) -> Competition:
        """Return a new competition with these results added."""
        competition = self.make()
        for result in results:
            competition.add(result)
        return competition

    def shuffled(self, results: Sequence[GameResult]) -> list[GameResult]:
        """Return the results in random order; for a tuner, whose order matters, unchanged."""
        return list(results) if self.is_tuner else self.chance.sample(results, len(results))

    def check_ends(self) -> None:
        """Check that the first run ended by itself, unless it reached `longest` games."""
        left = self.first.remaining()
        if len(self.specs) < self.longest:
            assert left == 0, f"remaining() is {left} when there is no next game"
            assert self.first.next_game() is None, "there is a game after the last one"
        else:
            assert left is None or left == 0, f"no end after {self.longest} games, and {left} remain"

    def check_pure(self) -> None:
        """Check that an equal competition issues the same games."""
        again, _ = self.play(self.make())
        for one, other in zip(self.specs, again, strict=False):
            assert one == other, f"the same competition gives game {one.id}, then {other.id} in its place"
        assert len(again) == len(self.specs), f"{len(self.specs)} games, then {len(again)}"

    def check_specs(self) -> None:
        """Check that each game can be stored, compared with others and sent to a worker."""
        comparison = Comparison(self.first.setup) if supports(self.first, Shown) else None
        for spec in self.specs:
            assert "@" not in spec.id, f"game id {spec.id!r}: what comes after an @ is for games played anew"
            if comparison is not None:
                found = comparison.differences(spec)
                assert not found, f"game {spec.id} would not count with others: {found[0].text}"
            assert loads(GameSpec, dumps(spec)) == spec, f"game {spec.id} cannot be sent as JSON"
            assert "/" not in spec.id, f"game id {spec.id!r} cannot be a file's name"

    def check_order(self) -> None:
        """Check that neither the order of results nor a result that is added twice matters."""
        expected = (self.first.remaining(), self.summary(self.first))
        backwards = [] if self.is_tuner else [self.results[::-1]]
        for results in (self.results, self.shuffled(self.results), *backwards):
            competition = self.folded([*results, *results[:1]])
            got = (competition.remaining(), self.summary(competition))
            assert got == expected, f"results in another order: {got}, not {expected}"

    def check_resume(self) -> None:
        """Check that an interrupted competition continues with exactly the missing games, unchanged."""
        expected = {spec.id: spec for spec in self.specs}
        count = len(self.specs)
        for cut in sorted({round(step * count / CUTS) for step in range(CUTS + 1)}):
            rest, _ = self.play(self.folded(self.shuffled(self.results[:cut])), before=cut)
            done = {result.id for result in self.results[:cut]}
            for spec in rest:
                assert spec.id not in done, f"resumed after {cut} games: {spec.id} is played a second time"
                assert spec == expected.get(spec.id), f"resumed after {cut} games: {spec.id} is another game"
            missing = expected.keys() - done - {spec.id for spec in rest}
            assert not missing, f"resumed after {cut} games: {sorted(missing)} are never played"

    def check_copy(self) -> None:
        """Check that a copy of a competition issues the same games and does not change the original.

        Nothing is checked for a competition whose results decide who plays next.
        """
        half = self.results[: len(self.results) // 2]
        competition = self.folded(half)
        if adapts(competition):
            return
        copied = deepcopy(competition)
        expected = [copied.next_game() for _ in range(AHEAD)]
        got = [competition.next_game() for _ in range(AHEAD)]
        assert got == expected, f"a copy made after {len(half)} games issues others"

    def check_parallel(self) -> None:
        """Check that the games are the same if several are in progress and results arrive in another order.

        An interruption is tried in that state, too.
        """
        expected = {spec.id for spec in self.specs}
        got = {spec.id for spec in self.play(self.make(), ahead=AHEAD)[0]}
        assert got == expected, f"with {AHEAD} games at once: {sorted(got ^ expected)} differ"
        scattered = self.results[1::2]
        if len(self.specs) == self.longest:
            return  # endless: what is lacking comes first, and then the count of games differs
        rest = {spec.id for spec in self.play(self.folded(scattered), before=len(scattered))[0]}
        assert rest == expected - {result.id for result in scattered}, "resumed with gaps: other games"

    def check_fold(self) -> None:
        """Check that a tuner that had several games in progress can be rebuilt from its results alone.

        The results are added to a new tuner one by one, and both must report the same. A tuner must also
        resume from half of its results without repeating a game.
        """
        live = self.make()
        _, came = self.play(live, ahead=AHEAD)
        expected, got = self.summary(live), self.summary(self.folded(came))
        assert got == expected, f"{AHEAD} games at once, and then folded: {got}, not {expected}"
        stored = came[: len(came) // 2]  # as a run leaves it that is killed with games in progress
        rest, _ = self.play(self.folded(stored), before=len(stored))
        assert not {spec.id for spec in rest} & {result.id for result in stored}, (
            "resumed with gaps: games are played a second time"
        )
        assert len(rest) + len(stored) == len(came), f"resumed with gaps: {len(rest)} games, of {len(came)}"

    def check_skipped(self) -> None:
        """Check that a competition goes on after skipped games, and can then be resumed."""
        live = self.make()
        came: list[GameResult] = []
        while len(came) < self.longest and (spec := live.next_game()) is not None:
            came.append(
                skipped_result(spec) if Random(spec.seed).random() < SKIPPED_SHARE else self.result_of(spec)
            )
            live.add(came[-1])
        left = live.remaining()
        assert len(came) == self.longest or left == 0, f"it waits for games that are skipped: {left} remain"
        expected, got = self.summary(live), self.summary(self.folded(came))
        assert got == expected, f"with games skipped, and then folded: {got}, not {expected}"

    def check_checks(self) -> None:
        """Check that `checks` has one game for each player that plays, whichever games have ended.

        These are the games in which engines are checked before a run. A tuner's candidates need none.
        """
        tried = [spec.players[0].code for spec in self.first.checks()]
        assert tried == [spec.players[0].code for spec in self.make().checks()], (
            "checks() changes as games end"
        )
        assert len(set(tried)) == len(tried), f"checks() names a player twice: {tried}"
        commands = {player.command for spec in self.first.checks() for player in spec.players}
        for spec in self.specs:
            for player in spec.players:
                if not (self.is_tuner and "#" in player.code):
                    assert player.command in commands, f"{player.code} plays in {spec.id} and is not checked"

    def check_balance(self) -> None:
        """Check that each player of a pairing always has had each seat equally often, give or take a game."""
        seats: dict[tuple[str, str], list[int]] = {}
        for spec in self.specs:
            for seat, player in enumerate(spec.players):
                counts = seats.setdefault((spec.pairing, player.code), [0] * len(spec.players))
                counts[seat] += 1
                uneven = f"{player.code} has sat {counts} times in the seats of {spec.pairing} by {spec.id}"
                assert max(counts) - min(counts) <= 1, uneven
