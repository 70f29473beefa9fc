"""Our openings, rules, adjudication, PGN and output beside 400 games that fastchess played."""

from bench.references.fastchess_kept import held, kept_text


def test_the_400_games_of_fastchess_are_the_same_with_us() -> None:
    assert kept_text("games.pgn").count("[Event ") == 400
    rows = list(held())
    assert {row.figure.partition(" that")[0] for row in rows} == {
        "openings",
        "ends",
        "games",
        "lines of output",
    }
    assert [row for row in rows if not row.holds] == []
