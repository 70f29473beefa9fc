"""The links of the remote players of a competition, made without a server."""

from pathlib import Path

from gyoji.core.links import seat_secret
from gyoji.scheduler.event import Event
from gyoji.store.store import Store


def invitations(file: Path) -> dict[str, str]:
    """Return the link of each remote player, without the server's address.

    They are derived from the competition's secret. If there is no database yet, one without results is made.

    Raises:
        ConfigError: The control file or the database cannot be used.
    """
    event = Event.open(file)
    players = [code for code, each in event.setup.players.items() if each.is_remote]
    if not players:
        return {}
    if not event.files.database.exists():
        Store.open(event.files.database, event.setup.code, create=True).close()
    with event.read() as store:
        secret = store.secret
    return {code: f"{file.stem}/{seat_secret(secret, code, kind='remote')}" for code in players}
