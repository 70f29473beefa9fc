"""A position of a game with an umpire: the parts of the umpire's messages that still matter."""

import json
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from gyoji.core.outcome import Ending, Outcome, ranked, shared
from gyoji.core.text import printable, quote
from gyoji.games.umpire.messages import Ask, End, Picture

FAILURES = {
    Ending.TIME: "time",
    Ending.FAULT: "fault",
    Ending.ILL_FORMED_MOVE: "malformed",
    Ending.RESIGNATION: "resigned",
}
"""The words for a seat's failure in messages to the umpire, by ending. Other endings are faults."""

GONE = "gone"
"""The answer of a seat whose failure has been reported to the umpire."""


class Json(str):
    """The answer of a player that speaks JSON, as JSON text. Other players' answers are plain str."""

    __slots__ = ()


class View(NamedTuple):
    """What one seat knows: its messages since its last answer, and its open question.

    Attributes:
        told: The messages to it, as JSON, in order.
        ask: The open question to it, or None.
        said: Its last answer.
        picture: The last picture that it may see.
    """

    seat: int
    told: tuple[str, ...] = ()
    ask: Ask | None = None
    said: str | None = None
    picture: Picture | None = None


class Position(NamedTuple):
    """A game with an umpire, so far.

    Attributes:
        heard: Number of lines of the conversation with the umpire up to here, in both directions.
        is_due: Whether the umpire has to be asked next.
        asked: The open questions, in the order of seats.
        given: (seat, JSON) of the answers to the last questions, in the order of seats.
        gone: The seats that failed.
        unsaid: (seat, JSON) of the failures that have not been reported to the umpire yet.
        views: What each seat knows, without its open question.
        picture: The last picture for spectators.
        names: (seat, text) of the moves that the umpire's last answer named.
        faults: (seat, reason) of the faults in the umpire's last answer.
        end: How the game ended; None while it goes on.
        idle: Number of the umpire's consecutive answers after which no seat could move.
    """

    views: tuple[View, ...]
    heard: int = 0
    is_due: bool = True
    asked: tuple[Ask, ...] = ()
    given: tuple[tuple[int, str], ...] = ()
    gone: tuple[int, ...] = ()
    unsaid: tuple[tuple[int, str], ...] = ()
    picture: Picture | None = None
    names: tuple[tuple[int, str], ...] = ()
    faults: tuple[tuple[int, str], ...] = ()
    end: End | None = None
    idle: int = 0


def answer_json(move: str) -> str:
    """Return a seat's answer as the JSON that the umpire is sent."""
    return f'{{"say":{move if isinstance(move, Json) else msgspec.json.encode(move).decode()}}}'


def format_answer(move: str) -> str:
    """Return an answer as one printable line.

    >>> format_answer("e2e4"), format_answer("two\\nlines"), format_answer(Json('{"x":3}'))
    ('e2e4', '"two\\\\nlines"', '={"x":3}')
    """
    if isinstance(move, Json):
        return f"={move}"
    if move and move.isprintable() and move[0] not in '="':
        return move
    return json.dumps(move)


def parse_answer(text: str) -> str:
    """Parse the text of an answer. Raises ValueError."""
    if text.startswith("="):
        return Json(_checked(text[1:]))
    if text.startswith('"'):
        try:
            said = json.loads(text)
        except ValueError:
            said = None
        return said if isinstance(said, str) else text
    return text


def _checked(text: str) -> str:
    try:
        msgspec.json.decode(text)
    except msgspec.DecodeError as error:
        raise ValueError(f"{quote(text)} is no JSON: {error}") from None
    return text


def outcome_of(end: End, teams: Sequence[int]) -> Outcome:
    """Return the outcome of a game that the umpire ended.

    Raises:
        ValueError: The numbers do not match the teams, or an umpire cannot give this ending.
    """
    count = len(set(teams))
    for name, numbers in (("places", end.places), ("points", end.points)):
        if numbers and len(numbers) != count:
            raise ValueError(f"end: {name}: expected a number for each of {count} teams, got {len(numbers)}")
    if any(number - number != 0 for number in end.points):
        raise ValueError("end: points: expected finite numbers")
    if end.seat is not None and not 0 <= end.seat < len(teams):
        raise ValueError(f"end: seat: there is no seat {end.seat}")
    try:
        ending = Ending(end.ending)
    except ValueError:
        raise ValueError(f"end: ending: expected words in small letters, got {quote(end.ending)}") from None
    if not (ending.is_by_rules or (end.seat is not None and ending in _WITH_SEAT)):
        raise ValueError(f"end: ending: {quote(end.ending)} needs the seat that caused it, if it is one")
    order = end.places or [-number for number in end.points]
    points = None if ending is Ending.NO_RESULT else ranked(order) if order else shared(count)
    return Outcome(
        points=points,
        ending=ending,
        detail=printable(end.reason),
        seat=end.seat,
        totals=tuple(map(float, end.points)),
    )


_WITH_SEAT = (Ending.ILLEGAL_MOVE, Ending.ILL_FORMED_MOVE, Ending.TIME, Ending.FAULT, Ending.RESIGNATION)
"""The endings that an umpire may only give with the seat that caused them."""
