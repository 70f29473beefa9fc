"""The settings of a Dig Here game, and files of fields as openings."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Literal

from gyoji.core.openings import openings_of
from gyoji.core.text import quote
from gyoji.games.dighere.fields import Field, draw_field, flaws, turned_field
from gyoji.games.dighere.files import json_field, read_field, read_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The settings of one game. Raises ValueError for invalid or contradictory ones.

    Attributes:
        opening: The field: the JSON of a `.dighere` file or of its `field`, as text or as a mapping. It is
            converted to the mapping of the field. "" stands for a random field derived from the game's seed.
        invalid_plans: How other agents see invalid plans: "hidden", as -1 (by the rules), or "shown",
            unchanged (as the official manager does).
        steps: Maximum number of steps, from 1; 0 for the field's number.
        check_field: Whether a field that violates the rules is refused. If not, it is played like any other.
    """

    opening: str | Mapping[str, Any] = ""
    invalid_plans: Literal["hidden", "shown"] = "hidden"
    steps: int = 0
    check_field: bool = True

    def __post_init__(self) -> None:
        if self.invalid_plans not in ("hidden", "shown"):
            raise ValueError(f"invalid_plans: got {quote(self.invalid_plans)}, expected 'hidden' or 'shown'")
        if self.steps < 0:
            raise ValueError(f"steps: got {self.steps}, expected 0 or more")
        if self.opening != "":
            try:
                raw = read_text(self.opening) if isinstance(self.opening, str) else self.opening
                field = _checked(raw, self.check_field)
            except ValueError as error:
                raise ValueError(f"opening: {error}") from None
            object.__setattr__(self, "opening", MappingProxyType(json_field(field)))

    def field(self, seed: int) -> Field:
        """Return the field to play on.

        Args:
            seed: The seed of a random field, if `opening` gives none.
        """
        field = read_field(self.opening) if isinstance(self.opening, Mapping) else draw_field(seed)
        return replace(field, steps=self.steps) if self.steps else field


_LINES = ".jsonl"
_MS = 1_000_000


def openings(data: bytes, name: str, options: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the field of a `.dighere` file, or of each line of a file whose name ends in .jsonl.

    Args:
        options: The game's options; `check_field` says whether a field that violates the rules is refused.

    Raises:
        ValueError: A field is invalid.
    """
    if not name.lower().endswith(_LINES):
        return [_opening(data, options)]
    lines = ((f"line {number}", line) for number, line in enumerate(data.splitlines(), 1) if line.strip())
    return list(openings_of(lines, lambda line: _opening(line, options)))


def _opening(data: bytes, options: Mapping[str, Any]) -> dict[str, Any]:
    return json_field(_checked(read_text(data), options.get("check_field", True)))


def _checked(raw: Any, checks: bool) -> Field:
    """Return the field of a file's JSON.

    Args:
        checks: Whether a field that violates the rules is refused.

    Raises:
        ValueError: The JSON is not a field, or the field is refused.
    """
    field = read_field(raw)
    if checks and (found := "; ".join(flaws(field))):
        raise ValueError(found)
    return field


def opening_time(options: Mapping[str, Any]) -> int | None:
    """Return the think time of each agent in ns from the field in these options; None without a field.

    It is at least 1 ms: an agent without any time would be asked only once.
    """
    opening = options.get("opening")
    return max(read_field(opening).think_time, 1) * _MS if isinstance(opening, Mapping) else None


def vary(
    opening: object, options: Mapping[str, Any], *, symmetry: int = 0, shift: int = 0
) -> Mapping[str, Any]:
    """Return the field turned or mirrored. It is never shifted, because its edge is part of it."""
    return json_field(turned_field(read_field(opening), symmetry))
