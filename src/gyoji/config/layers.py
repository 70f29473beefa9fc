"""What a control file means beyond what it says: its game's usual settings, those of a preset, its own.

The lowest layer is the game's `DEFAULTS`, over it lies the one of its `PRESETS` that the file names, over
that the file. A setting of a higher layer replaces one below it; `budgets` does so key by key.
"""

from collections.abc import Mapping
from typing import Any

from gyoji.config.document import Document, KeyPath, Origin, Problems, shown
from gyoji.core.game import AnyGame
from gyoji.core.text import quote
from gyoji.core.wire import encode

_KEY_BY_KEY = ("budgets",)


def lay(document: Document, game: str, plugin: AnyGame, problems: Problems) -> dict[str, Any]:
    """The settings of all layers, unchecked. Tells `problems` where those are from that are not the file's.

    game: its name; plugin: the game.
    """
    layers: list[tuple[Origin | None, Mapping[str, Any]]] = [
        (Origin(f"the game {quote(game)}", "game"), encode(plugin.defaults)),
        _preset(document, game, plugin, problems),
        (None, document.plain),
    ]
    plain: dict[str, Any] = {}
    origins: dict[KeyPath, Origin | None] = {}
    for origin, settings in layers:
        for key, value in settings.items():
            below = plain.get(key, {})
            if key in _KEY_BY_KEY and isinstance(below, dict) and isinstance(value, dict):
                plain[key] = below | value
                origins |= {(key, each): origin for each in value}
            else:
                plain[key] = value
                origins[key,] = origin
    problems.origins = {place: origin for place, origin in origins.items() if origin}
    return plain


def _preset(
    document: Document, game: str, plugin: AnyGame, problems: Problems
) -> tuple[Origin, Mapping[str, Any]]:
    """The layer of the preset that the file names; an empty one if it names none that there is."""
    presets = plugin.presets
    name = document.plain.get("preset")
    if isinstance(name, str) and name in presets:
        return Origin(f"preset {quote(name)}", "preset"), encode(presets[name])
    if "preset" in document.plain:
        there_are = f"there are: {', '.join(presets)}" if presets else "it has none"
        problems.add(("preset",), f"no preset {shown(name)} of {quote(game)}; {there_are}")
    return Origin("", "preset"), {}
