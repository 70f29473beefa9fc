"""Analysis of a finished game by a GTP engine that knows `kata-analyze` or `lz-analyze`.

With either command the engine prints a line with all candidate moves again and again, until the next command
arrives. An engine without these commands cannot analyse.
"""

import re
from collections.abc import Sequence

from gyoji.core.analysis import Analysed, AnalysisTask, CannotAnalyse, Told, prepared, told_turn
from gyoji.core.messages import Evaluation
from gyoji.core.probe import Probe, Step
from gyoji.protocols.gtp.analysis import KATA_ANALYZE, LZ_ANALYZE, read_candidates
from gyoji.protocols.gtp.codec import GtpCodec
from gyoji.protocols.gtp.options import Options

_COMMANDS = (("kata-analyze", KATA_ANALYZE), ("lz-analyze", LZ_ANALYZE))
_INTERVAL = 20  # hundredths of a second between two lines
_PATIENCE = 10 * 10**9
_STOP = b"protocol_version\n"
_STOPPED = re.compile(rb"=\s*\d+[ \t]*\r?\n\r?\n$")


def analyse(options: Options, task: AnalysisTask, told: Told) -> Probe[str]:
    """Analyse each position of a game. Return why the engine cannot analyse it, or "".

    Args:
        told: Called with the analysis of each position as soon as it is complete.
    """
    codec = GtpCodec(options)
    known: Sequence[tuple[str, str]] = _COMMANDS
    done, has_told = 0, False
    try:
        yield from prepared(codec, task)
        for number, seat in task.open_positions():
            while done < number:
                yield from told_turn(codec, task, done)
                done += 1
            known, lines = yield from _ask(known, seat, task)
            if not (lines or has_told):
                raise CannotAnalyse(f"{known[0][0]}: tells no evaluation")
            has_told = True
            told(Analysed(number, seat, lines))
    except CannotAnalyse as error:
        return str(error)
    return ""


def _ask(
    known: Sequence[tuple[str, str]], seat: int, task: AnalysisTask
) -> Probe[tuple[Sequence[tuple[str, str]], tuple[Evaluation, ...]]]:
    """Analyse a position with the first command that the engine accepts.

    Args:
        known: (command, form of its output) for each command to try.
        seat: The seat to move.

    Returns:
        (the accepted command in the form of `known`, the variations)
    """
    for command, form in known:
        heard = yield Step(f"{command} {'bw'[seat]} {_INTERVAL}\n".encode(), task.ns, _is_refused)
        if heard.complete:
            continue
        rest = yield Step(_STOP, _PATIENCE, lambda said: _STOPPED.search(said) is not None)
        if not rest.complete:
            raise CannotAnalyse(rest.ended or f"{command}: does not stop at the next command")
        text = (heard.said + rest.said).decode("utf-8", "replace")
        return ((command, form),), read_candidates(text, form, task.lines)
    raise CannotAnalyse("knows neither kata-analyze nor lz-analyze")


def _is_refused(said: bytes) -> bool:
    return said.lstrip().startswith(b"?") and said.endswith((b"\n\n", b"\n\r\n"))
