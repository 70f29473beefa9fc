"""The record formats of Dig Here: fields, logs of games, and their summaries.

Fields and logs are written as the official manager writes them. Reading judges a log again: plans are
taken from the log, and their results have to be as the rules say.

A summary has a line for each agent and step, the scores last. An agent that falls out of the game is named
before the step in which it did: "Agent 2 (dog of a) is out of the game".
"""

from collections.abc import Iterator, Sequence

from gyoji.core.game import PlayedOut, RecordFormat
from gyoji.core.record import GameRecord, VoidGame
from gyoji.core.replay import Replay, Wanted
from gyoji.core.spec import GameSpec
from gyoji.core.text import printable
from gyoji.games.dighere.fields import AGENTS, flaws
from gyoji.games.dighere.files import UNKNOWN, Log, Play, read_log
from gyoji.games.dighere.plans import VALID
from gyoji.games.dighere.played import log_of, play_of, played_out, summary, written_log
from gyoji.games.dighere.rules import ROLES, DigHereRules

TAKES = ("goes_on",)
"""The fields of `Wanted` that apply to a log of Dig Here."""


def write_log(spec: GameSpec, record: GameRecord | VoidGame) -> bytes:
    """Return the log of a game as a file."""
    return written_log(spec, record, played_out(spec, record))


def write_played_log(spec: GameSpec, record: GameRecord, played: PlayedOut) -> bytes:
    """Return the log of a game whose positions are known, as a file."""
    return written_log(spec, record, played)


def replay_log(data: bytes, wanted: Wanted) -> list[Replay]:
    """Replay the game of a log; a field is a game of no steps.

    Raises:
        ConfigError: What the user asked for does not fit.
        ValueError: The file cannot be read.
    """
    wanted.check_fits("dighere", TAKES)
    log = read_log(data)
    judged = _Judged(log)
    refusals = tuple(judged.refusals())
    said, counted = (log.plays[-1].scores if log.plays else ()), judged.position.public.scores
    verdict = ""
    if log.plays and (wanted.goes_on or not refusals):
        differ = ": they differ" if said != counted else ""
        verdict = f"the record says {_shown(said)}, the rules {_shown(counted)}{differ}"
    return [
        Replay(
            facts=_facts(log),
            notes=tuple(_notes(log, judged)),
            refusals=refusals if wanted.goes_on else refusals[:1],
            diagram=judged.rules.render(judged.position) if verdict or not log.plays else "",
            verdict=verdict,
            differs=bool(verdict) and said != counted,
        )
    ]


class _Judged:
    """A log while its steps are replayed.

    Attributes:
        turned: The number of steps whose directions differ from the rules'.
        ahead: By how much the record's scores exceed the rules' ones; a difference is reported once.
    """

    def __init__(self, log: Log) -> None:
        self.log = log
        self.rules = DigHereRules(log.field)
        self.position = self.rules.start()
        self.turned = 0
        self.ahead: tuple[int, ...] = (0, 0)

    def refusals(self) -> Iterator[str]:
        """Replay the log. Yield a line for each entry that the rules decide otherwise."""
        for step, play in enumerate(self.log.plays):
            if play.step != step:
                yield f"step {step}: the record calls it step {play.step}"
            if not self.rules.acting(self.position):
                yield f"step {step}: the game is over"
                return
            turn = tuple(enumerate(play.plans))
            notes = self.rules.notes(self.position, turn)
            self.position = self.rules.play(self.position, turn)
            yield from self._differences(step, play, notes)

    def _differences(self, step: int, play: Play, notes: Sequence[str]) -> Iterator[str]:
        ours = play_of(self.position)
        for seat in range(AGENTS):
            if play.actions[seat] != ours.actions[seat]:
                plan, why = play.plans[seat], f" ({notes[seat]})" if notes[seat] else ""
                became = f"became {play.actions[seat]} in the record, {ours.actions[seat]} by the rules"
                yield f"step {step}: plan {plan} of agent {seat} {became}{why}"
        for seat, (said, agent) in enumerate(zip(play.agents, ours.agents, strict=False)):
            if said[:2] != agent[:2]:
                places = f"in ({said.x},{said.y}) in the record, in ({agent.x},{agent.y}) by the rules"
                yield f"step {step}: agent {seat} is {places}"
        ahead = tuple(said - counted for said, counted in zip(play.scores, ours.scores, strict=True))
        if ahead != self.ahead:
            self.ahead = ahead
            scores = f"{_shown(play.scores)} in the record, {_shown(ours.scores)} by the rules"
            yield f"step {step}: the scores are {scores}"
        looks = [agent.direction for agent in play.agents]
        if UNKNOWN not in looks and looks and tuple(looks) != self.position.directions:
            self.turned += 1


def _shown(scores: Sequence[int]) -> str:
    return " to ".join(map(str, scores))


def _facts(log: Log) -> tuple[tuple[str, str], ...]:
    field = log.field
    facts = [
        ("size", f"{field.size}x{field.size}"),
        ("steps", f"{len(log.plays)} of {field.steps}" if log.plays else str(field.steps)),
        ("think time", f"{field.think_time} ms"),
        ("holes", str(len(field.holes))),
        ("treasure", f"{field.treasure} in {len(field.known)} known and {len(field.hidden)} hidden cells"),
    ]
    return (("name", printable(log.name, 60)), *facts) if log.name else tuple(facts)


def _notes(log: Log, judged: _Judged) -> Iterator[str]:
    """Yield notes for a reader of the log."""
    yield from (f"the rules exclude such a field: {flaw}" for flaw in flaws(log.field))
    if log.plays and judged.rules.acting(judged.position):
        yield "the game was not played to its end"
    invalid = [
        (play.step, seat)
        for play in log.plays
        for seat, plan in enumerate(play.plans)
        if plan not in VALID[seat]
    ]
    if invalid:
        step, seat = invalid[0]
        yield f"{len(invalid)} plans were invalid, the first one of agent {seat} in step {step}"
    if judged.turned:
        yield f"after {judged.turned} steps agents look another way: this is for display alone"
    for earlier, later in zip(log.plays, log.plays[1:], strict=False):
        for seat, (left, then) in enumerate(zip(earlier.time_left, later.time_left, strict=False)):
            if then > left:
                yield f"agent {seat} has {left} ms left after step {earlier.step}, then {then} ms"
                return


def write_summary(spec: GameSpec, record: GameRecord | VoidGame) -> bytes:
    """Return the summary of a game as a file."""
    return summary(log_of(spec, record), fallen=_fallen(spec, record)).encode()


def _fallen(spec: GameSpec, record: GameRecord | VoidGame) -> dict[int, list[str]]:
    """Return one line for each agent that stopped answering, by the step at which it did."""
    fallen: dict[int, list[str]] = {}
    left = set(range(len(spec.players)))
    for step, turn in enumerate(record.turns):
        for seat in sorted(left - {played.seat for played in turn}):
            left.remove(seat)
            who = f"{ROLES[seat]} of {spec.players[seat].code}"
            fallen.setdefault(step, []).append(f"Agent {seat} ({who}) is out of the game\n")
    return fallen


LOG = RecordFormat(
    suffix=".dighere", write=write_log, write_played=write_played_log, replay=replay_log, content=read_log
)
SUMMARY = RecordFormat(suffix=".dighere.summary", write=write_summary)
