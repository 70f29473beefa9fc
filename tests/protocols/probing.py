"""Probes driven without a process: an engine is a function of what it is told, and time stands still."""

from gyoji.core.probe import Heard

MS = 10**6


class Process:
    """An engine in memory. `answer(line)` gives the lines, or bytes, it says; `ends` is how it ended.

    took: ns that each answer takes.
    """

    took = MS
    ends = ""

    def hear(self, data):
        said = b""
        for line in data.decode().replace("\r\n", "\n").split("\n")[:-1]:
            if self.ends:
                break
            answer = self.answer(line)
            said += answer if isinstance(answer, bytes) else b"".join(f"{each}\n".encode() for each in answer)
        return said

    def answer(self, line):
        raise NotImplementedError


def interview(probe, make, most=500):
    """What a probe makes of processes made by `make()`; and how many there were."""
    process, made, ended = None, 0, ""
    try:
        step = next(probe)
        for _ in range(most):
            if step.fresh or process is None:
                process, made, ended = make(), made + 1, ""
            if ended:
                heard = Heard(ended=ended)
            else:
                said = process.hear(step.data)
                complete = step.until is not None and step.until(said)
                ended = process.ends
                took = process.took if complete or ended else step.patience
                heard = Heard(said, took, complete, ended)
            step = probe.send(heard)
    except StopIteration as end:
        return end.value, made
    raise AssertionError(f"more than {most} steps")
