"""The surroundings of an engine: environment, descriptors, signals and session."""

import json
import re
import sys

import pytest
from msgspec.structs import replace

from gyoji.core.spec import GameSpec, Player, game_token
from gyoji.play.game import play
from gyoji.play.order import Order

OF_THE_C_LIBRARY = 1 << 31 | 1 << 32
"""Two signals that glibc keeps for itself, and has ignored in whatever `posix_spawn` starts."""

ENGINE = """
import json, os, signal, sys
told = ("GYOJI_GAME_TOKEN", "GYOJI_GAME_ID", "GYOJI_SLOT", "GOMILL_GAME_ID", "GOMILL_SLOT")
names = (*told, "EXTRA", "HOME")
facts = {name: os.environ.get(name) for name in names}
facts["cwd"] = os.getcwd()
listed = sorted(int(name) for name in os.listdir("/proc/self/fd"))
facts["descriptors"] = [number for number in listed if os.path.exists(f"/proc/self/fd/{number}")]
facts["leads"] = os.getsid(0) == os.getpid() == os.getpgrp()
print(json.dumps(facts), file=sys.stderr, flush=True)
"""


@pytest.mark.process
@pytest.mark.parametrize("slot", [None, 0, 3])
def test_an_engine_finds_its_game_its_slot_and_nothing_of_ours(slot, tmp_path):
    command = (sys.executable, "-I", "-S", "-c", ENGINE)
    curious = Player(code="curious", command=command, environ={"EXTRA": "more"}, cwd=str(tmp_path))
    options = {"board_size": 9, "komi": 7.5}
    spec = GameSpec(id="0_7", pairing="0", game="go", players=(curious, curious), options=options)
    report = play(Order(spec=spec, slot=slot))
    facts = json.loads(next(line for line in report.log if "GYOJI_GAME_TOKEN" in line))
    assert facts["GYOJI_GAME_TOKEN"] in (game_token(spec, 0), game_token(spec, 1))
    assert facts["GYOJI_GAME_ID"] is facts["GOMILL_GAME_ID"] is None
    text = None if slot is None else str(slot)
    assert facts["GYOJI_SLOT"] == facts["GOMILL_SLOT"] == text
    assert facts["EXTRA"] == "more"
    assert facts["HOME"]
    assert facts["cwd"] == str(tmp_path)
    assert facts["descriptors"] == [0, 1, 2]
    assert facts["leads"]


@pytest.mark.process
def test_an_engine_finds_the_id_of_its_game_where_its_event_promises_that():
    shell = Player(code="shell", command=("/bin/sh", "-c", "env >&2"))
    options = {"board_size": 9, "komi": 7.5}
    spec = GameSpec(id="0_7", pairing="0", game="go", players=(shell,) * 2, options=options)
    log = play(Order(spec=spec, id_in=("GOMILL_GAME_ID",))).log
    assert {line.strip() for line in log if "GAME_ID" in line} == {"GOMILL_GAME_ID=0_7"}


def test_a_token_says_nothing_but_that_it_is_the_same_game_again():
    spec = GameSpec(id="0_7", pairing="0", game="go", players=(), seed=5)
    again, other, unlike = replace(spec), replace(spec, id="0_8"), replace(spec, seed=6)
    assert game_token(spec, 0) == game_token(again, 0)
    tokens = {game_token(each, team) for each in (spec, other, unlike) for team in (0, 1)}
    assert len(tokens) == 6
    assert all(re.fullmatch("[0-9a-f]{16}", token) for token in tokens)


@pytest.mark.process
@pytest.mark.parametrize(
    ("settings", "found"),
    [
        ({}, {"HARMLESS"}),
        ({"inherits": ("SSH_AUTH_SOCK",), "lacks": ("HARMLESS",)}, {"SSH_AUTH_SOCK"}),
    ],
)
def test_an_engine_finds_no_secret_of_ours_unless_its_player_names_it(monkeypatch, settings, found):
    ours = ("AWS_SECRET_ACCESS_KEY", "MY_TOKEN", "SSH_AUTH_SOCK", "HARMLESS")
    for name in ours:
        monkeypatch.setenv(name, "value")
    player = Player(code="shown", command=("/bin/sh", "-c", "env >&2"), **settings)
    spec = GameSpec(
        id="0", pairing="0", game="go", players=(player,) * 2, options={"board_size": 9, "komi": 7}
    )
    names = {line.strip().partition("=")[0] for line in play(Order(spec=spec)).log}
    assert names.issuperset(("PATH", "GYOJI_GAME_TOKEN"))
    assert names & set(ours) == found


@pytest.mark.process
def test_no_signal_is_ignored_in_an_engine_not_even_sigpipe():
    shell = Player(code="shell", command=("/bin/sh", "-c", "grep SigIgn /proc/self/status >&2"))
    options = {"board_size": 9, "komi": 7.5}
    report = play(Order(spec=GameSpec(id="0", pairing="0", game="go", players=(shell,) * 2, options=options)))
    ignored = {int(line.split()[1], 16) for line in report.log if "SigIgn" in line}
    assert {mask & ~OF_THE_C_LIBRARY for mask in ignored} == {0}


@pytest.mark.process
def test_a_program_that_is_not_there_makes_the_game_void_and_ends_the_other_engine():
    command = (sys.executable, "-I", "-S", "-c", "import time; time.sleep(60)")
    players = (Player(code="there", command=command), Player(code="gone", command=("/no/such/engine",)))
    spec = GameSpec(id="0", pairing="0", game="go", players=players, options={"board_size": 9, "komi": 7})
    report = play(Order(spec=spec))
    assert report.record is None
    assert report.void.reason.startswith("player gone: no program '/no/such/engine': there is no such file")
