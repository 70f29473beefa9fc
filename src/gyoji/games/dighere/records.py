"""The record formats of Dig Here: fields, logs of games, and their summaries.

Fields and logs are written in the official manager's form. A log that is read is judged again: its plans are
replayed, and their recorded results must be those of the rules.

A summary has a line for each agent in each step, and then the scores. A line such as "Agent 2 (dog of a) is
out of the game" comes before the step in which the agent left.
"""

from collections.abc import Iterator, Sequence

from gyoji.core.game import RecordFormat
from gyoji.core.record import GameRecord, VoidGame
from gyoji.core.replay import Replay, Wanted
from gyoji.core.spec import GameSpec
from gyoji.games.dighere.fields import flaws
from gyoji.games.dighere.files import Log, Play, read_log
from gyoji.games.dighere.plans import VALID
from gyoji.games.dighere.played import log_of, play_of, played_out, summary, written_log
from gyoji.games.dighere.position import Position
from gyoji.games.dighere.rules import ROLES, DigHereRules

TAKES = ("goes_on",)
"""The fields of `Wanted` that apply to a log of Dig Here."""


def replay_log(data: bytes, wanted: Wanted) -> list[Replay]:
    """Replay the game of a log. A file with only a field is replayed as a game without steps.

    Raises:
        ConfigError: The request has settings that Dig Here does not have.
        ValueError: The file cannot be read.
    """
    wanted.check_fits("dighere", TAKES)
    log = read_log(data)
    rules = DigHereRules(log.field)
    refusals, position = _judge(log, rules)
    said, counted = (log.plays[-1].scores if log.plays else ()), position.public.scores
    verdict = ""
    if log.plays and (wanted.goes_on or not refusals):
        differ = ": they differ" if said != counted else ""
        verdict = f"the record says {_shown(said)}, the rules {_shown(counted)}{differ}"
    return [
        Replay(
            facts=_facts(log),
            notes=tuple(_notes(log, is_over=not rules.acting(position))),
            refusals=tuple(refusals if wanted.goes_on else refusals[:1]),
            diagram=rules.render(position) if verdict or not log.plays else "",
            verdict=verdict,
            differs=bool(verdict) and said != counted,
        )
    ]


def _judge(log: Log, rules: DigHereRules) -> tuple[list[str], Position]:
    """Replay a log by the rules.

    Returns:
        (a line for each difference between the log and the rules, the last position).
    """
    position, refusals = rules.start(), list[str]()
    ahead: tuple[int, ...] = (0, 0)  # the record's scores less the rules': a difference is reported once
    for step, play in enumerate(log.plays):
        if play.step != step:
            refusals.append(f"step {step}: the record calls it step {play.step}")
        if not rules.acting(position):
            refusals.append(f"step {step}: the game is over")
            break
        turn = tuple(enumerate(play.plans))
        notes = rules.notes(position, turn)
        position = rules.play(position, turn)
        refusals += _differences(play, play_of(position), notes)
        scores = position.public.scores
        lead = tuple(said - counted for said, counted in zip(play.scores, scores, strict=True))
        if lead != ahead:
            ahead = lead
            both = f"{_shown(play.scores)} in the record, {_shown(scores)} by the rules"
            refusals.append(f"step {step}: the scores are {both}")
    return refusals, position


def _differences(play: Play, ours: Play, notes: Sequence[str]) -> Iterator[str]:
    """Yield a line for each difference between a step of a log and the same step by the rules.

    The agents' actions and their cells are compared.

    Args:
        play: The step in the log.
        ours: The step by the rules.
        notes: By seat, the reason why the plan failed; "" if it was carried out.
    """
    for seat, (said, action) in enumerate(zip(play.actions, ours.actions, strict=True)):
        if said != action:
            why = f" ({notes[seat]})" if notes[seat] else ""
            became = f"became {said} in the record, {action} by the rules"
            yield f"step {ours.step}: plan {play.plans[seat]} of agent {seat} {became}{why}"
    for seat, (agent, own) in enumerate(zip(play.agents, ours.agents, strict=False)):
        if agent[:2] != own[:2]:
            places = f"in ({agent.x},{agent.y}) in the record, in ({own.x},{own.y}) by the rules"
            yield f"step {ours.step}: agent {seat} is {places}"


def _shown(scores: Sequence[int]) -> str:
    return " to ".join(map(str, scores))


def _facts(log: Log) -> tuple[tuple[str, str], ...]:
    field = log.field
    return (
        ("size", f"{field.size}x{field.size}"),
        ("steps", f"{len(log.plays)} of {field.steps}" if log.plays else str(field.steps)),
        ("think time", f"{field.think_time} ms"),
        ("holes", str(len(field.holes))),
        ("treasure", f"{field.treasure} in {len(field.known)} known and {len(field.hidden)} hidden cells"),
    )


def _notes(log: Log, *, is_over: bool) -> Iterator[str]:
    """Yield remarks on a log: how its field violates the rules, that its game is not over, invalid plans.

    Args:
        is_over: Whether the log's last position ends the game.
    """
    yield from (f"the rules exclude such a field: {flaw}" for flaw in flaws(log.field))
    if log.plays and not is_over:
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


def write_summary(spec: GameSpec, record: GameRecord | VoidGame) -> bytes:
    """Return a game as text in lines for people: each agent's plan and time in each step, and the scores.

    The module `played` shows the form. A void game has the steps that were played before it broke off.
    """
    fallen: dict[int, list[str]] = {}
    left = set(range(len(spec.players)))
    for step, turn in enumerate(record.turns):
        for seat in sorted(left - {played.seat for played in turn}):
            left.remove(seat)
            who = f"{ROLES[seat]} of {spec.players[seat].code}"
            fallen.setdefault(step, []).append(f"Agent {seat} ({who}) is out of the game\n")
    return summary(log_of(spec, record), fallen=fallen).encode()


LOG = RecordFormat(
    suffix=".dighere",
    write=lambda spec, record: written_log(spec, record, played_out(spec, record)),
    write_played=written_log,
    replay=replay_log,
    content=read_log,
)
SUMMARY = RecordFormat(suffix=".dighere.summary", write=write_summary)
