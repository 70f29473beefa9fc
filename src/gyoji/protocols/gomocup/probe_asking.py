"""The commands of the probe to a Gomocup brain, the judgement of its answers, and the leagues of Gomocup."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

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

Point: TypeAlias = tuple[int, int]
"""(column, row), both from 0, from the top left corner."""

MS = 1_000_000
TURN = 500
"""The time limit for a move, in ms, that the probe sends to the brain."""

TOLERANCE = 1000
"""The lateness of a move, in ms, that Gomocup tolerates."""

OPTIONAL_PATIENCE = 3000 * MS
"""ns to wait for an optional answer. Many brains ignore commands that they do not know."""

_MOVE_PATIENCE = 6000 * MS
_GREETING_PATIENCE = 10_000 * MS  # which is for the start, too
_WORD_PATIENCE = 2000 * MS  # for what takes no thinking
_SILENCE = 100 * MS  # how long to listen where nothing should come
_LINGER = 30 * MS  # and after an answer
_MOST = 2**31 - 1
_MEMORY = 350 << 20  # bytes, Gomocup's limit
_MOST_READ = 1 << 18  # bytes of an answer that are looked at


class Answer(NamedTuple):
    """The output of a brain after a command.

    Attributes:
        lines: The lines of the output, except MESSAGE and DEBUG lines.
        heard: The raw output and its times.
    """

    lines: tuple[Line, ...]
    heard: Heard

    def line(self, *kinds: Kind) -> Line | None:
        """Return the first line of one of the given kinds, or None."""
        return next((line for line in self.lines if line.kind in kinds), None)

    def points(self) -> list[Point] | None:
        """Return the points (column, row) of the first line of points, with or without SUGGEST, or None."""
        return next((points for line in self.lines if (points := _points(line))), None)

    @property
    def is_swap(self) -> bool:
        return any(line.text.upper() == "SWAP" for line in self.lines)

    @property
    def is_refused(self) -> bool:
        return self.line(*REFUSALS) is not None

    @property
    def text(self) -> str:
        return "; ".join(line.text for line in self.lines[:3])

    @property
    def is_silent(self) -> bool:
        """Whether the brain sent nothing and is still running."""
        return not (self.lines or self.heard.ended)

    @property
    def refusal(self) -> str:
        """The reason why the brain did not do as asked: `trouble`, or its own words."""
        return self.trouble or f"answers {quote(self.text)}"

    @property
    def trouble(self) -> str:
        """How the process ended, or why its answer is not complete. "" if the answer is complete and the
        process runs.
        """
        if self.heard.ended:
            return self.heard.ended
        if self.heard.complete:
            return ""
        if self.heard.said and not self.heard.said.endswith((b"\n", b"\r")):
            return f"no end of line after {quote(self.heard.said[-80:])}"
        return f"no answer in {format_duration(self.heard.took // MS // 100 * 100 * MS)}{self.delay}"

    @property
    def delay(self) -> str:
        """A remark in brackets on how long the brain had to wait for a processor; "" if that time is
        negligible.
        """
        delay = self.heard.delay // MS
        if delay < TOLERANCE // 10 or delay * 5 < self.heard.took // MS:
            return ""
        return f" ({format_duration(delay * MS)} of it without a processor: the machine was busy)"


def _points(line: Line) -> list[Point] | None:
    """Return the points of a line of points, or the point at the beginning of a line, or None."""
    if line.kind not in (Kind.OTHER, Kind.SUGGEST):
        return None
    text = line.rest if line.kind is Kind.SUGGEST else line.text
    points, first = read_points(text), leading_point(text)
    return points if points is not None else first and [first]


def _read(said: bytes) -> tuple[Line, ...]:
    """Split raw output into lines, without MESSAGE and DEBUG lines."""
    lines = map(read_line, Lines().feed(said[:_MOST_READ]))
    return tuple(line for line in lines if line.kind not in (Kind.MESSAGE, Kind.DEBUG))


def _is_word(line: Line) -> bool:
    return line.kind is Kind.OK or line.kind in REFUSALS


def _is_move(line: Line) -> bool:
    """Return whether a line can answer a request for a move: points, SWAP, ERROR or UNKNOWN."""
    return line.kind in REFUSALS or bool(_points(line)) or line.text.upper() == "SWAP"


def _ask(
    lines: Iterable[str],
    patience: int | None,
    is_answer: Callable[[Line], bool] | None = None,
    *,
    linger: int = _LINGER,
    fresh: bool = False,
) -> Probe[Answer]:
    """Send lines to the brain and return its output.

    Args:
        patience: ns to wait; None for the player's start-up budget.
        is_answer: Returns whether a line completes the answer; None if no answer is expected.
        linger: Further ns to read after the answer.
        fresh: Whether to start a new process first.
    """

    def until(said: bytes) -> bool:
        return any(map(is_answer, _read(said))) if is_answer else False

    data = b"".join([line.encode() + b"\r\n" for line in lines])
    heard = yield Step(data, patience, until if is_answer else None, linger, fresh)
    return Answer(_read(heard.said), heard)


def start(command: str, patience: int | None = None) -> Probe[Answer]:
    """Start a new process of the brain, send it START or RECTSTART, and return its answer.

    Args:
        patience: ns to wait for OK, ERROR or UNKNOWN; None for the player's start-up budget.
    """
    return _ask([command], patience, _is_word, fresh=True)


def greeting() -> Probe[bool]:
    """Return whether a program speaks the Gomocup protocol: whether it answers START with OK or ERROR."""
    answer = yield from start("START 20", _GREETING_PATIENCE)
    return answer.line(Kind.OK, Kind.ERROR) is not None


def word(command: str) -> Probe[Answer]:
    """Send a command to which the brain should answer OK or a refusal, and return the answer."""
    return _ask([command], _WORD_PATIENCE, _is_word)


def line(command: str) -> Probe[Answer]:
    """Send a command to which the brain may answer any line, and return the answer."""
    return _ask([command], _WORD_PATIENCE, lambda _: True)


def move(*lines: str, patience: int = _MOVE_PATIENCE, linger: int = _LINGER) -> Probe[Answer]:
    """Send lines that ask for a move or for several points, and return the answer.

    Args:
        patience: ns to wait for the answer.
        linger: Further ns to read after the answer.
    """
    return _ask(lines, patience, _is_move, linger=linger)


def silence(*lines: str, patience: int = _SILENCE) -> Probe[Answer]:
    """Send lines that have no answer. Return the output within `patience` ns, which should be empty."""
    return _ask(lines, patience)


def silence_before(known: Answer, question: str, *lines: str) -> Probe[Answer]:
    """Send lines that have no answer, and then a question whose answer is known. Return all other output.

    When the known answer arrives, the brain has read the lines, however slow it is.

    Args:
        known: The earlier answer to `question`.
        question: The command that was answered with `known`.
        lines: The lines that have no answer.
    """
    texts = {line.text for line in known.lines}

    def is_known(line: Line) -> bool:
        return line.text in texts or has_pairs(line.text)

    answer = yield from _ask([*lines, question], _MOVE_PATIENCE, is_known)
    others = tuple(line for line in answer.lines if not is_known(line))
    return Answer(others, answer.heard._replace(complete=False))


def infos(rule: int = 0, *, turn: int = TURN, match: int = 0, left: int = _MOST) -> tuple[str, ...]:
    """Return the INFO lines that precede a game.

    Args:
        rule: The number in INFO rule.
        turn: Limit of a move in ms.
        match: Limit of the match in ms; 0 for none.
        left: Remaining time of the match in ms.
    """
    values = {
        "max_memory": _MEMORY,
        "timeout_match": match,
        "timeout_turn": turn,
        "game_type": 2,
        "rule": rule,
        "time_left": left,
    }
    return tuple(f"INFO {key} {value}" for key, value in values.items())


def board(stones: Iterable[Point]) -> tuple[str, ...]:
    """Return the lines of BOARD, which set up these stones in playing order and ask for a move."""
    points = tuple(stones)
    own = len(points) % 2
    fields = (f"{x},{y},{1 if place % 2 == own else 2}" for place, (x, y) in enumerate(points))
    return ("BOARD", *fields, "DONE")


class League(NamedTuple):
    """A league of Gomocup: board size, rule and time limit of its games.

    Attributes:
        rule: The value of INFO rule.
        turn: Time limit of a move in seconds; 0 if it is unknown.
        swap2: Whether its games begin with SWAP2BOARD.
    """

    name: str
    width: int
    height: int
    rule: int
    turn: int = 0
    swap2: bool = False

    @property
    def heading(self) -> str:
        return f"{self.name}, {self.width}x{self.height}, rule {self.rule}"


LEAGUES = (
    League("Fastgame", 20, 20, 0, turn=5),
    League("Freestyle", 20, 20, 0, turn=30),
    League("Freestyle 15", 15, 15, 0, turn=30),
    League("Standard", 15, 15, 1, turn=30),
    League("Renju", 15, 15, 4, turn=300),
    League("Caro", 15, 15, 9, turn=30),
    League("Unlimited", 15, 15, 1, swap2=True),
)
"""The leagues of Gomocup."""


@dataclass(slots=True)
class Facts:
    """The probe's findings about a brain.

    Several attributes hold a reason: a text that says why the brain cannot do something, or "" if it can.

    Attributes:
        about: The brain's answer to ABOUT.
        start: Reason why the brain cannot play on a board, by board size (width, height).
        startup: Longest time, in ns, until START was answered.
        silences: How often START was not answered.
        is_slow: Whether a first move was very late. If so, no further first moves are requested.
        board: Reason why the brain cannot use BOARD.
        swap2: Reason why the brain cannot use SWAP2BOARD.
        rules: Reason why the brain cannot play by a rule, by the rule's number in INFO rule.
        slowest: Longest time of a late move, in ms.
        doubts: Faults that may lose games in any league.
        commands: Optional commands that the brain supports.
    """

    about: str = ""
    start: dict[tuple[int, int], str] = field(default_factory=dict)
    startup: int = 0
    silences: int = 0
    is_slow: bool = False
    board: str = ""
    swap2: str = "SWAP2BOARD: not asked"
    rules: dict[int, str] = field(default_factory=dict)
    slowest: int = 0
    doubts: list[str] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)

    @property
    def sides(self) -> list[int]:
        """The sizes of square boards on which the brain plays, in the order in which they were tried."""
        return [width for (width, height), reason in self.start.items() if width == height and not reason]

    def hindrances(self, league: League) -> list[str]:
        """Return the reasons why the brain cannot play in a league, or would lose every game there."""
        is_slow = league.turn and self.slowest > league.turn * 1000 + TOLERANCE
        reasons = (
            self.start.get((league.width, league.height), f"{league.width}x{league.height}: not asked"),
            self.board,
            self.rules.get(league.rule, ""),
            self.swap2 if league.swap2 else "",
            f"takes {format_duration(self.slowest * MS)} for a move, told to take less" if is_slow else "",
        )
        return [reason for reason in reasons if reason]

    def prospect(self, league: League) -> str:
        """Return a text that says how the brain would perform in a league."""
        return "; ".join(self.hindrances(league) or ("can play", *self.doubts))


def lateness(took: int, limit: int) -> str:
    """Return a remark on the time of a move; "" if the move was in time.

    Args:
        took: Time of the move in ms.
        limit: The time limit in ms; 0 if the brain had to move at once.
    """
    if took <= (limit or TOLERANCE):
        return ""
    late = f"took {took} ms where {limit} ms are allowed"
    return late if took > limit + TOLERANCE else f"{late}; Gomocup forgives {TOLERANCE} ms"


class BrainNotes(Notes):
    """The probe's notes on one brain.

    Each method judges an answer by the protocol and records it under the name of its trial.
    """

    def __init__(self) -> None:
        super().__init__()
        self.facts = Facts()

    def answer(self, trial: str, verdict: Verdict, answer: Answer, remark: str = "") -> None:
        """Record an answer that the caller has judged.

        Args:
            trial: Name of the trial.
            verdict: The caller's judgement.
            remark: Note, or what is wrong; "" for none.
        """
        if remark and remark == answer.heard.ended:
            self.dies_of.append(trial)
        self.add(trial, verdict, answer.heard, answer.text, remark)

    def word(self, trial: str, answer: Answer, *, optional: bool = False) -> bool:
        """Record an answer that should be OK. Return whether it is.

        Args:
            optional: Whether the command is optional in the protocol.
        """
        if answer.line(Kind.OK) is not None:
            self.answer(trial, Verdict.OK, answer)
            self._strays(trial, [line for line in answer.lines if line.kind is not Kind.OK])
            return True
        self._lacking(trial, answer, is_wrong=not (answer.is_refused or (optional and answer.is_silent)))
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
        """Record an answer that should be a move. Return the move (column, row).

        Return None if the answer is not exactly one point, on the board and without a stone. Other rules are
        not checked. A move that exceeds the limit by more than `TOLERANCE` is recorded as WRONG, but is
        returned.

        Args:
            side: Width and height of the board.
            taken: Points with stones.
            optional: Whether the command is optional in the protocol.
            limit: Time limit of the move in ms.
        """
        points = answer.points()
        if not points:
            is_allowed = optional and (answer.is_refused or answer.is_silent)
            self._lacking(trial, answer, is_wrong=not is_allowed)
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
        self._strays(
            trial,
            [
                line
                for line in answer.lines
                if read_points(line.rest if line.kind is Kind.SUGGEST else line.text) is None
            ],
        )
        if len([line for line in answer.lines if _points(line)]) > 1:
            self.deviate(trial, f"answered twice: {quote(answer.text)}")
        return None if flaw else (x, y)

    def silence(self, trial: str, answer: Answer) -> None:
        """Record the output after a command without an answer. Any output, or an exit, is wrong."""
        remark = answer.heard.ended or ("an answer where none is due" if answer.lines else "")
        self.answer(trial, Verdict.WRONG if remark else Verdict.OK, answer, remark)

    def _lacking(self, trial: str, answer: Answer, *, is_wrong: bool) -> None:
        remark = answer.trouble or ("not the answer that is due" if is_wrong else "")
        self.answer(trial, Verdict.WRONG if is_wrong else Verdict.LACKING, answer, remark)

    def _strays(self, trial: str, strays: list[Line]) -> None:
        """Record a violation of the protocol if the brain sent further lines besides its answer."""
        if strays:
            self.deviate(trial, f"said more than its answer: {quote(strays[0].text)}")
