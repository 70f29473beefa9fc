"""Players who are persons: they have no command, and all the time that their clock gives them.

Of a team with several seats a person may play all, or share them with a program or a second person:

    human = true                                    all seats
    human = true, partner = "gyoji-horidashi"       the first; the program the others
    human = true, partner = { human = true }        the first; a second person the others
    command = "...", partner = { human = true }     the program the first; a person the others
"""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

from gyoji.config.values import BAD
from gyoji.core.spec import PERSON, Budgets, Containment, Player
from gyoji.core.text import parse_duration

KEYS = ("human", "partner", "clock", "resources")
"""The settings that a person may have."""

_PATIENCE = parse_duration("400h")
PATIENT = Budgets(startup=_PATIENCE, move=_PATIENCE, score=_PATIENCE)
"""How long a person may think where no clock says it; epoll waits for less than 25 days."""


def is_second_person(partner: Any, complain: Callable[[str, str], object]) -> bool:
    """Whether the `partner` of a table says that a person plays the other seats. Another table than the one
    that says so is told, and taken for it."""
    if isinstance(partner, Mapping) and (len(partner) != 1 or partner.get("human") is not True):
        complain("partner", "expected a command, or { human = true } for a person with a link of its own")
    return isinstance(partner, Mapping)


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
    return person(code, values)


def person(code: str, values: Mapping[str, Any], *, is_mate: bool = False) -> Player:
    """A person with these settings; is_mate: in the other seats of the team."""
    return Player(
        is_mate=is_mate,
        code=code,
        command=(PERSON,),
        protocol=PERSON,
        executor=PERSON,
        containment=Containment(level="off"),
        clock=values.get("clock"),
        resources=MappingProxyType(dict(values.get("resources", {}))),
        budgets=PATIENT,
    )
