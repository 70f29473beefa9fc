"""Verdicts of tables beside those that fastchess gave: the kept positions, and the referee on them."""

from bench.references import syzygy
from bench.references.comparison import NO_TOOLS

from gyoji.core.outcome import BY_TABLES, Ending
from gyoji.games.chess.fen import read_fen
from gyoji.games.chess.game_options import Options, rules
from gyoji.referee.tablebases import TableVerdicts


def test_every_kept_position_is_judged_as_by_fastchess():
    rows = list(syzygy.compare(NO_TOOLS))
    assert len(rows) == syzygy.NUMBER
    assert [row.case for row in rows if not row.holds] == []
    assert {ours for ours, _, _ in syzygy.kept()} == {"0 9 9", "1 -1 -1", "1 0 0", "1 1 1"}


def test_the_referee_says_so_of_each_of_them():
    """The prober knows what fastchess said; rules and referee are ours."""
    game = rules(Options())
    tables = syzygy.settings(("",)).tablebases
    known = {fen: theirs.split() for _, theirs, fen in syzygy.kept()}
    verdicts = TableVerdicts(tables, game, lambda fen: 2 * int(known[fen][1]))
    for fen, (can, result, _) in known.items():
        position = read_fen(fen)
        outcome = verdicts.outcome(position)
        assert (outcome is not None) == (can == "1")
        if outcome is not None:
            assert (outcome.ending, outcome.detail) == (Ending.ADJUDICATION, BY_TABLES)
            own = outcome.points[position.turn]
            assert own == (1 + int(result)) / 2
