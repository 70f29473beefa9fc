"""High card: a tiny game for three, each for itself. Who has most tricks comes in first.

Everybody is dealt `turns` cards of a pack numbered from 1, and sees only those. All lay one card after the
other; the highest of them wins the trick, and its seat leads the next one. Who is dropped lays no more cards
and comes in behind all who went on; of several, who was dropped first is last. One alone does not go on.
"""

from dataclasses import dataclass
from typing import NamedTuple

from gyoji.core.describe import ResultWords, describe_result
from gyoji.core.faults import IllegalMove
from gyoji.core.game import Game, RecordFormat
from gyoji.core.messages import Turn
from gyoji.core.outcome import Ending, Outcome, ranked
from gyoji.core.record import GameRecord, VoidGame
from gyoji.core.spec import GameSpec, derive_seed

SEATS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """turns: how many there are, 1 to 13; everybody has as many cards."""

    turns: int = 5

    def __post_init__(self) -> None:
        if not 1 <= self.turns <= 13:
            raise ValueError(f"turns: got {self.turns}, expected 1 to 13")


class Position(NamedTuple):
    """hands: the cards of each seat, ascending; trick: (seat, card) laid in this one; last: the one before;
    won: tricks of each seat; leader: who begins a trick; gone: the seats that are out, as they fell out."""

    hands: tuple[tuple[int, ...], ...]
    trick: tuple[tuple[int, int], ...] = ()
    last: tuple[tuple[int, int], ...] = ()
    won: tuple[int, ...] = (0,) * SEATS
    leader: int = 0
    gone: tuple[int, ...] = ()


class View(NamedTuple):
    """What a seat may know: everything but the cards of the others."""

    seat: int
    hand: tuple[int, ...]
    trick: tuple[tuple[int, int], ...]
    last: tuple[tuple[int, int], ...]
    won: tuple[int, ...]
    gone: tuple[int, ...]


def _settled(position: Position) -> Position:
    """Return the position with its trick given to who won it, if all have laid."""
    laid = {seat for seat, _ in position.trick}
    if not laid or any(seat not in laid and seat not in position.gone for seat in range(SEATS)):
        return position
    winner = max(position.trick, key=lambda laid: laid[1])[0]
    won = tuple(tricks + (seat == winner) for seat, tricks in enumerate(position.won))
    return position._replace(trick=(), last=position.trick, won=won, leader=winner)


class HighCard:
    """The rules, and the pack as it was shuffled."""

    seats = SEATS
    teams = (0, 1, 2)

    def __init__(self, options: Options, seed: int) -> None:
        self.turns = options.turns
        pack = range(1, SEATS * self.turns + 1)
        self._shuffled = sorted(pack, key=lambda card: derive_seed(seed, card))

    def start(self) -> Position:
        return Position(tuple(tuple(sorted(self._shuffled[seat::SEATS])) for seat in range(SEATS)))

    def acting(self, position: Position) -> tuple[int, ...]:
        there = [seat for seat in range(SEATS) if seat not in position.gone]
        if len(there) < 2:
            return ()
        laid = {seat for seat, _ in position.trick}
        order = (*range(position.leader, SEATS), *range(position.leader))
        seat = next(seat for seat in order if seat in there and seat not in laid)
        return (seat,) if position.hands[seat] else ()

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
        ((seat, move),) = turn
        self.check(position, seat, move)
        hands = list(position.hands)
        hands[seat] = tuple(card for card in hands[seat] if card != move)
        return _settled(position._replace(hands=tuple(hands), trick=(*position.trick, (seat, move))))

    def simplify(self, position: Position, move: int) -> int:
        return move

    def drop(self, position: Position, seat: int) -> Position:
        trick = tuple(laid for laid in position.trick if laid[0] != seat)
        return _settled(position._replace(trick=trick, gone=(*position.gone, seat)))

    def outcome(self, position: Position) -> Outcome:
        behind = {seat: len(position.gone) - number for number, seat in enumerate(position.gone)}
        order = [behind.get(seat, -won) for seat, won in enumerate(position.won)]
        totals = tuple(map(float, position.won))
        return Outcome(points=ranked(order), ending=Ending.SCORE, totals=totals)

    def news(self, turn: Turn[int], seat: int) -> Turn[int]:
        return turn

    def view(self, position: Position, seat: int) -> View:
        return View(seat, position.hands[seat], *position[1:4], position.gone)

    def parse(self, text: str) -> int:
        most = SEATS * self.turns
        if not (text.isascii() and text.isdigit() and len(text) < 4 and 1 <= int(text) <= most):
            raise ValueError(f"no card: {text[:80]!r}, expected 1 to {most}")
        return int(text)

    def format(self, move: int) -> str:
        return str(move)


def rules(options: Options, seed: int) -> HighCard:
    return HighCard(options, seed)


WORDS = ResultWords(letters=("N", "E", "W"))


def _written(spec: GameSpec, record: GameRecord | VoidGame) -> bytes:
    """Return the result, and a line for each card."""
    if isinstance(record, VoidGame):
        return f"{record.reason}\n".encode()
    cards = [f"{spec.codes[played.seat]} {played.move}" for turn in record.turns for played in turn]
    return "\n".join([describe_result(record.result, WORDS), *cards, ""]).encode()


GAME = Game(
    name="high_card",
    options=Options,
    rules=rules,
    seats=SEATS,
    side_names=("north", "east", "west"),
    result_words=WORDS,
    unit="tricks",
    defaults={"protocol": "json_lines", "scorer": "internal"},
    record_formats={"text": lambda: RecordFormat(suffix=".txt", write=_written)},
    records=("text",),
)
