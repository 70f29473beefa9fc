"""The server of an event as an owner reaches it: its answers by HTTP, and connections to it."""

import asyncio
import json
import ssl
import time
from collections.abc import Callable, Mapping
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path
from typing import Any

from gyoji.core import wire
from gyoji.core.faults import ConfigError
from gyoji.core.links import JoinLink
from gyoji.core.spec import GameSpec
from gyoji.core.text import printable
from gyoji.remote.websocket import Refused, WebSocket

FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5.0
"""Seconds between two attempts to connect."""

TIMEOUT = 20
"""Seconds for one answer of the server."""

_NOT_YET = (502, 503, 504)
"""HTTP statuses after which the request is repeated: the server is reading its competition, or a proxy waits
for the server.
"""


class EventServer:
    """The server that a player's link names.

    Attributes:
        link: The link.
        tell: Shows the owner a line.
    """

    def __init__(self, link: JoinLink, tell: Callable[[str], object], ca: Path | None = None) -> None:
        """Read the certificates to trust.

        Args:
            ca: File with these certificates; None for those of the system.

        Raises:
            ConfigError: The file cannot be used.
        """
        self.link, self.tell = link, tell
        self._trust = _trust(ca) if link.is_encrypted else None
        self._headers = {"Authorization": f"Remote {link.secret}"}

    def ask(self) -> Mapping[str, Any]:
        """Ask the server for the player, its competition, and a game to check the engine with.

        Try again until the server can be reached. Raises ConfigError if the server refuses, or is not a gyoji
        server, or has a certificate that this machine does not trust.
        """
        where, pause, told = self.link.authority, FIRST_PAUSE, ""
        while True:
            try:
                status, text = self._get()
                break
            except ssl.SSLCertVerificationError as error:
                raise self._untrusted(error) from None
            except (OSError, HTTPException) as error:
                if str(error) != told:
                    told = str(error)
                    self.tell(f"{where} cannot be reached ({error}); trying again")
                time.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)
        if status == 403:
            raise ConfigError(
                "join: this link is not good, or its event is not served there: ask the organiser"
            )
        if status == 409:
            raise ConfigError(f"join: {printable(text.decode('utf-8', 'replace'), 200)}")
        try:
            answer = json.loads(text)
            wire.decode(GameSpec, answer["spec"])
        except (ValueError, KeyError, TypeError):
            why = f"its answer (status {status}) is not that of `gyoji serve`, or of another version"
            raise ConfigError(f"join: {where}: {why}") from None
        return dict(answer)

    def _get(self) -> tuple[int, bytes]:
        """Return (status, body) of the server's answer. Raises OSError and HTTPException."""
        link = self.link
        made = (
            HTTPSConnection(link.host, link.port, timeout=TIMEOUT, context=self._trust)
            if self._trust
            else HTTPConnection(link.host, link.port, timeout=TIMEOUT)
        )
        try:
            made.request("GET", f"{link.path}/api/v1/remote", headers=self._headers)
            answer = made.getresponse()
            if answer.status in _NOT_YET:
                raise HTTPException(f"{answer.status} {answer.reason}")
            return answer.status, answer.read(1 << 24)
        finally:
            made.close()

    async def connect(self, instance: str) -> WebSocket:
        """Connect to the event. Raises OSError, or ConfigError if another attempt would be useless.

        Args:
            instance: A random id of this process. "" for a connection that only measures round trips: it does
                not replace the player's present connection.
        """
        headers = {**self._headers, "X-Gyoji-Instance": instance}
        path = f"{self.link.path}/api/v1/remote/connect"
        try:
            return await asyncio.wait_for(WebSocket.open(self.link, path, headers, self._trust), TIMEOUT)
        except Refused as refused:
            if refused.status == 403:
                raise ConfigError("join: this link is not good any more: ask the organiser") from None
            raise ConnectionError(str(refused)) from None
        except TimeoutError:
            raise ConnectionError("no answer") from None
        except ssl.SSLCertVerificationError as error:
            raise self._untrusted(error) from None

    def _untrusted(self, error: ssl.SSLCertVerificationError) -> ConfigError:
        why = f"its certificate is not to be trusted ({error.verify_message}); --ca FILE names one that is"
        return ConfigError(f"join: {self.link.authority}: {why}")


def _trust(ca: Path | None) -> ssl.SSLContext:
    """Return the TLS context that checks the server's certificate."""
    try:
        return ssl.create_default_context(cafile=ca and str(ca))
    except OSError as error:
        raise ConfigError(f"join: --ca {ca}: {error}") from None
