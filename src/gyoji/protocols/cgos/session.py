"""The server's side of a CGOS connection: a client's login, and the lines of one game that it is sent.

No input or output: lines and times are arguments, and the lines to send are returned.
"""

# Theory of operation
#
# Login. The server asks, the client answers. As on CGOS' own server, a wrong answer gets a line that begins
# with "Error:", and the connection is closed.
#
#     -> protocol genmove_analyze      <- e1 NAME OF THE CLIENT [genmove_analyze]
#     -> username                      <- the player
#     -> password                      <- its secret
#
# A game. `GameTalk` converts the codec's log (see `codec`) to the lines for the client, which may lose its
# connection and reconnect at any time, also before the game has begun. It stores what a client has to be sent
# again: the first line, all moves with times, and an open question.
#
#     codec                        client
#     setup ... - -          ->    setup NUMBER 9 7.5 60000 WHITE(0?) BLACK(0?)
#     play b D4 59000        ->    (its own move: kept)
#     play w E5 58000        ->    play w E5 58000
#     genmove b 59000        ->    genmove b 59000
#     (connection is lost, and there again)
#                            ->    setup NUMBER 9 7.5 60000 WHITE(0?) BLACK(0?) D4 59000 E5 58000
#                            ->    genmove b 51200      the time goes on
#
# The client's move is in the codec's log only when the next question comes. Until then it is stored here
# (`_answer`), with the time that was left. After a restart of the server, which then reads the log from its
# start, this move is unknown. So the client is sent nothing before the next question (`is_complete`).
#
# The client in Tcl parses a line as a Tcl list, so a line must not contain braces, brackets, quotes or
# backslashes.

import re
from typing import NamedTuple

from gyoji.core.outcome import Ending, Outcome

GREETING = "protocol genmove_analyze"
MOST_WORD = 200
"""The maximum length of an answer during login, in characters. CGOS' own server has no limit."""

_RATING = "(0?)"  # no rating: clients expect a number, and "?" after one that is not certain
_NOT_OF_TCL = re.compile(r"[^\w .,:;+()/-]")
_FORFEITS = {
    Ending.RESIGNATION: "Resign",
    Ending.TIME: "Time",
    Ending.ILLEGAL_MOVE: "Illegal",
    Ending.ILL_FORMED_MOVE: "Illegal",
}


class Said(NamedTuple):
    """The server's answer to a line of a login.

    Attributes:
        line: The line to send; "" if the login is complete. After a line that begins with "Error:" the caller
            must close the connection.
        login: (player, secret) if the login is complete.
    """

    line: str
    login: tuple[str, str] | None = None


class Login:
    """The login of a new connection.

    >>> login = Login()
    >>> login.take("e1 cgosPython 1.0.0 genmove_analyze").line, login.take("nomo").line
    ('username', 'password')
    >>> login.take("secret")
    Said(line='', login=('nomo', 'secret'))
    """

    def __init__(self) -> None:
        self._asked = "protocol"
        self._name = ""

    def take(self, line: str) -> Said:
        """Return what to send after a line from the client."""
        answer = line.strip()
        if len(answer) > MOST_WORD:
            return Said("Error: that line is too long")
        if self._asked == "protocol":
            if answer.startswith("v1"):
                return Said("Error: there is nothing to view here: games are shown on the event's page")
            if not answer.startswith("e1"):
                return Said("Error: invalid response: expected e1 and the name of the client")
            self._asked = "username"
            return Said("username")
        if self._asked == "username":
            self._asked, self._name = "password", answer
            return Said("password")
        if " " in answer:
            return Said("Error: passwords are not changed here: send the one that the organiser gave you")
        return Said("", (self._name, answer))


class GameTalk:
    """The lines of one game for one client, which may reconnect."""

    def __init__(self, number: int, black: str, white: str, colour: str) -> None:
        """Begin a game before the codec has sent the first line of it.

        Args:
            number: Number of the game, for the client.
            black: Name of the player that has Black.
            colour: The client's colour, "b" or "w".
        """
        self._number, self._black, self._white, self._colour = number, black, white, colour
        self._first = ""  # the line `setup`, without moves
        self._moves: list[tuple[str, str]] = []  # with the ms left after each
        self._question: tuple[int, float] | None = None  # ms left, when it was asked in seconds
        self._answer: tuple[str, str] | None = None  # the own move that the codec has not logged
        self._unknown = 0  # questions of the log that were answered through an earlier server
        self.is_complete = True

    @property
    def has_begun(self) -> bool:
        """Whether the codec has sent the first line of the game."""
        return bool(self._first)

    @property
    def is_asked(self) -> bool:
        """Whether the client owes an answer to `genmove`."""
        return self._question is not None

    def answered_before(self, count: int) -> None:
        """Record that the client answered `count` questions before the server restarted.

        The codec's lines now come again from the start of the game. The client must not get the first `count`
        `genmove` lines a second time.
        """
        self._unknown, self.is_complete = count, count == 0

    def take(self, line: str, now: float) -> list[str]:
        """Handle a line that the codec has written. Return the lines to send to the client, perhaps none.

        Args:
            line: A line `setup`, `play` or `genmove` of the codec's log.
            now: Seconds of any clock that never goes back.
        """
        word, *rest = line.split()
        if word == "setup":
            _, size, komi, ms, _, _, *moves = rest
            players = f"{self._white}{_RATING} {self._black}{_RATING}"
            self._first = f"setup {self._number} {size} {komi} {ms} {players}"
            self._moves = list(zip(moves[::2], moves[1::2], strict=True))
            return [" ".join([self._first, *moves])] if self.is_complete else []
        if word == "play":
            colour, move, ms = rest
            self._moves.append((move, ms))
            if colour == self._colour:
                self._answer = None
            return [line] if colour != self._colour and self.is_complete else []
        if self._unknown:
            self._unknown -= 1
            return []
        was_complete, self.is_complete = self.is_complete, True
        self._question = int(rest[1]), now
        return [line] if was_complete else self.again(now)

    def answer(self, line: str, now: float) -> None:
        """Record the client's answer to the last `genmove` line.

        Args:
            line: The answer: the move, and perhaps an evaluation.
            now: Seconds of any clock that never goes back.
        """
        assert self._question is not None
        left, asked = self._question
        self._question = None
        words = line.split()
        self._answer = (words[0] if words else "pass"), str(_left(left, asked, now))

    def again(self, now: float) -> list[str]:
        """Return the lines that send the game so far to a client that has reconnected.

        The result is [] as long as the game so far is unknown: before its first line, and after a restart of
        the server until the codec has sent the first question that the client has not answered yet
        (`answered_before`).
        """
        if not self._first or not self.is_complete:
            return []
        moves = [*self._moves, *([self._answer] if self._answer else [])]
        lines = [" ".join([self._first, *(word for move in moves for word in move)])]
        if self._question is not None:
            lines.append(f"genmove {self._colour} {_left(*self._question, now)}")
        return lines


def _left(ms: int, asked: float, now: float) -> int:
    return max(ms - round((now - asked) * 1000), 0)


def game_over(outcome: Outcome | None, date: str) -> str:
    """Return the line that reports the end of a game; `outcome` is None for a game without a result.

    >>> game_over(Outcome(points=(0.0, 1.0), ending=Ending.SCORE, margin=18.0), "2026-11-24")
    'gameover 2026-11-24 W+18.0'
    >>> game_over(Outcome(points=(1.0, 0.0), ending=Ending.TIME, detail="too late"), "2026-11-24")
    'gameover 2026-11-24 B+Time too late'
    """
    if outcome is None or outcome.points is None:
        return f"gameover {date} Abort"
    black, white = outcome.points
    if black == white:
        return f"gameover {date} Draw"
    winner = "B" if black > white else "W"
    if outcome.ending in _FORFEITS or outcome.is_forfeit:
        how = _FORFEITS.get(outcome.ending, "Forfeit")
    else:
        how = str(float(outcome.margin)) if outcome.margin else ""
    return f"gameover {date} {winner}+{how} {plain(outcome.detail)}".strip()


def plain(text: str) -> str:
    """Replace the characters of a text that have a meaning in Tcl by blanks.

    >>> plain('move {D4}: "no"')
    'move  D4 :  no'
    """
    return _NOT_OF_TCL.sub(" ", text).rstrip()
