"""The page: it is whole by itself, nothing that anybody wrote is markup, and every game can be replayed."""

import json
import re
from base64 import b64decode, b64encode
from hashlib import sha256
from html.parser import HTMLParser
from importlib.resources import files
from zlib import decompress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs
from msgspec.structs import replace
from report_games import TURNS, Outline, account, game

from gyoji.core.game import Scene
from gyoji.core.messages import Evaluation
from gyoji.core.outcome import Ending, Outcome, won_by
from gyoji.core.plugins import GAMES
from gyoji.core.record import EngineReport, Opinion, Played, TakenBack
from gyoji.core.tables import Chart, Gauge, Line, Map, Mark, Node, Tree
from gyoji.games.go import frames as go_frames
from gyoji.games.go.game_options import Options as GoOptions
from gyoji.games.go.rules import rules as go_rules
from gyoji.report import html
from gyoji.report.html import page as pages
from gyoji.report.html.games import MOST_COMMENT, game_values
from gyoji.report.html.page import ENTRY, SCRIPTS, STYLE, TEMPLATES
from gyoji.report.html.plots import Scale, mapped, thinned
from gyoji.report.html.scripts import bundle, modules
from gyoji.tables.report_tables import tables

ASSETS = {name: files(html).joinpath(name).read_text() for name in (STYLE, *SCRIPTS)}
ASSETS |= {name: files(html).joinpath("templates", name).read_text() for name in TEMPLATES}
SCRIPT = bundle(ENTRY, ASSETS)
EVIL = """</script><script>alert(1)</script><!--"'&amp;<b onclick='x()'>\u2028\x00\x1b[2J"""


def page(games=None, **more):
    return pages.page(account(games, **more), ASSETS)


def outline(games=None, **more):
    return Outline(page(games, **more))


# One file that needs no other


@pytest.mark.parametrize("name", TURNS)
def test_a_page_is_whole_and_loads_nothing(name):
    made = outline([game(number, name=name) for number in range(3)], name=name)
    assert not [
        url for url in re.findall(r"\w+://[^\s\"'`)]+", page()) if url != "http://www.w3.org/2000/svg"
    ]
    assert "@import" not in ASSETS[STYLE]
    assert "url(" not in ASSETS[STYLE]
    assert sorted(made.blocks) == ["game0", "game1", "game2", "script"]


def test_its_policy_allows_its_own_script_and_style_and_nothing_else():
    (policy,) = [each["content"] for tag, each in outline().attributes if "http-equiv" in each]
    style, script = (b64encode(sha256(text.encode()).digest()).decode() for text in (ASSETS[STYLE], SCRIPT))
    assert policy == f"default-src 'none'; style-src 'sha256-{style}'; script-src 'sha256-{script}'"
    assert f"<script>{SCRIPT}</script>" in page()
    assert f"<style>{ASSETS[STYLE]}</style>" in page()


def test_scripts_find_whatever_they_look_for():
    wanted = set(re.findall(r'\$\("([a-z]+)"\)', SCRIPT)) | set(
        re.findall(r'(?<=for \(const id of \[)"(\w+)"', SCRIPT)
    )
    assert len(wanted) > 10
    of_seats = {"warning"}  # shown to persons alone, who play on a server
    assert wanted - {"keys"} - of_seats <= set(outline().ids)  # they make that one themselves


def test_a_page_has_every_module_once_after_those_that_it_imports():
    names = modules(ENTRY, ASSETS)
    assert sorted(names) == sorted(SCRIPTS)
    for name in names:
        imported = re.findall(r'from "\./(\S+)"', ASSETS[name])
        assert {*imported} <= {*names[: names.index(name)]}, name


def test_no_two_modules_of_a_page_have_a_name_in_common():
    names = [
        name
        for text in (ASSETS[each] for each in SCRIPTS)
        for found in re.findall(
            r"^(?:export )?(?:async )?(?:function|class|const|let) (?:(\w+)|\[([^\]]+)\]|\{([^}]+)\})",
            text,
            re.MULTILINE,
        )
        for name in re.findall(r"\w+", " ".join(found))
    ]
    assert sorted({name for name in names if names.count(name) > 1}) == []
    assert len(names) > 100
    left = [line for line in SCRIPT.splitlines() if re.match(r"(import|export)\b", line)]
    assert left == []


def test_scripts_never_make_markup_of_text():
    for word in (
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "fetch(",
        " import(",
    ):
        assert word not in SCRIPT


def test_classes_that_pages_and_scripts_use_have_a_style():
    used = {name for _, each in outline().attributes for name in (each.get("class") or "").split()}
    known = set(re.findall(r"\.([a-zA-Z][\w-]*)", ASSETS[STYLE]))
    assert used - known <= {"large", "axis", "limit"} | known


def test_a_competition_without_games_is_a_page_without_a_viewer():
    made = outline([])
    assert made.texts["h1"] == ["cup"]
    assert made.blocks == {"script": ""}
    assert "viewer" not in made.ids


def test_a_page_is_as_it_was(expected):
    first, winner = Node("2 b", "1 1"), Node("2 b")
    final = Node("2 b", "1.5", (first, Node("3 <c>", "1 1")), has_won=True)
    tree = Tree(
        root=winner._replace(below=(Node("1 a", "0.5"), final)), rounds=("semifinal", "final", "winner")
    )
    gauge = {"lower": -3, "upper": 3, "below": "H0", "above": "H1"}
    charts = [
        Gauge(title="The test", key="LLR", value=3, verdict="new has passed.", **gauge),
        Chart(
            title="The evidence",
            note="what it is",
            y="LLR",
            lines=(Line("one", ((0, 0), (5, 2), (9, 3))), Line("two", ((0, -1), (9, 3)))),
            limits=(("accept", 2.94),),
        ),
        Chart(title="Without points", lines=(Line("one", ()),)),
        Map(
            title="a and b",
            x="a",
            y="b",
            rows=((-30.0, -20.0), (-10.0, 0.0)),
            inside=((False, False), (False, True)),
            across=((0.25, "low"), (0.75, "<b>")),
            up=((0.5, "7"),),
            marks=(Mark("best", 0.75, 0.75),),
            region="as good as the best",
        ),
    ]
    crosses = {"final": account().crosses[""], "group B": account().crosses[""]}
    own = tables(account(crosses=crosses))[:2]
    told = account(own=(*own, tree), crosses=crosses, charts=charts, most=2, text=["a report"])
    made = pages.page(told, {name: text if name.endswith(".html") else "" for name, text in ASSETS.items()})
    expected("cup.html", re.sub(r'"files":\{.*?\}', '"files":{}', made))  # each zlib packs in its own way


def test_lines_of_many_points_are_drawn_as_few():
    chart = Chart(title="The test", lines=(Line("one", tuple((x, x % 7) for x in range(5000))),))
    (path,) = (each["d"] for tag, each in outline(charts=[chart]).attributes if tag == "path")
    assert len(path.split("L")) < 700


# What anybody wrote


def test_nothing_that_anybody_wrote_is_markup():
    outcome = Outcome(points=won_by(0, 2), ending=Ending.ILLEGAL_MOVE, detail=EVIL, seat=1)
    played = [game(0, (EVIL, "b"), outcome, comment=EVIL), game(1, ("b", EVIL), "-")]
    played[0] = played[0][0], structs.replace(played[0][1], final_remarks=((0, EVIL),))
    engines = {EVIL: EngineReport(name=EVIL, description=f"{EVIL}\n{EVIL}")}
    chart = Chart(
        title=EVIL, note=EVIL, lines=(Line(EVIL, ((0, 0), (1, 1))),) * 2, limits=((EVIL, 1),), y=EVIL
    )
    made = outline(
        played, code=EVIL, description=EVIL, place=EVIL, engines=engines, text=[EVIL], charts=[chart]
    )
    assert [tag for tag, _ in made.attributes].count("script") == 3
    assert made.blocks["script"] == SCRIPT
    assert EVIL[:20] in made.texts["h1"][0]
    assert json.loads(made.blocks["game1"])["seats"][0]["name"] == EVIL


TEMPLATE = pages.environment(ASSETS).from_string('<td title="{{ text }}">{{ text }}</td>')


class Text(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.seen, self.attributes = "", []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.attributes += attrs

    def handle_data(self, data):
        self.seen += data


@given(
    st.text(st.characters(exclude_categories=["Cs", "Cc", "Cf", "Zl", "Zp", "Zs", "Co", "Cn"]), max_size=40)
)
def test_text_is_read_back_as_it_was(text):
    read = Text(TEMPLATE.render(text=text))
    assert (read.seen, read.attributes) == (text, [("title", text)])


@given(st.recursive(st.text() | st.integers() | st.none(), st.lists))
def test_values_for_scripts_are_read_back_and_cannot_end_their_element(value):
    try:
        block = pages.game_json(value)
        block.encode()
    except UnicodeEncodeError:
        return  # half of a surrogate pair, which no text of ours has
    assert not re.search(r"[<>&\u2028\u2029]", block)
    assert json.loads(block) == value


# Games


@pytest.mark.parametrize("name", TURNS)
def test_a_game_has_a_frame_more_than_turns_and_all_moves(name):
    spec, record = game(0, name=name)
    values = game_values(spec, record)
    assert len(values["frames"]) == len(record.turns) + 1
    assert [len(turn) for turn in values["turns"]] == [len(turn) for turn in record.turns]
    assert values["missing"] == ""
    assert json.loads(json.dumps(values))["frames"]


def test_what_a_turn_changes_is_place_and_signs_in_turn():
    values = game_values(*game(0, turns=[[(0, "B1", 0)], [(1, "A1", 7)], [(0, "A2", 3)]]))
    assert values["frames"][-1] == [[20, "", 15, "B"], (15,), (1, 0)]
    assert values["turns"][1] == [[1, "A1", 7]]


def test_a_game_is_called_by_who_plays_whom_and_its_round():
    spec, record = game(0, players=("ann", "gnugo"))
    assert game_values(spec, record)["title"] == "ann - gnugo"
    assert game_values(replace(spec, note="round 3"), record)["title"] == "ann - gnugo, round 3"


def test_the_time_of_a_resignation_counts_among_what_a_player_thought():
    values = game_values(*game(0, how="-", turns=[[(0, "C3", 0)], [(1, "B2", 4)]]))
    assert values["thought"] == [3000, 3000]  # as the referee charged it, whatever the moves took


def test_moves_are_told_in_words_where_the_notation_says_nothing():
    values = game_values(*game(0, name="dighere"))
    assert [move[1].split()[0] for move in values["turns"][0]] == ["dig", "stay", "move", "plan"]
    assert [seat["side"] for seat in values["seats"]] == [0, 1, 0, 1]


def test_sides_are_those_that_players_really_had():
    values = game_values(*game(0, name="gomoku", sides=(1, 0)))
    assert [(seat["name"], seat["side"]) for seat in values["seats"]] == [("a", 1), ("b", 0)]


MOVES = [[(0, "A1", 0)], [(1, "B2", 4)], [(0, "C3", 1)]]
AHEAD, BEHIND = Evaluation(win=0.9, depth=7, pv=("A1", "C4")), Evaluation(win=0.3, score=-2.5)


def with_opinions(*opinions, **more):
    spec, record = game(0, turns=MOVES)
    return spec, structs.replace(record, opinions=tuple(Opinion(*each) for each in opinions), **more)


def test_an_opinion_stands_at_its_move_and_the_last_one_counts():
    values = game_values(*with_opinions((0, 0, BEHIND), (0, 0, AHEAD), (1, 1, BEHIND), (3, 1, AHEAD)))
    assert values["turns"][0] == [[0, "A1", 0, "", "", "", "90 % to win, depth 7; expects A1 C4", 2]]
    assert values["turns"][1] == [[1, "B2", 4, "", "", "", "30 % to win, -2.5"]]
    assert values["turns"][2] == [[0, "C3", 1]]


FORCED = Evaluation(score=29997.0, win=1.0)


@pytest.mark.parametrize(
    ("opinions", "curves"),
    [
        ([(0, 0, AHEAD), (1, 1, BEHIND)], [(0, [(1, 0.8)]), (0, [(2, 0.4)])]),
        (
            [(0, 0, Evaluation(score=4.0)), (1, 1, BEHIND._replace(win=None)), (2, 0, Evaluation(score=-1))],
            [(4.0, [(1, 1.0), (3, -0.25)]), (2.5, [(2, 1.0)])],
        ),
        ([(0, 0, Evaluation(score=8.0)), (2, 0, FORCED)], [(8.0, [(1, 1.0), (3, 1.0)]), (0, [])]),
        ([(1, 1, FORCED._replace(win=None))], [(0, []), (29997.0, [(2, -1.0)])]),
        ([(0, 0, Evaluation(score=0.0))], [(1.0, [(1, 0.0)]), (0, [])]),
        ([(0, 0, Evaluation(score=float("inf"), depth=3))], []),
        ([(9, 0, AHEAD)], []),
    ],
)
def test_curves_show_how_well_the_first_side_stands_by_each_side(opinions, curves):
    values = game_values(*with_opinions(*opinions))["curves"]
    assert values == [{"most": most, "points": points} for most, points in curves]


def test_moves_that_were_taken_back_are_told_where_that_was():
    taken = TakenBack(1, 2, ((Played(1, "D4", 5),), (Played(0, "</script>", 5),)))
    values = game_values(*with_opinions(taken_back=(taken,)))
    assert values["taken_back"] == [(2, "b takes back 2 moves: D4 </script>")]


def test_long_words_of_engines_are_cut():
    ((_, _, _, comment),) = game_values(*game(0, turns=[[(0, "A1", 0)]], comment="x" * 5000))["turns"][0]
    assert len(comment) == MOST_COMMENT


def test_a_game_is_shown_as_far_as_the_rules_of_today_go():
    values = game_values(*game(0, turns=[[(0, "A1", 0)], [(1, "A1", 0)], [(0, "B1", 0)]]))
    assert (len(values["frames"]), len(values["turns"])) == (2, 1)
    assert "refuse the next turn: " in values["missing"]


def test_a_game_that_cannot_be_set_up_any_more_is_told_without_a_board():
    spec, record = game(0)
    values = game_values(structs.replace(spec, options={"board_size": 99, "komi": 0}), record)
    assert (values["columns"], values["turns"]) == ((), [])
    assert "cannot be set up any more: " in values["missing"]


def test_a_game_without_pictures_has_its_moves(monkeypatch):
    monkeypatch.setitem(GAMES._loaded, "go", replace(GAMES.find("go"), pictures=None))
    values = game_values(*game(0))
    assert (values["columns"], len(values["frames"]), len(values["turns"])) == ((), 4, 3)
    assert "no pictures of go" in values["missing"]


def test_a_bug_in_pictures_is_no_game_without_pictures(monkeypatch):
    def broken():
        raise ModuleNotFoundError("no nowhere", name="nowhere")

    monkeypatch.setitem(GAMES._loaded, "go", replace(GAMES.find("go"), pictures=broken))
    with pytest.raises(ModuleNotFoundError):
        game_values(*game(0))


def test_the_signs_of_a_scene_are_those_that_scripts_draw():
    known = set(re.findall(r'^  "?([A-Za-z+=\'])"?: \(x, y', ASSETS["shapes.js"], re.MULTILINE))
    assert known == set("BWbw+HTUSDM='")
    kinds = {"points", "cells", "squares", "hexes"}
    assert set(re.findall(r'scene\.kind === "(\w+)"', ASSETS["board.js"])) <= kinds
    assert all(sign[0] in known for sign, _ in go_frames.scene(_rules()).legend)


def _rules():
    return go_rules(GoOptions(board_size=9, komi=0))


def test_every_value_of_a_scene_reaches_the_page():
    assert set(Scene.__struct_fields__) <= set(game_values(*game(0)))


# Tables and plots


def test_the_list_has_a_row_for_each_game_and_numbers_find_its_block():
    made = outline()
    rows = [each for tag, each in made.attributes if tag == "tr" and "data-game" in each]
    assert [each["data-id"] for each in rows] == ["0_5", "0_4", "0_3", "0_2", "0_1", "0_0"]
    for each in rows:
        assert json.loads(made.blocks[f"game{each['data-game']}"])["id"] == each["data-id"]
    assert rows[2]["data-players"].split("\n") == ["b", "c"]
    assert rows[2]["data-ending"] == "time"


def test_the_cells_of_tables_are_those_of_the_other_forms():
    told, made = account(), outline()
    for table in tables(told):
        if table.name not in ("games", "cross", "ratings"):
            for row in table.rows():
                assert list(row) in made.rows
    assert ["0_3", "b", "c", "b", "time", "", "3", "7.0", "2026-11-21 01:03"] in made.rows


def test_there_is_no_part_without_content():
    for text in (page(), page([])):
        assert "<section>\n</section>" not in text
        assert '<section class="large">\n</section>' not in text


def test_each_game_has_its_record_to_keep():
    games = [game(number) for number in range(2)]
    made = outline(games)
    for number, (spec, record) in enumerate(reversed(games)):
        told = json.loads(made.blocks[f"game{number}"])
        form = GAMES.find(spec.game).record_format("sgf")
        ((suffix, packed),) = told["files"].items()
        assert (suffix, decompress(b64decode(packed))) == (".sgf", form.write(spec, record))


def test_a_map_of_one_value_is_one_band():
    drawn = Map(title="", x="", y="", rows=((1.5, 1.5),) * 2, inside=((False, False),) * 2, across=(), up=())
    assert [band.path for band in mapped(drawn).bands] == ["M0 0h2v1h-2zM0 1h2v1h-2z"]


@given(st.lists(st.lists(st.floats(-1e6, 1e6), min_size=3, max_size=3), min_size=1, max_size=4))
def test_every_cell_of_a_map_is_in_one_band_of_few(rows):
    rows = tuple(map(tuple, rows))
    inside = tuple((True,) * 3 for _ in rows)
    made = mapped(Map(title="", x="", y="", rows=rows, inside=inside, across=(), up=()))
    sizes = [int(width) for band in made.bands for width in re.findall(r"h(\d+)v1", band.path)]
    assert sum(sizes) == 3 * len(rows)
    assert all(0 <= band.number <= 9 for band in made.bands)


# Scales, ticks, and lines of many points drawn as few

NUMBERS = st.floats(-1e6, 1e6, allow_nan=False)


@given(NUMBERS, NUMBERS)
def test_ticks_are_round_few_and_in_the_scale(one, two):
    scale = Scale(min(one, two), max(one, two))
    ticks = scale.ticks()
    if scale.high - scale.low < 1e-6:
        return
    assert len(ticks) <= 7
    width = scale.high - scale.low
    assert all(scale.low - width / 1e6 - 1e-9 <= tick <= scale.high + width / 1e6 + 1e-9 for tick in ticks)


def test_a_scale_of_one_number_has_room_around_it():
    assert Scale(5, 5).percent(5) == 50


def test_bars_end_at_the_ends_of_the_scale():
    scale = Scale(-10, 10)
    assert (scale.percent(scale.bounded(-500)), scale.percent(scale.bounded(500))) == (0, 100)


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=300))
def test_thinned_lines_keep_their_ends_extremes_and_order(heights):
    points = list(enumerate(heights))
    kept = thinned(points, most=20)
    assert kept == sorted(set(kept))
    assert {points[0], points[-1]} <= set(kept)
    assert {min(heights), max(heights)} <= {y for _, y in kept}
    assert len(kept) <= max(20, 0) + 2
