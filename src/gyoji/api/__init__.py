"""gyoji from Python: competitions of control files, and games between callables.

>>> from gyoji import api
>>> record = api.play("gomoku", [api.first_legal, api.first_legal], board_size=5)
>>> record.result.outcome.detail, len(record.turns)
('five, e1 to a5', 21)
>>> print(record)
player 1 beat player 2 B+ (five, e1 to a5) after 21 turns

`open_event` opens the competition of a control file. Its `Event` has results, records, standings and
statistics, and can play the remaining games. `play` plays one game between functions, without engines and
protocols, but with the same referee. Some of the players may be engines.

A function that plays gets a `Question` and returns a move, either as an object of the rules or as text in the
notation of the rules. It may also return an `Answer`, a request, or `Resigned()`. Returning None raises
`NoAnswer`, because a forgotten `return` must not count as resigning. An exception in the function reaches
the caller of `play`: a bug is no win for the opponent.

A notebook shows the last position of a game. `Event.to_pandas` makes tables.
"""

from gyoji.api.competitions import Event, open_event
from gyoji.api.games import Game, Picture, PlayedGame
from gyoji.api.playing import first_legal, play
from gyoji.core.faults import Breakdown, ConfigError, GyojiError, IllegalMove
from gyoji.core.messages import Evaluation, OffersDraw, Resigned, WantsHint, WantsTakeBack
from gyoji.core.outcome import Ending, Outcome
from gyoji.core.record import GameRecord, GameResult, Played
from gyoji.core.spec import Adjudication, GameSpec, Player, Tablebases, Threshold
from gyoji.executors.functions import Answer, Consents, Function, GivesHints, NoAnswer, Question
from gyoji.referee.adjudication import Adjudicator
from gyoji.scheduler.events import Listener
from gyoji.scheduler.status import ExitStatus, RunEnd

__all__ = [
    "Adjudication",
    "Adjudicator",
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
    "GivesHints",
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
    "RunEnd",
    "Tablebases",
    "Threshold",
    "WantsHint",
    "WantsTakeBack",
    "first_legal",
    "open_event",
    "play",
]
