"""A small engine that speaks GTP. It looks one move ahead, at corners, edges and the moves of both sides."""

import sys
from collections.abc import Callable, Mapping, Sequence

from gyoji_othello.rules import SIDE, Position, moves, name, placed, square_of, squares

_CORNERS = 0x8100000000000081
_BESIDE = 0x42C300000000C342
_EDGES = 0x3C0081818181003C


class Failure(Exception):
    """A command that cannot be done; its text is the answer."""


class Engine:
    """One game after the other."""

    def __init__(self) -> None:
        self._position = Position()
        self.commands: Mapping[str, Callable[[Sequence[str]], str]] = {
            "protocol_version": lambda _: "2",
            "name": lambda _: "Tiny Othello",
            "version": lambda _: "1.0",
            "known_command": lambda words: "true" if words[0] in self.commands else "false",
            "list_commands": lambda _: "\n".join(self.commands),
            "set_game": self._set_game,
            "boardsize": self._size,
            "clear_board": self._clear,
            "play": self._play,
            "genmove": self._genmove,
            "showboard": lambda _: f"{self._position}",
            "quit": lambda _: "",
        }

    def answer(self, line: str) -> str:
        """The answer to a command, with its mark and the empty line behind it."""
        number, words = "", line.partition("#")[0].split()
        if words and words[0].isdigit():
            number = words.pop(0)
        if not words:
            return ""
        try:
            if words[0] not in self.commands:
                raise Failure("unknown command")
            return f"={number} {self.commands[words[0]](words[1:])}\n\n"
        except (Failure, ValueError, IndexError) as failure:
            return f"?{number} {failure}\n\n"

    def _set_game(self, words: Sequence[str]) -> str:
        if words != ["Othello"]:
            raise Failure("Othello is all that is played here")
        return ""

    def _size(self, words: Sequence[str]) -> str:
        if words != [str(SIDE)]:
            raise Failure("unacceptable size")
        return ""

    def _clear(self, words: Sequence[str]) -> str:
        self._position = Position()
        return ""

    def _turn(self, colour: str) -> None:
        """Who is asked to move, or told to have moved, is to move."""
        seat = {"b": 0, "black": 0, "w": 1, "white": 1}.get(colour.lower())
        if seat is None:
            raise Failure("no colour")
        if self._position.to_move != seat:
            raise Failure("illegal move: the other is to move")

    def _play(self, words: Sequence[str]) -> str:
        self._turn(words[0])
        square = square_of(words[1])
        if square not in self._legal():
            raise Failure("illegal move")
        self._position = placed(self._position, square)
        return ""

    def _genmove(self, words: Sequence[str]) -> str:
        self._turn(words[0])
        seat = self._position.to_move
        best = max(self._legal(), key=lambda square: (_worth(placed(self._position, square), seat), -square))
        self._position = placed(self._position, best)
        return name(best)

    def _legal(self) -> Sequence[int]:
        seat = self._position.to_move
        return tuple(squares(moves(self._position[seat], self._position[1 - seat])))


def _worth(position: Position, seat: int) -> int:
    own, other = position[seat], position[1 - seat]
    free = moves(own, other).bit_count() - moves(other, own).bit_count()
    places = sum(
        weight * ((own & area).bit_count() - (other & area).bit_count())
        for area, weight in ((_CORNERS, 40), (_BESIDE, -8), (_EDGES, 3))
    )
    return 4 * free + places


def main() -> None:
    """Answer lines until quit, or the end of the input."""
    engine = Engine()
    for line in sys.stdin:
        answer = engine.answer(line)
        if answer:
            sys.stdout.write(answer)
            sys.stdout.flush()
        if line.split()[:1] == ["quit"]:
            return


if __name__ == "__main__":
    main()
