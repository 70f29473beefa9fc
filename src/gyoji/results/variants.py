"""Variants of a game: other options that it may be played with if an engine refuses the wanted ones
(`Game.variants`).

The check before a run finds, for each player, the variants that its engine refuses. A game is issued with
the first options that none of its players refuses, and is stored with these, so its record says what was
played. A competition counts a game in whichever variant it was played.
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
    """Return `options` and then the sets of options to play instead if an engine refuses those before."""
    find = GAMES.find(game).variants
    return (options,) if find is None else find(options)


def variant_key(options: Mapping[str, object]) -> str:
    """Return a text that is equal for equal options of a game. The option `opening` is left out."""
    return wire.dumps({key: value for key, value in options.items() if key != OPENING})


def spec_variants(spec: GameSpec) -> Sequence[GameSpec]:
    """Return the game with each set of options that it may be played with, its own options first.

    The others are to be played instead if an engine refuses the ones before.
    """
    found = variants(spec.game, spec.options)
    return (spec,) if len(found) == 1 else [replace(spec, options=each) for each in found]


def fitted(spec: GameSpec, refusals: Refusals) -> GameSpec:
    """Return the game with the first set of options that none of its players' engines refuses.

    If each set is refused, return it with the options that the control file gives.
    """
    found = variants(spec.game, spec.options)
    if len(found) == 1:
        return spec
    refused = frozenset[str]().union(*(refusals.get(player.code, ()) for player in spec.players))
    taken = (each for each in found if not refused or variant_key(each) not in refused)
    return replace(spec, options=next(taken, found[0]))


def as_played(spec: GameSpec, options: Mapping[str, object]) -> GameSpec:
    """Return the game with that one of its possible sets of options that equals `options`, its opening aside.

    If none does, return it unchanged.
    """
    found = spec_variants(spec)
    if len(found) == 1:
        return spec
    key = variant_key(options)
    return next((each for each in found if variant_key(each.options) == key), spec)


def played_instead(game: str, was: Mapping[str, object], now: Mapping[str, object]) -> Mapping[str, object]:
    """Return the set of options by which an already played game counts.

    Args:
        game: The name of the game.
        was: The options that it was played with.
        now: The options that the control file gives now.

    Returns:
        The first variant of `now` whose values `was` has; `now` itself if there is none.
    """
    found = variants(game, now)
    alike = (each for each in found if all(was.get(key) == value for key, value in each.items()))
    return found[0] if len(found) == 1 else next(alike, found[0])


def strangers(spec: GameSpec, refusals: Refusals) -> Iterator[tuple[str, str]]:
    """Yield each pair of players that cannot play: one of the two refuses each possible set of options."""
    keys = {variant_key(each) for each in variants(spec.game, spec.options)}
    for pair in combinations(refusals, 2):
        if keys <= refusals[pair[0]] | refusals[pair[1]]:
            yield pair


def describe_variant(options: Mapping[str, object], wanted: Mapping[str, object]) -> str:
    """Return the options in which a variant differs from the wanted one, as a control file writes them."""
    told = [
        f"{key} = {wire.dumps(value)}"
        for key, value in options.items()
        if key != OPENING and value and value != wanted.get(key)
    ]
    return ", ".join(told)
