"""What notebooks show, and what pandas and matplotlib get."""

import builtins
import sys
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import matplotlib
import pytest
from msgspec.structs import replace

from gyoji import api
from gyoji.core.game import Scene
from gyoji.core.record import Played
from gyoji.core.tables import Chart, Line
from gyoji.report.html.drawn import board_svg, chart_svg
from gyoji.report.html.games import pictures_of

sys.path.append(str(Path(__file__).parents[1] / "cli"))
import refereed_events

matplotlib.use("Agg")
CUP = """
competition = "playoff"
game = "gomoku"
description = "<b>bold</b> & co"
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


class Tags(HTMLParser):
    """The tags that are open, all that there were, and all text."""

    def __init__(self, text):
        super().__init__()
        self.open, self.seen, self.text = [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.seen.append(tag)
        self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.seen.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def shown(value):
    """The tags and the text of what a notebook shows."""
    tags = Tags(value._repr_html_())
    assert tags.open == []
    return tags.seen, "|".join(tags.text)


def test_a_game_shows_its_last_position_and_why_it_ended():
    record = api.play("gomoku", [api.first_legal] * 2, names=["<i>one</i>", "two"], board_size=5)
    tags, text = shown(record)
    assert "<i>one</i> beat two B+ (five, e1 to a5) after 21 turns" in text
    assert tags.count("svg") == 1
    assert record.game.picture().svg.count('r="4.7"') == 21  # stones
    assert "i" not in tags
    assert shown(record.game) == (tags, text)


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

    monkeypatch.setattr("gyoji.api.showing.pictures_of", replayed)
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
    assert "black" not in shown(game)[1]


def test_an_event_shows_its_tables_and_how_it_went(cup):
    event = api.open_event(cup)
    tags, text = shown(event)
    assert "<b>bold</b> & co" in text
    assert "b" not in tags
    assert tags.count("table") == 1
    assert tags.count("svg") == 1
    assert "Points by game" in text
    assert shown(event.results())[1].startswith("30 games, the newest 20|")
    assert len(list(event.results())) == 30


def test_an_event_that_was_not_played_has_no_chart(tmp_path):
    path = tmp_path / "cup.toml"
    path.write_text(CUP)
    event = api.open_event(path)
    tags, _ = shown(event)
    assert "svg" not in tags
    assert shown(event.results())[1].startswith("0 games")
    assert len(event.to_pandas()) == 0


def test_a_sign_that_nobody_knows_is_written_out_and_names_are_text():
    scene = Scene(kind="cells", columns=("<", "&"), rows=("1",))
    tree = ElementTree.fromstring(board_svg(scene, {0: "Q<", 1: "T30 U6 H S99 +1 w"}, [1]))
    texts = [each.text for each in tree.iter() if each.tag.endswith("text")]
    assert {"<", "&", "Q<", "30", "6"} <= set(texts)


def test_a_chart_has_its_limits_and_the_names_of_its_lines():
    chart = Chart(title="<t>", lines=(Line("a&b", ((0, 1), (1, 3))),), limits=(("H1", 4.0),))
    tags = Tags(chart_svg(chart))
    assert "<t>" in tags.text
    assert {"a&b", "H1", "games"} <= set(tags.text)
    assert chart_svg(Chart(title="", lines=(Line("a", ()),))) == ""


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


def test_plots_have_a_line_for_each_player(cup):
    event = api.open_event(cup)
    axes = event.plot()
    assert sorted(text.get_text() for text in axes.get_legend().get_texts()) == ["a", "b"]
    again = event.plot(axes)
    assert again is axes


def test_opinions_are_plotted_from_the_view_of_side_0():
    def sure(question):
        return api.Answer(api.first_legal(question), evaluation=api.Evaluation(win=0.75))

    game = api.play("gomoku", [sure, sure], board_size=5).game
    first, second, _ = game.plot().lines
    assert set(first.get_ydata()) == {0.5}
    assert set(second.get_ydata()) == {-0.5}
    silent = api.play("gomoku", [api.first_legal] * 2, board_size=5).game.plot()
    assert silent.get_title() == "Nobody had an opinion in game game"


@pytest.mark.parametrize(("missing", "call"), [("pandas", "to_pandas"), ("matplotlib", "plot")])
def test_without_the_library_it_is_said_how_to_get_it(cup, monkeypatch, missing, call):
    usual = builtins.__import__

    def without(name, *more):
        if name.partition(".")[0] == missing:
            raise ImportError(f"No module named {name!r}")
        return usual(name, *more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ImportError, match=f"needs {missing}: pip install 'gyoji"):
        getattr(api.open_event(cup), call)()
