"""The report of a tuning event: the tuner's own tables, the estimate, and the check match."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gyoji.core.plugins import Format
from gyoji.core.record import GameResult
from gyoji.core.setup import CompetitionSetup
from gyoji.core.tables import Block, Cell, Drawing, Part, Style, Table, Tables, data, numbers, texts
from gyoji.results.game_ids import plain
from gyoji.results.tally import PairStats
from gyoji.tables.event_tables import EventTables, history_line
from gyoji.tables.head_to_head import Encounter
from gyoji.tables.pair_tables import block
from gyoji.tuning.event import CHECK, TuningEvent
from gyoji.tuning.parameters import Valued
from gyoji.tuning.tables import shown_at, values_by_code

if TYPE_CHECKING:
    from gyoji.tuning.estimate import Estimate, Span


def tuner_format(
    *, name: str, settings: type, tuner: Any, tables: Any, ctl_names: Mapping[str, object] | None = None
) -> Format[TuningEvent]:
    """Make the format of a tuner. It adds the estimate and the check match to the tuner.

    Args:
        name: The name in control files.
        settings: The settings of the format.
        tuner: Makes the tuner from a setup.
        tables: Makes the tuner's own tables.
        ctl_names: Further names for control files in Python (.ctl).
    """

    def competition(setup: CompetitionSetup) -> TuningEvent:
        return TuningEvent(setup, tuner(setup))

    def shown(event: TuningEvent) -> Tables:
        return TuningTables(event, tables(event.tuner))

    return Format(
        name=name, settings=settings, competition=competition, tables=shown, ctl_names=ctl_names or {}
    )


class TuningTables(EventTables[TuningEvent]):
    """The tables of a tuner, the estimate, and the check match.

    For a control file of gomill (.ctl) the text is gomill's, without estimate and check match. Other forms of
    a report have them.
    """

    def __init__(self, event: TuningEvent, own: Tables) -> None:
        super().__init__(event)
        self._own = own
        self._has_text = not event.setup.names_games

    def screen(self) -> Iterator[Block]:
        yield from self._own.screen()
        if self._has_text:
            yield from self._around()

    def summary(self) -> Iterator[str]:
        """Yield lines with the best parameters, the estimate, and the result of the check match, as far as
        known.
        """
        best, estimate = self.event.tuner.best, self.event.estimate()
        if best is not None:
            cells = zip(self.event.tuner.parameters, shown_at(self.event.tuner.parameters, best), strict=True)
            yield f"best: {', '.join(f'{parameter.code} {cell.text}' for parameter, cell in cells)}"
        if estimate:
            yield from estimate_lines(estimate)
        if check := self.event.check_results():
            yield from _check_elo(check[1])

    def report(self) -> Iterator[Block]:
        yield from self._own.report()
        if self._has_text:
            yield from self._around()

    def facts(self) -> dict[str, Any]:
        """Return values for JSON, by key, that no table has.

        The value of `best` is the best values by parameter, or None. `stopped` says whether the tuner stopped
        early, and `estimate` is None before there is one. The tuner adds values of its own.
        """
        event, estimate = self.event, self.event.estimate()
        best = event.tuner.best
        return {
            "best": best and values_by_code(event.tuner.parameters, best),
            **self._own.facts(),
            "stopped": event.is_stopped,
            "estimate": estimate
            and {
                "games": estimate.games,
                "confidence": 0.95,
                "elo_above_start": estimate.gain,
                "elo_left": {"mean": estimate.expected_left, "high": estimate.left},
            },
        }

    def tables(self) -> list[Part]:
        estimate, check = self.event.estimate(), self.event.check_results()
        made = list(self._own.tables())
        if estimate:
            made.append(estimate_table(self.event.tuner.parameters, estimate))
        if check:
            made.append(check_table(*check))
        return made

    def charts(self) -> list[Drawing]:
        """Return the tuner's own charts, and the charts of the landscape once there is an estimate."""
        from gyoji.tuning.plots import landscape_charts  # noqa: PLC0415 - only for pages

        survey, estimate = self.event.survey(), self.event.estimate()
        found = landscape_charts(survey, estimate) if survey and estimate else ()
        return [*self._own.charts(), *found]

    def history(self, result: GameResult) -> Iterable[str]:
        """Return the lines for the history file about a game of the tuner or of the check match."""
        is_check = plain(result).pairing.startswith(CHECK)
        return (history_line(result),) if is_check else self._own.history(result)

    def _around(self) -> Iterator[Block]:
        """Yield the estimate, whether the tuner stopped early, and the check match, as far as known.

        The estimate and the check match begin with a blank line.
        """
        event = self.event
        if estimate := event.estimate():
            yield ""
            yield from estimate_lines(estimate)
            yield estimate_table(event.tuner.parameters, estimate)
        if event.is_stopped:
            yield f"stopped: no parameters are better by {event.settings.stop_below:g} Elo points (95 %)"
        if check := self.event.check_results():
            yield ""
            yield from block(check[0])
            yield from _check_elo(check[1])


def estimate_lines(estimate: "Estimate") -> Iterator[str]:
    """Yield lines with the gain of the best parameters, and with how much better others may be."""
    value, low, high = estimate.gain
    bounds = f"(95 %: {low:+.1f} to {high:+.1f})"
    yield f"estimate from {estimate.games} games: {value:+.1f} Elo points above the start {bounds}"
    yield f"no parameters are better by more than {estimate.left:.1f} Elo points (95 %)"


def estimate_table(parameters: Sequence[Valued], estimate: "Estimate") -> Table:
    """Return the table with a row for each parameter: the best value, its interval, and the start."""
    spans = [_span(parameter, span) for parameter, span in zip(parameters, estimate.spans, strict=True)]
    value, low, high = estimate.gain
    return Table(
        name="estimate",
        title="Estimate",
        columns=(
            texts("parameter", [each.code for each in parameters]),
            numbers("best", shown_at(parameters, estimate.best)),
            texts(
                "95 % interval", spans, key="interval_95", about="contains the best value of all with 95 %"
            ),
            numbers("start", shown_at(parameters, estimate.start)),
        ),
        note=f"From {estimate.games} games. The best is {value:.1f} Elo points above the start "
        f"(95 %: {low:.1f} to {high:.1f}). No parameters are better than the best by more than "
        f"{estimate.left:.1f} Elo points (95 %).",
        style=Style.GOMILL,
    )


def _span(parameter: Valued, span: "Span") -> Cell:
    """Return the cell with the 95 % interval of a parameter's best value.

    For an unordered list the cell has the likely values.
    """
    likely = [shown_at((parameter,), (each,))[0] for each in span.likely]
    low, high = ends = [shown_at((parameter,), (each,))[0] for each in (span.low, span.high)]
    text = low.text if low.text == high.text else f"{low.text} to {high.text}"
    found = likely or ends
    return Cell(", ".join(each.text for each in likely) or text, [each.value for each in found])


def _check_elo(encounter: Encounter) -> Iterator[str]:
    """Yield a line with the Elo difference of the check match, if it is known."""
    if (elo := encounter.scores.elo) is not None:
        bounds = encounter.scores.interval
        told = f" (95 %: {bounds[0]:+.1f} to {bounds[1]:+.1f})" if bounds else ""
        yield f"check match: {elo:+.1f} Elo points above the start{told}"


def check_table(stats: PairStats, encounter: Encounter) -> Table:
    """Return the table of the check match."""
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
            data("of", [stats.limit]),
            data("pairing", [stats.id]),
        ),
        note="The best parameters against the start. The bounds are those of 95 %.",
    )
