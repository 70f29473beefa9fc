"""A format of competition as an extension, in one frozen object.

A distribution registers the object under the entry point group `gyoji.formats`, by the format's name.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Generic, TypeAlias, TypeVar

from gyoji.core.ports import Competition
from gyoji.core.setup import CompetitionSetup
from gyoji.core.tables import Tables

_NONE: Mapping[str, object] = MappingProxyType({})


CompetitionT = TypeVar("CompetitionT", bound=Competition)


@dataclass(frozen=True, slots=True, kw_only=True)
class Format(Generic[CompetitionT]):
    """A format of competition.

    name         as control files name it; that of its entry point.
    settings     a frozen dataclass that says with its types what a control file has to tell
                 (`gyoji.core.setup`).
    competition  the competition that a setup describes, before its first game; `setup.settings` is an
                 instance of `settings`.
    tables       what such a competition shows, which has its setup and engines as attributes then; None: its
                 players and how many points they have.
    ctl_names    further names that Python control files of the format can use.
    """

    name: str
    settings: type
    competition: Callable[[CompetitionSetup], CompetitionT]
    tables: Callable[[CompetitionT], Tables] | None = None
    ctl_names: Mapping[str, object] = field(default_factory=lambda: _NONE)


AnyFormat: TypeAlias = Format[Competition]
"""A format whose competitions only the format itself knows."""
