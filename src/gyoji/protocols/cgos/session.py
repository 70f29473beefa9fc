"""The server's half of CGOS: a client's login, and one game as its client is told it.

Pure: lines in, lines out. Times are passed in.
"""

# Theory of operation
#
# Login. The server asks, the client answers. What a wrong answer costs is as on CGOS' own server: one line
# that begins with "Error:", and the end of the connection.
#
#     -> protocol genmove_analyze      <- e1 NAME OF THE CLIENT [genmove_analyze]
#     -> username                      <- the player
#     -> password                      <- its secret
#
# A game. `GameTalk` stands between the codec's log (see `codec`) and the client's connection, which may end
# and begin anew at any moment, also before the game has begun. It keeps what a client has to be told again:
# the first line, all moves with times, and an open question.
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
# A move that was answered is in the codec's log only when the next question comes. Until then it is known
# here (`_answer`), with the time that was left when it came. A new server, which reads the log from its
# start, does not know it: it tells the client nothing before the next question (`is_complete`).
#
# Tcl's client reads a line as a list of Tcl, so a line may have no braces, brackets, quotes or backslashes.

import re
from typing import NamedTuple

from gyoji.core.outcome import Ending, Outcome

GREETING = "protocol genmove_analyze"
MOST_WORD = 200
"""Longest answer of a login, in characters. CGOS' own server has no limit."""

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
        line: The line to send; "" if the login is complete. After one that begins with "Error:" the
            connection is closed.
        login: (player, secret) once both have been said.
    """

    line: str
    login: tuple[str, str] | None = None


class Login:
    """The questions that a new connection has to answer.

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
        """Return what to send after a line of the client."""
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
    """One game of one client, through all of its connections."""

    def __init__(self, number: int, black: str, white: str, colour: str) -> None:
        """Begin a game of which the codec has said nothing.

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
        """Whether the codec has said how the game begins."""
        return bool(self._first)

    @property
    def is_asked(self) -> bool:
        """Whether the client is asked for a move."""
        return self._question is not None

    def answered_before(self, count: int) -> None:
        """Note that `count` questions were answered through an earlier server, whose log comes now."""
        self._unknown, self.is_complete = count, count == 0

    def take(self, line: str, now: float) -> list[str]:
        """Take in a line of the codec. Return the lines to send to the client.

        Args:
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
        """Note the client's answer to the question."""
        assert self._question is not None
        left, asked = self._question
        self._question = None
        words = line.split()
        self._answer = (words[0] if words else "pass"), str(_left(left, asked, now))

    def again(self, now: float) -> list[str]:
        """Return the lines that tell a new connection the game so far; none while that is not known."""
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
    """Return the line that ends a game; `outcome` is None for a game without a result.

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
    """Return a text without the characters that mean something to Tcl.

    >>> plain('move {D4}: "no"')
    'move  D4 :  no'
    """
    return _NOT_OF_TCL.sub(" ", text).rstrip()
