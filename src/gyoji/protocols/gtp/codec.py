"""The codec of GTP 2, the Go Text Protocol: requests become commands, and responses become replies."""

# Theory of operation
#
# `conversation` matches responses with commands. This module knows the game, in three lists:
#
#     _turns   all turns that were in the news of requests
#     _made    the engine's own moves that were not in the news yet (at most one, except for handicap stones)
#     _told    the moves sent with the last request, to identify the one that the engine refuses
#
# `AskMove` has the turns since the engine's last request. The first of them is its own move, which it has
# already made on its board, so `_moves_since` compares that with `_made` and sends only the others:
#
#     news: ((B, D4),), ((W, E5),)      _made: [D4]      ->  "play w E5"  "genmove b"
#
# If the move in the game differs from the engine's answer, the engine has to undo its own first: "undo",
# "play b C3", ...
#
# Turns taken back are undone one by one. An engine that fails to undo, or that would have to undo handicap
# stones, is set up again: `prepare`, and then every move of `_turns` by `play`. `_is_astray` says that the
# board is wrong although nothing was taken back, after a hint that could not be undone. The request waits in
# `_later` until the board is right, and is then sent.
#
# Responses come in the order of commands, so the number of responses still awaited tells which `play` failed
# (`_play_heard`). A refused `play` during a hint is no fault: the board may differ from the game's, and is
# set up again before the next move.
#
# What may go wrong: an engine sends more or less than one response for each command (`conversation` ends the
# game), sends a vertex that is on no board (`Malformed`), or resigns or claims a win at an odd moment
# (`_decision`).

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from gyoji.core import messages as m
from gyoji.core.evaluation import read_words
from gyoji.core.ports import needed, supports
from gyoji.protocols.gtp.analysis import (
    ARGUMENTS,
    ESTIMATE,
    KATA_ANALYZE,
    LZ_ANALYZE,
    read_analysis,
    read_estimate,
)
from gyoji.protocols.gtp.conversation import Awaited, Conversation
from gyoji.protocols.gtp.dialogues import (
    CLEANUP,
    EXPLAIN,
    FREE_PHASES,
    GENMOVE_EX,
    HANDICAP,
    Facts,
    appraise,
    finish,
    prepare,
    refusal,
)
from gyoji.protocols.gtp.game_rules import GtpRules, HasHandicap
from gyoji.protocols.gtp.options import Options
from gyoji.protocols.gtp.undo_and_hints import ask_hint, set_up_anew, take_back
from gyoji.protocols.gtp.wording import time_left

_COLOURS = "bw"


class GtpCodec(Conversation):
    """The codec (port `Codec`) of one GTP engine.

    The first request must be `NewGame`, with rules that have the members of `GtpRules`.
    """

    # Without slots, so many attributes are looked up in a dict: see `Link`.
    # fmt: off
    __slots__ = (
        "_analysis", "_cleanup_line", "_clock_words", "_colour", "_explain", "_facts", "_format",
        "_game", "_genmove", "_genmove_line", "_groups", "_handicap", "_is_astray", "_later",
        "_made", "_may_claim", "_parse", "_plays", "_remarks", "_rules", "_seat", "_tells_time",
        "_told", "_turns", "_undo_line",
    )
    # fmt: on

    def __init__(self, options: Options) -> None:
        super().__init__(options)
        self._facts = Facts()
        self._explain = ""  # lines that ask for remarks, "" if the engine makes none
        self._remarks: tuple[Awaited, ...] = ()
        self._analysis = ""  # the command for a move with an evaluation
        self._told: Sequence[tuple[int, m.Move]] = ()  # moves that the last request told
        self._turns: list[m.Turn[m.Move]] = []  # all turns of the news so far
        self._is_astray = False  # the engine's board is wrong, and has to be set up anew
        self._later: m.Request | None = None  # waits until the board is right
        self._groups = False  # whether a tuple is a move of several vertices
        self._made: list[m.Move] = []  # own moves that are not in the news yet
        self._tells_time = False
        self._may_claim = False
        self._genmove = Awaited("genmove", GtpCodec._move_heard)  # replaced in `_learn`
        self._genmove_line = ""
        self._cleanup_line = ""  # the question in clean-up phases, "" if the engine has no own command
        self._undo_line = self._wording.line("undo")
        self._plays = [self._wording.line(f"play {colour} ")[:-1] for colour in _COLOURS]
        self._clock_words = ""

    # Requests

    def send(self, request: m.Request) -> bytes:
        """Return the commands to write to the engine for a request of the referee (`Codec.send`)."""
        if self._is_over:
            return b""
        if type(request) is m.AskMove and not (request.taken_back or self._is_astray):
            lines = self._ask(request)  # most requests; `match` takes 0.3 us more
            return self._wording.encode(lines) if self._is_numbered else lines.encode()
        return self._wording.encode(self._put(request))

    def _put(self, request: m.Request) -> str:
        match request:
            case m.NewGame():
                return self._prepare(request)
            case m.AskScore():
                return self._begin(appraise(wants_score=request.wants_score, wants_dead=request.wants_dead))
            case m.Quit():
                return self._begin(finish(self._facts, keep=request.keep))
            case m.AskMove() | m.TellMoves() | m.AskHint() if request.taken_back or self._is_astray:
                undos = self._withdraw(request.taken_back)
                if self._is_astray:
                    undos, self._is_astray = None, False
                later = replace(request, taken_back=0)
                if undos == 0:
                    return self._put(later)
                self._later = later
                plays = tuple([self._move_command(pair) for turn in self._turns for pair in turn])
                prepared = prepare(self._game, self._rules, self._options, self._facts)
                return self._begin(take_back(undos, set_up_anew(prepared, plays)))
            case m.AskMove():
                return self._ask(request)
            case m.TellMoves():
                return self._tell(request)
            case m.AskHint():
                text = self._moves_since(request.news)
                hint = ask_hint(_COLOURS[request.seat], self._vertex, self._goes_astray)
                return text + self._begin(hint)
        raise AssertionError(f"not offered by its `Ready`: {request}")

    def _prepare(self, request: m.NewGame) -> str:
        self._seat, self._colour = request.seat, _COLOURS[request.seat]
        self._rules: GtpRules = needed(request.rules, GtpRules, "gtp", "games on a board")
        self._parse, self._format = self._rules.parse, self._rules.format
        self._groups = supports(self._rules, HasHandicap)
        self._handicap = self._rules.handicap if supports(self._rules, HasHandicap) else 0
        self._game = request
        self._made.clear()
        self._told, self._turns, self._is_astray = (), [], False
        return self._begin(prepare(request, self._rules, self._options, self._facts))

    def _ask(self, request: m.AskMove) -> str:
        news, phase, clock = request.news, request.phase, request.clock
        awaited = self._awaited
        text = self._moves_since(news) if news else ""
        awaited_move, line = self._genmove, self._genmove_line
        if phase:
            if self._handicap and phase == HANDICAP:
                command = f"place_free_handicap {self._handicap}"
                awaited.append(Awaited(command, GtpCodec._handicap_heard))
                return text + self._wording.line(command)
            if self._cleanup_line and phase in FREE_PHASES:
                awaited_move, line = _CLEANUP, self._cleanup_line
        if self._tells_time:
            awaited.append(_CLOCK)
            facts = self._facts
            left = time_left(clock, counts_periods=facts.counts_periods, is_exact=facts.reads_fractions)
            text += f"{self._clock_words}{left}\n"
        awaited.append(awaited_move)
        return text + line

    def _tell(self, request: m.TellMoves) -> str:
        text = self._moves_since(request.news)
        if not text:  # nothing but turns taken back, so any command gives the answer
            self._awaited.append(Awaited("name", GtpCodec._end_heard))
            return self._wording.line("name")
        self._awaited[-1] = _LAST_PLAY
        return text

    def _moves_since(self, news: tuple[m.Turn[m.Move], ...]) -> str:
        """Return the `play` commands for the turns in `news`, without the engine's own answers."""
        self._turns += news
        own, made, awaited, text = self._seat, self._made, self._awaited, ""
        told: list[tuple[int, m.Move]] = []
        self._told = told
        for turn in news:
            for pair in turn:
                seat, move = pair
                if made and seat == own:
                    if made.pop(0) == move:
                        continue
                    # The move in the game differs from the engine's answer.
                    awaited.append(_UNDO)
                    text += self._undo_line
                told.append(pair)
                awaited.append(_PLAY)
                if type(move) is tuple:
                    text += self._wording.line(self._move_command(pair))
                else:
                    text += f"{self._plays[seat]}{self._format(move)}\n"
        return text

    def _move_command(self, pair: tuple[int, m.Move]) -> str:
        """Return the command that plays a move (seat, move) on the engine's board."""
        seat, move = pair
        vertices = self._format(move)
        if self._groups and isinstance(move, tuple):
            return f"set_free_handicap {vertices}"
        return f"play {_COLOURS[seat]} {vertices}"

    def _vertex(self, text: str) -> m.Move:
        """Parse a vertex or pass. Raises ValueError for any other text."""
        move = self._parse(text)
        if self._groups and isinstance(move, tuple):
            raise ValueError(text)
        return move

    # Turns taken back

    def _withdraw(self, count: int) -> int | None:
        """Remove the last `count` turns from the codec's list of turns. Return how many moves the engine must
        undo.

        Return None if handicap stones are among the removed moves, because GNU Go and others cannot undo
        those.
        """
        own = len(self._made)  # the engine's last move, which is on its board already
        self._made.clear()
        kept = len(self._turns) - max(count - own, 0)
        moves = [move for turn in self._turns[kept:] for _, move in turn]
        del self._turns[kept:]
        if self._groups and any(type(move) is tuple for move in moves):
            return None
        return own + len(moves)

    def _goes_astray(self) -> None:
        self._is_astray = True

    # Answers

    def _play_heard(self, is_success: bool, text: str) -> None:
        awaited = self._awaited
        failed = len(self._told) - 1 - awaited.count(_PLAY) - awaited.count(_LAST_PLAY)
        command = self._move_command(self._told[failed])
        self._forget_awaited()
        refused = refusal(command, text)
        if self._dialogue is None:
            self._out.append(m.RejectedMove(refused, text == "illegal move"))
        else:  # during a hint; the next question for a move shows whose fault it is
            self._dialogue, self._is_astray = None, True
            self._out.append(m.Unsupported(refused))

    def _last_play_heard(self, is_success: bool, text: str) -> None:
        if is_success:
            self._out.append(m.Acknowledged())
        else:
            self._play_heard(is_success, text)

    def _end_heard(self, is_success: bool, text: str) -> None:
        self._out.append(m.Acknowledged())

    def _move_heard(self, is_success: bool, text: str, said: m.Evaluation | None = None) -> None:
        if not is_success:
            self._out.append(m.Unsupported(refusal(self._genmove.command, text)))
            return  # no remark: the engine might repeat the one on an earlier move
        reply: m.Reply
        try:
            move = self._parse(text)
        except ValueError:
            reply = self._decision(text)
        else:
            if type(move) is tuple and self._groups:  # an answer to place_free_handicap only
                reply = m.Malformed(text)
            else:
                self._made.append(move)
                reply = m.Moved(move, said)
        if self._remarks:
            self._awaited += self._remarks
            self._write(self._explain)
        self._out.append(reply)

    def _decision(self, text: str) -> m.Reply:
        """Convert an answer to `genmove` that is not a vertex to a reply. Any text except "resign", and
        "claim" if claims are allowed, is a malformed answer.
        """
        word = text.lower()
        if word == "resign":
            return m.Resigned()
        return m.ClaimedWin() if word == "claim" and self._may_claim else m.Malformed(text)

    def _handicap_heard(self, is_success: bool, text: str) -> None:
        if not is_success:
            self._out.append(m.Unsupported(refusal(f"place_free_handicap {self._handicap}", text)))
            return
        try:
            move = self._parse(text)
        except ValueError:
            move = None
        if isinstance(move, tuple):
            self._made.append(move)
            self._out.append(m.Moved(move))
        else:
            self._out.append(m.Malformed(text))

    # Remarks

    def _remark_heard(self, is_success: bool, text: str) -> None:
        if is_success and text.strip():
            said = None if self._analysis else read_words(text)
            self._out.append(m.Comment(text.strip(), said))

    def _estimate_heard(self, is_success: bool, text: str) -> None:
        said = read_estimate(text, self._colour) if is_success else None
        if said is not None:
            self._out.append(m.Comment("", said))

    def _analysis_heard(self, is_success: bool, text: str) -> None:
        """Handle the response to an analysis command, which has an evaluation and the move."""
        move, said = read_analysis(text, self._analysis) if is_success else (text, None)
        self._move_heard(is_success, move, said)

    def _end(self, reply: m.Reply | None) -> None:
        later, self._later = self._later, None
        if reply is None and later is not None:
            return self._write(self._put(later))
        if type(reply) is m.Unsupported and type(later) is m.TellMoves:
            reply = m.RejectedMove(reply.text, as_illegal=False)
        if type(reply) is m.Ready:
            self._learn()
        elif type(reply) is m.HasQuit:
            self._is_over = not reply.stays
        assert reply is not None, "there is nothing to put"
        return self._out.append(reply)

    def _learn(self) -> None:
        """Choose the commands to use with this engine, after it has said which commands it knows."""
        knows, evaluates = self._facts.knows, self._options.evaluate
        self._tells_time = knows("time_left")
        self._may_claim = knows(GENMOVE_EX)
        analyses = () if self._may_claim or not evaluates else (KATA_ANALYZE, LZ_ANALYZE)
        self._analysis = next((command for command in analyses if knows(command)), "")
        asks = {EXPLAIN: GtpCodec._remark_heard}
        if evaluates and not self._analysis:
            asks[ESTIMATE] = GtpCodec._estimate_heard
        self._remarks = tuple([Awaited(command, heard) for command, heard in asks.items() if knows(command)])
        self._explain = "".join([self._wording.line(remark.command) for remark in self._remarks])
        command = f"genmove {self._colour}"
        heard: Callable[[GtpCodec, bool, str], None] = GtpCodec._move_heard
        if self._may_claim:
            command = f"{GENMOVE_EX} {self._colour} claim"
        elif self._analysis:
            command = f"{self._analysis} {self._colour}{ARGUMENTS[self._analysis]}"
            heard = GtpCodec._analysis_heard
        self._genmove = Awaited(command, heard)
        self._genmove_line = self._wording.line(command)
        self._clock_words = self._wording.line(f"time_left {self._colour} ")[:-1]
        if knows(CLEANUP):
            self._cleanup_line = self._wording.line(f"{CLEANUP} {self._colour}")


_PLAY = Awaited("play", GtpCodec._play_heard, if_failed=True)
_LAST_PLAY = Awaited("play", GtpCodec._last_play_heard)
_CLEANUP = Awaited(CLEANUP, GtpCodec._move_heard)
_UNDO = Awaited("undo", GtpCodec._nothing_heard)
_CLOCK = Awaited("time_left", GtpCodec._nothing_heard, if_failed=True)
