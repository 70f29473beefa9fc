"""Games of other events for a tuner to learn from: those in the store of another tuner."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from gyoji.config.document import Document, KeyPath
from gyoji.config.reader import Reader, Rejected
from gyoji.core.faults import ConfigError
from gyoji.core.plugins import FORMATS
from gyoji.core.setup import CompetitionSetup, Stored, StoredGames
from gyoji.results.comparison import Comparison
from gyoji.results.game_ids import plain
from gyoji.store.files import CompetitionFiles
from gyoji.store.store import Store
from gyoji.tuning.event import TuningEvent
from gyoji.tuning.parameters import Valued

LoadOther: TypeAlias = Callable[[Path], CompetitionSetup]
"""A function that reads another event's control file, without its own games from others.

It raises ConfigError.
"""


def read_stored(
    reader: Reader, path: KeyPath, given: Any, document: Document, *, parameters: Any, load: LoadOther
) -> StoredGames:
    """Return the games that the setting at `path` names, with a warning if some are outside the ranges.

    Args:
        parameters: The parameters of the tuner; None if they are wrong.

    Raises:
        Rejected: The setting is wrong, or a file cannot be read.
    """
    names = reader.value(path, tuple[str, ...], given)
    if parameters is None:
        raise Rejected
    sources = []
    for number, name in enumerate(names):
        try:
            games = tuple(_stored_in(Path(document.resolve(name)), parameters, load))
        except ConfigError as error:
            reader.problems.add((*path, number), str(error))
            raise Rejected from None
        fitting = tuple(game for game in games if _fits_in(parameters, game))
        if left_out := sum(game.games for game in games) - sum(game.games for game in fitting):
            reader.problems.doubt(path, f"{name}: {left_out} games are left out, outside the ranges of now")
        sources.append(fitting)
    return StoredGames(tuple(sources))


# The ranges of the other event may have been wider. A game outside them has no place in this tuner's model.
def _fits_in(parameters: Sequence[Valued], game: Stored) -> bool:
    """Whether all values that a game's candidates had are in the ranges of the parameters."""
    try:
        for values in filter(None, (game.values, game.other)):
            for parameter, value in zip(parameters, values, strict=True):
                parameter.place(value)
    except ValueError:
        return False
    return True


def _stored_in(path: Path, parameters: Sequence[Valued], load: LoadOther) -> Iterator[Stored]:
    """Yield the games of a control file's event. Raises ConfigError if its parameters are others."""
    if path.suffix.lower() == ".csv":
        raise ConfigError(f"{path.name}: removed: name the other tuner's control file or database instead")
    setup = load(path)
    event = FORMATS.find(setup.kind).competition(setup)
    if not isinstance(event, TuningEvent):
        raise ConfigError(f"{path.name}: {setup.kind} is no tuner: expected a tuner's control file")
    codes = [parameter.code for parameter in parameters]
    there = [parameter.code for parameter in event.tuner.parameters]
    if sorted(there) != sorted(codes):
        names = ", ".join(there)
        raise ConfigError(f"{path.name}: it has the parameters {names}: expected {', '.join(codes)}")
    order = [there.index(code) for code in codes]
    with Store.read(CompetitionFiles(Path(setup.control_file)).database, competition=setup.code) as store:
        comparison = Comparison(setup)
        for result, by in store.played():
            if comparison.takes(result, by, store.text):
                event.add(plain(result))
    for game in event.stored():
        first, other = (
            tuple(values[place] for place in order if values) for values in (game.values, game.other)
        )
        yield game._replace(values=first, other=other)
