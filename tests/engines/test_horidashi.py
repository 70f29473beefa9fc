"""Horidashi: its paths, the plans of its samurai and its dog, and how well it plays."""

import pytest
from dighere_states import drawn, games, state
from hypothesis import given, settings
from hypothesis import strategies as st

from gyoji.engines.horidashi import Drunk, Horidashi, main
from gyoji.engines.horidashi_samurai import FAR, MOST_CELLS, Ways, around, beside
from gyoji.games.dighere.game_options import Options
from gyoji.games.dighere.plans import Cell, is_valid, target
from gyoji.games.dighere.rules import DigHereRules, rules


def ways(text, *, plugs, start="A", near=beside):
    """Return the paths from a sign in a diagram of holes `o` and other agents `x`."""
    signs = {Cell(x, y): sign for y, row in enumerate(text.split()) for x, sign in enumerate(row)}
    cells = {sign: {cell for cell in signs if signs[cell] == sign} for sign in "ox" + start}
    return Ways(min(cells[start]), len(text.split()), near, cells["o"], cells["x"], plugs=plugs)


@pytest.mark.parametrize(
    ("text", "samurai", "dog"),
    [
        ("A.... ..... ..... ..... .....", 8, 4),
        ("A.... ooooo ..... ..... .....", 9, FAR),
        ("A.... oooo. ..... ..... .....", 8, 7),
        ("Ao... oo... ..... ..... .....", 9, FAR),
        ("Ax... xx... ..... ..... .....", FAR, FAR),
        ("A.... .xxx. ..... ..... .....", 8, 5),
        (".Axxx ..xxx ..xxx ..xxx ..xxx", 10, 7),
    ],
)
def test_the_time_to_the_other_corner(text, samurai, dog):
    corner = Cell(4, 4)
    assert ways(text, plugs=True).time(corner) == samurai
    assert ways(text, plugs=False, near=around).time(corner) == dog


def test_a_path_leads_beside_each_other_to_where_it_was_to():
    found = ways("A.... oooo. ..... ..... .....", plugs=False, near=around)
    assert found.path(Cell(3, 2)) == [Cell(1, 0), Cell(2, 0), Cell(3, 0), Cell(4, 1), Cell(3, 2)]
    assert found.path(Cell(0, 0)) == []


def test_a_samurai_digs_from_the_nearest_cell_beside():
    found = ways("A.... ..... ..... ..... .....", plugs=True)
    assert found.stand(Cell(2, 0)) == Cell(1, 0)
    assert [found.dig_time(Cell(x, 0)) for x in range(4)] == [2, 1, 2, 3]


def test_a_huge_field_costs_no_more_than_a_large_one():
    found = Ways(Cell(500, 500), 1000, around, (), (), plugs=False)
    assert MOST_CELLS <= len(found.times) < 2 * MOST_CELLS


def plan(text, seat=0, **more):
    return Horidashi("seed")(state(text, seat, **more))


STAY, UP, DOWN, LEFT, RIGHT, DIG, PLUG = -1, 4, 0, 2, 6, 8, 16


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("A$.... ...... ...... ...... ...... aB...b", DIG + RIGHT),
        ("A..$.. ...... ...... ...... ...... aB...b", RIGHT),
        ("Ao.... ...... ..$... ...... ...... aB...b", DOWN),
        ("Ao.$.. oo.... ...... ...... ...... aB...b", PLUG + RIGHT),
        ("A...$B ...... ...... ...... $..... a....b", DOWN),
        ("Ab.... $..... ...... ...... ...... a....B", DIG + DOWN),
        ("A..a.. ...... ...... ...... ...... B....b", RIGHT),
        ("A.a... ...... ...... ...... ...... B....b", STAY),
    ],
    ids=[
        "digs what is beside it",
        "goes to what is far",
        "goes around a hole",
        "plugs a hole where there is no way around",
        "leaves to the other samurai what that has first",
        "digs what is free",
        "goes to its dog without treasure",
        "stays near its dog",
    ],
)
def test_the_samurai(text, wanted):
    assert plan(text) == wanted


@pytest.mark.parametrize(("amount", "wanted"), [(8, DIG + LEFT), (30, DOWN)])
def test_the_samurai_does_first_what_costs_it_least(amount, wanted):
    text = ".$A... ...$.. ...... ...... ...... aB...b"
    assert plan(text, amounts={(1, 0): 4, (3, 1): amount}) == wanted


def test_the_samurai_lets_its_dog_out_where_holes_shut_it_in():
    text = ".A.... ...... ...ooo ...oao ...ooo ?B...b"
    game = DigHereRules(drawn(text, steps=20))
    thinks = [Horidashi("seed"), lambda state: -1, Horidashi("seed"), lambda state: -1]
    assert any(position.public.agents[2] != (4, 3) for position, _ in games(game, thinks))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("A..... .?.... ..a... ...... ...... B....b", 3),
        ("B..... .?.... ..a... ...... ...... A....b", None),
        ("B..... $..... a..... ...... ...... ..A..b", UP),
        ("A..... $..... a..... ...... ...... ..B..b", None),
        ("A..... ...... ....oo ....oa ....oo B....b", STAY),
    ],
    ids=[
        "barks where its samurai is nearer",
        "is silent where the other one is",
        "sits on what the other samurai is about to dig",
        "leaves to its samurai what that is about to dig",
        "stays where it is shut in",
    ],
)
def test_the_dog(text, wanted):
    found = plan(text, seat=2)
    treasure = {(1, 1), (0, 1)}
    if wanted is None:
        assert state(text, 2).target(found) not in treasure
    else:
        assert found == wanted


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10**9), st.sampled_from([0, 1]))
def test_on_any_field_its_plans_are_valid_and_keep_out_of_each_others_way(seed, team):
    game = rules(Options(steps=60), seed)
    for position, plans in games(game, line_up(seed, team)):
        ours = plans[team::2]
        assert all(is_valid(seat, plan) for seat, plan in ours)
        if ours and min(plan for _, plan in ours) >= 0:
            assert len({target(position.public.agents[seat], plan) for seat, plan in ours}) == len(ours)


def test_it_gathers_much_more_than_a_random_mover_and_few_of_its_plans_come_to_nothing():
    gathered, stopped = [0, 0], []
    for number in range(12):
        game, team = rules(Options(), number // 2), number % 2
        for position, plans in games(game, line_up(number, team)):
            if plans:
                stopped += [note != "" for note in game.notes(position, plans)[team::2]]
        gathered[0] += position.public.scores[team]
        gathered[1] += position.public.scores[1 - team]
    assert gathered[0] > 5 * gathered[1]
    assert sum(stopped) < 0.06 * len(stopped)


def line_up(seed, team):
    """Return a function for each seat: Horidashi in one team, chance in the other."""
    thinks = [Drunk(str(seed)) for _ in range(4)]
    thinks[team], thinks[team + 2] = Horidashi("seed"), Horidashi("seed")
    return thinks


def test_the_same_seed_plays_the_same_game():
    game = rules(Options(steps=40), 3)
    played = [[plans for _, plans in games(game, [Horidashi("s") for _ in range(4)])] for _ in range(2)]
    assert played[0] == played[1]


def test_the_command_line_takes_a_seed_and_nothing_else(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["horidashi", "--depth", "3"])
    assert main() == 2
    assert capsys.readouterr().err == "horidashi: no option '--depth'; there are: --seed N, --random\n"
