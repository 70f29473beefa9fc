"""A game as pictures: what its board looks like, and what each turn changes on it.

`Game.pictures` has them, imported when somebody wants to see a game:

scene(rules)           the board, the same for the whole game.
frames(rules, record)  the first frame sets the board up, then one for each turn of the record. Lazy, so that
                       what comes before a turn that these rules refuse (IllegalMove, ValueError) can be seen.

Whoever draws them needs to know no rules: what a turn takes off the board is in its frame.

On a place stand *signs*, words with blanks between them that are drawn one over the other, "" for none. Each
is a shape; what it means in a game says the legend of its scene:

=============  ===========================================================================
``B`` ``W``    a stone of side 0 or 1, black and white; ``b`` ``w``: a faded one
``+0`` ``+1``  a small square: the place belongs to that side
``H``          a hole
``T30``        a coin with a number on it; ``U30``: one with a dashed edge
``S06``        a round piece of side 0 that looks in direction 6
``D13``        a square piece of side 1 that looks in direction 3
=============  ===========================================================================

Directions are 0 to 7, from straight down, clockwise.
"""

from dataclasses import dataclass
from typing import Literal, NamedTuple


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A board. Places are numbered by rows from the top left: ``row * width + column``.

    kind     what it looks like: lines with "points" where they cross, or a grid of "cells".
    columns  their names from the left; rows: theirs from the top.
    stars    points with a dot.
    tally    what `Frame.tally` counts, in a word; "" for nothing.
    legend   (sign, meaning) of signs that not everybody knows.
    """

    kind: Literal["points", "cells"]
    columns: tuple[str, ...]
    rows: tuple[str, ...]
    stars: tuple[int, ...] = ()
    tally: str = ""
    legend: tuple[tuple[str, str], ...] = ()

    @property
    def width(self) -> int:
        return len(self.columns)


class Frame(NamedTuple):
    """The changes of one turn.

    changes  (place, the signs that are on it from now on), each place once.
    marks    the places that the turn is about; those of the frame before are not marked any more.
    tally    a number for each side; () where the scene counts nothing.
    words    of each move of the turn, in words; () where the notation will do.
    """

    changes: tuple[tuple[int, str], ...]
    marks: tuple[int, ...] = ()
    tally: tuple[int, ...] = ()
    words: tuple[str, ...] = ()
