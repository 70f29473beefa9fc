r"""A conformance probe as values: what is sent to an engine, what it answers, and the findings.

A protocol writes its probe as a generator that yields steps, receives the engine's output and returns
findings. It knows the protocol and nothing of processes. `gyoji.play.probing` runs the steps and knows
nothing of protocols.

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
        patience: Time limit in ns from the moment they are written; None for the player's start-up budget.
            The end of the process also ends the step.
        until: Returns whether the output since then is a complete answer; None to read until the time
            limit.
        linger: ns to go on reading after a complete answer, for output that should not come.
        fresh: Whether to start a new process, and end the old one first.
    """

    data: bytes
    patience: int | None
    until: Callable[[bytes], bool] | None = None
    linger: int = 0
    fresh: bool = False


class Heard(NamedTuple):
    """The output of an engine in one step.

    Attributes:
        said: All output, also that during `linger`.
        took: ns until the answer was complete, or else until the step ended. The first step of a process
            counts from its start.
        complete: Whether there was a complete answer.
        ended: How the process ended; "" while it runs. Later steps that are not `fresh` end at once.
        delay: ns of `took` in which a thread of the engine was ready to run and had no processor.
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
    """The result of one trial of a probe.

    Attributes:
        trial: The trial in words of the protocol ("START 20").
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
        supports: What the engine was seen to support, by subject ("sizes").
        deviations: Violations of the protocol, one sentence each, harmless ones included.
        dies_of: Trials that ended its process and that games do not need.
        prospects: Games that it could play, and how it would do in them.
        unfit: Reasons why it cannot play at all, or not the game of the probe. Empty if it can.
        settings: Settings of its protocol that it needs to be understood.
        waited: ns spent waiting for answers.
        delay: ns of these in which it had no processor.
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
        """The violations of the protocol so far. Those that differ only in numbers are merged."""
        return tuple(f"{each[0]}{_more(len(each) - 1)}" for each in self._deviations.values())

    def deviate(self, trial: str, what: str) -> None:
        """Record that the engine violated the protocol.

        Args:
            trial: The trial in words of the protocol.
            what: The violation in a few words.
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
