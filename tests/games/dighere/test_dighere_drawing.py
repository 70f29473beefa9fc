"""Fields of Dig Here drawn by hand, one change after the other."""

import json

import pytest

from gyoji.core.drawing import Change
from gyoji.games.dighere import drawing
from gyoji.games.dighere.fields import Agent, Field
from gyoji.games.dighere.files import json_field, read_field
from gyoji.games.dighere.game_options import Options
from gyoji.games.dighere.plans import Cell, Treasure
from gyoji.testing.drawing_kit import check_drawing

FIELD = Field(
    size=6,
    steps=50,
    agents=(Agent(0, 0, 2), Agent(5, 5, 6), Agent(1, 1, 7), Agent(4, 4, 3)),
    holes=(Cell(2, 0),),
    known=(Treasure(3, 1, 10),),
    hidden=(Treasure(0, 3, 20),),
)
SYMMETRIES = [symmetry.name for symmetry in drawing.symmetries]


def after(*changes, field=FIELD):
    """Return the field after these changes: (do, x, y), with what else they say."""
    plain = json_field(field)
    for (do, *cell), more in changes:
        place = {"place": cell[1] * read_field(plain).size + cell[0]} if cell else {}
        plain = drawing.change(plain, Change(do=do, **place, **more))
    return read_field(plain)


def refusal(*changes, field=FIELD):
    with pytest.raises(ValueError) as refused:  # noqa: PT011 - the text is what is tested
        after(*changes, field=field)
    return str(refused.value)


def shown(field):
    return drawing.shown(json_field(field))


def test_it_keeps_what_the_port_promises():
    check_drawing(drawing)


# (what is done, what of the field is then)
PUT = [
    (("hole", 4, 0), {}, lambda field: field.holes == (Cell(2, 0), Cell(4, 0))),
    (("hole", 2, 0), {}, lambda field: field.holes == ()),
    (("hole", 2, 0), {"stays": True}, lambda field: field.holes == (Cell(2, 0),)),
    (("hole", 3, 1), {}, lambda field: (field.holes[-1], field.known) == (Cell(3, 1), ())),
    (("known", 4, 0), {"amount": 6}, lambda field: field.known[-1] == Treasure(4, 0, 6)),
    (("known", 3, 1), {"amount": 10}, lambda field: field.known == ()),
    (("known", 3, 1), {"amount": 12}, lambda field: field.known == (Treasure(3, 1, 12),)),
    (("hidden", 3, 1), {"amount": 10}, lambda field: (field.known, len(field.hidden)) == ((), 2)),
    (("bare", 0, 3), {}, lambda field: field.hidden == ()),
    (("agent0", 3, 3), {}, lambda field: field.agents[0] == Agent(3, 3, 2)),
    (("agent0", 0, 0), {}, lambda field: field.agents[0] == Agent(0, 0, 4)),
    (("agent2", 1, 1), {}, lambda field: field.agents[2] == Agent(1, 1, 0)),
    (("agent2", 1, 1), {"stays": True}, lambda field: field.agents == FIELD.agents),
    (("agent0", 1, 1), {}, lambda field: field.starts[0] == (1, 1) and field.starts[2] == (0, 0)),
    (("agent0", 2, 0), {}, lambda field: (field.starts[0], field.holes) == ((2, 0), ())),
]


@pytest.mark.parametrize(("what", "more", "holds"), PUT)
def test_a_tool_puts_something_takes_it_back_or_moves_an_agent(what, more, holds):
    assert holds(after((what, more)))


@pytest.mark.parametrize("symmetry", SYMMETRIES)
@pytest.mark.parametrize("tool", ["hole", "known", "hidden", "bare", "agent0", "agent3"])
def test_what_is_drawn_in_a_symmetry_gives_both_teams_the_same(symmetry, tool):
    more = {"symmetry": symmetry, "amount": 4}
    field = after((("complete",), more), ((tool, 1, 2), more), field=FIELD_OFF_AXES)
    assert any("both teams have the same" in each for each in shown(field).remarks)


FIELD_OFF_AXES = Field(
    size=7, steps=50, agents=(Agent(1, 0), Agent(6, 6), Agent(2, 0), Agent(5, 6)), holes=(Cell(4, 1),)
)


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_the_first_half_makes_the_other(symmetry):
    field = after((("complete",), {"symmetry": symmetry}), field=FIELD_OFF_AXES)
    assert field.agents[0] == FIELD_OFF_AXES.agents[0]
    assert any("both teams have the same" in each for each in shown(field).remarks)


REFUSED = [
    ((("hole", 0, 0), {}), "agent 0 starts at (0,0): put it elsewhere first"),
    ((("hole", 5, 5), {"symmetry": "half turn"}), "agent 1 starts at (5,5): put it elsewhere first"),
    ((("known", 4, 0), {}), "amount: expected 1 to 10000, got 0"),
    ((("agent0", 3, 3), {"symmetry": "falling"}), "agent 0 at (3,3): its opposite would stand there too"),
    ((("size",), {"amount": 5}), "cells on a side: expected 6 to 40, got 5"),
    ((("complete",), {}), "symmetry: got '', expected one of half turn, "),
    ((("complete",), {"symmetry": "falling"}), "an agent of team 0 stands where its opposite would"),
]


@pytest.mark.parametrize(("change", "why"), REFUSED)
def test_what_cannot_be_drawn_is_refused_with_the_reason(change, why):
    assert refusal(change).startswith(why)


def test_a_smaller_field_loses_what_was_outside_and_no_agent():
    large = after((("size",), {"amount": 12}), (("hole", 11, 11), {}), (("agent1", 11, 0), {}))
    small = after((("size",), {"amount": 6}), field=large)
    assert (small.size, small.holes) == (6, FIELD.holes)
    assert len(set(filter(small.has, small.starts))) == 4


def test_chance_comes_from_the_change_alone():
    first, again, other = (after((("draw",), {"seed": seed})) for seed in (1, 1, 2))
    assert (first, first != other) == (again, True)
    assert (first.size, first.steps) == (FIELD.size, FIELD.steps)
    hidden = after((("hide",), {"seed": 1}))
    assert sum(each.amount for each in hidden.hidden) == 20


@pytest.mark.parametrize("command", ["turn", "mirror"])
def test_a_field_turned_often_enough_is_as_it_was(command):
    times = 4 if command == "turn" else 2
    assert after(*[((command,), {})] * times) == FIELD


def test_flaws_and_remarks_come_as_one_draws():
    odd = after((("known", 4, 0), {"amount": 7}), (("think_time",), {"amount": 5}))
    drawn = shown(odd)
    assert drawn.flaws == ["treasure at (4,0): expected an even amount from 2, got 7"]
    assert "thinkTime: expected 10000, got 5" in drawn.remarks
    assert "the teams have different places: play it twice, with sides changed" in drawn.remarks
    shut = after(*[(("hole", x, y), {"stays": True}) for x, y in ((1, 0), (0, 1))])
    assert "agent 0 at (0,0): it cannot move at first" in shown(shut).remarks


def test_a_drawn_field_is_shown_in_signs_and_in_words():
    drawn = shown(FIELD)
    signs = dict(drawn.frame.changes)
    assert (signs[0], signs[2], signs[9], signs[18]) == ("S02", "H", "T10", "U20")
    assert (drawn.places[0], drawn.places[18]) == ("samurai 0", "hidden treasure of 20")
    assert drawn.singles == {"agent0": 0, "agent1": 35, "agent2": 7, "agent3": 28}
    assert drawn.text.splitlines()[1] == "0 A . o . . ."


def test_files_are_the_contests_own_and_what_is_drawn_can_be_played():
    data = drawing.write(json_field(FIELD))
    assert json.loads(data)["filetype"] == "SamurAI Dig Here Game Log"
    assert Options(opening=data.decode()).field(0) == FIELD
    with pytest.raises(ValueError, match="expected 40 or fewer cells on a side"):
        drawing.read(json.dumps({**json_field(FIELD), "size": 41}).encode())
