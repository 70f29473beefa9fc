"""The settings of a gomoku game."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from gyoji.core.boards import check_board_size, columns_rows, is_whole
from gyoji.core.text import quote_value
from gyoji.games.gomoku.board import MAX_SIDE, MIN_SIDE, board_of, names_of
from gyoji.games.gomoku.rules import GomokuRules
from gyoji.games.gomoku.rulesets import rule_name, rule_number


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The settings of one game. Raises ValueError for invalid or contradictory ones.

    Attributes:
        board_size: Points on a side, or (columns, rows), 5 to 127 each. A list may stand for the pair.
        other_sizes: Alternative sizes. If a brain refuses `board_size`, the first size that both accept is
            used.
        rule: A name from `rulesets.NAMES`, or the number of ``INFO rule``, which is converted to the name if
            it has one.
        opening: Stones on the board from the start, such as "h8i9g7", Black's first.
        swap2: Whether the players place the first stones and choose sides by the rule swap2. If a player says
            that it cannot, the game begins from `opening`; without `opening` that player loses.
        max_moves: The number of stones, those of the opening included, after which the game is a draw; 0 for
            no limit.
        draw_margin: The number of empty points at which the game is a draw.
        dead_draw: Whether the game is a draw as soon as neither side can make a winning row.
    """

    board_size: int | tuple[int, int] = 15
    other_sizes: tuple[int | tuple[int, int], ...] = ()
    rule: str | int = "freestyle"
    opening: str = ""
    swap2: bool = False
    max_moves: int = 0
    draw_margin: int = 0
    dead_draw: bool = False

    def __post_init__(self) -> None:
        check_board_size(self.board_size, MIN_SIDE, MAX_SIDE)
        columns, rows = self.size
        object.__setattr__(self, "board_size", columns if columns == rows else (columns, rows))
        try:
            object.__setattr__(self, "rule", rule_name(rule_number(self.rule)))
        except ValueError as error:
            raise ValueError(f"rule: {error}") from None
        for name in ("swap2", "dead_draw"):
            if not isinstance(getattr(self, name), bool):
                raise ValueError(f"{name}: got {quote_value(getattr(self, name))}, expected true or false")
        width, height = self.size
        first = 6 if self.swap2 else 1
        most = width * height - first
        if not is_whole(self.draw_margin) or not 0 <= self.draw_margin <= most:
            raise ValueError(f"draw_margin: got {quote_value(self.draw_margin)}, expected 0 to {most}")
        if not is_whole(self.max_moves) or self.max_moves < 0 or 0 < self.max_moves < first:
            expected = f"0 or {first} and more" if self.swap2 else "0 or more"
            raise ValueError(f"max_moves: got {quote_value(self.max_moves)}, expected {expected}")
        self._check_opening()
        if not isinstance(self.other_sizes, list | tuple):
            got = quote_value(self.other_sizes)
            raise ValueError(f"other_sizes: got {got}, expected a list of sizes such as [15, 19]")
        made = []
        for size in self.other_sizes:
            try:
                check_board_size(size, MIN_SIDE, MAX_SIDE)
                opening = resized(self.opening, self.size, columns_rows(size))
                made.append(replace(self, board_size=size, opening=opening, other_sizes=()).board_size)
            except ValueError as error:
                raise ValueError(f"other_sizes: {quote_value(size)}: {error}") from None
        if len({self.board_size, *made}) <= len(made):
            raise ValueError("other_sizes: expected sizes that differ, and none that is board_size")
        object.__setattr__(self, "other_sizes", tuple(made))

    @property
    def size(self) -> tuple[int, int]:
        """The board size as (columns, rows)."""
        return columns_rows(self.board_size)

    def _check_opening(self) -> None:
        """Check the opening by playing its stones, and replace it by its canonical form."""
        if not isinstance(self.opening, str):
            raise ValueError(f"opening: got {quote_value(self.opening)}, expected stones such as 'h8i9'")
        try:
            made = rules(replace(self, swap2=False)) if self.swap2 and self.opening else rules(self)
            stones = made.stones(made.start())
            object.__setattr__(self, "opening", "".join(made.format(point) for point, _ in stones))
        except ValueError as error:
            raise ValueError(f"opening: {error}") from None


def rules(options: Options, seed: int = 0) -> GomokuRules:
    """Return the rules with these options. `seed` is ignored, because gomoku has no chance."""
    return GomokuRules(
        options.size,
        rule_number(options.rule),
        opening=options.opening,
        swap2=options.swap2,
        max_moves=options.max_moves,
        draw_margin=options.draw_margin,
        dead_draw=options.dead_draw,
    )


def resized(opening: str, old: tuple[int, int], new: tuple[int, int]) -> str:
    """Return an opening for a board of another size, with the same offsets from the middle.

    Args:
        opening: The stones, written without separators.
        old: (columns, rows) of the board of `opening`.
        new: (columns, rows) of the board of the result.

    Raises:
        ValueError: A stone would be off the board.
    """
    before, after = board_of(*old), board_of(*new)
    stones = map(before.coordinates, names_of(before).stones(opening))
    right, down = new[0] // 2 - old[0] // 2, new[1] // 2 - old[1] // 2
    return names_of(after).join([after.point(x + right, y + down) for x, y in stones])


def variants(options: Mapping[str, object]) -> Sequence[Mapping[str, object]]:
    """Return the options for each board size: first for `board_size`, then for each of `other_sizes`.

    In each the opening has the same offsets from the middle of the board, and `other_sizes` is empty.

    Raises:
        ValueError: A stone of the opening would be off a board.
    """
    given: Any = options
    if not given.get("other_sizes"):
        return (options,)
    found, size = [{**options, "other_sizes": []}], columns_rows(given["board_size"])
    for each in given["other_sizes"]:
        other = {**options, "board_size": each, "other_sizes": []}
        if given.get("opening"):
            other["opening"] = resized(given["opening"], size, columns_rows(each))
        found.append(other)
    return found
