"""The runner of a relay: a program that itself starts the players of a game and reports the result."""

# Theory of operation
# -------------------
# gyoji starts and contains the players as in any game. The runner is a program without a seat, like an umpire
# (`umpire.py`), and also has a `Link`. But it communicates with the players itself. For this it starts a
# small program for each seat, which fetches the pipes of gyoji's player from a Unix socket
# (`pipe_server.py`):
#
#     players started, links lent -- ask --> runner started -- seat1, seat2 ... --> pipes handed over
#                                                   |
#              runner ends --> its codec reads the result --> on_ruled     links are given back
#              limit of time, flood, double start, no result ... --> void  links are given back
#
# * `seat_started` lends a player's link before anything is read: from then on the link only watches the
#   process. What the player wrote before that remains in its pipe, for the runner.
# * While the runner plays, this object is the listener of the players' links (`Link.join`). The end of a
#   player's process is no fault: the runner decides what it costs. A player that broke down before the runner
#   closed its pipes is noted in the record. gyoji may learn of a player's end later than the runner, which
#   sees it in a pipe. So the runner's end is handled after the end of each player whose output had ended
#   before, but at most `_SETTLING` later. If a player exceeds a limit of memory or disk space, the game is
#   told, as in any game.
# * The game is told only of the runner's end (`on_ruled`) or failure. Requests to the players are answered by
#   their codec, not by the programs (`answers_itself`).
# * The runner may take `budgets.move` for the whole game. All processes that it has started are killed with
#   its cell.

import time
import traceback
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from gyoji.core import messages as m
from gyoji.core.clocks import Meter
from gyoji.core.faults import Breakdown, FaultKind, ProcessLost
from gyoji.core.placeholders import fill_in
from gyoji.core.ports import Codec
from gyoji.core.spec import NO_TEAM, GameSpec, Player, game_token
from gyoji.core.text import format_duration, printable
from gyoji.executors.contained.belongings import own_files
from gyoji.play.context import WorkerContext, engine_environ, make_codec
from gyoji.play.game_files import Transcript
from gyoji.play.link import Link
from gyoji.play.loop import NEVER, Alarm
from gyoji.play.pipe_server import PROGRAM, PipeServer
from gyoji.play.umpire import HasUmpire
from gyoji.play.workspace import PlayerFolders

_RUNNER = -1
"""The seat number of the runner's link. The runner has no seat."""
_SETTLING = 100_000_000
"""Maximum time in ns between the end of a player's output and the end of its process, on a busy machine."""


class Relay:
    """The runner of one game, and the socket from which its seat programs get the players' pipes.

    Attributes:
        title: Name of the runner in messages.
        is_closed: Whether no process of the runner is running, so that the game may be closed.
    """

    title = "relay"

    def __init__(self, context: WorkerContext, spec: GameSpec, player: Player, slot: int | None) -> None:
        self._context = context
        self._spec = spec
        self._player = player
        self._environ = engine_environ(game_token(spec, NO_TEAM), slot)
        self._pipes = PipeServer(context.loop, self, len(spec.players))
        self._codec: Codec = make_codec(player)
        self._table: HasUmpire | None = None
        self._transcript: Transcript | None = None
        self._lent: dict[int, Link] = {}
        self._broke: list[tuple[int, str]] = []
        self._link: Link | None = None
        self._cleanup: Callable[[], str] | None = None
        self._gone: set[int] = set()  # the seats whose players are known to have ended
        self._settled: Alarm | None = None
        self._is_dismissed = False
        self.is_closed = True

    def start(self, table: HasUmpire, transcript: Transcript | None) -> None:
        """Prepare for a game. `ask` starts the runner when all players are ready.

        Args:
            table: The game, to which the runner's result and failures are reported.
            transcript: Gets what the runner prints; None for no transcript.
        """
        self._table, self._transcript = table, transcript

    def seat_started(self, seat: int, link: Link) -> None:
        """Keep a player's link for the runner. Raises Breakdown for a player without a process."""
        if not link.has_process:
            raise Breakdown(f"player {link.player.code}: a relay needs programs, and it is none")
        link.lend()
        self._lent[seat] = link

    def ask(self, _line: str) -> None:
        """Start the runner. The line is not sent: the runner answers the only question of the rules by its
        end.
        """
        assert self._table is not None
        try:
            channel, self._cleanup = self._context.start(self._player, self._environ, self._prepared)
        except Breakdown as breakdown:
            self._pipes.close()
            what = str(breakdown).removeprefix(f"player {self._player.code}: ")
            self._fail(what, by_death=isinstance(breakdown, ProcessLost))
            return
        except BaseException:
            self._pipes.close()
            raise
        self._link = link = Link(
            self._context.loop, self, _RUNNER, channel=channel, codec=self._codec, meter=Meter.WALL
        )
        self.is_closed = False
        link.transcript = self._transcript
        link.exit_delay = NEVER  # a runner may close its output and go on
        link.close_input()
        for seat, each in self._lent.items():
            each.join(self, seat)
        link.send(m.AskUmpire(""), self._player.budgets.move)

    def _prepared(self, folders: PlayerFolders) -> Player:
        """Open the socket in the runner's temporary folder. Return the runner with its complete command."""
        try:
            seats = self._pipes.open(folders.environ["TMPDIR"])
        except OSError as error:
            raise Breakdown(f"cannot make the seats: {error.strerror}") from None
        player, opening = folders.player, self._spec.options.get("opening", "")
        containment = player.containment
        if containment.level != "off":  # else the seat programs may be hidden as files of other players
            of_seats = own_files(replace(player, command=PROGRAM))
            containment = replace(containment, readable=(*containment.readable, *of_seats))
        command = fill_in(player.command, seats, self._spec.seed, str(opening))
        return replace(player, command=command, containment=containment)

    def dismiss(self, *, kindly: bool) -> None:
        """Kill the runner and all processes that it has started, without waiting, whether `kindly` or not."""
        self._is_dismissed = True
        self._give_back()
        if self._link is not None:
            self._link.dismiss(kindly=False)
        else:
            self._pipes.close()
            self._table = None  # else a cycle would keep the game

    def last_words(self) -> tuple[int, Sequence[str]]:
        """Return the number of bytes that the runner wrote to stderr, and the last lines."""
        return self._link.errors.last() if self._link is not None else (0, ())

    def _give_back(self) -> None:
        """Make the game the listener of the players' links again."""
        if self._table is not None:
            for seat, link in self._lent.items():
                link.join(self._table, seat)
        self._lent.clear()

    # Events of the pipe server

    def pipes(self, seat: int) -> tuple[int, int] | None:
        return self._lent[seat].descriptors if seat in self._lent else None

    def on_taken(self, seat: int) -> None:
        if seat in self._lent:
            self._lent[seat].close_input()

    def on_taken_again(self, seat: int) -> None:
        self._fail(f"started seat {seat + 1} twice, and a player starts once in a game")

    def on_pipes_failure(self) -> None:
        *_, last = (trace := traceback.format_exc().splitlines())
        self.on_failure(f"internal error: {last}", trace)

    # Events from the links

    def on_reply(self, seat: int, reply: m.Reply, _used: int) -> None:
        if not isinstance(reply, m.Broken):
            return
        if seat != _RUNNER:
            self._player_broke(seat, reply)
        elif reply.kind is FaultKind.EXIT and reply.status:
            self._ended(reply)
        elif reply.kind is FaultKind.EXIT:  # it had closed its output, and the limit of time has passed
            self.on_expiry(seat, 0, 0, deaf=False)
        else:
            self._fail(reply.detail)

    def _player_broke(self, seat: int, reply: m.Broken) -> None:
        """Handle that a player's process has ended, or that the player exceeded a limit of memory or disk."""
        if reply.kind is FaultKind.LIMIT and self._table is not None:
            self._lent.pop(seat).join(self._table, seat)
            self._table.on_reply(seat, reply, 0)
            return
        self._gone.add(seat)
        self._pipes.tell_status(seat, _number_of(reply.status))
        if reply.status != "exit 0" and self._pipes.player_ended_first(seat):
            self._broke.append((seat, printable(reply.detail)))
        if self._settled is not None and self._settled.when != NEVER and not self._open_ends():
            self._settled.set(time.monotonic_ns())

    def _ended(self, reply: m.Broken) -> None:
        """Handle the end of the runner.

        If a player closed its output before, first wait briefly for the end of the player's process.
        """
        for seat in tuple(self._lent):
            if seat in self._lent and seat not in self._gone:  # one that exceeds a limit is removed meanwhile
                self._lent[seat].notice_end()
        if self._settled is None and self._open_ends():
            self._settled = Alarm(self._context.loop, lambda _now: self._ended(reply), self.on_pipes_failure)
            self._settled.set(time.monotonic_ns() + _SETTLING)
            return
        self._take_result(reply)

    def _open_ends(self) -> list[int]:
        """Return the seats whose players have closed their output, but are not known to have ended.

        A seat does not count if the runner closed its pipes before the player closed its output.
        """
        return [seat for seat in self._lent if seat not in self._gone and self._pipes.has_player_ended(seat)]

    def _take_result(self, reply: m.Broken) -> None:
        """Let the codec read the result from the runner's output and exit status, and pass it to the game.

        If there is no valid result, or the runner has not started all seats, report a failure.
        """
        missing = sorted({*range(len(self._spec.players))} - self._pipes.taken)
        self._codec.send(m.RunnerEnded(reply.status, tuple(self._broke)))
        for said in self._codec.receive(b""):
            if isinstance(said, m.Broken) and not (missing and reply.status == "exit 0"):
                self._fail(f"{said.detail}{reply.detail.removeprefix(f'exited ({reply.status})')}")
            elif missing:
                self._fail(f"ended without starting seat {missing[0] + 1}")
            elif isinstance(said, m.Ruled) and self._table is not None and not self._is_dismissed:
                self._give_back()
                self._table.on_ruled(said.lines)

    def on_expiry(self, seat: int, _used: int, _waited: int, *, deaf: bool) -> None:
        if seat == _RUNNER:
            self._fail(f"did not end within {format_duration(self._player.budgets.move)}")

    def on_failure(self, reason: str, trace: Sequence[str], *, by_death: bool = False) -> None:
        table = self._table
        self._give_back()
        if table is not None:
            table.on_failure(reason, trace, by_death=by_death)

    def on_closed(self, seat: int) -> None:
        if seat != _RUNNER:
            return
        self.is_closed = True
        if self._settled is not None:
            self._settled.retire()
        self._pipes.close()
        if self._cleanup is not None:
            self._cleanup()
        table, self._table = self._table, None  # else a cycle would keep the game
        if table is not None:
            table.on_umpire_closed()

    def _fail(self, what: str, *, by_death: bool = False) -> None:
        table = self._table
        if self._is_dismissed or table is None:
            return
        self._give_back()
        table.on_failure(f"relay: {what}", by_death=by_death)


def _number_of(status: str) -> int:
    """Return the exit status of a process as shells express it.

    >>> _number_of("exit 3"), _number_of("signal 9 (Killed)")
    (3, 137)
    """
    word, _, rest = status.partition(" ")
    digits = rest.split(" ")[0]
    number = int(digits) if digits.isdecimal() else 0
    return min(number + 128 if word == "signal" else number, 255)
