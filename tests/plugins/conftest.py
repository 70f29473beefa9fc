"""The distribution of plug-ins beside this file, found as if it were installed."""

from pathlib import Path

import pytest

from distributions import look_again

CARD_GAMES = Path(__file__).parent / "card_games"


@pytest.fixture(autouse=True)
def plugins(monkeypatch):
    """Its games and its protocol are there while a test of this folder runs."""
    monkeypatch.syspath_prepend(CARD_GAMES)
    look_again(monkeypatch)
