"""The KEY=VALUE words of `-engine` and `-each`, parsed into the settings of an engine."""

from collections.abc import Sequence
from dataclasses import replace

from gyoji.core.faults import ConfigError
from gyoji.fastchess.wishes import Engine

Pairs = Sequence[tuple[str, str]]


def parse_tc(text: str) -> tuple[str, str]:
    """Return a time control as (gyoji's notation, fastchess's notation).

    >>> parse_tc("8.00+0.08"), parse_tc("40/5:00"), parse_tc("inf")
    (('8+0.08', '8+0.08'), ('40/300', '40/300'), ('none', ''))
    """
    if "hg" in text:
        raise ConfigError("Hourglass time control not supported.")
    if text in ("inf", "infinite"):
        return "none", ""
    moves, slash, rest = text.rpartition("/")
    base, _, increment = rest.partition("+")
    minutes, _, seconds = base.rpartition(":")
    main = int(float(minutes or 0) * 60_000) + int(float(seconds) * 1000)
    more = int(float(increment or 0) * 1000)
    stages = f"{int(moves)}/" if slash and moves not in ("inf", "infinite") else ""
    shown = f"{stages}{main / 1000:g}" + (f"+{more / 1000:.2g}" if more else "")
    return f"{stages}{main / 1000:g}" + (f"+{more / 1000:g}" if more else ""), shown


def with_keys(engine: Engine, pairs: Pairs) -> Engine:
    """Return an engine's settings, changed by the KEY=VALUE words `pairs`.

    Raises:
        ConfigError, ValueError: A key is unknown, or its value is wrong.
    """
    for key, value in pairs:
        if key == "tc":
            clock, shown = parse_tc(value)
            engine = replace(engine, clock=clock, shown_clock=shown)
        elif key == "st":
            seconds = int(float(value) * 1000) / 1000
            engine = replace(engine, clock=f"{seconds:g}s/move", shown_clock=f"{seconds:g}/move")
        elif key in ("nodes", "depth", "plies"):
            number = int(value)
            engine = replace(engine, nodes=number) if key == "nodes" else replace(engine, depth=number)
        elif key == "timemargin":
            if int(value) < 0:
                raise ConfigError("The value for timemargin cannot be a negative number.")
            engine = replace(engine, margin=int(value))
        elif key == "restart":
            if value not in ("on", "off"):
                raise ConfigError(f'Invalid parameter (must be either "on" or "off"): {value}')
            engine = replace(engine, restart=value == "on")
        elif key == "proto":
            if value != "uci":
                raise ConfigError("Unsupported protocol.")
        elif key.startswith("option."):
            engine = replace(engine, options={**engine.options, key.removeprefix("option."): value})
        elif key == "cmd":
            engine = replace(engine, cmd=value)
        elif key == "name":
            engine = replace(engine, name=value)
        elif key == "args":
            engine = replace(engine, args=value)
        elif key == "dir":
            engine = replace(engine, folder=value)
        else:
            raise ConfigError(f'Unrecognized engine option "{key}" with value "{value}".')
    return engine
