"""The page's form for a new game of gomoku: fields, known programs, and openings that a person sets up."""

from collections.abc import Mapping
from itertools import zip_longest
from types import MappingProxyType
from typing import Any

from gyoji.core.forms import Field, Form, Program, Stones, Strength

_MOST = 30
"""The greatest board size in the form. The rules allow larger boards, but a page cannot show them well."""

FIELDS = (
    Field("board_size", "board", "number", 15, ((15, "15x15"), (19, "19x19"), (20, "20x20")), 5, _MOST),
    Field(
        "rule",
        "rules",
        "choice",
        "freestyle",
        (
            ("freestyle", "freestyle: five or more win"),
            ("standard", "standard: exactly five win"),
            ("renju", "renju"),
            ("caro", "caro"),
        ),
    ),
    Field("swap2", "opening by swap2", "check", False),
)

PROGRAMS = (
    Program(
        "narabe",
        ("pbrain-narabe",),
        strengths=(
            Strength("small player"),
            Strength("quick", ("--nodes", "150")),
            Strength("random moves", ("--random",)),
        ),
    ),
)


def drawn(stones: Stones, to_move: int | None, options: Mapping[str, Any]) -> str:
    """Return the opening for stones that a person has set up on a board (`Form.drawn`).

    In the opening black and white stones alternate. The stones of a colour keep the order in which they were
    set up.

    Args:
        stones: For each stone its colour, "B" or "W", and the name of its point.
        to_move: The side to move that the person chose, 0 for Black; None for the one that follows from the
            numbers of stones.
        options: Not used.

    Raises:
        ValueError: The numbers of stones cannot arise in a game, or do not fit `to_move`.
    """
    black, white = ([place.lower() for sign, place in stones if sign == each] for each in "BW")
    if len(black) - len(white) not in (0, 1):
        raise ValueError(
            f"got {len(black)} black and {len(white)} white stones, expected as many white as black ones, "
            "or one less: the sides take turns, and black begins"
        )
    if to_move is not None and to_move != len(black) - len(white):
        expected = ("one white stone less", "as many white as black stones")[1 - to_move]
        raise ValueError(f"{('black', 'white')[to_move]} is to move, so expected {expected}")
    return "".join(place for pair in zip_longest(black, white, fillvalue="") for place in pair)


FORM = Form(
    title="Gomoku",
    fields=FIELDS,
    settings=MappingProxyType({}),
    programs=PROGRAMS,
    prefix="pbrain-",
    drawn=drawn,
)
