"""Resources that the games of one worker share: event loop, engine starters, rules, and reusable engines.

An engine may be kept for the next game. If the next game does not use the engine, gyoji tells it to quit.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from typing import Any, Protocol

from msgspec import Struct, field

from gyoji.core import messages as m
from gyoji.core import wire
from gyoji.core.clocks import Meter
from gyoji.core.faults import Breakdown, ConfigError
from gyoji.core.plugins import EXECUTORS, GAMES, PROTOCOLS
from gyoji.core.ports import AnyRules, BringsCodec, Channel, Codec, EngineStarter, Prepares, supports
from gyoji.core.spec import GameSpec, Player
from gyoji.core.text import describe_silence
from gyoji.play.link import Link, LinkListener
from gyoji.play.loop import Loop
from gyoji.play.order import BOARD_SIZE, Board
from gyoji.play.workspace import Cleanup, PlayerFolders, Workspace
from gyoji.referee.seat_state import Closing


class Watch(Protocol):
    """A listener to the bytes sent to and from engines, for the progress display of checks."""

    def on_asked(self, player: Player, data: bytes, patience: int) -> None:
        """Handle bytes that are sent to an engine.

        Args:
            patience: ns that the engine has to answer; 0 if unknown.
        """

    def on_said(self, data: bytes) -> None:
        """Handle output of the engine that got the last request."""


class OverheardCodec:
    """A codec that wraps another one and passes the bytes of both directions to a `Watch`."""

    def __init__(self, codec: Codec, player: Player, watch: Watch) -> None:
        self._codec = codec
        self._player = player
        self._watch = watch

    def send(self, request: m.Request) -> bytes:
        is_start = isinstance(request, m.NewGame)
        return self._told(self._codec.send(request), self._player.budgets.startup if is_start else 0)

    def receive(self, data: bytes) -> Sequence[m.Reply]:
        self._watch.on_said(data)
        replies = self._codec.receive(data)
        for reply in replies:
            if isinstance(reply, m.More):
                self._told(reply.data, self._player.budgets.startup)
        return replies

    def finish(self) -> Sequence[m.Reply]:
        return self._codec.finish()

    def __getattr__(self, name: str) -> Any:
        """Return an optional member of the wrapped codec, such as `answers_itself`."""
        return getattr(self._codec, name)

    def _told(self, data: bytes, patience: int) -> bytes:
        if data:
            self._watch.on_asked(self._player, data, patience)
        return data


class EnginePool:
    """The engines that were kept after a game and wait for another."""

    def __init__(self) -> None:
        self._idle: list[_IdleEngine] = []

    def keep(self, player: Player, link: Link, cleanup: Cleanup) -> Closing:
        """Add a player's engine to the pool after a game. Return the CPU time that it used in the game, and
        how it was contained.

        Args:
            cleanup: Removes the engine's folders.
        """
        idle = _IdleEngine(player, link, cleanup, self._idle.remove)
        self._idle.append(idle)
        return link.stay(idle, 0)

    def take(self, player: Player) -> "Lease | None":
        """Remove and return an idle engine of the player, with the function that removes its folders.

        Return None if the pool has no engine of the player.
        """
        for idle in self._idle:
            if idle.is_free and idle.player == player:
                self._idle.remove(idle)
                return idle.link, idle.cleanup
        return None

    def end(self, link: Link, cleanup: Cleanup) -> None:
        """Shut down an engine that cannot be used again.

        Args:
            cleanup: Removes the engine's folders.
        """
        idle = _IdleEngine(link.player, link, cleanup, self._idle.remove)
        self._idle.append(idle)
        link.join(idle, 0)
        idle.end(kindly=False)

    def dismiss_all(self) -> None:
        """Tell all idle engines to quit."""
        for idle in self._idle:
            idle.dismiss()

    @property
    def is_empty(self) -> bool:
        return not self._idle

    @property
    def pids(self) -> frozenset[int]:
        """The process ids of the engines that the pool keeps or is ending."""
        return frozenset(idle.link.pid for idle in self._idle)


Lease = tuple[Link, Cleanup]
"""An engine's link, and the function that removes its folders."""


class EndsOnFailure:
    """A base class of listeners to a link. They end their engine if it answers too late or if gyoji fails."""

    def on_expiry(self, _seat: int, _used: int, waited: int, *, deaf: bool) -> None:
        self.fail(describe_silence(waited, deaf=deaf))

    def on_failure(self, reason: str, _trace: Sequence[str], *, by_death: bool = False) -> None:
        self.fail(reason)

    def fail(self, text: str) -> None:
        """End the engine, for the reason in `text`."""
        raise NotImplementedError


class _IdleEngine(EndsOnFailure):
    """An engine without a game, which is idle or quitting. Its output is dropped. Any failure ends the
    engine.
    """

    def __init__(
        self, player: Player, link: Link, cleanup: Cleanup, vacate: "Callable[[_IdleEngine], None]"
    ) -> None:
        self.player = player
        self.link = link
        self.cleanup = cleanup
        self.is_free = True
        self._vacate = vacate

    def dismiss(self) -> None:
        if self.is_free:
            self.is_free = False
            self.link.send(m.Quit(), self.link.player.budgets.close)

    def on_reply(self, _seat: int, reply: m.Reply, _used: int) -> None:
        if isinstance(reply, m.Broken):
            self.end(kindly=False)
        elif isinstance(reply, m.HasQuit) and not self.is_free:
            self.end(kindly=True)

    def fail(self, text: str) -> None:
        self.end(kindly=False)

    def on_closed(self, _seat: int) -> None:
        self._vacate(self)
        self.cleanup()

    def end(self, *, kindly: bool) -> None:
        """Shut down the engine.

        Args:
            kindly: Whether the engine was told to quit. It then has time to exit (`Budgets.close`).
        """
        self.is_free = False
        self.link.dismiss(kindly=kindly)


class WorkerContext(Struct, frozen=True, kw_only=True):
    """The resources that the games of one worker share. A single game without a worker has its own.

    Attributes:
        starters: Engine starters by executor name, opened on first use.
        to_move: Byte n is 1 if seat n of the running game is to move, else 0.
        watch: Listener to the conversations with engines, used by checks; None in games.
    """

    loop: Loop = field(default_factory=Loop)
    starters: dict[str, EngineStarter] = field(default_factory=dict)
    workspace: Workspace = field(default_factory=Workspace)
    pool: EnginePool = field(default_factory=EnginePool)
    to_move: Board = field(default_factory=lambda: bytearray(BOARD_SIZE))
    watch: Watch | None = None

    def rules(self, spec: GameSpec) -> AnyRules:
        """Return the rules of a game. Games with equal options share one rules object if the rules do not
        depend on the seed.

        Raises:
            Breakdown: The game's options are invalid.
        """
        if GAMES.find(spec.game).has_chance:
            return make_rules(spec)
        return _kept_rules(spec.game, wire.dumps(spec.options))

    def prepare(self, spec: GameSpec) -> None:
        """Import and start in advance what games like `spec` need.

        Errors are ignored here. They are reported when such a game is played.
        """
        begun = list[Callable[[], object]]()
        for player in spec.players:
            with suppress(Exception):
                starter = self.starter(player.executor)
                if player.containment.level != "off" and supports(starter, Prepares):
                    begun.append(starter.prepare())
        with suppress(Exception):
            self.rules(spec)
        for player in spec.players:
            with suppress(Exception):
                make_codec(player)
        for finish in begun:
            with suppress(Exception):
                finish()

    def connect(
        self,
        owner: LinkListener,
        seat: int,
        player: Player,
        environ: Mapping[str, str],
        *,
        meter: Meter = Meter.WALL,
    ) -> Lease:
        """Start an engine of `player` for a seat, with a link that reports its events to `owner`.

        Args:
            environ: Environment variables of this game.
            meter: The kind of time that is charged.

        Returns:
            The link to the engine, and the function that removes its folders.

        Raises:
            Breakdown: The engine cannot be started, or has no CPU time to measure.
        """
        codec = make_codec(player)  # before anything is started
        channel, cleanup = self.start(player, environ)
        if channel.process is None and meter is not Meter.WALL:
            channel.close()
            cleanup()
            why = "a clock of CPU time needs a process, and it has none: give it one of wall time"
            raise Breakdown(f"player {player.code}: {why}")
        if supports(channel, BringsCodec):
            codec = channel.codec
        elif self.watch is not None:
            codec = OverheardCodec(codec, player, self.watch)
        return Link(self.loop, owner, seat, channel=channel, codec=codec, meter=meter), cleanup

    def start(
        self,
        player: Player,
        environ: Mapping[str, str],
        prepare: Callable[[PlayerFolders], Player] = lambda folders: folders.player,
    ) -> tuple[Channel, Cleanup]:
        """Start an engine of `player` in its own folders. Raises Breakdown if that fails.

        Args:
            environ: Environment variables of this game.
            prepare: Adds files to the folders, and returns the player to start.

        Returns:
            The channel to the engine, and the function that removes its folders.
        """
        folders = self.workspace.make_folders(player)
        try:
            starter = self.starter(player.executor)
            channel = starter.start(prepare(folders), {**folders.environ, **environ}, place=folders.place)
        except BaseException:
            folders.cleanup()
            raise
        return channel, folders.cleanup

    def starter(self, executor: str) -> EngineStarter:
        """Return the engine starter of an executor, opened on first use.

        Raises:
            Breakdown: There is no such executor. Reading the control file normally rules this out.
        """
        if executor not in self.starters:
            try:
                self.starters[executor] = EXECUTORS.find(executor).open()
            except ConfigError as error:
                raise Breakdown(str(error)) from None
        return self.starters[executor]

    @property
    def pids(self) -> frozenset[int]:
        """Ids of the child processes that are not to be ended as orphans: idle engines, and helpers of
        executors.
        """
        return self.pool.pids.union(*(starter.pids for starter in self.starters.values()))

    def close(self) -> None:
        """Shut down the idle engines, remove their folders, and close the engine starters and the loop."""
        self.pool.dismiss_all()
        self.loop.run(lambda: self.pool.is_empty)
        for starter in self.starters.values():
            starter.close()
        self.workspace.close()
        self.loop.close()


@contextmanager
def borrowed(context: WorkerContext | None) -> Iterator[WorkerContext]:
    """Yield the given context, which stays open, or a new one, which is closed afterwards."""
    used = context or WorkerContext()
    try:
        yield used
    finally:
        if context is None:
            used.close()


TOKEN = "GYOJI_GAME_TOKEN"
"""The environment variable with the game's token (`gyoji.core.spec.game_token`)."""
GOMILL_ID = "GOMILL_GAME_ID"
"""The environment variable in which gomill's ringmaster puts the game id."""
_SLOTS = ("GYOJI_SLOT", "GOMILL_SLOT")
GAME_VARIABLES = frozenset((TOKEN, GOMILL_ID, *_SLOTS))
"""All environment variables that tell an engine about its game."""


@lru_cache(maxsize=64)  # openings make new options for each game
def _kept_rules(game: str, options: str) -> AnyRules:
    return make_rules(GameSpec(id="", pairing="", game=game, players=(), options=wire.loads(dict, options)))


def make_rules(spec: GameSpec) -> AnyRules:
    """Return the rules of a game.

    Raises:
        Breakdown: The game's options are invalid. Reading the control file normally rules this out.
    """
    try:
        return GAMES.find(spec.game).make_rules(wire.frozen(spec.options), spec.seed)
    except (TypeError, ValueError) as error:
        raise Breakdown(f"{spec.game}: {error}") from None


def make_codec(player: Player) -> Codec:
    """Return a new codec of the player's protocol, for one conversation.

    Raises Breakdown for wrong options.
    """
    try:
        return PROTOCOLS.find(player.protocol).make_codec(wire.frozen({**player.options, **player.found}))
    except (TypeError, ValueError) as error:
        raise Breakdown(f"player {player.code}: {error}") from None


def engine_environ(token: str, slot: int | None) -> dict[str, str]:
    """Return the environment variables of a game's engines.

    Args:
        token: Name of the game for the engines of one team.
        slot: Number, from 0, of the slot that plays the game: the value of GYOJI_SLOT, and of GOMILL_SLOT,
            which gomill's ringmaster sets. None omits both variables.
    """
    environ = {TOKEN: token}
    if slot is not None:
        environ |= dict.fromkeys(_SLOTS, str(slot))
    return environ
