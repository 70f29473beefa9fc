"""The summary of a log's steps as the official manager writes it, with the reasons of what came to nothing.

::

    Step: 1
    Golds known: 10@(7,1) 6@(6,4)
    Agent 0@(1,6) move (2,6)X 9990 msec left: cannot move to (2,6): several move there
    Agent 1@(2,7) stay (2,7)  9990 msec left
    Scores are 0:0

Places and treasure are as before the step, times and scores as after it. Steps are counted from 1.
"""

from collections.abc import Iterator

from gyoji.games.dighere.cells import Cell
from gyoji.games.dighere.logs import Log, Play
from gyoji.games.dighere.plans import target, verb
from gyoji.games.dighere.position import Public
from gyoji.games.dighere.rules import DigHereRules

_WIDE = 10
"""On larger fields a coordinate has two columns."""


def summary(log: Log) -> str:
    """The summary, by the log's plans and times; all else is what the rules make of them."""
    game = DigHereRules(log.field)
    position, columns = game.start(), 2 if log.field.size > _WIDE else 1
    lines: list[str] = []
    for play in log.plays:
        turn = tuple((seat, play.plans[seat]) for seat in position.acting)
        before, notes = position.public, game.notes(position, turn)
        position = game.play(position, turn)
        lines += _step(before, position.public, play, notes=notes, columns=columns)
    return "".join(f"{line}\n" for line in lines)


def _step(
    before: Public, after: Public, play: Play, *, notes: tuple[str, ...], columns: int
) -> Iterator[str]:
    def place(cell: Cell) -> str:
        return f"({cell.x:{columns}},{cell.y:{columns}})"

    yield f"Step: {after.step}"
    if before.known:
        yield " ".join(["Golds known:", *(f"{each.amount}@{place(each.cell)}" for each in before.known)])
    for seat, note in enumerate(notes):
        plan, cell = play.plans[seat], before.agents[seat]
        mark = " " if plan == after.actions[seat] else "X"
        left = f" {play.time_left[seat]} msec left" if play.time_left else ""
        why = f": {note}" if note else ""
        yield f"Agent {seat}@{place(cell)} {verb(plan):4} {place(target(cell, plan))}{mark}{left}{why}"
    yield f"Scores are {after.scores[0]}:{after.scores[1]}"
