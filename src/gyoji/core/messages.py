"""The messages between referee and codec: requests to a seat, and replies of its engine.

The referee sends a seat one request at a time. Each request ends with one of these replies:

=============  ====================================================================
request        replies that end it (after any number of `Comment`, `Warned`, `Delayed`, `More`)
=============  ====================================================================
`NewGame`      `Ready` | `Unsupported`
`AskMove`      `Moved` | `Malformed` | `Resigned` | `ClaimedWin` | `Unsupported` |
               `RejectedMove` | `WantsTakeBack` | `OffersDraw` | `WantsHint` |
               `WantsLimit` | `Suggested`
`ImposeMove`   `Moved` | `Malformed` | `Unsupported` | `Suggested`
`AskChoice`    `Moved` | `Resigned`
`AskConsent`   `Agreed` | `Declined`
`AskHint`      `Hint` | `Unsupported`
`TellMoves`    `Acknowledged` | `RejectedMove`
`AskScore`     `Scored`
`Quit`         `HasQuit`
`AskUmpire`    `Ruled` (of an umpire, which has no seat)
`RunnerEnded`  `Ruled` (of a relay's runner, which has no seat)
=============  ====================================================================

`Broken` may come at any time. It is the last reply of the conversation. `Comment` may also follow the reply
that ended an `AskMove`, until the seat's next request ends. If `More` and another reply are returned
together, `More` comes first, so its bytes are written before the referee's next request.
"""

# Messages are structs of msgspec and not named tuples: every move makes several, and a struct costs a fifth
# of a named tuple. No class has subclasses. Hot paths compare `type(...)`, because `isinstance` of a struct
# takes five times as long.

from typing import Literal, NamedTuple, TypeAlias, TypeVar

from msgspec import Struct

from gyoji.core.clocks import Clock, TimeControl
from gyoji.core.faults import FaultKind
from gyoji.core.spec import Player

Move: TypeAlias = object
"""A move: a hashable, immutable value whose type only the game's rules know."""

MoveT = TypeVar("MoveT")

Turn: TypeAlias = tuple[tuple[int, MoveT], ...]
"""The simultaneous moves of one turn: (seat, move) in seat order."""


def whole(turn: Turn[MoveT], seat: int) -> Turn[MoveT]:
    """Return the turn unchanged: `Rules.news` of a game in which every seat sees every move.

    If the rules use this very function as `news`, the referee omits the calls.
    """
    return turn


class Message(Struct, frozen=True):
    """The base class of requests to a seat and of its replies."""


class NewGame(Message, frozen=True):
    """Prepare the engine for a game. This is the first request of a conversation.

    An engine that answered `Quit` with `HasQuit.stays` gets another `NewGame` for its next game.

    Attributes:
        rules: The game's `Rules`. A codec reads the settings (board size, komi ...) and the notation from
            it.
        view: The start position as this seat sees it.
        control: The seat's time control.
        player: The player, for codecs that send an engine its folder or its memory and disk limits.
        controls: The time controls of all seats; () if the codec does not use the time controls of other
            seats.
        is_trial: Whether the engine is only checked before a run, so that no move follows.
    """

    seat: int
    rules: object
    view: object
    control: TimeControl
    player: Player | None = None
    controls: tuple[TimeControl, ...] = ()
    is_trial: bool = False


class AskMove(Message, frozen=True):
    """Ask the engine for a move.

    Attributes:
        news: Turns since the seat's last request, its own moves included. Each is reduced to the moves that
            the seat may see (`Rules.news`).
        phase: Part of the game: "" for ordinary play, "handicap" to place handicap stones, and others.
        clock: The seat's clock.
        clocks: The clocks of all seats; () if the codec does not use the clocks of other seats.
        taken_back: How many turns that the seat knows were taken back. The seat must undo them before it
            applies `news`. Its own last answer counts as a turn that it knows.
        notice: Line to show with a repeated question: why the seat's last answer was refused, or the result
            of the seat's request. "" for the first question of a move.
        hint: The suggested move, if the seat requested a hint.
        control: The seat's new limits if they changed since the last request, else None.
    """

    view: object
    news: tuple[Turn[Move], ...]
    phase: str
    clock: Clock
    clocks: tuple[Clock, ...] = ()
    taken_back: int = 0
    notice: str = ""
    hint: Move | None = None
    control: TimeControl | None = None


class ImposeMove(Message, frozen=True):
    """Set the move that the engine makes, after it has suggested one (`Suggested`) in the same turn."""

    move: Move


class AskChoice(Message, frozen=True):
    """Ask this seat which move another seat's engine shall play, after that engine has suggested one.

    Attributes:
        seat: The seat that suggests a move.
        move: The suggested move.
        notice: Line to show with the question.
        view: The position as the seat that is asked sees it.
        news: The turns that the seat that is asked does not know yet.
        taken_back: Number of turns that the seat that is asked must undo before `news`, because they were
            taken back.
    """

    seat: int
    move: Move
    notice: str
    view: object
    news: tuple[Turn[Move], ...]
    taken_back: int = 0


class AskConsent(Message, frozen=True):
    """Ask whether this seat agrees to another seat's request.

    Attributes:
        seat: The seat that made the request.
        request: "take-back" of that seat's last move and all that followed, or "draw".
    """

    seat: int
    request: Literal["take-back", "draw"]


class AskHint(Message, frozen=True):
    """Ask the engine which move another seat should make. The move is not played.

    Attributes:
        seat: The seat that needs a hint.
        view: The position as the seat that is asked sees it.
        news: The turns that the seat that is asked does not know yet.
        taken_back: Number of turns that the seat that is asked must undo before `news`, because they were
            taken back.
    """

    seat: int
    view: object
    news: tuple[Turn[Move], ...]
    clock: Clock
    taken_back: int = 0


class TellMoves(Message, frozen=True):
    """Send the engine the last moves of a game that is over. The engine only has to acknowledge them.

    Attributes:
        view: The position as this seat sees it.
        news: Turns with moves of other seats, or () if turns were taken back.
        taken_back: Number of turns that the seat must undo, because they were taken back.
    """

    view: object
    news: tuple[Turn[Move], ...]
    taken_back: int = 0


class AskScore(Message, frozen=True):
    """Ask the engine for the score, for the dead stones, or for both.

    Attributes:
        view: The position after both sides have passed, as the seat sees it. Only human players get it.
        claims: (seat, points of stones that it calls dead) of each other seat that has answered already. Only
            human players get them.
    """

    wants_dead: bool = False
    wants_score: bool = True
    view: object = None
    claims: tuple[tuple[int, tuple[str, ...]], ...] = ()


class Quit(Message, frozen=True):
    """Tell the engine that the game is over.

    Attributes:
        keep: Whether the engine may stay alive for another game.
    """

    keep: bool = False


class AskUmpire(Message, frozen=True):
    """Ask the umpire, a program without a seat that decides the game (`Umpired`), for its next decisions.

    Attributes:
        line: The message to the umpire, one line of JSON without a line feed.
    """

    line: str


class RunnerEnded(Message, frozen=True):
    """Tell the codec of a relay's runner that the runner has ended. The codec then reads the game's result
    from the runner's output.

    Attributes:
        status: How the runner ended, such as "exit 0".
        broke: (seat, description) of each player that broke down before the runner closed its pipes.
    """

    status: str
    broke: tuple[tuple[int, str], ...] = ()


class Ready(Message, frozen=True):
    """The engine is ready for the game.

    Attributes:
        name: Short name, for headings.
        description: The engine's own description, possibly several lines; "" for none.
        unable: Settings that the engine does not accept, in words ("the rules", "the clock").
        can_score: Whether to ask it for the score.
        knows_rules: Whether it knows all rules of the game. If not, it gets ordinary moves in place of
            special ones (`Rules.simplify`).
        resumes: Whether it can play on after both sides have passed.
        cleans_up: Whether it removes dead stones by playing on.
        tells_dead: Whether to ask it which stones are dead.
        tries_again: Whether the seat is asked again after an illegal or unreadable answer, as human players
            are, instead of losing.
        consents: Whether it answers `AskConsent`.
        gives_hints: Whether it answers `AskHint`.
        takes_back: Whether it can undo turns.
        takes_limits: Whether it accepts new time limits during a game.
        chooses: Whether it answers `AskChoice`.
        ponders: Whether its codec (`Ponders`) makes it think on the opponent's time.
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
    gives_hints: bool = False
    takes_back: bool = True
    takes_limits: bool = False
    chooses: bool = False
    ponders: bool = False


class Search(NamedTuple):
    """Statistics of an engine's search. None means unknown.

    Attributes:
        seldepth: Greatest depth of a variation, in plies.
        ms: Duration of the search in ms, by the engine's own clock.
        nps: Nodes per second.
        hashfull: Used part of the hash table in thousandths.
        tbhits: Positions found in endgame tables.
        newer_bound: Whether the engine sent a bound after the exact score. Its move may then differ from the
            first move of the variation.
    """

    seldepth: int | None = None
    ms: int | None = None
    nps: int | None = None
    hashfull: int | None = None
    tbhits: int | None = None
    newer_bound: bool = False


class Evaluation(NamedTuple):
    """An engine's evaluation of a position, from the point of view of its seat. None means unknown.

    Attributes:
        score: Advantage in the engine's own unit (Go: points; chess: centipawns).
        win: Win probability, from 0 to 1.
        depth: Search depth in plies.
        nodes: Positions or playouts searched.
        pv: Principal variation. It begins with the seat's own move, in the notation of the rules or of the
            engine.
        mate: Moves until the seat mates; negative if it is mated. `score` is then 30,000 minus the number of
            moves, with the same sign.
        bound: "lower" or "upper" if the score is only a bound, "" if it is exact.
        search: Search statistics; None if the engine sends none.
    """

    score: float | None = None
    win: float | None = None
    depth: int | None = None
    nodes: int | None = None
    pv: tuple[str, ...] = ()
    mate: int | None = None
    bound: Literal["", "lower", "upper"] = ""
    search: Search | None = None


class Moved(Message, frozen=True):
    """The engine's move.

    Attributes:
        evaluation: The engine's evaluation, if it was sent before the move. Adjudication counts it with this
            move. An evaluation that is sent later is a `Comment`.
    """

    move: Move
    evaluation: Evaluation | None = None


class Malformed(Message, frozen=True):
    """An answer that is not a move.

    Attributes:
        note: Likely reason, for the ruling; "" if unknown.
    """

    text: str
    note: str = ""


class Resigned(Message, frozen=True):
    pass


class ClaimedWin(Message, frozen=True):
    """The engine claims a win instead of making a move. Its player's settings must allow claims."""


class Unsupported(Message, frozen=True):
    """The engine says that it does not support the request."""

    text: str


class RejectedMove(Message, frozen=True):
    """The engine refuses a move that it was sent.

    Attributes:
        as_illegal: Whether the engine calls the last move illegal.
    """

    text: str
    as_illegal: bool


class WantsTakeBack(Message, frozen=True):
    """Request, instead of making a move, to take back the seat's last move and all moves after it."""


class OffersDraw(Message, frozen=True):
    """Offer a draw instead of making a move."""


class WantsHint(Message, frozen=True):
    """Request a hint instead of making a move. The seat is then asked for its move again, with the hint."""


class WantsLimit(Message, frozen=True):
    """Request, instead of making a move, a time limit for each further move of the opponents' engines.

    Attributes:
        ns: The limit in ns; 0 removes it.
    """

    ns: int


SeatRequest: TypeAlias = WantsTakeBack | OffersDraw | WantsHint | WantsLimit
"""A request that a seat makes instead of a move."""


class Suggested(Message, frozen=True):
    """The engine suggests a move to its human opponent, who may choose another. `ImposeMove` then says which
    move to make.
    """

    move: Move


class Agreed(Message, frozen=True):
    pass


class Declined(Message, frozen=True):
    pass


class Hint(Message, frozen=True):
    """The move that the engine would make, or None with the reason in `text`."""

    move: Move | None
    text: str = ""


class Acknowledged(Message, frozen=True):
    pass


class Comment(Message, frozen=True):
    """A remark of the engine about its last answer, with the evaluation that the remark contains.

    An evaluation that is known together with the move belongs in `Moved`.
    """

    text: str
    evaluation: Evaluation | None = None


class Warned(Message, frozen=True):
    """A problem that the engine itself reports.

    If the engine then gives no answer, messages name this problem as the likely cause.
    """

    text: str


class Delayed(Message, frozen=True):
    """Network delay, in ns, of the player's next answer. Only human and remote players report it."""

    ns: int


class Scored(Message, frozen=True):
    """The engine's opinion of the score.

    Attributes:
        text: The engine's own words; "" if it said nothing.
        winner: The winning seat. None means a draw if `is_level` is true, and no usable opinion otherwise.
        margin: Margin of the win; None if unknown, infinite if the engine states an impossible one.
        problem: Why the engine has no usable opinion, for a warning; "" for no warning.
        dead: Points of dead stones as the engine writes them; None if it was not asked or cannot tell.
    """

    text: str = ""
    winner: int | None = None
    is_level: bool = False
    margin: float | None = None
    problem: str = ""
    dead: tuple[str, ...] | None = None


class HasQuit(Message, frozen=True):
    """The engine has acknowledged the end of the game.

    Attributes:
        cpu_ns: CPU time that the engine reports; None if it reports none.
        stays: Whether the engine stays and can be prepared for another game.
    """

    cpu_ns: int | None = None
    problem: str = ""
    stays: bool = False


class Ruled(Message, frozen=True):
    """The umpire's messages up to its next question or the end of the game, one line of text each."""

    lines: tuple[str, ...]


class Broken(Message, frozen=True):
    """A fault of the engine ended the conversation: the kind of fault, and one line of detail.

    Attributes:
        status: How its process ended, such as "exit 3"; "" if it runs, or if that is unknown.
    """

    kind: FaultKind
    detail: str
    status: str = ""


class More(Message, frozen=True):
    """Bytes to write to the engine that continue the current request. The referee never sees this reply."""

    data: bytes


REMARKS: frozenset[type[Message]] = frozenset((Comment, Warned, Delayed))
"""The types of replies that end no request but are passed to the referee."""

Request: TypeAlias = (
    NewGame
    | AskMove
    | ImposeMove
    | AskChoice
    | AskConsent
    | AskHint
    | TellMoves
    | AskScore
    | Quit
    | AskUmpire
    | RunnerEnded
)
Answer: TypeAlias = (
    Moved | Resigned | ClaimedWin | Malformed | Unsupported | RejectedMove | SeatRequest | Suggested
)
"""A reply to a question for a move."""
OtherAnswer: TypeAlias = Ready | Agreed | Declined | Hint | Acknowledged | Scored | HasQuit | Ruled
"""A reply to another request."""
Reply: TypeAlias = Answer | OtherAnswer | Comment | Warned | Delayed | Broken | More
