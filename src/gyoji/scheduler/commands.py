"""How others steer a run while it goes on: what a command to its control socket does."""

import os
from collections.abc import Callable, Mapping
from typing import Any

from gyoji.core.faults import ConfigError
from gyoji.core.ports import adapts
from gyoji.core.spec import persons_of
from gyoji.core.text import counted, printable, quote
from gyoji.play.seats import Words
from gyoji.scheduler.course import Course
from gyoji.scheduler.pool import host_values
from gyoji.scheduler.status import ExitStatus

MOST_AT_ONCE = 1023
"""How many games a command may have played at once."""


class Commands:
    """The commands to one run."""

    def __init__(self, run: Course) -> None:
        self._run = run

    def obey(self, command: Mapping[str, Any]) -> Mapping[str, Any]:
        """Do what a command says, such as ``{"do": "parallel", "games": 3}``.

        The answer says how the run is afterwards; it has "ok", and "error" where that is false.
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
        """A person wants to play, or not any more. Raises ConfigError."""
        if player not in persons_of(self._run.setup.players.values()):
            raise ConfigError(f"player: there is no person {quote(str(player))}")
        self._run.supply.appear(player, is_there=is_there)
        self._run.listener.appeared(player, is_there=is_there)
        self._run.tell(f"{player} is {'ready' if is_there else 'away'}")

    def _say(self, command: Mapping[str, Any]) -> None:
        """Words of a person in a game, or the wish to hear again what was said. Raises ConfigError."""
        try:
            words = Words(
                player=str(command["player"]),
                seat=int(command.get("seat", 0)),
                text=str(command.get("text", "")),
                again=command.get("again") is True,
            )
            is_played = self._run.games.say(str(command["game"]), words)
        except (KeyError, TypeError, ValueError) as error:
            raise ConfigError(f"say: expected game, player and seat, got {error}") from None
        if not is_played:
            raise ConfigError("game: it is not being played")

    def _rule(self, command: Mapping[str, Any]) -> None:
        """Decide a game that is being played: forfeit by a player, or play it again. Raises ConfigError."""
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
        if not self._run.games.say(game.id, Words(player=player, text=reason, decision=decision)):
            raise ConfigError(f"game: {game.id} is not being played")
        game.restarted = decision == "restart"
        done = f"{player} forfeits game {game.id}" if player else f"game {game.id} is played again"
        self._run.tell(f"{done}: {reason}")

    def _purge(self, command: Mapping[str, Any]) -> None:
        """Take back the games of a host, and play them again. Raises ConfigError."""
        host, because, who = (str(command.get(key, "")) for key in ("host", "because", "who"))
        self._run.purge(host, because=because, who=printable(who, 80) or "somebody")

    def _pause(self, is_paused: bool) -> None:
        """Start nothing more for a while, or again. A run that is paused does not end, but can be stopped."""
        if self._run.is_paused != is_paused:
            self._run.is_paused = is_paused
            self._run.tell("paused" if is_paused else "resumed")

    def _resize(self, slots: Any) -> None:
        """Play so many games at once; those in progress finish. Raises ConfigError for too few processors."""
        if type(slots) is not int or not 1 <= slots <= MOST_AT_ONCE:
            raise ConfigError(f"games: expected a number from 1 to {MOST_AT_ONCE}, got {quote(str(slots))}")
        if slots != self._run.games.slots:
            self._run.games.resize(slots)
            self._run.provide()
            self._run.tell(f"{counted(slots, 'game')} at once")

    def _retry(self) -> None:
        """Play the games again that are set aside, also those of suspended players. Raises ConfigError."""
        if adapts(self._run.supply.competition):
            raise ConfigError("retry: this competition has gone on without the games that are set aside")
        if not self._run.supply.set_aside:
            raise ConfigError("retry: no game is set aside")
        self._run.reload(retry=True)

    def status(self) -> Mapping[str, Any]:
        """How the run goes, JSON-ready."""
        return {
            "pid": os.getpid(),
            "games": self._run.games.describe(),
            "players": sorted(self._run.setup.players),
            "parallel": self._run.games.slots,
            **({"hosts": host_values(self._run.games.hosts)} if self._run.games.hosts else {}),
            "paused": self._run.is_paused,
            "finished": self._run.results.finished,
            "voids": self._run.results.voids,
            "set_aside": len(self._run.supply.set_aside),
            "remaining": self._run.supply.remaining,
            "free": self._run.supply.free,
            "stopping": self._run.stopping.reason[1] if self._run.stopping.reason else None,
        }
