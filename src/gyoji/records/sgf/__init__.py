"""SGF, the record format of Go: FF[4] files of finished games, and a tolerant reader of anybody's.

>>> [root] = parse(b"(;GM[1]SZ[9];B[ee];W[tt])")
>>> main_line(root).moves
((0, (4, 4)), (1, None))
"""

from gyoji.records.sgf.grammar import SgfError, parse
from gyoji.records.sgf.mainline import MainLine, Setup, main_line, read
from gyoji.records.sgf.replay import Replay, replay
from gyoji.records.sgf.serialise import encode, serialise
from gyoji.records.sgf.tree import Node
from gyoji.records.sgf.writer import write

suffix = ".sgf"

__all__ = [
    "MainLine",
    "Node",
    "Replay",
    "Setup",
    "SgfError",
    "encode",
    "main_line",
    "parse",
    "read",
    "replay",
    "serialise",
    "suffix",
    "write",
]
