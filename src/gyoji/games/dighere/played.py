"""Games that gyoji has played: as logs, as summaries, as agents were told of them, and counts of their plans.

A summary is as the official manager writes it, with the reasons of what came to nothing.

::

    Step: 1
    Golds known: 10@(7,1) 6@(6,4)
    Agent 0@(1,6) move (2,6)X 9990 msec left: cannot move to (2,6): several move there
    Agent 1@(2,7) stay (2,7)  9990 msec left
    Scores are 0:0

Places and treasure are as before the step, times and scores as after it. Steps are counted from 1.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from gyoji.core import wire
from gyoji.core.game import MoveCounts, PlayedOut, make_options
from gyoji.core.record import GameRecord, Played, VoidGame
from gyoji.core.spec import GameSpec
from gyoji.games.dighere.codec import ends, milliseconds, question
from gyoji.games.dighere.fields import AGENTS, Agent, Field
from gyoji.games.dighere.files import PLAY_TEXT, UNKNOWN, Log, Play, log_file, play_text
from gyoji.games.dighere.options import Options
from gyoji.games.dighere.plans import Cell, Treasure, target, verb
from gyoji.games.dighere.position import Position
from gyoji.games.dighere.rules import DigHereRules, rules

_tuple = tuple.__new__  # a named tuple's own constructor costs twice as much


def _rules_of(spec: GameSpec) -> DigHereRules:
    return rules(make_options(Options, wire.frozen(spec.options)), spec.seed)


def asked(game: DigHereRules, position: Position, turn: Sequence[Played]) -> Position:
    """The position in which a turn was made: who made no plan in it was out of the game by then."""
    seats = {played.seat for played in turn}
    for seat in position.acting:
        if seat not in seats:
            position = game.drop(position, seat)
    return position


def _played(game: DigHereRules, position: Position, turn: Sequence[Played]) -> Position:
    return game.play(asked(game, position, turn), tuple([(seat, int(move)) for seat, move, *_ in turn]))


def played_out(spec: GameSpec, record: GameRecord | VoidGame) -> PlayedOut:
    """A game, played again."""
    game = _rules_of(spec)
    position, positions = game.start(), []
    for turn in record.turns:
        position = _played(game, position, turn)
        positions.append(position)
    return PlayedOut(game, positions)


def log_of(spec: GameSpec, record: GameRecord | VoidGame) -> Log:
    """The log of a game. Its plans are as agents were shown them; its think time is that of the clock.

    Who is out of the game has plan -1 and no time left.
    """
    field, steps = _steps(spec, record, played_out(spec, record))
    return Log(field=field, plays=tuple([play_of(position, left) for position, left in steps]))


def written_log(spec: GameSpec, record: GameRecord | VoidGame, played: PlayedOut) -> bytes:
    """The file of the log of a game, of its positions."""
    field, steps = _steps(spec, record, played)
    return log_file(field, [_play_text(position, left) for position, left in steps])


def _steps(
    spec: GameSpec, record: GameRecord | VoidGame, played: PlayedOut
) -> tuple[Field, Iterator[tuple[Position, tuple[int, ...]]]]:
    """The field as a log has it; the position after each turn, and ms that each agent has left then."""
    game = played.rules
    clocks = _Clocks(spec, record, game.think_time)
    field = replace(game.field, think_time=clocks.limit)
    return field, zip(played.positions, map(clocks.after, record.turns), strict=True)


def play_of(position: Position, time_left: tuple[int, ...] = ()) -> Play:
    """The last step of a position."""
    step, _, _, agents, plans, actions, scores, _ = position.public
    looks = zip(agents, position.directions, strict=True)
    return Play(
        step - 1,
        plans,
        actions,
        scores,
        tuple([_tuple(Agent, (x, y, look)) for (x, y), look in looks]),
        time_left,
    )


def _play_text(position: Position, left: tuple[int, ...]) -> str:
    """The text of what `play_of` says, of which a game needs no value."""
    if UNKNOWN in position.directions:
        return play_text(play_of(position, left))
    step, _, _, (a, b, c, d), plans, actions, scores, _ = position.public
    e, f, g, h = position.directions
    return PLAY_TEXT % (*actions, e, *a, f, *b, g, *c, h, *d, *plans, *scores, step - 1, *left)


def told_of(spec: GameSpec, record: GameRecord | VoidGame) -> tuple[bytes, ...]:
    """All that each agent was told, as the official manager's copies (`-D`) have it.

    Who falls out of the game was told of the step in which it did, and of none after it.
    """
    game = _rules_of(spec)
    clocks, position = _Clocks(spec, record, game.think_time), game.start()
    fixed = [ends(seat, game.size, game.steps) for seat in range(game.seats)]
    told: list[list[bytes]] = [[] for _ in fixed]
    for turn in record.turns:
        left = clocks.left()
        for seat in position.acting:
            head, steps = fixed[seat]
            told[seat].append(question(game.view(position, seat), left[seat], head=head, steps=steps))
        position = _played(game, position, turn)
        clocks.after(turn)
    return tuple(map(b"".join, told))


class _Clocks:
    """The clocks of a game's agents, spent again. limit: ms that the game's clock gave."""

    def __init__(self, spec: GameSpec, record: GameRecord | VoidGame, think_time: int) -> None:
        startups = [0] * len(spec.players)
        if isinstance(record, GameRecord):
            startups = [engine.startup_ns for engine in record.result.engines]
        self._controls = [player.clock or spec.clock for player in spec.players]
        pairs = zip(self._controls, startups, strict=True)
        self._clocks = [control.start(startup) for control, startup in pairs]
        self._think_time = think_time
        self._fixed = () if any(control.has_main for control in self._controls) else self.left()
        self.limit = milliseconds(spec.clock.start(), spec.clock, think_time)

    def left(self) -> tuple[int, ...]:
        """ms that each has now."""
        pairs = zip(self._clocks, self._controls, strict=True)
        return tuple([milliseconds(clock, control, self._think_time) for clock, control in pairs])

    def after(self, turn: Sequence[Played]) -> tuple[int, ...]:
        """ms that each has left after a turn."""
        if self._fixed and len(turn) == len(self._fixed):  # no clock runs, and all have played
            return self._fixed
        left = [0] * len(self._clocks)
        for played in turn:
            seat = played.seat
            control = self._controls[seat]
            if (charged := control.charge(self._clocks[seat], played.ns)) is not None:
                self._clocks[seat] = charged[0]
            left[seat] = milliseconds(self._clocks[seat], control, self._think_time)
        return tuple(left)


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


def count_plans(spec: GameSpec, record: GameRecord) -> list[Counter[tuple[str, str]]]:
    """By seat: the number of plans by verb and by the reason why they failed ("" if they did not)."""
    game = _rules_of(spec)
    counts: list[Counter[tuple[str, str]]] = [Counter() for _ in range(AGENTS)]
    position = game.start()
    for played in record.turns:
        turn = tuple([(seat, int(move)) for seat, move, *_ in played])
        position = asked(game, position, played)
        reasons = game.reasons(position, turn)
        position = game.play(position, turn)
        for seat, plan in turn:
            reason = reasons[seat]
            counts[seat][verb(plan), reason.value if reason else ""] += 1
    return counts


def describe_field(options: Mapping[str, Any], seed: int) -> str:
    """The size and the treasure of the field that games with these options and seed are played on.

    >>> describe_field({}, 3)
    '6x6, 400 in 8 cells'
    """
    field = Options(**wire.frozen(options)).field(seed)
    cells = len(field.known) + len(field.hidden)
    return f"{field.size}x{field.size}, {field.treasure} in {cells} cells"


COUNTS = MoveCounts(count_plans, describe_field)
