"""Engines that the organiser uploads: they join when they can play, and nothing is left of them when not."""

import io
import json
import stat
import sys
import tomllib
import zipfile
from contextlib import nullcontext
from http.client import HTTPConnection
from pathlib import Path
from types import SimpleNamespace

import pytest
from served import PATIENCE, awaited, paced, serving
from starlette.exceptions import HTTPException

from gyoji.config.competition import load
from gyoji.core.faults import ConfigError
from gyoji.scheduler.control_client import NotRunning
from gyoji.web import uploading

pytestmark = [pytest.mark.process, pytest.mark.slow]

ENGINES = "/api/v1/competitions/event/engines"
KOZO = f"#!{sys.executable}\nfrom gyoji.engines.kozo import main\nmain()\n".encode()
BRAIN = f"#!{sys.executable}\nfrom gyoji.engines.narabe import main\nmain()\n".encode()

GOMOKU = """
competition = "playoff"
game = "gomoku"
[players.old]
command = "pbrain-narabe"
protocol = "gomocup"
[[matchups]]
players = ["old", "old"]
number_of_games = 1
"""


def package(*files):
    """Return a ZIP of (name, data, mode)."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data, mode in files:
            info = zipfile.ZipInfo(name)
            info.external_attr = mode << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, data)
    return made.getvalue()


PROGRAM = ("pbrain-new", BRAIN, stat.S_IFREG | 0o755)


class Organiser:
    def __init__(self, site):
        self.site = site
        self.token = site.organiser().rpartition("steer=")[2]

    def send(self, data, query, token=None, **headers):
        connection = HTTPConnection(self.site.place, timeout=4 * PATIENCE)
        headers = {
            "Content-Type": "application/octet-stream",
            "Authorization": f"Steer {token or self.token}",
            **headers,
        }
        connection.request("POST", f"{ENGINES}?{query}", data, headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, text


@pytest.fixture(scope="module")
def go(tmp_path_factory):
    path, moves = paced(tmp_path_factory.mktemp("go"))
    with serving(path) as site:
        yield path, Organiser(site)
    moves.close()


@pytest.fixture(scope="module")
def gomoku(tmp_path_factory):
    path = tmp_path_factory.mktemp("gomoku") / "event.toml"
    path.write_text(GOMOKU)
    with serving(path) as site:
        yield path, Organiser(site)


def left(path):
    """Return what is there besides the control file, and what stands beside it of itself."""
    return sorted(each.name for each in path.parent.iterdir() if each.suffix not in (".toml", ".fifo"))


def test_a_program_that_can_play_joins_contained(go):
    path, organiser = go
    status, text = organiser.send(KOZO, "player=new&file=kozo.py&protocol=gtp&against=ann,ben&games=4")
    assert (status, json.loads(text)["ok"]) == (200, True), text
    plain = tomllib.loads(path.read_text())
    assert plain["players"]["new"] == {
        "command": ["event.engines/new/kozo.py"],
        "protocol": "gtp",
        **uploading.LIMITS,
    }
    assert [each["players"] for each in plain["matchups"]] == [["ann", "ben"], ["new", "ann"], ["new", "ben"]]
    assert load(path).players["new"].containment.level == "strict"
    status, text = organiser.send(KOZO, "player=new&file=kozo.py&protocol=gtp")
    assert (status, "already" in text) == (409, True), text


@pytest.mark.parametrize(
    ("data", "query", "reason"),
    [
        (b"#!/bin/sh\nexit 3\n", "player=x&file=a.sh&protocol=gtp&against=ann", "exited"),
        (KOZO, "player=x&file=a.py&protocol=gtp", "no player called 'x' plays in this competition"),
        (KOZO, "player=x&file=../a.py&protocol=gtp&against=ann", "file: expected a name"),
        (KOZO, "player=../x&file=a.py&protocol=gtp&against=ann", "player: expected letters"),
        (KOZO, "player=x&file=a.py&protocol=gomocup&against=ann", "protocol gomocup cannot play go"),
        (KOZO, "player=x&file=a.py&protocol=nope&against=ann", "no protocol"),
        (KOZO, "player=x&file=a.py&protocol=gtp&against=nobody", "against: there is no player"),
        (KOZO, "player=x&file=a.py&protocol=gtp&against=ann&games=0", "games: expected a number"),
        (KOZO, "player=x&file=a.zip&protocol=gtp&against=ann", "this ZIP package cannot be unpacked"),
        (b"", "player=x&file=a.py&protocol=gtp&against=ann", "got nothing"),
    ],
)
def test_what_cannot_play_is_refused_and_nothing_is_left_of_it(go, data, query, reason):
    path, organiser = go
    before, beside = path.read_text(), left(path)
    status, text = organiser.send(data, query)
    assert reason in text
    assert status in (400, 409) or not json.loads(text)["ok"]
    assert (path.read_text(), left(path)) == (before, beside)
    assert not (path.with_suffix(".engines") / "x").exists()


def test_without_the_token_nothing_is_taken(go):
    path, organiser = go
    query = "player=y&file=kozo.py&protocol=gtp&against=ann"
    assert organiser.send(KOZO, query, token="wrong")[0] == 403
    assert organiser.send(KOZO, query, Origin="https://evil.example")[0] == 403
    assert organiser.send(KOZO, query, **{"Content-Type": "text/plain"})[0] == 415
    assert "players.y" not in path.read_text()


def test_a_package_joins_too(gomoku):
    path, organiser = gomoku
    data = package(PROGRAM)
    status, text = organiser.send(data, "player=new&file=new.zip&protocol=gomocup&against=old")
    assert (status, json.loads(text)["ok"]) == (200, True), text
    assert load(path).players["new"].command[0].endswith("event.engines/new/new.zip")


ZEROS = bytes(1 << 26)
BOMB = (PROGRAM, *[(f"zeros{number}", ZEROS, stat.S_IFREG | 0o644) for number in range(17)])


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ((PROGRAM, ("../evil", b"x", stat.S_IFREG | 0o644)), "a path that leads outside"),
        ((PROGRAM, ("/tmp/evil", b"x", stat.S_IFREG | 0o644)), "a path that leads outside"),
        ((PROGRAM, ("etc", b"/etc", stat.S_IFLNK | 0o777)), "it has a link"),
        (BOMB, "it has more than 1"),
        ((("readme", b"x", stat.S_IFREG | 0o644),), "pbrain-"),
        ((), "cannot be unpacked"),
    ],
    ids=["outside", "absolute", "link", "bomb", "no program", "no package"],
)
def test_a_package_that_would_do_harm_is_refused(gomoku, files, reason):
    data = package(*files) if files else b"PK\x03\x04 nothing of the kind"
    path, organiser = gomoku
    before = path.read_text()
    status, text = organiser.send(data, "player=x&file=x.zip&protocol=gomocup&against=old")
    assert reason in text
    assert status == 409 or not json.loads(text)["ok"]
    assert path.read_text() == before
    assert not (path.with_suffix(".engines") / "x").exists()
    assert not Path("/tmp/evil").exists()


class Request:
    """A request that brings that much at a time."""

    def __init__(self, *chunks, **query_params):
        self.chunks = chunks
        self.query_params = query_params

    async def stream(self):
        for chunk in self.chunks:
            yield chunk


def test_no_more_than_the_limit_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(uploading, "MOST_BYTES", 10)
    path = awaited(uploading.receive(Request(b"12345", b"67890"), tmp_path / "a", "bot"))
    assert (path.read_bytes(), path.stat().st_mode & 0o777) == (b"1234567890", 0o755)
    request = Request(b"12345", b"678901", b"never read")
    with pytest.raises(HTTPException) as refusal:
        awaited(uploading.receive(request, tmp_path / "b", "bot"))
    assert refusal.value.status_code == 413
    assert (tmp_path / "b" / "bot").stat().st_size <= 10


@pytest.mark.parametrize(
    ("trouble", "is_in"),
    [(NotRunning("it has ended"), True), (ConfigError("its run does not answer"), False)],
)
def test_an_engine_joins_only_if_the_run_takes_it_or_has_ended(tmp_path, monkeypatch, trouble, is_in):
    def send_command(*_, **__):
        raise trouble

    path = tmp_path / "event.toml"
    path.write_text(GOMOKU)
    watched = SimpleNamespace(path=path, run=True, event=SimpleNamespace(setup=load(path), files=None))
    monkeypatch.setattr(uploading, "send_command", send_command)
    request = Request(BRAIN, player="new", file="new.py", protocol="gomocup", against="old")
    with nullcontext() if is_in else pytest.raises(ConfigError, match="does not answer"):
        assert awaited(uploading.add(watched, request))["ok"]
    assert ("new" in load(path).players, (tmp_path / "event.engines" / "new").exists()) == (is_in, is_in)
    assert is_in or path.read_text() == GOMOKU
