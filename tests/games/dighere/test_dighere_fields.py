"""Fields of Dig Here: read from whoever wrote them, checked by the rules, drawn from a seed, turned."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gyoji.core import wire
from gyoji.games.dighere.fields import (
    TOTAL,
    Agent,
    Field,
    contest_flaws,
    draw_field,
    flaws,
    hide_treasure,
    turned_cell,
    turned_direction,
    turned_field,
)
from gyoji.games.dighere.files import format_field, json_field, read_field, read_text
from gyoji.games.dighere.game import GAME
from gyoji.games.dighere.game_options import Options, openings, vary
from gyoji.games.dighere.plans import Cell, Treasure
from gyoji.games.dighere.rules import DigHereRules, rules

FIELD = Field(
    size=8,
    steps=50,
    agents=(Agent(0, 0, 4), Agent(7, 7), Agent(0, 7, 1), Agent(7, 0, 5)),
    holes=(Cell(3, 3), Cell(1, 4)),
    known=(Treasure(2, 2, 10),),
    hidden=(Treasure(5, 5, 20), Treasure(6, 1, 2)),
)
PLAIN = json_field(FIELD)
SEEDS = st.integers(0, 10_000)
SYMMETRIES = st.integers(0, 7)


def changed(**members):
    return {**PLAIN, **members}


# Reading and writing


def test_a_field_is_written_as_the_official_manager_writes_it_and_read_again():
    text = format_field(FIELD)
    assert text.startswith(b'{"field":{"agents":[{"direction":4,"x":0,"y":0},')
    assert text.endswith(
        b'"size":8,"steps":50,"thinkTime":10000},"filetype":"SamurAI Dig Here Game Log","plays":[]}\n'
    )
    assert read_field(read_text(text)) == FIELD


def test_order_of_members_other_members_and_what_follows_do_not_matter():
    text = json.dumps({"plays": [], "params": {"x": 1}, "name": "n", "field": PLAIN}, indent=2)
    assert read_field(read_text("\ufeff".encode() + text.encode() + b"\nand so on")) == FIELD


def test_lists_directions_and_think_time_may_be_left_out():
    agents = [{"x": agent.x, "y": agent.y} for agent in FIELD.agents]
    field = read_field({"size": 6, "steps": 1, "agents": agents})
    assert (field.holes, field.known, field.hidden, field.think_time) == ((), (), (), 10_000)
    assert [agent.direction for agent in field.agents] == [0] * 4


BROKEN = [
    (b"{", "no JSON"),
    (b"\xff", "not UTF-8"),
    (b"[" * 100_000, "nested too deeply"),
    (b"[1]", "the file: expected an object, got '[1]'"),
    (b'{"field": 3}', "field: expected an object"),
    (changed(agents=PLAIN["agents"][:3]), "agents: expected 4, got 3"),
    (changed(agents="four"), "agents: expected a list, got"),
    (changed(holes=[[1, 2]]), "holes.0: expected an object"),
    (changed(holes=[{"x": 1}]), "holes.0.y: expected a whole number, got nothing"),
    (
        changed(known=[{"x": 1, "y": 2, "amount": "much"}]),
        "known.0.amount: expected a whole number, got \"'much'\"",
    ),
    (changed(hidden=[{"x": 1.5, "y": 2, "amount": 2}]), "hidden.0.x: expected a whole number, got '1.5'"),
    (changed(hidden=[{"x": True, "y": 2, "amount": 2}]), "hidden.0.x: expected a whole number, got 'True'"),
    (changed(size=10**9), "size: expected -1000000 to 1000000"),
    (changed(size=0), "size: expected 1 to 1000, got 0"),
    (changed(steps=-1), "steps: expected 0 or more, got -1"),
    (
        {key: value for key, value in PLAIN.items() if key != "size"},
        "size: expected a whole number, got nothing",
    ),
]


@pytest.mark.parametrize(("given_", "message"), BROKEN)
def test_what_is_no_field_is_refused_with_its_place(given_, message):
    with pytest.raises(ValueError, match=re.escape(message)) as refused:
        read_field(read_text(given_) if isinstance(given_, bytes) else given_)
    assert str(refused.value).isprintable()
    if not isinstance(given_, bytes):
        with pytest.raises(ValueError, match=re.escape(f"opening: {message}")):
            Options(opening=given_)


def test_a_number_with_a_point_is_a_whole_number_if_it_is_one():
    assert read_field(json.loads(json.dumps(changed(size=8.0)))) == FIELD


# The rules

FLAWED = [
    ({"size": 5}, "size: expected 6 or more, got 5"),
    ({"holes": (Cell(0, 0),)}, "agent 0 at (0,0): starts in a hole"),
    ({"hidden": (Treasure(0, 7, 2),)}, "agent 2 at (0,7): starts on treasure"),
    ({"known": (Treasure(3, 3, 2),)}, "treasure at (3,3): in a hole"),
    ({"known": (Treasure(2, 2, 3),)}, "treasure at (2,2): expected an even amount from 2, got 3"),
    ({"known": (Treasure(2, 2, 0),)}, "treasure at (2,2): expected an even amount from 2, got 0"),
    ({"hidden": (Treasure(2, 2, 4),)}, "treasures at (2,2): 2 in one cell"),
    ({"holes": (Cell(3, 3), Cell(3, 3))}, "holes at (3,3): 2 in one cell"),
    ({"holes": (Cell(8, 3),)}, "hole at (8,3): outside the field"),
    ({"agents": (Agent(-1, 0), *FIELD.agents[1:])}, "agent at (-1,0): outside the field"),
    ({"agents": (Agent(7, 7), *FIELD.agents[1:])}, "agents at (7,7): 2 in one cell"),
    ({"agents": (Agent(0, 0, 8), *FIELD.agents[1:])}, "agent 0: expected a direction from 0 to 7, got 8"),
]


def altered(**parts):
    return Field(**{name: getattr(FIELD, name) for name in Field.__slots__} | parts)


@pytest.mark.parametrize(("parts", "message"), FLAWED)
def test_what_the_rules_exclude_is_said_and_refused_unless_that_is_not_wanted(parts, message):
    field = altered(**parts)
    assert message in list(flaws(field))
    with pytest.raises(ValueError, match=r"^opening: "):
        Options(opening=json_field(field))
    with pytest.raises(ValueError, match=re.escape(message)):
        openings(format_field(field), "odd.dighere", {"check_field": True})
    assert rules(Options(opening=json_field(field), check_field=False)).field == field
    assert openings(format_field(field), "odd.dighere", {"check_field": False}) == [json_field(field)]


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"size": 13}, "size: expected 6 to 12, got 13"),
        ({"steps": 101}, "steps: expected 100 at most, got 101"),
        ({"think_time": 5}, "thinkTime: expected 10000, got 5"),
        ({"known": (), "hidden": ()}, "no treasure: the game would be over before the first step"),
    ],
)
def test_the_contest_excluded_more_than_the_rules(parts, message):
    field = altered(**parts)
    assert list(contest_flaws(field)) == [message]
    assert list(flaws(field)) == []
    assert list(contest_flaws(FIELD)) == []


# Options


def test_the_field_of_the_options_is_json_ready_whatever_form_it_was_given_in():
    forms = [format_field(FIELD).decode(), json.dumps(PLAIN), PLAIN, {"field": PLAIN, "plays": []}]
    for form in forms:
        options = Options(opening=form)
        assert options.opening == PLAIN
        again = Options(**wire.frozen(json.loads(wire.dumps({"opening": options.opening}))))
        assert again == options
        assert rules(options).field == FIELD


def test_steps_of_the_options_go_before_those_of_the_field():
    assert rules(Options(opening=PLAIN)).steps == 50
    assert rules(Options(opening=PLAIN, steps=7)).steps == 7


def test_without_a_field_one_is_drawn_from_the_seed():
    assert rules(Options(), 3).field == rules(Options(), 3).field == draw_field(3)
    assert rules(Options(), 3).field != rules(Options(), 4).field


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"steps": -1}, "steps: got -1"),
        ({"invalid_plans": "seen"}, "invalid_plans: got 'seen'"),
        ({"opening": "{"}, "opening: no JSON"),
        ({"opening": {}}, "opening: agents: expected 4, got 0"),
        ({"opening": 3}, "opening: the file: expected an object, got '3'"),
    ],
)
def test_other_options_that_make_no_sense_are_refused(settings, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        Options(**settings)


def test_defaults_and_presets_are_settings_as_a_user_would_write_them():
    known = {"protocol", "scorer", "clock", "move_limit", "budgets", "invalid_plans", "asking", "ponder"}
    known |= {"sandbox"}
    for layer in (GAME.defaults, *GAME.presets.values()):
        assert set(layer) <= known
        wire.dumps(layer)


# Openings


def test_a_file_of_lines_has_a_field_in_each():
    data = format_field(FIELD) + b"\n" + format_field(draw_field(1))
    assert openings(data, "Many.JSONL", {}) == [PLAIN, json_field(draw_field(1))]
    with pytest.raises(ValueError, match=r"^line 3: no JSON"):
        openings(data[:-20], "many.jsonl", {})


def test_turning_four_times_and_mirroring_twice_gives_the_field_again():
    field = FIELD
    for _ in range(4):
        field = turned_field(field, 1)
    assert field == FIELD
    assert turned_field(turned_field(FIELD, 4), 4) == FIELD
    assert len({turned_field(FIELD, symmetry).agents for symmetry in range(8)}) == 8
    assert vary(PLAIN, {}, symmetry=3, shift=5) == json_field(turned_field(FIELD, 3))


# Chance


@given(SEEDS)
def test_a_drawn_field_is_one_that_the_contest_might_have_had(seed):
    field = draw_field(seed)
    assert field == draw_field(seed)
    assert [*flaws(field), *contest_flaws(field)] == []
    assert field.treasure == TOTAL
    assert field.known
    assert field.hidden


@given(SEEDS, SEEDS)
def test_hidden_treasure_drawn_anew_is_as_much_elsewhere_and_the_rest_stays(seed, other):
    field = draw_field(seed)
    hidden = hide_treasure(field, other)
    assert list(flaws(hidden)) == []
    assert (len(hidden.hidden), hidden.treasure) == (len(field.hidden), field.treasure)
    assert (hidden.agents, hidden.holes, hidden.known) == (field.agents, field.holes, field.known)
    assert hidden == hide_treasure(field, other)


def test_a_field_that_was_published_without_hidden_treasure_gets_some():
    field = hide_treasure(altered(hidden=()), 5)
    assert len(field.hidden) == 6
    assert field.treasure == TOTAL
    assert hide_treasure(FIELD, 5, count=3, total=6).hidden != FIELD.hidden


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ({"count": 0}, "count: expected 1 to 57, for so many cells are free, got 0"),
        ({"count": 58}, "got 58"),
        ({"count": 3, "total": 4}, "total: expected an even number from 6 for 3 treasures, got 4"),
        ({"total": 41}, "got 41"),
    ],
)
def test_hidden_treasure_that_does_not_fit_is_refused(wanted, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        hide_treasure(FIELD, 1, **wanted)


# Properties of whole games

PLANS = st.lists(st.tuples(*[st.integers(-1, 23)] * 2, *[st.integers(-1, 8)] * 2), max_size=25)


def turned_plan(plan, symmetry):
    return plan if plan < 0 else plan // 8 * 8 + turned_direction(plan % 8, symmetry)


@given(SEEDS, PLANS, SYMMETRIES)
def test_a_turned_game_is_the_game_turned(seed, steps, symmetry):
    field = draw_field(seed, size=6)
    one, other = DigHereRules(field), DigHereRules(turned_field(field, symmetry))
    here, there = one.start(), other.start()
    for plans in steps:
        if not one.acting(here):
            break
        turned = [turned_plan(plan, symmetry) for plan in plans]
        here, there = (
            one.play(here, tuple(enumerate(plans))),
            other.play(there, tuple(enumerate(turned))),
        )
        assert there.public.scores == here.public.scores
        assert there.public.actions == tuple(turned_plan(each, symmetry) for each in here.public.actions)
        for mine, theirs in (
            (here.public.agents, there.public.agents),
            (here.public.holes, there.public.holes),
        ):
            assert theirs == tuple(turned_cell(cell, 6, symmetry) for cell in mine)
        assert [each.amount for each in there.public.known] == [each.amount for each in here.public.known]


@given(SEEDS, PLANS)
def test_no_agents_share_a_cell_nor_stand_in_a_hole_and_no_treasure_is_lost(seed, steps):
    game = DigHereRules(draw_field(seed, size=6))
    position = game.start()
    for plans in steps:
        if not game.acting(position):
            break
        position = game.play(position, tuple(enumerate(plans)))
        public = position.public
        assert len(set(public.agents)) == 4
        assert not set(public.agents) & set(public.holes)
        assert len(set(public.holes)) == len(public.holes)
        buried = sum(each.amount for each in (*public.known, *position.hidden))
        assert public.buried == buried
        assert sum(public.scores) + buried == TOTAL
        for seat in (2, 3):
            x, y = public.agents[seat]
            beside = {each for each in position.hidden if max(abs(each.x - x), abs(each.y - y)) == 1}
            assert set(game.view(position, seat).sensed) == beside
