"""The machines that the run of a competition plays on."""

import time
from collections.abc import Mapping, Sequence
from typing import Any


class RunHosts:
    """The hosts as the run reported them last. A run on its own machine has none."""

    def __init__(self) -> None:
        self._told: Sequence[Mapping[str, Any]] = ()
        self._at = 0.0

    def take(self, told: Sequence[Mapping[str, Any]]) -> bool:
        """Take a new report. Return whether more than the time since their last signs of life has changed."""
        before, self._told, self._at = self._told, told, time.monotonic()
        # The time since a host was heard always grows, which is no news.
        return [{**host, "silent": 0} for host in before] != [{**host, "silent": 0} for host in told]

    def values(self) -> list[dict[str, Any]]:
        """Return the hosts, JSON-ready. `silent` is the number of seconds since each spoke, until now."""
        since = time.monotonic() - self._at
        return [{**host, "silent": round(host["silent"] + since, 1)} for host in self._told]
