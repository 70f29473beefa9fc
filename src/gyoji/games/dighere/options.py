"""The settings of a game of Dig Here, as a control file gives them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Literal

from gyoji.core.text import quote
from gyoji.games.dighere.drawing import draw_field
from gyoji.games.dighere.fields import Field, check_field, plain_field, read_field, read_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """One game's settings; together they must make sense, or ValueError says what does not.

    opening        the field: the JSON of a `.dighere` file or of its `field`, as text or as a mapping; it
                   becomes the mapping of the field alone. "": a field drawn at random from the game's seed.
    invalid_plans  how agents are shown plans that are none: "hidden", as -1 (the rules), or "shown", as they
                   were given (the official manager).
    steps          how many are played at most, from 1; 0: as many as the field says.
    check_field    whether a field that the rules exclude is refused; it is played like any other if not.
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
            object.__setattr__(self, "opening", MappingProxyType(plain_field(self._given_field())))

    def field(self, seed: int) -> Field:
        """The field to play on. seed: where a field comes from that is not given."""
        field = read_field(self.opening) if isinstance(self.opening, Mapping) else draw_field(seed)
        return replace(field, steps=self.steps) if self.steps else field

    def _given_field(self) -> Field:
        """The field of `opening`. Raises ValueError."""
        try:
            field = read_field(read_text(self.opening) if isinstance(self.opening, str) else self.opening)
            if self.check_field:
                check_field(field)
        except ValueError as error:
            raise ValueError(f"opening: {error}") from None
        return field
