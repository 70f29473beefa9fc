"""Presence at a game in progress: which of its human players have its page open, and how many spectators."""

# A person is present while the event stream of their page is open. When a page is loaded again, its stream
# closes and opens at once: so changes are gathered for GATHER seconds before they are sent.

import asyncio
from collections.abc import Iterable
from typing import Any

from gyoji.core import wire
from gyoji.core.spec import people_of
from gyoji.web.hub import Hub
from gyoji.web.live import LiveGame
from gyoji.web.seat_links import Seat
from gyoji.web.watched import THOUGHTS, WatchedCompetition

GATHER = 1.0
"""Seconds for which changes are gathered."""

_SEAT = "seat "


class Presence:
    """Sends to the readers of a game in progress who else is there: human players and watchers."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._changed: set[tuple[str, str]] = set()  # (competition, game)
        self._timer: asyncio.TimerHandle | None = None

    def of(self, watched: WatchedCompetition, game: LiveGame) -> dict[str, Any]:
        """Return the presence at a game, JSON-ready.

        Returns:
            `here`: for each human player by name, whether the player's page is open; `watching`: the number
            of open pages of spectators.
        """
        people = people_of(game.spec.players)
        seats = [Seat(watched, person).topic for person in people]
        here = dict(zip(people, map(watched.broadcast.has_readers, seats), strict=True))
        readers = set[object]()
        for topic in (f"{watched.name}/{game.spec.id}", f"{watched.name}/{game.spec.id}{THOUGHTS}"):
            readers |= {
                reader for reader in watched.broadcast.readers(topic) if not reader.topics.intersection(seats)
            }
        return {"here": here, "watching": len(readers)}

    def changed(self, topics: Iterable[str]) -> None:
        """Handle a reader of these topics that has come or left: send the new presence soon."""
        for topic in topics:
            name, _, what = topic.removesuffix(THOUGHTS).partition("/")
            if (watched := self._hub.competitions.get(name)) is None:
                continue
            for game in watched.playing.values():
                is_seat = what.removeprefix(_SEAT) in people_of(game.spec.players) and what.startswith(_SEAT)
                if what == game.spec.id or is_seat:
                    self._changed.add((name, game.spec.id))
        if self._changed and self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(GATHER, self._tell)

    def _tell(self) -> None:
        self._timer = None
        changed, self._changed = self._changed, set()
        for name, id_ in changed:
            watched = self._hub.competitions.get(name)
            if watched is None or (game := watched.playing.get(id_)) is None:
                continue
            told = wire.dumps({"game": id_, **self.of(watched, game)})
            for topic in (f"{name}/{id_}", f"{name}/{id_}{THOUGHTS}"):
                watched.broadcast.send(topic, "presence", told)
