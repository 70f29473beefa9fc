"""A conversation with a person at a page: events with fields, and answers with fields. Pure.

Each is one line of JSON, an object. We say:

    begin     the game begins: board, how moves are written, what the person may wish
    ask       a question: for a move, whether it agrees, or which stones are dead
    answered  it is not open any more
    refused   the answer could not be read; the question is still open
    tell      the game went on and is over

and it says an `Answer`. An answer to a question that is not open, or to an earlier one, is dropped. What the
page shows of them, and in which words, is its own business.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, Literal, TypeAlias

from msgspec.structs import asdict

from gyoji.core import messages as m
from gyoji.core import wire
from gyoji.core.clocks import TimeControl
from gyoji.core.game import Offered, SeesViews
from gyoji.core.ports import AnyRules, DrawsViews, offers
from gyoji.core.text import legible, printable
from gyoji.core.wire import Value

Wish: TypeAlias = Literal["take-back", "draw", "advice", "resign"]

_WISHES: Mapping[Wish, m.Reply] = MappingProxyType(
    {
        "take-back": m.WantsTakeBack(),
        "draw": m.OffersDraw(),
        "advice": m.WantsAdvice(),
        "resign": m.Resigned(),
    }
)
_MS = 1_000_000
_MOST_LAG = 60_000.0
"""ms that anybody is believed; how much of them counts is the referee's business."""


class Answer(Value, frozen=True, kw_only=True):
    """An answer to a question: its number, and one of the others.

    move   in the notation of the rules, in any case.   wish: instead of a move.
    agree  whether it does.   dead: a point of each dead group, none for [].
    lag    besides: ms that the network has taken of its time, by its own account.
    """

    question: int
    move: str | None = None
    wish: Wish | None = None
    agree: bool | None = None
    dead: tuple[str, ...] | None = None
    lag: float = 0.0


_read_answer = wire.reader(Answer)


class PageCodec:
    """The port `Codec` for a person at a page.

    pictures  draws what the person sees; None where the game has no pictures of that: the board is text.
    may       what the person may wish.
    """

    answers_itself: ClassVar[bool] = True

    def __init__(self, pictures: SeesViews[Any] | None = None, may: Sequence[Wish] = ()) -> None:
        self._pictures, self._may = pictures, tuple(may)
        self._due: list[m.Reply] = []
        self._rest = b""  # of a line whose end has not come
        self._read: Callable[[Answer], m.Reply] | None = None  # an answer to the open question
        self._question = 0
        self._rules: AnyRules | None = None
        self._seat = 0
        self._control = TimeControl()
        self._turns = 0  # that have been told

    # Requests

    def send(self, request: m.Request) -> bytes:
        """See the port."""
        match request:
            case m.NewGame():
                return self._begin(request)
            case m.AskMove():
                return self._ask_move(request)
            case m.AskChoice():
                return self._ask_choice(request)
            case m.AskConsent():
                return self._ask("consent", _consent, wish=request.wish, of=request.seat)
            case m.TellMoves():
                self._due.append(m.Acknowledged())
                told = self._told(request.news, request.taken_back)
                return self._say("tell", **told, **self._shown(request.view, request.news))
            case m.AskScore() if request.wants_dead:
                return self._ask("dead", self._dead)
        self._due.append(_made_up(request))
        return b""

    def _begin(self, request: m.NewGame) -> bytes:
        rules: Any = request.rules
        self._rules, self._seat, self._control, self._turns = rules, request.seat, request.control, 0
        ready = m.Ready(can_score=False, knows_rules=True, tries_again=True, consents=True, chooses=True)
        self._due.append(ready)
        return self._say(
            "begin",
            notation=rules.notation if offers(rules, DrawsViews) else "",
            scene=asdict(self._pictures.scene(rules)) if self._pictures else None,
            may=self._may,
            clock=self._control.describe(),
            **self._shown(request.view, ()),
        )

    def _ask_move(self, request: m.AskMove) -> bytes:
        rules = self._rules
        assert rules is not None, "a game begins with NewGame"
        offered = self._pictures.offered(rules, request.view, self._seat) if self._pictures else Offered(())
        shown = self._control.shown(request.clock)
        return self._ask(
            "move",
            self._move,
            phase=request.phase,
            notice=printable(request.notice),
            advice="" if request.advice is None else rules.format(request.advice),
            offered=offered._asdict(),
            clock=shown and shown._asdict(),
            **self._told(request.news, request.taken_back),
            **self._shown(request.view, request.news),
        )

    def _ask_choice(self, request: m.AskChoice) -> bytes:
        """A question for a move of another seat: to the page it is one for a move, with advice."""
        rules = self._rules
        assert rules is not None, "a game begins with NewGame"
        pictures, seat = self._pictures, request.seat
        offered = pictures.offered(rules, request.view, seat) if pictures else Offered(())
        return self._ask(
            "move",
            self._choice,
            phase="",
            notice=printable(request.notice),
            advice=rules.format(request.move),
            offered=offered._asdict(),
            clock=None,
            **self._told(request.news, request.taken_back),
            **self._shown(request.view, request.news),
        )

    def _told(self, news: Sequence[m.Turn[m.Move]], taken_back: int) -> dict[str, Any]:
        """The turns since the last question, and how many there are then."""
        assert self._rules is not None, "a game begins with NewGame"
        self._turns += len(news) - taken_back
        turns = [[(seat, self._rules.format(move)) for seat, move in turn] for turn in news]
        return {"taken_back": taken_back, "news": turns, "turn": self._turns}

    def _shown(self, view: object, news: Sequence[m.Turn[m.Move]]) -> dict[str, Any]:
        """The position as the seat sees it: `frame` as the viewer has frames, and `board` in characters."""
        rules: Any = self._rules
        shown: dict[str, Any] = {}
        if self._pictures is not None:
            changes, marks, tally, _ = self._pictures.seen(rules, view, self._seat)
            shown["frame"] = [[each for change in changes for each in change], marks, tally]
        if offers(rules, DrawsViews):
            shown["board"] = legible(rules.render(view, news[-1] if news else ()))
        return shown

    def _ask(self, about: str, read: Callable[[Answer], m.Reply], **values: object) -> bytes:
        """A question, which is open from now on."""
        self._read = read
        self._question += 1
        return self._say("ask", about=about, question=self._question, **values)

    def _say(self, event: str, **values: object) -> bytes:
        return f"{wire.dumps({'event': event, 'seat': self._seat, **values})}\n".encode()

    # Replies

    def receive(self, data: bytes) -> Sequence[m.Reply]:
        """See the port. Without data: what nobody is asked about, answered."""
        replies, self._due = self._due, []
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            if self._read is not None and line.strip():
                replies += self._answered(line, self._read)
        return replies

    def _answered(self, line: bytes, read: Callable[[Answer], m.Reply]) -> Sequence[m.Reply]:
        """The reply that a line is, and that it is told so; none for an answer to another question."""
        try:
            answer = _read_answer(line)
            if answer.question != self._question:
                return ()
            reply = read(answer)
        except ValueError as error:
            reason = printable(str(error))
            return (m.More(self._say("refused", question=self._question, reason=reason)),)
        self._read = None
        told = m.More(self._say("answered", question=self._question))
        lag = min(max(answer.lag, 0.0), _MOST_LAG)
        return (told, m.Delayed(round(lag * _MS)), reply) if lag else (told, reply)

    def _move(self, answer: Answer) -> m.Reply:
        if answer.wish is not None:
            return _WISHES[answer.wish]
        assert self._rules is not None, "a question follows NewGame"
        if answer.move is None:
            raise ValueError("expected a move or a wish")
        return m.Moved(self._rules.parse(" ".join(answer.move.split())))

    def _choice(self, answer: Answer) -> m.Reply:
        if answer.wish not in (None, "resign"):
            raise ValueError("first choose the move of the engine that suggests one")
        return self._move(answer)

    def _dead(self, answer: Answer) -> m.Reply:
        assert self._rules is not None, "a question follows NewGame"
        if answer.dead is None:
            raise ValueError("expected the points of dead stones, or none of them")
        return m.Scored(dead=tuple([self._rules.format(self._rules.parse(each)) for each in answer.dead]))

    def finish(self) -> Sequence[m.Reply]:
        """See the port. A line without an end is none."""
        return self.receive(b"")


def _consent(answer: Answer) -> m.Reply:
    if answer.agree is None:
        raise ValueError("expected whether you agree: true or false")
    return m.Agreed() if answer.agree else m.Declined()


def _made_up(request: m.Request) -> m.Reply:
    """The answer to a request that a person is not asked about."""
    match request:
        case m.AskAdvice():
            return m.Unsupported("a person gives no advice")
        case m.AskScore():
            return m.Scored()
        case m.Quit():
            return m.HasQuit(stays=request.keep)
    raise AssertionError(request)
