"""The conversation with a GTP engine: a queue of the commands whose answers are still to come."""

# Theory of operation
#
# Engines answer commands in their order. So the only state is a queue with one entry for each answer to come:
# the command, and the method that takes its answer.
#
#     send(request) --commands--> engine            receive(bytes) --answers--> awaited.popleft().heard
#           |  one entry per command  ^                        |
#           +-------> _awaited -------+------------------------+--> replies, or `More` with further commands
#
# A dialogue is a generator for a request that takes several exchanges. It yields a batch of commands, whose
# entries all lead to `_step_heard`, and is sent their answers when the last has come. What it returns goes to
# `_end`.
#
#     states of the conversation      left by not greeted                     the first byte: anything but
#     "=", "?", "#" or a blank ends it at once, since a
#                                     program that is no GTP engine may write for ever without a line end
#     answers awaited                 answers
#     nothing awaited                 a request; an answer here is out of turn and ends the conversation
#     over                            never: there are no more replies, and nothing is sent
#
# Invariants
#
# * Bytes that arrive answer commands that were written before them. They never answer a `More` that they
#   bring about themselves, so the number of answers due is taken before the bytes are read. An engine that
#   answers ahead (misbehaving engines do) is thereby caught.
# * If `More` goes with another reply it comes first, because the referee writes its own answer to that reply
#   after it.
# * An engine's remark on its last move may come after the next question was put. It needs no care: it is the
#   next entry.
# * If a request is over early (a refused `play`), its other answers are still awaited, and lead to
#   `_nothing_heard`.
#
# With `command_ids` each answer has to repeat the number of its command. That finds an engine that leaves an
# answer out, which without numbers shows only as silence.
#
# Tried and given up: a shorter path with states of its own for the question that nearly every move is. It
# saved 1.2 us of the 36 that a move costs, and was a third state machine.

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
    """A command whose answer is still to come.

    Attributes:
        command: The command under its own name, not the player's alias for it.
        heard: The method that takes the answer (success, text). It is a function of the class, called with
            the conversation: a bound method would make a cycle of references for the garbage collector.
    """

    command: str
    heard: Callable[[Any, bool, str], None]


class Conversation:
    """The queue of commands sent to a GTP engine, and the reading of its answers.

    A subclass turns requests into commands, and defines what follows from an exchange of several commands
    (`_end`).
    """

    def __init__(self, options: Options) -> None:
        self._options = options
        self._wording = Wording(options.gtp_aliases, is_numbered=options.command_ids)
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
        awaited, reader, is_numbered = self._awaited, self._reader, self._wording.is_numbered
        due = len(awaited)  # answers to what was written before; not to a `More` that `data` brings about
        answers = None
        if reader.is_empty and len(data) < SHORT_OUTPUT:
            answers = read_short_output(data, is_numbered)
        if answers is None:
            answers = [read_answer(answer, is_numbered) for answer in reader.feed(data)]
        for is_success, number, text in answers:
            if not due:
                answer = f"{'=' if is_success else '?'}{number} {text}"
                self._break(f"spoke out of turn: {quote(' '.join(answer.split()))}")
                return out
            due -= 1
            command, heard = awaited.popleft()
            if not is_numbered or self._is_next(number, command):
                heard(self, is_success, text)
            if self._is_over:
                return out
        if not reader.is_empty:
            reader = self._reader
            if not due and (reader.stray or reader.has_begun):
                self._break(f"spoke out of turn: {quote(reader.stray or reader.begun())}")
            elif reader.stray:
                self._break(f"answered {self._awaited[0].command} with {quote(reader.stray)}, {_SHAPE}")
        return out

    def _is_next(self, number: str, command: str) -> bool:
        """Return whether an answer repeats the number of its command. If not, end the conversation."""
        self._answered += 1
        if number.lstrip("0") == str(self._answered):
            return True
        got = f"id {quote(number)}" if number else "no id"
        self._break(f"answered {command} with {got}, expected id {self._answered}")
        return False

    def _greet(self, data: bytes) -> bool:
        """Check the first byte of the engine's output. If no GTP answer begins like this, end the
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
        """Return the replies that follow from the end of the engine's output (`Codec.finish`).

        An answer without its blank line counts as complete, and `quit` as answered.
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
        """Ignore an answer."""

    def _forget_awaited(self) -> None:
        """Let all answers that are still to come be ignored, because their request has been replied to."""
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
        """Take the result of a dialogue: the reply to its request, or None if the dialogue only prepared
        another request, which can be put now.
        """
        raise NotImplementedError
