"""Tuners on landscapes: one event each, by the tuner's own search, without players, games or processes.

Every tuner but SPSA and `auto` plays its candidates against an opponent that the best of them beats with
62 %; those two play candidates against each other. All see won and lost games only. A list of values is an
ordered one to all but `auto`, as it is in gyoji. `gaussian_process` tells what the Gaussian process does.
"""

import subprocess
from collections.abc import Callable, Sequence
from math import exp, log
from pathlib import Path
from typing import Any

import numpy as np

from bench.landscapes import ELO, MARGIN, Landscape
from bench.references.gaussian_process import (
    CANDIDATES,
    Process,
    estimate,
    first_points,
    is_afresh,
    next_point,
)
from bench.references.gaussian_process import GAMES as TWENTY
from gyoji.core.spec import Player, derive_seed
from gyoji.formats import spsa_tuner
from gyoji.tuning.search import Search

GAMES = (1000, 3000, 10000)
"""After how many games tuners are asked for the best parameters."""

Regrets = dict[int, float]
Point = Sequence[float]


class Chance:
    """Results of games by chance, the same for the same seed."""

    def __init__(self, landscape: Landscape, seed: int) -> None:
        self._strength = landscape.strength
        self._draws = np.random.default_rng([seed, 17])
        self._left: list[float] = []

    def _next(self) -> float:
        if not self._left:
            self._left = self._draws.random(1024).tolist()
        return self._left.pop()

    def against_opponent(self, point: Point) -> bool:
        return self._next() < _chance(self._strength(_held(point)) + MARGIN)

    def between(self, point: Point, other: Point) -> bool:
        return self._next() < _chance(self._strength(_held(point)) - self._strength(_held(other)))


def _held(point: Point) -> list[float]:
    return [min(max(x, 0.0), 1.0) for x in point]


def _chance(elo: float) -> float:
    return 1 / (1 + exp(min(-elo / ELO, 700.0)))


def regret(landscape: Landscape, point: Point) -> float:
    return -landscape.strength(_held(point))


_MADE: dict[str, Any] = {"game": "go", "options": {}, "candidate": lambda code, values: Player(code, ("x",))}


def spsa(landscape: Landscape, seed: int) -> Regrets:
    """gyoji's `spsa_tuner` with its defaults: an event for each number of games, which it must know."""
    tables = [
        {"code": f"p{axis}", "min": 0.0, "max": 1.0, "format": "%s"} for axis in range(landscape.dimensions)
    ]
    kind = spsa_tuner.Parameter
    parameters = tuple(kind(**kind.complete(table, 0)) for table in tables)
    regrets = {}
    for games in GAMES:
        settings = spsa_tuner.Settings(**_MADE, parameters=parameters, number_of_iterations=games // 2)
        walk, chance = spsa_tuner.Walk(settings, seed), Chance(landscape, seed)
        for iteration in range(1, games // 2 + 1):
            pair = walk.pair(iteration)
            wins = chance.between(pair.plus, pair.minus) + chance.between(pair.plus, pair.minus)
            walk.move(iteration, pair, 2 * wins - 2)
        regrets[games] = regret(landscape, walk.place)
    return regrets


_BATCH = 8
"""Games of each candidate of CMA-ES."""


def cmaes(landscape: Landscape, seed: int) -> Regrets:
    """CMA-ES by the package `cmaes`, with the adaptation of its learning rate to noise.

    Source: Nomura, Akimoto, Ono, "CMA-ES with Learning Rate Adaptation", GECCO 2023.
    """
    from cmaes import CMA  # noqa: PLC0415 - of the development's extras

    dimensions = landscape.dimensions
    population = max(12, 4 + int(3 * log(dimensions)))
    search = CMA(
        mean=np.full(dimensions, 0.5),
        sigma=0.25,
        bounds=np.array([[0.0, 1.0]] * dimensions),
        population_size=population,
        lr_adapt=True,
        seed=0,
    )
    chance, played, generation = Chance(landscape, seed), 0, 0
    regrets = {}
    for games in GAMES:
        while played + population * _BATCH <= games:
            scored = []
            for number in range(population):
                # The kept regrets come from draws with these seeds.
                search.reseed_rng(derive_seed(seed, "draw", generation, number) % 2**32)
                point = search.ask()
                wins = sum(chance.against_opponent(point.tolist()) for _ in range(_BATCH))
                scored.append((point, -wins / _BATCH))
            search.tell(scored)
            played += population * _BATCH
            generation += 1
        regrets[games] = regret(landscape, np.clip(search.mean, 0.0, 1.0).tolist())
    return regrets


def clop_by(program: Path) -> Callable[[Landscape, int], Regrets]:
    """Coulom's CLOP, by the program that `drivers/clop.cpp` makes of his library."""

    def clop(landscape: Landscape, seed: int) -> Regrets:
        command = [str(program), str(landscape.dimensions), str(seed + 1)]
        pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        chance, regrets = Chance(landscape, seed), {}
        with subprocess.Popen(command, bufsize=1, **pipes) as process:
            point = _told(process)
            for played in range(1, GAMES[-1] + 1):
                point = _answer(process, "1" if chance.against_opponent(point) else "0")
                if played in GAMES:
                    regrets[played] = regret(landscape, _answer(process, "?"))
        return regrets

    return clop


def gaussian_process(landscape: Landscape, seed: int) -> Regrets:
    """Return the regret of a search by `gaussian_process` after a thousand games."""
    chance, generator = Chance(landscape, seed), np.random.default_rng([seed, 5])
    points = first_points(landscape.dimensions, seed)
    wins: list[float] = []
    process = Process(landscape.dimensions)
    while True:
        for point in points[len(wins) :]:
            wins.append(sum(chance.against_opponent(list(point)) for _ in range(TWENTY)))
        process.learn(points, np.array(wins), afresh=is_afresh(len(wins)))
        if len(wins) == CANDIDATES:
            return {GAMES[0]: regret(landscape, list(estimate(process, generator)))}
        points = np.concatenate([points, next_point(process, generator)[None]])


def auto(landscape: Landscape, seed: int) -> Regrets:
    """gyoji's `auto_tuner`: candidates against each other."""
    search = Search(landscape.sizes, against=False, seed=seed)
    chance, regrets = Chance(landscape, seed), {}
    for played in range(1, GAMES[-1] + 1):
        trial = search.trial(played - 1)
        assert trial.second is not None
        search.add(trial, float(chance.between(trial.first, trial.second)))
        if played in GAMES:
            regrets[played] = regret(landscape, search.best)
    return regrets


def _answer(process: Any, word: str) -> list[float]:
    process.stdin.write(f"{word}\n")
    return _told(process)


def _told(process: Any) -> list[float]:
    return [(float(word) + 1) / 2 for word in process.stdout.readline().split()]
