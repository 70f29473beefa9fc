"""`gyoji pair`: pair the next round of a tournament report (TRF), or check how all its rounds were paired."""

from pathlib import Path
from typing import NamedTuple, TypeAlias

from gyoji.cli.exits import complain, say
from gyoji.cli.reporting import write_text
from gyoji.core.faults import ConfigError
from gyoji.core.text import legible_json
from gyoji.pairing.fide import pair
from gyoji.pairing.tournament import Kind, Round
from gyoji.pairing.trf import Report
from gyoji.pairing.trf_reader import read_trf
from gyoji.scheduler.status import ExitStatus


def pair_file(path: Path, *, output: Path | None, is_check: bool, as_json: bool) -> ExitStatus:
    """Carry out `gyoji pair`: print the next round of a tournament report, or check all its rounds.

    Args:
        output: The file to write the round to; None for standard output.

    Raises:
        ConfigError: The report cannot be read, or it has all its rounds already.
    """
    report = _read(path)
    if is_check:
        return _check(report, as_json=as_json)
    event = report.tournament
    if event.played == event.rounds:
        raise ConfigError(
            f"{path}: {event.played} of {event.rounds} rounds have been paired, and there is no next one: a "
            "line 142 says how many there are"
        )
    found = pair(event)
    if found.departure:
        complain(f"{path}: round {event.played + 1}: {found.departure}")
    text = legible_json(_values(report, found), indent=2) + "\n" if as_json else _text(report, found)
    if output is None:
        say(text, nl=False)
    else:
        write_text(output, text)
    return ExitStatus.COMPLETE


def _read(path: Path) -> Report:
    """Read a tournament report (TRF) in UTF-8 or, as older programs write it, Latin-1. Raise ConfigError."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}") from None
    try:
        text = content.decode()
    except UnicodeDecodeError:
        text = content.decode("latin-1")
    report = read_trf(text, str(path))
    if not report.tournament.players:
        raise ConfigError(
            f"{path}: expected a tournament report in TRF(x), got no line 001 of a player"
            f"; `gyoji export --to trf FILE` writes the report of a Swiss tournament"
        )
    return report


def _text(report: Report, found: Round) -> str:
    """Return a round as pairing programs print it: the number of pairs, then for each "WHITE BLACK".

    WHITE and BLACK are the numbers of the players in the report; BLACK is 0 for a bye.
    """
    pairs = [f"{report.number(first)} {report.number(second)}" for first, second in found.pairs]
    if found.bye is not None:
        pairs.append(f"{report.number(found.bye)} 0")
    return "".join(f"{line}\n" for line in (len(pairs), *pairs))


def _values(report: Report, found: Round) -> dict[str, object]:
    return {
        "round": report.tournament.played + 1,
        "pairs": [[report.number(first), report.number(second)] for first, second in found.pairs],
        "bye": None if found.bye is None else report.number(found.bye),
        "departure": found.departure,
    }


class _Difference(NamedTuple):
    """The difference between a round as it was paired and as the rules pair it.

    Attributes:
        round: Number of the round, from 1.
        was: Pairs of the report that the rules do not make, as text.
        rules: Pairs that the rules make instead, as text.
        departure: The reason why no pairing satisfies the rules; "" if one does.
    """

    round: int
    was: list[str]
    rules: list[str]
    departure: str

    @property
    def text(self) -> str:
        if self.departure:
            return f"round {self.round}: {self.departure}"
        if not self.was and not self.rules:
            return f"round {self.round}: as the rules make it"
        return f"round {self.round}: was {' '.join(self.was)}, by the rules {' '.join(self.rules)}"


def _check(report: Report, *, as_json: bool) -> ExitStatus:
    """Pair every round again, and print the differences. Return HALTED if there is one, else COMPLETE."""
    rounds = [_difference(report, number) for number in range(report.tournament.played)]
    if as_json:
        say(legible_json([each._asdict() for each in rounds], indent=2))
    else:
        say("\n".join(each.text for each in rounds))
    differs = any(each.was or each.rules or each.departure for each in rounds)
    return ExitStatus.HALTED if differs else ExitStatus.COMPLETE


# The report of a game that was not played does not tell who was White: either order counts as correct.
def _difference(report: Report, number: int) -> _Difference:
    """Pair one round again, and return the difference. `number` counts rounds from 0."""
    event = report.tournament
    found = pair(event.before(number))
    rules: set[_Pair] = {*found.pairs, *(() if found.bye is None else ((found.bye, None),))}
    was: set[_Pair] = set()
    for one, player in enumerate(event.players):
        entry = player.entries[number]
        if entry.kind is Kind.BYE:
            was.add((one, None))
        elif entry.opponent is not None and entry.seat == 0:
            was.add((one, entry.opponent))
        elif entry.opponent is not None and entry.seat is None and one < entry.opponent:
            turned = (entry.opponent, one)  # a game for which neither player came: White is unknown
            was.add(turned if turned in rules else (one, entry.opponent))
    told = _names(report, was - rules), _names(report, rules - was)
    return _Difference(number + 1, *told, found.departure)


_Pair: TypeAlias = tuple[int, int | None]
"""The players of the first and the second seat; None for a bye."""


def _names(report: Report, pairs: set[_Pair]) -> list[str]:
    ordered = sorted(pairs, key=lambda each: each[0])
    return [
        f"{report.number(one)}-{'bye' if other is None else report.number(other)}" for one, other in ordered
    ]
