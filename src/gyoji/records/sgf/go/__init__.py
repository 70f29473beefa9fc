"""Games of Go in SGF: GM[1], written from our records and read from anybody's.

>>> from gyoji.records.sgf.grammar import parse
>>> [root] = parse(b"(;GM[1]SZ[9];B[ee];W[tt])")
>>> main_line(root).moves
((0, (4, 4)), (1, None))
"""

from gyoji.records.sgf.go.mainline import MainLine, Setup, main_line, read
from gyoji.records.sgf.go.replay import TAKES, replay_game
from gyoji.records.sgf.go.writer import write

__all__ = ["TAKES", "MainLine", "Setup", "main_line", "read", "replay_game", "write"]
