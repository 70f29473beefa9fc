"""What holds for all tests: the signals that they are started with, and that in CI none is skipped.

In CI a skipped test is a failed run: there is nothing a machine of ours may lack.
"""

import gc
import os
import signal

import pytest
from hypothesis import HealthCheck, settings

# Numpy computes in one thread: several wait for each other where tests run side by side
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# A machine that is busy is no failure: how long an example takes says nothing here
settings.register_profile("gyoji", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("gyoji")


@pytest.fixture(scope="session", autouse=True)
def signals_as_in_the_foreground():
    """Tests that are started in the background (nohup, `&` of a script) find signals ignored, and so would
    all that they start, which is then told to end in vain. A handler is not inherited: this process goes on
    as it was meant to, and those that it starts have the usual signals."""
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, lambda *_: None)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rewrite", action="store_true", help="write the files of tests/report/expected anew")


def pytest_collection_finish() -> None:
    """What has been collected stays: no later collection of garbage looks through 12,000 tests once more."""
    gc.collect()
    gc.freeze()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = terminalreporter.stats.get("skipped", [])
    if skipped and os.environ.get("CI"):
        terminalreporter.section("skipped tests are failures in CI")
        for report in skipped:
            terminalreporter.line(f"{report.nodeid}: {report.longrepr[2] if report.longrepr else ''}")


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI") and reporter is not None and reporter.stats.get("skipped") and not exitstatus:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
