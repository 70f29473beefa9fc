"""The commands that other programs send to a run through its control socket, such as stop and reload."""

import os
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from gyoji.core import wire
from gyoji.core.faults import ConfigError
from gyoji.core.ports import adapts
from gyoji.core.spec import awaited_of
from gyoji.core.text import counted, printable, quote
from gyoji.play.remote_seats import RemoteWords
from gyoji.play.remote_talk import Talk, encode
from gyoji.play.seats import HumanMessage
from gyoji.scheduler.pool import host_values
from gyoji.scheduler.run_loop import RunLoop
from gyoji.scheduler.status import ExitStatus

MOST_AT_ONCE = 1023
"""Largest number of games at once that a command may set."""


class Commands:
    """Carries out the commands that other programs send to one run."""

    def __init__(self, run: RunLoop) -> None:
        self._run = run

    def obey(self, command: Mapping[str, Any]) -> Mapping[str, Any]:
        """Carry out a command such as ``{"do": "parallel", "games": 3}``.

        Returns:
            {"ok": true} with the state of the run, or {"ok": false} with "error".
        """
        actions: Mapping[str, Callable[[], object]] = {
            "status": self.status,
            "stop": lambda: self._run.stopping.stop(ExitStatus.STOPPED, "stop command"),
            "pause": lambda: self._pause(True),
            "resume": lambda: self._pause(False),
            "reload": self._run.reload,
            "parallel": lambda: self._resize(command.get("games")),
            "retry": self._retry,
            "ready": lambda: self._appear(command.get("player"), is_there=True),
            "away": lambda: self._appear(command.get("player"), is_there=False),
            "say": lambda: self._say(command),
            "rule": lambda: self._rule(command),
            "purge": lambda: self._purge(command),
        }
        what = command.get("do")
        action = actions.get(what) if isinstance(what, str) else None
        if action is None:
            return {"ok": False, "error": f"no command {quote(str(what))}; there are: {', '.join(actions)}"}
        try:
            action()
        except ConfigError as error:
            return {"ok": False, "error": str(error)}
        return {"ok": True, **self.status()}

    def _appear(self, player: Any, *, is_there: bool) -> None:
        """Record that a human or remote player is ready to play, or has gone.

        Raises ConfigError for an unknown player.
        """
        if player not in awaited_of(self._run.setup.players.values()):
            raise ConfigError(f"player: there is no human or remote player {quote(str(player))}")
        self._run.queue.ready.appear(player, is_there=is_there)
        self._run.listener.appeared(player, is_there=is_there)
        self._run.tell(f"{player} is {'ready' if is_there else 'away'}")

    def remote(self, command: Mapping[str, Any]) -> None:
        """Forward a message of a remote player's owner to the player's seat in a game. There is no answer.

        An invalid message is dropped, and so is a message for a game that no worker plays. The owner need not
        repeat it: when the game begins, the seat calls the owner (`gyoji.play.remote_talk`).
        """
        game, player = str(command.get("game")), str(command.get("player"))
        try:
            talk = msgspec.Raw(encode(wire.decode(Talk, command.get("talk"))))
        except (ValueError, OverflowError):  # among them texts that are no Unicode
            return
        self._run.games.pool.say(RemoteWords(game=game, player=player, talk=talk))

    def _say(self, command: Mapping[str, Any]) -> None:
        """Forward a human player's answer to the game, or the player's wish to get the question again.

        Raises ConfigError if the command is incomplete or the game is not being played.
        """
        try:
            words = HumanMessage(
                game=str(command["game"]),
                player=str(command["player"]),
                seat=int(command.get("seat", 0)),
                answer=dict(command.get("answer") or {}),
                again=command.get("again") is True,
            )
            is_played = self._run.games.pool.say(words)
        except (KeyError, TypeError, ValueError) as error:
            raise ConfigError(f"say: expected game, player and seat, got {error}") from None
        if not is_played:
            raise ConfigError("game: it is not being played")

    def _rule(self, command: Mapping[str, Any]) -> None:
        """Carry out the organiser's decision about a game in progress: a player forfeits, or the game is
        played again.

        Raises:
            ConfigError: The command is incomplete, or the game is not being played.
        """
        decision, player = command.get("decision"), str(command.get("player", ""))
        from gyoji.scheduler.ruling import MOST_REASON  # noqa: PLC0415 - few runs are ruled on

        reason = printable(" ".join(str(command.get("reason", "")).split()), MOST_REASON)
        if decision not in ("forfeit", "restart"):
            raise ConfigError(f"decision: expected forfeit or restart, got {quote(str(decision))}")
        if not reason:
            raise ConfigError("reason: expected one, which goes into the record")
        game = next((each for each in self._run.games.now() if each.id == command.get("game")), None)
        if game is None:
            raise ConfigError(f"game: {quote(str(command.get('game')))} is not being played")
        if decision == "forfeit" and game.spec.codes.count(player) != 1:
            raise ConfigError(f"player: expected one of {', '.join(game.spec.codes)}, got {quote(player)}")
        player = player if decision == "forfeit" else ""
        if not self._run.games.pool.say(
            HumanMessage(game=game.id, player=player, reason=reason, decision=decision)
        ):
            raise ConfigError(f"game: {game.id} is not being played")
        game.restarted = decision == "restart"
        done = f"{player} forfeits game {game.id}" if player else f"game {game.id} is played again"
        self._run.tell(f"{done}: {reason}")

    def _purge(self, command: Mapping[str, Any]) -> None:
        """Invalidate all stored games of one machine of a cluster, so that they are played again.

        Raises ConfigError if that machine has no games that count.
        """
        host, because, who = (str(command.get(key, "")) for key in ("host", "because", "who"))
        self._run.purge(host, because=because, who=printable(who, 80) or "somebody")

    def _pause(self, is_paused: bool) -> None:
        """Pause the run, so that it starts no more games, or resume it. Games in progress go on."""
        if self._run.is_paused != is_paused:
            self._run.is_paused = is_paused
            self._run.tell("paused" if is_paused else "resumed")

    def _resize(self, slots: Any) -> None:
        """Change how many games are played at once. Games in progress go on.

        Raises ConfigError if the number is wrong, or too large for the processors.
        """
        if type(slots) is not int or not 1 <= slots <= MOST_AT_ONCE:
            raise ConfigError(f"games: expected a number from 1 to {MOST_AT_ONCE}, got {quote(str(slots))}")
        if slots != self._run.games.slots:
            self._run.games.resize(slots)
            self._run.provide()
            self._run.tell(f"{counted(slots, 'game')} at once")

    def _retry(self) -> None:
        """Play the skipped games again.

        Raises ConfigError if no game is skipped, or if the competition's next games depend on results.
        """
        if adapts(self._run.queue.competition):
            raise ConfigError("retry: this competition has gone on without the games that are skipped")
        if not self._run.queue.skipped:
            raise ConfigError("retry: no game is skipped")
        self._run.reload(retry=True)

    def status(self) -> Mapping[str, Any]:
        """Return the state of the run, JSON-ready: games in progress, counts, and why the run stops."""
        hosts = self._run.games.pool.hosts
        return {
            "pid": os.getpid(),
            "games": self._run.games.describe(),
            "players": sorted(self._run.setup.players),
            "parallel": self._run.games.slots,
            **({"hosts": host_values(hosts)} if hosts else {}),
            "paused": self._run.is_paused,
            "finished": self._run.results.finished,
            "voids": self._run.results.voids,
            "skipped": len(self._run.queue.skipped),
            "remaining": self._run.queue.remaining,
            "free": self._run.queue.ready.free,
            **({"there": there} if (there := self._run.queue.ready.there) else {}),
            "stopping": self._run.stopping.reason[1] if self._run.stopping.reason else None,
        }
