"""Trying an engine in a position that shows whether it plays by the rules it was told: see `core/trial.py`.

Only what it was seen to do is held against it. Whatever else goes wrong here, the startup check or the first
game finds.
"""

from collections.abc import Sequence
from dataclasses import replace

from gyoji.core import messages as m
from gyoji.core.clocks import TimeControl
from gyoji.core.faults import Breakdown, ConfigError, IllegalMove
from gyoji.core.plugins import plugin
from gyoji.core.spec import GameSpec
from gyoji.core.trial import Trial
from gyoji.runner.context import WorkerContext
from gyoji.runner.game_parts import engine_environ, make_codec, make_rules
from gyoji.runner.link import Link
from gyoji.runner.startup_check import GAME_ID

_SEAT = 0
_CONTROL = TimeControl.parse("1s/move")


def try_rules(spec: GameSpec) -> Trial | None:
    """The trial in which the player of seat 0 fails, if the rules count its games; None: it fails in none.

    An engine that was not told all of the rules is not tried.
    """
    make = getattr(plugin("games", spec.game), "trial", None)
    trial: Trial | None = make(spec.options) if make is not None and spec.scorer == "internal" else None
    if trial is None:
        return None
    context = WorkerContext()
    try:
        return trial if _Attempt(context, spec, trial).fails() else None
    except (Breakdown, ConfigError):
        return None
    finally:
        context.close()


class _Attempt:
    """One engine in one trial: the `LinkListener` of its link."""

    def __init__(self, context: WorkerContext, spec: GameSpec, trial: Trial) -> None:
        self._loop = context.loop
        self._rules = make_rules(replace(spec, options=trial.options))
        self._position = self._rules.start()
        self._news: list[m.Turn] = []
        self._idle = trial.idle
        for move in trial.moves:
            self._play(move)
        self._fails = False
        self._closed = False
        player = replace(spec.players[_SEAT], stderr="discard")
        codec = make_codec(player)
        engine, self._cleanup = context.start(player, engine_environ(GAME_ID, None))
        self._link = Link(context.loop, self, _SEAT, engine=engine, codec=codec, meter=_CONTROL.meter)
        self._patience, self._close = player.budgets.startup, player.budgets.close
        start = self._rules.start()
        view = self._rules.view(start, _SEAT)
        self._link.say(m.NewGame(_SEAT, self._rules, view, _CONTROL, engine.player), self._patience)

    def fails(self) -> bool:
        self._loop.run(lambda: self._closed)
        return self._fails

    def _play(self, move: str) -> None:
        (seat,) = self._rules.acting(self._position)
        turn = ((seat, self._rules.parse(move)),)
        self._position = self._rules.play(self._position, turn)
        self._news.append(turn)

    def _ask(self) -> None:
        rules, position = self._rules, self._position
        news, self._news = tuple(self._news), []
        request = m.AskMove(rules.view(position, _SEAT), news, rules.phase(position), _CONTROL.start())
        self._link.say(request, self._patience)

    def on_reply(self, _seat: int, reply: m.Reply, _used: int) -> None:
        match reply:
            case m.Ready(knows_rules=True):
                self._ask()
            case m.Moved(move) if self._rules.format(move) == self._idle:
                self._wait()
            case m.HasQuit():
                self._link.dismiss(kindly=True)
            case m.Broken():
                self._link.dismiss(kindly=False)
            case m.Comment() | m.Warned():
                pass
            case _:
                self._link.say(m.Quit(), self._close)

    def _wait(self) -> None:
        """It has done nothing, and neither does the other side."""
        try:
            for _ in range(2):
                self._play(self._idle)
        except (IllegalMove, ValueError):
            self._link.say(m.Quit(), self._close)
            return
        self._fails = not self._rules.acting(self._position)
        if self._fails:
            self._link.say(m.Quit(), self._close)
        else:
            self._ask()

    def on_expiry(self, _seat: int, _used: int, _waited: int, *, deaf: bool) -> None:
        self._link.dismiss(kindly=False)

    def on_failure(self, _reason: str, _trace: Sequence[str]) -> None:
        self._link.dismiss(kindly=False)

    def on_closed(self, _seat: int) -> None:
        self._cleanup()
        self._closed = True
