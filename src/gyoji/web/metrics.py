"""Figures for monitoring, in the text format of Prometheus (version 0.0.4): `/metrics`.

It is made of what is known already; nothing is read from a store for it.
"""

import os
import resource
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import NamedTuple

from gyoji.web.following import Followed
from gyoji.web.hub import Hub

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"

_START = time.time()


class Metric(NamedTuple):
    """A figure, with its value for each set of labels. kind: gauge, or counter for what only grows."""

    name: str
    kind: str
    text: str
    values: Iterable[tuple[Mapping[str, str], float]]


def metrics(hub: Hub) -> str:
    """All figures of a server."""
    told = [*_of_competitions(list(hub.competitions.values())), *_of_server(hub)]
    return "".join(line for metric in told for line in _lines(metric))


def _of_competitions(all_of_them: list[Followed]) -> Iterator[Metric]:
    summaries = [each.summary() for each in all_of_them]

    def of_each(name: str, text: str, key: str) -> Metric:
        values = [(_label(told["competition"]), _figure(told[key])) for told in summaries]
        known = [(labels, value) for labels, value in values if value is not None]
        return Metric(f"gyoji_{name}", "gauge", text, known)

    yield of_each("games_finished", "Games that are stored.", "finished")
    yield of_each(
        "games_remaining", "Games still to be played; none for a competition without end.", "remaining"
    )
    yield of_each("games_in_progress", "Games that are being played.", "playing")
    yield of_each("games_void", "Attempts at a game that came to nothing.", "void")
    yield of_each("games_set_aside", "Games that keep failing and are not played any more.", "set_aside")
    yield of_each("games_waiting_for_ruling", "Games that wait for the judge.", "needs_ruling")
    yield of_each("players_suspended", "Players that are not played with any more.", "suspended")
    yield of_each("run_up", "Whether the competition is being run.", "running")
    yield of_each("run_paused", "Whether its run is paused.", "paused")
    yield of_each("trouble", "Whether something keeps the server from reading it.", "trouble")
    yield from _of_hosts(all_of_them)
    endings = [
        (_label(each.name, ending=ending), float(count))
        for each in all_of_them
        for ending, count in _endings(each).items()
    ]
    yield Metric("gyoji_games_ended", "gauge", "Games that are stored, by how they ended.", endings)


def _of_hosts(all_of_them: list[Followed]) -> Iterator[Metric]:
    """Figures of the machines of clusters."""
    hosts = [(each.name, host) for each in all_of_them for host in each.hosts.values()]

    def of_each(name: str, text: str, key: str, *, kind: str = "gauge") -> Metric:
        values = [(_label(run, host=host["name"]), _figure(host[key])) for run, host in hosts]
        known = [(labels, value) for labels, value in values if value is not None]
        return Metric(f"gyoji_host_{name}", kind, text, known)

    yield of_each("slots", "Games that the host plays at once; 0: it gets none.", "slots")
    yield of_each("games_in_progress", "Games that it plays now.", "playing")
    yield of_each("games_finished_total", "Games that it has played in this run.", "played", kind="counter")
    yield of_each("speed", "How fast it is.", "speed")
    yield of_each("silent_seconds", "Seconds since it was heard.", "silent")
    yield of_each("trouble", "Whether it gets no games for a reason.", "trouble")


def _endings(followed: Followed) -> Mapping[str, int]:
    """How many games ended in each way."""
    found: dict[str, int] = {}
    for (ending, _), count in followed.digest.endings.items():
        found[ending.value] = found.get(ending.value, 0) + count
    return found


def _of_server(hub: Hub) -> Iterator[Metric]:
    used = resource.getrusage(resource.RUSAGE_SELF)
    broadcast = hub.broadcast
    yield _one("gyoji_readers", "gauge", "Streams of events that are being read.", broadcast.readers)
    yield _one("gyoji_readers_dropped_total", "counter", "Readers that did not keep up.", broadcast.dropped)
    yield _one("gyoji_journal_events_total", "counter", "Events of the journal.", broadcast.events)
    cpu = used.ru_utime + used.ru_stime
    yield _one("process_cpu_seconds_total", "counter", "CPU time of the server.", round(cpu, 3))
    yield _one("process_start_time_seconds", "gauge", "When the server was started.", round(_START, 3))
    with suppress(OSError, ValueError, IndexError):
        with open("/proc/self/statm", encoding="ascii") as file:
            resident = int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        yield _one("process_resident_memory_bytes", "gauge", "Memory of the server.", resident)
        yield _one("process_open_fds", "gauge", "Open descriptors.", len(os.listdir("/proc/self/fd")))


def _one(name: str, kind: str, text: str, value: float) -> Metric:
    return Metric(name, kind, text, [({}, value)])


def _label(competition: str, **more: str) -> Mapping[str, str]:
    return {"competition": competition, **more}


def _figure(value: object) -> float | None:
    """The figure that stands for a value of a summary: how many there are, or whether there is something.

    >>> _figure(["0_1", "0_2"]), _figure("cannot be read"), _figure(True), _figure(None)
    (2.0, 1.0, 1.0, None)
    """
    if value is None:
        return None
    if isinstance(value, list | dict):
        return float(len(value))
    return float(bool(value)) if isinstance(value, str) else float(value)  # type: ignore[arg-type]


def _lines(metric: Metric) -> Iterator[str]:
    yield f"# HELP {metric.name} {metric.text}\n"
    yield f"# TYPE {metric.name} {metric.kind}\n"
    for labels, value in metric.values:
        told = ",".join(f'{name}="{_escaped(text)}"' for name, text in labels.items())
        yield f"{metric.name}{f'{{{told}}}' if told else ''} {value:.15g}\n"


def _escaped(text: str) -> str:
    r"""A label's value as the format wants it.

    >>> _escaped('a"b\\c')
    'a\\"b\\\\c'
    """
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
