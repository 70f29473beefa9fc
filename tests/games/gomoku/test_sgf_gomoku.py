"""SGF of gomoku, GM[4]: what is written, and what anybody's files tell."""

import pytest
from gomoku_games import (
    BLACK_WINS,
    FIVE,
    LATE,
    game_record,
    game_spec,
    points,
    refusal,
    swap2_game,
    void_game,
)
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from sgfmill.sgf import Sgf_game

import gyoji
from gyoji.core.clocks import TimeControl
from gyoji.core.faults import ConfigError
from gyoji.core.messages import Evaluation
from gyoji.core.outcome import Ending, Outcome
from gyoji.core.plugins import GAMES
from gyoji.core.record import GameRecord, Opinion, Played
from gyoji.core.replay import Wanted
from gyoji.games.go import sgf_replay as go_records
from gyoji.games.gomoku.sgf_records import SGF, read_game, write
from gyoji.sgf.grammar import parse
from gyoji.sgf.property_values import text

WRITTEN = f"""\
(;FF[4]AP[gyoji:{gyoji.__version__}]
C[Event: cup
Game id a_v_b_7
Date 2026-11-21 01:09
Result a beat b B+T (b took 6s of 5s)
Black a Alpha 1
White b Beta 2]
CA[UTF-8]DT[2026-11-21]EV[cup]GM[4]GN[cup a_v_b_7]OT[5s/move at most]
PB[Alpha 1]PW[Beta 2]RE[B+T]RU[renju +max_moves=200]SZ[15]TM[180]
;B[hh]C[opening move];W[hi]C[opening move];B[ah]C[12ms]
;W[bb]C[3ms
depth \\] 8

a beat b B+T (b took 6s of 5s)])
"""
CLOCK = TimeControl(main=180 * 10**9, move=5 * 10**9)


def account_of(body):
    [root] = parse(f"(;GM[4]FF[4]{body})".encode())
    return read_game(root)


def test_a_record_looks_so():
    spec = game_spec(rule="renju", max_moves=200, opening="h8h9", clock=CLOCK)
    moves = [Played(0, "a8", 12_345_678), Played(1, "b2", 3_000_000, "depth ] 8")]
    data = write(spec, game_record(moves, outcome=LATE))
    assert data.decode() == WRITTEN
    [tree] = parse(data)
    assert text(list(tree.main_line())[-1].first("C")).startswith("3ms\ndepth ] 8\n\n")
    assert Sgf_game.from_bytes(data.replace(b"GM[4]", b"GM[1]")).get_size() == 15


@pytest.mark.parametrize(
    ("choices", "sides", "nodes"),
    [
        (
            [(1, "swap")],
            (1, 0),
            [
                "B[hh] swap2: three stones 10ms",
                "W[ii] swap2: three stones",
                "B[gg] swap2: three stones",
                "W[aa] swap2: choice 20ms Black has swapped 1ms",
            ],
        ),
        ([(1, "f6")], (0, 1), ["W[ff] swap2: choice 20ms", "B[aa] 1ms"]),
        (
            [(1, "f6e5"), (0, "swap")],
            (0, 1),
            [
                "W[ff] swap2: choice 20ms",
                "B[ee] swap2: choice",
                "W[aa] swap2: last choice 30ms Black has swapped 1ms",
            ],
        ),
        (
            [(1, "f6e5"), (0, "d4")],
            (1, 0),
            ["B[ee] swap2: choice", "W[dd] swap2: last choice 30ms", "B[aa] 1ms"],
        ),
    ],
)
def test_swap2_is_told_stone_by_stone_in_real_colours(choices, sides, nodes):
    next_seat = sides.index("BW".index(nodes[-1][0]))
    moves = [*swap2_game(*choices), Played(next_seat, "a1", 1_000_000)]
    won = Outcome(points=(1.0, 0.0), ending=Ending("five"))
    for record in (game_record(moves, sides=sides, outcome=won), void_game(moves)):
        [tree] = parse(write(game_spec(swap2=True), record))
        root, *rest = tree.main_line()
        told = []
        for node in rest:
            (colour,) = (name for name in "BW" if name in node.properties)
            words = text(node.first("C")).partition("\n\n")[0].replace("\n", " ")
            told.append(f"{colour}[{node.first(colour)}] {words}")
        assert told[-len(nodes) :] == nodes
        names = ("Alpha 1", "Beta 2") if isinstance(record, GameRecord) else ("a", "b")
        assert (root.first("PB"), root.first("PW")) == tuple(names[sides.index(side)] for side in (0, 1))
        assert root.first("RE") == (f"{'BW'[sides[0]]}+" if isinstance(record, GameRecord) else "Void")
        assert root.first("RU") == "freestyle +swap2"


def test_opinions_stand_at_the_stones_they_are_about_in_real_colours():
    said = (Opinion(0, 0, Evaluation(win=0.75)), Opinion(1, 1, Evaluation(score=-2.0, nodes=9)))
    record = game_record([Played(0, "h8", 1_000_000), Played(1, "a1", 2_000_000)], sides=(1, 0))
    data = write(game_spec(), replace(record, opinions=said))
    assert b";B[hh]SBKV[25.00]C[1ms\n75 % to win]\n;W[aa]V[-2]C[2ms\n-2, 9 nodes" in data


def test_a_swap_that_nothing_follows_is_told_at_the_last_stone():
    record = game_record(swap2_game((1, "swap")), sides=(1, 0), outcome=LATE)
    [tree] = parse(write(game_spec(swap2=True), record))
    words = list(tree.main_line())[-1].first("C")
    assert words.startswith("swap2: three stones\nswap2: choice\n20ms\nBlack has swapped\n\na beat b W+T")


def test_a_game_without_moves_tells_all_in_the_root():
    for opening, count in (("", 1), ("h8i9", 3)):
        [tree] = parse(write(game_spec(opening=opening), game_record("", outcome=LATE)))
        nodes = list(tree.main_line())
        assert len(nodes) == count
        assert nodes[-1].first("C").endswith("\n\na beat b B+T (b took 6s of 5s)")
        assert "\nResult a beat b B+T (b took 6s of 5s)\n" in f"{nodes[0].first('C')}\n"


def test_of_a_board_too_large_for_sgf_the_root_is_written():
    spec = game_spec(board_size=60, opening="h8")
    [tree] = parse(write(spec, game_record("ba60", outcome=LATE)))
    assert [node.first("SZ") for node in tree.main_line()] == ["60"]
    assert "Stones h8ba60\n\na beat b" in tree.first("C")
    with pytest.raises(ValueError, match=r"SZ\[60\] is not a board size"):
        read_game(tree)


def test_a_stone_that_is_not_on_the_board_is_refused():
    for move in ("p1", "a16", "x"):
        with pytest.raises(ValueError, match=r"game a_v_b_7: '.*' is not on the 15x15 board"):
            write(game_spec(), game_record([Played(0, move, 1)]))
    with pytest.raises(ValueError, match="of two seats, not of 4"):
        write(game_spec(players="abcd"), game_record(""))


def test_sgf_has_no_file_for_a_game_without_a_number():
    with pytest.raises(
        ConfigError, match="no record format 'sgf' of dighere; there are: dighere, dighere_summary"
    ):
        GAMES.find("dighere").record_format("sgf")


COMMENTS = st.just("") | st.text(st.characters(exclude_categories=("C", "Zl", "Zp")), max_size=20)


@given(
    st.lists(st.tuples(st.integers(0, 19), st.integers(0, 14), COMMENTS), max_size=30),
    st.integers(0, 4),
)
def test_stones_and_words_come_back(stones, opening):
    names = [f"{chr(97 + x)}{y + 1}" for x, y, _ in stones]
    played = [
        Played(nth & 1, names[nth], 1_000_000, words)
        for nth, (_, _, words) in enumerate(stones)
        if nth >= opening
    ]
    data = write(game_spec(board_size=[20, 15], opening="".join(names[:opening])), game_record(played))
    [root] = parse(data)
    account = read_game(root)
    assert account.stones == tuple((x, y) for x, y, _ in stones)
    assert account.colours == tuple(nth & 1 for nth in range(len(stones)))
    assert account.size == (20, 15)
    nodes = list(root.main_line())[1 + opening : -1]
    said = [text(node.first("C")).partition("1ms")[2].lstrip("\n") for node in nodes]
    assert said == [played[nth].comment.lstrip("\n") for nth in range(len(nodes))]


READ = [
    # body, stones, colours, claim, fits
    ("SZ[15]RE[B+1]RU[0];B[hh]C[opening move];W[ii]C[9ms]", "h8i9", "01", "B+1", "B-"),
    ("SZ[15]RE[0]B[hh]W[ig]B[gj]", "h8i7g10", "010", "0", "0-"),
    ("RE[W+Resign]SW[NO]5A[gg][hh];B[hh];W[hg];", "h8h7", "01", "W+Resign", "W-"),
    ("SZ[15]AB[hh][ii]AW[hi]PL[W];W[aa]", "h8h9i9a1", "0101", "nothing", "BW0-"),
    ("SZ[15]RE[Void];B[hh];B[ii]", "h8i9", "00", "Void", "BW0-"),
    ("SZ[20:15];B[to](;W[aa];B[bb])(;W[cc])", "t15a1b2", "010", "nothing", "BW0-"),
    ("SZ[15]RE[Draw]", "", "", "0", "0-"),
]


@pytest.mark.parametrize(("body", "stones", "colours", "claim", "fits"), READ)
def test_files_of_many_hands_are_read(body, stones, colours, claim, fits):
    account = account_of(body)
    assert account.stones == points(stones)
    assert account.colours == tuple(map(int, colours))
    assert account.claim[:2] == (claim, fits)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("SZ[15];B[hh];W[]", "node 2: a pass, which gomoku has not"),
        ("SZ[15];B[hh];W[tt]", "node 2: 'tt' is not a point on a board of 15x15"),
        ("SZ[15];B[hh];AB[aa]", "node 2: stones are set by hand in the middle of the game"),
        ("SZ[15]AB[aa][bb]", "node 0: 2 black and 0 white stones are set up, which is not an opening"),
        ("SZ[15]AE[aa]", "node 0: 0 black and 0 white stones are set up, which is not an opening"),
        ("SZ[99]", "SZ[99] is not a board size"),
    ],
)
def test_what_is_no_game_is_refused_by_its_node(body, message):
    assert refusal(account_of, body).startswith(message)


def test_both_games_may_stand_in_one_file():
    data = b"(;GM[1]SZ[9];B[ee])(;GM[4]SZ[15];B[hh])"
    go, not_go = go_records.SGF.replay(data, Wanted())
    not_gomoku, gomoku = SGF.replay(data, Wanted())
    assert dict(go.facts)["komi"]
    assert dict(gomoku.facts)["stones"] == "1"
    assert not_go is None
    assert not_gomoku is None
    with pytest.raises(ValueError, match=r"^game 2: node 1: 'zz'"):
        SGF.replay(b"(;GM[4];B[hh])(;GM[4];B[zz])", Wanted())
    with pytest.raises(ConfigError, match=r"^komi: gomoku has none; it is replayed by rules, size$"):
        SGF.replay(b"(;GM[4];B[hh])", Wanted(komi=6.5))
    with pytest.raises(ConfigError, match=r"^size: go has none; it is replayed by rules, komi, score, all$"):
        go_records.SGF.replay(b"(;GM[1];B[hh])", Wanted(size=(19, 19)))


def test_a_record_of_ours_is_judged_by_its_own_terms():
    spec = game_spec(draw_margin=217)
    record = game_record("a1 c3 e5 g7 a3 c5 e7 g1", outcome=Outcome(points=(0.5, 0.5), ending=Ending.FULL))
    [game] = SGF.replay(write(spec, record), Wanted())
    assert game.verdict == "the record says 0, the rules 0 (few points are left)"
    assert (game.refusals, game.notes, game.differs) == ((), (), False)
    [game] = SGF.replay(write(spec, game_record(BLACK_WINS, outcome=FIVE)), Wanted())
    assert game.refusals == ("move 9, Black e1: the game is over: 0 (few points are left)",)
    [game] = SGF.replay(write(spec, game_record(BLACK_WINS, outcome=FIVE)), Wanted(rules="freestyle"))
    assert game.verdict == "the record says B+, the rules B+ (five, a1 to e1)"


@given(st.binary(max_size=60))
def test_whatever_bytes_a_game_has_it_is_read_or_refused(data):
    assert refusal(SGF.replay, b"(;GM[4]SZ[15];" + data + b";B[aa];W[bb])", Wanted()).isprintable()
