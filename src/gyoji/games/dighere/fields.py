"""Fields of Dig Here: their values, their JSON, the rules' limits, and their symmetries.

Reading takes what the official manager takes and asks only that the numbers make a field; `flaws` says what
the rules of 2019 exclude, which that manager plays all the same.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeVar

from gyoji.core.text import quote
from gyoji.games.dighere.plans import DIRECTIONS, Cell

FILETYPE = "SamurAI Dig Here Game Log"
AGENTS = 4
MOST = 1_000_000
"""No number of a field is larger, nor smaller than its negative."""

LARGEST, SMALLEST = 1000, 6
"""Cells on a side: what we can play on, and what the rules allow."""

CONTEST_SIZES, CONTEST_STEPS, CONTEST_TIME = (6, 12), 100, 10_000
"""The bounds of the contest of 2019-20: cells on a side, steps at most, ms."""

T = TypeVar("T")


class Agent(NamedTuple):
    """Where an agent starts, and in which direction it looks."""

    x: int
    y: int
    direction: int = 0


class Treasure(NamedTuple):
    x: int
    y: int
    amount: int

    @property
    def cell(self) -> Cell:
        return Cell(self.x, self.y)


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A field. size: cells on a side; think_time: ms for each agent. The lists are in the file's order."""

    size: int
    steps: int
    think_time: int = CONTEST_TIME
    agents: tuple[Agent, ...]
    holes: tuple[Cell, ...] = ()
    known: tuple[Treasure, ...] = ()
    hidden: tuple[Treasure, ...] = ()

    def has(self, cell: Cell) -> bool:
        """Whether a cell is in the field."""
        return 0 <= cell.x < self.size and 0 <= cell.y < self.size

    @property
    def starts(self) -> tuple[Cell, ...]:
        """Where the agents start."""
        return tuple(Cell(agent.x, agent.y) for agent in self.agents)

    @property
    def treasure(self) -> int:
        """The sum of all amounts."""
        return sum(each.amount for each in (*self.known, *self.hidden))


# Reading


def read_text(data: bytes | str) -> Any:
    """The JSON of a file; what follows it is ignored. Raises ValueError."""
    try:
        text = data if isinstance(data, str) else data.decode("utf-8-sig")
        plain, _ = json.JSONDecoder().raw_decode(text.lstrip())
    except RecursionError:
        raise ValueError("no JSON that a field could be written in: nested too deeply") from None
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8: {error}") from None
    except ValueError as error:
        raise ValueError(f"no JSON: {error}") from None
    return plain


def read_field(plain: Any) -> Field:
    """The field of a file's JSON, or of its member `field`. Raises ValueError, naming the place.

    Lists, `thinkTime` and `direction` may be left out: no holes, no treasure, 10 s, direction 0.
    """
    top = as_object(plain, "the file")
    table, place = (as_object(top["field"], "field"), ("field",)) if "field" in top else (top, ())
    agents = _rows(table, Agent, *place, "agents")
    if len(agents) != AGENTS:
        raise ValueError(f"{_name((*place, 'agents'))}: expected {AGENTS}, got {len(agents)}")
    size, steps = as_number(table.get("size"), *place, "size"), as_number(table.get("steps"), *place, "steps")
    if not 1 <= size <= LARGEST:
        raise ValueError(f"{_name((*place, 'size'))}: expected 1 to {LARGEST}, got {size}")
    if steps < 0:
        raise ValueError(f"{_name((*place, 'steps'))}: expected 0 or more, got {steps}")
    return Field(
        size=size,
        steps=steps,
        think_time=as_number(table.get("thinkTime", CONTEST_TIME), *place, "thinkTime"),
        agents=agents,
        holes=_rows(table, Cell, *place, "holes"),
        known=_rows(table, Treasure, *place, "known"),
        hidden=_rows(table, Treasure, *place, "hidden"),
    )


def _rows(table: Mapping[str, Any], kind: type[T], *place: str) -> tuple[T, ...]:
    """A list of objects as named tuples of their numbers; place: of the list, whose name is the last word."""
    names: Sequence[str] = kind._fields  # type: ignore[attr-defined]
    defaults: Mapping[str, int] = kind._field_defaults  # type: ignore[attr-defined]
    rows = []
    for number, plain in enumerate(as_list(table.get(place[-1], ()), *place)):
        row = as_object(plain, *place, number)
        numbers = [as_number(row.get(name, defaults.get(name)), *place, number, name) for name in names]
        rows.append(kind(*numbers))
    return tuple(rows)


def as_object(plain: Any, *place: Any) -> Mapping[str, Any]:
    """`plain`, if it is an object. Raises ValueError."""
    if type(plain) is not dict and not isinstance(plain, Mapping):
        raise ValueError(_misfit("an object", plain, place))
    return plain


def as_list(plain: Any, *place: Any) -> Sequence[Any]:
    """`plain`, if it is a list. Raises ValueError."""
    if not isinstance(plain, list | tuple):
        raise ValueError(_misfit("a list", plain, place))
    return plain


def as_number(plain: Any, *place: Any, most: int = MOST) -> int:
    """`plain`, if it is a whole number of at most that size (3.0 is one). Raises ValueError."""
    if isinstance(plain, float) and plain.is_integer():
        plain = int(plain)
    if type(plain) is not int:
        raise ValueError(_misfit("a whole number", plain, place))
    if not -most <= plain <= most:
        raise ValueError(_misfit(f"{-most} to {most}", plain, place))
    return plain


def _misfit(expected: str, plain: Any, place: Sequence[Any]) -> str:
    got = "nothing" if plain is None else quote(repr(plain))
    return f"{_name(place)}: expected {expected}, got {got}"


def _name(place: Sequence[Any]) -> str:
    """A place in a file in words, made when it is needed: plays.3.plans."""
    return ".".join(map(str, place))


# Writing


def plain_field(field: Field) -> dict[str, Any]:
    """The field as JSON has it, under the official names."""
    return {
        "agents": [agent._asdict() for agent in field.agents],
        "hidden": [treasure._asdict() for treasure in field.hidden],
        "holes": [hole._asdict() for hole in field.holes],
        "known": [treasure._asdict() for treasure in field.known],
        "size": field.size,
        "steps": field.steps,
        "thinkTime": field.think_time,
    }


def format_file(plain: Mapping[str, Any]) -> bytes:
    """The bytes of a file as the official manager writes them: one line, keys in alphabetical order."""
    return (json.dumps(plain, sort_keys=True, separators=(",", ":")) + "\n").encode()


def format_field(field: Field) -> bytes:
    """A `.dighere` file with the field alone."""
    return format_file({"field": plain_field(field), "filetype": FILETYPE, "plays": []})


# The rules


def check_field(field: Field) -> None:
    """Raise ValueError with all that the rules exclude in a field."""
    if found := "; ".join(flaws(field)):
        raise ValueError(found)


def flaws(field: Field) -> Iterator[str]:
    """The flaws of a field by the rules, a line each ("Game Field", "Holes", "Buried Treasures")."""
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
    """The flaws of a field by the limits of the 2019-20 contest, beyond the rules, a line each."""
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
    """Where a direction points in a field turned by `symmetry`; plans turn as their directions do.

    >>> [turned_direction(0, symmetry) for symmetry in range(8)]
    [0, 2, 4, 6, 0, 2, 4, 6]
    """
    mirrored = -direction % len(DIRECTIONS) if symmetry >= 4 else direction
    return (mirrored + 2 * symmetry) % len(DIRECTIONS)


def turned_cell(cell: Cell, size: int, symmetry: int) -> Cell:
    """A cell of a field that is turned by `symmetry` % 4 quarters clockwise, mirrored before from 4 on."""
    x, y = cell
    if symmetry >= 4:
        x = size - 1 - x
    for _ in range(symmetry % 4):
        x, y = size - 1 - y, x
    return Cell(x, y)


def turned_field(field: Field, symmetry: int) -> Field:
    """The field, turned."""

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
