"""REC, the records of Gomotur, which Piskvork writes too: Gomoku on 20 columns and rows. Read only.

::

    pbrain-alpha.exe                who had the first stone, and the other one
    pbrain-beta.exe
    9,9,0                           column, row, from 0; ms the stone took
    10,11,4500
    0                               the code, as in PSQ; it may be missing
"""

from gyoji.core.replay import Replay, Wanted
from gyoji.core.text import quote
from gyoji.games.gomoku import account as told
from gyoji.games.gomoku.account import NOTHING, Account
from gyoji.games.gomoku.account import replay as replay_account

suffix = ".rec"

_SIZE = (20, 20)


def replay(data: bytes, wanted: Wanted) -> list[Replay]:
    """The game of a file, judged again. Raises ValueError for what is no such file."""
    return [replay_account(read(data), wanted)]


def read(data: bytes) -> Account:
    """What a file tells. Raises ValueError naming the line."""
    lines = told.lines_of(data)
    names, rest = lines[:2], lines[2:]
    stones, numbers = told.read_stones(rest, 0)
    if not stones:
        found = next((line for line in lines[2:] if line[1].strip()), lines[-1])
        raise ValueError(
            f"line {found[0]}: a stone such as 9,9,1500 was expected after two names, found {quote(found[1])}"
        )
    tail = [line for line in lines[numbers[-1] :] if line[1].strip()]
    claim = told.claim_of_code(told.read_code(tail[0]), len(stones), _SIZE) if tail else NOTHING
    return Account(
        stones=tuple(stones),
        lines=tuple(numbers),
        size=_SIZE,
        black=names[0][1].strip(),
        white=names[1][1].strip(),
        claim=claim,
    )
