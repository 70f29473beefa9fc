"""An engine that talks without end about its moves: what is kept of that has an end."""

import sys
from pathlib import Path

import pytest

from gyoji.core import wire
from gyoji.core.spec import GameSpec, Player
from gyoji.games.go.sgf_writer import write
from gyoji.play.game import play
from gyoji.play.order import Order

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
