"""Tests of an engine before its first game: the start-up check, and trials of rules (`Trial`).

In a start-up check, the engine gets ready for a game and quits. In a trial, it plays from a prepared
position, and fails only if it makes the idle move, such as a pass, until the game is over. Other problems are
left to the start-up check and the first game.
"""

import os
import re
import time
from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct, structs

from gyoji.core import messages as m
from gyoji.core.clocks import TimeControl
from gyoji.core.faults import Breakdown, ConfigError, FaultKind, IllegalMove
from gyoji.core.game import Trial
from gyoji.core.plugins import GAMES
from gyoji.core.ports import TakesDeclining, supports
from gyoji.core.spec import Containment, GameSpec, Player
from gyoji.core.text import describe_silence, legible_json, printable, quote
from gyoji.play.context import GOMILL_ID, EndsOnFailure, WorkerContext, borrowed, engine_environ, make_rules

GAME_ID = "startup-check"
"""The game token and game id in the environment of checked engines."""
LAST_LINES = 12
"""The number of stderr lines shown for an engine that failed: enough for a traceback or a usage text."""


class StartupCheck(Struct, kw_only=True):
    """The result of a start-up check of an engine.

    Attributes:
        problems: Reasons why the engine cannot play, one printable line each. Empty if it can.
        unable: Settings that the engine does not accept ("the rules", "the clock").
        declines: Why the engine cannot play the special phase that begins the game, such as swap2; "" for no
            such reason. Only set if the game can be played without that phase.
        refused: Whether the engine itself said that it cannot play such a game.
        startup_ns: ns from the start of the process until the engine was ready.
        stderr: Last lines of stderr before the engine failed; () if it did not fail, or if gyoji does not
            read its stderr.
        late: Problems after the engine was told to quit. They do not prevent it from playing.
        is_foreign: Whether the engine runs, but never gave an answer of its protocol.
    """

    problems: tuple[str, ...] = ()
    late: tuple[str, ...] = ()
    name: str = ""
    description: str = ""
    unable: tuple[str, ...] = ()
    declines: str = ""
    refused: bool = False
    startup_ns: int = 0
    stderr: tuple[str, ...] = ()
    is_foreign: bool = False


def check_startup(
    spec: GameSpec, *, seat: int = 0, inherit_stderr: bool = False, context: WorkerContext | None = None
) -> StartupCheck:
    """Start the engine of a seat, prepare it for the game, and end it. Return the result.

    Args:
        inherit_stderr: Whether the engine writes to gyoji's own stderr, whatever its settings. If not, the
            result has the last lines of its stderr if it failed.
        context: Context to start the engine in; it stays open. None for a new one.
    """
    player = structs.replace(spec.players[seat], stderr="inherit" if inherit_stderr else "log")
    players = tuple(player if each == seat else other for each, other in enumerate(spec.players))
    with borrowed(context) as place:
        try:
            return _Attempt(place, structs.replace(spec, players=players), seat).run()
        except (Breakdown, ConfigError) as error:
            return StartupCheck(problems=(str(error),))


class _Attempt(EndsOnFailure):
    """The start-up check of one engine: it is started, prepared for a game, and ended.

    The other seats of the game have no engine.
    """

    def __init__(self, context: WorkerContext, spec: GameSpec, seat: int) -> None:
        self._loop = context.loop
        self._player = spec.players[seat]
        self._control = self._player.clock or spec.clock
        self._seat = seat
        self._rules = make_rules(spec)
        self._start = self._rules.start()
        self._began = time.monotonic_ns()
        environ, meter = engine_environ(GAME_ID, None) | {GOMILL_ID: GAME_ID}, self._control.meter
        self._link, self._cleanup = context.connect(self, seat, self._player, environ, meter=meter)
        self._player = self._link.player
        self._ready: m.Ready | None = None
        self._found = StartupCheck()
        self._complaint = ""  # the likely cause of a silence
        self._closed = False

    def run(self) -> StartupCheck:
        view = self._rules.view(self._start, self._seat)
        request = m.NewGame(self._seat, self._rules, view, self._control, self._player, is_trial=True)
        self._link.send(request, self._player.budgets.startup)
        self._loop.run(lambda: self._closed)
        ready, found = self._ready or m.Ready(), self._found
        found.name, found.description, found.unable = ready.name, ready.description, ready.unable
        return found

    def on_reply(self, _seat: int, reply: m.Reply, _used: int) -> None:
        if isinstance(reply, m.Ready):
            self._ready, self._found.startup_ns = reply, time.monotonic_ns() - self._began
            self._try_first_phase()
        elif isinstance(reply, m.Moved):
            self._link.send(m.Quit(), self._player.budgets.close)
        elif isinstance(reply, m.HasQuit):
            self._link.dismiss(kindly=True)
        elif isinstance(reply, m.Unsupported) and self._ready is not None and self._may_decline():
            self._found.declines = reply.text
            self._link.send(m.Quit(), self._player.budgets.close)
        elif isinstance(reply, m.Unsupported):
            self._found.refused, self._ready = self._ready is None, None
            self.fail(reply.text)
        elif isinstance(reply, m.Warned):
            self._complaint = reply.text
        elif isinstance(reply, m.Broken):
            self._found.is_foreign = self._ready is None and reply.kind is FaultKind.PROTOCOL
            self.fail(reply.detail)

    def _try_first_phase(self) -> None:
        """Ask the engine for a move of the special phase that begins the game, such as swap2.

        If the game has no such phase, or another seat begins it, tell the engine to quit.
        """
        rules, seat = self._rules, self._seat
        phase = rules.phase(self._start)
        if phase and seat in rules.acting(self._start):
            request = m.AskMove(
                rules.view(self._start, seat), (), phase, self._control.start(self._found.startup_ns)
            )
            allowed = self._control.allowance(request.clock)
            budget = self._player.budgets.move
            self._link.send(request, budget if allowed is None else min(allowed, budget))
        else:
            self._link.send(m.Quit(), self._player.budgets.close)

    def _may_decline(self) -> bool:
        """Return whether the game can be played without the special phase that begins it, if the engine
        declines it.
        """
        rules = self._rules
        return supports(rules, TakesDeclining) and rules.declined(self._start, self._seat) is not None

    def on_expiry(self, _seat: int, _used: int, waited: int, *, deaf: bool) -> None:
        name = "budgets.close" if self._ready else "budgets.startup"
        self._found.is_foreign = self._ready is None
        cause = f" ({printable(self._complaint)})" if self._complaint and not self._ready else ""
        self.fail(f"{describe_silence(waited, deaf=deaf)}{cause}; {name} says how long it may take")

    def on_closed(self, _seat: int) -> None:
        self._closed = True
        if self._found.problems:
            self._found.stderr = tuple(self._link.errors.last()[1][-LAST_LINES:])
        if trouble := self._cleanup():
            self._found.late += (f"{self._player.code}: {trouble}",)

    def fail(self, text: str) -> None:
        line = f"{self._player.code}: {text}"
        if self._ready:
            self._found.late += (line,)
        else:
            self._found.problems += (line,)
        self._link.dismiss(kindly=False)


_SEAT = 0
_CONTROL = TimeControl.parse("1s/move")


def try_rules(spec: GameSpec, *, context: WorkerContext | None = None) -> Trial | None:
    """Return the trial of a rule that the engine of seat 0 fails, or None.

    A game has trials only if its rules count the score. An engine that does not accept the ruleset is not
    tried.

    Args:
        context: Context to start the engine in; it stays open. None for a new one.
    """
    make = GAMES.find(spec.game).trial
    trial: Trial | None = make(spec.options) if make is not None and spec.scorer == "internal" else None
    if trial is None:
        return None
    with borrowed(context) as place:
        try:
            return trial if _RulesTrial(place, spec, trial).fails() else None
        except (Breakdown, ConfigError):
            return None


class _RulesTrial(EndsOnFailure):
    """A game against one engine that shows whether it knows a rule (`gyoji.core.game.Trial`)."""

    def __init__(self, context: WorkerContext, spec: GameSpec, trial: Trial) -> None:
        self._loop = context.loop
        self._rules = make_rules(structs.replace(spec, options=trial.options))
        self._position = self._rules.start()
        self._news: list[m.Turn[m.Move]] = []
        self._idle = trial.idle
        for move in trial.moves:
            self._play(move)
        self._fails = False
        self._closed = False
        player = structs.replace(spec.players[_SEAT], stderr="discard")
        self._link, self._cleanup = context.connect(self, _SEAT, player, engine_environ(GAME_ID, None))
        self._patience, self._close = player.budgets.startup, player.budgets.close
        start = self._rules.start()
        view = self._rules.view(start, _SEAT)
        self._link.send(m.NewGame(_SEAT, self._rules, view, _CONTROL, self._link.player), self._patience)

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
        self._link.send(request, self._patience)

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
                self._link.send(m.Quit(), self._close)

    def _wait(self) -> None:
        """Play the engine's idle move, and another for the other side. Then ask the engine for its next move.

        If the game is over instead, the engine has failed the trial.
        """
        try:
            for _ in range(2):
                self._play(self._idle)
        except (IllegalMove, ValueError):
            self._link.send(m.Quit(), self._close)
            return
        self._fails = not self._rules.acting(self._position)
        if self._fails:
            self._link.send(m.Quit(), self._close)
        else:
            self._ask()

    def fail(self, text: str) -> None:
        self._link.dismiss(kindly=False)

    def on_closed(self, _seat: int) -> None:
        self._cleanup()
        self._closed = True


_REFUSED = re.compile(
    "permission denied|operation not permitted|read-only file system|EACCES|EPERM|EROFS", re.IGNORECASE
)
_CHANGES = re.compile("read-only|EROFS|writ|creat|mkdir|sav|truncat|remov|delet|renam", re.IGNORECASE)
_NOT_THERE = re.compile("no such file or directory|ENOENT|FileNotFound", re.IGNORECASE)
_PATH = re.compile(r"""'([^']+)'|"([^"]+)"|(?<![\w.~/'"])([\w.~-]*/[^\s'":;,()]+|[\w~-]+\.\w+)""")
"""A possible path in a line: quoted, or a word with a slash or a dot."""

_NO_NETWORK = re.compile(
    "network is unreachable|ENETUNREACH|no route to host|could not resolve|name resolution|"
    "name or service not known|getaddrinfo|connection refused|ECONNREFUSED",
    re.IGNORECASE,
)


def setting_for(lines: Iterable[str], player: Player) -> str:
    """Return a line that says what containment last refused an engine, and which setting allows it.

    The refused file, or the network, is guessed from the engine's error messages. The result is "" if no
    message leads to a guess, or if the engine is not contained.

    Args:
        lines: Lines of the engine's stderr.
    """
    contained = player.containment
    if contained.level == "off":
        return ""
    for line in reversed(list(lines)):
        if not contained.network and _NO_NETWORK.search(line):
            return "it has no network: network = true gives this player the machine's"
        is_refusal = bool(_REFUSED.search(line))
        if not is_refusal and not _NOT_THERE.search(line):
            continue
        named = [next(filter(None, found.groups())) for found in _PATH.finditer(line)]
        paths = [os.path.normpath(os.path.join(player.cwd or os.getcwd(), each)) for each in named]
        if not is_refusal:  # a hidden file looks missing to the engine, but exists here
            there = [each for each in paths if os.path.lexists(each) and each not in contained.hidden]
            hidden = [each for each in there if contained.level == "strict" or _is_foreign(each, contained)]
            if hidden:
                return _advice(hidden[-1], "readable")
        elif paths:
            reads = contained.level == "strict" and not _CHANGES.search(line)
            return _advice(paths[-1], "readable" if reads else "writable")
    return ""


def _is_foreign(path: str, contained: Containment) -> bool:
    return any(path == each or path.startswith(f"{each}/") for each in contained.foreign)


def _advice(path: str, setting: str) -> str:
    there = next(each for each in (Path(path), *Path(path).parents) if os.path.lexists(each))
    given = legible_json([str(there)]) if there.parent != there else '["..."]'
    return f'it may not use {quote(path)}: {setting} = {given}, or sandbox = "off"'
