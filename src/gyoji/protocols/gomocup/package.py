"""Which file of a package is the brain, by the protocol's naming rules.

A program's name begins with ``pbrain-`` and has letters, digits, dash, underscore and dot only. There may be
one more for 64 bits, with 64 in its name. The rules are those of Windows: here a program without ``.exe`` is
the native one.
"""

import re
from collections.abc import Iterable

from gyoji.core.text import quote

_PREFIX = "pbrain-"
_ALLOWED = re.compile(r"[A-Za-z0-9._-]+")
_SUFFIX = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,4}$")
_PROGRAMS = ("", ".bin", ".elf", ".sh", ".py", ".exe")
"""Suffixes that a program may have, the best first."""

_PAPERS = frozenset(("readme", "license", "licence", "copying", "authors", "changelog", "notice", "makefile"))


def executable(names: Iterable[str]) -> tuple[str, tuple[str, ...]]:
    """(the path of the program among `names`, warnings). Raises ValueError if there is none.

    >>> executable(["pbrain-swine.exe", "pbrain-swine64.exe", "swine.dat"])
    ('pbrain-swine64.exe', ())
    """
    paths = sorted(names)
    programs = [path for path in paths if _is_program(_base(path))]
    named = [path for path in programs if _base(path).lower().startswith(_PREFIX)]
    if not programs:
        some = f": {', '.join(map(quote, paths[:5]))}" if paths else ""
        raise ValueError(f"no program: expected a file {_PREFIX}NAME among {len(paths)}{some}")
    best = min(named or programs, key=_rank)
    rivals = [path for path in named or programs if _rank(path)[:2] == _rank(best)[:2] and path != best]
    return best, tuple(_warnings(best, rivals))


def _base(path: str) -> str:
    return path.rpartition("/")[2]


def _suffix(base: str) -> str:
    suffix = _SUFFIX.search(base)
    return suffix[0].lower() if suffix else ""


def _is_program(base: str) -> bool:
    is_plain = base[:1] not in ("", ".") and base.lower() not in _PAPERS
    return is_plain and _suffix(base) in _PROGRAMS


def _rank(path: str) -> tuple[int, bool, int, str]:
    """Native before Windows, 64 bits before 32, what is near the top of the package before what is deep."""
    base = _base(path)
    return _PROGRAMS.index(_suffix(base)), "64" not in base, path.count("/"), path


def _warnings(best: str, rivals: list[str]) -> Iterable[str]:
    base = _base(best)
    if not base.lower().startswith(_PREFIX):
        yield f"{quote(base)} does not begin with {_PREFIX}: by the rules it speaks the old protocol of files"
    if not _ALLOWED.fullmatch(base):
        yield f"{quote(base)} has characters that a brain's name may not have: A-Z a-z 0-9 - _ . are allowed"
    if rivals:
        yield f"took {quote(best)} and not {', '.join(map(quote, rivals))}"
