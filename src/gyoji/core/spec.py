"""Before a game: who plays what, with which limits. Frozen values, complete, sendable as JSON."""

from collections.abc import Iterable, Mapping
from hashlib import sha256
from math import inf
from typing import Literal

from msgspec import field
from msgspec.structs import replace

from gyoji.core.clocks import TimeControl
from gyoji.core.text import parse_duration
from gyoji.core.wire import Value


class Budgets(Value, frozen=True, kw_only=True):
    """The limits of an engine where no clock of the game counts; ns and bytes. No wait is without one.

    startup  from the process's start until it is ready for the first move.
    move     for one answer when the clock sets no limit, or sets a longer one. On a clock of CPU time: real
             time in which the engine uses none of it, and is taken to be stuck.
    score    for its opinion of the score.
    close    from "the game is over" until it is gone; then TERM, then KILL.
    reply    bytes of one answer, whatever it is.
    rate     bytes that it may say besides for each second since it was asked.
    line     bytes of one line.
    remarks  bytes of all it says about its moves in one game that are kept; what is more is cut off.
    memory   bytes of private memory of its process tree; 0 for no limit. More, and it has lost.
    disk     bytes of the files in its working folder; 0 for no limit. More, and it has lost.
    """

    startup: int = parse_duration("60s")
    move: int = parse_duration("10m")
    score: int = parse_duration("60s")
    close: int = parse_duration("1s")
    reply: int = 1 << 20
    rate: int = 1 << 16
    line: int = 1 << 16
    remarks: int = 1 << 20
    memory: int = 0
    disk: int = 0


class Containment(Value, frozen=True, kw_only=True):
    """The containment of an engine. `docs/explanation/security.md` says what each level stops.

    level     "guarded" for a program of one's own; "strict" for a stranger's; "off" for nothing at all.
    hidden    files and folders that it is not to see: those of the competition.
    foreign   files and folders that are named for the competition or another player: it sees only what is
              its own of them.
    writable  what it may change besides its own folders.
    readable  what it may read at "strict" besides the system's libraries and its own package.
    devices   names below /dev, or beginnings of names, that it may use at "strict".
    network   whether it may use the machine's network; else it has one of its own, with loopback alone.

    Paths are absolute.
    """

    level: Literal["guarded", "strict", "off"] = "guarded"
    hidden: tuple[str, ...] = ()
    foreign: tuple[str, ...] = ()
    writable: tuple[str, ...] = ()
    readable: tuple[str, ...] = ()
    devices: tuple[str, ...] = ()
    network: bool = False


class Signature(Value, frozen=True, kw_only=True):
    """Tells an engine from others. send: a line that it is sent; expect: a line of its answer."""

    send: str
    expect: str


PERSON = "person"
"""The executor, and the protocol, of players who are persons."""


class Player(Value, frozen=True, kw_only=True):
    """A program under a name in a competition.

    code      its name in control file, reports and messages.
    command   the words to execute; no shell. The program is resolved: a name on PATH or an absolute path.
    partner   the words to execute for the other seats of its team, where a team has several; () for the same.
    mate      who plays those seats where that is no command of the same kind: a person beside a program, a
              program beside a person, a second person. Its code is the same; is_mate: whether it is one.
    cwd       working directory, absolute; None for ours, "" for a new private folder in each game.
    environ   added to the environment.
    inherits  names of our variables that it gets although they look like secrets (`core/environment.py`).
    lacks     names of variables that it does not get.
    protocol  name of the codec; options are that codec's own settings.
    stderr    "log" (to the event log), "discard", or "inherit".
    clock     its time control when the game gives it another than the other seats (time odds).
    restart   whether a new process is started for every game: "on" always; "off" never, it must take another
              game; "auto" only if it cannot take another game.
    ponders   whether it may run while others think; if not, it is suspended when it is not its turn.
    folder    absolute path of a folder of its own for files that last longer than a game; None for none.
    containment  what it may do besides playing.
    executor  name of what starts its engines.
    threads   how many it computes with at a time, from 1: to know how many games go at once, it is not told.
    signature what its engine must answer before it plays on a machine, None if it is not asked.
    found     settings of its protocol that the check before a run found it to need; they override `options`.
    resources what else of the machine each process of it has while a game is played, by the machine's names.
    """

    code: str
    command: tuple[str, ...]
    partner: tuple[str, ...] = ()
    mate: "Player | None" = None
    is_mate: bool = False
    cwd: str | None = None
    environ: Mapping[str, str] = field(default_factory=dict)
    inherits: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    protocol: str = "gtp"
    options: Mapping[str, object] = field(default_factory=dict)
    stderr: str = "log"
    clock: TimeControl | None = None
    restart: Literal["on", "off", "auto"] = "on"
    ponders: bool = True
    folder: str | None = None
    containment: Containment = Containment()
    executor: str = "contained"
    threads: int = 1
    signature: Signature | None = None
    found: Mapping[str, object] = field(default_factory=dict)
    resources: Mapping[str, int] = field(default_factory=dict)
    budgets: Budgets = Budgets()

    @property
    def is_person(self) -> bool:
        """Whether it is a person, who answers by hand and sits where somebody has a link to."""
        return self.executor == PERSON

    @property
    def person(self) -> str:
        """The name of the person that it is: no other player of a competition has it."""
        return f"{self.code} (partner)" if self.is_mate else self.code

    @property
    def members(self) -> "tuple[Player, ...]":
        """Who plays in its team: itself, and its mate if it has one."""
        return (self,) if self.mate is None else (self, self.mate)


def persons_of(players: Iterable[Player]) -> list[str]:
    """The names of the persons among players and their mates, each once."""
    found = [each.person for player in players for each in player.members if each.is_person]
    return list(dict.fromkeys(found))


class Threshold(Value, frozen=True, kw_only=True):
    """When the engines' opinions end a game. score, chance: by how much an engine says that it stands better,
    in its own unit, and its chance to win: at least these; for a draw at most so far from 0 and from 0.5.
    None where that does not count.

    moves  of each seat in a row that must say so.   after  turns before which none counts.
    """

    score: float | None = None
    chance: float | None = None
    moves: int = 3
    after: int = 0

    def __post_init__(self) -> None:
        if self.score is None and self.chance is None:
            raise ValueError("expected a score, or a chance, or both; got neither")
        if self.score is not None and not 0 <= self.score < inf:
            raise ValueError(f"score: expected 0 or more, got {self.score:g}")
        if self.moves < 1:
            raise ValueError(f"moves: expected 1 or more, got {self.moves}")
        if self.after < 0:
            raise ValueError(f"after: expected 0 or more, got {self.after}")

    @property
    def text(self) -> str:
        """It in a few words, as it differs from what is usual.

        >>> Threshold(chance=0.95, after=40).text
        'chance 0.95, 3 moves, after 40'
        """
        told = [
            f"{name} {least:g}" for name in ("score", "chance") if (least := getattr(self, name)) is not None
        ]
        after = [f"after {self.after}"] if self.after else []
        return ", ".join([*told, f"{self.moves} moves", *after])


class Adjudication(Value, frozen=True, kw_only=True):
    """When a game ends by what is to be seen of it; all off as it stands.

    win     a side has won when its opponents say so, and it too if both have to agree.
    draw    the game ends level when all sides say so.
    agreed  whether both sides have to say who wins, or the losing side alone.
    length  turns after which the game ends level; 0 for none.
    """

    win: Threshold | None = None
    draw: Threshold | None = None
    agreed: bool = True
    length: int = 0

    def __post_init__(self) -> None:
        if self.length < 0:
            raise ValueError(f"length: expected 0 or more, got {self.length}")
        win, draw = self.win, self.draw
        if win is None and not self.agreed:
            raise ValueError("agreed: it is about win, which is not given")
        if win is not None and win.score == 0:
            raise ValueError("win: score: expected more than 0, got 0")
        if win is not None and win.chance is not None and not 0.5 < win.chance <= 1:
            raise ValueError(f"win: chance: expected more than 0.5, and at most 1, got {win.chance:g}")
        if draw is not None and draw.chance is not None and not 0 <= draw.chance < 0.5:
            raise ValueError(f"draw: chance: expected 0 to less than 0.5, got {draw.chance:g}")

    def describe(self) -> str:
        """It in a few words.

        >>> Adjudication(win=Threshold(score=20.0), agreed=False, length=300).describe()
        'win (score 20, 3 moves) by one side, level after 300'
        >>> Adjudication().describe()
        'none'
        """
        by = "by both sides" if self.agreed else "by one side"
        win = [f"win ({self.win.text}) {by}"] if self.win else []
        draw = [f"draw ({self.draw.text})"] if self.draw else []
        length = [f"level after {self.length}"] if self.length else []
        return ", ".join([*win, *draw, *length]) or "none"


LAG = parse_duration("1s")
"""`GameSpec.lag` where nobody says otherwise."""

OPENING = "opening"
"""The option that says what a game starts from."""


class GameSpec(Value, frozen=True, kw_only=True):
    """One game before it is played. `players` in seat order; two seats may name the same player.

    id          unique in its competition; also a file name's stem.
    pairing     which part of the competition it belongs to (a playoff's matchup id).
    game        name of the game; `options` are that game's own settings (board size, komi ...).
    clock       for every seat that has no other of its own.
    move_limit  turns after which the game stops undecided; 0 for no limit.
    scorer      "players": ask the engines for the score; "internal": the rules count; "engine": ask
                `scoring_player`, which has no seat; "judge": a person will rule.
    disputed_score  what is done when the players' engines count differently: nothing ("undecided"), or they
                are asked which stones are dead and the rules count if they agree ("list"), else
                `scoring_player` is asked ("engine") or a person rules ("judge"). Where the rules count, a
                person rules ("judge") if the engines name different dead stones.
    asking      of seats that move at once: all "together", or "in turn", each after the one before.
    refused_moves  who loses when an engine refuses another's legal move as illegal: who refuses it, where the
                game's rules decide, else who made it ("ruleset"); always who made it ("mover"); always who
                refuses it ("refuser").
    without_cleanup  what becomes of an engine that does not play the clean-up phases: see `GameSettings`.
    adjudication  when the game ends by what is to be seen of it.
    take_backs  whether a seat may take its last move back: "never"; "ask", if those agree who are asked;
                "always".
    draw_offers  whether a seat may offer a draw.   advice  whether it may ask another's engine for a move.
    lag         ns of network time that a person is credited for an answer, at most.
    scale_clocks  whether clocks go by how fast the machine is that plays the game; clock_factor: by which
                factor those of this game have been scaled, of the settings and of its players.
    asks_instead  whether the scorer is "players" only for that reason, and was to be "internal".
    event       what records call the competition, and place where it is; note is one more line for them.
    """

    id: str
    pairing: str
    game: str
    players: tuple[Player, ...]
    options: Mapping[str, object] = field(default_factory=dict)
    clock: TimeControl = TimeControl()
    move_limit: int = 0
    scorer: str = "internal"
    scoring_player: Player | None = None
    asking: Literal["together", "in turn"] = "together"
    disputed_score: Literal["list", "undecided", "engine", "judge"] = "list"
    refused_moves: Literal["ruleset", "mover", "refuser"] = "ruleset"
    without_cleanup: Literal["agreement", "refuse", "players"] = "agreement"
    asks_instead: bool = False
    adjudication: Adjudication = Adjudication()
    take_backs: Literal["never", "ask", "always"] = "never"
    draw_offers: bool = False
    advice: bool = False
    lag: int = LAG
    scale_clocks: bool = False
    clock_factor: float = 1.0
    seed: int = 0
    competition: str = ""
    event: str = ""
    place: str = ""
    note: str = ""

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of its players, in seat order."""
        return tuple([player.code for player in self.players])

    @property
    def asks_scoring_player(self) -> bool:
        """Whether the scoring player may be started as soon as the game is over."""
        return self.scorer == "engine" or (self.scorer == "players" and self.disputed_score == "engine")


def scaled(spec: GameSpec, factor: float) -> GameSpec:
    """The game on a machine on which everything takes `factor` times as long."""
    if factor == 1:
        return spec
    players = tuple([_scaled(player, factor) for player in spec.players])
    return replace(spec, clock=spec.clock.scaled(factor), players=players, clock_factor=factor)


def _scaled(player: Player, factor: float) -> Player:
    mate = player.mate and _scaled(player.mate, factor)
    clock = player.clock and player.clock.scaled(factor)
    return replace(player, clock=clock, mate=mate) if clock or mate else player


def derive_seed(*parts: object) -> int:
    """A seed in [0, 2**63) that is a function of its parts: a game replayed is the same game.

    >>> derive_seed("event", "0_1") == derive_seed("event", "0_1") != derive_seed("event", "0_2")
    True
    """
    text = "\x1f".join(map(str, parts))
    return int.from_bytes(sha256(text.encode()).digest()[:8], "big") >> 1


NO_TEAM = -1
"""The team of an engine that has no part in the game, in `game_token`."""


def game_token(spec: GameSpec, team: int) -> str:
    """The name of a game for the engines of a team: the same in a replay, a different one for each team.

    Neither the game's id nor its seed, nor another team's token, can be told from it.
    """
    return f"{derive_seed('token', spec.seed, spec.id, team):016x}"
