"""What other processes may tell a run while it goes on, as plain objects; the socket is that of `control`.

``{"do": "status"}``, ``{"do": "stop"}``, ``{"do": "pause"}``, ``{"do": "resume"}``, ``{"do": "reload"}``,
``{"do": "parallel", "games": 3}``. The answer to whatever was done says how the run is afterwards.
"""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from gyoji.core.faults import ConfigError
from gyoji.core.text import quote

MOST_AT_ONCE = 1023


class Steered(Protocol):
    """What a run lets others do. Raises ConfigError for what cannot be done."""

    def request_stop(self) -> None: ...
    def pause(self) -> None: ...
    def resume(self) -> None: ...
    def reload(self) -> None: ...
    def set_parallel(self, slots: int) -> None: ...
    def status(self) -> Mapping[str, Any]: ...


def obey(run: Steered, command: Mapping[str, Any]) -> Mapping[str, Any]:
    """Do what a command says, and the answer to it: has "ok", and "error" where that is false."""
    actions: dict[str, Callable[[], None]] = {
        "status": _nothing,
        "stop": run.request_stop,
        "pause": run.pause,
        "resume": run.resume,
        "reload": run.reload,
        "parallel": lambda: run.set_parallel(_slots(command.get("games"))),
    }
    what = command.get("do")
    action = actions.get(what) if isinstance(what, str) else None
    if action is None:
        return {"ok": False, "error": f"no command {quote(str(what))}; there are: {', '.join(actions)}"}
    try:
        action()
    except ConfigError as error:
        return {"ok": False, "error": str(error)}
    return {"ok": True, **run.status()}


def _nothing() -> None:
    """Status is told with every answer."""


def _slots(given: Any) -> int:
    if type(given) is not int or not 1 <= given <= MOST_AT_ONCE:
        raise ConfigError(f"games: expected a number from 1 to {MOST_AT_ONCE}, got {quote(str(given))}")
    return given
