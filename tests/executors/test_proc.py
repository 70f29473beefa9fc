"""Figures of /proc that the machine of the tests does not have."""

from gyoji.executors import _proc

STATUS = b"""\
Name:\tengine
VmRSS:\t   70000 kB
RssAnon:\t   10000 kB
RssFile:\t   50000 kB
RssShmem:\t   10000 kB
HugetlbPages:\t   20480 kB
"""


def test_huge_pages_that_the_machine_has_set_apart_count_as_memory(monkeypatch):
    monkeypatch.setattr(_proc, "read", lambda path: STATUS if path == "/proc/7/status" else b"")
    monkeypatch.setattr(_proc, "names", lambda folder: [])
    assert _proc.memory([7], 1 << 40) == (10000 + 10000 + 20480) << 10
