"""SGF files loaded into an engine, and saved by it."""

import pytest

from gyoji.engines.gtp import GtpError
from gyoji.engines.gtp_sgf import FilingEngine
from gyoji.engines.gtp_states import Result

GAME = "(;GM[1]SZ[5]KM[3.5];B[cc];W[bb];B[];W[cb];B[aa])"


@pytest.fixture
def engine():
    return FilingEngine(lambda game: Result(game.rules.parse("E5"), comment="corner ] and \\ all"), name="F")


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "game.sgf"
    path.write_text(GAME)
    return path


@pytest.mark.parametrize(
    ("number", "moves", "colour"),
    [([], 5, "white"), (["1"], 0, "black"), (["4"], 3, "white"), (["6"], 5, "white"), (["99"], 5, "white")],
)
def test_a_game_is_loaded_up_to_a_move(engine, file, number, moves, colour):
    assert engine.call("loadsgf", str(file), *number) == colour
    game = engine.game(0)
    assert (len(game.moves), game.rules.komi, game.rules.width) == (moves, 3.5, 5)
    for _ in range(moves):
        engine.call("undo")


@pytest.mark.parametrize(
    ("text", "colour", "handicap"),
    [
        ("(;SZ[9]HA[2]AB[cc][gg];W[ee])", "white", 2),
        ("(;SZ[9]AB[cc]AW[gg])", "black", 0),
        ("(;SZ[9]AB[cc]AW[gg]PL[W])", "white", 0),
        ("(;SZ[9:5])", "black", 0),
    ],
)
def test_stones_set_up_first_are_the_start(engine, file, text, colour, handicap):
    file.write_text(text)
    assert engine.call("loadsgf", str(file), "1") == colour
    assert engine.game(0).handicap == handicap
    with pytest.raises(GtpError, match="cannot undo"):
        engine.call("undo")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no game",
        "(;GM[2])",
        "(;SZ[9];B[zz])",
        "(;SZ[26])",
        "(;SZ[9];B[aa];AW[bb])",
        "(;SZ[9];B[aa];W[aa])",
    ],
)
def test_a_file_that_cannot_be_loaded_is_a_failure_and_leaves_a_board(engine, file, text):
    engine.call("boardsize", "7")
    file.write_text(text)
    with pytest.raises(GtpError, match=r"^cannot load file: "):
        engine.call("loadsgf", str(file))
    assert engine.rules.width == 7
    assert engine.call("genmove", "b") == "E5"


def test_a_file_that_is_not_there_is_a_failure(engine, tmp_path):
    with pytest.raises(GtpError, match=r"cannot load file: .*No such file"):
        engine.call("loadsgf", str(tmp_path / "none.sgf"))
    with pytest.raises(GtpError, match="cannot save file: "):
        engine.call("gomill-savesgf", str(tmp_path / "none" / "game.sgf"))


def test_a_saved_game_is_the_game_when_it_is_loaded(engine, tmp_path):
    path = str(tmp_path / "saved.sgf")
    for line in ("boardsize 9", "komi 0.5", "fixed_handicap 3", "play w D4", "genmove b", "play w pass"):
        engine.call(*line.split())
    engine.call("gomill-savesgf", path, r"PB=Mr\_Black", r"GC=a\\b")
    again = FilingEngine(engine.choose)
    assert again.call("loadsgf", path) == "black"
    assert again.position[:3] == engine.position[:3]
    assert [stone[:2] for stone in again.game(0).moves] == [stone[:2] for stone in engine.game(0).moves]
    assert (again.komi, again.game(0).handicap) == (0.5, 3)
    with open(path, encoding="utf-8") as file:
        text = "".join(file.read().split("\n"))
    assert "PB[Mr Black]" in text
    assert r"GC[a\\b]" in text
    assert r"C[corner \] and \\ all]" in text


@pytest.mark.parametrize("word", ["PB", "SZ=9", "B=aa", "=x"])
def test_only_texts_can_be_given_to_a_saved_game(engine, tmp_path, word):
    with pytest.raises(GtpError, match="not a property of text"):
        engine.call("gomill-savesgf", str(tmp_path / "game.sgf"), word)
    assert not (tmp_path / "game.sgf").exists()
