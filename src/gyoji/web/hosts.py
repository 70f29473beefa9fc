"""The machines that the run of a competition plays on, as it has told of them."""

import time
from collections.abc import Mapping, Sequence
from typing import Any


class RunHosts:
    """The hosts of a run as it tells them, () where it plays on its own machine alone."""

    def __init__(self) -> None:
        self._told: Sequence[Mapping[str, Any]] = ()
        self._at = 0.0

    def take(self, told: Sequence[Mapping[str, Any]]) -> bool:
        """How they are now; whether more than their silence has changed."""
        before, self._told, self._at = self._told, told, time.monotonic()
        return [_lasting(host) for host in before] != [_lasting(host) for host in told]

    def values(self) -> list[dict[str, Any]]:
        """The hosts, JSON-ready; `silent`: seconds since each spoke, until now."""
        since = time.monotonic() - self._at
        return [{**host, "silent": round(host["silent"] + since, 1)} for host in self._told]


def _lasting(host: Mapping[str, Any]) -> dict[str, Any]:
    return {**host, "silent": 0}
