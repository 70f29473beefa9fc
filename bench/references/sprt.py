"""Sequential tests beside fishtest's, fastchess's and cutechess's: what each says of the same results.

The tables are random, and kept: games (lost, drawn, won) and pairs (0 to 2 points), 20 to 100,000 of them,
some with a result that never came. Each is asked about with one pair of bounds, in each model. A line of a
question is "model elo0 elo1 alpha beta counts"; the programs in `drivers` read such lines and ask the other
project's code.

Fishtest's figures are all compared: the likelihood ratio, Elo and its interval by Wald's method, and what is
unbiased by stopping. It takes a result that never came for 0.001 of one, also where only a mean is asked for;
so it is asked about the same here. For what is infinite it has numbers of its own, which are not compared.
Fastchess solves its equations to three digits.
"""

import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isfinite, nan
from pathlib import Path

import numpy as np

from bench.references.comparison import KEPT, Program, Row, Tools
from gyoji.stats.scores import Scores
from gyoji.stats.sprt import Model, Sprt
from gyoji.stats.sprt_estimate import estimate

PROGRAMS = (
    Program("fishtest", "", "folder `server` of a checkout of fishtest; python3 with scipy runs it"),
    Program("fastchess", "sprt-fastchess", "drivers/fastchess.cpp, built in a checkout of fastchess"),
    Program("cutechess", "sprt-cutechess", "drivers/cutechess.cpp, built in a checkout of cutechess"),
)
MODELS = {
    "fishtest": ("normalized", "logistic", "bayesian"),
    "fastchess": ("normalized", "logistic", "bayesian"),
    "cutechess": ("cutechess",),
}
ALLOWED = {"fishtest": 1e-9, "fastchess": 5e-3, "cutechess": 1e-9}
TITLES = {"fishtest": "fishtest", "fastchess": "fastchess", "cutechess": "cutechess"}
HERE = KEPT / "sprt"
DRIVERS = Path(__file__).parent / "drivers"
BOUNDS = ((0, 2), (0, 5), (-3, 1), (0, 10), (-1.75, 0.25), (0.5, 2.5), (-10, 0), (0, 40))
RATES = ((0.05, 0.05), (0.05, 0.1), (0.01, 0.01))
TABLES = 60
"""Of games, and as many of pairs."""


@dataclass(frozen=True, slots=True)
class Question:
    """A table of results, and the test that is asked about it."""

    model: Model
    elo0: float
    elo1: float
    alpha: float
    beta: float
    counts: tuple[int, ...]

    @classmethod
    def parse(cls, line: str) -> "Question":
        model, *numbers = line.split()
        elo0, elo1, alpha, beta = map(float, numbers[:4])
        return cls(Model(model), elo0, elo1, alpha, beta, tuple(map(int, numbers[4:])))

    @property
    def test(self) -> Sprt:
        return Sprt(elo0=self.elo0, elo1=self.elo1, alpha=self.alpha, beta=self.beta, model=self.model)


def compare(tools: Tools) -> Iterator[Row]:
    lines = questions(keep=tools.keep)
    for program in MODELS:
        yield from compared(program, lines, tools)


def compared(program: str, lines: Sequence[str], tools: Tools) -> Iterator[Row]:
    """Yield what one program says of the questions that it knows, beside ours."""
    asked = [line for line in lines if line.split()[0] in MODELS[program]]
    kept = HERE / f"{program}.txt"
    answer = ask(program, asked, tools) if program in tools else kept.read_text(encoding="utf-8")
    if program in tools and tools.keep:
        kept.write_text(answer, encoding="utf-8")
    reference = f"{TITLES[program]}, {'now' if program in tools else 'kept'}"
    for line, said in zip(asked, answer.splitlines(), strict=True):
        told = list(map(float, said.split()))
        for figure, difference, allowed in differences(Question.parse(line), told, ALLOWED[program]):
            if program != "fastchess" or has_ends(line):
                yield Row(
                    case=line, figure=figure, reference=reference, difference=difference, allowed=allowed
                )


def has_ends(line: str) -> bool:
    """Whether there is a win and a loss: without both fastchess says 0 for its Bayesian model."""
    question = Question.parse(line)
    return question.model is not Model.BAYESIAN or bool(question.counts[0] and question.counts[-1])


def differences(
    question: Question, said: Sequence[float], allowed: float
) -> Iterator[tuple[str, float, float]]:
    """Each figure that the other said: its name, how far ours is from it, and how far it may be."""
    scores = Scores(question.counts)
    llr = question.test.llr(scores)
    yield "LLR, share of it or of 1", abs(llr - said[0]) / max(1, abs(said[0])), allowed
    if len(said) == 1:
        return
    regular = scores.regular()
    own = regular.elo, regular.wald_margin, regular.wald_superiority
    for name, ours, theirs in zip(("Elo", "half of its interval, Elo", "LOS"), own, said[1:4], strict=True):
        if ours is None or isfinite(ours):
            yield name, apart(ours, theirs), allowed
    fair = estimate(question.test, regular) or (None,) * 4
    names = ("unbiased Elo", "its lower bound, Elo", "its upper bound, Elo")
    for name, one, theirs in zip((*names, "unbiased LOS"), fair, said[4:], strict=True):
        if one is None or isfinite(one):
            yield name, apart(one, theirs), 0.02 if name in names else 1e-6


def apart(ours: float | None, theirs: float) -> float:
    """Return how far two figures are apart; a figure that we do not have is no number."""
    return nan if ours is None else abs(ours - theirs)


def questions(*, keep: bool) -> Sequence[str]:
    """Return the questions that are kept, or new ones, which are kept if that is asked for."""
    path = HERE / "questions.txt"
    if path.exists():
        return path.read_text(encoding="utf-8").splitlines()
    made = list(random_questions())
    if keep:
        path.write_text("".join(f"{line}\n" for line in made), encoding="utf-8")
    return made


def random_questions() -> Iterator[str]:
    chance = np.random.default_rng(20_261_122)
    for number in range(2 * TABLES):
        kinds = 3 if number < TABLES else 5
        observations = round(10 ** chance.uniform(1.3, 5))
        shares = chance.dirichlet((2.0,) * kinds) / 2
        shares += shares[::-1] + 0.02 * chance.normal() * (np.arange(kinds) - (kinds - 1) / 2) * shares[::-1]
        counts = chance.multinomial(observations, np.abs(shares) / np.abs(shares).sum())
        if number % 6 == 0:
            counts[chance.integers(kinds)] = 0
        elo0, elo1 = BOUNDS[chance.integers(len(BOUNDS))]
        alpha, beta = RATES[chance.integers(len(RATES))]
        for model in Model:
            if model.has_pairs or kinds == 3:
                yield f"{model} {elo0:g} {elo1:g} {alpha:g} {beta:g} {' '.join(map(str, counts.tolist()))}"


def ask(program: str, lines: Sequence[str], tools: Tools) -> str:
    """Return the answers of a program, a line for each question."""
    given = "".join(f"{line}\n" for line in lines)
    if program != "fishtest":
        return tools.run(program, given=given, cwd=Path.cwd())
    driver, python = DRIVERS / "fishtest_figures.py", shutil.which("python3") or "python3"
    words = [python, str(driver), str(tools.paths[program])]
    return subprocess.run(words, input=given, capture_output=True, text=True, timeout=600, check=True).stdout
