"""Scoring of a finished game by an engine that did not play in it.

The engine is started, sent the whole game and asked for the score. If it has no opinion, the result stays
unknown, and its detail says why.
"""

from collections.abc import Callable

from msgspec.structs import replace

from gyoji.core import messages as m
from gyoji.core.clocks import TimeControl
from gyoji.core.faults import Breakdown, ConfigError
from gyoji.core.outcome import Ending
from gyoji.core.record import NOT_SCORED, GameRecord
from gyoji.core.replay import play_over
from gyoji.core.spec import NO_TEAM, GameSpec, Player, game_token
from gyoji.core.text import printable, quote
from gyoji.play.context import EndsOnFailure, WorkerContext, engine_environ
from gyoji.play.link import Link
from gyoji.play.workspace import Cleanup
from gyoji.referee.counting import agreed_outcome

_SEAT = 0  # the engine is told that it plays this seat; it makes no move


def is_unscored(spec: GameSpec, record: GameRecord) -> bool:
    """Return whether a finished game still needs the score of its scoring engine."""
    outcome = record.result.outcome
    is_open = outcome.points is None and outcome.ending is Ending.SCORE
    return spec.asks_scoring_player and is_open and outcome.detail == NOT_SCORED


def scored(spec: GameSpec, record: GameRecord, score: m.Scored) -> GameRecord:
    """Return the record with the outcome that the scoring engine's answer gives.

    If the answer gives no outcome, the detail of the record's outcome says why.
    """
    assert spec.scoring_player is not None
    code = spec.scoring_player.code
    outcome = agreed_outcome([score], [record.result.team_of(seat) for seat in range(len(spec.players))])
    detail = f"scored by {code}: {score.text}"
    if outcome.points is None:
        detail = f"not scored by {code}: {score.problem or f'answered {quote(score.text)}'}"
    outcome = replace(outcome, detail=printable(detail))
    return replace(record, result=replace(record.result, outcome=outcome))


class EngineScoring(EndsOnFailure):
    """The conversation with the engine that scores a finished game.

    `done` is called once with the engine's opinion of the score, or with the problem if there is no opinion.
    The call comes when the engine has ended, or at once if the engine cannot be started.
    """

    def __init__(
        self, context: WorkerContext, spec: GameSpec, record: GameRecord, done: Callable[[m.Scored], None]
    ) -> None:
        assert spec.scoring_player is not None
        self._player: Player = spec.scoring_player
        self._context = context
        self._cleanup: Cleanup | None = None
        self._spec = spec
        self._record = record
        self._done = done
        self._link: Link | None = None
        self._score: m.Scored | None = None
        self._wants_dead = spec.scorer == "judge"

    def begin(self) -> None:
        player = self._player
        try:
            rules = self._context.rules(self._spec)
            start = rules.start()
            view = rules.view(start, _SEAT)
            turns, position = play_over(rules, self._record)
            news = tuple(rules.news(turn, _SEAT) for turn in turns)
            self._news = m.TellMoves(rules.view(position, _SEAT), news)
            environ = engine_environ(game_token(self._spec, NO_TEAM), None)
            self._link, self._cleanup = self._context.connect(self, _SEAT, player, environ)
        except (Breakdown, ConfigError) as error:
            self._done(m.Scored(problem=str(error)))
            return
        prepare = m.NewGame(_SEAT, rules, view, TimeControl(), self._link.player)
        self._link.send(prepare, player.budgets.startup)

    def abandon(self) -> None:
        self.fail("abandoned")

    # Events from the link

    def on_reply(self, _seat: int, reply: m.Reply, _used: int) -> None:
        assert self._link is not None
        budgets = self._player.budgets
        match reply:
            case m.Ready(can_score=False):
                self.fail("does not know how to score")
            case m.Ready() if self._news.news:
                self._link.send(self._news, budgets.move)
            case m.Ready() | m.Acknowledged():
                self._link.send(m.AskScore(wants_dead=self._wants_dead), budgets.score)
            case m.Scored():
                self._score = reply
                self._link.send(m.Quit(), budgets.close)
            case m.HasQuit():
                self._link.dismiss(kindly=True)
            case m.Unsupported(text) | m.RejectedMove(text) | m.Broken(_, text):
                self.fail(text)

    def on_closed(self, _seat: int) -> None:
        self._done(self._score or m.Scored())
        if self._cleanup is not None:
            self._cleanup()

    def fail(self, text: str) -> None:
        """End the engine. If it has not answered, `text` becomes the reason why there is no opinion."""
        self._score = self._score or m.Scored(problem=text)
        if self._link is not None:
            self._link.dismiss(kindly=False)


def score_by_engine(spec: GameSpec, record: GameRecord) -> m.Scored:
    """Start the scoring engine of a game, and return its opinion of the score.

    Must be called from the main thread, which blocks until the answer arrives.
    """
    context, scores = WorkerContext(), list[m.Scored]()
    try:
        EngineScoring(context, spec, record, scores.append).begin()
        context.loop.run(lambda: scores)
    finally:
        context.close()
    return scores[0]
