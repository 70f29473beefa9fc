"""The rules of Dig Here: the decision table, what agents may know, the ends, the promises of the port."""

import pytest

from gyoji.core.faults import IllegalMove
from gyoji.core.outcome import Ending
from gyoji.games.dighere.fields import Agent, Field
from gyoji.games.dighere.game_options import Options
from gyoji.games.dighere.plans import Cell, Treasure
from gyoji.games.dighere.rules import DigHereRules, rules
from gyoji.testing.rules_kit import check_rules

FAR = ((0, 0), (6, 6), (0, 6), (6, 0))
LEFT, ABOVE, RIGHT, BELOW = (2, 3), (3, 2), (4, 3), (3, 4)
"""Four places around the cell in the middle, (3, 3); from each, the plan that moves there."""
TO = {LEFT: 6, ABOVE: 0, RIGHT: 2, BELOW: 4}
DIG, PLUG = 8, 16


def field(agents=FAR, *, holes=(), known=((5, 5, 4),), hidden=(), size=7, steps=10):
    return Field(
        size=size,
        steps=steps,
        agents=tuple(Agent(*cell) for cell in agents),
        holes=tuple(Cell(*hole) for hole in holes),
        known=tuple(Treasure(*each) for each in known),
        hidden=tuple(Treasure(*each) for each in hidden),
    )


def after(given, *steps, **options):
    """(rules, position) after these steps of four plans."""
    game = DigHereRules(given, **options)
    position = game.start()
    for plans in steps:
        position = game.play(position, tuple(enumerate(plans)))
    return game, position


def played(given, plans):
    """Return the actions of all agents in one step, and the rules' notes about them."""
    game = DigHereRules(given)
    start, turn = game.start(), tuple(enumerate(plans))
    return game.play(start, turn).public.actions, game.notes(start, turn)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("invalid_plans", ["hidden", "shown"])
def test_the_rules_keep_what_the_port_promises(seed, invalid_plans):
    check_rules(rules(Options(steps=15, invalid_plans=invalid_plans), seed), games=4, seed=seed)


@pytest.mark.parametrize(
    ("seat", "plan", "why"),
    [
        (0, -2, "-2 is no plan of a samurai"),
        (0, 24, "24 is no plan of a samurai"),
        (1, 2147483647, "2147483647 is no plan of a samurai"),
        (0, 3, "3 is no plan of a samurai"),
        (1, 11, "11 is no plan of a samurai"),
        (2, 8, "8 is no plan of a dog"),
        (3, 23, "23 is no plan of a dog"),
        (0, 2, "cannot move to (-1,0): outside the field"),
        (0, 12, "cannot dig (0,-1): outside the field"),
        (1, 22, "cannot plug (7,6): outside the field"),
        (2, 3, "cannot move to (-1,5): outside the field"),
        (3, 2, "cannot move to (5,0): a hole is there"),
        (0, 16, "cannot plug (0,1): no hole is there"),
    ],
)
def test_a_plan_that_comes_to_nothing_by_itself_says_why(seat, plan, why):
    plans = [-1, -1, -1, -1]
    plans[seat] = plan
    actions, notes = played(field(holes=[(5, 0)]), plans)
    assert actions == (-1,) * 4
    assert notes == tuple(why if each == seat else "" for each in range(4))


def test_a_hole_cannot_be_dug_again():
    actions, notes = played(field(holes=[(0, 1)]), (DIG, -1, -1, -1))
    assert (actions[0], notes[0]) == (-1, "cannot dig (0,1): a hole is there")


@pytest.mark.parametrize("plan", [6, DIG + 6, PLUG + 6])
def test_a_cell_where_somebody_was_is_occupied_even_if_they_leave(plan):
    actions, notes = played(field([LEFT, (3, 3), (0, 6), (6, 0)], holes=[(3, 4)]), (plan, 6, -1, -1))
    assert actions == (-1, 6, -1, -1)
    assert notes[0].endswith("(3,3): agent 1 is there")


def test_agents_cannot_change_places_nor_go_round_in_a_ring():
    assert played(field([(1, 1), (2, 1), (0, 6), (6, 0)]), (6, 2, -1, -1))[0] == (-1,) * 4
    ring = field([(1, 1), (2, 2), (2, 1), (1, 2)])
    assert played(ring, (6, 2, 0, 4))[0] == (-1,) * 4


AT_ONCE = {
    "two samurai move": ((0, 0), None, (-1, -1), "cannot move to (3,3): several move there"),
    "samurai and dog move": ((0, None), 0, (-1, -1), "cannot move to (3,3): several move there"),
    "one moves, one digs": ((0, DIG), None, (0, -1), "cannot dig (3,3): an agent moves there"),
    "a dog moves, one digs": ((DIG, None), 0, (-1, 0), "cannot dig (3,3): an agent moves there"),
    "both dig": ((DIG, DIG), None, (DIG, DIG), ""),
}


@pytest.mark.parametrize("name", AT_ONCE)
def test_plans_for_one_cell_are_settled_together(name):
    samurai, dog, actions, why = AT_ONCE[name]
    cells = (LEFT, RIGHT, ABOVE, (6, 0))
    plans = [
        -1 if plan is None else plan + TO[cell] for plan, cell in zip((*samurai, dog), cells, strict=False)
    ]
    got, notes = played(field(cells), (*plans, -1))
    kinds = [
        -1 if action < 0 else action // 8 * 8 for action, plan in zip(got, plans, strict=False) if plan >= 0
    ]
    assert tuple(kinds) == actions
    assert why in notes
    assert {note for note in notes if note} <= {why}


def test_where_several_move_nobody_comes_and_a_samurai_digs():
    cells = (LEFT, (6, 6), ABOVE, RIGHT)
    given = field(cells, known=[(3, 3, 8)], hidden=[(5, 5, 2)])
    _, position = after(given, (DIG + 6, -1, 0, 2))
    assert position.public.actions == (DIG + 6, -1, -1, -1)
    assert position.public.agents == cells
    assert position.public.scores == (8, 0)
    assert position.directions == (6, 0, 0, 2)  # who wanted to move has turned


def test_one_of_three_whose_plan_failed_by_itself_does_not_count_as_a_mover():
    cells = (LEFT, (6, 6), (2, 2), ABOVE)
    given = field(cells, holes=[(2, 1)])
    actions, _ = played(given, (6, -1, 4, 7))  # the dog at (3, 2) goes to (4, 3), the other to a hole
    assert actions == (6, -1, -1, 7)


@pytest.mark.parametrize("kind", ["known", "hidden"])
@pytest.mark.parametrize(("amount", "share"), [(8, 4), (7, 3)])
def test_treasure_that_both_dig_out_is_halved_rounded_down(kind, amount, share):
    given = field((LEFT, RIGHT, (0, 6), (6, 0)), **{"known": (), kind: [(3, 3, amount), (5, 5, 2)]})
    game, position = after(given, (DIG + 6, DIG + 2, -1, -1))
    assert position.public.scores == (share, share)
    assert position.public.buried == 2
    assert position.public.holes == ((3, 3),)
    assert game.acting(position)


def test_an_odd_amount_halved_keeps_the_game_going_to_its_last_step():
    given = field((LEFT, RIGHT, (0, 6), (6, 0)), known=[(3, 3, 7)], steps=3)
    game, position = after(given, (DIG + 6, DIG + 2, -1, -1), (-1,) * 4)
    assert position.public.buried == 0
    assert game.acting(position) == (0, 1, 2, 3)
    assert not game.acting(game.play(position, tuple(enumerate((-1,) * 4))))


def test_a_hole_that_both_plug_is_gone_once_and_nobody_can_have_moved_there():
    cells = (LEFT, RIGHT, ABOVE, (6, 0))
    given = field(cells, holes=[(3, 3), (1, 1)])
    _, position = after(given, (PLUG + 6, PLUG + 2, 0, -1))
    assert position.public.actions == (PLUG + 6, PLUG + 2, -1, -1)
    assert position.public.holes == ((1, 1),)


def test_a_dog_barks_where_it_steps_on_hidden_treasure_and_a_samurai_does_not():
    hidden = [(1, 0, 2), (1, 1, 4), (5, 1, 6)]
    given = field([(0, 0), (6, 6), (0, 2), (6, 0)], hidden=hidden)
    _, position = after(given, (6, -1, 5, -1))
    assert position.public.known == ((5, 5, 4), (1, 1, 4))
    assert position.hidden == ((1, 0, 2), (5, 1, 6))


def test_a_dog_senses_the_treasure_beside_it_in_the_order_of_directions_until_all_know():
    hidden = [(1, 1, 2), (2, 3, 4), (1, 3, 6), (2, 2, 8), (4, 4, 10)]
    given = field([(0, 0), (6, 6), (2, 2), (6, 0)], hidden=hidden)
    game, position = after(given)
    assert game.view(position, 2).sensed == ((2, 3, 4), (1, 3, 6), (1, 1, 2))
    for seat in (0, 1, 3):
        assert game.view(position, seat).sensed == ()
    _, position = after(given, (-1, -1, 3, -1))
    assert game.view(position, 2).sensed == ((2, 2, 8),)
    assert (1, 1, 2) in position.public.known


def test_what_is_dug_out_or_plugged_is_replaced_by_the_last_of_its_list():
    known = [(1, 0, 2), (3, 0, 4), (5, 0, 6), (5, 2, 8)]
    holes = [(5, 6), (3, 3), (4, 4)]
    given = field(known=known, holes=holes)
    _, position = after(given, (DIG + 6, PLUG + 2, -1, -1))
    assert position.public.known == ((5, 2, 8), (3, 0, 4), (5, 0, 6))
    assert position.public.holes == ((1, 0), (3, 3), (4, 4))  # dug first, and then the last of the list
    assert position.public.scores == (2, 0)


@pytest.mark.parametrize(("shows_invalid", "shown"), [(False, (-1, -1, -1, 4)), (True, (3, 24, 9, 4))])
def test_invalid_plans_are_hidden_by_the_rules_and_shown_by_the_official_manager(shows_invalid, shown):
    _, position = after(field(), (3, 24, 9, 4), shows_invalid=shows_invalid)
    assert position.public.plans == shown
    assert position.public.actions == (-1, -1, -1, -1)


def test_a_view_has_nothing_of_what_the_seat_may_not_know():
    one = field(hidden=[(3, 3, 4), (5, 1, 6)])
    other = field(hidden=[(2, 3, 4), (5, 1, 6)])
    for seat in range(4):
        assert DigHereRules(one).view(after(one)[1], seat) == DigHereRules(other).view(after(other)[1], seat)
    nearer = field(hidden=[(3, 3, 4), (5, 0, 6)])
    assert DigHereRules(one).view(after(one)[1], 3) != DigHereRules(nearer).view(after(nearer)[1], 3)


def test_who_is_dropped_stays_for_the_rest_and_is_asked_no_more():
    game, position = after(field(known=[(1, 0, 2), (5, 5, 4)]))
    position = game.drop(game.drop(position, 0), 3)
    assert game.acting(position) == (1, 2)
    with pytest.raises(IllegalMove, match="no plan to make now"):
        game.play(position, ((0, 6), (1, -1), (2, -1)))
    position = game.play(position, ((1, DIG + 2), (2, 4)))
    assert position.public.agents == ((0, 0), (6, 6), (0, 5), (6, 0))
    assert position.public.plans == (-1, DIG + 2, 4, -1)
    assert game.notes(position, ((1, DIG + 2), (2, 9))) == (
        "cannot dig (5,6): a hole is there",
        "9 is no plan of a dog",
    )


def test_the_treasure_decides_also_when_all_are_dropped():
    game, position = after(field([(0, 0), (5, 6), (0, 6), (6, 0)]), (-1, DIG + 4, -1, -1))
    assert not game.acting(position)  # all treasure has been found
    outcome = game.outcome(position)
    assert (outcome.ending, outcome.points, outcome.margin) == (Ending.SCORE, (0.0, 1.0), 4.0)
    assert (outcome.detail, outcome.totals) == ("0 to 4", (0.0, 4.0))
    position = after(field())[1]
    with pytest.raises(ValueError, match="not over"):
        game.outcome(position)
    for seat in range(4):
        position = game.drop(position, seat)
    assert game.outcome(position).is_level


def test_a_field_without_treasure_or_steps_is_over_before_it_begins():
    for given in (field(known=()), field(steps=0)):
        game, position = after(given)
        assert game.acting(position) == ()
        assert game.outcome(position).is_level


@pytest.mark.parametrize("move", ["6", 6.0, True, None])
def test_what_is_no_whole_number_is_no_move(move):
    game, position = after(field())
    with pytest.raises(IllegalMove, match="no whole number") as refused:
        game.check(position, 1, move)
    assert refused.value.seat == 1


@pytest.mark.parametrize("text", ["", "-", "+4", " 4", "4.0", "x", "²", "99999999999"])
def test_what_is_no_number_is_no_text_of_a_plan(text):
    game, _ = after(field())
    with pytest.raises(ValueError, match="no plan"):
        game.parse(text)
    assert game.parse(game.format(-17)) == -17


def test_a_position_is_drawn_row_0_on_top():
    given = field(
        [(0, 0), (5, 0), (0, 2), (5, 5)], size=6, holes=[(1, 1)], known=[(2, 2, 4)], hidden=[(3, 3, 2)]
    )
    game, position = after(given)
    assert game.render(position).splitlines() == [
        "  0 1 2 3 4 5",
        "0 A . . . . B",
        "1 . o . . . .",
        "2 a . $ . . .",
        "3 . . . ? . .",
        "4 . . . . . .",
        "5 . . . . . b",
    ]


def test_what_an_agent_knows_is_drawn_with_amounts_and_scores():
    given = field(
        [(0, 0), (5, 0), (0, 2), (4, 4)],
        size=6,
        holes=[(1, 1)],
        known=[(2, 2, 4)],
        hidden=[(3, 3, 2), (0, 5, 8)],
    )
    game, position = after(given)
    hidden = [game.render(game.view(position, seat)).count("?") for seat in range(4)]
    assert hidden == [0, 0, 0, 1]  # a dog senses what is beside it
    assert game.render(game.view(position, 3)).splitlines()[4:] == [
        "3 . . . ? . .",
        "4 . . . . b .",
        "5 . . . . . .",
        f"step 0 of {game.steps}; team 0 has 0, team 1 has 0, 14 is buried",
        "known: 4 at (2,2)",
        "sensed: 2 at (3,3)",
    ]


def test_why_plans_came_to_nothing_is_the_same_whether_the_turn_has_just_been_played_or_not():
    ours, asked = (rules(Options(), seed=1) for _ in range(2))
    position = ours.start()
    for number in range(ours.steps):
        turn = tuple((seat, (7 * number + 5 * seat) % 26 - 1) for seat in position.acting)
        later = ours.play(position, turn)
        assert ours.notes(position, turn) == asked.notes(position, turn)
        assert ours.reasons(position, (*turn,)) == asked.reasons(position, turn)
        position = later
        if not position.acting:
            break
    assert number > 5
