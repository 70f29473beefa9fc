"""Which side the candidate has in a game."""

from enum import StrEnum
from typing import Any

from gyoji.core.spec import derive_seed
from gyoji.core.text import quote


class CandidateColour(StrEnum):
    """Black has the first seat. Chance is of the game's id, so a game that is replayed has the same side."""

    BLACK = "black"
    WHITE = "white"
    RANDOM = "random"
    ALTERNATING = "alternating"

    @classmethod
    def convert(cls, plain: Any) -> "CandidateColour":
        """The colour of a setting: its name or the first letter of it, in capitals or not.

        >>> CandidateColour.convert("B"), CandidateColour.convert("r")
        (<CandidateColour.BLACK: 'black'>, <CandidateColour.RANDOM: 'random'>)
        """
        word = plain.lower() if isinstance(plain, str) else ""
        for colour in cls:
            if word and word in (colour.value, colour.value[0]):
                return colour
        there_are = ", ".join(f'"{colour.value}"' for colour in cls)
        raise ValueError(f"expected one of {there_are}, got {quote(str(plain))}")

    def seat(self, number: int, seed: int, game: str) -> int:
        """The candidate's seat in its game with that number.

        seed: the competition's; game: the id. Alternating: Black in games with an even number.
        """
        if self is CandidateColour.RANDOM:
            return derive_seed(seed, "colour", game) % 2
        if self is CandidateColour.ALTERNATING:
            return number % 2
        return int(self is CandidateColour.WHITE)
