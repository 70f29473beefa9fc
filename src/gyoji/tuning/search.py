"""The search of the automatic tuner: models of strength choose the candidates that play, and the best point.

Points are in the cube from 0 to 1. All results depend only on the seed and on the games in their order.
"""

# Theory of operation
# -------------------
#
#     add(trial, score) --> _Record --enough new games--> _learn():
#         each model: believed() from all games -> its evidence -> its share
#         each model: draw OPTIMA strengths from the posterior and find the optimum of each, twice: among a
#                     wide pool of points, then among points close to the optima
#         estimate:   the point with the highest mean strength, models weighted by their shares; the mean of
#                     the optima instead, if that is as good (`_settle`)
#         trials:     the games that tell most about the differences between optima (`telling`)
#     trial(number) --> one of these trials, in turn, until the search learns again
#
# Several models, from a quadratic function to surfaces of any shape, compete. Each has a share of belief, its
# posterior probability, which follows from its evidence. A model with a small share still chooses a trial now
# and then (`_ASIDE`), so that a wrong favourite is noticed. The search learns whenever there are 6 % more
# games, at least 8, so that its time per game hardly grows. Before the first learning, trials are spread
# evenly (Halton).
#
# Invariants: every draw comes from a generator that is seeded by the competition's seed and the number of
# games. So a resumed event, which adds the same games in the same order, chooses the same candidates.
#
# `landscape` is a second model of strength. It serves the estimate of every tuner, not the choice of games.
# Using it for both was tried: candidates drawn by Thompson sampling from the landscape's posterior, refitted
# every 6 to 10 % more games, on the 17 landscapes of bench/landscapes.py with the seeds of
# tests/data/references/tuners, 2 or 3 events each. The regret was lower on some (rosenbrock 4 after 1,000
# games: 16 instead of 109 Elo), but higher by more than two standard errors in 6 to 10 of 51 cells, such as
# angle 1 after 3,000 games (7.0 instead of 2.7 Elo), log 2 after 3,000 (9.3 instead of 2.7) and slanting 4
# after 10,000 (10.0 instead of 1.0). So both models stay.

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from gyoji.core.spec import derive_seed
from gyoji.tuning.belief import Belief, Games, believed
from gyoji.tuning.features import Array, Features, Region, Space, halton
from gyoji.tuning.observations import Point

GROWTH = 0.06
LEAST = 8
"""The search learns again when its number of games has grown by the share `GROWTH`, at least by `LEAST`."""
TRIALS = 8
"""Largest number of different trials between two times of learning."""
OPTIMA = 16
"""Number of optima that are drawn from each model."""
_RARER = 6  # wins, and losses, against an opponent that there must be before the first learning
_PATIENCE = 600  # games after which the first learning takes place in any case
_MIRRORED = 20  # pairs of points on opposite sides of the best one, from which a model chooses trials
_ASIDE = 0.35  # probability that a model with a small share chooses a trial
_NARROWEST = 0.004  # smallest standard deviation of a model's optima along an axis

_BASE = frozenset({"line", "parabola", "product", "value"})
_MODELS = {
    "quadratic": _BASE,
    "smooth": _BASE | {"smooth"},
    "steep": _BASE | {"smooth", "steep"},
    "joint": _BASE | {"smooth", "wide", "near", "pair"},
}


class Trial(NamedTuple):
    """The candidates of a block of games.

    Attributes:
        first: The first candidate.
        second: The candidate that it meets; None if it meets the opponent.
    """

    first: Point
    second: Point | None


class _Record:
    """All games so far, added up by trial.

    A trial is two candidates that met, or a candidate that met the opponent. For each trial there is the
    number of games and the points of the first candidate.
    """

    def __init__(self, *, against: bool) -> None:
        self.total = 0
        self.won = 0.0
        self._against = against
        self._rows: dict[Trial, int] = {}
        self._won: list[float] = []
        self._played: list[int] = []

    def add(self, trial: Trial, score: float) -> None:
        row = self._rows.setdefault(trial, len(self._rows))
        if row == len(self._won):
            self._won.append(0.0)
            self._played.append(0)
        self._won[row] += score
        self._played[row] += 1
        self.total += 1
        self.won += score

    def games(self, features: Features) -> Games:
        """Return the games in the form that `believed` fits a model to: sums for each trial.

        Args:
            features: Computes the features of the candidates.
        """
        rows = features(np.array([trial.first for trial in self._rows]))
        if not self._against:
            rows = rows - features(np.array([trial.second for trial in self._rows]))
        return Games(rows, np.array(self._won), np.array(self._played, dtype=float))


class _Model:
    """A model of strength: its belief after the games so far, optima drawn from it, and its best point."""

    def __init__(self, sizes: Sequence[int], parts: frozenset[str]) -> None:
        self.space = Space(sizes, parts)
        self.optima = halton(OPTIMA, len(sizes))
        self.best = np.full(len(sizes), 0.5)
        nothing = np.zeros(0)
        self.belief = Belief(Features(self.space, None), nothing, nothing, {}, nothing, 0.0)
        self._region: Region | None = None

    def learn(self, record: _Record) -> float:
        """Fit the model to all games. Return the evidence: the log marginal likelihood of the games."""
        features = Features(self.space, self._region)
        games = record.games(features)
        odds = np.zeros(len(games.won))
        odds[: len(self.belief.odds)] = self.belief.odds
        self.belief = believed(features, games, odds, self.belief.variances)
        return self.belief.evidence

    def look(self, pool: Array, generator: np.random.Generator) -> Array:
        """Choose new `optima` and a new `best` from some points.

        For each of the `optima` strengths are drawn from the belief, and the strongest point is taken. `best`
        is the point with the highest mean strength.

        Args:
            pool: The points to choose from, a row for each.

        Returns:
            The mean strength of each point, in log-odds.
        """
        belief = self.belief
        features = belief.features(pool)
        normals = generator.standard_normal((len(belief.mean), OPTIMA))
        self.optima = pool[belief.draws(features, normals).argmax(axis=0)]
        mean = np.asarray(features @ belief.mean)
        self.best = pool[mean.argmax()]
        return mean

    @property
    def spread(self) -> Array:
        """The standard deviation of the optima along each axis."""
        return np.asarray(np.maximum(self.optima.std(axis=0), _NARROWEST))

    def focus(self, close: Array, generator: np.random.Generator) -> None:
        """Set the region in which the next features have more detail.

        It lies around the optima and around points `close` to them.
        """
        inside = self.space.inside(np.concatenate([self.optima, self.best[None]]))
        count = inside.shape[1]
        if not count:
            return
        centre = inside.mean(axis=0)
        values, vectors = np.linalg.eigh(np.cov(inside.T).reshape(count, count) + 0.02**2 * np.eye(count))
        reach = 2 * np.sqrt(values)
        cloud = centre + generator.standard_normal((14, count)) * reach @ vectors.T
        points = np.concatenate([inside, self.space.inside(close)[:12], np.clip(cloud, -1, 1)])
        self._region = Region(centre, vectors / (reach * np.sqrt(count)), points)


class Search:
    """A search for the best point by several models of strength.

    Attributes:
        sizes: For each coordinate, the number of values of its unordered list; 0 for a number.
        shares: The posterior probability of each model, by name. The sum is 1.
        has_learned: Whether there have been enough games for an estimate.
        first_due: The number of games after which the search first tries to learn.
    """

    def __init__(
        self,
        sizes: Sequence[int],
        *,
        against: bool,
        seed: int,
        snap: Callable[[Array], Array] = lambda points: points,
    ) -> None:
        """Prepare a search.

        Args:
            sizes: For each coordinate, the number of values of its unordered list; 0 for a number.
            against: Whether candidates play an opponent instead of each other.
            seed: The seed of all draws.
            snap: Maps all points with the same parameter values to one of them.
        """
        self.sizes = tuple(sizes)
        self._lists = [axis for axis, size in enumerate(sizes) if size]
        self._against = against
        self._seed = seed
        self._snap = snap
        self._record = _Record(against=against)
        constant = {"constant"} if against else set()
        self._models = {
            name: _Model(sizes, parts | constant)
            for name, parts in _MODELS.items()
            if (name != "joint" or len(sizes) > 1) and (name != "steep" or len(self._lists) < len(sizes))
        }
        self.shares = dict.fromkeys(self._models, 1 / len(self._models))
        self._best = np.full(len(sizes), 0.5)
        self.first_due = 8 + 4 * len(sizes)
        self._due = self.first_due
        self.has_learned = False
        points = halton(_PATIENCE if against else 2 * self._due, len(sizes), first=3)
        points = self._snap(self._on_lists(points))
        self._trials = [self._made(*pair) for pair in zip(points[::2], points[1::2], strict=True)]

    @property
    def played(self) -> int:
        """Number of games that have been added."""
        return self._record.total

    @property
    def best(self) -> Point:
        """The estimate of the best point; the middle of the cube before the first estimate."""
        return tuple(float(each) for each in self._best)

    @property
    def spread(self) -> Point:
        """The uncertainty of the best point: a standard deviation along each axis."""
        squares = sum(
            self.shares[name] * ((model.optima - self._best) ** 2).mean(axis=0)
            for name, model in self._models.items()
        )
        return tuple(float(each) for each in np.sqrt(squares))

    def trial(self, number: int) -> Trial:
        """Return the candidates that play a block of games.

        Args:
            number: The number of the block, from 0.
        """
        return self._trials[number % len(self._trials)]

    def add(self, trial: Trial, score: float) -> None:
        """Count a game.

        Args:
            trial: The candidates that played.
            score: The score of the first candidate, from 0 to 1.
        """
        self._record.add(trial, score)
        if self.played < self._due:
            return
        # An opponent may be much stronger or weaker than all candidates: nearly all games have the same
        # result then, and there is nothing to learn.
        rarer = min(self._record.won, self.played - self._record.won)
        if not self._against or self.has_learned or rarer >= _RARER or self.played >= _PATIENCE:
            self._learn(np.random.default_rng(derive_seed(self._seed, "learn", self.played)))
            self.has_learned = True
            self._due = self.played + self._growth

    @property
    def _growth(self) -> int:
        return max(LEAST, int(self.played * GROWTH))

    def _made(self, first: Array, second: Array) -> Trial:
        other = None if self._against else tuple(float(each) for each in second)
        return Trial(tuple(float(each) for each in first), other)

    def _learn(self, generator: np.random.Generator) -> None:
        models = self._models
        evidence = np.array([model.learn(self._record) for model in models.values()])
        shares = np.exp(evidence - evidence.max())
        self.shares = {name: float(each) for name, each in zip(models, shares / shares.sum(), strict=True)}
        pool = self._pool(generator)
        for _ in range(2):
            pool = self._snap(pool)
            means = {name: model.look(pool, generator) for name, model in models.items()}
            shared = [self.shares[name] * (each - each.mean()) for name, each in means.items()]
            self._best = pool[np.argmax(np.sum(shared, axis=0))]
            close = [self._close(model, 4, generator) for model in models.values()]
            pool = np.concatenate([*close, self._known_points()])
        self._settle()
        count = min(TRIALS, max(self._growth // 2, 1))
        each = max(1, round(self._growth / count))
        trials: list[Trial] = []
        for name, model in sorted(self._models.items(), key=lambda pair: self.shares[pair[0]]):
            model.focus(self._close(model, 1, generator), generator)
            wanted = max(int(generator.random() < _ASIDE), round(count * self.shares[name]))
            is_last = self.shares[name] == max(self.shares.values())
            mine = count - len(trials) if is_last else min(count - len(trials), wanted)
            points = self._snap(self._choice(model, generator))
            found = telling(model.belief, points, model.optima, count=mine, games=each, against=self._against)
            trials += [self._made(points[first], points[second]) for first, second in found]
        self._trials = trials

    def _settle(self) -> None:
        """Use the mean of the optima as the best point if it is about as strong.

        The best point comes from the pool until then, and depends more on chance than the mean.
        """
        middle, weight = np.zeros(len(self.sizes)), 0.0
        for name, model in self._models.items():
            same = np.abs(model.optima[:, self._lists] - self._best[self._lists]) < 1e-9
            optima = model.optima[same.all(axis=1)]
            middle += self.shares[name] * optima.sum(axis=0)
            weight += self.shares[name] * len(optima)
        if weight < 1:
            return
        both = self._snap(np.stack([self._best, middle / weight]))
        loss = doubt = 0.0
        for name, model in self._models.items():
            features = model.belief.features(both)
            difference = features[0] - features[1]
            loss += self.shares[name] * float(difference @ model.belief.mean)
            doubt += self.shares[name] * float(np.linalg.norm(model.belief.root @ difference))
        if loss < 0.7 * doubt:
            self._best = both[1]

    def _known_points(self) -> Array:
        models = self._models.values()
        optima = [model.optima for model in models]
        return np.concatenate([*optima, *(model.best[None] for model in models), self._best[None]])

    def _pool(self, generator: np.random.Generator) -> Array:
        """Return the points from which the models choose their optima.

        They are the present optima and best points, points near them, mixtures of their coordinates, and
        random points.
        """
        known, count = self._known_points(), len(self.sizes)
        mixed = known[generator.integers(0, len(known), (100, count)), np.arange(count)]
        along = np.repeat(self._best[None], 20 * count, axis=0)
        for axis in range(count):
            along[20 * axis : 20 * (axis + 1), axis] = generator.random(20)
        fresh = self._on_lists(np.concatenate([along, generator.random((150, count))]))
        close = [self._close(model, 3, generator) for model in self._models.values()]
        return np.concatenate([known, *close, mixed, fresh])

    def _close(self, model: _Model, times: int, generator: np.random.Generator) -> Array:
        """Return random points: `times` near each of `model.optima`, and `times` near `model.best`."""
        base = np.repeat(np.concatenate([model.optima, model.best[None]]), times, axis=0)
        scale = model.spread * np.exp(generator.normal(-0.7, 1.0, (len(base), 1)))
        moves = generator.random(base.shape) < max(0.5, 1.5 / len(self.sizes))
        return self._moved(base, scale * generator.standard_normal(base.shape) * moves, generator)

    def _choice(self, model: _Model, generator: np.random.Generator) -> Array:
        """Return the points from which the candidates of trials are chosen, the best point first.

        The optima follow, then pairs of points on opposite sides of the best point, then a few random points.
        """
        count = len(self.sizes)
        span = np.log(np.maximum(0.3 / model.spread, 1.0))
        steps = model.spread * np.exp(generator.random((_MIRRORED, 1)) * span)
        away = steps * generator.standard_normal((_MIRRORED, count))
        base = np.repeat(model.best[None], 2 * _MIRRORED, axis=0)
        mirrored = self._moved(base, np.concatenate([away, -away]), generator)
        anywhere = self._on_lists(generator.random((10, count)))
        return np.concatenate([model.best[None], np.unique(model.optima, axis=0), mirrored, anywhere])

    def _moved(self, base: Array, steps: Array, generator: np.random.Generator) -> Array:
        """Return points moved by steps inside the cube. Coordinates that stand for lists stay or get a random
        value.
        """
        points = np.clip(base + steps, 0, 1)
        keeps = generator.random(base.shape) < 0.7
        fresh = self._on_lists(generator.random(base.shape))
        points[:, self._lists] = np.where(keeps, base, fresh)[:, self._lists]
        return points

    def _on_lists(self, points: Array) -> Array:
        """Move the coordinates of lists to the middle of their value's part, in place. Return the points."""
        for axis in self._lists:
            size = self.sizes[axis]
            points[:, axis] = (np.minimum(np.floor(points[:, axis] * size), size - 1) + 0.5) / size
        return points


# Trials are chosen one after the other. Each is the one that most reduces the variances of the differences
# between optima, given the trials before it: a rank-one update of a normal posterior.
def telling(
    belief: Belief, points: Array, optima: Array, *, count: int, games: int, against: bool
) -> list[tuple[int, int]]:
    """Choose the trials that tell most about how much stronger than the best point the optima are.

    Args:
        belief: The distribution of the weights of features.
        points: The points of possible candidates, the best one first.
        optima: The strongest points of draws from the belief.
        count: Number of trials.
        games: Number of games of each trial.
        against: Whether candidates play an opponent instead of each other.

    Returns:
        For each trial the indices of its two candidates. With `against` the second index has no meaning.
    """
    features = belief.features(points)
    mean = features @ belief.mean
    root = features @ belief.root.T
    goals = belief.features(optima) @ belief.root.T - root[0]
    shared, told = root @ root.T, root @ goals.T
    chosen = []
    for _ in range(count):
        own, norm = np.diag(shared), (told**2).sum(axis=1)
        if against:
            variance, lead, gain = own[:, None], mean[:, None], norm[:, None]
        else:
            variance = np.maximum(own[:, None] + own - 2 * shared, 1e-12)
            lead, gain = mean[:, None] - mean, norm[:, None] + norm - 2 * told @ told.T
        chance = 1 / (1 + np.exp(-np.clip(lead / np.sqrt(1 + np.pi * variance / 8), -30, 30)))
        known = games * chance * (1 - chance)
        first, second = map(
            int, np.unravel_index(np.argmax(known * gain / (1 + known * variance)), known.shape)
        )
        step = shared[first].copy() if against else shared[first] - shared[second]
        news = told[first].copy() if against else told[first] - told[second]
        factor = known[first, second] / (1 + known[first, second] * variance[first, second])
        shared = shared - factor * np.outer(step, step)
        told = told - factor * np.outer(step, news)
        chosen.append((first, second))
    return chosen
