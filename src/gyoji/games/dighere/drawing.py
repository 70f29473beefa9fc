"""Fields drawn at random, and hidden treasure drawn anew, within the bounds of the contest of 2019-20.

All chance comes from a seed: the same seed draws the same. The contest published its fields without their
hidden treasure and added it when they were played, or moved it: `hide_treasure` does both.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from gyoji.core.spec import derive_seed
from gyoji.games.dighere.fields import AGENTS, CONTEST_SIZES, CONTEST_STEPS, Agent, Field, Treasure
from gyoji.games.dighere.plans import SAMURAI, Cell

TOTAL = 400
"""All treasure of a drawn field; the 62 fields of the contest have 348 to 400."""

T = TypeVar("T")


class _Dice:
    """Numbers that follow from a seed."""

    def __init__(self, *seed: object) -> None:
        self._seed = seed
        self._rolls = 0

    def roll(self, least: int, most: int) -> int:
        self._rolls += 1
        return least + derive_seed(*self._seed, self._rolls) % (most - least + 1)

    def take(self, items: list[T], count: int) -> list[T]:
        """So many of the items, taken out of their list."""
        return [items.pop(self.roll(0, len(items) - 1)) for _ in range(count)]

    def split(self, total: int, count: int) -> list[int]:
        """Even numbers from 2 that make `total`."""
        spare = total // 2 - count
        cuts = sorted(self.roll(0, spare) for _ in range(count - 1))
        return [2 + 2 * (above - below) for below, above in zip((0, *cuts), (*cuts, spare), strict=True)]


def draw_field(seed: int, *, size: int | None = None) -> Field:
    """A field as the contest might have had it; size: cells on a side, 6 to 12 unless given.

    Up to a fifth of its cells have a hole, about a twentieth known and a tenth hidden treasure.
    """
    dice = _Dice("field", seed)
    side = size or dice.roll(*CONTEST_SIZES)
    free = _cells(side)
    looks = [2 * dice.roll(0, 3) if seat in SAMURAI else dice.roll(0, 7) for seat in range(AGENTS)]
    agents = [Agent(*cell, look) for cell, look in zip(dice.take(free, AGENTS), looks, strict=True)]
    holes = dice.take(free, dice.roll(0, side * side // 5))
    known_cells = dice.take(free, dice.roll(1, side * side // 10))
    hidden_cells = dice.take(free, dice.roll(side, side * side // 6 + 1))
    amounts = dice.split(TOTAL, len(known_cells) + len(hidden_cells))
    treasures = _buried([*known_cells, *hidden_cells], amounts)
    return Field(
        size=side,
        steps=CONTEST_STEPS,
        agents=tuple(agents),
        holes=tuple(holes),
        known=treasures[: len(known_cells)],
        hidden=treasures[len(known_cells) :],
    )


def hide_treasure(field: Field, seed: int, *, count: int | None = None, total: int | None = None) -> Field:
    """The field with its hidden treasure drawn anew, on cells that have nothing else.

    count   of treasures; None: as many as there are, or on a tenth of the cells if there are none.
    total   of their amounts, even; None: what there is, or what is missing to 400 if there is nothing.

    Raises ValueError for more treasures than there is room for, and for a total too small or odd.
    """
    if count is None:
        count = len(field.hidden) or max(1, field.size**2 // 10)
    if total is None:
        total = sum(each.amount for each in field.hidden) or TOTAL - field.treasure
    taken = {*field.starts, *field.holes, *(each.cell for each in field.known)}
    free = [cell for cell in _cells(field.size) if cell not in taken]
    if not 1 <= count <= len(free):
        raise ValueError(f"count: expected 1 to {len(free)}, for so many cells are free, got {count}")
    if total < 2 * count or total % 2:
        raise ValueError(
            f"total: expected an even number from {2 * count} for {count} treasures, got {total}"
        )
    dice = _Dice("hidden treasure", seed)
    return replace(field, hidden=_buried(dice.take(free, count), dice.split(total, count)))


def _cells(size: int) -> list[Cell]:
    return [Cell(x, y) for y in range(size) for x in range(size)]


def _buried(cells: Sequence[Cell], amounts: Sequence[int]) -> tuple[Treasure, ...]:
    return tuple(Treasure(*cell, amount) for cell, amount in zip(cells, amounts, strict=True))
