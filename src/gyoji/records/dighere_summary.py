"""The summary of a game of Dig Here beside its log: a line for each agent and step, the scores last.

Who falls out of the game is named before the step in which it did: "Agent 2 (dog of a) is out of the game".
"""

from gyoji.core.record import GameRecord, VoidGame
from gyoji.core.spec import GameSpec
from gyoji.games.dighere.recorded import log_of, summary
from gyoji.games.dighere.rules import DigHereRules

suffix = ".dighere.summary"


def write(spec: GameSpec, record: GameRecord | VoidGame) -> bytes:
    """The file of a game."""
    return summary(log_of(spec, record), fallen=_fallen(spec, record)).encode()


def _fallen(spec: GameSpec, record: GameRecord | VoidGame) -> dict[int, list[str]]:
    """By step, a line for each agent that made no plan from it on."""
    fallen: dict[int, list[str]] = {}
    left = set(range(len(spec.players)))
    for step, turn in enumerate(record.turns):
        for seat in sorted(left - {played.seat for played in turn}):
            left.remove(seat)
            who = f"{DigHereRules.roles[seat]} of {spec.players[seat].code}"
            fallen.setdefault(step, []).append(f"Agent {seat} ({who}) is out of the game\n")
    return fallen
