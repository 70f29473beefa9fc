"""The editor of Dig Here fields (port `gyoji.core.drawing.Drawing`).

An object put on a cell replaces the previous one. Only agents are never replaced: an agent put on another's
cell changes places with it. With a symmetry, each change is also made at the opposite cell, with the other
team's agents.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from gyoji.core.drawing import Change, Drawn, Named, Number, Tool
from gyoji.core.game import Frame
from gyoji.games.dighere.fields import (
    AGENTS,
    CONTEST_STEPS,
    SMALLEST,
    Agent,
    Field,
    about_field,
    contest_flaws,
    draw_field,
    flaws,
    hide_treasure,
    turned_cell,
    turned_direction,
    turned_field,
)
from gyoji.games.dighere.files import format_field, json_field, read_field, read_text
from gyoji.games.dighere.frames import scene, signs
from gyoji.games.dighere.plans import DIRECTIONS, SAMURAI, Cell, Treasure, neighbours
from gyoji.games.dighere.rules import DigHereRules

LARGEST = 40
"""The greatest size of a field, in cells on a side, that a page can show."""

_LONGEST = 10_000
_RICHEST = 10_000

suffix = ".dighere"

tools: Sequence[Tool] = (
    Tool("hole", "hole", "H", "h"),
    Tool("known", "treasure", "T", "t", counted=True),
    Tool("hidden", "hidden treasure", "U", "u", counted=True),
    Tool("agent0", "samurai 0", "S06", "1", single=True),
    Tool("agent1", "samurai 1", "S12", "2", single=True),
    Tool("agent2", "dog 0", "D06", "3", single=True),
    Tool("agent3", "dog 1", "D12", "4", single=True),
    Tool("bare", "bare ground", "", "x"),
)

numbers: Sequence[Number] = (
    Number("size", "cells on a side", SMALLEST, LARGEST),
    Number("steps", "steps", 1, _LONGEST),
    Number("think_time", "ms for each agent", 1, 1_000_000),
)

commands: Sequence[Named] = (
    Named("clear", "take everything off"),
    Named("complete", "make it symmetric"),
    Named("hide", "hide treasure at random"),
    Named("draw", "draw one at random"),
    Named("turn", "turn by a quarter"),
    Named("mirror", "mirror"),
    Named("swap", "change the teams' places"),
)

_SYMMETRIES = {
    "half turn": (2, "half a turn"),
    "left and right": (4, "left and right"),
    "top and bottom": (6, "top and bottom"),
    "falling": (7, "the diagonal that falls"),
    "rising": (5, "the diagonal that rises"),
}
"""By name: the number of the symmetry (see `turned_field`) that maps one half of the field to the other,
and its label.
"""

symmetries: Sequence[Named] = tuple(Named(name, label) for name, (_, label) in _SYMMETRIES.items())


def blank() -> Mapping[str, Any]:
    """Return a field with agents in two corners and nothing else."""
    agents = (Agent(0, 0, 0), Agent(7, 7, 4), Agent(1, 0, 0), Agent(6, 7, 4))
    return json_field(Field(size=8, steps=CONTEST_STEPS, agents=agents))


def read(data: bytes, /) -> Mapping[str, Any]:
    """Return the field of a file or log (`Drawing.read`)."""
    return json_field(_field(read_text(data)))


def write(opening: Mapping[str, Any], /) -> bytes:
    """Return a field as a file (`Drawing.write`)."""
    return format_field(_field(opening))


def _field(raw: Any) -> Field:
    field = read_field(raw)
    if field.size > LARGEST:
        raise ValueError(f"size: expected {LARGEST} or fewer cells on a side to draw on, got {field.size}")
    return field


def shown(opening: Mapping[str, Any], /) -> Drawn:
    """Return a field as the editor shows it (`Drawing.shown`)."""
    field = _field(opening)
    rules = DigHereRules(field)
    start = rules.start()
    on_places = signs(field.size, start.public, start.hidden, start.directions)
    return Drawn(
        scene=scene(rules),
        frame=Frame(changes=tuple(on_places.items()), tally=start.public.scores),
        places=list(_words(field)),
        singles={
            f"agent{seat}": cell.y * field.size + cell.x
            for seat, cell in enumerate(field.starts)
            if field.has(cell)
        },
        numbers={"size": field.size, "steps": field.steps, "think_time": field.think_time},
        about=about_field(field),
        text=rules.render(start),
        flaws=list(flaws(field)),
        remarks=[*contest_flaws(field), *_remarks(field)],
    )


def change(opening: Mapping[str, Any], change: Change, /) -> Mapping[str, Any]:
    """Return a field after one step of editing (`Drawing.change`)."""
    field = _field(opening)
    if change.do in [tool.name for tool in tools]:
        return json_field(_use(field, change))
    for number in numbers:
        if number.name == change.do:
            return json_field(_set(field, number, change.amount))
    return json_field(_obey(field, change))


# Tools


def _use(field: Field, change: Change) -> Field:
    """Return the field after a click with a tool. With a symmetry the opposite cell changes too."""
    if not 0 <= change.place < field.size**2:
        raise ValueError(f"place: expected 0 to {field.size**2 - 1}, got {change.place}")
    cell = Cell(change.place % field.size, change.place // field.size)
    if change.do in ("known", "hidden") and not 1 <= change.amount <= _RICHEST:
        raise ValueError(f"amount: expected 1 to {_RICHEST}, got {change.amount}")
    symmetry = _symmetry(change.symmetry) if change.symmetry else 0
    if change.do.startswith("agent"):
        seat = int(change.do.removeprefix("agent"))
        opposite = turned_cell(cell, field.size, symmetry)
        field = _move(field, seat, cell, _look(field, seat, cell, stays=change.stays))
        if not symmetry:
            return field
        if opposite == cell:
            raise ValueError(f"agent {seat} at {cell}: its opposite would stand there too")
        return _move(field, seat ^ 1, opposite, turned_direction(field.agents[seat].direction, symmetry))
    # A second click with the same tool removes the object again.
    do = "bare" if not change.stays and _has(field, change, cell) else change.do
    for each in dict.fromkeys((cell, turned_cell(cell, field.size, symmetry))):
        field = _put(field, do, each, change.amount)
    return field


def _symmetry(name: str) -> int:
    if name not in _SYMMETRIES:
        raise ValueError(f"symmetry: got {name!r:.80}, expected one of {', '.join(_SYMMETRIES)}")
    return _SYMMETRIES[name][0]


def _has(field: Field, change: Change, cell: Cell) -> bool:
    """Return whether a cell already has exactly what the change would put there."""
    if change.do == "hole":
        return cell in field.holes
    return Treasure(*cell, change.amount) in (field.known if change.do == "known" else field.hidden)


def _look(field: Field, seat: int, cell: Cell, *, stays: bool) -> int:
    """Return the direction of an agent after a click on a cell puts it there.

    An agent that already stood on the cell turns.

    Args:
        stays: Whether such an agent keeps its direction instead.
    """
    agent = field.agents[seat]
    if stays or (agent.x, agent.y) != cell:
        return agent.direction
    return (agent.direction + (2 if seat in SAMURAI else 1)) % len(DIRECTIONS)


def _put(field: Field, what: str, cell: Cell, amount: int) -> Field:
    """Return the field with a hole or treasure on a cell, or with nothing there.

    Args:
        what: "hole", "known" or "hidden" (treasure), or "bare".
        cell: The cell, which no agent may have as its start.
        amount: The amount of the treasure.
    """
    field_ = field.only(lambda each: each != cell)
    if what == "bare":
        return field_
    if cell in field.starts:
        raise ValueError(f"agent {field.starts.index(cell)} starts at {cell}: put it elsewhere first")
    if what == "hole":
        return replace(field_, holes=(*field_.holes, cell))
    treasure = Treasure(*cell, amount)
    if what == "known":
        return replace(field_, known=(*field_.known, treasure))
    return replace(field_, hidden=(*field_.hidden, treasure))


def _move(field: Field, seat: int, cell: Cell, look: int) -> Field:
    """Return the field with an agent moved to a cell, whose hole or treasure is removed.

    An agent that stood there takes the cell that the moved one has left.

    Args:
        seat: The agent's number.
        cell: The cell to which it moves.
        look: The number of the direction in which it looks.
    """
    field, agents = field.only(lambda each: each != cell), list(field.agents)
    came_from = agents[seat]
    for other, agent in enumerate(agents):
        if other != seat and (agent.x, agent.y) == cell:
            agents[other] = agent._replace(x=came_from.x, y=came_from.y)
    agents[seat] = Agent(*cell, look)
    return replace(field, agents=tuple(agents))


# Numbers, and what is done to the whole


def _set(field: Field, number: Number, amount: int) -> Field:
    if not number.least <= amount <= number.most:
        raise ValueError(f"{number.label}: expected {number.least} to {number.most}, got {amount}")
    if number.name == "size":
        return _resized(field, amount)
    if number.name == "steps":
        return replace(field, steps=amount)
    return replace(field, think_time=amount)


def _resized(field: Field, size: int) -> Field:
    """Return the field with another size. Objects outside are removed, agents move inside."""
    last, agents = size - 1, list[Agent]()
    for agent in field.agents:
        x, y = min(max(agent.x, 0), last), min(max(agent.y, 0), last)
        taken = {(each.x, each.y) for each in agents}
        free = ((column, y) for column in (x, *reversed(range(size))) if (column, y) not in taken)
        agents.append(Agent(*next(free), agent.direction))
    made = replace(field, size=size, agents=tuple(agents))
    return made.only(lambda cell: made.has(cell) and cell not in made.starts)


def _obey(field: Field, change: Change) -> Field:
    match change.do:
        case "clear":
            return replace(field, holes=(), known=(), hidden=())
        case "complete":
            return _completed(field, _symmetry(change.symmetry))
        case "hide":
            return hide_treasure(field, change.seed)
        case "draw":
            drawn = draw_field(change.seed, size=field.size)
            return replace(drawn, steps=field.steps, think_time=field.think_time)
        case "turn":
            return turned_field(field, 1)
        case "mirror":
            return turned_field(field, 4)
        case "swap":
            return _swapped(field)
    raise ValueError(f"do: got {change.do!r:.80}, expected a tool, a number or a command")


def _swapped(field: Field) -> Field:
    """Return the field with the teams' places exchanged."""
    first, second, third, fourth = field.agents
    return replace(field, agents=(second, first, fourth, third))


def _completed(field: Field, symmetry: int) -> Field:
    """Complete a symmetric field: mirror its first half and swap the teams."""
    size = field.size

    def opposite(cell: Cell) -> Cell:
        return turned_cell(cell, size, symmetry)

    def is_first(cell: Cell) -> bool:
        there = opposite(cell)
        return (cell.y, cell.x) <= (there.y, there.x)

    half = field.only(is_first)
    other = _swapped(turned_field(half, symmetry))
    agents = list(half.agents)
    for seat in (1, 3):
        agents[seat] = other.agents[seat]
    if len({(agent.x, agent.y) for agent in agents}) < AGENTS:
        raise ValueError("an agent of team 0 stands where its opposite would: put it elsewhere first")
    made = replace(
        half,
        agents=tuple(agents),
        holes=tuple(dict.fromkeys((*half.holes, *other.holes))),
        known=tuple(dict.fromkeys((*half.known, *other.known))),
        hidden=tuple(dict.fromkeys((*half.hidden, *other.hidden))),
    )
    return made.only(lambda cell: cell not in made.starts)


# What there is to say


def _remarks(field: Field) -> Iterator[str]:
    """Yield lines that say whether the field is fair to both teams, and which agents cannot move at first."""
    fair = [label for symmetry, label in _SYMMETRIES.values() if _is_symmetric(field, symmetry)]
    if fair:
        yield f"both teams have the same: symmetric by {' and by '.join(fair)}"
    else:
        yield "the teams have different places: play it twice, with sides changed"
    shut = {*field.holes, *field.starts}
    for number, cell in enumerate(field.starts):
        near = neighbours(cell)[:: 2 if number in SAMURAI else 1]
        if all(each in shut or not field.has(each) for each in near):
            yield f"agent {number} at {cell}: it cannot move at first"


def _is_symmetric(field: Field, symmetry: int) -> bool:
    """Return whether the field is fair: a symmetry of the board exchanges the places of the two teams.

    The agents' first directions are ignored.

    Args:
        symmetry: Number of the symmetry, as in `turned_cell`.
    """
    other = _swapped(turned_field(field, symmetry))
    first, second = (
        (each.starts, set(each.holes), set(each.known), set(each.hidden)) for each in (field, other)
    )
    return first == second


def _words(field: Field) -> Iterator[str]:
    """Yield, row by row, a text for each cell that names the objects on it."""
    found: dict[Cell, list[str]] = {}
    for cell in field.holes:
        found.setdefault(cell, []).append("hole")
    for word, buried in (("treasure", field.known), ("hidden treasure", field.hidden)):
        for each in buried:
            found.setdefault(each.cell, []).append(f"{word} of {each.amount}")
    for number, cell in enumerate(field.starts):
        found.setdefault(cell, []).append(tools[3 + number].label)
    for y in range(field.size):
        for x in range(field.size):
            yield ", ".join(found.get(Cell(x, y), ()))
