"""Positions that notebooks show, and DataFrames."""

import builtins
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from gyoji import api
from gyoji.core.game import Scene
from gyoji.core.record import Played
from gyoji.report.html.boards import board_svg
from gyoji.report.html.games import pictures_of

sys.path.append(str(Path(__file__).parents[1] / "cli"))
import refereed_events

CUP = """
competition = "playoff"
game = "gomoku"
board_size = 7
record_games = false
players = { a = { command = "a" }, b = { command = "b" } }
matchups = [{ players = ["a", "b"], number_of_games = 30 }]
"""


@pytest.fixture(scope="module")
def cup(tmp_path_factory):
    path = tmp_path_factory.mktemp("cup") / "cup.toml"
    path.write_text(CUP)
    refereed_events.play(path)
    return path


def test_a_game_says_why_it_ended_and_shows_its_last_position():
    record = api.play("gomoku", [api.first_legal] * 2, names=["<i>one</i>", "two"], board_size=5)
    assert str(record) == "<i>one</i> beat two B+ (five, e1 to a5) after 21 turns"
    assert record._repr_svg_() == record.game._repr_svg_() == record.game.picture().svg
    assert record.game.picture().svg.count('r="4.7"') == 21  # stones


def test_a_game_without_pictures_shows_its_text():
    game = api.play("gomoku", [api.first_legal] * 2, board_size=5).game
    odd = api.Game(replace(game.spec, options={"board_size": 999}), game.record)
    assert odd._repr_svg_() is None
    with pytest.raises(ValueError, match="This game cannot be set up any more"):
        odd.picture()


def test_pictures_are_of_any_turn():
    game = api.play("go", [lambda _: "pass"] * 2, board_size=5, komi=0.5, ruleset="chinese").game
    assert [picture.turn for picture in game.pictures()] == [0, 1, 2]
    assert ElementTree.fromstring(game.picture(1)._repr_svg_()).tag.endswith("svg")
    for turn in (-1, 3):
        with pytest.raises(ValueError, match=f"turn: expected 0 to 2, got {turn}"):
            game.picture(turn)


def test_all_pictures_are_made_of_one_replay(monkeypatch):
    game = api.play("gomoku", [api.first_legal] * 2, board_size=5).game
    apart, replays = [game.picture(turn) for turn in range(22)], []

    def replayed(*of_the_game):
        replays.append(of_the_game)
        return pictures_of(*of_the_game)

    monkeypatch.setattr("gyoji.api.games.pictures_of", replayed)
    assert list(game.pictures()) == apart
    assert len(replays) == 1


def test_pictures_end_where_the_rules_of_today_refuse_a_turn():
    game = api.play("go", [lambda _: "pass"] * 2, board_size=5, komi=0.5, ruleset="chinese").game
    off = Played(1, "T19", 0)
    pictures = api.Game(game.spec, replace(game.record, turns=(game.record.turns[0], (off,)))).pictures()
    assert [next(pictures).turn for _ in range(2)] == [0, 1]
    with pytest.raises(ValueError, match="The rules of today refuse the next turn"):
        next(pictures)


def test_dig_here_has_pieces_coins_and_holes():
    game = api.play("dighere", [lambda _: -1] * 4, seed=3, steps=5).game
    assert "<rect" in game.picture().svg
    assert game.picture().svg.count("<circle") > 8


def test_an_event_that_was_not_played_has_no_rows(tmp_path):
    path = tmp_path / "cup.toml"
    path.write_text(CUP)
    assert len(api.open_event(path).to_pandas()) == 0


def test_a_sign_that_nobody_knows_is_written_out_and_names_are_text():
    scene = Scene(kind="cells", columns=("<", "&"), rows=("1",))
    tree = ElementTree.fromstring(board_svg(scene, {0: "Q<", 1: "T30 U6 H S99 +1 w"}, [1]))
    texts = [each.text for each in tree.iter() if each.tag.endswith("text")]
    assert {"<", "&", "Q<", "30", "6"} <= set(texts)


def test_a_frame_has_a_row_for_each_game_or_move(cup):
    event = api.open_event(cup)
    games, moves = event.to_pandas(), event.to_pandas(moves=True)
    results = list(event.results())
    assert list(games["id"]) == [result.id for result in results]
    assert list(games["winner"].fillna("")) == [
        "" if result.outcome.winner is None else result.opponents[result.outcome.winner] for result in results
    ]
    assert games["points_0"].sum() + games["points_1"].sum() == sum(
        result.outcome.points is not None for result in results
    )
    assert {"player_0", "player_1", "think_s_0", "cpu_s_1", "ending", "seconds"} <= set(games.columns)
    assert dict(moves.groupby("game").size()) == {
        record.result.id: len(record.turns) for _, record in event.games() if record.turns
    }
    assert moves["seconds"].min() >= 0
    assert set(moves["seat"]) == {0, 1}


def test_without_pandas_it_is_said_how_to_get_it(cup, monkeypatch):
    imported = builtins.__import__

    def without(name, *more):
        if name.partition(".")[0] == "pandas":
            raise ImportError(f"No module named {name!r}")
        return imported(name, *more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ImportError, match="needs pandas: pip install 'gyoji"):
        api.open_event(cup).to_pandas()
