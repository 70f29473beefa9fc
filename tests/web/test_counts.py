"""Pages and lists of games do not wait until all results have been counted."""

import threading

import pytest

from finished import store_games

pytest.importorskip("watchfiles", reason="watchfiles is not installed: pip install -e '.[dev]'")
from served import awaited

from gyoji.store.search import Search
from gyoji.web.broadcast import Broadcast
from gyoji.web.following import Followed

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
        followed = Followed("event", path, Broadcast("e"))
        before = followed.summary()
        await followed.open()
        opened, listed = followed.summary(), followed.page(Search(), before=None, most=2)
        await followed.count()
        return before, opened, listed, followed.summary()

    before, opened, listed, counted = awaited(scene())
    assert (before["finished"], before["counting"]) == (0, False)
    assert (opened["finished"], opened["remaining"], opened["counting"]) == (6, None, True)
    assert [(number, result.id) for number, result in listed] == [(6, "0_5"), (5, "0_4")]
    assert (counted["finished"], counted["remaining"], counted["counting"]) == (6, 4, False)


def test_who_asks_while_results_are_counted_is_answered_at_once(path, monkeypatch):
    """And what is to be counted anew meanwhile is counted anew afterwards."""
    go_on, counts = threading.Event(), []
    count_stored = Followed.count_stored

    def slowly(self, *, anew):
        counts.append(anew)
        assert go_on.wait(30)
        count_stored(self, anew=anew)

    async def scene():
        followed = Followed("event", path, Broadcast("e"))
        await followed.open()
        followed.changed(settle=0)
        await followed.soon()
        told = followed.summary()
        followed.changed(anew=True)
        go_on.set()
        await followed._counting
        return told, followed.summary()

    monkeypatch.setattr(Followed, "count_stored", slowly)
    monkeypatch.setattr("gyoji.web.following.PATIENCE", 0.01)
    told, counted = awaited(scene())
    assert (told["finished"], told["counting"]) == (6, True)
    assert (counted["remaining"], counted["counting"]) == (4, False)
    assert counts[:2] == [True, True]


def test_what_cannot_be_read_is_told_and_tried_again(tmp_path, path):
    async def scene():
        followed = Followed("event", tmp_path / "wrong.toml", Broadcast("e"))
        (tmp_path / "wrong.toml").write_text("nonsense")
        await followed.open()
        first = followed.summary()
        (tmp_path / "wrong.toml").write_text(CONTROL)
        await followed.open()
        await followed.count()
        return first, followed.summary()

    first, then = awaited(scene())
    assert "wrong.toml" in first["trouble"]
    assert (then["trouble"], then["remaining"]) == ("", 10)
