"""Games of many seats: how often the bars of ratings hold the truth, and what rotations on one seed save.

    python -m bench.seats [--events 1000]

The games are simulated. A side's strength is its player's, plus what its seat is worth, plus what the seed
has dealt to the seat; the places are Plackett and Luce's. The truth of a rating with deals is that of very
many units.

Bars: events of 3, 4 and 8 seats are played again and again, with and without deals, and the share of players
is counted whose true rating lies within the bar. 95 % should.

Rotations: the variance of a player's mean points over as many games, in units on one seed and in games on a
seed each in which seats are drawn by lot. Their quotient says how many plain games a game of a unit is worth.
"""

import argparse
from collections.abc import Iterator, Sequence

import numpy as np

from gyoji.core.outcome import ranked
from gyoji.pairing.seatings import seat_orders
from gyoji.stats import plackett_luce
from gyoji.stats.placings import Placings

FIELDS = ((3, 3, 30), (3, 6, 60), (4, 4, 25), (4, 8, 50), (8, 8, 12), (8, 12, 25))
"""Sides, players and units of each event."""

SPREAD = 1.2
"""How much stronger the first player is than the last, in nats: 208 Elo."""

WORTH = 0.4
"""What the first seat is worth over the last, in nats."""

TRUTH = 9_000
DEALS = (0.0, 0.5, 1.0, 2.0)
"""The deviation of what a seed deals to a seat, in nats."""


def strengths(players: int) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    """Return the players' strengths in nats."""
    return np.linspace(SPREAD / 2, -SPREAD / 2, players)


def units(
    random: np.random.Generator, sides: int, players: int, count: int, deal: float, *, rotates: bool = True
) -> Iterator[tuple[int, Sequence[int], list[int]]]:
    """Yield (unit, players by seat, places) of each game."""
    strong, worth = strengths(players), np.linspace(WORTH, 0, sides)
    for unit in range(count):
        table, dealt = random.permutation(players)[:sides], random.normal(0, deal, sides)
        for order in seat_orders(sides, unit):
            if not rotates:
                table, dealt = random.permutation(table), random.normal(0, deal, sides)
            seated = table[list(order)]
            run = strong[seated] + worth + dealt + random.gumbel(size=sides)
            yield unit, seated.tolist(), (1 + (run[:, None] < run).sum(axis=1)).tolist()


def placings(games: Iterator[tuple[int, Sequence[int], list[int]]]) -> Placings:
    """Return the games as ratings take them."""
    found = Placings()
    for unit, seated, places in games:
        found.add([str(player) for player in seated], places, unit, points=ranked(places))
    return found


def truth(sides: int, players: int, deal: float) -> dict[str, float]:
    """Return the true ratings in nats: the strengths, or with deals those of very many units."""
    if not deal:
        return {str(player): value for player, value in enumerate(strengths(players))}
    samples, plackett_luce.SAMPLES = plackett_luce.SAMPLES, 1
    many = placings(units(np.random.default_rng(9), sides, players, TRUTH * 3 // sides, deal))
    found = dict(zip(many.players, plackett_luce.fit_placings(many).values, strict=True))
    plackett_luce.SAMPLES = samples
    return found


def coverage(sides: int, players: int, count: int, deal: float, events: int) -> float:
    """Return the share of players of all events whose true rating lies within its bar."""
    true, random, held = truth(sides, players, deal), np.random.default_rng(sides * 100 + players), 0
    for _ in range(events):
        games = placings(units(random, sides, players, count, deal))
        found = plackett_luce.fit_placings(games)
        bars = found.width * found.samples.std(axis=0)
        off = found.values - [true[player] for player in games.players]
        held += int((abs(off) < bars).sum())
    return held / (events * players)


def savings(sides: int, deal: float, events: int) -> float:
    """Return the variance of the mean points of plain games as a multiple of that of units."""
    variances = []
    for rotates in (False, True):
        random, means = np.random.default_rng(5), []
        for _ in range(events):
            total = np.zeros(sides)
            for _, seated, places in units(random, sides, sides, 4, deal, rotates=rotates):
                total[seated] += ranked(places)
            means.append(total)
        variances.append(float(np.var(means, axis=0).mean()))
    return variances[0] / variances[1]


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--events", type=int, default=1000)
    parser.add_argument("--sides", type=int, nargs="*", default=(3, 4, 8), help="numbers of seats")
    options = parser.parse_args()
    events = options.events
    print(f"bars of 95 % that hold the truth, in {events} events")
    for sides, players, count in (field for field in FIELDS if field[0] in options.sides):
        for deal in (0.0, 1.0):
            share = coverage(sides, players, count, deal, events)
            print(
                f"{sides} seats, {players:2} players, {count} units, deals {deal:g}: {share:.2%}", flush=True
            )
    print("plain games that a game of a unit is worth, by the deviation of deals in nats")
    for sides in options.sides:
        told = ", ".join(f"{deal:g}: {savings(sides, deal, 4 * events):.2f}" for deal in DEALS)
        print(f"{sides} seats: {told}", flush=True)


if __name__ == "__main__":
    main()
