"""`loadsgf` and `gomill-savesgf` for a stateful engine."""

# The SGF package is imported by the first command that needs it: most engines start, play a game, and never
# see a file.

# The SGF package is imported by the first command that needs it: most engines start, play a game, and never
# see a file.

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gyoji.core.boards import bits
from gyoji.core.faults import IllegalMove
from gyoji.engines.gtp import Arguments, GtpError, command
from gyoji.engines.gtp_states import GoEngine, Stone
from gyoji.games.go.board import MAX_SIDE, PASS, Board
from gyoji.games.go.position import Position

if TYPE_CHECKING:
    from gyoji.games.go.sgf_reader import MainLine

_TEXTS = {"PB", "PW", "GN", "GC", "EV", "RO", "PC", "DT", "RE", "RU", "US", "SO", "AP", "C", "BR", "WR", "TM"}


class FilingEngine(GoEngine):
    """A stateful engine that reads and writes SGF files, with the rights of its user."""

    @command("loadsgf")
    def _loadsgf(self, args: Arguments) -> str:
        """Handle `FILE [NUMBER]`: set up the game before that move, from 1. Answer with the colour to
        play.
        """
        from gyoji.games.go.sgf_reader import read  # noqa: PLC0415

        path, number = args.text(0, "a file"), args.integer(1) if len(args) > 1 else None
        try:
            with open(path, "rb") as file:
                line, *_ = read(file.read())
        except (OSError, ValueError) as error:
            raise GtpError(f"cannot load file: {error}") from None
        if max(line.width, line.height) > MAX_SIDE or any(setup.after for setup in line.setups):
            raise GtpError(
                "cannot load file: an unsupported size, or stones set up in the middle of the game"
            )
        moves = line.moves if number is None else line.moves[: max(number - 1, 0)]
        kept = self._size, self.komi
        try:
            self._replay(line, moves)
        except IllegalMove as error:
            self._size, self.komi = kept
            self._set_up()
            raise GtpError(f"cannot load file: {error.reason}") from None
        following = line.moves[len(moves) :]
        to_play = following[0][0] if following else self.position.to_play
        return ("black", "white")[to_play]

    def _replay(self, line: "MainLine", moves: Sequence[tuple[int, tuple[int, int] | None]]) -> None:
        """Play the moves of a main line. Raises IllegalMove for an occupied point."""
        self._size, self.komi = (line.width, line.height), line.komi or 0.0
        self._set_up()
        black = white = 0
        for setup in line.setups:
            sets = (setup.black, setup.white, setup.empty)
            blacks, whites, empties = (sum({1 << self.rules.point(*at) for at in points}) for points in sets)
            black = black & ~(whites | empties) | blacks
            white = white & ~(blacks | empties) | whites
        to_play = int(black > 0 and not white) if line.to_play is None else line.to_play
        self._positions = [Position(black, white, to_play=to_play)]
        self._handicap = line.handicap or 0
        for seat, point in moves:
            self._play(Stone(seat, PASS if point is None else self.rules.point(*point)))

    @command("gomill-savesgf")
    def _savesgf(self, args: Arguments) -> None:
        r"""Handle `FILE [PROPERTY=VALUE ...]`. In a value `\_` is a blank and `\\` a backslash."""
        from gyoji.sgf.property_values import format_real, format_size, format_text  # noqa: PLC0415
        from gyoji.sgf.records import encode_game  # noqa: PLC0415

        root = {"GM": "1", "CA": "UTF-8", "SZ": format_size(*self._size), "KM": format_real(self.komi)}
        first = self._positions[0]
        if self._handicap:
            root["HA"] = str(self._handicap)
        for name, stones in (("AB", first.black), ("AW", first.white)):
            root[name] = "][".join(self._letters(point) for point in bits(stones))
        for word in args[1:]:
            name, equals, value = word.partition("=")
            if not equals or name not in _TEXTS:
                raise GtpError(f"not a property of text with a value: '{word}'")
            text = value.replace("\\\\", "\0").replace("\\_", " ").replace("\0", "\\")
            root[name] = format_text(text)
        nodes = [
            f";{'BW'[seat]}[{self._letters(move)}]" + (f"C[{format_text(comment)}]" if comment else "")
            for seat, move, comment, _ in self._stones
        ]
        try:
            with open(args.text(0, "a file"), "wb") as file:
                file.write(encode_game(root, nodes))
        except OSError as error:
            raise GtpError(f"cannot save file: {error}") from None

    def _letters(self, move: int) -> str:
        from gyoji.games.go.sgf_reader import format_move  # noqa: PLC0415

        board: Board = self.rules.board
        return format_move(None if move == PASS else board.column_row(move), *self._size)
