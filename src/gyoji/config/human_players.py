"""Reads human players, which have no command and no budgets of time besides their clock.

A human player of a team with several seats may play all of them, or share them with a program or a second
human player:

    human = true                                    all seats
    human = true, partner = "gyoji-horidashi"       the first; the program the others
    human = true, partner = { human = true }        the first; a second human player the others
    command = "...", partner = { human = true }     the program the first; a human player the others
"""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

from gyoji.config.reader import Rejected
from gyoji.core.spec import PERSON, Budgets, Containment, Player
from gyoji.core.text import parse_duration

KEYS = ("human", "partner", "clock", "resources")
"""The settings that a human player may have."""

_PATIENCE = parse_duration("400h")
PATIENT = Budgets(startup=_PATIENCE, move=_PATIENCE, score=_PATIENCE)
"""The budgets of a human player without a clock: 400 h, because epoll waits for less than 25 days."""


def is_second_person(partner: Any, complain: Callable[[str, str], object]) -> bool:
    """Return whether the setting `partner` describes a second human player: whether it is a table.

    Args:
        partner: The raw value of the setting.
        complain: Called with a key and a mistake if the table is not `{ human = true }`.
    """
    if isinstance(partner, Mapping) and (len(partner) != 1 or partner.get("human") is not True):
        complain("partner", "expected a command, or { human = true } for a person with a link of its own")
    return isinstance(partner, Mapping)


def read_person(
    code: str, given: Iterable[str], values: Mapping[str, Any], complain: Callable[[str, str], object]
) -> Player:
    """Return a human player, from its table in the control file.

    Args:
        code: The player's code.
        given: The keys of the table.
        values: The values of known keys, without wrong ones.
        complain: Called with a key and its mistake.

    Raises:
        Rejected: A setting is wrong, or not one of human players.
    """
    others = [key for key in given if key not in KEYS]
    for key in others:
        complain(key, f"a person has none; there are {', '.join(KEYS)}")
    if others or any(key not in values for key in given if key != "partner"):
        raise Rejected
    return person(code, values)


# There is no process of a human player that could be contained.
def person(code: str, values: Mapping[str, Any], *, is_mate: bool = False) -> Player:
    """Return a human player with given settings.

    Args:
        code: The player's code.
        values: The player's settings.
        is_mate: Whether this is the second player of a team. It plays the seats that the first does not play.
    """
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
