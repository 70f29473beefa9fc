"""A field turned and mirrored: the eight symmetries of a square."""

from dataclasses import replace

from gyoji.games.dighere.cells import DIRECTIONS, Cell
from gyoji.games.dighere.fields import Field, Treasure


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
