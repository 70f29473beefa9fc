"""The parts of an SGF record that do not depend on the game: players, result, clocks, comments, and GM.

Layout and wording are those of gomill, so that programs for its records can read these too. Sides are
numbers, 0 for Black and 1 for White. In games in which players can swap sides, the argument `sides` has the
final side of each seat.

The property GM is the number of the game that is played. Without GM the game is Go (FF[4]). A file may have
records of several games: a record format replays those of its own game and skips all others.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from math import isfinite

import gyoji
from gyoji.core.clocks import Clock, TimeControl, pass_on
from gyoji.core.describe import describe_evaluation, describe_result, describe_taken_back, result_code
from gyoji.core.game import PlayedOut, RecordFormat
from gyoji.core.record import EngineReport, GameRecord, GameResult, Played, VoidGame
from gyoji.core.replay import Replay, Wanted
from gyoji.core.spec import GameSpec
from gyoji.core.text import format_duration, legible
from gyoji.sgf.grammar import Node, fold, parse
from gyoji.sgf.property_values import format_composed, format_real, format_simple_text, format_text

COLOURS = ("Black", "White")
AS_SEATED = (0, 1)
"""The sides of seats 0 and 1 in games in which sides cannot change."""

_UNKNOWN = EngineReport()
_NAMED_BY_ENGINE = "sgf_player_name_from_gtp"  # a player's option with gomill's name; True by default


def encode_game(properties: Mapping[str, str], nodes: Iterable[str]) -> bytes:
    """Return the content of an SGF file with one game.

    Args:
        properties: Raw values of the root's properties, by identifier. Properties with an empty value are
            left out.
        nodes: The texts of all nodes after the root.
    """
    root = [f"{name}[{value}]" for name, value in sorted(properties.items()) if value]
    return fold(["(;FF[4]", *root, *nodes, ")"]).encode("utf-8", "replace")


def check_two_seats(spec: GameSpec) -> None:
    """Raise ValueError unless the game has two seats."""
    if len(spec.players) != len(COLOURS):
        raise ValueError(f"game {spec.id}: an SGF record is of two seats, not of {len(spec.players)}")


def headings(
    spec: GameSpec, record: GameRecord | VoidGame, sides: Sequence[int] = AS_SEATED
) -> dict[str, str]:
    """Return the root's properties about players, event, place, date, result and name of the game, and about
    program and character set. The values are escaped as in a file.
    """
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
    }


def root_comment(
    spec: GameSpec, record: GameRecord | VoidGame, sides: Sequence[int] = AS_SEATED, *, rules: str = ""
) -> str:
    """Return the comment of the root: event, id, date, result, settings, and a line about each player.

    Args:
        spec: The settings of the game.
        record: The game.
        sides: The final side of each seat.
        rules: A line about rules that the property RU cannot express; "" for none.
    """
    # These are gomill's lines, in its order, because programs that read its records look for them.
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
    """Return the moves of a game with one move per turn, and further SGF properties of these moves.

    If the engine gave no comment on a move, its evaluation becomes the comment.

    Returns:
        (the moves, the properties as text by number of the move, from 0). The properties are the engine's
        score (V) and winning chance in percent (SBKV, an extension of Sabaki), both from Black's point of
        view.
    """
    played = [move for turn in record.turns for move in turn]
    values: dict[int, str] = {}
    if isinstance(record, GameRecord):
        for number, seat, said, _ in record.opinions:
            if number >= len(played):
                continue
            is_black = sides[seat] == 0
            score, win = said.score, said.win
            told = ""
            if score is not None and isfinite(score):
                told = f"V[{format_real(score if is_black else -score)}]"
            if win is not None and 0 <= win <= 1:
                told += f"SBKV[{100 * (win if is_black else 1 - win):.2f}]"
            values[number] = told
            if not played[number].comment:
                played[number] = played[number]._replace(comment=describe_evaluation(said))
    return played, values


def with_last_words(record: GameRecord | VoidGame, played: Sequence[Played]) -> list[Played]:
    """Return the moves, with `last_words` appended to the comment on the last one. There must be at least
    one.
    """
    words = last_words(record)
    *before, last = played
    return [*before, last._replace(comment=f"{last.comment}\n\n{words}" if last.comment else words)]


def last_words(record: GameRecord | VoidGame, sides: Sequence[int] = AS_SEATED) -> str:
    """Return the comment after the last move: final remarks of engines, moves taken back, the result, final
    scores if some differ from it, and late problems. For a void game, return its reason and late problems
    only.
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
    """Return the raw Text value of a comment, without unprintable characters."""
    return format_text(legible(words))


def _result(record: GameRecord | VoidGame) -> GameResult | None:
    return record.result if isinstance(record, GameRecord) else None


def _started(record: GameRecord | VoidGame) -> str:
    return record.result.started if isinstance(record, GameRecord) else record.started


def _seats(sides: Sequence[int]) -> tuple[int, int]:
    """Return the seat of Black and the seat of White, from the side (0 Black, 1 White) of each seat."""
    return sides.index(0), sides.index(1)


def _player_name(spec: GameSpec, result: GameResult | None, seat: int) -> str:
    """Return the name that the engine reports. Return the player's code if there is no such name, or if the
    player's settings do not want it (`sgf_player_name_from_gtp`).
    """
    player = spec.players[seat]
    name = _report(result, seat).name if player.options.get(_NAMED_BY_ENGINE, True) else ""
    return format_simple_text(name or player.code)


def _report(result: GameResult | None, seat: int) -> EngineReport:
    return result.engines[seat] if result and seat < len(result.engines) else _UNKNOWN


def _odd_scores(result: GameResult) -> list[str]:
    """Return one line for each final score that an engine gave, or no lines if all of them agree with the
    result.
    """
    code = result_code(result.outcome).upper()
    given = [(player, score) for player, score in zip(result.players, result.scores, strict=False) if score]
    if all(score.strip().upper().removesuffix(".0") == code for _, score in given):
        return []
    return [f"{player} final_score: {score}" for player, score in given]


def controls_of(spec: GameSpec) -> list[TimeControl]:
    """Return the time control of each seat."""
    return [player.clock or spec.clock for player in spec.players]


def clock_headings(controls: Sequence[TimeControl]) -> dict[str, str]:
    """Return the properties TM and OT if both seats have the same limited clock, else {}.

    Clocks that differ are described in the comment of the root.
    """
    control = controls[0]
    if control.is_unlimited or control != controls[1]:
        return {}
    main = format_real(control.main / 1e9) if control.main else ""
    overtime = control.describe().removeprefix(format_duration(control.main)).lstrip(" +,")
    return {"TM": main, "OT": overtime}


class Timing:
    """The clocks of both seats during a game, for the time properties of its moves.

    Attributes:
        is_told: Whether at least one clock has main time. If not, no move has time properties.
    """

    def __init__(self, controls: Sequence[TimeControl]) -> None:
        self._controls = controls
        self._clocks: list[Clock | None] = [control.start() for control in controls]
        self.is_told = any(control.has_main for control in controls)
        self._has_hourglass = any(control.hourglass for control in controls)

    def after(self, seat: int, ns: int, colour: str) -> tuple[str, ...]:
        """Charge a move to its seat's clock, and return the move's time properties.

        BL and WL have the seconds left: of main time or, in byo-yomi, of the period. OB and OW are only for
        byo-yomi. They have the number of stones still to play in the period, or the number of periods left.

        Args:
            seat: The seat that made the move.
            ns: The time of the move, in ns.
            colour: "B" or "W", the letter of this side in the names BL, WL, OB and OW.

        Returns:
            The properties; () if the clock has no main time or has run out.
        """
        control = self._controls[seat]
        before = self._clocks[seat]
        self._clocks[seat] = clock = control.spend(before, ns) if before else None
        if self._has_hourglass and all(self._clocks):
            self._clocks[:] = pass_on(self._controls, [each for each in self._clocks if each], seat, ns)
        if clock is None or not control.has_main:
            return ()
        if not clock.in_byo_yomi:
            return (f"{colour}L[{_seconds(max(clock.main, 0))}]",)
        left = clock.stones if control.stones > 1 else clock.periods
        return f"{colour}L[{_seconds(max(clock.period, 0))}]", f"O{colour}[{left}]"


def _seconds(ns: int) -> str:
    """Format ns as seconds, to the millisecond, without trailing zeros."""
    whole, rest = divmod(ns // 1_000_000, 1000)
    return f"{whole}.{rest:03}".rstrip("0") if rest else str(whole)


# Properties that other versions of gyoji may write differently for the same game
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
    """Return the SGF record format of a game.

    Args:
        game: Name of the game.
        number: The game's number in GM.
        write: Writes the file of a game.
        write_played: Writes the same file for a game that has just ended, without replaying it; None if
            `write` is as fast.
        replay: Replays one record of the game.
        takes: The fields of `Wanted` that `replay` uses.
    """

    def replay_all(data: bytes, wanted: Wanted) -> list[Replay | None]:
        trees = parse(data)
        replays: list[Replay | None] = []
        for place, root in enumerate(trees, 1):
            if (root.first("GM").strip() or "1") != str(number):  # without GM it is Go
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


def content(data: bytes) -> object:
    """Return a value that is equal for two files with the same games: the properties of their main lines.

    Comments (C) and the name and version of the writing program (AP) are left out.

    Raises:
        ValueError: The data are not SGF.
    """
    return [
        [
            {name: values for name, values in node.properties.items() if name not in _SAID}
            for node in root.main_line()
        ]
        for root in parse(data)
    ]
