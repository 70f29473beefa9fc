"""One game as text and as JSON: its result, and its moves with their times and the engines' evaluations."""

from collections.abc import Iterable, Iterator
from typing import Any

from gyoji.core import wire
from gyoji.core.describe import ResultWords, describe_evaluation, describe_result, describe_taken_back
from gyoji.core.plugins import GAMES
from gyoji.core.record import EngineReport, GameRecord, GameResult, VariationFlaws, VoidGame
from gyoji.core.replay import replaying
from gyoji.core.spec import GameSpec
from gyoji.core.tables import Block, Cell, Column, Style, Table, data, numbers, texts
from gyoji.core.text import printable


def game_blocks(record: GameRecord, words: ResultWords) -> Iterator[Block]:
    """Yield the text of a game: result, moves taken back, faulty principal variations, and the table of
    moves.

    Args:
        record: The game.
        words: How results of this game are written, such as "B+R".
    """
    result = record.result
    yield f"{result.id}: {describe_result(result, words)}"
    for taken in record.taken_back:
        yield f"after move {taken.turn}: {describe_taken_back(taken, result.players)}"
    yield from _flaw_lines(result)
    yield moves_table(record)


def runner_lines(spec: GameSpec, record: GameRecord) -> Iterator[str]:
    """Yield lines about a game that a relay's runner played: a note on the moves, and the output of the
    runner.

    Yield nothing for other games.
    """
    game = GAMES.find(spec.game)
    if game.decider != "relay":
        return
    yield ""
    yield game.remark
    rules: Any = replaying(game.make_rules(wire.frozen(spec.options), spec.seed), record.umpire)
    if text := rules.render(rules.start()):
        yield ""
        yield from text.split("\n")


def _flaw_lines(result: GameResult) -> Iterator[str]:
    """Yield one line for each player whose engine sent faulty principal variations."""
    for player, engine in zip(result.players, result.engines, strict=False):
        if engine.variations:
            kinds = "; ".join(map(_described, engine.variations))
            yield printable(f"{player}: faults of its variations: {kinds}")


def _described(flaws: VariationFlaws) -> str:
    where = ", ".join(filter(None, (f"move {flaws.turn + 1}", flaws.move)))
    return f"{flaws.kind} {flaws.number} times (first: {where})"


def moves_table(record: GameRecord) -> Table:
    """Return the table of a game's moves: player, move, time, and the engine's last evaluation.

    As JSON it also has the seat, the phase and the engine's comment.
    """
    # An engine may send opinions while it thinks; the last one is about the move that it played.
    said = {(each.turn, each.seat): each.evaluation for each in record.opinions}
    moves = [(number, played) for number, turn in enumerate(record.turns) for played in turn]
    opinions = [said.get((number, played.seat)) for number, played in moves]
    return Table(
        columns=(
            numbers("move", [number + 1 for number, _ in moves], key="move_number"),
            data("seat", [played.seat for _, played in moves]),
            texts("player", [record.result.players[played.seat] for _, played in moves]),
            texts("", [played.move for _, played in moves], key="move"),
            numbers(
                "seconds",
                [Cell(f"{played.ns / 1e9:.3f}", played.ns) for _, played in moves],
                # People read seconds; programs get the ns that the clock was charged,
                # without rounding.
                key="charged_ns",
            ),
            data("phase", [played.phase for _, played in moves]),
            data("comment", [played.comment for _, played in moves]),
            texts(
                "opinion",
                [Cell("" if each is None else describe_evaluation(each), each) for each in opinions],
                is_optional=True,
            ),
        ),
        style=Style.GOMILL,
    )


_LEGEND = (
    "Seconds. charged: by its clock. asked: by the wall, from the question to the answer. engine's CPU: of",
    "all its processes meanwhile. no processor: of the thread that waited longest for one. unread: how long",
    "the answer lay there before it was read, at most. stood still: the machine. -: not looked at, for it",
    "took less than 10 ms, or not known.",
)


def timing_table(record: GameRecord) -> Table:
    """Return the table of the times of each move.

    A question whose answer came too late has a row without a move at the end of the table.
    """
    timings = {(each.turn, each.seat): each for each in record.timings}
    moves: list[tuple[int, int, str, int | None]] = [
        (number, played.seat, played.move, played.ns)
        for number, turn in enumerate(record.turns)
        for played in turn
    ]
    # A question whose answer came too late has a timing and no move: it is the row that a user looks
    # for after a loss by time.
    asked_in_vain = timings.keys() - {(number, seat) for number, seat, *_ in moves}
    moves += [(*each, "", None) for each in sorted(asked_in_vain)]
    seen = [timings.get((number, seat)) for number, seat, *_ in moves]
    return Table(
        columns=(
            numbers("move", [number + 1 for number, *_ in moves], key="move_number"),
            data("seat", [seat for _, seat, *_ in moves]),
            texts("player", [record.result.players[seat] for _, seat, *_ in moves]),
            texts("", [Cell(move, move or None) for *_, move, _ in moves], key="move"),
            _seconds("charged", "charged_ns", [charged for *_, charged in moves]),
            _seconds("asked", "asked_ns", [each and each.wall for each in seen]),
            _seconds("engine's CPU", "cpu_ns", [each and each.cpu for each in seen]),
            _seconds("no processor", "delayed_ns", [each and each.delayed for each in seen]),
            _seconds("unread", "unread_ns", [each and each.unread for each in seen]),
            _seconds("stood still", "stalled_ns", [each and each.stalled for each in seen]),
        ),
        remarks=("", *_LEGEND),
        style=Style.GOMILL,
    )


def _seconds(heading: str, key: str, times: Iterable[int | None]) -> Column:
    """Return a column of times in ns, which text shows in seconds and JSON has in ns."""
    cells = [Cell("-" if ns is None else f"{ns / 1e9:.3f}", ns) for ns in times]
    return numbers(heading, cells, key=key)


def game_facts(record: GameRecord, words: ResultWords) -> dict[str, Any]:
    """Return a game with its moves, JSON-ready, as `gyoji show --json` prints it.

    Args:
        record: The game.
        words: How results of this game are written, such as "B+R".
    """
    result = record.result
    return {
        "game": result.id,
        "result": describe_result(result, words),
        "outcome": wire.encode(result.outcome),
        "moves": moves_table(record).records(),
        "taken_back": [
            {
                "after": taken.turn,
                "seat": taken.seat,
                "moves": [played.move for turn in taken.moves for played in turn],
            }
            for taken in record.taken_back
        ],
    }


def result_facts(result: GameResult, words: ResultWords) -> dict[str, Any]:
    """Return a result without moves, JSON-ready: see "The result" in docs/reference/games-as-json.md.

    Args:
        result: The result.
        words: How results of this game are written, such as "B+R".
    """
    outcome = result.outcome
    winner = outcome.winner
    return {
        "id": result.id,
        "pairing": result.pairing,
        "players": list(result.players),
        "teams": [result.team_of(seat) for seat in range(len(result.players))],
        "sides": list(result.sides) or list(range(len(result.players))),
        "result": describe_result(result, words),
        "winner": None if winner is None else result.opponents[winner],
        "points": None if outcome.points is None else list(outcome.points),
        "ending": outcome.ending.value,
        "is_forfeit": outcome.is_forfeit,
        "detail": outcome.detail,
        "margin": outcome.margin,
        "totals": list(outcome.totals),
        "turns": result.turns,
        "started": result.started,
        "seconds": result.wall_ns / 1e9,
        "engines": [_engine_facts(engine) for engine in result.engines],
        "warnings": list(result.warnings),
        "host": result.host,
    }


def all_facts(spec: GameSpec, record: GameRecord, words: ResultWords) -> dict[str, Any]:
    """Return a game with settings, result, moves and times, JSON-ready: a line of `gyoji export --to jsonl`.

    Args:
        spec: The settings of the game.
        record: The game.
        words: How results of this game are written, such as "B+R".
    """
    told = game_facts(record, words)
    result = record.result
    return {
        "kind": "game",
        **result_facts(result, words),
        "game": spec.game,
        "options": wire.encode(spec.options),
        "clock": spec.clock.describe(),
        "move_limit": spec.move_limit,
        "scorer": spec.scorer,
        "seed": spec.seed,
        "note": spec.note,
        "moves": told["moves"],
        "taken_back": told["taken_back"],
        "final_remarks": [{"seat": seat, "text": text} for seat, text in record.final_remarks],
        "refused": record.refused and {"seat": record.refused.seat, "move": record.refused.move},
        "scores": list(result.scores),
        "settled": result.settled,
        **{key: list(getattr(result, key)) for key in ("dead", "left_out", "late")},
        **{
            key: [each._asdict() for each in getattr(record, key)]
            for key in ("timings", "extra_time", "lags")
        },
        "umpire": list(record.umpire),
    }


def void_facts(void: VoidGame, attempt: int) -> dict[str, Any]:
    """Return a failed attempt to play a game, JSON-ready: a line of `gyoji export --to jsonl`.

    Args:
        void: The attempt.
        attempt: Number of the attempt, from 1.
    """
    return {
        "kind": "void",
        "id": void.id,
        "pairing": void.pairing,
        "players": list(void.players),
        "attempt": attempt,
        "reason": void.reason,
        "started": void.started,
        "to_move": list(void.to_move),
        "moves": [
            {"move_number": number + 1, "seat": played.seat, "move": played.move, "charged_ns": played.ns}
            for number, turn in enumerate(void.turns)
            for played in turn
        ],
    }


def _engine_facts(engine: EngineReport) -> dict[str, Any]:
    return {
        "name": engine.name,
        "description": engine.description,
        "think_s": engine.think_ns / 1e9,
        "slowest_s": engine.slowest_ns / 1e9,
        "cpu_s": None if engine.cpu_ns is None else engine.cpu_ns / 1e9,
        "startup_s": engine.startup_ns / 1e9,
        "status": engine.status,
        "containment": engine.containment,
        "variations": [each._asdict() for each in engine.variations],
    }
