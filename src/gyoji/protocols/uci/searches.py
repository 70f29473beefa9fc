"""The UCI commands that begin a search: `position` and `go`.

Clocks are sent in whole milliseconds, rounded down, and at least one: engines crash or hang if they get 0 or
a negative time.
"""

from typing import Final

from gyoji.core import messages as m
from gyoji.core.clocks import Clock, TimeControl
from gyoji.protocols.uci.game_rules import UciRules
from gyoji.protocols.uci.options import Options

START_FEN: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
_MS: Final = 1_000_000


class SearchCommands:
    """The `position` and `go` commands for the engine of one seat in one game."""

    def __init__(self, rules: UciRules, request: m.NewGame, options: Options) -> None:
        self._rules = rules
        self._seat = request.seat
        self._controls = request.controls or (request.control, request.control)
        self._sides = _sides(self._controls, request.seat)
        self._limits = b"".join(
            b" %s %d" % (word, number)
            for word, number in ((b"nodes", options.nodes), (b"depth", options.depth))
            if number
        )
        start = "startpos" if rules.start_fen == START_FEN else f"fen {rules.start_fen}"
        self._head = f"position {start}".encode()
        self._moves = [rules.format(move) for _, move in rules.opening_plays]
        self._line = b""  # `_head` and all moves
        self._write_line()
        self._made = 0  # number of own moves that no request's turns have contained yet

    @property
    def is_endless(self) -> bool:
        """Whether no limit of time, nodes or depth ends a search."""
        return self._own.is_unlimited and not self._limits

    @property
    def can_ponder(self) -> bool:
        """Whether the engine has a clock, without which it cannot plan its time after `ponderhit`."""
        return self._own.has_main

    @property
    def _own(self) -> TimeControl:
        return self._controls[self._seat]

    def limit(self, control: TimeControl) -> None:
        """Replace the time control of the engine."""
        controls = list(self._controls)
        controls[self._seat] = control
        self._controls = tuple(controls)
        self._sides = _sides(self._controls, self._seat)

    def has_moved(self) -> None:
        """Record that the engine has made a move. The turns of the next request will include that move."""
        self._made = 1

    def position(self, news: tuple[m.Turn[m.Move], ...], taken_back: int) -> bytes:
        """Return the `position` command for the current position.

        Args:
            news: The turns played since the last request, as in `AskMove`.
            taken_back: Number of turns to undo before `news`, as in `AskMove`.
        """
        if taken_back:
            # The turns taken back may include the engine's last move, which no request's turns have contained
            # yet.
            kept = len(self._moves) - max(taken_back - self._made, 0)
            del self._moves[kept:]
            self._write_line()
        self._made = 0
        for turn in news:
            for _, move in turn:
                text = self._rules.format(move)
                if not self._moves:
                    self._line += b" moves"
                self._moves.append(text)
                self._line += b" " + text.encode()
        return self._line + b"\n"

    def _write_line(self) -> None:
        moves = f" moves {' '.join(self._moves)}" if self._moves else ""
        self._line = self._head + moves.encode()

    def go(self, clock: Clock, clocks: tuple[Clock, ...]) -> bytes:
        """Return the `go` command.

        Args:
            clock: The engine's clock.
            clocks: The clocks of both seats, or () to send the engine's own for both.
        """
        own = self._own
        if own.has_main:
            return self._go_by_clock(own, clock, clocks)
        time = b" movetime %d" % max(own.move // _MS, 1) if own.move else b""
        return b"go%s%s\n" % (self._limits, time)

    def _go_by_clock(self, own: TimeControl, clock: Clock, clocks: tuple[Clock, ...]) -> bytes:
        white = black = clock
        of_white = of_black = own
        if clocks:
            (seat, of_white), (other, of_black) = self._sides
            white, black = clocks[seat], clocks[other]
        moves = _moves_to_go(own, clock)
        return b"go%s wtime %d btime %d winc %d binc %d%s\n" % (
            self._limits,
            _left(of_white, white),
            _left(of_black, black),
            of_white.increment_of(white) // _MS,
            of_black.increment_of(black) // _MS,
            b" movestogo %d" % moves if moves else b"",
        )

    def ponder(self, made: str, expected: str, clock: Clock, clocks: tuple[Clock, ...]) -> bytes:
        """Return the commands to ponder on the position after the engine's move and the expected reply.

        Args:
            made: The engine's move, in coordinate notation.
            expected: The reply that the engine expects.
            clock: The engine's clock.
            clocks: The clocks of both seats, or () to send the engine's own for both.
        """
        moves = b"" if self._moves else b" moves"
        go = self.go(clock, clocks).replace(b"go", b"go ponder", 1)
        return self._line + moves + f" {made} {expected}\n".encode() + go


def _sides(
    controls: tuple[TimeControl, ...], own: int
) -> tuple[tuple[int, TimeControl], tuple[int, TimeControl]]:
    """Return (seat, time control) of the clock sent as White's, and of the clock sent as Black's.

    If only the other seat has no clock, the engine's own clock is sent in its place.
    """
    white, black = (
        (seat, control) if control.has_main else (own, controls[own])
        for seat, control in enumerate(controls[:2])
    )
    return white, black


def _left(control: TimeControl, clock: Clock) -> int:
    """Return the milliseconds to send for a clock: main time or the current period, but at most the limit for
    a move.
    """
    left = clock.main if clock.main > 0 or not clock.periods else clock.period
    if control.move:
        left = min(left, control.move)
    return max(left // _MS, 1)


def _moves_to_go(control: TimeControl, clock: Clock) -> int:
    """Return for how many moves the time sent must last; 0 for the rest of the game."""
    if control.move:
        return 1
    return clock.stones if clock.periods and clock.main <= 0 else 0
