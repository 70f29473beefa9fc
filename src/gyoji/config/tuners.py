"""The settings of tuners in a control file: a maker of candidates. (Games of other events: `stored_games`.)

A candidate is a player's table with gaps in it, or a function that makes such a table. A table is read once,
gaps and all, and filled for each candidate; what a function of a Python control file returns is read anew
each time, with the checks that every player has.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from msgspec import Struct, structs
from msgspec.structs import replace

from gyoji.config.document import Document, KeyPath, Problems, shown, suggest
from gyoji.config.players import PlayerDefaults, read_player
from gyoji.config.values import BAD, Reader
from gyoji.core.faults import ConfigError
from gyoji.core.spec import Player


class MadeTable(NamedTuple):
    """A player's table that a function of the file has made. line: where in the file."""

    table: Mapping[str, Any]
    line: int


MakeTable = Callable[[Sequence[Any]], MadeTable]
"""Makes the table of a player with these values. Raises ConfigError."""


def read_candidates(
    reader: Reader,
    path: KeyPath,
    given: Any,
    document: Document,
    *,
    defaults: PlayerDefaults,
    parameters: Any,
) -> Any:
    """The `CandidateMaker` that the setting at `path` gives, or `BAD`.

    given: a table, or what a `MakeTable` is. parameters: those of the tuner, or `BAD`.
    """
    if callable(given):
        return _Called(given, path, document, defaults)
    table = reader.table(path, given)
    if table is None:
        return BAD
    player = read_player(reader, path, table, document, code="candidate", defaults=defaults)
    if player is None or parameters is BAD:
        return BAD
    codes = tuple(parameter.code for parameter in parameters)
    if not _fits(reader, path, player, codes):
        return BAD
    return _Template(_without_folder(player), codes)


def _fits(reader: Reader, path: KeyPath, player: Player, codes: Sequence[str]) -> bool:
    """Whether the gaps are those of the parameters; complains of what does not fit."""
    try:
        from gyoji.tuning.parameters import gaps  # noqa: PLC0415 - most competitions do without

        used = gaps(player)
    except ValueError as error:
        reader.problems.add(path, str(error))
        return False
    unknown = [gap for gap in used if gap not in codes]
    for gap in unknown:
        reader.problems.add(path, f"there is no parameter {shown(gap)}{suggest(gap, codes)}")
    unused = [code for code in codes if code not in used]
    for code in unused:
        reader.problems.add(path, f"parameter {code} is used nowhere: write {{{code}}} where its value goes")
    return not (unknown or unused)


class _Template(Struct, frozen=True):
    """Fills the gaps of a player."""

    player: Player
    codes: tuple[str, ...]

    def __call__(self, code: str, values: Sequence[Any]) -> Player:
        try:
            from gyoji.tuning.parameters import filled  # noqa: PLC0415

            player = filled(self.player, dict(zip(self.codes, values, strict=True)))
        except ValueError as error:
            raise ConfigError(f"candidate {code}: {error}") from None
        return structs.replace(player, code=code)


class _Called(Struct, frozen=True):
    """Has a function of the file make a table, and reads it."""

    make: MakeTable
    path: KeyPath
    document: Document
    defaults: PlayerDefaults

    def __call__(self, code: str, values: Sequence[Any]) -> Player:
        document, made = self.document, self.make(values)
        problems = Problems(replace(document, lines={self.path: made.line}))
        reader = Reader(problems, document.forms)
        player = read_player(reader, self.path, made.table, document, code=code, defaults=self.defaults)
        problems.check()
        assert player is not None  # what is wrong with it has just been raised
        return _without_folder(player)


def _without_folder(player: Player) -> Player:
    """Nothing lasts from one candidate to the next: what one has learned is not another's."""
    return structs.replace(player, folder=None)


@contextmanager
def one_thread() -> Iterator[None]:
    """Numpy that is imported in here computes in one thread.

    Games run on the other processors, and threads that wait for these cost ten times the time. Engines do not
    inherit the setting.
    """
    before = os.environ.get(_THREADS)
    os.environ.setdefault(_THREADS, "1")
    try:
        yield
    finally:
        if before is None:
            del os.environ[_THREADS]


_THREADS = "OPENBLAS_NUM_THREADS"
