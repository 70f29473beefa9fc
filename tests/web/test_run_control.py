"""The organiser starts, pauses and stops runs from the page; nobody else can."""

import pytest
from served import paced, serving, started, until

pytestmark = pytest.mark.process

CONTROL = "/api/v1/competitions/event/control"


@pytest.fixture
def event(tmp_path):
    path, moves = paced(tmp_path)
    yield path, moves
    moves.close()


def told(site):
    return site.json("/api/v1/competitions/event")


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Steer wrong"}, {"Authorization": "Seat event/x"}])
def test_without_the_token_nothing_is_done(event, headers):
    path, _ = event
    with serving(path) as site:
        assert site.post(CONTROL, {"do": "start"}, **headers)[0] == 403
        assert not told(site)["running"]


def test_a_run_is_started_paused_gone_on_with_and_stopped(event):
    path, moves = event
    with serving(path) as site:
        token = site.run_control()
        assert site.post(CONTROL, {"do": "start"}, **token) == (200, '{"ok":true}')
        until(lambda: told(site)["playing"], "a game")
        assert site.post(CONTROL, {"do": "start"}, **token) == (409, "it is running already")
        site.post(CONTROL, {"do": "pause"}, **token)
        until(lambda: told(site)["paused"], "the pause")
        status, text = site.post(CONTROL, {"do": "parallel", "games": 0}, **token)
        assert (status, "expected a number from 1 to" in text) == (409, True)
        site.post(CONTROL, {"do": "stop"}, **token)
        moves.play("ann", "resign")
        until(lambda: not told(site)["running"], "the end")
        until(lambda: told(site)["finished"] == 1, "the result")


@pytest.mark.parametrize("body", [{}, {"do": "reset"}, {"do": 3}])
def test_what_is_no_command_is_refused(event, body):
    path, _ = event
    with serving(path) as site:
        token = site.run_control()
        assert site.post(CONTROL, body, **token)[0] == 400


@pytest.mark.slow
def test_a_newcomer_that_cannot_play_keeps_the_control_file_from_being_read_again(event):
    path, _ = event
    path.write_text(path.read_text().replace("skip_player_checks = true", ""))
    with serving(path) as site, started("run", path, "-q", "--parallel", "1"):
        token = site.run_control()
        until(lambda: told(site)["playing"], "a game")
        before = path.read_text()
        newcomer = '[players.cid]\ncommand = "gone"\n[[matchups]]\nplayers = ["ann", "cid"]\n'
        path.write_text(before.replace("[[matchups]]", newcomer + "[[matchups]]", 1))
        status, text = site.post(CONTROL, {"do": "reload"}, **token)
        assert (status, "cid" in text, "gone" in text) == (409, True, True)
        path.write_text(before.replace("number_of_games = 1", "number_of_games = 3"))
        assert site.post(CONTROL, {"do": "reload"}, **token) == (200, '{"ok":true}')
        until(lambda: told(site)["remaining"] == 3, "the new control file")


def test_a_page_of_another_server_can_do_nothing_even_with_the_token(event):
    path, _ = event
    with serving(path) as site:
        token = site.run_control()
        for origin in ("https://evil.example", "null", f"{site.address}.evil.example", "http://127.0.0.1:1"):
            status, text = site.post(CONTROL, {"do": "start"}, Origin=origin, **token)
            assert (status, text) == (403, "A page of another server has asked for this.")
        assert not told(site)["running"]
        assert site.post(CONTROL, {"do": "pause"}, Origin=site.address, **token)[0] == 409


def test_a_body_may_not_be_of_any_size(event):
    path, _ = event
    with serving(path) as site:
        token = site.run_control()
        assert site.post(CONTROL, {"do": "x" * (1 << 20)}, **token)[0] == 413


def test_skipped_games_are_played_again_when_nothing_runs(tmp_path):
    path, moves = paced(tmp_path)
    fine = path.read_text()
    path.write_text(fine.replace("[players.ben]", '[players.ben]\ncwd = "gone"'))
    (tmp_path / "gone").mkdir()
    with started("run", path, "-q", ends=False) as run:
        (tmp_path / "gone").rmdir()
        run.wait()
    with serving(path) as site:
        until(lambda: told(site)["skipped"], "the game")
        token = site.run_control()
        (tmp_path / "gone").mkdir()
        assert site.post(CONTROL, {"do": "retry"}, **token) == (200, '{"ok":true}')
        until(lambda: told(site)["playing"], "the game")
        moves.play("ann", "resign")
        until(lambda: told(site)["finished"] == 1, "the result")
        until(lambda: not told(site)["skipped"], "the counting")
    moves.close()


def test_the_organiser_has_a_game_played_again_and_a_player_forfeit_it(event):
    path, moves = event
    with serving(path) as site, started("run", path, "-q"):
        token = site.run_control()
        game = until(lambda: told(site)["playing"], "a game")[0]
        events = site.events(f"watch=event/{game}")
        next(events)
        moves.play("ann", "C3")
        site.until_event(events, "move")
        rule = {"do": "rule", "decision": "restart", "game": game, "reason": "a power cut"}
        assert site.post(CONTROL, rule, **token)[0] == 200
        assert "to be played again: a power cut" in site.until_event(events, "void")["reason"]
        site.until_event(events, "started")
        moves.play("ann", "D3")
        site.until_event(events, "move")
        words = ("control", "--forfeit", game, "ann", "--reason", "asked its author", path)
        with started(*words, ends=False) as control:
            assert control.wait() == 0
        until(lambda: told(site)["finished"] == 1, "the result")
        (result,) = site.json("/api/v1/competitions/event/games")["games"]
        assert (result["ending"], result["result"]) == (
            "forfeit",
            "ben beat ann W+F (forfeit by ann: asked its author)",
        )
        assert told(site)["void"] == 1
    with started("verify", path, ends=False) as verify:
        assert verify.wait() == 0


def test_a_form_of_another_page_can_do_nothing(event):
    path, _ = event
    with serving(path) as site, started("run", path, "-q"):
        until(lambda: told(site)["playing"], "a game")
        token = site.run_control()
        plain = {"Content-Type": "text/plain", **token}
        assert site.post(CONTROL, {"do": "stop"}, **plain)[0] == 415
        assert told(site)["running"]
