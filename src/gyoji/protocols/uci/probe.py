"""The conformance probe of a UCI engine: greeting, options, the forms of `go`, scores, odd lines, quitting.

It follows the UCI protocol of April 2006 and tries faults that spoil events: an engine that ignores `go
nodes` thinks for ever, one that reports scores from White's side wins lost games by adjudication, and one
that does not answer `isready` never starts.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import pairwise

from gyoji.core.faults import IllegalMove
from gyoji.core.ports import AnyRules
from gyoji.core.probe import Findings, Heard, Notes, Probe, Step, Verdict
from gyoji.core.text import quote
from gyoji.protocols.uci.engine_options import CHESS960, EngineOption, read_option
from gyoji.protocols.uci.info import is_bound, is_score, read_info

SECOND = 10**9
_MS = 10**6
_PATIENCE = 5 * SECOND
_GREETING_PATIENCE = 10 * SECOND
_STOP_PATIENCE = 2 * SECOND
_QUIT_PATIENCE = 2 * SECOND
_THINKING = SECOND // 5  # how long `go infinite` runs before `stop`

_DEPTH, _NODES = 3, 1000

_FORMS = (
    ("movetime", "go movetime 200", 200),
    ("clock", "go wtime 2000 btime 2000 winc 20 binc 20", 2000),
    ("movestogo", "go wtime 1000 btime 1000 winc 0 binc 0 movestogo 1", 1000),
    ("depth", f"go depth {_DEPTH}", 0),
    ("nodes", f"go nodes {_NODES}", 0),
)
"""The forms of `go`: name, command, and the time limit for the move in ms (0 for none)."""

_UNSEEN = "movestogo"
"""The form of `go` for which an answer in time does not show that the parameter is obeyed. 4ku ignores it,
Fruit 2.1 obeys it, and both move well within the time.
"""

_NEARLY_OUT = "go wtime 1 btime 1 winc 0 binc 0"
_BLACK_WINS = "position fen 4k3/8/8/8/8/2q5/8/6K1 b - - 0 1"
_CASTLING = "position fen r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w HAha - 0 1"
_CASTLING_MOVE = "e1h1"


class _Gone(Exception):
    """The engine does not start again, so the probe ends."""


class _Interview:
    """The probe's conversation with one engine, possibly in several processes one after another.

    Attributes:
        notes: The findings.
        lacking: Reasons why the engine cannot play.
        forms: Names of the forms of `go` that it obeys.
    """

    def __init__(self, rules: AnyRules | None) -> None:
        self.rules = rules
        self.notes = Notes()
        self.lacking: list[str] = []
        self.forms: list[str] = []
        self.options: dict[str, EngineOption] = {}
        self.name = self.author = ""
        self.score_side = ""
        self.lateness = 0  # ns beyond the time that was allowed for a move
        self._is_lost = True

    def ask(self, data: str, until: str, patience: int = _PATIENCE) -> Probe[Heard]:
        """Write lines and wait for a line that begins with `until`. Raises _Gone."""
        if self._is_lost:
            heard = yield Step(b"uci\nisready\n", None, _line_begins("readyok"), fresh=True)
            if not heard.complete:
                self.lacking.append(f"does not start again: {heard.ended or 'no answer'}")
                raise _Gone
            self._is_lost = False
        heard = yield Step(data.encode(), patience, _line_begins(until))
        self._is_lost = not heard.complete or bool(heard.ended)
        return heard

    def forget(self) -> None:
        """Give up the present process, so that a new one is started before the next command."""
        self._is_lost = True

    def greeted(self) -> None:
        """Keep the present process, which has answered the greeting, for the next command."""
        self._is_lost = False


def probe(rules: AnyRules | None = None) -> Probe[Findings]:
    """Test everything about an engine that `gyoji check` reports.

    Args:
        rules: The rules of a game that the engine must be able to play; None for standard chess.
    """
    interview = _Interview(rules)
    with suppress(_Gone):
        yield from _introduction(interview)
        yield from _readiness(interview)
        for name, command, limit in _FORMS:
            yield from _form(interview, name, command, limit)
        yield from _stopping(interview)
        yield from _scores(interview)
        yield from _variant(interview)
        yield from _oddities(interview)
        yield from _good_bye(interview)
    return _findings(interview)


def greeting() -> Probe[bool]:
    """Return whether a program speaks UCI, that is, answers `uci`."""
    heard = yield Step(b"uci\n", _GREETING_PATIENCE, _line_begins("uciok"), fresh=True)
    return heard.complete


def _line_begins(word: str) -> Callable[[bytes], bool]:
    start = word.encode()
    return lambda said: any(line.strip().startswith(start) for line in said.split(b"\n")[:-1])


def _lines(heard: Heard) -> list[str]:
    return [line.strip() for line in heard.said.decode("utf-8", "replace").split("\n")]


def _introduction(interview: _Interview) -> Probe[None]:
    notes = interview.notes
    heard = yield Step(b"uci\n", None, _line_begins("uciok"), fresh=True)
    if not heard.complete:
        interview.lacking.append(f"uci: {heard.ended or 'no uciok'}")
        notes.add("uci", Verdict.WRONG, heard, remark=interview.lacking[0])
        raise _Gone
    interview.greeted()
    for line in _lines(heard):
        if line.startswith("option"):
            option = read_option(line)
            if option is None:
                notes.deviate("uci", f"an option that cannot be read: {quote(line)}")
            else:
                interview.options[option.name.lower()] = option
        elif line.startswith("id name "):
            interview.name = line.removeprefix("id name ").strip()
        elif line.startswith("id author "):
            interview.author = line.removeprefix("id author ").strip()
    if not interview.name:
        notes.deviate("uci", "no id name")
    notes.add("uci", Verdict.OK, heard, interview.name)


def _readiness(interview: _Interview) -> Probe[None]:
    """Test whether the engine answers `isready` with `readyok`, at first and after `ucinewgame`. It may take
    long for the first answer.
    """
    for trial in ("isready", "ucinewgame\nisready"):
        heard = yield from interview.ask(f"{trial}\n", "readyok", _GREETING_PATIENCE)
        name = trial.replace("\n", ", ")
        if not heard.complete:
            interview.lacking.append(f"{name}: {heard.ended or 'no readyok'}")
            interview.notes.add(name, Verdict.WRONG, heard, remark=interview.lacking[-1])
            raise _Gone
        interview.notes.add(name, Verdict.OK, heard)


def _form(interview: _Interview, name: str, command: str, limit: int) -> Probe[None]:
    """Request a first move by one form of `go`, and record whether the engine obeys it.

    Args:
        name: Name of the form, such as "nodes".
        command: The command with its values, such as "go nodes 1000".
        limit: Time limit of the form in ms; 0 if it has none.
    """
    heard = yield from interview.ask(f"position startpos\n{command}\n", "bestmove")
    if not heard.complete:
        remark = heard.ended or "no bestmove: this form is ignored"
        interview.notes.add(command, Verdict.LACKING, heard, remark=remark)
        if not heard.ended:
            yield from _stop(interview)
        return
    late = heard.took - heard.delay - limit * _MS if limit else 0
    flaw = _move_flaw(interview, heard)
    if late >= _MS:  # words tell whole ms
        interview.lateness = max(interview.lateness, late)
        interview.notes.deviate(command, f"took {heard.took // _MS} ms where {limit} ms are allowed")
    ignored = "" if flaw else _disobeyed(name, heard)
    if flaw:
        interview.lacking.append(f"{command}: {flaw}")
    elif not ignored and name != _UNSEEN:
        interview.forms.append(name)
    verdict = Verdict.WRONG if flaw else Verdict.LACKING if ignored else Verdict.OK
    interview.notes.add(command, verdict, heard, _best(heard), flaw or ignored)


def _disobeyed(name: str, heard: Heard) -> str:
    """Return how an engine's `info` lines contradict `go depth` or `go nodes`, or "".

    Ethereal 12.00 answers `go nodes 1000` after 6 nodes. Others check the limit every few thousand nodes.
    """
    told = {word: number for line in _lines(heard) for word, number in _figures(line)}
    number = told.get(name)
    if name == "depth" and number is not None and number != _DEPTH:
        return f"searched to depth {number}: this form is not obeyed"
    if name == "nodes" and number is not None and not _NODES // 4 <= number <= 20 * _NODES:
        return f"searched {number} nodes: this form is not obeyed"
    return ""


def _figures(line: str) -> Iterator[tuple[str, int]]:
    """Yield ("depth", number) and ("nodes", number) for the values in an `info` line of the engine."""
    words = line.partition(" string ")[0].partition(" pv ")[0].split()
    if words[:1] == ["info"] and "currmove" not in words:
        for word, value in pairwise(words):
            if word in ("depth", "nodes") and value.isascii() and value.isdigit() and len(value) < 18:
                yield word, int(value)


def _stop(interview: _Interview) -> Probe[Heard]:
    """Send `stop` to a thinking engine and wait for its move. An engine without an answer is replaced."""
    heard = yield Step(b"stop\n", _STOP_PATIENCE, _line_begins("bestmove"))
    if heard.complete:
        interview.greeted()
    else:
        interview.forget()
    return heard


def _stopping(interview: _Interview) -> Probe[None]:
    heard = yield from interview.ask("position startpos\ngo infinite\n", "bestmove", _THINKING)
    if heard.complete:
        interview.notes.deviate("go infinite", "sent a move before stop")
        return
    heard = yield from _stop(interview)
    verdict = Verdict.OK if heard.complete else Verdict.WRONG
    remark = "" if heard.complete else heard.ended or "no bestmove within 2s of stop"
    interview.notes.add("go infinite, stop", verdict, heard, _best(heard), remark)


def _best(heard: Heard) -> str:
    return next((line for line in reversed(_lines(heard)) if line.startswith("bestmove")), "")


def _move_flaw(interview: _Interview, heard: Heard) -> str:
    """Return why the move in an answer is wrong in the start position; "" if it is legal.

    If the probe has no rules of chess, any text that begins with a letter counts as legal.
    """
    words = _best(heard).split()
    text = words[1] if len(words) > 1 else ""
    rules = interview.rules
    if rules is None:
        return "" if text[:1].isalpha() else f"a move is due, got {quote(text)}"
    try:
        position = rules.start()
        (seat,) = rules.acting(position)
        rules.check(position, seat, rules.parse(text))
    except (IllegalMove, ValueError) as error:
        return f"an illegal move: {error}"
    return ""


def _scores(interview: _Interview) -> Probe[None]:
    """Test whether the engine's scores are its own or White's. In the test position Black is to move and has
    a won game.
    """
    heard = yield from interview.ask(f"ucinewgame\n{_BLACK_WINS}\ngo movetime 200\n", "bestmove")
    if not heard.complete and not heard.ended:
        yield from _stop(interview)
        heard = yield from interview.ask(f"{_BLACK_WINS}\ngo wtime 2000 btime 2000\n", "bestmove")
    told = [line.encode() for line in _lines(heard) if is_score(line.encode())]
    exact = [line for line in told if not is_bound(line)] or told
    said = read_info(exact[-1], white_view=False) if exact else None
    if said is None or not said.score:
        interview.notes.add("a won position", Verdict.LACKING, heard, remark="no score was told")
        return
    interview.score_side = "own" if said.score > 0 else "white"
    wrong = "" if said.score > 0 else "the score is White's: the protocol wants that of the side to move"
    verdict = Verdict.OK if said.score > 0 else Verdict.WRONG
    interview.notes.add("a won position", verdict, heard, exact[-1].decode("utf-8", "replace"), wrong)


def _variant(interview: _Interview) -> Probe[None]:
    """Test that an engine that declares Chess960 plays on after castling written as king takes rook."""
    if CHESS960 not in interview.options:
        return
    name = interview.options[CHESS960].name
    lines = f"setoption name {name} value true\n{_CASTLING} moves {_CASTLING_MOVE}\ngo movetime 200\n"
    heard = yield from interview.ask(lines, "bestmove")
    verdict = Verdict.OK if heard.complete else Verdict.WRONG
    remark = "" if heard.complete else heard.ended or "no bestmove after a castling move"
    interview.notes.add("UCI_Chess960", verdict, heard, _best(heard), remark)
    interview.forget()  # so that the rest is asked in standard chess


def _oddities(interview: _Interview) -> Probe[None]:
    """Send odd lines that engines must ignore, and a clock that has nearly run out."""
    for trial, data in (
        ("an unknown command", "gyoji-nonsense\nisready\n"),
        ("a line that ends with CR LF", "isready\r\n"),
        ("blank lines", "\n  \nisready\n"),
        ("stop while it does not think", "stop\nisready\n"),
    ):
        heard = yield from interview.ask(data, "readyok", _STOP_PATIENCE)
        remark = "" if heard.complete else heard.ended or "no readyok"
        if heard.complete and _best(heard):
            remark = "sent a move when nothing was asked"
        if remark and heard.ended:
            interview.notes.dies_of.append(trial)
        interview.notes.add(trial, Verdict.WRONG if remark else Verdict.OK, heard, remark=remark)
    heard = yield from interview.ask(f"position startpos\n{_NEARLY_OUT}\n", "bestmove")
    remark = "" if heard.complete else heard.ended or "no bestmove"
    interview.notes.add(_NEARLY_OUT, Verdict.WRONG if remark else Verdict.OK, heard, _best(heard), remark)
    if not heard.complete and not heard.ended:
        yield from _stop(interview)


def _good_bye(interview: _Interview) -> Probe[None]:
    yield from interview.ask("isready\n", "readyok", _STOP_PATIENCE)
    heard = yield Step(b"quit\n", _QUIT_PATIENCE)
    remark = "" if heard.ended else "still running after 2s"
    heard = heard._replace(complete=bool(heard.ended))
    interview.notes.add("quit", Verdict.WRONG if remark else Verdict.OK, heard, remark=remark)


def _findings(interview: _Interview) -> Findings:
    forms = interview.forms
    can = "; ".join(interview.lacking) or "can play"
    if not interview.lacking and not {"clock", "movetime"} & set(forms):
        can = "can play by depth or nodes alone" if forms else "answers no form of go"
    late = f"up to {interview.lateness // _MS} ms late" if interview.lateness else "in time"
    unfit = interview.lacking or ([] if forms else ["it answers no form of go"])
    name, author = interview.name, interview.author
    return Findings(
        name=name,
        description=f"{name} by {author}" if name and author else name,
        trials=tuple(interview.notes.trials),
        supports={
            "go": tuple(forms),
            "options": (", ".join(option.name for option in interview.options.values()),),
            "variants": ("standard", *(("chess960",) if CHESS960 in interview.options else ())),
            "scores": (interview.score_side,) if interview.score_side else (),
        },
        deviations=interview.notes.deviations,
        dies_of=tuple(interview.notes.dies_of),
        prospects=(("a game", can), ("its time", late)),
        unfit=tuple(unfit),
        settings={"score_side": "white"} if interview.score_side == "white" else {},
    )
