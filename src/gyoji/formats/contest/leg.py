"""One phase of a contest in play: one group or several, which begin when it is known who is in them."""

from collections import deque
from collections.abc import Sequence
from itertools import chain

from gyoji.core.record import GameResult
from gyoji.core.setup import CompetitionSetup
from gyoji.core.spec import GameSpec
from gyoji.formats.contest.settings import Phase
from gyoji.pairing.knockout import Knockout
from gyoji.pairing.matches import Terms
from gyoji.pairing.rounds import Rounds, System
from gyoji.pairing.stages import Stages
from gyoji.pairing.swiss import Swiss


class Leg:
    """A phase as far as it has been played.

    groups: the rounds of each group by name, "" if there is only one; none until it has begun.
    """

    def __init__(self, setup: CompetitionSetup, phase: Phase, size: int) -> None:
        """size: how many players it will have."""
        self.phase = phase
        self.groups: dict[str, Rounds] = {}
        self._setup = setup
        self._results: dict[str, list[GameResult]] = {}  # that no group has, by what stands before the round
        self._turns: deque[Rounds] = deque()
        anybody = [str(number) for number in range(size)]
        matches = (sum(self._system(group).sizes) for group in divided(anybody, phase.groups))
        self._total = sum(matches) * phase.games_per_match

    def begin(self, players: Sequence[str], *, is_first: bool) -> None:
        """Begin with these players, the first seed first. is_first: no other phase says who they are."""
        for number, group in enumerate(divided(players, self.phase.groups), 1):
            group_name = f"group {number}" if self.phase.groups > 1 else ""
            path = (self.phase.id, str(number)) if group_name else (self.phase.id,)
            rounds = self.groups[group_name] = Rounds(
                self._setup,
                self.phase,
                self._system(group),
                path=path,
                name=", ".join(filter(None, (self.phase.name, group_name))),
                is_begin=is_first,
            )
            self._turns.append(rounds)
            for result in self._results.pop(",".join(path), ()):
                rounds.add(result)

    def add(self, result: GameResult) -> None:
        """Count a game of this phase, once; when it begins, if it has not."""
        path = result.pairing.rsplit(",", 3)[0]
        for rounds in self.groups.values():
            if rounds.path == path:
                rounds.add(result)
                return
        self._results.setdefault(path, []).append(result)

    def heading(self, group: str) -> str:
        """The name of a group."""
        return f"{self.phase.name}, {group}" if group else self.phase.name

    def next_game(self) -> GameSpec | None:
        """The next game, of each group in turn."""
        for _ in range(len(self._turns)):
            self._turns.rotate(-1)
            spec = self._turns[-1].next_game()
            if spec is not None:
                return spec
        return None

    @property
    def is_over(self) -> bool:
        """Whether every match is, so that it is certain who goes on."""
        return bool(self.groups) and all(rounds.is_over for rounds in self.groups.values())

    @property
    def remaining(self) -> int:
        """How many games are still to be issued, as far as is known."""
        return sum(rounds.remaining for rounds in self.groups.values()) if self.groups else self._total

    @property
    def advancing(self) -> list[str]:
        """Who goes on, once it is over: the first of each group, then the second of each, and so on."""
        if not self.is_over:
            return []
        best = [rounds.ranking[: self.phase.advance // self.phase.groups] for rounds in self.groups.values()]
        return list(chain.from_iterable(zip(*best, strict=True)))

    @property
    def uncounted(self) -> list[str]:
        """The ids of games that no match has, in order."""
        lost = {result.id for results in self._results.values() for result in results}
        return sorted(lost.union(*(rounds.uncounted for rounds in self.groups.values())))

    def _system(self, players: Sequence[str]) -> System:
        """Who meets whom in a group of these players."""
        phase, seed = self.phase, self._setup.seed
        if phase.format == "stages":
            return Stages(players, phase, rounds=phase.rounds, filler=phase.bye_player, seed=seed)
        if phase.format == "swiss":
            return Swiss(players, phase, rounds=phase.rounds or 0, seed=seed)
        terms = Terms(
            games=phase.games_per_match,
            decided_by=phase.decided_by,
            extras=phase.extra_matches,
            is_best_of=True,
        )
        return Knockout(players, terms, has_third_place=phase.third_place)


def divided(players: Sequence[str], count: int) -> list[list[str]]:
    """Groups of equal strength, if seeds tell it: dealt out to and fro.

    >>> divided("abcdefgh", 3)
    [['a', 'f', 'g'], ['b', 'e', 'h'], ['c', 'd']]
    """
    groups: list[list[str]] = [[] for _ in range(count)]
    for seed, player in enumerate(players):
        turn, place = divmod(seed, count)
        groups[count - 1 - place if turn % 2 else place].append(player)
    return groups
