"""Our half of a GTP conversation: requests to commands, answers to replies.

Engines answer in the order of the commands, so a queue of what each awaited answer is for is all the state
there is: an engine's remark on its last move may come after the next question has been put, and the
answer to a question that no longer matters is awaited like any other.

Two rules keep the queue true. Bytes that arrive are answers to commands written before, so they never count
as answers to a `More` that they themselves bring about. And where `More` goes with another reply it comes
first: what that reply makes the referee say is written after it.

Longer than most modules: whoever puts a command or hears an answer does so through the one queue.
"""

from collections import deque
from collections.abc import Callable, Sequence
from typing import NamedTuple

from gyoji.core import messages as m
from gyoji.core.faults import Breakdown, FaultKind
from gyoji.core.ports import offers
from gyoji.core.text import quote
from gyoji.protocols.gtp.dialogues import (
    CLEANUP,
    EXPLAIN,
    GENMOVE_EX,
    HANDICAP,
    Facts,
    GtpRules,
    HasHandicap,
    Steps,
    appraise,
    finish,
    prepare,
    refusal,
)
from gyoji.protocols.gtp.options import Options
from gyoji.protocols.gtp.wording import Answer, Answers, Wording, read_answer, time_left

_COLOURS = "bw"
_BARE = (b"=\n\n", b"= \n\n")
_FIRST_BYTES = b" \t\r\n#=?"
_GMP = b"\x01"
_SHAPE = "expected a line that begins with = or ?"


class Awaited(NamedTuple):
    """An answer to come: to which command (under its own name), and what to do with it."""

    command: str
    heard: Callable[[bool, str], None]


class GtpCodec:
    """The port `Codec` for GTP 2. `Prepare` comes first; its rules are `GtpRules`."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._wording = Wording(options.gtp_aliases, is_numbered=options.command_ids)
        self._facts = Facts()
        self._reader = Answers()
        self._awaited: deque[Awaited] = deque()
        self._out: list[m.Reply] = []
        self._answered = 0  # how many commands have been
        self._is_greeted = False  # its first byte has been looked at
        self._is_over = False
        self._is_plain = False  # nothing in the way of reading the commonest answers directly
        self._dialogue: Steps[m.Reply] | None = None
        self._batch: tuple[int, list[Answer]] = (0, [])  # answers the dialogue waits for, and has
        self._explain = ""  # the line that asks for a remark, if the engine makes any
        self._told: list[tuple[int, m.Move]] = []  # the moves of the last news
        self._groups = False  # whether a tuple is a move of several vertices
        self._made: deque[m.Move] = deque()  # the engine's own moves that the news have not brought yet
        self._play_words = tuple([self._wording.line(f"play {colour} ")[:-1] for colour in _COLOURS])
        self._tells_time = False
        self._may_claim = False
        self._play = Awaited("play", self._play_heard)
        self._last_play = Awaited("play", self._last_play_heard)
        self._genmove = Awaited("genmove", self._genmove_heard)  # in full once the engine is ready
        self._genmove_line = ""
        self._cleanup = Awaited(CLEANUP, self._genmove_heard)
        self._cleanup_line = ""  # asks for a move of the clean-up phases, if the engine has a way of its own
        self._undo = Awaited("undo", self._nothing_heard)
        self._undo_line = self._wording.line("undo")
        self._clock = Awaited("time_left", self._nothing_heard)
        self._clock_words = ""
        self._remark = Awaited(EXPLAIN, self._remark_heard)

    # Requests

    def send(self, request: m.Request) -> bytes:
        """See the port."""
        return b"" if self._is_over else self._wording.encode(self._put(request))

    def _put(self, request: m.Request) -> str:
        if isinstance(request, m.AskMove):
            return self._ask(request)
        if isinstance(request, m.TellMoves):
            return self._tell(request)
        if isinstance(request, m.AskScore):
            return self._begin(appraise(wants_score=request.wants_score, wants_dead=request.wants_dead))
        if isinstance(request, m.Quit):
            return self._begin(finish(self._facts, keep=request.keep))
        assert isinstance(request, m.NewGame), f"not offered by its `Ready`: {request}"
        return self._prepare(request)

    def _prepare(self, request: m.NewGame) -> str:
        self._seat, self._colour = request.seat, _COLOURS[request.seat]
        if not offers(request.rules, GtpRules):
            raise Breakdown("protocol gtp: it has words for games on a board alone")
        self._rules: GtpRules = request.rules
        self._parse, self._format = self._rules.parse, self._rules.format
        self._groups = offers(self._rules, HasHandicap)
        self._handicap = self._rules.handicap if offers(self._rules, HasHandicap) else 0
        self._made.clear()
        self._told = []
        return self._begin(prepare(request, self._rules, self._options, self._facts))

    def _ask(self, request: m.AskMove) -> str:
        news, phase, clock = request.news, request.phase, request.clock
        awaited = self._awaited
        text = self._moves_since(news) if news else ""
        if phase == HANDICAP and self._handicap:
            command = f"place_free_handicap {self._handicap}"
            awaited.append(Awaited(command, self._handicap_heard))
            return text + self._wording.line(command)
        awaited_move, line = self._genmove, self._genmove_line
        if phase and self._cleanup_line:
            awaited_move, line = self._cleanup, self._cleanup_line
        if self._tells_time:
            facts = self._facts
            left = time_left(clock, counts_periods=facts.counts_periods, is_exact=facts.reads_fractions)
            awaited.append(self._clock)
            text += f"{self._clock_words}{left}\n"
        awaited.append(awaited_move)
        return text + line

    def _tell(self, request: m.TellMoves) -> str:
        text = self._moves_since(request.news)
        self._awaited[-1] = self._last_play
        return text

    def _moves_since(self, news: tuple[m.Turn[m.Move], ...]) -> str:
        """The lines that pass on moves, without those that the engine made itself when it was asked."""
        own, awaited, text = self._seat, self._awaited, ""
        self._told = told = []
        for turn in news:
            for pair in turn:
                seat, move = pair
                if seat == own and self._made:
                    if self._made.popleft() == move:
                        continue
                    # What it thinks it played counts as something else: it has to think again.
                    awaited.append(self._undo)
                    text += self._undo_line
                told.append(pair)
                awaited.append(self._play)
                if self._groups and type(move) is tuple:
                    text += self._wording.line(self._tiding(pair))
                else:
                    text += f"{self._play_words[seat]}{self._format(move)}\n"
        return text

    def _tiding(self, pair: tuple[int, m.Move]) -> str:
        """The command that passes on a move."""
        seat, move = pair
        vertices = self._format(move)
        if self._groups and isinstance(move, tuple):
            return f"set_free_handicap {vertices}"
        return f"play {_COLOURS[seat]} {vertices}"

    # Answers

    def receive(self, data: bytes) -> Sequence[m.Reply]:
        awaited = self._awaited
        if self._is_plain and awaited:
            # The answers that come for every move, read without the reader
            first = awaited[0]
            while (first is self._play or first is self._clock) and data.startswith(_BARE):
                awaited.popleft()
                data = data[3 if data[1] == 10 else 4 :]
                if not data:
                    return ()
                first = awaited[0]  # a genmove at the latest
            if first is self._genmove and len(awaited) == 1:
                reply = self._plain_move(data)
                if reply is not None:
                    return reply
        return self._read(data)

    def _plain_move(self, data: bytes) -> tuple[m.Reply, ...] | None:
        """The replies to a plain answer to genmove; None if `data` is anything else."""
        if data[:2] != b"= " or data[-2:] != b"\n\n":
            return None
        try:
            text = data[2:-2].decode("ascii")
            if not text.isprintable():
                return None
            move = self._parse(text)
        except ValueError:  # not ASCII, or no move
            return None
        if self._groups and type(move) is tuple:
            return None
        self._made.append(move)
        self._awaited.clear()
        if not self._explain:
            return (m.Moved(move),)
        self._awaited.append(self._remark)
        return (m.More(self._explain.encode()), m.Moved(move))

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
        return awaited.heard(is_success, text)

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
            self._awaited.popleft().heard(True, "")
            replies += self._out
        self._is_over, self._is_plain = True, False
        return replies

    # What answers are for

    def _nothing_heard(self, is_success: bool, text: str) -> None:
        """An answer that makes no difference."""

    def _play_heard(self, is_success: bool, text: str) -> None:
        if is_success:
            return
        awaited = self._awaited
        failed = len(self._told) - 1 - awaited.count(self._play) - awaited.count(self._last_play)
        command = self._tiding(self._told[failed])
        self._out.append(m.RejectedMove(refusal(command, text), text == "illegal move"))
        # That ends the request: whatever else of it is on its way no longer matters.
        for index, rest in enumerate(awaited):
            awaited[index] = Awaited(rest.command, self._nothing_heard)

    def _last_play_heard(self, is_success: bool, text: str) -> None:
        if is_success:
            self._out.append(m.Acknowledged())
        else:
            self._play_heard(is_success, text)

    def _genmove_heard(self, is_success: bool, text: str) -> None:
        if not is_success:
            self._out.append(m.Unsupported(refusal(self._genmove.command, text)))
            return  # no remark: the engine might repeat that on an earlier move
        reply = self._decision(text)
        self._ask_for_remark()
        self._out.append(reply)

    def _decision(self, text: str) -> m.Reply:
        word = text.lower()
        if word == "resign":
            return m.Resigned()
        if word == "claim" and self._may_claim:
            return m.ClaimedWin()
        try:
            move = self._parse(text)
        except ValueError:
            return m.Malformed(text)
        if self._groups and isinstance(move, tuple):  # that answers place_free_handicap
            return m.Malformed(text)
        self._made.append(move)
        return m.Moved(move)

    def _handicap_heard(self, is_success: bool, text: str) -> None:
        if not is_success:
            command = f"place_free_handicap {self._handicap}"
            self._out.append(m.Unsupported(refusal(command, text)))
            return
        try:
            move = self._parse(text)
        except ValueError:
            move = None
        if isinstance(move, tuple):
            self._made.append(move)
            self._out.append(m.Moved(move))
        else:
            self._out.append(m.Malformed(text))

    # Remarks

    def _ask_for_remark(self) -> None:
        if self._explain:
            self._awaited.append(self._remark)
            self._write(self._explain)

    def _remark_heard(self, is_success: bool, text: str) -> None:
        if is_success and text.strip():
            self._out.append(m.Comment(text.strip()))

    def _write(self, lines: str) -> None:
        self._out.append(m.More(self._wording.encode(lines)))

    # Dialogues

    def _begin(self, dialogue: Steps[m.Reply]) -> str:
        self._dialogue = dialogue
        return self._await(next(dialogue))

    def _await(self, commands: tuple[str, ...]) -> str:
        self._batch = (len(commands), [])
        self._awaited.extend([Awaited(command, self._step_heard) for command in commands])
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

    def _end(self, reply: m.Reply) -> None:
        """The dialogue has come to its reply."""
        if isinstance(reply, m.Ready):
            knows = self._facts.knows
            self._tells_time = knows("time_left")
            self._may_claim = knows(GENMOVE_EX)
            self._explain = self._wording.line(EXPLAIN) if knows(EXPLAIN) else ""
            command = f"{GENMOVE_EX} {self._colour} claim" if self._may_claim else f"genmove {self._colour}"
            self._genmove = Awaited(command, self._genmove_heard)
            self._clock_words = self._wording.line(f"time_left {self._colour} ")[:-1]
            self._genmove_line = self._wording.line(command)
            if knows(CLEANUP):
                self._cleanup_line = self._wording.line(f"{CLEANUP} {self._colour}")
        elif isinstance(reply, m.HasQuit):
            self._is_over = not reply.stays
        self._out.append(reply)
