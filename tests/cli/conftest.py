"""Fixtures of the tests of commands."""

import pytest

SECOND = 10**9


@pytest.fixture
def impatient_probe(monkeypatch):
    """The probes wait 0.1 s, not 10 s, for the greeting of a program that never answers."""
    monkeypatch.setattr("gyoji.protocols.gomocup.probe_asking._GREETING_PATIENCE", SECOND // 10)
    monkeypatch.setattr("gyoji.protocols.gtp.probe_asking._GREETING_PATIENCE", SECOND // 10)
    monkeypatch.setattr("gyoji.protocols.uci.probe._GREETING_PATIENCE", SECOND // 10)
