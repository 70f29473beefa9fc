"""Games as compact JSON for the viewer, which replays games on pages.

The scripts of the viewer do not know the rules of any game: all numbers and texts that they show are in this
JSON.
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
from gyoji.core.record import NOT_SCORED, WAITING, GameRecord, GameResult, Opinion, Played
from gyoji.core.replay import replaying
from gyoji.core.setup import GameSettings
from gyoji.core.spec import GameSpec
from gyoji.core.text import legible, printable
from gyoji.tables.digest import side_of
from gyoji.tables.pair_tables import game_sides, settings_line

MOST_COMMENT = 300
"""Largest number of characters of an engine's comment on a move."""


def game_values(spec: GameSpec, record: GameRecord) -> dict[str, Any]:
    """Return a finished game for the viewer, JSON-ready.

    Empty values at the end of a frame or a move are left out.

    The keys are those of `about_game` and:

    * `result`: the result as text
    * `outcome`: see `outcome_values`
    * `frames`: the position before the first turn and after each turn, see `frame_values`
    * `turns`: for each turn, the list of its moves. A move is [seat, text, ms, comment, phase, note,
      evaluation, number of moves in the principal variation]
    * `curves`: the engines' evaluations over time, see `curves`; [] without evaluations
    * `remarks`: (seat, text) of the engines' remarks after the end
    * `thought`: the ms that each seat used in the whole game, the time before a resignation included; [] if
      unknown
    * `taken_back`: (turn, text) of moves that were taken back after that turn
    * `missing`: the reason why some positions cannot be shown; "" if all can be shown
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
    """Return who won a finished game, and how it ended: the value of `outcome` in `game_values`.

    The keys are:

    * `winners`: the seats that won
    * `open`: whether a judge or an engine still has to decide
    * `drawn`: whether the sides share the points
    * `how`: the reason of the end in a few words
    * `code`: for a game of more than two sides, the result as text; for a game of two seats with a winner,
      the value of SGF's property RE; else ""

    Args:
        game: Name of the game that was played, such as "go".
    """
    outcome = result.outcome
    winner = outcome.winner
    words = GAMES.find(game).result_words
    if len(result.opponents) > 2:
        code = describe_result(result, words)
    else:
        code = result_code(outcome, words.letters) if winner is not None and len(result.players) == 2 else ""
    return {
        "winners": [] if winner is None else list(result.seats_of(winner)),
        "open": outcome.detail in (WAITING, NOT_SCORED),
        "drawn": winner is None and outcome.points is not None,
        "how": printable(describe_ending(outcome)),
        "code": printable(code),
    }


def record_files(spec: GameSpec, record: GameRecord) -> dict[str, str]:
    """Return the record of a game as a file: {suffix of the file: its content}.

    The content is compressed by zlib and encoded in base64. The file has the first record format of the game
    that can write the record. The result is empty if none can.
    """
    game = GAMES.find(spec.game)
    for name in game.record_formats:
        form = game.record_format(name)
        if form.write is not None:
            try:
                return {form.suffix: b64encode(compress(form.write(spec, record))).decode()}
            except (IllegalMove, ValueError, TypeError):
                continue  # the game was played by other rules than the present ones
    return {}


def about_game(spec: GameSpec, result: GameResult, scene: Scene | None) -> dict[str, Any]:
    """Return the values for the viewer that do not change during a game.

    The keys are the fields of `scene` and:

    * `id`, `title`, and `about`, one line with the game, its short settings, start, host and notes
    * `sides`: the names of the sides
    * `seats`: for each seat its player's `name`, its `side`, and its `role`, "" if the game has no roles
    * `hides`: whether players see only a part of a position
    * `decided`: True if a program decides the game; else the key is missing

    Args:
        spec: The settings of the game.
        result: The result, or that of a game in progress as far as it is known: players, sides, start and
            host.
        scene: The board; None for a game without pictures, for which the values are those of an empty board.
    """
    roles = GAMES.find(spec.game).roles
    settings = GameSettings(
        game=spec.game, options=spec.options, clock=spec.clock, adjudication=spec.adjudication
    )
    # Settings in braces, such as the field of Dig Here, would fill the line, and the picture shows them.
    told = [each for each in settings_line(settings).split("   ") if "{" not in each]
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
    """Return the title of a game: its players, and its round or match."""
    names = " - ".join(dict.fromkeys(spec.codes))
    return printable(f"{names}, {spec.note}" if spec.note else names)


def pictures_of(spec: GameSpec, record: GameRecord) -> tuple[Scene | None, list[Frame], str]:
    """Replay a game. Return its board, its frames, and the reason why some are missing ("" if none is).

    * If the installed rules refuse a turn of an old game, the frames end there.
    * If they refuse its options, there is one empty frame, and the board is None.
    * In a game without pictures all frames are empty, so that the viewer can step through the moves. The
      board is None.
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
    """Return a frame for the viewer: [changes, marks, tally, arrows, text, table].

    These are the fields of `gyoji.core.game.Frame`, but `changes` is a flat list: place, signs, place, signs
    and so on.
    """
    changes = [each for change in frame.changes for each in change]
    table = [[printable(cell) for cell in row] for row in frame.table]
    return _trimmed(changes, frame.marks, frame.tally, frame.arrows, legible(frame.text), table)


def turn_values(turn: Sequence[Played], frame: Frame, said: Mapping[int, tuple[str, int]]) -> list[list[Any]]:
    """Return the moves of a turn for the viewer, each as a list as in `turns` of `game_values`.

    Args:
        turn: The moves.
        frame: The position after the turn, which may have texts to show for the moves.
        said: Evaluations by seat, as `opinion_texts` returns them.
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
    """Return the last evaluation of each seat at each turn, from turn number `first` on.

    Args:
        opinions: The engines' evaluations.
        turns: Number of turns of the game. Evaluations at later turns are left out.
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
    """Return the two lines of the viewer's chart, the evaluations of sides 0 and 1.

    Return [] if neither side gave an evaluation, or the game does not have two sides. A line shows the
    engine's win probabilities or its scores, whichever are more; win probabilities if both are equally many.
    The keys of a line:

    * `most`: the score at the edge of the chart, in a line of scores; 0 in a line of win probabilities. It is
      the largest score of the line, without scores that stand for a certain win or loss
    * `points`: (number of the turn from 1, height) of each evaluation. The height is between -1 (side 0
      loses) and 1 (side 0 wins)

    Args:
        result: The result of the game.
        opinions: The engines' evaluations.
        turns: Number of turns of the game. Evaluations at later turns are left out.
    """
    if len(result.opponents) != 2:
        return []
    told: list[dict[tuple[int, int], Evaluation]] = [{}, {}]  # by turn and seat: the last one counts
    for turn, seat, said, _ in opinions:
        if turn < turns:
            told[side_of(result, seat)][turn, seat] = said
    # If one side has points, the other is returned too: its empty line shows that it gave no evaluations.
    drawn = [_curve(side, each) for side, each in enumerate(told)]
    return drawn if any(curve["points"] for curve in drawn) else []


def _curve(side: int, told: Mapping[tuple[int, int], Evaluation]) -> dict[str, Any]:
    chances = {turn: said.win for (turn, _), said in told.items() if _is_number(said.win)}
    scores = {turn: said.score for (turn, _), said in told.items() if _is_number(said.score)}
    # Engines may give win probabilities, scores, or both. The line shows the kind with more evaluations.
    if len(chances) >= len(scores):
        most, heights = 0.0, {turn: 2 * win - 1 for turn, win in chances.items()}
    else:
        usual = [abs(score) for turn, score in scores.items() if chances.get(turn, 0.5) not in _CERTAIN]
        most = max(usual or [abs(score) for score in scores.values()]) or 1.0
        heights = {turn: max(-1.0, min(score / most, 1.0)) for turn, score in scores.items()}
    points = [(turn + 1, round(-height if side else height, 3)) for turn, height in heights.items()]
    return {"most": round(most, 2), "points": points}


_CERTAIN = (0, 1)
"""Win probabilities of engines that have searched to the end of the game. Their scores then mean nothing."""


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
    """Return a readable form of an ISO 8601 time, without seconds.

    >>> moment("2026-11-21T14:36:34+0000")
    '2026-11-21 14:36'
    """
    return iso[:16].replace("T", " ")
