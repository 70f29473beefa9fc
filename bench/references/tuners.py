"""Tuners beside those of others: how far the parameters that each finds are below the best, in Elo points.

`auto_tuner` is compared with Coulom's CLOP, `spsa_tuner`, CMA-ES and, at 1,000 games, a tuner by a
Gaussian process, on the landscapes of `bench.landscapes`. In each of them, at each number of games, its mean
regret is to be at most 1.25 times that of the best of the others, or above it by at most two standard errors
of the difference.

``python -m bench.references --only tuners --keep [--clop PATH]`` plays the events that are not kept yet, one
after the other, and keeps each when it is over; it may be stopped at any time. All of them take about an hour
of one processor (set OPENBLAS_NUM_THREADS=1). ``python -m bench.references.tuners`` prints the table of
docs/reference/tuning.md from what is kept.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import sqrt
from os import times
from statistics import fmean, stdev

from bench.landscapes import LANDSCAPES, Landscape
from bench.references import tuner_runs
from bench.references.comparison import KEPT, Program, Row, Tools
from bench.references.tuner_runs import GAMES, Regrets

PROGRAMS = (Program("clop", "clop-driver", "drivers/clop.cpp, built with the sources of Coulom's CLOP"),)
SEEDS = 30
FILE = KEPT / "tuners" / "regrets.csv"
AUTO = "auto"
TITLES = {
    AUTO: "`auto_tuner`",
    "clop": "CLOP",
    "spsa": "`spsa_tuner`",
    "cmaes": "CMA-ES",
    "gp": "Gaussian process",
}
FACTOR = 1.25
ERRORS = 2.0

Kept = Mapping[tuple[str, str], Mapping[int, Regrets]]
"""Regrets by landscape and tuner, then by seed."""


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean regret of events, and its standard error."""

    value: float
    error: float

    @classmethod
    def of(cls, regrets: list[float]) -> "Mean":
        error = stdev(regrets) / sqrt(len(regrets)) if len(regrets) > 1 else 0.0
        return cls(max(fmean(regrets), 0.0), error)


def compare(tools: Tools) -> Iterator[Row]:
    if tools.keep:
        play_missing(tools)
    regrets = kept()
    for landscape in LANDSCAPES:
        for games in GAMES:
            yield row(landscape, games, regrets)


def row(landscape: Landscape, games: int, regrets: Kept) -> Row:
    """Return how far `auto_tuner` is behind the best of the others, and how far it may be."""
    found = means(landscape, games, regrets)
    ours = found.pop(AUTO)
    best = min(found, key=lambda name: found[name].value)
    other = found[best]
    return Row(
        case=f"{landscape.name}, {games} games",
        figure="behind the best of others, Elo",
        reference=best,
        difference=ours.value - other.value,
        allowed=max((FACTOR - 1) * other.value, ERRORS * sqrt(ours.error**2 + other.error**2)),
    )


def means(landscape: Landscape, games: int, regrets: Kept) -> dict[str, Mean]:
    """Return the mean regret of each tuner that has events of so many games."""
    found = {}
    for name in TITLES:
        events = [each[games] for each in regrets.get((landscape.name, name), {}).values() if games in each]
        if events:
            found[name] = Mean.of(events)
    return found


def kept() -> Kept:
    regrets: dict[tuple[str, str], dict[int, Regrets]] = {}
    for line in FILE.read_text().splitlines()[1:]:
        landscape, tuner, seed, *cells, _ = line.split(",")
        told = {games: float(cell) for games, cell in zip(GAMES, cells, strict=True) if cell}
        regrets.setdefault((landscape, tuner), {})[int(seed)] = told
    return regrets


def play_missing(tools: Tools) -> None:
    """Play the events that are not kept, and keep each."""
    tuners: dict[str, Callable[[Landscape, int], Regrets]] = {
        AUTO: tuner_runs.auto,
        "spsa": tuner_runs.spsa,
        "cmaes": tuner_runs.cmaes,
        "gp": tuner_runs.gaussian_process,
    }
    if "clop" in tools:
        tuners["clop"] = tuner_runs.clop_by(tools.paths["clop"])
    have = kept()
    for seed in range(SEEDS):
        for name, tuner in tuners.items():
            for landscape in LANDSCAPES:
                if seed not in have.get((landscape.name, name), {}):
                    keep(landscape.name, name, seed, tuner, landscape)


def keep(
    name: str, tuner: str, seed: int, event: Callable[[Landscape, int], Regrets], landscape: Landscape
) -> None:
    """Play an event, and add its line to the file."""
    began = _spent()
    regrets = event(landscape, seed)
    cells = (f"{regrets[games]:.3f}" if games in regrets else "" for games in GAMES)
    with FILE.open("a") as file:
        file.write(",".join([name, tuner, str(seed), *cells, f"{_spent() - began:.2f}"]) + "\n")


def _spent() -> float:
    """Seconds of processors, of ours and of programs that have ended."""
    children = times()
    return time.process_time() + children.children_user + children.children_system


def table(regrets: Kept) -> list[str]:
    """Return the lines of the table: for each landscape, mean regrets after each number of games."""
    heads = ["landscape", "without tuning", *TITLES.values(), "behind at"]
    lines = [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
    for landscape in LANDSCAPES:
        by_games = {games: means(landscape, games, regrets) for games in GAMES}
        cells = [
            " / ".join(f"{found[name].value:.1f}" for found in by_games.values() if name in found) or "-"
            for name in TITLES
        ]
        behind = [f"{games}" for games in GAMES if not row(landscape, games, regrets).holds]
        name = f"{landscape.name} *" if landscape.kept_out else landscape.name
        lines.append(
            f"| {' | '.join([name, f'{landscape.middle:.0f}', *cells, ', '.join(behind)])} |".replace(
                "  ", " "
            )
        )
    return lines


def counts(regrets: Kept) -> str:
    """Return how many events of each tuner there are on each landscape."""
    told = []
    for name, title in TITLES.items():
        numbers = {len(regrets.get((landscape.name, name), {})) for landscape in LANDSCAPES}
        told.append(f"{title} {min(numbers)}" + (f" to {max(numbers)}" if len(numbers) > 1 else ""))
    return ", ".join(told)


if __name__ == "__main__":
    print("\n".join([*table(kept()), "", f"Events on each landscape: {counts(kept())}."]))
