"""The queue of a GTP conversation: commands written, their answers awaited, dialogues carried on.

Engines answer in the order of the commands, so a queue of what each awaited answer is for is all the state
there is: an engine's remark on its last move may come after the next question has been put, and the
answer to a question that no longer matters is awaited like any other.

Two rules keep the queue true. Bytes that arrive are answers to commands written before, so they never count
as answers to a `More` that they themselves bring about. And where `More` goes with another reply it comes
first: what that reply makes the referee say is written after it.
"""

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from gyoji.core import messages as m
from gyoji.core.faults import FaultKind
from gyoji.core.text import quote
from gyoji.protocols.gtp.dialogues import Steps
from gyoji.protocols.gtp.options import Options
from gyoji.protocols.gtp.wording import Answer, Answers, Wording, read_answer

_FIRST_BYTES = b" \t\r\n#=?"
_GMP = b"\x01"
_SHAPE = "expected a line that begins with = or ?"


class Awaited(NamedTuple):
    """An answer to come: to which command (under its own name), and the method that takes it.

    A method of the class, called with the conversation: with bound ones a conversation would refer to itself,
    and could be freed by the garbage collector alone.
    """

    command: str
    heard: Callable[[Any, bool, str], None]


class Conversation:
    """Commands and answers. A subclass puts requests, and takes in `_end` what dialogues come to."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._wording = Wording(options.gtp_aliases, is_numbered=options.command_ids)
        self._reader = Answers()
        self._awaited: deque[Awaited] = deque()
        self._out: list[m.Reply] = []
        self._answered = 0  # how many commands have been
        self._is_greeted = False  # its first byte has been looked at
        self._is_over = False
        self._is_plain = False  # nothing in the way of reading the commonest answers directly
        self._dialogue: Steps[m.Reply | None] | None = None
        self._batch: tuple[int, list[Answer]] = (0, [])  # answers the dialogue waits for, and has

    def _read(self, data: bytes) -> Sequence[m.Reply]:
        if self._is_over:
            return ()
        out: list[m.Reply] = []
        self._out = out
        if not self._is_greeted and not self._greet(data):
            return out
        due, reader = len(self._awaited), self._reader
        for lines in reader.feed(data):
            if not due:
                self._break(f"spoke out of turn: {quote(b' '.join(lines))}")
            else:
                due -= 1
                self._take(lines)
            if self._is_over:
                return out
        if not due and (reader.stray or reader.has_begun):
            self._break(f"spoke out of turn: {quote(reader.stray or reader.begun())}")
        elif reader.stray:
            self._break(f"answered {self._awaited[0].command} with {quote(reader.stray)}, {_SHAPE}")
        self._is_plain = reader.is_empty and not self._wording.is_numbered and not self._is_over
        return out

    def _greet(self, data: bytes) -> bool:
        """Look at the first byte of all: what is no engine's answer may never come to an end."""
        self._is_greeted = True
        if data[:1] in _FIRST_BYTES:
            return True
        if data[:1] == _GMP:
            self._break("speaks GMP, not GTP; gnugo needs --mode gtp")
        else:
            self._break(f"answered its first command (protocol_version) with {quote(data)}, {_SHAPE}")
        return False

    def _take(self, lines: list[bytes]) -> None:
        awaited = self._awaited.popleft()
        is_numbered = self._wording.is_numbered
        is_success, number, text = read_answer(lines, is_numbered=is_numbered)
        self._answered += 1
        if is_numbered and number.lstrip("0") != str(self._answered):
            got = f"id {quote(number)}" if number else "no id"
            return self._break(f"answered {awaited.command} with {got}, expected id {self._answered}")
        return awaited.heard(self, is_success, text)

    def _break(self, detail: str) -> None:
        self._is_over, self._is_plain = True, False
        self._out.append(m.Broken(FaultKind.PROTOCOL, detail))

    def finish(self) -> Sequence[m.Reply]:
        """See the port. What has begun as an answer counts as complete, and a quit as answered."""
        replies: list[m.Reply] = []
        if self._reader.has_begun:
            replies += [reply for reply in self._read(b"\n\n") if type(reply) not in (m.More, m.Broken)]
        if not self._is_over and self._awaited and self._awaited[0].command == "quit":
            self._out = []
            self._awaited.popleft().heard(self, True, "")
            replies += self._out
        self._is_over, self._is_plain = True, False
        return replies

    def _write(self, lines: str) -> None:
        self._out.append(m.More(self._wording.encode(lines)))

    def _nothing_heard(self, is_success: bool, text: str) -> None:
        """An answer that makes no difference."""

    def _forget_awaited(self) -> None:
        """The request is over: the answers of it that are on their way no longer matter."""
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
        """A dialogue has come to its reply; None: the request can be put now."""
        raise NotImplementedError
