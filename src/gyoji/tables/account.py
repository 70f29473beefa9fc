"""All there is to tell of a competition, for reports that are more than text: pages, tables for programs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from gyoji.core.record import EngineReport, GameRecord
from gyoji.core.setup import CompetitionSetup
from gyoji.core.spec import GameSpec
from gyoji.core.tables import Chart, Table
from gyoji.pairing.comparison import Comparison
from gyoji.pairing.cross import Cross
from gyoji.pairing.failures import Failures
from gyoji.stats.ratings import Ratings
from gyoji.tables.digest import Digest

Games: TypeAlias = Iterable[tuple[GameSpec, GameRecord]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """A competition as far as it has been played.

    crosses    what cross tables are made of, by heading; "" for none.
    engines    what players said of themselves.
    ratings    of the whole field, None if there is nothing to rate.
    remaining  games still to be issued, None for a competition without end.
    own        the tables of its format: who is ahead, where that is not a matter of the points of all games;
               the parameters of a tuner.
    text       the lines of the text report.
    comparison which games do not count; None: nobody has looked.
    failures   the void games, and which are set aside; None: nobody has looked.
    games      those of the digest's newest results, with their moves, in the same order. Gone through more
               than once, so it may be read anew each time.
    """

    setup: CompetitionSetup
    digest: Digest
    crosses: Mapping[str, Cross]
    engines: Mapping[str, EngineReport]
    ratings: Ratings | None = None
    remaining: int | None = None
    voids: int = 0
    own: Sequence[Table] = ()
    text: Sequence[str] = ()
    charts: Sequence[Chart] = ()
    comparison: Comparison | None = None
    failures: Failures | None = None
    games: Games = ()
