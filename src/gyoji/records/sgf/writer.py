"""A finished or void game of Go as an SGF file: what a viewer shows of it, and what the organiser looks up.

The root tells who played what and how it ended; each engine's words stand at its move; the last node adds
what was said and decided after it. Layout and wording are gomill's, so that what was written for its records
goes on working. Text is built piece by piece without a tree: writing may not cost more than playing.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from types import ModuleType
from typing import Any

import gyoji
from gyoji.core.clocks import TimeControl
from gyoji.core.describe import describe_result, result_code
from gyoji.core.faults import IllegalMove
from gyoji.core.outcome import Ending
from gyoji.core.plugins import plugin
from gyoji.core.record import EngineReport, GameRecord, GameResult, Played, VoidGame
from gyoji.core.spec import GameSpec
from gyoji.core.text import format_duration, quote
from gyoji.records.sgf.nodes import HANDICAP, format_comment, move_pieces
from gyoji.records.sgf.points import vertex_letters
from gyoji.records.sgf.serialise import fold
from gyoji.records.sgf.territory import last_position, territory
from gyoji.records.sgf.values import format_composed, format_real, format_simple_text

_COLOURS = ("Black", "White")
_UNKNOWN = EngineReport()
_NAMED_BY_ENGINE = "sgf_player_name_from_gtp"  # a player's option, called so by gomill; True without it


def write(spec: GameSpec, record: GameRecord | VoidGame) -> bytes:
    """The SGF file of a game. Raises ValueError for a game not of two seats, and a move that is no vertex."""
    if len(spec.players) != len(_COLOURS):
        raise ValueError(f"game {spec.id}: an SGF record is of two seats, not of {len(spec.players)}")
    width, height = _size(spec.options["board_size"])
    controls = [player.clock or spec.clock for player in spec.players]
    played = [move for turn in record.turns for move in turn]
    has_moves = bool(played) and played[-1].phase != HANDICAP
    comment = _root_comment(spec, record, has_moves=has_moves)
    last_words = _last_words(record) if isinstance(record, GameRecord) else _void_words(record)
    if has_moves:
        said = played[-1].comment
        played[-1] = played[-1]._replace(comment=f"{said}\n\n{last_words}" if said else last_words)
    else:
        comment = f"{comment}\n\n{last_words}"
    game = _game(spec.game)
    rules = game.rules(game.Options(**spec.options))
    try:
        properties = {
            "C": format_comment(comment),
            "SZ": str(width) if width == height else f"{width}:{height}",
            **_headings(spec, record),
            "RU": format_simple_text(rules.sgf_rules),
            **_times(controls),
            **_handicap(spec, rules, played, vertex_letters(width, height)),
        }
        moves = move_pieces(played, controls, width=width, height=height)
    except KeyError as error:
        raise ValueError(f"game {spec.id}: {quote(str(error.args[0]))} is no vertex of the board") from None
    root = [f"{name}[{value}]" for name, value in sorted(properties.items()) if value]
    return fold(["(;FF[4]", *root, *moves, *_territory(rules, record), ")"]).encode("utf-8", "replace")


def _territory(rules: Any, record: GameRecord | VoidGame) -> list[str]:
    """TB and TW, if the game ended by the rules' own count. Only then is it worth playing it over."""
    if not isinstance(record, GameRecord) or record.result.outcome.ending is not Ending.SCORE:
        return []
    try:
        position = last_position(rules, ((seat, text) for turn in record.turns for seat, text, *_ in turn))
    except (IllegalMove, ValueError):
        return []  # not a game of these rules: its moves are all that can be told
    sides = zip(("TB", "TW"), territory(rules, position, record.result.outcome), strict=True)
    # Half a board of points: a line may end between them
    return [f"{'' if nth else name}[{point}]" for name, points in sides for nth, point in enumerate(points)]


def _size(board_size: Any) -> tuple[int, int]:
    """(columns, rows) of the option: a number, or two."""
    if isinstance(board_size, int):
        return board_size, board_size
    width, height = board_size
    return width, height


def _result(record: GameRecord | VoidGame) -> GameResult | None:
    return record.result if isinstance(record, GameRecord) else None


def _started(record: GameRecord | VoidGame) -> str:
    return record.result.started if isinstance(record, GameRecord) else record.started


def _headings(spec: GameSpec, record: GameRecord | VoidGame) -> dict[str, str]:
    result = _result(record)
    black, white = (_player_name(spec, result, seat) for seat in range(len(_COLOURS)))
    return {
        "AP": format_composed("gyoji", gyoji.__version__),
        "CA": "UTF-8",
        "DT": _started(record)[:10],
        "EV": format_simple_text(spec.event or spec.competition),
        "GM": "1",
        "GN": format_simple_text(f"{spec.competition} {spec.id}".strip()),
        "KM": format_real(spec.options["komi"]),
        "PB": black,
        "PC": format_simple_text(spec.place),
        "PW": white,
        "RE": result_code(result.outcome) if result else "Void",
        "RO": _number_in_pairing(spec),
    }


def _number_in_pairing(spec: GameSpec) -> str:
    """What follows the pairing in the game's id ("3" of "gnugo_v_pachi_3"), "" where that is no number."""
    number = spec.id.removeprefix(f"{spec.pairing}_")
    if number == spec.id or not (number.isascii() and number.isdecimal()):
        return ""
    return number.lstrip("0") or "0"


def _times(controls: Sequence[TimeControl]) -> dict[str, str]:
    """TM and OT, where both seats have the same clock; else the root's comment tells."""
    control = controls[0]
    if control.is_unlimited or control != controls[1]:
        return {}
    main = format_real(control.main / 1e9) if control.main else ""
    return {"TM": main, "OT": _overtime(control)}


def _overtime(control: TimeControl) -> str:
    """What follows main time, as the time control itself describes it; "" for sudden death."""
    return control.describe().removeprefix(format_duration(control.main)).lstrip(" +,")


def _handicap(
    spec: GameSpec, rules: Any, played: Sequence[Played], letters: Mapping[str, str]
) -> dict[str, str]:
    """HA and AB: the stones of the turn in which they were placed, or those that lie there from the start."""
    vertices = [vertex for move in played if move.phase == HANDICAP for vertex in move.move.split()]
    options = spec.options
    if options.get("handicap") and not vertices and options.get("handicap_style", "fixed") == "fixed":
        vertices = [rules.format(point) for point in rules.handicap_points]
    if not vertices:
        return {}
    return {"AB": "][".join(sorted([letters[vertex] for vertex in vertices])), "HA": str(len(vertices))}


@cache
def _game(name: str) -> ModuleType:
    return plugin("games", name)


def _player_name(spec: GameSpec, result: GameResult | None, seat: int) -> str:
    """The engine's name for itself; the player's code when it has none, or its player is not to go by it."""
    player = spec.players[seat]
    name = _report(result, seat).name if player.options.get(_NAMED_BY_ENGINE, True) else ""
    return format_simple_text(name or player.code)


def _report(result: GameResult | None, seat: int) -> EngineReport:
    return result.engines[seat] if result and seat < len(result.engines) else _UNKNOWN


def _root_comment(spec: GameSpec, record: GameRecord | VoidGame, *, has_moves: bool) -> str:
    """Who played what, where and when, with the result unless the game has no node but the root."""
    result = _result(record)
    started = _started(record)
    lines = [f"Event: {spec.event or spec.competition}"] if spec.event or spec.competition else []
    lines.append(f"Game id {spec.id}")
    if started:
        lines.append(f"Date {started[:16].replace('T', ' ')}")
    if result and has_moves:
        lines.append(f"Result {describe_result(result)}")
    if " +" in (ruleset := str(spec.options.get("ruleset", ""))):
        lines.append(f"Rules {ruleset}")
    if spec.note:
        lines.append(spec.note)
    codes = [player.code for player in spec.players]
    controls = [player.clock or spec.clock for player in spec.players]
    if controls[0] != controls[1]:
        lines += [
            f"{code} clock: {control.describe()}" for code, control in zip(codes, controls, strict=True)
        ]
    reports = [_report(result, seat) for seat in range(len(codes))]
    for code, report in zip(codes, reports, strict=True):
        if report.cpu_ns is not None:
            lines.append(f"{code} cpu time: {report.cpu_ns / 1e9:.2f}s")
    for colour, code, report in zip(_COLOURS, codes, reports, strict=True):
        lines.append(f"{colour} {code} {report.description or report.name}".rstrip())
    return "\n".join(lines)


def _last_words(record: GameRecord) -> str:
    """What came after the last move: final remarks, the result with the engines' scores, late errors."""
    result = record.result
    paragraphs = [f"final message from {'bw'[seat]}: <<<\n{said}\n>>>" for seat, said in record.final_remarks]
    paragraphs.append("\n".join([describe_result(result), *_odd_scores(result)]))
    if result.late:
        paragraphs.append("\n".join(result.late))
    return "\n\n".join(paragraphs)


def _odd_scores(result: GameResult) -> list[str]:
    """What each engine said of the score, unless all who spoke said what the game's result says."""
    code = result_code(result.outcome).upper()
    given = [(player, score) for player, score in zip(result.players, result.scores, strict=False) if score]
    if all(score.strip().upper().removesuffix(".0") == code for _, score in given):
        return []
    return [f"{player} final_score: {score}" for player, score in given]


def _void_words(record: VoidGame) -> str:
    return "\n".join([record.reason, "also:", *record.late] if record.late else [record.reason])
