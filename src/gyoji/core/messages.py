"""Messages between referee and codec: requests to a seat, replies from it.

Structs of msgspec, not named tuples: several are made for every move, and one costs a fifth of a named tuple.
None has subclasses, and who asks often compares the type: `isinstance` of a struct takes five times as long.
The referee sends a seat one request at a time and knows how each can be answered:

=============  ====================================================================
request        replies that end it (any number of `Comment`, `Warned`, `Delayed`, `More` before)
=============  ====================================================================
`NewGame`      `Ready` | `Unsupported`
`AskMove`      `Moved` | `Malformed` | `Resigned` | `ClaimedWin` | `Unsupported` |
               `RejectedMove` | `WantsTakeBack` | `OffersDraw` | `WantsAdvice` |
               `WantsLimit` | `Suggested`
`ImposeMove`   `Moved` | `Malformed` | `Unsupported` | `Suggested`
`AskChoice`    `Moved` | `Resigned`
`AskConsent`   `Agreed` | `Declined`
`AskAdvice`    `Advised` | `Unsupported`
`TellMoves`    `Acknowledged` | `RejectedMove`
`AskScore`     `Scored`
`Quit`         `HasQuit`
=============  ====================================================================

`Broken` can come at any time, ends the conversation and is the last reply ever given. `Comment` may also come
after the reply that ended an `AskMove`, and then before the seat's next request ends. Where `More` goes with
another reply it comes first: the referee writes its answer to that reply afterwards.
"""

from typing import Literal, NamedTuple, TypeAlias, TypeVar

from msgspec import Struct

from gyoji.core.clocks import Clock, TimeControl
from gyoji.core.faults import FaultKind
from gyoji.core.spec import Player

Move: TypeAlias = object
"""A move, hashable and immutable. Its type is a matter of the game's rules alone."""

MoveT = TypeVar("MoveT")

Turn: TypeAlias = tuple[tuple[int, MoveT], ...]
"""The moves made at once: (seat, move), in seat order."""


def whole(turn: Turn[MoveT], seat: int) -> Turn[MoveT]:
    """`Rules.news` of a game in which everybody sees every move; who asks often can do without it then."""
    return turn


class Message(Struct, frozen=True):
    """A request or a reply. `msgspec.structs.replace` makes another of it with some fields changed."""


class NewGame(Message, frozen=True):
    """Begin the conversation and set the game up. Sent once, before all else.

    rules is the `Rules` of the game: a codec takes from it the settings to send (board size, komi ...) and
    the notation of moves, and asks it nothing else. view is the position as this seat may see it. player
    says what else an engine may have to be told: its budgets of memory and disk, its folder.

    controls are those of all seats, control this one's; () where nobody is asked about others.

    May be sent again after a `Quit` that was answered with `HasQuit.stays`: for the next game.
    """

    seat: int
    rules: object
    view: object
    control: TimeControl
    player: Player | None = None
    controls: tuple[TimeControl, ...] = ()


class AskMove(Message, frozen=True):
    """Your move. news: the turns this seat has not been told of, its own moves included; of each what it may
    know (`Rules.news`).

    phase is the part of the game ("" for ordinary play, "handicap": place the handicap stones ...).
    clock is this seat's; clocks are those of all seats, () where nobody is asked about others.
    taken_back: how many turns that this seat knows of were taken back before the news, the last ones, its own
    last answer included.
    notice: a line to show with the question when it is put again: why the last answer was not taken, or what
    became of a wish. "" if it is put for the first time. advice: the move that was advised, if one was.
    control: this seat's limits from now on, if they have changed since it was told; None: they have not.
    """

    view: object
    news: tuple[Turn[Move], ...]
    phase: str
    clock: Clock
    clocks: tuple[Clock, ...] = ()
    taken_back: int = 0
    notice: str = ""
    advice: Move | None = None
    control: TimeControl | None = None


class ImposeMove(Message, frozen=True):
    """Make this move: the answer to a suggestion of this seat (`Suggested`), of the same turn."""

    move: Move


class AskChoice(Message, frozen=True):
    """Another seat suggests a move of its own: which one is it to make?

    seat: that one. move: its suggestion. notice: a line to show with the question. view, news, taken_back: as
    in `AskMove`, for the seat that is asked.
    """

    seat: int
    move: Move
    notice: str
    view: object
    news: tuple[Turn[Move], ...]
    taken_back: int = 0


class AskConsent(Message, frozen=True):
    """Another seat wishes something: does this one agree?

    wish: "take-back" of that seat's own last move and all after it; "draw": the game ends level.
    """

    seat: int
    wish: Literal["take-back", "draw"]


class AskAdvice(Message, frozen=True):
    """Which move should that seat make? view, news and taken_back: as in `AskMove`. No move is made."""

    seat: int
    view: object
    news: tuple[Turn[Move], ...]
    clock: Clock
    taken_back: int = 0


class TellMoves(Message, frozen=True):
    """The game went on and is over: nothing is asked but to take note.

    The news have another seat's move, or turns were taken back. taken_back: see `AskMove`.
    """

    view: object
    news: tuple[Turn[Move], ...]
    taken_back: int = 0


class AskScore(Message, frozen=True):
    """Ask for the score, and if `wants_dead` for the dead stones; or only for those."""

    wants_dead: bool = False
    wants_score: bool = True


class Quit(Message, frozen=True):
    """The game is over: say good-bye. keep: or stay for another game, if the engine can."""

    keep: bool = False


class Ready(Message, frozen=True):
    """name: short, for headings; description: all it says of itself, several lines perhaps; "" if silent.

    unable: what this engine could not be told, in words ("the rules", "the clock").
    can_score: whether it is to be asked for the score.
    knows_rules: whether it plays by all of the game's rules; if not, it is told `Rules.plain` moves.
    resumes: whether it can play on once both sides have passed. cleans_up: whether it takes dead stones off
    the board by playing then. tells_dead: whether it is to be asked which stones are dead.
    tries_again: whether an answer that cannot be taken is asked for again, as a person's is, rather than held
    against it. consents: whether it answers `AskConsent`. advises: whether it answers `AskAdvice`.
    takes_back: whether it can be told that turns were taken back. takes_limits: whether it can be told other
    limits in the middle of a game. chooses: whether it answers `AskChoice`.
    """

    name: str = ""
    description: str = ""
    unable: tuple[str, ...] = ()
    can_score: bool = True
    knows_rules: bool = False
    resumes: bool = True
    cleans_up: bool = False
    tells_dead: bool = True
    tries_again: bool = False
    consents: bool = False
    advises: bool = False
    takes_back: bool = True
    takes_limits: bool = False
    chooses: bool = False


class Evaluation(NamedTuple):
    """An opinion of a position, from the point of view of the seat that has it. None: not told.

    score  by how much it stands better, in the unit that the engine uses (Go: points of the final score).
    win    its chance to win, from 0 to 1.
    depth  plies that it has looked ahead.   nodes  positions or playouts that it has looked at.
    pv     the moves that it expects, its own first, in the notation of the game's rules or in its own.
    """

    score: float | None = None
    win: float | None = None
    depth: int | None = None
    nodes: int | None = None
    pv: tuple[str, ...] = ()


class Moved(Message, frozen=True):
    move: Move


class Malformed(Message, frozen=True):
    """An answer that is no move at all. note: why that may be, for the ruling; "" if nobody knows."""

    text: str
    note: str = ""


class Resigned(Message, frozen=True):
    pass


class ClaimedWin(Message, frozen=True):
    """I have won. Only where the player may claim."""


class Unsupported(Message, frozen=True):
    """The engine says it cannot do what was asked."""

    text: str


class RejectedMove(Message, frozen=True):
    """The engine will not take the news: as_illegal if it calls the last move illegal."""

    text: str
    as_illegal: bool


class WantsTakeBack(Message, frozen=True):
    """Instead of a move: take back my own last move, and what has followed it."""


class OffersDraw(Message, frozen=True):
    """Instead of a move: let the game end level."""


class WantsAdvice(Message, frozen=True):
    """Instead of a move: which one would an engine make? The question is put again with the answer."""


class WantsLimit(Message, frozen=True):
    """Instead of a move, from a person: the engines that play against me have so many ns for each move from
    now on; 0: there is no such limit."""

    ns: int


Wish: TypeAlias = WantsTakeBack | OffersDraw | WantsAdvice | WantsLimit


class Suggested(Message, frozen=True):
    """I would make this move, and make the one that I am told to: see `ImposeMove`."""

    move: Move


class Agreed(Message, frozen=True):
    pass


class Declined(Message, frozen=True):
    pass


class Advised(Message, frozen=True):
    """The move that was asked about; None: there is none to be had (text says why)."""

    move: Move | None
    text: str = ""


class Acknowledged(Message, frozen=True):
    pass


class Comment(Message, frozen=True):
    """The engine's words about its own last answer, and its opinion of the position where they tell one."""

    text: str
    evaluation: Evaluation | None = None


class Warned(Message, frozen=True):
    """The engine is in trouble, and may answer all the same; if it does not, this may be why."""

    text: str


class Delayed(Message, frozen=True):
    """Of the answer that follows so many ns were the network's, by the account of who gives it."""

    ns: int


class Scored(Message, frozen=True):
    """The engine's opinion of the score. text: its words, "" if it has none.

    winner is a seat; None with is_level for a draw, None without it for no usable opinion. margin is None if
    unknown, and infinite where what it says cannot be. problem: why there is no opinion, when that is news.
    dead: points of dead stones, as the engine writes them; None if that was not asked for, or it cannot tell.
    """

    text: str = ""
    winner: int | None = None
    is_level: bool = False
    margin: float | None = None
    problem: str = ""
    dead: tuple[str, ...] | None = None


class HasQuit(Message, frozen=True):
    """Nothing more will come. cpu_ns: CPU time by the engine's own account, None if it keeps none.

    stays: it was not told to go, and can be prepared for another game.
    """

    cpu_ns: int | None = None
    problem: str = ""
    stays: bool = False


class Broken(Message, frozen=True):
    """The conversation cannot go on, and it is the engine's doing."""

    kind: FaultKind
    detail: str


class More(Message, frozen=True):
    """For the runner, not the referee: bytes to write so that the request goes on."""

    data: bytes


REMARKS: frozenset[type[Message]] = frozenset((Comment, Warned))
"""Types of replies that end no request; `Delayed` ends none either."""

Request: TypeAlias = (
    NewGame | AskMove | ImposeMove | AskChoice | AskConsent | AskAdvice | TellMoves | AskScore | Quit
)
Reply: TypeAlias = (
    Ready
    | Moved
    | Malformed
    | Resigned
    | ClaimedWin
    | Unsupported
    | RejectedMove
    | WantsTakeBack
    | OffersDraw
    | WantsAdvice
    | WantsLimit
    | Suggested
    | Agreed
    | Declined
    | Advised
    | Acknowledged
    | Comment
    | Warned
    | Delayed
    | Scored
    | HasQuit
    | Broken
    | More
)
