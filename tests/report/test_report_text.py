from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from gyoji.core.clocks import TimeControl
from gyoji.core.openings import Openings
from gyoji.core.tables import Style, Table, count, numbers, percent
from gyoji.core.tables import texts as words
from gyoji.formats.playoff import Matchup
from gyoji.report import text as texts
from gyoji.report.text import text_lines
from gyoji.results.tally import PairStats, PlayerStats, SideStats
from gyoji.tables.pair_tables import block as pair_block
from gyoji.tables.pair_tables import pair_table


def side(points, played):
    """Return what gives that many points in that many games: wins, perhaps one level game, losses."""
    wins, levels = int(points), 1 if points % 1 else 0
    return SideStats(wins=wins, levels=levels, losses=played - wins - levels)


def sides(first, second, **more):
    """Return the statistics of a and b from (points, played) on each side."""
    return tuple(
        PlayerStats(player=name, sides=tuple(side(*each) for each in sides), **more.get(name, {}))
        for name, sides in (("a", first), ("b", second))
    )


def block(pair, **settings):
    options = {"board_size": 9, "komi": 7.5, **settings.pop("options", {})}
    matchup = Matchup(
        game="go", options=options, player_1="a", player_2="b", id="0", name="a v b", **settings
    )
    return PairStats(
        id="0",
        name="a v b",
        settings=matchup,
        limit=matchup.number_of_games,
        swaps=matchup.swaps,
        players=pair,
    )


def block_lines(stats):
    return list(text_lines(pair_block(stats)))


def table_lines(stats):
    return texts.table_lines(pair_table(stats))


def text(layout):
    return dedent(layout).strip("\n").splitlines()


def test_two_sides_a_forfeit_and_an_unknown_result():
    def player(name, black, white):
        return PlayerStats(player=name, sides=(black, white), cpu_ns=6_000_000, cpu_games=6)

    pair = (
        player("a", SideStats(wins=1, losses=2), SideStats(wins=1, losses=1, unknown=1)),
        player("b", SideStats(wins=2, unknown=1), SideStats(wins=1, losses=2, errors=1)),
    )
    options = {
        "board_size": 13,
        "komi": 0.5,
        "handicap": 4,
        "handicap_style": "fixed",
        "suicide": True,
        "internal_scorer_handicap_compensation": "short",
    }
    full = block(pair, options=options, number_of_games=6)
    assert block_lines(full) == text(
        """
        a v b (6/6 games)
        unknown results: 1 16.67%
        board size: 13   handicap: 4 (fixed)   komi: 0.5
            wins              black        white      forfeits avg cpu
        a      2 33.33%       1 33.33%     1 33.33%          0    0.00
        b      3 50.00%       2 66.67%     1 33.33%          1    0.00
                              3 50.00%     2 33.33%
        """
    )


def test_one_side_only():
    assert block_lines(block(sides(((2, 3), (0, 0)), ((0, 0), (1, 3))))) == text(
        """
        a v b (3 games)
        board size: 9   komi: 7.5
            wins
        a      2 66.67%   (black)
        b      1 33.33%   (white)
        """
    )


def test_the_first_player_on_the_second_side_only():
    assert table_lines(block(sides(((0, 0), (2, 3)), ((1, 3), (0, 0)))))[1:] == [
        "a      2 66.67%   (white)",
        "b      1 33.33%   (black)",
    ]


def test_a_side_that_one_player_never_had_shows_dashes():
    pair = sides(((1, 2), (1, 1)), ((0, 1), (1, 2)))
    dashes = sides(((1, 1), (0, 0)), ((0, 1), (0, 1)))
    assert table_lines(block(pair))[1] == "a      2 66.67%       1 50.00%     1 100.00%"
    assert table_lines(block(dashes))[1:] == [
        "a      1 100.00%       1 100.00%     0    --",
        "b      0   0.00%       0   0.00%     0 0.00%",
        "                       1 100.00%     0 0.00%",
    ]


def test_level_games_give_half_a_win_to_the_side_that_was_played():
    pair = sides(((1.5, 2), (0.5, 2)), ((1.5, 2), (0.5, 2)))
    lines = table_lines(block(pair))
    assert lines == text(
        """
            wins              black          white
        a      2 50.00%       1.5 75.00%     0.5 25.00%
        b      2 50.00%       1.5 75.00%     0.5 25.00%
                              3   75.00%     1   25.00%
        """
    )


def test_an_unknown_cpu_time_beside_a_known_one_is_dashes():
    pair = sides(((1, 1), (0, 0)), ((0, 0), (0, 1)), a={"cpu_ns": 1_125_000_000, "cpu_games": 1})
    assert table_lines(block(pair)) == text(
        """
            wins                   avg cpu
        a      1 100.00%   (black)    1.12
        b      0   0.00%   (white)    ----
        """
    )


@pytest.mark.parametrize("games", [0, 1])
def test_no_cpu_column_when_no_time_is_known_or_all_are_nothing(games):
    cpu = {"cpu_ns": 0, "cpu_games": games}
    pair = sides(((1, 1), (0, 0)), ((0, 0), (0, 1)), a=cpu, b=cpu)
    assert "avg cpu" not in table_lines(block(pair))[0]


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        ({}, "board size: 9   komi: 7.5"),
        ({"options": {"komi": 6.0}}, "board size: 9   komi: 6.0"),
        ({"options": {"board_size": [9, 13]}}, "board size: 9x13   komi: 7.5"),
        (
            {"options": {"handicap": 3, "handicap_style": "free"}},
            "board size: 9   handicap: 3 (free)   komi: 7.5",
        ),
        ({"options": {"handicap": None, "handicap_style": "free"}}, "board size: 9   komi: 7.5"),
        ({"options": {"ruleset": "", "suicide": True}}, "board size: 9   komi: 7.5"),
        ({"options": {"suicide": False}}, "board size: 9   komi: 7.5   suicide: no"),
        ({"options": {"ruleset": "chinese"}}, "board size: 9   komi: 7.5   ruleset: chinese"),
        (
            {"clock": TimeControl.parse("10s + 1s/move")},
            "board size: 9   komi: 7.5   clock: 10s + 1s/move",
        ),
        ({"move_limit": 3, "scorer": "internal"}, "board size: 9   komi: 7.5"),
        ({"openings": Openings(lines=("a", "b"))}, "board size: 9   komi: 7.5   openings: 2"),
    ],
)
def test_the_settings_line_shows_what_is_not_usual(settings, line):
    assert block_lines(block(sides(((1, 1), (0, 0)), ((0, 0), (0, 1))), **settings))[1] == line


def test_a_ghost_has_no_settings_and_no_limit():
    stats = block(sides(((1, 1), (0, 0)), ((0, 0), (0, 1))))
    ghost = replace(stats, settings=None, limit=None)
    assert block_lines(ghost)[:2] == ["a v b (1 games)", "?? (missing from control file)"]


@pytest.mark.parametrize(
    ("games", "heading"), [(None, "(1 games)"), (0, "(1/0 games)"), (12, "(1/12 games)")]
)
def test_the_heading_counts_games_against_the_limit(games, heading):
    pair = sides(((1, 1), (0, 0)), ((0, 0), (0, 1)))
    assert block_lines(block(pair, number_of_games=games))[0] == f"a v b {heading}"


def in_gomill_style(*columns):
    return texts.table_lines(Table(columns=columns, style=Style.GOMILL))


def test_a_heading_that_spans_widens_its_first_column():
    columns = (
        words("spanning", ["1", "2"], span=2, gap=1),
        words("", ["a", "b"], span=0, gap=1),
        words("c", ["x", "y"]),
    )
    assert in_gomill_style(*columns) == ["spanning c", "1      a x", "2      b y"]


def test_a_heading_with_room_changes_nothing():
    columns = (numbers("four", ["1234", "5"], gap=4, span=2), words("", ["abc", "d"], span=0))
    assert in_gomill_style(*columns) == ["four", "1234    abc", "   5    d"]


def test_numbers_end_where_their_heading_ends():
    table = Table(columns=(numbers("won", [1, 12345]), numbers("level", [1, 2])))
    assert texts.table_lines(table) == ["  won  level", "    1      1", "12345      2"]


def test_blank_rows_and_trailing_blanks_vanish():
    assert in_gomill_style(words("", ["a", "", "c"], gap=5), words("", ["", "", "x"])) == ["a", "c     x"]
    assert in_gomill_style() == []


def test_text_that_is_not_ascii_keeps_its_width():
    assert in_gomill_style(words("", ["ä", "bb"]), words("", ["1", "2"])) == ["ä   1", "bb  2"]


@given(st.lists(st.tuples(st.text("ab", max_size=8), st.text("ab ", max_size=8)), min_size=1, max_size=5))
def test_every_cell_stands_in_its_column(rows):
    columns = (words("", [f"[{cells[number]}]" for cells in rows]) for number in range(2))
    starts = {line.index("[", 1) for line in in_gomill_style(*columns)}
    assert len(starts) == 1


@pytest.mark.parametrize(
    ("number", "shown"), [(0, "0"), (2.0, "2"), (2.5, "2.5"), (1234567.5, "1234567.5"), (20000, "20000")]
)
def test_counts(number, shown):
    assert count(number) == shown


@pytest.mark.parametrize(
    ("part", "whole", "shown"),
    [(0, 0, "--"), (1, 0, "??"), (1, 3, "33.33%"), (3, 3, "100.00%"), (0.5, 4, "12.50%"), (0, 5, "0.00%")],
)
def test_percentages(part, whole, shown):
    assert percent(part, whole) == shown
