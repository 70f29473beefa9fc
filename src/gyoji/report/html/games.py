"""Games as compact JSON for the viewer of pages.

The viewer's scripts know the rules of no game: every number and text that they show comes from here.
"""

from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from typing import Any, TypeGuard
from zlib import compress

from msgspec.structs import asdict

from gyoji.core import wire
from gyoji.core.describe import (
    describe_ending,
    describe_evaluation,
    describe_result,
    describe_taken_back,
    result_code,
)
from gyoji.core.faults import IllegalMove
from gyoji.core.game import Frame, Scene
from gyoji.core.messages import Evaluation
from gyoji.core.plugins import GAMES
from gyoji.core.record import GameRecord, GameResult, Opinion, Played
from gyoji.core.replay import replaying
from gyoji.core.setup import GameSettings
from gyoji.core.spec import GameSpec
from gyoji.core.text import legible, printable
from gyoji.tables.digest import side_of
from gyoji.tables.pair_tables import game_sides, settings_line

MOST_COMMENT = 300
"""Most characters of an engine's comment on a move."""


def game_values(spec: GameSpec, record: GameRecord) -> dict[str, Any]:
    """Return a finished game for the viewer, JSON-ready. Empty values at the end of a list are left out.

    The keys are those of `about_game` and:

    * `result`: the result as text
    * `outcome`: `winners`, the seats that won; `drawn`, whether the sides share the points; `how`, in a few
      words; `code`, that of SGF's RE property for a game that one of two sides won, else the result as text
      or ""
    * `frames`: the positions, [changes, marks, tally] each; changes are place, signs, place, signs ...
    * `turns`: for each turn its moves, [seat, text, ms, comment, phase, note, opinion, number of expected
      moves] each
    * `curves`: the engines' opinions over time, see `curves`; [] if they gave none
    * `remarks`: (seat, text) of what engines said at the end
    * `thought`: ms that each seat used in all, a resignation included; [] if the record does not say
    * `taken_back`: (turn, text) of moves that were taken back after that turn
    * `missing`: the reason why not all of the game can be shown; "" if it can
    """
    scene, frames, missing = pictures_of(spec, record)
    result = record.result
    opinions = opinion_texts(record.opinions, len(record.turns))
    return {
        **about_game(spec, result, scene),
        "result": printable(describe_result(result, GAMES.find(spec.game).result_words)),
        "outcome": outcome_values(result, spec.game),
        "frames": [frame_values(frame) for frame in frames],
        "turns": [
            turn_values(turn, frame, said)
            for turn, frame, said in zip(record.turns, frames[1:], opinions, strict=False)
        ],
        "curves": curves(result, record.opinions, len(record.turns)),
        "remarks": [(seat, printable(text, MOST_COMMENT)) for seat, text in record.final_remarks],
        "thought": [round(engine.think_ns / 1e6) for engine in result.engines],
        "taken_back": [
            (taken.turn, printable(describe_taken_back(taken, result.players), MOST_COMMENT))
            for taken in record.taken_back
        ],
        "missing": missing,
    }


def outcome_values(result: GameResult, game: str) -> dict[str, Any]:
    """Return the outcome of a finished game for the viewer: see `game_values`."""
    outcome = result.outcome
    winner = outcome.winner
    words = GAMES.find(game).result_words
    if len(result.opponents) > 2:
        code = describe_result(result, words)
    else:
        code = result_code(outcome, words.letters) if winner is not None and len(result.players) == 2 else ""
    return {
        "winners": [] if winner is None else list(result.seats_of(winner)),
        "drawn": winner is None and outcome.points is not None,
        "how": printable(describe_ending(outcome)),
        "code": printable(code),
    }


def record_files(spec: GameSpec, record: GameRecord) -> dict[str, str]:
    """Return the file of a game's record, compressed by zlib and in base64, by the suffix of its name.

    The first format of the game that can write the record is used. The result is empty if none can.
    """
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
    """Return the values for the viewer that stay the same during a game: id, settings, seats, board.

    Args:
        result: Only its seats and start are read, so it may be that of a game in progress.
        scene: The board; None for a game without pictures.
    """
    roles = GAMES.find(spec.game).roles
    settings = GameSettings(
        game=spec.game, options=spec.options, clock=spec.clock, adjudication=spec.adjudication
    )
    # The settings of a field in braces would fill the line, and the board shows it.
    told = [each for each in settings_line(settings).split("   ") if "{" not in each]  # a field is drawn
    host = f"host {result.host}" if result.host else ""
    about = [spec.game, *told, spec.note, moment(result.started), host, GAMES.find(spec.game).remark]
    return {
        "id": result.id,
        "title": game_title(spec),
        "about": printable(", ".join(filter(None, about))),
        "sides": game_sides(spec.game),
        "seats": [
            {"name": player.code, "side": side_of(result, seat), "role": roles[seat] if roles else ""}
            for seat, player in enumerate(spec.players)
        ],
        "hides": GAMES.find(spec.game).hides,
        **({"decided": True} if GAMES.find(spec.game).decider else {}),
        **asdict(scene or Scene(kind="points", columns=(), rows=())),
    }


def game_title(spec: GameSpec) -> str:
    """Return who plays whom in a game, and in which round."""
    names = " - ".join(dict.fromkeys(spec.codes))
    return printable(f"{names}, {spec.note}" if spec.note else names)


def pictures_of(spec: GameSpec, record: GameRecord) -> tuple[Scene | None, list[Frame], str]:
    """Replay a game, and return its board, its frames, and a message if some frames are missing.

    Frames are missing if the installed rules refuse a turn of an old game. A game without pictures has empty
    frames, so that the viewer can still step through its moves.
    """
    game, shown = GAMES.find(spec.game), list[Frame]()
    if game.pictures is None:
        blank = [Frame(changes=())] * (len(record.turns) + 1)
        return None, blank, f"There are no pictures of {spec.game}: its moves are shown alone."
    pictures = game.pictures()
    try:
        rules = replaying(game.make_rules(wire.frozen(spec.options), spec.seed), record.umpire)
    except (TypeError, ValueError) as error:
        return None, [Frame(changes=())], f"This game cannot be set up any more: {printable(str(error))}"
    try:
        for frame in pictures.frames(rules, record):
            shown.append(frame)
    except (IllegalMove, ValueError) as error:
        refused = f"The rules of today refuse the next turn: {printable(str(error))}"
        return pictures.scene(rules), shown, refused
    return pictures.scene(rules), shown, ""


def frame_values(frame: Frame) -> list[Any]:
    """Return a frame for the viewer: [changes, marks, tally, arrows, text, table], see `game_values`."""
    changes = [each for change in frame.changes for each in change]
    table = [[printable(cell) for cell in row] for row in frame.table]
    return _trimmed(changes, frame.marks, frame.tally, frame.arrows, legible(frame.text), table)


def turn_values(turn: Sequence[Played], frame: Frame, said: Mapping[int, tuple[str, int]]) -> list[list[Any]]:
    """Return the moves of a turn for the viewer, see `turns` of `game_values`.

    Args:
        frame: The position after the turn, which may have other words for the moves.
        said: Opinions by seat, as `opinion_texts` returns them.
    """
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
    """Return the last opinion of each seat at each turn, from turn number `first` on.

    Args:
        turns: Number of turns of the game. Opinions about later turns are left out.
        first: Number of the first turn, from 0.

    Returns:
        For each turn, by seat: (text of the evaluation, number of moves in its principal variation).
    """
    told: list[dict[int, tuple[str, int]]] = [{} for _ in range(first, turns)]
    for turn, seat, said, _ in opinions:
        if first <= turn < turns:
            words = printable(describe_evaluation(said), MOST_COMMENT)
            told[turn - first][seat] = words, len(said.pv)
    return told


def curves(result: GameResult, opinions: Iterable[Opinion], turns: int) -> list[dict[str, Any]]:
    """Return two lines for the viewer's chart, the opinions of sides 0 and 1; [] if neither gave any.

    turns: Number of turns of the game. Opinions about later turns are left out.

    The keys of a line are:

    * `most`: the score at the edge of the chart, which is the largest one of an engine that was not yet
      certain. 0 if the line shows win probabilities, because the engine gave more of these than of scores
    * `points`: (turn, height) from -1, where that side expects side 0 to lose, to 1, where it expects side 0
      to win
    """
    if len(result.opponents) != 2:
        return []
    told: list[dict[tuple[int, int], Evaluation]] = [{}, {}]  # by turn and seat: the last one counts
    for turn, seat, said, _ in opinions:
        if turn < turns:
            told[side_of(result, seat)][turn, seat] = said
    # Both sides or none: an empty curve beside one with points says that this engine told nothing.
    drawn = [_curve(side, each) for side, each in enumerate(told)]
    return drawn if any(curve["points"] for curve in drawn) else []


def _curve(side: int, told: Mapping[tuple[int, int], Evaluation]) -> dict[str, Any]:
    chances = {turn: said.win for (turn, _), said in told.items() if _is_number(said.win)}
    scores = {turn: said.score for (turn, _), said in told.items() if _is_number(said.score)}
    # Engines may give win probabilities, scores, or both; the kind that covers more moves makes the
    # longer line.
    if len(chances) >= len(scores):
        most, heights = 0.0, {turn: 2 * win - 1 for turn, win in chances.items()}
    else:
        usual = [abs(score) for turn, score in scores.items() if chances.get(turn, 0.5) not in _CERTAIN]
        most = max(usual or [abs(score) for score in scores.values()]) or 1.0
        heights = {turn: max(-1.0, min(score / most, 1.0)) for turn, score in scores.items()}
    points = [(turn + 1, round(-height if side else height, 3)) for turn, height in heights.items()]
    return {"most": round(most, 2), "points": points}


_CERTAIN = (0, 1)
"""Win probabilities of an engine that has searched to the end of the game. Its scores then mean nothing."""


def _is_number(value: float | None) -> TypeGuard[float]:
    return value is not None and isfinite(value)


def _milliseconds(ns: int) -> float:
    """Convert ns to ms, with two decimals for short times.

    >>> _milliseconds(8_356_410), _milliseconds(1_234_567_890), _milliseconds(371)
    (8.36, 1235, 0)
    """
    ms = ns / 1e6
    return round(ms, 2) if 0.005 <= ms < 100 else round(ms)


def _trimmed(*values: Any) -> list[Any]:
    """Return the values as a list, without empty texts and lists at its end."""
    kept = list(values)
    while kept and kept[-1] in ("", (), []):
        kept.pop()
    return kept


def moment(iso: str) -> str:
    """Return an ISO 8601 time for people, without its seconds.

    >>> moment("2026-11-21T14:36:34+0000")
    '2026-11-21 14:36'
    """
    return iso[:16].replace("T", " ")
