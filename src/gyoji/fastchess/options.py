"""The command line of fastchess 1.8.2, parsed into values.

Each option begins with one dash and takes all words up to the next option: none, one value, or KEY=VALUE
words. If an option is repeated, its words are added. An option that gyoji does not support is refused with a
message.
"""

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from gyoji.config.document import suggest
from gyoji.core.faults import ConfigError
from gyoji.fastchess.engine_keys import with_keys
from gyoji.fastchess.log import LEVELS
from gyoji.fastchess.wishes import Engine, Wishes

REFUSED: Mapping[str, str] = MappingProxyType(
    {
        "-wait": "games follow each other at once",
        "-show-latency": "use `-pgnout latency=true`, or `gyoji show --timing`",
        "-debug": "use `-log file=FILE engine=true`",
        "--compliance": "it is a command line of its own: --compliance ENGINE",
    }
)
"""Options of fastchess that gyoji refuses, with the alternative."""

ACCEPTED = ("-recover", "-autosaveinterval")
"""Options without effect, because gyoji always continues after a crash and stores each game when it ends."""

SWITCHES = ("version", "help", "-version", "-help", "v", "-v")


def parse(words: Sequence[str]) -> Wishes:
    """Parse a command line without the program's name.

    Raises:
        ConfigError: An option or a value is unknown, refused, or contradicts another one.
    """
    wishes = Wishes()
    deferred: list[tuple[str, str]] = []
    for option, params in _split(words):
        if option in REFUSED:
            raise ConfigError(f"{option} is refused: {REFUSED[option]}")
        try:
            if option == "-each":
                deferred += _pairs(option, params)
            elif option not in ACCEPTED:
                _OPTIONS[option](wishes, params)
        except (ValueError, ConfigError) as error:
            raise ConfigError(
                f'Error while reading option "{option}" with value "{params[-1] if params else option}"\n'
                f"Reason: {error}"
            ) from None
    wishes.engines = [with_keys(engine, deferred) for engine in wishes.engines]
    _check(wishes)
    return wishes


def _split(words: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Return each option with its words. A negative number is a word, not an option."""
    known = [*_OPTIONS, *REFUSED, *ACCEPTED, "-each"]
    split: list[tuple[str, list[str]]] = []
    for word in words:
        if split and not (word.startswith("-") and not word[1:2].isdigit()):
            split[-1][1].append(word)
        elif word in known:
            split.append((word, []))
        else:
            raise ConfigError(f"Unrecognized option: {word} parsing failed.{suggest(word, known)}")
    return split


def _pairs(option: str, params: Sequence[str]) -> list[tuple[str, str]]:
    for word in params:
        if "=" not in word:
            raise ConfigError(f"{option}: expected KEY=VALUE, got {word!r}")
    return [(key, value) for key, _, value in (word.partition("=") for word in params)]


def _keys(option: str, params: Sequence[str], allowed: Sequence[str]) -> dict[str, str]:
    """Return the KEY=VALUE words `params` of an option as a dict.

    Raises ConfigError for a key that is not allowed.
    """
    pairs = _pairs(option, params)
    for key, value in pairs:
        if key not in allowed:
            raise ConfigError(f'Unrecognized {option[1:]} option "{key}" with value "{value}".')
    return dict(pairs)


def _one(params: Sequence[str]) -> str:
    if len(params) != 1:
        raise ConfigError(f"expected one value, got {len(params)}")
    return params[0]


def _truth(text: str) -> bool:
    if text not in ("true", "false"):
        raise ConfigError(f"Expected boolean value (true/false), got: {text}")
    return text == "true"


def _engine(wishes: Wishes, params: Sequence[str]) -> None:
    wishes.engines.append(with_keys(Engine(), _pairs("-engine", params)))


PGN_FIELDS = MappingProxyType(
    {
        **{"timeleft": "tl", "latency": "latency", "nodes": "n", "seldepth": "sd"},
        **{name: name for name in ("nps", "hashfull", "tbhits", "pv")},
    }
)
"""The keys of `-pgnout` that add a field to comments, with the name of the field."""


def _pgnout(wishes: Wishes, params: Sequence[str]) -> None:
    lines = [word for word in params if word.startswith("match_line=")]
    wishes.lines = (*wishes.lines, *(word.partition("=")[2] for word in lines))
    for pattern in wishes.lines:
        try:
            re.compile(pattern)
        except re.error as error:
            raise ConfigError(f"match_line: {pattern!r} is no regular expression: {error}") from None
    others = [word for word in params if word not in lines]
    keys = _keys("-pgnout", others, ("file", "notation", "append", "min", *PGN_FIELDS))
    if keys.get("notation", "san") not in ("san", "lan", "uci"):
        raise ConfigError(f'Unrecognized pgnout notation option "notation" with value "{keys["notation"]}".')
    for key in ("append", "min", *PGN_FIELDS):
        _truth(keys.get(key, "true"))
    wishes.pgn = {**(wishes.pgn or {}), "file": "", **keys}  # as fastchess: the second time without a name


def _epdout(wishes: Wishes, params: Sequence[str]) -> None:
    wishes.epd = {**(wishes.epd or {}), "file": "", **_keys("-epdout", params, ("file", "append"))}
    _truth(wishes.epd.get("append", "true"))


def _crc32(wishes: Wishes, params: Sequence[str]) -> None:
    wishes.crc = _truth(_keys("-crc32", params, ("pgn",)).get("pgn", "false"))


def _log(wishes: Wishes, params: Sequence[str]) -> None:
    keys = _keys("-log", params, ("file", "level", "append", "engine", "realtime", "compress"))
    if keys.get("level", "warn") not in LEVELS:
        raise ConfigError(f'Unrecognized log level option "level" with value "{keys["level"]}".')
    for key in ("append", "engine", "realtime", "compress"):
        _truth(keys.get(key, "true"))
    if keys.get("compress") == "true":
        raise ConfigError("compress=true is refused: the log is plain text")
    wishes.log = {**(wishes.log or {}), **keys}


def _openings(wishes: Wishes, params: Sequence[str]) -> None:
    given = _keys("-openings", params, ("file", "format", "order", "plies", "start", "policy"))
    keys = {**wishes.openings, **given}
    if keys.get("policy", "round") != "round":
        raise ConfigError("Unsupported opening book policy.")
    if keys.get("order", "sequential") not in ("sequential", "random"):
        raise ConfigError(f'Unrecognized openings order option "order" with value "{keys["order"]}".')
    if keys.get("format", "epd") not in ("epd", "pgn"):
        raise ConfigError(f'Unrecognized openings format option "format" with value "{keys["format"]}".')
    if int(keys.get("start", 1)) < 1:
        raise ConfigError("Starting offset must be at least 1!")
    file = keys.get("file", "")
    if file and not os.path.exists(file):
        raise ConfigError(f"Opening file does not exist: {file}")
    suffix = file.rpartition(".")[2].lower()
    if suffix in ("epd", "pgn") and keys.get("format", suffix) != suffix:
        raise ConfigError(f"format={keys['format']} is refused for {file}: its name says {suffix}")
    wishes.openings = keys


def _threshold(option: str, params: Sequence[str], *allowed: str) -> dict[str, int]:
    keys = {key: int(value) for key, value in _keys(option, params, allowed).items()}
    if keys.get("score", 0) < 0:
        raise ConfigError("Score cannot be negative.")
    return keys


def _draw(wishes: Wishes, params: Sequence[str]) -> None:
    wishes.draw = {**(wishes.draw or {}), **_threshold("-draw", params, "movenumber", "movecount", "score")}


def _resign(wishes: Wishes, params: Sequence[str]) -> None:
    sided = [word for word in params if word.startswith("twosided=")]
    for word in sided:
        wishes.twosided = _truth(word.partition("=")[2])
    others = [word for word in params if word not in sided]
    wishes.resign = {**(wishes.resign or {}), **_threshold("-resign", others, "movecount", "score")}


def _sprt(wishes: Wishes, params: Sequence[str]) -> None:
    given = _keys("-sprt", params, ("elo0", "elo1", "alpha", "beta", "model"))
    keys = {**(wishes.sprt or {}), **given}
    elo0, elo1, alpha, beta = (float(keys.get(name, 0)) for name in ("elo0", "elo1", "alpha", "beta"))
    if elo0 >= elo1:
        raise ConfigError("Error; SPRT: elo0 must be less than elo1!")
    for name, rate in (("alpha", alpha), ("beta", beta)):
        if not 0 < rate < 1:
            raise ConfigError(f"Error; SPRT: {name} must be a decimal number between 0 and 1!")
    if keys.get("model", "normalized") not in ("normalized", "bayesian", "logistic"):
        raise ConfigError("Error; SPRT: invalid SPRT model!")
    wishes.sprt = keys


def _quick(wishes: Wishes, params: Sequence[str]) -> None:
    commands: list[str] = []
    for key, value in _pairs("-quick", params):
        if key == "cmd":
            commands.append(value)
        elif key == "book":
            _openings(wishes, [f"file={value}", "order=random"])
        else:
            raise ConfigError(f'Unrecognized quick option "{key}" with value "{value}".')
    if len(commands) != 2:
        raise ConfigError('Option "-quick" requires exactly two cmd entries.')
    if not wishes.openings:
        raise ConfigError('Option "-quick" requires a book=FILE entry.')
    same = commands[0] == commands[1]
    for number, command in enumerate(commands, 1):
        name = f"{command}{number}" if same else command
        wishes.engines.append(with_keys(Engine(cmd=command, name=name), [("tc", "10+0.1")]))
    wishes.games, wishes.rounds, wishes.cutechess = 2, 25_000, True
    wishes.concurrency = max(1, (os.cpu_count() or 1) - 2)
    wishes.draw = {"movenumber": 30, "movecount": 8, "score": 8}


def _variant(wishes: Wishes, params: Sequence[str]) -> None:
    if (name := _one(params)) not in ("standard", "fischerandom"):
        raise ConfigError("Unknown variant.")
    wishes.chess960 = name == "fischerandom"


def _tournament(wishes: Wishes, params: Sequence[str]) -> None:
    if (name := _one(params)) not in ("gauntlet", "roundrobin"):
        raise ConfigError("Unsupported tournament format. Only supports roundrobin and gauntlet.")
    wishes.gauntlet = name == "gauntlet"


def _report(wishes: Wishes, params: Sequence[str]) -> None:
    wishes.penta = _truth(_keys("-report", params, ("penta",)).get("penta", "true"))


def _output(wishes: Wishes, params: Sequence[str]) -> None:
    name = _keys("-output", params, ("format",)).get("format", "fastchess")
    if name not in ("fastchess", "cutechess"):
        raise ConfigError(f'Unrecognized output option "format" with value "{name}".')
    wishes.cutechess = name == "cutechess"


def _config(wishes: Wishes, params: Sequence[str]) -> None:
    for key, value in _pairs("-config", params):
        if key not in ("file", "outname"):
            raise ConfigError(f"{key}= is refused: file=FOLDER resumes, outname=FOLDER keeps the results")
        wishes.folder, wishes.must_exist = value, key == "file" or wishes.must_exist


def _affinity(wishes: Wishes, params: Sequence[str]) -> None:
    if params:
        raise ConfigError("a list of processors is refused: gyoji chooses one for each engine")
    wishes.pinned = True


def _repeat(wishes: Wishes, params: Sequence[str]) -> None:
    wishes.games = int(params[0]) if len(params) == 1 and params[0].isdigit() else 2


def _to(name: str, read: Callable[[str], object]) -> Callable[[Wishes, Sequence[str]], None]:
    """Return a parser of an option that takes one value.

    The parser gets a command line's values and the words after the option. It converts the only word by
    `read`, and stores the result in the field `name` of the values.
    """
    return lambda wishes, params: setattr(wishes, name, read(_one(params)))


def _joined(name: str) -> Callable[[Wishes, Sequence[str]], None]:
    return lambda wishes, params: setattr(wishes, name, "".join(params))


def _flag(name: str, value: bool = True) -> Callable[[Wishes, Sequence[str]], None]:
    return lambda wishes, _params: setattr(wishes, name, value)


def _folders(text: str) -> tuple[str, ...]:
    """Split a search path of folders at ":" (at ";" on Windows), as fastchess does."""
    return tuple(filter(None, text.split(os.pathsep)))


def _table_results(text: str) -> str:
    names = {"WIN_LOSS": "wins", "DRAW": "draws", "BOTH": "both"}
    if text not in names:
        raise ConfigError(f"Invalid tb adjudication type: {text}")
    return names[text]


_OPTIONS: Mapping[str, Callable[[Wishes, Sequence[str]], None]] = MappingProxyType(
    {
        "-engine": _engine,
        "-pgnout": _pgnout,
        "-epdout": _epdout,
        "-crc32": _crc32,
        "-check-mate-pvs": _flag("check_mate_pvs"),
        "-testEnv": _flag("test_env"),
        "-strict": _flag("strict"),
        "-log": _log,
        "-openings": _openings,
        "-draw": _draw,
        "-resign": _resign,
        "-maxmoves": _to("max_moves", int),
        "-tb": _to("tables", _folders),
        "-tbpieces": _to("table_pieces", int),
        "-tbignore50": _flag("table_fifty", value=False),
        "-tbadjudicate": _to("table_results", _table_results),
        "-sprt": _sprt,
        "-quick": _quick,
        "-variant": _variant,
        "-tournament": _tournament,
        "-seeds": _to("seeds", int),
        "-report": _report,
        "-output": _output,
        "-config": _config,
        "-use-affinity": _affinity,
        "-repeat": _repeat,
        "-concurrency": _to("concurrency", int),
        "-force-concurrency": _flag("force_concurrency"),
        "-rounds": _to("rounds", int),
        "-games": _to("games", int),
        "-noswap": _flag("swap", value=False),
        "-reverse": _flag("reverse"),
        "-srand": _to("seed", int),
        "-event": _joined("event"),
        "-site": _joined("site"),
        "-ratinginterval": _to("rating_interval", int),
        "-scoreinterval": _to("score_interval", int),
        "-startup-ms": _to("startup_ms", int),
        "-ping-ms": _to("ping_ms", int),
        "-ucinewgame-ms": _to("ucinewgame_ms", int),
    }
)


def _check(wishes: Wishes) -> None:
    """Complete the options as fastchess does. Raises ConfigError if they contradict each other."""
    if wishes.rounds is None:
        wishes.rounds = 500_000 if wishes.sprt is not None else 2
    if wishes.games > 2:
        wishes.games, wishes.rounds = wishes.rounds, wishes.games
        if wishes.games > 2:
            raise ConfigError("Error: Exceeded -game limit! Must be less than 2")
    processors = os.cpu_count() or 1
    if wishes.concurrency <= 0:
        wishes.concurrency = max(1, processors + wishes.concurrency)
    if wishes.concurrency > processors and not wishes.force_concurrency:
        raise ConfigError("Error: Concurrency exceeds number of CPUs. Use -force-concurrency to override.")
    if (wishes.sprt or {}).get("model") == "bayesian" or wishes.cutechess or wishes.games != 2:
        wishes.penta = False
    if wishes.chess960 and not wishes.openings.get("file"):
        raise ConfigError("Error: Please specify a Chess960 opening book")
    if len(wishes.engines) < 2:
        raise ConfigError("Error: Need at least two engines to start!")
    odd = [name for name, given in (("-noswap", not wishes.swap), ("-reverse", wishes.reverse)) if given]
    if odd and (len(wishes.engines) > 2 or wishes.sprt is not None):
        raise ConfigError(f"{odd[0]} is refused with more than two engines, and with -sprt")
    if not wishes.swap and wishes.games > 1 and wishes.openings.get("file"):
        raise ConfigError("-noswap is refused with two games of an opening: add -games 1")
    if wishes.sprt is not None and len(wishes.engines) > 2:
        raise ConfigError("-sprt is refused with more than two engines")
    names: dict[str, int] = {}
    for index, engine in enumerate(wishes.engines):
        if engine.clock == "none" and not engine.nodes and not engine.depth:
            raise ConfigError("Error; no TimeControl specified!")
        name = engine.name or os.path.splitext(os.path.basename(engine.cmd))[0]
        names[name] = names.get(name, 0) + 1
        name += f"_{names[name]}" if names[name] > 1 else ""
        wishes.engines[index] = replace(engine, name=name)
