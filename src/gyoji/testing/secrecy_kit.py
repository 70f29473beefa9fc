"""The conformance kit for hidden information: `check_secrecy` finds bytes that reveal it to an engine.

The kit knows no game and no protocol. The author of rules or a codec provides games ("stories") that differ
only in what a seat may not know: hidden cards, face-down moves, the seed, the other players. The referee
plays each of them, and the engine in that seat makes the same moves. All bytes that the engine is sent must
be the same in each game. If not, AssertionError shows the first difference.

Remarks and thinking times of other seats always differ between the games, because no seat may learn them.
"""

# Nothing that depends on another seat may reach an engine, not even through the number or the boundaries of
# writes. So the stories are compared write by write and byte by byte. `pace` gives the other seats a
# different thinking time and remark in each story, so a codec that reveals either is detected.

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from gyoji.core import messages as m
from gyoji.core.ports import AnyRules, Codec
from gyoji.core.spec import GameSpec
from gyoji.referee.referee import Referee
from gyoji.referee.seat_state import Action, Send
from gyoji.testing import PLAIN_REPLIES

Speaker: TypeAlias = Callable[[bytes], bytes]
"""An engine: a function that gets the bytes sent to it and returns its output, b"" for none."""

MOST_WRITES = 1000
"""The maximum number of `More` for one request. No protocol needs a tenth of it."""

_MS = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """A game, or its beginning, that the kit plays.

    Attributes:
        rules: The rules of `spec`, hidden information included.
        turns: The turns to play.
    """

    spec: GameSpec
    rules: AnyRules
    turns: tuple[m.Turn[m.Move], ...]

    def moves(self, seat: int) -> list[str]:
        """Return the moves of a seat in the notation of the rules."""
        return [self.rules.format(move) for turn in self.turns for who, move in turn if who == seat]


def check_secrecy(
    stories: Sequence[Story],
    seat: int,
    make_codec: Callable[[], Codec],
    make_speaker: Callable[[Sequence[str]], Speaker],
) -> bytes:
    """Check that the engine in `seat` cannot distinguish some games. Return all bytes that it was sent.

    Args:
        stories: Games that differ only in what `seat` may not know.
        make_codec: Returns a new codec for the engine.
        make_speaker: Returns an engine that answers each request for a move with the next of these moves.
    """
    if len({tuple(story.moves(seat)) for story in stories}) != 1:
        raise AssertionError(f"seat {seat} does not make the same moves in all {len(stories)} stories")
    sent = [
        _Conversation(
            story=story,
            seat=seat,
            codec=make_codec(),
            speaker=make_speaker(story.moves(seat)),
            pace=number,
        ).hold()
        for number, story in enumerate(stories)
    ]
    for number, other in enumerate(sent[1:], 1):
        if other != sent[0]:
            raise AssertionError(
                f"seat {seat} can tell story 0 from story {number}: {_parting(sent[0], other)}"
            )
    return b"".join(sent[0])


def _parting(one: Sequence[bytes], other: Sequence[bytes]) -> str:
    """Return a description of the first difference between two conversations, given as lists of writes."""
    for number, (first, second) in enumerate(zip(one, other, strict=False)):
        if first != second:
            pairs = enumerate(zip(first, second, strict=False))
            start = next((place for place, (a, b) in pairs if a != b), min(len(first), len(second)))
            return f"in write {number}, {first[start:][:60]!r} and {second[start:][:60]!r}"
    return f"one ends after {len(one)} writes, the other after {len(other)}"


@dataclass(kw_only=True)
class _Conversation:
    """One `Story` (a game of the test), played by a referee. The codec and the engine play one seat; the kit
    replies for the other seats.

    Attributes:
        seat: The seat of the engine.
        codec: Converts the referee's requests to that seat to bytes.
        speaker: The engine.
        pace: A number that differs from story to story. Each move of another seat takes 1 + `pace` ms, and
            comes with a remark that contains the number.
    """

    story: Story
    seat: int
    codec: Codec
    speaker: Speaker
    pace: int

    def __post_init__(self) -> None:
        self._referee = Referee(self.story.spec, self.story.rules)
        self._sent: list[bytes] = []

    def hold(self) -> list[bytes]:
        """Play the turns of the story. Return all data written to the engine, one item for each write.

        If the engine is asked for a move after these turns, that request is the last item, and is not
        answered.

        Raises:
            AssertionError: The referee did not get as far as the last turn, or a request took too many
                writes.
        """
        actions: list[Action] = [*self._referee.begin()]
        while actions:
            action = actions.pop(0)
            if isinstance(action, Send):
                is_ours = action.seat == self.seat
                used = _MS if is_ours else _MS * (1 + self.pace)
                for each in list(self._heard(action.request) if is_ours else self._others_reply(action)):
                    actions += self._referee.replied(action.seat, each, used)
        played, told, outcome = self._referee.turns, len(self.story.turns), self._referee.outcome
        if played != told:
            why = outcome.detail if outcome is not None else "an engine does not answer"
            raise AssertionError(f"only {played} of {told} turns were played: {why}")
        return self._sent

    def _heard(self, request: m.Request) -> Iterator[m.Reply]:
        """Send a request to the engine. Yield the replies that the codec makes of the engine's output."""
        if isinstance(request, m.AskMove) and self._referee.turns >= len(self.story.turns):
            self._sent.append(self.codec.send(request))  # the last that it hears
            return
        data = self.codec.send(request)
        for _ in range(MOST_WRITES):
            self._sent.append(data)
            replies = [*self.codec.receive(self.speaker(data) if data else b"")]
            yield from (reply for reply in replies if not isinstance(reply, m.More))
            data = b"".join([reply.data for reply in replies if isinstance(reply, m.More)])
            if not data:
                return
        raise AssertionError(f"{type(request).__name__} is not answered after {MOST_WRITES} writes")

    def _others_reply(self, say: Send) -> Iterator[m.Reply]:
        """Yield another seat's replies to a request. After the last turn of `story` it makes no moves."""
        if not isinstance(say.request, m.AskMove):
            yield PLAIN_REPLIES[type(say.request)]
            return
        turns, number = self.story.turns, self._referee.turns
        turn = dict(turns[number]) if number < len(turns) else {}
        if say.seat in turn:
            yield m.Comment(f"remark {self.pace}")
            yield m.Moved(turn[say.seat])
