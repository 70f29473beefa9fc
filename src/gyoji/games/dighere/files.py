"""`.dighere` files: the JSON of fields and logs as values, read from whoever wrote it, written as officially.

A file whose list of plays is empty is a field. Reading takes what the official manager takes and asks only
that the numbers make a field; `fields.flaws` says what the rules exclude, which that manager plays all the
same. The official manager writes all members; its documents know plays without `timeLeft` and agents without
`direction`, and the official page exports such.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from gyoji.core.text import quote
from gyoji.games.dighere.fields import AGENTS, CONTEST_TIME, LARGEST, Agent, Field
from gyoji.games.dighere.plans import Cell, Treasure

FILETYPE = "SamurAI Dig Here Game Log"


MOST = 1_000_000
"""No number of a field is larger, nor smaller than its negative."""


UNKNOWN = -1
"""The direction of an agent that a file gives none."""


_INT = 1 << 31  # plans are of 32 bits


_TEAMS = 2


T = TypeVar("T")


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


def read_text(data: bytes | str) -> Any:
    """The JSON of a file; what follows it is ignored. Raises ValueError."""
    try:
        text = data if isinstance(data, str) else data.decode("utf-8-sig")
        plain, _ = json.JSONDecoder().raw_decode(text.lstrip())
    except RecursionError:
        raise ValueError("no JSON that a field could be written in: nested too deeply") from None
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8: {error}") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"no JSON: {error}") from None
    except ValueError:  # Python turns no more than 4,300 digits into a number
        raise ValueError(
            "no JSON that a field could be written in: a number of thousands of digits"
        ) from None
    return plain


def read_field(plain: Any) -> Field:
    """The field of a file's JSON, or of its member `field`. Raises ValueError, naming the place.

    Lists, `thinkTime` and `direction` may be left out: no holes, no treasure, 10 s, direction 0.
    """
    top = _object(plain, "the file")
    table, place = (_object(top["field"], "field"), ("field",)) if "field" in top else (top, ())
    agents = _rows(table, Agent, *place, "agents")
    if len(agents) != AGENTS:
        raise ValueError(f"{_name((*place, 'agents'))}: expected {AGENTS}, got {len(agents)}")
    size, steps = _whole(table.get("size"), *place, "size"), _whole(table.get("steps"), *place, "steps")
    if not 1 <= size <= LARGEST:
        raise ValueError(f"{_name((*place, 'size'))}: expected 1 to {LARGEST}, got {size}")
    if steps < 0:
        raise ValueError(f"{_name((*place, 'steps'))}: expected 0 or more, got {steps}")
    return Field(
        size=size,
        steps=steps,
        think_time=_whole(table.get("thinkTime", CONTEST_TIME), *place, "thinkTime"),
        agents=agents,
        holes=_rows(table, Cell, *place, "holes"),
        known=_rows(table, Treasure, *place, "known"),
        hidden=_rows(table, Treasure, *place, "hidden"),
    )


def _rows(table: Mapping[str, Any], kind: type[T], *place: str) -> tuple[T, ...]:
    """A list of objects as named tuples of their numbers; place: of the list, whose name is the last word."""
    names: Sequence[str] = kind._fields  # type: ignore[attr-defined]
    defaults: Mapping[str, int] = kind._field_defaults  # type: ignore[attr-defined]
    rows = []
    for number, plain in enumerate(_array(table.get(place[-1], ()), *place)):
        row = _object(plain, *place, number)
        numbers = [_whole(row.get(name, defaults.get(name)), *place, number, name) for name in names]
        rows.append(kind(*numbers))
    return tuple(rows)


def read_log(data: bytes) -> Log:
    """The game or field of a file. Raises ValueError, naming the place."""
    top = _object(read_text(data), "the file")
    if "field" not in top:
        raise ValueError("field: missing")
    filetype = top.get("filetype", FILETYPE)
    if filetype != FILETYPE:
        raise ValueError(f"filetype: expected {FILETYPE!r}, got {filetype!r:.80}")
    plays = _array(top.get("plays", ()), "plays")
    name = top.get("name", "")
    return Log(
        field=read_field(top),
        plays=tuple(_play(_object(plain, "plays", step), step) for step, plain in enumerate(plays)),
        name=name if isinstance(name, str) else "",
    )


def _play(table: Mapping[str, Any], step: int) -> Play:
    place = ("plays", step)
    agents = _array(table.get("agents", ()), *place, "agents")
    if len(agents) not in (0, AGENTS):
        raise ValueError(f"plays.{step}.agents: expected {AGENTS}, got {len(agents)}")
    left = table.get("timeLeft")
    return Play(
        step=_whole(table.get("step", step), *place, "step"),
        plans=_numbers(table.get("plans"), AGENTS, *place, "plans"),
        actions=_numbers(table.get("actions"), AGENTS, *place, "actions"),
        scores=_numbers(table.get("scores"), _TEAMS, *place, "scores"),
        agents=tuple(_agent(each, *place, "agents", number) for number, each in enumerate(agents)),
        time_left=_numbers(left, AGENTS, *place, "timeLeft") if isinstance(left, list) and left else (),
    )


def _agent(plain: Any, *place: Any) -> Agent:
    table = _object(plain, *place)
    return Agent(
        _whole(table.get("x"), *place, "x"),
        _whole(table.get("y"), *place, "y"),
        _whole(table.get("direction", UNKNOWN), *place, "direction"),
    )


def _numbers(plain: Any, count: int, *place: Any) -> tuple[int, ...]:
    numbers = _array(plain, *place)
    if len(numbers) != count:
        raise ValueError(f"{'.'.join(map(str, place))}: expected {count} numbers, got {len(numbers)}")
    return tuple([_whole(each, *place, most=_INT) for each in numbers])


def _object(plain: Any, *place: Any) -> Mapping[str, Any]:
    """`plain`, if it is an object. Raises ValueError."""
    if type(plain) is not dict and not isinstance(plain, Mapping):
        raise ValueError(_misfit("an object", plain, place))
    return plain


def _array(plain: Any, *place: Any) -> Sequence[Any]:
    """`plain`, if it is a list. Raises ValueError."""
    if not isinstance(plain, list | tuple):
        raise ValueError(_misfit("a list", plain, place))
    return plain


def _whole(plain: Any, *place: Any, most: int = MOST) -> int:
    """`plain`, if it is a whole number of at most that size (3.0 is one). Raises ValueError."""
    if isinstance(plain, float) and plain.is_integer():
        plain = int(plain)
    if type(plain) is not int:
        raise ValueError(_misfit("a whole number", plain, place))
    if not -most <= plain <= most:
        raise ValueError(_misfit(f"{-most} to {most}", plain, place))
    return plain


def _misfit(expected: str, plain: Any, place: Sequence[Any]) -> str:
    got = "nothing" if plain is None else quote(repr(plain))
    return f"{_name(place)}: expected {expected}, got {got}"


def _name(place: Sequence[Any]) -> str:
    """A place in a file in words, made when it is needed: plays.3.plans."""
    return ".".join(map(str, place))


def plain_field(field: Field) -> dict[str, Any]:
    """The field as JSON has it, under the official names."""
    return {
        "agents": [agent._asdict() for agent in field.agents],
        "hidden": [treasure._asdict() for treasure in field.hidden],
        "holes": [hole._asdict() for hole in field.holes],
        "known": [treasure._asdict() for treasure in field.known],
        "size": field.size,
        "steps": field.steps,
        "thinkTime": field.think_time,
    }


def format_field(field: Field) -> bytes:
    """A `.dighere` file with the field alone."""
    return format_file({"field": plain_field(field), "filetype": FILETYPE, "plays": []})


def format_log(log: Log) -> bytes:
    """The file as the official manager writes it."""
    return log_file(log.field, [play_text(play) for play in log.plays])


def log_file(field: Field, plays: Iterable[str]) -> bytes:
    """The file of a log, of the texts of its plays."""
    about = _json({"field": plain_field(field), "filetype": FILETYPE})
    return f'{about[:-1]},"plays":[{",".join(plays)}]}}\n'.encode()


_FOUR = ",".join(["%d"] * AGENTS)
_LOOKS = ",".join(['{"direction":%d,"x":%d,"y":%d}'] * AGENTS)
PLAY_TEXT = (
    f'{{"actions":[{_FOUR}],"agents":[{_LOOKS}],"plans":[{_FOUR}],"scores":[%d,%d],"step":%d,'
    f'"timeLeft":[{_FOUR}]}}'
)
"""A play with all its members, as most are: hundreds of them make a file. Its numbers are in this order."""


def play_text(play: Play) -> str:
    """A play as a log has it."""
    step, plans, actions, scores, agents, left = play
    if not (agents and left) or UNKNOWN in [agent.direction for agent in agents]:
        return _json(_plain_play(play))
    looks = [number for x, y, look in agents for number in (look, x, y)]
    return PLAY_TEXT % (*actions, *looks, *plans, *scores, step, *left)


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


def format_file(plain: Mapping[str, Any]) -> bytes:
    """The bytes of a file as the official manager writes them: one line, keys in alphabetical order."""
    return f"{_json(plain)}\n".encode()


def _json(plain: Mapping[str, Any]) -> str:
    return json.dumps(plain, sort_keys=True, separators=(",", ":"))
