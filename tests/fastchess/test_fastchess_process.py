"""The program in a process of its own, with an engine that moves at once."""

import re
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

pytestmark = pytest.mark.process

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
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)


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


@pytest.mark.slow
def test_lines_checksums_and_last_positions(tmp_path: Path) -> None:
    engine = tmp_path / "talker.py"
    engine.write_text(
        f"""#!{sys.executable}
import sys
for line in sys.stdin:
    if line.startswith("go"):
        print("info string pgncomment first")
        print("info depth 3 score mate 1 time 5 nodes 9 pv d1h5 a7a6")
        print("info string pgncomment second", flush=True)
        print("bestmove", "e2e4 f7f6 d2d4 g7g5 d1h5".split()[played])
    elif line.startswith("position"):
        played = len(line.split()[3:])
    else:
        print({{"uci": "uciok", "isready": "readyok"}}.get(line.strip(), ""))
    sys.stdout.flush()
"""
    )
    engine.chmod(0o755)
    words = [*f"-engine cmd={engine} name=a -engine cmd={engine} name=b -each tc=8+0.08 -rounds 1".split()]
    words += ["-games", "1", "-crc32", "pgn=true", "-epdout", "file=last.epd", "-check-mate-pvs", "-testEnv"]
    pgn = ["file=games.pgn", "nodes=true", "timeleft=true", "latency=true", "notation=lan"]
    done = play(tmp_path, *words, "-pgnout", *pgn, "match_line=^info string pgncomment .*")
    assert done.returncode == 0, done.stdout + done.stderr
    text = (tmp_path / "games.pgn").read_bytes()
    assert f"File games.pgn has CRC32: {zlib.crc32(text):#x}\n" in done.stdout
    comment = (
        r"1\. e2e4 \{\+M1/3 0\.\d{3}s, tl=8\.0\d\ds, latency=-?0\.\d{3}s, n=9,"
        r' line="info string pgncomment second"\}'
    )
    assert re.search(comment, text.decode())
    assert "3. Qd1h5# {" in text.decode()
    assert "White mates} 1-0" in text.decode()
    position = "rnbqkbnr/ppppp2p/5p2/6pQ/3PP3/8/PPP2PPP/RNB1KBNR b KQkq - hmvc 1; fmvn 3;\n"
    assert (tmp_path / "last.epd").read_text() == position
    warnings = [line for line in done.stdout.splitlines() if line.startswith("Warning;")]
    assert warnings[:2] == [
        "Warning; Illegal PV move - move d1h5 from a :: Position; fen "
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 :: Moves; ",
        "Warning; Bestmove does not match beginning of last PV - move e2e4 from a :: Position; fen "
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 :: Moves; ",
    ]
    assert any(
        "Sign mismatch in mate scores 1 and 1 from a (White) and b (Black)" in line for line in warnings
    )


def test_the_log_has_what_is_printed_and_what_engines_say(engine: Path, tmp_path: Path) -> None:
    words = f"-engine cmd={engine} name=a -engine cmd={engine} name=b -each tc=8+0.08 -rounds 1".split()
    done = play(tmp_path, *words, "-log", "file=log.txt", "level=info", "engine=true")
    assert done.returncode == 0, done.stdout + done.stderr
    log = (tmp_path / "log.txt").read_text()
    time = r"\[\d\d:\d\d:\d\d\.\d{6}\]"
    assert re.search(
        rf"^\[INFO  \] {time} < {{20}}> fastchess --- Started game 1 of 2 \(a vs b\)$", log, re.M
    )
    assert re.search(rf"^\[Engine\] {time} < {{19}}2> b <--- go wtime \d+ btime \d+ ", log, re.M)
    assert re.search(rf"^\[Engine\] {time} < {{19}}1> a ---> bestmove ", log, re.M)
    words[4:4] = ["args=--fail-at 3 illegal"]
    assert play(tmp_path, *words, "-log", "file=log.txt", "append=false").returncode == 0
    warned = (tmp_path / "log.txt").read_text().splitlines()
    assert warned
    assert all(line.startswith("[WARN  ]") and "Warning; Illegal move" in line for line in warned)


def test_strict_ends_the_match_at_the_first_warning_or_crash(engine: Path, tmp_path: Path) -> None:
    words = f"-engine cmd={engine} name=a -engine cmd={engine} name=b -each tc=8+0.08 -rounds 50".split()
    assert play(tmp_path, *words[:-1], "1", "-strict").returncode == 0
    for mode in ("illegal", "exit"):
        bad = [*words[:4], f"args=--fail-at 3 {mode}", *words[4:]]
        done = play(tmp_path, *bad, "-strict")
        assert done.returncode == 1, done.stdout + done.stderr
        assert re.findall(r"^Finished game (\d+)", done.stdout, re.M) == ["1"]
        assert "Tournament was interrupted." in done.stdout
        assert "Traceback" not in done.stderr


def test_a_reader_that_goes_ends_the_match_without_a_traceback(engine: Path, tmp_path: Path) -> None:
    words = f"-engine cmd={engine} name=a -engine cmd={engine} name=b -each tc=8+0.08 -rounds 50".split()
    command = [sys.executable, "-c", "from gyoji.fastchess.command import main; main()", *words]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        assert run.stdout is not None
        assert run.stderr is not None
        run.stdout.readline()
        run.stdout.close()
        said = run.stderr.read().decode()
    assert run.returncode == 1
    assert "Traceback" not in said


def test_an_engine_is_checked(engine: Path, tmp_path: Path) -> None:
    done = play(tmp_path, "--compliance", str(engine), "--seed", "3")
    assert (done.returncode, "can play" in done.stdout) == (0, True), done.stdout + done.stderr
    assert play(tmp_path, "--compliance", "/bin/true").returncode == 1
