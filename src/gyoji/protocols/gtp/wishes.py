"""Dialogues for what somebody wishes who plays against an engine: moves taken back, and advice.

An engine takes moves back by `undo`. One that knows no `undo`, or refuses it, is set up anew and told the
game from its beginning; GNU Go, for one, cannot take handicap stones back.

Advice is a move that is not made. `reg_genmove` is GTP's own way to it and `kata-search` KataGo's; any other
engine makes the move by `genmove` and takes it back.
"""

from collections.abc import Callable

from gyoji.core.messages import Advised, Move, Ready, Reply, Unsupported
from gyoji.core.text import quote
from gyoji.protocols.gtp.dialogues import Steps, refusal

_UNDO = "undo"
_SEARCHES = ("reg_genmove", "kata-search")


def take_back(undos: int | None, anew: Steps[Reply | None]) -> Steps[Reply | None]:
    """None once the engine's board is as it should be; else why it cannot be.

    undos: how many moves to take back, None where that is not the way.
    """
    if undos is not None:
        answers = yield (_UNDO,) * undos
        if all(is_success for is_success, _ in answers):
            return None
    return (yield from anew)


def set_up_anew(prepared: Steps[Reply], plays: tuple[str, ...]) -> Steps[Reply | None]:
    """As `take_back`: from the beginning of the game. plays: the commands for what has been played."""
    reply = yield from prepared
    if not isinstance(reply, Ready):
        return reply
    answers = (yield plays) if plays else []
    for command, (is_success, text) in zip(plays, answers, strict=True):
        if not is_success:
            return Unsupported(f"{refusal(command, text)}, when the game was set up anew")
    return None


def advise(colour: str, parse: Callable[[str], Move], astray: Callable[[], None]) -> Steps[Reply | None]:
    """The move that the engine would make for a colour. astray: called if it is left on its board."""
    for search in _SEARCHES:
        command = f"{search} {colour}"
        ((is_success, text),) = yield (command,)
        if is_success:
            return _advised(command, text, parse)
    command = f"genmove {colour}"
    ((is_success, text),) = yield (command,)
    if not is_success:
        return Unsupported(refusal(command, text))
    advised = _advised(command, text, parse)
    if advised.move is not None:
        ((is_success, _),) = yield (_UNDO,)
        if not is_success:
            astray()
    return advised


def _advised(command: str, text: str, parse: Callable[[str], Move]) -> Advised:
    if text.lower() == "resign":
        return Advised(None, "it would resign")
    try:
        return Advised(parse(text))
    except ValueError:
        return Advised(None, f"answered {command} with {quote(text)}, expected a move")
