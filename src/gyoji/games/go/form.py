"""The page's form for a new game of Go: its fields, known programs, and openings that a person sets up."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from gyoji.core.forms import Field, Form, Program, Stones, Strength
from gyoji.games.go.board import MAX_SIDE, board_of, vertices_of
from gyoji.games.go.game_options import Options
from gyoji.games.go.opening import Opening, format_opening

_RULESETS = (
    ("chinese", "Chinese"),
    ("japanese", "Japanese"),
    ("aga", "AGA"),
    ("new-zealand", "New Zealand"),
    ("tromp-taylor", "Tromp and Taylor"),
)
_KOMI = 1000

FIELDS = (
    Field("board_size", "board", "number", 9, ((9, "9x9"), (13, "13x13"), (19, "19x19")), 2, MAX_SIDE),
    Field("ruleset", "rules", "choice", "chinese", _RULESETS),
    Field("komi", "komi", "number", 7.5, least=-_KOMI, most=_KOMI, step=0.5),
    Field("handicap", "handicap", "choice", None, ((None, "none"), *((n, str(n)) for n in range(2, 10)))),
)

_RANDOM = Strength("random moves", ("--random",))

PROGRAMS = (
    Program("kozo", ("gyoji-kozo",), strengths=(Strength("small player"), _RANDOM)),
    Program(
        "gnugo",
        ("gnugo", "--mode", "gtp"),
        strengths=tuple(Strength(f"level {n}", ("--level", str(n))) for n in (10, 8, 5, 3, 1)),
    ),
    Program("pachi", ("pachi",)),
)


def drawn(stones: Stones, to_move: int | None, options: Mapping[str, Any]) -> str:
    """Return the text of the opening for stones that a person has set up on a board; "" without stones.

    Args:
        stones: For each stone its colour, "B" or "W", and its vertex.
        to_move: The seat that moves first; None for White after black stones alone, else Black.
        options: The other options of the game; the board size is used.
    """
    names = vertices_of(board_of(*Options(**{**options, "opening": ""}).size))
    black, white = (tuple([names.parse(place) for sign, place in stones if sign == each]) for each in "BW")
    if not (black or white):
        return ""
    side = to_move if to_move is not None else int(bool(black) and not white)
    return format_opening(Opening(black, white, side), names)


FORM = Form(title="Go", fields=FIELDS, settings=MappingProxyType({}), programs=PROGRAMS, drawn=drawn)
