"""The commands of the probe to a GTP engine, their responses, and the notes about them.

An engine that has ended, or has not responded, is replaced before the next command by a new process with an
empty board of the same size. So one fault affects one trial, not all later ones.
"""

from typing import NamedTuple

from gyoji.core.probe import Heard, Notes, Probe, Step, Verdict
from gyoji.core.text import format_duration, quote
from gyoji.protocols.gtp.wording import SECOND, AnswerReader, read_answer

PATIENCE = 5 * SECOND
_LINGER = SECOND // 50
_GREETING_PATIENCE = 10 * SECOND  # which is for the start, too

CLOCKS = ("time_settings", "kgs-time_settings", "kata-time_settings", "time_left")
SCORES = ("final_score", "final_status_list")
HANDICAPS = ("fixed_handicap", "place_free_handicap", "set_free_handicap")

_SENT = frozenset(("protocol_version", "name", "version", "known_command"))
"""Optional commands that a referee sends in every game."""
_SENT_IF_KNOWN = frozenset((*CLOCKS, *SCORES))
_OPTIONAL = frozenset(("known_command", *SCORES, *HANDICAPS))
"""Commands whose responses are judged only if the engine lists the command."""


class Gone(Exception):
    """The engine has ended and cannot be started again."""


class Reply(NamedTuple):
    """The responses of an engine to commands that were written together.

    Attributes:
        answers: (success, text) of each response.
        trouble: Why responses are missing or malformed; "" if none are.
        heard: The raw output and its times.
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
        """The text of the first response, with "?" before it if the response is a failure.

        If there is no response, it is the raw output without the blanks around it.
        """
        if not self.answers:
            return self.heard.said.decode("utf-8", "replace").strip()
        success, text = self.answers[0]
        return text if success else f"? {text}".strip()


def say(data: str, *, answers: int = 1, patience: int | None = PATIENCE, fresh: bool = False) -> Probe[Reply]:
    """Send lines to the engine and return its responses.

    Args:
        answers: Number of responses to wait for.
        patience: ns to wait; None for the player's start-up budget.
        fresh: Whether to start a new process first.
    """

    def until(said: bytes) -> bool:
        return len(AnswerReader().feed(said)) >= answers

    heard = yield Step(data.encode(), patience, until, _LINGER, fresh)
    reader = AnswerReader()
    found = reader.feed(heard.said)
    read = [read_answer(each, False) for each in found]
    pairs = tuple((success, text) for success, _, text in read)
    return Reply(pairs, _trouble(heard, reader, len(found), answers), heard)


def greeting() -> Probe[bool]:
    """Return whether a program speaks GTP, that is, responds to `protocol_version`."""
    reply = yield from say("protocol_version\n", patience=_GREETING_PATIENCE, fresh=True)
    return reply.is_success or reply.is_failure


def _trouble(heard: Heard, reader: AnswerReader, found: int, due: int) -> str:
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
    """The probe's notes on one engine.

    Attributes:
        lacking: Reasons why no game can be played with the engine.
        name: The name that it reports.
        version: The version that it reports.
        commands: Commands that it lists.
        works: Names of the commands that succeeded.
        sizes: Board sizes that it accepts.
        is_slow: Whether a move took longer than its time limit.
    """

    def __init__(self) -> None:
        super().__init__()
        self.lacking: list[str] = []
        self.name = self.version = ""
        self.commands: frozenset[str] = frozenset()
        self.works: set[str] = set()
        self.sizes: list[str] = []
        self.is_slow = False

    def of(self, commands: tuple[str, ...]) -> tuple[str, ...]:
        """Return those of the given commands that the engine lists or has carried out."""
        return tuple(each for each in commands if each in self.commands or each in self.works)

    def success(self, trial: str, reply: Reply, *, needed: bool = False, flaw: str = "") -> bool:
        """Record a response that should be a success. Return whether it is.

        Args:
            needed: Whether no game can be played without the command.
            flaw: What is wrong with the text of a success; "" for nothing. It does not count for an optional
                command that the engine does not list.
        """
        word = trial.partition(" ")[0]
        flaw = flaw if reply.is_success else ""
        if reply.is_success and not flaw:
            self.add(trial, Verdict.OK, reply.heard, reply.text)
            self.works.add(word)
            return True
        remark = reply.trouble or flaw
        if reply.heard.ended:
            needed = needed or word in _SENT or (word in _SENT_IF_KNOWN and word in self.commands)
            if not needed:
                self.dies_of.append(trial)
        is_known = bool(remark) and any(each.endswith(f": {remark}") for each in self.lacking)
        if needed and not is_known:
            self.lacking.append(f"{trial}: {remark or f'answers {quote(reply.text)}'}")
        is_claimed = word in self.commands or word not in _OPTIONAL
        is_wrong = needed or bool(reply.trouble) or (bool(flaw) and is_claimed)
        verdict = Verdict.WRONG if is_wrong else Verdict.LACKING
        self.add(trial, verdict, reply.heard, reply.text, remark or ("has to be known" if needed else ""))
        return False

    def failure(self, trial: str, reply: Reply) -> None:
        """Record the response to a command that no referee sends, which should be a failure."""
        due = "" if reply.is_failure else "a failure is due: an answer that begins with ?"
        wrong = reply.trouble or due
        if reply.heard.ended:
            self.dies_of.append(trial)
        self.add(trial, Verdict.WRONG if wrong else Verdict.OK, reply.heard, reply.text, wrong)


class Interview:
    """The probe's conversation with one engine, whose process is replaced if it ends or does not respond."""

    def __init__(self) -> None:
        self.notes = EngineNotes()
        self._board: dict[str, str] = {}  # the commands that made the board, for a new process
        self._is_lost = True

    def ask(self, command: str, *, patience: int = PATIENCE) -> Probe[Reply]:
        """Send one command and return the response. Raises Gone if the engine cannot be started again."""
        reply = yield from self.say(f"{command}\n", patience=patience)
        word = command.partition(" ")[0]
        if reply.is_success and word in ("set_game", "boardsize"):
            self._board[word] = command
        return reply

    def say(self, data: str, *, answers: int = 1, patience: int = PATIENCE) -> Probe[Reply]:
        """Send lines and return the responses, after starting a new process if the last one is lost.

        Args:
            answers: Number of responses to wait for.
            patience: ns to wait for them.

        Raises:
            Gone: The engine cannot be started again.
        """
        yield from self.start_again()
        reply = yield from say(data, answers=answers, patience=patience)
        self._is_lost = not reply.heard.complete or bool(reply.heard.ended)
        return reply

    def greet(self) -> Probe[Reply]:
        """Start the first process and return its response to `protocol_version`."""
        # Engines load networks and books before the first response.
        reply = yield from say("protocol_version\n", patience=None, fresh=True)
        self._is_lost = not reply.heard.complete or bool(reply.heard.ended)
        return reply

    def start_again(self) -> Probe[None]:
        """Start a new process with the same board size if the last one ended or hung.

        Raises:
            Gone: The new process does not answer.
        """
        if not self._is_lost:
            return
        commands = ("protocol_version", *self._board.values())
        data = "".join(f"{each}\n" for each in commands)
        reply = yield from say(data, answers=len(commands), patience=None, fresh=True)
        if reply.heard.ended or not reply.heard.complete:
            self.notes.lacking.append(f"does not start again: {reply.trouble}")
            raise Gone
        self._is_lost = False

    def expect(
        self, command: str, *, trial: str = "", needed: bool = False, patience: int = PATIENCE
    ) -> Probe[bool]:
        """Send a command that should succeed, and record the response. Return whether it succeeds.

        Args:
            trial: Name in the notes; "" for the command itself.
            needed: Whether no game can be played without the command.
        """
        reply = yield from self.ask(command, patience=patience)
        return self.notes.success(trial or command, reply, needed=needed)

    def refuse(self, command: str, *, trial: str = "") -> Probe[None]:
        """Send a command that should fail, and record the response.

        Args:
            trial: Name in the notes; "" for the command itself.
        """
        self.notes.failure(trial or command, (yield from self.ask(command)))
