"""Records of games that gyoji has played: logs, summaries, and the bytes sent to each agent.

A summary has the official manager's form, with reasons added for plans that failed.

::

    Step: 1
    Golds known: 10@(7,1) 6@(6,4)
    Agent 0@(1,6) move (2,6)X 9990 msec left: cannot move to (2,6): several move there
    Agent 1@(2,7) stay (2,7)  9990 msec left
    Scores are 0:0

Places and treasure are those before the step, times and scores those after it. Steps are counted from 1.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from gyoji.core import wire
from gyoji.core.clocks import pass_on
from gyoji.core.game import PlayedOut, make_options
from gyoji.core.record import GameRecord, Played, VoidGame
from gyoji.core.spec import GameSpec
from gyoji.games.dighere.codec import ends, milliseconds, question
from gyoji.games.dighere.fields import AGENTS, Agent, Field
from gyoji.games.dighere.files import Log, Play, log_file
from gyoji.games.dighere.game_options import Options
from gyoji.games.dighere.plans import Cell, target, verb
from gyoji.games.dighere.position import Position
from gyoji.games.dighere.rules import DigHereRules, rules

_tuple = tuple.__new__  # a named tuple's own constructor costs twice as much


def _rules_of(spec: GameSpec) -> DigHereRules:
    return rules(make_options(Options, wire.frozen(spec.options)), spec.seed)


def asked(game: DigHereRules, position: Position, turn: Sequence[Played]) -> Position:
    """Return the position before a turn, in which agents that have left the game are dropped.

    Args:
        position: The position after the previous turn.
        turn: The plans of the turn. An agent without a plan has left the game.
    """
    seats = {played.seat for played in turn}
    for seat in position.acting:
        if seat not in seats:
            position = game.drop(position, seat)
    return position


def _played(game: DigHereRules, position: Position, turn: Sequence[Played]) -> Position:
    return game.play(asked(game, position, turn), tuple([(seat, int(move)) for seat, move, *_ in turn]))


def played_out(spec: GameSpec, record: GameRecord | VoidGame) -> PlayedOut:
    """Replay a recorded game and return its rules and positions."""
    game = _rules_of(spec)
    position, positions = game.start(), []
    for turn in record.turns:
        position = _played(game, position, turn)
        positions.append(position)
    return PlayedOut(game, positions)


def log_of(spec: GameSpec, record: GameRecord | VoidGame) -> Log:
    """Return the log of a game, with the think time of the game's clock instead of the field's.

    Plans are written as all agents saw them. An agent that has left the game has plan -1 and no time left.
    """
    field, steps = _steps(spec, record, played_out(spec, record))
    return Log(field=field, plays=tuple([play_of(position, left) for position, left in steps]))


def written_log(spec: GameSpec, record: GameRecord | VoidGame, played: PlayedOut) -> bytes:
    """Return the log of a game as a file, without replaying the moves.

    Args:
        played: The game's rules and positions.
    """
    field, steps = _steps(spec, record, played)
    return log_file(field, [play_text(position, left) for position, left in steps])


def _steps(
    spec: GameSpec, record: GameRecord | VoidGame, played: PlayedOut
) -> tuple[Field, Iterator[tuple[Position, tuple[int, ...]]]]:
    """Return the field for a game's log, and an iterator over the game's steps.

    The iterator yields (the position after the step, the ms that each agent has left then).
    """
    game = played.rules
    clocks = _Clocks(spec, record, game.think_time)
    field = replace(game.field, think_time=clocks.limit)
    return field, zip(played.positions, map(clocks.after, record.turns), strict=True)


def play_of(position: Position, time_left: tuple[int, ...] = ()) -> Play:
    """Return the last step that led to a position, in the form of a log.

    Args:
        time_left: The ms that each agent has left.
    """
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


_FOUR = ",".join(["%d"] * AGENTS)
_LOOKS = ",".join(['{"direction":%d,"x":%d,"y":%d}'] * AGENTS)
_PLAY = (
    f'{{"actions":[{_FOUR}],"agents":[{_LOOKS}],"plans":[{_FOUR}],"scores":[%d,%d],"step":%d,'
    f'"timeLeft":[{_FOUR}]}}'
)


# Formatted by hand for speed: a log has a hundred plays of 30 numbers and is written while the next game
# waits.
def play_text(position: Position, left: tuple[int, ...]) -> str:
    """Return the last step that led to a position as the JSON of a log.

    Args:
        left: The ms that each agent has left.
    """
    step, _, _, (a, b, c, d), plans, actions, scores, _ = position.public
    e, f, g, h = position.directions
    return _PLAY % (*actions, e, *a, f, *b, g, *c, h, *d, *plans, *scores, step - 1, *left)


def told_of(spec: GameSpec, record: GameRecord | VoidGame) -> tuple[bytes, ...]:
    """Return all bytes that gyoji sent to each agent's program in a game, by seat.

    They equal the copies that the official manager makes with `-D`. The last request to an agent that left
    the game is included.
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
    """The clocks of the agents in a recorded game, which are charged turn by turn as they were in the game.

    Attributes:
        limit: Think time in ms, by the game's clock.
    """

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
        """Return the ms that each agent has now."""
        pairs = zip(self._clocks, self._controls, strict=True)
        return tuple([milliseconds(clock, control, self._think_time) for clock, control in pairs])

    def after(self, turn: Sequence[Played]) -> tuple[int, ...]:
        """Charge a turn. Return the ms that each agent has left; 0 for an agent that made no move."""
        if self._fixed and len(turn) == len(self._fixed):  # no clock runs, and all have played
            return self._fixed
        for played in turn:
            seat = played.seat
            control = self._controls[seat]
            if (charged := control.charge(self._clocks[seat], played.ns)) is not None:
                self._clocks[seat] = charged[0]
                if control.hourglass:
                    self._clocks = pass_on(self._controls, self._clocks, seat, played.ns)
        left = [0] * len(self._clocks)
        for seat in [played.seat for played in turn]:
            left[seat] = milliseconds(self._clocks[seat], self._controls[seat], self._think_time)
        return tuple(left)


_WIDE = 10
"""The field size above which coordinates are two characters wide."""


def summary(log: Log, *, fallen: Mapping[int, Sequence[str]] | None = None) -> str:
    """Return the summary of a log as text. Plans and times are the log's; the rules derive the rest.

    Args:
        fallen: Lines about agents that left the game, by the number of steps played before.
    """
    game = DigHereRules(log.field)
    position, columns = game.start(), 2 if log.field.size > _WIDE else 1
    lines: list[str] = []
    for play in log.plays:
        turn = tuple([(seat, play.plans[seat]) for seat in position.acting])
        before, notes = position.public, game.notes(position, turn)
        position = game.play(position, turn)
        lines += (fallen or {}).get(before.step, ())
        golds = "".join(f" {each.amount}@{_place(each.cell, columns)}" for each in before.known)
        lines.append(f"Step: {position.public.step}\n" + (f"Golds known:{golds}\n" if golds else ""))
        lines += _agents(play, before.agents, position.public.actions, notes=notes, columns=columns)
        lines.append("Scores are {}:{}\n".format(*position.public.scores))
    return "".join(lines)


@lru_cache(maxsize=1024)
def _place(cell: Cell, columns: int) -> str:
    return f"({cell.x:{columns}},{cell.y:{columns}})"


def _agents(
    play: Play, agents: Sequence[Cell], actions: Sequence[int], *, notes: Sequence[str], columns: int
) -> Iterator[str]:
    """Yield the summary's line for each agent: its cell, plan, time left, and why the plan failed.

    Args:
        agents: The agents' cells before the step.
        actions: The actions that the agents carried out.
        notes: By seat, why the plan failed; "" if it was carried out.
        columns: The width of a coordinate.
    """
    for seat, note in enumerate(notes):
        plan, cell = play.plans[seat], agents[seat]
        mark = " " if plan == actions[seat] else "X"
        left = f" {play.time_left[seat]} msec left" if play.time_left else ""
        why = f": {note}" if note else ""
        to = _place(target(cell, plan), columns)
        yield f"Agent {seat}@{_place(cell, columns)} {verb(plan):4} {to}{mark}{left}{why}\n"
