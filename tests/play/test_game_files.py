"""The files of a game: records, in folders where engines may have made links, and the transcript."""

import sys
from pathlib import Path

import pytest

from gyoji.core import wire
from gyoji.core.outcome import Ending, Outcome
from gyoji.core.record import GameRecord, GameResult, Played, VoidGame
from gyoji.core.spec import GameSpec, Player
from gyoji.games.go.sgf_writer import write
from gyoji.play.game import play
from gyoji.play.game_files import MAX_LINE, Transcript, write_records, write_void_records
from gyoji.play.order import Files, Order

PLAYERS = tuple(Player(code=code, command=("/p",)) for code in "ab")
SPEC = GameSpec(id="0_0", pairing="0", game="go", players=PLAYERS, options={"board_size": 9, "komi": 7.5})
TURNS = ((Played(0, "E5", 1),),)
RESULT = GameResult(
    id="0_0",
    pairing="0",
    players=("a", "b"),
    outcome=Outcome(points=(1.0, 0.0), ending=Ending.RESIGNATION),
    engines=(),
    wall_ns=0,
    turns=1,
    started="",
)
RECORD = GameRecord(result=RESULT, turns=TURNS)
VOID = VoidGame(id="0_0", pairing="0", players=("a", "b"), reason="x", started="", turns=TURNS)


def files_of(folder):
    return Files(records=str(folder / "e.games"), voids=str(folder / "e.void"), formats=("sgf",))


def test_a_record_replaces_a_link_and_what_it_leads_to_stays(tmp_path):
    victim = tmp_path / "victim"
    victim.write_text("precious")
    for name in ("e.games", "e.void"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "0_0.sgf").symlink_to(victim)
    assert write_records(files_of(tmp_path), SPEC, RECORD) == []
    assert write_void_records(files_of(tmp_path), SPEC, VOID) == []
    assert victim.read_text() == "precious"
    for name in ("e.games", "e.void"):
        assert (tmp_path / name / "0_0.sgf").read_text().startswith("(;FF[4]")


def test_a_folder_that_has_become_a_link_gets_no_record_and_the_log_says_so(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "e.games").symlink_to(tmp_path / "mine")
    (line,) = write_records(files_of(tmp_path), SPEC, RECORD)
    assert line.startswith(
        f"cannot write {tmp_path}/e.games/0_0.sgf: {tmp_path}/e.games: it is a symbolic link"
    )
    assert line.endswith("; the game itself is stored")
    assert not list((tmp_path / "mine").iterdir())


def test_a_transcript_shows_what_an_engine_said_and_does_nothing_to_who_reads_it(tmp_path):
    file = tmp_path / "logs" / "g.log"
    transcript = Transcript(str(file), 0)
    transcript.note(">>", "black", b"genmove b\n", 1_500_000)
    transcript.note(
        "<<", "black", b"= \x1b[2J\xe2\x80\xaeD4\r\n\xff\xc2\x9b" + b"x" * MAX_LINE + b"\nlast", 2_000_000
    )
    transcript.close(3_000_000)
    lines = file.read_text().splitlines()
    assert lines[0] == "       1.500 >> black: genmove b"
    assert lines[1] == "       2.000 << black: = \\x1b[2J\\u202eD4"
    assert lines[2].startswith("       2.000 << black: \\xff\\x9bxxx")
    assert lines[2].endswith("xxx...")
    assert lines[3] == "       3.000 << black: last"


ENGINE = str(Path(__file__).parent / "small_engine.py")
LONG = "answer = ('x' * 999 + chr(10)) * 900"
WORDS = ("--on", "known_command", "answer = 'true'", "--on", "gomill-explain_last_move", LONG)
LATE = "said more than 1MB about its moves: no more is kept from move 3 on"


@pytest.mark.process
def test_900_kb_of_remarks_a_move_do_not_fill_the_disk():
    move = "keep or keep.extend({}); answer = keep.pop()"
    loud = (*WORDS, "--on", "genmove", move.format(["pass", "A1", "B2"]))
    quiet = ("--on", "genmove", move.format(["pass", "C3", "D4"]))
    players = tuple(
        Player(code=code, command=(sys.executable, "-I", "-S", ENGINE, *words))
        for code, words in (("loud", loud), ("quiet", quiet))
    )
    spec = GameSpec(id="0", pairing="0", game="go", players=players, options={"board_size": 9, "komi": 7})
    record = play(Order(spec=spec)).record
    assert record.result.turns == 6
    assert f"loud: {LATE}" in record.result.late
    sizes = [len(turn[0].comment) for turn in record.turns if turn[0].seat == 0]
    assert sizes[0] == 899_999
    assert sum(sizes) == (1 << 20) + 1  # and a sign that something is missing
    assert len(wire.dumps(record)) < 1_200_000
    assert LATE in write(spec, record).decode()
