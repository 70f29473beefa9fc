"""``python -m bench.ratings [--json] [--only WORD]``: whether the intervals of ratings and sequential tests
are right.

Games are simulated, so the truth is known. It prints

* bars: how often the truth is within the 95 % bars of `gyoji ratings`, over 1,000 fields of six players,
  with an advantage of the first side, with 0 to 80 % draws, and 2 or 20 games of each two on either side;
* pairs: the same if openings decide many games, over 200 fields;
* sprt: how often a test of pairs accepts the wrong hypothesis, over 2,000 tests with either being true;
  how many games it takes, and is expected to take; how often the truth is above the estimate afterwards,
  and within its bars;
* lengths: how many games 2,000 tests of each model take, and are expected to take, with one of the
  hypotheses true and half way between them;
* intervals: how often the score interval and Wald's of one match contain the truth, for all true scores
  from 0.1 to 0.9, computed from all possible results;
* speed: CPU and memory of `gyoji ratings` for a list of a million games of a thousand players.

Each takes about a minute at most on one core, lengths five.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from itertools import permutations, product
from math import lgamma
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

from bench.references.ratings import chances
from gyoji.stats.ledger import Ledger
from gyoji.stats.ratings import Ratings, rate
from gyoji.stats.scores import NORMALIZED_ELO, Scores, score_at
from gyoji.stats.sprt import Decision, Model, Sprt
from gyoji.stats.sprt_duration import prospect
from gyoji.stats.sprt_estimate import estimate, falling_root

SEED = 20_261_121
PLAYERS = 6
SPREAD = 150  # Elo, of the players' strength
ADVANTAGE = 40  # Elo
DRAWS = (0, 0.3, 0.6, 0.8)  # between equals
DRAWS_OF_PAIRS = 0.13
FIELDS = 1000
FIELDS_OF_PAIRS = 200
TESTS = 2000
ELO1 = 60  # normalized; H0 is 0
LENGTHS = (
    (Model.NORMALIZED, (200, 600, 200), 60),
    (Model.NORMALIZED, (50, 200, 500, 200, 50), 60),
    (Model.LOGISTIC, (200, 600, 200), 40),
    (Model.BAYESIAN, (350, 300, 350), 40),
    (Model.CUTECHESS, (200, 600, 200), 40),
)
"""Tests of a few hundred games, for which an expectation is most easily wrong. H0 is 0."""

SHARES = np.arange(0.1, 0.901, 0.005)
PAIR_SHARES = (0.05, 0.2, 0.5, 0.2, 0.05)  # of 0 to 2 points, between equals


def strengths(chance: np.random.Generator, draws: float) -> np.ndarray:
    """Return the Elo of a field, zero on average. With more draws the players are closer to each other."""
    elo = chance.normal(0, SPREAD * (1 - draws), PLAYERS)
    return elo - elo.mean()


def within(ratings: Ratings, truth: np.ndarray) -> int:
    """Return how many players have their true rating within their bars."""
    return sum(abs(place.elo - truth[int(place.player)]) <= place.error for place in ratings.places)


def bars() -> dict[str, float]:
    """Return the coverage of the bars if games are independent."""
    told: dict[str, float] = {}
    for draws, games in product(DRAWS, (2, 20)):
        held, advantage = coverage(draws, games)
        case = f"{draws:.0%} draws, {2 * games * (PLAYERS - 1)} games of a player"
        told |= {f"{case}: within bars": held, f"{case}: advantage": advantage}
    return told


def coverage(draws: float, games: int) -> tuple[float, float]:
    """Return how often players, and the advantage, are within their bars. Each two play `games` games on
    either side.
    """
    chance, held, advantage = np.random.default_rng(SEED), 0, 0
    for _ in range(FIELDS):
        truth, ledger = strengths(chance, draws), Ledger()
        for first, second in permutations(range(PLAYERS), 2):
            shares = chances(truth[first] - truth[second] + ADVANTAGE, draws)
            for half_points in chance.choice(3, games, p=shares).tolist():
                ledger.add(str(first), str(second), half_points)
        told = rate(ledger)
        held += within(told, truth)
        assert told.advantage is not None
        advantage += abs(told.advantage.elo - ADVANTAGE) <= told.advantage.error
    return held / (FIELDS * PLAYERS), advantage / FIELDS


def pairs() -> dict[str, float]:
    """Return the coverage of the bars if openings favour a side.

    All players are equally strong, so the truth is 0 whatever the openings do.
    """
    chance, truth, held, width = np.random.default_rng(SEED), np.zeros(PLAYERS), 0, 0.0
    for _ in range(FIELDS_OF_PAIRS):
        told = rate(field_of_pairs(chance))
        held += within(told, truth)
        width += sum(place.error for place in told.places)
    number = FIELDS_OF_PAIRS * PLAYERS
    return {"within bars": held / number, "mean bar, Elo": width / number}


def field_of_pairs(chance: np.random.Generator) -> Ledger:
    """Return forty pairs of games of each two equal players. An opening is worth 400 Elo to one of the
    sides.
    """
    ledger = Ledger()
    for one in range(PLAYERS):
        for other in range(one):
            for _ in range(40):
                shares = chances(chance.choice((-400, 400)), DRAWS_OF_PAIRS)
                for first, second in ((one, other), (other, one)):
                    half_points = int(chance.choice(3, p=shares))
                    ledger.add(str(first), str(second), half_points)
    return ledger


def shares_at(elo: float) -> tuple[float, ...]:
    """Return the shares of pairs of 0 to 2 points at a normalized Elo: those between equals, tilted."""
    points = np.arange(5) / 4
    wanted = elo / NORMALIZED_ELO * np.sqrt(2)

    def tilted(tilt: float) -> np.ndarray:
        weights = np.array(PAIR_SHARES) * np.exp(tilt * points)
        return weights / weights.sum()

    def short(tilt: float) -> float:
        shares = tilted(tilt)
        mean = shares @ points
        return float(wanted - (mean - 0.5) / np.sqrt(shares @ (points - mean) ** 2))

    return tuple(tilted(falling_root(short, -10, 10, 0)))


def sprt() -> dict[str, float]:
    """Return error rates, lengths, and estimates of tests that stopped, with either hypothesis true."""
    told: dict[str, float] = {}
    test = Sprt(elo0=0, elo1=ELO1)
    for name, truth, wrong in (("H0 true", 0, Decision.H1), ("H1 true", ELO1, Decision.H0)):
        shares = shares_at(truth)
        elo = Scores(shares).elo
        assert elo is not None
        chance = np.random.default_rng(SEED)
        trials = [played(test, shares, chance) for _ in range(TESTS)]
        estimates = [found for scores, _ in trials if (found := estimate(test, scores)) is not None]
        told |= {
            f"{name}: wrong": np.mean([decision is wrong for _, decision in trials]),
            f"{name}: games": np.mean([scores.games for scores, _ in trials]),
            f"{name}: games expected": prospect(test, Scores(shares), truth).games,
            f"{name}: truth above the estimate": np.mean([found.elo < elo for found in estimates]),
            f"{name}: truth within its bars": np.mean(
                [found.low <= elo <= found.high for found in estimates]
            ),
        }
    return told


def played(test: Sprt, shares: tuple[float, ...], chance: np.random.Generator) -> tuple[Scores, Decision]:
    """Play a test to its end."""
    trial = test.start(pairs=True)
    while True:
        for half_points in chance.choice(5, 50, p=shares).tolist():
            trial = trial.add(half_points / 2)
            if trial.decision is not Decision.CONTINUE:
                return trial.scores, trial.decision


def lengths() -> dict[str, float]:
    """Return the games that short tests of each model take, and the share by which the expectation is off."""
    told: dict[str, float] = {}
    for model, counts, elo1 in LENGTHS:
        test, scores = Sprt(elo0=0, elo1=elo1, model=model), Scores(counts)
        for name, elo in (("H0", 0.0), ("half way", elo1 / 2), ("H1", elo1)):
            shares = test.fit(scores, elo)
            assert shares is not None
            games = mean_length(test, np.array(shares))
            label = f"{model}, {len(counts)} results, {name}"
            told |= {
                f"{label}: games": games,
                f"{label}: off by": prospect(test, scores, elo).games / games - 1,
            }
    return told


def mean_length(test: Sprt, shares: np.ndarray) -> float:
    """Return the mean number of games of tests that are played to their end, all at once."""
    chance, counts, number = np.random.default_rng(SEED), np.zeros((TESTS, len(shares)), int), 0
    while len(counts):
        number += len(counts)
        counts += chance.multinomial(1, shares / shares.sum(), len(counts))
        states, which = np.unique(counts, axis=0, return_inverse=True)
        goes_on = [
            test.decision(test.llr(Scores(tuple(each)))) is Decision.CONTINUE for each in states.tolist()
        ]
        counts = counts[np.array(goes_on)[which.ravel()]]
    return number / TESTS * (2 if len(shares) == 5 else 1)


def intervals() -> dict[str, float]:
    """Return the coverage of the intervals of a match: its mean and its least over true scores, for some
    lengths.
    """
    told: dict[str, float] = {}
    for number in (10, 20, 50, 100):
        tables = [
            Scores((lost, number - lost - won, won))
            for lost in range(number + 1)
            for won in range(number + 1 - lost)
        ]
        factorials = np.array([lgamma(each + 1) for each in range(number + 1)])
        counts = np.array([each.counts for each in tables])
        ways = factorials[number] - factorials[counts].sum(axis=1)
        bounds = {
            "score": np.array([each.share_interval for each in tables]),
            "Wald": np.array([_shares(each.wald_interval) for each in tables]),
        }
        for draws in (0.0, 0.3, 0.6):
            held = {
                name: [_held(found, counts, ways, share, draws) for share in SHARES]
                for name, found in bounds.items()
            }
            for name, rates in held.items():
                told[f"{number} games, {draws:.0%} draws, {name}: mean"] = np.mean(rates)
                told[f"{number} games, {draws:.0%} draws, {name}: least"] = min(rates)
    return told


def _shares(elo: tuple[float, float] | None) -> tuple[float, float]:
    """Return bounds in Elo as shares; for None, bounds that contain nothing."""
    return (2.0, -1.0) if elo is None else (score_at(elo[0]), score_at(elo[1]))


def _held(bounds: np.ndarray, counts: np.ndarray, ways: np.ndarray, share: float, draws: float) -> float:
    """Return the probability that bounds contain a true score, with so many draws between equals."""
    nu = 2 * draws / (1 - draws)

    def missing(x: float) -> float:
        weights = np.exp([-x, 0, x]) * (1, nu, 1)
        return share - float(weights @ (0, 0.5, 1) / weights.sum())

    x = falling_root(missing, -20, 20, 0)
    weights = np.exp([-x, 0, x]) * (1, nu, 1)
    chances = np.exp(ways + counts @ np.log(np.maximum(weights / weights.sum(), 1e-300)))
    return float(chances[(bounds[:, 0] <= share + 1e-12) & (bounds[:, 1] >= share - 1e-12)].sum())


def speed() -> dict[str, float]:
    """Return the cost of `gyoji ratings` for a list of a million games of a thousand players, in its own
    process.
    """
    chance, players, number = np.random.default_rng(SEED), 1000, 1_000_000
    first = chance.integers(0, players, number)
    second = (first + chance.integers(1, players, number)) % players
    results = np.array(["0-1", "1/2-1/2", "1-0"])[chance.integers(0, 3, number)]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "games.csv"
        with path.open("w", encoding="utf-8") as lines:
            lines.write("first,second,result\n")
            rows = zip(first.tolist(), second.tolist(), results.tolist(), strict=True)
            lines.writelines(f"player-{one},player-{other},{result}\n" for one, other, result in rows)
        subprocess.run(
            [sys.executable, "-m", "gyoji", "ratings", path], stdout=subprocess.DEVNULL, check=True
        )
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {"CPU, s": used.ru_utime + used.ru_stime, "memory, MB": used.ru_maxrss / 1000}


SUBJECTS: Mapping[str, Callable[[], dict[str, float]]] = {
    "bars": bars,
    "pairs": pairs,
    "sprt": sprt,
    "lengths": lengths,
    "intervals": intervals,
    "speed": speed,
}
AIMS = {
    "bars": "0.93 to 0.97",
    "sprt": "wrong: below 0.05",
    "lengths": "off by at most 0.03",
    "intervals": "score: mean 0.94 to 0.97, least 0.90",
    "speed": "5 s, 300 MB",
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.ratings", description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument("--only", choices=SUBJECTS, help="only this one")
    options = parser.parse_args()
    figures: dict[str, Any] = {}
    for name, measure in SUBJECTS.items():
        if options.only in (None, name):
            began = time.perf_counter()
            figures[name] = measure() | {"seconds": time.perf_counter() - began}
            if not options.json:
                show(name, figures[name])
    if options.json:
        print(json.dumps(figures, indent=2))


def show(name: str, figures: Mapping[str, float]) -> None:
    print(f"{name}   (aim: {AIMS[name]})" if name in AIMS else name)
    for label, value in figures.items():
        print(f"  {label:45} {value:10.4g}")


if __name__ == "__main__":
    main()
