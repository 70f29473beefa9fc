"""A game before it is played: its players, options and limits, as frozen JSON-ready values."""

from collections.abc import Iterable, Mapping
from hashlib import sha256
from math import inf
from typing import Literal

from msgspec import field

from gyoji.core.clocks import TimeControl
from gyoji.core.text import parse_duration
from gyoji.core.wire import Value, require


class Budgets(Value, frozen=True, kw_only=True):
    """The limits of an engine besides its clock, in ns and bytes. Every wait has a limit.

    Attributes:
        startup: ns from the start of the process until it is ready for the first move.
        move: ns for a move if the clock sets no limit or a longer one. On a clock of CPU time: ns of wall
            time without CPU use after which an engine counts as stuck.
        score: ns for an answer about the score.
        close: ns from the end of the game until the engine has exited. If it still runs, it gets SIGTERM, and
            later SIGKILL.
        reply: Bytes of one answer.
        rate: Additional bytes of one answer for each second since the request.
        line: Bytes of one line.
        remarks: Bytes of remarks that the record of a game keeps. Longer remarks are cut.
        memory: Bytes of private memory of the process tree; 0 for no limit. An engine that exceeds this
            loses.
        disk: Bytes of the files in its working folder; 0 for no limit. An engine that exceeds this loses.
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
    """The containment of an engine. `docs/explanation/security.md` describes the levels. Paths are absolute.

    Attributes:
        level: "guarded" for a program that the user trusts, "strict" for one of a stranger, "off" for none.
        hidden: Files and folders of the competition that the engine cannot see at all.
        foreign: Files and folders that are named in the settings of the competition or of another player. Of
            these, and of the files in them, the engine sees only what its own settings name.
        writable: Files and folders that it may change, besides its own folders.
        readable: Files and folders that it may read at "strict", besides system libraries and its own
            package.
        devices: Names below /dev, or prefixes of names, that it may use at "strict".
        network: Whether it may use the machine's network. If not, it has only a loopback interface.
    """

    level: Literal["guarded", "strict", "off"] = "guarded"
    hidden: tuple[str, ...] = ()
    foreign: tuple[str, ...] = ()
    writable: tuple[str, ...] = ()
    readable: tuple[str, ...] = ()
    devices: tuple[str, ...] = ()
    network: bool = False


class Signature(Value, frozen=True, kw_only=True):
    """A test that identifies an engine.

    Attributes:
        send: Line to send.
        expect: Line that its answer must contain.
    """

    send: str
    expect: str


PERSON = "person"
"""The name of the executor, and of the protocol, of human players."""

REMOTE = "remote"
"""The name of the executor of remote players, whose engines run on their owners' computers."""


class Player(Value, frozen=True, kw_only=True):
    """A program, or a human player, under a name in a competition.

    Attributes:
        code: Name in control file, reports and messages.
        command: Program and arguments, run without a shell. The program is a name on PATH or an absolute
            path.
        partner: Command for the other seats of its team; () for the same command.
        mate: The second player of a team of a human and a program, or of two humans. It plays the team's
            other seats and has the same code. None if one player has all seats of its team.
        is_mate: Whether this player is such a mate.
        cwd: Absolute working folder; None for gyoji's own, "" for a new private folder in each game.
        environ: Additional environment variables.
        inherits: Environment variables passed on although they look like secrets (`core/environment.py`).
        lacks: Environment variables that are not passed on.
        protocol: Name of the protocol, whose settings are `options`.
        stderr: "log" (to the event log), "discard", or "inherit".
        clock: Its own time control, for time odds; None for the game's.
        restart: Whether each game has a new process: "on" always, "off" never, "auto" only if the old one
            cannot take another game.
        ponders: Whether it may run during the opponent's turn. If not, it is suspended.
        folder: Absolute path of its own folder for files that outlast a game; None for none.
        containment: Level of containment, and exceptions from it.
        executor: Name of the executor that starts its engines.
        threads: Number of threads it computes with, used to plan how many games run at once. It is not sent
            to the engine.
        signature: Test that its engine must pass before it plays on a machine; None for none.
        found: Protocol settings that the check before a run found to be necessary. They override
            `options`.
        resources: Amounts of the machine's resources that each of its processes needs during a game, by
            name.
        outage_status: Exit status with which it reports that a service that it needs has failed, so that the
            game is void; 0 for none. Only for programs that are trusted not to use it in a lost position.
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
    outage_status: int = 0
    budgets: Budgets = Budgets()

    @property
    def is_person(self) -> bool:
        """Whether the player is a human."""
        return self.executor == PERSON

    @property
    def is_remote(self) -> bool:
        """Whether the engine runs on its owner's computer, which connects to gyoji (`gyoji join`, CGOS)."""
        return self.executor == REMOTE

    @property
    def is_elsewhere(self) -> bool:
        """Whether gyoji does not start the player but waits for it: a human or a remote engine."""
        return self.executor in (PERSON, REMOTE)

    @property
    def person(self) -> str:
        """The name of the human or remote player, unique in a competition."""
        return f"{self.code} (partner)" if self.is_mate else self.code

    @property
    def members(self) -> "tuple[Player, ...]":
        """The players of its team: itself, and its mate if there is one."""
        return (self,) if self.mate is None else (self, self.mate)


def people_of(players: Iterable[Player]) -> list[str]:
    """Return the names of the human players among players and their team mates (`Player.mate`), each once."""
    found = [each.person for player in players for each in player.members if each.is_person]
    return list(dict.fromkeys(found))


def awaited_of(players: Iterable[Player]) -> list[str]:
    """Return the names of the human and remote players, which gyoji does not start but waits for."""
    found = [each.person for player in players for each in player.members if each.is_elsewhere]
    return list(dict.fromkeys(found))


class Threshold(Value, frozen=True, kw_only=True):
    """A condition on engines' evaluations that ends a game.

    Attributes:
        score: Minimum advantage in the engine's own unit; for a draw, maximum distance from 0. None: not
            used.
        chance: Minimum win probability; for a draw, maximum distance from 0.5. None: not used.
        moves: Number of consecutive moves of each seat that must have such an evaluation.
        after: Number of turns before which the condition ends no game. Evaluations of earlier moves count.
    """

    score: float | None = None
    chance: float | None = None
    moves: int = 3
    after: int = 0

    def __post_init__(self) -> None:
        score, is_given = self.score or 0, (self.score, self.chance) != (None, None)
        require(is_given, "expected a score, or a chance, or both; got neither")
        require(0 <= score < inf, f"score: expected 0 or more, got {score:g}")
        require(self.moves >= 1, f"moves: expected 1 or more, got {self.moves}")
        require(self.after >= 0, f"after: expected 0 or more, got {self.after}")

    @property
    def text(self) -> str:
        """The thresholds as a short text. Defaults are left out.

        >>> Threshold(chance=0.95, after=40).text
        'chance 0.95, 3 moves, after 40'
        """
        told = [
            f"{name} {least:g}" for name in ("score", "chance") if (least := getattr(self, name)) is not None
        ]
        after = [f"after {self.after}"] if self.after else []
        return ", ".join([*told, f"{self.moves} moves", *after])


class Tablebases(Value, frozen=True, kw_only=True):
    """Endgame tablebases that end a game as soon as they contain its position (chess: Syzygy).

    Attributes:
        folders: Folders with the tables' files, absolute.
        pieces: Maximum number of pieces of a position that is looked up; 0 for the maximum of the tables.
        fifty_moves: Whether a win prevented by the 50-move rule counts as a draw. If not, it counts as a win.
        results: Which results end a game: "wins" of either side, "draws" or "both".
    """

    folders: tuple[str, ...]
    pieces: int = 0
    fifty_moves: bool = True
    results: Literal["both", "wins", "draws"] = "both"

    def __post_init__(self) -> None:
        require(self.folders, "folders: expected a list of folders, got none")
        require(self.pieces >= 0, f"pieces: expected 0 or more, got {self.pieces}")

    @property
    def text(self) -> str:
        """The settings as a short text. Defaults and folders are left out.

        >>> Tablebases(folders=("/tb",), pieces=5, results="wins").text
        'tablebases of 5 pieces, wins'
        """
        pieces = f" of {self.pieces} pieces" if self.pieces else ""
        fifty = "" if self.fifty_moves else ", no 50-move rule"
        return f"tablebases{pieces}{fifty}{'' if self.results == 'both' else f', {self.results}'}"


class Adjudication(Value, frozen=True, kw_only=True):
    """The conditions under which gyoji ends a game early. By default it never does.

    Attributes:
        win: Threshold for a win. A team wins if every other team has a seat that is behind by this much, in
            its own evaluations. With `agreed`, the winning team must also have a seat that is ahead by this
            much.
        draw: Threshold for a draw: the evaluations of all sides must be within it.
        agreed: Whether the winning side's own evaluations must confirm the win. If not, those of the losing
            side decide.
        length: Number of turns after which the game is a draw; 0 for never.
        tablebases: Endgame tablebases, which take precedence over the other conditions; None for none.
    """

    win: Threshold | None = None
    draw: Threshold | None = None
    agreed: bool = True
    length: int = 0
    tablebases: Tablebases | None = None

    def __post_init__(self) -> None:
        win, draw = self.win, self.draw
        require(self.length >= 0, f"length: expected 0 or more, got {self.length}")
        require(self.agreed or win is not None, "agreed: it is about win, which is not given")
        require(win is None or win.score != 0, "win: score: expected more than 0, got 0")
        if win is not None and win.chance is not None and not 0.5 < win.chance <= 1:
            raise ValueError(f"win: chance: expected more than 0.5, and at most 1, got {win.chance:g}")
        if draw is not None and draw.chance is not None and not 0 <= draw.chance < 0.5:
            raise ValueError(f"draw: chance: expected 0 to less than 0.5, got {draw.chance:g}")

    def describe(self) -> str:
        """Return the settings as a short text.

        >>> Adjudication(win=Threshold(score=20.0), agreed=False, length=300).describe()
        'win (score 20, 3 moves) by one side, level after 300'
        >>> Adjudication().describe()
        'none'
        """
        by = "by both sides" if self.agreed else "by one side"
        win = [f"win ({self.win.text}) {by}"] if self.win else []
        draw = [f"draw ({self.draw.text})"] if self.draw else []
        length = [f"level after {self.length}"] if self.length else []
        tables = [self.tablebases.text] if self.tablebases else []
        return ", ".join([*win, *draw, *length, *tables]) or "none"


LAG = parse_duration("1s")
"""The default of `GameSpec.lag`."""

OPENING = "opening"
"""The name of the option that holds the opening of a game."""


class GameSpec(Value, frozen=True, kw_only=True):
    """One game before it is played.

    Attributes:
        id: Id of the game, unique in its competition. File names begin with it.
        pairing: Part of the competition that the game belongs to, such as a playoff's matchup id.
        game: Name of the game, whose settings are `options` (board size, komi ...).
        players: Players in seat order. Two seats may have the same player.
        clock: Time control of every seat without one of its own.
        move_limit: Number of turns after which the game stops undecided; 0 for no limit.
        scorer: Who counts: the "players"' engines, the rules ("internal"), `scoring_player` ("engine"), which
            has no seat, or a human "judge" later.
        disputed_score: What happens if the players' engines count differently. "undecided": the result is
            unknown. "list": they are asked for the dead stones, and the rules count if they agree. "engine":
            `scoring_player` counts. "judge": a person rules. With the scorer "internal" a person rules only
            if the engines name different dead stones.
        umpire: The program that decides the game; None if the rules do.
        asking: Whether seats that move at once are asked "together" or "in turn".
        refused_moves: Who loses if an engine refuses a legal move as illegal: the "mover", the "refuser", or
            by "ruleset" the refusing engine if the players agreed on a ruleset, and the mover if they did
            not.
        without_cleanup: What happens if an engine does not play the clean-up phases: see `GameSettings`.
        asks_instead: Whether `scorer` was "internal" and became "players" because of `without_cleanup`.
        adjudication: When evaluations, tablebases or length end the game.
        take_backs: Whether a seat may take back its last move: "never"; "ask", if the opponents agree;
            "always".
        draw_offers: Whether a seat may offer a draw.
        hints: Whether a seat may ask the opponent's engine for a move.
        lag: Maximum network delay, in ns, credited to a human or remote player for one answer.
        illegal_tries: Number of illegal or unreadable answers to one request that an engine may give without
            losing. It is asked again after each of them, on the same clock.
        event: Name of the competition, for records.
        place: Place of the competition, for records.
        note: Additional line for records.
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
    umpire: Player | None = None
    asking: Literal["together", "in turn"] = "together"
    disputed_score: Literal["list", "undecided", "engine", "judge"] = "list"
    refused_moves: Literal["ruleset", "mover", "refuser"] = "ruleset"
    without_cleanup: Literal["agreement", "refuse", "players"] = "agreement"
    asks_instead: bool = False
    adjudication: Adjudication = Adjudication()
    take_backs: Literal["never", "ask", "always"] = "never"
    draw_offers: bool = False
    hints: bool = False
    lag: int = LAG
    illegal_tries: int = 0
    seed: int = 0
    competition: str = ""
    event: str = ""
    place: str = ""
    note: str = ""

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of the players in seat order."""
        return tuple([player.code for player in self.players])

    @property
    def everybody(self) -> tuple[Player, ...]:
        """All players that the game may need: those of the seats, the scoring player and the umpire."""
        scoring = self.scoring_player if self.asks_scoring_player else None
        return (*self.players, *[each for each in (scoring, self.umpire) if each is not None])

    @property
    def asks_scoring_player(self) -> bool:
        """Whether the game may need a score from an engine without a seat, which starts when play ends."""
        return self.scorer == "engine" or (self.scorer == "players" and self.disputed_score == "engine")


# Ids cannot contain the separator, so different parts give different texts. The result has 63 bits, so that
# it fits a signed 64-bit integer, such as SQLite's.
def derive_seed(*parts: object) -> int:
    """Return a seed in [0, 2**63) that depends only on the parts, so that a replayed game has the same seed.

    >>> derive_seed("event", "0_1") == derive_seed("event", "0_1") != derive_seed("event", "0_2")
    True
    """
    text = "\x1f".join(map(str, parts))
    return int.from_bytes(sha256(text.encode()).digest()[:8], "big") >> 1


NO_TEAM = -1
"""The team number that `game_token` uses for an engine without a seat."""


def game_token(spec: GameSpec, team: int) -> str:
    """Return the name by which the engines of one team know the game. The name stays the same if the game is
    replayed.

    From this name an engine cannot derive the game's id or seed, or the name that another team gets.
    """
    return f"{derive_seed('token', spec.seed, spec.id, team):016x}"
