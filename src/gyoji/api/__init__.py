"""gyoji from Python: competitions of control files, and games between callables.

>>> from gyoji import api
>>> record = api.play("gomoku", [api.first_legal, api.first_legal], board_size=5)
>>> record.result.outcome.detail, len(record.turns)
('five, e1 to a5', 21)
>>> print(record)
player 1 beat player 2 B+ (five, e1 to a5) after 21 turns

`open_event` loads a competition by its control file: iterate its results and records, ask for its standings
and statistics, have it played with your own `Listener` told what happens. `play` plays one game here and now,
between functions: no engines, no protocol, the same referee. An engine may be among them.

Such a player is a function of a `Question`. It returns a move: as the rules have it, or as text in the
notation of the rules. It may also return an `Answer`, a wish, or `Resigned()`. None is a mistake: where a
`return` is forgotten nobody resigns, but `NoAnswer` is raised. What a function raises is not its opponent's
gain but goes to the caller: it is a bug to be seen.

Events, their results and games show themselves in a notebook: tables, boards, charts.
"""

from gyoji.api.competitions import Event, Results, open_event
from gyoji.api.games import Game, Picture, PlayedGame
from gyoji.api.playing import first_legal, play
from gyoji.core.faults import Breakdown, ConfigError, GyojiError, IllegalMove
from gyoji.core.messages import Evaluation, OffersDraw, Resigned, WantsAdvice, WantsTakeBack
from gyoji.core.outcome import Ending, Outcome
from gyoji.core.record import GameRecord, GameResult, Played
from gyoji.core.spec import Adjudication, GameSpec, Player, Threshold
from gyoji.executors.functions import Advises, Answer, Consents, Function, NoAnswer, Question
from gyoji.referee.adjudication import Adjudicator
from gyoji.scheduler.events import Listener
from gyoji.scheduler.status import ExitStatus, RunEnd

__all__ = [
    "Adjudication",
    "Adjudicator",
    "Advises",
    "Answer",
    "Breakdown",
    "ConfigError",
    "Consents",
    "Ending",
    "Evaluation",
    "Event",
    "ExitStatus",
    "Function",
    "Game",
    "GameRecord",
    "GameResult",
    "GameSpec",
    "GyojiError",
    "IllegalMove",
    "Listener",
    "NoAnswer",
    "OffersDraw",
    "Outcome",
    "Picture",
    "Played",
    "PlayedGame",
    "Player",
    "Question",
    "Resigned",
    "Results",
    "RunEnd",
    "Threshold",
    "WantsAdvice",
    "WantsTakeBack",
    "first_legal",
    "open_event",
    "play",
]
