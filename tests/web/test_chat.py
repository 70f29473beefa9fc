"""Lines that people write beside a game: who reads them, who may write, and that it is off by itself."""

import json

import pytest
from served import serving, until
from test_invitations import ANSWERS

pytestmark = pytest.mark.process

GAME = "/api/v1/competitions/ann-ben-1/games/0_0"


def asked(site, path, link=""):
    """(status, answer) of a request, with the link of a seat if one is given."""
    status, _, text = site.ask(path, **({"Authorization": f"Seat {link}"} if link else {}))
    return status, json.loads(text) if status == 200 else text


def played(site, network=False):
    """Return the links of ann and ben, whose game is in progress."""
    status, text = site.post("/api/v1/newgame", ANSWERS, **site.run_control())
    assert status == 200, text
    links = json.loads(text)["seats"]
    for link in links.values():
        until(lambda link=link: asked(site, "/api/v1/seat", link)[1]["running"], "the run")
        site.post("/api/v1/seat/ready", {"ready": True}, Authorization=f"Seat {link}")
    until(lambda: asked(site, "/api/v1/seat", links["ann"])[1]["game"], "the game")
    return links["ann"], links["ben"]


def heard(site, query, name):
    """Return a function that returns the next event of that name on a stream that is open now."""
    events = site.events(query)
    next(events)
    return lambda: site.until_event(events, name)


def test_nobody_writes_anything_unless_the_organiser_allows_it(tmp_path):
    with serving("--games", tmp_path) as site:
        ann, _ = played(site)
        assert asked(site, "/api/v1/seat/chat", ann) == (200, {"with": [], "lines": []})
        assert site.post("/api/v1/seat/chat", {"text": "hi"}, Authorization=f"Seat {ann}")[0] == 403
        assert site.post(f"{GAME}/chat", {"name": "cem", "text": "hi"})[0] == 403
        assert asked(site, f"{GAME}/chat")[0] == 403
        assert site.json(GAME)["chat"] is False


def test_players_and_spectators_write_in_two_rooms(tmp_path):
    with serving("--games", tmp_path, "--chat", "players", "--chat", "spectators") as site:
        ann, ben = played(site)
        ticket = asked(site, "/api/v1/seat", ben)[1]["ticket"]
        to_ben = heard(site, f"seat={ticket}", "chat")
        to_cem = heard(site, "watch=ann-ben-1/0_0%20chat", "chat")
        assert site.post("/api/v1/seat/chat", {"text": " good\nluck "}, Authorization=f"Seat {ann}")[0] == 200
        line = to_ben()
        assert (line["who"], line["text"], line["room"]) == ("ann", "good luck", "players")
        assert site.post(f"{GAME}/chat", {"name": "cem", "text": "what a game"})[0] == 200
        line = to_cem()  # and nothing that players have written before
        assert (line["who"], line["text"], line["room"]) == ("cem", "what a game", "spectators")
        told = asked(site, "/api/v1/seat/chat", ben)[1]
        assert (told["with"], [each["text"] for each in told["lines"]]) == (["ann", "ben"], ["good luck"])
        assert [each["text"] for each in asked(site, f"{GAME}/chat")[1]["lines"]] == ["what a game"]
        assert asked(site, "/api/v1/seat/chat", "ann-ben-1/0")[0] == 403
        for text in ("", "x" * 301):
            assert site.post(f"{GAME}/chat", {"name": "cem", "text": text})[0] == 400
        assert site.post(f"{GAME}/chat", {"name": "", "text": "hi"})[0] == 400
        statuses = [site.post(f"{GAME}/chat", {"name": "cem", "text": "again"})[0] for _ in range(6)]
        assert statuses[-1] == 429


def test_players_read_spectators_only_where_the_organiser_opens_the_room(tmp_path):
    with serving("--games", tmp_path, "--chat", "open") as site:
        ann, _ = played(site)
        to_ann = heard(site, f"seat={asked(site, '/api/v1/seat', ann)[1]['ticket']}", "chat")
        site.post(f"{GAME}/chat", {"name": "cem", "text": "hello"})
        assert to_ann()["text"] == "hello"
        told = asked(site, "/api/v1/seat/chat", ann)[1]
        assert ([each["text"] for each in told["lines"]], told["with"]) == (["hello"], [])


def test_everybody_is_told_who_is_here(tmp_path):
    with serving("--games", tmp_path) as site:
        ann, _ = played(site)
        assert site.json(GAME)["presence"] == {"here": {"ann": False, "ben": False}, "watching": 0}
        events = site.events("watch=ann-ben-1/0_0")
        next(events)
        told = site.until_event(events, "presence")
        assert (told["here"], told["watching"]) == ({"ann": False, "ben": False}, 1)
        seat = site.events(f"seat={asked(site, '/api/v1/seat', ann)[1]['ticket']}&watch=ann-ben-1/0_0")
        next(seat)
        told = site.until_event(events, "presence")
        assert (told["here"], told["watching"]) == ({"ann": True, "ben": False}, 1)


def test_a_link_is_drawn_as_a_code_that_holds_it(tmp_path):
    segno = pytest.importorskip("segno", reason="segno is not installed: pip install -e '.[dev]'")
    with serving("--games", tmp_path) as site:
        link = "http://localhost:8437/play#ann-ben-1/0123456789abcdef0123456789abcdef01234567"
        status, text = site.post("/api/v1/qr", {"text": link})
        assert status == 200
        matrix = segno.make_qr(link, error="m").matrix
        told = json.loads(text)
        assert told["size"] == len(matrix)
        assert told["path"].count("M") == sum(map(sum, matrix))
        assert site.post("/api/v1/qr", {"text": "javascript:alert(1)"})[0] == 400
        assert site.post("/api/v1/qr", {"text": "http://" + "x" * 400})[0] == 400
