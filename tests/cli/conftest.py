"""Fixtures of the tests of commands."""

import pytest

SECOND = 10**9


PATIENCE = {
    "gomocup": "gyoji.protocols.gomocup.probe_asking._GREETING_PATIENCE",
    "gtp": "gyoji.protocols.gtp.probe_asking._GREETING_PATIENCE",
    "uci": "gyoji.protocols.uci.probe._GREETING_PATIENCE",
}


@pytest.fixture
def be_impatient(monkeypatch):
    """Have the probes wait 0.1 s, not 10 s, for a greeting, except in a protocol that the program speaks."""

    def be_impatient(*, spoken=""):
        for protocol in PATIENCE.keys() - {spoken}:
            monkeypatch.setattr(PATIENCE[protocol], SECOND // 10)

    return be_impatient
