"""Fields drawn with characters, for people: row 0 on top.

====================  ==========================================
``A`` ``B``           the samurai of teams 0 and 1
``a`` ``b``           their dogs
``o``                 a hole
``$`` ``?``           treasure, known and hidden
``.``                 nothing
====================  ==========================================
"""

from gyoji.games.dighere.position import Position

SIGNS = "ABab"


def draw(size: int, position: Position) -> str:
    """The field with its coordinates; no newline at the end. What is not in the field is left out."""
    public = position.public
    signs: dict[tuple[int, int], str] = dict.fromkeys(public.holes, "o")
    signs |= dict.fromkeys([each.cell for each in position.hidden], "?")
    signs |= dict.fromkeys([each.cell for each in public.known], "$")
    signs |= dict(zip(public.agents, SIGNS, strict=True))
    width = len(str(size - 1))
    lines = [f"{'':{width}} {' '.join(f'{x:{width}}' for x in range(size))}"]
    for y in range(size):
        row = " ".join(f"{signs.get((x, y), '.'):>{width}}" for x in range(size))
        lines.append(f"{y:{width}} {row}")
    return "\n".join(lines)
