"""How engines were contained, as reports tell it."""

from gyoji.core.record import EngineReport
from gyoji.tables.contained import contained_lines, contained_part, contained_tables, contained_values

ENGINES = {
    "b": EngineReport(containment="guarded"),
    "a": EngineReport(containment="guarded"),
    "c": EngineReport(containment="strict; missing: seccomp"),
    "old": EngineReport(),
}


def test_players_are_told_by_how_they_were_contained():
    line = "containment: guarded: a, b; strict; missing: seccomp: c"
    assert contained_lines(ENGINES) == [line]
    assert contained_part(ENGINES) == ["", line]
    expected = {"containment": {"guarded": ["a", "b"], "strict; missing: seccomp": ["c"]}}
    assert contained_values(ENGINES) == expected
    (table,) = contained_tables(ENGINES)
    assert list(map(tuple, table.rows())) == [("guarded", "a, b"), ("strict; missing: seccomp", "c")]


def test_nothing_is_told_of_games_of_which_nobody_knows():
    engines = {"old": EngineReport()}
    assert (contained_part(engines), list(contained_tables(engines))) == ([], [])
