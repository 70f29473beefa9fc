"""Probes without processes: an engine is a function from lines to answers, and time is simulated."""

from gyoji.core.probe import Heard

MS = 10**6


class Process:
    """An engine in memory.

    Attributes:
        answer: Returns the lines, or bytes, of the answer to a line.
        ends: How the process ended.
        took: ns that each answer takes.
        startup: ns that the first answer takes at least.
    """

    took = MS
    startup = MS
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


def interview(probe, make, most=500, budget=60 * 1000 * MS):
    """Run a probe with processes made by `make()`. Return its result, and the number of processes.

    Args:
        budget: ns for the start, if a step leaves that to the player's settings.
    """
    process, made, ended, late = None, 0, "", b""
    try:
        step = next(probe)
        for _ in range(most):
            if step.fresh or process is None:
                process, made, ended, late, starting = make(), made + 1, "", b"", True
            patience = budget if step.patience is None else step.patience
            if ended:
                heard = Heard(ended=ended)
            elif starting and process.startup > patience:
                late = process.hear(step.data)
                heard = Heard(b"", patience)
            else:
                said = late + process.hear(step.data)
                complete = step.until is not None and step.until(said)
                ended = process.ends
                took = max(process.took, starting and process.startup) if complete or ended else patience
                heard, late = Heard(said, took, complete, ended), b""
            starting = False
            step = probe.send(heard)
    except StopIteration as end:
        return end.value, made
    raise AssertionError(f"more than {most} steps")
