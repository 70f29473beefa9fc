"""Events with engines at their owners': rounds, adjournments, people, who comes and goes, late broadcasts."""

import json
from contextlib import suppress
from threading import Thread

import pytest

pytest.importorskip("starlette", reason="gyoji[web] is not installed: pip install -e '.[dev]'")
from elsewhere import ELSEWHERE, HERE, Elsewhere, command, invitations, paced
from served import Chair, Moves, until

from gyoji.scheduler.status import ExitStatus

pytestmark = pytest.mark.process


@pytest.fixture
def moves(tmp_path):
    made = Moves(tmp_path, ["slow", "x"])
    yield made
    made.close()


def playoff(games):
    return (
        'competition = "playoff"',
        "[[matchups]]",
        'players = ["slow", "x"]',
        f"number_of_games = {games}",
        "alternating = false",
    )


@pytest.mark.slow
def test_a_round_begins_at_the_organiser_s_word_although_all_are_there(tmp_path, moves):
    with (
        Elsewhere(tmp_path, *playoff(2), slow=paced(tmp_path, "slow"), x=ELSEWHERE) as event,
        event.running() as run,
    ):
        event.command("pause")
        with event.join("x"):
            until(lambda: event.summary()["there"]["x"], "the owner")
            assert event.summary()["playing"] == []
            event.command("resume")
            event.playing("0_0")
            event.command("pause")
            moves.play("slow", "pass")
            assert len(event.finished(1)) == 1
            assert event.summary()["playing"] == []
            event.command("resume")
            event.playing("0_1")
            moves.play("slow", "pass")
            run.join()
    assert event.ends[0].status is ExitStatus.COMPLETE


@pytest.mark.slow
def test_after_an_adjournment_the_same_owner_plays_on_by_the_same_connection(tmp_path, moves):
    with Elsewhere(tmp_path, *playoff(2), slow=paced(tmp_path, "slow"), x=ELSEWHERE) as event:
        with event.running() as run, event.join("x") as owner:
            event.playing("0_0")
            event.command("stop")
            moves.play("slow", "pass")
            run.join()
            until(lambda: "the event is not running: waiting for it" in owner.said, "the adjournment")
            with event.running() as second:
                moves.play("slow", "pass")
                second.join()
        assert [each.status for each in event.ends] == [ExitStatus.STOPPED, ExitStatus.COMPLETE]
        assert len(event.finished(2)) == 2
    assert owner.said.count("connected") == 1


def person(site):
    """Pass whenever ann is asked, until the server ends."""
    chair = Chair(site, "ann")
    chair.ready()
    with suppress(StopIteration):
        while True:
            chair.say(chair.asked(), move="pass")


@pytest.mark.slow
def test_a_person_an_engine_here_and_one_elsewhere_play_in_one_table(tmp_path):
    table = ('competition = "allplayall"', "rounds = 1", 'dead_stones = "alive"')
    players = {"ann": "human = true", "here": HERE, "x": ELSEWHERE}
    with Elsewhere(tmp_path, *table, **players) as event, event.running() as run, event.join("x"):
        Thread(target=person, args=[event.site], daemon=True).start()
        run.join()
        played = event.finished(3)
        assert sorted(map(sorted, played)) == [["ann", "here"], ["ann", "x"], ["here", "x"]]
    assert event.ends[0].status is ExitStatus.COMPLETE


@pytest.mark.slow
def test_games_of_those_who_are_there_go_on_and_those_of_others_are_played_when_they_come(tmp_path):
    table = ('competition = "allplayall"', "rounds = 1")
    players = {"here": HERE, "x": ELSEWHERE, "y": ELSEWHERE}
    with Elsewhere(tmp_path, *table, **players) as event, event.running() as run:
        with event.join("y", games=1) as y:
            y.wait()
        assert event.finished(1) == [{"here", "y"}]
        with event.join("x") as x:
            assert event.finished(2)[1:] == [{"here", "x"}]
            until(lambda: not event.summary()["playing"], "the end of that game")
            x.interrupt()
        until(lambda: event.summary()["there"] == {"x": False, "y": False}, "nobody")
        with event.join("x"), event.join("y"):
            run.join()
        assert event.finished(3)[2:] == [{"x", "y"}]
    assert event.ends[0].status is ExitStatus.COMPLETE


@pytest.mark.slow
def test_a_delayed_broadcast_shows_no_move_before_the_end_and_the_owner_plays_on(tmp_path, moves):
    lines = ('spectators = "delayed"', *playoff(1))
    address = "/api/v1/competitions/cup/games/0_0"
    with (
        Elsewhere(tmp_path, *lines, slow=paced(tmp_path, "slow"), x=ELSEWHERE) as event,
        event.running() as run,
        event.join("x", command(tmp_path, "x")),
    ):
        event.playing("0_0")
        moves.play("slow", "C3")
        moves.play("x", "D4")
        until(lambda: moves.is_taken("x"), "the question to x")
        status, _, told = event.site.ask(address)
        assert (status, "C3" in told) == (200, False)
        moves.play("slow", "pass")
        moves.play("x", "pass")
        run.join()
        until(lambda: "C3" in event.site.ask(address)[2], "the whole game")


def by_command(event):
    invitations(event.path, ["x"])


def by_page(event):
    address = "/api/v1/competitions/cup/invitations"
    status, text = event.site.post(address, {"player": "x"}, **event.site.run_control())
    assert status == 200
    (told,) = json.loads(text)["invitations"]
    assert (told["player"], told["remote"]) == ("x", True)
    assert event.link("x").endswith(f"/join#{told['link']}")


@pytest.mark.parametrize("take_back", [by_command, by_page])
def test_who_holds_a_link_that_is_taken_back_is_cut_off_and_the_new_one_is_good(tmp_path, take_back):
    with Elsewhere(tmp_path, 'competition = "allplayall"', here=HERE, x=ELSEWHERE) as event:
        old = event.link("x")
        with event.join("x") as first:
            take_back(event)
            first.wait()
        assert str(first.error) == "join: the organiser has taken this link back: ask for the new one"
        with event.join("x", link=old) as second:
            second.wait()
        assert "this link is not good" in str(second.error)
        with event.join("x") as third:
            until(lambda: "the event is not running: waiting for it" in third.said, "the answer")
