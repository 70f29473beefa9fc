"""The parts of an SGF record that all games have: whose game it is, clocks, words, and GM.

Layout and wording are gomill's, so that what was written for its records goes on working. Sides are numbers,
0 Black and 1 White; where players can change sides `sides` says which one each seat had in the end.

GM names the game by a number; without it the game is Go, as FF[4] has it. A collection may hold games of
several kinds: each game judges those of its number, and leaves the others to theirs."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from math import isfinite

import gyoji
from gyoji.core.clocks import Clock, TimeControl
from gyoji.core.describe import describe_evaluation, describe_result, describe_taken_back, result_code
from gyoji.core.game import PlayedOut, RecordFormat
from gyoji.core.messages import Evaluation
from gyoji.core.record import EngineReport, GameRecord, GameResult, Played, VoidGame
from gyoji.core.replay import Replay, Wanted
from gyoji.core.spec import GameSpec
from gyoji.core.text import format_duration, legible
from gyoji.sgf.grammar import Node, fold, parse
from gyoji.sgf.values import format_composed, format_real, format_simple_text, format_text

COLOURS = ("Black", "White")
AS_SEATED = (0, 1)
"""The sides of a game in which they cannot change."""

_UNKNOWN = EngineReport()
_NAMED_BY_ENGINE = "sgf_player_name_from_gtp"  # a player's option, called so by gomill; True without it


def encode_game(properties: Mapping[str, str], nodes: Iterable[str]) -> bytes:
    """The file of a game: the root's properties, raw, those without a value left out, and what follows."""
    root = [f"{name}[{value}]" for name, value in sorted(properties.items()) if value]
    return fold(["(;FF[4]", *root, *nodes, ")"]).encode("utf-8", "replace")


def check_two_seats(spec: GameSpec) -> None:
    """Raise ValueError for a game not of two seats."""
    if len(spec.players) != len(COLOURS):
        raise ValueError(f"game {spec.id}: an SGF record is of two seats, not of {len(spec.players)}")


def headings(
    spec: GameSpec, record: GameRecord | VoidGame, sides: Sequence[int] = AS_SEATED
) -> dict[str, str]:
    """Raw properties of the root: whose game it is, where and when, and its result."""
    result = _result(record)
    black, white = (_player_name(spec, result, seat) for seat in _seats(sides))
    return {
        "AP": format_composed("gyoji", gyoji.__version__),
        "CA": "UTF-8",
        "DT": _started(record)[:10],
        "EV": format_simple_text(spec.event or spec.competition),
        "GN": format_simple_text(f"{spec.competition} {spec.id}".strip()),
        "PB": black,
        "PC": format_simple_text(spec.place),
        "PW": white,
        "RE": result_code(result.outcome, ["BW"[side] for side in sides]) if result else "Void",
        "RO": _number_in_pairing(spec),
    }


def root_comment(
    spec: GameSpec,
    record: GameRecord | VoidGame,
    sides: Sequence[int] = AS_SEATED,
    *,
    rules: str = "",
) -> str:
    """Who played what, where and when, with which result.

    rules: one more line for what RU cannot tell.
    """
    result = _result(record)
    started = _started(record)
    lines = [f"Event: {spec.event or spec.competition}"] if spec.event or spec.competition else []
    lines.append(f"Game id {spec.id}")
    if started:
        lines.append(f"Date {started[:16].replace('T', ' ')}")
    if result:
        lines.append(f"Result {describe_result(result)}")
    lines += filter(None, (rules, spec.note))
    codes = spec.codes
    controls = controls_of(spec)
    if controls[0] != controls[1]:
        lines += [
            f"{code} clock: {control.describe()}" for code, control in zip(codes, controls, strict=True)
        ]
    reports = [_report(result, seat) for seat in range(len(codes))]
    for code, report in zip(codes, reports, strict=True):
        if report.cpu_ns is not None:
            lines.append(f"{code} cpu time: {report.cpu_ns / 1e9:.2f}s")
    for colour, seat in zip(COLOURS, _seats(sides), strict=True):
        lines.append(f"{colour} {codes[seat]} {reports[seat].description or reports[seat].name}".rstrip())
    return "\n".join(lines)


def moves_told(
    record: GameRecord | VoidGame, sides: Sequence[int] = AS_SEATED
) -> tuple[list[Played], dict[int, str]]:
    """The moves of a game of one move a turn, and by the number of a move, from 0, what its node has besides.

    These are an engine's score (V) and its chance to win in percent (SBKV, as Sabaki writes it), both from
    Black's point of view. Where the engine has said nothing in words, its opinion is put into words.
    """
    played = [move for turn in record.turns for move in turn]
    values: dict[int, str] = {}
    if isinstance(record, GameRecord):
        for number, seat, said in record.opinions:
            if number >= len(played):
                continue
            values[number] = _valued(said, is_black=sides[seat] == 0)
            if not played[number].comment:
                played[number] = played[number]._replace(comment=describe_evaluation(said))
    return played, values


def _valued(said: Evaluation, *, is_black: bool) -> str:
    """The properties V and SBKV."""
    score, win = said.score, said.win
    told = ""
    if score is not None and isfinite(score):
        told = f"V[{format_real(score if is_black else -score)}]"
    if win is not None and 0 <= win <= 1:
        told += f"SBKV[{100 * (win if is_black else 1 - win):.2f}]"
    return told


def with_last_words(
    record: GameRecord | VoidGame, played: Sequence[Played], sides: Sequence[int] = AS_SEATED
) -> list[Played]:
    """The moves, the last of them with what was said and decided after it."""
    words = last_words(record, sides)
    *before, last = played
    return [*before, last._replace(comment=f"{last.comment}\n\n{words}" if last.comment else words)]


def last_words(record: GameRecord | VoidGame, sides: Sequence[int] = AS_SEATED) -> str:
    """The text after the last move.

    It has final remarks, moves that were taken back, the result with the engines' scores, late errors.
    """
    if isinstance(record, VoidGame):
        return "\n".join([record.reason, "also:", *record.late] if record.late else [record.reason])
    result = record.result
    paragraphs = [
        f"final message from {'bw'[sides[seat]]}: <<<\n{said}\n>>>" for seat, said in record.final_remarks
    ]
    paragraphs += [describe_taken_back(taken, result.players) for taken in record.taken_back]
    paragraphs.append("\n".join([describe_result(result), *_odd_scores(result)]))
    if result.late:
        paragraphs.append("\n".join(result.late))
    return "\n\n".join(paragraphs)


def format_comment(words: str) -> str:
    """The raw Text value of what an engine or we said."""
    return format_text(legible(words))


def _result(record: GameRecord | VoidGame) -> GameResult | None:
    return record.result if isinstance(record, GameRecord) else None


def _started(record: GameRecord | VoidGame) -> str:
    return record.result.started if isinstance(record, GameRecord) else record.started


def _seats(sides: Sequence[int]) -> tuple[int, int]:
    """The seats of Black and White."""
    return sides.index(0), sides.index(1)


def _number_in_pairing(spec: GameSpec) -> str:
    """The number after the pairing in the game's id ("3" of "gnugo_v_pachi_3"), "" where there is none."""
    number = spec.id.removeprefix(f"{spec.pairing}_")
    if number == spec.id or not (number.isascii() and number.isdecimal()):
        return ""
    return number.lstrip("0") or "0"


def _player_name(spec: GameSpec, result: GameResult | None, seat: int) -> str:
    """The engine's name for itself; the player's code when it has none, or its player is not to go by it."""
    player = spec.players[seat]
    name = _report(result, seat).name if player.options.get(_NAMED_BY_ENGINE, True) else ""
    return format_simple_text(name or player.code)


def _report(result: GameResult | None, seat: int) -> EngineReport:
    return result.engines[seat] if result and seat < len(result.engines) else _UNKNOWN


def _odd_scores(result: GameResult) -> list[str]:
    """Each engine's claim of the score, unless all claims agree with the game's result."""
    code = result_code(result.outcome).upper()
    given = [(player, score) for player, score in zip(result.players, result.scores, strict=False) if score]
    if all(score.strip().upper().removesuffix(".0") == code for _, score in given):
        return []
    return [f"{player} final_score: {score}" for player, score in given]


def controls_of(spec: GameSpec) -> list[TimeControl]:
    """The time control of each seat."""
    return [player.clock or spec.clock for player in spec.players]


def clock_headings(controls: Sequence[TimeControl]) -> dict[str, str]:
    """TM and OT, where both seats have the same clock; else the root's comment tells."""
    control = controls[0]
    if control.is_unlimited or control != controls[1]:
        return {}
    main = format_real(control.main / 1e9) if control.main else ""
    return {"TM": main, "OT": _overtime(control)}


def _overtime(control: TimeControl) -> str:
    """The overtime, as the time control itself describes it; "" for sudden death."""
    return control.describe().removeprefix(format_duration(control.main)).lstrip(" +,")


class Timing:
    """The clocks of both seats as the game goes on, for moves that are charged one after the other."""

    def __init__(self, controls: Sequence[TimeControl]) -> None:
        self._controls = controls
        self._clocks: list[Clock | None] = [control.start() for control in controls]
        self.is_told = any(control.has_main for control in controls)

    def after(self, seat: int, ns: int, colour: str) -> tuple[str, ...]:
        """The properties after a move that was charged `ns`: BL or WL, and OB or OW.

        Seconds left, in byo-yomi those of the period, and there stones or periods left; nothing once a
        clock has run out or where main time is not counted.
        """
        control = self._controls[seat]
        before = self._clocks[seat]
        self._clocks[seat] = clock = control.spend(before, ns) if before else None
        if clock is None or not control.has_main:
            return ()
        if not clock.in_byo_yomi:
            return (f"{colour}L[{_seconds(max(clock.main, 0))}]",)
        left = clock.stones if control.stones > 1 else clock.periods
        return f"{colour}L[{_seconds(max(clock.period, 0))}]", f"O{colour}[{left}]"


def _seconds(ns: int) -> str:
    """Seconds to the millisecond, as short as can be."""
    whole, rest = divmod(ns // 1_000_000, 1000)
    return f"{whole}.{rest:03}".rstrip("0") if rest else str(whole)


_USUAL_NUMBER = "1"
_SAID = frozenset(("AP", "C"))


def sgf_format(
    game: str,
    number: int,
    *,
    write: Callable[[GameSpec, GameRecord | VoidGame], bytes],
    write_played: Callable[[GameSpec, GameRecord, PlayedOut], bytes] | None = None,
    replay: Callable[[Node, Wanted], Replay],
    takes: Collection[str],
) -> RecordFormat:
    """The SGF format of a game.

    number  of the game in GM.
    write   the file of a game.   write_played: see `RecordFormat`.
    replay  one game of a collection judged again. takes: the fields of `Wanted` that it has.
    """

    def replay_all(data: bytes, wanted: Wanted) -> list[Replay | None]:
        trees = parse(data)
        replays: list[Replay | None] = []
        for place, root in enumerate(trees, 1):
            if number_of(root) != str(number):
                replays.append(None)
                continue
            wanted.check_fits(game, takes)
            try:
                replays.append(replay(root, wanted))
            except ValueError as error:
                raise ValueError(f"game {place}: {error}" if len(trees) > 1 else str(error)) from None
        return replays

    return RecordFormat(
        suffix=".sgf", write=write, write_played=write_played, replay=replay_all, content=content
    )


def number_of(root: Node) -> str:
    """The number in GM by which a game is known."""
    return root.first("GM").strip() or _USUAL_NUMBER


def content(data: bytes) -> object:
    """The nodes of the main lines of a file, without comments and the program that wrote it.

    Raises ValueError.
    """
    return [
        [
            {name: values for name, values in node.properties.items() if name not in _SAID}
            for node in root.main_line()
        ]
        for root in parse(data)
    ]
