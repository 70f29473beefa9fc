"""The secret links of human and remote players: their parts, and how their secret is made."""

import hmac
from typing import NamedTuple
from urllib.parse import urlsplit

from gyoji.core.faults import ConfigError

_LOOPBACK = ("localhost", "127.0.0.1", "::1")


# The secret of a link is an HMAC of the player's name with the competition's secret as key. So it is the same
# after a restart of the server, need not be stored, and cannot be guessed.
def seat_secret(secret: int, player: str, taken_back: int = 0, *, kind: str = "seat") -> str:
    """Return the secret part of a player's link.

    Args:
        secret: The competition's secret.
        taken_back: Number of links of this player that were revoked.
        kind: "seat" for a human player, "remote" for a remote one.
    """
    seat = f"{kind} {player} {taken_back}" if taken_back else f"{kind} {player}"
    return hmac.new(str(secret).encode(), seat.encode(), "sha256").hexdigest()[:40]


class JoinLink(NamedTuple):
    """The parts of a link for `gyoji join`.

    Attributes:
        is_encrypted: Whether the link begins with https.
        host: The server's host name.
        port: The server's port.
        path: The path of the server's start page, without a slash at the end.
        secret: The credentials of the player's seat: the competition's name, a slash, and the secret.
    """

    is_encrypted: bool
    host: str
    port: int
    path: str
    secret: str

    @property
    def authority(self) -> str:
        """Host and port, in the form for URLs."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


def read_link(text: str) -> JoinLink:
    """Parse a link, such as "https://cup.example.org/join#cup/5f3c...".

    Raises:
        ConfigError: It is not such a link, or its secret would be sent over the network without encryption.
    """
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    path, _, page = parts.path.rpartition("/")
    is_whole = parts.scheme in ("http", "https") and page == "join" and "/" in parts.fragment
    if not is_whole or not parts.hostname:
        raise ConfigError("join: expected the whole link of a player, as in https://HOST/join#CUP/SECRET")
    is_encrypted = parts.scheme == "https"
    if not is_encrypted and parts.hostname not in _LOOPBACK:
        raise ConfigError(
            f"join: http://{parts.hostname} is not encrypted: anybody on the way could play with this link. "
            "Ask the organiser for an https link (`gyoji serve --cert --key`, or a proxy with TLS)"
        )
    return JoinLink(is_encrypted, parts.hostname, port or (443 if is_encrypted else 80), path, parts.fragment)
