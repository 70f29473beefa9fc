"""The phases of a contest: their settings, and each in play.

A phase has one group or several, which begin when it is known who is in them.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Literal

from gyoji.core.record import GameResult
from gyoji.core.setup import FROM_TOP, UNIQUE, CompetitionSetup, Identifier, PlayerCode, named
from gyoji.core.spec import GameSpec
from gyoji.core.text import quote
from gyoji.pairing.field import NOBODY, FieldSettings, check_least
from gyoji.pairing.matches import Terms
from gyoji.pairing.rounds import Rounds, System
from gyoji.pairing.scoreboard import BY_OPPONENTS, TableSettings, TieBreak
from gyoji.pairing.swiss import Swiss
from gyoji.pairing.systems import Knockout, Stages


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase(TableSettings):
    """One phase, and how its matches are played.

    id             A, B ... by its position if the user gives none.   name: for reports and records.
    format         how it is played; see the formats of these names.
    groups         into how many it is divided, as equal as they can be, every one with as strong a field.
    advance        how many go on to the next phase, as many from each group; of no meaning for the last one.
    rounds         "stages": how many, None until everybody has met all others; "swiss": how many.
    bye_player     "stages": the opponent of whoever has none; "" for nobody.
    extra_matches  "knockout": how many more matches may follow one that is drawn.
    third_place    "knockout": whether the losers of the semifinals meet.
    """

    id: Identifier = field(metadata=UNIQUE)
    name: str = field(metadata=UNIQUE)
    format: Literal["stages", "swiss", "knockout"]
    groups: int = 1
    advance: int = 0
    games_per_match: int = field(default=2, metadata=FROM_TOP)
    decided_by: Literal["games", "margin"] = field(default="games", metadata=FROM_TOP)
    points: Literal["games", "matches"] = "matches"
    tie_breaks: tuple[TieBreak, ...] = ("margin", "lot")
    rounds: int | None = None
    bye_player: PlayerCode = field(default=NOBODY, metadata=FROM_TOP)
    extra_matches: int = 1
    third_place: bool = True

    @classmethod
    def complete(cls, table: Mapping[str, Any], index: int) -> dict[str, Any]:
        """The id and the name that a phase has if none is given, and how a Swiss one breaks ties."""
        full = named(table, index, "phase")
        if full.get("format") == "swiss":
            full.setdefault("tie_breaks", list(BY_OPPONENTS))
        return full

    def __post_init__(self) -> None:
        TableSettings.__post_init__(self)
        check_least(1, groups=self.groups, rounds=self.rounds)
        check_least(0, advance=self.advance, extra_matches=self.extra_matches)
        if self.format == "swiss" and self.rounds is None:
            raise ValueError('rounds: required, but not given, where format is "swiss"')
        if self.format == "knockout" and self.rounds is not None:
            raise ValueError("rounds: a knockout has as many as it takes")
        if self.advance % self.groups:
            raise ValueError(
                f"advance: expected as many from each of {self.groups} groups, got {self.advance} in all"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings(FieldSettings):
    """A contest's own settings; `phases` in the order in which they are played."""

    phases: tuple[Phase, ...]

    def __post_init__(self) -> None:
        FieldSettings.__post_init__(self)
        if not self.phases:
            raise ValueError("phases: expected one phase or more")
        for index, phase in enumerate(self.phases[:-1]):
            if phase.advance < 2:
                after = self.phases[index + 1].id
                raise ValueError(
                    f"phases: {phase.id} lets {phase.advance} go on to {after}: expected two or more"
                )
            if self.phases[index + 1].groups * 2 > phase.advance:
                raise ValueError(
                    f"phases: {self.phases[index + 1].id} has too few players for its groups: {phase.advance}"
                )
        for phase in self.phases:
            if phase.bye_player in self.competitors:
                raise ValueError(f"phases: bye_player: {quote(phase.bye_player)} is a competitor")

    def settings_of(self, pairing: str) -> Phase | None:
        """The phase that games of a pairing, "A,2,3,a,b", are played in."""
        found = pairing.partition(",")[0]
        return next((phase for phase in self.phases if phase.id == found), None)


class PhaseInPlay:
    """A phase as far as it has been played.

    groups: the rounds of each group by name, "" if there is only one; none until it has begun.
    """

    def __init__(self, setup: CompetitionSetup, settings: Phase, size: int) -> None:
        """size: how many players it will have."""
        self.settings = settings
        self.groups: dict[str, Rounds] = {}
        self._setup = setup
        self._results: dict[str, list[GameResult]] = {}  # that no group has, by what stands before the round
        self._met: dict[str, list[GameResult]] = {}  # to be kept when it begins
        self._turns: deque[Rounds] = deque()
        anybody = [str(number) for number in range(size)]
        matches = (sum(self._system(group).sizes) for group in divided(anybody, settings.groups))
        self._total = sum(matches) * settings.games_per_match

    def begin(self, players: Sequence[str], *, is_first: bool) -> None:
        """Begin with these players, the first seed first. is_first: no other phase says who they are."""
        for number, group in enumerate(divided(players, self.settings.groups), 1):
            group_name = f"group {number}" if self.settings.groups > 1 else ""
            path = (self.settings.id, str(number)) if group_name else (self.settings.id,)
            rounds = self.groups[group_name] = Rounds(
                self._setup,
                self.settings,
                self._system(group),
                path=path,
                name=", ".join(filter(None, (self.settings.name, group_name))),
                is_begin=is_first,
            )
            self._turns.append(rounds)
            for result in self._met.pop(rounds.path, ()):
                rounds.keep(result)
            for result in self._results.pop(rounds.path, ()):
                rounds.add(result)

    def add(self, result: GameResult) -> None:
        """Count a game of this phase, once; when it begins, if it has not."""
        path, rounds = self._group_of(result)
        if rounds is not None:
            rounds.add(result)
        else:
            self._results.setdefault(path, []).append(result)

    def keep(self, result: GameResult) -> None:
        """Take note of who has met whom, before the result is counted."""
        path, rounds = self._group_of(result)
        if rounds is not None:
            rounds.keep(result)
        else:
            self._met.setdefault(path, []).append(result)

    def _group_of(self, result: GameResult) -> tuple[str, Rounds | None]:
        """The beginning of the ids of a game's group, and its rounds, if there is such a group by now."""
        path = result.pairing.rsplit(",", 3)[0]
        return path, next((rounds for rounds in self.groups.values() if rounds.path == path), None)

    def heading(self, group: str) -> str:
        """The name of a group."""
        return f"{self.settings.name}, {group}" if group else self.settings.name

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
        best = [
            rounds.ranking[: self.settings.advance // self.settings.groups] for rounds in self.groups.values()
        ]
        return list(chain.from_iterable(zip(*best, strict=True)))

    @property
    def uncounted(self) -> list[str]:
        """The ids of games that no match has, in order."""
        lost = {result.id for results in self._results.values() for result in results}
        return sorted(lost.union(*(rounds.uncounted for rounds in self.groups.values())))

    def _system(self, players: Sequence[str]) -> System:
        """Who meets whom in a group of these players."""
        phase, seed = self.settings, self._setup.seed
        if phase.format == "stages":
            return Stages(players, phase, rounds=phase.rounds, filler=phase.bye_player, seed=seed)
        if phase.format == "swiss":
            return Swiss(players, phase, rounds=phase.rounds or 0, seed=seed)
        terms = Terms.best_of(phase, extras=phase.extra_matches)
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
