"""Players who are persons: they have no command, and all the time that their clock gives them."""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

from gyoji.config.values import BAD
from gyoji.core.spec import PERSON, Budgets, Containment, Player
from gyoji.core.text import parse_duration

KEYS = ("human", "clock", "resources")
"""The settings that a person may have."""

_PATIENCE = parse_duration("400h")
PATIENT = Budgets(startup=_PATIENCE, move=_PATIENCE, score=_PATIENCE)
"""How long a person may think where no clock says it; epoll waits for less than 25 days."""


def read_person(
    code: str, given: Iterable[str], values: Mapping[str, Any], complain: Callable[[str, str], object]
) -> Player | None:
    """The player; None if something is wrong. given: the keys of its table; values: of those that are known,
    `BAD` for a wrong one, which has been told. complain: told a key and what is wrong with it."""
    others = [key for key in given if key not in KEYS]
    for key in others:
        complain(key, f"a person has none; there are {', '.join(KEYS)}")
    if others or BAD in values.values():
        return None
    return Player(
        code=code,
        command=(PERSON,),
        protocol=PERSON,
        executor=PERSON,
        containment=Containment(level="off"),
        clock=values.get("clock"),
        resources=MappingProxyType(dict(values.get("resources", {}))),
        budgets=PATIENT,
    )
