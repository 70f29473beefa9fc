"""Analysis of a finished game by a UCI engine, with several variations (`MultiPV`)."""

from gyoji.core.analysis import Analysed, AnalysisTask, CannotAnalyse, Told, prepared
from gyoji.core.messages import Evaluation
from gyoji.core.ports import needed
from gyoji.core.probe import Probe, Step
from gyoji.protocols.uci.codec import UciCodec
from gyoji.protocols.uci.game_rules import UciRules
from gyoji.protocols.uci.info import is_bound, is_score, read_info
from gyoji.protocols.uci.options import Options

_MS = 1_000_000
_GRACE = 10_000 * _MS  # an engine may be slow to stop, but not this slow


def analyse(options: Options, task: AnalysisTask, told: Told) -> Probe[str]:
    """Analyse each position of a game. Return why the engine cannot analyse it, or "".

    Args:
        told: Called with the analysis of each position as soon as it is complete.
    """
    rules: UciRules = needed(task.rules, UciRules, "uci", "chess")
    words = [rules.format(move) for _, move in rules.opening_plays]
    opening, count = len(words), f"setoption name MultiPV value {task.lines}\n"
    words += [rules.format(move) for turn in task.turns for _, move in turn]
    try:
        yield from prepared(UciCodec(options), task)
        for number, seat in task.open_positions():
            moves = " ".join(words[: opening + number])
            line = f"position fen {rules.start_fen}{' moves ' * bool(moves)}{moves}\n"
            go = f"{count}{line}go movetime {max(task.ns // _MS, 1)}\n"
            heard = yield Step(go.encode(), task.ns + _GRACE, _has_move)
            if not heard.complete:
                raise CannotAnalyse(heard.ended or "does not stop thinking")
            white_view = options.score_side == "white" and seat == 1
            told(Analysed(number, seat, read_variations(heard.said, task.lines, white_view=white_view)))
            count = ""
    except CannotAnalyse as error:
        return str(error)
    return ""


def _has_move(said: bytes) -> bool:
    return said.endswith(b"\n") and said[:-1].rpartition(b"\n")[2].startswith(b"bestmove")


def read_variations(said: bytes, most: int, *, white_view: bool) -> tuple[Evaluation, ...]:
    """Return the variations of the engine's last complete list, the best one first.

    An engine lists its variations by number, from 1, again and again as it searches deeper. If the engine was
    stopped, its last list may be incomplete. The list before is returned then, because a mixture of the two
    could have the same move twice. Scores that are only bounds are ignored.

    A list is recognised by its numbers and not by its depth. When Stockfish is stopped, it repeats all
    variations, and those that it has not searched again have the depth of the list before.

    Args:
        said: Output of the engine from "go" to "bestmove".
        most: Maximum number of variations to return.
        white_view: Whether scores have to be negated: see `read_info`.

    >>> lines = b'''info depth 1 multipv 1 score cp 20 pv e2e4
    ... info depth 1 multipv 2 score cp 10 pv d2d4 d7d5
    ... info depth 2 multipv 1 score cp 30 pv d2d4
    ... bestmove e2e4'''
    >>> [(each.score, each.pv) for each in read_variations(lines, 3, white_view=False)]
    [(20.0, ('e2e4',)), (10.0, ('d2d4', 'd7d5'))]
    """
    lists: list[dict[int, Evaluation]] = [{}]
    for line in said.splitlines():
        text = line.strip()
        number, bare = _variation(text)
        if not is_score(bare) or is_bound(bare):
            continue
        if (read := read_info(bare, white_view=white_view)) is not None and read.pv:
            if number == 1 or number < max(lists[-1], default=0):
                lists.append({})
            lists[-1][number] = read
    count = max(map(len, lists))
    last = next(each for each in reversed(lists) if len(each) == count)
    return tuple(last[number] for number in sorted(last)[:most])


def _variation(line: bytes) -> tuple[int, bytes]:
    """Return the number of an info line's variation, and the line without that number."""
    before, several, after = line.partition(b" multipv ")
    number, _, rest = after.partition(b" ")
    if not several or not number.isdigit() or len(number) > 3:
        return 1, line
    return int(number), before + b" multipv 1 " + rest
