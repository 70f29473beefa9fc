"""Requests that take several exchanges with a GTP engine: setting up a game, scoring, and ending.

A dialogue is a generator. It yields commands that are written together, is sent their responses, and returns
the reply to the request. Commands are sent in the order of gomill's ringmaster, except that all
`known_command` questions follow the engine's name at once: later, each would cost a round trip.
"""

import math
from collections import Counter
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

from msgspec.structs import replace

from gyoji.core.clocks import Bonus, TimeControl
from gyoji.core.messages import HasQuit, Move, NewGame, Ready, Reply, Scored, Unsupported
from gyoji.core.ports import supports
from gyoji.core.text import printable, quote
from gyoji.protocols.gtp.analysis import ESTIMATE, KATA_ANALYZE, LZ_ANALYZE
from gyoji.protocols.gtp.game_rules import (
    GtpRules,
    HasHandicap,
    HasKomi,
    HasName,
    HasOpening,
    HasRulesets,
)
from gyoji.protocols.gtp.options import Options
from gyoji.protocols.gtp.wording import EXACT, SECOND, Answer, describe, settings_commands, short_name

T = TypeVar("T")
Steps: TypeAlias = Generator[tuple[str, ...], list[Answer], T]
"""A dialogue: it yields tuples of commands, is sent a list of their responses each time, and returns a T."""

HANDICAP = "handicap"
"""The phase in which Black places free handicap stones."""

GENMOVE_EX = "gomill-genmove_ex"
"""The variant of `genmove` with which an engine may claim a win."""

CLEANUP = "kgs-genmove_cleanup"
"""The variant of `genmove` with which an engine captures dead stones before it passes."""

FREE_PHASES = ("cleanup", "cleanup 2")
"""Phases in which a move in one's own area costs nothing, so that `CLEANUP` may be used.

In the first of two clean-up phases ("cleanup 1", territory rules) such a move costs a point. With `CLEANUP`,
GNU Go 3.8 and Pachi 12.90 capture stones there that are dead anyway, and lose points.
"""

EXPLAIN = "gomill-explain_last_move"
"""The command that asks the engine for an explanation of its last move."""

_DESCRIBE = "gomill-describe_engine"
_CPU_TIME = "gomill-cpu_time"
_SCORE = "final_score"
_SET_GAME = "set_game"
_SET_RULES = "kata-set-rules"
_KGS_RULES = "kgs-rules"
_SET_PARAM = "kata-set-param"
_DEAD = "final_status_list dead"

_WINNERS = {"B+": 0, "W+": 1}


@dataclass(slots=True)
class Facts:
    """An engine's answers about itself, and the way in which its clock was set.

    Attributes:
        known: Commands that the engine knows, of those in `asked`.
        asked: Commands about which `known_command` was sent.
        asked_for: The rules and the time control for which `known_command` was sent; None before that.
        called: The engine's short name and its description.
        counts_periods: Whether the clock was set by `kgs-time_settings`, so that `time_left` counts periods.
        reads_fractions: Whether the clock was set by a command that accepts fractions of seconds.
    """

    known: set[str] = field(default_factory=set)
    asked: list[str] = field(default_factory=list)
    asked_for: tuple[GtpRules, TimeControl] | None = None
    called: tuple[str, str] = ("", "")
    counts_periods: bool = False
    reads_fractions: bool = False

    def knows(self, command: str) -> bool:
        return command in self.known


def refusal(command: str, text: str) -> str:
    """Return the message about a command to which the engine responded with a failure.

    Args:
        command: The command under its standard name, not the player's alias.
        text: The text of the response.
    """
    return f"refused {command}: {quote(text)}"


def size_command(rules: GtpRules) -> str:
    """Return the command that sets the board size, with two numbers if the board is not square."""
    return f"boardsize {rules.width}" + (f" {rules.height}" if rules.height != rules.width else "")


def prepare(request: NewGame, rules: GtpRules, options: Options, facts: Facts) -> Steps[Reply]:
    """Set up a game and return `Ready` or `Unsupported`. First ask the engine about itself, unless it has
    answered the same questions before.

    Args:
        rules: The rules of the request, which the caller has checked.
        facts: Updated with the engine's answers about itself.
    """
    if facts.asked_for != (rules, request.control):
        questions = _questions(request, rules, options)
        if questions != facts.asked:  # else the engine has played before and has answered all this
            ((is_success, version),) = yield ("protocol_version",)
            if is_success and _number(version) != 2:
                return Unsupported(f"speaks version {quote(version)} of GTP, expected 2")
            facts.called = yield from _introduction(questions, facts)
            facts.asked = questions
        facts.asked_for = rules, request.control
    name, description = facts.called
    commands = [*options.startup_lines(), size_command(rules), "clear_board"]
    if supports(rules, HasName) and facts.knows(_SET_GAME):
        commands.insert(-2, f"{_SET_GAME} {rules.game_name}")
    if supports(rules, HasKomi):
        commands.append(f"komi {float(rules.komi)}")
    answers = yield tuple(commands)
    for command, (is_success, text) in zip(commands, answers, strict=True):
        if not is_success:
            return Unsupported(refusal(command, text))
    told, refused = yield from _tell_rules(rules, facts)
    if _SET_RULES in refused:
        return Unsupported(f"does not play by these rules: {refused}")
    unable = [] if told else [f"the rules ({refused})" if refused else "the rules"]
    if told == _SET_RULES:
        unable += yield from _tell_params(rules, facts)
    unable += yield from _tell_clock(request.control, facts)
    flaw = yield from _tell_handicap(rules)
    if flaw:
        return Unsupported(flaw)
    flaw = yield from _tell_plays(rules, rules.opening_plays if supports(rules, HasOpening) else ())
    if flaw:
        return Unsupported(flaw)
    knows_rules = told == _SET_RULES
    return Ready(
        name,
        description,
        tuple(unable),
        can_score=facts.knows(_SCORE),
        knows_rules=knows_rules,
        cleans_up=knows_rules or facts.knows(CLEANUP),
        tells_dead=options.is_reliable_scorer,
        gives_hints=True,
    )


def _questions(request: NewGame, rules: GtpRules, options: Options) -> list[str]:
    """Return the optional commands that this game would use. The engine is asked whether it knows them."""
    kata_rules, kgs_rules, kata_params = _ruleset(rules)
    wanted = {
        _SET_GAME: supports(rules, HasName),
        _DESCRIBE: True,
        EXPLAIN: True,
        _CPU_TIME: True,
        _SCORE: options.is_reliable_scorer,
        GENMOVE_EX: options.allow_claim,
        KATA_ANALYZE: options.evaluate,
        LZ_ANALYZE: options.evaluate,
        ESTIMATE: options.evaluate,
        CLEANUP: kata_rules,
        _SET_RULES: kata_rules,
        _KGS_RULES: kgs_rules,
        _SET_PARAM: kata_params,
        "time_left": request.control.has_main,
    }
    clocks = [command for command, _ in settings_commands(request.control)]
    return [command for command, is_wanted in wanted.items() if is_wanted] + clocks


def _ruleset(rules: GtpRules) -> tuple[str, str, tuple[tuple[str, str, str], ...]]:
    """Return (`kata_rules`, `kgs_rules`, `kata_params`) of a game's rules (`HasRulesets`). All are empty for
    a game without rulesets.
    """
    if supports(rules, HasRulesets):
        return rules.kata_rules, rules.kgs_rules, rules.kata_params
    return "", "", ()


def appraise(*, wants_score: bool, wants_dead: bool) -> Steps[Reply]:
    """Ask the engine for the score, the dead stones, or both.

    Returns:
        `Scored`. Its `dead` is None if the engine cannot name dead stones or was not asked.
    """
    wanted = {_SCORE: wants_score, _DEAD: wants_dead}
    commands = tuple(command for command, is_wanted in wanted.items() if is_wanted)
    answers = dict(zip(commands, (yield commands), strict=True))
    said = Scored()
    if _SCORE in answers:
        is_success, text = answers[_SCORE]
        said = read_score(text) if is_success else Scored(problem=f"{_SCORE} failed: {quote(text)}")
    knows, points = answers.get(_DEAD, (False, ""))
    return replace(said, dead=tuple(points.split())) if knows else said


def finish(facts: Facts, *, keep: bool) -> Steps[Reply]:
    """End the game. Ask the engine for its CPU time and send `quit`.

    Args:
        keep: Whether to keep the engine for another game, if it accepts `clear_board`.
    """
    if keep:
        ((is_success, _),) = yield ("clear_board",)
        if is_success:
            return HasQuit(stays=True)
    cpu_ns, problem = None, ""
    commands = (_CPU_TIME, "quit") if facts.knows(_CPU_TIME) else ("quit",)
    *cpu_time, (is_success, quit_text) = yield commands
    for is_told, text in cpu_time:
        if not is_told:
            problem = f"{_CPU_TIME} failed: {quote(text)}"
        elif (seconds := _number(text)) is None or seconds < 0:
            problem = f"{_CPU_TIME} answered {quote(text)}, expected seconds"
        else:
            cpu_ns = round(seconds * SECOND)
    if not is_success:
        problem = "; ".join(filter(None, (problem, f"quit failed: {quote(quit_text)}")))
    return HasQuit(cpu_ns, problem)


def read_score(text: str) -> Scored:
    """Parse a response to `final_score`. The score has no winner if the text does not begin as scores do
    ("B+").

    >>> read_score("w+3.5").winner, read_score("w+3.5").margin, read_score("0").is_level
    (1, 3.5, True)
    """
    if text == "0":
        return Scored(text, is_level=True)
    winner = _WINNERS.get(text[:2].upper())
    return Scored(text, winner, margin=None if winner is None else _margin(text[2:]))


def _margin(text: str) -> float | None:
    """Parse the margin of a win. Return infinity for a negative or infinite one, None for 0 or other text."""
    try:
        margin = float(text)
    except ValueError:
        return None
    if not 0 <= margin < math.inf:
        return math.inf
    return margin or None


def _number(text: str) -> float | None:
    """Parse a finite number. Return None for other text."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _introduction(questions: list[str], facts: Facts) -> Steps[tuple[str, str]]:
    """Ask the engine for its name and which commands it knows. Return (short name, description).

    Only the exact response "true" to `known_command` counts. A failure means that the engine lacks the
    command.
    """
    answers = yield ("name", "version", *(f"known_command {command}" for command in questions))
    name, version, *known = answers
    facts.known = {
        command for command, answer in zip(questions, known, strict=True) if answer == (True, "true")
    }
    text = _words((yield (_DESCRIBE,))[0]) if facts.knows(_DESCRIBE) else ""
    return short_name(_words(name), _words(version)), describe(_words(name), _words(version), text)


def _words(answer: Answer) -> str:
    is_success, text = answer
    return text if is_success else ""


def _tell_rules(rules: GtpRules, facts: Facts) -> Steps[tuple[str, str]]:
    """Send the ruleset by the first command that the engine accepts.

    Returns:
        (command that succeeded, refusals in words). The command is "" if none succeeded, and "nothing" if the
        game has no ruleset to send.
    """
    kata_rules, kgs_rules, _ = _ruleset(rules)
    if not (kata_rules or kgs_rules):
        return "nothing", ""
    refused = []
    for command, argument in ((_SET_RULES, kata_rules), (_KGS_RULES, kgs_rules)):
        if argument and facts.knows(command):
            ((is_success, text),) = yield (f"{command} {argument}",)
            if is_success:
                return command, ""
            refused.append(f"refused {command} {argument}: {printable(text)!r}")
    return "", "; ".join(refused)


def _tell_params(rules: GtpRules, facts: Facts) -> Steps[list[str]]:
    """Set KataGo's parameters that belong to the ruleset. Return the descriptions of those that could not be
    set.
    """
    unable = []
    for name, value, needed in _ruleset(rules)[2]:
        is_told = False
        if facts.knows(_SET_PARAM):
            ((is_told, _),) = yield (f"{_SET_PARAM} {name} {value}",)
        if needed and not is_told:
            unable.append(needed)
    return unable


def _tell_clock(control: TimeControl, facts: Facts) -> Steps[list[str]]:
    """Set the engine's clock. Return the parts of the time control that could not be set, in words."""
    if control.is_unlimited:
        return []
    unable = ["the clock"]
    for command, arguments in settings_commands(control):
        if facts.knows(command):
            ((is_success, _),) = yield (f"{command} {arguments}",)
            if is_success:
                facts.counts_periods = arguments.startswith("byoyomi")
                facts.reads_fractions = command == EXACT
                unable = ["the limit per move"] if control.move and control.has_main else []
                untold = {
                    "the increment": control.increment and control.period,
                    "the later stages": control.stages,
                    f"the kind of the increment ({control.bonus})": control.bonus is not Bonus.FISCHER,
                    "the hourglass": control.hourglass,
                }
                unable += [words for words, is_so in untold.items() if is_so]
                break
    return unable


def _tell_handicap(rules: GtpRules) -> Steps[str]:
    """Let the engine place a fixed handicap. Return a message if that fails, else "".

    An engine without handicap commands, such as michi, gets the stones one by one by `play`.
    """
    given: HasHandicap | None = rules if supports(rules, HasHandicap) else None
    if given is None or not given.handicap or given.handicap_style != "fixed":
        return ""
    command = f"fixed_handicap {given.handicap}"
    ((is_success, text),) = yield (command,)
    if is_success:
        try:
            placed = rules.parse(text)
        except ValueError:
            return f"answered {command} with {quote(text)}, expected {rules.format(given.handicap_points)}"
        got = Counter(placed if isinstance(placed, tuple) else (placed,))
        expected = Counter(given.handicap_points)
        if got == expected:
            return ""
        differences = (("missing", expected - got), ("not expected", got - expected))
        words = [
            f"{word} {' '.join(map(rules.format, points.elements()))}"
            for word, points in differences
            if points
        ]
        return f"answered {command} with {quote(text)}: {', '.join(words)}"
    flaw = yield from _tell_plays(rules, [(0, point) for point in given.handicap_points])
    return f"{refusal(command, text)}, and {flaw}" if flaw else ""


def _tell_plays(rules: GtpRules, plays: Sequence[tuple[int, Move]]) -> Steps[str]:
    """Send one `play` for each (seat, move). Return a message about the first refusal, or ""."""
    commands = tuple(f"play {'bw'[seat]} {rules.format(move)}" for seat, move in plays)
    answers = (yield commands) if commands else []
    for command, (is_success, text) in zip(commands, answers, strict=True):
        if not is_success:
            return refusal(command, text)
    return ""
