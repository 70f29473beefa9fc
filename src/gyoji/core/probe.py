"""A conformance probe as values: what is said to an engine, what came back, what that amounts to. No I/O.

A protocol that has a probe writes it as a generator: it yields steps, is sent what was heard, and returns its
findings. It knows its protocol and nothing of processes; what carries it out (`gyoji.play.probing`) is the
other way round.

>>> def greet() -> "Probe[str]":
...     heard = yield Step(b"hello\\n", 10**9, until=lambda said: said.endswith(b"\\n"))
...     return "polite" if heard.said == b"hello\\n" else "rude"
>>> probe = greet()
>>> next(probe).data
b'hello\\n'
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
    """Say something, and listen.

    data      what to say, possibly nothing.
    patience  ns from when it was written, at most; the end of the process ends the step too. None: as long as
              the player may take to start.
    until     whether what was said since is a complete answer; None: listen as long as patience lasts.
    linger    ns to go on listening after a complete answer, for what should not come.
    fresh     in a new process: the one there is, if any, is ended first.
    """

    data: bytes
    patience: int | None
    until: Callable[[bytes], bool] | None = None
    linger: int = 0
    fresh: bool = False


class Heard(NamedTuple):
    """The output of the engine in one step.

    said      all that came, what came while lingering included.
    took      ns until the answer was complete, else until the step was over. The first step of a process
              counts from its start.
    complete  whether there was a complete answer.
    ended     how the process ended, "" while it runs. It then hears no more: steps that are not `fresh` are
              over at once.
    delay     ns of that in which a thread of the engine was ready to run and had no processor.
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
    UNCLEAR = "cannot tell"


class Finding(Struct, frozen=True, kw_only=True):
    """The finding of one trial.

    trial    in words of the protocol ("START 20").
    took     ns until it was answered; None if that says nothing.
    said     the engine's words, foreign text.
    remark   a note on it, "" if none.
    """

    trial: str
    verdict: Verdict
    took: int | None = None
    said: str = ""
    remark: str = ""


class Findings(Struct, frozen=True, kw_only=True):
    """The findings of a probe about an engine.

    name, description  what it calls itself.
    trials      in the order in which they were made.
    supports    by subject ("sizes"), what the engine was seen to support; nothing: none of it.
    deviations  what is out of protocol, a sentence each, whether or not it does harm here.
    dies_of     trials at which its process ended, and without which it can play.
    prospects   where it could play, and how it would fare there.
    unfit       why it cannot play at all, or not the game that it was probed for; empty if it can.
    settings    of its protocol that it needs to be understood; empty if it goes by those it has.
    waited      ns in which answers were waited for; delay: those of them that it had no processor for.
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
    """Notes of a probe on its way.

    >>> notes = Notes()
    >>> for trial, took in (("BEGIN", 700), ("TURN", 900)):
    ...     notes.deviate(trial, f"took {took} ms of 500")
    >>> notes.deviations
    ('BEGIN: took 700 ms of 500 (1 more time)',)
    """

    def __init__(self) -> None:
        self.trials: list[Finding] = []
        self.dies_of: list[str] = []
        self._ends: dict[str, str] = {}  # how the process has ended, and the first trial at which it did so
        self._deviations: dict[str, list[str]] = {}

    @property
    def deviations(self) -> tuple[str, ...]:
        """One for all that are the same but for numbers in them."""
        return tuple(f"{each[0]}{_more(len(each) - 1)}" for each in self._deviations.values())

    def deviate(self, trial: str, what: str) -> None:
        """Note what is out of protocol."""
        self._deviations.setdefault(_NUMBER.sub("0", what), []).append(f"{trial}: {what}")

    def add(self, trial: str, verdict: Verdict, heard: Heard, said: str = "", remark: str = "") -> None:
        """Note a trial; what is wrong in it is a deviation too. said: the words that count of what came."""
        took = heard.took if heard.complete else None
        if verdict is Verdict.WRONG:
            self.deviate(trial, remark)
        if remark and remark == heard.ended and (first := self._ends.setdefault(remark, trial)) != trial:
            remark = f"dies as of {first}"
        self.trials.append(Finding(trial=trial, verdict=verdict, took=took, said=said, remark=remark))


def _more(times: int) -> str:
    return f" ({times} more {'time' if times == 1 else 'times'})" if times else ""
