"""The summary of a game of Dig Here beside its log: a line for each agent and step, the scores last."""

from gyoji.core.record import GameRecord, VoidGame
from gyoji.core.spec import GameSpec
from gyoji.games.dighere.recorded import log_of
from gyoji.games.dighere.summary import summary

suffix = ".dighere.summary"


def write(spec: GameSpec, record: GameRecord | VoidGame) -> bytes:
    """The file of a game."""
    return summary(log_of(spec, record)).encode()
