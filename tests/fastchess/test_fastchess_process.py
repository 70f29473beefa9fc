"""The program in a process of its own, with an engine that moves at once."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BOOK = ROOT / "tests" / "data" / "references" / "fastchess" / "openings.epd"


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    program = tmp_path_factory.mktemp("instant") / "uci_instant"
    source = ROOT / "bench" / "engines" / "uci_instant.c"
    subprocess.run(["gcc", "-O1", "-o", str(program), str(source)], check=True)
    return program


def play(folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    main = "from gyoji.fastchess.command import main; main()"
    command = [sys.executable, "-c", main, *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=90, check=False)


def test_the_line_of_openbench(engine: Path, tmp_path: Path) -> None:
    each = [f"dir={engine.parent}", f"cmd=./{engine.name}", "proto=uci", "tc=8.00+0.08", "timemargin=250"]
    words = (
        *(
            [
                "-recover",
                "-variant",
                "standard",
                "-testEnv",
                "-concurrency",
                "1",
                "-rounds",
                "2",
                "-games",
                "2",
            ]
        ),
        *(["-resign", "movecount=3", "score=400", "-draw", "movenumber=40", "movecount=8", "score=10"]),
        *("-engine", *each, "args=--seed 1", "name=E-dev", "-engine", *each, "args=--seed 2", "name=E-base"),
        *("-openings", f"file={BOOK}", "format=epd", "order=random", "start=1", "-srand", "7"),
        *(
            "-pgnout",
            "file=games.pgn",
            "seldepth=true",
            "nodes=true",
            "match_line=^info string pgncomment .*",
        ),
    )
    done = play(tmp_path, *words)
    assert done.returncode == 0, done.stdout + done.stderr
    finished = re.findall(
        r"^Finished game (\d) \((\S+) vs (\S+)\): (?:1-0|0-1|1/2-1/2) \{.+\}$", done.stdout, re.M
    )
    assert sorted(finished) == [
        ("1", "E-dev", "E-base"),
        ("2", "E-base", "E-dev"),
        ("3", "E-dev", "E-base"),
        ("4", "E-base", "E-dev"),
    ]
    pgn = (tmp_path / "games.pgn").read_text()
    assert sorted(re.findall(r'\[Round "(\d)"\]', pgn)) == ["1", "1", "2", "2"]


def test_the_same_command_resumes(engine: Path, tmp_path: Path) -> None:
    words = (
        *(f"-engine cmd={engine} name=a -engine cmd={engine} name=b -each tc=8+0.08".split()),
        *("-openings", f"file={BOOK}", "-config", "outname=kept", "-pgnout", "file=games.pgn"),
    )
    first = play(tmp_path, *words, "-rounds", "1")
    assert first.returncode == 0, first.stdout + first.stderr
    second = play(tmp_path, *words, "-rounds", "2")
    assert second.returncode == 0, second.stdout + second.stderr
    assert re.findall(r"Finished game (\d)", second.stdout) == ["3", "4"]
    assert "Games: 4," in second.stdout
    assert (tmp_path / "games.pgn").read_text().count("[Result ") == 4


def test_a_crash_loses_and_is_counted(engine: Path, tmp_path: Path) -> None:
    words = f"-engine cmd={engine} name=a -engine cmd={engine} name=b -each tc=8+0.08 -rounds 1".split()
    words[4:4] = ["args=--fail-at 3 exit"]
    done = play(tmp_path, *words)
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(re.findall(r"Finished game \d .* \{(?:White|Black) disconnects\}", done.stdout)) == 2
    assert "Player: " in done.stdout
    assert "  Crashed: 2" in done.stdout
