"""Counting what is stored: a competition as it stands, of the games that can be compared."""

from collections.abc import Iterator
from typing import Any

from gyoji.core.faults import ConfigError
from gyoji.core.record import GameResult
from gyoji.pairing.comparison import Comparison
from gyoji.pairing.repeats import plain
from gyoji.store.store import Store


def comparable(store: Store, comparison: Comparison) -> Iterator[GameResult]:
    """The stored results that count, in order of completion; `comparison` knows of the others then.

    Raises ConfigError for a damaged file.
    """
    for result, by in store.played():
        try:
            counts = comparison.takes(result, by, store.text)
        except ValueError as error:
            raise ConfigError(f"{store.path}: game {result.id}: what it was played by: {error}") from None
        if counts:
            yield result


def count(store: Store, comparison: Comparison, competition: Any, *others: Any) -> None:
    """Add every result that counts to a competition, under its plain id, and to `others` as it is."""
    for result in comparable(store, comparison):
        competition.add(plain(result))
        for other in others:
            other.add(result)
