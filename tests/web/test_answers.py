"""What the server answers: to whom, how much at once, and nothing that nobody may see yet."""

import json
import os
from threading import Event as Flag

import pytest
from elsewhere import serving_here
from served import PATIENCE, authorization, paced, serving, started, until

from gyoji.scheduler.event import Event
from gyoji.scheduler.reports import report_text
from gyoji.web.results_cache import ResultsCache
from gyoji.web.seat_links import SeatLinks

pytestmark = pytest.mark.process

NAMES = ["evil.example", "127.0.0.1.evil.example:80", ""]

DIGHERE = """
competition = "playoff"
game = "dighere"
sandbox = "off"
skip_player_checks = true
opening = '{"size":20,"steps":5000,"agents":[{"x":0,"y":0},{"x":5,"y":5},{"x":1,"y":0},{"x":4,"y":5}],\
"hidden":[{"x":12,"y":14,"amount":7776},{"x":15,"y":10,"amount":2}]}'
[players.ann]
command = ["sh", "-c", "read line < go.fifo; exec gyoji-horidashi --random"]
[players.ben]
command = "gyoji-horidashi --random"
[[matchups]]
players = ["ann", "ben"]
number_of_games = 1
"""


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A finished event of 25 games between engines that resign."""
    folder = tmp_path_factory.mktemp("played")
    path, moves = paced(folder)
    path.write_text(path.read_text().replace("number_of_games = 1", "number_of_games = 25"))
    for _ in range(25):
        moves.play("ann", "resign")
        moves.play("ben", "resign")
    with started("run", path, "-q", ends=False) as run:
        run.wait()
    moves.close()
    return path


@pytest.fixture(scope="module")
def site(played):
    with serving(played) as site:
        told = site.json("/api/v1/competitions/event/tables")  # which waits until all is counted
        assert told
        assert site.json("/status.json")["competitions"][0]["finished"] == 25
        yield site


@pytest.mark.parametrize(
    "path", ["/", "/c/event", "/c/event/games", "/c/event/wall", "/play", "/status.json"]
)
def test_every_answer_forbids_what_is_not_ours(site, path):
    status, headers, _ = site.ask(path)
    assert status == 200
    policy = headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'")
    assert "frame-ancestors 'none'" in policy
    assert headers["X-Content-Type-Options"] == "nosniff"


def test_a_game_alone_may_stand_in_a_frame_of_others(site):
    game = site.json("/api/v1/competitions/event/games?most=1")["games"][0]["id"]
    policies = [
        site.ask(path)[1]["Content-Security-Policy"].rpartition("frame-ancestors ")[2]
        for path in (f"/c/event/games/{game}?embed", f"/c/event/games/{game}", "/play?embed", "/?embed")
    ]
    assert policies == ["*", "'none'", "'none'", "'none'"]


@pytest.mark.parametrize("name", NAMES)
def test_a_server_that_is_called_by_another_name_says_nothing(site, name):
    status, _, text = site.ask("/status.json", Host=name)
    assert (status, "event" in text) == (421, False)


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/c/other", 404),
        ("/c/event/games/0_99", 404),
        ("/api/v1/competitions/event/games/0_99", 404),
        ("/api/v1/competitions/event/records/0_99.sgf", 404),
        ("/api/v1/competitions/event/records/0_00.exe", 404),
        ("/api/v1/competitions/event/games?before=x", 400),
        ("/static/x/../pages.py", 404),
        ("/static/x/pages.py", 404),
        ("/api/v1/seat", 403),
    ],
)
def test_what_is_not_there_is_said_to_be_not_there(site, path, status):
    assert site.ask(path)[0] == status


def test_games_are_paged_and_searched_by_the_store(site):
    games = "/api/v1/competitions/event/games"
    first = site.json(f"{games}?most=10")["games"]
    assert [game["number"] for game in first] == list(range(25, 15, -1))
    rest = site.json(f"{games}?most=100&before=16")["games"]
    assert [game["number"] for game in rest] == list(range(15, 0, -1))
    assert len(site.json(f"{games}?player=ann&most=100")["games"]) == 25
    assert site.json(f"{games}?player=nobody")["games"] == []
    assert site.json(f"{games}?ending=time")["games"] == []
    assert [game["id"] for game in site.json(f"{games}?text={first[3]['id']}")["games"]] == [first[3]["id"]]
    assert site.json(f"{games}?text=%25")["games"] == []


def test_tables_are_those_of_the_report(site, played):
    report = json.loads(report_text(Event.open(played), "json", most=200, table=None))
    assert site.json("/api/v1/competitions/event/tables") == report["tables"]


def test_the_page_of_a_game_has_the_game_with_it(site):
    game = site.json("/api/v1/competitions/event/games")["games"][0]["id"]
    _, _, text = site.ask(f"/c/event/games/{game}")
    inlined = text.partition('<script type="application/json" id="game-values">')[2].partition("</script>")[0]
    assert json.loads(inlined) == site.json(f"/api/v1/competitions/event/games/{game}")


def test_a_record_is_the_file_that_the_run_has_written(site, played):
    game = site.json("/api/v1/competitions/event/games?most=1")["games"][0]["id"]
    _, _, text = site.ask(f"/api/v1/competitions/event/records/{game}.sgf")
    assert text == (played.with_suffix(".games") / f"{game}.sgf").read_text()


def test_the_rules_play_what_somebody_tries(site):
    game = (
        "/api/v1/competitions/event/games/" + site.json("/api/v1/competitions/event/games")["games"][0]["id"]
    )
    told = site.json(f"{game}/try?turn=0&play=C3&play=pass&play=D4")
    assert told["first"] == 0
    assert [move[:2] for turn in told["turns"] for move in turn] == [[0, "C3"], [1, "pass"], [0, "D4"]]
    assert told["frames"][0][0] == [12, "B"]


@pytest.mark.parametrize(
    ("asked", "status", "said"),
    [
        ("play=C3&play=C3", 409, "occupied"),
        ("play=Z9", 409, "Z9"),
        ("play=pass&play=pass&play=C3", 409, "over"),
        ("turn=x", 400, "number"),
        ("&play=C3" * 501, 409, "at most"),
    ],
)
def test_what_cannot_be_tried_is_refused_and_why(site, asked, status, said):
    game = site.json("/api/v1/competitions/event/games")["games"][0]["id"]
    answer = site.ask(f"/api/v1/competitions/event/games/{game}/try?{asked}")
    assert (answer[0], said in answer[2]) == (status, True), answer[2]


def test_what_is_played_and_what_comes_next_is_told(tmp_path):
    path, moves = paced(tmp_path)
    path.write_text(path.read_text().replace("number_of_games = 1", "number_of_games = 3"))
    with serving(path) as site, started("run", path, "-q"):
        playing = until(lambda: site.json("/api/v1/competitions/event")["playing"], "a game")
        told = site.json("/api/v1/competitions/event/schedule")
        assert [(each["id"], each["players"]) for each in told["playing"]] == [(playing[0], ["ann", "ben"])]
        assert [each["players"] for each in told["coming"]] == [["ann", "ben"]] * 2
        assert site.ask("/wall")[0] == 200
    moves.close()


def test_nothing_that_players_do_not_see_is_told_before_the_game_is_over(tmp_path):
    path = tmp_path / "event.toml"
    path.write_text(DIGHERE)
    os.mkfifo(tmp_path / "go.fifo")
    with serving(path) as site, started("run", path, "-q"):
        game = until(lambda: site.json("/api/v1/competitions/event")["playing"], "a game")[0]
        told = [
            site.json(f"/api/v1/competitions/event/games/{game}"),
            *site.json("/api/v1/competitions/event/boards"),
        ]
        assert site.ask(f"/api/v1/competitions/event/games/{game}/try?turn=0&play=1")[0] == 409
        assert site.ask(f"/api/v1/competitions/event/games/{game}/line?turn=1&seat=0")[0] == 409
        base = "/api/v1/competitions/event"
        pages = ["/", "/status.json", "/c/event", "/c/event/parts", "/c/event/wall", f"/c/event/games/{game}"]
        pages += [base, f"{base}/tables", f"{base}/games/{game}", f"{base}/boards"]
        shown = {page: site.ask(page)[2] for page in pages}
        assert [page for page, text in shown.items() if "7776" in text or "hidden': [" in text] == []
        events = site.events(f"watch=event/{game}&watch=event/boards")
        next(events)
        with open(tmp_path / "go.fifo", "w") as fifo:
            fifo.write("\n" * 9)
        for name, _, data in events:
            told += [data] if name == "move" else data if name == "boards" else []
            if name == "finished":
                break
        assert site.ask(f"/api/v1/competitions/event/games/{game}")[0] == 200
        seen = [
            each for each in told if any(each.get(key) for key in ("turns", "curves", "columns", "kind_"))
        ]
        assert seen == []
        assert all(not any(each.get("frames", [[]])) for each in told)
        untimed = [{key: each[key] for key in each if key not in ("left", "waited")} for each in told]
        assert "7776" not in json.dumps(untimed)
        assert len(told) > 2
        until(lambda: site.json(f"/api/v1/competitions/event/games/{game}")["turns"], "the whole game")


PERSON = """
competition = "playoff"
game = "gomoku"
[players.ann]
human = true
[players.ben]
human = true
[[matchups]]
players = ["ann", "ben"]
number_of_games = 1
"""


def test_a_person_whose_request_comes_before_the_server_has_read_the_event_is_no_stranger(
    tmp_path, monkeypatch
):
    path = tmp_path / "event.toml"
    path.write_text(PERSON)
    with started("run", path, "-q"), serving(path) as site:
        headers = authorization(site, "ann")
    was_asked, find, read = Flag(), SeatLinks.of, ResultsCache.read_setup

    def find_loudly(*given):
        was_asked.set()
        return find(*given)

    def read_late(*given):
        assert was_asked.wait(PATIENCE)
        return read(*given)

    monkeypatch.setattr(SeatLinks, "of", find_loudly)
    monkeypatch.setattr(ResultsCache, "read_setup", read_late)
    with serving_here(path) as site:
        assert site.ask("/api/v1/seat", **headers)[0] == 200
