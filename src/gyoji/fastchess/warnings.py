"""fastchess's warnings about an engine's output in a game. A worker of fishtest aborts its task at a warning.

fastchess warns about each faulty variation. gyoji reports each kind of fault once per game and engine: for
the last `info` line before the first move with such a variation.
"""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from gyoji.core.game import make_options
from gyoji.core.outcome import Ending
from gyoji.core.record import GameRecord, GameResult
from gyoji.core.spec import GameSpec
from gyoji.games.chess import variations
from gyoji.games.chess.game_options import Options, rules

_SIDES = ("White", "Black")
_MATING = frozenset((variations.TOO_SHORT, variations.TOO_LONG, variations.WITHOUT_MATE))
_WORDS: Mapping[str, str] = MappingProxyType(
    {
        variations.ILLEGAL: "Illegal PV move - move {move} from {name}",
        variations.AFTER_REPETITION: "PV continues after threefold repetition - move {move} from {name}",
        variations.AFTER_FIFTY: "PV continues after fifty-move rule - move {move} from {name}",
        variations.AFTER_MATE: "PV continues after checkmate - move {move} from {name}",
        variations.AFTER_STALEMATE: "PV continues after stalemate - move {move} from {name}",
        variations.TOO_SHORT: "Incomplete mating PV - from {name}",
        variations.TOO_LONG: "Too long mating PV - from {name}",
        variations.WITHOUT_MATE: "Mating PV does not end with checkmate - from {name}",
        variations.OTHER_MOVE: "Bestmove does not match beginning of last PV - move {move} from {name}",
    }
)


def warning_lines(
    spec: GameSpec, record: GameRecord, *, mates: bool = False, one_line: bool = False
) -> Iterator[str]:
    """Yield the warnings about a game.

    Args:
        mates: Whether mating variations must have the length of the mate (`-check-mate-pvs`).
        one_line: Whether to write a warning and its position on one line (`-testEnv`).
    """
    result = record.result
    between = " :: " if one_line else "\n"
    for name, engine in zip(result.players, result.engines, strict=True):
        for flaws in engine.variations:
            if mates or flaws.kind not in _MATING:
                text = _WORDS[flaws.kind].format(move=flaws.move, name=name)
                yield between.join((f"Warning; {text}", *_place(spec, record, flaws.turn)))
    for text, turn in _mismatches(record):
        yield between.join((f"Warning; {text}", *_place(spec, record, turn)))
    yield from _illegal(result, "" if record.refused is None else record.refused.move)


def _place(spec: GameSpec, record: GameRecord, turn: int) -> Sequence[str]:
    """Return two lines that describe the position after `turn` turns of a game."""
    made = rules(make_options(Options, spec.options))
    moves = [move for _, move in made.opening_plays] + [move for ((_, move, *_),) in record.turns[:turn]]
    return f"Position; fen {made.start_fen}", f"Moves; {' '.join(moves)}"


def _mismatches(record: GameRecord) -> Iterator[tuple[str, int]]:
    """Yield a warning wherever the mate scores of the two engines in successive turns have the same sign.

    One of them is wrong then: both engines claim to mate, or both to be mated.

    Yields:
        (text of the warning, number of turns before the position to be printed with it)
    """
    names = record.result.players
    said = {each.turn: each for each in record.opinions if each.evaluation.mate is not None}
    for turn, us in said.items():
        them = said.get(turn - 1)
        if them is None or them.seat == us.seat:
            continue
        theirs, ours = them.evaluation.mate or 0, us.evaluation.mate or 0
        if theirs * ours > 0:
            first, second = (f"{names[each.seat]} ({_SIDES[each.seat]})" for each in (them, us))
            yield f"Sign mismatch in mate scores {theirs} and {ours} from {first} and {second}", turn + 1


def _illegal(result: GameResult, move: str) -> Iterator[str]:
    outcome = result.outcome
    if outcome.ending not in (Ending.ILLEGAL_MOVE, Ending.ILL_FORMED_MOVE) or outcome.seat is None:
        return
    name = result.players[outcome.seat]
    if outcome.ending is Ending.ILL_FORMED_MOVE:
        move = move or outcome.detail.partition("ill-formed move ")[2].partition(";")[0].strip("'\"")
        yield (
            "Warning; Move does not match uci move format, lowercase and 4/5 chars."
            f" Move {move} played by {name}"
        )
    yield f"Warning; Illegal move {move or '<none>'} played by {name}"
