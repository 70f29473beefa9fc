"""Ids of games and names of players in results and records.

A game that is played again with other settings gets another id: "0_3", then "0_3@2". A competition issues a
game under its plain id, "0_3". Stored results and records have the id with the suffix.
"""

from collections.abc import Collection, Container

from msgspec.structs import replace

from gyoji.core.faults import ConfigError
from gyoji.core.record import GameResult
from gyoji.core.spec import GameSpec, Player
from gyoji.core.text import quote

CANDIDATES = "candidates"
"""The common name of a tuner's candidates. Their codes contain "#", which no player's code does."""

CHECKED = ("#best", "#start")
"""The codes of the two candidates of a tuner's check match. Tables show these codes instead of
`CANDIDATES`.
"""


def known_names(players: tuple[str, ...], known: Collection[str]) -> tuple[str, ...]:
    """Return the names that tables show for the players of a game.

    A tuner's candidates share the name `CANDIDATES`. In a game of player "a" against itself, the second keeps
    the name "a#2".

    Args:
        players: The names of the players in the record, in seat order.
        known: The names of the players in the control file.

    >>> known_names(("#17", "steady", "a#2"), {"steady", "a"})
    ('candidates', 'steady', 'a#2')
    """
    for code in players:
        if "#" in code:
            return tuple([_name(each, players, known) if "#" in each else each for each in players])
    return players


def player_of(code: str) -> str:
    """Return the name of a player in the control file: "a" for "a" and "a#2", "" for a candidate such as
    "#17".
    """
    return code.partition("#")[0]


def _name(code: str, players: tuple[str, ...], known: Collection[str]) -> str:
    original = player_of(code)
    return code if original in known or original in players or code in CHECKED else CANDIDATES


_MARK = "@"


def plain_id(game_id: str) -> str:
    """Return the id under which a competition issued a game, without the suffix of a repetition.

    >>> plain_id("0_3@2"), plain_id("0_3")
    ('0_3', '0_3')
    """
    return game_id.partition(_MARK)[0]


def plain(result: GameResult) -> GameResult:
    """Return a result with the plain id of its game."""
    return replace(result, id=plain_id(result.id)) if _MARK in result.id else result


def with_free_id(spec: GameSpec, taken: Container[str]) -> GameSpec:
    """Return a game with an id that is not in `taken`: "0_3", or the first free of "0_3@2", "0_3@3" ..."""
    if spec.id not in taken:
        return spec
    number = 2
    while f"{spec.id}{_MARK}{number}" in taken:
        number += 1
    return replace(spec, id=f"{spec.id}{_MARK}{number}")


CHECK_ID = "startup-check"
"""The id of every game that is set up to check a player before a run."""


def game_id(pairing: str, number: int, limit: int | None) -> str:
    """Return the id of a pair's game.

    Args:
        pairing: The id of the pair.
        number: The number of the game, from 0.
        limit: Number of games of the pair, None for no limit. Numbers are padded to the digits of the last
            one, `limit` - 1, so that ids sort.

    >>> game_id("AvB", 3, 24), game_id("AvB", 3, 100), game_id("AvB", 3, 101), game_id("AvB", 3, None)
    ('AvB_03', 'AvB_03', 'AvB_003', 'AvB_3')
    """
    width = len(str(limit - 1)) if limit else 1
    return f"{pairing}_{number:0{width}}"


def game_number(result: GameResult) -> int:
    """Return the number of a stored game within its pair.

    Raises:
        ConfigError: The id does not have the form of `game_id` for the game's pairing.
    """
    pairing, _, digits = result.id.rpartition("_")
    if not digits.isdecimal():
        digits = plain_id(digits)
    if pairing != result.pairing or not (digits.isascii() and digits.isdecimal()):
        raise ConfigError(
            f"stored game {quote(result.id)} does not belong to matchup {quote(result.pairing)}"
        )
    return int(digits)


def pair_of(game_id: str, pairing: str) -> str:
    """Return the name of the pair of games to which a game belongs; "" for an id without a number.

    A game with an even number and the game with the next number are a pair: they have the same opening.

    >>> pair_of("AvB_2", "AvB"), pair_of("AvB_3@2", "AvB"), pair_of("AvB_4", "AvB")
    ('AvB 1', 'AvB 1', 'AvB 2')
    """
    number = plain_id(game_id).rpartition("_")[2]
    return f"{pairing} {int(number) // 2}" if number.isdecimal() else ""


def unit_of(game_id: str, pairing: str, sides: int) -> str:
    """Return a name for a game's unit. For a game whose id has no number, return the id itself.

    A unit is as many consecutive games as there are sides. In these games each player has each seat once.

    Args:
        game_id: The game's id.
        pairing: The id of its pairing.
        sides: Number of sides of the game.

    >>> unit_of("7,a,b,c_2", "7,a,b,c", 3), unit_of("t_4@2", "t", 3)
    ('7,a,b,c 0', 't 1')
    """
    number = plain_id(game_id).rpartition("_")[2]
    return f"{pairing} {int(number) // sides}" if number.isdecimal() else game_id


def partner_of(player: Player) -> Player:
    """Return the player that takes the further seats of a player's team.

    It is the player's `mate`, the player with the command `partner`, or else the player itself.
    """
    if player.mate is not None:
        return player.mate
    return replace(player, command=player.partner, partner=()) if player.partner else player
