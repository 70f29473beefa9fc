"""Games by UCI: clocks of both sides, moves taken back, hints, the end."""

import pytest
from uci_exchanges import BLITZ, GO, Board

from gyoji.core import messages as m
from gyoji.core.clocks import Clock, TimeControl
from gyoji.testing.codec_kit import Exchange

MS = 1_000_000
START = b"position startpos\n"


def test_an_opening_is_told_as_moves_from_its_first_position():
    board = Board(opening="e2e4 e7e5")
    sent = b"position startpos moves e2e4 e7e5\n" + GO
    board.check(board.prepared(), board.asked(sent, b"bestmove g1f3\n", "g1f3"))


def test_a_position_is_told_as_a_fen():
    fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    board = Board(opening=fen)
    board.check(
        board.prepared(), board.asked(f"position fen {fen}\n".encode() + GO, b"bestmove e2e4\n", "e2e4")
    )


def test_each_side_is_told_both_clocks_and_increments():
    other = TimeControl.parse("60+1")
    board = Board(controls=(BLITZ, other))
    clocks = (Clock(7_000 * MS, 0, 1, 0), Clock(59_999 * MS + 999_999, 0, 1, 0))
    sent = START + b"go wtime 7000 btime 59999 winc 80 binc 1000\n"
    board.check(
        board.prepared(),
        board.asked(sent, b"bestmove e2e4\n", "e2e4", clock=clocks[0], clocks=clocks),
    )


@pytest.mark.parametrize(
    ("text", "uses", "told"),
    [
        ("2/60 + 1s, 1/30, 20s + 3s", [], "wtime 60000 btime 60000 winc 1000 binc 1000 movestogo 2"),
        ("2/60 + 1s, 1/30, 20s + 3s", [10], "wtime 51000 btime 51000 winc 1000 binc 1000 movestogo 1"),
        ("2/60 + 1s, 1/30, 20s + 3s", [10, 10], "wtime 72000 btime 72000 winc 0 binc 0 movestogo 1"),
        ("2/60 + 1s, 1/30, 20s + 3s", [10, 10, 10], "wtime 82000 btime 82000 winc 3000 binc 3000"),
        ("10s + 3s delay", [5], "wtime 11000 btime 11000 winc 3000 binc 3000"),
        ("10s + 3s bronstein", [5], "wtime 8000 btime 8000 winc 3000 binc 3000"),
        ("10s hourglass", [4], "wtime 6000 btime 6000 winc 0 binc 0"),
    ],
)
def test_the_clock_of_the_running_stage_is_told(text, uses, told):
    control = TimeControl.parse(text)
    board, clock = Board(control=control), control.start()
    for used in uses:
        clock = control.spend(clock, used * 1_000 * MS)
    sent = START + f"go {told}\n".encode()
    board.check(board.prepared(), board.asked(sent, b"bestmove e2e4\n", "e2e4", clock=clock))


def test_moves_taken_back_are_forgotten():
    board = Board()
    begun = board.asked(START + GO, b"bestmove e2e4\n", "e2e4")
    board.play("e2e4", "e7e5")
    board.turns.clear()
    board.heard, board.position = 0, board.rules.start()
    # The engine's own move was never in the news: it and the answer to it are taken back.
    again = board.asked(START + GO, b"bestmove d2d4\n", "d2d4", taken_back=1)
    board.check(board.prepared(), begun, again)


def test_a_hint_is_a_move_that_is_not_made():
    board = Board(seat=0)
    request = m.AskHint(1, board.play("e2e4").position, tuple(board.turns), BLITZ.start())
    hint = Exchange(
        request=request,
        sent=b"position startpos moves e2e4\n" + GO,
        heard=b"info score cp 3\nbestmove e7e5\n",
        replies=(m.Hint("e7e5"),),
    )
    board.heard = 1
    sent = b"position startpos moves e2e4 c7c5\n" + GO
    board.check(board.prepared(), hint, board.asked(sent, b"bestmove g1f3\n", "g1f3", news=("c7c5",)))


def test_the_end_is_not_told_and_quit_closes_the_conversation():
    board = Board()
    tell = Exchange(
        request=m.TellMoves(board.position, ()), sent=b"", heard=b"\n", replies=(m.Acknowledged(),)
    )
    score = Exchange(request=m.AskScore(), sent=b"", heard=b"\n", replies=(m.Scored(),))
    end = Exchange(request=m.Quit(), sent=b"quit\n", closes=True, replies=(m.HasQuit(),))
    board.check(board.prepared(), tell, score, end)


def test_byo_yomi_is_told_as_moves_to_make_in_the_period():
    control = TimeControl.parse("1m + 3x10s")
    board = Board(control=control)
    clock = control.spend(control.start(), 65_000 * MS)
    sent = START + b"go wtime 10000 btime 10000 winc 0 binc 0 movestogo 1\n"
    board.check(board.prepared(), board.asked(sent, b"bestmove e2e4\n", "e2e4", clock=clock))
