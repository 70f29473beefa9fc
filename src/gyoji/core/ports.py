"""The extension points: what a game, a protocol, an executor, a competition and a record format offer.

A plug-in is one module or folder under `gyoji.games`, `protocols`, `executors`, `formats` or `records`.
It is found by its module's name and imported when a config names it (`gyoji.core.plugins`); nothing else
is edited. `gyoji.testing` has a conformance kit for each port.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

from gyoji.core.messages import Move, Reply, Request, Turn
from gyoji.core.outcome import Outcome
from gyoji.core.record import GameResult
from gyoji.core.spec import GameSpec, Player

Position = TypeVar("Position")


class Rules(Protocol[Position]):
    """A game with its options fixed. Pure: positions are immutable, equal games give equal positions.

    A game's module offers `Options`, a frozen dataclass whose fields are the game's settings (types and
    defaults checked by the config layer; `__post_init__` raises ValueError for what does not fit
    together), and `rules(options, seed) -> Rules`; and `RECORDS`, the names of the record formats its games
    are written in. It may also offer

    DEFAULTS  settings of a control file for this game, as the user would write them, where the user and the
              preset say nothing (``{"move_limit": 20000}``); `protocol` among them is for its players.
    Options.usual  settings of a game that go with its options, where the user says nothing.
    MATCH     the same for `gyoji match` alone, where there is no preset: what a control file has to say.
    PRESETS   by name, settings of a control file that go together (the leagues of an event).
    openings(data, name, options)    the openings of a file of that name, as values for `options.opening`;
                                     raises ValueError naming the line of a bad one.
    vary(opening, options, symmetry=0, shift=0)  the opening turned in one of 8 ways (0: as it is), and moved
                                     on the board by the game's own list of shifts (0: not). Without a
                                     parameter `shift`, openings of the game cannot be moved.
    opening_time(options)            the main time in ns that the opening of a game gives, None for none: for
                                     clocks that go by it.
    SEATS       how many places there are, if not 2.
    SIDE_NAMES  what the two teams are called in reports, if not black and white.
    ROLES       what each seat is in its team, where a team has several.
    UNIT        what `Outcome.totals` count, in a word.
    frames    a module in the game's folder: its games as pictures, see `gyoji.core.frames`.

    and its rules more, which others lack:

    roles                  what each seat is in its team, as ROLES: who is out of a game is named so.
    sides(position)        the side each seat has, where players may change sides.
    declined(position, seat)  how the game goes on when a seat says that it cannot do what is asked of it in
                           this phase, whose turns are taken back; None: its team has lost.
    notes(position, turn)  per move of a turn, what the rules say of it ("" for nothing).
    stopped(position)      whether both sides have passed, and dead stones may still be on the board. Then
                           there are `resume`, `close`, `dead_groups`, `of_seat`, `names_of`, `dead_stones`
                           and `longest_cleanup` too: see `GoRules`, and `referee.counting` for their use.
    greatest_margins(position)  by how much each seat can have won at most.
    is_ruled               False: it is not agreed by which rules the players play, so an engine may be right
                           that calls a legal move illegal (Go without a ruleset).
    """

    @property
    def seats(self) -> int:
        """How many places there are, numbered from 0."""

    @property
    def teams(self) -> Sequence[int]:
        """The team of each seat: (0, 1) for two players, (0, 1, 0, 1) for two pairs."""

    def start(self) -> Position: ...

    def acting(self, position: Position) -> tuple[int, ...]:
        """The seats that move now, ascending; several move at once, none when the game is over."""

    def phase(self, position: Position) -> str:
        """The part of the game, "" for ordinary play."""

    def legal(self, position: Position, seat: int) -> Iterable[Move]:
        """Every move that `play` would accept from an acting seat, in a fixed order.

        In a special phase an example will do.
        """

    def check(self, position: Position, seat: int, move: Move) -> None:
        """Raise `IllegalMove` saying why, exactly when `play` would; also for a seat that is not acting."""

    def play(self, position: Position, turn: Turn) -> Position:
        """The position after the acting seats' moves; raises `IllegalMove`, naming the seat."""

    def drop(self, position: Position, seat: int) -> Position | None:
        """The position in which the game goes on without `seat`; None: its team has lost."""

    def outcome(self, position: Position) -> Outcome:
        """How the game ended, when nobody is acting any more."""

    def plain(self, position: Position, move: Move) -> Move:
        """What to tell an engine of `move`, made in `position`, that knows no moves out of the ordinary."""

    def view(self, position: Position, seat: int) -> Any:
        """What `seat` may know. Two positions that the seat cannot tell apart give equal views."""

    def news(self, turn: Turn, seat: int) -> Turn:
        """What `seat` is told of a turn: its own move, and of the others those that it may know.

        A move may stand for another that is hidden: it has a `format`, and need not be legal. Where a view is
        not the position itself, no more is told than it shows: turns after which views are equal are told as
        equal.
        """

    def parse(self, text: str) -> Move:
        """The move that `text` writes. Raises ValueError for what is no move on this board."""

    def format(self, move: Move) -> str:
        """The text of a move: `parse(format(move)) == move`."""


class Codec(Protocol):
    """Our half of the conversation with one engine: requests to bytes, bytes to replies.

    A protocol's module offers `Options` (a frozen dataclass: the protocol's settings of a player) and
    `codec(options) -> Codec`. No I/O, no clock, no rules; bytes may arrive in any cuts. It may also offer

    GAMES                  the names of the games it can play, if not any: others may name it in `DEFAULTS`.
    PRIVATE_FOLDER         True: its engines have a working folder for each game, unless told another.
    check_command(words, options)  raises ValueError for a command that the protocol does not allow; options:
                           those of the player, as plain values.
    read_score(text)       the `Appraised` that an engine means by its words about the score.
    executable(names)      which file of a package is the program, with warnings; ValueError if none is.

    and, where it is a folder, a module `probe` in it, imported when somebody asks for it, with

    probe(game)            the conformance probe (`core/probe.py`) of `gyoji check`; game: rules, or None.
    trial(game)            a short one of the check before a competition; may be left out.

    Two attributes that a codec may have, for protocols that need them:

    answers_itself  True: there are requests that no engine answers. After each `send` the runner calls
                    `receive(b"")`, which gives the replies the codec has made up itself.
    forks           False: a second process of the engine (not a thread) is a fault, and the runner looks out
                    for one; True: it may have some, and a clock of CPU time charges what they use too.
    """

    def send(self, request: Request) -> bytes:
        """The bytes that put a request, possibly none."""

    def receive(self, data: bytes) -> Sequence[Reply]:
        """The replies that are complete now. `More` asks for bytes to be written; `Broken` is always last."""

    def finish(self) -> Sequence[Reply]:
        """The engine has closed its output: what its last bytes amount to, often `Broken`, or nothing."""


class Competition(Protocol):
    """A format with its players, as a fold over finished games.

    A format's module offers `Settings` (a frozen dataclass, checked by the config layer) and
    `competition(setup) -> Competition`. `add` and `next_game` cost O(log n) at most.
    It may also offer an attribute `adapts`, True if results so far decide who plays: then no game is issued
    before it can start.
    """

    def add(self, result: GameResult) -> None:
        """Take a finished game into account. In which order results come matters to tuners alone.

        It may be a game that is set aside (`Ending.SET_ASIDE`): it has no result, stands in no table, and is
        not waited for. seat: whose player is suspended, None if the game could not be played.
        """

    def next_game(self) -> GameSpec | None:
        """The next game to start, each at most once; None if there is none now (an `add` may change that)."""

    def remaining(self) -> int | None:
        """How many games are still to be issued, as far as is known; None for endless."""

    def checks(self) -> Iterable[GameSpec]:
        """For each player that will play, a game that shows with which settings to try it."""


class Shortage(NamedTuple):
    """The system has ended processes of an engine for want of memory; own: whether that is its own doing."""

    own: bool
    text: str


class Engine(Protocol):
    """One running process of a player, as the runner sees it. File descriptors are non-blocking."""

    player: Player
    stdin: int
    stdout: int
    stderr: int  # -1 if it is not ours to read
    pid: int
    pidfd: int  # readable when the process has ended; -1 if there is none
    containment: str  # its level, and what this machine lacks of it: "guarded", "guarded; missing: overlay"
    place: str  # the folder that is its own for a game, "" if it has none

    def cpu_ns(self, *, user_only: bool = False) -> int:
        """CPU time used until now by the process, all threads."""

    def tree_ns(self, *, user_only: bool = False) -> int:
        """The same of all that it has started, as far as can be told: those that have ended too."""

    def offspring(self) -> tuple[bool, int]:
        """(whether it has child processes now, a number that grows when it waits for one that has ended)."""

    def delays(self) -> Mapping[int, int]:
        """By thread of the process and its descendants, ns that it was ready to run and had no processor."""

    def memory(self, most: int = 0) -> int:
        """Bytes of memory that are the process's and its descendants', what they share included, now.

        Exact above `most`; a figure up to that may be too high, and is had faster.
        """

    def shortage(self) -> Shortage | None:
        """Whether it was short of memory since it was started; None if it was not, or nobody knows."""

    def unlinked(self) -> int:
        """Bytes of the files on a disk that they have open and that have no name any more."""

    def suspend(self) -> None:
        """Stop the process and its descendants until `resume`."""

    def resume(self) -> None:
        """Let them run again."""

    def terminate(self) -> None:
        """Ask the whole group to end (TERM)."""

    def kill(self) -> None:
        """End whatever is left of it, group and descendants, at once."""

    def reap(self) -> tuple[str, int] | None:
        """(how it ended, CPU ns of the tree) once the process has ended, None before. Closes nothing."""

    def close_stdin(self) -> None:
        """Close our end of its input: it reads an end of file."""

    def close(self) -> None:
        """Close our ends of its pipes."""


class EngineStarter(Protocol):
    """What starts the engines of one worker."""

    def start(self, player: Player, environ: Mapping[str, str], *, place: str = "") -> Engine:
        """Start one process of `player`; place: a folder that is its own, "" for none.

        Raises `Breakdown` if it cannot be started at all.
        """

    @property
    def pids(self) -> frozenset[int]:
        """The processes that it has started for itself: no engines, and nobody's orphans."""

    def close(self) -> None:
        """End what it has started for itself. No engine is running any more."""
