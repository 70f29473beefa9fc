"""The state of a game of Dig Here, drawn for people, and told to agents. Values.

The order of holes and treasures is that in which agents are told of them: see `rules`.

A drawn field has row 0 on top:

====================  ==========================================
``A`` ``B``           the samurai of teams 0 and 1
``a`` ``b``           their dogs
``o``                 a hole
``$`` ``?``           treasure, known and hidden
``.``                 nothing
====================  ==========================================

An agent is told 13 lines at each step, "Game State Information" of the rules of December 2019.
"""

from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from gyoji.games.dighere.fields import Treasure
from gyoji.games.dighere.plans import Cell


class Public(NamedTuple):
    """The part of a position that all agents know.

    step     steps played until now.
    known    treasures that everybody knows of and nobody has dug out.
    agents   where the four are.
    plans    of the last step, as everybody is shown them; actions: those carried out.
    scores   of the two teams.
    buried   the sum of all treasure that is still in the ground, hidden included.
    """

    step: int
    holes: tuple[Cell, ...]
    known: tuple[Treasure, ...]
    agents: tuple[Cell, ...]
    plans: tuple[int, ...]
    actions: tuple[int, ...]
    scores: tuple[int, int]
    buried: int


class Position(NamedTuple):
    """A game in progress.

    hidden       treasures that not everybody knows of.
    directions   in which the agents look; for display alone.
    acting       the seats that are still asked; () when the game is over.
    hole_bits    the cells of the holes as a set; hidden_bits: those of the hidden treasures.
    """

    public: Public
    hidden: tuple[Treasure, ...]
    directions: tuple[int, ...]
    acting: tuple[int, ...]
    hole_bits: int
    hidden_bits: int


class View(NamedTuple):
    """The knowledge of the agent in `seat`. sensed: the hidden treasures beside a dog, by direction."""

    seat: int
    public: Public
    sensed: tuple[Treasure, ...]


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


_AGENTS = "%d %d %d %d %d %d %d %d\n"
_QUESTION = "%s%d%s%s%s%s" + _AGENTS + "%d %d %d %d\n" * 2 + "%d %d\n" + "%d\n" * 2


def ends(seat: int, size: int, steps: int) -> tuple[str, str]:
    """The text before the number of the step and the text after it, the same in a whole game."""
    return f"{seat}\n{size}\n", f"\n{steps}\n"


def question(view: View, left: int, *, head: str, steps: str) -> bytes:
    """The message about a view. left: ms; head, steps: as `ends` makes them."""
    _, public, sensed = view
    step, holes, known, (a, b, c, d), plans, actions, scores, buried = public
    words = head, step, steps, _line(holes), _line(known), _line(sensed)
    numbers = *a, *b, *c, *d, *plans, *actions, *scores, buried, left
    return (_QUESTION % (*words, *numbers)).encode()


@lru_cache(maxsize=64)
def _line(rows: tuple[tuple[int, ...], ...]) -> str:
    """A list as the protocol writes it: how many there are, then the numbers of each.

    All four are told the same lists, most of them again in the next step: what is known is looked up.

    >>> _line(((1, 2), (3, 4)))
    '2 1 2 3 4\\n'
    """
    return " ".join(map(str, (len(rows), *chain.from_iterable(rows)))) + "\n"
