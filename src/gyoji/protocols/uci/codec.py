"""The codec of UCI, the Universal Chess Interface: requests become commands, and output becomes replies."""

# Theory of operation
#
#     NewGame   uci                                 -> id, option ..., uciok
#               setoption ..., isready              -> readyok
#               ucinewgame, isready                 -> readyok: Ready
#               (another game of the same process begins with ucinewgame)
#     AskMove   position ... moves ..., go ...      -> info ..., bestmove
#     AskHint   the same; the move is not played
#     ponder    position ... moves ... OWN EXPECTED, go ponder ...   no answer is due
#     AskMove   ponderhit                           -> bestmove, if the expected move was made
#               stop                                -> bestmove, ignored; then position and go, if it was not
#     Quit      quit                                -> the engine ends, and closes its output
#
# The protocol has no commands for results and scores. The codec answers those requests itself
# (`answers_itself`).
#
#     greeting --uciok--> configured --readyok--> new game --readyok--> idle
#     idle --go--> thinking --bestmove--> idle
#     idle --go ponder--> pondering --ponderhit--> thinking
#                             +------stop--> stopping --bestmove--> thinking
#
# In each state only the expected lines count. The protocol demands that unknown lines are ignored, and
# engines print banners, debug output and empty lines at any time.
#
# Invariants and cases (the numbers are those of docs/reference/uci.md)
#
# * Options precede `ucinewgame`, because a network that an option names is loaded at once or at `isready` (2,
#   4). `isready` after `ucinewgame` lets an engine allocate memory before its clock runs (5). It is not sent
#   between moves: it would cost a round trip per move, and `bestmove` already shows that the engine responds.
# * Engines that ignore `go nodes` think for ever (20). In the check before a run an engine without another
#   limit searches one node.
# * A `bestmove` without a search is counted and reported at the end (18). So is one whose line began before
#   the request was sent.
# * Of the scores before a `bestmove`, the last exact one counts, or the last bound if none is exact (22), and
#   only those of the first variation (23). They are parsed once, when the move arrives: engines print
#   hundreds of lines for a move.
# * An unreadable move loses like an illegal one, and the record quotes it (31).
# * A `bestmove` that an engine sends while it ponders is kept until it is known whether the expected move was
#   made (37). If another move was made, the new position is sent when the old search has ended (38): engines
#   treat `position` during a search as an error.

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, ClassVar

from gyoji.core import messages as m
from gyoji.core.clocks import Clock
from gyoji.core.lines import LineReader
from gyoji.core.ports import needed
from gyoji.core.text import quote
from gyoji.protocols.uci.engine_options import EngineOption, read_option, setoption_lines
from gyoji.protocols.uci.game_rules import UciRules
from gyoji.protocols.uci.info import is_bound, is_score, read_info
from gyoji.protocols.uci.options import Options
from gyoji.protocols.uci.searches import SearchCommands

_MOST_OPTIONS = 1_000
_MOST_NAME = 200


class UciCodec:
    """The codec (port `Codec`) of one UCI engine. The first request must be `NewGame`, with `UciRules`."""

    answers_itself: ClassVar[bool] = True

    def __init__(self, options: Options) -> None:
        self._options = options
        self._reader = LineReader()
        self._out: list[m.Reply] = []
        # A function of the class: a bound method would be a reference cycle for the garbage collector.
        self._listener: Callable[[Any, bytes], None] = UciCodec._heard_unasked
        self._declared: dict[str, EngineOption] = {}
        self._name = self._author = ""
        self._tries_nodes = False  # whether a search of one node has to show that nodes are obeyed
        self._is_stale = False  # the incomplete line had begun before the question
        self._is_hinting = self._is_parting = self._has_played = False
        self._unasked = 0  # number of moves that answered nothing
        self._first_unasked = b""
        self._exact = self._bound = b""  # the last info line with an exact score, and a later bound
        self._patterns = tuple(re.compile(pattern.encode()) for pattern in options.keep_lines)
        self._matched: dict[int, bytes] = {}  # pattern -> the last line that matches it
        self._own = self._expected = ""  # the last answer, and the answer to it that the engine expects
        self._is_pondering = False
        self._kept = b""  # a bestmove that came while it pondered
        self._later = b""  # what to send when it has stopped
        self._white_view = False
        self._view: object = None  # the position of the last question
        self._rules: UciRules
        self._commands: SearchCommands

    # Requests

    def send(self, request: m.Request) -> bytes:
        """Return the commands to write to the engine for a request of the referee (`Codec.send`)."""
        if type(request) is m.AskMove:
            return self._ask(request)
        if isinstance(request, m.NewGame):
            return self._prepare(request)
        if isinstance(request, m.AskHint):
            self._is_hinting, self._view = True, request.view
            question = self._question(request, ())
            return self._after_pondering(question) if self._is_pondering else question
        if isinstance(request, m.Quit):
            return self._part(request)
        if isinstance(request, m.TellMoves):
            self._commands.position(request.news, request.taken_back)
            self._out.append(m.Acknowledged())
        else:
            self._out.append(m.Scored())
        return b""

    def _prepare(self, request: m.NewGame) -> bytes:
        self._rules = rules = needed(request.rules, UciRules, "uci", "chess")
        options = self._options
        self._commands = SearchCommands(rules, request, options)
        self._white_view = options.score_side == "white" and request.seat == 1
        if self._commands.is_endless:
            self._out.append(
                m.Unsupported("would think for ever: give it a clock, nodes = ... or depth = ...")
            )
            return b""
        is_limited = request.control.is_unlimited and not options.depth
        self._tries_nodes = request.is_trial and bool(options.nodes) and is_limited
        self._expected, self._is_pondering = "", False
        if self._has_played:
            self._listener = UciCodec._heard_new_game
            return b"ucinewgame\nisready\n"
        self._listener = UciCodec._heard_greeting
        return b"uci\n"

    def _part(self, request: m.Quit) -> bytes:
        stop = b"stop\n" if self._is_pondering and not self._kept else b""
        if request.keep:
            if stop:
                self._listener = UciCodec._heard_last
            else:
                self._out.append(self._parted(stays=True))
            return stop
        self._is_parting = True
        return stop + b"quit\n"

    def _parted(self, *, stays: bool = False) -> m.HasQuit:
        problem = ""
        if self._unasked:
            times = "once" if self._unasked == 1 else f"{self._unasked} times"
            problem = f"sent a move {times} when nothing was asked, first {quote(self._first_unasked)}"
        self._unasked = 0
        return m.HasQuit(problem=problem, stays=stays)

    def _ask(self, request: m.AskMove) -> bytes:
        if request.control is not None:
            self._commands.limit(request.control)
        self._is_hinting = False
        self._view = request.view
        if not self._is_pondering:
            return self._question(request, request.clocks)
        told = [self._rules.format(move) for turn in request.news for _, move in turn]
        if told == [self._own, self._expected] and not request.taken_back:
            self._commands.position(request.news, 0)
            self._is_pondering = False
            self._listener = UciCodec._heard_move
            if not self._kept:
                return b"ponderhit\n"
            self._heard_move(self._kept)
            return b""
        return self._after_pondering(self._question(request, request.clocks))

    def _question(self, request: m.AskMove | m.AskHint, clocks: tuple[Clock, ...]) -> bytes:
        """Return the commands that begin a search. The output of the last search is forgotten."""
        self._begin_search(UciCodec._heard_move)
        commands = self._commands
        return commands.position(request.news, request.taken_back) + commands.go(request.clock, clocks)

    def _begin_search(self, listener: Callable[[Any, bytes], None]) -> None:
        self._is_stale = bool(self._reader.size)
        self._exact = self._bound = b""
        self._matched = {}
        self._listener = listener

    def ponder(self, clock: Clock, clocks: tuple[Clock, ...]) -> bytes:
        """Return the commands that make the engine think on the reply that it expects (`Ponders`)."""
        if not self._expected or not self._commands.can_ponder:
            return b""
        self._is_pondering, self._kept = True, b""
        self._begin_search(UciCodec._heard_pondering)
        return self._commands.ponder(self._own, self._expected, clock, clocks)

    def _after_pondering(self, question: bytes) -> bytes:
        """Return the commands that follow if the engine was pondering on another move than the one made.

        Args:
            question: The commands of the next search. If the pondering engine has already sent its
                `bestmove`, they are returned. If not, they are kept until it has answered `stop`.
        """
        self._is_pondering = False
        if self._kept:
            return question
        self._later = question
        self._listener = UciCodec._heard_stopped
        return b"stop\n"

    # Answers

    def receive(self, data: bytes) -> Sequence[m.Reply]:
        """Return the replies that are due, and those that `data` completes (`Codec.receive`)."""
        for line in self._reader.feed(data):
            text = line.strip()
            if self._is_stale:
                self._is_stale = False
                self._heard_unasked(text)
            else:
                self._listener(self, text)
        out, self._out = self._out, []
        return out

    def finish(self) -> Sequence[m.Reply]:
        """Return the last replies of an engine that closed its output. A line without an end counts too."""
        out = [reply for reply in self.receive(b"\n") if type(reply) is not m.More]
        if self._is_parting:
            out.append(self._parted())
        return out

    def _heard_unasked(self, line: bytes) -> None:
        """Count a `bestmove` without a search. The number is reported at the end of the game."""
        if line.startswith(b"bestmove"):
            self._unasked += 1
            self._first_unasked = self._first_unasked or line

    def _heard_greeting(self, line: bytes) -> None:
        word, _, rest = line.partition(b" ")
        if word == b"option" and len(self._declared) < _MOST_OPTIONS:
            option = read_option(line.decode("utf-8", "replace"))
            if option is not None:
                self._declared[option.name.lower()] = option
        elif word == b"id":
            key, _, value = rest.strip().partition(b" ")
            text = value.strip().decode("utf-8", "replace")[:_MOST_NAME]
            if key == b"name":
                self._name = self._name or text
            elif key == b"author":
                self._author = self._author or text
        elif word == b"uciok":
            self._configure()

    def _configure(self) -> None:
        options = self._options
        lines, problems = setoption_lines(
            self._declared, options.options, chess960=self._rules.chess960, ponders=options.go_ponder
        )
        if problems:
            self._listener = UciCodec._heard_unasked
            self._out.append(m.Unsupported("; ".join(problems)))
            return
        self._listener = UciCodec._heard_configured
        self._out.append(m.More("".join(f"{line}\n" for line in (*lines, "isready")).encode()))

    def _heard_configured(self, line: bytes) -> None:
        if line == b"readyok":
            self._listener = UciCodec._heard_new_game
            self._out.append(m.More(b"ucinewgame\nisready\n"))

    def _heard_new_game(self, line: bytes) -> None:
        if line != b"readyok":
            self._heard_unasked(line)
            return
        if self._tries_nodes:
            self._tries_nodes = False
            self._listener = UciCodec._heard_trial
            text = "it does not answer `go nodes 1`: give it a clock or depth in place of nodes"
            self._out += (m.Warned(text), m.More(b"position startpos\ngo nodes 1\n"))
            return
        self._has_played = True
        self._listener = UciCodec._heard_unasked
        description = f"{self._name} by {self._author}" if self._name and self._author else self._name
        ready = m.Ready(
            name=self._name,
            description=description,
            can_score=False,
            knows_rules=True,
            resumes=False,
            tells_dead=False,
            gives_hints=True,
            takes_limits=True,
            ponders=self._options.go_ponder,
        )
        self._out.append(ready)

    def _heard_trial(self, line: bytes) -> None:
        """Wait for the answer to `go nodes 1`, a test before the first game. Then begin a new game again."""
        if line.startswith(b"bestmove"):
            self._listener = UciCodec._heard_new_game
            self._out.append(m.More(b"ucinewgame\nisready\n"))

    def _heard_move(self, line: bytes) -> None:
        if self._patterns:
            for index, pattern in enumerate(self._patterns):
                if pattern.search(line):
                    self._matched[index] = line
        if line.startswith(b"info"):
            if is_score(line):
                if is_bound(line):
                    self._bound = line
                else:
                    self._exact, self._bound = line, b""
        elif line.startswith(b"bestmove"):
            self._listener = UciCodec._heard_unasked
            self._answer(line)

    def _heard_pondering(self, line: bytes) -> None:
        if line.startswith(b"bestmove"):
            self._kept = line
        else:
            self._heard_move(line)

    def _heard_stopped(self, line: bytes) -> None:
        if line.startswith(b"bestmove"):
            self._listener = UciCodec._heard_move
            self._exact = self._bound = b""
            self._matched = {}
            self._out.append(m.More(self._later))

    def _heard_last(self, line: bytes) -> None:
        """Wait for the `bestmove` that ends a search which was still running when the game ended."""
        if line.startswith(b"bestmove"):
            self._listener = UciCodec._heard_unasked
            self._out.append(self._parted(stays=True))

    def _answer(self, line: bytes) -> None:
        words = line.decode("utf-8", "replace").split()
        text = words[1] if len(words) > 1 and words[0] == "bestmove" else ""
        try:
            move = self._rules.spelled(self._view, self._rules.parse(text))
        except ValueError:
            text = text or " ".join(words)
            none = m.Hint(None, f"answered with {quote(text)}")
            self._out.append(none if self._is_hinting else m.Malformed(text))
            return
        if self._is_hinting:
            self._out.append(m.Hint(move))
            return
        said = self._evaluation()
        if said is not None and self._options.pv == "strict":
            for kind, where in self._rules.variation_flaws(self._view, move, said):
                note = f"fault of its variation: {kind}{f', {quote(where)}' if where else ''}"
                self._out.append(m.Malformed(text, note))
                return
        self._commands.has_moved()
        self._own, self._expected = self._rules.format(move), ""
        if self._options.go_ponder and words[2:3] == ["ponder"] and len(words) > 3:
            with suppress(ValueError):
                self._expected = self._rules.format(self._rules.parse(words[3]))
        self._out.append(m.Moved(move, said))
        if self._matched:
            lines = [self._matched[index].decode("utf-8", "replace") for index in sorted(self._matched)]
            self._out.append(m.Comment("\n".join(lines)))

    def _evaluation(self) -> m.Evaluation | None:
        """Return the engine's evaluation of the move that it has just made, or None."""
        if not (told := self._exact or self._bound):
            return None
        said = read_info(told, white_view=self._white_view)
        if said is None or said.search is None or not (self._exact and self._bound):
            return said
        return said._replace(search=said.search._replace(newer_bound=True))
