"""Pages and lists of games do not wait until all results have been counted."""

import threading

import pytest

from finished import store_games

pytest.importorskip("watchfiles", reason="watchfiles is not installed: pip install -e '.[dev]'")
from served import awaited

from gyoji.store.search import Search
from gyoji.web.broadcast import Broadcast
from gyoji.web.watched import WatchedCompetition

CONTROL = """
competition = "playoff"
game = "go"
board_size = 9
komi = 7
[players.ann]
command = "true"
[players.ben]
command = "true"
[[matchups]]
players = ["ann", "ben"]
number_of_games = 10
"""


@pytest.fixture
def path(tmp_path):
    """An event of which six of ten games have been played."""
    path = tmp_path / "event.toml"
    path.write_text(CONTROL)
    store_games(path, 6)
    return path


def test_what_is_stored_is_told_and_listed_before_it_is_counted(path):
    async def scene():
        watched = WatchedCompetition("event", path, Broadcast("e"))
        before = watched.summary()
        await watched.open()
        opened, listed = watched.summary(), watched.page(Search(), before=None, most=2)
        await watched.count()
        return before, opened, listed, watched.summary()

    before, opened, listed, counted = awaited(scene())
    assert (before["finished"], before["counting"]) == (0, False)
    assert (opened["finished"], opened["remaining"], opened["counting"]) == (6, None, True)
    assert [(number, result.id) for number, result in listed] == [(6, "0_5"), (5, "0_4")]
    assert (counted["finished"], counted["remaining"], counted["counting"]) == (6, 4, False)


def test_who_asks_while_results_are_counted_is_answered_at_once(path, monkeypatch):
    """And what is to be counted anew meanwhile is counted anew afterwards."""
    go_on, counts = threading.Event(), []
    count_stored = WatchedCompetition.count_stored

    def slowly(self, *, anew):
        counts.append(anew)
        assert go_on.wait(30)
        count_stored(self, anew=anew)

    async def scene():
        watched = WatchedCompetition("event", path, Broadcast("e"))
        await watched.open()
        watched.changed(settle=0)
        await watched.soon()
        told = watched.summary()
        watched.changed(anew=True)
        go_on.set()
        await watched._counting
        return told, watched.summary()

    monkeypatch.setattr(WatchedCompetition, "count_stored", slowly)
    monkeypatch.setattr("gyoji.web.watched.PATIENCE", 0.01)
    told, counted = awaited(scene())
    assert (told["finished"], told["counting"]) == (6, True)
    assert (counted["remaining"], counted["counting"]) == (4, False)
    assert counts[:2] == [True, True]


def test_what_cannot_be_read_is_told_and_tried_again(tmp_path, path):
    async def scene():
        watched = WatchedCompetition("event", tmp_path / "wrong.toml", Broadcast("e"))
        (tmp_path / "wrong.toml").write_text("nonsense")
        await watched.open()
        first = watched.summary()
        (tmp_path / "wrong.toml").write_text(CONTROL)
        await watched.open()
        await watched.count()
        return first, watched.summary()

    first, then = awaited(scene())
    assert "wrong.toml" in first["trouble"]
    assert (then["trouble"], then["remaining"]) == ("", 10)
