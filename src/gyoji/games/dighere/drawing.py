"""Fields drawn by hand: see `gyoji.core.drawing.Drawing`.

Whatever is put on a cell takes the place of what was there, but for an agent, which only another one sends
away: the two change places. In a symmetry each change is made at the opposite cell too, with the agents of
the other team.
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
from gyoji.games.dighere.files import format_field, plain_field, read_field, read_text
from gyoji.games.dighere.frames import scene, signs
from gyoji.games.dighere.plans import DIRECTIONS, SAMURAI, Cell, Treasure, neighbours
from gyoji.games.dighere.rules import DigHereRules

LARGEST = 40
"""Cells on a side of a field that a page can show."""

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

_SYMMETRIES = {"half turn": 2, "left and right": 4, "top and bottom": 6, "falling": 7, "rising": 5}
"""By name, what `turned_field` does to the one half to make the other of it."""

symmetries: Sequence[Named] = (
    Named("half turn", "half a turn"),
    Named("left and right", "left and right"),
    Named("top and bottom", "top and bottom"),
    Named("falling", "the diagonal that falls"),
    Named("rising", "the diagonal that rises"),
)


def blank() -> Mapping[str, Any]:
    """A field with the agents in two corners, and nothing else."""
    agents = (Agent(0, 0, 0), Agent(7, 7, 4), Agent(1, 0, 0), Agent(6, 7, 4))
    return plain_field(Field(size=8, steps=CONTEST_STEPS, agents=agents))


def read(data: bytes, /) -> Mapping[str, Any]:
    """See `Drawing`. The field of a log will do."""
    return plain_field(_field(read_text(data)))


def write(opening: Mapping[str, Any], /) -> bytes:
    """See `Drawing`."""
    return format_field(_field(opening))


def _field(plain: Any) -> Field:
    field = read_field(plain)
    if field.size > LARGEST:
        raise ValueError(f"size: expected {LARGEST} or fewer cells on a side to draw on, got {field.size}")
    return field


def shown(opening: Mapping[str, Any], /) -> Drawn:
    """See `Drawing`."""
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
    """See `Drawing`."""
    field, do = _field(opening), change.do
    if do in [tool.name for tool in tools]:
        return plain_field(_use(field, change))
    if do in [number.name for number in numbers]:
        return plain_field(_set(field, do, change.amount))
    return plain_field(_obey(field, change))


# Tools


def _use(field: Field, change: Change) -> Field:
    """The field after a tool has been used, at the opposite cell too where a symmetry is wanted."""
    if not 0 <= change.place < field.size**2:
        raise ValueError(f"place: expected 0 to {field.size**2 - 1}, got {change.place}")
    cell = Cell(change.place % field.size, change.place // field.size)
    if change.do in ("known", "hidden") and not 1 <= change.amount <= _RICHEST:
        raise ValueError(f"amount: expected 1 to {_RICHEST}, got {change.amount}")
    is_agent = change.do.startswith("agent")
    do = change.do
    if not is_agent and not change.stays and _has(field, change, cell):
        do = "bare"
    symmetry = _symmetry(change.symmetry) if change.symmetry else 0
    opposite = turned_cell(cell, field.size, symmetry)
    if is_agent:
        return _lead(field, int(do.removeprefix("agent")), cell, symmetry, stays=change.stays)
    for each in dict.fromkeys((cell, opposite)):
        field = _put(field, do, each, change.amount)
    return field


def _lead(field: Field, seat: int, cell: Cell, symmetry: int, *, stays: bool) -> Field:
    """The field after an agent has been put on a cell, or turned there; with its opposite in a symmetry."""
    opposite = turned_cell(cell, field.size, symmetry)
    field = _move(field, seat, cell, _look(field, seat, cell, stays=stays))
    if not symmetry:
        return field
    if opposite == cell:
        raise ValueError(f"agent {seat} at {cell}: its opposite would stand there too")
    return _move(field, seat ^ 1, opposite, turned_direction(field.agents[seat].direction, symmetry))


def _symmetry(name: str) -> int:
    if name not in _SYMMETRIES:
        raise ValueError(f"symmetry: got {name!r:.80}, expected one of {', '.join(_SYMMETRIES)}")
    return _SYMMETRIES[name]


def _has(field: Field, change: Change, cell: Cell) -> bool:
    """Whether a cell has just what would be put there."""
    if change.do == "hole":
        return cell in field.holes
    return Treasure(*cell, change.amount) in (field.known if change.do == "known" else field.hidden)


def _look(field: Field, seat: int, cell: Cell, *, stays: bool) -> int:
    """Where an agent looks that is put on a cell: if it stands there already, the next way round."""
    agent = field.agents[seat]
    if stays or (agent.x, agent.y) != cell:
        return agent.direction
    return (agent.direction + (2 if seat in SAMURAI else 1)) % len(DIRECTIONS)


def _bared(field: Field, cell: Cell) -> Field:
    """The field without hole and treasure in a cell."""
    return replace(
        field,
        holes=tuple(each for each in field.holes if each != cell),
        known=tuple(each for each in field.known if each.cell != cell),
        hidden=tuple(each for each in field.hidden if each.cell != cell),
    )


def _put(field: Field, what: str, cell: Cell, amount: int) -> Field:
    """The field with a hole or treasure in a cell, or with nothing."""
    field_ = _bared(field, cell)
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
    """The field with an agent in a cell; who stood there goes where it came from."""
    field, agents = _bared(field, cell), list(field.agents)
    came_from = agents[seat]
    for other, agent in enumerate(agents):
        if other != seat and (agent.x, agent.y) == cell:
            agents[other] = agent._replace(x=came_from.x, y=came_from.y)
    agents[seat] = Agent(*cell, look)
    return replace(field, agents=tuple(agents))


# Numbers, and what is done to the whole


def _set(field: Field, name: str, amount: int) -> Field:
    number = next(each for each in numbers if each.name == name)
    if not number.least <= amount <= number.most:
        raise ValueError(f"{number.label}: expected {number.least} to {number.most}, got {amount}")
    if name == "steps":
        return replace(field, steps=amount)
    if name == "think_time":
        return replace(field, think_time=amount)
    return _resized(field, amount)


def _resized(field: Field, size: int) -> Field:
    """The field with another number of cells; what was outside is gone, agents come to what is left."""
    last, agents = size - 1, list[Agent]()
    for agent in field.agents:
        x, y = min(max(agent.x, 0), last), min(max(agent.y, 0), last)
        taken = {(each.x, each.y) for each in agents}
        free = ((column, y) for column in (x, *reversed(range(size))) if (column, y) not in taken)
        agents.append(Agent(*next(free), agent.direction))
    made = replace(field, size=size, agents=tuple(agents))
    made = replace(
        made,
        holes=tuple(filter(made.has, field.holes)),
        known=tuple(each for each in field.known if made.has(each.cell)),
        hidden=tuple(each for each in field.hidden if made.has(each.cell)),
    )
    for cell in made.starts:
        made = _bared(made, cell)
    return made


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
    """The field with each team where the other was."""
    first, second, third, fourth = field.agents
    return replace(field, agents=(second, first, fourth, third))


def _completed(field: Field, symmetry: int) -> Field:
    """The field with its first half made over into the other one, and team 0 into team 1."""
    size = field.size

    def opposite(cell: Cell) -> Cell:
        return turned_cell(cell, size, symmetry)

    def is_first(cell: Cell) -> bool:
        there = opposite(cell)
        return (cell.y, cell.x) <= (there.y, there.x)

    half = replace(
        field,
        holes=tuple(filter(is_first, field.holes)),
        known=tuple(each for each in field.known if is_first(each.cell)),
        hidden=tuple(each for each in field.hidden if is_first(each.cell)),
    )
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
    for cell in made.starts:
        made = _bared(made, cell)
    return made


# What there is to say


def _remarks(field: Field) -> Iterator[str]:
    fair = [choice.label for choice in symmetries if _is_symmetric(field, _SYMMETRIES[choice.name])]
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
    """Whether each team has what the other has, as seen in the symmetry, wherever agents look."""
    other = _swapped(turned_field(field, symmetry))
    return (
        (field.starts, set(field.holes)) == (other.starts, set(other.holes))
        and set(field.known) == set(other.known)
        and set(field.hidden) == set(other.hidden)
    )


def _words(field: Field) -> Iterator[str]:
    """The things on each cell, in words."""
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
