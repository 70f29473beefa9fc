"""Points that are forbidden to Black in renju: overlines, double fours and double threes.

As the Renju International Federation defines them. A three counts only if the move that makes it a straight
four is itself allowed and makes no five elsewhere; that question ends, for it only adds stones.
"""

from gyoji.engines.narabe_lines import BLACK, Glance, Lines, Position, points, spread


def suspects(black: int, glance: Glance) -> int:
    """Empty points that may be forbidden; no other point is. glance: Black's."""
    once = twice = over = 0
    for row in glance.rows:
        step, threes = row.step, spread(row.twos, row.step)
        twice |= once & threes
        once |= threes
        over |= black << step & black >> step & (black << 2 * step | black >> 2 * step)
    return twice | over | glance.fours


def is_forbidden(lines: Lines, position: Position, point: int, glance: Glance | None = None) -> bool:
    """Whether renju forbids a stone on that empty point. glance: the mover's, if it is there already.

    A move that makes a five is always allowed.
    """
    if not lines.renju or position.colour != BLACK:
        return False
    glance = glance or lines.glance(position)
    if glance.fives >> point & 1 or not suspects(position.own, glance) >> point & 1:
        return False
    after = position._replace(own=position.own | 1 << point)
    if any(run.bit_count() > 5 for run in lines.runs(after.own, point)):
        return True
    glance = lines.glance(after)
    return _fours(lines, after, point, glance) >= 2 or _threes(lines, after, point, glance) >= 2


def _fours(lines: Lines, position: Position, point: int, glance: Glance) -> int:
    """How many fours the stone on `point` is part of."""
    empty, count = lines.empty(position), 0
    for row in glance.rows:
        found = row.fours & _windows_of(1 << point, row.step)
        # a straight four is two windows, but one set of stones
        count += found.bit_count() - (found & found >> row.step & empty & empty >> 5 * row.step).bit_count()
    return count


def _threes(lines: Lines, position: Position, point: int, glance: Glance) -> int:
    """In how many directions the stone on `point` is part of a three."""
    empty, count = lines.empty(position), 0
    for row in glance.rows:
        step = row.step
        straight = row.threes & row.threes >> step & empty & empty >> 5 * step
        # the windows in which the stone is the second to fifth point
        for start in points(straight & _windows_of(1 << point, step) & ~(1 << point)):
            (last,) = points(spread(1 << start, step) & ~(1 << start) & empty)
            if not glance.fives >> last & 1 and not is_forbidden(lines, position, last, glance):
                count += 1
                break
    return count


def _windows_of(stone: int, step: int) -> int:
    """The windows that contain a point."""
    found = stone | stone >> step
    found |= found >> 2 * step
    return found | stone >> 4 * step
