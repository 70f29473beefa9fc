"""The state of a game of Dig Here in progress, and what an agent may know of it. Values; no rules here.

The order of holes and treasures is that in which agents are told of them: see `rules`.
"""

from typing import NamedTuple

from gyoji.games.dighere.cells import Cell
from gyoji.games.dighere.fields import Treasure


class Public(NamedTuple):
    """What all agents know.

    step     steps played until now.
    known    treasures that everybody knows of and nobody has dug out.
    agents   where the four are.
    plans    of the last step, as everybody is shown them; actions: what became of them.
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
    """What the agent in `seat` may know. sensed: the hidden treasures beside a dog, by direction."""

    seat: int
    public: Public
    sensed: tuple[Treasure, ...]
