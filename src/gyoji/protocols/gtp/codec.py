"""Our half of a GTP conversation: requests to commands, answers to replies.

How commands and answers keep together is the matter of `conversation`. Here is what the codec knows of the
game: the moves that the engine has been told of, and its own that the news have not brought yet.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from gyoji.core import messages as m
from gyoji.core.clocks import Clock
from gyoji.core.evaluation import read_words
from gyoji.core.ports import needed, offers
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
    GtpRules,
    HasHandicap,
    appraise,
    finish,
    prepare,
    refusal,
)
from gyoji.protocols.gtp.options import Options
from gyoji.protocols.gtp.wishes import advise, set_up_anew, take_back
from gyoji.protocols.gtp.wording import time_left, words_of

_COLOURS = "bw"
_BARE = (b"= \n\n", b"=\n\n")  # an answer without words; some engines leave the blank out


class GtpCodec(Conversation):
    """The port `Codec` for GTP 2. `NewGame` comes first; its rules are `GtpRules`."""

    def __init__(self, options: Options) -> None:
        super().__init__(options)
        self._facts = Facts()
        self._explain = ""  # the lines that ask for remarks, if the engine makes any
        self._remarks: tuple[Awaited, ...] = ()
        self._analysis = ""  # the command by which it moves and says what it thinks
        self._told: Sequence[tuple[int, m.Move]] = ()  # the moves of the last news
        self._turns: list[m.Turn[m.Move]] = []  # all that the news have brought
        self._is_astray = False  # its board is not that of the game: it has to be set up anew
        self._later: m.Request | None = None  # is put once its board is as it should be
        self._groups = False  # whether a tuple is a move of several vertices
        self._made: list[m.Move] = []  # the engine's own moves that the news have not brought yet
        self._bare = -1  # answers without words to come before the move; -1: no plain question is open
        self._tells_time = False
        self._may_claim = False
        self._genmove = Awaited("genmove", GtpCodec._genmove_heard)  # in full once the engine is ready
        self._genmove_line = ""
        self._question = self._play_line = b""  # the same in bytes; how a move of the opponent's is told
        self._cleanup_line = ""  # asks for a move of the clean-up phases, if the engine has a way of its own
        self._undo_line = self._wording.line("undo")
        self._clock_words = ""

    # Requests

    def send(self, request: m.Request) -> bytes:
        """See the port."""
        if self._bare >= 0:
            self._await_all()
        if type(request) is m.AskMove and self._is_plain and not self._awaited:
            question = self._ask_plainly(request)
            if question is not None:
                return question
        return b"" if self._is_over else self._wording.encode(self._put(request))

    def _put(self, request: m.Request) -> str:
        if isinstance(request, m.NewGame):
            return self._prepare(request)
        if isinstance(request, m.AskScore):
            return self._begin(appraise(wants_score=request.wants_score, wants_dead=request.wants_dead))
        if isinstance(request, m.Quit):
            return self._begin(finish(self._facts, keep=request.keep))
        assert not isinstance(request, m.AskConsent | m.AskChoice | m.ImposeMove), (
            f"not offered by its `Ready`: {request}"
        )
        if request.taken_back or self._is_astray:
            return self._put_right(request)
        if isinstance(request, m.AskMove):
            return self._ask(request)
        return self._tell(request) if isinstance(request, m.TellMoves) else self._advise(request)

    def _prepare(self, request: m.NewGame) -> str:
        self._seat, self._colour = request.seat, _COLOURS[request.seat]
        self._rules: GtpRules = needed(request.rules, GtpRules, "gtp", "games on a board")
        self._parse, self._format = self._rules.parse, self._rules.format
        self._words = words_of(self._parse, self._format)
        self._groups = offers(self._rules, HasHandicap)
        self._handicap = self._rules.handicap if offers(self._rules, HasHandicap) else 0
        self._game = request
        self._made.clear()
        self._told, self._turns, self._is_astray = (), [], False
        return self._begin(prepare(request, self._rules, self._options, self._facts))

    def _ask_plainly(self, request: m.AskMove) -> bytes | None:
        """The question after its own move and the answer to that, as nearly always; None for any other."""
        news, made = request.news, self._made
        if len(news) != 2 or len(made) != 1 or news[0] != ((self._seat, made[0]),):
            return None
        told = news[1]
        seat, move = told[0]
        if len(told) != 1 or seat == self._seat or type(move) is tuple:
            return None
        if request.phase or request.taken_back or self._is_astray:
            return None
        name = self._words.names.get(move) or self._words.name(move)
        made.clear()
        self._turns += news
        self._told = told
        if not self._tells_time:
            self._bare = 1
            return self._play_line + name + self._question
        self._bare = 2
        clock = f"{self._clock_words}{self._time_left(request.clock)}\n"
        return self._play_line + name + clock.encode() + self._question

    def _await_all(self) -> None:
        """Not all answers to a plain question are plain: each that is still to come is awaited by itself."""
        plain = (_PLAY, _CLOCK, self._genmove) if self._tells_time else (_PLAY, self._genmove)
        self._awaited.extend(plain[-1 - self._bare :])
        self._bare = -1

    def _time_left(self, clock: Clock) -> str:
        facts = self._facts
        return time_left(clock, counts_periods=facts.counts_periods, is_exact=facts.reads_fractions)

    def _ask(self, request: m.AskMove) -> str:
        news, phase, clock = request.news, request.phase, request.clock
        awaited = self._awaited
        text = self._moves_since(news) if news else ""
        if phase == HANDICAP and self._handicap:
            command = f"place_free_handicap {self._handicap}"
            awaited.append(Awaited(command, GtpCodec._handicap_heard))
            return text + self._wording.line(command)
        awaited_move, line = self._genmove, self._genmove_line
        if phase in FREE_PHASES and self._cleanup_line:
            awaited_move, line = _CLEANUP, self._cleanup_line
        if self._tells_time:
            awaited.append(_CLOCK)
            text += f"{self._clock_words}{self._time_left(clock)}\n"
        awaited.append(awaited_move)
        return text + line

    def _tell(self, request: m.TellMoves) -> str:
        text = self._moves_since(request.news)
        if not text:  # all that it had to be told was what was taken back
            self._awaited.append(Awaited("name", GtpCodec._end_heard))
            return self._wording.line("name")
        self._awaited[-1] = _LAST_PLAY
        return text

    def _moves_since(self, news: tuple[m.Turn[m.Move], ...]) -> str:
        """The lines that pass on moves, without those that the engine made itself when it was asked."""
        self._turns += news
        own, awaited, text = self._seat, self._awaited, ""
        told: list[tuple[int, m.Move]] = []
        self._told = told
        for turn in news:
            for pair in turn:
                seat, move = pair
                if seat == own and self._made:
                    if self._made.pop(0) == move:
                        continue
                    # What it thinks it played counts as something else: it has to think again.
                    awaited.append(_UNDO)
                    text += self._undo_line
                told.append(pair)
                awaited.append(_PLAY)
                text += self._wording.line(self._tiding(pair))
        return text

    def _tiding(self, pair: tuple[int, m.Move]) -> str:
        """The command that passes on a move."""
        seat, move = pair
        vertices = self._format(move)
        if self._groups and isinstance(move, tuple):
            return f"set_free_handicap {vertices}"
        return f"play {_COLOURS[seat]} {vertices}"

    def _advise(self, request: m.AskAdvice) -> str:
        text = self._moves_since(request.news)
        return text + self._begin(advise(_COLOURS[request.seat], self._vertex, self._goes_astray))

    def _vertex(self, text: str) -> m.Move:
        """The move of one stone, or pass. Raises ValueError."""
        move = self._parse(text)
        if self._groups and isinstance(move, tuple):
            raise ValueError(text)
        return move

    # Turns taken back

    def _put_right(self, request: m.AskMove | m.TellMoves | m.AskAdvice) -> str:
        """Take back what the request says was taken back, or set the game up anew; then put the request."""
        undos = self._withdraw(request.taken_back)
        if self._is_astray:
            undos, self._is_astray = None, False
        later = replace(request, taken_back=0)
        if undos == 0:
            return self._put(later)
        self._later = later
        plays = tuple([self._tiding(pair) for turn in self._turns for pair in turn])
        prepared = prepare(self._game, self._rules, self._options, self._facts)
        return self._begin(take_back(undos, set_up_anew(prepared, plays)))

    def _withdraw(self, count: int) -> int | None:
        """Forget the last turns that the engine knows of: how many moves it has to undo.

        None if there are handicap stones among them, which many engines cannot.
        """
        own = len(self._made)  # its last answer, if the news have not brought it, is one of them
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

    def receive(self, data: bytes) -> Sequence[m.Reply]:
        """See the port."""
        if self._bare < 0:
            return self._read(data)
        # The answers that come for every move, read without the reader
        while self._bare and data.startswith(_BARE):
            self._bare -= 1
            data = data[data.index(b"\n\n") + 2 :]
        if not data:
            return ()
        if not self._bare:
            replies = self._words.answers.get(data) or self._words.read(data)
            if replies is not None:
                self._bare = -1
                self._made.append(replies[0].move)
                return self._with_remark(replies) if self._explain else replies
        self._await_all()
        return self._read(data)

    def finish(self) -> Sequence[m.Reply]:
        """See the port."""
        if self._bare >= 0:
            self._await_all()
        return super().finish()

    def _with_remark(self, replies: tuple[m.Moved]) -> tuple[m.Reply, ...]:
        """A plain answer to genmove, after which a remark is asked for."""
        self._awaited += self._remarks
        return (m.More(self._explain.encode()), *replies)

    # What answers are for

    def _play_heard(self, is_success: bool, text: str) -> None:
        if is_success:
            return
        awaited = self._awaited
        failed = len(self._told) - 1 - awaited.count(_PLAY) - awaited.count(_LAST_PLAY)
        command = self._tiding(self._told[failed])
        self._forget_awaited()
        refused = refusal(command, text)
        if self._dialogue is None:
            self._out.append(m.RejectedMove(refused, text == "illegal move"))
        else:  # it was asked for advice: whose fault that is, is seen when it is asked for a move
            self._dialogue, self._is_astray = None, True
            self._out.append(m.Unsupported(refused))

    def _last_play_heard(self, is_success: bool, text: str) -> None:
        if is_success:
            self._out.append(m.Acknowledged())
        else:
            self._play_heard(is_success, text)

    def _end_heard(self, is_success: bool, text: str) -> None:
        self._out.append(m.Acknowledged())

    def _genmove_heard(self, is_success: bool, text: str) -> None:
        if not is_success:
            self._out.append(m.Unsupported(refusal(self._genmove.command, text)))
            return  # no remark: the engine might repeat that on an earlier move
        reply = self._decision(text)
        self._ask_for_remark()
        self._out.append(reply)

    def _decision(self, text: str) -> m.Reply:
        word = text.lower()
        if word == "resign":
            return m.Resigned()
        if word == "claim" and self._may_claim:
            return m.ClaimedWin()
        try:
            move = self._parse(text)
        except ValueError:
            return m.Malformed(text)
        if self._groups and isinstance(move, tuple):  # that answers place_free_handicap
            return m.Malformed(text)
        self._made.append(move)
        return m.Moved(move)

    def _handicap_heard(self, is_success: bool, text: str) -> None:
        if not is_success:
            command = f"place_free_handicap {self._handicap}"
            self._out.append(m.Unsupported(refusal(command, text)))
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

    def _ask_for_remark(self) -> None:
        if self._explain:
            self._awaited += self._remarks
            self._write(self._explain)

    def _remark_heard(self, is_success: bool, text: str) -> None:
        if is_success and text.strip():
            said = None if self._analysis else read_words(text)
            self._out.append(m.Comment(text.strip(), said))

    def _estimate_heard(self, is_success: bool, text: str) -> None:
        said = read_estimate(text, self._colour) if is_success else None
        if said is not None:
            self._out.append(m.Comment("", said))

    def _analysis_heard(self, is_success: bool, text: str) -> None:
        """As `_genmove_heard`, for an answer that has an opinion before the move."""
        if not is_success:
            return self._genmove_heard(is_success, text)
        move, said = read_analysis(text, self._analysis)
        self._genmove_heard(is_success, move)
        if said is not None:
            self._out.append(m.Comment("", said))
        return None

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
        """The engine is ready: which commands to put to it from now on."""
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
        command, heard = f"genmove {self._colour}", GtpCodec._genmove_heard
        if self._may_claim:
            command = f"{GENMOVE_EX} {self._colour} claim"
        elif self._analysis:
            command = f"{self._analysis} {self._colour}{ARGUMENTS[self._analysis]}"
            heard = GtpCodec._analysis_heard
        self._genmove = Awaited(command, heard)
        self._genmove_line = self._wording.line(command)
        self._question = self._genmove_line.encode()
        self._play_line = self._wording.line(f"play {_COLOURS[1 - self._seat]} ")[:-1].encode()
        self._clock_words = self._wording.line(f"time_left {self._colour} ")[:-1]
        if knows(CLEANUP):
            self._cleanup_line = self._wording.line(f"{CLEANUP} {self._colour}")


_PLAY = Awaited("play", GtpCodec._play_heard)
_LAST_PLAY = Awaited("play", GtpCodec._last_play_heard)
_CLEANUP = Awaited(CLEANUP, GtpCodec._genmove_heard)
_UNDO = Awaited("undo", GtpCodec._nothing_heard)
_CLOCK = Awaited("time_left", GtpCodec._nothing_heard)
