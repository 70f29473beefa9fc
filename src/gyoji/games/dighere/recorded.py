"""Games that gyoji has played, as logs."""

from collections.abc import Sequence
from dataclasses import replace

from gyoji.core import wire
from gyoji.core.record import GameRecord, Played, VoidGame
from gyoji.core.spec import GameSpec
from gyoji.games.dighere.fields import Agent
from gyoji.games.dighere.logs import Log, Play, milliseconds
from gyoji.games.dighere.options import Options
from gyoji.games.dighere.position import Position
from gyoji.games.dighere.questions import ends, question
from gyoji.games.dighere.rules import DigHereRules, rules


def log_of(spec: GameSpec, record: GameRecord | VoidGame) -> Log:
    """The log of a game. Its plans are as agents were shown them; its think time is that of the clock.

    Who is out of the game has plan -1 and no time left.
    """
    game = rules(Options(**wire.frozen(spec.options)), spec.seed)
    field, clocks, position = game.field, _Clocks(spec, record, game.think_time), game.start()
    plays = []
    for turn in record.turns:
        position = _played(game, position, turn)
        plays.append(play_of(position, clocks.after(turn)))
    return Log(field=replace(field, think_time=clocks.limit), plays=tuple(plays))


def play_of(position: Position, time_left: tuple[int, ...] = ()) -> Play:
    """The last step of a position."""
    step, _, _, agents, plans, actions, scores, _ = position.public
    looks = zip(agents, position.directions, strict=True)
    return Play(
        step - 1, plans, actions, scores, tuple([Agent(*cell, look) for cell, look in looks]), time_left
    )


def told_of(spec: GameSpec, record: GameRecord | VoidGame) -> tuple[bytes, ...]:
    """All that each agent was told, as the official manager's copies (`-D`) have it.

    Who falls out of the game was told of the step in which it did, and of none after it.
    """
    game = rules(Options(**wire.frozen(spec.options)), spec.seed)
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


def _played(game: DigHereRules, position: Position, turn: Sequence[Played]) -> Position:
    """The position after a turn, without whoever made no plan in it."""
    asked = {played.seat for played in turn}
    for seat in position.acting:
        if seat not in asked:
            position = game.drop(position, seat)
    return game.play(position, tuple([(seat, int(move)) for seat, move, *_ in turn]))


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
        self.limit = milliseconds(spec.clock.start(), spec.clock, think_time)

    def left(self) -> tuple[int, ...]:
        """ms that each has now."""
        pairs = zip(self._clocks, self._controls, strict=True)
        return tuple([milliseconds(clock, control, self._think_time) for clock, control in pairs])

    def after(self, turn: Sequence[Played]) -> tuple[int, ...]:
        """ms that each has left after a turn."""
        left = [0] * len(self._clocks)
        for seat, _, used, *_ in turn:
            control = self._controls[seat]
            self._clocks[seat] = clock = control.spend(self._clocks[seat], used) or self._clocks[seat]
            left[seat] = milliseconds(clock, control, self._think_time)
        return tuple(left)
