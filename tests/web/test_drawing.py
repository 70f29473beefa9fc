"""Openings drawn by whoever asks, saved by the organiser alone."""

import pytest
from served import paced, serving

from gyoji.core.plugins import GAMES
from gyoji.web.drawing import MOST_CHANGES, changed

DRAWING = GAMES.find("dighere").drawing()
BLANK = DRAWING.blank()


def test_changes_are_made_in_their_order_up_to_one_that_is_refused():
    changes = [
        {"do": "hole", "place": 20},
        {"do": "known", "place": 21, "amount": 4},
        {"do": "hole", "place": 0},
        {"do": "hole", "place": 22},
    ]
    made = changed(DRAWING, {"opening": BLANK, "changes": changes})
    assert made["refused"] == "agent 0 starts at (0,0): put it elsewhere first"
    assert (made["places"][20:23], made["flaws"]) == (["hole", "treasure of 4", ""], [])
    again = changed(DRAWING, {"file": made["file"]})
    assert {**again, "refused": ""} == {**made, "refused": ""}


WRONG = [
    ({}, "opening: expected an object"),
    ({"opening": []}, "opening: expected an object"),
    ({"file": "no JSON"}, "no JSON"),
    ({"opening": {"size": 8}}, "agents: expected 4, got 0"),
    ({"opening": BLANK, "changes": 3}, "changes: expected a list of at most 200"),
    ({"opening": BLANK, "changes": [{}] * (MOST_CHANGES + 1)}, "changes: expected a list of at most 200"),
    ({"opening": BLANK, "changes": [{"do": "hole", "place": "x"}]}, "Expected `int`, got `str`"),
    ({"opening": BLANK, "changes": [{"do": "hole", "colour": 1}]}, "unknown field `colour`"),
]


@pytest.mark.parametrize(("told", "why"), WRONG)
def test_what_is_no_opening_and_no_change_is_refused(told, why):
    with pytest.raises(ValueError, match=why):
        changed(DRAWING, told)


@pytest.mark.process
def test_anybody_draws_and_the_organiser_alone_saves(tmp_path):
    path, moves = paced(tmp_path)
    moves.close()
    with serving(path) as site:
        token = site.run_control()
        base = "/api/v1/drawing/dighere"
        assert site.ask("/draw/dighere")[0] == 200
        assert (site.ask("/draw/go")[0], site.ask("/draw/nothing")[0]) == (404, 404)
        blank = site.json(base)
        assert blank["suffix"] == ".dighere"
        status, text = site.post(base, {"opening": {"size": "x"}})
        assert (status, text) == (400, "agents: expected 4, got 0")
        told = {"opening": blank["opening"]}

        def put(name, **headers):
            return site.post(f"{base}/files/{name}", told, method="PUT", **headers)

        assert put("mine.dighere")[0] == 403
        for name in ("..%2Fmine.dighere", ".dighere", "mine.txt", "%00.dighere", "a" * 100 + ".dighere"):
            assert put(name, **token)[0] in (400, 404), name
        assert put("mine.dighere", **token) == (200, f'{{"saved":"{tmp_path / "mine.dighere"}"}}')
        assert (tmp_path / "mine.dighere").read_text() == blank["file"]
        assert put("mine.dighere", **token) == (409, "mine.dighere is there already")
        told["replace"] = True
        assert put("mine.dighere", **token)[0] == 200
        assert site.ask(f"{base}/files")[0] == 403
        assert '"files":["mine.dighere"]' in site.ask(f"{base}/files", **token)[2]
        assert site.ask(f"{base}/files/mine.dighere", **token)[0] == 200
        assert site.ask(f"{base}/files/other.dighere", **token)[0] == 404
        assert sorted(each.name for each in tmp_path.glob("*.dighere*")) == ["mine.dighere"]
