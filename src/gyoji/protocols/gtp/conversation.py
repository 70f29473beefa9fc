"""The conversation with a GTP engine: the queue of commands whose responses are still to come."""

# Theory of operation
#
# Engines answer commands in order. So the only state is a queue with one entry for each response to come: the
# command, and the method that handles its response.
#
#     send(request) --commands--> engine            receive(bytes) --answers--> awaited.popleft().heard
#           |  one entry per command  ^                        |
#           +-------> _awaited -------+------------------------+--> replies, or `More` with further commands
#
# A dialogue is a generator for a request that takes several exchanges. It yields a batch of commands, whose
# responses are all handled by `_step_heard`, and is sent the responses when the last has arrived. Its return
# value is passed to `_end`.
#
#     state             left by
#     not greeted       the first byte. Anything but "=", "?", "#" or a blank ends the conversation at once,
#                       since a program that does not speak GTP may write for ever without a line end
#     awaiting          the last response that is due
#     idle              a request; a response without a command ends the conversation
#     over              never: there are no more replies, and nothing is sent
#
# Invariants
#
# * Bytes that arrive respond to commands written before them, never to a `More` that they cause. So the
#   number of expected responses is determined before the bytes are parsed. This detects an engine that
#   answers in advance.
# * If `More` and another reply are returned together, `More` comes first, so that its bytes are written
#   before the referee's next request.
# * An engine's remark on its last move may arrive after the next request was sent. That needs no special
#   case: its entry comes first in the queue.
# * If a request ends early (a refused `play`), its other responses are still awaited, and `_nothing_heard`
#   ignores them.
#
# With `command_ids` each response must repeat the id of its command. That detects an engine that omits a
# response. Without ids such an engine just runs out of time.
#
# Tried and given up: a separate fast path for ordinary `genmove` requests. It saved 1.2 us of the 36 that a
# move costs, and was a third state machine.

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from gyoji.core import messages as m
from gyoji.core.faults import FaultKind
from gyoji.core.text import quote
from gyoji.protocols.gtp.dialogues import Steps
from gyoji.protocols.gtp.options import Options
from gyoji.protocols.gtp.wording import (
    SHORT_OUTPUT,
    Answer,
    AnswerReader,
    Wording,
    read_answer,
    read_short_output,
)

_FIRST_BYTES = b" \t\r\n#=?"
_GMP = b"\x01"
_SHAPE = "expected a line that begins with = or ?"


class Awaited(NamedTuple):
    """A command whose response is still to come.

    Attributes:
        command: The command under its standard name, not the player's alias.
        heard: The function that handles the response: it is called with the conversation, whether the command
            succeeded, and the text. It is no bound method, which would be a reference cycle for the garbage
            collector.
        if_failed: Whether `heard` is called only if the command failed, as for the `play` of each move.
    """

    command: str
    heard: Callable[[Any, bool, str], None]
    if_failed: bool = False


class Conversation:
    """The queue of commands sent to a GTP engine, and the handling of its responses.

    A subclass converts requests to commands, and handles the result of a dialogue (`_end`).
    """

    # Without slots here, those of `GtpCodec` would be in vain.
    # fmt: off
    __slots__ = (
        "_answered", "_awaited", "_batch", "_dialogue", "_is_greeted", "_is_numbered", "_is_over",
        "_options", "_out", "_reader", "_wording",
    )
    # fmt: on

    def __init__(self, options: Options) -> None:
        self._options = options
        self._wording = Wording(options.gtp_aliases, is_numbered=options.command_ids)
        self._is_numbered = options.command_ids
        self._reader = AnswerReader()
        self._awaited: deque[Awaited] = deque()
        self._out: list[m.Reply] = []
        self._answered = 0  # how many commands have been
        self._is_greeted = False  # its first byte has been looked at
        self._is_over = False
        self._dialogue: Steps[m.Reply | None] | None = None
        self._batch: tuple[int, list[Answer]] = (0, [])  # answers the dialogue waits for, and has

    def receive(self, data: bytes) -> Sequence[m.Reply]:
        """Return the replies to output of the engine (`Codec.receive`)."""
        if self._is_over:
            return ()
        out: list[m.Reply] = []
        self._out = out
        if not self._is_greeted and not self._greet(data):
            return out
        awaited, reader, is_numbered = self._awaited, self._reader, self._is_numbered
        due = len(awaited)  # answers to what was written before; not to a `More` that `data` brings about
        answers = None
        if reader.is_empty and len(data) < SHORT_OUTPUT:
            answers = read_short_output(data, is_numbered)
        if answers is None:
            answers = [read_answer(answer, is_numbered) for answer in reader.feed(data)]
        for is_success, number, text in answers[:due]:
            command, heard, if_failed = awaited.popleft()
            if is_numbered and not self._is_next(number, command):
                return out
            if if_failed and is_success:
                continue
            heard(self, is_success, text)
            if self._is_over:
                return out
        if len(answers) > due:
            is_success, number, text = answers[due]
            answer = f"{'=' if is_success else '?'}{number} {text}"
            self._break(f"spoke out of turn: {quote(' '.join(answer.split()))}")
        elif not reader.is_empty:
            if len(answers) == due and (reader.stray or reader.has_begun):
                self._break(f"spoke out of turn: {quote(reader.stray or reader.begun())}")
            elif reader.stray:
                self._break(f"answered {awaited[0].command} with {quote(reader.stray)}, {_SHAPE}")
        return out

    def _is_next(self, number: str, command: str) -> bool:
        """Return whether a response repeats the id of its command. If not, end the conversation."""
        self._answered += 1
        if number.lstrip("0") == str(self._answered):
            return True
        got = f"id {quote(number)}" if number else "no id"
        self._break(f"answered {command} with {got}, expected id {self._answered}")
        return False

    def _greet(self, data: bytes) -> bool:
        """Check the first byte of the engine's output. If no GTP response begins with it, end the
        conversation and return False.
        """
        self._is_greeted = True
        if data[:1] in _FIRST_BYTES:
            return True
        if data[:1] == _GMP:
            self._break("speaks GMP, not GTP; gnugo needs --mode gtp")
        else:
            self._break(f"answered its first command (protocol_version) with {quote(data)}, {_SHAPE}")
        return False

    def _break(self, detail: str) -> None:
        self._is_over = True
        self._out.append(m.Broken(FaultKind.PROTOCOL, detail))

    def finish(self) -> Sequence[m.Reply]:
        """Return the last replies of an engine that closed its output (`Codec.finish`).

        A response without its blank line counts as complete, and `quit` as answered.
        """
        replies: list[m.Reply] = []
        if self._reader.has_begun:
            replies += [reply for reply in self.receive(b"\n\n") if type(reply) not in (m.More, m.Broken)]
        if not self._is_over and self._awaited and self._awaited[0].command == "quit":
            self._out = []
            self._awaited.popleft().heard(self, True, "")
            replies += self._out
        self._is_over = True
        return replies

    def _write(self, lines: str) -> None:
        self._out.append(m.More(self._wording.encode(lines)))

    def _nothing_heard(self, is_success: bool, text: str) -> None:
        """Ignore a response."""

    def _forget_awaited(self) -> None:
        """Ignore all responses that are still to come, because their request has been replied to."""
        for index, rest in enumerate(self._awaited):
            self._awaited[index] = Awaited(rest.command, Conversation._nothing_heard)

    # Dialogues

    def _begin(self, dialogue: Steps[m.Reply | None]) -> str:
        self._dialogue = dialogue
        return self._await(next(dialogue))

    def _await(self, commands: tuple[str, ...]) -> str:
        self._batch = (len(commands), [])
        self._awaited.extend([Awaited(command, Conversation._step_heard) for command in commands])
        return "".join([self._wording.line(command) for command in commands])

    def _step_heard(self, is_success: bool, text: str) -> None:
        expected, answers = self._batch
        answers.append((is_success, text))
        if len(answers) < expected or self._dialogue is None:
            return
        try:
            commands = self._dialogue.send(answers)
        except StopIteration as end:
            self._dialogue = None
            self._end(end.value)
        else:
            self._write(self._await(commands))

    def _end(self, reply: m.Reply | None) -> None:
        """Handle the result of a dialogue: the reply to its request, or None.

        None means that the dialogue only prepared for another request, which can now be sent.
        """
        raise NotImplementedError
