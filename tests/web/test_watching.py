"""A game is told move by move to whoever watches, before and after a server or a run ends."""

import os
import signal

import pytest
from served import Site, paced, serving, started, until

pytestmark = pytest.mark.process


@pytest.fixture
def event(tmp_path):
    path, moves = paced(tmp_path)
    yield path, moves
    moves.close()


def the_game(site):
    """Return the id of the only game in progress, once there is one."""
    return until(lambda: site.json("/api/v1/competitions/event")["playing"], "a game")[0]


def test_each_move_is_told_when_it_is_played_and_the_result_when_it_is_stored(event):
    path, moves = event
    with serving(path) as site, started("run", path, "-q"):
        game = the_game(site)
        events = site.events(f"watch=event/{game}")
        site.until_event(events, "hello")
        moves.play("ann", "C3", "the middle")
        while not (news := site.until_event(events, "move"))["turns"]:
            pass
        assert news["turns"][0][0][:2] == [0, "C3"]
        assert news["frames"][-1][0] == [12, "B"]
        assert news["acting"] == [1]
        moves.play("ben", "resign")
        assert site.until_event(events, "finished") == {"competition": "event", "game": game}
        stored = until(lambda: site.json("/api/v1/competitions/event")["finished"], "the result")
        assert stored == 1
        whole = site.json(f"/api/v1/competitions/event/games/{game}")
        assert (whole["live"], whole["result"]) == (False, "ann beat ben B+R")
        assert whole["turns"][0][0][3] == "the middle"


def test_a_finished_event_is_told_in_brief_and_as_a_post(event):
    path, moves = event
    for name, move in (("ann", "C3"), ("ben", "D3"), ("ann", "B2"), ("ben", "resign")):
        moves.play(name, move)
    with started("run", path, "-q") as run:
        run.wait()
    api = "/api/v1/competitions/event"
    with serving(path) as site:
        last = site.json(f"{api}/games/0_0/last")
        assert (last["result"], last["count"], len(last["frames"])) == ("ann beat ben B+R", 3, 1)
        changes, marks = last["frames"][0]
        assert (dict(zip(changes[::2], changes[1::2], strict=True)), marks) == (
            {12: "B", 13: "W", 16: "B"},
            [16],
        )
        assert site.json(f"{api}/leaders")["leaders"] == [
            {"rank": "1", "name": "ann", "points": "1"},
            {"rank": "2", "name": "ben", "points": "0"},
        ]
        assert "<span>2. ben</span><b>0</b>" in site.ask("/c/event/leaders")[2]
        assert "[code]" in site.ask(f"{api}/post/bbcode")[2]
        assert site.ask(f"{api}/post/markdown")[2].startswith("# event\n\n## Standings\n\n| ")
        assert site.ask(f"{api}/post/html")[0] == 404
        assert site.ask(f"{api}/games/0_9/last")[0] == 404


def test_who_comes_late_sees_the_game_so_far(event):
    path, moves = event
    with started("run", path, "-q"), serving(path) as site:
        game = the_game(site)
        moves.play("ann", "C3")
        moves.play("ben", "D3")
        events = site.events(f"watch=event/{game}")

        def turns():
            return len(site.json(f"/api/v1/competitions/event/games/{game}")["turns"]) == 2

        until(turns, "the second move")
        next(events)
        moves.play("ann", "resign")


def test_a_server_that_is_killed_and_started_again_goes_on_where_it_was(event):
    path, moves = event
    with started("run", path, "-q"):
        with serving(path) as site:
            game = the_game(site)
            moves.play("ann", "C3")
        moves.play("ben", "D3")
        with serving(path) as site:
            assert the_game(site) == game
            events = site.events(f"watch=event/{game}")
            while len(site.until_event(events, "move")["turns"]) < 2:
                pass
            moves.play("ann", "resign")
            site.until_event(events, "finished")


def test_a_run_that_is_killed_leaves_a_page_of_what_is_stored(event):
    path, moves = event
    with serving(path) as site:
        with started("run", path, "-q") as run:
            the_game(site)
            run.send_signal(signal.SIGKILL)
            run.wait()
            told = until(lambda: not site.json("/api/v1/competitions/event")["running"], "the end")
            assert told
        summary = site.json("/api/v1/competitions/event")
        assert (summary["playing"], summary["finished"], summary["remaining"]) == ([], 0, 1)
        with started("run", path, "-q"):
            game = the_game(site)
            moves.play("ann", "resign")
            until(lambda: site.json("/api/v1/competitions/event")["finished"], f"the end of {game}")


def test_a_reader_that_was_cut_off_gets_what_it_missed(event):
    path, moves = event
    with serving(path) as site, started("run", path, "-q"):
        the_game(site)
        events = site.events()
        _, last, _ = next(events)
        events.close()
        moves.play("ann", "resign")
        until(lambda: site.json("/api/v1/competitions/event")["finished"], "the result")
        missed = [name for name, *_ in take(site.events(**{"Last-Event-ID": last}), "standings")]
        assert "finished" in missed
        (name, *_) = next(site.events(**{"Last-Event-ID": "other-3"}))
        assert name in ("anew", "hello")


@pytest.mark.slow
def test_a_seat_without_which_the_game_goes_on_is_not_to_move_any_more(tmp_path):
    path, moves = paced(tmp_path, game="dighere")
    path.write_text(path.read_text().replace('clock = "10m"', 'clock = "2s"'))
    for player in ("ben", "ann-dog", "ben-dog"):
        moves.play(player, "-1")
    with serving(path) as site, started("run", path, "-q"):
        events = site.events(f"watch=event/{the_game(site)}")
        while not (news := site.until_event(events, "move"))["count"] or not news["acting"]:
            pass
        assert 0 not in news["acting"]
    moves.close()


def take(events, name):
    """Yield the events up to the first of that name."""
    for event in events:
        yield event
        if event[0] == name:
            return


def test_a_run_can_be_served_from_its_start_and_the_pages_stay_when_it_has_ended(event):
    path, moves = event
    with started("run", "--serve", path, "-q", ends=False) as run:
        line = run.stdout.readline()
        assert "the pages of the competition: http://127.0.0.1:" in line
        site = Site(line.split(": ")[-1].strip(), [])
        the_game(site)
        moves.play("ann", "resign")
        last = next(line for line in run.stdout if "go on" in line)
        assert run.wait() == 0
        assert f"the pages go on at {site.address}/ until you end them: kill " in last
        try:
            assert until(lambda: site.json("/api/v1/competitions/event")["finished"], "the result") == 1
        finally:
            os.kill(int(last.rpartition(" ")[2]), signal.SIGTERM)
