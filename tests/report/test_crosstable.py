"""Cross tables: everybody against everybody, by real colour, faults and times."""

from gyoji.core.outcome import Ending, Outcome, lost_by, shared, won_by
from gyoji.core.record import EngineReport, GameResult
from gyoji.report import text
from gyoji.results.cross import Cross
from gyoji.tables.standings_tables import full_cross_table


def table_lines(cross, sides):
    return text.table_lines(full_cross_table(cross, sides))


NAMES = ("black", "white")
OUTCOMES = {
    "+": Outcome(points=won_by(0, 2), ending=Ending("five")),
    "-": Outcome(points=won_by(1, 2), ending=Ending("five")),
    "=": Outcome(points=shared(2), ending=Ending.FULL),
    "?": Outcome(points=None, ending=Ending.MOVE_LIMIT),
    "T": Outcome(points=lost_by(1, 2), ending=Ending.TIME, seat=1),
    "E": Outcome(points=lost_by(1, 2), ending=Ending.FAULT, seat=1),
}


def cross(*games):
    """Return games as (first, second, how), told from the first seat; a fourth member: the sides."""
    made = Cross()
    for first, second, how, *sides in games:
        engines = tuple(EngineReport(think_ns=3 * 10**9) for _ in range(2))
        made.add(
            GameResult(
                id="0",
                pairing="",
                players=(first, second),
                outcome=OUTCOMES[how],
                turns=12,
                engines=engines,
                started="",
                wall_ns=1,
                sides=sides[0] if sides else (),
            )
        )
    return made


CUP = cross(
    ("rapfi", "pela", "+"),
    ("pela", "rapfi", "="),
    ("rapfi", "wine", "T"),
    ("wine", "rapfi", "-"),
    ("wine", "pela", "E"),
)


def test_the_table_of_three_players():
    assert table_lines(CUP, NAMES) == [
        "               1.   2.       3.  points   share  won  level  lost  black  white"
        "  timeouts  errors  s/move  s/game  Berger",
        "1. rapfi        -  2:0  1.5:0.5     3.5  87.50%    3      1     0    2/2  1.5/2"
        "         0       0   0.500     3.0    2.75",
        "2. wine       0:2    -      1:0       1  33.33%    1      0     2    1/2    0/1"
        "         1       0   0.500     3.0    0.50",
        "3. pela   0.5:1.5  0:1        -     0.5  16.67%    0      1     2  0.5/1    0/2"
        "         0       1   0.500     3.0    1.75",
    ]


def test_players_who_have_not_met_have_an_empty_cell_and_unknown_games_a_column():
    header, _, second, _ = table_lines(cross(("a", "b", "?"), ("b", "c", "+")), NAMES)
    assert second.startswith("2. a  0:0    -            0       --    0      0     0        1")
    assert "unknown" in header
    assert "unknown" not in table_lines(CUP, NAMES)[0]


def test_colours_are_those_on_the_board():
    """The first player has changed sides: it won with White."""
    (header, first, _) = table_lines(cross(("a", "b", "+", (1, 0))), NAMES)
    columns = dict(zip(header.split()[2:], first.split()[4:], strict=True))
    assert (columns["black"], columns["white"]) == ("0/0", "1/1")


def test_nobody_makes_no_table():
    assert full_cross_table(Cross(), NAMES).is_empty
