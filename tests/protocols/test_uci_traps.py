"""Traps of UCI that other tournament managers fell into: docs/reference/uci.md has their numbers."""

import os
import re
import sys
from pathlib import Path

import pytest
from chess_games import ChessGame
from msgspec.structs import replace
from probing import Process, interview
from uci_exchanges import GO, GREETING, NEW_GAME, READY, Board, first_answer, refusal

from commands import run
from gyoji.config.competition import load
from gyoji.core import messages as m
from gyoji.core.clocks import Clock, TimeControl
from gyoji.core.describe import ResultWords
from gyoji.core.evaluation import FORCED
from gyoji.core.faults import ConfigError
from gyoji.core.messages import Evaluation, Search
from gyoji.core.outcome import Ending
from gyoji.core.record import VariationFlaws
from gyoji.core.spec import Adjudication, Tablebases, Threshold
from gyoji.games.chess.pgn import write_pgn
from gyoji.games.chess.variations import Flaw, flaw_of
from gyoji.protocols.uci import Options
from gyoji.protocols.uci.codec import UciCodec
from gyoji.protocols.uci.engine_options import read_option, setoption_lines
from gyoji.protocols.uci.info import read_info
from gyoji.protocols.uci.probe import probe
from gyoji.referee.review import Review
from gyoji.referee.seat_state import Closing
from gyoji.store.store import Store
from gyoji.tables.one_game import game_blocks
from gyoji.testing.codec_kit import Exchange

MS = 1_000_000
START = b"position startpos\n"


def declared(*lines):
    return {option.name.lower(): option for option in map(read_option, lines)}


def set_lines(wanted, *lines, chess960=False):
    return setoption_lines(declared(*lines), wanted, chess960=chess960)


def said(move, **figures):
    return m.Moved(move, Evaluation(**{"search": Search(), **figures}))


def test_trap_01_a_line_may_end_with_cr_lf():
    first_answer(b"bestmove e2e4\r\n", "e2e4")


def test_trap_02_options_precede_ucinewgame():
    board = Board(options={"Hash": 64})
    board.check(board.prepared(options=b"setoption name Hash value 64\n"))


def test_trap_03_threads_precede_hash():
    lines, _ = set_lines(
        {"Hash": 64, "Threads": 2},
        "option name Hash type spin default 16 min 1 max 64",
        "option name Threads type spin default 1 min 1 max 8",
    )
    assert lines == ["setoption name Threads value 2", "setoption name Hash value 64"]


def test_trap_04_an_engine_that_is_slow_to_be_ready_is_waited_for_before_its_clock_runs():
    board = Board()
    board.check(
        Exchange(
            request=board.prepare(),
            sent=b"uci\n",
            heard=GREETING + b"uciok\n",
            replies=(m.More(b"isready\n"),),
        ),
        Exchange(heard=b"info string loading a network\nreadyok\n", replies=(NEW_GAME,)),
        Exchange(heard=b"readyok\n", replies=(READY,)),
    )


def test_trap_05_memory_is_allocated_between_ucinewgame_and_readyok_in_later_games_too():
    board = Board()
    left = Exchange(request=m.Quit(keep=True), sent=b"", replies=(m.HasQuit(stays=True),), heard=b"\n")
    again = Exchange(
        request=board.prepare(), sent=b"ucinewgame\nisready\n", heard=b"readyok\n", replies=(READY,)
    )
    board.check(board.prepared(), left, again)


def test_trap_06_an_empty_text_is_sent_with_value_and_both_forms_of_one_are_read():
    path = "option name Path type string default <empty>"
    assert set_lines({"Path": ""}, path)[0] == ["setoption name Path value"]
    assert set_lines({"Path": "<empty>"}, path)[0] == ["setoption name Path value <empty>"]
    assert read_option("option name Path type string default").default == ""


@pytest.mark.parametrize("wanted", ["Skill Level value", "skill level VALUE"])
def test_trap_07_names_have_blanks_and_the_word_value_and_no_case(wanted):
    line = "option name Skill Level value type spin default 20 min 0 max 20"
    assert set_lines({wanted: 3}, line)[0] == ["setoption name Skill Level value value 3"]


def test_trap_08_true_presses_a_button_and_false_does_not():
    clear = "option name Clear Hash type button"
    assert set_lines({"Clear Hash": True}, clear) == (["setoption name Clear Hash"], [])
    assert set_lines({"Clear Hash": False}, clear) == ([], [])


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"Hahs": 4}, "it has no option 'Hahs'; did you mean Hash?"),
        ({"Hash": 0}, "option 'Hash': expected 1 to 64, got '0'"),
        ({"Hash": "much"}, "option 'Hash': expected a whole number, got 'much'"),
    ],
)
def test_trap_09_an_option_that_cannot_be_set_is_refused_before_the_first_game(options, text):
    refusal(text, options=options)


@pytest.mark.parametrize(
    ("fen", "told"),
    [
        # After 1 e4 a6 2 e5 d5, as a line of four fields: White can take on d6.
        ("rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6", "w KQkq d6 0 1"),
        # After 1 e4: no pawn can take on e3.
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3", "b KQkq - 0 1"),
        # The pawn that could take on d6 would open its king's file, or rank.
        ("4r2k/8/8/3pP3/8/8/8/4K3 w - d6", "w - - 0 1"),
        ("7k/8/8/K2pP2r/8/8/8/8 w - d6", "w - - 0 1"),
    ],
)
def test_trap_10_four_fields_are_a_position_and_keep_en_passant_if_it_is_possible(fen, told):
    assert Board(opening=fen).rules.start_fen == f"{fen.split()[0]} {told}"


def test_trap_11_move_numbers_of_adjudication_are_those_of_the_fen():
    """The moves of a book and its position must give the same verdict after the same move."""
    moves = "b1c3 b8c6 g1f3 g8f6"
    fen = "r1bqkb1r/pppppppp/2n2n2/8/8/2N2N2/PPPPPPPP/R1BQKB1R w KQkq - 4 3"
    draw = Adjudication(draw=Threshold(score=10, moves=1, after=10))
    rest = "c3b1 c6b8 f3g1 f6g8 g1h3 g8h6 b1a3 b8a6 h3g1 h6g8"
    turns = [
        ChessGame(rest, [Evaluation(score=0.0)] * 10, opening=opening, adjudication=draw).turns
        for opening in (moves, fen)
    ]
    assert turns == [6, 6]
    late = ChessGame(
        rest, [Evaluation(score=0.0)] * 10, opening=fen.replace(" 4 3", " 4 12"), adjudication=draw
    )
    assert late.turns == 2  # it begins after move 11
    length = Adjudication(length=5)
    assert ChessGame(rest, opening=fen, adjudication=length).turns == 5  # of this game alone


def test_trap_12_an_opening_that_ends_the_game_or_repeats_thrice_is_refused():
    for opening in ("f2f3 e7e5 g2g4 d8h4", "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8"):
        with pytest.raises(ValueError, match="the game is over"):
            Board(opening=opening)


def test_trap_13_each_side_counts_its_own_moves_to_the_next_period():
    board = Board(seat=1, control=TimeControl.parse("40/60"))
    clock = board.control.start()
    for _ in range(39):
        clock = board.control.spend(clock, 0)
    sent = b"position startpos moves e2e4\ngo wtime 60000 btime 60000 winc 0 binc 0 movestogo 1\n"
    board.check(board.prepared(), board.asked(sent, b"bestmove e7e5\n", "e7e5", news=("e2e4",), clock=clock))


def test_trap_14_a_move_after_the_flag_does_not_earn_the_next_period():
    control = TimeControl.parse("40/1")
    clock = control.start()
    for _ in range(39):
        clock = control.spend(clock, 0)
    assert control.spend(clock, 1_000 * MS + 1) is None


def test_trap_15_movestogo_counts_down_and_begins_anew():
    board = Board(control=TimeControl.parse("2/60"))
    clock, told = board.control.start(), []
    for _ in range(4):
        told.append(board_go(board, clock))
        clock = board.control.spend(clock, 0)
    assert [line.split()[-1] for line in told] == [b"2", b"1", b"2", b"1"]


def board_go(board, clock):
    """Return the `go` line for a clock, of a new conversation."""
    codec = UciCodec(board.options)
    codec.send(board.prepare())
    codec.receive(GREETING + b"uciok\nreadyok\nreadyok\n")
    return codec.send(m.AskMove(board.position, (), "", clock)).splitlines()[-1]


def test_trap_16_a_time_for_each_move_has_an_end_too():
    control = TimeControl.parse("2s/move")
    assert board_go(Board(control=control), control.start()) == b"go movetime 2000"
    assert control.spend(control.start(), 2_000 * MS + 1) is None


def test_trap_17_time_comes_before_legality_and_silence_is_time():
    clock = TimeControl.parse("1s")
    for words, used, ending in (
        ("e2e5", 1_000 * MS + 1, Ending.TIME),
        (m.Malformed("(none)"), 1_000 * MS + 1, Ending.TIME),
        ("e2e4", 1_000 * MS + 1, Ending.TIME),
        (None, 0, Ending.TIME),
        ("e2e5", 1_000 * MS, Ending.ILLEGAL_MOVE),
        (m.Malformed("(none)"), 1_000 * MS, Ending.ILL_FORMED_MOVE),
    ):
        game = ChessGame([words], used=used, clock=clock)
        assert (game.ending, game.points) == (ending, (0.0, 1.0))
        assert game.turns == 0


def test_trap_18_a_move_that_answers_nothing_is_no_answer_to_the_next_question():
    board = Board()
    problem = "sent a move once when nothing was asked, first 'bestmove a2a3'"
    board.check(
        board.prepared(),
        board.asked(START + GO, b"bestmove e2e4\nbestmove a2a3\n", "e2e4"),
        board.asked(
            b"position startpos moves e2e4 e7e5\n" + GO, b"bestmove d2d4\n", "d2d4", news=("e2e4", "e7e5")
        ),
        Exchange(request=m.Quit(), sent=b"quit\n", closes=True, replies=(m.HasQuit(problem=problem),)),
    )


def test_trap_19_a_search_without_a_clock_or_a_limit_is_not_begun():
    board = Board(control=TimeControl())
    text = "would think for ever: give it a clock, nodes = ... or depth = ..."
    board.check(
        Exchange(request=board.prepare(), sent=b"", heard=b"\n", replies=(m.Unsupported(text),)), tail=b""
    )
    limited = Board(control=TimeControl(), nodes=1000, depth=5)
    assert board_go(limited, limited.control.start()) == b"go nodes 1000 depth 5"


class Engine(Process):
    """An engine in memory that obeys all forms of `go`."""

    ignores = ()
    side = 1

    def __init__(self):
        self.is_black = False
        self.is_thinking = False

    def answer(self, line):
        words = line.split()
        match words[:1]:
            case ["uci"]:
                return ["id name Toy", "id author Me", "uciok"]
            case ["isready"]:
                return ["readyok"]
            case ["position"]:
                self.is_black = " b " in line
            case ["go"] if "infinite" in words:
                self.is_thinking = True
            case ["go"] if not set(words) & set(self.ignores):
                return self.move()
            case ["stop"] if self.is_thinking:
                return self.move()
            case ["quit"]:
                self.ends = "exit 0"
        return []

    told = ""  # figures of its search

    def move(self):
        self.is_thinking = False
        score = 900 * self.side if self.is_black else 10
        return [f"info{self.told} score cp {score} pv e2e4", "bestmove e2e4"]


def probed(**attributes):
    return interview(probe(), type("Made", (Engine,), attributes))[0]


def test_trap_20_an_engine_that_ignores_go_nodes_is_found():
    assert "nodes" not in probed(ignores=("nodes",)).supports["go"]
    assert probed().supports["go"] == ("movetime", "clock", "depth", "nodes")


@pytest.mark.parametrize(
    ("told", "obeyed"),
    [
        ("", ("depth", "nodes")),
        (" depth 3 nodes 1003", ("depth", "nodes")),
        (" depth 3 nodes 4096", ("depth", "nodes")),
        (" depth 1 nodes 6", ()),  # as Ethereal 12.00 answers `go nodes 1000`
        (" depth 3 nodes 50000", ("depth",)),
    ],
)
def test_trap_20_an_answer_is_not_yet_obedience(told, obeyed):
    assert probed(told=told).supports["go"] == ("movetime", "clock", *obeyed)


@pytest.mark.parametrize("settings", [{}, {"depth": 3}, {"control": TimeControl.parse("5s")}])
def test_trap_20_before_a_run_one_node_is_searched_where_nothing_else_limits(settings):
    board = Board(**{"control": TimeControl(), "nodes": 1000, **settings})
    request = replace(board.prepare(), is_trial=True)
    trial = Exchange(request=request, sent=b"uci\n", heard=GREETING + b"uciok\nreadyok\nreadyok\n",
                     replies=(m.More(b"isready\n"), NEW_GAME, READY))  # fmt: skip
    if not settings:
        warned = m.Warned("it does not answer `go nodes 1`: give it a clock or depth in place of nodes")
        asked = m.More(b"position startpos\ngo nodes 1\n")
        heard = trial.heard + b"info depth 1\nbestmove e2e4\nreadyok\n"
        trial = replace_exchange(
            trial, heard, (m.More(b"isready\n"), NEW_GAME, warned, asked, NEW_GAME, READY)
        )
    board.check(trial)


def replace_exchange(exchange, heard, replies):
    return Exchange(request=exchange.request, sent=exchange.sent, heard=heard, replies=replies)


def test_trap_21_an_engine_that_ignores_go_movetime_is_found():
    found = probed(ignores=("movetime", "nodes", "depth"))
    assert found.supports["go"] == ("clock",)
    assert not found.unfit


def test_trap_22_the_last_exact_score_counts_before_any_bound():
    heard = b"info depth 5 score cp 31 pv e2e4\ninfo depth 6 score cp 90 lowerbound\nbestmove e2e4\n"
    figures = {"score": 31.0, "depth": 5, "pv": ("e2e4",), "search": Search(newer_bound=True)}
    first_answer(heard, said("e2e4", **figures))
    heard = b"info depth 6 score mate 10 lowerbound\nbestmove e2e4\n"
    first_answer(heard, said("e2e4", score=FORCED - 10.0, win=1.0, depth=6, mate=10, bound="lower"))


def test_trap_23_multipv_10_is_not_the_first_variation():
    heard = b"info depth 5 multipv 1 score cp 31\ninfo depth 5 multipv 10 score cp -7\nbestmove e2e4\n"
    first_answer(heard, said("e2e4", score=31.0, depth=5))


def test_trap_24_what_an_engine_says_in_words_is_no_score():
    heard = b"info depth 5 score cp 31\ninfo string depth 9 score cp 500\nbestmove e2e4\n"
    first_answer(heard, said("e2e4", score=31.0, depth=5))


def test_trap_25_an_engine_without_a_score_makes_moves_all_the_same():
    first_answer(b"info depth 1\ninfo nodes 5 currmove e2e4\nbestmove e2e4 ponder e7e5\n", "e2e4")


def test_trap_26_scores_from_whites_side_are_found_and_turned():
    assert probed(side=-1).settings == {"score_side": "white"}
    assert probed().settings == {}
    board = Board(seat=1, score_side="white")
    board.check(
        board.prepared(),
        board.asked(
            b"position startpos moves e2e4\n" + GO,
            b"info score cp 120\nbestmove e7e5\n",
            said("e7e5", score=-120.0),
            news=("e2e4",),
        ),
    )


def test_trap_27_only_mate_is_a_mate_and_it_may_be_far():
    assert read_info(b"info score cp 31990", white_view=False).mate is None
    far = read_info(b"info score mate -130", white_view=False)
    assert (far.mate, far.score, far.win) == (-130, -FORCED + 130.0, 0.0)


SHUFFLE = "g1f3 g8f6 f3g1 f6g8"


@pytest.mark.parametrize(
    ("opening", "pv", "kind", "move"),
    [
        ("", f"{SHUFFLE} {SHUFFLE}", "", ""),
        ("", f"{SHUFFLE} {SHUFFLE} e2e4", "goes on after threefold repetition", "e2e4"),
        (SHUFFLE, f"{SHUFFLE} e2e4", "goes on after threefold repetition", "e2e4"),  # the game's count
        ("4k3/8/8/8/8/8/8/R3K3 w Q - 98 80", "a1a2 e8e7 a2a3", "goes on after 50 moves", "a2a3"),
        ("4k3/8/8/8/8/8/8/R3K3 w Q - 98 80", "a1a2 e8e7", "", ""),
    ],
)
def test_trap_28_a_variation_beyond_a_draw_that_must_be_claimed_is_noted(opening, pv, kind, move):
    rules = Board(opening=opening).rules
    assert flaw_of(rules.start(), pv.split()) == (Flaw(kind, move) if kind else None)


BACK_RANK = "6k1/5ppp/8/8/8/8/8/K6R w - - 0 1"


@pytest.mark.parametrize(
    ("opening", "pv", "mate", "kind", "move"),
    [
        ("", "e2e4 e7e5 e4e5", None, "illegal move", "e4e5"),
        ("", "e2e4 0000", None, "illegal move", "0000"),
        ("", "e2e4 e7e5", None, "", ""),
        ("", "f2f3 e7e5 g2g4 d8h4 e1f2", None, "goes on after checkmate", "e1f2"),
        ("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "g6f7 h8h7", None, "goes on after stalemate", "h8h7"),
        ("8/8/8/8/8/k7/8/Kn5n w - - 0 1", "a1b1 h1g3 b1c1", None, "", ""),  # insufficient material
        (BACK_RANK, "h1e1 e1e8", 2, "illegal move", "e1e8"),
        ("7k/5ppp/8/8/8/8/8/K3R3 w - - 0 1", "e1e8", 1, "", ""),
        ("7k/5ppp/8/8/8/8/8/K3R3 w - - 0 1", "e1e8", 2, "shorter than its mate", ""),
        ("7k/5ppp/8/8/8/8/8/K3R3 w - - 0 1", "a1b1 h7h6", 1, "longer than its mate", ""),
        ("7k/5ppp/8/8/8/8/8/K3R3 w - - 0 1", "e1e7", 1, "ends without its mate", ""),
        ("", "f2f3 e7e5 g2g4 d8h4", -2, "", ""),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1h1 e8a8", None, "", ""),  # in standard chess, too
    ],
)
def test_trap_29_the_fault_of_a_variation_is_named(opening, pv, mate, kind, move):
    """The kinds and their order are those of fastchess 1.8.2, app/tests of checkPvLine."""
    rules = Board(opening=opening).rules
    assert flaw_of(rules.start(), pv.split(), mate) == (Flaw(kind, move) if kind else None)


def variation(*pv, **figures):
    return Evaluation(score=0.0, pv=pv, **figures)


def test_trap_29_faults_are_counted_in_the_record_by_engine_and_cost_nothing():
    said = [
        variation("e2e4", "e7e5"),
        variation("e7e5", "e2e4"),
        variation("d2d4"),  # not the move that it makes
        variation("b8c6", "f1b5"),
        variation("d2d4", bound="lower"),
        variation("g8f6", "f1b5", "f1b5"),
    ]
    game = ChessGame("e2e4 e7e5 g1f3 b8c6 f1c4 g8f6", said)
    record = game.referee.record("", 0, [Closing(), Closing()])
    white, black = record.result.engines
    assert list(game_blocks(record, ResultWords()))[1:-1] == [
        "x: faults of its variations: begins with another move 1 times (first: move 3, g1f3)",
        "y: faults of its variations: illegal move 2 times (first: move 2, e2e4)",
    ]
    assert game.ending is Ending.RESIGNATION
    assert white.variations == (VariationFlaws("begins with another move", 1, 2, "g1f3"),)
    assert black.variations == (VariationFlaws("illegal move", 2, 1, "e2e4"),)


@pytest.mark.parametrize(
    ("line", "note"),
    [
        (b"info score cp 3 pv e2e4 e7e5 e4e5", "illegal move, 'e4e5'"),
        (b"info score cp 3 pv d2d4", "begins with another move, 'e2e4'"),
        (b"info score mate 3 pv e2e4", "shorter than its mate"),
        (b"info score cp 3 pv d2d4\ninfo score cp 60 lowerbound pv e2e4", ""),
        (b"info score cp 3 pv e2e4 e7e5", ""),
    ],
)
def test_trap_29_a_fault_loses_with_strict_alone(line, note):
    def answer(**options):
        board = Board(**options)
        codec = UciCodec(board.options)
        codec.send(board.prepare())
        codec.receive(GREETING + b"uciok\nreadyok\nreadyok\n")
        codec.send(board.ask())
        (reply,) = codec.receive(line + b"\nbestmove e2e4\n")
        return reply

    assert answer().move == "e2e4"
    strict = answer(pv="strict")
    assert strict == (m.Malformed("e2e4", f"fault of its variation: {note}") if note else answer())


@pytest.mark.parametrize(
    ("last", "reason"),
    [("f2c3", "White makes an illegal move: f2c3"), (m.Malformed("f2C3"), "White makes an illegal move")],
)
def test_trap_30_an_illegal_move_is_no_move_of_the_pgn_and_its_comment_names_it(last, reason):
    game = ChessGame(["e2e4", "e7e5", last])
    record = game.referee.record("", 0, [Closing(), Closing()])
    pgn = " ".join(write_pgn(game.spec, record).decode().split())
    assert pgn.endswith(f"1. e4 {{/0 0.000s}} e5 {{/0 0.000s, {reason}}} 0-1")
    assert '[Termination "illegal move"]' in pgn


@pytest.mark.parametrize("text", ["e7e8Q", "0000", "(none)", "NULL", "e2", "resign", ""])
def test_trap_31_an_answer_that_is_no_move_is_kept_in_the_engines_words(text):
    first_answer(f"bestmove {text}\n".encode(), m.Malformed(text or "bestmove"))


def test_trap_32_castling_is_told_as_the_variant_writes_it():
    fen = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w HAha - 0 1"
    board = Board(seat=1, variant="chess960", opening=f"{fen} moves e1h1")
    greeting = GREETING + b"option name UCI_Chess960 type check default false\n"
    board.check(
        board.prepared(greeting=greeting, options=b"setoption name UCI_Chess960 value true\n"),
        board.asked(f"position fen {fen} moves e1h1\n".encode() + GO, b"bestmove e8a8\n", "e8a8"),
    )


def test_trap_33_uci_chess960_is_never_sent_in_standard_chess():
    board = Board()
    board.check(board.prepared(greeting=GREETING + b"option name UCI_Chess960 type check default false\n"))
    with pytest.raises(ValueError, match=r"options\.UCI_Chess960: the variant of the game sets it"):
        Options(options={"UCI_Chess960": False})


def test_trap_34_an_engine_without_chess960_is_refused_and_the_fen_is_a_shredder_fen():
    refusal("it has no option UCI_Chess960, so it cannot play this variant", variant="chess960")
    assert " HAha " in Board(variant="chess960").rules.start_fen


PONDERS = {"options": b"setoption name Ponder value true\n", "ready": replace(READY, ponders=True)}
PONDER_GREETING = GREETING + b"option name Ponder type check default false\n"
EXPECTS = b"bestmove e2e4 ponder e7e5\n"
AFTER = b"position startpos moves e2e4 "


def pondering(heard=b"", hit=True, sent=b"ponderhit\n", then=b"bestmove g1f3\n", more=b""):
    """Let an engine ponder about e7e5 after e2e4, say `heard`, and ask it after that move or another one."""
    board = Board(go_ponder=True)

    def play(codec, cut):
        feed = (
            (lambda data: [codec.receive(data[at : at + 1]) for at in range(len(data))])
            if cut
            else codec.receive
        )
        codec.send(board.prepare())
        codec.receive(PONDER_GREETING + b"uciok\nreadyok\nreadyok\n")
        codec.send(board.ask())
        assert codec.receive(EXPECTS) == [m.Moved("e2e4")]
        assert codec.ponder(board.control.start(), ()) == AFTER + b"e7e5\n" + GO.replace(b"go", b"go ponder")
        feed(heard)
        question = board.ask("e2e4", "e7e5" if hit else "c7c5")
        assert codec.send(question) == sent
        replies = [*codec.receive(b""), *codec.receive(then)]
        board.__init__(go_ponder=True)
        return replies

    replies = [play(UciCodec(board.options), cut) for cut in (False, True)]
    assert replies[0] == replies[1]
    return replies[0]


TAKES = "8/8/4k3/8/3p4/4K3/8/3R4 w - - 0 60"
"""A rook against a pawn that it can take: after that, a rook against a king."""


def by_tables(probe, moves="d1d4 e6f6 d4e4", opening=TAKES, **settings):
    tables = Tablebases(folders=("/tb",), **settings)
    return ChessGame(moves, opening=opening, probe=probe, adjudication=Adjudication(tablebases=tables))


@pytest.mark.parametrize(
    ("wdl", "settings", "points"),
    [
        (-2, {}, (1.0, 0.0)),  # for Black, who is to move after d1d4
        (2, {}, (0.0, 1.0)),
        (0, {}, (0.5, 0.5)),
        (-1, {}, (0.5, 0.5)),
        (1, {}, (0.5, 0.5)),
        (-1, {"fifty_moves": False}, (1.0, 0.0)),
        (1, {"fifty_moves": False}, (0.0, 1.0)),
        (-2, {"results": "draws"}, None),
        (-1, {"results": "wins"}, None),
        (-1, {"results": "wins", "fifty_moves": False}, (1.0, 0.0)),
        (0, {"results": "wins"}, None),
        (None, {}, None),
        (-2, {"pieces": 3}, (1.0, 0.0)),
        (-2, {"pieces": 2}, None),
    ],
)
def test_trap_35_a_win_that_the_50_move_rule_prevents_is_a_draw(wdl, settings, points):
    game = by_tables(lambda _fen: wdl, **settings)
    if points is None:
        assert (game.ending, game.turns) == (Ending.RESIGNATION, 3)
    else:
        assert (game.ending, game.turns, game.points) == (Ending.ADJUDICATION, 1, points)
    assert game.flaws() == []


def test_trap_35_a_position_is_looked_up_after_captures_and_pawns_moves_without_castling_alone():
    seen = []
    by_tables(seen.append)
    assert seen == ["8/8/4k3/8/3R4/4K3/8/8 b - - 0 60"]
    seen.clear()
    castles = "4k3/p7/8/8/8/8/8/4K2R w K - 0 1"
    by_tables(seen.append, "h1h2 a7a6 h2h3 a6a5 h3h4", castles)
    assert seen == ["4k3/8/p7/8/8/8/7R/4K3 w - - 0 2", "4k3/8/8/p7/8/7R/8/4K3 w - - 0 3"]
    seen.clear()
    by_tables(seen.append, "e1e2 a7a5 h1h5 a5a4", castles.replace(" K ", " - "), pieces=3)
    assert seen == []


def test_trap_35_the_tables_come_before_evaluations_and_the_pgn_names_them():
    settings = Adjudication(
        draw=Threshold(score=10, moves=1), tablebases=Tablebases(folders=("/tb",)), length=1
    )
    game = ChessGame(
        "d1d4", [Evaluation(score=0.0)], opening=TAKES, probe=lambda _: -2, adjudication=settings
    )
    record = game.referee.record("", 0, [Closing(), Closing()])
    pgn = write_pgn(game.spec, record).decode()
    assert '[Termination "adjudication"]' in pgn
    assert "White wins by adjudication: SyzygyTB} 1-0" in pgn
    without = [each.what for each in Review(game.spec, game.rules, record, [m.Scored] * 2).differences]
    assert without == []  # the tables are not here, and can have said so
    other = Review(game.spec, game.rules, record, [m.Scored] * 2, lambda _: 2)
    assert [each.what for each in other.differences] == ["points"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('tablebases = ["one", "two"]', ""),
        ('tablebases = { folders = ["one"], pieces = 4, fifty_moves = false, results = "wins" }', ""),
        ('tablebases = "one:two"', 'tablebases: expected a list of folders such as ["syzygy"]'),
        ('tablebases = ["one", "three"]', "three: there is no such folder"),
        ('tablebases = ["empty"]', "empty: there is no table in it, a file that ends in .rtbw"),
        ('tablebases = { folders = ["one"], results = "losses" }', "results: expected"),
        ("tablebases = []", "folders: expected a list of folders, got none"),
    ],
)
def test_trap_36_the_folders_of_tables_are_a_list(tmp_path, text, message):
    for name in ("one", "two", "empty"):
        (tmp_path / name).mkdir()
    for name in ("one/KQvK", "two/KRvK"):
        (tmp_path / f"{name}.rtbw").touch()
    path = tmp_path / "cup.toml"
    path.write_text(
        f'competition = "playoff"\ngame = "chess"\nclock = "5s"\nadjudication = {{ {text} }}\n'
        'players.a.command = "/bin/true"\nplayers.b.command = "/bin/true"\n'
        'matchups = [{ players = ["a", "b"], number_of_games = 2 }]\n'
    )
    if message:
        with pytest.raises(ConfigError, match=re.escape(message)):
            load(path)
    else:
        (matchup,) = load(path).settings.matchups
        assert matchup.adjudication.tablebases.folders[0] == str(tmp_path / "one")


def test_trap_37_a_move_that_comes_before_ponderhit_is_kept():
    assert pondering(heard=b"bestmove g1f3\n", sent=b"", then=b"") == [m.Moved("g1f3")]
    question = AFTER + b"c7c5\n" + GO
    assert pondering(heard=b"bestmove g1f3\n", hit=False, sent=question, then=b"bestmove d2d4\n") == [
        m.Moved("d2d4")
    ]


def test_trap_38_after_another_move_the_search_is_ended_before_the_position_is_told():
    question = AFTER + b"c7c5\n" + GO
    stopped = pondering(hit=False, sent=b"stop\n", then=b"info score cp 9\nbestmove g1f3\n")
    assert stopped == [m.More(question)]
    assert pondering() == [m.Moved("g1f3")]


def test_trap_39_an_engine_is_never_told_of_no_time_at_all():
    control = TimeControl.parse("1", margin=50 * MS)
    told = board_go(Board(control=control), Clock(-20 * MS, 0, 1, 0))
    assert told == b"go wtime 1 btime 1 winc 0 binc 0"


THREADED = """
import os, threading
on = []
thread = threading.Thread(target=lambda: on.append(os.sched_getaffinity(threading.get_native_id())))
thread.start()
thread.join()
while True:
    match input().split():
        case ["uci"]:
            print("id name on", *on[0], *os.sched_getaffinity(0), "\\nuciok", flush=True)
        case ["isready"]:
            print("readyok", flush=True)
        case ["go", *_]:
            print("bestmove (none)", flush=True)
        case ["quit"]:
            break
"""


@pytest.mark.process
def test_trap_40_threads_of_an_engine_are_on_the_games_processors_from_the_start(tmp_path):
    """To set the processors of a process later leaves those of its threads as they are."""
    (tmp_path / "engine.py").write_text(THREADED)
    player = (
        f'command = ["{sys.executable}", "-ISs", "{tmp_path / "engine.py"}"]\nreadable = ["{tmp_path}"]\n'
    )
    text = 'competition = "playoff"\ngame = "chess"\nclock = "5s"\ncores = 1\n'
    text += f"[players.a]\n{player}[players.b]\n{player}"
    text += '[[matchups]]\nplayers = ["a", "b"]\nnumber_of_games = 1\n'
    (tmp_path / "cup.toml").write_text(text)
    run(sys.executable, "-m", "gyoji", "run", "cup.toml", cwd=tmp_path)
    with Store.read(tmp_path / "cup.db") as store:
        ((result,),) = [tuple(store.results())]
    core = min(os.sched_getaffinity(0))
    assert [engine.name for engine in result.engines] == [f"on {core} {core}"] * 2


def test_the_page_has_the_number_of_each_test():
    page = (Path(__file__).parents[2] / "docs/reference/uci.md").read_text()
    listed = {int(number) for number in re.findall(r"^\| (\d+) \|", page, re.MULTILINE)}
    tested = {int(name.split("_")[2]) for name in globals() if name.startswith("test_trap_")}
    assert listed == tested


def test_trap_32_in_standard_chess_the_king_may_also_take_its_rook():
    fen = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"
    board = Board(opening=fen)
    board.check(
        board.prepared(),
        board.asked(f"position fen {fen}\n".encode() + GO, b"bestmove e1h1\n", "e1g1"),
        board.asked(
            f"position fen {fen} moves e1g1 e8c8\n".encode() + GO,
            b"bestmove f1e1\n",
            "f1e1",
            news=("e1g1", "e8c8"),
        ),
    )
    rook = "3k4/8/8/8/8/8/8/K3R3 w - - 0 1"
    board = Board(opening=rook)
    board.check(
        board.prepared(), board.asked(f"position fen {rook}\n".encode() + GO, b"bestmove e1h1\n", "e1h1")
    )
