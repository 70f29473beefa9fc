"""`gyoji analyse`: print an engine's evaluation of each position of a finished game."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gyoji.cli.exits import complain, forget_stdout, say
from gyoji.core import wire
from gyoji.core.analysis import Analysed, CannotAnalyse
from gyoji.core.describe import describe_evaluation
from gyoji.core.faults import Breakdown
from gyoji.core.messages import Evaluation
from gyoji.core.plugins import GAMES, PROTOCOLS
from gyoji.core.text import printable
from gyoji.play.probing import carry_out
from gyoji.scheduler.analysis import analyst, task_of
from gyoji.scheduler.event import Event
from gyoji.scheduler.status import ExitStatus

MOST_SHOWN = 12
"""Largest number of moves of a variation that the text shows."""


def analyse_file(
    path: Path, game_id: str, *, code: str | None, ns: int, lines: int, as_json: bool
) -> ExitStatus:
    """Carry out `gyoji analyse`.

    Args:
        code: Name of the player whose engine analyses; None for the first player that can.
        ns: Thinking time for each position.
        lines: Largest number of variations for each position.

    Raises:
        ConfigError: There is no such game, or no such player that can analyse it.
        Breakdown: The engine cannot be started, or fails.
    """
    event = Event.open(path, complain)
    with event.read() as store:
        spec, record = event.finished(store, game_id)
    player = analyst(event, spec, code)
    task = task_of(spec, record, player, ns=ns, lines=lines)
    sides = GAMES.find(spec.game).side_names

    # The reader of our output may leave (`| head`): then there is nobody to analyse for.
    def told(each: Analysed) -> None:
        try:
            say(wire.dumps(json_values(each)) if as_json else _text(each, sides))
        except BrokenPipeError:
            forget_stdout()
            raise CannotAnalyse("") from None

    if problem := carry_out(PROTOCOLS.find(player.protocol).analyse(task, told), player):
        raise Breakdown(f"{player.code}: {problem}")
    return ExitStatus.COMPLETE


def json_values(analysed: Analysed) -> Mapping[str, Any]:
    """Return an engine's evaluation of a position as a JSON-ready object."""
    return {
        "turn": analysed.turn,
        "seat": analysed.seat,
        "lines": [
            {
                "text": printable(describe_evaluation(each._replace(pv=()))),
                "score": each.score,
                "win": each.win,
                "moves": [printable(move, 20) for move in each.pv],
            }
            for each in analysed.lines
        ],
    }


def _text(analysed: Analysed, sides: Sequence[str]) -> str:
    """Return an engine's evaluation of one position, with its variations, as lines of text.

    Args:
        sides: The names of the sides, by seat.
    """
    side = sides[analysed.seat] if analysed.seat < len(sides) else f"seat {analysed.seat}"
    return "\n".join(
        (f"after {analysed.turn} turns, {side} to move", *(f"  {_line(each)}" for each in analysed.lines))
    )


def _line(said: Evaluation) -> str:
    moves = " ".join(printable(move, 20) for move in said.pv[:MOST_SHOWN])
    return f"{printable(describe_evaluation(said._replace(pv=())))}: {moves}"
