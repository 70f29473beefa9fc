"""Names of players in tables where all candidates of a tuner, of a game or two each, are one."""

from collections.abc import Collection

CANDIDATES = "candidates"
"""The common name of a tuner's candidates. Their codes have a # that no player's has."""


def known_names(players: tuple[str, ...], known: Collection[str]) -> tuple[str, ...]:
    """The names of the players of a game. A clone, `a#2`, is called what it is.

    known: the players of the control file.

    >>> known_names(("#17", "steady", "a#2"), {"steady", "a"})
    ('candidates', 'steady', 'a#2')
    """
    if not any("#" in code for code in players):
        return players
    return tuple([_name(code, players, known) if "#" in code else code for code in players])


def _name(code: str, players: tuple[str, ...], known: Collection[str]) -> str:
    original = code.partition("#")[0]
    return code if original in known or original in players else CANDIDATES
