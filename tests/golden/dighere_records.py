"""Golden data of Dig Here: games that the official manager played, to the byte.

A record has the manager's log; where the agents were scripted also the field's file (`config`) and all that
each agent read (`stdin`). What is compared: actions, places, directions, scores, known and hidden treasure
and the order of all lists as the agents were told them, the end, and the text of the log itself. The time
left is the manager's measurement and is taken from the log.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from gyoji.core import messages as m
from gyoji.core.clocks import Clock, TimeControl
from gyoji.games.dighere.codec import Options, codec
from gyoji.games.dighere.fields import AGENTS, Agent
from gyoji.games.dighere.files import Log, Play, log_file, read_field, read_log
from gyoji.games.dighere.played import play_text
from gyoji.games.dighere.position import Position
from gyoji.games.dighere.rules import DigHereRules

Record = Mapping[str, Any]

_CONTROL = TimeControl(main=1)  # its numbers are the log's


def is_log(record: Record) -> bool:
    return isinstance(record.get("log"), str) and '"SamurAI Dig Here Game Log"' in record["log"]


def log_differences(record: Record) -> Iterator[str]:
    """Play the game again and look at everything that the record says of it."""
    log = read_log(record["log"].encode())
    if "config" in record and read_field(record["config"]) != log.field:
        yield "the field of the log is not that of the file"
    replay = Replay(log, record.get("stdin"))
    yield from replay.differences()
    if log_file(log.field, replay.texts).decode() != record["log"]:
        yield "the log is written otherwise"


class Replay:
    """A game on the way through its steps."""

    def __init__(self, log: Log, told: list[str] | None) -> None:
        self.plays = log.plays
        self.rules = DigHereRules(log.field, shows_invalid=True)
        self.position = self.rules.start()
        self.left = (log.field.think_time,) * AGENTS
        self.told = told
        self.texts: list[str] = []  # of the plays, as our log has them
        self.codecs = [codec(Options()) for _ in range(AGENTS)]
        self.questions: list[list[str]] = [[] for _ in range(AGENTS)]  # that we put to each
        for seat, conversation in enumerate(self.codecs):
            view = self.rules.view(self.position, seat)
            conversation.send(m.NewGame(seat, self.rules, view, _CONTROL))

    def differences(self) -> Iterator[str]:
        for play in self.plays:
            if not self.rules.acting(self.position):
                yield f"step {play.step}: the game is over"
                return
            self._tell()
            self.position = self.rules.play(self.position, tuple(enumerate(play.plans)))
            self.left = play.time_left
            self.texts.append(play_text(self.position, self.left))
            yield from _step_differences(play, self.position)
        if self.rules.acting(self.position):
            yield f"after step {len(self.plays)}: the game is not over"
        for seat, told in enumerate(self.told or ()):
            questions = self.questions[seat]
            if not self.left[seat] and len("".join(questions)) > len(told):
                questions.pop()  # ended for its time, it may not have read what it was asked
            if told != (ours := "".join(questions)):
                yield f"agent {seat} is told {_first_difference(told, ours)}"

    def _tell(self) -> None:
        """Put the question to every agent that is asked: whose time is not used up."""
        for seat, left in enumerate(self.left):
            if left:
                clock = Clock(left * 1_000_000, 0, 1, 0)
                question = m.AskMove(self.rules.view(self.position, seat), (), "", clock)
                self.questions[seat].append(self.codecs[seat].send(question).decode())


def _step_differences(play: Play, position: Position) -> Iterator[str]:
    """Yield the differences after a step."""
    public = position.public
    agents = tuple(
        Agent(*cell, direction) for cell, direction in zip(public.agents, position.directions, strict=True)
    )
    for what, got, expected in (
        ("number", public.step - 1, play.step),
        ("actions", public.actions, play.actions),
        ("plans", public.plans, play.plans),
        ("agents", agents, play.agents),
        ("scores", public.scores, play.scores),
    ):
        if got != expected:
            yield f"step {play.step}: {what}: got {got}, expected {expected}"


def _first_difference(expected: str, got: str) -> str:
    for number, (line, ours) in enumerate(zip(expected.splitlines(), got.splitlines(), strict=False)):
        if line != ours:
            return f"in line {number % 13 + 1} of message {number // 13}: {ours!r}, expected {line!r}"
    return f"{len(got)} bytes, expected {len(expected)}"


KINDS = ((is_log, log_differences),)
