"""A game as the viewer in the page takes it: frames and moves, in few bytes.

Every number and text that a script reads comes from here; it needs no rules of any game.
"""

from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from typing import Any, TypeGuard
from zlib import compress

from msgspec.structs import asdict

from gyoji.core import wire
from gyoji.core.describe import describe_evaluation, describe_result, describe_taken_back
from gyoji.core.faults import IllegalMove
from gyoji.core.game import Frame, Scene
from gyoji.core.messages import Evaluation
from gyoji.core.plugins import GAMES
from gyoji.core.record import GameRecord, GameResult, Opinion, Played
from gyoji.core.setup import GameSettings
from gyoji.core.spec import GameSpec
from gyoji.core.text import printable
from gyoji.tables.digest import side_of
from gyoji.tables.pairs import game_sides, settings_line

MOST_COMMENT = 300
"""Characters of an engine's words about a move that are shown."""

_NO_SCENE = Scene(kind="points", columns=(), rows=())


def game_values(spec: GameSpec, record: GameRecord) -> dict[str, Any]:
    """A game for the viewer, JSON-ready.

    frames  [changes, marks, tally] each, what is empty at the end left out; changes: place, signs, place ...
    turns   per turn the moves [seat, text, ms, comment, phase, note, opinion, moves expected], likewise.
    curves  what engines thought of the game: see `curves`; [] if they said nothing.
    taken_back  (turn, text): after so many turns the moves that the text names were taken back.
    missing why not all of it can be shown, "" if it can.
    """
    scene, frames, missing = pictures_of(spec, record)
    result = record.result
    opinions = opinion_texts(record.opinions, len(record.turns))
    return {
        **about_game(spec, result, scene),
        "result": printable(describe_result(result, GAMES.find(spec.game).result_words)),
        "frames": [frame_values(frame) for frame in frames],
        "turns": [
            turn_values(turn, frame, said)
            for turn, frame, said in zip(record.turns, frames[1:], opinions, strict=False)
        ],
        "curves": curves(result, record.opinions, len(record.turns)),
        "remarks": [(seat, printable(text, MOST_COMMENT)) for seat, text in record.final_remarks],
        "taken_back": [
            (taken.turn, printable(describe_taken_back(taken, result.players), MOST_COMMENT))
            for taken in record.taken_back
        ],
        "missing": missing,
    }


def record_files(spec: GameSpec, record: GameRecord) -> dict[str, str]:
    """The record of a game, by the suffix of its file, in the first form of its game; of zlib, in base64."""
    game = GAMES.find(spec.game)
    for name in game.record_formats:
        form = game.record_format(name)
        if form.write is not None:
            try:
                return {form.suffix: b64encode(compress(form.write(spec, record))).decode()}
            except (IllegalMove, ValueError, TypeError):
                continue  # a game of other rules than today's
    return {}


def about_game(spec: GameSpec, result: GameResult, scene: Scene | None) -> dict[str, Any]:
    """The values that stay the same while a game is played: its id, settings, seats and board. Of the result
    no more is asked than who sits where and when it began."""
    roles = GAMES.find(spec.game).roles
    settings = GameSettings(
        game=spec.game, options=spec.options, clock=spec.clock, adjudication=spec.adjudication
    )
    told = [each for each in settings_line(settings).split("   ") if "{" not in each]  # a field is drawn
    host = f"host {result.host}" if result.host else ""
    scaled = f"clocks times {spec.clock_factor:g}" if spec.clock_factor != 1 else ""
    about = [spec.game, *told, scaled, spec.note, moment(result.started), host]
    return {
        "id": result.id,
        "about": printable(", ".join(filter(None, about))),
        "sides": game_sides(spec.game),
        "seats": [
            {"name": player.code, "side": side_of(result, seat), "role": roles[seat] if roles else ""}
            for seat, player in enumerate(spec.players)
        ],
        "hides": GAMES.find(spec.game).hides,
        **asdict(scene or _NO_SCENE),
    }


def pictures_of(spec: GameSpec, record: GameRecord) -> tuple[Scene | None, list[Frame], str]:
    """The board, the frames as far as the rules of today make them, and what to say if that is not all.

    A game without pictures has empty frames, so that its moves can be gone through all the same.
    """
    game, shown = GAMES.find(spec.game), list[Frame]()
    if game.pictures is None:
        blank = [Frame(changes=())] * (len(record.turns) + 1)
        return None, blank, f"There are no pictures of {spec.game}: its moves are shown alone."
    pictures = game.pictures()
    try:
        rules = game.make_rules(wire.frozen(spec.options), spec.seed)
    except (TypeError, ValueError) as error:
        return None, [Frame(changes=())], f"This game cannot be set up any more: {printable(str(error))}"
    try:
        for frame in pictures.frames(rules, record):
            shown.append(frame)
    except (IllegalMove, ValueError) as error:
        return (
            pictures.scene(rules),
            shown,
            _refused(error),
        )
    return pictures.scene(rules), shown, ""


def _refused(error: Exception) -> str:
    return f"The rules of today refuse the next turn: {printable(str(error))}"


def _flat(changes: Iterable[tuple[int, str]]) -> list[int | str]:
    return [each for change in changes for each in change]


def frame_values(frame: Frame) -> list[Any]:
    """A frame as `game_values` has it."""
    return _trimmed(_flat(frame.changes), frame.marks, frame.tally)


def turn_values(turn: Sequence[Played], frame: Frame, said: Mapping[int, tuple[str, int]]) -> list[list[Any]]:
    """The moves of a turn, in words where the frame has some. said: as `opinion_texts` has it."""
    texts = frame.words or [played.move for played in turn]
    return [
        _trimmed(
            played.seat,
            printable(text),
            _milliseconds(played.ns),
            printable(played.comment, MOST_COMMENT),
            played.phase,
            printable(played.note),
            opinion,
            expected or "",
        )
        for played, text in zip(turn, texts, strict=True)
        for opinion, expected in [said.get(played.seat, ("", 0))]
    ]


def opinion_texts(
    opinions: Iterable[Opinion], turns: int, first: int = 0
) -> list[dict[int, tuple[str, int]]]:
    """Per turn from number `first` on, of so many, the opinion of each seat that has one of its move: in
    words, and how many moves it expects. The last one counts."""
    told: list[dict[int, tuple[str, int]]] = [{} for _ in range(first, turns)]
    for turn, seat, said in opinions:
        if first <= turn < turns:
            words = printable(describe_evaluation(said), MOST_COMMENT)
            told[turn - first][seat] = words, len(said.pv)
    return told


def curves(result: GameResult, opinions: Iterable[Opinion], turns: int) -> list[dict[str, Any]]:
    """The opinions of sides 0 and 1 over the turns, as a line each; none if nobody said anything.

    most    the score at the edge of the picture: the largest that was told before the engine was certain.
            0: the line shows chances to win, of which the engine has told more than of scores.
    points  (turn, height) ...: 1 where that side thinks that side 0 wins, -1 where it loses.
    """
    if len(result.opponents) != 2:
        return []
    told: list[dict[tuple[int, int], Evaluation]] = [{}, {}]  # by turn and seat: the last one counts
    for turn, seat, said in opinions:
        if turn < turns:
            told[side_of(result, seat)][turn, seat] = said
    drawn = [_curve(side, each) for side, each in enumerate(told)]
    return drawn if any(curve["points"] for curve in drawn) else []


def _curve(side: int, told: Mapping[tuple[int, int], Evaluation]) -> dict[str, Any]:
    chances = {turn: said.win for (turn, _), said in told.items() if _is_number(said.win)}
    scores = {turn: said.score for (turn, _), said in told.items() if _is_number(said.score)}
    if len(chances) >= len(scores):
        most, heights = 0.0, {turn: 2 * win - 1 for turn, win in chances.items()}
    else:
        usual = [abs(score) for turn, score in scores.items() if chances.get(turn, 0.5) not in _CERTAIN]
        most = max(usual or [abs(score) for score in scores.values()]) or 1.0
        heights = {turn: max(-1.0, min(score / most, 1.0)) for turn, score in scores.items()}
    points = [(turn + 1, round(-height if side else height, 3)) for turn, height in heights.items()]
    return {"most": round(most, 2), "points": points}


_CERTAIN = (0, 1)
"""Chances to win of an engine that has looked ahead to the end: what score it tells then means nothing."""


def _is_number(value: float | None) -> TypeGuard[float]:
    return value is not None and isfinite(value)


def _milliseconds(ns: int) -> float:
    """With as many digits as somebody reads.

    >>> _milliseconds(8_356_410), _milliseconds(1_234_567_890), _milliseconds(371)
    (8.36, 1235, 0)
    """
    ms = ns / 1e6
    return round(ms, 2) if 0.005 <= ms < 100 else round(ms)


def _trimmed(*values: Any) -> list[Any]:
    """The values without the empty ones at the end."""
    kept = list(values)
    while kept and kept[-1] in ("", (), []):
        kept.pop()
    return kept


def moment(iso: str) -> str:
    """An ISO 8601 time without its seconds.

    >>> moment("2026-11-21T14:36:34+0000")
    '2026-11-21 14:36'
    """
    return iso[:16].replace("T", " ")
