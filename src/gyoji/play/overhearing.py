"""Observe the conversation with an engine while it is checked."""

from collections.abc import Sequence
from typing import Any, Protocol

from gyoji.core import messages as m
from gyoji.core.ports import Codec
from gyoji.core.spec import Player


class Watch(Protocol):
    """A listener to the conversations of a `WorkerContext`."""

    def on_asked(self, player: Player, data: bytes, patience: int) -> None:
        """Handle bytes that are sent to an engine.

        Args:
            patience: ns that it may take to answer; 0 if unknown.
        """

    def on_said(self, data: bytes) -> None:
        """Handle the output of the engine that was asked last."""


class OverheardCodec:
    """A codec that shows the bytes of both directions to a watch."""

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
        """Return optional members of the wrapped codec."""
        return getattr(self._codec, name)

    def _told(self, data: bytes, patience: int) -> bytes:
        if data:
            self._watch.on_asked(self._player, data, patience)
        return data
