"""Whether an engine is the one that is meant: what it answers to a line, which is to be the same everywhere.

A build with other options, another version, or a machine that computes wrongly gives another answer.
"""

import re
from functools import partial

from gyoji.core.faults import Breakdown
from gyoji.core.probe import Probe, Step
from gyoji.core.spec import Player, Signature
from gyoji.core.text import printable, quote
from gyoji.play.context import WorkerContext
from gyoji.play.probing import carry_out

_STATUS = re.compile(r"[=?][0-9]*(?: |$)")
"""How an answer in GTP begins."""


def signature_problem(player: Player, *, context: WorkerContext | None = None) -> str:
    """Why an engine of the player is not the one that is meant, "" if it is; call it from the main thread.

    context: where it is to be started, if others are too; it stays.
    """
    if player.signature is None:
        return ""
    try:
        return carry_out(_asking(player.signature), player, context=context)
    except Breakdown as error:
        return f"signature: {error}"


def _asking(signature: Signature) -> Probe[str]:
    """The one question, and what is wrong with the answer."""
    until = partial(_is_complete, signature.expect)
    heard = yield Step(f"{signature.send}\n".encode(), None, until)
    lines = _lines(heard.said)
    if signature.expect in lines:
        return ""
    got = quote(printable(lines[-1], 100)) if lines else "nothing"
    ended = f" and {heard.ended}" if heard.ended else ""
    return (
        f"signature: expected {quote(signature.expect)} as the answer to {quote(signature.send)}, "
        f"got {got}{ended}: this is another engine than is meant, or a machine that computes wrongly"
    )


def _is_complete(expect: str, said: bytes) -> bool:
    """Whether the answer is there, or nothing more comes: GTP ends a whole answer with an empty line."""
    if said.lstrip()[:1] in (b"=", b"?") and said.endswith((b"\n\n", b"\n\r\n")):
        return True
    return expect in _lines(said[: said.rfind(b"\n") + 1])


def _lines(said: bytes) -> list[str]:
    """The lines of an answer, without what GTP puts in front, and without empty ones."""
    lines = said.decode("utf-8", "replace").splitlines()
    return [told for line in lines if (told := _STATUS.sub("", line.strip(), count=1).strip())]
