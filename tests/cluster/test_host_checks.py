"""Each host tries a player before it plays there; what cannot play there plays elsewhere."""

import os
import sys

import pytest
from bench.agent_processes import AGENT, ProcessHosts
from msgspec.structs import replace

from gyoji.cluster.cluster_pool import ClusterPool
from gyoji.cluster.host_checks import COMMAND, HostChecks
from gyoji.core.spec import Containment, GameSpec, Player, Signature
from gyoji.play.loop import Loop
from gyoji.play.order import Order

pytestmark = pytest.mark.process
READY = (sys.executable, "-m", "gyoji.engines.kozo", "--random")
ENDS = (sys.executable, "-c", "import sys; sys.exit('no such library')")


def player(code, command, **changes):
    return Player(
        code=code, command=command, executor="local", containment=Containment(level="off"), **changes
    )


def game(*players):
    return GameSpec(id="0_0", pairing="0", game="go", players=players, options={"board_size": 5, "komi": 7.5})


@pytest.fixture
def loop():
    loop = Loop()
    yield loop
    loop.close()


def found(loop, spec):
    """Return the problem of a game's players, "" if they start, and the number of answers."""
    answers = []
    trials = HostChecks(loop, dict(os.environ), lambda: answers.append(trials.problem(spec)))
    try:
        assert trials.problem(spec) is None
        while not answers or answers[-1] is None:
            loop.wait()
        return answers[-1], len(answers)
    finally:
        trials.close()


def test_a_player_that_does_not_start_is_told_with_its_last_words(loop):
    problem, _ = found(loop, game(player("a", READY), player("b", ENDS)))
    assert problem.startswith("b: ")
    assert "no such library" in problem


def test_players_that_differ_in_numbers_alone_are_tried_once(loop):
    numbered = [player(code, (*READY, "--seed", str(number))) for number, code in enumerate("ab")]
    assert found(loop, game(*numbered)) == ("", 1)


def test_a_player_with_another_signature_than_its_own_is_told_from_the_same_command(loop):
    right, wrong = (
        player(code, READY, signature=Signature(send="name", expect=name))
        for code, name in (("a", "Drunk"), ("b", "other"))
    )
    problem, answers = found(loop, game(right, wrong))
    assert problem.startswith("b: signature: expected 'other' as the answer to 'name', got 'Drunk'")
    assert answers == 2


def test_what_is_found_of_one_player_is_told_of_the_one_that_is_asked_about(loop):
    answers = []
    trials = HostChecks(loop, dict(os.environ), lambda: answers.append(trials.problem(game(*numbered[:2]))))
    numbered = [player("a", READY), *[player(code, (*ENDS, str(at))) for at, code in enumerate(("c1", "c2"))]]
    try:
        assert trials.problem(game(*numbered[:2])) is None
        while not answers or answers[-1] is None:
            loop.wait()
        assert answers[-1].startswith("c1: ")
        assert trials.problem(game(numbered[0], numbered[2])) == answers[-1].replace("c1: ", "c2: ", 1)
    finally:
        trials.close()


def test_persons_are_not_tried(loop):
    person = Player(code="p", command=(), executor="person", protocol="person")
    trials = HostChecks(loop, {}, lambda: None)
    assert trials.problem(game(person, person)) == ""


def test_where_nobody_can_be_tried_games_are_played(loop, monkeypatch):
    monkeypatch.setattr("gyoji.cluster.host_checks.COMMAND", (COMMAND[0], "-c", ""))
    assert found(loop, game(player("a", ENDS), player("b", READY)))[0] == ""


BROKEN_ON_TWO = """#!/bin/sh
[ "$HOST_NAME" = two ] && { echo "no such library" >&2; exit 127; }
exec %s -m gyoji.engines.kozo --random
"""


@pytest.mark.slow
def test_a_host_where_a_player_does_not_start_plays_none_of_its_games(tmp_path, monkeypatch):
    (tmp_path / "bot").write_text(BROKEN_ON_TWO % sys.executable)
    (tmp_path / "bot").chmod(0o755)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    spec = game(*[player(code, (str(tmp_path / "bot"),)) for code in "ab"])
    hosts = {name: ("env", f"HOST_NAME={name}", *AGENT, "--slots", "1", "--try") for name in ("one", "two")}
    warnings = []
    with ClusterPool(ProcessHosts(hosts), folder=tmp_path) as pool:
        pool.listener.on_warning = warnings.append
        futures = [pool.submit(Order(spec=replace(spec, id=f"0_{number}"))) for number in range(3)]
        while not all(future.done() for future in futures):
            pool.loop.wait()
    assert {future.result(0).finished.result.host for future in futures} == {"one"}
    assert len(warnings) == 1
    (told,) = [text for text in warnings if text.startswith("host two plays no games of a: ")]
    assert "no such library" in told
