"""Koma, our player of chess: it obeys each form of `go`, finds mates, and never answers an illegal move."""

import subprocess
import sys

import pytest

from gyoji.engines import koma
from gyoji.games.chess.fen import read_fen, start_fen
from gyoji.games.chess.position import legal_moves


def talk(capsys, *lines, **options):
    """Return what Koma answers to these lines, without a process."""
    player = koma.Koma("seed", **options)
    for line in lines:
        player.obey(line.split())
    return capsys.readouterr().out.splitlines()


def best(lines):
    (found,) = [line.split()[1] for line in lines if line.startswith("bestmove")]
    return found


def test_it_introduces_itself(capsys):
    lines = talk(capsys, "uci", "isready", "nonsense")
    assert lines[0] == f"id name {koma.NAME}"
    assert "option name UCI_Chess960 type check default false" in lines
    assert lines[-2:] == ["uciok", "readyok"]


@pytest.mark.parametrize(
    ("fen", "move", "score"),
    [
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8", "mate 1"),
        ("4k3/8/5q2/3N4/8/8/8/4K3 w - - 0 1", "d5f6", "cp"),
        ("k7/8/1K6/8/8/8/8/7R w - - 0 1", "h1h8", "mate 1"),
    ],
)
def test_it_finds_what_is_near(capsys, fen, move, score):
    lines = talk(capsys, f"position fen {fen}", "go depth 3")
    assert best(lines) == move
    assert any(f"score {score}" in line for line in lines)


@pytest.mark.parametrize(
    "go",
    [
        "depth 2",
        "nodes 300",
        "movetime 100",
        "wtime 300 btime 300",
        "wtime 90 btime 90 winc 20 binc 20 movestogo 3",
    ],
)
def test_it_obeys_every_form_of_go(capsys, go):
    lines = talk(capsys, "position startpos moves e2e4", f"go {go}")
    assert best(lines) in legal_moves(read_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"))
    if "nodes" in go:
        assert all(int(line.split("nodes ")[1].split()[0]) <= 300 for line in lines if "nodes" in line)


def test_it_castles_as_chess960_does(capsys):
    fen = start_fen(0)
    lines = talk(
        capsys, "setoption name UCI_Chess960 value true", f"position fen {fen}", "go depth 1", is_random=True
    )
    assert best(lines) in legal_moves(read_fen(fen, is_960=True))


def test_what_is_wrong_is_said_and_changes_nothing(capsys):
    lines = talk(capsys, "position fen nonsense", "position startpos moves e2e5", "go depth 1")
    assert sum(line.startswith("info string") for line in lines) == 2
    assert best(lines) in legal_moves(read_fen(koma.STANDARD_START))


def test_the_same_seed_plays_the_same_move(capsys):
    lines = [talk(capsys, "position startpos", "go depth 3")[-1] for _ in range(2)]
    assert lines[0] == lines[1]


@pytest.mark.parametrize(
    ("limits", "seconds"),
    [
        ({"movetime": 100}, 0.07),
        ({}, float("inf")),
        ({"wtime": 60_050}, 2.0),
        ({"wtime": 10}, koma.AT_LEAST_S),
    ],
)
def test_how_long_it_thinks(limits, seconds):
    assert koma.seconds_of(limits, "w") == pytest.approx(seconds)


@pytest.mark.parametrize(
    ("score", "text"), [(31, "cp 31"), (29_999, "mate 1"), (-29_998, "mate -1"), (29_997, "mate 2")]
)
def test_scores_are_written_as_uci_has_them(score, text):
    assert koma.score_text(score) == text


@pytest.mark.process
def test_it_stops_when_it_is_told():
    with subprocess.Popen(
        [sys.executable, "-m", "gyoji.engines.koma"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        process.stdin.write("position startpos\ngo infinite\nisready\n")
        process.stdin.flush()
        while process.stdout.readline() != "readyok\n":
            pass
        process.stdin.write("stop\nquit\n")
        process.stdin.flush()
        assert "bestmove" in process.stdout.read()
        assert process.wait(20) == 0
