"""Writes control files: converts raw values to TOML, and a `Player` to its table.

`toml_file` and `players` convert the results back to the same values.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import structs

from gyoji.config.kinds import BUDGET_KINDS, Duration
from gyoji.config.players import CONTAINED, PRIVATE
from gyoji.core.game import default_options
from gyoji.core.plugins import PROTOCOLS
from gyoji.core.spec import Budgets, Player
from gyoji.core.text import format_duration
from gyoji.core.wire import encode

_BARE = re.compile(r"[A-Za-z0-9_\-]+")


def toml(settings: Mapping[str, Any]) -> str:
    r"""Return a TOML document. Tables and lists of tables get headers; tables inside them are on one line.

    >>> print(toml({"komi": 7.5, "players": {"a.b": {"command": ["x", "\n"]}}}), end="")
    komi = 7.5
    <BLANKLINE>
    [players."a.b"]
    command = ["x", "\n"]
    """
    top = {key: value for key, value in settings.items() if not _has_heading(value)}
    parts = ["".join(_lines(top))]
    for key, value in settings.items():
        if isinstance(value, Mapping) and _has_heading(value):
            for name, table in value.items():
                parts.append(f"[{_key(key)}.{_key(name)}]\n" + "".join(_lines(table)))
        elif _has_heading(value):
            parts += [f"[[{_key(key)}]]\n" + "".join(_lines(table)) for table in value]
    return "\n".join(parts)


def _has_heading(value: Any) -> bool:
    """Return whether a value is a table of tables, or a list of tables."""
    inside = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return bool(inside) and all(isinstance(each, Mapping) for each in inside)


def _lines(table: Mapping[str, Any]) -> Iterator[str]:
    for key, value in table.items():
        yield f"{_key(key)} = {_value(value)}\n"


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _text(key)


def _value(value: Any) -> str:
    match value:
        case str():
            return _text(value)
        case bool() | int() | float():
            return json.dumps(value)
        case Mapping():
            inside = ", ".join(f"{_key(key)} = {_value(each)}" for key, each in value.items())
            return f"{{ {inside} }}" if inside else "{}"
        case _:
            return f"[{', '.join(map(_value, value))}]"


def _text(text: str) -> str:
    """Return a TOML string on one line. TOML requires an escape for DEL, JSON does not."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def player_table(player: Player) -> dict[str, Any]:
    """Return the table of a player for a control file in any folder.

    The table has no name, no clock and no empty values. Of the budgets and the settings of the protocol, it
    has those that differ from the defaults.
    """
    contained = player.containment
    is_contained = player.executor == CONTAINED
    usual = encode(default_options(PROTOCOLS.find(player.protocol).options))
    options: dict[str, Any] = encode(player.options)
    given = {
        "command": list(player.command),
        "partner": list(player.partner),
        "protocol": player.protocol,
        "cwd": PRIVATE if player.cwd == "" else player.cwd,
        "environ": {
            **player.environ,
            **dict.fromkeys(player.inherits, True),
            **dict.fromkeys(player.lacks, False),
        },
        "stderr": player.stderr,
        "restart": player.restart,
        "ponder": player.ponders,
        "threads": player.threads,
        "resources": dict(player.resources),
        "max_memory": player.budgets.memory,
        "max_disk": player.budgets.disk,
        "budgets": _budgets(player.budgets),
        "sandbox": contained.level if is_contained else None,
        "executor": None if is_contained else player.executor,
        "writable": list(contained.writable),
        "readable": list(contained.readable),
        "devices": list(contained.devices),
        "network": contained.network,
        **{key: value for key, value in options.items() if key not in usual or usual[key] != value},
    }
    return {key: value for key, value in given.items() if value not in (None, "", [], {})}


def _budgets(budgets: Budgets) -> dict[str, Any]:
    """Return the budgets that differ from the defaults, by setting, for the table `budgets`.

    Durations are text such as "90s", sizes are numbers of bytes. The budgets of memory and disk are left out:
    they have settings of their own (`max_memory`, `max_disk`).
    """
    defaults, given = Budgets(), structs.asdict(budgets)
    return {
        key: format_duration(given[key]) if kind is Duration else given[key]
        for key, kind in BUDGET_KINDS.items()
        if given[key] != getattr(defaults, key)
    }
