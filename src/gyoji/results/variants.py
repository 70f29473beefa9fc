"""Variants of a game: other options, such as board sizes, for engines that refuse the wanted options.

The game defines them (`Game.variants`). The check before a run finds, for each player, the variants that its
engine refuses. A game is issued with the first options that none of its players refuses, and is stored with
these. A competition counts games of all variants.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from msgspec.structs import replace

from gyoji.core import wire
from gyoji.core.plugins import GAMES
from gyoji.core.spec import OPENING, GameSpec

Refusals = Mapping[str, frozenset[str]]
"""For each player, the keys (`variant_key`) of the options that its engine refuses."""


def variants(game: str, options: Mapping[str, object]) -> Sequence[Mapping[str, object]]:
    """Return the sets of options of a game in the order of preference: `options` first, then its variants."""
    find = GAMES.find(game).variants
    return (options,) if find is None else find(options)


def variant_key(options: Mapping[str, object]) -> str:
    """Return a text that identifies a set of options. The option `opening` is left out."""
    return wire.dumps({key: value for key, value in options.items() if key != OPENING})


def spec_variants(spec: GameSpec) -> Sequence[GameSpec]:
    """Return the game with each choice of options that the game allows instead of its own, such as another
    board size. Its own options come first.
    """
    found = variants(spec.game, spec.options)
    return (spec,) if len(found) == 1 else [replace(spec, options=each) for each in found]


def fitted(spec: GameSpec, refusals: Refusals) -> GameSpec:
    """Return the game in the first variant that none of its players' engines refuses.

    If each variant is refused, return the game unchanged.
    """
    found = variants(spec.game, spec.options)
    if len(found) == 1:
        return spec
    refused = frozenset[str]().union(*(refusals.get(player.code, ()) for player in spec.players))
    taken = (each for each in found if not refused or variant_key(each) not in refused)
    return replace(spec, options=next(taken, found[0]))


def as_played(spec: GameSpec, options: Mapping[str, object]) -> GameSpec:
    """Return the game in the variant that has `options`, apart from the opening.

    If there is no such variant, return the game unchanged.
    """
    found = spec_variants(spec)
    if len(found) == 1:
        return spec
    key = variant_key(options)
    return next((each for each in found if variant_key(each.options) == key), spec)


def played_instead(game: str, was: Mapping[str, object], now: Mapping[str, object]) -> Mapping[str, object]:
    """Return the options with which a played game is compared, to decide whether it counts.

    Args:
        game: The name of the game.
        was: The options with which the game was played.
        now: The options that the control file gives now.

    Returns:
        The first variant of `now` whose values are all in `was`; `now` itself if there is no such variant.
    """
    found = variants(game, now)
    alike = (each for each in found if all(was.get(key) == value for key, value in each.items()))
    return found[0] if len(found) == 1 else next(alike, found[0])


def strangers(spec: GameSpec, refusals: Refusals) -> Iterator[tuple[str, str]]:
    """Yield each pair of players that cannot play the game together.

    Each variant of the game is refused by the engine of at least one of the two players.

    Args:
        spec: The game.
        refusals: The variants that each player's engine refuses.
    """
    keys = {variant_key(each) for each in variants(spec.game, spec.options)}
    for pair in combinations(refusals, 2):
        if keys <= refusals[pair[0]] | refusals[pair[1]]:
            yield pair


def describe_variant(options: Mapping[str, object], wanted: Mapping[str, object]) -> str:
    """Return the options in which a variant differs from `wanted`, as text in the form of a control file.

    The opening, and options that are empty or off in the variant, are left out.
    """
    told = [
        f"{key} = {wire.dumps(value)}"
        for key, value in options.items()
        if key != OPENING and value and value != wanted.get(key)
    ]
    return ", ".join(told)
