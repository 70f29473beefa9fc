"""How a probe puts commands to a GTP engine, reads the answers, and keeps notes of them."""

from typing import NamedTuple

from gyoji.core.probe import Heard, Notes, Probe, Step, Verdict
from gyoji.core.text import format_duration, quote
from gyoji.protocols.gtp.answers import Answers, read_answer

SECOND = 1_000_000_000

_PATIENCE = 5 * SECOND
_LINGER = SECOND // 50


class Reply(NamedTuple):
    """The answers to what was said. trouble: why they are not all there, "" if they are.

    answers: (whether it succeeded, the text) of each.
    """

    answers: tuple[tuple[bool, str], ...]
    trouble: str
    heard: Heard

    @property
    def is_success(self) -> bool:
        return not self.trouble and all(success for success, _ in self.answers)

    @property
    def is_failure(self) -> bool:
        return not self.trouble and not any(success for success, _ in self.answers)

    @property
    def text(self) -> str:
        """Of the first answer; of a failure, with its question mark."""
        if not self.answers:
            return self.heard.said.decode("utf-8", "replace").strip()
        success, text = self.answers[0]
        return text if success else f"? {text}".strip()


def say(data: str, *, answers: int = 1, patience: int = _PATIENCE, fresh: bool = False) -> Probe[Reply]:
    """Say exactly this, and wait for so many answers."""

    def until(said: bytes) -> bool:
        return len(Answers().feed(said)) >= answers

    # Before the first answer engines read networks and books.
    heard = yield Step(data.encode(), None if fresh else patience, until, _LINGER, fresh)
    reader = Answers()
    found = reader.feed(heard.said)
    read = tuple(
        (success, text) for success, _, text in (read_answer(each, is_numbered=False) for each in found)
    )
    return Reply(read, _trouble(heard, reader, len(found), answers), heard)


def ask(command: str, *, patience: int = _PATIENCE) -> Probe[Reply]:
    """One command and its answer."""
    return say(f"{command}\n", patience=patience)


def _trouble(heard: Heard, reader: Answers, found: int, due: int) -> str:
    if heard.ended:
        return heard.ended
    if reader.stray:
        return f"a line that begins no answer: {quote(reader.stray)}"
    if found > due:
        return f"{found} answers where {due} {'is' if due == 1 else 'are'} due"
    if heard.complete:
        return ""
    if reader.has_begun:
        return f"no empty line after {quote(reader.begun().rstrip()[-80:])}"
    missing = "no answer" if not found else f"{found} of {due} answers"
    return f"{missing} in {format_duration(heard.took // SECOND * SECOND)}"


class EngineNotes(Notes):
    """Notes of one engine. `lacking` collects why it cannot be played with."""

    def __init__(self) -> None:
        super().__init__()
        self.lacking: list[str] = []

    def success(self, trial: str, reply: Reply, *, needed: bool = False, flaw: str = "") -> bool:
        """Note what came where a success is hoped for; whether it came.

        needed: without it no game can be played. flaw: what is wrong with the text of a success.
        """
        flaw = flaw if reply.is_success else ""
        if reply.is_success and not flaw:
            self.add(trial, Verdict.OK, reply.heard, reply.text)
            return True
        remark = reply.trouble or flaw
        if needed:
            self.lacking.append(f"{trial}: {remark or f'answers {quote(reply.text)}'}")
        verdict = Verdict.WRONG if remark or needed else Verdict.LACKING
        self.add(trial, verdict, reply.heard, reply.text, remark or ("has to be known" if needed else ""))
        return False

    def failure(self, trial: str, reply: Reply) -> bool:
        """Note what came where a failure is due."""
        wrong = reply.trouble or (
            "" if reply.is_failure else "a failure is due: an answer that begins with ?"
        )
        self.add(trial, Verdict.WRONG if wrong else Verdict.OK, reply.heard, reply.text, wrong)
        return not wrong
