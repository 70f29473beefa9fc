"""Conformance kits: each checks an implementation of a port (a protocol class of gyoji) against its
promises.
"""

from collections.abc import Mapping

from gyoji.core import messages as m

PLAIN_REPLIES: Mapping[type, m.Reply] = {
    m.NewGame: m.Ready(can_score=False, knows_rules=True, tells_dead=False),
    m.TellMoves: m.Acknowledged(),
    m.AskScore: m.Scored(),
    m.Quit: m.HasQuit(),
}
"""What a seat without opinions replies to each request but a question for a move."""


def demand(holds: object, what: str, where: str = "") -> None:
    """Raise AssertionError with the message `where` + `what` if `holds` is false."""
    if not holds:
        raise AssertionError(where + what)
