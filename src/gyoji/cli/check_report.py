"""The report on a player's check: lines for people, values for JSON."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from gyoji.core.game import Trial
from gyoji.core.probe import Finding, Findings
from gyoji.core.spec import Player
from gyoji.core.tables import Table, numbers, texts
from gyoji.core.text import format_duration, legible_json, printable
from gyoji.play.startup_check import StartupCheck
from gyoji.report.text import table_lines

SHOWN = 500
"""Longest line about a player, in characters."""

_OTHERWISE = 'let the engines agree: without_cleanup = "agreement"'
_THEN = {
    "agreement": "its games are played, and stones that both engines call dead come off; {remedy}, so that it"
    " takes off the others",
    "players": "its games are scored by the players",
}
"""How the games of a player that broke a rule in its test are scored, by value of `without_cleanup`."""


class Check(Struct, frozen=True, kw_only=True):
    """The result of checking one player before a run.

    Attributes:
        startup: How the engine started and got ready for a game; None if no game was set up.
        findings: The results of a probe, or of the short test that the protocol defines; None if neither was
            made. A probe tries every command of the protocol.
        is_probed: Whether `findings` are those of a probe.
        failed: The test in which the player broke a rule of the game; None if it broke none.
        without_cleanup: What happens to the player's games if there is a `failed` test: "agreement", "refuse"
            or "players", as in `GameSettings`.
        refused: Keys of the variants of the game, such as board sizes, that the player refuses.
        instead: The variants that the player accepts, in words; () unless it refuses the wanted one.
    """

    player: Player
    startup: StartupCheck | None = None
    findings: Findings | None = None
    is_probed: bool = False
    failed: Trial | None = None
    without_cleanup: str = "agreement"
    refused: frozenset[str] = frozenset()
    instead: tuple[str, ...] = ()

    @property
    def problems(self) -> tuple[str, ...]:
        """Reasons why the player cannot play. Empty if it can."""
        startup = self.startup.problems if self.startup else ()
        unfit = self.findings.unfit if self.findings else ()
        if self.failed is None or self.without_cleanup != "refuse":
            return startup + unfit
        return (*startup, *unfit, f"{self.failed.failure}; {self.failed.remedy}; or {_OTHERWISE}")

    @property
    def scores_itself(self) -> bool:
        """Whether games of this player have `scorer = "players"`, because in its trial it failed in the
        clean-up phases that scoring by play needs.
        """
        return self.failed is not None and self.without_cleanup == "players"

    @property
    def settings(self) -> Mapping[str, object]:
        """The protocol settings that the player needs and its control file does not give."""
        found = self.findings.settings if self.findings else {}
        return {name: value for name, value in found.items() if self.player.options.get(name) != value}


def describe(check: Check) -> Iterable[str]:
    """Yield the lines of the report on a player.

    The report says whether the player can play, its limits, what it wrote to stderr if it failed, and the
    results of a probe.
    """
    code, startup = check.player.code, check.startup or StartupCheck()
    if check.problems:
        yield from problem_lines(check)
    elif check.player.is_person:
        yield f"player {code}: ok: a person, who plays on the page of `gyoji serve`"
    elif check.player.is_remote:
        yield f"player {code}: not checked here: its owner connects by `gyoji join`, which checks it"
    else:
        called = startup.name or (check.findings.name if check.findings else "")
        ready = format_duration(max(startup.startup_ns // 10**6, 1) * 10**6)
        tail = f" (ready in {ready})" if check.startup else ""
        deaths = check.findings.dies_of if check.findings else ()
        but = f": can play; dies of {', '.join(deaths)}" if deaths else ""
        yield printable(f"player {code}: ok{f': {called}' if called else ''}{tail}{but}", SHOWN)
    yield from limits([check])
    yield from last_words(check)
    for line in startup.late:
        yield printable(f"player {code}: after the check: {_own(code, line)}", SHOWN)
    if check.is_probed and check.findings:
        yield from probe_lines(check.findings)


def problem_lines(check: Check) -> Iterable[str]:
    """Return one line for each reason why a player cannot play."""
    code = check.player.code
    return [printable(f"player {code}: {_own(code, line)}", SHOWN) for line in check.problems]


def last_words(check: Check) -> Iterator[str]:
    """Yield the lines that a failed player wrote to stderr.

    A single line is left out if a problem of the player quotes it already.
    """
    lines = check.startup.stderr if check.startup else ()
    if len(lines) > 1 or not any("last words" in problem for problem in check.problems):
        for line in lines:
            yield f"  | {printable(line, SHOWN)}"


def limits(checks: Sequence[Check]) -> Iterator[str]:
    """Yield lines about limits of players: unsupported requests, failed tests of rules, changed settings.

    Players that do not support the same request share a line, because the organiser reads these lines before
    every run.
    """
    untold: dict[str, list[str]] = {}
    for check in checks:
        for thing in check.startup.unable if check.startup else ():
            untold.setdefault(thing, []).append(check.player.code)
    for thing, codes in untold.items():
        who, it = ("players", "each") if len(codes) > 1 else ("player", "it")
        yield printable(
            f"{who} {', '.join(codes)}: cannot be told {thing}; {it} goes by its own settings", SHOWN
        )
    for check in checks:
        code, startup = check.player.code, check.startup or StartupCheck()
        if check.failed and check.without_cleanup != "refuse":
            then = _THEN[check.without_cleanup].format(remedy=check.failed.remedy)
            yield printable(f"player {code}: {check.failed.failure}; {then}", SHOWN)
        if check.instead:
            yield printable(f"player {code}: its games are played with {' or '.join(check.instead)}", SHOWN)
        if startup.declines:
            yield printable(f"player {code}: {startup.declines}; its games begin without that", SHOWN)
        if check.settings:
            told = ", ".join(f"{name} = {legible_json(value)}" for name, value in check.settings.items())
            yield printable(f"player {code}: speaks another dialect; its games are played with {told}", SHOWN)


def check_values(check: Check) -> dict[str, Any]:
    """Return the result of a check as a JSON object."""
    startup = check.startup or StartupCheck()
    return {
        "player": check.player.code,
        "protocol": check.player.protocol,
        "ok": not check.problems,
        "problems": list(check.problems),
        "name": startup.name,
        "description": startup.description,
        "ready_ms": round(startup.startup_ns / 1e6, 3) if check.startup else None,
        "not_told": list(startup.unable),
        "declines": startup.declines,
        "instead": list(check.instead),
        "late": list(startup.late),
        "stderr": list(startup.stderr),
        "probe": _probe_values(check.findings) if check.is_probed and check.findings else None,
    }


def _own(code: str, line: str) -> str:
    """Return a line without the words "player CODE: " at its beginning."""
    return line.removeprefix("player ").removeprefix(f"{code}: ")


_SAID = 44
"""Longest quote of an engine in the table, in characters."""
_BUSY = 10
"""A warning says that times may be wrong if an engine had no processor for more than 1/_BUSY of its time."""


def probe_lines(findings: Findings) -> Iterable[str]:
    """Yield a probe's findings as text: a table of its tests, then summaries. Every line is indented."""
    yield from _table(findings.trials)
    if findings.supports:
        yield "  supports:"
        yield from _pairs(
            (subject, " ".join(words) or "none") for subject, words in findings.supports.items()
        )
    if findings.delay * _BUSY > findings.waited:
        without, waited = (f"{ns / 1e9:.1f}s" for ns in (findings.delay, findings.waited))
        yield (
            f"  the machine was busy: the engine had no processor for {without} of the {waited} that gyoji"
            " waited for it; times may be wrong"
        )
    yield "  out of protocol:" if findings.deviations else "  out of protocol: nothing"
    yield from (printable(f"    {line}", SHOWN) for line in findings.deviations)
    if findings.prospects:
        yield "  prospects:"
        yield from _pairs(findings.prospects)


def _pairs(rows: Iterable[tuple[str, str]]) -> list[str]:
    """Return the lines of a table with two columns. All lines are indented."""
    things = list(rows)
    columns = (
        texts("", [f"    {thing}" for thing, _ in things]),
        texts("", [printable(words, SHOWN) for _, words in things]),
    )
    return table_lines(Table(columns=columns))


def _table(trials: Iterable[Finding]) -> list[str]:
    rows = list(trials)
    columns = (
        texts("", [f"  {printable(row.trial)}" for row in rows]),
        texts("", [row.verdict.value for row in rows]),
        numbers("", ["" if row.took is None else f"{row.took / 1e6:.1f} ms" for row in rows]),
        texts("", [_words(row) for row in rows]),
    )
    return table_lines(Table(columns=columns))


def _words(row: Finding) -> str:
    said = printable(row.said, _SAID)
    return f"{said}  ({printable(row.remark)})" if said and row.remark else said or printable(row.remark)


def _probe_values(findings: Findings) -> dict[str, Any]:
    """Return a probe's findings as a JSON object. Times are in ms; a test that was not timed has None."""
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
        "dies_of": list(findings.dies_of),
        "prospects": [{"where": where, "outcome": outcome} for where, outcome in findings.prospects],
        "unfit": list(findings.unfit),
        "waited_ms": round(findings.waited / 1e6, 3),
        "delay_ms": round(findings.delay / 1e6, 3),
    }
