"""Remote players, from the owner's command to the stored result, with a server that is ended in between."""

import re
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager

import pytest

pytest.importorskip("starlette", reason="gyoji[web] is not installed: pip install -e '.[dev]'")
from served import PATIENCE, serving, started, until

from gyoji.store.store import Store

pytestmark = [pytest.mark.process, pytest.mark.slow]

ENGINE = ("gyoji-kozo", "--seed", "7")


def event(folder, *lines, games=2):
    path = folder / "cup.toml"
    text = ['competition = "playoff"', 'game = "go"', "board_size = 5", "komi = 0.5", 'clock = "2m"', *lines]
    text += ["[players.here]", 'command = "gyoji-kozo --seed 3"', "[players.x]", "remote = true"]
    text += ["[[matchups]]", 'players = ["here", "x"]', f"number_of_games = {games}"]
    path.write_text("\n".join(text) + "\n")
    return path


def gyoji(*words, **options):
    words = [sys.executable, "-m", "gyoji", *map(str, words)]
    return subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE, check=False, **options)


def link_of(path, address):
    (line,) = gyoji("invite", path, "x", "--at", address).stdout.splitlines()
    return line.removeprefix("x: ")


@contextmanager
def joined(link, *words):
    """Yield an owner's process, which is killed at the end."""
    words = [sys.executable, "-m", "gyoji", "join", link, *words]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as owner:
        try:
            yield owner
        finally:
            owner.kill()


def results(path):
    with Store.read(path.with_suffix(".db")) as store:
        return list(store.results())


def test_an_engine_at_its_owner_s_plays_and_the_owner_sees_games_and_results(tmp_path):
    path = event(tmp_path)
    with started("run", path, "-q") as run, serving(path) as site:
        link = link_of(path, site.address)
        checked = gyoji("join", link, "--check", "--", *ENGINE).stderr
        assert "the engine is ok: Kozo" in checked
        assert "20 round trips, measured by the server: median" in checked
        assert "the event credits up to" in checked
        assert "not here: x" in gyoji("show", path).stdout
        assert site.json("/api/v1/competitions/cup")["there"] == {"x": False}
        with joined(link, "--games", "2", "--", *ENGINE) as owner:
            until(lambda: site.json("/api/v1/competitions/cup")["there"]["x"], "the owner")
            said = owner.communicate(timeout=PATIENCE)[1]
        run.wait(PATIENCE)
    assert owner.returncode == 0
    assert "the engine is ok: Kozo" in said
    assert re.findall(r"game (\S+): here - x", said) == ["0_0", "0_1"]
    assert len(re.findall(r"game 0_[01]: (?:here beat x|x beat here) ", said)) == 2
    assert "left after 2 games" in said


def test_the_server_is_ended_and_begun_again_within_a_game_and_no_move_is_lost(tmp_path):
    path = event(tmp_path, games=4)
    with ExitStack() as stack:
        run = stack.enter_context(started("run", path, "-q"))
        with serving(path) as site:
            port = site.address.rpartition(":")[2]
            link = link_of(path, site.address)
            owner = stack.enter_context(joined(link, "--games", "4", "--", *ENGINE))
            until(lambda: site.json("/api/v1/competitions/cup")["playing"], "a game")
        time.sleep(0.3)
        stack.enter_context(serving(path, "--port", port))
        said = owner.communicate(timeout=PATIENCE)[1]
        run.wait(PATIENCE)
    assert "connection is lost" in said
    endings = {result.outcome.ending.value for result in results(path)}
    assert len(results(path)) == 4
    assert endings <= {"score", "resignation"}, endings


@pytest.mark.parametrize(
    ("link", "why"),
    [
        ("http://example.org/join#cup/00", "not encrypted"),
        ("https://example.org/cup", "expected the whole link"),
    ],
)
def test_a_link_that_is_wrong_or_not_encrypted_is_refused_before_anything_is_started(link, why):
    done = gyoji("join", link, "--", "gyoji-kozo")
    assert done.returncode != 0
    assert why in done.stderr


def test_another_seat_s_link_or_a_second_owner_is_refused(tmp_path):
    path = event(tmp_path)
    with started("run", path, "-q"), serving(path) as site:
        link = link_of(path, site.address)
        done = gyoji("join", link[:-4] + "0000", "--", *ENGINE)
        assert "this link is not good" in done.stderr
        with joined(link, "--", *ENGINE):
            until(lambda: site.json("/api/v1/competitions/cup")["playing"], "a game")
            second = gyoji("join", link, "--", *ENGINE)
    assert "another `gyoji join` is connected with this link" in second.stderr
