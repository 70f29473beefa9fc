"""Adapters of a language model to the protocols of engines: GTP, Gomocup, UCI, and that of an umpire."""

import json
import os
import select
import sys
from collections.abc import Sequence
from typing import BinaryIO

from gyoji.engines.gomocup import Brain, Game, Result, Stone
from gyoji.engines.gtp import Arguments, GtpEngine, GtpError, command
from gyoji.engines.llm_player import Player
from gyoji.engines.session import Session
from gyoji.games.go.board import PASS, Board, board_of, draw, vertices_of

NAME = "gyoji-llm"
UNREADABLE = "unreadable"
"""The move that is sent by GTP and UCI if the model gave none."""


# GTP


class GtpPlayer(GtpEngine):
    """A language model as a GTP engine. It knows only captures in Go, to draw the board for the model."""

    name = NAME

    def __init__(self, player: Player) -> None:
        super().__init__()
        self._player = player
        self._size = (19, 19)
        self._komi = ""
        self._moves: list[tuple[str, str]] = []
        self._refused: list[str] = []  # refused moves in the present position
        self._is_own = False  # whether the last move is the model's

    @command("boardsize")
    def _boardsize(self, args: Arguments) -> None:
        columns = args.integer(0)
        self._size = columns, args.integer(1) if len(args) > 1 else columns

    @command("clear_board")
    def _clear(self, args: Arguments) -> None:
        self._moves, self._refused, self._is_own = [], [], False

    @command("komi")
    def _set_komi(self, args: Arguments) -> None:
        self._komi = args.text(0)

    @command("play")
    def _play(self, args: Arguments) -> None:
        self._moves.append((args.colour(0), args.text(1, "a move").upper()))
        self._refused, self._is_own = [], False

    # The referee takes back a move of the model only to ask for another one.
    @command("undo")
    def _undo(self, args: Arguments) -> None:
        if not self._moves:
            raise GtpError("cannot undo")
        _, move = self._moves.pop()
        self._refused = [*self._refused, move] if self._is_own else []
        self._is_own = False

    @command("genmove")
    def _genmove(self, args: Arguments) -> str:
        colour = args.colour(0)
        side = {"b": "Black", "w": "White"}[colour]
        if self._komi:
            game = (
                f"You play Go on a board of {self._size[0]}x{self._size[1]}, komi {self._komi}, as {side}. "
                'A move is a point such as "D4" (there is no column I), "pass" or "resign".'
            )
            board = go_board(self._moves, *self._size)
        else:
            game, board = f"You play a board game as {side}, the way GTP writes moves.", ""
        told = " ".join(f"{who.upper()} {move}" for who, move in self._moves) or "none"
        text = f"{board}Moves so far: {told}.\n{side} is to move."
        move = self._player.move(game, text, self._refused, form="D4").upper() or UNREADABLE
        if move not in ("RESIGN", UNREADABLE):
            self._moves.append((colour, move))
            self._is_own = True
        return move

    @command("gomill-explain_last_move")
    def _explain(self, args: Arguments) -> str:
        return self._player.words


def go_board(moves: Sequence[tuple[str, str]], columns: int, rows: int) -> str:
    """Draw a Go board after some moves. Return "" if a move is neither a vertex of the board nor a pass.

    Args:
        moves: For each move its colour and its vertex.
    """
    stones = {"b": 0, "w": 0}
    try:
        board = board_of(columns, rows)
        for colour, vertex in moves:
            if (point := vertices_of(board).parse(vertex)) != PASS:
                other = "w" if colour == "b" else "b"
                stones[colour] |= board.places[point].bit
                stones[other] &= ~board.places[point].bit
                for each, _ in board.places[point].neighbours:
                    _capture(board, stones, other, each)
                _capture(board, stones, colour, board.places[point].bit)
    except (ValueError, KeyError):  # not a vertex of the board, or several at once
        return ""
    return f"{draw(board, stones['b'], stones['w'])}\nX is Black, O is White.\n"


def _capture(board: Board, stones: dict[str, int], colour: str, seed: int) -> None:
    """Remove the group of the stone `seed` if the group has that colour and no liberty."""
    empty = board.full & ~(stones["b"] | stones["w"])
    if seed & stones[colour]:
        stones[colour] &= ~board.smothered(seed, stones[colour], empty)


# Gomocup


class GomocupPlayer(Brain):
    """A language model as a program that speaks the Gomocup protocol."""

    def __init__(self, player: Player) -> None:
        super().__init__(self._think, name=NAME)
        self._player = player
        self._asked: frozenset[Stone] = frozenset()  # the stones of the last question
        self._refused: list[str] = []
        self._last = ""

    # If the same stones are asked about again, the last answer was refused.
    def _think(self, game: Game) -> Result:
        stones = frozenset(game.stones)
        self._refused = [*self._refused, self._last] if stones == self._asked and self._last else []
        self._asked, self._last = stones, ""
        text = (
            f"You play gomoku on a board of {game.width}x{game.height}, rule {game.rule} of Gomocup. "
            'A move is "x,y", column and row from 0 at the upper left.'
        )
        fields = {(stone.x, stone.y): " XO#"[stone.field] for stone in stones}
        rows = [" ".join(fields.get((x, y), ".") for x in range(game.width)) for y in range(game.height)]
        board = "\n".join(
            (*rows, "X are your stones, O the opponent's, # counts for nobody. You are to move.")
        )
        move = self._player.move(text, board, self._refused, form="7,7")
        numbers = move.split(",")
        if len(numbers) != 2 or not all(each.isdecimal() and len(each) < 4 for each in numbers):
            raise Unanswered
        point = int(numbers[0]), int(numbers[1])
        if point not in game.empty:
            self._last = move
            raise Unanswered
        self._last = move
        return Result(point, message=self._player.words)

    # The answer is then two numbers without a comma, which is not a move: the referee decides what follows.
    def _reply(self, line: bytes) -> tuple[bytes, bool]:
        try:
            return super()._reply(line)
        except Unanswered:
            return f"MESSAGE {self._player.words}\n{NO_POINT}\n".encode(), False


NO_POINT = "0 0"


class Unanswered(BaseException):
    """Raised if the model gave no free point. A BaseException, as `Brain` answers ERROR to an Exception."""


# UCI


class UciPlayer(Session):
    """A language model as a UCI engine. The model gets the `position` command instead of a drawn board."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self._position = "startpos"
        self._asked = ""  # the position that was last asked about
        self._refused: list[str] = []
        self._last = ""

    def _reply(self, line: bytes) -> tuple[bytes, bool]:
        word, _, rest = line.decode("utf-8", "replace").strip().partition(" ")
        if word == "uci":
            return f"id name {NAME}\nid author the gyoji team\nuciok\n".encode(), False
        if word == "isready":
            return b"readyok\n", False
        if word == "ucinewgame":
            self._asked, self._refused = "", []
        elif word == "position":
            self._position = rest.strip()
        elif word == "go":
            return self._go(), False
        return b"", word == "quit"

    # If the same position is asked about again, the last answer was refused.
    def _go(self) -> bytes:
        again = self._position == self._asked
        self._refused = [*self._refused, self._last] if again and self._last else []
        self._asked = self._position
        game = "You play chess. A move is two squares such as e2e4, with a letter for a promotion: e7e8q."
        count = len(self._position.partition(" moves ")[2].split())
        is_black = (" b " in self._position.partition(" moves ")[0]) != (count % 2 == 1)
        side = "Black" if is_black else "White"
        text = f"The position, as UCI writes it: {self._position}\nYou are {side}, and to move."
        self._last = self._player.move(game, text, self._refused, form="e2e4")
        print(self._player.words, file=sys.stderr)  # records have no comments by UCI
        return f"info string {self._player.words}\nbestmove {self._last or UNREADABLE}\n".encode()


# An umpire


class SpokenPlayer:
    """A language model as a player of a game with an umpire.

    The umpire sends lines. If several arrive together, only the last one is a question.
    """

    def __init__(self, player: Player, *, is_json: bool) -> None:
        self._player = player
        self._is_json = is_json
        self._heard: list[str] = []

    def answer(self, lines: Sequence[str]) -> str:
        """Return the model's answer, in one line, to the last of these lines from the umpire."""
        self._heard += lines
        kind = "a value in JSON" if self._is_json else "a line of text"
        game = f"You play a game whose referee sends you lines. The last is a question: answer it by {kind}."
        form = "(your answer)" if self._is_json else '"(your answer)"'
        answer = self._player.answer(
            game, "\n".join(self._heard), form=form, wanted=object if self._is_json else str
        )
        print(self._player.words, file=sys.stderr)
        if self._is_json:
            return json.dumps(answer)
        return " ".join((answer or "").split())

    def run(self, source: int, sink: BinaryIO) -> None:
        """Read questions from a file descriptor until it ends, and write the answers to `sink`."""
        rest = b""
        while piece := os.read(source, 1 << 16):
            rest += piece
            if not rest.endswith(b"\n") or select.select([source], [], [], 0.05)[0]:
                continue  # more of the same lines will follow
            lines, rest = rest.decode("utf-8", "replace").splitlines(), b""
            sink.write(self.answer(lines).encode() + b"\n")
            sink.flush()


# The choice of the protocol


def face_of(first: bytes, player: Player) -> Session:
    """Return the adapter for the protocol whose conversation begins with this line: UCI, Gomocup, or else
    GTP.
    """
    words = first.split()
    word = words[0].upper() if words else b""
    if word == b"UCI":
        return UciPlayer(player)
    if word in (b"START", b"RECTSTART", b"ABOUT", b"INFO", b"BEGIN", b"RESTART"):
        return GomocupPlayer(player)
    return GtpPlayer(player)
