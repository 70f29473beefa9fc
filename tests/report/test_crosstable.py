"""Cross tables: everybody against everybody, by real colour, faults and times; as text and as a page."""

from html.parser import HTMLParser

import pytest

from gyoji.core.outcome import Ending, Outcome, lost_by, shared, won_by
from gyoji.core.record import EngineReport, GameResult
from gyoji.core.setup import CompetitionSetup
from gyoji.pairing.cross import Cross
from gyoji.report.crosstable import table_lines
from gyoji.report.page import page_lines

NAMES = ("black", "white")
OUTCOMES = {
    "+": Outcome(points=won_by(0, 2), ending=Ending.FIVE),
    "-": Outcome(points=won_by(1, 2), ending=Ending.FIVE),
    "=": Outcome(points=shared(2), ending=Ending.FULL),
    "?": Outcome(points=None, ending=Ending.MOVE_LIMIT),
    "T": Outcome(points=lost_by(1, 2), ending=Ending.TIME, seat=1),
    "E": Outcome(points=lost_by(1, 2), ending=Ending.FAULT, seat=1),
}


def cross(*games):
    """Games as (first, second, how), told from the first seat; a fourth member: the sides."""
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
    assert table_lines(Cross(), NAMES) == []


class Outline(HTMLParser):
    """Checks that tags are closed in order, and collects the texts of each table's rows."""

    def __init__(self):
        super().__init__()
        self.open, self.rows, self.headings, self.outside = [], [], [], []

    def handle_starttag(self, tag, attrs):
        assert not [name for name, _ in attrs if name in ("src", "href")], "the page needs another file"
        if tag not in ("meta", "br"):
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] in ("td", "th"):
            self.rows[-1][-1] += data
        elif self.open and self.open[-1] == "h2":
            self.headings.append(data)
        elif data.strip():
            self.outside.append(data)


def outline(crosses, engines=None, **about):
    setup = CompetitionSetup(code="cup", kind="playoff", players={}, settings=None, **about)
    parser = Outline()
    parser.feed("\n".join(page_lines(setup, crosses, engines or {})))
    parser.close()
    assert parser.open == []
    return parser


def test_a_page_has_the_table_with_the_colours_below_each_score():
    page = outline({"": CUP})
    header, first, *_ = page.rows
    assert header[:5] == ["", "player", "1.", "2.", "3."]
    assert first[:6] == ["1.", "rapfi", "-", "2:0", "1.5:0.5", "3.5"]
    assert {"B 1:0 W 0.5:0.5", "B 1:0 W 1:0"} <= set(page.outside)
    assert page.headings == []


@pytest.mark.parametrize(("how", "kind"), [("+", "win"), ("-", "loss"), ("=", "level")])
def test_a_cell_shows_who_is_ahead(how, kind):
    setup = CompetitionSetup(code="cup", kind="playoff", players={}, settings=None)
    page = "\n".join(page_lines(setup, {"": cross(("a", "b", how))}, {}))
    told = {
        "win": "won 1, level 0, lost 0",
        "loss": "won 0, level 0, lost 1",
        "level": "won 0, level 1, lost 0",
    }
    assert f'<td class="{kind}" title="a against b: {told[kind]}">' in page


def test_a_page_has_a_heading_for_each_table_that_has_one():
    assert outline({"final": CUP, "group B": CUP}).headings == ["final", "group B"]


def test_nothing_that_anybody_wrote_is_html():
    engines = {"a": EngineReport(name="x", description="<script>alert(1)</script>\x1b[2J")}
    page = outline({"<b>": CUP}, engines, description="1 < 2 & 3\nsecond line", place='"here"')
    assert page.headings == ["<b>"]
    assert "1 < 2 & 3" in page.outside
    assert "player a: <script>alert(1)</script>\\x1b[2J" in page.outside
