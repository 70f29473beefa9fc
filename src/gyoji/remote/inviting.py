"""The links of the remote players of a competition, made without a server."""

from collections.abc import Collection
from pathlib import Path

from gyoji.core.faults import ConfigError
from gyoji.scheduler.event import Event
from gyoji.scheduler.player_links import player_links
from gyoji.store.store import Store
from gyoji.store.taken_back import take_back


def invitations(file: Path, taken_back: Collection[str] = ()) -> dict[str, str]:
    """Return the link of each remote player, without the server's address.

    The links are derived from the competition's secret, which its database keeps. If there is no database
    yet, an empty one is made.

    Args:
        taken_back: Players whose present links are revoked first. Players that are not remote are ignored.

    Raises:
        ConfigError: The control file, the database or the file of revoked links cannot be used.
    """
    event = Event.open(file)
    players = [code for code, each in event.setup.players.items() if each.is_remote]
    if not players:
        return {}
    if not event.files.database.exists():
        Store.open(event.files.database, event.setup.code, create=True).close()
    with event.read() as store:
        secret = store.secret
    for code in players:
        if code in taken_back:
            try:
                take_back(event.files.seats, code)
            except OSError as error:
                raise ConfigError(f"{event.files.seats}: cannot be written: {error.strerror}") from None
    return player_links(event, file.stem, secret, kind="remote")
