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
        token = {"Authorization": f"Steer {site.organiser().rpartition('steer=')[2]}"}
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
        token = {"Authorization": f"Steer {site.organiser().rpartition('steer=')[2]}"}
        assert site.post(CONTROL, body, **token)[0] == 400


def test_a_form_of_another_page_can_do_nothing(event):
    path, _ = event
    with serving(path) as site, started("run", path, "-q"):
        until(lambda: told(site)["playing"], "a game")
        token = {"Authorization": f"Steer {site.organiser().rpartition('steer=')[2]}"}
        plain = {"Content-Type": "text/plain", **token}
        assert site.post(CONTROL, {"do": "stop"}, **plain)[0] == 415
        assert told(site)["running"]
