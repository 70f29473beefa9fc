"""The values of a fastchess command line: what is wanted of a match and of each engine."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Engine:
    """The settings of one engine in the command line.

    Attributes:
        clock: The time control in gyoji's notation: "8+0.08", "2s/move", "none".
        shown_clock: The time control as fastchess prints it with the results; "" for none.
        margin: Grace in ms after the time is used up.
        options: Values of its UCI options.
    """

    cmd: str = ""
    name: str = ""
    args: str = ""
    folder: str = ""
    clock: str = "none"
    shown_clock: str = ""
    margin: int = 0
    nodes: int = 0
    depth: int = 0
    restart: bool = False
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Wishes:
    """The contents of a command line.

    Attributes:
        rounds: Number of rounds; None if not given.
        games: Games of a round, with the same opening: 1 or 2.
        sprt: The keys of `-sprt`; None without a test.
        openings: The keys of `-openings`; empty to start from the standard position.
        draw: The keys of `-draw`; None if draws are not adjudicated. `resign` is the same for `-resign`.
        max_moves: Number of full moves after which a game is a draw; 0 for no limit.
        tables: Folders of Syzygy tablebases; () for none. `table_pieces`, `table_fifty` and `table_results`
            are the settings `pieces`, `fifty_moves` and `results` of `Tablebases`.
        penta: Whether statistics are computed from pairs of games.
        pgn: The keys of `-pgnout`; None if no file is written.
        lines: Regular expressions of `match_line`. For each, comments contain an engine's last matching line.
        epd: The keys of `-epdout`; None if no file is written.
        crc: Whether to print a checksum of the PGN file after each game.
        check_mate_pvs: Whether to check the length of mating variations.
        test_env: Whether to print a warning and its position on one line.
        strict: Whether the match ends at the first warning, loss on time or crash.
        log: The keys of `-log`; None if no log is written.
        startup_ms: Time limit in ms for `uciok`. gyoji adds up `startup_ms`, `ping_ms` and `ucinewgame_ms`,
            and applies the sum to the whole start of a game.
        ping_ms: Time limit in ms for the answer to `isready`.
        ucinewgame_ms: Time limit in ms for the answer to `isready` after `ucinewgame`.
        folder: Folder for the results, with which the same command resumes the match; "" for a temporary one.
        must_exist: Whether `folder` was named as a match to resume.
    """

    engines: list[Engine] = field(default_factory=list)
    rounds: int | None = None
    games: int = 2
    concurrency: int = 1
    force_concurrency: bool = False
    gauntlet: bool = False
    seeds: int = 1
    swap: bool = True
    reverse: bool = False
    chess960: bool = False
    sprt: Mapping[str, str] | None = None
    openings: Mapping[str, str] = field(default_factory=dict)
    draw: Mapping[str, int] | None = None
    resign: Mapping[str, int] | None = None
    twosided: bool = False
    max_moves: int = 0
    tables: tuple[str, ...] = ()
    table_pieces: int = 0
    table_fifty: bool = True
    table_results: str = "both"
    seed: int | None = None
    event: str = "Fastchess Tournament"
    site: str = "?"
    cutechess: bool = False
    penta: bool = True
    rating_interval: int = 10
    score_interval: int = 1
    pgn: Mapping[str, str] | None = None
    lines: Sequence[str] = ()
    epd: Mapping[str, str] | None = None
    crc: bool = False
    check_mate_pvs: bool = False
    test_env: bool = False
    strict: bool = False
    log: Mapping[str, str] | None = None
    folder: str = ""
    must_exist: bool = False
    startup_ms: int = 10_000
    ping_ms: int = 60_000
    ucinewgame_ms: int = 60_000
    pinned: bool = False
