"""A contest in several phases: the best players of one phase go on to the next.

As in SamurAI Coding: groups in which all players meet by stages, then the best of them once more, then the
best of these in a knockout. A phase begins when the one before it is over. If a ruling changes who goes
on, the games of a player in a phase that it is no longer in do not count, and the missing games are
played.

A match is named after its phase, its group if there are several, its round and its players: "A,2,3,a,b".
"""

from collections.abc import Iterator, Sequence
from typing import Any

from gyoji.core.faults import ConfigError
from gyoji.core.plugins import Format
from gyoji.core.record import GameResult
from gyoji.core.setup import CompetitionSetup
from gyoji.core.spec import GameSpec
from gyoji.core.tables import Block, Part
from gyoji.formats.contest.phases import PhaseInPlay, Settings
from gyoji.pairing.field import seeded, trials
from gyoji.results.cross import Cross
from gyoji.results.engine_reports import EngineReports
from gyoji.results.game_ids import game_number
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


class Contest:
    """The contest of a setup, as far as it has been played. See `gyoji.core.ports.Competition`.

    Attributes:
        uncounted: The ids of stored games of phases that are not in the control file.
    """

    def __init__(self, setup: CompetitionSetup) -> None:
        self.setup = setup
        settings = setup.settings_as(Settings)
        helpers = {code for phase in settings.phases for code in (phase.scoring_player, phase.bye_player)}
        self.players = seeded(setup, settings, *helpers)
        _check_sizes(setup, len(self.players))
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
        """The phases in their order. Those that wait for no other have begun."""
        self._go_on()
        return self._phases

    def add(self, result: GameResult) -> None:
        """Count a finished game, once.

        Raises:
            ConfigError: No contest has such a game.
        """
        game_number(result)
        self.engines.add(result)
        phase = self._by_id.get(result.pairing.partition(",")[0])
        if phase is None:
            self.uncounted.add(result.id)
            return
        phase.add(result)

    def keep(self, result: GameResult) -> None:
        """Note who meets whom in a game without a result. See `gyoji.pairing.rounds.KeepsPairs`."""
        phase = self._by_id.get(result.pairing.partition(",")[0])
        if phase is not None:
            phase.keep(result)

    def next_game(self) -> GameSpec | None:
        """Issue the next game of the phase in play."""
        self._go_on()
        return self._phases[self._begun - 1].next_game()

    def remaining(self) -> int:
        return sum(phase.remaining for phase in self.phases)

    def checks(self) -> Iterator[GameSpec]:
        """Yield a game to try each player with, by the settings of its first phase, and one for scoring and
        bye players.
        """
        seen: set[str] = set()
        for number, phase in enumerate(self._phases):
            codes = (*(self.players if number == 0 else ()), phase.settings.bye_player)
            for spec in trials(self.setup, phase.settings, *codes):
                if spec.players[0].code not in seen:
                    seen.add(spec.players[0].code)
                    yield spec

    def crosses(self) -> dict[str, Cross]:
        """Return one cross table for each group of the phases that have begun."""
        return {
            phase.heading(name): rounds.cross
            for phase in self.phases
            for name, rounds in phase.groups.items()
        }

    # Like `Rounds`, phases begin when a caller asks for them: by then all stored results of the phase before
    # have been added.
    def _go_on(self) -> None:
        """Begin the phases that wait for no other."""
        while self._begun < len(self._phases) and (not self._begun or self._phases[self._begun - 1].is_over):
            players = self._phases[self._begun - 1].advancing if self._begun else self.players
            self._begun += 1
            self._phases[self._begun - 1].begin(players, is_first=self._begun == 1)


def _check_sizes(setup: CompetitionSetup, size: int) -> None:
    """Raise ConfigError if a phase has too few players for its groups, or lets more players go on than it
    has.
    """
    for phase in setup.settings_as(Settings).phases:
        if size < 2 * phase.groups:
            raise ConfigError(f"{setup.code}: phases: {phase.id} has too few players for its groups: {size}")
        if phase.advance > size // phase.groups * phase.groups:
            raise ConfigError(
                f"{setup.code}: phases: {phase.id} lets {phase.advance} of {size} players go on: too many"
            )
        size = phase.advance


class ContestTables(EventTables[Contest]):
    """The phases: on the screen the last one first, in the report in order."""

    def screen(self) -> Iterator[Block]:
        for number, phase in enumerate(phase for phase in reversed(self.event.phases) if phase.groups):
            if number:
                yield ""
            yield from _phase_blocks(phase, with_matches=False)

    def summary(self) -> Iterator[str]:
        """Yield how each group of the phase in play stands."""
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
    """Yield how each group of a phase stands, and who goes on."""
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
