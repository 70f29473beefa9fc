"""The candidates of a tuner: functions that return a player with given values of the tuned parameters.

A control file describes candidates by a player's table with placeholders such as {a}, or by a Python function
that returns a table. A table with placeholders is read once, and its placeholders are replaced for each
candidate. A table that a function returns is read and checked each time.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from msgspec import Struct, structs
from msgspec.structs import replace

from gyoji.config.document import Document, KeyPath, Problems, shown, suggest
from gyoji.config.players import PlayerDefaults, read_player
from gyoji.config.reader import Reader, Rejected
from gyoji.core.faults import ConfigError
from gyoji.core.setup import CandidateMaker
from gyoji.core.spec import Player


class MadeTable(NamedTuple):
    """A player's table that a function of the control file has returned.

    Attributes:
        table: The table.
        line: The line of the control file in which the function calls `Player`.
    """

    table: Mapping[str, Any]
    line: int


MakeTable = Callable[[Sequence[Any]], MadeTable]
"""A function that returns the table of a player with given values of the parameters. It may raise
ConfigError.
"""


def read_candidates(
    reader: Reader,
    path: KeyPath,
    given: Any,
    document: Document,
    *,
    defaults: PlayerDefaults,
    parameters: Any,
) -> CandidateMaker:
    """Return the function that makes a tuner's candidates.

    Args:
        reader: Reads values, and reports mistakes.
        path: The place of the setting that describes candidates.
        given: The raw value of that setting: a player's table, or a `MakeTable`.
        document: The control file.
        defaults: The defaults of players.
        parameters: The parameters of the tuner; None if they are wrong.

    Raises:
        Rejected: The table or the parameters are wrong, a parameter has no placeholder in the table, or a
            placeholder names no parameter.
    """
    if callable(given):
        return _Called(given, path, document, defaults)
    table = reader.table(path, given)
    player = read_player(reader, path, table, document, code="candidate", defaults=defaults)
    if parameters is None:
        raise Rejected
    codes = tuple(parameter.code for parameter in parameters)
    try:
        from gyoji.tuning.parameters import gaps  # noqa: PLC0415 - most competitions do without

        used = gaps(player)
    except ValueError as error:
        reader.problems.add(path, str(error))
        raise Rejected from None
    unknown = [gap for gap in used if gap not in codes]
    for gap in unknown:
        reader.problems.add(path, f"there is no parameter {shown(gap)}{suggest(gap, codes)}")
    unused = [code for code in codes if code not in used]
    for code in unused:
        reader.problems.add(path, f"parameter {code} is used nowhere: write {{{code}}} where its value goes")
    if unknown or unused:
        raise Rejected
    return _Template(structs.replace(player, folder=None), codes)


class _Template(Struct, frozen=True):
    """A maker of candidates that replaces placeholders such as {a} in the texts of a player by values."""

    player: Player
    codes: tuple[str, ...]

    def __call__(self, code: str, values: Sequence[Any]) -> Player:
        try:
            from gyoji.tuning.parameters import filled  # noqa: PLC0415

            player = filled(self.player, dict(zip(self.codes, values, strict=True)))
        except ValueError as error:
            raise ConfigError(f"candidate {code}: {error}") from None
        return structs.replace(player, code=code)


# A function may return a wrong table for some values only, so every table is checked like that of a player.
class _Called(Struct, frozen=True):
    """A maker of candidates that calls a Python function in the control file with the parameters' values.

    It reads the player's table that the function returns.
    """

    make: MakeTable
    path: KeyPath
    document: Document
    defaults: PlayerDefaults

    def __call__(self, code: str, values: Sequence[Any]) -> Player:
        document, made = self.document, self.make(values)
        problems = Problems(replace(document, lines={self.path: made.line}))
        reader = Reader(problems, document.forms)
        try:
            player = read_player(reader, self.path, made.table, document, code=code, defaults=self.defaults)
        finally:
            problems.check()  # replaces Rejected: no caller checks these problems
        return structs.replace(player, folder=None)


@contextmanager
def one_thread() -> Iterator[None]:
    """Let numpy compute in one thread if it is imported in the block.

    During a run, games use the other processors. Several threads of numpy would have to wait for a processor,
    and take ten times as long. Engines do not inherit the setting.
    """
    before = os.environ.get(_THREADS)
    os.environ.setdefault(_THREADS, "1")
    try:
        yield
    finally:
        if before is None:
            del os.environ[_THREADS]


_THREADS = "OPENBLAS_NUM_THREADS"
