"""A conversation with a person in plain lines: the board drawn, a prompt, and a move or a wish typed. Pure.

::

    we say      text           how moves are written, the other seats' moves, the board, why an answer was not
                               taken; a question ends with a prompt, "black> ", which no line end follows
    it says     D4             its move, in the notation of the rules
                undo | hint | draw | resign
                               wishes: take my last move back, which move would you make, a draw; give up
                play           the move of the hint that was just given
                limit 5s | limit none
                               the engine has so long for each move from now on, or as long as it likes
                board | help   asked of us: the board once more, what can be typed
                D4 | play      answers the question which move another seat makes: that, or what it suggests
                yes | no       answers a question whether it agrees
                D4 E5 | none   answers the question which stones are dead

Case and blanks around do not matter. What cannot be read is asked for again, and so is what the rules refuse
(`Ready.tries_again`). A line that comes while nothing is asked is dropped. We say printable characters.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar

from gyoji.core import messages as m
from gyoji.core.clocks import Clock, TimeControl
from gyoji.core.plugins import Protocol
from gyoji.core.ports import AnyRules, DrawsViews, offers
from gyoji.core.text import format_duration, legible, parse_duration, quote

_WISHES: Mapping[str, m.Reply] = MappingProxyType(
    {
        "undo": m.WantsTakeBack(),
        "hint": m.WantsAdvice(),
        "draw": m.OffersDraw(),
        "resign": m.Resigned(),
    }
)
_CONSENTS: Mapping[str, m.Reply] = MappingProxyType(
    {word: m.Agreed() for word in ("y", "yes")} | {word: m.Declined() for word in ("n", "no")}
)
_CHOICES: Mapping[str, m.Reply] = MappingProxyType({"resign": m.Resigned()})
_NO_STONES: Mapping[str, m.Reply] = MappingProxyType({"none": m.Scored(dead=())})
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
_YES_OR_NO = "yes or no> "
_SECOND = 1_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How a person is spoken to.

    names  of the seats: the own as it stands in the prompt, the others as they stand before their moves.
    """

    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not all(isinstance(name, str) and name.isprintable() for name in self.names):
            raise ValueError(f"names: expected printable words, got {quote(repr(self.names))}")


class PersonCodec:
    """The port `Codec` for a person."""

    answers_itself: ClassVar[bool] = True

    def __init__(self, options: Options) -> None:
        self._names = options.names
        self._due: list[m.Reply] = []
        self._rest = b""  # of a line whose end has not come
        self._prompt = ""  # of the open question; "" if none is open
        self._answers: Mapping[str, m.Reply] = _WISHES
        self._rules: AnyRules | None = None
        self._seat = 0
        self._control = TimeControl()
        self._board = ""
        self._advice: m.Move | None = None

    # Requests

    def send(self, request: m.Request) -> bytes:
        """See the port."""
        match request:
            case m.NewGame():
                text = self._begin(request)
            case m.AskMove():
                text = self._ask(request)
            case m.AskChoice():
                lines = self._told(request.news, request.taken_back)
                if request.news or request.taken_back:
                    lines.append(self._draw(request.view, request.news))
                text = self._open("\n".join([*lines, request.notice]), f"{self._name(request.seat)}> ")
                self._answers, self._advice = _CHOICES, request.move
            case m.AskConsent():
                text = self._open(f"{self._name(request.seat)} wishes a {request.wish}", _YES_OR_NO)
                self._answers = _CONSENTS
            case m.AskAdvice():
                text = self._answered(m.Unsupported("a person gives no advice"))
            case m.TellMoves():
                lines = [
                    *self._told(request.news, request.taken_back),
                    self._draw(request.view, request.news),
                ]
                text = self._answered(m.Acknowledged(), *lines)
            case m.AskScore():
                text = self._open(_DEAD, "dead> ") if request.wants_dead else self._answered(m.Scored())
                self._answers = _NO_STONES
            case m.Quit():
                text = self._answered(m.HasQuit(stays=request.keep))
        return text.encode()

    def _begin(self, request: m.NewGame) -> str:
        rules = request.rules
        self._rules, self._seat, self._control = rules, request.seat, request.control  # type: ignore[assignment]
        self._board = self._prompt = ""
        ready = m.Ready(
            can_score=False,
            knows_rules=True,
            tries_again=True,
            consents=True,
            chooses=True,
        )
        return self._answered(
            ready, f"You are {self._name(self._seat)}. {self._notation}", "Type help for more."
        )

    @property
    def _notation(self) -> str:
        rules = self._rules
        return f"A move is {rules.notation}." if offers(rules, DrawsViews) else "Type a move."

    def _ask(self, request: m.AskMove) -> str:
        self._answers, self._advice = _WISHES, request.advice
        lines = self._told(request.news, request.taken_back)
        if lines or not self._board:
            lines.append(self._draw(request.view, request.news))
        if request.notice:
            lines.append(request.notice)
        elif request.phase:
            lines.append(f"phase: {request.phase}")
        clock = _clock_text(self._control, request.clock)
        return self._open("\n".join(filter(None, lines)), f"{self._name(self._seat)}{clock}> ")

    def _told(self, news: Sequence[m.Turn[m.Move]], taken_back: int) -> list[str]:
        """Lines on what has happened since the last question; nothing on this seat's own moves."""
        assert self._rules is not None, "a game begins with NewGame"
        lines = [f"taken back: {taken_back} turn{'s' * (taken_back > 1)}"] if taken_back else []
        moves = [(seat, move) for turn in news for seat, move in turn if seat != self._seat]
        return lines + [f"{self._name(seat)}: {self._rules.format(move)}" for seat, move in moves]

    def _draw(self, view: object, news: Sequence[m.Turn[m.Move]]) -> str:
        """The board with the last turn marked; "" where the game cannot be drawn."""
        rules: Any = self._rules
        self._board = rules.render(view, news[-1] if news else ()) if offers(rules, DrawsViews) else ""
        return self._board

    def _name(self, seat: int) -> str:
        return self._names[seat] if seat < len(self._names) else f"seat {seat + 1}"

    def _open(self, text: str, prompt: str) -> str:
        """The text of a question, which is open from now on."""
        self._prompt = legible(prompt)
        return f"{_lines(text)}{self._prompt}"

    def _answered(self, reply: m.Reply, *lines: str) -> str:
        """The text of a request that a person is not asked about."""
        self._due.append(reply)
        return _lines("\n".join(filter(None, lines)))

    # Replies

    def receive(self, data: bytes) -> Sequence[m.Reply]:
        """See the port. Without data: what nobody is asked about, answered."""
        replies, self._due = self._due, []
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            word = " ".join(line.decode("utf-8", "replace").split())
            if self._prompt and (reply := self._read(word)) is not None:
                replies.append(reply)
                if not isinstance(reply, m.More):
                    self._prompt = ""
        return replies

    def _read(self, word: str) -> m.Reply | None:
        """The answer that a line is; `More` where the question stays open."""
        answer = self._answers.get(word.lower())
        if answer is not None:
            return answer
        if not word:
            return self._say_again("")
        if word.lower() == "board":
            return self._say_again(self._board)
        if word.lower() == "play" and self._answers in (_WISHES, _CHOICES):
            return (
                self._say_again("there is no hint to play") if self._advice is None else m.Moved(self._advice)
            )
        if word.lower().startswith("limit ") and self._answers is _WISHES:
            return self._limit(word.partition(" ")[2])
        if self._answers is _CONSENTS:
            return self._say_again("please answer yes or no")
        if word.lower() in ("help", "?"):
            if self._answers is _NO_STONES:
                return self._say_again(_DEAD)
            words = _HELP_TO_CHOOSE if self._answers is _CHOICES else _HELP
            return self._say_again(f"{self._notation} Or type:\n{words}")
        assert self._rules is not None, "a question follows NewGame"
        try:
            if self._answers is _NO_STONES:
                points = map(self._rules.parse, word.split())
                return m.Scored(dead=tuple(map(self._rules.format, points)))
            return m.Moved(self._rules.parse(word))
        except ValueError as error:
            return self._say_again(f"{error}; help shows what can be typed")

    def _limit(self, text: str) -> m.Reply:
        """The limit for a move of the engine's that a person wishes."""
        try:
            ns = 0 if text.lower() == "none" else parse_duration(text)
        except ValueError as error:
            return self._say_again(f"{error}; type limit 5s, or limit none")
        if not ns and text.lower() != "none":
            return self._say_again("a limit is longer than 0s; type limit none for none")
        return m.WantsLimit(ns)

    def _say_again(self, text: str) -> m.More:
        return m.More(f"{_lines(text)}{self._prompt}".encode())

    def finish(self) -> Sequence[m.Reply]:
        """See the port. A line without an end is none."""
        return self.receive(b"")


def _lines(text: str) -> str:
    return f"{legible(text)}\n" if text else ""


def _clock_text(control: TimeControl, clock: Clock) -> str:
    """The time left on a clock, for a prompt; "" without one.

    >>> controls = map(TimeControl.parse, ("none", "90s", "1m + 3x30s", "1m + 5m/25", "2s/move"))
    >>> [_clock_text(each, each.start()) for each in controls]
    ['', ' (1m30s)', ' (1m, then 3 x 30s)', ' (1m, then 5m for 25)', ' (2s)']
    """
    left = control.allowance(clock)
    if left is None:
        return ""
    if not clock.periods:
        return f" ({_seconds(left - control.margin)})"
    stones = f" for {clock.stones}" if control.stones > 1 else ""
    period = f"{_seconds(clock.period)}{stones}"
    if clock.periods > 1:
        period = f"{clock.periods} x {period}"
    return f" ({_seconds(clock.main)}, then {period})" if clock.main > 0 else f" ({period})"


def _seconds(ns: int) -> str:
    return format_duration(max(ns, 0) // _SECOND * _SECOND)


PROTOCOL = Protocol(name="person", options=Options, codec=PersonCodec)
