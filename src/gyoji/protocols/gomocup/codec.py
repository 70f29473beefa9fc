"""The codec of the Gomocup protocol, spoken by gomoku engines, which are called brains."""

# Theory of operation
#
#     NewGame    ABOUT, START n  -> OK     then INFO max_memory, timeout_match, ..., which have no answer
#                RESTART         -> OK     for another game of the same size and rule
#     AskMove    INFO time_left, then BEGIN | TURN x,y | BOARD .. DONE  -> x,y
#                TAKEBACK x,y    -> OK     before that, if the brain's board is not as it should be
#                SWAP2BOARD .. DONE        in the phases of a swap2 opening
#     ImposeMove PLAY x,y        -> x,y    the answer to SUGGEST x,y, if a person chooses the move
#     AskHint    RESTART, BOARD .. DONE    -> x,y: a move for the other side, which is not made
#     Quit       END             -> the brain ends, and closes its output
#
# The protocol has no commands for the moves after a brain's last one, or for the score. The codec answers
# those requests itself (`answers_itself`).
#
# Output is read line by line. MESSAGE, DEBUG and any other text may come at any time, so only its form makes
# a line an answer. The listener, which is the present state, handles the line:
#
#     unasked ----NewGame----> preparing ---OK, or refused---> unasked
#        |
#        +--AskMove--> on the way --OK--> heard move --point--> unasked        TAKEBACK or RESTART first
#        |                 | refused: the next way, or Unsupported
#        +--AskMove--> heard move --point--> unasked
#        +--AskMove--> heard choice --points or SWAP--> unasked                in a phase of swap2
#
# Invariants and cases
#
# * An answer without a question is counted and reported at the end (`_heard_unasked`). So is an answer whose
#   line began before the question was sent (`_is_stale`).
# * Answers may come late or be malformed. Only the clock ends the wait, so the last line that was no answer
#   is kept for the reason of the loss (`Warned`). Two numbers without a comma (`lacks_comma`) are a malformed
#   answer, which loses at once.
# * TURN adds a move to the brain's own board, so `_known` and `_made` mirror that board. `ways` in `commands`
#   lists the command sequences that lead from it to the position of the game; if the brain refuses one, the
#   next is tried.
# * Brains expect SWAP2BOARD either with or without colours (Rapfi 0.43 wants them). `swap2_colours` chooses,
#   and `_misread` mentions the other form in the reason of a loss.
# * ERROR may be a remark or a refusal. It ends the request only with `strict`, or where it can only be a
#   refusal.

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from msgspec.structs import replace

from gyoji.core import messages as m
from gyoji.core.evaluation import read_words
from gyoji.core.ports import needed
from gyoji.core.text import quote
from gyoji.protocols.gomocup.commands import (
    UNLIMITED_LINE,
    Preparation,
    Tables,
    Way,
    swap2_lines,
    tables,
    time_left_line,
    turn_limit_line,
    ways,
)
from gyoji.protocols.gomocup.game_rules import GomokuGame
from gyoji.protocols.gomocup.lines import (
    REFUSALS,
    Kind,
    Line,
    Lines,
    lacks_comma,
    leading_point,
    read_line,
    read_points,
)
from gyoji.protocols.gomocup.options import Options

_SWAP = "SWAP"
THREE, CHOICE, LAST = "swap2: three stones", "swap2: choice", "swap2: last choice"
"""The names of the phases of swap2 in the rules."""
_STONES = {THREE: (3,), CHOICE: (1, 2), LAST: (1,)}
"""The valid numbers of points in an answer, by phase of swap2."""
_DUE = {CHOICE: "SWAP, one stone or two", LAST: "SWAP or one stone"}
"""Descriptions of a valid answer, for the phases of swap2 with stones on the board."""


class GomocupCodec:
    """The codec (port `Codec`) of one Gomocup brain.

    The first request must be `NewGame`, with rules that have the members of `GomokuGame`.
    """

    answers_itself: ClassVar[bool] = True

    def __init__(self, options: Options) -> None:
        self._options = options
        self._lines = Lines()
        self._out: list[m.Reply] = []
        # A function of the class: a bound method would be a reference cycle for the garbage collector.
        self._listener: Callable[[Any, Line], None] = _HEARD_UNASKED
        self._is_stale = False  # the incomplete line had begun before the question
        self._is_parting = False
        self._said: list[str] = []  # MESSAGE lines since the last question
        self._evaluated = 0  # number of these lines whose evaluation went with the move
        self._unasked = 0  # number of answers to nothing
        self._first_unasked = ""
        self._preparation = Preparation(options)
        self._tells_time = False
        self._no_time = b""  # the line instead of INFO time_left
        self._may_turn = True
        self._has_asked = False
        self._phase = ""
        self._error = ""  # the last ERROR since SWAP2BOARD
        self._is_hinting = False
        self._kept: list[m.Move] | None = None  # `_known` before a hint
        self._known: list[m.Move] | None = []  # stones on the brain's board; None if not those of the game
        self._made: m.Move | None = None  # its last answer; on the board unless the game took another move
        self._way, self._ways = Way((), b""), list[Way]()  # to the position, and alternatives
        self._tables: Tables
        self._game: GomokuGame

    # Requests

    def send(self, request: m.Request) -> bytes:
        """Return the lines to write to the brain for a request of the referee (`Codec.send`)."""
        if type(request) is m.ImposeMove:  # the same turn: MESSAGE lines so far belong to its answer
            self._listener = _HEARD_MOVE
            return b"PLAY %s\r\n" % self._tables.names[request.move]
        if self._said:
            self._pass_on_words()
        if type(request) is m.AskMove:
            return self._ask(request)
        if isinstance(request, m.NewGame):
            return self._prepare(request)
        if isinstance(request, m.Quit):
            return self._part(request)
        if isinstance(request, m.AskHint):
            return self._ask_for_hint(request)
        self._out.append(m.Acknowledged() if isinstance(request, m.TellMoves) else m.Scored())
        return b""

    def _pass_on_words(self) -> None:
        """Report the brain's MESSAGE lines since the last request as a comment on its answer."""
        if self._has_asked:
            text = "\n".join(self._said)
            is_new = len(self._said) > self._evaluated
            self._out.append(m.Comment(text, read_words(text) if is_new else None))
        self._said.clear()
        self._evaluated = 0

    def _part(self, request: m.Quit) -> bytes:
        if request.keep:
            self._has_asked = False  # MESSAGE lines from now on belong to no move
            self._out.append(self._parted(stays=True))
            return b""
        self._is_parting = True
        return b"END\r\n"

    def _parted(self, *, stays: bool = False) -> m.HasQuit:
        problem = ""
        if self._unasked:
            times = "once" if self._unasked == 1 else f"{self._unasked} times"
            problem = f"answered {times} when nothing was asked, first {quote(self._first_unasked)}"
        self._unasked, self._first_unasked = 0, ""
        return m.HasQuit(problem=problem, stays=stays)

    def _prepare(self, request: m.NewGame) -> bytes:
        game, options = needed(request.rules, GomokuGame, "gomocup", "gomoku"), self._options
        if not self._preparation.fits(game):
            self._out.append(m.Unsupported("was started for a board of another size or another rule"))
            return b""
        self._game, self._seat, self._tables = game, request.seat, tables(game.board)
        self._tells_time = request.control.has_main and options.time_left != "never"
        self._no_time = UNLIMITED_LINE if options.time_left == "always" else b""
        self._may_turn = options.turn_after_one_stone or not game.stones(request.view)
        self._has_asked, self._known, self._made, self._is_hinting = False, [], None, False
        self._listener = GomocupCodec._heard_preparing
        return self._preparation.begin(request, game)

    # Asking for a move

    def _ask(self, request: m.AskMove) -> bytes:
        news, clock = request.news, request.clock
        self._is_stale = self._lines.has_begun
        if request.control is not None:
            self._tells_time = request.control.has_main and self._options.time_left != "never"
            is_fixed = "timeout_turn" in self._options.info  # by the player's settings
            line = b"" if is_fixed else turn_limit_line(request.control)
            return line + self._ask(replace(request, control=None))
        time_left = time_left_line(clock) if self._tells_time else self._no_time
        if len(news) == 2 and news[0] == ((self._seat, self._made),):
            # Nearly every request: the brain's own move and one reply to it. Comparing boards of 60 stones
            # takes 18 us, half the cost of a move (python -m bench).
            seat, move = news[1][0]
            turn = self._tables.turns.get(move)
            if turn is not None and seat != self._seat and self._known is not None:
                self._known += (self._made, move)
                self._made = None
                self._listener = _HEARD_MOVE
                return time_left + turn
        return time_left + self._ask_anew(request)

    def _ask_anew(self, request: m.AskMove) -> bytes:
        """Ask for a move after comparing the brain's board with the game's.

        Used for the first move, in swap2, and when the game differs from the brain's own board.
        """
        game, view = self._game, request.view
        self._has_asked = True
        stones = game.stones(view)
        if request.phase in _STONES:
            self._phase, self._listener = request.phase, GomocupCodec._heard_choice
            self._error = ""
            return swap2_lines(stones, self._tables.names, has_colours=self._options.swap2_colours)
        known = self._brains_stones()
        self._known, self._made = [move for move, _ in stones], None
        own, dead = game.colour(view, self._seat), game.dead(view)
        self._ways = ways(known, stones, own, dead, self._tables, may_turn=self._may_turn)
        return self._try_next_way()

    def _ask_for_hint(self, request: m.AskHint) -> bytes:
        """Ask the brain for a move of the other side.

        For this question the brain is sent the board with colours swapped. So the board has to be set up
        again before the brain's next move.
        """
        game, view = self._game, request.view
        self._is_stale, self._is_hinting = self._lines.has_begun, True
        self._kept = self._brains_stones()
        self._known = self._made = None
        own, dead = game.colour(view, request.seat), game.dead(view)
        self._ways = ways(None, game.stones(view), own, dead, self._tables)
        time_left = time_left_line(request.clock) if self._tells_time else self._no_time
        return time_left + self._try_next_way()

    def _brains_stones(self) -> list[m.Move] | None:
        """Return the moves on the brain's board, its last answer included. Return None if the brain has
        another board than the game, as during a hint.
        """
        return self._known if self._known is None or self._made is None else [*self._known, self._made]

    def _try_next_way(self) -> bytes:
        self._way, *self._ways = self._ways
        return self._go_on()

    def _go_on(self) -> bytes:
        commands, question = self._way
        if not commands:
            self._listener = _HEARD_MOVE
            return question
        self._way = Way(commands[1:], question)
        self._listener = GomocupCodec._heard_on_the_way
        return commands[0]

    # Answers

    def receive(self, data: bytes) -> Sequence[m.Reply]:
        """Return the replies that `data` completes, and those due without output (`Codec.receive`)."""
        # Called without data after each request, when there is nearly always nothing due.
        if not (data or self._out):
            return ()
        # Nearly every answer is a point and a line end. Looking that up saves 3 us of the 21 to 36 that a
        # move costs (python -m bench).
        is_open = self._listener is _HEARD_MOVE and not (self._is_stale or self._is_hinting)
        is_plain = is_open and not (self._out or self._lines.size or self._said)
        if is_plain and (replies := self._tables.answers.get(data)):
            self._made = replies[0].move
            self._listener = _HEARD_UNASKED
            return replies
        for line in self._lines.feed(data):
            self._hear(read_line(line))
        out, self._out = self._out, []
        return out

    def _hear(self, line: Line) -> None:
        listener = _HEARD_UNASKED if self._is_stale else self._listener
        self._is_stale = False
        if line.kind is Kind.MESSAGE:
            self._said.append(line.rest)
        elif line.kind is not Kind.DEBUG:
            listener(self, line)

    def _heard_unasked(self, line: Line) -> None:
        """Count an answer for which there was no question. The number is reported at the end of the game."""
        if _is_answer(line):
            self._unasked += 1
            self._first_unasked = self._first_unasked or line.text

    def _heard_preparing(self, line: Line) -> None:
        if _is_answer(line):
            self._heard_unasked(line)
            return
        for reply in self._preparation.hear(line, self._said):
            if type(reply) is m.More:
                self._out.append(reply)
            else:
                self._said.clear()
                self._end_question(reply)

    def _heard_on_the_way(self, line: Line) -> None:
        if line.kind is Kind.OK:
            self._out.append(m.More(self._go_on()))
        elif line.kind not in REFUSALS:
            self._heard_unasked(line)
        elif self._ways:
            self._out.append(m.More(self._try_next_way()))
        else:
            if self._is_hinting:
                self._known = self._kept
            self._end_question(m.Unsupported(f"refused RESTART and a second START: {quote(line.text)}"))

    def _heard_move(self, line: Line) -> None:
        is_suggestion = line.kind is Kind.SUGGEST
        point = leading_point(line.rest if is_suggestion else line.text)
        if point is None:
            self._heard_no_answer(line)
            return
        moves = self._moves([point])
        if is_suggestion and moves and not self._is_hinting and self._options.suggestions == "ask":
            self._end_question(m.Suggested(moves[0]))
            return
        if is_suggestion and moves and not self._is_hinting:
            self._out.append(m.More(b"PLAY %s\r\n" % self._tables.names[moves[0]]))
            return
        self._made = moves[0] if moves and not self._is_hinting else None
        self._answer(line, moves)

    def _heard_choice(self, line: Line) -> None:
        """Handle a line while the brain makes a choice of the swap2 opening."""
        points = read_points(line.text)
        if line.text.upper() == _SWAP:
            self._answer(line, [] if self._phase == THREE else [self._game.parse("swap")])
        elif points is not None:
            is_due = len(points) in _STONES[self._phase]
            self._answer(line, self._moves(points) if is_due else [], "" if is_due else self._misread())
        elif line.kind in REFUSALS and _is_about_swap2(line):
            self._end_question(m.Unsupported(f"does not know SWAP2BOARD: it answered {quote(line.text)}"))
        else:
            if line.kind is Kind.ERROR:
                self._error = line.text
            self._heard_no_answer(line)

    def _misread(self) -> str:
        """Return a remark for the reason of a loss by a wrong number of stones in swap2: try the other value
        of `swap2_colours`. Return "" while the brain places the first three stones, because no stone is sent
        then.
        """
        if self._phase not in _DUE:
            return ""
        said = f" after {quote(self._error)}" if self._error else ""
        other = "false" if self._options.swap2_colours else "true"
        return f"due was {_DUE[self._phase]}{said}: try swap2_colours = {other}"

    def _heard_no_answer(self, line: Line) -> None:
        """Handle a line that is neither a move nor a choice of the swap2 opening, while one of these is
        awaited.

        An ERROR line ends the request as a refusal if the option `strict` is set. Two numbers without a comma
        end the request as a malformed answer. Any other line is only a warning: if no answer follows, the
        reason of the loss quotes the last warning.
        """
        if line.kind is Kind.ERROR and self._options.strict:
            self._end_question(m.Unsupported(f"answered with {quote(line.text)}"))
        elif lacks_comma(line.text):
            self._answer(line, [])
        else:
            self._out.append(m.Warned(line.text))

    def _moves(self, points: list[tuple[int, int]]) -> list[m.Move]:
        """Return the moves at points (column, row), or [] if one of them is off the board."""
        try:
            return [self._game.point(x, y) for x, y in points]
        except ValueError:
            return []

    def _answer(self, line: Line, moves: list[m.Move], note: str = "") -> None:
        if moves:
            said = read_words("\n".join(self._said)) if self._said else None
            self._evaluated = len(self._said)
            self._end_question(m.Moved(moves[0] if len(moves) == 1 else tuple(moves), said))
        else:
            self._end_question(m.Malformed(line.text, note))

    def _end_question(self, reply: m.Reply) -> None:
        if self._is_hinting:
            self._is_hinting = False
            self._said.clear()  # MESSAGE lines about a move that is not made
            self._evaluated = 0
            if isinstance(reply, m.Moved):
                reply = m.Hint(reply.move)
            elif isinstance(reply, m.Malformed):
                reply = m.Hint(None, f"answered with {quote(reply.text)}")
        self._out.append(reply)
        self._listener = _HEARD_UNASKED

    def finish(self) -> Sequence[m.Reply]:
        """Return the last replies of a brain that closed its output. A line without a line end counts too."""
        for line in self._lines.feed(b"\n"):
            self._hear(read_line(line))
        if self._is_parting:
            self._out.append(self._parted())
        elif self._said and self._listener is _HEARD_UNASKED:
            self._pass_on_words()
        out, self._out = self._out, []
        return [reply for reply in out if type(reply) is not m.More]


_HEARD_MOVE, _HEARD_UNASKED = GomocupCodec._heard_move, GomocupCodec._heard_unasked


def _is_answer(line: Line) -> bool:
    """Return whether a line has the form of an answer: SWAP, or points such as "7,7"."""
    return line.text.upper() == _SWAP or read_points(line.text) is not None


def _is_about_swap2(line: Line) -> bool:
    """Return whether an ERROR or UNKNOWN line refuses the command SWAP2BOARD.

    An ERROR line refuses it if the line names SWAP2BOARD. An UNKNOWN line refuses it unless the line names
    INFO, which was sent before SWAP2BOARD.
    """
    text = line.text.upper()
    return "SWAP2BOARD" in text if line.kind is Kind.ERROR else "INFO" not in text
