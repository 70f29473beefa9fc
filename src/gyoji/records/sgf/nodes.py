"""The moves of a game of Go as SGF nodes: the move, the time its player has left, what was said of it.

This is all of a record that grows with the game, and so the part that has to be fast.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from gyoji.core.clocks import Clock, TimeControl
from gyoji.core.record import Played
from gyoji.records.sgf.points import vertex_letters
from gyoji.records.sgf.values import format_text

HANDICAP = "handicap"
"""The phase in which free handicap stones are placed. They belong to the root (AB) and are no moves."""

_CONTROLS = dict.fromkeys((*range(9), *range(11, 32), 127))
"""Control characters, which engines may send and viewers may choke on; not tab and line feed."""


def move_pieces(
    played: Iterable[Played], controls: Sequence[TimeControl], *, width: int, height: int
) -> list[str]:
    """The text of the nodes, cut where a line may end. Raises KeyError for what is no vertex of the board.

    controls: of each seat; times are written when one of them can run out over several moves. Where a phase
    begins, its first move's comment begins with that.
    """
    nodes = _nodes(width, height)
    clocks: list[Clock | None] = [control.start() for control in controls]
    is_timed = any(control.has_main for control in controls)
    pieces: list[str] = []
    times: tuple[str, ...] = ()
    current = ""
    for seat, vertex, ns, comment, phase, _ in played:
        if is_timed:
            before = clocks[seat]
            clocks[seat] = after = controls[seat].spend(before, ns) if before else None
            times = _times("BW"[seat], controls[seat], after)
        if phase == HANDICAP:
            continue
        pieces.append(nodes[seat][vertex])
        pieces += times
        if phase != current:
            current = phase
            comment = "\n\n".join(filter(None, (phase and f"{phase} begins", comment)))  # noqa: PLW2901
        if comment:
            pieces.append(f"C[{format_comment(comment)}]")
    return pieces


def format_comment(words: str) -> str:
    """The raw Text value of what an engine or we said, without control characters."""
    return format_text(words if words.isprintable() else words.translate(_CONTROLS))


@cache
def _nodes(width: int, height: int) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """For each seat: vertex -> the beginning of the node."""
    letters = vertex_letters(width, height).items()
    black, white = ({vertex: f";{colour}[{point}]" for vertex, point in letters} for colour in "BW")
    return black, white


def _times(colour: str, control: TimeControl, clock: Clock | None) -> tuple[str, ...]:
    """BL or WL: seconds left; in byo-yomi those of the period, and OB or OW: stones or periods left."""
    if clock is None or not control.has_main:
        return ()
    if not clock.in_byo_yomi:
        return (f"{colour}L[{_seconds(max(clock.main, 0))}]",)
    left = clock.stones if control.stones > 1 else clock.periods
    return f"{colour}L[{_seconds(clock.period)}]", f"O{colour}[{left}]"


def _seconds(ns: int) -> str:
    """Seconds to the millisecond, as short as can be."""
    whole, rest = divmod(ns // 1_000_000, 1000)
    return f"{whole}.{rest:03}".rstrip("0") if rest else str(whole)
