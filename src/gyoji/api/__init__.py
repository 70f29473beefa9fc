"""gyoji from Python: competitions of control files, and games between callables.

>>> from gyoji import api
>>> record = api.play("gomoku", [api.first_legal, api.first_legal], board_size=5)
>>> record.result.outcome.detail, len(record.turns)
('five, e1 to a5', 21)

`open_event` loads a competition by its control file: iterate its results and records, ask for its standings
and statistics, have it played with your own `Listener` told what happens. `play` plays one game here and now,
in this process, between functions.
"""

from gyoji.api.event import Event, Game, open_event
from gyoji.api.table import Question, first_legal, play
from gyoji.core.faults import ConfigError, GyojiError, IllegalMove
from gyoji.core.outcome import Ending, Outcome
from gyoji.core.record import GameRecord, GameResult, Played
from gyoji.core.spec import GameSpec, Player
from gyoji.scheduler.events import Listener, Silence
from gyoji.scheduler.status import ExitStatus, RunEnd

__all__ = [
    "ConfigError",
    "Ending",
    "Event",
    "ExitStatus",
    "Game",
    "GameRecord",
    "GameResult",
    "GameSpec",
    "GyojiError",
    "IllegalMove",
    "Listener",
    "Outcome",
    "Played",
    "Player",
    "Question",
    "RunEnd",
    "Silence",
    "first_legal",
    "open_event",
    "play",
]
