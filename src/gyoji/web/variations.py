"""Variations: moves tried from a position of a game. The rules play them; nothing is stored."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from gyoji.core import wire
from gyoji.core.faults import ConfigError, IllegalMove
from gyoji.core.outcome import Ending, Outcome
from gyoji.core.plugins import GAMES
from gyoji.core.ports import AnyRules
from gyoji.core.record import GameRecord, Played
from gyoji.core.replay import play_over
from gyoji.core.spec import GameSpec
from gyoji.core.text import printable
from gyoji.report.html.games import frame_values, turn_values

MOST_TRIED = 500
"""Longest variation, in moves."""


# An engine's principal variation may be longer than the game, or end in words that are no moves.
def expected_line(spec: GameSpec, record: GameRecord, turn: int, seat: int) -> dict[str, Any]:
    """Return the moves that an engine expected with its move of a turn, as `variation` returns moves.

    Moves that the rules refuse end the line. Turns count from 1. Raise ConfigError if the engine expected
    nothing.
    """
    lines = [each.evaluation.pv for each in record.opinions if (each.turn + 1, each.seat) == (turn, seat)]
    if not lines or not lines[-1]:
        raise ConfigError(f"turn {turn}: seat {seat} has not said what it expects")
    return variation(spec, record, turn - 1, lines[-1], is_whole=False)


def variation(
    spec: GameSpec, record: GameRecord, turn: int, moves: Sequence[str], *, is_whole: bool = True
) -> dict[str, Any]:
    """Return the frames and turns of moves from the position after `turn` turns, JSON-ready, as games have
    them.

    Args:
        is_whole: Raise ConfigError for a move that the rules refuse. If False, stop before it.
    """
    game = GAMES.find(spec.game)
    if game.pictures is None or len(moves) > MOST_TRIED:
        raise ConfigError(f"{spec.game}: expected a game with pictures, and at most {MOST_TRIED} moves")
    rules = game.make_rules(wire.frozen(spec.options), spec.seed)
    unfinished = Outcome(points=None, ending=Ending.NO_RESULT)
    start = replace(
        record,
        result=replace(record.result, outcome=unfinished, dead=(), settled="play"),
        turns=record.turns[:turn],
        opinions=(),
    )
    try:
        turns = _played(rules, start, moves, is_whole=is_whole)
        frames = list(game.pictures().frames(rules, replace(start, turns=start.turns + turns)))
    except (IllegalMove, ValueError) as error:
        raise ConfigError(printable(str(error))) from None
    told = frames[len(start.turns) + 1 :]
    return {
        "first": len(start.turns),
        "frames": [frame_values(frame) for frame in told],
        "turns": [turn_values(each, frame, {}) for each, frame in zip(turns, told, strict=True)],
    }


def _played(
    rules: AnyRules, record: GameRecord, moves: Sequence[str], *, is_whole: bool
) -> tuple[tuple[Played], ...]:
    """Return the moves as turns. Raise ConfigError, IllegalMove and ValueError for impossible ones."""
    position, turns = play_over(rules, record)[1], list[tuple[Played]]()
    for text in moves:
        try:
            acting = rules.acting(position)
            if len(acting) != 1:
                why = "moves made at once cannot be tried" if acting else "the game is over there"
                raise ConfigError(f"{text}: {why}")
            move, phase = rules.parse(text), rules.phase(position)
            position = rules.play(position, ((acting[0], move),))
        except (ConfigError, IllegalMove, ValueError):
            if is_whole:
                raise
            break
        turns.append((Played(acting[0], rules.format(move), 0, phase=phase),))
    return tuple(turns)
