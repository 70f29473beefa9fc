"""The settings of a game of Go."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass

from gyoji.core.boards import check_board_size, columns_rows, is_whole
from gyoji.core.text import quote_value
from gyoji.games.go.board import MAX_SIDE, board_of, vertices_of
from gyoji.games.go.opening import format_opening, most_fixed
from gyoji.games.go.phases import WAYS
from gyoji.games.go.rules import GoRules
from gyoji.games.go.ruleset_text import Agreed, read_rules

HANDICAP_STYLES = ("fixed", "free")
COMPENSATIONS = ("no", "full", "short")

DEFAULT_RULESET = "chinese"
"""The default ruleset. Without a ruleset, one cannot say which of two engines is right."""

NO_RULESET = "none"
"""The value of `ruleset` for games without a ruleset, as gomill plays them."""

_COMPENSATION_OF = {"0": "no", "N-1": "short", "N": "full"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The settings of one game. Raises ValueError for invalid or contradictory ones.

    Attributes:
        board_size: Points on a side, or (columns, rows), 1 to 25 each. A list may stand for the pair.
        komi: Points added to White's score.
        handicap: Black stones placed before White's first move, 2 or more; None for an even game.
        handicap_style: "fixed" on the points that GTP defines, or "free" on points that Black chooses.
        suicide: Whether suicide is legal, that is, a move that captures one or several of the mover's own
            stones.
        internal_scorer_handicap_compensation: Points for White if the rules count: "full" is one for each
            handicap stone, "short" one less, "no" none.
        ruleset: The ruleset, which is sent to engines: a name such as "chinese" or "japanese", a table of
            fields, JSON, or a compact string (see `ruleset_text`), without komi. A ruleset overrides suicide
            and compensation. A table is converted to a compact string. "none" means simple ko and area
            scoring with all stones alive; the options for suicide and compensation then hold. "none" is
            stored as "", and nothing is sent to engines.
        opening: Stones set up and moves on the board from the start (see `opening`); "" for none.
        dead_stones: Method that settles dead stones before the rules count by a ruleset: see `phases.WAYS`.
            Without effect under the house rule `literal`, which counts all stones as alive.
    """

    board_size: int | tuple[int, int]
    komi: float
    handicap: int | None = None
    handicap_style: str = "fixed"
    suicide: bool = True
    internal_scorer_handicap_compensation: str = "full"
    ruleset: str | Mapping[str, str | bool] = DEFAULT_RULESET
    opening: str = ""
    dead_stones: str = "auto"

    def __post_init__(self) -> None:
        check_board_size(self.board_size, 1, MAX_SIDE)
        if isinstance(self.board_size, list):  # JSON and TOML have no tuples
            object.__setattr__(self, "board_size", self.size)
        komi = self.komi
        if not isinstance(komi, int | float) or isinstance(komi, bool) or not abs(komi) <= sys.float_info.max:
            raise ValueError(f"komi: got {quote_value(komi)}, expected a finite number")
        object.__setattr__(self, "komi", float(komi))
        for name, known in (
            ("handicap_style", HANDICAP_STYLES),
            ("internal_scorer_handicap_compensation", COMPENSATIONS),
            ("dead_stones", WAYS),
        ):
            value = getattr(self, name)
            if value not in known:
                expected = " or ".join(repr(each) for each in known)
                raise ValueError(f"{name}: got {quote_value(value)}, expected {expected}")
        if not isinstance(self.suicide, bool):
            raise ValueError(f"suicide: got {quote_value(self.suicide)}, expected true or false")
        self._check_ruleset()
        self._check_handicap()
        self._check_opening()

    @property
    def size(self) -> tuple[int, int]:
        """The board size as (columns, rows)."""
        return columns_rows(self.board_size)

    @property
    def defaults(self) -> Mapping[str, str]:
        """Changed defaults of other settings in the control file: with a ruleset, the rules count."""
        return {"scorer": "internal"} if self.ruleset else {}

    @property
    def agreed(self) -> Agreed | None:
        """The ruleset and house rules; None without a ruleset."""
        return read_rules(self.ruleset) if self.ruleset else None

    def _check_ruleset(self) -> None:
        """Check the ruleset and replace it by its canonical form.

        The form is "", the standard spelling of a name, or a compact string.
        """
        given = self.ruleset
        if not isinstance(given, str | Mapping):
            got = quote_value(given)
            expected = f"a name, a table, a string of fields, or {NO_RULESET!r}"
            raise ValueError(f"ruleset: got {got}, expected {expected}")
        if given in ("", NO_RULESET):
            object.__setattr__(self, "ruleset", "")
            return
        try:
            agreed = read_rules(given)
        except ValueError as error:
            raise ValueError(f"ruleset: {error}") from None
        object.__setattr__(self, "ruleset", agreed.name)
        got = self.internal_scorer_handicap_compensation
        has = _COMPENSATION_OF[agreed.ruleset.white_handicap_bonus]
        if got not in ("full", has):
            where = f"ruleset {self.ruleset!r} has {has!r}; ruleset = {NO_RULESET!r} leaves the choice"
            raise ValueError(f"internal_scorer_handicap_compensation: got {got!r}, but {where}")

    def _check_handicap(self) -> None:
        if self.handicap is None:
            return
        style, (width, height) = self.handicap_style, self.size
        # a free handicap leaves one point empty
        most = most_fixed(width, height) if style == "fixed" else width * height - 1
        if is_whole(self.handicap) and 2 <= self.handicap <= most:
            return
        where = f"{style} handicap on {width}x{height}"
        expected = f"2 to {most}" if most >= 2 else "none"
        raise ValueError(f"handicap: got {quote_value(self.handicap)}, expected {expected} ({where})")

    def _check_opening(self) -> None:
        """Check the opening by playing its moves, and replace it by its canonical form."""
        if not isinstance(self.opening, str):
            raise ValueError(f"opening: got {quote_value(self.opening)}, expected moves such as 'D4 Q16'")
        if not self.opening:
            return
        try:
            rules = GoRules(self)
        except ValueError as error:
            raise ValueError(f"opening: {error}") from None
        names, first = vertices_of(board_of(*self.size)), int(bool(rules.handicap_points))
        object.__setattr__(self, "opening", format_opening(rules.opening, names, first=first))
