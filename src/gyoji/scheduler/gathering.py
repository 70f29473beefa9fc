"""Gathering: copy the results of a divided competition's parts (shards) into one database, each game once."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import chain, islice, zip_longest
from pathlib import Path

from gyoji.core.faults import ConfigError
from gyoji.core.record import GameResult
from gyoji.core.spec import derive_seed
from gyoji.core.text import quote
from gyoji.pairing.shards import Deal, Shard
from gyoji.results.comparison import Comparison
from gyoji.results.game_ids import plain_id
from gyoji.scheduler.event import Event
from gyoji.scheduler.shards_file import Shards, read_shards
from gyoji.store.files import RunLock
from gyoji.store.game_texts import Finished
from gyoji.store.row_reader import CHUNK
from gyoji.store.store import Store
from gyoji.tables.event_tables import unplayed


@dataclass(frozen=True, slots=True)
class Gathered:
    """The outcome of gathering the results of a divided competition.

    Attributes:
        games: For each given database: (its part, its path, number of games in it, number of games copied).
        missing: By number of a part: how many of its games have no result yet.
        total: Number of games of the whole competition.
    """

    games: Sequence[tuple[Shard, Path, int, int]]
    missing: Mapping[int, int]
    total: int


@dataclass(slots=True)
class _Given:
    """The database of one part of a divided competition.

    Attributes:
        count: Number of games in this database.
        fresh: Row numbers of its games that are to be copied.
    """

    path: Path
    store: Store
    shard: Shard
    count: int = 0
    fresh: list[int] = field(default_factory=list)


def gather(event: Event, paths: Sequence[Path]) -> Gathered:
    """Copy the finished games of several parts.

    Everything but the seeds of games is checked before the first game is copied.

    Args:
        event: The whole competition.
        paths: Databases of its parts.

    Raises:
        ConfigError: A database is of another competition, or has games of another part, or games that were
            played with other settings or engines. Or the competition is being played.
    """
    shards = read_shards(event.files.control_file, event.setup.code)
    setup = event.setup.with_secret(shards.secret)
    deal = Deal(unplayed(setup), shards.of, source=event.source)
    with ExitStack() as stack:
        given = [_opened(stack, path, event, shards) for path in paths]
        stack.enter_context(RunLock(event.files))
        target = stack.enter_context(
            Store.open(event.files.database, create=True, competition=setup.code, origin=shards.origin())
        )
        comparison, engines, taken = Comparison(setup), _Engines(), set[str]()
        for result in target.results():
            engines.add(result, event.files.database)
            taken.add(result.id)
        for each in given:
            _look_at(each, deal, comparison, engines, taken)
        engines.check()
        _copy(given, target, event.setup.with_secret(shards.secret).seed)
        games = [(each.shard, each.path, each.count, len(each.fresh)) for each in given]
        return Gathered(games, deal.missing(taken), len(deal))


def _opened(stack: ExitStack, path: Path, event: Event, shards: Shards) -> _Given:
    """Open the database of one part of a divided competition.

    Raises ConfigError if it is not a part of this competition.
    """
    store = stack.enter_context(Store.read(path, competition=event.setup.code))
    origin = store.origin
    if not origin.shards:
        raise ConfigError(f"{path}: it was not played as a shard: expected what `gyoji run --shard` wrote")
    if (origin.shards, origin.secret) != (shards.id, shards.secret):
        raise ConfigError(
            f"{path}: it is of another division into shards: expected {shards.id[:8]}, got "
            f"{origin.shards[:8]}: give the shards that were played with one file of shards"
        )
    if not origin.shard:
        raise ConfigError(f"{path}: these are the gathered results, expected a shard's")
    return _Given(path, store, Shard.parse(origin.shard))


class _Engines:
    """Checks that a player was the same engine in all parts of a divided competition.

    An engine may describe itself differently from game to game, so two parts agree if they have one
    description in common.
    """

    def __init__(self) -> None:
        self._seen: dict[str, dict[Path, set[str]]] = {}

    def add(self, result: GameResult, path: Path) -> None:
        for player, engine in zip(result.players, result.engines, strict=True):
            if engine.name:
                said = (engine.description or engine.name).partition("\n")[0]
                self._seen.setdefault(player, {}).setdefault(path, set()).add(said)

    def check(self) -> None:
        """Raise ConfigError for a player that was different engines in two databases."""
        for player, stores in self._seen.items():
            (first, known), *others = stores.items()
            for path, said in others:
                if known.isdisjoint(said):
                    raise ConfigError(
                        f"{path}: {player} is {quote(min(said))}, and in {first} {quote(min(known))}: shards "
                        "have to be played by the same engines"
                    )


def _look_at(given: _Given, deal: Deal, comparison: Comparison, engines: _Engines, taken: set[str]) -> None:
    """Check and count the games of a database, and add the row numbers of those to copy to `given.fresh`.

    Games that the organiser invalidated are counted, but not checked and not copied.

    Args:
        deal: Which part each game belongs to.
        comparison: Decides whether a game was played with the present settings.
        engines: Gets every result, to compare the players' engines.
        taken: Ids of the games to copy, from this or another database. New ones are added.

    Raises:
        ConfigError: A game does not belong to this part, or was played with other settings.
    """
    for number, (result, by) in enumerate(given.store.played(), 1):
        given.count += 1
        if by.purged:
            continue
        if (home := deal.shard_of(result.id)) != given.shard.number:
            whose = "no shard" if home is None else f"shard {home}"
            raise ConfigError(f"{given.path}: game {result.id} belongs to {whose}, and this is {given.shard}")
        if not comparison.takes(result, by, given.store.text):
            raise ConfigError(
                f"{given.path}: game {result.id} was played by other settings than the control file has: "
                "gather with the one that the shards were played with"
            )
        engines.add(result, given.path)
        if result.id not in taken:
            taken.add(result.id)
            given.fresh.append(number)


def _copy(given: Sequence[_Given], target: Store, seed: int) -> None:
    """Copy the games, one of each part in turn, then the games without a result and the judge's decisions.

    Args:
        given: The databases of the parts.
        target: The database of the whole competition.
        seed: The competition's random seed, from which the seed of each game must follow.
    """
    rows = zip_longest(*([(each, number) for number in each.fresh] for each in given))
    games = (_game(each, number, seed) for each, number in filter(None, chain.from_iterable(rows)))
    while batch := list(islice(games, CHUNK)):
        target.append_many(batch)
    known = set(target.voids())
    for each in given:
        target.append_many((), [void for void in each.store.voids() if void not in known])
        ruled = set(target.rulings())
        for game_id, ruling in each.store.rulings():
            if (game_id, ruling) not in ruled:
                target.rule(game_id, ruling)


def _game(given: _Given, number: int, seed: int) -> Finished:
    spec, record, _ = given.store.as_played(number)
    if spec.seed != derive_seed(seed, plain_id(spec.id)):
        raise ConfigError(f"{given.path}: game {spec.id} was played with another seed than its own")
    return Finished.of(spec, record)
