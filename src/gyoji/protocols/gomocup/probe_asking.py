"""Questions of a probe to a brain, their answers, and notes of them."""

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from gyoji.core.probe import Heard, Notes, Probe, Step, Verdict
from gyoji.core.text import format_duration, quote
from gyoji.protocols.gomocup.lines import (
    REFUSALS,
    Kind,
    Line,
    Lines,
    has_pairs,
    leading_point,
    read_line,
    read_points,
)
from gyoji.protocols.gomocup.probe_positions import MS, TOLERANCE, Facts, Point, lateness

TURN = 500
"""Limit of a move, in ms, that the brain is told."""

OPTIONAL_PATIENCE = 3000 * MS
"""ns to wait for an optional answer. Many brains ignore commands that they do not know."""

_MOVE_PATIENCE = 6000 * MS
_GREETING_PATIENCE = 10_000 * MS  # which is for the start, too
_WORD_PATIENCE = 2000 * MS  # for what takes no thinking
_SILENCE = 100 * MS  # how long to listen where nothing should come
_LINGER = 30 * MS  # and after an answer
_MOST = 2**31 - 1
_MEMORY = 350 << 20  # bytes, Gomocup's limit
_REMARKS = (Kind.MESSAGE, Kind.DEBUG)
_WORDS = (Kind.OK, *REFUSALS)
_MOST_READ = 1 << 18  # bytes of an answer that are looked at
# A quick look for an answer, because a flood of output is searched again at each piece.
_WORD = re.compile(rb"OK|ERROR|UNKNOWN", re.IGNORECASE)
_MOVE = re.compile(rb"\d\s*,|SWAP|ERROR|UNKNOWN", re.IGNORECASE)


class Answer(NamedTuple):
    """The output after a question. `lines` has no MESSAGE and DEBUG lines."""

    lines: tuple[Line, ...]
    heard: Heard

    def line(self, *kinds: Kind) -> Line | None:
        """Return the first line of one of these kinds."""
        return next((line for line in self.lines if line.kind in kinds), None)

    def points(self) -> list[Point] | None:
        """Return the points of the first line that consists of points, with or without SUGGEST."""
        return next((points for line in self.lines if (points := _points(line))), None)

    @property
    def is_swap(self) -> bool:
        return any(line.text.upper() == "SWAP" for line in self.lines)

    @property
    def text(self) -> str:
        return "; ".join(line.text for line in self.lines[:3])

    @property
    def is_silent(self) -> bool:
        return not (self.lines or self.heard.ended)

    @property
    def refusal(self) -> str:
        """Why the brain did not do as asked."""
        return self.trouble or f"answers {quote(self.text)}"

    @property
    def trouble(self) -> str:
        """Why there is no answer, "" if there is one."""
        if self.heard.ended:
            return self.heard.ended
        if self.heard.complete:
            return ""
        unfinished = self.heard.said and not self.heard.said.endswith((b"\n", b"\r"))
        if unfinished:
            return f"no end of line after {quote(self.heard.said[-80:])}"
        return f"no answer in {format_duration(self.heard.took // MS // 100 * 100 * MS)}{self.delay}"

    @property
    def delay(self) -> str:
        """A note that the machine was busy during the wait, "" if that makes no difference."""
        delay = self.heard.delay // MS
        if delay < TOLERANCE // 10 or delay * 5 < self.heard.took // MS:
            return ""
        return f" ({format_duration(delay * MS)} of it without a processor: the machine was busy)"


def _points(line: Line) -> list[Point] | None:
    """Return the points of a line that consists of points, or the one at its beginning."""
    if line.kind not in (Kind.OTHER, Kind.SUGGEST):
        return None
    text = line.rest if line.kind is Kind.SUGGEST else line.text
    points, first = read_points(text), leading_point(text)
    return points if points is not None else first and [first]


def _is_pure(line: Line) -> bool:
    """Return whether a line consists of points."""
    return read_points(line.rest if line.kind is Kind.SUGGEST else line.text) is not None


def _read(said: bytes) -> tuple[Line, ...]:
    lines = map(read_line, Lines().feed(said[:_MOST_READ]))
    return tuple(line for line in lines if line.kind not in _REMARKS)


def _any_line(said: bytes) -> bool:
    return bool(_read(said))


def _word(said: bytes) -> bool:
    return _WORD.search(said) is not None and any(line.kind in _WORDS for line in _read(said))


def _move(said: bytes) -> bool:
    """Return whether the output has a line with points, SWAP, or a refusal."""
    return _MOVE.search(said) is not None and any(
        line.kind in REFUSALS or _points(line) or line.text.upper() == "SWAP" for line in _read(said)
    )


def _ask(
    data: bytes,
    patience: int | None,
    until: Callable[[bytes], bool] | None = None,
    *,
    linger: int = _LINGER,
    fresh: bool = False,
) -> Probe[Answer]:
    heard = yield Step(data, patience, until, linger, fresh)
    return Answer(_read(heard.said), heard)


def start(command: str, patience: int | None = None) -> Probe[Answer]:
    """Start a process and put START or RECTSTART. By default the player's startup budget limits the wait."""
    return _ask(_lines(command), patience, _word, fresh=True)


def greeting() -> Probe[bool]:
    """Find out whether a program speaks the protocol: whether it answers START with OK or ERROR."""
    answer = yield from start("START 20", _GREETING_PATIENCE)
    return answer.line(Kind.OK, Kind.ERROR) is not None


def word(command: str) -> Probe[Answer]:
    """Put a command that is answered by OK or a refusal."""
    return _ask(_lines(command), _WORD_PATIENCE, _word)


def line(command: str) -> Probe[Answer]:
    """Put a command that is answered by any line."""
    return _ask(_lines(command), _WORD_PATIENCE, _any_line)


def move(*lines: str, patience: int = _MOVE_PATIENCE, linger: int = _LINGER) -> Probe[Answer]:
    """Put a command that is answered by one or more points."""
    return _ask(_lines(*lines), patience, _move, linger=linger)


def silence(*lines: str, patience: int = _SILENCE) -> Probe[Answer]:
    """Put a command that has no answer. Listen for answers and for the end of the process."""
    return _ask(_lines(*lines), patience)


def silence_before(known: Answer, question: str, *lines: str) -> Probe[Answer]:
    """Put a command that has no answer, followed by a question whose answer is known.

    When that answer comes, the brain has read the command, however slow it is. Other lines are its answer
    to the command.
    """
    texts = {line.text for line in known.lines}

    def is_known(line: Line) -> bool:
        return line.text in texts or has_pairs(line.text)

    answer = yield from _ask(
        _lines(*lines, question), _MOVE_PATIENCE, lambda said: any(map(is_known, _read(said)))
    )
    others = tuple(line for line in answer.lines if not is_known(line))
    return Answer(others, answer.heard._replace(complete=False))


def _lines(*lines: str) -> bytes:
    return b"".join([line.encode() + b"\r\n" for line in lines])


def infos(rule: int = 0, *, turn: int = TURN, match: int = 0, left: int = _MOST) -> tuple[str, ...]:
    """Return the INFO lines before a game. Times are in ms; 0 for the match means no limit."""
    told = {
        "max_memory": _MEMORY,
        "timeout_match": match,
        "timeout_turn": turn,
        "game_type": 2,
        "rule": rule,
        "time_left": left,
    }
    return tuple(f"INFO {key} {value}" for key, value in told.items())


def board(stones: Iterable[Point]) -> tuple[str, ...]:
    """Return BOARD with these stones in playing order, the brain to move."""
    points = tuple(stones)
    own = len(points) % 2
    fields = (f"{x},{y},{1 if place % 2 == own else 2}" for place, (x, y) in enumerate(points))
    return ("BOARD", *fields, "DONE")


class BrainNotes(Notes):
    """The notes of one brain. Each method judges an answer by the protocol."""

    def answer(self, trial: str, verdict: Verdict, answer: Answer, remark: str = "") -> None:
        if remark and remark == answer.heard.ended:
            self.dies_of.append(trial)
        self.add(trial, verdict, answer.heard, answer.text, remark)

    def word(self, trial: str, answer: Answer, *, optional: bool = False) -> bool:
        """Note an answer that should be OK. Return whether it is.

        Args:
            optional: Whether the brain may lack the command.
        """
        if answer.line(Kind.OK) is not None:
            self.answer(trial, Verdict.OK, answer)
            self._strays(trial, [line for line in answer.lines if line.kind is not Kind.OK])
            return True
        refused = answer.line(*REFUSALS) is not None
        self._lacking(trial, answer, is_wrong=not (refused or (optional and answer.is_silent)))
        return False

    def move(
        self,
        trial: str,
        answer: Answer,
        side: tuple[int, int],
        taken: Iterable[Point],
        *,
        optional: bool = False,
        limit: int = TURN,
    ) -> Point | None:
        """Note an answer that should be a move. Return the move if it is legal, else None.

        Args:
            side: Width and height of the board.
            taken: Points with stones.
            optional: Whether the brain may lack the command.
            limit: Time limit of the move in ms.
        """
        points = answer.points()
        if not points:
            refused = answer.line(*REFUSALS) is not None
            self._lacking(trial, answer, is_wrong=not (optional and (refused or answer.is_silent)))
            return None
        (x, y), took = points[0], answer.heard.took // MS
        flaw = ""
        if len(points) > 1:
            flaw = "several points where one is due"
        elif not (0 <= x < side[0] and 0 <= y < side[1]):
            flaw = "a point off the board"
        elif (x, y) in set(taken):
            flaw = "a point where there is a stone"
        wrong = flaw or took > limit + TOLERANCE
        late = lateness(took, limit)
        remark = flaw or (late and f"{late}{answer.delay}")
        self.answer(trial, Verdict.WRONG if wrong else Verdict.OK, answer, remark)
        self._strays(trial, [line for line in answer.lines if not _is_pure(line)])
        if len([line for line in answer.lines if _points(line)]) > 1:
            self.deviate(trial, f"answered twice: {quote(answer.text)}")
        return None if flaw else (x, y)

    def silence(self, trial: str, answer: Answer) -> None:
        """Note the output after a command that has no answer."""
        if answer.heard.ended:
            self.answer(trial, Verdict.WRONG, answer, answer.heard.ended)
        elif answer.lines:
            self.answer(trial, Verdict.WRONG, answer, "an answer where none is due")
        else:
            self.answer(trial, Verdict.OK, answer)

    def _lacking(self, trial: str, answer: Answer, *, is_wrong: bool) -> None:
        remark = answer.trouble or ("not the answer that is due" if is_wrong else "")
        self.answer(trial, Verdict.WRONG if is_wrong else Verdict.LACKING, answer, remark)

    def _strays(self, trial: str, strays: list[Line]) -> None:
        if strays:
            self.deviate(trial, f"said more than its answer: {quote(strays[0].text)}")


class Known(NamedTuple):
    """The notes and the facts about a brain during its probe."""

    notes: BrainNotes
    facts: Facts
