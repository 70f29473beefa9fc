"""Variants of a game: other options that it may have where an engine refuses its own (`Game.variants`).

Which ones an engine refuses is found by the check before a run, for each player. A game is issued with the
first options that no player of it refuses, and is stored with these: so it says itself what was played. All
variants are the same game to the competition: a game counts whichever it was played in.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from msgspec.structs import replace

from gyoji.core import wire
from gyoji.core.plugins import GAMES
from gyoji.core.spec import OPENING, GameSpec

Refusals = Mapping[str, frozenset[str]]
"""By player, the keys (`variant_key`) of the options that its engine refuses."""


def variants(game: str, options: Mapping[str, object]) -> Sequence[Mapping[str, object]]:
    """The options that games with these settings may have, the first for choice."""
    find = GAMES.find(game).variants
    return (options,) if find is None else find(options)


def variant_key(options: Mapping[str, object]) -> str:
    """The text that is the same for equal options, whatever the opening."""
    return wire.dumps({key: value for key, value in options.items() if key != OPENING})


def spec_variants(spec: GameSpec) -> Sequence[GameSpec]:
    """The game in each of its variants; alone if it has none."""
    found = variants(spec.game, spec.options)
    return (spec,) if len(found) == 1 else [replace(spec, options=each) for each in found]


def fitted(spec: GameSpec, refusals: Refusals) -> GameSpec:
    """The game in the first variant that no player of it refuses; in its own if they refuse all."""
    found = variants(spec.game, spec.options)
    if len(found) == 1:
        return spec
    refused = frozenset[str]().union(*(refusals.get(player.code, ()) for player in spec.players))
    taken = (each for each in found if not refused or variant_key(each) not in refused)
    return replace(spec, options=next(taken, found[0]))


def as_played(spec: GameSpec, options: Mapping[str, object]) -> GameSpec:
    """The game in the variant that has these options; as it is if none has them."""
    found = spec_variants(spec)
    if len(found) == 1:
        return spec
    key = variant_key(options)
    return next((each for each in found if variant_key(each.options) == key), spec)


def played_instead(game: str, was: Mapping[str, object], now: Mapping[str, object]) -> Mapping[str, object]:
    """Of the variants that games have now the one that a game was played in; else the one that is wanted."""
    found = variants(game, now)
    alike = (each for each in found if all(was.get(key) == value for key, value in each.items()))
    return found[0] if len(found) == 1 else next(alike, found[0])


def strangers(spec: GameSpec, refusals: Refusals) -> Iterator[tuple[str, str]]:
    """Pairs of players who have no variant of a game in common that neither refuses."""
    keys = {variant_key(each) for each in variants(spec.game, spec.options)}
    for pair in combinations(refusals, 2):
        if keys <= refusals[pair[0]] | refusals[pair[1]]:
            yield pair


def describe_variant(options: Mapping[str, object], wanted: Mapping[str, object]) -> str:
    """The options of a variant that are not as wanted, as a control file writes them; "" if it is that."""
    told = [
        f"{key} = {wire.dumps(value)}"
        for key, value in options.items()
        if key != OPENING and value and value != wanted.get(key)
    ]
    return ", ".join(told)
