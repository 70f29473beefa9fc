"""The referee's expected reaction to each vice of `vice.py`, by protocol and by whether there is a clock.

The verdicts in `VICES` hold where every line has to be an answer, as in GTP. Other protocols leave
an engine more freedom, or have rules of their own.
"""

from collections.abc import Mapping
from types import MappingProxyType

from gyoji.testing.vice import VICES

GOES_ON = "goes on"
"""The vice costs nothing."""

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


def expected(protocol: str, vice: str, *, is_clocked: bool) -> tuple[str, ...]:
    """The endings that are right: values of `Ending`, by the fault of the vice's seat, GOES_ON or OUT."""
    known = VICES[vice]
    usual = (known.clocked if is_clocked else known.unclocked) or (GOES_ON,)
    if protocol == "gomocup":
        return _GOMOCUP[vice][is_clocked] if vice in _GOMOCUP else usual
    if protocol == "usenix":
        return _USENIX.get(vice, usual)
    if protocol == "dighere":
        return _DIGHERE.get(vice, usual if usual == (GOES_ON,) else _LEFT)
    return usual
