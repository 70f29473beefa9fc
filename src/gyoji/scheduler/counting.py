"""Counting what is stored: a competition as it stands, of the games that can be compared."""

from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, NamedTuple

from gyoji.core.faults import ConfigError
from gyoji.core.ports import Competition
from gyoji.core.record import GameResult
from gyoji.pairing.comparison import Comparison
from gyoji.pairing.failures import Failures, SetAside
from gyoji.pairing.repeats import plain
from gyoji.pairing.suspension import Suspensions
from gyoji.store.store import Store


def comparable(store: Store, comparison: Comparison) -> Iterator[GameResult]:
    """The stored results that count, in order of completion; `comparison` knows of the others then.

    Raises ConfigError for a damaged file.
    """
    return (result for _, result in _numbered(store, comparison))


def _numbered(store: Store, comparison: Comparison) -> Iterator[tuple[int, GameResult]]:
    """The same, each with the number of stored games before it."""
    for number, (result, by) in enumerate(store.played()):
        try:
            counts = comparison.takes(result, by, store.text)
        except ValueError as error:
            raise ConfigError(f"{store.path}: game {result.id}: what it was played by: {error}") from None
        if counts:
            yield number, result


def failures_of(store: Store) -> Failures:
    """The void games that are stored. Raises ConfigError for a damaged file."""
    failures, names = Failures(), dict[str, None]()
    for attempt, void in store.voids():
        failures.add(void, attempt)
        names[void.id] = None
    for name in names:
        if store.has(name):
            failures.settle(name)
    return failures


def as_it_was(store: Store, comparison: Comparison, failures: Failures) -> Iterator[GameResult | SetAside]:
    """The results that count and the games that are set aside, in the order in which it came to them."""
    left = deque(sorted(failures.set_aside.values(), key=moment))
    for number, result in _numbered(store, comparison):
        while left and moment(left[0]) <= number:
            yield left.popleft()
        yield result
    yield from left


def moment(game: SetAside) -> float:
    """How many games were stored before it was set aside; more than there are, where that is not known."""
    return float("inf") if game.last.after < 0 else game.last.after


def take(competition: Competition, each: GameResult | SetAside) -> None:
    """Add to a competition what has come of a game, under its plain id."""
    if isinstance(each, SetAside):
        with suppress(ConfigError):  # of players, or a pairing, that the control file does not have any more
            competition.add(plain(each.result()))
    else:
        competition.add(plain(each))


class Counted(NamedTuple):
    """What else there is to know of the games: which differ, which were void, who is suspended."""

    comparison: Comparison
    failures: Failures
    suspensions: Suspensions


def count(
    store: Store, comparison: Comparison, competition: Any, *others: Any, retry: bool = False
) -> Counted:
    """Add every result that counts to a competition, and to `others`.

    The competition takes the games that are set aside into account as well. retry: there are none then, and
    nobody is suspended, but what a tuner has gone on without.
    """
    failures, suspensions = failures_of(store), Suspensions(comparison.setup)
    if retry and not getattr(competition, "adapts", False):
        failures.forget()
    for each in as_it_was(store, comparison, failures):
        take(competition, each)
        if isinstance(each, SetAside):
            suspensions.set_aside(each)
            continue
        if not retry:
            suspensions.add(each)
        for other in others:
            other.add(each)
    return Counted(comparison, failures, suspensions)
