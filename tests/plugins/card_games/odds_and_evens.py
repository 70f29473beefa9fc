"""Odds and evens: a tiny game for four, in two pairs, with hidden cards and moves made at once.

Everybody is dealt `turns` cards of a pack numbered from 1, and sees only those. In each turn all lay one card
at once. The turn goes to the evens, seats 0 and 2, if the sum is even, else to the odds, seats 1 and 3; who
has more turns has won. Who is dropped lays no more cards; a pair that is gone altogether has lost.
"""

from dataclasses import dataclass
from typing import NamedTuple

from gyoji.core.faults import IllegalMove
from gyoji.core.game import Game
from gyoji.core.messages import Turn
from gyoji.core.outcome import Ending, Outcome, shared, won_by
from gyoji.core.spec import derive_seed


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """turns: how many there are, 1 to 13; everybody has as many cards."""

    turns: int = 5

    def __post_init__(self) -> None:
        if not 1 <= self.turns <= 13:
            raise ValueError(f"turns: got {self.turns}, expected 1 to 13")


class Position(NamedTuple):
    """hands: the cards of each seat, ascending; table: the turns played; gone: the seats that are out."""

    hands: tuple[tuple[int, ...], ...]
    table: tuple[Turn[int], ...] = ()
    gone: tuple[int, ...] = ()


class View(NamedTuple):
    """What a seat may know: everything but the cards of the others."""

    seat: int
    hand: tuple[int, ...]
    table: tuple[Turn[int], ...]
    gone: tuple[int, ...]


class OddsAndEvens:
    """The rules, and the pack as it was shuffled."""

    seats = 4
    teams = (0, 1, 0, 1)

    def __init__(self, options: Options, seed: int) -> None:
        self.turns = options.turns
        pack = range(1, 4 * self.turns + 1)
        self._shuffled = sorted(pack, key=lambda card: derive_seed(seed, card))

    def start(self) -> Position:
        return Position(tuple(tuple(sorted(self._shuffled[seat::4])) for seat in range(4)))

    def acting(self, position: Position) -> tuple[int, ...]:
        if len(position.table) == self.turns:
            return ()
        return tuple(seat for seat in range(4) if seat not in position.gone)

    def phase(self, position: Position) -> str:
        return ""

    def legal(self, position: Position, seat: int) -> tuple[int, ...]:
        return position.hands[seat] if seat in self.acting(position) else ()

    def check(self, position: Position, seat: int, move: int) -> None:
        if seat not in self.acting(position):
            raise IllegalMove(seat, "has no card to lay now")
        if move not in position.hands[seat]:
            raise IllegalMove(seat, f"card {move} is not in the hand")

    def play(self, position: Position, turn: Turn[int]) -> Position:
        hands = list(position.hands)
        for seat, move in turn:
            self.check(position, seat, move)
            hands[seat] = tuple(card for card in hands[seat] if card != move)
        return Position(tuple(hands), (*position.table, turn), position.gone)

    def simplify(self, position: Position, move: int) -> int:
        return move

    def drop(self, position: Position, seat: int) -> Position | None:
        gone = tuple(sorted({*position.gone, seat}))
        partner = (seat + 2) % 4
        return None if partner in gone else position._replace(gone=gone)

    def outcome(self, position: Position) -> Outcome:
        odds = sum(sum(card for _, card in turn) % 2 for turn in position.table)
        lead = self.turns - 2 * odds
        points = won_by(int(lead < 0), 2) if lead else shared(2)
        return Outcome(points=points, ending=Ending.SCORE, margin=float(abs(lead)))

    def news(self, turn: Turn[int], seat: int) -> Turn[int]:
        return turn

    def view(self, position: Position, seat: int) -> View:
        return View(seat, position.hands[seat], position.table, position.gone)

    def parse(self, text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) < 4 and 1 <= int(text) <= 4 * self.turns):
            raise ValueError(f"no card: {text[:80]!r}, expected 1 to {4 * self.turns}")
        return int(text)

    def format(self, move: int) -> str:
        return str(move)


def rules(options: Options, seed: int) -> OddsAndEvens:
    return OddsAndEvens(options, seed)


GAME = Game(
    name="odds_and_evens",
    options=Options,
    rules=rules,
    seats=4,
    side_names=("evens", "odds"),
    defaults={"protocol": "json_lines", "scorer": "internal"},
)
