"""What formats show, on the screen, in the report and as JSON: a file in `expected` for each event below."""

from itertools import chain

import pytest
from msgspec.structs import replace
from report_events import OPTIONS, event, json_lines, report, result, screen, values

from gyoji.core.clocks import TimeControl
from gyoji.core.record import EngineReport
from gyoji.core.spec import Adjudication, Threshold
from gyoji.formats.contest import Phase
from gyoji.formats.groups import Group
from gyoji.formats.playoff import Matchup
from gyoji.report.csv import csv_lines
from gyoji.report.markdown import markdown_table
from gyoji.tables.event_tables import history_line, player_lines
from shown import crosses, tables


def with_strays(cup, *strays):
    """Add games that the competition does not have (any more): (pairing, players)."""
    spec = cup.next_game()
    for pairing, codes in strays:
        cup.add(replace(result(spec, "+"), id=f"{pairing}_0", pairing=pairing, players=tuple(codes)))
    return cup


def matchup(name, first, second, **settings):
    settings = {"game": "go", "options": OPTIONS, "alternating": True, **settings}
    return Matchup(id=name, name=f"{first} v {second}", player_1=first, player_2=second, **settings)


MATCHUPS = (
    matchup("ab", "a", "b", number_of_games=4, alternating=False),
    matchup("ac", "a", "c", number_of_games=2, clock=TimeControl.parse("10s + 1s/move")),
    matchup(
        "aa", "a", "a", number_of_games=2, adjudication=Adjudication(win=Threshold(chance=0.95), length=300)
    ),
    matchup("later", "b", "c"),
)


def group(code, players, **settings):
    return Group(
        game="go",
        id=code,
        name=f"group {code}",
        players=tuple(players),
        rounds=2,
        options=OPTIONS,
        **settings,
    )


GROUPS = {"players": "abc", "groups": (group("A", "a"), group("B", "bc", promote=1))}


def phase(code, kind, **settings):
    return Phase(game="go", options=OPTIONS, id=code, name=f"phase {code}", format=kind, **settings)


CONTEST = {"players": "abcdef", "phases": (phase("A", "stages", groups=2, advance=2), phase("B", "knockout"))}
GAUNTLET = {"players": "ABcd", "champions": ("A", "B"), "rounds": 2}
SPRT = {"players": ("new", "old"), "elo0": 0, "elo1": 20}
ROBIN = {"seating": "list", "rounds": 2}


def decided():
    """Return a test that was decided by the eighth game, while further ones were played."""
    cup = event(
        "sprt", "", **{**SPRT, "elo0": -100, "elo1": 100, "observations": "games", "model": "logistic"}
    )
    ahead = [cup.next_game() for _ in range(20)]
    for spec, sign in zip(ahead, "+++++-++++++++++++-+", strict=True):
        cup.add(result(spec, sign))
    return cup


EVENTS = {
    "playoff": lambda: with_strays(
        event("playoff", "+ = T - = + + -", "abc", matchups=MATCHUPS), ("gone", ("a", "x"))
    ),
    "playoff_unplayed": lambda: event("playoff", "", "ab", matchups=MATCHUPS[:1]),
    "allplayall": lambda: event("allplayall", "+ - T = ?", "abc", **ROBIN),
    "allplayall_endless": lambda: event("allplayall", "= + ?", "ab", seating="list"),
    "gauntlet": lambda: with_strays(event("gauntlet", "+ - = +", **GAUNTLET), ("A,x", ("A", "x"))),
    "gauntlet_endless": lambda: event("gauntlet", "+", **{**GAUNTLET, "rounds": None}),
    "groups_begun": lambda: event("groups", "+", **GROUPS),
    "groups": lambda: with_strays(
        event("groups", "+ - +", **GROUPS), ("A,a,c", ("a", "c")), ("Z,a,b", ("a", "b"))
    ),
    "swiss": lambda: with_strays(event("swiss", "+ = + - + =", "abcde", rounds=3), ("9,a,b", ("a", "b"))),
    "knockout": lambda: event("knockout", "= = - + - =", "abc"),
    "knockout_margins": lambda: event("knockout", "+9 -7 -2 +2 -2 =", decided_by="margin"),
    "knockout_drawn": lambda: event("knockout", "= = = =", "ab"),
    "knockout_unplayed": lambda: event("knockout", "", "ab"),
    "ladder": lambda: with_strays(event("ladder", "- + - ="), ("9,a,b", ("a", "b"))),
    "stages": lambda: event("stages", "+9 -7 + -2", decided_by="margin", bye_player="d"),
    "contest": lambda: event("contest", "+ " * 13, **CONTEST),
    "contest_begun": lambda: event("contest", "+", **CONTEST),
    "sprt_unplayed": lambda: event("sprt", "", **SPRT),
    "sprt": lambda: event("sprt", "+ + + - = - + = + ? +", **SPRT),
    "sprt_decided": decided,
    "sprt_exhausted": lambda: event("sprt", "+ -", **SPRT, rounds=2),
}


@pytest.mark.parametrize("name", EVENTS)
def test_an_event_is_shown_as_it_was(name, expected):
    cup = EVENTS[name]()
    headings = [heading or "all games" for heading in crosses(cup)]
    forms = {
        "screen": screen(cup),
        "report": report(cup),
        "brief": list(tables(cup).summary()),
        "cross tables": headings,
        "csv": csv_lines(tables(cup).tables()),
        "markdown": chain.from_iterable(map(markdown_table, tables(cup).tables())),
    }
    text = "".join(f"==== {form}\n" + "".join(f"{line}\n" for line in lines) for form, lines in forms.items())
    expected(f"{name}.txt", text)
    expected(f"{name}.json", "".join(f"{line}\n" for line in json_lines(values(cup))))


def test_the_last_game_says_what_an_engine_is():
    cup = event("playoff", "", "ab", matchups=MATCHUPS[:1])
    first, second = (result(cup.next_game(), "+") for _ in range(2))
    for game, version in ((second, 2), (first, 1)):
        engine = EngineReport(name="A", description=f"A {version}\nby somebody")
        cup.add(replace(game, engines=(engine, EngineReport())))
    assert player_lines(cup.engines) == ["player a: A 2", "by somebody", "player b: b"]


@pytest.mark.parametrize(
    ("name", "line"),
    [("0_1", "    0_1 a beat b B+3.5"), ("matchup_10", "matchup_10 a beat b B+3.5")],
)
def test_history_lines_align_ids(name, line):
    cup = event("playoff", "", "ab", matchups=MATCHUPS[:1])
    assert history_line(replace(result(cup.next_game(), "+", 3.5), id=name)) == line


@pytest.mark.parametrize(("number", "has_grid"), [(50, True), (51, False)])
def test_a_large_field_has_standings_for_a_grid(number, has_grid):
    cup = event("allplayall", "- " * number, [f"p{place:02}" for place in range(number)], **ROBIN)
    shown, lines = screen(cup), report(cup)
    assert any(line.startswith("A  p00     0-1") for line in shown) == has_grid
    assert any(" v " in line for line in lines) == has_grid
    assert (shown[-1] == "… and 1 more") != has_grid
    if not has_grid:
        # the first has lost to all others, and the second to the third
        assert shown[2:5] == [
            "          games  points    share  Berger  won  level  lost",
            " 1. p02       2       2  100.00%    1.00    2      0     0",
            " 2. p03       1       1  100.00%    0.00    1      0     0",
        ]
        assert [line.split()[1] for line in lines if "p50" in line] == ["p50", "p50:"]
