"""Tables of what the event around a tuner knows: its estimate, whether it has stopped, its check match."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

from gyoji.core.plugins import Format
from gyoji.core.record import GameResult
from gyoji.core.setup import CompetitionSetup
from gyoji.core.tables import Block, Drawing, Endings, Part, Style, Table, Tables, numbers, texts
from gyoji.pairing.games import plain
from gyoji.pairing.tally import PairStats
from gyoji.tables.event import EventTables, history_line
from gyoji.tables.pairs import block
from gyoji.tables.versus import Encounter
from gyoji.tuning.event import CHECK, TuningEvent
from gyoji.tuning.parameters import Valued
from gyoji.tuning.tables import candidate_values, shown_at

if TYPE_CHECKING:
    from gyoji.tuning.estimate import Estimate, Span


def tuner_format(
    *, name: str, settings: type, tuner: Any, tables: Any, ctl_names: Mapping[str, object] | None = None
) -> Format[TuningEvent[Any]]:
    """The format of a tuner. tuner: makes one of a setup; tables: makes what it alone shows of it."""

    def competition(setup: CompetitionSetup) -> TuningEvent[Any]:
        return TuningEvent(setup, tuner(setup))

    def shown(event: TuningEvent[Any]) -> Tables:
        return AroundTables(event, tables(event.tuner))

    return Format(
        name=name, settings=settings, competition=competition, tables=shown, ctl_names=ctl_names or {}
    )


class AroundTables(EventTables[TuningEvent[Any]]):
    """The tables of a tuner, and what its event knows besides: the estimate, the check match.

    In a file of gomill's the text is as it was there: what is more stands in the other forms of a report.
    """

    def __init__(self, event: TuningEvent[Any], own: Tables) -> None:
        super().__init__(event)
        self._own = own
        self._has_text = not event.setup.names_games

    def screen(self) -> Iterator[Block]:
        yield from self._own.screen()
        if self._has_text:
            yield from self._around()

    def brief(self) -> Iterator[str]:
        """The best parameters and how good they are, as far as that is known."""
        best, estimate = self.event.tuner.best, self.event.estimate()
        if best is not None:
            parameters = self.event.tuner.parameters
            yield f"best: {', '.join(map(_told, parameters, shown_at(parameters, best)))}"
        if estimate:
            yield from estimate_lines(estimate)
        if (encounter := self.event.check_encounter()) is not None:
            yield from _check_elo(encounter)

    def report(self) -> Iterator[Block]:
        yield from self._own.report()
        if self._has_text:
            yield from self._around()

    def values(self, endings: Endings) -> dict[str, Any]:
        """Those of the tuner; with `remaining` of the whole event, `estimate` and `check`."""
        estimate, check = self.event.estimate(), self._check()
        return dict(self._own.values(endings)) | {
            "remaining": self.event.remaining(),
            "stopped": self.event.is_stopped,
            "estimate": estimate and estimate_values(self.event.tuner.parameters, estimate),
            "check": check and check_values(*check),
        }

    def tables(self) -> list[Part]:
        estimate, check = self.event.estimate(), self._check()
        made = list(self._own.tables())
        if estimate:
            made.append(estimate_table(self.event.tuner.parameters, estimate))
        if check:
            made.append(check_table(check[1]))
        return made

    def charts(self) -> list[Drawing]:
        """Those of the tuner, and the landscape."""
        from gyoji.tuning.plots import landscape_charts  # noqa: PLC0415 - only for pages

        survey, estimate = self.event.survey(), self.event.estimate()
        found = landscape_charts(survey, estimate) if survey and estimate else ()
        return [*self._own.charts(), *found]

    def history(self, result: GameResult) -> Iterable[str]:
        """The line of the tuner, or of a game of the check match."""
        is_check = plain(result).pairing.startswith(CHECK)
        return (history_line(result),) if is_check else self._own.history(result)

    def _around(self) -> Iterator[Block]:
        """The estimate and the check match, each after a blank line."""
        event = self.event
        if estimate := event.estimate():
            yield ""
            yield from estimate_lines(estimate)
            yield estimate_table(event.tuner.parameters, estimate)
        if event.is_stopped:
            yield f"stopped: no parameters are better by {event.settings.stop_below:g} Elo points (95 %)"
        if check := self._check():
            yield ""
            yield from check_lines(*check)

    def _check(self) -> tuple[PairStats, Encounter] | None:
        """The games of the check match, and what they say; None if it has none yet."""
        stats, encounter = self.event.check_stats(), self.event.check_encounter()
        return (stats, encounter) if stats and encounter else None


def _told(parameter: Valued, value: str) -> str:
    return f"{parameter.code} {value}"


def estimate_lines(estimate: "Estimate") -> Iterator[str]:
    """How good the best parameters are, and how good others may be."""
    value, low, high = estimate.gain
    bounds = f"(95 %: {low:+.1f} to {high:+.1f})"
    yield f"estimate from {estimate.games} games: {value:+.1f} Elo points above the start {bounds}"
    yield f"no parameters are better by more than {estimate.left:.1f} Elo points (95 %)"


def estimate_table(parameters: Sequence[Valued], estimate: "Estimate") -> Table:
    """A row for each parameter: its best value, where the best one lies, what it was."""
    spans = [_span(parameter, span) for parameter, span in zip(parameters, estimate.spans, strict=True)]
    value, low, high = estimate.gain
    return Table(
        name="estimate",
        title="Estimate",
        columns=(
            texts("parameter", [each.code for each in parameters]),
            numbers("best", shown_at(parameters, estimate.best)),
            texts("95 % interval", spans, about="contains the best value of all with 95 %"),
            numbers("start", shown_at(parameters, estimate.start)),
        ),
        note=f"From {estimate.games} games. The best is {value:.1f} Elo points above the start "
        f"(95 %: {low:.1f} to {high:.1f}). No parameters are better than the best by more than "
        f"{estimate.left:.1f} Elo points (95 %).",
        style=Style.GOMILL,
    )


def _span(parameter: Valued, span: "Span") -> str:
    """Where the best value lies, as text."""
    if span.likely:
        return ", ".join(shown_at((parameter,), (each,))[0] for each in span.likely)
    low, high = (shown_at((parameter,), (each,))[0] for each in (span.low, span.high))
    return low if low == high else f"{low} to {high}"


def estimate_values(parameters: Sequence[Valued], estimate: "Estimate") -> dict[str, Any]:
    """The estimate, JSON-ready. Elo points."""
    low, high = (
        candidate_values(parameters, [getattr(span, end) for span in estimate.spans])
        for end in ("low", "high")
    )
    likely = {
        parameter.code: [candidate_values((parameter,), (each,))[parameter.code] for each in span.likely]
        for parameter, span in zip(parameters, estimate.spans, strict=True)
        if span.likely
    }
    return {
        "games": estimate.games,
        "best": candidate_values(parameters, estimate.best),
        "start": candidate_values(parameters, estimate.start),
        "low": low,
        "high": high,
        "confidence": 0.95,
        "likely": likely,
        "elo_above_start": estimate.gain._asdict(),
        "elo_left": {"mean": estimate.expected_left, "high": estimate.left},
    }


def check_lines(stats: PairStats, encounter: Encounter) -> Iterator[Block]:
    """The check match: its games, and what they say of the result."""
    yield from block(stats)
    yield from _check_elo(encounter)


def _check_elo(encounter: Encounter) -> Iterator[str]:
    """How much stronger the best is than the start, as far as that can be said."""
    if (elo := encounter.scores.elo) is not None:
        bounds = encounter.scores.interval
        told = f" (95 %: {bounds[0]:+.1f} to {bounds[1]:+.1f})" if bounds else ""
        yield f"check match: {elo:+.1f} Elo points above the start{told}"


def check_table(encounter: Encounter) -> Table:
    """The check match as a table."""
    low, high = encounter.scores.interval or (None, None)
    lost, level, won = encounter.singles
    return Table(
        name="check",
        title="Check match",
        columns=(
            numbers("games", [encounter.games]),
            numbers("won", [won]),
            numbers("level", [level]),
            numbers("lost", [lost]),
            numbers("repeated", [encounter.repeated], about="games that went as one before"),
            numbers("Elo", [encounter.scores.elo], digits=1, about="of the best above the start"),
            numbers("from", [low], digits=1),
            numbers("to", [high], digits=1),
        ),
        note="The best parameters against the start. The bounds are those of 95 %.",
    )


def check_values(stats: PairStats, encounter: Encounter) -> dict[str, Any]:
    """The check match, JSON-ready."""
    lost, level, won = encounter.singles
    bounds = encounter.scores.interval
    return {
        "pairing": stats.id,
        "games": stats.played,
        "of": stats.limit,
        "won": won,
        "level": level,
        "lost": lost,
        "repeated": encounter.repeated,
        "elo": _finite(encounter.scores.elo),
        "interval": None if bounds is None else [_finite(each) for each in bounds],
    }


def _finite(number: float | None) -> float | None:
    return number if number is not None and isfinite(number) else None
