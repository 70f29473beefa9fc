"""The statistics that fastchess prints, computed by gyoji so that all printed digits agree."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf, isnan, nan

from gyoji.fastchess.llr import fastchess_llr
from gyoji.stats.scores import Scores
from gyoji.stats.sprt import Sprt


@dataclass(slots=True)
class Meeting:
    """The results of one engine against another engine, or against all others together.

    Attributes:
        wdl: Numbers of won, drawn and lost games. If pairs are counted, only games of complete pairs.
        penta: Numbers of pairs with 0, ½, 1, 1½ and 2 points.
        split: Number of pairs with one win and one loss. `penta[2]` includes them.
    """

    wdl: list[int] = field(default_factory=lambda: [0, 0, 0])
    penta: list[int] = field(default_factory=lambda: [0, 0, 0, 0, 0])
    split: int = 0

    @property
    def games(self) -> int:
        return sum(self.wdl)

    @property
    def points(self) -> float:
        return self.wdl[0] + self.wdl[1] / 2

    def add(self, points: Sequence[float], *, pair: bool) -> None:
        """Add the results of one game, or of the two games of a pair.

        Args:
            points: The points of the (first) engine in each game: 0, ½ or 1.
            pair: Whether these are the games of a pair.
        """
        for each in points:
            self.wdl[2 - int(each * 2)] += 1
        if pair:
            self.penta[int(sum(points) * 2)] += 1
            self.split += sorted(points) == [0, 1]

    def scores(self, *, penta: bool) -> Scores:
        """Return the results in the form for `gyoji.stats`, by pairs or by games."""
        return Scores(tuple(self.penta if penta else reversed(self.wdl)))

    def lead(self, *, penta: bool) -> float:
        """Return the engine's mean score (0 to 1) minus ½, summed in the order of fastchess.

        If the score is even, the rounding of this sum decides whether fastchess prints 0.00 or -0.00.

        Args:
            penta: Whether to compute it from pairs, and not from games.
        """
        if not penta:
            won, drawn, _ = (count / self.games for count in self.wdl)
            return won + 0.5 * drawn - 0.5
        pairs = sum(self.penta)
        _, less, _, more, most = (count / pairs for count in self.penta)
        even = self.split / pairs + (self.penta[2] - self.split) / pairs
        return most + 0.75 * more + 0.5 * even + 0.25 * less - 0.5


def fixed(number: float | None, digits: int = 2) -> str:
    """Format a number with some digits after the point as C++ does on x86-64, where 0/0 is "-nan".

    None stands for 0/0.
    """
    if number is None or isnan(number):
        return "-nan"
    return f"{number:.{digits}f}"


def elo_figures(meeting: Meeting, *, penta: bool) -> tuple[str, str, str, str]:
    """Return (Elo, its margin of error, normalized Elo, its margin of error) as text."""
    scores = meeting.scores(penta=penta)
    if scores.mean is not None and scores.variance == 0:  # the interval has no width
        if scores.mean == 0.5:
            return "-0.00", "0.00", "-nan", "-nan"
        error = "-nan" if scores.mean in (0, 1) else "0.00"
        return fixed(scores.elo), error, "inf" if scores.mean > 0.5 else "-inf", "-nan"
    margin = scores.wald_margin
    # A bound below 0 or above 1 has no Elo: the logarithm of a negative number is "nan" without a sign.
    error = "nan" if margin == inf else fixed(margin)
    elo, normalized = fixed(scores.elo), fixed(scores.normalized_elo)
    if scores.mean == 0.5:
        lead = meeting.lead(penta=penta)
        elo = "0.00" if lead > 0 else "-0.00"  # -400 log10(1) is -0
        normalized = "-0.00" if lead < 0 else "0.00"
    return elo, error, normalized, fixed(scores.normalized_margin)


def ratio(part: float, whole: float) -> float:
    """Return a quotient as C++ computes it: infinite or not a number if `whole` is 0."""
    return part / whole if whole else (inf if part else nan)


def result_lines(heading: str, meeting: Meeting, *, penta: bool) -> list[str]:
    """Return the lines that fastchess prints about the results of an engine, from `heading` to the counts.

    The caller adds the lines around them, and the line about a sequential test.

    Args:
        penta: Whether to compute figures from pairs, and not from games.
    """
    scores = meeting.scores(penta=penta)
    elo, error, normalized, normalized_error = elo_figures(meeting, penta=penta)
    likely = scores.wald_superiority
    if not scores.variance and scores.mean not in (None, 0.5):
        likely = 1.0 if (scores.mean or 0) > 0.5 else 0.0
    los = fixed(None if likely is None else 100 * likely)
    drawn = None if scores.draw_ratio is None else 100 * scores.draw_ratio
    won, drawn_games, lost = meeting.wdl
    lines = [
        heading,
        f"Elo: {elo} +/- {error}, nElo: {normalized} +/- {normalized_error}",
        f"LOS: {los} %, DrawRatio: {fixed(drawn)} %",
        f"Games: {meeting.games}, Wins: {won}, Losses: {lost}, Draws: {drawn_games}, "
        f"Points: {meeting.points:.1f} ({fixed(100 * ratio(meeting.points, meeting.games))} %)",
    ]
    if penta:
        counts = meeting.penta
        lines[2] += f", PairsRatio: {fixed(ratio(sum(counts[3:]), sum(counts[:2])))}"
        wl_dd = ratio(meeting.split, counts[2] - meeting.split)
        lines.append(f"Ptnml(0-2): {counts}, WL/DD Ratio: {fixed(wl_dd)}")
    return lines


def test_line(test: Sprt, scores: Scores) -> str:
    """Return the line about a sequential test."""
    llr = fastchess_llr(test, scores)
    share = llr / test.upper if llr >= 0 else -llr / test.lower
    return (
        f"LLR: {llr:.2f} ({100 * share:.1f}%) ({test.lower:.2f}, {test.upper:.2f}) "
        f"[{test.elo0:.2f}, {test.elo1:.2f}]"
    )


def cutechess_lines(first: str, second: str, meeting: Meeting) -> tuple[str, str]:
    """Return (the line with the score, the line with the Elo difference) in the form of cutechess-cli.

    Args:
        first: The engine whose results `meeting` has.
        second: Its opponent.
    """
    scores = meeting.scores(penta=False)
    won, drawn, lost = meeting.wdl
    elo, error, _, _ = elo_figures(meeting, penta=False)
    likely = scores.wald_superiority
    return (
        f"Score of {first} vs {second}: {won} - {lost} - {drawn}  [{fixed(scores.mean, 3)}] {meeting.games}",
        f"Elo difference: {elo} +/- {error}, LOS: {fixed(None if likely is None else 100 * likely)} %, "
        f"DrawRatio: {fixed(100 * ratio(drawn, meeting.games))} %",
    )


def ranking_lines(meetings: Sequence[tuple[str, Meeting]], *, penta: bool) -> list[str]:
    """Return the table of three or more engines as lines, the highest Elo first."""
    width = max(25, *(len(name) for name, _ in meetings))
    heading = f"{'Rank':<4} {'Name':<{width}}" + "".join(
        f" {word:>10}" for word in ("Elo", "+/-", "nElo", "+/-", "Games", "Score", "Draw")
    )
    lines = [f"{heading} {'Ptnml(0-2)':>20}"]
    order = sorted(meetings, key=lambda each: -(each[1].scores(penta=penta).mean or -1.0))
    for rank, (name, meeting) in enumerate(order, 1):
        scores = meeting.scores(penta=penta)
        figures = "".join(f" {figure:>10}" for figure in elo_figures(meeting, penta=penta))
        score = fixed(100 * ratio(meeting.points, meeting.games), 1)
        drawn = fixed(None if scores.draw_ratio is None else 100 * scores.draw_ratio, 1)
        counts = str(meeting.penta) if penta else ""
        lines.append(
            f"{rank:>4} {name:<{width}}{figures} {meeting.games:>10} {score:>9}% {drawn:>9}% {counts:>20}"
        )
    return lines
