"""The links of a competition's human and remote players, without the server's address."""

from typing import Literal

from gyoji.core.links import seat_secret
from gyoji.core.spec import people_of
from gyoji.scheduler.event import Event
from gyoji.store.taken_back import taken_back


def player_links(event: Event, name: str, secret: int, *, kind: Literal["seat", "remote"]) -> dict[str, str]:
    """Return the secret links of all human or all remote players, by name, as "competition/secret".

    Args:
        name: The competition's name on the server.
        secret: The competition's secret, which the store keeps.
        kind: "seat" for human players, "remote" for remote ones.

    Raises:
        ConfigError: The file of revoked links cannot be read.
    """
    players = event.setup.players
    codes = (
        people_of(players.values())
        if kind == "seat"
        else [code for code, each in players.items() if each.is_remote]
    )
    numbers = taken_back(event.files.seats) if codes else {}
    return {code: f"{name}/{seat_secret(secret, code, numbers.get(code, 0), kind=kind)}" for code in codes}
