"""Games of Gomoku and Renju in SGF: GM[4], written from our records and read from anybody's."""

from gyoji.games.gomoku.recorded.replay import TAKES
from gyoji.records.sgf.gomoku.reader import read_account, replay_game
from gyoji.records.sgf.gomoku.writer import write

__all__ = ["TAKES", "read_account", "replay_game", "write"]
