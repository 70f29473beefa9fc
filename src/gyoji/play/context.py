"""The context that the games of one worker share, and the parts of a game: rules, codecs, engines.

An engine may stay for another game of its worker. Only those of the last game are kept: whoever does not play
in the next one is told to go.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress

from msgspec import Struct, field

from gyoji.core import messages as m
from gyoji.core import wire
from gyoji.core.clocks import Meter
from gyoji.core.faults import Breakdown, ConfigError
from gyoji.core.plugins import EXECUTORS, GAMES, PROTOCOLS
from gyoji.core.ports import AnyRules, BringsCodec, Channel, Codec, EngineStarter, Prepares, offers
from gyoji.core.spec import GameSpec, Player
from gyoji.play.link import Link, LinkListener
from gyoji.play.loop import Loop
from gyoji.play.order import BOARD_SIZE, Board
from gyoji.play.overhearing import OverheardCodec, Watch
from gyoji.play.workspace import Cleanup, Workspace
from gyoji.referee.seat_state import Closing


class EnginePool:
    """The engines that wait for their next game."""

    def __init__(self) -> None:
        self._idle: list[_IdleEngine] = []

    def keep(self, player: Player, link: Link, cleanup: Cleanup) -> Closing:
        """Take in the engine of `player` after a game; what it used in that."""
        idle = _IdleEngine(player, link, cleanup, self._idle.remove)
        self._idle.append(idle)
        return link.stay(idle, 0)

    def take(self, player: Player) -> "Lease | None":
        """An engine of that player that waits here, for a new game."""
        for idle in self._idle:
            if idle.is_free and idle.player == player:
                self._idle.remove(idle)
                return idle.link, idle.cleanup
        return None

    def end(self, link: Link, cleanup: Cleanup) -> None:
        """See an engine out that is of no use any more."""
        idle = _IdleEngine(link.player, link, cleanup, self._idle.remove)
        self._idle.append(idle)
        link.join(idle, 0)
        idle.end(kindly=False)

    def dismiss_all(self) -> None:
        """Tell all that are here to go."""
        for idle in self._idle:
            idle.dismiss()

    @property
    def is_empty(self) -> bool:
        return not self._idle

    @property
    def pids(self) -> frozenset[int]:
        """The processes that are here."""
        return frozenset(idle.link.pid for idle in self._idle)


Lease = tuple[Link, Cleanup]
"""An engine's link, and what removes its folders."""


class _IdleEngine:
    """One engine that waits, or is on its way out. What it says is dropped; if it breaks, it goes."""

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
            self.link.say(m.Quit(), self.link.player.budgets.close)

    def on_reply(self, _seat: int, reply: m.Reply, _used: int) -> None:
        if isinstance(reply, m.Broken):
            self.end(kindly=False)
        elif isinstance(reply, m.HasQuit) and not self.is_free:
            self.end(kindly=True)

    def on_expiry(self, _seat: int, _used: int, _waited: int, *, deaf: bool) -> None:
        self.end(kindly=False)

    def on_failure(self, _reason: str, _trace: Sequence[str], *, by_death: bool = False) -> None:
        self.end(kindly=False)

    def on_closed(self, _seat: int) -> None:
        self._vacate(self)
        self.cleanup()

    def end(self, *, kindly: bool) -> None:
        """Have the engine go."""
        self.is_free = False
        self.link.dismiss(kindly=kindly)


_MOST_KEPT = 64


class WorkerContext(Struct, frozen=True, kw_only=True):
    """Made once for a worker, or for one game that is played without one; `close` it at the end.

    starters: what starts engines, by the name of its executor, once a player has asked for it.
    to_move: which seats of its game are to move.
    kept_rules: rules of games without chance, by their names and options.
    watch: what hears the conversations with engines, None in games.
    """

    loop: Loop = field(default_factory=Loop)
    starters: dict[str, EngineStarter] = field(default_factory=dict)
    workspace: Workspace = field(default_factory=Workspace)
    pool: EnginePool = field(default_factory=EnginePool)
    to_move: Board = field(default_factory=lambda: bytearray(BOARD_SIZE))
    kept_rules: dict[tuple[str, str], AnyRules] = field(default_factory=dict)
    watch: Watch | None = None

    def rules(self, spec: GameSpec) -> AnyRules:
        """The rules of a game, those of an earlier one if they are the same. Raises Breakdown."""
        if GAMES.find(spec.game).has_chance:
            return make_rules(spec)
        key = spec.game, wire.dumps(spec.options)
        if (rules := self.kept_rules.get(key)) is None:
            if len(self.kept_rules) >= _MOST_KEPT:  # each game has an opening of its own
                self.kept_rules.clear()
            rules = self.kept_rules[key] = make_rules(spec)
        return rules

    def prepare(self, spec: GameSpec) -> None:
        """Load what a game like `spec` needs; what is wrong with it is told when it is played."""
        begun = list[Callable[[], object]]()
        for player in spec.players:
            with suppress(Exception):
                starter = self.starter(player.executor)
                if player.containment.level != "off" and offers(starter, Prepares):
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
        """The link to a new engine of `player`, and what removes its folders. Raises Breakdown."""
        codec = make_codec(player)  # before anything is started
        channel, cleanup = self.start(player, environ)
        if channel.process is None and meter is not Meter.WALL:
            channel.close()
            cleanup()
            why = "a clock of CPU time needs a process, and it has none: give it one of wall time"
            raise Breakdown(f"player {player.code}: {why}")
        if offers(channel, BringsCodec):
            codec = channel.codec
        elif self.watch is not None:
            codec = OverheardCodec(codec, player, self.watch)
        return Link(self.loop, owner, seat, channel=channel, codec=codec, meter=meter), cleanup

    def start(self, player: Player, environ: Mapping[str, str]) -> tuple[Channel, Cleanup]:
        """A new engine of `player`, in its folders, and what removes those. Raises Breakdown."""
        folders = self.workspace.make_folders(player)
        try:
            starter = self.starter(player.executor)
            channel = starter.start(folders.player, {**folders.environ, **environ}, place=folders.place)
        except BaseException:
            folders.cleanup()
            raise
        return channel, folders.cleanup

    def starter(self, executor: str) -> EngineStarter:
        """The starter of an executor's engines. Raises Breakdown: the config layer has found the executor."""
        if executor not in self.starters:
            try:
                self.starters[executor] = EXECUTORS.find(executor).open()
            except ConfigError as error:
                raise Breakdown(str(error)) from None
        return self.starters[executor]

    @property
    def pids(self) -> frozenset[int]:
        """The processes that are nobody's orphans: idle engines, and what executors have started for
        themselves."""
        return self.pool.pids.union(*(starter.pids for starter in self.starters.values()))

    def close(self) -> None:
        """Send away the engines that are still here, and remove their folders."""
        self.pool.dismiss_all()
        self.loop.run(lambda: self.pool.is_empty)
        for starter in self.starters.values():
            starter.close()
        self.workspace.close()
        self.loop.close()


@contextmanager
def borrowed(context: WorkerContext | None) -> Iterator[WorkerContext]:
    """A context that others use too, which stays; where there is none a new one, which does not."""
    if context is not None:
        yield context
        return
    own = WorkerContext()
    try:
        yield own
    finally:
        own.close()


TOKEN = "GYOJI_GAME_TOKEN"
"""The variable by which an engine knows its game from others: `gyoji.core.spec.game_token`."""
GOMILL_ID = "GOMILL_GAME_ID"
"""The variable that the ringmaster tells the game's id in."""


def make_rules(spec: GameSpec) -> AnyRules:
    """The rules of a game with its options. A Breakdown if they do not fit: the config layer checked them."""
    try:
        return GAMES.find(spec.game).make_rules(wire.frozen(spec.options), spec.seed)
    except (TypeError, ValueError) as error:
        raise Breakdown(f"{spec.game}: {error}") from None


def make_codec(player: Player) -> Codec:
    """Our half of a new conversation with an engine of a player."""
    try:
        return PROTOCOLS.find(player.protocol).make_codec(wire.frozen({**player.options, **player.found}))
    except (TypeError, ValueError) as error:
        raise Breakdown(f"player {player.code}: {error}") from None


def engine_environ(token: str, slot: int | None) -> dict[str, str]:
    """The environment variables for engines; the slot has the ringmaster's name too."""
    environ = {TOKEN: token}
    if slot is not None:
        environ |= {"GYOJI_SLOT": str(slot), "GOMILL_SLOT": str(slot)}
    return environ
