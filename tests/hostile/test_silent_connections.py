"""Engines with the network open a thousand connections to a server, and other clients are still answered."""

from functools import cache

import pytest
import trials

pytestmark = [pytest.mark.process, pytest.mark.slow]

every_case = pytest.mark.parametrize(
    ("level", "user"), [(level, user) for level in trials.LEVELS for user in trials.USERS]
)


@cache
def trial(level, user):
    trials.check_readable(user)
    said = trials.run_silence_trial(user=user, level=level)
    assert "lost" not in said, said["lost"]
    return said


@every_case
def test_a_thousand_connections_without_a_byte_keep_nobody_out_and_end_no_stream(level, user):
    """The server has 256 descriptors, and is run by the same user as the engine.

    A level changes which network an engine has, but `network = true` gives it the machine's at each. At
    strict a process has few descriptors, so the engine has several processes.
    """
    said = trial(level, user)
    assert said["silent"] > 900
    assert said["answered"]["silent"]
    assert said["stays"]


@every_case
def test_a_thousand_event_streams_keep_nobody_out(level, user):
    """Level and user are those of the engine, as above; the server treats all connections alike."""
    said = trial(level, user)
    assert said["streams"] > 900
    assert said["answered"]["streams"]
