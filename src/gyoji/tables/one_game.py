"""One game as it was played: its result, its moves, what its engines thought of them, what was taken back."""

from collections.abc import Iterator
from typing import Any

from gyoji.core import wire
from gyoji.core.describe import ResultWords, describe_evaluation, describe_result, describe_taken_back
from gyoji.core.messages import Evaluation
from gyoji.core.record import EngineReport, GameRecord, GameResult, VoidGame
from gyoji.core.spec import GameSpec
from gyoji.core.tables import Block, Style, Table, numbers, texts


def game_blocks(record: GameRecord, words: ResultWords) -> Iterator[Block]:
    """The result in a line, what was taken back, and a row for each move. words: those of the game."""
    result = record.result
    yield f"{result.id}: {describe_result(result, words)}"
    for taken in record.taken_back:
        yield f"after move {taken.turn}: {describe_taken_back(taken, result.players)}"
    moves, said = list(move_values(record)), _said(record)
    opinions = [_told(said.get((move["move_number"] - 1, move["seat"]))) for move in moves]
    columns = [
        numbers("move", [move["move_number"] for move in moves]),
        texts("player", [move["player"] for move in moves]),
        texts("", [move["move"] for move in moves]),
        numbers("seconds", [move["charged_ns"] / 1e9 for move in moves], digits=3),
    ]
    if any(opinions):
        columns.append(texts("opinion", opinions))
    yield Table(columns=tuple(columns), style=Style.GOMILL)


def game_values(record: GameRecord, words: ResultWords) -> dict[str, Any]:
    """The same as JSON-ready values; of several opinions of a move the last."""
    result = record.result
    return {
        "game": result.id,
        "result": describe_result(result, words),
        "outcome": wire.encode(result.outcome),
        "moves": list(move_values(record)),
        "taken_back": [
            {
                "after": taken.turn,
                "seat": taken.seat,
                "moves": [played.move for turn in taken.moves for played in turn],
            }
            for taken in record.taken_back
        ],
    }


def move_values(record: GameRecord) -> Iterator[dict[str, Any]]:
    """Each move as JSON-ready values."""
    said = _said(record)
    for number, turn in enumerate(record.turns):
        for played in turn:
            opinion = said.get((number, played.seat))
            yield {
                "move_number": number + 1,
                "seat": played.seat,
                "player": record.result.players[played.seat],
                "move": played.move,
                "charged_ns": played.ns,
                "phase": played.phase,
                "comment": played.comment,
                "opinion": None if opinion is None else opinion._asdict(),
            }


def result_values(result: GameResult, words: ResultWords) -> dict[str, Any]:
    """A result without its moves as JSON-ready values. words: those of the game."""
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
        "engines": [_engine_values(engine) for engine in result.engines],
        "warnings": list(result.warnings),
        "host": result.host,
        "clock_factor": result.clock_factor,
    }


def all_values(spec: GameSpec, record: GameRecord, words: ResultWords) -> dict[str, Any]:
    """All that is known of a game: how it was to be played, its result, its moves, what else was noted."""
    told = game_values(record, words)
    result = record.result
    return {
        "kind": "game",
        **result_values(result, words),
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
        "dead": list(result.dead),
        "left_out": list(result.left_out),
        "late": list(result.late),
        "timings": [timing._asdict() for timing in record.timings],
        "aside": [each._asdict() for each in record.aside],
        "lags": [each._asdict() for each in record.lags],
    }


def void_values(void: VoidGame, attempt: int) -> dict[str, Any]:
    """An attempt to play a game that came to nothing. attempt: the number of it, from 1."""
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


def _engine_values(engine: EngineReport) -> dict[str, Any]:
    return {
        "name": engine.name,
        "description": engine.description,
        "think_s": engine.think_ns / 1e9,
        "slowest_s": engine.slowest_ns / 1e9,
        "cpu_s": None if engine.cpu_ns is None else engine.cpu_ns / 1e9,
        "startup_s": engine.startup_ns / 1e9,
        "status": engine.status,
        "containment": engine.containment,
    }


def _said(record: GameRecord) -> dict[tuple[int, int], Evaluation]:
    """By turn and seat, the last opinion of a move."""
    return {(each.turn, each.seat): each.evaluation for each in record.opinions}


def _told(said: Evaluation | None) -> str:
    return "" if said is None else describe_evaluation(said)
