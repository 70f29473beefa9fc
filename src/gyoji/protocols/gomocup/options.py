"""The settings of a Gomocup player, and the choice of the program in a brain's package (folder or ZIP)."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from gyoji.core.text import quote

LONGEST = 247
"""The maximum length in bytes of a line to a brain. Old brains have buffers of 255 bytes, some a few less."""

MOST = 2**31 - 1
"""The greatest number that is sent: every brain can read it."""

_NONE: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The settings of one Gomocup player, most of which change the lines sent to its brain.

    Raises ValueError for a value out of range, and for a key or value that cannot be sent in a line.

    Attributes:
        send_about: Whether to send ABOUT. The brain need not answer it.
        game_type: The opponent in INFO game_type: 0 a human, 1 a brain, 2 a tournament, 3 a network
            tournament.
        depth: Maximum depth of a search, sent as INFO max_depth; 0 omits it.
        nodes: Maximum nodes of a search, sent as INFO max_node; 0 omits it.
        thread: Number of threads, sent as INFO thread_num; 0 omits it.
        info: Further keys and values for INFO. They replace gyoji's own.
        info_before_start: Whether INFO lines precede START, for brains that use them at START.
        time_left: When INFO time_left precedes a request for a move: "limited" if the match has a time limit,
            "always" (2147483647 without a limit), or "never".
        turn_after_one_stone: Whether an opening of one stone of the opponent is sent by TURN instead of
            BOARD.
        swap2_colours: Whether SWAP2BOARD has the colour of each stone: "7,7,1" for black, "8,7,2" for white.
        suggestions: What follows SUGGEST: "play" that move, or "ask" a human player for the move.
        strict: Whether ERROR in answer to a request for a move loses the game. If not, gyoji waits for
            another answer.
    """

    send_about: bool = True
    game_type: int = 2
    depth: int = 0
    nodes: int = 0
    thread: int = 0
    info: Mapping[str, str] = field(default_factory=lambda: _NONE)
    info_before_start: bool = False
    time_left: Literal["limited", "always", "never"] = "limited"
    turn_after_one_stone: bool = False
    swap2_colours: bool = False
    suggestions: Literal["play", "ask"] = "play"
    strict: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.game_type <= 3:
            raise ValueError(f"game_type: expected 0, 1, 2 or 3, got {self.game_type}")
        for name in ("depth", "nodes", "thread"):
            if not 0 <= getattr(self, name) <= MOST:
                raise ValueError(f"{name}: expected 0 to {MOST}, got {getattr(self, name)}")
        for key, value in self.info.items():
            if not key.isprintable() or key.split() != [key]:
                raise ValueError(f"info: got the key {quote(key)}, expected a word of printable characters")
            if not is_tellable(key, value):
                raise ValueError(
                    f"info.{key}: got {quote(value)}, expected a line of at most {LONGEST} bytes"
                )


def is_tellable(key: str, value: str) -> bool:
    """Return whether an INFO line can have this key with this value.

    The value must be printable, and the line must have at most `LONGEST` bytes, which brains can read.
    """
    return value.isprintable() and len(info_line(key, value)) <= LONGEST + len(b"\r\n")


def info_line(key: str, value: str) -> bytes:
    return f"INFO {key} {value}\r\n".encode()


_PREFIX = "pbrain-"
_ALLOWED = re.compile(r"[A-Za-z0-9._-]+")
_SUFFIX = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,4}$")
_PROGRAMS = ("", ".bin", ".elf", ".sh", ".py", ".exe")
"""File name suffixes of programs, the preferred first."""

_PAPERS = frozenset(("readme", "license", "licence", "copying", "authors", "changelog", "notice", "makefile"))


def executable(names: Iterable[str], prefix: str = _PREFIX) -> tuple[str, tuple[str, ...]]:
    """Return the path of the brain's program among the files of a package, and warnings about the choice.

    Args:
        prefix: Prefix of the program's name; "" for the older, file-based protocol, whose programs must not
            have the prefix.

    Raises:
        ValueError: No file is a program.

    >>> executable(["pbrain-swine.exe", "pbrain-swine64.exe", "swine.dat"])
    ('pbrain-swine64.exe', ())
    """
    paths = sorted(names)
    programs = [path for path in paths if _is_program(_base(path))]
    named = [path for path in programs if _base(path).lower().startswith(_PREFIX) == bool(prefix)]
    if not programs:
        some = f": {', '.join(map(quote, paths[:5]))}" if paths else ""
        raise ValueError(f"no program: expected a file {prefix}NAME among {len(paths)}{some}")
    best = min(named or programs, key=_rank)
    rivals = [path for path in named or programs if _rank(path)[:2] == _rank(best)[:2] and path != best]
    return best, tuple(_warnings(best, rivals, prefix))


def _base(path: str) -> str:
    return path.rpartition("/")[2]


def _suffix(base: str) -> str:
    suffix = _SUFFIX.search(base)
    return suffix[0].lower() if suffix else ""


def _is_program(base: str) -> bool:
    is_plain = base[:1] not in ("", ".") and base.lower() not in _PAPERS
    return is_plain and _suffix(base) in _PROGRAMS


def _rank(path: str) -> tuple[int, bool, int, str]:
    """Return a sort key for programs: native before Windows, 64 bits before 32, less nested first."""
    base = _base(path)
    return _PROGRAMS.index(_suffix(base)), "64" not in base, path.count("/"), path


def _warnings(best: str, rivals: list[str], prefix: str) -> Iterable[str]:
    base = _base(best)
    if prefix and not base.lower().startswith(prefix):
        yield (
            f"{quote(base)} does not begin with {prefix}: by the rules it speaks the old protocol of files; "
            'if it does, write protocol = "gomocup-files"'
        )
    elif not prefix and base.lower().startswith(_PREFIX):
        yield f'{quote(base)} begins with {_PREFIX}: by the rules it speaks "gomocup", not by files'
    if not _ALLOWED.fullmatch(base):
        yield f"{quote(base)} has characters that a brain's name may not have: A-Z a-z 0-9 - _ . are allowed"
    if rivals:
        yield f"took {quote(best)} and not {', '.join(map(quote, rivals))}"
