"""Games of gomoku in records: what formats need to write them, what files tell, and judging them again.

A record is a list of stones in playing order, Black's first, whoever placed them. `played` is for formats
that are written, `account` for those that are read, `replay` plays an account over by the rules; the rules of
a game are one line of text in all of them (`terms`). `samples` is for programs that learn from games.
"""

from gyoji.games.gomoku.samples import SAMPLES

__all__ = ["SAMPLES"]
