"""Check that an engine is the intended one, by its answer to one line.

Another build, another version, or a machine that computes wrongly gives a different answer.
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
"""The beginning of a GTP answer."""


def signature_problem(player: Player, *, context: WorkerContext | None = None) -> str:
    """Return why a player's engine is not the intended one, or "". Must be called from the main thread.

    Args:
        context: Context to start the engine in; it stays open. None for a new one.
    """
    if player.signature is None:
        return ""
    try:
        return carry_out(_asking(player.signature), player, context=context)
    except Breakdown as error:
        return f"signature: {error}"


def _asking(signature: Signature) -> Probe[str]:
    """Ask the question and return what is wrong with the answer."""
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
    """Return whether the expected line is there, or an empty line ends the answer as in GTP."""
    if said.lstrip()[:1] in (b"=", b"?") and said.endswith((b"\n\n", b"\n\r\n")):
        return True
    return expect in _lines(said[: said.rfind(b"\n") + 1])


def _lines(said: bytes) -> list[str]:
    """Return the lines of an answer without GTP's prefix and without empty lines."""
    lines = said.decode("utf-8", "replace").splitlines()
    return [told for line in lines if (told := _STATUS.sub("", line.strip(), count=1).strip())]
