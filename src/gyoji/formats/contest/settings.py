"""The settings of a contest in several phases, checked."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from gyoji.core.setup import FROM_TOP, UNIQUE, Identifier, PlayerCode, named
from gyoji.core.text import quote
from gyoji.pairing.field import NOBODY, FieldSettings
from gyoji.pairing.scoreboard import BY_OPPONENTS, TableSettings, TieBreak


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
        for name, least in (("groups", 1), ("advance", 0), ("extra_matches", 0)):
            if getattr(self, name) < least:
                raise ValueError(f"{name}: expected {least} or more, got {getattr(self, name)}")
        if self.rounds is not None and self.rounds < 1:
            raise ValueError(f"rounds: expected 1 or more, got {self.rounds}")
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
