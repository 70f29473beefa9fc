"""The conformance kit for competition formats: `check_competition` plays one through its port.

It knows no format: playoffs, everyone against everyone, tuners. What it demands is what
`gyoji.core.ports.Competition` promises; the first promise broken raises AssertionError, naming the game.
"""

from collections.abc import Callable, Sequence
from copy import deepcopy
from random import Random
from typing import Any, TypeAlias

from gyoji.core.outcome import Ending, Outcome, lost_by, shared, won_by
from gyoji.core.ports import Competition, adapts, offers
from gyoji.core.record import EngineReport, GameResult, VoidGame
from gyoji.core.spec import GameSpec
from gyoji.core.wire import dumps, loads
from gyoji.pairing.comparison import Comparison
from gyoji.pairing.failures import SetAside
from gyoji.tables.event import Shown

Make: TypeAlias = Callable[[], Competition]
ResultOf: TypeAlias = Callable[[GameSpec], GameResult]

CUTS = 60
"""Prefixes that are resumed from, spread evenly over the games: all of them when there are no more."""

ASIDE = 0.3
"""The share of games that are set aside where some are."""

AHEAD = 5
"""Games in progress at once where several are."""


def drawn_result(spec: GameSpec) -> GameResult:
    """A result for a game of two sides, drawn by its seed: won, lost, level, undecided, or forfeited.

    Now and then the sides have been changed, and the CPU time is not known.
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


def aside_result(spec: GameSpec) -> GameResult:
    """The result that a competition is given of a game that cannot be played."""
    players = spec.codes
    void = VoidGame(id=spec.id, pairing=spec.pairing, players=players, reason="void", started="")
    return SetAside((void,)).result()


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
    """Play the competitions that `make` makes, all alike, and demand what the port promises.

    result_of    the result of a game: a function of the spec alone.
    longest      games to play of an endless competition; one that is not endless has to end in them.
    summary      what its report is made of, to be the same for the same results in any order.
    is_balanced  in every pairing a player sits in each seat equally often, give or take one game.
    is_adaptive  which games there are depends on results: those that come late may change it.
    is_tuner     who plays depends on results and on their order; candidates, with # in their codes, are made
                 as it goes. It is a fold over the results in the order in which they came.
    """
    kit = _Kit(make, result_of, longest, summary, is_tuner=is_tuner)
    kit.check_ends()
    kit.check_pure()
    kit.check_specs()
    kit.check_order()
    kit.check_resume()
    kit.check_copy()
    kit.check_checks()
    kit.check_set_aside()
    if is_tuner:
        kit.check_fold()
    elif not is_adaptive:
        kit.check_parallel()
    if is_balanced:
        kit.check_balance()


class _Kit:
    def __init__(
        self,
        make: Make,
        result_of: ResultOf,
        longest: int,
        summary: Callable[[Any], object],
        *,
        is_tuner: bool,
    ) -> None:
        self.make = make
        self.result_of = result_of
        self.longest = longest
        self.summary = summary
        self.is_tuner = is_tuner
        self.chance = Random(0)
        self.first = make()
        self.specs = self.play(self.first)
        self.results = [result_of(spec) for spec in self.specs]

    def play(
        self,
        competition: Competition,
        *,
        before: int = 0,
        ahead: int = 1,
        came: list[GameResult] | None = None,
    ) -> list[GameSpec]:
        """Play to the end, or until there are `longest` games with the `before` that are finished.

        With `ahead` games in progress at once, which one ends first is drawn. came: the results are added
        to it, as they come.
        """
        issued: list[GameSpec] = []
        running: list[GameSpec] = []
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
                if came is not None:
                    came.append(result)
        _refuse_twins(issued)
        return issued

    def folded(self, results: Sequence[GameResult]) -> Competition:
        competition = self.make()
        for result in results:
            competition.add(result)
        return competition

    def shuffled(self, results: Sequence[GameResult]) -> list[GameResult]:
        """In another order, where the order is not to matter."""
        return list(results) if self.is_tuner else self.chance.sample(results, len(results))

    def check_ends(self) -> None:
        left = self.first.remaining()
        if len(self.specs) < self.longest:
            assert left == 0, f"remaining() is {left} when there is no next game"
            assert self.first.next_game() is None, "there is a game after the last one"
        else:
            assert left is None or left == 0, f"no end after {self.longest} games, and {left} remain"

    def check_pure(self) -> None:
        again = self.play(self.make())
        for one, other in zip(self.specs, again, strict=False):
            assert one == other, f"the same competition gives game {one.id}, then {other.id} in its place"
        assert len(again) == len(self.specs), f"{len(self.specs)} games, then {len(again)}"

    def check_specs(self) -> None:
        comparison = Comparison(self.first.setup) if offers(self.first, Shown) else None
        for spec in self.specs:
            assert "@" not in spec.id, f"game id {spec.id!r}: what comes after an @ is for games played anew"
            if comparison is not None:
                found = comparison.differences(spec)
                assert not found, f"game {spec.id} would not count with others: {found[0].text}"
            assert loads(GameSpec, dumps(spec)) == spec, f"game {spec.id} cannot be sent as JSON"
            assert "/" not in spec.id, f"game id {spec.id!r} cannot be a file's name"

    def check_order(self) -> None:
        """The state is a function of the set of results, one of them given twice."""
        expected = (self.first.remaining(), self.summary(self.first))
        backwards = [] if self.is_tuner else [self.results[::-1]]
        for results in (self.results, self.shuffled(self.results), *backwards):
            competition = self.folded([*results, *results[:1]])
            got = (competition.remaining(), self.summary(competition))
            assert got == expected, f"results in another order: {got}, not {expected}"

    def check_resume(self) -> None:
        """From any number of finished games on, exactly the others are played, each as it would have been."""
        expected = {spec.id: spec for spec in self.specs}
        count = len(self.specs)
        for cut in sorted({round(step * count / CUTS) for step in range(CUTS + 1)}):
            rest = self.play(self.folded(self.shuffled(self.results[:cut])), before=cut)
            done = {result.id for result in self.results[:cut]}
            for spec in rest:
                assert spec.id not in done, f"resumed after {cut} games: {spec.id} is played a second time"
                assert spec == expected.get(spec.id), f"resumed after {cut} games: {spec.id} is another game"
            missing = expected.keys() - done - {spec.id for spec in rest}
            assert not missing, f"resumed after {cut} games: {sorted(missing)} are never played"

    def check_copy(self) -> None:
        """A copy issues the games that the competition would, which notices nothing."""
        half = self.results[: len(self.results) // 2]
        competition = self.folded(half)
        if adapts(competition):
            return
        copied = deepcopy(competition)
        expected = [copied.next_game() for _ in range(AHEAD)]
        got = [competition.next_game() for _ in range(AHEAD)]
        assert got == expected, f"a copy made after {len(half)} games issues others"

    def check_parallel(self) -> None:
        """Several games at once, answered out of order, and then cut off and resumed, are the same games."""
        expected = {spec.id for spec in self.specs}
        got = {spec.id for spec in self.play(self.make(), ahead=AHEAD)}
        assert got == expected, f"with {AHEAD} games at once: {sorted(got ^ expected)} differ"
        scattered = self.results[1::2]
        if len(self.specs) == self.longest:
            return  # endless: what is lacking comes first, and then the count of games differs
        rest = {spec.id for spec in self.play(self.folded(scattered), before=len(scattered))}
        assert rest == expected - {result.id for result in scattered}, "resumed with gaps: other games"

    def check_fold(self) -> None:
        """Games in any order, several at once: the state is that of their results as they came."""
        live = self.make()
        came: list[GameResult] = []
        self.play(live, ahead=AHEAD, came=came)
        expected, got = self.summary(live), self.summary(self.folded(came))
        assert got == expected, f"{AHEAD} games at once, and then folded: {got}, not {expected}"
        stored = came[: len(came) // 2]  # as a run leaves it that is killed with games in progress
        rest = self.play(self.folded(stored), before=len(stored))
        assert not {spec.id for spec in rest} & {result.id for result in stored}, (
            "resumed with gaps: games are played a second time"
        )
        assert len(rest) + len(stored) == len(came), f"resumed with gaps: {len(rest)} games, of {len(came)}"

    def check_set_aside(self) -> None:
        """Some games cannot be played: it goes on without them, and so does one that is resumed."""
        live = self.make()
        came: list[GameResult] = []
        while len(came) < self.longest and (spec := live.next_game()) is not None:
            came.append(aside_result(spec) if Random(spec.seed).random() < ASIDE else self.result_of(spec))
            live.add(came[-1])
        left = live.remaining()
        assert len(came) == self.longest or left == 0, f"it waits for games that are set aside: {left} remain"
        expected, got = self.summary(live), self.summary(self.folded(came))
        assert got == expected, f"with games set aside, and then folded: {got}, not {expected}"

    def check_checks(self) -> None:
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
        seats: dict[tuple[str, str], list[int]] = {}
        for spec in self.specs:
            for seat, player in enumerate(spec.players):
                counts = seats.setdefault((spec.pairing, player.code), [0] * len(spec.players))
                counts[seat] += 1
                uneven = f"{player.code} has sat {counts} times in the seats of {spec.pairing} by {spec.id}"
                assert max(counts) - min(counts) <= 1, uneven


def _refuse_twins(specs: Sequence[GameSpec]) -> None:
    seen: set[str] = set()
    for spec in specs:
        assert spec.id not in seen, f"game {spec.id} was issued twice"
        seen.add(spec.id)
