"""`gyoji analyse`: real engines say what they think of each position of a finished game."""

import json
import shutil
import sys
from pathlib import Path

import pytest
from command_line import gyoji

from finished import store_games
from gyoji.core.outcome import Ending, Outcome
from gyoji.core.record import EngineReport, GameRecord, GameResult, Played

pytestmark = pytest.mark.process

ENGINE = Path(__file__).with_name("analysing_engine.py")
STOCKFISH = shutil.which("stockfish") or shutil.which("stockfish", path="/usr/games")


START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n"


def played(folder, game, moves, players, more=""):
    """Return an event with one finished game between a and b. players: commands by name."""
    lines = ['competition = "playoff"', f'game = "{game}"', 'sandbox = "off"', more]
    for name, command in {"a": ["nowhere"], "b": ["nowhere"], **players}.items():
        lines += [f"[players.{name}]", f"command = {json.dumps(command)}"]
        lines += ['protocol = "uci"'] if game == "chess" else []
    lines += ["[[matchups]]", 'players = ["a", "b"]', "number_of_games = 1"]
    (folder / "start.fen").write_text(START)
    path = folder / "event.toml"
    path.write_text("\n".join(lines) + "\n")
    turns = tuple((Played(number % 2, move, 0),) for number, move in enumerate(moves))

    def record_of(spec, _number):
        result = GameResult(
            id=spec.id,
            pairing=spec.pairing,
            players=spec.codes,
            outcome=Outcome(points=None, ending=Ending.MOVE_LIMIT),
            turns=len(moves),
            engines=(EngineReport(), EngineReport()),
            started="2026-11-24T00:00:00+00:00",
            wall_ns=0,
        )
        return GameRecord(result=result, turns=turns)

    store_games(path, 1, record_of)
    return path


def told(path, *words):
    done = gyoji("analyse", path, "0_0", "--json", *words)
    assert done.exit_code == 0, done.output
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture
def go(tmp_path):
    engines = {word[:2]: [sys.executable, str(ENGINE), word] for word in ("lz-analyze", "kata-analyze")}
    return played(tmp_path, "go", ["C3", "D3", "pass"], engines, "board_size = 5\nkomi = 0.5")


@pytest.mark.parametrize("player", ["lz", "ka"])
def test_a_gtp_engine_that_analyses_is_asked_about_each_position(go, player):
    found = told(go, "--player", player, "--time", "0.1")
    assert [(each["turn"], each["seat"]) for each in found] == [(0, 0), (1, 1), (2, 0), (3, 1)]
    for each in found:
        best, other = each["lines"]
        assert (best["moves"], other["moves"]) == (["A1", "B1"], ["C1"])
        assert (best["win"], other["win"]) == (0.6, 0.4)
    # The engine tells how many stones it has been told.
    assert [each["lines"][0]["score"] for each in found] == [0.5, 1.5, 2.5, 2.5]


def test_only_as_many_variations_are_told_as_are_wanted(go):
    done = gyoji("analyse", go, "0_0", "--player", "lz", "--time", "0.05", "--lines", "1")
    assert done.stdout.splitlines()[:3] == [
        "after 0 turns, black to move",
        "  60 % to win, +0.5, 1 node: A1 B1",
        "after 1 turns, white to move",
    ]


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (("0_0", "--player", "cem"), 2, "'cem' cannot analyse games of go; there are: a, b, lz"),
        (("0_9",), 2, "there is no finished game '0_9'"),
        (("0_0", "--player", "kozo"), 1, "kozo: knows neither kata-analyze nor lz-analyze"),
        (("0_0", "--player", "dies"), 1, "dies: exited (exit 7)"),
    ],
)
def test_what_cannot_be_analysed_is_one_line(tmp_path, words, status, message):
    others = {"kozo": ["gyoji-kozo"], "dies": [sys.executable, "-c", "exit(7)"]}
    players = {"lz": ["nowhere"], **{name: others[name] for name in words if name in others}}
    path = played(tmp_path, "go", ["C3"], players, "board_size = 5\nkomi = 0.5")
    done = gyoji("analyse", path, *words)
    assert (done.exit_code, done.stdout) == (status, "")
    assert message in done.stderr


def test_a_uci_engine_of_ours_tells_its_line_of_each_position(tmp_path):
    path = played(tmp_path, "chess", ["e2e4", "e7e5"], {"koma": ["gyoji-koma"]}, 'openings = "start.fen"')
    found = told(path, "--player", "koma", "--time", "0.1")
    assert [each["turn"] for each in found] == [0, 1, 2]
    assert all(each["lines"][0]["moves"] for each in found)


@pytest.mark.slow
@pytest.mark.skipif(STOCKFISH is None, reason="no stockfish: install Debian's package stockfish")
def test_stockfish_tells_several_variations_of_each_position(tmp_path):
    path = played(
        tmp_path,
        "chess",
        ["e2e4", "e7e5", "f1c4", "a7a6", "d1h5", "b7b6"],
        {"fish": [STOCKFISH]},
        'openings = "start.fen"',
    )
    found = told(path, "--player", "fish", "--time", "1")
    assert [each["turn"] for each in found] == list(range(7))
    for each in found:
        assert len({line["moves"][0] for line in each["lines"]}) == 3
    assert found[6]["lines"][0]["moves"] == ["h5f7"]  # mate
    assert found[6]["lines"][0]["score"] == 29_999
