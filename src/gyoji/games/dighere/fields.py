"""Fields of Dig Here: their representation, the limits of the rules, symmetries, and random fields.

Random fields keep the bounds of the contest of 2019-20, unless a size is given. The same seed always gives
the same field. The contest published fields without all of their hidden treasure. For the games it added
treasure, or moved it; `hide_treasure` does both.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

from gyoji.core.spec import derive_seed
from gyoji.games.dighere.plans import DIRECTIONS, SAMURAI, Cell, Treasure

AGENTS = 4


LARGEST, SMALLEST = 1000, 6
"""The greatest size that gyoji supports and the smallest that the rules allow, in cells on a side."""


CONTEST_SIZES, CONTEST_STEPS, CONTEST_TIME = (6, 12), 100, 10_000
"""The bounds of the contest of 2019-20: cells on a side, maximum steps, and ms of think time."""


T = TypeVar("T")


class Agent(NamedTuple):
    """The start of an agent: its square, and the number of the direction in which it looks."""

    x: int
    y: int
    direction: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A field of the game: its size, the start of the agents, holes and treasure. Lists keep their order.

    Attributes:
        size: Number of squares on a side.
        steps: Maximum number of steps.
        think_time: Time of each agent for the whole game, in ms.
        agents: The starts of the two samurai, then of the two dogs.
        known: Treasures that all agents know from the start.
        hidden: Treasures that only dogs beside them sense.
    """

    size: int
    steps: int
    think_time: int = CONTEST_TIME
    agents: tuple[Agent, ...]
    holes: tuple[Cell, ...] = ()
    known: tuple[Treasure, ...] = ()
    hidden: tuple[Treasure, ...] = ()

    def has(self, cell: Cell) -> bool:
        """Return whether a cell is in the field."""
        return 0 <= cell.x < self.size and 0 <= cell.y < self.size

    def only(self, keeps: Callable[[Cell], bool]) -> "Field":
        """Return the field with holes and treasure only in cells for which `keeps` is true."""
        return replace(
            self,
            holes=tuple(filter(keeps, self.holes)),
            known=tuple(each for each in self.known if keeps(each.cell)),
            hidden=tuple(each for each in self.hidden if keeps(each.cell)),
        )

    @property
    def starts(self) -> tuple[Cell, ...]:
        """The cells where the agents start."""
        return tuple(Cell(agent.x, agent.y) for agent in self.agents)

    @property
    def treasure(self) -> int:
        """The sum of the amounts of all treasures."""
        return sum(each.amount for each in (*self.known, *self.hidden))


def about_field(field: Field) -> str:
    """Describe a field in one line."""
    treasures = f"{len(field.known)} known and {len(field.hidden)} hidden treasures of {field.treasure}"
    return f"{field.size}x{field.size}, {field.steps} steps, {len(field.holes)} holes, {treasures}"


def flaws(field: Field) -> Iterator[str]:
    """Yield violations of the rules by a field, a line each.

    The rules are those of the sections "Game Field", "Holes" and "Buried Treasures" of the official document.
    """
    starts = field.starts
    treasures = (*field.known, *field.hidden)
    cells = [each.cell for each in treasures]
    if field.size < SMALLEST:
        yield f"size: expected {SMALLEST} or more, got {field.size}"
    for what, places in (("agent", starts), ("hole", field.holes), ("treasure", cells)):
        for cell, count in Counter(places).items():
            if not field.has(cell):
                yield f"{what} at {cell}: outside the field"
            if count > 1:
                yield f"{what}s at {cell}: {count} in one cell"
    holes, buried = set(field.holes), set(cells)
    for number, cell in enumerate(starts):
        if cell in holes:
            yield f"agent {number} at {cell}: starts in a hole"
        if cell in buried:
            yield f"agent {number} at {cell}: starts on treasure"
    for number, agent in enumerate(field.agents):
        if not 0 <= agent.direction < len(DIRECTIONS):
            yield f"agent {number}: expected a direction from 0 to 7, got {agent.direction}"
    for each, cell in zip(treasures, cells, strict=True):
        if cell in holes:
            yield f"treasure at {cell}: in a hole"
        if each.amount <= 0 or each.amount % 2:
            yield f"treasure at {cell}: expected an even amount from 2, got {each.amount}"


def contest_flaws(field: Field) -> Iterator[str]:
    """Yield the violations of the limits of the 2019-20 contest beyond the rules, a line each.

    A field without treasure is named too, because its game would be over at once.
    """
    least, most = CONTEST_SIZES
    if not least <= field.size <= most:
        yield f"size: expected {least} to {most}, got {field.size}"
    if field.steps > CONTEST_STEPS:
        yield f"steps: expected {CONTEST_STEPS} at most, got {field.steps}"
    if field.think_time != CONTEST_TIME:
        yield f"thinkTime: expected {CONTEST_TIME}, got {field.think_time}"
    if not field.treasure:
        yield "no treasure: the game would be over before the first step"


def turned_direction(direction: int, symmetry: int) -> int:
    """Return a direction in a field turned by `symmetry`. Plans turn as their directions do.

    >>> [turned_direction(0, symmetry) for symmetry in range(8)]
    [0, 2, 4, 6, 0, 2, 4, 6]
    """
    mirrored = -direction % len(DIRECTIONS) if symmetry >= 4 else direction
    return (mirrored + 2 * symmetry) % len(DIRECTIONS)


def turned_cell(cell: Cell, size: int, symmetry: int) -> Cell:
    """Return where a cell is after the field has been turned or mirrored.

    Args:
        size: Cells on a side.
        symmetry: 0 to 3 for so many clockwise quarter turns. From 4 on, the field is mirrored and then turned
            `symmetry` - 4 times.
    """
    x, y = cell
    if symmetry >= 4:
        x = size - 1 - x
    for _ in range(symmetry % 4):
        x, y = size - 1 - y, x
    return Cell(x, y)


def turned_field(field: Field, symmetry: int) -> Field:
    """Return a field turned or mirrored by `symmetry` (see `turned_cell`), with its agents' directions."""

    def cell(x: int, y: int) -> Cell:
        return turned_cell(Cell(x, y), field.size, symmetry)

    def treasures(buried: tuple[Treasure, ...]) -> tuple[Treasure, ...]:
        return tuple(Treasure(*cell(each.x, each.y), each.amount) for each in buried)

    return replace(
        field,
        agents=tuple(
            agent._replace(
                **cell(agent.x, agent.y)._asdict(), direction=turned_direction(agent.direction, symmetry)
            )
            for agent in field.agents
        ),
        holes=tuple(cell(*hole) for hole in field.holes),
        known=treasures(field.known),
        hidden=treasures(field.hidden),
    )


TOTAL = 400
"""The sum of all treasure in a random field. The 62 fields of the contest have 348 to 400."""


class _Dice:
    """Random numbers derived from a seed."""

    def __init__(self, *seed: object) -> None:
        self._seed = seed
        self._rolls = 0

    def roll(self, least: int, most: int) -> int:
        self._rolls += 1
        return least + derive_seed(*self._seed, self._rolls) % (most - least + 1)

    def take(self, items: list[T], count: int) -> list[T]:
        """Remove a number of random items from a list, and return them."""
        return [items.pop(self.roll(0, len(items) - 1)) for _ in range(count)]

    def split(self, total: int, count: int) -> list[int]:
        """Return `count` even numbers of 2 or more whose sum is `total`."""
        spare = total // 2 - count
        cuts = sorted(self.roll(0, spare) for _ in range(count - 1))
        return [2 + 2 * (above - below) for below, above in zip((0, *cuts), (*cuts, spare), strict=True)]


def draw_field(seed: int, *, size: int | None = None) -> Field:
    """Return a random field like those of the contest.

    Up to a fifth of the cells have a hole, up to a tenth have known treasure, and up to about a sixth have
    hidden treasure. Starts, holes and treasures are in different cells.

    Args:
        seed: The seed of the random numbers.
        size: Cells on a side; None for 6 to 12.
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
    """Return the field with its hidden treasure replaced by random treasure on otherwise empty squares.

    Args:
        seed: The seed of the random numbers.
        count: The number of treasures; None for as many as before, or a tenth of the squares if there were
            none.
        total: The even sum of their amounts; None for the same sum as before or, if that was 0, for 400 minus
            the known treasure.

    Raises:
        ValueError: There is no room for so many treasures, or the total is too small or odd.
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
