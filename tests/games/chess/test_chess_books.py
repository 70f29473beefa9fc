"""Openings of chess: files of every kind, large ones without reading them, and gyoji's own."""

import copy
import gzip
import struct
import zipfile

import chess
import chess.polyglot
import pytest

from gyoji.config.competition import load
from gyoji.core.clocks import TimeControl
from gyoji.core.faults import ConfigError
from gyoji.core.openings import InvalidOpenings, Openings
from gyoji.core.setup import GameSettings
from gyoji.games.chess import books
from gyoji.games.chess.fen import format_fen, read_fen, start_fen
from gyoji.games.chess.game_options import Options, rules
from gyoji.games.chess.polyglot import entries_of, key_of
from gyoji.results.comparison import Conditions

EPD = b"""\
# a comment
rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 bm Nf3; id "Sicilian";

rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2
rnbqkbnr/ppp2ppp/8/3Pp3/8/8/PPP1PPPP/RNBQKBNR w KQkq e6 hmvc 0; fmvn 3;
e4 e5 Nf3
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4
"""
READ = [
    "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1",
    "rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2",
    "rnbqkbnr/ppp2ppp/8/3Pp3/8/8/PPP1PPPP/RNBQKBNR w KQkq e6 0 1",
    "e2e4 e7e5 g1f3",
    "e2e4",
]
PGN = b"""\
[Event "a"]
[White "x"]

1. e4 {good
[or not]} e5 2. Nf3 Nc6 *

[Event "b"]
[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]

1. e4 *
"""
STANDARD = {"variant": "standard", "opening": ""}


def test_lines_are_epd_fen_and_moves():
    assert list(books.opening_book(EPD, "x.epd", STANDARD)) == READ


@pytest.mark.parametrize("name", ["x.pgn", "x"])
def test_games_of_pgn_are_openings(name):
    assert list(books.opening_book(PGN, name, STANDARD)) == [
        "e2e4 e7e5 g1f3 b8c6",
        "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 moves e2e4",
    ]


def test_openings_may_be_cut():
    assert books.opening_book(PGN, "x.pgn", STANDARD, plies=3)[0] == "e2e4 e7e5 g1f3"
    assert books.opening_book(b"e4 e5 Nf3", "x.txt", STANDARD, plies=2)[0] == "e2e4 e7e5"


def test_openings_of_chess960_are_read():
    fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"
    options = {"variant": "chess960", "opening": ""}
    found = books.opening_book(f"{fen}\n{fen.replace('HFhf', 'KQkq')}\n33".encode(), "x.epd", options)
    assert list(found) == [fen, fen, start_fen(33)]


def test_wrong_openings_are_named_and_the_others_kept():
    data = b"e4 e5\ne4 e4\n4k3/8/8/8/8/8/8/4K3 w - -\nd4\nf3 e5 g4 Qh4#\n"
    with pytest.raises(InvalidOpenings) as wrong:
        books.opening_book(data, "x.txt", STANDARD)
    assert wrong.value.places == ("opening 2", "opening 3", "opening 5")
    assert wrong.value.fitting == ("e2e4 e7e5", "d2d4")
    assert "the game is over" in str(wrong.value)


def test_a_large_book_is_read_where_it_is_needed(monkeypatch):
    monkeypatch.setattr(books, "MOST_CHECKED", 10)
    monkeypatch.setattr(books, "SAMPLE", 10)
    lines = ["e4 e5", "d4 d5", "c4 c5"] * 40
    lines[50] = "e4 e4"
    book = books.opening_book("\n".join(lines).encode(), "x.txt", STANDARD)
    assert len(book) == 120
    assert [book[index] for index in (0, 1, 31, 32, 33, 118, 119, -1)] == [
        "e2e4 e7e5",
        "d2d4 d7d5",
        "d2d4 d7d5",
        "c2c4 c7c5",
        "e2e4 e7e5",
        "d2d4 d7d5",
        "c2c4 c7c5",
        "c2c4 c7c5",
    ]
    assert book[50] == book[51] == "e2e4 e7e5"
    assert book[1:3] == ["d2d4 d7d5", "c2c4 c7c5"]
    with pytest.raises(IndexError):
        book[120]
    assert copy.deepcopy(book) is book


def test_a_random_order_of_many_openings_has_each_once():
    lines = range(30_001)
    drawn = Openings(lines=lines, order="random", games=1)
    found = [drawn.options(None, {}, number, 5)["opening"] for number in range(len(lines))]
    assert found != list(lines)
    assert sorted(found) == list(lines)
    again = Openings(lines=lines, order="random", games=1, seed=5, start=11)
    assert [again.options(None, {}, number, 99)["opening"] for number in range(20)] == found[10:30]


# Polyglot


def polyglot(board, lines):
    """Return a book in which each line's moves have the weight of how often they occur."""
    weights = {}
    for line in lines:
        position = board.copy()
        for text in line.split():
            move = position.parse_san(text)
            goal = move.to_square
            if position.is_castling(move):  # as the king taking its rook
                goal = chess.H1 if goal == chess.G1 else chess.A1
            key = chess.polyglot.zobrist_hash(position)
            word = goal | move.from_square << 6
            weights[key, word] = weights.get((key, word), 0) + 1
            position.push(move)
    return b"".join(struct.pack(">QHHI", *entry, count, 0) for entry, count in sorted(weights.items()))


def test_the_keys_of_polyglot_are_those_of_python_chess():
    board = chess.Board()
    for text in ["e4", "a6", "e5", "d5", "exd6", "Nf6", "Nf3", "g6", "Be2", "Bg7", "O-O", "Ra7", "a4", "O-O"]:
        board.push_san(text)
        assert key_of(read_fen(board.fen())) == chess.polyglot.zobrist_hash(board)


def test_openings_are_drawn_from_a_polyglot_book():
    lines = ["e4 e5 Nf3 Nf6 Be2 Be7 O-O", "e4 c5", "d4 d5"]
    data = polyglot(chess.Board(), lines)
    book = books.opening_book(data, "x.bin", STANDARD)
    found = {book[index] for index in range(60)}
    assert found == {"e2e4 e7e5 g1f3 g8f6 f1e2 f8e7 e1g1", "e2e4 c7c5", "d2d4 d7d5"}
    assert {book[index] for index in range(60)} == found
    assert {len(books.opening_book(data, "x.bin", STANDARD, plies=1)[index]) for index in range(9)} == {4}
    assert [entry.weight for entry in entries_of(data, key_of(rules(Options()).start()))] == [1, 2]


@pytest.mark.parametrize("data", [b"", b"x" * 17, b"\0" * 16])
def test_what_is_no_polyglot_book_is_refused(data):
    with pytest.raises(ValueError, match=r"expected a Polyglot book|no move for the start"):
        books.opening_book(data, "x.bin", STANDARD)


# Our own


def test_our_own_openings_are_different_and_possible():
    own = books.own_openings(STANDARD)
    assert len(own) >= 300
    ends = {format_fen(rules(Options(opening=line)).start()).rsplit(" ", 2)[0] for line in own}
    assert len(ends) == len(own)


def test_our_own_openings_of_other_variants_are_their_start_positions():
    own = books.own_openings({"variant": "chess960"})
    assert (len(own), own[518]) == (960, start_fen(518))
    own = books.own_openings({"variant": "dfrc"})
    assert (len(own), own[960 * 7 + 5]) == (921_600, start_fen(7, 5))


class Unread(books.Book):
    def __init__(self):
        super().__init__(2_000_000, lambda index: pytest.fail("an opening was read"))


def test_settings_with_a_large_book_are_compared_without_reading_it():
    settings = GameSettings(
        game="chess", options=dict(STANDARD), clock=TimeControl(), openings=Openings(lines=Unread())
    )
    assert Conditions.of_settings(settings).opened == {True, False}


# In control files

HEAD = 'competition = "playoff"\ngame = "chess"\n'
TABLES = """
[players.a]
command = "./engine"
[[matchups]]
players = ["a", "a"]
"""


@pytest.fixture
def loaded(tmp_path):
    pytest.importorskip("gyoji.protocols.uci")

    def loaded(top):
        path = tmp_path / "event.toml"
        path.write_text(HEAD + top + TABLES)
        (matchup,) = load(path).settings.matchups
        return matchup.openings

    return loaded


@pytest.mark.process
def test_without_a_word_games_begin_with_our_own_openings(loaded):
    assert (loaded("").order, loaded("").games) == ("random", 2)
    assert list(loaded("").lines) == list(books.own_openings(STANDARD))
    assert len(loaded('variant = "dfrc"\n').lines) == 921_600
    assert loaded('openings = { order = "sequential" }\n').order == "sequential"
    assert loaded('openings = "none"\n') is None
    assert loaded('opening = "e4"\n') is None


@pytest.mark.process
def test_files_may_be_compressed(loaded, tmp_path):
    (tmp_path / "a.epd").write_bytes(EPD)
    (tmp_path / "b.epd.gz").write_bytes(gzip.compress(EPD, mtime=0))
    with zipfile.ZipFile(tmp_path / "c.zip", "w") as archive:
        archive.writestr("book/c.epd", EPD)
    for name in ("a.epd", "b.epd.gz", "c.zip"):
        assert list(loaded(f"openings = '{name}'\n").lines) == READ
    (tmp_path / "d.pgn").write_bytes(PGN)
    cut = loaded("openings = { file = 'd.pgn', plies = 2, order = 'random', seed = 3, start = 2 }\n")
    assert (cut.lines[0], cut.seed, cut.start) == ("e2e4 e7e5", 3, 2)


@pytest.mark.process
@pytest.mark.parametrize(
    ("name", "data", "problem"),
    [
        ("a.epd", b"", "there is no opening in it"),
        ("a.epd.gz", b"no gzip", "Not a gzipped file"),
        ("a.epd.gz", gzip.compress(EPD, mtime=0)[:40], "cannot be decompressed"),
        ("a.zip", b"no zip", "cannot be decompressed"),
        ("a.epd", b"e4 e4\n", "opening 1: move 2"),
        ("missing.epd", None, "cannot be read"),
    ],
)
def test_a_book_that_cannot_be_read_is_told(loaded, tmp_path, name, data, problem):
    if data is not None:
        (tmp_path / name).write_bytes(data)
    with pytest.raises(ConfigError, match=problem):
        loaded(f"openings = '{name}'\n")


@pytest.mark.process
def test_a_zip_without_a_file_is_told(loaded, tmp_path):
    zipfile.ZipFile(tmp_path / "a.zip", "w").close()
    with pytest.raises(ConfigError, match="there is no file in it"):
        loaded("openings = 'a.zip'\n")
