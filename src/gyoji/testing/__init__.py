"""Conformance kits: each kit checks an implementation of one of gyoji's ports."""

from collections.abc import Mapping

from gyoji.core import messages as m

PLAIN_REPLIES: Mapping[type, m.Reply] = {
    m.NewGame: m.Ready(can_score=False, knows_rules=True, tells_dead=False),
    m.TellMoves: m.Acknowledged(),
    m.AskScore: m.Scored(),
    m.Quit: m.HasQuit(),
}
"""The reply of a seat without opinions to each request except a request for a move."""


def demand(holds: object, what: str, where: str = "") -> None:
    """Raise AssertionError with the message `where` + `what` if `holds` is false."""
    if not holds:
        raise AssertionError(where + what)
