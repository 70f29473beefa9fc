"""Orders as lines: what most games of a run share is sent to a worker once, and is a number afterwards.

A spec is cut as the store cuts it (`gyoji.store.stored`): into its players, a frame that it shares with other
games, and the few values of its own. `OrderWriter` and `OrderReader` number frames and players alike, from 0
in the order in which they are sent. Both forget all of them when there are many.
"""

from msgspec.structs import replace

from gyoji.core import wire
from gyoji.core.spec import GameSpec, Player, scaled
from gyoji.core.wire import Value
from gyoji.play.order import Files, Order
from gyoji.play.seats import Words
from gyoji.store.stored import SpecSplitter

MOST_SHARED = 500
"""Frames and players that are remembered. Tuners make new players all the time, openings new frames."""

_NO_GAME = ',"id":"","pairing":"","players":[]}'


class SentOrder(Value, frozen=True, kw_only=True):
    """An `Order` with numbers for its spec's frame and players."""

    id: str
    pairing: str
    frame: int
    players: tuple[int, ...]
    seed: int = 0
    note: str = ""
    slot: int | None = None
    files: Files = Files()
    watch: bool = False
    id_in: tuple[str, ...] = ()
    clock_factor: float = 1.0


class Instruction(Value, frozen=True, kw_only=True):
    """A line to a worker.

    play     a game to play.   abandon: end the running game.
    prepare  games like those that are to come: load what they need, without starting an engine.
    say      words of a person in the running game.
    tell     whether to tell of games move by move from now on, the running one included; None: as before.
    frames, players  those that have not been sent before.   forgets: no earlier one is meant any more.
    """

    play: SentOrder | None = None
    abandon: bool = False
    prepare: tuple[GameSpec, ...] = ()
    tell: bool | None = None
    say: Words | None = None
    frames: tuple[GameSpec, ...] = ()
    players: tuple[Player, ...] = ()
    forgets: bool = False


ABANDON = wire.dumps(Instruction(abandon=True))
TELL = {wanted: wire.dumps(Instruction(tell=wanted)) for wanted in (True, False)}
read_instruction = wire.reader(Instruction)


class OrderWriter:
    """Writes the orders to one worker. splitter: what takes specs apart, for all workers of a pool."""

    def __init__(self, splitter: SpecSplitter) -> None:
        self._splitter = splitter
        self._frames: dict[str, int] = {}
        self._players: dict[str, int] = {}

    def line(self, order: Order) -> str:
        parts = self._splitter.split(order.spec)
        forgets = len(self._frames) + len(self._players) > MOST_SHARED
        if forgets:
            self._frames.clear()
            self._players.clear()
        new_frames: list[str] = []
        new_players: list[str] = []
        sent = SentOrder(
            id=parts.id,
            pairing=parts.pairing,
            frame=_number(self._frames, parts.frame, new_frames),
            players=tuple([_number(self._players, text, new_players) for text in parts.players]),
            seed=parts.seed,
            note=parts.note,
            slot=order.slot,
            files=order.files,
            watch=order.watch,
            id_in=order.id_in,
            clock_factor=order.clock_factor or 1.0,
        )
        news = (
            f',"frames":[{",".join([frame[:-1] + _NO_GAME for frame in new_frames])}]' if new_frames else ""
        )
        if new_players:
            news += f',"players":[{",".join(new_players)}]'
        return f'{{"play":{wire.dumps(sent)}{news}{_FORGETS if forgets else ""}}}'


_FORGETS = ',"forgets":true'


def _number(known: dict[str, int], text: str, new: list[str]) -> int:
    """The number of a text, which is new if it has had none."""
    number = known.get(text)
    if number is None:
        number = known[text] = len(known)
        new.append(text)
    return number


class OrderReader:
    """Reads what an `OrderWriter` wrote, all of it in its order."""

    def __init__(self) -> None:
        self._frames: list[GameSpec] = []
        self._players: list[Player] = []

    def order(self, instruction: Instruction) -> Order | None:
        """The order in an instruction, if there is one. Raises IndexError for numbers that were not sent."""
        if instruction.forgets:
            self._frames.clear()
            self._players.clear()
        self._frames += instruction.frames
        self._players += instruction.players
        if (sent := instruction.play) is None:
            return None
        spec = replace(
            self._frames[sent.frame],
            id=sent.id,
            pairing=sent.pairing,
            players=tuple([self._players[number] for number in sent.players]),
            seed=sent.seed,
            note=sent.note,
        )
        spec = scaled(spec, sent.clock_factor)
        return Order(spec=spec, slot=sent.slot, files=sent.files, watch=sent.watch, id_in=sent.id_in)
