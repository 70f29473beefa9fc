"""The correct ruling for each behaviour of `engine.py`, by protocol, with and without a clock.

The endings in `BEHAVIOURS` are correct where every line has to be an answer, as in GTP. Other protocols leave
an engine more freedom, or have rules of their own.
"""

from collections.abc import Mapping
from types import MappingProxyType

from bench.misbehaving.engine import BEHAVIOURS

GOES_ON = "goes on"
"""The behaviour costs nothing."""

OUT = "out"
"""The engine takes no further part, and the game goes on without it."""

_STUCK, _LEFT = ("fault",), (OUT,)
_SILENT = {True: ("time",), False: _STUCK}
_HARMLESS = {True: (GOES_ON,), False: (GOES_ON,)}

_GOMOCUP: Mapping[str, Mapping[bool, tuple[str, ...]]] = MappingProxyType(
    {
        # noise by this protocol, until the time is over
        "garbage": _SILENT,
        "none": _SILENT,
        "babble": _SILENT,
        # what nothing was asked for is dropped, if it is there before the question: else it answers that
        "twice": _HARMLESS,
        "early": dict.fromkeys((True, False), (GOES_ON, "illegal move")),
    }
)

_UCI: Mapping[str, Mapping[bool, tuple[str, ...]]] = MappingProxyType(
    {
        "babble": _SILENT,  # lines that are none of the protocol are read over
        # a move that nothing was asked for is counted, if it is there before the question: else it
        # answers that
        "twice": _HARMLESS,
        "early": dict.fromkeys((True, False), (GOES_ON, "illegal move")),
    }
)

_USENIX: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        # what is no move is garbage, which is read over, and a clock of CPU time does not run for the idle
        "garbage": _STUCK,
        "none": _STUCK,
        "twice": (GOES_ON,),
        "late": (GOES_ON,),
        "silent": _STUCK,
        "deaf": _STUCK,
        "partial": _STUCK,
        "drip": ("time", "fault"),
        "flood": ("time", "fault"),
        "endless": ("time", "fault"),
        # what came early answers the next question, or is garbage
        "early": (GOES_ON, "illegal move"),
        "daemon": _STUCK,  # a second process is against the rules
    }
)

_DIGHERE: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "illegal": (GOES_ON,),  # a number that is no plan
        "early": (GOES_ON, OUT),  # unless the next question is there by then
        "bad-end": (GOES_ON,),
    }
)


_UMPIRE: Mapping[str, Mapping[bool, tuple[str, ...]]] = MappingProxyType(
    {
        # any line is an answer, of which the umpire says that it is none
        "garbage": dict.fromkeys((True, False), ("illegal move",)),
        "none": dict.fromkeys((True, False), ("illegal move",)),
        "babble": dict.fromkeys((True, False), ("illegal move",)),
        "early": dict.fromkeys((True, False), ("fault", "illegal move")),
        # there is nothing to get ready for: the first question is the first move
        "never-ready": _SILENT,
        "slow-ready": _SILENT,
    }
)


def expected(protocol: str, behaviour: str, *, is_clocked: bool) -> tuple[str, ...]:
    """Return the correct endings: values of `Ending` charged to the engine's seat, GOES_ON, or OUT."""
    known = BEHAVIOURS[behaviour]
    default = (known.clocked if is_clocked else known.unclocked) or (GOES_ON,)
    if protocol == "gomocup":
        return _GOMOCUP[behaviour][is_clocked] if behaviour in _GOMOCUP else default
    if protocol == "umpire":
        return _UMPIRE[behaviour][is_clocked] if behaviour in _UMPIRE else default
    if protocol == "uci":
        return _UCI[behaviour][is_clocked] if behaviour in _UCI else default
    if protocol == "usenix":
        return _USENIX.get(behaviour, default)
    if protocol == "dighere":
        return _DIGHERE.get(behaviour, default if default == (GOES_ON,) else _LEFT)
    return default
