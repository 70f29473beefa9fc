"""The codec of a human player: JSON events to the player's client, and JSON answers from it."""

# Theory of operation
#
# A human player has a channel like an engine, but at the other end is a client of gyoji: a page in a browser
# (through `play/seats.py` and `web`) or a terminal (`cli/terminal.py`). The two ends exchange lines of JSON,
# one object each. The codec sends events:
#
#     begin     the game begins: how moves are written, which requests are possible, the board
#     ask       a question, with its number: for a move, for consent, or for dead stones
#     answered  the question is closed; after a request to other seats it names the request (`request`)
#     counted   how the game would count with the stones that are now marked as dead
#     refused   the answer could not be read, for this reason; the question stays open. The event repeats the
#               answer's move: a client that sent another answer meanwhile still waits for that one
#     tell      moves were played, or the game is over
#
# and the client sends an `Answer`, which repeats the number of its question. At most one question is open:
#
#               ask                    answer with this number that can be read
#     (closed) ------> (open, number) ------------------------------------------> (closed): answered, reply
#                       |        ^
#                       |        | answer that cannot be read: refused, no reply
#                       +--------+
#                       |        ^
#                       |        | answer with another number: ignored
#                       +--------+
#
# * Only this codec checks answers. A page and its server, the scheduler and the worker forward them
#   unchanged.
# * Several clients may show one seat (two tabs, or a reloaded page), and an answer may be sent while a new
#   question is on its way. So an answer counts only with the number of the open question, and `answered`
#   tells the other clients to close theirs.
# * A reply `Moved` may still be illegal. The referee then asks again with a notice, because
#   `Ready.tries_again` is set: a question with a new number. Illegal moves never lose a human player's game.
# * A request without a question (`AskHint`, `Quit`, ...) is answered here. The reply waits in `_due` until
#   the link calls `receive(b"")`, as for every codec with `answers_itself`.
# * The clock runs while a question is open. A client may report how much of that time the network took
#   (`Answer.lag`). The reply is then preceded by `Delayed`, and the referee decides how much of it to credit.
# * A question for dead stones is answered in steps. `Answer.turn` marks a group as dead or removes the mark,
#   and leaves the question open; `counted` then sends every client of the seat the marked stones and the
#   resulting count. At first the stones that engines call dead are marked (`AskScore.claims`).
# * Text from outside (notices, boards, reasons) is made printable here, so clients may show it unchanged.

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, Literal, TypeAlias

from msgspec.structs import asdict

from gyoji.core import messages as m
from gyoji.core import wire
from gyoji.core.clocks import TimeControl
from gyoji.core.game import CountsViews, Offered, SeesScenes, SeesViews
from gyoji.core.lines import LineReader
from gyoji.core.plugins import Protocol
from gyoji.core.ports import DrawsViews, ReadsMoves, SettlesDead, supports
from gyoji.core.text import legible, printable
from gyoji.core.wire import Value

RequestName: TypeAlias = Literal["take-back", "draw", "hint", "resign"]
"""A request that a player can make instead of a move."""

_REQUESTS: Mapping[RequestName, m.Reply] = MappingProxyType(
    {
        "take-back": m.WantsTakeBack(),
        "draw": m.OffersDraw(),
        "hint": m.WantsHint(),
        "resign": m.Resigned(),
    }
)
_OF_OTHERS = ("take-back", "draw")
"""Requests that other seats may have to agree to."""

_MS = 1_000_000
_MOST_LAG = 60_000.0  # ms; keeps a false report within the range of a clock


class Answer(Value, frozen=True, kw_only=True):
    """A client's answer to a question: its number, and one of `move`, `request`, `agree`, `dead`, `turn`,
    `limit`.

    Attributes:
        question: The number of the question.
        move: A move in the notation of the game, in upper or lower case.
        request: A request instead of a move.
        agree: Whether the player agrees to the other side's request.
        dead: One point of each dead group; [] if no stone is dead.
        turn: A point of a group to mark as dead, or to unmark. The question stays open.
        limit: A request instead of a move: the ns that the engine may take for each of its moves; 0 for no
            limit.
        lag: Network delay of the answer in ms, as measured by the client.
    """

    question: int
    move: str | None = None
    request: RequestName | None = None
    agree: bool | None = None
    dead: tuple[str, ...] | None = None
    turn: str | None = None
    limit: int | None = None
    lag: float = 0.0


_read_answer = wire.reader(Answer)


class HumanCodec:
    """The codec (port `Codec`) of a human player, whose client is a page or a terminal."""

    answers_itself: ClassVar[bool] = True

    def __init__(
        self, pictures: SeesViews[Any] | None = None, may: Sequence[RequestName] = (), *, limits: bool = False
    ) -> None:
        """Begin a conversation.

        Args:
            pictures: Draws what the player may see; None if events have the board as text only.
            may: The requests that the client offers. The referee decides whether the game allows them.
            limits: Whether the player may limit the engine's time. The referee does not check this.
        """
        self._pictures, self._may, self._limits = pictures, tuple(may), limits
        self._due: list[m.Reply] = []
        self._lines = LineReader()
        self._read: Callable[[Answer], m.Reply] | None = None  # reads the answer to the open question
        self._question = 0
        self._rules: Any = None
        self._view: object = None  # the position of the last question for a move or dead stones
        self._marked: tuple[str, ...] = ()  # points of the stones marked as dead
        self._seat = 0
        self._control = TimeControl()
        self._turns = 0  # turns of the game that the client knows

    # Requests

    def send(self, request: m.Request) -> bytes:
        """Return the event for a request of the referee, as a line of JSON; b"" if the client gets none
        (`Codec.send`).
        """
        match request:
            case m.NewGame():
                return self._begin(request)
            case m.AskMove():
                hint = "" if request.hint is None else self._rules.format(request.hint)
                shown = self._control.shown(request.clock)
                clock = shown and shown._asdict()
                return self._ask_move(request, self._move, self._seat, hint, phase=request.phase, clock=clock)
            case m.AskChoice():
                hint = self._rules.format(request.move)
                return self._ask_move(request, self._choice, request.seat, hint, phase="", clock=None)
            case m.AskConsent():
                return self._ask("consent", _consent, request=request.request, of=request.seat)
            case m.TellMoves():
                self._due.append(m.Acknowledged())
                return self._event("tell", **self._moves(request))
            case m.AskScore() if request.wants_dead:
                return self._ask_dead(request)
            case m.AskScore():
                self._due.append(m.Scored())
            case m.AskHint():
                self._due.append(m.Unsupported("a human player gives no hints"))
            case m.Quit():
                self._due.append(m.HasQuit(stays=request.keep))
        return b""

    def _begin(self, request: m.NewGame) -> bytes:
        rules: Any = request.rules
        self._rules, self._seat, self._control, self._turns = rules, request.seat, request.control, 0
        ready = m.Ready(can_score=False, knows_rules=True, tries_again=True, consents=True, chooses=True)
        self._due.append(ready)
        return self._event(
            "begin",
            notation=rules.notation if supports(rules, DrawsViews) else "",
            may=self._may,
            clock=self._control.describe(),
            **{
                "scene": asdict(self._pictures.scene(rules)) if self._pictures else None,
                **self._position(request.view, ()),
            },
        )

    def _ask_move(
        self,
        request: m.AskMove | m.AskChoice,
        read: Callable[[Answer], m.Reply],
        of: int,
        hint: str,
        **values: object,
    ) -> bytes:
        """Open a question for a move and return its event.

        Args:
            read: Converts the client's answer to a reply. Raises ValueError for an invalid answer.
            of: The seat that the move is for: the player's own or, for `AskChoice`, the seat of the engine
                whose move the player chooses.
            hint: The suggested move as text; "" for none.
            values: Further fields of the event.
        """
        self._view = request.view
        offered = self._pictures.offered(self._rules, request.view, of) if self._pictures else Offered(())
        return self._ask(
            "move",
            read,
            of=of,
            notice=printable(request.notice),
            hint=hint,
            offered=offered._asdict(),
            **values,
            **self._moves(request),
        )

    def _moves(self, request: m.AskMove | m.AskChoice | m.TellMoves) -> dict[str, Any]:
        """Return the fields of an event with the position and the turns since the last question."""
        news = request.news
        self._turns += len(news) - request.taken_back
        turns = [[(seat, self._rules.format(move)) for seat, move in turn] for turn in news]
        told = {"taken_back": request.taken_back, "news": turns, "turn": self._turns}
        return told | self._position(request.view, news)

    def _position(self, view: object, news: Sequence[m.Turn[m.Move]]) -> dict[str, Any]:
        """Return the fields of an event that show the position, as far as the player may see it.

        The fields are `frame` and `scene`, for the game viewer of pages, and `board`, the board as text.
        Fields that the game cannot draw are missing.

        Args:
            news: The turns since the last question. The last one is marked on the board.
        """
        shown: dict[str, Any] = {}
        if self._pictures is not None:
            seen = self._pictures.seen(self._rules, view, self._seat)
            changes = [each for change in seen.changes for each in change]
            shown["frame"] = [changes, seen.marks, seen.tally]
            if supports(self._pictures, SeesScenes):  # in each event, for the page may have missed others
                shown["scene"] = asdict(self._pictures.seen_scene(self._rules, view))
            if seen.arrows or seen.text or seen.table:
                table = [[printable(cell) for cell in row] for row in seen.table]
                shown["frame"] += [seen.arrows, legible(seen.text), table]
        if supports(self._rules, DrawsViews):
            shown["board"] = legible(self._rules.render(view, news[-1] if news else ()))
        return shown

    def _ask(self, about: str, read: Callable[[Answer], m.Reply], **values: object) -> bytes:
        """Open a question and return its event.

        Args:
            about: The kind of the question: "move", "consent" or "dead".
            read: Converts the client's answer to a reply. Raises ValueError for an invalid answer.
            values: Further fields of the event.
        """
        self._read = read
        self._question += 1
        return self._event("ask", about=about, question=self._question, **values)

    def _event(self, event: str, **values: object) -> bytes:
        return f"{wire.dumps({'event': event, 'seat': self._seat, **values})}\n".encode()

    def _ask_dead(self, request: m.AskScore) -> bytes:
        """Ask for dead stones. At first the stones that other seats call dead are marked."""
        self._view = request.view
        self._marked = tuple([point for _, points in request.claims for point in points])
        told: dict[str, Any] = {}
        if supports(self._rules, SettlesDead):
            told["cost"] = self._rules.cost_of_playing_on()
        return self._ask("dead", self._dead, claims=request.claims, **told, **self._counted())

    def _counted(self) -> dict[str, Any]:
        """Return the fields of an event that show which stones are marked as dead, and the count after their
        removal. Empty if the game cannot be counted.
        """
        if self._pictures is None or self._view is None or not supports(self._pictures, CountsViews):
            return {}
        counted = self._pictures.counted(self._rules, self._view, self._marked)
        self._marked = counted.dead
        return counted._asdict()

    # Replies

    def receive(self, data: bytes) -> Sequence[m.Reply]:
        """Return the replies that are due, and those to the client's lines (`Codec.receive`)."""
        replies, self._due = self._due, []
        for line in self._lines.feed(data):
            if self._read is not None and line.strip():
                replies += self._answered(line, self._read)
        return replies

    def _answered(self, line: bytes, read: Callable[[Answer], m.Reply]) -> Sequence[m.Reply]:
        """Return the replies to one line of the client; none if it does not answer the open question."""
        answer = None
        try:
            answer = _read_answer(line)
            if answer.question != self._question:
                return ()
            if answer.turn is not None and read == self._dead:
                return (m.More(self._turned(answer.turn)),)
            reply = read(answer)
        except ValueError as error:
            reason, move = printable(str(error)), answer and answer.move
            return (m.More(self._event("refused", question=self._question, reason=reason, move=move)),)
        self._read = None
        pending = {"request": answer.request} if answer.request in _OF_OTHERS else {}
        closed = m.More(self._event("answered", question=self._question, **pending))
        lag = min(max(answer.lag, 0.0), _MOST_LAG)
        # The delay comes first: the referee charges the clock when it gets the reply after it.
        return (closed, m.Delayed(round(lag * _MS)), reply) if lag else (closed, reply)

    def _move(self, answer: Answer) -> m.Reply:
        if answer.request is not None:
            return _REQUESTS[answer.request]
        if answer.limit is not None and self._limits:
            return m.WantsLimit(answer.limit)
        if answer.move is None:
            raise ValueError("expected a move or a request")
        text = " ".join(answer.move.split())
        if supports(self._rules, ReadsMoves):
            return m.Moved(self._rules.read(self._view, text))
        return m.Moved(self._rules.parse(text))

    def _choice(self, answer: Answer) -> m.Reply:
        if answer.request not in (None, "resign") or answer.limit is not None:
            raise ValueError("first choose the move of the engine that suggests one")
        return self._move(answer)

    def _turned(self, point: str) -> bytes:
        """Mark the group at a point as dead, or remove the mark if it has one. Return the event `counted`."""
        name = self._rules.format(self._rules.parse(point))
        group = self._group(name)
        if not group:
            raise ValueError(f"there is no stone at {name}")
        marked = set(self._marked)
        self._marked = tuple(marked - group if name in marked else marked | group)
        return self._event("counted", question=self._question, **self._counted())

    def _group(self, name: str) -> set[str]:
        """Return all points of the group of stones that has a stone at the point `name`; empty if there is no
        stone.
        """
        rules = self._rules
        if self._view is None or not supports(rules, SettlesDead):
            return set()
        return set(rules.names_of(rules.dead_groups(self._view, [name])))

    def _dead(self, answer: Answer) -> m.Reply:
        if answer.dead is None:
            raise ValueError("expected the points of dead stones, or none of them")
        # Parsed and formatted again, so that the referee compares points in one notation.
        points = tuple([self._rules.format(self._rules.parse(each)) for each in answer.dead])
        if "pass" in points:
            raise ValueError("pass is no point: expected the points of dead stones, or none")
        return m.Scored(dead=points)

    def finish(self) -> Sequence[m.Reply]:
        """Return the replies that are due when the client closes its output (`Codec.finish`).

        A line without a line end is ignored.
        """
        return self.receive(b"")


def _consent(answer: Answer) -> m.Reply:
    if answer.agree is None:
        raise ValueError("expected whether you agree: true or false")
    return m.Agreed() if answer.agree else m.Declined()


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The settings of a human player: none."""


PROTOCOL = Protocol(name="person", options=Options, codec=lambda _: HumanCodec())
