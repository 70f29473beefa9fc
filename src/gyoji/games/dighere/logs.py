"""Games on record: the JSON of a `.dighere` file as values, read from whoever wrote it, written as
officially.

A file whose list of plays is empty is a field. The official manager writes all members; its documents know
plays without `timeLeft` and agents without `direction`, and the official page exports such.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from gyoji.core.clocks import Clock, TimeControl
from gyoji.games.dighere.fields import (
    AGENTS,
    FILETYPE,
    Agent,
    Field,
    as_list,
    as_number,
    as_object,
    format_file,
    plain_field,
    read_field,
    read_text,
)

UNKNOWN = -1
"""The direction of an agent that a file gives none."""

_INT = 1 << 31  # plans are of 32 bits
_TEAMS = 2
_MS = 1_000_000


class Play(NamedTuple):
    """One step. agents and time_left (ms) are as after it; () where the file does not say.

    An agent's direction is -1 where the file does not say.
    """

    step: int
    plans: tuple[int, ...]
    actions: tuple[int, ...]
    scores: tuple[int, ...]
    agents: tuple[Agent, ...] = ()
    time_left: tuple[int, ...] = ()


class Log(NamedTuple):
    """A field, and the steps that were played on it. name: as the file has it, "" without one."""

    field: Field
    plays: tuple[Play, ...] = ()
    name: str = ""


def read_log(data: bytes) -> Log:
    """The game or field of a file. Raises ValueError, naming the place."""
    top = as_object(read_text(data), "the file")
    if "field" not in top:
        raise ValueError("field: missing")
    filetype = top.get("filetype", FILETYPE)
    if filetype != FILETYPE:
        raise ValueError(f"filetype: expected {FILETYPE!r}, got {filetype!r:.80}")
    plays = as_list(top.get("plays", ()), "plays")
    name = top.get("name", "")
    return Log(
        field=read_field(top),
        plays=tuple(_play(as_object(plain, "plays", step), step) for step, plain in enumerate(plays)),
        name=name if isinstance(name, str) else "",
    )


def _play(table: Mapping[str, Any], step: int) -> Play:
    place = ("plays", step)
    agents = as_list(table.get("agents", ()), *place, "agents")
    if len(agents) not in (0, AGENTS):
        raise ValueError(f"plays.{step}.agents: expected {AGENTS}, got {len(agents)}")
    left = table.get("timeLeft")
    return Play(
        step=as_number(table.get("step", step), *place, "step"),
        plans=_numbers(table.get("plans"), AGENTS, *place, "plans"),
        actions=_numbers(table.get("actions"), AGENTS, *place, "actions"),
        scores=_numbers(table.get("scores"), _TEAMS, *place, "scores"),
        agents=tuple(_agent(each, *place, "agents", number) for number, each in enumerate(agents)),
        time_left=_numbers(left, AGENTS, *place, "timeLeft") if isinstance(left, list) and left else (),
    )


def _agent(plain: Any, *place: Any) -> Agent:
    table = as_object(plain, *place)
    return Agent(
        as_number(table.get("x"), *place, "x"),
        as_number(table.get("y"), *place, "y"),
        as_number(table.get("direction", UNKNOWN), *place, "direction"),
    )


def _numbers(plain: Any, count: int, *place: Any) -> tuple[int, ...]:
    numbers = as_list(plain, *place)
    if len(numbers) != count:
        raise ValueError(f"{'.'.join(map(str, place))}: expected {count} numbers, got {len(numbers)}")
    return tuple([as_number(each, *place, most=_INT) for each in numbers])


def format_log(log: Log) -> bytes:
    """The file as the official manager writes it."""
    plays = [_plain_play(play) for play in log.plays]
    return format_file({"field": plain_field(log.field), "filetype": FILETYPE, "plays": plays})


def _plain_play(play: Play) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "actions": play.actions,
        "plans": play.plans,
        "scores": play.scores,
        "step": play.step,
    }
    if play.agents:
        plain["agents"] = [_plain_agent(agent) for agent in play.agents]
    if play.time_left:
        plain["timeLeft"] = play.time_left
    return plain


def _plain_agent(agent: Agent) -> dict[str, int]:
    plain = agent._asdict()
    if agent.direction == UNKNOWN:
        del plain["direction"]
    return plain


def milliseconds(clock: Clock, control: TimeControl, think_time: int) -> int:
    """Time in ms as agents are told it: left on the clock, else the limit of a move, else think_time."""
    if control.has_main:
        return max(clock.main, 0) // _MS
    return control.move // _MS or think_time
