"""What players need of the machine against what there is of it: told before anything is played."""

from collections.abc import Iterable, Mapping
from heapq import nlargest
from typing import Any

from gyoji.config.document import KeyPath, Problems
from gyoji.config.tables import BAD
from gyoji.core.game import AnyGame
from gyoji.core.spec import Player

THREADS = "threads"
"""What cannot be the name of a resource: it is a setting of its own."""


def check_needs(
    problems: Problems,
    plain: Mapping[str, Any],
    common: Mapping[str, Any],
    players: Mapping[str, Player],
    *,
    settings: Any,
    game: AnyGame | None,
) -> None:
    """Note what can never be had.

    plain: the settings of the top level as they were given; common: those of every competition, as values.
    settings: those of the format, or `BAD`; game: None if it is wrong.
    """
    there_is, cores = common.get("resources", {}), common.get("cores", 0)
    if there_is is BAD or cores is BAD:
        return
    for name, amount in there_is.items():
        if name == THREADS:
            problems.add(("resources", name), "is a setting of players, and counted without being told of")
        elif amount < 0:
            problems.add(("resources", name), f"expected 0 or more, got {amount}")
    for player in players.values():
        _check_threads(problems, plain, player, cores)
        _check_resources(problems, player, there_is)
    if game is not None and settings is not BAD:
        seats = game.seats // 2
        for name, amount in there_is.items():
            _check_meetings(problems, name, amount, _meetings(players, settings, name), seats)


def _check_threads(problems: Problems, plain: Mapping[str, Any], player: Player, cores: int) -> None:
    own: KeyPath = ("players", player.code, THREADS)
    place = own if THREADS in plain["players"][player.code] else (THREADS,)
    if player.threads < 1:
        problems.add(place, f"expected 1 or more, got {player.threads}")
    elif cores and player.threads > cores:
        problems.add(place, f"{player.threads} are more than a game has processors (cores = {cores})")


def _check_resources(problems: Problems, player: Player, there_is: Mapping[str, int]) -> None:
    place: KeyPath = ("players", player.code, "resources")
    for name, need in player.resources.items():
        if name not in there_is:
            problems.add((*place, name), f"resources.{name} at the top has to say how much there is")
        elif need < 0:
            problems.add((*place, name), f"expected 0 or more, got {need}")
    if player.resources and player.restart != "on":
        problems.doubt(place, f'between games it keeps what it has, since restart is "{player.restart}"')


def _meetings(players: Mapping[str, Player], settings: Any, name: str) -> Iterable[tuple[Player, ...]]:
    """Who plays whom: as the format says, or else anybody anybody, of whom those who need most will do."""
    if (told := getattr(settings, "meetings", None)) is not None:
        return [tuple(players[code] for code in codes if code in players) for codes in told]
    return [tuple(nlargest(2, players.values(), key=lambda player: player.resources.get(name, 0)))]


def _check_meetings(
    problems: Problems, name: str, total: int, meetings: Iterable[tuple[Player, ...]], seats: int
) -> None:
    """Note the first game that needs more of a resource than there is. seats: how many a player has in it."""
    for meeting in meetings:
        needs = [player.resources.get(name, 0) * seats for player in meeting]
        if sum(needs) > total:
            place = ("players", meeting[needs.index(max(needs))].code, "resources", name)
            codes = " v ".join(player.code for player in meeting)
            problems.add(place, f"a game {codes} needs {sum(needs)}, and there is only {total}")
            return
