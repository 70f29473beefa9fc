"""Games of chess in front of the referee, without engines."""

from gyoji.core import messages as m
from gyoji.core.spec import GameSpec, Player
from gyoji.games.chess.game_options import Options as ChessOptions
from gyoji.games.chess.game_options import rules as chess_rules
from gyoji.referee.referee import Referee
from gyoji.referee.review import Review
from gyoji.referee.seat_state import Closing, Dismiss


class ChessGame:
    """A game from given moves, after each of which its seat says what it thinks of it.

    Args:
        moves: The moves of both sides, as a text or in a list. In a list, one may also be another reply, or
            None for silence until the deadline.
        said: The evaluation of each move; None for none.
        probe: Looks up positions in tables.
        late: Whether the evaluations follow the moves as remarks.
        used: The ns that each move takes.
    """

    def __init__(self, moves, said=(), used=0, opening="", *, late=False, probe=None, **spec):
        players = (Player(code="x", command=("x",)), Player(code="y", command=("y",)))
        options = {"opening": opening}
        self.spec = GameSpec(id="0_0", pairing="0", game="chess", players=players, options=options, **spec)
        self.rules = chess_rules(ChessOptions(opening=opening))
        self.referee = Referee(self.spec, self.rules, probe=probe)
        self.moves = iter(moves.split() if isinstance(moves, str) else moves)
        self.said, self.used, self.late = iter(said), used, late
        actions = [*self.referee.begin()]
        while actions:
            action = actions.pop(0)
            if not isinstance(action, Dismiss):
                actions += self.respond(action)

    def respond(self, say):
        replied = self.referee.replied
        match say.request:
            case m.NewGame():
                return replied(say.seat, m.Ready(), 0)
            case m.TellMoves():
                return replied(say.seat, m.Acknowledged(), 0)
            case m.Quit():
                return replied(say.seat, m.HasQuit(), 0)
        move = next(self.moves, m.Resigned())
        if move is None:
            return self.referee.expired(say.seat, say.patience, say.patience)
        evaluation = next(self.said, None)
        told = None if self.late else evaluation
        actions = replied(say.seat, m.Moved(move, told) if isinstance(move, str) else move, self.used)
        if evaluation is not None and self.late:
            replied(say.seat, m.Comment("", evaluation), 0)
        return actions

    @property
    def ending(self):
        return self.referee.outcome.ending

    @property
    def points(self):
        return self.referee.outcome.points

    @property
    def turns(self):
        return self.referee.turns

    def flaws(self):
        record = self.referee.record("", 0, [Closing(), Closing()])
        review = Review(self.spec, self.rules, record, [lambda _text: m.Scored()] * 2)
        return [each.what for each in review.differences]
