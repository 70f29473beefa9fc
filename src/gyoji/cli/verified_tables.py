"""The tables of a competition made twice: of the results that are stored, and of those that moves come to."""

from collections.abc import Iterator, Mapping
from typing import Any

from gyoji.cli.standing import Endings
from gyoji.core.record import GameResult
from gyoji.pairing.failures import SetAside
from gyoji.pairing.repeats import plain
from gyoji.scheduler.counting import take
from gyoji.scheduler.event import Event
from gyoji.stats.ratings import rate
from gyoji.tables.digest import Digest
from gyoji.tables.event import tables_of, unplayed
from gyoji.tables.ratings import rating_values

MOST_RATED = 200
"""Of more players no ratings are compared: that takes longer than their games."""


class _Fold:
    """One of the two."""

    def __init__(self, event: Event) -> None:
        self._event = event
        self._competition = unplayed(event.setup)
        self._endings = Endings()
        self._digest = Digest(0, event.setup.players)

    def add(self, result: GameResult) -> None:
        self._competition.add(plain(result))
        self._endings.add(result)
        self._digest.add(result)

    def set_aside(self, game: SetAside) -> None:
        take(self._competition, game)

    def values(self) -> dict[str, Any]:
        """All figures by the path that leads to them."""
        values = dict(tables_of(self._event.setup, self._competition).values(self._endings.by_pairing))
        players = self._digest.ledger.meetings().players
        if 0 < len(players) <= MOST_RATED:
            values["ratings"] = rating_values(rate(self._digest.ledger))
        return dict(_leaves(values, ""))


class Tables:
    """Both, while results are added. They are compared only if a result differs: else they are the same."""

    def __init__(self, event: Event) -> None:
        self._stored, self._derived = _Fold(event), _Fold(event)
        self._is_same = True

    def add(self, stored: GameResult, derived: GameResult) -> None:
        """Count a result as it is stored, and as it was judged again."""
        self._stored.add(stored)
        self._derived.add(derived)
        self._is_same = self._is_same and stored == derived

    def set_aside(self, game: SetAside) -> None:
        """Count a game that is not played any more."""
        self._stored.set_aside(game)
        self._derived.set_aside(game)

    def differences(self) -> Iterator[tuple[str, str, str]]:
        """(figure, of stored results, of derived ones)."""
        if self._is_same:
            return
        stored, derived = self._stored.values(), self._derived.values()
        for name in dict.fromkeys((*stored, *derived)):
            got, expected = stored.get(name, "none"), derived.get(name, "none")
            if got != expected:
                yield name, _shown(got), _shown(expected)


def _shown(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _leaves(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for name, each in value.items():
            yield from _leaves(each, f"{path}.{name}" if path else str(name))
    elif isinstance(value, list | tuple):
        for number, each in enumerate(value):
            yield from _leaves(each, f"{path}[{number}]")
    else:
        yield path, value
