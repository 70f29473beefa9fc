"""The records of games: what stands where, in gomill's layout; sgfmill can read them all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from sgfmill import sgf, sgf_grammar

import gyoji
from gyoji.core.clocks import TimeControl
from gyoji.core.messages import Evaluation
from gyoji.core.outcome import Ending, Outcome
from gyoji.core.plugins import GAMES
from gyoji.core.record import EngineReport, GameRecord, GameResult, Opinion, Played, TakenBack, VoidGame
from gyoji.core.spec import GameSpec, Player
from gyoji.games.go.sgf_reader import main_line
from gyoji.games.go.sgf_writer import write
from gyoji.sgf.grammar import parse
from gyoji.sgf.property_values import text

ALPHA = EngineReport(name="Alpha:1.0 seed 1", description="Alpha:1.0 seed 1", cpu_ns=0)
BETA = EngineReport(name="Beta:1.0 seed 2", description="Beta:1.0 seed 2", cpu_ns=0)
LIMIT = Outcome(points=None, ending=Ending.MOVE_LIMIT, detail="hit move limit")
RESIGNED = Outcome(points=(0.0, 1.0), ending=Ending.RESIGNATION, seat=0)
JIGO = Outcome(points=(0.5, 0.5), ending=Ending.SCORE)


def by_score(margin):
    return Outcome(points=(1.0, 0.0), ending=Ending.SCORE, margin=margin)


def game_spec(*, clock="none", clocks=(None, None), **options):
    players = tuple(
        Player(code=code, command=("x",), clock=own) for code, own in zip("ab", clocks, strict=True)
    )
    return GameSpec(
        id="0_0",
        pairing="0",
        game="go",
        players=players,
        options={"board_size": 9, "komi": 7.5, "ruleset": "none", **options},
        clock=TimeControl.parse(clock),
        competition="al",
        event="al",
    )


def game_record(*moves, outcome=LIMIT, engines=(ALPHA, BETA), remarks=(), **more):
    """moves: texts, played by Black and White in turn, or Played as they are."""
    turns = tuple(
        (move if isinstance(move, Played) else Played(index % 2, move, 10_000_000),)
        for index, move in enumerate(moves)
    )
    result = GameResult(
        id="0_0",
        pairing="0",
        players=("a", "b"),
        outcome=outcome,
        turns=len(turns),
        engines=engines,
        started="2026-11-21T01:09:59+01:00",
        wall_ns=10**9,
        **more,
    )
    return GameRecord(result=result, turns=turns, final_remarks=remarks)


def written(record, spec=None):
    """Return the record's root and last node, as sgfmill reads them, after it agreed with us on the whole
    tree.
    """
    data = write(spec or game_spec(), record)
    assert data.endswith(b")\n")
    [tree] = parse(data)
    assert len(sgf_grammar.parse_sgf_collection(data)) == 1
    game = sgf.Sgf_game.from_bytes(data)
    for node, theirs in zip(tree.main_line(), game.get_main_sequence(), strict=True):
        assert {name: [raw.encode() for raw in raws] for name, raws in node.properties.items()} == {
            name: theirs.get_raw_list(name) for name in theirs.properties()
        }
    return game.get_root(), game.get_last_node()


GOLDEN = f"""\
(;FF[4]AP[gyoji:{gyoji.__version__}]
C[Event: al
Game id 0_0
Date 2026-11-21 01:09
Result a vs b Void (hit move limit)
a cpu time: 0.00s
b cpu time: 0.00s
Black a Alpha:1.0 seed 1
White b Beta:1.0 seed 2]
CA[UTF-8]DT[2026-11-21]EV[al]GM[1]GN[al 0_0]KM[7.5]PB[Alpha:1.0 seed 1]
PW[Beta:1.0 seed 2]RE[Void]SZ[9];B[ie]C[order index 0 of 81];W[hd];B[ee]
C[order index 1 of 81

a vs b Void (hit move limit)])
"""


def test_a_record_looks_as_it_always_did():
    record = game_record(
        Played(0, "J5", 1, "order index 0 of 81"), "H6", Played(0, "E5", 1, "order index 1 of 81")
    )
    assert write(game_spec(), record).decode() == GOLDEN


def test_sgf_is_a_record_format_of_go():
    assert GAMES.find("go").record_format("sgf").suffix == ".sgf"


RESULTS = [
    (by_score(3.5), "B+3.5", "a beat b B+3.5"),
    (by_score(10.0), "B+10", "a beat b B+10"),
    (by_score(None), "B+", "a beat b B+"),
    (JIGO, "0", "a vs b jigo"),
    (RESIGNED, "W+R", "b beat a W+R"),
    (Outcome(points=(1.0, 0.0), ending=Ending.CLAIM, detail="claim"), "B+", "a beat b B+ (claim)"),
    (Outcome(points=(1.0, 0.0), ending=Ending.TIME, detail="late"), "B+T", "a beat b B+T (late)"),
    (Outcome(points=(1.0, 0.0), ending=Ending.FAULT, detail="exit 1"), "B+F", "a beat b B+F (exit 1)"),
    (Outcome(points=None, ending=Ending.SCORE, detail="no score"), "?", "a vs b ? (no score)"),
    (LIMIT, "Void", "a vs b Void (hit move limit)"),
]


@pytest.mark.parametrize(("outcome", "code", "line"), RESULTS)
def test_the_result_stands_in_the_root_and_at_the_end(outcome, code, line):
    root, last = written(game_record("E5", "pass", outcome=outcome))
    assert root.get("RE") == code
    assert f"\nResult {line}\n" in root.get("C")
    assert last.get("C") == line


def test_the_last_node_tells_all_in_order():
    record = game_record(
        Played(0, "E5", 0, "winning"),
        outcome=RESIGNED,
        remarks=((0, "hopeless\nreally"),),
        scores=("B+4.5", ""),
        late=("a: exit 1", "b: closed"),
    )
    _, last = written(record)
    assert last.get("C") == (
        "winning\n\nfinal message from b: <<<\nhopeless\nreally\n>>>\n\n"
        "b beat a W+R\na final_score: B+4.5\n\na: exit 1\nb: closed"
    )


SCORES = [
    (by_score(3.5), ("B+3.5", "B+3.5"), []),
    (by_score(3.0), ("b+3.0", "B+3"), []),
    (by_score(3.0), ("", "B+3"), []),
    (by_score(None), ("B+3", "B+4"), ["a final_score: B+3", "b final_score: B+4"]),
    (by_score(3.5), ("B+3.5", "unsure"), ["a final_score: B+3.5", "b final_score: unsure"]),
    (by_score(3.5), ("", "B+3.50"), ["b final_score: B+3.50"]),
    (JIGO, ("0", "0"), []),
    (LIMIT, (), []),
]


@pytest.mark.parametrize(("outcome", "scores", "lines"), SCORES)
def test_raw_scores_are_shown_where_one_differs_from_the_result(outcome, scores, lines):
    _, last = written(game_record("pass", outcome=outcome, scores=scores))
    assert last.get("C").split("\n")[1:] == lines


def test_a_game_without_moves_tells_all_in_the_root():
    record = game_record(outcome=RESIGNED, remarks=((0, "no"),), late=("b: late",))
    root, last = written(record)
    assert root is last
    assert root.get("C") == (
        "Event: al\nGame id 0_0\nDate 2026-11-21 01:09\nResult b beat a W+R\n"
        "a cpu time: 0.00s\nb cpu time: 0.00s\n"
        "Black a Alpha:1.0 seed 1\nWhite b Beta:1.0 seed 2\n\n"
        "final message from b: <<<\nno\n>>>\n\nb beat a W+R\n\nb: late"
    )


def test_the_root_leaves_out_what_is_not_known():
    spec = replace(game_spec(), event="", competition="", note="candidate 1, 2")
    engines = (EngineReport(), EngineReport(name="B", description="B 2\nwith a book", cpu_ns=1_234_000_000))
    root, _ = written(game_record("E5", engines=engines), spec)
    assert root.get("C") == (
        "Game id 0_0\nDate 2026-11-21 01:09\nResult a vs b Void (hit move limit)\ncandidate 1, 2\n"
        "b cpu time: 1.23s\nBlack a\nWhite b B 2\nwith a book"
    )
    assert (root.get("PB"), root.get("PW"), root.get("GN")) == ("a", "B", "0_0")
    assert not root.has_property("EV")


def test_a_player_may_go_by_its_code():
    spec = game_spec()
    first = replace(spec.players[0], options={"sgf_player_name_from_gtp": False})
    root, _ = written(game_record("E5"), replace(spec, players=(first, spec.players[1])))
    assert (root.get("PB"), root.get("PW")) == ("a", "Beta:1.0 seed 2")
    assert "Black a Alpha:1.0 seed 1" in root.get("C")


def test_a_void_game_says_why():
    void = VoidGame(
        id="0_0",
        pairing="0",
        players=("a", "b"),
        reason="a: cannot start",
        started="2026-11-21T01:09:00+00:00",
        turns=((Played(0, "E5", 1, "ok"),), (Played(1, "D4", 1),)),
    )
    root, last = written(void)
    assert root.get("RE") == "Void"
    assert root.get("C") == "Event: al\nGame id 0_0\nDate 2026-11-21 01:09\nBlack a\nWhite b"
    assert (root.get("PB"), root.get("PW")) == ("a", "b")
    assert last.get("C") == "a: cannot start"
    _, last = written(replace(void, turns=void.turns[:1], late=("b: exit 3",)))
    assert last.get("C") == "ok\n\na: cannot start\nalso:\nb: exit 3"
    root, _ = written(replace(void, turns=()))
    assert root.get("C").endswith("White b\n\na: cannot start")


def test_a_fixed_handicap_lies_in_the_root():
    root, last = written(
        game_record(Played(1, "E5", 1)), game_spec(handicap=4, handicap_style="fixed", board_size=19)
    )
    assert root.get("HA") == 4
    assert root.get_raw_list("AB") == [b"dd", b"dp", b"pd", b"pp"]
    assert last.get_move() == ("w", (4, 4))
    assert not root.has_property("AW")
    assert not root.has_property("AE")


def test_a_free_handicap_is_no_move():
    record = game_record(Played(0, "C3 g7 E5".upper(), 1, "", "handicap"), Played(1, "D4", 1))
    spec = game_spec(handicap=3, handicap_style="free")
    root, last = written(record, spec)
    assert root.get("HA") == 3
    assert root.get_raw_list("AB") == [b"cg", b"ee", b"gc"]
    assert last.get_move() == ("w", (3, 3))
    root, last = written(replace(record, turns=record.turns[:1]), spec)
    assert root is last
    assert root.get("HA") == 3
    assert "\nResult a vs b Void (hit move limit)\n" in root.get("C")


def test_a_game_that_ends_before_its_first_move_after_the_handicap_has_its_result_in_the_root():
    spec = game_spec(handicap=4, handicap_style="fixed", board_size=19)
    root, last = written(game_record(outcome=RESIGNED), spec)
    assert root is last
    assert root.get("HA") == 4
    assert "\nResult b beat a W+R\n" in root.get("C")


def test_an_even_game_has_no_handicap():
    root, _ = written(game_record("E5"), game_spec(handicap=None, handicap_style="fixed"))
    assert not root.has_property("HA")
    assert not root.has_property("AB")


@pytest.mark.parametrize(
    ("komi", "raw"), [(7.5, b"7.5"), (7.0, b"7"), (7, b"7"), (0.0, b"0"), (-3.5, b"-3.5"), (6.25, b"6.25")]
)
def test_komi_has_no_trailing_zero(komi, raw):
    root, _ = written(game_record("E5"), game_spec(komi=komi))
    assert root.get_raw("KM") == raw


BOARDS = [
    (19, "T19", "sa"),
    (19, "pass", "tt"),
    (25, "Z1", "yy"),
    (25, "U6", "tt"),
    (25, "pass", ""),
    (1, "A1", "aa"),
]


@pytest.mark.parametrize(("size", "vertex", "letters"), BOARDS)
def test_a_move_is_written_on_every_board(size, vertex, letters):
    root, last = written(game_record(vertex), game_spec(board_size=size))
    assert root.get("SZ") == size
    assert last.get_raw("B").decode() == letters


def test_a_rectangular_board_is_written_as_ff4_has_it():
    for size in ((13, 9), [13, 9]):
        data = write(game_spec(board_size=size), game_record("N9", "A1"))
        assert b"SZ[13:9]" in data
        [game] = map(main_line, parse(data))
        assert (game.width, game.height, game.moves) == (13, 9, ((0, (12, 8)), (1, (0, 0))))


ODD = ["a ] and a \\", "\\", "]", "[;B[aa\\]](", "行司 é 🏯", "two\nlines", "tab\there", "C[x]:y\\]"]


@pytest.mark.parametrize("words", ODD)
def test_odd_words_come_back(words):
    report = EngineReport(name=words, description=words)
    record = game_record(
        Played(0, "E5", 1, words), Played(1, "D4", 1, words), engines=(report, report), remarks=((1, words),)
    )
    spec = replace(game_spec(), event=words, note=words)
    root, last = written(record, spec)
    shown = words.replace("\t", " ")
    assert f"Black a {shown}" in root.get("C")
    assert root.get("PB") == root.get("EV") == shown.replace("\n", " ")
    assert last.get("C").startswith(f"{shown}\n\nfinal message from w: <<<\n{shown}\n>>>\n\na vs b")


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("a\x00b\x1b[1m\udcff", "a\\u0000b\\u001b[1m\\udcff"),
        ("a\x9b2J\x85b", "a\\u009b2J\nb"),
        ("\u202eabc\u2028d\u2066", "\\u202eabc\nd\\u2066"),
    ],
)
def test_what_no_viewer_can_show_is_escaped(said, written):
    [tree] = parse(write(game_spec(), game_record(Played(0, "E5", 1, said))))
    last = list(tree.main_line())[-1]
    assert text(last.first("C")).startswith(f"{written}\n\n")


CLOCKS = [
    # control, ns of each move, headings, times at the nodes
    ("none", (1, 1), {}, [{}, {}]),
    ("2s/move", (10**9, 1), {"OT": "2s/move"}, [{}, {}]),
    ("10m", (90 * 10**9, 1_500_000), {"TM": "600"}, [{"BL": "510"}, {"WL": "599.998"}]),
    ("1m + 3s/move", (10**9, 10**9), {"TM": "60", "OT": "3s/move"}, [{"BL": "62"}, {"WL": "62"}]),
    (
        "10s + 3x30s",
        (5 * 10**9, 45 * 10**9, 40 * 10**9),
        {"TM": "10", "OT": "3x30s"},
        [{"BL": "5"}, {"WL": "30", "OW": "2"}, {"BL": "30", "OB": "2"}],
    ),
    (
        "10s + 5m/25",
        (11 * 10**9, 1),
        {"TM": "10", "OT": "5m/25"},
        [{"BL": "299", "OB": "24"}, {"WL": "9.999"}],
    ),
]


@pytest.mark.parametrize(("control", "used", "headings", "times"), CLOCKS)
def test_clocks_are_written_where_time_used_is_missing_later(control, used, headings, times):
    moves = [Played(index % 2, "E5", ns) for index, ns in enumerate(used)]
    record = game_record(*moves)
    data = write(game_spec(clock=control), record)
    written(record, game_spec(clock=control))
    root, *nodes = parse(data)[0].main_line()
    assert {name: root.first(name) for name in ("TM", "OT") if root.first(name)} == headings
    names = ("BL", "WL", "OB", "OW")
    assert [{name: node.first(name) for name in names if node.first(name)} for node in nodes] == times


def test_time_odds_stand_in_the_comment():
    spec = game_spec(clocks=(TimeControl.parse("10m"), None))
    root, last = written(game_record("E5", "D4"), spec)
    assert "a clock: 10m\nb clock: none\n" in root.get("C")
    assert not root.has_property("TM")
    assert not last.has_property("WL")


def test_a_move_that_is_no_vertex_is_refused():
    for moves, spec in ((["E10"], game_spec()), ([Played(0, "A1 K1", 1, "", "handicap")], game_spec())):
        with pytest.raises(ValueError, match=r"game 0_0: .* is no vertex of the board"):
            write(spec, game_record(*moves))


def test_a_game_of_four_is_refused():
    spec = game_spec()
    with pytest.raises(ValueError, match="of two seats, not of 4"):
        write(replace(spec, players=spec.players * 2), game_record())


VERTICES = st.builds("{}{}".format, st.sampled_from("ABCDEFGHJ"), st.integers(1, 9)) | st.just("pass")
COMMENTS = st.just("") | st.text(st.characters(exclude_categories=("C", "Zl", "Zp")), max_size=30)


@given(st.lists(st.tuples(VERTICES, COMMENTS), max_size=20))
def test_the_moves_and_the_words_come_back(game):
    record = game_record(*[Played(i % 2, vertex, 1, said) for i, (vertex, said) in enumerate(game)])
    data = write(game_spec(), record)
    [line] = map(main_line, parse(data))
    columns = "ABCDEFGHJ"
    assert line.moves == tuple(
        (i % 2, None if vertex == "pass" else (columns.index(vertex[0]), int(vertex[1:]) - 1))
        for i, (vertex, _) in enumerate(game)
    )
    root, *nodes = parse(data)[0].main_line()
    said = [text(node.first("C")) for node in nodes]
    assert [words for _, words in game][:-1] == said[:-1]
    assert (said or [text(root.first("C"))])[-1].endswith("a vs b Void (hit move limit)")


def opinions(*said):
    return tuple(Opinion(number, number % 2, each) for number, each in enumerate(said) if each)


def test_opinions_stand_at_their_moves_as_black_would_have_them():
    record = replace(
        game_record(Played(0, "D4", 1, "I win"), "E5", "C3"),
        opinions=opinions(Evaluation(score=3.5, win=0.75), Evaluation(score=2.0, win=0.9, depth=4)),
    )
    (root,) = parse(write(game_spec(), record))
    _, first, second, third = root.main_line()
    assert (first.first("V"), first.first("SBKV"), text(first.first("C"))) == ("3.5", "75.00", "I win")
    assert (second.first("V"), second.first("SBKV")) == ("-2", "10.00")
    assert text(second.first("C")) == "90 % to win, +2, depth 4"
    assert "V" not in third.properties


@pytest.mark.parametrize(
    "said", [Evaluation(depth=3), Evaluation(score=float("inf"), win=7.0), Evaluation(win=float("nan"))]
)
def test_an_opinion_without_a_number_that_can_be_has_no_property(said):
    (root,) = parse(write(game_spec(), replace(game_record("D4", "E5"), opinions=opinions(said))))
    assert not {"V", "SBKV"} & list(root.main_line())[1].properties.keys()


def test_what_ends_a_game_before_its_rules_do_is_in_re_and_the_last_words():
    won = Outcome(points=(1.0, 0.0), ending=Ending.ADJUDICATION, detail="adjudication: both sides say so")
    taken = TakenBack(1, 1, ((Played(1, "E5", 1),), (Played(0, "C3", 1),)))
    root, last = written(replace(game_record("D4", "E4", outcome=won), taken_back=(taken,)))
    assert root.get("RE") == "B+"
    assert last.get("C").splitlines() == [
        "b takes back 2 moves: E5 C3",
        "",
        "a beat b B+ (adjudication: both sides say so)",
    ]
    level = Outcome(points=(0.5, 0.5), ending=Ending.AGREEMENT, detail="both sides agree to a draw", seat=0)
    root, last = written(game_record("D4", "E4", outcome=level))
    assert root.get("RE") == "0"
    assert "draw (both sides agree to a draw)" in last.get("C")
