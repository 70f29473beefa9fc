"""The machines that a competition's run plays on."""

import time
from collections.abc import Mapping, Sequence
from typing import Any


class RunHosts:
    """The hosts (machines) of a run, as the run has reported them last. Most runs have none."""

    def __init__(self) -> None:
        self._told: Sequence[Mapping[str, Any]] = ()
        self._at = 0.0

    def take(self, told: Sequence[Mapping[str, Any]]) -> bool:
        """Replace the hosts by a new report. Return whether more has changed than the time of silence."""
        before, self._told, self._at = self._told, told, time.monotonic()
        # The time since a host was heard always grows, which is no news.
        return [{**host, "silent": 0} for host in before] != [{**host, "silent": 0} for host in told]

    def values(self) -> list[dict[str, Any]]:
        """Return the hosts, JSON-ready. `silent`: seconds since the run has heard from it."""
        since = time.monotonic() - self._at
        return [{**host, "silent": round(host["silent"] + since, 1)} for host in self._told]
