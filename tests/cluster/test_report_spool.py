"""Reports that a host keeps: until they are stored, of that very game, as many as there is room for."""

import os
import time

import pytest
from msgspec.structs import replace

from gyoji.cluster.agent_messages import Assignment, Ended, LeftFile, SpooledGame
from gyoji.cluster.artifacts import Artifact
from gyoji.cluster.report_spool import DAYS, ReportSpool, digest_of
from gyoji.play.order import Files, Order, SentReport
from scripted_hosts import PLAYERS, make_spec


def play(number, ticket=1, **changes):
    return Assignment(ticket=ticket, order=Order(spec=make_spec(number)), **changes)


def ended(ticket=1):
    files = (LeftFile(kind="records", name="g0.sgf", content=b"(;)"),)
    return Ended(ticket=ticket, report=SentReport(log=("x",)), files=files)


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "results" / "event"


def test_a_report_is_found_again_by_another_agent_under_its_new_ticket(folder):
    ReportSpool(folder).keep(play(0), ended())
    again = ReportSpool(folder)
    assert again.all() == (SpooledGame(game="g0", digest=digest_of(play(0))),)
    assert again.find(play(0, ticket=9)) == ended(ticket=9)
    assert folder.stat().st_mode & 0o777 == 0o700


def test_a_report_that_is_stored_is_kept_no_longer(folder):
    kept = ReportSpool(folder)
    kept.keep(play(0), ended())
    kept.keep(play(1), ended())
    kept.forget(["g0", "nobody knows it"])
    assert [each.game for each in kept.all()] == [each.game for each in ReportSpool(folder).all()] == ["g1"]
    assert kept.find(play(0)) is None
    assert len(list(folder.iterdir())) == 1


ARTIFACT = Artifact(path="/event/bot", digest="00")
OTHERS = {
    "another seed": lambda: Assignment(ticket=1, order=Order(spec=replace(make_spec(0), seed=8))),
    "other players": lambda: Assignment(
        ticket=1, order=Order(spec=make_spec(0, players=(PLAYERS[0], replace(PLAYERS[1], command=("/x",)))))
    ),
    "an engine that was changed": lambda: play(0, artifacts=(replace(ARTIFACT, digest="11"),)),
    "another game": lambda: play(1),
}


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS)
def test_another_game_is_not_taken_for_it(folder, other):
    kept = ReportSpool(folder)
    kept.keep(play(0, artifacts=(ARTIFACT,)), ended())
    assert kept.find(other()) is None
    assert kept.find(play(0, artifacts=(ARTIFACT,))) is not None


def test_where_the_game_is_played_and_leaves_its_files_makes_no_difference(folder):
    order = Order(spec=make_spec(0), slot=3, files=Files(transcript="a"), watch=True)
    assert digest_of(Assignment(ticket=4, order=order)) == digest_of(play(0))


def test_the_oldest_go_where_there_are_too_many(folder, monkeypatch):
    monkeypatch.setattr("gyoji.cluster.report_spool.MOST", 2)
    kept = ReportSpool(folder)
    for number in range(4):
        kept.keep(play(number), ended())
    assert [each.game for each in kept.all()] == ["g2", "g3"]
    assert len(list(folder.iterdir())) == 2


def test_a_competition_that_nobody_plays_any_more_is_forgotten(folder):
    ReportSpool(folder).keep(play(0), ended())
    long_ago = time.time() - (DAYS + 1) * 86400
    os.utime(folder, (long_ago, long_ago))
    ReportSpool(folder.parent / "another")
    assert [each.name for each in folder.parent.iterdir()] == ["another"]


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff", b'{"kept":{"game":"g9","digest":"0"}}'])
def test_a_file_that_makes_no_sense_is_no_report(folder, content):
    ReportSpool(folder).keep(play(0), ended())
    (path,) = folder.iterdir()
    path.write_bytes(content)
    assert ReportSpool(folder).all() == ()
    assert ReportSpool(folder).find(play(0)) is None


def test_where_nothing_can_be_written_nothing_is_kept(tmp_path):
    (tmp_path / "results").write_text("no folder")
    kept = ReportSpool(tmp_path / "results" / "event")
    kept.keep(play(0), ended())
    assert kept.all() == ()
    assert kept.find(play(0)) is None
