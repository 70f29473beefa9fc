"""Games of chess as PGN: what is written, what other programs read of it, and what is read of theirs."""

import io
from random import Random

import chess.pgn
import pytest
from msgspec.structs import replace

from gyoji.core.clocks import TimeControl
from gyoji.core.game import default_options
from gyoji.core.messages import Evaluation
from gyoji.core.outcome import Ending, Outcome, lost_by, shared, won_by
from gyoji.core.record import EngineReport, GameRecord, GameResult, Opinion, Played, VoidGame
from gyoji.core.replay import Wanted
from gyoji.core.spec import GameSpec, Player
from gyoji.games.chess.game import GAME
from gyoji.games.chess.game_options import Options, rules
from gyoji.games.chess.pgn import write_pgn
from gyoji.games.chess.pgn_reader import lines_of, read_games
from gyoji.games.chess.position import legal_moves
from gyoji.games.chess.records import content, judge, replay_pgn
from gyoji.testing.record_kit import check_record_formats

MS = 1_000_000


def spec(**options):
    return GameSpec(
        id="0_4",
        pairing="0",
        game="chess",
        players=(Player(code="new", command=("new",)), Player(code="old", command=("old",))),
        options=default_options(Options) | options,
        clock=TimeControl.parse("8+0.08"),
        event="My event",
    )


def record(moves, outcome, opinions=(), first=0, **more):
    turns = tuple((Played((number + first) % 2, move, 20 * MS),) for number, move in enumerate(moves))
    result = GameResult(
        id="0_4",
        pairing="0",
        players=("new", "old"),
        outcome=outcome,
        turns=len(turns),
        engines=(EngineReport(name="New 1.0", description="New 1.0 by Ann"), EngineReport(name="Old")),
        started="2026-11-24T02:00:00+00:00",
        wall_ns=83 * 1000 * MS,
    )
    return GameRecord(result=result, turns=turns, opinions=tuple(opinions), **more)


MATED = Outcome(points=won_by(1, 2), ending=Ending("checkmate"))


def test_a_game_is_written_as_fastchess_writes_it():
    opinions = [
        Opinion(0, 0, Evaluation(score=-120.0, depth=9, nodes=500)),
        Opinion(1, 1, Evaluation(score=31.0, depth=14, nodes=900)),
    ]
    played = record(["g2g4", "d8h4"], MATED, opinions)
    assert write_pgn(spec(opening="f3 e5"), played).decode() == (
        '[Event "My event"]\n[Site "?"]\n[Date "2026.11.24"]\n[Round "5"]\n[White "new"]\n[Black "old"]\n'
        '[Result "0-1"]\n[EngineWhiteName "New 1.0"]\n[EngineWhiteAuthor "Ann"]\n[EngineBlackName "Old"]\n'
        '[GameDuration "00:01:23"]\n[GameStartTime "2026-11-24T02:00:00 +0000"]\n'
        '[GameEndTime "2026-11-24T02:01:23 +0000"]\n[PlyCount "4"]\n[Termination "normal"]\n'
        '[TimeControl "8+0.08"]\n[ECO "A00"]\n[Opening "Barnes Opening: Fool\'s Mate"]\n[GameId "0_4"]\n\n'
        "1. f3 {book} e5 {book} 2. g4 {-1.20/9 0.020s}\nQh4# {+0.31/14 0.020s, Black mates} 0-1\n\n"
    )


def test_comments_have_the_figures_that_are_wanted():
    played = record(["f2f3"], MATED, [Opinion(0, 0, Evaluation(score=-5.0, depth=3, nodes=70, pv=("f2f3",)))])
    text = write_pgn(spec(), played, fields=("n", "pv")).decode()
    assert '{-0.05/3 0.020s, n=70, pv="f2f3", Black mates}' in text


def test_a_minimal_record_has_neither_comments_nor_further_tags():
    text = write_pgn(spec(opening="f3 e5"), record(["g2g4", "d8h4"], MATED), minimal=True).decode()
    assert text.endswith('[Result "0-1"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n')


@pytest.mark.parametrize(
    ("outcome", "termination", "comment", "result"),
    [
        (Outcome(points=lost_by(0, 2), ending=Ending.TIME), "time forfeit", "White loses on time", "0-1"),
        (Outcome(points=lost_by(1, 2), ending=Ending.FAULT), "abandoned", "Black disconnects", "1-0"),
        (
            Outcome(points=lost_by(1, 2), ending=Ending.FAULT, detail="gave no answer for 10s"),
            *("abandoned", "Black's connection stalls", "1-0"),
        ),
        (Outcome(points=shared(2), ending=Ending("repetition")), "normal", "3-fold repetition", "1/2-1/2"),
        (Outcome(points=shared(2), ending=Ending.ADJUDICATION), "adjudication", "by adjudication", "1/2-1/2"),
        (Outcome(points=None, ending=Ending.MOVE_LIMIT), "adjudication", "Game interrupted", "*"),
    ],
)
def test_how_a_game_ended_is_told(outcome, termination, comment, result):
    text = " ".join(write_pgn(spec(), record(["e2e4"], outcome)).decode().split())
    assert f'[Termination "{termination}"]' in text
    assert f"{comment}}} {result}" in text


def test_an_illegal_move_is_named_and_is_no_move():
    outcome = Outcome(points=lost_by(1, 2), ending=Ending.ILLEGAL_MOVE)
    text = write_pgn(spec(), record(["e2e4"], outcome, refused=Played(1, "e7e4", MS))).decode()
    assert "1. e4 {/0 0.020s, Black makes an illegal move: e7e4} 1-0" in text


def test_a_game_from_a_position_begins_with_its_number_and_side():
    fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 3 17"
    text = write_pgn(spec(opening=fen), record(["e8e7", "e2e4"], MATED, first=1)).decode()
    assert f'[SetUp "1"]\n[FEN "{fen}"]\n' in text
    assert "17... Ke7 {/0 0.020s} 18. e4" in text


def test_a_game_of_chess960_has_its_variant():
    text = write_pgn(spec(variant="chess960"), record(["e2e4"], MATED)).decode()
    assert 'w HAha - 0 1"]\n[Variant "Chess960"]' in text


def test_clocks_that_differ_are_both_told():
    own = spec()
    players = (own.players[0], replace(own.players[1], clock=TimeControl.parse("40/60")))
    text = write_pgn(replace(own, players=players), record(["e2e4"], MATED)).decode()
    assert '[WhiteTimeControl "8+0.08"]\n[BlackTimeControl "40/60"]' in text


def test_a_void_game_is_unterminated():
    void = VoidGame(
        id="0_4",
        pairing="0",
        players=("new", "old"),
        reason="a {worker} died",
        started="2026-11-24T02:00:00+00:00",
        turns=((Played(0, "e2e4", MS),),),
    )
    text = write_pgn(spec(), void).decode()
    assert '[Termination "unterminated"]' in text
    assert text.endswith("1. e4 {/0 0.001s, a (worker) died} *\n\n")


@pytest.mark.parametrize("options", [{}, {"variant": "dfrc", "opening": "5 7"}])
def test_the_record_format_keeps_its_promises(options):
    check_record_formats(GAME, options, games=6)


def random_record(variant, number):
    chance = Random(number)
    starts = {"standard": "", "chess960": f"{number}", "dfrc": f"{number} {number * 7}"}
    made = rules(Options(variant=variant, opening=starts[variant]))
    position, moves = made.start(), []
    while not position.end and len(moves) < 120:
        moves.append(chance.choice(legal_moves(position)))
        position = made.play(position, ((position.turn, moves[-1]),))
    outcome = made.outcome(position) if position.end else Outcome(points=None, ending=Ending.MOVE_LIMIT)
    return spec(variant=variant, opening=starts[variant]), record(moves, outcome), moves


@pytest.mark.parametrize("variant", ["standard", "chess960", "dfrc"])
def test_python_chess_and_we_read_the_same_moves(variant):
    for number in range(5):
        own, played, moves = random_record(variant, number)
        data = write_pgn(own, played)
        theirs = chess.pgn.read_game(io.StringIO(data.decode()))
        assert not theirs.errors
        board = theirs.board()
        assert [board.uci(move) for move in theirs.mainline_moves()] == moves
        (ours,) = read_games(lines_of(data))
        assert list(judge(ours).moves) == moves
        assert dict(ours.tags) == dict(theirs.headers)
        (replay,) = replay_pgn(data, Wanted())
        assert not replay.refusals
        assert not replay.differs


FOREIGN = """\
% a line that nobody reads
[Event "Open"]
[White "A \\"x\\" B"]
[Black "C"]
[Result "1-0"]

{before the first move} 1. e4! $1 e5 (1... c5 {a {brace} 2. Nf3 (2. c3) d6) 2.Nf3 ; to the end of the line ( {
Nc6 {two
lines [White "nobody"]
} 3. Bb5 a6?! 4.O-O 1-0

[White "D"]
[Black "E"]

1. d4 d5 *
[White "F"]
[Black "G"]
[Result "1/2-1/2"]
1. c4
"""


def test_what_people_write_is_read():
    one, two, three = read_games(FOREIGN.splitlines())
    assert one.tags["White"] == 'A "x" B'
    assert [move.text for move in one.moves] == ["e4!", "e5", "Nf3", "Nc6", "Bb5", "a6?!", "O-O"]
    assert one.moves[3].comment == 'two lines [White "nobody"]'
    assert (one.comment, one.result, one.line) == ("before the first move", "1-0", 2)
    assert judge(one).moves[-2:] == ("a7a6", "e1g1")
    assert judge(two._replace(moves=one.moves[1:])).refusal == "move 1. e5: 'e5' is not legal"
    assert [move.text for move in two.moves] == ["d4", "d5"]
    assert (three.tags["White"], three.result, len(three.moves)) == ("F", "", 1)


@pytest.mark.parametrize(
    ("name", "fen", "variant"),
    [
        ("", "", "standard"),
        ("From Position", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "standard"),
        ("Chess960", "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", "chess960"),
        ("fischerandom", "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w KQkq - 2 9", "chess960"),
        ("", "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w KQkq - 2 9", "chess960"),
        ("Chess960", "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "dfrc"),
    ],
)
def test_variants_have_several_names(name, fen, variant):
    tags = {key: value for key, value in (("Variant", name), ("FEN", fen)) if value}
    text = "".join(f'[{key} "{value}"]\n' for key, value in tags.items()) + "\n*\n"
    (game,) = read_games(text.splitlines())
    assert judge(game).variant == variant


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('[Result "1-0"]\n\n1. f3 e5 2. g4 Qh4# 1-0', "the record says 1-0, the rules 0-1 by checkmate"),
        ('[Result "0-1"]\n\n1. f3 e5 2. g4 Qh4# 0-1', "the record says 0-1, the rules 0-1 by checkmate"),
        ('[Result "1-0"]\n\n1. e4 1-0', "the record says 1-0, the rules no end"),
    ],
)
def test_a_record_is_judged_again(text, line):
    (replay,) = replay_pgn(text.encode(), Wanted())
    assert replay.verdict == line
    assert replay.differs == ("1-0, the rules 0-1" in line)


def test_a_game_may_go_on_after_a_draw_that_nobody_claimed():
    moves = "Nf3 Nf6 Ng1 Ng8 " * 2 + "e4 e5 *"
    (replay,) = replay_pgn(f'[White "a"]\n\n{moves}'.encode(), Wanted())
    assert replay.notes == ("the game went on after repetition before move 5. e4",)
    assert not replay.refusals


@pytest.mark.parametrize("text", ["", "nothing\n[here", '[Variant "Atomic"]\n\n1. e4 *'])
def test_what_is_no_game_of_chess_is_refused(text):
    if text.startswith("nothing"):
        (replay,) = replay_pgn(text.encode(), Wanted())
        assert replay.refusals
    else:
        with pytest.raises(ValueError, match=r"no game of PGN|Variant"):
            replay_pgn(text.encode(), Wanted())


def opening_of(moves, first=0, **options):
    text = write_pgn(spec(**options), record(moves.split(), MATED, first=first)).decode()
    return [line for line in text.splitlines() if line.startswith(("[ECO", "[Opening"))]


def test_an_opening_is_named_by_the_last_position_that_has_a_name():
    najdorf = ['[ECO "B90"]', '[Opening "Sicilian Defense: Najdorf Variation"]']
    moves = "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6"
    assert opening_of(moves) == najdorf
    assert opening_of(f"{moves} h2h3 h7h5 a2a3")[0] == '[ECO "B90"]'
    other_order = "g1f3 c7c5 e2e4 a7a6 d2d4 c5d4 f3d4 d7d6 b1c3 g8f6"
    assert opening_of(other_order) == najdorf
    assert opening_of("a7a6", first=1, opening="e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3") == najdorf


def test_a_game_whose_positions_have_no_name_has_no_opening():
    assert opening_of("", opening="") == []
    assert opening_of("e2e4", variant="chess960") == []
    assert opening_of("e1e2", opening="4k3/8/8/8/8/8/4P3/4K3 w - - 3 17") == []


def test_names_of_openings_are_no_content_that_a_verification_compares():
    named = write_pgn(spec(), record(["e2e4"], MATED))
    assert content(named) == content(b"\n".join(line for line in named.split(b"\n") if b"[ECO" not in line))


def test_content_is_the_same_without_comments():
    with_comments = b'[White "a"]\n\n1. e4 {+0.3/2 0.1s} e5 *\n'
    without = b'[White "a"]\n\n1. e4\ne5 *\n'
    assert content(with_comments) == content(without) != content(without.replace(b"e5", b"e6"))
