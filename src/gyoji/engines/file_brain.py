"""An adapter that lets a gomoku program for the older, file-based protocol play by the Gomocup protocol.

::

    python -m gyoji.engines.file_brain COMMAND [WORD]...
"""

# The older protocol ("Old gomoku AI protocol", V. Havranek and P. Lastovicka) has no pipes. The program is
# started for each move, and exchanges these files with its manager in the working directory:
#
#     PLOCHA.DAT    -> brain   the board: a line for each row, with - empty, x the first player's stone,
#                              o the second's, # a stone of a counted row (in a continuous game)
#     TAH.DAT       -> brain   x or o: the side to move
#                   <- brain   its move, "column,row" from 0, instead of that
#     TIMEOUTS.DAT  -> brain   seconds for a move (0: at once), and ms left for the match
#     INFO.DAT      -> brain   the values of INFO lines, a line "key value" each
#     MSG.DAT       -> brain   empty
#                   <- brain   its messages
#
# The answer is complete when the process has ended. The referee's clock runs until it has the answer, and so
# covers the whole run of the process. It is a child process of the adapter, so its CPU time and memory count
# as the adapter's.
#
# On Windows, where this protocol comes from, the case of file names does not matter. So there is a symbolic
# link to each file for every known spelling of its name, and the move is read from any of them, because a
# program may have replaced a link by a file. Programs for Windows (.exe, by wine) get lines that end in CR
# LF.
#
# If the process leaves no move, the adapter ends with a line on stderr, which the referee judges as a crash.

import os
import re
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from subprocess import DEVNULL, Popen
from typing import NamedTuple

from gyoji.core.text import printable, quote
from gyoji.engines.gomocup import DEAD, OPPONENT, OWN, UNLIMITED, Answer, Brain, Game, GomocupError, Stone
from gyoji.games.gomoku.board import board_of
from gyoji.games.gomoku.rulesets import CONTINUOUS, standards, winning_rows

_BOARD, _MOVE, _TIMES, _INFO, _WORDS = "PLOCHA.DAT", "TAH.DAT", "TIMEOUTS.DAT", "INFO.DAT", "MSG.DAT"
_OF_PISKVORK = {_TIMES: "TimeOuts.dat"}
_KEYS = ("max_memory", "timeout_match", "timeout_turn", "game_type", "rule", "time_left", "folder")
"""Keys of INFO.DAT, in the order of the protocol's document. Other keys follow them."""

_POINT = re.compile(r"\s*(-?\d{1,9})\s*,\s*(-?\d{1,9})")
_MOST = 1 << 16  # characters that are read of a file
_LETTERS = "xo"


class Said(NamedTuple):
    """The answer of one process.

    Attributes:
        x: Column of the move, perhaps off the board.
        y: Row of the move, perhaps off the board.
        messages: The messages of the process.
    """

    x: int
    y: int
    messages: tuple[str, ...]


class FileBrain(Brain):
    """A Gomocup brain that runs a command once for each move and exchanges files with it in the current
    directory.
    """

    def __init__(self, command: Sequence[str]) -> None:
        program = next((word for word in command if word.lower().endswith(".exe")), command[0])
        super().__init__(_no_think, choose=_no_choice, name=os.path.basename(program))
        self._command = tuple(command)
        self._line_end = "\r\n" if program.lower().endswith(".exe") else "\n"

    def _make(self, width: int, height: int) -> str:
        if width != height:
            raise GomocupError("the protocol of files has no board with sides that differ")
        return super()._make(width, height)

    def _takeback(self, rest: str) -> str:
        if self._started().rule & CONTINUOUS:
            raise GomocupError("TAKEBACK: a counted row cannot be taken back; send RESTART and BOARD")
        return super()._takeback(rest)

    def _move(self, game: Game) -> str:
        """Run the program for a move. Return its messages and its move as text. The move may be illegal."""
        if len(game.stones) == game.width * game.height:
            raise GomocupError("the board is full")
        game = counted(game)
        said = self._played(game)
        if (said.x, said.y) not in game.taken and 0 <= said.x < game.width and 0 <= said.y < game.height:
            game = counted(game.played(Stone(said.x, said.y, OWN)))
        self._game = game
        return "".join([f"MESSAGE {line}\n" for line in said.messages]) + f"{said.x},{said.y}"

    def _played(self, game: Game) -> Said:
        """Write the files, run the program and read its answer.

        Raises:
            SystemExit: The program cannot be started, or leaves no move.
        """
        letter = _LETTERS[len(game.stones) % 2]
        for name, lines in (
            (_BOARD, rows(game)),
            (_MOVE, [letter]),
            (_TIMES, timeouts(game)),
            (_INFO, infos(game)),
            (_WORDS, []),
        ):
            self._write(name, lines)
        try:
            status = Popen(self._command, stdin=DEVNULL, stdout=2).wait()
        except OSError as error:
            raise SystemExit(f"cannot start {quote(self._command[0])}: {error.strerror}") from None
        found = [_read(name) for name in _spellings(_MOVE)]
        point = next(filter(None, map(_POINT.match, found)), None)
        if point is None:
            ended = f"exited with status {status}" if status >= 0 else f"was ended by signal {-status}"
            left = quote(next((text for text in found if text.strip() not in ("", letter)), letter)[:60])
            raise SystemExit(f"the brain {ended}; expected a move such as 7,7 in {_MOVE}, got {left}")
        words = next(filter(None, map(_read, _spellings(_WORDS))), "")
        messages = [printable(line) for line in words.splitlines() if line.strip()]
        return Said(int(point[1]), int(point[2]), tuple(messages))

    def _write(self, name: str, lines: Sequence[str]) -> None:
        """Write a file. Make symbolic links to the file under the other spellings of its name."""
        _remove(name)
        text = "".join([f"{line}{self._line_end}" for line in lines])
        Path(name).write_text(text, encoding="utf-8", errors="replace", newline="")
        for each in _spellings(name)[1:]:
            os.symlink(name, each)


def rows(game: Game) -> list[str]:
    """Return the lines of PLOCHA.DAT, which describes the board."""
    own = len(game.stones) % 2
    signs = {OWN: _LETTERS[own], OPPONENT: _LETTERS[1 - own], DEAD: "#"}
    fields = {(stone.x, stone.y): signs[stone.field] for stone in game.stones}
    return ["".join([fields.get((x, y), "-") for x in range(game.width)]) for y in range(game.height)]


def timeouts(game: Game) -> list[str]:
    """Return the lines of TIMEOUTS.DAT: the seconds for a move, and the milliseconds left for the match.

    A limit below one second per move becomes 0, which means "at once", as the manager Piskvork has it.
    """
    turn, left = game.number("timeout_turn"), game.number("time_left")
    return [str((UNLIMITED if turn is None else turn) // 1000), str(UNLIMITED if left is None else left)]


def infos(game: Game) -> list[str]:
    """Return the lines of INFO.DAT: "key value" for each key that INFO lines have set."""
    keys = [*(key for key in _KEYS if key in game.info), *(key for key in game.info if key not in _KEYS)]
    return [f"{key} {game.info[key]}" for key in keys]


def counted(game: Game) -> Game:
    """Return the game, with dead stones marked: those of each winning row that the last stone has completed.

    This happens only in a continuous game: a completed row scores, and its stones belong to no further row.
    The manager says which stones are dead only in BOARD. After a move sent by TURN a brain must find them
    itself.
    """
    if not game.stones or not game.rule & CONTINUOUS or game.stones[-1].field == DEAD:
        return game
    board, (x, y, field) = board_of(game.width, game.height), game.stones[-1]
    live = {kind: [stone for stone in game.stones if stone.field == kind] for kind in (OWN, OPPONENT)}
    sets = {kind: sum(1 << board.point(*stone[:2]) for stone in stones) for kind, stones in live.items()}
    standard = standards(game.rule)[(len(game.stones) - 1) % 2]
    found = winning_rows(board, sets[field], sets[OWN + OPPONENT - field], board.point(x, y), standard)
    dead = {board.coordinates(point) for row in found for point in row}
    stones = [stone._replace(field=DEAD) if stone[:2] in dead else stone for stone in game.stones]
    return game._replace(stones=tuple(stones))


def _spellings(name: str) -> list[str]:
    """Return the known spellings of a file's name. The first is that of the protocol's document."""
    ways = (name, name.lower(), name.capitalize(), _OF_PISKVORK.get(name, name))
    return list(dict.fromkeys(ways))


def _remove(name: str) -> None:
    for each in _spellings(name):
        Path(each).unlink(missing_ok=True)


def _read(name: str) -> str:
    """Return the text of a file, or "" if it cannot be read."""
    try:
        with open(name, encoding="utf-8", errors="replace") as file:
            return file.read(_MOST)
    except OSError:
        return ""


def _no_think(_game: Game) -> Answer:
    raise AssertionError("_move does not ask it")


def _no_choice(_game: Game) -> Answer:
    raise GomocupError("SWAP2BOARD: the protocol of files has no choice of sides")


def main() -> int:
    command = sys.argv[1:]
    if not command:
        raise SystemExit("usage: python -m gyoji.engines.file_brain COMMAND [WORD]...")
    if shutil.which(command[0]) is None:
        raise SystemExit(f"no program {quote(command[0])}")
    try:
        return FileBrain(command).run()
    finally:
        for name in (_BOARD, _MOVE, _TIMES, _INFO, _WORDS):
            _remove(name)


if __name__ == "__main__":
    sys.exit(main())
