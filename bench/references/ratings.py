"""Ratings beside Ordo's and BayesElo's, from the same games.

The games are simulated, and kept: an average score that is logistic in the difference of Elo, draws as
frequent between equals as the name of a case says, and an advantage for the first side, who is White. Ordo
gets `-z 200.24`, with which its curve is that of 400 Elo for odds of ten to one (its own 202 is one percent
off), and simulates its errors. BayesElo has no prior; it prints no fractions, so its numbers are told a
hundred times larger.
"""

import csv
import io
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from math import sqrt
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from bench.references.comparison import KEPT, Program, Row, Tools
from gyoji.stats.ledger import Ledger
from gyoji.stats.ratings import Given, rate
from gyoji.stats.scores import NAT_ELO, Z_95

PROGRAMS = (
    Program("ordo", "ordo", "Ordo 1.2.6 (Miguel A. Ballicora)"),
    Program("bayeselo", "bayeselo", "BayesElo 0057 (Rémi Coulom)"),
)
HERE = KEPT / "ratings"
SIMULATIONS = 4000
"""With so many the errors of Ordo are 1 % off, by chance."""
ENLARGED = 100

Elos = Mapping[str, tuple[float, float]]
"""Rating and half of the 95 % interval of each player."""


@dataclass(frozen=True, slots=True)
class Case:
    """A field. draws: between equals; advantage, spread: in Elo, of the first side and of the players.

    programs: those with the same curve. BayesElo's is another where most games are drawn and players are far
    apart, as wins begin to outnumber draws all at once. given: what is believed before any game; such cases
    have the games of the one with the first words of their name.
    """

    name: str
    players: int
    games: int
    draws: float = 0
    advantage: float = 0
    spread: float = 150
    programs: Sequence[str] = ("ordo", "bayeselo")
    given: Sequence[Given] = ()


CASES = (
    Case("2 players, 200 games", 2, 200),
    Case("8 players, 400 games", 8, 400),
    Case("8 players, 4000 games", 8, 4000),
    Case("8 players, 4000 games, first +60", 8, 4000, advantage=60),
    Case("20 players, 4000 games, first +30", 20, 4000, advantage=30),
    Case("8 players, 4000 games, 10 % draws", 8, 4000, draws=0.1, advantage=30, spread=135),
    Case("8 players, 4000 games, 30 % draws", 8, 4000, draws=0.3, advantage=20, spread=80),
    Case("8 players, 4000 games, 60 % draws", 8, 4000, draws=0.6, advantage=12, spread=30),
    Case("8 players, 16000 games, 80 % draws", 8, 16_000, draws=0.8, advantage=6, spread=8),
    Case("8 players far apart, 60 % draws", 8, 4000, draws=0.6, advantage=30, programs=("ordo",)),
    Case(
        "8 players, 4000 games, 30 % draws; loose anchors",
        8,
        4000,
        programs=("ordo",),
        given=(Given(player="p0", elo=2800, error=10 * Z_95), Given(player="p3", elo=2790, error=20 * Z_95)),
    ),
    Case("2 players, 1000 games, 60 % draws", 2, 1000, draws=0.6, spread=25),
)


@dataclass(frozen=True, slots=True)
class Said:
    """The figures of one program: ratings, the advantage of the first side, and the share of draws."""

    elos: Elos
    advantage: float
    draws: float


def compare(tools: Tools) -> Iterator[Row]:
    for case in CASES:
        yield from compared(case, tools)


def compared(case: Case, tools: Tools) -> Iterator[Row]:
    """Yield the figures of one case."""
    games = games_of(case, keep=tools.keep)
    ours = our_own(games, case.given)
    for name in case.programs:
        kept = HERE / name / f"{file_name(case)}.txt"
        answer = ASK[name](tools, games, case.given) if name in tools else kept.read_text(encoding="utf-8")
        if name in tools and tools.keep:
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_text(answer, encoding="utf-8")
        reference = f"{TITLES[name]}, {'now' if name in tools else 'kept'}"
        yield from rows_of(case, ours, READ[name](answer), reference)


TITLES = {"ordo": "Ordo", "bayeselo": "BayesElo"}
ALLOWED = {"Ordo": 0.02, "BayesElo": 0.03}


def rows_of(case: Case, ours: Said, said: Said, reference: str) -> Iterator[Row]:
    """Yield how far the two are apart. Where ratings are small, what matters is their scale."""
    if case.given:
        apart = max(abs(ours.elos[name][0] - elo) for name, (elo, _) in said.elos.items())
        figure = "ratings with loose ones, Elo"
        yield Row(case=case.name, figure=figure, reference=reference, difference=apart, allowed=1)
    allowed = ALLOWED[reference.partition(",")[0]]
    theirs, own = (np.array([elos[name] for name in ours.elos]) for elos in (said.elos, ours.elos))
    scale = (own[:, 0] @ theirs[:, 0]) / (theirs[:, 0] @ theirs[:, 0])
    differences = {
        "scale of ratings, share": (abs(scale - 1), allowed),
        "bars, share of the mean bar": (abs(own[:, 1].mean() / theirs[:, 1].mean() - 1), 0.06),
        "advantage, bars of a player": (abs(ours.advantage - said.advantage) / theirs[:, 1].mean(), 0.1),
        "draws between equals, share": (abs(ours.draws - said.draws), 0.02),
    }
    for figure, (difference, most) in differences.items():
        yield Row(
            case=case.name, figure=figure, reference=reference, difference=float(difference), allowed=most
        )


Counted = Mapping[tuple[str, str], Sequence[int]]
"""How many games the first of two lost, drew and won."""


def our_own(games: Counted, given: Sequence[Given]) -> Said:
    ledger = Ledger()
    for (first, second), counts in games.items():
        for half_points, count in enumerate(counts):
            for _ in range(count):
                ledger.add(first, second, half_points)
    told = rate(ledger, given=given)
    return Said(
        {place.player: (place.elo, place.error) for place in told.places},
        told.advantage.elo if told.advantage else 0,
        told.draw_ratio,
    )


def file_name(case: Case) -> str:
    """Return a name without what shells take for something else."""
    return re.sub(r"[^a-z0-9]+", "-", case.name.replace("+", "plus ")).strip("-")


def games_of(case: Case, *, keep: bool) -> Counted:
    """Return the games that are kept; of a case that is new they are made, and kept if that is asked for."""
    path = HERE / "games" / f"{file_name(replace(case, name=case.name.partition(';')[0]))}.csv"
    if path.exists():
        with path.open(encoding="utf-8", newline="") as lines:
            return {(first, second): tuple(map(int, counts)) for first, second, *counts in csv.reader(lines)}
    made = dict(simulated(case))
    if keep:
        path.parent.mkdir(parents=True, exist_ok=True)
        rows = (f"{first},{second},{','.join(map(str, made[first, second]))}\n" for first, second in made)
        path.write_text("".join(rows), encoding="utf-8")
    return made


def simulated(case: Case) -> Iterator[tuple[tuple[str, str], Sequence[int]]]:
    """Equally many games of each two, on either side."""
    chance = np.random.default_rng(zlib.crc32(case.name.encode()))
    elo = chance.normal(size=case.players)
    elo *= case.spread / elo.std()
    each = case.games // (case.players * (case.players - 1))
    for first, second in permutations(range(case.players), 2):
        shares = chances(elo[first] - elo[second] + case.advantage, case.draws)
        yield (f"p{first}", f"p{second}"), chance.multinomial(each, shares).tolist()


def chances(apart: float, draws: float) -> tuple[float, float, float]:
    """Return the chances that the first player loses, draws and wins.

    draws: The share of draws between equal players.

    The score is the logistic one; draws are as Davidson's: D * D / (W * L) is the same at any score.
    """
    score = 1 / (1 + np.exp(-apart / NAT_ELO))
    ratio = (2 * draws / (1 - draws)) ** 2  # D * D / (W * L)
    a, b, c = 1 - ratio / 4, ratio / 2, -ratio * score * (1 - score)
    drawn = -c / b if abs(a) < 1e-9 else (-b + sqrt(b * b - 4 * a * c)) / (2 * a) if ratio else 0.0
    return 1 - score - drawn / 2, drawn, score - drawn / 2


def pgn_of(games: Counted) -> Iterator[str]:
    for (first, second), counts in games.items():
        for result, count in zip(("0-1", "1/2-1/2", "1-0"), counts, strict=True):
            yield f'[White "{first}"]\n[Black "{second}"]\n[Result "{result}"]\n\n{result}\n\n' * count


def ask_ordo(tools: Tools, games: Counted, given: Sequence[Given]) -> str:
    """Return what Ordo prints about these games, then its table of ratings.

    given: Ratings with their 95 % errors, which Ordo takes as standard deviations.
    """
    loose = [f'"{each.player}",{each.elo},{each.error / Z_95}\n' for each in given]
    with TemporaryDirectory() as folder:
        (Path(folder) / "games.pgn").write_text("".join(pgn_of(games)), encoding="utf-8")
        (Path(folder) / "given.csv").write_text("".join(loose), encoding="utf-8")
        words = "-q -W -D -z 200.24 -N 4,4 -p games.pgn -c ratings.csv -s"
        scale = ("-y", "given.csv") if loose else ("-a", "0")
        told = tools.run("ordo", *words.split(), str(SIMULATIONS), *scale, cwd=Path(folder))
        rows = (Path(folder) / "ratings.csv").read_text(encoding="utf-8")
    return "\n".join([*(line for line in told.splitlines() if "=" in line), "", rows])


def read_ordo(text: str) -> Said:
    head, _, rows = text.partition("\n\n")
    advantage, draws = (float(number) for number in re.findall(r"= *(-?[\d.]+)", head))
    places = csv.DictReader(io.StringIO(rows))
    elos = {row["PLAYER"]: (float(row["RATING"]), float(row["ERROR"])) for row in places}
    return Said(elos, advantage, draws / 100)


def ask_bayeselo(tools: Tools, games: Counted, _: Sequence[Given]) -> str:
    """Twice: its own scale, which it finds by the share of draws, is asked for before it is enlarged."""

    def said(*commands: str) -> str:
        words = ("prompt off", "readpgn games.pgn", "elo", "prompt off", "prior 0", "mm 1 1", "covariance")
        lines = "\n".join([*words, *commands, "x", "x", ""])
        return tools.run("bayeselo", given=lines, cwd=Path(folder))

    with TemporaryDirectory() as folder:
        (Path(folder) / "games.pgn").write_text("".join(pgn_of(games)), encoding="utf-8")
        scale = float(re.findall(r"^[\d.]+$", said("scale"), re.MULTILINE)[-1])
        return said("advantage", "drawelo", "scale", f"scale {ENLARGED * scale}", "ratings")


def read_bayeselo(text: str) -> Said:
    """Its advantage and its Elo of draws are before the scale. Draws: as often as it expects of equals."""
    lines = text.splitlines()
    heading = next(number for number, line in enumerate(lines) if line.startswith("Rank"))
    advantage, draw_elo, scale, _ = map(float, re.findall(r"^-?[\d.e+-]+$", text, re.MULTILINE)[-4:])
    elos = {}
    for line in lines[heading + 1 :]:
        if cells := re.match(r" *\d+ +(\S+) +(-?\d+) +(\d+) +(\d+) ", line):
            elos[cells[1]] = (float(cells[2]) / ENLARGED, (float(cells[3]) + float(cells[4])) / 2 / ENLARGED)
    drawn = 1 - 2 / (1 + 10 ** (draw_elo / 400))
    return Said(elos, advantage * scale, drawn)


ASK = {"ordo": ask_ordo, "bayeselo": ask_bayeselo}
READ = {"ordo": read_ordo, "bayeselo": read_bayeselo}
