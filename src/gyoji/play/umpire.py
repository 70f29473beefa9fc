"""The umpire of a game, a program without a seat that decides it, started and watched like an engine.

It has the same link, containment and budgets as an engine. An error of the umpire is no player's fault: the
game is void, and the reason names the umpire.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

from gyoji.core import messages as m
from gyoji.core.spec import NO_TEAM, GameSpec, Player, game_token
from gyoji.core.text import describe_silence
from gyoji.play.context import Lease, WorkerContext, engine_environ
from gyoji.play.game_files import Transcript
from gyoji.play.link import Link, LinkListener

_SEAT = 0  # what the link calls it; it has none


class HasUmpire(LinkListener, Protocol):
    """The game that an umpire, or a relay's runner, decides. It is the listener of the players' links."""

    def on_ruled(self, lines: Sequence[str]) -> None:
        """Handle the umpire's answer."""

    def on_failure(self, reason: str, trace: Sequence[str] = (), *, by_death: bool = False) -> None:
        """Handle a failure of the umpire, or of gyoji."""

    def on_umpire_closed(self) -> None:
        """Handle the end of the umpire's process."""


class Umpire:
    """The conversation with the umpire of one game.

    Attributes:
        title: Name of the umpire in messages.
        is_closed: Whether its process has ended, so that the game may end too.
    """

    title = "umpire"

    def __init__(self, context: WorkerContext, spec: GameSpec, player: Player, slot: int | None) -> None:
        self._context = context
        self._player = player
        self._environ = engine_environ(game_token(spec, NO_TEAM), slot)
        self._table: HasUmpire | None = None
        self._lease: Lease | None = None
        self._patience = player.budgets.startup  # of the first answer; later ones have `move`
        self._is_dismissed = False
        self.is_closed = True

    def start(self, table: HasUmpire, transcript: Transcript | None) -> None:
        """Start the program.

        Args:
            table: The game, to which the umpire's answers and failures are reported from now on.
            transcript: Gets the conversation; None for no transcript.

        Raises:
            Breakdown: The program cannot be started.
        """
        self._table = table
        self._lease = self._context.connect(self, _SEAT, self._player, self._environ)
        self._lease[0].transcript = transcript
        self.is_closed = False

    def seat_started(self, seat: int, link: Link) -> None:
        """Do nothing: an umpire does not use the links of seats, unlike `Relay`."""

    def ask(self, line: str) -> None:
        """Send the umpire a line that it has to answer."""
        if self._lease is not None and not self._is_dismissed:
            self._lease[0].send(m.AskUmpire(line), self._patience)
            self._patience = self._player.budgets.move

    def dismiss(self, *, kindly: bool) -> None:
        """End the program.

        Args:
            kindly: Whether the game went well. The program then has time to exit (`Budgets.close`). If not,
                it is terminated at once.
        """
        if self._lease is None or self._is_dismissed:
            return
        self._is_dismissed = True
        link = self._lease[0]
        if kindly:
            link.send(m.Quit(), self._player.budgets.close)
        link.dismiss(kindly=kindly)

    def last_words(self) -> tuple[int, Sequence[str]]:
        """Return the number of bytes that the umpire wrote to stderr, and the last lines."""
        return self._lease[0].errors.last() if self._lease is not None else (0, ())

    # Events from the link

    def on_reply(self, _seat: int, reply: m.Reply, _used: int) -> None:
        if self._is_dismissed or self._table is None:
            return
        if isinstance(reply, m.Ruled):
            self._table.on_ruled(reply.lines)
        elif isinstance(reply, m.Broken):
            self._fail(reply.detail)

    def on_expiry(self, _seat: int, _used: int, waited: int, *, deaf: bool) -> None:
        self._fail(describe_silence(waited, deaf=deaf))

    def on_failure(self, reason: str, trace: Sequence[str], *, by_death: bool = False) -> None:
        if self._table is not None:
            self._table.on_failure(reason, trace, by_death=by_death)

    def on_closed(self, _seat: int) -> None:
        self.is_closed = True
        cleanup: Callable[[], str] | None = self._lease[1] if self._lease is not None else None
        if cleanup is not None:
            cleanup()
        table, self._table = self._table, None  # else a cycle would keep the game
        if table is not None:
            table.on_umpire_closed()

    def _fail(self, what: str) -> None:
        if self._table is not None:
            self._table.on_failure(f"umpire: {what}")
