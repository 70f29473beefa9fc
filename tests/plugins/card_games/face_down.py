"""Face down: a tiny game for two in which moves are hidden.

Everybody is dealt `cards` cards of a pack numbered from 1. In turn they lay one, face down: nobody sees
which. In the end the first cards of both are compared, then the second, and so on; who has more of the higher
ones has won. Nothing is ever shown, so a player learns of the other's moves only that they were made.
"""

from dataclasses import dataclass
from typing import NamedTuple

from gyoji.core.faults import IllegalMove
from gyoji.core.game import Game
from gyoji.core.messages import Turn
from gyoji.core.outcome import Ending, Outcome, shared, won_by
from gyoji.core.spec import derive_seed

BACK = 0
"""What is told of a card that lies face down. It is no card."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """cards: how many everybody has."""

    cards: int = 3


class Position(NamedTuple):
    """Of each seat, the cards in its hand, ascending, and those that it has laid, in their order."""

    hands: tuple[tuple[int, ...], ...]
    laid: tuple[tuple[int, ...], ...] = ((), ())


class View(NamedTuple):
    """What a seat may know: its own cards, and how many the other has laid."""

    seat: int
    hand: tuple[int, ...]
    laid: tuple[int, ...]
    others: int


class FaceDown:
    """The rules, and the pack as it was shuffled."""

    seats = 2
    teams = (0, 1)

    def __init__(self, options: Options, seed: int) -> None:
        self.cards = options.cards
        self._shuffled = sorted(range(1, 2 * self.cards + 1), key=lambda card: derive_seed(seed, card))

    def start(self) -> Position:
        return Position(tuple(tuple(sorted(self._shuffled[seat::2])) for seat in range(2)))

    def acting(self, position: Position) -> tuple[int, ...]:
        first, second = map(len, position.laid)
        return () if second == self.cards else (int(first > second),)

    def phase(self, position: Position) -> str:
        return ""

    def legal(self, position: Position, seat: int) -> tuple[int, ...]:
        return position.hands[seat] if seat in self.acting(position) else ()

    def check(self, position: Position, seat: int, move: int) -> None:
        if move not in self.legal(position, seat):
            raise IllegalMove(seat, f"cannot lay {move} now")

    def play(self, position: Position, turn: Turn[int]) -> Position:
        hands, laid = list(position.hands), list(position.laid)
        for seat, move in turn:
            self.check(position, seat, move)
            hands[seat] = tuple(card for card in hands[seat] if card != move)
            laid[seat] = (*laid[seat], move)
        return Position(tuple(hands), tuple(laid))

    def simplify(self, position: Position, move: int) -> int:
        return move

    def drop(self, position: Position, seat: int) -> None:
        return None

    def outcome(self, position: Position) -> Outcome:
        lead = sum(1 if first > second else -1 for first, second in zip(*position.laid, strict=True))
        points = won_by(int(lead < 0), 2) if lead else shared(2)
        return Outcome(points=points, ending=Ending.SCORE, margin=float(abs(lead)))

    def view(self, position: Position, seat: int) -> View:
        return View(seat, position.hands[seat], position.laid[seat], len(position.laid[1 - seat]))

    def news(self, turn: Turn[int], seat: int) -> Turn[int]:
        return tuple((who, card if who == seat else BACK) for who, card in turn)

    def parse(self, text: str) -> int:
        if not (text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= 2 * self.cards):
            raise ValueError(f"no card: {text[:80]!r}")
        return int(text)

    def format(self, move: int) -> str:
        return "?" if move == BACK else str(move)


def rules(options: Options, seed: int) -> FaceDown:
    return FaceDown(options, seed)


GAME = Game(
    name="face_down", options=Options, rules=rules, defaults={"protocol": "json_lines", "scorer": "internal"}
)
