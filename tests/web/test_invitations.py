"""The links of people are listed for the organiser, and taken back."""

import json

import pytest
from served import serving, until

from gyoji.core.links import seat_secret

pytestmark = pytest.mark.process

ADDRESS = "/api/v1/competitions/ann-ben-1/invitations"
ANSWERS = {
    "game": "go",
    "settings": {"board_size": 5},
    "name": "ann",
    "clock": "10m",
    "side": 0,
    "opponent": {"person": "ben"},
}


def seat(site, link):
    """(status, how things stand for who holds that link)"""
    status, _, text = site.ask("/api/v1/seat", Authorization=f"Seat {link}")
    return status, json.loads(text) if status == 200 else text


def links(site):
    status, _, text = site.ask(ADDRESS, **site.run_control())
    assert status == 200, text
    return {each["player"]: each for each in json.loads(text)["invitations"]}


def test_every_link_taken_back_is_another_and_no_other_seats():
    secrets = [seat_secret(7, player, number) for player in ("ann", "ann1", "ben") for number in range(3)]
    assert len(set(secrets)) == len(secrets)


def test_a_link_that_is_taken_back_leads_nowhere_and_another_one_does(tmp_path):
    with serving("--games", tmp_path) as site:
        status, text = site.post("/api/v1/newgame", ANSWERS, **site.run_control())
        assert status == 200, text
        first = json.loads(text)["seats"]
        assert {player: each["link"] for player, each in links(site).items()} == first
        until(lambda: seat(site, first["ben"])[1]["running"], "the run")
        ticket = seat(site, first["ben"])[1]["ticket"]
        events = site.events(f"seat={ticket}")
        next(events)
        assert links(site)["ben"]["here"]
        site.post("/api/v1/seat/ready", {"ready": True}, Authorization=f"Seat {first['ben']}")
        until(lambda: links(site)["ben"]["ready"], "ben")
        assert site.post(ADDRESS, {"player": "ben"}, **site.run_control())[0] == 200
        assert all(name != "seat" for name, _, _ in events)  # and it has an end
        until(lambda: not links(site)["ben"]["ready"], "ben has left")
        second = {player: each["link"] for player, each in links(site).items()}
        assert (second["ann"], second["ben"] == first["ben"]) == (first["ann"], False)
        assert seat(site, first["ben"])[0] == 403
        assert seat(site, second["ben"])[1]["player"] == "ben"
        again = site.events(f"seat={ticket}")
        next(again)
        assert not links(site)["ben"]["here"]
    with serving("--games", tmp_path) as site:
        until(lambda: seat(site, second["ben"])[0] == 200, "the seat")
        assert seat(site, first["ben"])[0] == 403
        (tmp_path / "ann-ben-1.seats").write_text("{")
        assert seat(site, second["ben"])[0] == 409


def test_nobody_but_the_organiser_sees_links_or_takes_one_back(tmp_path):
    with serving("--games", tmp_path, "--open", "1") as site:
        seats = json.loads(site.post("/api/v1/newgame", ANSWERS)[1])["seats"]
        mine = {"Authorization": f"Seat {seats['ann']}"}
        for headers in ({}, mine, {"Authorization": "Steer x"}):
            assert site.ask(ADDRESS, **headers)[0] == 403
            assert site.post(ADDRESS, {"player": "ben"}, **headers)[0] == 403
        assert site.post(ADDRESS, {"player": "carl"}, **site.run_control())[0] == 404
        assert site.post(ADDRESS, {}, **site.run_control())[0] == 404
        assert seat(site, seats["ben"])[0] == 200
