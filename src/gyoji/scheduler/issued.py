"""Which games a competition issues: it is played again with the results that are stored, in their order.

A game is issued again with the results that were there when it was: it is looked for among those that the
competition issues before its result is counted. Games that were in progress at the same time were issued
before one another's results, so the competition is always let go some way ahead.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from gyoji.core import wire
from gyoji.core.conditions import OPENING
from gyoji.core.ports import Competition
from gyoji.core.record import GameResult
from gyoji.core.spec import GameSpec
from gyoji.pairing.failures import SetAside
from gyoji.pairing.repeats import plain, plain_id
from gyoji.scheduler.counting import take
from gyoji.scheduler.reload import unpadded

AHEAD = 1100
"""Games that may have been issued before the result of another one: those of every slot."""

MOST = 1 << 16
"""Games that are kept which have been issued and have no result: those that void games left, or damage."""


class Misissue(NamedTuple):
    """In what a game is not as its competition issues it."""

    game: str
    what: str
    got: str
    expected: str


class Issued:
    """A fresh competition that is played again. A tuner's candidates depend on when a game was issued, which
    nobody knows: of its games only ids and seeds are looked at."""

    def __init__(self, competition: Competition) -> None:
        self._competition = competition
        self._adapts = bool(getattr(competition, "adapts", False))
        self._specs: dict[str, GameSpec] = {}
        self._waiting: dict[str, tuple[GameSpec, GameResult]] = {}

    def add(self, spec: GameSpec, result: GameResult) -> list[Misissue]:
        """Count the next result; in what its game, and those that waited for it, are not as they are issued.

        A game waits that is not issued yet: one of a later round, say, of which an earlier game was lost and
        has been played again. Raises ConfigError for a result that does not fit the competition.
        """
        found: list[Misissue] = []
        due = [(spec, result)]
        while due:
            spec, result = due.pop()
            key = _key(spec)
            self._issue(key)
            issued = self._specs.pop(key, None)
            if issued is None:
                self._waiting[key] = spec, result
                continue
            found += self._differences(spec, issued)
            self._competition.add(plain(result))
            due += self._no_longer_waiting(key)
        return found

    def set_aside(self, game: SetAside) -> list[Misissue]:
        """Count a game that is not played any more; as `add` what is not as it is issued."""
        key = unpadded(plain_id(game.id))
        self._issue(key)
        self._specs.pop(key, None)
        take(self._competition, game)
        return [each for waiting in self._no_longer_waiting(key) for each in self.add(*waiting)]

    def _no_longer_waiting(self, key: str) -> list[tuple[GameSpec, GameResult]]:
        """The games that are issued now, and were not before the one of that key was counted."""
        if not self._waiting:
            return []
        self._issue(key)
        return [self._waiting.pop(each) for each in self._waiting.keys() & self._specs.keys()]

    def end(self) -> list[Misissue]:
        """The games that the competition has not issued in the end."""
        strays = [spec.id for spec, _ in self._waiting.values()]
        return [Misissue(each, "id", each, "a game that the competition issues") for each in strays]

    def _issue(self, key: str) -> None:
        """Let the competition issue games until there is that one, and some way ahead."""
        ahead = 0 if self._adapts else AHEAD
        while (key not in self._specs and len(self._specs) < MOST) or len(self._specs) < ahead:
            issued = self._competition.next_game()
            if issued is None:
                return
            self._specs[_key(issued)] = issued

    def _differences(self, spec: GameSpec, issued: GameSpec) -> Iterator[Misissue]:
        if spec.seed != issued.seed:
            yield Misissue(spec.id, "seed", str(spec.seed), str(issued.seed))
        if self._adapts:
            return
        if spec.pairing != issued.pairing:
            yield Misissue(spec.id, "pairing", spec.pairing, issued.pairing)
        got, expected = _codes(spec), _codes(issued)
        if got != expected:
            yield Misissue(spec.id, "players in the order of their seats", got, expected)
        if _opening(spec) != _opening(issued):
            yield Misissue(spec.id, "opening", wire.dumps(_opening(spec)), wire.dumps(_opening(issued)))
        if spec.note != issued.note:
            yield Misissue(spec.id, "note", spec.note or "none", issued.note or "none")


def _key(spec: GameSpec) -> str:
    return unpadded(plain_id(spec.id))


def _codes(spec: GameSpec) -> str:
    return " ".join(player.code for player in spec.players)


def _opening(spec: GameSpec) -> Any:
    return wire.encode(spec.options.get(OPENING)) or None
