"""What to do about a line that is no TOML: the mistakes that those make who write it for the first time."""

import re
from collections.abc import Callable

from gyoji.core.text import quote

_PAIR = re.compile(r"\s*(?P<key>[\w.\"'-]+)\s*=\s*(?P<value>[^#]*?)\s*(?:#.*)?")
_TRUTH = re.compile(r"(?i:true|false|yes|no|on|off)")
_DECIMAL_COMMA = re.compile(r"([+-]?\d+),(\d+)")
_WORDS = re.compile(r"[^\s\"'\[{][^\"']*")
_LIST = re.compile(r"""(?:"[^"]*"|'[^']*'|[\d.]+)(?:\s*,\s*(?:"[^"]*"|'[^']*'|[\d.]+))+\s*,?""")
_TWICE = re.compile(r"(?i)cannot (?:declare|overwrite|mutate)")


def remedy(text: str, line: int, problem: str) -> str:
    """What to do about line number `line` of a file, of which tomllib says `problem`; else the line itself.

    >>> remedy('komi = 6,5', 1, "Expected newline")
    'a decimal point, not a comma: write 6.5'
    >>> remedy('game = go', 1, "Invalid value")
    'text stands in quotes: game = "go"'
    """
    written = text.split("\n")[line - 1] if 0 < line <= text.count("\n") + 1 else ""
    if _TWICE.search(problem):
        if written.lstrip().startswith("["):
            return f"{written.strip()} stands above already: give one of them another name"
        return f"this is given above already: take one of them out: {quote(written.strip())}"
    pair = _PAIR.fullmatch(written)
    if pair is not None:
        for kind, say in _MISTAKES:
            if found := kind.fullmatch(pair["value"]):
                return say(pair["key"], found)
    return f"the line is {quote(written.strip())}" if written.strip() else ""


def _missing(key: str, _value: re.Match[str]) -> str:
    return f"there is no value after {key} ="


def _truth(_key: str, value: re.Match[str]) -> str:
    return f"write {'true' if value[0].lower() in ('true', 'yes', 'on') else 'false'}"


def _decimal(_key: str, value: re.Match[str]) -> str:
    return f"a decimal point, not a comma: write {value[1]}.{value[2]}"


def _listed(key: str, value: re.Match[str]) -> str:
    return f"a list stands in brackets: {key} = [{value[0].rstrip(' ,')}]"


def _quoted(key: str, value: re.Match[str]) -> str:
    return f'text stands in quotes: {key} = "{value[0]}"'


_MISTAKES: tuple[tuple[re.Pattern[str], Callable[[str, re.Match[str]], str]], ...] = (
    (re.compile(""), _missing),
    (_TRUTH, _truth),
    (_DECIMAL_COMMA, _decimal),
    (_LIST, _listed),
    (_WORDS, _quoted),
)
"""What a value looks like that is none, and what is said of it; the first that fits."""
