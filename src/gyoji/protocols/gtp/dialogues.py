"""The requests that take several exchanges: set the game up, what is the score, good-bye.

A dialogue is a generator: it yields commands to be written together, is sent their answers, and returns
the reply to the request. The order of commands is that of gomill's ringmaster.
"""

import math
from collections import Counter
from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias, TypeVar

from gyoji.core.clocks import TimeControl
from gyoji.core.messages import Appraised, Declined, Move, Parted, Prepare, Ready, Reply
from gyoji.core.text import quote
from gyoji.protocols.gtp.answers import Answer
from gyoji.protocols.gtp.clock import SECOND, settings_commands
from gyoji.protocols.gtp.descriptions import describe, short_name
from gyoji.protocols.gtp.options import Options

T = TypeVar("T")
Steps: TypeAlias = Generator[tuple[str, ...], list[Answer], T]
"""Yields commands, without aliases and line ends; is sent as many answers; returns a T."""

HANDICAP = "handicap"
"""The phase in which Black places free handicap stones."""

GENMOVE_EX = "gomill-genmove_ex"
"""The genmove of an engine that may claim to have won."""

_WINNERS = {"B+": 0, "W+": 1}


class GtpRules(Protocol):
    """What GTP needs of a game's rules. handicap 0: an even game; handicap_points: of a fixed handicap.

    kata_rules and kgs_rules are the arguments of `kata-set-rules` and `kgs-rules`, "" to say nothing.
    `parse` raises ValueError; the text of a tuple of points is several vertices.
    """

    width: int
    height: int
    komi: float
    handicap: int
    handicap_style: str
    handicap_points: tuple[Move, ...]
    kata_rules: str
    kgs_rules: str

    def parse(self, text: str) -> Move: ...
    def format(self, move: Move) -> str: ...


@dataclass(slots=True)
class Facts:
    """What we learn of an engine.

    known           command -> whether the engine knows it, where it was asked.
    counts_periods  whether its clock was told in the way of KGS.
    """

    known: dict[str, bool] = field(default_factory=dict)
    counts_periods: bool = False


def refusal(command: str, text: str) -> str:
    """How a failed command is reported; `command` under its own name, not its alias."""
    return f"refused {command}: {quote(text)}"


def prepare(request: Prepare, options: Options, facts: Facts) -> Steps[Reply]:
    """Introduction, set-up and whatever else has to be known before the first move."""
    rules: GtpRules = request.rules
    ((is_success, version),) = yield ("protocol_version",)
    if is_success and not _is_two(version):
        return Declined(f"speaks version {quote(version)} of GTP, expected 2")
    name, description = yield from _introduction(facts)
    size = f"{rules.width}" if rules.width == rules.height else f"{rules.width} {rules.height}"
    commands = (*options.startup_lines(), f"boardsize {size}", "clear_board", f"komi {float(rules.komi)}")
    answers = yield commands
    for command, (is_success, text) in zip(commands, answers, strict=True):
        if not is_success:
            return Declined(refusal(command, text))
    unable = []
    if not (yield from _tell_rules(rules, facts)):
        unable.append("the rules")
    unable += yield from _tell_clock(request.control, facts)
    if rules.handicap and rules.handicap_style == "fixed":
        command = f"fixed_handicap {rules.handicap}"
        ((is_success, text),) = yield (command,)
        flaw = _handicap_flaw(rules, command, text) if is_success else refusal(command, text)
        if flaw:
            return Declined(flaw)
    if options.allow_claim:
        yield from _knows(GENMOVE_EX, facts)
    return Ready(name, description, tuple(unable))


def appraise(options: Options, facts: Facts) -> Steps[Reply]:
    """The engine's opinion of the score, if it is to be asked and can say."""
    # An engine that is not to be asked hears the first question too: a reply must wait for some answer.
    is_known = yield from _knows("final_score", facts)
    if not (is_known and options.is_reliable_scorer):
        return Appraised()
    ((is_success, text),) = yield ("final_score",)
    return read_score(text) if is_success else Appraised(problem=f"final_score failed: {quote(text)}")


def finish(facts: Facts) -> Steps[Reply]:
    """CPU time by the engine's own account, then quit."""
    cpu_ns, problem = None, ""
    if (yield from _knows("gomill-cpu_time", facts)):
        ((is_success, text),) = yield ("gomill-cpu_time",)
        if not is_success:
            problem = f"gomill-cpu_time failed: {quote(text)}"
        elif (cpu_ns := _cpu_ns(text)) is None:
            problem = f"gomill-cpu_time answered {quote(text)}, expected seconds"
    ((is_success, text),) = yield ("quit",)
    if not is_success:
        problem = "; ".join(filter(None, (problem, f"quit failed: {quote(text)}")))
    return Parted(cpu_ns, problem)


def read_score(text: str) -> Appraised:
    """The opinion that an answer to final_score is; one without a winner if it is none that we know.

    >>> read_score("w+3.5").winner, read_score("w+3.5").margin, read_score("0").is_level
    (1, 3.5, True)
    """
    if text == "0":
        return Appraised(text, is_level=True)
    winner = _WINNERS.get(text[:2].upper())
    return Appraised(text, winner, margin=None if winner is None else _margin(text[2:]))


def _margin(text: str) -> float | None:
    margin = _number(text)
    return margin if margin is not None and margin > 0 else None


def _cpu_ns(text: str) -> int | None:
    seconds = _number(text)
    return None if seconds is None or seconds < 0 else round(seconds * SECOND)


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _is_two(text: str) -> bool:
    return _number(text) == 2


def _knows(name: str, facts: Facts) -> Steps[bool]:
    """Whether the engine knows a command; asked once. Only the exact answer "true" counts."""
    if name not in facts.known:
        ((is_success, text),) = yield (f"known_command {name}",)
        facts.known[name] = is_success and text == "true"
    return facts.known[name]


def _introduction(facts: Facts) -> Steps[tuple[str, str]]:
    """(short name, description) of the engine; what it does not say is empty."""
    detail = "gomill-describe_engine"
    name, version, is_known = yield ("name", "version", f"known_command {detail}")
    facts.known[detail] = is_known == (True, "true")
    text = ""
    if facts.known[detail]:
        text = _words((yield (detail,))[0])
    return short_name(_words(name), _words(version)), describe(_words(name), _words(version), text)


def _words(answer: Answer) -> str:
    is_success, text = answer
    return text if is_success else ""


def _tell_rules(rules: GtpRules, facts: Facts) -> Steps[bool]:
    """Whether the engine knows by what rules it plays, as far as the game wants it told."""
    for command, argument in (("kata-set-rules", rules.kata_rules), ("kgs-rules", rules.kgs_rules)):
        if argument and (yield from _knows(command, facts)):
            ((is_success, _),) = yield (f"{command} {argument}",)
            if is_success:
                return True
    return not (rules.kata_rules or rules.kgs_rules)


def _tell_clock(control: TimeControl, facts: Facts) -> Steps[list[str]]:
    """What of its clock the engine could not be told."""
    if control.is_unlimited:
        return []
    unable = ["the clock"]
    for command, arguments in settings_commands(control):
        if (yield from _knows(command, facts)):
            ((is_success, _),) = yield (f"{command} {arguments}",)
            if is_success:
                facts.counts_periods = arguments.startswith("byoyomi")
                unable = ["the limit per move"] if control.move and control.has_main else []
                break
    if control.has_main:
        yield from _knows("time_left", facts)
    return unable


def _handicap_flaw(rules: GtpRules, command: str, text: str) -> str:
    """What is wrong with where the engine put the stones of a fixed handicap, "" if nothing."""
    try:
        placed = rules.parse(text)
    except ValueError:
        return f"answered {command} with {quote(text)}, expected {rules.format(rules.handicap_points)}"
    got = Counter(placed if isinstance(placed, tuple) else (placed,))
    expected = Counter(rules.handicap_points)
    if got == expected:
        return ""
    differences = (("missing", expected - got), ("not expected", got - expected))
    words = [
        f"{word} {' '.join(map(rules.format, points.elements()))}" for word, points in differences if points
    ]
    return f"answered {command} with {quote(text)}: {', '.join(words)}"
