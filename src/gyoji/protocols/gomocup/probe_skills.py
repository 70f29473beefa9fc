"""Skills of a brain: the swap2 opening, the rules that it plays by, keeping to its time."""

from collections.abc import Mapping
from types import MappingProxyType

from gyoji.core.probe import Probe, Verdict
from gyoji.protocols.gomocup.lines import Kind
from gyoji.protocols.gomocup.probe_asking import (
    OPTIONAL_PATIENCE,
    Answer,
    Known,
    board,
    infos,
    move,
    start,
)
from gyoji.protocols.gomocup.probe_positions import LEAGUES, MS, OF_RULE, QUIET, TOLERANCE, Point, Position

RULES: Mapping[int, str] = MappingProxyType(
    {0: "freestyle", 1: "standard", 4: "Renju", 8: "Caro, six wins", 9: "Caro"}
)

_THREE = ("7,7", "8,7", "9,9")
_FIVE = (*_THREE, "8,8", "8,6")


def try_swap2(known: Known, side: int) -> Probe[None]:
    """The three questions; a brain that has no answer to the first does not know the command."""
    known.facts.swap2 = ""
    for trial, points, counts in (
        ("SWAP2BOARD, the first stones", (), (3,)),
        ("SWAP2BOARD, three stones", _THREE, (1, 2)),
        ("SWAP2BOARD, five stones", _FIVE, (1,)),
    ):
        if (yield from _ask_swap2(known, side, trial, points, counts)):
            continue
        coloured = tuple(f"{point},{place % 2 + 1}" for place, point in enumerate(points))
        if points and (yield from _ask_swap2(known, side, f"{trial} with colours", coloured, counts)):
            known.notes.deviate("SWAP2BOARD", "wants the colours of the stones (see swap2_colours)")
            continue
        known.facts.swap2 = f"{trial}: no answer" if points else "SWAP2BOARD: not supported"
        return
    known.facts.commands.append("SWAP2BOARD")


def _ask_swap2(
    known: Known, side: int, trial: str, points: tuple[str, ...], counts: tuple[int, ...]
) -> Probe[bool]:
    """Whether there is an answer: as many free points as are due, or SWAP after stones."""
    lines = (*infos(1), "SWAP2BOARD", *points, "DONE")
    yield from start(f"START {side}")
    answer = yield from move(*lines, patience=OPTIONAL_PATIENCE, linger=100 * MS)
    placed = answer.points()
    if points and answer.is_swap:
        known.notes.answer(trial, Verdict.OK, answer)
        return True
    if placed is None or answer.line(Kind.ERROR) is not None:
        unknown = sum(line.kind is Kind.UNKNOWN for line in answer.lines)
        remark = f"{unknown} lines, one for each that it was sent" if unknown > 1 else answer.trouble
        known.notes.answer(trial, Verdict.LACKING, answer, remark)
        return False
    taken = {tuple(map(int, point.split(",")[:2])) for point in points}
    is_on_board = all(0 <= x < side and 0 <= y < side for x, y in placed)
    if len(placed) not in counts or not is_on_board or len({*placed} - taken) < len(placed):
        due = " or ".join(map(str, counts))
        remark = f"due: {due}, on free points{'; or SWAP' if points else ''}"
        known.notes.answer(trial, Verdict.WRONG, answer, remark)
        return False
    known.notes.answer(trial, Verdict.OK, answer)
    return True


def try_rules(known: Known, sides: list[int]) -> Probe[None]:
    games = [(league.width, league.rule) for league in LEAGUES if league.width in sides]
    usual = 15 if 15 in sides else sides[0]
    games += [(usual, rule) for rule in RULES if rule not in {rule for _, rule in games}]
    for side, rule in dict.fromkeys(games):
        yield from _try_rule(known, side, rule)


def _try_rule(known: Known, side: int, rule: int) -> Probe[None]:
    """Show it the positions of a rule; a slow brain each once, and none after one in which it has failed."""
    trial = f"INFO rule {rule} ({RULES[rule]}), {side}x{side}"
    is_slow = known.facts.is_slow
    shown = traps = silent = 0
    for position in OF_RULE[rule][:: 2 if is_slow else 1]:
        answer = yield from _show(position, side, rule)
        points = answer.points()
        if not points or answer.line(Kind.ERROR) is not None:
            verdict = Verdict.WRONG if answer.trouble else Verdict.LACKING
            known.notes.answer(trial, verdict, answer, answer.trouble)
            known.facts.rules[side, rule] = f"rule {rule}: {answer.refusal}"
            return
        shown += 1
        if points[0] == position.on(side).trap:
            traps += 1
            if is_slow:
                break
        elif not (yield from _shows_the_rule(position, side, points[0])):
            silent += 1
    known.facts.rules[side, rule] = ""
    if traps:
        remark = f"plays by another rule in {traps} of {shown} positions"
        known.facts.rules[side, rule] = f"rule {rule}: {remark}"
        known.notes.answer(trial, Verdict.LACKING, answer, remark)
    elif silent:
        known.facts.untold.add((side, rule))
        known.notes.answer(trial, Verdict.UNCLEAR, answer, f"no sign of it in {silent} of {shown} positions")
    else:
        known.notes.answer(trial, Verdict.OK, answer)


def _show(position: Position, side: int, rule: int) -> Probe[Answer]:
    yield from start(f"START {side}")
    return (yield from move(*infos(rule), *board(position.on(side).stones)))


def _shows_the_rule(position: Position, side: int, answered: Point) -> Probe[bool]:
    """Whether that answer, which is not the trap, shows that a brain knows the rule.

    Where nothing is due, it shows that if by freestyle the brain walks into the trap.
    """
    at = position.on(side)
    if at.due is not None:
        return answered == at.due
    freely = yield from _show(position, side, 0)
    points = freely.points()
    return points is not None and points[0] == at.trap


def try_clock(known: Known, side: int) -> Probe[None]:
    """Whether it moves in the time it is told, in a position where there is something to think about."""
    stones, facts = QUIET.on(side).stones, known.facts
    for trial, limit, told in (
        ("1 s a turn", 1000, infos(turn=1000)),
        ("0.3 s left of the match", 300, infos(turn=5000, match=100_000, left=300)),
        ("0 s a turn: as fast as it can", 0, infos(turn=0)),
    ):
        yield from start(f"START {side}")
        answer = yield from move(*told, *board(stones))
        moved = known.notes.move(trial, answer, (side, side), stones, limit=limit)
        took = answer.heard.took // MS
        if limit and took > limit + TOLERANCE:
            facts.slowest = max(facts.slowest, took)
        elif limit and moved is None:
            facts.doubts.append(f"it may lose when short of time ({trial}: {known.notes.trials[-1].remark})")
    if facts.slowest:
        facts.doubts.append("it does not keep to its time, and may lose by that")
