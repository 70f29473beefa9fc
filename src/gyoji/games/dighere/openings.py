"""Files of fields as values for `options.opening`, and fields turned for the openings of a competition."""

from collections.abc import Mapping
from typing import Any

from gyoji.core.opening_files import openings_of
from gyoji.games.dighere.fields import check_field, plain_field, read_field, read_text
from gyoji.games.dighere.symmetry import turned_field

_LINES = ".jsonl"
_MS = 1_000_000


def openings(data: bytes, name: str, options: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The field of a `.dighere` file; of a file whose name ends in .jsonl, that of each line.

    options: the game's; `check_field` says whether a field that the rules exclude is refused. Raises
    ValueError.
    """
    if not name.lower().endswith(_LINES):
        return [_opening(data, options)]
    lines = ((f"line {number}", line) for number, line in enumerate(data.splitlines(), 1) if line.strip())
    return list(openings_of(lines, lambda line: _opening(line, options)))


def _opening(data: bytes, options: Mapping[str, Any]) -> dict[str, Any]:
    field = read_field(read_text(data))
    if options.get("check_field", True):
        check_field(field)
    return plain_field(field)


def opening_time(options: Mapping[str, Any]) -> int | None:
    """ns that each agent has by the field of a game with these options; None where none is given.

    The least is a ms: who has no time is asked once, and stays from then on.
    """
    opening = options.get("opening")
    return max(read_field(opening).think_time, 1) * _MS if isinstance(opening, Mapping) else None


def vary(
    opening: Mapping[str, Any], options: Mapping[str, Any], *, symmetry: int = 0, shift: int = 0
) -> Mapping[str, Any]:
    """The field turned in one of 8 ways. There is nowhere to shift it to: its edge is part of it."""
    return plain_field(turned_field(read_field(opening), symmetry))
