"""Writing games as PGN in the form that fastchess writes, so that tools for its files can read gyoji's.

The tags are in fastchess's order: the seven-tag roster; the engines' own names; SetUp, FEN and Variant if the
game did not begin with the standard position; times, length and end; the time control; the opening's name.
After each move comes a comment with the engine's evaluation, depth and time. The last comment also has the
reason of the result::

    1. e4 {book} e5 {book} 2. Nf3 {+0.31/14 0.520s} Nc6 {-0.25/13 0.481s}
    ...
    40. Qh7# {+M1/20 0.003s, White mates} 1-0

The distance to mate is in plies: ``+M1`` is mate by this move, ``-M4`` is mate by the other side's second
move. An illegal move is not written as a move: the last comment names it.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from math import isfinite

from gyoji.core.clocks import Bonus, StageTime, TimeControl
from gyoji.core.faults import IllegalMove
from gyoji.core.game import PlayedOut, make_options
from gyoji.core.messages import Evaluation, Search
from gyoji.core.outcome import BY_TABLES, Ending, Outcome
from gyoji.core.record import GameRecord, GameResult, VoidGame
from gyoji.core.spec import GameSpec
from gyoji.games.chess.game_options import Options, rules
from gyoji.games.chess.opening_names import opening_name
from gyoji.games.chess.position import FIFTY, INSUFFICIENT, MATE, STALEMATE, THREEFOLD, Position
from gyoji.games.chess.rules import ChessRules
from gyoji.games.chess.san import format_san

WIDTH = 80
"""The maximum length of a line of moves, as in fastchess."""

FIELDS = ("tl", "latency", "n", "sd", "nps", "hashfull", "tbhits", "pv", "line")
"""The optional fields of a comment, in fastchess's order: time left, latency (time beyond what the engine
reports), search statistics, and kept lines of the engine's output.
"""

NOTATIONS = ("san", "lan", "uci")
"""The notations of moves: ``Nxd5+``, ``Nc3xd5+``, ``c3d5``."""

_SIDES = ("White", "Black")
_MINIMAL = ("Event", "Site", "Date", "Round", "White", "Black", "Result", "SetUp", "FEN", "Variant")
_SECOND = 1_000_000_000

TERMINATIONS = {
    Ending.ADJUDICATION: "adjudication",
    Ending.MOVE_LIMIT: "adjudication",
    Ending.TIME: "time forfeit",
    Ending.ILLEGAL_MOVE: "illegal move",
    Ending.ILL_FORMED_MOVE: "illegal move",
    Ending.REJECTION: "abandoned",
    Ending.FAULT: "abandoned",
    Ending.ABSENCE: "abandoned",
    Ending.FORFEIT: "abandoned",
    Ending.SKIPPED: "unterminated",
}
"""fastchess's terms for endings. Other endings are "normal"."""

_DRAWS = {
    STALEMATE: "Draw by stalemate",
    INSUFFICIENT: "Draw by insufficient mating material",
    THREEFOLD: "Draw by 3-fold repetition",
    FIFTY: "Draw by fifty moves rule",
    Ending.AGREEMENT: "Draw by agreement",
    Ending.ADJUDICATION: "Draw by adjudication",
}
_LOSSES = {
    Ending.RESIGNATION: "{loser} resigns",
    Ending.TIME: "{loser} loses on time",
    Ending.ILLEGAL_MOVE: "{loser} makes an illegal move",
    Ending.ILL_FORMED_MOVE: "{loser} makes an illegal move",
    Ending.FAULT: "{loser} disconnects",
    MATE: "{winner} mates",
    Ending.ADJUDICATION: "{winner} wins by adjudication",
}
_SPENT = re.compile(r"used ([0-9.]+)s with ([0-9.]+)s left")
_SILENT = re.compile(r"gave no answer|did not read|^stuck")
"""Matches the details of faults of engines that run but do not answer."""


def write_pgn(
    spec: GameSpec,
    record: GameRecord | VoidGame,
    played: PlayedOut | None = None,
    *,
    fields: Collection[str] = (),
    minimal: bool = False,
    notation: str = "san",
) -> bytes:
    """Return a game as PGN, with an empty line at its end.

    Args:
        played: The game with its positions, if it has just been played.
        fields: Optional fields of the comments, from `FIELDS`. As in fastchess, an unknown number is 0. So if
            the engine reports no time, its latency is the whole time of the move.
        minimal: Whether to omit comments, and all tags except the seven-tag roster, SetUp, FEN and Variant.
        notation: One of `NOTATIONS`. Most readers of PGN accept only the first.
    """
    made: ChessRules = rules(make_options(Options, spec.options)) if played is None else played.rules
    positions = _positions(record, made, played)
    tags = _tags(spec, record, made)
    if not (minimal or made.chess960) and (opening := opening_name(positions)) is not None:
        tags |= {"ECO": opening.eco, "Opening": opening.name}
    tags["GameId"] = spec.id
    words = _movetext(record, made, positions, _comments(spec, record, fields), notation)
    if minimal:
        tags = {name: value for name, value in tags.items() if name in _MINIMAL}
        words = [word.partition(" {")[0] for word in words if not word.startswith("{")]
    heading = "".join(f'[{name} "{_escaped(value)}"]\n' for name, value in tags.items())
    moves = "\n".join(wrapped(words))
    return f"{heading}\n{moves}\n\n".encode()


def result_text(outcome: Outcome) -> str:
    """Return a result as in PGN, White's points first; ``*`` if it is unknown."""
    if outcome.points is None:
        return "*"
    return {0: "1-0", 1: "0-1", None: "1/2-1/2"}[outcome.winner]


def reason_text(outcome: Outcome) -> str:
    """Return the reason why a game ended, in fastchess's words."""
    ending = outcome.ending
    by_tables = ": SyzygyTB" if outcome.detail == BY_TABLES else ""
    if outcome.points is None:
        return "Game interrupted"
    if outcome.winner is None:
        return _DRAWS.get(ending, f"Draw by {ending.value}") + by_tables
    winner, loser = _SIDES[outcome.winner], _SIDES[1 - outcome.winner]
    text = _LOSSES.get(ending, "{loser} loses: " + ending.value)
    if ending is Ending.TIME and (spent := _SPENT.search(outcome.detail)):
        text += f" ({1000 * (float(spent[1]) - float(spent[2])):.0f}ms overrun)"
    if ending is Ending.FAULT and _SILENT.search(outcome.detail):
        text = "{loser}'s connection stalls"
    return text.format(winner=winner, loser=loser) + by_tables


def format_clock(control: TimeControl) -> str:
    """Return a time control as in PGN: ``8+0.08``, ``40/300``, ``0.1/move``; ``-`` for none.

    >>> format_clock(TimeControl.parse("8+0.08")), format_clock(TimeControl.parse("40/300+2"))
    ('8+0.08', '40/300+2')
    >>> format_clock(TimeControl.parse("2s/move")), format_clock(TimeControl())
    ('2/move', '-')
    >>> [format_clock(TimeControl.parse(text)) for text in ("40/90m + 30s, 30m + 30s", "3m hourglass")]
    ['40/5400+30:1800+30', '*180']

    PGN has no form for a delay. The result is then ``?``, which means unknown.
    """
    if control.is_unlimited:
        return "-"
    if not control.has_main:
        return f"{_seconds(control.move)}/move"
    if control.bonus is not Bonus.FISCHER:
        return "?"
    if control.hourglass:
        return f"*{_seconds(control.main)}"
    return ":".join(_stage_text(stage) for stage in control.all_stages)


def _stage_text(stage: StageTime) -> str:
    text = f"{stage.moves}/{_seconds(stage.time)}" if stage.moves else _seconds(stage.time)
    return f"{text}+{_seconds(stage.increment)}" if stage.increment else text


def _seconds(ns: int) -> str:
    return f"{ns / _SECOND:.3f}".rstrip("0").rstrip(".")


# Tags


def _tags(spec: GameSpec, record: GameRecord | VoidGame, made: ChessRules) -> dict[str, str]:
    result = record.result if isinstance(record, GameRecord) else None
    started = record.result.started if isinstance(record, GameRecord) else record.started
    number = spec.id.rpartition("_")[2]
    tags = {
        "Event": spec.event or "?",
        "Site": spec.place or "?",
        "Date": started[:10].replace("-", ".") or "????.??.??",
        "Round": str(int(number) + 1) if number.isdecimal() else "?",
        "White": spec.codes[0],
        "Black": spec.codes[1],
        "Result": "*" if result is None else result_text(result.outcome),
    }
    for side, engine in zip(_SIDES, () if result is None else result.engines, strict=False):
        if engine.name:
            tags[f"Engine{side}Name"] = engine.name
        author = engine.description.removeprefix(f"{engine.name} by ")
        if engine.name and author != engine.description:
            tags[f"Engine{side}Author"] = author
    if made.chess960 or made.start_fen != _ORDINARY:
        tags |= {"SetUp": "1", "FEN": made.start_fen}
    if made.chess960:
        tags["Variant"] = "Chess960"
    if result is not None:
        tags |= _times(result)
    plies = len(made.opening_plays) + len(record.turns)
    ending = "unterminated" if result is None else TERMINATIONS.get(result.outcome.ending, "normal")
    tags |= {"PlyCount": str(plies), "Termination": ending}
    clocks = [format_clock(player.clock or spec.clock) for player in spec.players]
    if clocks[0] == clocks[1]:
        tags["TimeControl"] = clocks[0]
    else:
        tags |= {"WhiteTimeControl": clocks[0], "BlackTimeControl": clocks[1]}
    return tags


_ORDINARY = rules(Options()).start_fen


def _times(result: GameResult) -> Mapping[str, str]:
    """Return the tags for a game's duration, start and end; none if the start is unknown."""
    try:
        started = datetime.fromisoformat(result.started)
    except ValueError:
        return {}
    seconds = result.wall_ns // _SECOND
    ended = started + timedelta(seconds=seconds)
    return {
        "GameDuration": f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}",
        "GameStartTime": started.strftime("%Y-%m-%dT%H:%M:%S %z").strip(),
        "GameEndTime": ended.strftime("%Y-%m-%dT%H:%M:%S %z").strip(),
    }


def _escaped(text: str) -> str:
    """Escape text for a PGN tag, on one line."""
    return " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"')


# Moves


def _positions(record: GameRecord | VoidGame, made: ChessRules, played: PlayedOut | None) -> list[Position]:
    """Return the positions of a game: the first one, then one after each move. The opening's moves count too.

    The list ends before the first illegal move. Only a store that was tampered with has illegal moves.
    """
    positions = [made.first]
    for turn in made.opening_plays:
        positions.append(made.play(positions[-1], (turn,)))
    if played is not None:
        return [*positions, *played.positions]
    with suppress(IllegalMove):
        for ((seat, move, *_),) in record.turns:
            positions.append(made.play(positions[-1], ((seat, move),)))
    return positions


def _movetext(
    record: GameRecord | VoidGame,
    made: ChessRules,
    positions: Sequence[Position],
    comments: Sequence[str],
    notation: str,
) -> list[str]:
    """Return the movetext of a game as a list of pieces: each move with number and comment, and the result.

    Args:
        record: The game.
        made: The rules, whose opening comes before the moves.
        positions: The result of `_positions`.
        comments: The comment on each move, without the opening's.
        notation: One of `NOTATIONS`.
    """
    moves = [move for _, move in made.opening_plays] + [move for ((_, move, *_),) in record.turns]
    comments = ["book"] * len(made.opening_plays) + list(comments)
    reason = _reason(record)
    if len(positions) <= len(moves):
        reason = f"illegal in the record: {moves[len(positions) - 1]}"
    elif record.turns and reason:
        comments[-1], reason = f"{comments[-1]}, {reason}", ""
    words: list[str] = []
    for position, after, move, comment in zip(positions, positions[1:], moves, comments, strict=False):
        count = f"{position.number}. " if not position.turn else "" if words else f"{position.number}... "
        text = move if notation == "uci" else format_san(position, move, after, is_long=notation == "lan")
        words.append(f"{count}{text} {{{_plain(comment)}}}")
    if reason:
        words.append(f"{{{_plain(reason)}}}")
    words.append(result_text(record.result.outcome) if isinstance(record, GameRecord) else "*")
    return words


def _comments(spec: GameSpec, record: GameRecord | VoidGame, fields: Collection[str]) -> list[str]:
    opinions: dict[tuple[int, int], Evaluation] = {}  # the last one of each move
    if isinstance(record, GameRecord):
        opinions = {(each.turn, each.seat): each.evaluation for each in record.opinions}
    left = _times_left(spec, record) if "tl" in fields else [0] * len(record.turns)
    return [
        format_comment(opinions.get((number, each.seat)), each.ns, fields, left[number], each.comment)
        for number, (each,) in enumerate(record.turns)
    ]


def _times_left(spec: GameSpec, record: GameRecord | VoidGame) -> list[int]:
    """Return, for each move, the ns that the mover's clock has left after it.

    The number is 0 without a clock or after a loss on time. If the clock limits single moves only, the number
    is that limit.
    """
    controls = [player.clock or spec.clock for player in spec.players]
    clocks = [control.start() for control in controls]
    left = []
    for ((seat, _, ns, *_),) in record.turns:
        charged = controls[seat].charge(clocks[seat], ns)
        if charged is not None:
            clocks[seat] = charged[0]
        left.append(0 if charged is None else max(clocks[seat].main, 0) or controls[seat].move)
    return left


def _reason(record: GameRecord | VoidGame) -> str:
    if isinstance(record, VoidGame):
        return record.reason
    reason = reason_text(record.result.outcome)
    return f"{reason}: {record.refused.move}" if record.refused is not None else reason


def _plain(comment: str) -> str:
    """Return a comment with its braces replaced, because a brace would end it."""
    return comment.replace("}", ")").replace("{", "(")


def format_comment(
    evaluation: Evaluation | None, ns: int, fields: Collection[str] = (), left: int = 0, said: str = ""
) -> str:
    """Return the comment on a move: evaluation, depth, time, and the wanted fields.

    Args:
        evaluation: The engine's evaluation, in its own point of view; None if it gave none.
        ns: The time of the move, in ns.
        fields: The wanted fields, from `FIELDS`.
        left: The time on the mover's clock after the move, in ns.
        said: Lines of the engine's output that the game record keeps as the comment on the move.

    >>> format_comment(Evaluation(score=31.0, depth=14, nodes=900), 520_000_000, ("n", "sd"))
    '+0.31/14 0.520s, n=900, sd=0'
    >>> format_comment(None, 1_000_000)
    '/0 0.001s'
    """
    evaluation = evaluation or Evaluation()
    text = f"{format_score(evaluation)}/{evaluation.depth or 0} {ns / _SECOND:.3f}s"
    if not fields:
        return text
    search = evaluation.search or Search()
    values = {
        "tl": f"{left / _SECOND:.3f}s",
        "latency": f"{ns / _SECOND - (search.ms or 0) / 1000:.3f}s",
        "n": evaluation.nodes or 0,
        "sd": search.seldepth or 0,
        "nps": search.nps or 0,
        "hashfull": search.hashfull or 0,
        "tbhits": search.tbhits or 0,
        "pv": f'"{" ".join(evaluation.pv)}"',
    }
    words = [f"{name}={values[name]}" for name in FIELDS[:-1] if name in fields]
    if "line" in fields:
        words += [f'line="{line}"' for line in said.splitlines()]
    return ", ".join([text, *words])


def format_score(evaluation: Evaluation) -> str:
    """Return an evaluation in pawns, or the plies until mate; "" if it has neither.

    >>> format_score(Evaluation(score=-120.0)), format_score(Evaluation(score=0.0))
    ('-1.20', '0.00')
    """
    if (mate := evaluation.mate) is not None:
        return f"+M{2 * mate - 1}" if mate > 0 else f"-M{-2 * mate}"
    score = evaluation.score
    if score is None or not isfinite(score):
        return ""
    return f"{score / 100:+.2f}" if round(score) else "0.00"


def wrapped(words: Iterable[str]) -> list[str]:
    """Join words to lines of at most `WIDTH` characters. A longer word gets a line of its own."""
    lines: list[str] = []
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > WIDTH:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return [*lines, line] if line else lines
