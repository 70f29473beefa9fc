"""Variations: moves from a position of a game that a reader tries, or that an engine expected.

The rules play the moves; nothing is stored.
"""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from gyoji.core import wire
from gyoji.core.faults import ConfigError, IllegalMove
from gyoji.core.game import AnyGame, Offered
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
    """Return the principal variation that an engine reported with a move: the moves that it expected.

    It has the form that `variation` returns, and ends before the first text that is no legal move.

    Args:
        turn: Number of the turn with that move, from 1.
        seat: Number of the engine's seat.

    Raises:
        ConfigError: The engine has reported no variation, or the game has no pictures.
    """
    lines = [each.evaluation.pv for each in record.opinions if (each.turn + 1, each.seat) == (turn, seat)]
    if not lines or not lines[-1]:
        raise ConfigError(f"turn {turn}: seat {seat} has not said what it expects")
    return variation(spec, record, turn - 1, lines[-1], is_whole=False)


def variation(
    spec: GameSpec, record: GameRecord, turn: int, moves: Sequence[str], *, is_whole: bool = True
) -> dict[str, Any]:
    """Play moves from a position of a game, for the viewer.

    Args:
        turn: Number of turns before the position.
        moves: The moves as text.
        is_whole: Whether a move that the rules refuse is an error. If not, it ends the variation.

    Returns:
        A JSON-ready object: `turns`, the moves; `frames`, the positions after them; `first`, the number of
        turns before them; and `offered`, the possible next moves (see `_offered`).

    Raises:
        ConfigError: The rules refuse a move, the game has no pictures, or there are too many moves.
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
        position, turns = _played(rules, start, moves, is_whole=is_whole)
        offered = _offered(game, rules, position)
        frames = list(game.pictures().frames(rules, replace(start, turns=start.turns + turns)))
    except (IllegalMove, ValueError) as error:
        raise ConfigError(printable(str(error))) from None
    told = frames[len(start.turns) + 1 :]
    return {
        "first": len(start.turns),
        "offered": offered,
        "frames": [frame_values(frame) for frame in told],
        "turns": [turn_values(each, frame, {}) for each, frame in zip(turns, told, strict=True)],
    }


def _played(
    rules: AnyRules, record: GameRecord, moves: Sequence[str], *, is_whole: bool
) -> tuple[Any, tuple[tuple[Played], ...]]:
    """Parse and play moves after the last turn of a record.

    Args:
        is_whole: Whether to raise ConfigError, IllegalMove or ValueError for an impossible move. If not, the
            turns before it are returned.

    Returns:
        (the position after the moves, the moves as turns of a record)
    """
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
    return position, tuple(turns)


def _offered(game: AnyGame, rules: AnyRules, position: Any) -> dict[str, Any] | None:
    """Return the possible next moves of a variation, as a person enters them on the board, JSON-ready.

    None if the game is over there, several seats move at once, or the game's boards take no clicks.
    """
    pictures: Any = game.pictures and game.pictures()
    acting = rules.acting(position)
    if len(acting) != 1 or not hasattr(pictures, "offered"):
        return None
    offered: Offered = pictures.offered(rules, rules.view(position, acting[0]), acting[0])
    return offered._asdict()
