"""What an owner asks the server of an event."""

from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest

from gyoji.core.faults import ConfigError
from gyoji.core.links import JoinLink
from gyoji.remote import event_server
from gyoji.remote.event_server import EventServer


def test_a_server_that_has_only_begun_is_asked_again(monkeypatch):
    statuses = [503, 502, 403]  # it reads its competition; a proxy before it; then the link is refused
    said = []

    class Beginning(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_error(statuses.pop(0))

        def log_message(self, *words):
            pass

    monkeypatch.setattr(event_server, "FIRST_PAUSE", 0.0)
    with HTTPServer(("127.0.0.1", 0), Beginning) as server:
        serving = Thread(target=server.serve_forever, args=(0.01,))
        serving.start()
        link = JoinLink(False, "127.0.0.1", server.server_port, "", "cup/secret")
        try:
            with pytest.raises(ConfigError, match="this link is not good"):
                EventServer(link, said.append).ask()
        finally:
            server.shutdown()
            serving.join()
    assert statuses == []
    assert [line.split("(")[1] for line in said] == [
        "503 Service Unavailable); trying again",
        "502 Bad Gateway); trying again",
    ]
