r"""Conformance probes of engines as values: steps (bytes to send), what is heard, and findings.

A protocol implements its probe as a generator that yields steps, receives the engine's output and returns
findings. The generator knows nothing of processes. `gyoji.play.probing` runs the steps and knows nothing of
protocols.

>>> def greet() -> "Probe[str]":
...     heard = yield Step(b"hello\n", 10**9, until=lambda said: said.endswith(b"\n"))
...     return "polite" if heard.said == b"hello\n" else "rude"
>>> probe = greet()
>>> next(probe).data
b'hello\n'
"""

import re
from collections.abc import Callable, Generator, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple, TypeAlias, TypeVar

from msgspec import Struct, field

T = TypeVar("T")

_NUMBER = re.compile(r"\d+")
_NONE: Mapping[str, tuple[str, ...]] = MappingProxyType({})
_NO_SETTINGS: Mapping[str, object] = MappingProxyType({})


class Step(NamedTuple):
    """One step of a probe: send bytes and read the answer.

    Attributes:
        data: Bytes to send, possibly none.
        patience: Time limit in ns after the bytes are written; None for the player's start-up budget. The end
            of the process also ends the step.
        until: Returns whether the step's output so far is a complete answer; None to read until the time
            limit.
        linger: Further ns to read after a complete answer, to catch unexpected output.
        fresh: Whether to end the process and start a new one first.
    """

    data: bytes
    patience: int | None
    until: Callable[[bytes], bool] | None = None
    linger: int = 0
    fresh: bool = False


class Heard(NamedTuple):
    """The output of an engine in one step.

    Attributes:
        said: All output, that of `linger` included.
        took: ns until the answer was complete, or else until the step ended. In the first step of a process,
            ns since its start.
        complete: Whether there was a complete answer.
        ended: Why the process cannot be asked again: how it ended, or a note that it does not read its input.
            "" if it can be asked again. If it cannot, further steps end at once, except `fresh` ones.
        delay: ns of `took` in which a thread of the engine was runnable without a processor.
    """

    said: bytes = b""
    took: int = 0
    complete: bool = False
    ended: str = ""
    delay: int = 0


Probe: TypeAlias = Generator[Step, Heard, T]


class Verdict(StrEnum):
    OK = "ok"
    LACKING = "not supported"
    WRONG = "out of protocol"


class Finding(Struct, frozen=True, kw_only=True):
    """The result of one trial: a command or question with which a probe tests an engine.

    Attributes:
        trial: The command or question in terms of the protocol ("START 20").
        took: ns until the answer; None if the time is meaningless.
        said: Output of the engine, unquoted.
        remark: Note; "" for none.
    """

    trial: str
    verdict: Verdict
    took: int | None = None
    said: str = ""
    remark: str = ""


class Findings(Struct, frozen=True, kw_only=True):
    """The findings of a probe about an engine.

    Attributes:
        name: Name that the engine reports.
        description: Description that the engine reports.
        trials: Findings in the order of the trials.
        supports: Features that the engine was observed to support, by subject ("sizes").
        deviations: Violations of the protocol, one sentence each, harmless ones included.
        dies_of: Commands after which its process ended, but which games do not need.
        prospects: (subject, expected outcome) in words. A subject is something that the engine could play,
            such as a league.
        unfit: Reasons why it cannot play at all, or cannot play the game of the probe. Empty if it can.
        settings: Protocol settings without which it would be misunderstood.
        waited: ns spent waiting for answers.
        delay: ns of `waited` in which the engine was runnable without a processor.
    """

    name: str = ""
    description: str = ""
    trials: tuple[Finding, ...] = ()
    supports: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: _NONE)
    deviations: tuple[str, ...] = ()
    dies_of: tuple[str, ...] = ()
    prospects: tuple[tuple[str, str], ...] = ()
    unfit: tuple[str, ...] = ()
    settings: Mapping[str, object] = field(default_factory=lambda: _NO_SETTINGS)
    waited: int = 0
    delay: int = 0


class Notes:
    """Collects the findings of a running probe.

    >>> notes = Notes()
    >>> for trial, took in (("BEGIN", 700), ("TURN", 900)):
    ...     notes.deviate(trial, f"took {took} ms of 500")
    >>> notes.deviations
    ('BEGIN: took 700 ms of 500 (1 more time)',)
    """

    def __init__(self) -> None:
        self.trials: list[Finding] = []
        self.dies_of: list[str] = []
        self._ends: dict[str, str] = {}  # first trial by the way in which the process ended
        self._deviations: dict[str, list[str]] = {}

    @property
    def deviations(self) -> tuple[str, ...]:
        """The violations of the protocol so far. Violations that differ only in numbers are merged."""
        return tuple(f"{each[0]}{_more(len(each) - 1)}" for each in self._deviations.values())

    def deviate(self, trial: str, what: str) -> None:
        """Record that the engine violated the protocol.

        Args:
            trial: The trial in words of the protocol.
            what: A short description of the violation.
        """
        self._deviations.setdefault(_NUMBER.sub("0", what), []).append(f"{trial}: {what}")

    def add(self, trial: str, verdict: Verdict, heard: Heard, said: str = "", remark: str = "") -> None:
        """Record a trial. The verdict WRONG also counts as a violation of the protocol.

        Args:
            trial: The trial in words of the protocol.
            heard: The output of the engine.
            said: The part of the output that matters.
            remark: Note, or the violation; "" for none.
        """
        took = heard.took if heard.complete else None
        if verdict is Verdict.WRONG:
            self.deviate(trial, remark)
        if remark and remark == heard.ended and (first := self._ends.setdefault(remark, trial)) != trial:
            remark = f"dies as of {first}"
        self.trials.append(Finding(trial=trial, verdict=verdict, took=took, said=said, remark=remark))


def _more(times: int) -> str:
    return f" ({times} more {'time' if times == 1 else 'times'})" if times else ""
