"""A human player's terminal: a client of `gyoji.protocols.human` that shows text and reads lines."""

# Theory of operation
#
# Each seat of the player is a conversation over a socket pair, as with a browser. Dig Here gives the player
# two seats. One `Terminal` shows the events of all seats and gives typed lines to the seat that has an open
# question:
#
#     socket of a seat --events--> Seat.shown --text--> standard output
#     standard input --lines--> _typed --one line--> Seat.give --answer--> socket of that seat
#
# * Input is read while `_typed` is empty, so lines that come early wait there or in the kernel. A file is
#   read at once, because epoll refuses regular files.
# * Before a prompt is shown the events of the other seats are shown, for theirs may be older.
# * A line that the seat deals with itself (help, board, a word that means nothing here) leaves the question
#   open. Any other line closes it, and the codec's event `refused` opens it again.
# * If input is no terminal, typed lines are printed, so that the output reads like a session at one.
# * End of input (Ctrl-D), "quit", and a standard output that fails each end the game by `leave`.

import os
import socket
import sys
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any

import msgspec

from gyoji.cli.exits import forget_stdout, say
from gyoji.core.lines import LineReader
from gyoji.core.spec import Player
from gyoji.core.text import format_duration, legible, parse_duration
from gyoji.play.loop import Loop
from gyoji.play.seats import HumanChannel
from gyoji.protocols.human import HumanCodec

_CHUNK = 1 << 16
_LONGEST = 4000  # bytes of a typed line; the rest is cut off
_MS = 1_000_000
_SECOND = 1000 * _MS
LEAVING = ("quit", "exit")
"""Typed words with which the person leaves the game."""
LEFT = "left by the person"
"""The reason for ending a game when the person leaves, by a word or at the end of input."""
GONE = "the terminal has gone"

_REQUESTS: Mapping[str, str] = MappingProxyType(
    {"undo": "take-back", "hint": "hint", "draw": "draw", "resign": "resign"}
)
_CONSENTS: Mapping[str, bool] = MappingProxyType({"y": True, "yes": True, "n": False, "no": False})
_DEAD = "Which stones are dead? Name one of each group, such as D4 E5, or none."
_HELP = """\
  undo    take back your last move, and the answer to it
  hint    ask which move the other side would make here
  play    play the move of that hint
  limit   limit 5s: the engine has 5 s for each move from now on; limit none
  draw    offer a draw
  resign  give up the game
  board   show the board again
  help    show this"""
_HELP_TO_CHOOSE = """\
  play    let it make the move that it suggests
  resign  give up the game
  board   show the board again
  help    show this"""


class Seat:
    """One seat of the person at the terminal: turns its events into text, and typed lines into answers.

    Attributes:
        asked: The open question, an event; None if none is open.
    """

    def __init__(self, end: socket.socket, names: Sequence[str], tasks: Mapping[str, str]) -> None:
        self.end = end
        self.asked: Mapping[str, Any] | None = None
        self.lines = LineReader()
        self._names = names
        self._tasks = tasks
        self._seat = 0
        self._how = self._board = self._prompt = ""
        self._question: Mapping[str, Any] = {}  # the last one, which `refused` opens again

    def shown(self, event: Mapping[str, Any]) -> str:
        """Return the text to show for an event of the seat. The text of a question ends with a prompt."""
        match event["event"]:
            case "begin":
                self._seat = event["seat"]
                self._how = f"A move is {event['notation']}." if event["notation"] else "Type a move."
                return f"You are {self._names[self._seat]}. {self._how}\nType help for more.\n"
            case "tell":
                return _lines(*self._moves(event), self._drawn(event))
            case "refused":
                return self._ask_again(f"{event['reason']}; help shows what can be typed")
            case "ask":
                self.asked = self._question = event
                return self._ask(event)
        return ""

    def _ask(self, event: Mapping[str, Any]) -> str:
        if event["about"] == "dead":
            self._prompt = "dead> "
            claims = [
                f"{self._names[seat]} calls {' '.join(points) or 'none'} dead. {event.get('cost', '')}"
                for seat, points in event["claims"]
            ]
            return self._ask_again(*claims, _DEAD)
        name = self._names[event["of"]]
        if event["about"] == "consent":
            self._prompt = "yes or no> "
            return self._ask_again(f"{name} asks for a {event['request']}")
        lines = self._moves(event)
        if event["news"] or lines or not self._board:
            lines.append(self._drawn(event))
        self._prompt = legible(f"{name}{_clock_text(event['clock'])}> ")
        phase = event["phase"]
        task = self._tasks.get(phase, f"phase: {phase}") if phase else ""
        return self._ask_again(*lines, event["notice"], task)

    def _ask_again(self, *lines: str) -> str:
        """Open the last question again. Return `lines`, with the prompt of the question below them."""
        self.asked = self._question
        return _lines(*lines) + self._prompt

    def _moves(self, event: Mapping[str, Any]) -> list[str]:
        """Return lines on the turns that an event reports: turns taken back, and moves of other seats."""
        back = event["taken_back"]
        lines = [f"taken back: {back} turn{'s' * (back > 1)}"] if back else []
        moves = [each for turn in event["news"] for each in turn]
        return lines + [f"{self._names[seat]}: {move}" for seat, move in moves if seat != self._seat]

    def _drawn(self, event: Mapping[str, Any]) -> str:
        self._board = event.get("board", "")
        return self._board

    def give(self, line: str, show: Callable[[str], None]) -> None:
        """Send a typed line as the answer to the open question. If it is no answer, show why."""
        answer = self._answer_to(line)
        if isinstance(answer, str):
            show(self._ask_again(answer))
            return
        self.asked = None
        self.end.send(msgspec.json.encode({"question": self._question["question"], **answer}) + b"\n")

    def _answer_to(self, line: str) -> Mapping[str, Any] | str:
        """Return the answer that a typed line means. If it means none, return a text to show above the
        prompt.
        """
        question, word = self._question, " ".join(line.split())
        low, about = word.lower(), question["about"]
        if not word:
            return ""
        if about == "consent" and low in _CONSENTS:
            return {"agree": _CONSENTS[low]}
        if about == "dead" and low == "none":
            return {"dead": []}
        if low == "board":
            return self._board
        if about == "consent":
            return "please answer yes or no"
        if about == "dead":
            return _DEAD if low in ("help", "?") else {"dead": word.split()}
        return self._move(word, is_own=question["of"] == self._seat)

    def _move(self, word: str, *, is_own: bool) -> Mapping[str, Any] | str:
        """Return the answer that a typed line means when a move is asked for, or a text to show instead.

        Args:
            word: The line.
            is_own: Whether the seat itself is to move. If not, the person chooses the move of an engine in
                another seat, which has suggested one.
        """
        low = word.lower()
        if low == "resign" or (is_own and low in _REQUESTS):
            return {"request": _REQUESTS[low]}
        if low == "play":
            hint = self._question["hint"]
            return {"move": hint} if hint else "there is no hint to play"
        if low in ("help", "?"):
            return f"{self._how} Or type:\n{_HELP if is_own else _HELP_TO_CHOOSE}"
        if is_own and low.startswith("limit "):
            return _limit(low.partition(" ")[2])
        return {"move": word}


def _limit(text: str) -> Mapping[str, Any] | str:
    """Return the request to limit the engine's time for each move, or an error message.

    Args:
        text: A duration such as "5s", or "none".
    """
    try:
        ns = 0 if text == "none" else parse_duration(text)
    except ValueError as error:
        return f"{error}; type limit 5s, or limit none"
    return {"limit": ns} if ns or text == "none" else "a limit is longer than 0s; type limit none for none"


def _lines(*lines: str) -> str:
    text = "\n".join(filter(None, lines))
    return f"{legible(text)}\n" if text else ""


def _clock_text(clock: Mapping[str, int] | None) -> str:
    """Return the time left on a clock for a prompt, "" without one.

    >>> from gyoji.core.clocks import TimeControl
    >>> controls = map(TimeControl.parse, ("90s", "1m + 3x30s", "1m + 5m/25", "2s/move"))
    >>> [_clock_text(each.shown(each.start())._asdict()) for each in controls]
    [' (1m30s)', ' (1m, then 3 x 30s)', ' (1m, then 5m for 25)', ' (2s)']
    """
    if clock is None:
        return ""
    if not clock["periods"]:
        return f" ({_seconds(clock['left'])})"
    stones = f" for {clock['stones']}" if clock["stones"] else ""
    times = f"{clock['periods']} x " if clock["periods"] > 1 else ""
    period = f"{times}{_seconds(clock['period'])}{stones}"
    return f" ({_seconds(clock['main'])}, then {period})" if clock["main"] else f" ({period})"


def _seconds(ms: int) -> str:
    return format_duration(ms * _MS // _SECOND * _SECOND)


class Terminal:
    """The person's terminal. It implements the port `EngineStarter`: each start opens a seat for the
    person.
    """

    def __init__(
        self, loop: Loop, leave: Callable[[str], None], names: Sequence[str], tasks: Mapping[str, str]
    ) -> None:
        """Use standard input and output, without seats yet.

        Args:
            leave: Called with the reason when the player leaves the game.
            names: A printable name for each seat of the game.
            tasks: What the player who is to move has to do, by phase of the game.
        """
        self._loop = loop
        self._leave = leave
        self._names = names
        self._tasks = tasks
        self._seats: list[Seat] = []
        self._typed: deque[bytes] = deque()  # lines that no seat has got yet
        self._lines = LineReader()
        self._has_ended = False
        self._input = sys.stdin.fileno()
        self._is_terminal = os.isatty(self._input)
        self._is_watched = False

    # Seats

    def start(self, player: Player, environ: Mapping[str, str], *, place: str = "") -> HumanChannel:
        """Open a seat for the person, and return its channel."""
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        seat = Seat(ours, self._names, self._tasks)
        self._seats.append(seat)
        self._loop.watch(ours.fileno(), partial(self._on_events, seat))
        return HumanChannel(player, theirs.detach(), HumanCodec(limits=True))

    @property
    def pids(self) -> frozenset[int]:
        return frozenset()

    def close(self) -> None:
        """Release the terminal."""
        self._stop_listening()
        for seat in list(self._seats):
            self._end(seat)

    def _end(self, seat: Seat) -> None:
        self._loop.forget(seat.end.fileno())
        seat.end.close()
        self._seats.remove(seat)
        if seat.asked is not None:
            self._print("\n")  # ends the line of the prompt

    def _on_events(self, seat: Seat, _now: int) -> None:
        for each in (*[other for other in self._seats if other is not seat], seat):
            self._show(each)
        self._answer()

    def _show(self, seat: Seat) -> None:
        try:
            data = seat.end.recv(_CHUNK)
        except BlockingIOError:
            return
        except ConnectionError:
            data = b""
        if not data:
            self._end(seat)
        for line in seat.lines.feed(data):
            self._print(seat.shown(msgspec.json.decode(line)))

    def _print(self, text: str) -> None:
        """Print `text`. Leave the game if standard output fails."""
        try:
            say(text, nl=False)
        except OSError:
            forget_stdout()
            self._leave(GONE)

    # Input

    def _listen(self) -> None:
        """Wait for input, or read it at once if it is a file."""
        if self._is_watched:
            return
        try:
            self._loop.watch(self._input, self._on_input)
            self._is_watched = True
        except PermissionError:
            self._on_input(0)

    def _on_input(self, _now: int) -> None:
        self._stop_listening()
        try:
            data = os.read(self._input, _CHUNK)
        except OSError:  # the terminal has gone
            data = b""
        self._typed += self._lines.feed(data)
        self._has_ended = not data
        if self._lines.size > (0 if self._has_ended else _LONGEST):
            self._typed.append(self._lines.take_rest())
        self._answer()

    def _stop_listening(self) -> None:
        if self._is_watched:
            self._loop.forget(self._input)
            self._is_watched = False

    def _answer(self) -> None:
        """Give typed lines to the seat with an open question until it is answered. Without lines, wait for
        input.
        """
        asked = next((seat for seat in self._seats if seat.asked is not None), None)
        while self._typed and asked is not None and asked.asked is not None:
            text = self._typed.popleft()[:_LONGEST].decode("utf-8", "replace")
            if not self._is_terminal:
                self._print(f"{text}\n")
            if text.strip().lower() in LEAVING:
                asked.asked = None
                self._leave(LEFT)
                return
            asked.give(text, self._print)
        if self._typed:
            return
        if not self._has_ended:
            self._listen()
        elif asked is not None or self._is_terminal:
            self._leave(LEFT)
