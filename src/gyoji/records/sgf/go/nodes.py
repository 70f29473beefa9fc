"""The moves of a game of Go as SGF nodes: the move, the time its player has left, what was said of it.

This is all of a record that grows with the game, and so the part that has to be fast.
"""

from collections.abc import Iterable, Mapping
from functools import cache

from gyoji.core.record import Played
from gyoji.records.sgf.go.moves import vertex_letters
from gyoji.records.sgf.root import format_comment
from gyoji.records.sgf.timing import Timing

DEAD_STONES = "DEAD"
"""Our own property of the root: how it was settled which stones are dead (`GameResult.settled`)."""

HANDICAP = "handicap"
"""The phase in which free handicap stones are placed. They belong to the root (AB) and are no moves."""


def move_pieces(played: Iterable[Played], timing: Timing, *, width: int, height: int) -> list[str]:
    """The text of the nodes, cut where a line may end. Raises KeyError for what is no vertex of the board.

    Times are written when one of the clocks can run out over several moves. Where a phase begins, its first
    move's comment begins with that.
    """
    nodes = _nodes(width, height)
    is_timed = timing.is_told
    pieces: list[str] = []
    times: tuple[str, ...] = ()
    current = ""
    for seat, vertex, ns, comment, phase, _ in played:
        if is_timed:
            times = timing.after(seat, ns, "BW"[seat])
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


@cache
def _nodes(width: int, height: int) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """For each seat: vertex -> the beginning of the node."""
    letters = vertex_letters(width, height).items()
    black, white = ({vertex: f";{colour}[{point}]" for vertex, point in letters} for colour in "BW")
    return black, white
