"""Adjudication by endgame tablebases: ending a game when the perfect result of its position is known.

The referee reads no files. It gets a function that looks up a position (`gyoji.play.tablebases`). Without
that function no game ends by tablebases.
"""

from collections.abc import Callable
from typing import TypeAlias

from gyoji.core.outcome import BY_TABLES, Ending, Outcome, shared, won_by
from gyoji.core.ports import AnyRules, HasEndgames, supports
from gyoji.core.spec import Tablebases

Probe: TypeAlias = Callable[[str], int | None]
"""Looks up a position by its FEN. Returns the result for the side to move with best play: 2 a win, 1 a win
that the 50-move rule makes a draw, 0 a draw, -1 a loss that the rule makes a draw, -2 a loss. None if the
tables lack the position.
"""

_WIN = 2
_MARGINAL = 1


class TableVerdicts:
    """Looks up the positions of one game in tablebases and ends the game if the settings allow it.

    As in fastchess 1.8.2 (match.cpp, syzygy.cpp) a position is looked up only if no side may castle and the
    count of the 50-move rule is 0, as right after a capture or a pawn move: tables know neither castling nor
    that count. A position with more than `Tablebases.pieces` pieces is not looked up either, unless that
    setting is 0.
    """

    def __init__(self, settings: Tablebases, rules: AnyRules, probe: Probe | None) -> None:
        self._settings = settings
        self._endgame = rules.endgame if supports(rules, HasEndgames) else None
        self._rules = rules
        self._probe = probe

    def outcome(self, position: object) -> Outcome | None:
        """Return the outcome if the tablebases end the game in this position, or None if it goes on."""
        if self._probe is None or (fen := self._looked_up(position)) is None:
            return None
        result = self._probe(fen)
        if result is None:
            return None
        is_won = abs(result) >= (_WIN if self._settings.fifty_moves else _MARGINAL)
        if self._settings.results not in ("both", "wins" if is_won else "draws"):
            return None
        if not is_won:
            return _ended(shared(2))
        (seat,) = self._rules.acting(position)
        team = self._rules.teams[seat]
        return _ended(won_by(team if result > 0 else 1 - team, 2))

    def may_have_ended(self, position: object, outcome: Outcome) -> bool:
        """Return whether tablebases that are not available here may have led to a recorded outcome."""
        if self._looked_up(position) is None:
            return False
        kind = "wins" if outcome.winner is not None else "draws"
        return self._settings.results in ("both", kind) and outcome == _ended(outcome.points or ())

    def _looked_up(self, position: object) -> str | None:
        """Return the FEN of a position that tablebases may contain, else None."""
        found = None if self._endgame is None else self._endgame(position)
        if found is None:
            return None
        fen, pieces = found
        return fen if not self._settings.pieces or pieces <= self._settings.pieces else None


def _ended(points: tuple[float, ...]) -> Outcome:
    return Outcome(points=points, ending=Ending.ADJUDICATION, detail=BY_TABLES)
