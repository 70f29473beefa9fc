"""The options that a UCI engine declares, and the `setoption` commands for those that a player sets."""

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import NamedTuple

from gyoji.core.text import parse_whole, quote

PONDER = "ponder"
"""The option that prepares an engine for `go ponder`, in lower case."""

CHESS960 = "uci_chess960"
"""The option that switches an engine to the rules of Chess960, in lower case."""

_FIRST = "threads"
"""The option to set first. An engine clears its hash table with its present number of threads, and one thread
took minutes for 120 GB (cutechess issue 557).
"""

_DECLARED = re.compile(
    r"option\s+name\s+(?P<name>.+?)\s+type\s+(?P<kind>check|spin|combo|button|string)\b(?P<rest>.*)"
)
_PART = re.compile(r"\b(default|min|max|var)\b")
_SEVERAL_NAMES = 3


class EngineOption(NamedTuple):
    """An option as declared by the engine.

    Attributes:
        name: Name in the engine's spelling. Names are compared without case.
        kind: "check", "spin", "combo", "button" or "string".
        default: Default value as text; "" for none.
        least: Smallest value of a spin; None if it declares none.
        most: Greatest value of a spin; None if it declares none.
        values: The values of a combo.
    """

    name: str
    kind: str
    default: str = ""
    least: int | None = None
    most: int | None = None
    values: tuple[str, ...] = ()

    def value_text(self, value: str | int | bool) -> str:
        """Return the value as text for `setoption`. Raises ValueError with the expected form."""
        text = str(value).strip()
        if self.kind in ("check", "button"):
            if text.lower() not in ("true", "false"):
                raise ValueError("true or false")
            return text.lower()
        if self.kind == "spin":
            return self._number(text)
        if self.kind == "combo":
            for each in self.values:
                if each.lower() == text.lower():
                    return each
            raise ValueError(f"one of {', '.join(self.values)}")
        return text

    def _number(self, text: str) -> str:
        number = parse_whole(text.removeprefix("-"))
        if number is None:
            raise ValueError("a whole number")
        number = -number if text.startswith("-") else number
        low = "" if self.least is None else str(self.least)
        high = "" if self.most is None else str(self.most)
        if (low and number < int(low)) or (high and number > int(high)):
            raise ValueError(f"{low or 'any'} to {high or 'any'}")
        return str(number)


def read_option(line: str) -> EngineOption | None:
    """Parse an `option` line of an engine. Return None for any other line.

    >>> read_option("option name Skill Level type spin default 20 min 0 max 20")
    EngineOption(name='Skill Level', kind='spin', default='20', least=0, most=20, values=())
    >>> read_option("option name Style type combo default Normal var Solid var Very Risky").values
    ('Solid', 'Very Risky')
    """
    found = _DECLARED.fullmatch(line.strip())
    if found is None:
        return None
    # The rest alternates between keywords and values. Values may have blanks, or be missing.
    _, *parts = _PART.split(found["rest"])
    told = [(word, value.strip()) for word, value in zip(parts[::2], parts[1::2], strict=True)]
    single = dict(reversed(told))
    return EngineOption(
        name=found["name"],
        kind=found["kind"],
        default=single.get("default", ""),
        least=_whole(single.get("min", "")),
        most=_whole(single.get("max", "")),
        values=tuple([value for word, value in told if word == "var"]),
    )


def _whole(text: str) -> int | None:
    digits = parse_whole(text.removeprefix("-"))
    return digits if digits is None or not text.startswith("-") else -digits


def setoption_lines(
    declared: Mapping[str, EngineOption],
    wanted: Mapping[str, str | int | bool],
    *,
    chess960: bool,
    ponders: bool = False,
) -> tuple[list[str], list[str]]:
    """Return (`setoption` commands to send, problems with the wanted values, one sentence each).

    Args:
        declared: The engine's options, by name in lower case.
        wanted: The player's settings.
        chess960: Whether to switch the engine to Chess960. In standard chess the option is not sent, because
            some engines treat `false` as `true` (fatalii issue 236).
        ponders: Whether the engine will be sent `go ponder`.
    """
    lines: list[str] = []
    problems: list[str] = []
    if chess960 and CHESS960 not in declared:
        problems.append("it has no option UCI_Chess960, so it cannot play this variant")
    elif chess960:
        lines.append(f"setoption name {declared[CHESS960].name} value true")
    if ponders and PONDER in declared:
        lines.append(f"setoption name {declared[PONDER].name} value true")
    for name in sorted(wanted, key=lambda each: each.lower() != _FIRST):
        option = declared.get(name.lower())
        if option is None:
            problems.append(f"it has no option {quote(name)}; {_near(name, declared.values())}")
            continue
        try:
            text = option.value_text(wanted[name])
        except ValueError as error:
            problems.append(f"option {quote(name)}: expected {error}, got {quote(str(wanted[name]))}")
            continue
        if option.kind != "button":
            lines.append(f"setoption name {option.name} value {text}".rstrip())
        elif text == "true":
            lines.append(f"setoption name {option.name}")
    return lines, problems


def _near(name: str, options: Iterable[EngineOption]) -> str:
    """Return a hint about similar names, for an option that the engine does not have."""
    names = {option.name.lower(): option.name for option in options}
    near = get_close_matches(name.lower(), names, n=_SEVERAL_NAMES, cutoff=0.6)
    if near:
        return f"did you mean {' or '.join(names[each] for each in near)}?"
    return f"it has {', '.join(sorted(names.values())) or 'no options'}"
