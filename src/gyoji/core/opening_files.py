"""Common parts of opening files of several games: lines with remarks, collections of SGF, mistakes.

Only the game knows the meaning of an entry, and whether it can begin so.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias, TypeVar

from gyoji.core.text import quote

SHOWN = 10
"""Mistakes of a file that are told."""

Properties: TypeAlias = list[tuple[str, str]]
"""(name, value) in the order of a file, a property with several values several times."""

E = TypeVar("E")
T = TypeVar("T")

_TOKEN = re.compile(r"\s*+(?:([A-Za-z]+)|\[([^\\\]]*+(?:\\.[^\\\]]*+)*+)\]|([;()]))", re.DOTALL)


class Misfits(ValueError):
    """Some entries of a file are no openings, or none of this game; its text is a line for each of the first.

    fitting: the others.   places: where each misfit stands.
    """

    def __init__(self, problems: list[str], places: list[str], fitting: tuple[object, ...]) -> None:
        super().__init__("\n".join(problems))
        self.places = tuple(places)
        self.fitting = fitting


def openings_of(entries: Iterable[tuple[str, E]], read: Callable[[E], T]) -> tuple[T, ...]:
    """The openings that the entries of a file are, each with its place in it.

    read raises ValueError for an entry that is none. Raises `Misfits` if there are such.
    """
    found: list[T] = []
    problems: list[str] = []
    places: list[str] = []
    for where, entry in entries:
        try:
            found.append(read(entry))
        except ValueError as error:
            places.append(where)
            if len(problems) < SHOWN:
                problems.append(f"{where}: {str(error).removeprefix('opening: ')}")
    if problems:
        raise Misfits(problems, places, tuple(found))
    return tuple(found)


def opening_lines(text: str) -> Iterator[tuple[str, str]]:
    """The lines that say something: not what follows a ``#``, and none that begins with ``;``."""
    for number, line in enumerate(text.splitlines(), 1):
        content = line.partition("#")[0].strip()
        if content and not content.startswith(";"):
            yield f"line {number}", content


def is_sgf(name: str, text: str) -> bool:
    """Whether a file is SGF: by the suffix of its name, or by how it begins."""
    return name.lower().endswith(".sgf") or text.lstrip().startswith("(")


def sgf_games(text: str) -> Iterator[tuple[str, Properties]]:
    """The main line of each game of a collection, numbered. Reads no more of it than that.

    Raises ValueError for what is no SGF.
    """
    text = text.rstrip()
    at, depth, games, name, where = text.find("("), 0, 0, "", ""
    line, counted = 1, 0  # the line of the character `counted`
    properties: Properties = []
    is_main = False
    while 0 <= at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            line += text.count("\n", counted, at)
            raise ValueError(f"line {line}: got {quote(text[at : at + 20].strip())}, expected SGF")
        at = match.end()
        word, value, sign = match.groups()
        if word:
            name = "".join(letter for letter in word if letter.isupper())
        elif value is not None:
            if is_main:
                properties.append((name, value))
        elif sign == "(":
            if not depth:
                properties, is_main, games = [], True, games + 1
                line, counted = line + text.count("\n", counted, at), at
                where = f"game {games}, line {line}"
            depth += 1
        elif sign == ")":
            is_main = False
            depth -= 1
            if depth <= 0:
                yield where, properties
                at, depth = text.find("(", at), 0
    if depth:
        yield where, properties
