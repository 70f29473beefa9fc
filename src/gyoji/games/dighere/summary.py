"""The summary of a log's steps as the official manager writes it, with the reasons of what came to nothing.

::

    Step: 1
    Golds known: 10@(7,1) 6@(6,4)
    Agent 0@(1,6) move (2,6)X 9990 msec left: cannot move to (2,6): several move there
    Agent 1@(2,7) stay (2,7)  9990 msec left
    Scores are 0:0

Places and treasure are as before the step, times and scores as after it. Steps are counted from 1.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from gyoji.games.dighere.cells import Cell
from gyoji.games.dighere.fields import Treasure
from gyoji.games.dighere.logs import Log, Play
from gyoji.games.dighere.plans import target, verb
from gyoji.games.dighere.rules import DigHereRules

_WIDE = 10
"""On larger fields a coordinate has two columns."""


def summary(log: Log, *, fallen: Mapping[int, Sequence[str]] | None = None) -> str:
    """The summary, by the log's plans and times; all else is what the rules make of them.

    fallen: by step, lines on who is out of the game from it on.
    """
    game = DigHereRules(log.field)
    position, columns = game.start(), 2 if log.field.size > _WIDE else 1
    lines: list[str] = []
    for play in log.plays:
        turn = tuple([(seat, play.plans[seat]) for seat in position.acting])
        before, notes = position.public, game.notes(position, turn)
        position = game.play(position, turn)
        lines += (fallen or {}).get(before.step, ())
        lines.append(f"Step: {position.public.step}\n{_golds(before.known, columns)}")
        lines += _agents(play, before.agents, position.public.actions, notes=notes, columns=columns)
        lines.append("Scores are {}:{}\n".format(*position.public.scores))
    return "".join(lines)


@lru_cache(maxsize=64)
def _golds(known: tuple[Treasure, ...], columns: int) -> str:
    """The line of the known treasures, the same in many steps."""
    if not known:
        return ""
    return " ".join(["Golds known:", *(f"{each[2]}@{_place(each.cell, columns)}" for each in known)]) + "\n"


@lru_cache(maxsize=1024)
def _place(cell: Cell, columns: int) -> str:
    return f"({cell.x:{columns}},{cell.y:{columns}})"


def _agents(
    play: Play, agents: Sequence[Cell], actions: Sequence[int], *, notes: Sequence[str], columns: int
) -> Iterator[str]:
    """A line for each agent. agents: where they were before the step."""
    for seat, note in enumerate(notes):
        plan, cell = play.plans[seat], agents[seat]
        mark = " " if plan == actions[seat] else "X"
        left = f" {play.time_left[seat]} msec left" if play.time_left else ""
        why = f": {note}" if note else ""
        to = _place(target(cell, plan), columns)
        yield f"Agent {seat}@{_place(cell, columns)} {verb(plan):4} {to}{mark}{left}{why}\n"
