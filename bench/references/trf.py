"""Tournament reports of our Swiss events, and bbpPairings: it reads each, and pairs the next round as we do.

The events are played here, with results drawn by a seed: odd and even fields, byes on request, late entries,
withdrawals, forbidden pairs, acceleration, matches of one game and of three. A report is written after every
round but the last. Where matches give nobody a claim to a seat a report cannot say so: there it is only read.
"""

import gzip
import json
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from bench.references.comparison import KEPT, Program, Row, Tools
from gyoji.core.outcome import Ending, Outcome, shared, won_by
from gyoji.core.plugins import FORMATS
from gyoji.core.record import GameResult
from gyoji.core.setup import CompetitionSetup
from gyoji.core.spec import GameSpec, Player
from gyoji.pairing.fide import pair
from gyoji.pairing.trf import Report, write_trf
from gyoji.pairing.trf_reader import read_trf

PROGRAMS = (Program("bbppairings", "bbpPairings.exe", "bbpPairings 6.0.0 (Bierema Boyz Programming)"),)
HERE = KEPT / "trf"
FILE = HERE / "pairs.json.gz"


@dataclass(frozen=True, slots=True)
class Case:
    """An event. settings: of the format, beside those that all have."""

    name: str
    players: int
    rounds: int
    settings: Mapping[str, Any] = field(default_factory=dict, hash=False)


def _players(*numbers: int) -> tuple[str, ...]:
    return tuple(f"p{number:02}" for number in numbers)


CASES = (
    Case("8 players", 8, 6),
    Case("23 players", 23, 8),
    Case("40 players", 40, 9),
    Case("14 players, points of matches", 14, 7, {"points": "matches"}),
    Case("11 players, matches of three games", 11, 6, {"games_per_match": 3}),
    Case(
        "17 players, byes on request",
        17,
        7,
        {
            "half_point_byes": {"p01": (1,), "p02": (3, 4), "p09": (2, 5)},
            "zero_point_byes": {"p05": (4,), "p03": (6,)},
        },
    ),
    Case(
        "20 players, coming and going",
        20,
        8,
        {
            "late_entries": {"p01": 2, "p10": 3, "p20": 4},
            "withdrawals": {"p02": 5, "p11": 3, "p15": 7},
        },
    ),
    Case(
        "16 players, forbidden pairs",
        16,
        7,
        {
            "forbidden_pairs": (_players(1, 9, 5), _players(2, 10)),
            "authors": {"p03": "Ann", "p04": "Ann", "p11": "Ann", "p12": "Ben", "p16": "Ben"},
        },
    ),
    Case("26 players, Baku acceleration", 26, 9, {"acceleration": "baku"}),
    Case(
        "19 players, all of it",
        19,
        9,
        {
            "acceleration": "baku",
            "late_entries": {"p02": 2, "p18": 3},
            "withdrawals": {"p06": 6},
            "half_point_byes": {"p03": (2, 7)},
            "authors": {"p01": "Ann", "p10": "Ann"},
        },
    ),
    Case("12 players, matches of two games", 12, 6, {"games_per_match": 2}),
)


@dataclass(frozen=True, slots=True)
class Written:
    """A report of an event after some rounds. pairs: of the next one, as a pairing engine prints them."""

    name: str
    text: str
    pairs: str


def compare(tools: Tools) -> Iterator[Row]:
    """Yield a row for each round of each event."""
    said = made(tools) if "bbppairings" in tools else kept()
    whose = "bbpPairings" if "bbppairings" in tools else "bbpPairings, kept"
    for case in CASES:
        for written in reports(case):
            yield row(case, written, said[written.name], whose)


def row(case: Case, written: Written, said: str, whose: str = "bbpPairings, kept") -> Row:
    """Return how many lines of pairs differ; where seats do not count, how many reports are not read."""
    counts = case.settings.get("games_per_match", 1) % 2 == 1
    ours, theirs = written.pairs.splitlines(), said.splitlines()
    differing = len(set(ours) ^ set(theirs)) if counts else int(len(ours) != len(theirs))
    figure = "pairs and seats, lines" if counts else "reports that are not read"
    return Row(case=written.name, figure=figure, reference=whose, difference=differing, allowed=0)


@cache
def kept() -> Mapping[str, str]:
    """Return the pairs that bbpPairings made, by the names of reports."""
    found: Mapping[str, str] = json.loads(gzip.decompress(FILE.read_bytes()))
    return found


def made(tools: Tools) -> Mapping[str, str]:
    """Return the pairs that bbpPairings makes now; "" where it does not read a report."""
    said = {}
    with TemporaryDirectory() as folder:
        place = Path(folder)
        for case in CASES:
            for written in reports(case):
                (place / "report.trf").write_text(written.text)
                said[written.name] = ""
                with suppress(subprocess.CalledProcessError):
                    said[written.name] = tools.run("bbppairings", "--dutch", "report.trf", "-p", cwd=place)
    if tools.keep:
        HERE.mkdir(parents=True, exist_ok=True)
        FILE.write_bytes(gzip.compress(json.dumps(said, indent=0).encode(), mtime=0))
    return said


@cache
def reports(case: Case) -> tuple[Written, ...]:
    """Return the reports of an event, after each of its rounds but the last."""
    event = _event(case)
    written = []
    while (spec := event.next_game()) is not None:
        if all(match.played == 0 for match in event.played[-1]):
            number = len(event.played)
            if len(written) < number:
                written.append(_written(case, event, number))
        event.add(_result(spec))
    return tuple(written)


def _written(case: Case, event: Any, number: int) -> Written:
    """Return the report before round `number`, from 1, has its first result; its pairs are those of the
    event.
    """
    report = event.system.report(event.played, ratings={}, lines=(("012", case.name),))
    codes = {player.name: report.number(index) for index, player in enumerate(report.tournament.players)}
    matches = event.played[-1]
    pairs = [f"{codes[match.fixture.first]} {codes[match.fixture.second]}" for match in matches]
    bye = event.system.byes(event.played)[-1]
    pairs += [f"{codes[bye]} 0"] if bye else []
    text = "".join(f"{line}\n" for line in (len(pairs), *pairs))
    return Written(f"{case.name}, round {number}", write_trf(report), text)


def next_pairs(report: Report) -> str:
    """Return the pairs of a report's next round, as a pairing engine prints them."""
    found = pair(report.tournament)
    pairs = [f"{report.number(first)} {report.number(second)}" for first, second in found.pairs]
    pairs += [] if found.bye is None else [f"{report.number(found.bye)} 0"]
    return "".join(f"{line}\n" for line in (len(pairs), *pairs))


def read_again(written: Written) -> str:
    """Return the pairs of what is read of a report."""
    return next_pairs(read_trf(written.text, written.name))


def _event(case: Case) -> Any:
    module = FORMATS.find("swiss")
    players = {code: Player(code=code, command=(code,)) for code in _players(*range(1, case.players + 1))}
    settings = module.settings(
        **{"game": "gomoku", "rounds": case.rounds, "games_per_match": 1, **case.settings}
    )
    return module.competition(
        CompetitionSetup(code="cup", kind="swiss", game="gomoku", players=players, settings=settings)
    )


def _result(spec: GameSpec) -> GameResult:
    """Return a random result: the first player by name wins more often, and every fourth game is a draw."""
    chance = Random(f"{spec.id} {spec.codes}")
    first = spec.codes[0] < spec.codes[1]
    points = shared(2) if chance.random() < 0.25 else won_by(int(first != (chance.random() < 0.65)), 2)
    return GameResult(
        id=spec.id,
        pairing=spec.pairing,
        players=spec.codes,
        outcome=Outcome(points=points, ending=Ending.SCORE),
        turns=1,
        engines=(),
        started="",
        wall_ns=1,
    )
