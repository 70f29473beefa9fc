"""A contest in several phases: the best players of a phase go on to the next phase.

An example is SamurAI Coding: round robins by stages in groups, then a round robin for the best players, then
a knockout for the best of these. A phase begins when the phase before it is over. A ruling may change who
goes on. Then games in a phase do not count if one of their players is no longer among the players of that
phase, and the missing games are played.

The id of a match has its phase, its group if there are several, its round and its players: "A,2,3,a,b".
"""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Literal

from gyoji.core.faults import ConfigError
from gyoji.core.plugins import Format
from gyoji.core.record import GameResult
from gyoji.core.setup import FROM_TOP, UNIQUE, CompetitionSetup, Identifier, PlayerCode, check_least, named
from gyoji.core.spec import GameSpec
from gyoji.core.tables import Block, Part
from gyoji.core.text import quote
from gyoji.pairing.competitors import NOBODY, FieldSettings, divided, seeded, trials
from gyoji.pairing.rounds import Rounds, System
from gyoji.pairing.swiss import Swiss
from gyoji.pairing.systems import Knockout, Stages
from gyoji.results.cross import Cross
from gyoji.results.engine_reports import EngineReports
from gyoji.results.game_ids import game_number
from gyoji.results.matches import Terms
from gyoji.results.scoreboard import BY_OPPONENTS, TableSettings, TieBreak
from gyoji.tables.event_tables import EventTables, uncounted_lines
from gyoji.tables.round_tables import (
    OF_NO_MATCH,
    progress_line,
    round_blocks,
    rounds_facts,
    rounds_parts,
    rounds_summary,
    state,
    terms_line,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase(TableSettings):
    """The settings of a phase.

    Attributes:
        id: The id; A, B ... by position if the control file gives none.
        name: The name in reports and records.
        format: The format of the phase's matches.
        groups: Number of groups, which are as equal as possible in size and strength.
        advance: How many players go on to the next phase, equally many from each group. Without effect in the
            last phase.
        rounds: In format "stages", the number of stages; None until each pair has met. In format "swiss", the
            number of rounds.
        bye_player: In format "stages", the opponent of the competitor that is left over in each stage of a
            group with an odd number of players. It is no competitor and is not ranked. With "" the competitor
            that is left over pauses.
        extra_matches: In format "knockout", how many more matches may follow a drawn one.
        third_place: In format "knockout", whether the losers of the semifinals meet.
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
        """Return the table with default id and name, and with the default tie-breaks of its format."""
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
    """The settings of a contest: its phases in the order in which they are played."""

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
        """Return the phase of games with a pairing id such as "A,2,3,a,b"; None if there is no such phase."""
        found = pairing.partition(",")[0]
        return next((phase for phase in self.phases if phase.id == found), None)


class PhaseInPlay:
    """A phase of a contest: its groups, and results of its games that were added before the phase began.

    Attributes:
        groups: The rounds of each group by its name, "" for a single group. Empty until the phase has begun.
    """

    def __init__(self, setup: CompetitionSetup, settings: Phase, size: int) -> None:
        """Prepare a phase of `size` players."""
        self.settings = settings
        self.groups: dict[str, Rounds] = {}
        self._setup = setup
        self._results: dict[str, list[GameResult]] = {}  # before it begins: by group's part of the pairing id
        self._met: dict[str, list[GameResult]] = {}  # likewise games in progress, for `Rounds.keep`
        self._turns: deque[Rounds] = deque()
        anybody = [str(number) for number in range(size)]
        matches = (sum(self._system(group).sizes) for group in divided(anybody, settings.groups))
        self._total = sum(matches) * settings.games_per_match

    def begin(self, players: Sequence[str], *, is_first: bool) -> None:
        """Begin the phase.

        Args:
            players: Its players, the first seed first.
            is_first: Whether this is the first phase, whose players depend on no results.
        """
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
        """Count a game of this phase. If the game's group has not begun, count it when the group begins."""
        path, rounds = self._group_of(result)
        if rounds is not None:
            rounds.add(result)
        else:
            self._results.setdefault(path, []).append(result)

    def keep(self, result: GameResult) -> None:
        """Keep the players of a game in progress paired when the control file is read again
        (`KeepsPairs`)."""
        path, rounds = self._group_of(result)
        if rounds is not None:
            rounds.keep(result)
        else:
            self._met.setdefault(path, []).append(result)

    def _group_of(self, result: GameResult) -> tuple[str, Rounds | None]:
        """Return the part of a game's pairing id that names its group, and the rounds of that group.

        The rounds are None before the phase has begun, and for a group that does not exist.
        """
        path = result.pairing.rsplit(",", 3)[0]
        return path, next((rounds for rounds in self.groups.values() if rounds.path == path), None)

    def heading(self, group: str) -> str:
        """Return the name of a group for tables."""
        return f"{self.settings.name}, {group}" if group else self.settings.name

    def next_game(self) -> GameSpec | None:
        """Issue the next game. The groups take turns."""
        for _ in range(len(self._turns)):
            self._turns.rotate(-1)
            spec = self._turns[-1].next_game()
            if spec is not None:
                return spec
        return None

    @property
    def is_over(self) -> bool:
        """Whether every match is over, so that it is certain who goes on."""
        return bool(self.groups) and all(rounds.is_over for rounds in self.groups.values())

    @property
    def remaining(self) -> int:
        """Number of games still to be issued, if no match needs extra games or ends early."""
        return sum(rounds.remaining() for rounds in self.groups.values()) if self.groups else self._total

    @property
    def advancing(self) -> list[str]:
        """The players that go on to the next phase: the first of each group, then the second of each, and so
        on.

        The list is empty before the phase is over.
        """
        if not self.is_over:
            return []
        best = [
            rounds.ranking[: self.settings.advance // self.settings.groups] for rounds in self.groups.values()
        ]
        return list(chain.from_iterable(zip(*best, strict=True)))

    @property
    def uncounted(self) -> list[str]:
        """The ids of stored games that belong to no match of this phase, sorted."""
        lost = {result.id for results in self._results.values() for result in results}
        return sorted(lost.union(*(rounds.uncounted for rounds in self.groups.values())))

    def _system(self, players: Sequence[str]) -> System:
        """Return the rule that decides who meets whom in a group of these players."""
        phase, seed = self.settings, self._setup.seed
        if phase.format == "stages":
            return Stages(players, phase, rounds=phase.rounds, filler=phase.bye_player, seed=seed)
        if phase.format == "swiss":
            return Swiss(players, phase, rounds=phase.rounds or 0, seed=seed)
        terms = Terms.best_of(phase, extras=phase.extra_matches)
        return Knockout(players, terms, has_third_place=phase.third_place)


class Contest:
    """A contest. It implements `gyoji.core.ports.Competition`.

    Attributes:
        uncounted: The ids of stored games of phases that are not in the control file.
    """

    def __init__(self, setup: CompetitionSetup) -> None:
        self.setup = setup
        settings = setup.settings_as(Settings)
        helpers = {code for phase in settings.phases for code in (phase.scoring_player, phase.bye_player)}
        self.players = seeded(setup, settings, *helpers)
        size = len(self.players)
        for phase in setup.settings_as(Settings).phases:
            if size < 2 * phase.groups:
                raise ConfigError(
                    f"{setup.code}: phases: {phase.id} has too few players for its groups: {size}"
                )
            if phase.advance > size // phase.groups * phase.groups:
                raise ConfigError(
                    f"{setup.code}: phases: {phase.id} lets {phase.advance} of {size} players go on: too many"
                )
            size = phase.advance
        sizes = [len(self.players), *(phase.advance for phase in settings.phases)]
        self._phases = tuple(
            PhaseInPlay(setup, phase, size) for phase, size in zip(settings.phases, sizes, strict=False)
        )
        self.uncounted: set[str] = set()
        self._by_id: dict[str, PhaseInPlay] = {phase.settings.id: phase for phase in self._phases}
        self.engines = EngineReports()
        self._begun = 0
        self._go_on()

    @property
    def phases(self) -> Sequence[PhaseInPlay]:
        """The phases in their order. Reading this begins each phase whose predecessor is over."""
        self._go_on()
        return self._phases

    def add(self, result: GameResult) -> None:
        """Count a finished game, once.

        Raises:
            ConfigError: The id of the game or of its pairing does not have the form of a contest's. Or the
                game is of the first round of the first phase, but its players do not meet there.
        """
        game_number(result)
        self.engines.add(result)
        phase = self._by_id.get(result.pairing.partition(",")[0])
        if phase is None:
            self.uncounted.add(result.id)
            return
        phase.add(result)

    def keep(self, result: GameResult) -> None:
        """Keep the players of a game in progress paired when the control file is read again
        (`KeepsPairs`)."""
        phase = self._by_id.get(result.pairing.partition(",")[0])
        if phase is not None:
            phase.keep(result)

    def next_game(self) -> GameSpec | None:
        """Issue the next game of the present phase."""
        self._go_on()
        return self._phases[self._begun - 1].next_game()

    def remaining(self) -> int:
        return sum(phase.remaining for phase in self.phases)

    def checks(self) -> Iterator[GameSpec]:
        """Yield one game for each player, with which the player is checked before a run.

        Competitors are checked with the settings of the first phase. The engines that score games or play
        against the player left over (the settings `scoring_player` and `bye_player`) are checked with the
        settings of the first phase that names them.
        """
        settings = [phase.settings for phase in self._phases]
        fillers = [(phase, [phase.bye_player]) for phase in settings]
        return trials(self.setup, (settings[0], self.players), *fillers)

    def crosses(self) -> dict[str, Cross]:
        """Return one cross table for each group of the phases that have begun."""
        return {
            phase.heading(name): rounds.cross
            for phase in self.phases
            for name, rounds in phase.groups.items()
        }

    # Like rounds (`Rounds`), phases begin when a caller asks for them: all stored results of the phase before
    # have been added by then.
    def _go_on(self) -> None:
        """Begin each phase whose predecessor is over."""
        while self._begun < len(self._phases) and (not self._begun or self._phases[self._begun - 1].is_over):
            players = self._phases[self._begun - 1].advancing if self._begun else self.players
            self._begun += 1
            self._phases[self._begun - 1].begin(players, is_first=self._begun == 1)


class ContestTables(EventTables[Contest]):
    """The tables of a contest, by phase: on the screen the last phase first, in the report in order."""

    def screen(self) -> Iterator[Block]:
        for number, phase in enumerate(phase for phase in reversed(self.event.phases) if phase.groups):
            if number:
                yield ""
            yield from _phase_blocks(phase, with_matches=False)

    def summary(self) -> Iterator[str]:
        """Yield lines with the standings of each group of the present phase."""
        for phase in [phase for phase in self.event.phases if phase.groups][-1:]:
            for name, rounds in phase.groups.items():
                yield from rounds_summary(rounds, phase.heading(name))

    def body(self) -> Iterator[Block]:
        for phase in self.event.phases:
            yield ""
            if phase.groups:
                yield terms_line(phase.settings, next(iter(phase.groups.values())).system.terms)
                yield from _phase_blocks(phase, with_matches=True)
                yield from uncounted_lines(phase.uncounted, OF_NO_MATCH)
            else:
                yield f"{phase.settings.name} waits for the phase before it"
        yield ""
        yield from uncounted_lines(self.event.uncounted, OF_NO_MATCH)

    def facts(self) -> dict[str, Any]:
        return {
            "phases": [
                {
                    "id": phase.settings.id,
                    "name": phase.settings.name,
                    "is_over": phase.is_over,
                    "advancing": phase.advancing,
                    "groups": {
                        phase.heading(name): rounds_facts(rounds) for name, rounds in phase.groups.items()
                    },
                    "not_counted": phase.uncounted,
                }
                for phase in self.event.phases
            ],
            "not_counted": sorted(self.event.uncounted),
        }

    def tables(self) -> list[Part]:
        """Return the standings of each group of the phases that have begun, the last phase first."""
        return [
            part
            for phase in reversed(self.event.phases)
            for name, rounds in phase.groups.items()
            for part in rounds_parts(rounds, phase.heading(name))
        ]


def _phase_blocks(phase: PhaseInPlay, *, with_matches: bool) -> Iterator[Block]:
    """Yield the standings of each group of a phase, and the players that go on.

    Args:
        with_matches: Whether to show the matches of each round, too.
    """
    for number, (name, rounds) in enumerate(phase.groups.items()):
        if number:
            yield ""
        yield f"{phase.heading(name)}: {progress_line(rounds)}"
        yield ""
        yield from state(rounds)
        if with_matches:
            yield from round_blocks(rounds)
    if phase.advancing:
        yield ""
        yield f"go on: {', '.join(phase.advancing)}"


FORMAT = Format(name="contest", settings=Settings, competition=Contest, tables=ContestTables)
