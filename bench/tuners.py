"""``python -m bench.tuners [--games N] [--seeds N] [--only WORD]``: how close each tuner comes to the best
parameters.

No engine runs: games are won at random, with a probability that follows from the strength of the candidate
on a landscape whose best point is known. For each landscape, number of games and tuner it prints the
regret: how many Elo the parameters that the tuner reports in the end are below the best ones, as the mean
over the seeds and the worst of them; and the time that the tuner itself took for a game. The parameters in
the middle are what one would have without tuning.

The Monte Carlo and the cross-entropy tuner have the settings of gomill's manual, the others their
defaults.
"""

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import cos, sin
from typing import Any

from gyoji.core.outcome import Ending, Outcome
from gyoji.core.plugins import FORMATS
from gyoji.core.record import GameResult
from gyoji.core.setup import CompetitionSetup
from gyoji.core.spec import GameSpec, Player
from gyoji.formats import auto_tuner, ce_tuner, mc_tuner, spsa_tuner
from gyoji.tables.event_tables import tables_of
from gyoji.tuning.games import CandidateColour
from gyoji.tuning.scales import Linear
from gyoji.tuning.series import uniform

OPPONENT = Player(code="opponent", command=("opponent",))
MARGIN = 100
"""The Elo by which the best candidate is stronger than the opponent."""


@dataclass(frozen=True, slots=True)
class Landscape:
    """The strength of candidates.

    Attributes:
        strength: Returns the Elo of a point in the unit cube, 0 for the best one.
    """

    name: str
    dimensions: int
    strength: Callable[[Sequence[float]], float]


def bowl(point: Sequence[float]) -> float:
    """Return a quadratic strength whose best point is off the middle."""
    return -400 * sum((x - best) ** 2 for x, best in zip(point, (0.3, 0.7, 0.6, 0.2), strict=False))


def ridge(point: Sequence[float]) -> float:
    """Return the strength on a sharp ridge across the axes: the best value of one parameter depends on the
    other.
    """
    along = cos(0.6) * (point[0] - 0.35) + sin(0.6) * (point[1] - 0.6)
    across = -sin(0.6) * (point[0] - 0.35) + cos(0.6) * (point[1] - 0.6)
    return -100 * abs(along) - 400 * abs(across)


LANDSCAPES = (
    Landscape("bowl of 1", 1, bowl),
    Landscape("bowl of 2", 2, bowl),
    Landscape("ridge of 2", 2, ridge),
    Landscape("bowl of 4", 4, bowl),
)
CODES = "abcd"


def make(code: str, values: Sequence[Any]) -> Player:
    """Return a candidate whose command is its values."""
    return Player(code=code, command=("candidate", *map(str, values)))


_GAMES: dict[str, Any] = {"game": "go", "options": {"board_size": 9, "komi": 7.5}, "candidate": make}
_AGAINST: dict[str, Any] = {**_GAMES, "opponent": OPPONENT.code}
_BLACK: dict[str, Any] = {**_AGAINST, "candidate_colour": CandidateColour.BLACK}


def _parameters(kind: Any, dimensions: int, **more: Any) -> tuple[Any, ...]:
    return tuple(kind(code=code, scale=Linear(0, 1), format="%.3f", **more) for code in CODES[:dimensions])


def monte_carlo(dimensions: int, games: int) -> Any:
    return mc_tuner.Settings(
        **_BLACK,
        parameters=_parameters(mc_tuner.Parameter, dimensions, split=8 if dimensions < 3 else 4),
        exploration_coefficient=0.45,
        initial_visits=10,
        initial_wins=5,
        number_of_games=games,
    )


def cross_entropy(dimensions: int, games: int) -> Any:
    return ce_tuner.Settings(
        **_BLACK,
        parameters=tuple(
            ce_tuner.Parameter(code=code, initial_mean=0.5, initial_variance=0.1, min=0, max=1, format="%.3f")
            for code in CODES[:dimensions]
        ),
        number_of_generations=5,
        samples_per_generation=max(games // 50, 1),
        batch_size=10,
        elite_proportion=0.1,
        step_size=0.8,
    )


def spsa(dimensions: int, games: int) -> Any:
    kind = spsa_tuner.Parameter
    tables = ({"code": code, "min": 0.0, "max": 1.0, "format": "%.3f"} for code in CODES[:dimensions])
    return spsa_tuner.Settings(
        **_GAMES,
        parameters=tuple(kind(**kind.complete(table, 0)) for table in tables),
        number_of_iterations=games // 2,
    )


def automatic(dimensions: int, games: int) -> Any:
    return auto_tuner.Settings(
        **_GAMES, parameters=_parameters(auto_tuner.Parameter, dimensions), number_of_games=games
    )


TUNERS: dict[str, Callable[[int, int], Any]] = {
    "auto_tuner": automatic,
    "spsa_tuner": spsa,
    "ce_tuner": cross_entropy,
    "mc_tuner": monte_carlo,
}


def play(kind: str, landscape: Landscape, games: int, seed: int) -> tuple[float, float]:
    """Play an event of about so many games. Return its regret in Elo and the tuner's own seconds."""
    settings = TUNERS[kind](landscape.dimensions, games)
    players = {OPPONENT.code: OPPONENT}
    setup = CompetitionSetup(code="bench", kind=kind, players=players, settings=settings, seed=seed)
    tuner = FORMATS.find(kind).competition(setup)
    spent = 0.0
    while True:
        began = time.perf_counter()
        spec = tuner.next_game()
        spent += time.perf_counter() - began
        if spec is None:
            break
        result = played(spec, landscape, seed)
        began = time.perf_counter()
        tuner.add(result)
        spent += time.perf_counter() - began
    best = tables_of(tuner.setup, tuner).values({})["best"]
    return -landscape.strength(list(best.get("parameters", best).values())), spent


def played(spec: GameSpec, landscape: Landscape, seed: int) -> GameResult:
    """Return the result of a game that is won at random."""
    strengths = [strength(player, landscape) for player in spec.players]
    chance = 1 / (1 + 10 ** ((strengths[1] - strengths[0]) / 400))
    first = float(uniform(seed, "game", spec.id) < chance)
    return GameResult(
        id=spec.id,
        pairing=spec.pairing,
        players=tuple(player.code for player in spec.players),
        outcome=Outcome(points=(first, 1 - first), ending=Ending.SCORE),
        turns=100,
        engines=(),
        started="",
        wall_ns=0,
    )


def strength(player: Player, landscape: Landscape) -> float:
    """Return the Elo of the opponent, or of a candidate's point held within the cube."""
    if player.code == OPPONENT.code:
        return -MARGIN
    return landscape.strength([min(max(float(word), 0.0), 1.0) for word in player.command[1:]])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.tuners", description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, nargs="+", default=[300, 1000, 3000], help="games of an event")
    parser.add_argument("--seeds", type=int, default=8, help="events for each figure (8)")
    parser.add_argument("--only", default="", help="only tuners with this word in their name")
    options = parser.parse_args()
    for landscape in LANDSCAPES:
        middle = -landscape.strength([0.5] * landscape.dimensions)
        print(f"\n{landscape.name}: the middle is {middle:.0f} Elo below the best")
        print(f"{'':12}" + "".join(f"{games:>8} games: regret (worst), ms" for games in options.games))
        for kind in TUNERS:
            if options.only in kind:
                cells = (_cell(kind, landscape, games, options.seeds) for games in options.games)
                print(f"{kind:12}" + "".join(cells), flush=True)


def _cell(kind: str, landscape: Landscape, games: int, seeds: int) -> str:
    rows = [play(kind, landscape, games, seed) for seed in range(seeds)]
    regrets = [regret for regret, _ in rows]
    spent = sum(seconds for _, seconds in rows) / seeds / games * 1000
    return f"{sum(regrets) / seeds:>15.1f} ({max(regrets):5.1f}) {spent:12.2f}"


if __name__ == "__main__":
    main()
