"""The umpire's messages, one JSON object per line, and the lines that gyoji sends to it.

Each object has one key, the name of the message. docs/reference/umpire-protocol.md describes them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType, field
from msgspec.structs import astuple

from gyoji.core import wire
from gyoji.core.text import quote

PROTOCOL = 1
"""The version of the protocol, sent in `begin`."""


class _Message(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The base class of messages from an umpire."""


class Ready(_Message, frozen=True, kw_only=True):
    """The umpire is ready to decide this game."""

    name: str = ""
    version: str = ""


class Ask(_Message, frozen=True, kw_only=True):
    """A question to one seat.

    Attributes:
        say: The message to the seat, as JSON: a text, or any value for players that speak JSON.
        lines: Number of lines of the answer, for players that speak text.
        choices: All sensible answers, for human and random players; () if they are not listed.
    """

    seat: int
    say: Raw
    lines: int = 1
    choices: tuple[Any, ...] = ()


class Tell(_Message, frozen=True, kw_only=True):
    """A message to one, several or all seats. Each of these seats gets it before its next question."""

    seat: int | tuple[int, ...] | Literal["all"]
    say: Raw


class Move(_Message, frozen=True, kw_only=True):
    """The text that lists of moves show for a seat's last answer."""

    seat: int
    text: str


class Note(_Message, frozen=True, kw_only=True):
    """A remark for the record, about one seat or about the game."""

    text: str
    seat: int | None = None


class Fault(_Message, frozen=True, kw_only=True):
    """A seat broke a rule, and the game goes on."""

    seat: int
    why: str


class NumberTable(_Message, frozen=True, kw_only=True):
    """A table beside the board."""

    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str | int | float, ...], ...] = ()


class Picture(_Message, frozen=True, kw_only=True):
    """The picture that the page shows from now on.

    Attributes:
        seats: The seats that may see it ("for" in JSON); () for spectators only; None for everyone.
        grid: The signs of each place, by rows from the top.
        kind: How the places are drawn (see `gyoji.core.game.Scene.kind`).
        columns: Names of the columns; () numbers them.
        rows: Names of the rows; () numbers them.
        marks: (row, column) of each place to highlight.
        arrows: (row, column) of the start and of the end of each arrow.
        legend: Meanings of the signs.
        tally: A number for each side. `counts` says what is counted.
        text: Lines of text.
        table: A table of numbers.
    """

    seats: tuple[int, ...] | None = field(name="for", default=None)
    grid: tuple[tuple[str | int, ...], ...] = ()
    kind: Literal["cells", "points", "squares", "hexes"] = "cells"
    columns: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()
    marks: tuple[tuple[int, int], ...] = ()
    arrows: tuple[tuple[int, int, int, int], ...] = ()
    legend: Mapping[str, str] = field(default_factory=dict)
    tally: tuple[int, ...] = ()
    counts: str = ""
    text: str = ""
    table: NumberTable | None = None


class End(_Message, frozen=True, kw_only=True):
    """The end of the game.

    Attributes:
        places: The place of each team, from 1; equal teams share one. () if the points decide.
        points: The points of each team, more is better; () for none.
        reason: The reason, in one line.
        ending: The kind of ending, for tables: "score", "illegal move", or any other words.
        seat: The seat that caused the end, for example by an illegal move.
    """

    places: tuple[int, ...] = ()
    points: tuple[float, ...] = ()
    reason: str = ""
    ending: str = "score"
    seat: int | None = None


class Said(_Message, frozen=True, kw_only=True):
    """One line from an umpire: a JSON object with one key. The field of that name has the message.

    All other fields are unset.
    """

    ready: Ready | UnsetType = UNSET
    refuse: str | UnsetType = UNSET
    keep: Raw | UnsetType = UNSET
    tell: Tell | UnsetType = UNSET
    ask: tuple[Ask, ...] | UnsetType = UNSET
    move: Move | UnsetType = UNSET
    note: Note | UnsetType = UNSET
    fault: Fault | UnsetType = UNSET
    picture: Picture | UnsetType = UNSET
    end: End | UnsetType = UNSET


Message: TypeAlias = Ready | Tell | tuple[Ask, ...] | Move | Note | Fault | Picture | End | str | Raw

_decode = msgspec.json.Decoder(Said).decode
_NAMES = Said.__struct_fields__


def read(line: str) -> tuple[str, Any]:
    """Parse a line from an umpire into (name, value) of its message. Raises ValueError."""
    try:
        said = _decode(line)
    except msgspec.ValidationError as error:
        raise ValueError(f"said {quote(line)}: {str(error).replace('`', '')}") from None
    except (msgspec.DecodeError, UnicodeEncodeError) as error:
        raise ValueError(f"said {quote(line)}, which is no JSON: {error}") from None
    values = astuple(said)
    if (given := len(values) - values.count(UNSET)) != 1:
        raise ValueError(f"said {quote(line)}: expected one of {', '.join(_NAMES)}, got {given}")
    if said.ask is not UNSET:  # most lines
        return "ask", said.ask
    return next(pair for pair in zip(_NAMES, values, strict=True) if pair[1] is not UNSET)


_OURS = ('{"begin":', '{"answers":')


def said_in(lines: Iterable[str]) -> Iterator[tuple[str, Any]]:
    """Yield (name, value) of the umpire's messages in a conversation. Raises ValueError."""
    return (read(line) for line in lines if not line.startswith(_OURS))


ENDS_TURN = ("ask", "end", "refuse")
"""The messages after which an umpire waits for gyoji."""

STOP = '{"stop":true}'


def begin(
    seats: int,
    teams: Sequence[int],
    players: Sequence[str],
    seed: int,
    *,
    settings: Mapping[str, Any],
    opening: object,
) -> str:
    """Return the line that asks an umpire to begin a game: its players, settings and seed."""
    told: dict[str, object] = {
        "protocol": PROTOCOL,
        "seats": seats,
        "teams": list(teams),
        "players": list(players),
        "seed": seed,
        "settings": settings,
    }
    if opening not in ("", None):
        told["opening"] = opening
    return wire.dumps({"begin": told})


def answers(given: Sequence[tuple[int, str]]) -> str:
    """Return the line with the seats' answers.

    Args:
        given: (seat, JSON of its answer or failure).
    """
    return '{"answers":{' + ",".join([f'"{seat}":{text}' for seat, text in given]) + "}}"


def failed(how: str) -> str:
    """Return the JSON that stands in the place of an answer for a seat that failed.

    Args:
        how: The kind of the failure, in the words of the umpire protocol.
    """
    return f'{{"failed":"{how}"}}'
