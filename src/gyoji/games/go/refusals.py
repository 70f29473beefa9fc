"""Why a play does not stand."""

from enum import Enum

from gyoji.core.faults import IllegalMove


class Law(Enum):
    """The law that a play breaks; the value is how a message begins that ends with the point."""

    OCCUPIED = "occupied point"
    SUICIDE = "suicide at"
    KO = "ko at"  # retakes at once the stone that retakes
    SUPERKO = "superko at"  # brings back a position
    ONCE = "repeated ko capture at"  # from the same board in the same clean-up phase


class IllegalPlay(IllegalMove):
    """A play on the board that a law of Go forbids. vertex: the point in words."""

    def __init__(self, seat: int, law: Law, vertex: str) -> None:
        super().__init__(seat, f"{law.value} {vertex}")
        self.law = law
