"""Games that are begun on the page: who may, how many at once, and what becomes of them."""

import json
import sys
from contextlib import closing

import pytest
from served import paced, serving, until

from refuser import refusing

pytestmark = pytest.mark.process

FORM = "/api/v1/newgame"
ANSWERS = {
    "game": "go",
    "settings": {"board_size": 5},
    "name": "ann",
    "clock": "10m",
    "side": 0,
    "opponent": {"key": "/kozo"},
}


def sat(link):
    return {"Authorization": f"Seat {link}"}


def begin(site, headers=None, **answers):
    status, text = site.post(FORM, {**ANSWERS, **answers}, **(headers or {}))
    return status, json.loads(text) if status == 200 else text


def standing(site, link):
    """Return how things stand for a person, as soon as the server has read its competition."""
    return json.loads(until(lambda: seat(site, link), "the seat"))


def seat(site, link):
    status, _, text = site.ask("/api/v1/seat", **sat(link))
    return text if status == 200 else None


def finish(site, link, **said):
    """The person of that link is ready, and resigns, or answers what is `said`."""
    until(lambda: standing(site, link)["running"], "the run")
    events = site.events(f"seat={standing(site, link)['ticket']}")
    next(events)
    until(lambda: site.post("/api/v1/seat/ready", {"ready": True}, **sat(link))[0] == 200, "the seat")
    asked = next(
        each for name, _, data in events if name == "seat" for each in data["events"] if is_ask(each)
    )
    answer = {"question": asked["question"], **(said or {"request": "resign"})}
    assert site.post("/api/v1/seat/say", {"seat": asked["seat"], "answer": answer}, **sat(link))[0] == 200
    next(name for name, _, _ in events if name == "finished")


def is_ask(event):
    return event["event"] == "ask"


def test_nobody_but_the_organiser_begins_games_unless_all_may(tmp_path):
    with serving("--games", tmp_path / "games") as site:
        assert site.ask(FORM)[0] == 403
        assert begin(site)[0] == 403
        assert site.post(f"{FORM}/position", {"game": "go"})[0] == 403
        assert site.ask(FORM, **site.run_control())[0] == 200
        assert not (tmp_path / "games").exists()


def test_a_game_is_begun_played_and_played_again_with_colours_changed(tmp_path):
    with serving("--games", tmp_path / "games") as site:
        status, told = begin(site, site.run_control())
        assert (status, told["competition"], list(told["seats"])) == (200, "ann-kozo-1", ["ann"])
        link = told["seats"]["ann"]
        told = standing(site, link)
        assert told["again"]
        assert (told["starting"], told["game"], told["last"]) == (
            ["kozo"],
            "",
            "",
        )  # the page says so meanwhile
        game = {"game": "0_0", "began": "at another time", "seat": 0, "answer": {"question": 1, "move": "A1"}}
        until(lambda: standing(site, link)["running"], "the run")
        finish(site, link)
        assert site.post("/api/v1/seat/say", game, **sat(link))[0] == 409
        until(lambda: standing(site, link)["last"] == "0_0", "the end")
        until(lambda: not standing(site, link)["running"], "the end of the run")
        assert site.post("/api/v1/seat/again", {}, **sat(link)) == (200, '{"ok":true}')
        finish(site, link)
        games = site.json("/api/v1/competitions/ann-kozo-1/games")["games"]
        assert [(each["players"], each["result"]) for each in games] == [
            (["kozo", "ann"], "kozo beat ann B+R"),
            (["ann", "kozo"], "kozo beat ann W+R"),
        ]


@pytest.mark.slow
def test_games_that_were_begun_are_lines_of_the_home_page_and_competitions_cards(tmp_path, open_page):
    path, moves = paced(tmp_path)
    with closing(moves), serving(path, "--games", tmp_path / "games") as site:
        over, goes_on = (begin(site, site.run_control())[1] for _ in range(2))
        finish(site, over["seats"]["ann"])
        page = open_page(site.address)
        page.wait_for_selector("#over:has-text('1 game is over')")
        assert goes_on["competition"] != over["competition"]
        assert page.locator("#playing li").all_inner_texts()[0].startswith("ann - kozo go")
        assert page.locator("#competitions li h2").all_inner_texts() == ["event"]
        page.click("#over summary")
        page.click("#over >> text=ann - kozo")
        page.wait_for_url(f"**/c/{over['competition']}")


def test_anybody_begins_games_as_long_as_there_is_room(tmp_path):
    with serving("--games", tmp_path / "games", "--open", "1") as site:
        assert json.loads(site.ask(FORM)[2])["open"]
        status, told = begin(site, opponent={"person": "ben"})
        assert (status, list(told["seats"])) == (200, ["ann", "ben"])
        status, text = begin(site)
        assert (status, "as many as may be at once" in text) == (409, True)
        assert begin(site, site.run_control())[0] == 200
        status, text = begin(site, clock="none")
        assert status == 409
        until(
            lambda: [each["running"] for each in site.json("/status.json")["competitions"]] == [True, True],
            "both runs, to be ended",
        )


def test_the_links_of_a_game_still_lead_to_it_when_the_server_is_started_again(tmp_path):
    with serving("--games", tmp_path / "games") as site:
        link = begin(site, site.run_control())[1]["seats"]["ann"]
        until(lambda: standing(site, link)["running"], "the run")
    with serving("--games", tmp_path / "games") as site:
        finish(site, link)


def test_a_game_that_cannot_begin_says_why(tmp_path):
    path = tmp_path / "broken.toml"
    words = json.dumps([sys.executable, "-c", "print('nonsense')"])
    path.write_text(
        f'competition = "playoff"\nboard_size = 5\nkomi = 0.5\n[players.broken]\ncommand = {words}\n'
        '[[matchups]]\nplayers = ["broken", "broken"]\nnumber_of_games = 1\n'
    )
    with serving(path) as site:
        status, told = begin(site, site.run_control(), opponent={"key": "broken/broken"})
        assert status == 200
        link = told["seats"]["ann"]
        assert "broken" in until(lambda: standing(site, link)["failure"], "the failure")


def test_the_games_of_a_control_file_are_not_played_again_by_who_sits_in_them(tmp_path):
    path, moves = paced(tmp_path)
    moves.close()
    text = path.read_text().partition("[players.ann]")[0]
    path.write_text(
        text + "[players.ann]\nhuman = true\n[players.ben]\nhuman = true\n"
        '[[matchups]]\nplayers = ["ann", "ben"]\nnumber_of_games = 0\n'
    )
    with serving(path) as site:
        site.post("/api/v1/competitions/event/control", {"do": "start"}, **site.run_control())
        link = site.link("ann").partition("#")[2]
        until(lambda: not standing(site, link)["running"], "the end of the run")
        assert not standing(site, link)["again"]
        status, text = site.post("/api/v1/seat/again", {}, **sat(link))
        assert (status, "its organiser decides" in text) == (409, True)


def test_what_is_no_answer_of_a_form_is_refused(tmp_path):
    with serving("--games", tmp_path, "--open", "3") as site:
        assert [site.post(FORM, body)[0] for body in ([], "x", None)] == [400, 400, 400]
        assert site.post(FORM, ANSWERS, **{"Content-Type": "text/plain"})[0] == 415


@pytest.mark.parametrize(
    ("game", "settings", "protocol", "move"),
    [("go", {"board_size": 5}, "gtp", "C3"), ("gomoku", {"board_size": 9}, "gomocup", "e5")],
)
def test_the_engine_that_refuses_a_move_of_a_person_has_lost(tmp_path, game, settings, protocol, move):
    path = tmp_path / "refusers.toml"
    path.write_text(
        f'competition = "playoff"\ngame = "{game}"\nboard_size = 9\n'
        f"{'komi = 7.5' if game == 'go' else ''}\n"
        f"[players.refuser]\ncommand = {json.dumps(refusing(protocol))}\n"
        '[[matchups]]\nplayers = ["refuser", "refuser"]\nnumber_of_games = 1\n'
    )
    with serving(path, "--games", tmp_path / "games") as site:
        opponent = {"key": "refusers/refuser"}
        more = {"game": game, "settings": settings, "clock": "5s", "opponent": opponent}
        status, told = begin(site, site.run_control(), **more)
        assert status == 200, told
        finish(site, told["seats"]["ann"], move=move)
        until(lambda: not standing(site, told["seats"]["ann"])["running"], "the end of the run")
        (played,) = site.json(f"/api/v1/competitions/{told['competition']}/games")["games"]
        assert "forfeit by refuser" in played["detail"], played
