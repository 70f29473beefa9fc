"""The findings of a probe, for people and for programs."""

from collections.abc import Iterable
from typing import Any

from gyoji.core.probe import Finding, Findings
from gyoji.core.text import printable
from gyoji.report.text import Align, Grid

_SAID = 44
"""Characters of an engine's own words in the table."""
_LINE = 500
_BUSY = 10
"""From which part of the time that it waits for a processor, an engine cannot be judged by the clock."""


def text(findings: Findings) -> Iterable[str]:
    """The table of trials, and what follows from them. Indented: it stands below a player's line."""
    yield from _table(findings.trials)
    supported = "; ".join(
        f"{subject} {' '.join(words) or 'none'}" for subject, words in findings.supports.items()
    )
    if supported:
        yield f"  supports: {supported}"
    if findings.delay * _BUSY > findings.waited:
        without, waited = (f"{ns / 1e9:.1f}s" for ns in (findings.delay, findings.waited))
        yield (
            f"  the machine was busy: for {without} of the {waited} that it was waited for, the engine had no"
            " processor; what is said about time may be wrong"
        )
    yield "  out of protocol:" if findings.deviations else "  out of protocol: nothing"
    yield from (printable(f"    {line}", _LINE) for line in findings.deviations)
    if findings.prospects:
        table = Grid()
        table.column([f"    {where}" for where, _ in findings.prospects], padding=2)
        table.column([printable(outcome, _LINE) for _, outcome in findings.prospects])
        yield "  prospects:"
        yield from table.lines()


def _table(trials: Iterable[Finding]) -> list[str]:
    rows = list(trials)
    table = Grid()
    table.column([f"  {printable(row.trial)}" for row in rows], padding=2)
    table.column([row.verdict.value for row in rows], padding=2)
    table.column([_ms(row) for row in rows], align=Align.RIGHT, padding=2)
    table.column([_words(row) for row in rows])
    return table.lines()


def _ms(row: Finding) -> str:
    return "" if row.took is None else f"{row.took / 1e6:.1f} ms"


def _words(row: Finding) -> str:
    said = printable(row.said, _SAID)
    return f"{said}  ({printable(row.remark)})" if said and row.remark else said or printable(row.remark)


def values(findings: Findings) -> dict[str, Any]:
    """The same for JSON; times in ms, null where there is none."""
    return {
        "name": findings.name,
        "description": findings.description,
        "trials": [
            {
                "trial": row.trial,
                "verdict": row.verdict.value,
                "ms": None if row.took is None else round(row.took / 1e6, 3),
                "said": row.said,
                "remark": row.remark,
            }
            for row in findings.trials
        ],
        "supports": {subject: list(words) for subject, words in findings.supports.items()},
        "deviations": list(findings.deviations),
        "prospects": [{"where": where, "outcome": outcome} for where, outcome in findings.prospects],
        "unfit": list(findings.unfit),
        "waited_ms": round(findings.waited / 1e6, 3),
        "delay_ms": round(findings.delay / 1e6, 3),
    }
