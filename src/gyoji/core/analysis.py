"""Analysis of a finished game by an engine: the task, the evaluations, and steps that protocols share.

A protocol implements its analysis as a probe (`gyoji.core.probe`), which knows the protocol and nothing of
processes. `gyoji.play.probing` runs the probe with a contained engine. The probe sets up the engine with the
codec used in games, so the engine gets rules, board and komi as in a game.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

from msgspec import Struct

from gyoji.core import messages as m
from gyoji.core.clocks import TimeControl
from gyoji.core.messages import Evaluation, Turn
from gyoji.core.ports import AnyRules, Codec
from gyoji.core.probe import Probe, Step
from gyoji.core.spec import Player
from gyoji.core.text import printable

_CONTROL = TimeControl.parse("1h")  # some codecs refuse engines that would think for ever


class AnalysisTask(Struct, frozen=True):
    """A finished game to analyse.

    Attributes:
        rules: The rules of the game.
        player: The player whose engine analyses the game.
        turns: All turns of the game.
        positions: The positions of the game: item n is the position after n turns, item 0 the start.
        ns: Thinking time for each position, in ns.
        lines: Maximum number of variations that the engine reports for each position.
    """

    rules: AnyRules
    player: Player
    turns: Sequence[Turn[Any]]
    positions: Sequence[Any]
    ns: int
    lines: int

    def open_positions(self) -> Iterator[tuple[int, int]]:
        """Yield (number of turns before a position, seat to move) for each position with one seat to move."""
        for number, position in enumerate(self.positions):
            acting = self.rules.acting(position)
            if len(acting) == 1:
                yield number, acting[0]


class Analysed(NamedTuple):
    """An engine's analysis of one position.

    Attributes:
        turn: Number of turns before the position.
        seat: The seat to move. Evaluations are from its point of view.
        lines: Evaluations of the best variations, the best one first. The moves of a variation are in its
            `pv`.
    """

    turn: int
    seat: int
    lines: tuple[Evaluation, ...]


Told: TypeAlias = Callable[[Analysed], object]
"""A callback that gets the analysis of each position as soon as the engine has finished it."""


class CannotAnalyse(Exception):
    """The engine cannot analyse the game. The message says why."""


def prepared(codec: Codec, task: AnalysisTask) -> Probe[None]:
    """Send the engine the new game and wait until it is ready. Raise CannotAnalyse if it is not."""
    view = task.rules.view(task.positions[0], 0)
    game = m.NewGame(0, task.rules, view, _CONTROL, task.player, (_CONTROL,) * task.rules.seats)
    reply = yield from converse(codec, game, task.player.budgets.startup)
    if not isinstance(reply, m.Ready):
        raise CannotAnalyse(_reason(reply))


def told_turn(codec: Codec, task: AnalysisTask, number: int) -> Probe[None]:
    """Send the engine turn `number` of the game, from 0. Raise CannotAnalyse if the engine refuses it."""
    rules, position = task.rules, task.positions[number + 1]
    news = (rules.news(task.turns[number], 0),)
    reply = yield from converse(
        codec, m.TellMoves(rules.view(position, 0), news, 0), task.player.budgets.score
    )
    if not isinstance(reply, m.Acknowledged):
        raise CannotAnalyse(f"move {number + 1}: {_reason(reply)}")


def _reason(reply: m.Reply) -> str:
    match reply:
        case m.Unsupported(text) | m.RejectedMove(text) | m.Broken(_, text):
            return printable(text)
    return f"unexpected {type(reply).__name__}"


def converse(codec: Codec, request: m.Request, patience: int) -> Probe[m.Reply]:
    """Send a request to an engine through its codec, and return the reply that ends the request.

    Raises:
        CannotAnalyse: The engine ended, or did not answer within `patience` ns.
    """
    data, replies, seen = codec.send(request), list(codec.receive(b"")), 0

    def is_answered(said: bytes) -> bool:
        nonlocal seen
        replies.extend(codec.receive(said[seen:]))
        seen = len(said)
        return any(not isinstance(each, m.Comment | m.Warned) for each in replies)

    while True:
        ends = [each for each in replies if not isinstance(each, m.Comment | m.Warned | m.More)]
        if ends:
            return ends[0]
        data += b"".join(each.data for each in replies if isinstance(each, m.More))
        replies.clear()
        seen = 0
        heard = yield Step(data, patience, is_answered)
        data = b""
        replies += codec.receive(heard.said[seen:])
        if not heard.complete:
            raise CannotAnalyse(heard.ended or "gave no answer in time")
