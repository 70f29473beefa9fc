"""The extension object for games of a relay, and the codec of their players.

A relay is a game in which a program, the runner, starts the players and plays the whole game. The rules are
those of a game with an umpire that ends the game with its first answer.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar

from msgspec.structs import replace

from gyoji.core import messages as m
from gyoji.core.describe import ResultWords
from gyoji.core.game import Game, RecordFormat
from gyoji.core.later import forwarding, later
from gyoji.core.plugins import Protocol
from gyoji.core.replay import Replay, Wanted
from gyoji.games.umpire import records
from gyoji.games.umpire.game_options import RelayOptions
from gyoji.games.umpire.rules import rules

REMARK = "a runner played this game: gyoji kept no clock, saw no moves, and cannot verify the result"


class RelayedCodec:
    """The port `Codec` for a player of a relay. gyoji sends such a player nothing, so the codec answers every
    request itself.
    """

    answers_itself: ClassVar[bool] = True

    def __init__(self) -> None:
        self._due: list[m.Reply] = []

    def send(self, request: m.Request) -> bytes:
        answers: Mapping[type, m.Reply] = {
            m.NewGame: m.Ready(can_score=False, knows_rules=True, takes_back=False),
            m.TellMoves: m.Acknowledged(),
            m.AskScore: m.Scored(),
        }
        self._due.append(answers.get(type(request), m.HasQuit()))
        return b""

    def receive(self, data: bytes) -> Sequence[m.Reply]:
        """Return the codec's own answers. Output of the player is ignored: it is meant for the runner."""
        due, self._due = self._due, []
        return due

    def finish(self) -> Sequence[m.Reply]:
        return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeechOptions:
    """The settings of a relay's player for its protocol. There are none."""


PROTOCOL = Protocol(
    name="relay",
    options=SpeechOptions,
    codec=lambda _: RelayedCodec(),
    games=("relay",),
    title="the runner's words",
)


def _replay(data: bytes, wanted: Wanted) -> Sequence[Replay]:
    return [replace(each, notes=(*each.notes, REMARK)) for each in records.replay(data, wanted)]


# The duration of a game is limited only by the runner's `budgets.move`, which may be half an hour.
_DEFAULTS: Mapping[str, Any] = MappingProxyType(
    {"protocol": "relay", "scorer": "internal", "budgets": MappingProxyType({"close": "400ms"})}
)

GAME = Game(
    name="relay",
    options=RelayOptions,
    rules=rules,
    hides=True,
    seats=0,
    decider="relay",
    remark=REMARK,
    side_names=("side 1", "side 2"),
    result_words=ResultWords(letters=("1", "2")),
    unit="points",
    defaults=_DEFAULTS,
    openings=forwarding("gyoji.games.umpire.game_options", "openings"),
    record_formats=MappingProxyType(
        {"relay": lambda: RecordFormat(suffix=".relay", write=records.write, replay=_replay)}
    ),
    records=("relay",),
    pictures=later("gyoji.games.umpire.frames"),
)
