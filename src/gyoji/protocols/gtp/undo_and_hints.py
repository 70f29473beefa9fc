"""Dialogues with a GTP engine for undoing moves and for hints.

Moves are taken back by `undo`. An engine that lacks or refuses `undo` is set up again and sent the game from
its beginning; GNU Go, for example, cannot undo handicap stones.

A hint is a move that is not made. GTP's command for it is `reg_genmove`, KataGo's is `kata-search`. Other
engines make the move by `genmove` and undo it.
"""

from collections.abc import Callable

from gyoji.core.messages import Hint, Move, Ready, Reply, Unsupported
from gyoji.core.text import quote
from gyoji.protocols.gtp.dialogues import Steps, refusal

_UNDO = "undo"
_SEARCHES = ("reg_genmove", "kata-search")


def take_back(undos: int | None, anew: Steps[Reply | None]) -> Steps[Reply | None]:
    """Undo moves, or set up the game again. Return None on success, else the reply that reports the failure.

    Args:
        undos: Number of moves to undo; None to set up the game again at once.
        anew: The dialogue that sets up the game again.
    """
    if undos is not None:
        answers = yield (_UNDO,) * undos
        if all(is_success for is_success, _ in answers):
            return None
    return (yield from anew)


def set_up_anew(prepared: Steps[Reply], plays: tuple[str, ...]) -> Steps[Reply | None]:
    """Set up the game again. Return None on success, else the reply that reports the failure.

    Args:
        prepared: The dialogue that sets up the game.
        plays: The commands for the moves so far.
    """
    reply = yield from prepared
    if not isinstance(reply, Ready):
        return reply
    answers = (yield plays) if plays else []
    for command, (is_success, text) in zip(plays, answers, strict=True):
        if not is_success:
            return Unsupported(f"{refusal(command, text)}, when the game was set up anew")
    return None


def ask_hint(colour: str, parse: Callable[[str], Move], astray: Callable[[], None]) -> Steps[Reply | None]:
    """Ask which move the engine would make for a colour.

    Args:
        parse: Parses one vertex; raises ValueError.
        astray: Called if the engine has made the move and could not undo it, so that the engine's board is
            wrong.
    """
    for search in _SEARCHES:
        command = f"{search} {colour}"
        ((is_success, text),) = yield (command,)
        if is_success:
            return _hint(command, text, parse)
    command = f"genmove {colour}"
    ((is_success, text),) = yield (command,)
    if not is_success:
        return Unsupported(refusal(command, text))
    hint = _hint(command, text, parse)
    if hint.move is not None:
        ((is_success, _),) = yield (_UNDO,)
        if not is_success:
            astray()
    return hint


def _hint(command: str, text: str, parse: Callable[[str], Move]) -> Hint:
    if text.lower() == "resign":
        return Hint(None, "it would resign")
    try:
        return Hint(parse(text))
    except ValueError:
        return Hint(None, f"answered {command} with {quote(text)}, expected a move")
