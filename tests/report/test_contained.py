"""How engines were contained, as reports tell it."""

from gyoji.core.record import EngineReport
from gyoji.tables.remarks import by_containment, contained_lines, contained_tables

ENGINES = {
    "b": EngineReport(containment="guarded"),
    "a": EngineReport(containment="guarded"),
    "c": EngineReport(containment="strict; missing: seccomp"),
    "old": EngineReport(),
}


def test_players_are_told_by_how_they_were_contained():
    line = "containment: guarded: a, b; strict; missing: seccomp: c"
    assert contained_lines(ENGINES) == [line]
    assert by_containment(ENGINES) == {"guarded": ["a", "b"], "strict; missing: seccomp": ["c"]}
    (table,) = contained_tables(ENGINES)
    assert list(map(tuple, table.rows())) == [("guarded", "a, b"), ("strict; missing: seccomp", "c")]


def test_nothing_is_told_of_games_of_which_nobody_knows():
    engines = {"old": EngineReport()}
    assert (contained_lines(engines), list(contained_tables(engines))) == ([], [])
