"""Reading and writing `.dighere` files: fields and logs as JSON, in exactly the official manager's form.

A file without plays is a field. The reader accepts every file that the official manager accepts, which need
not obey the rules; `fields.flaws` reports violations. The official manager writes all members. Its
documentation and the official page also have plays without `timeLeft` and agents without `direction`.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from gyoji.core.text import quote
from gyoji.games.dighere.fields import AGENTS, CONTEST_TIME, LARGEST, Agent, Field
from gyoji.games.dighere.plans import Cell, Treasure

FILETYPE = "SamurAI Dig Here Game Log"


MOST = 1_000_000
"""The greatest absolute value of a number in a field."""


_INT = 1 << 31  # plans are of 32 bits


_TEAMS = 2


T = TypeVar("T")


class Play(NamedTuple):
    """One step of a log.

    Attributes:
        plans: The plan of each of the four agents.
        actions: The plan that each agent carried out; -1 for none.
        scores: The treasure of each team after the step.
        agents: The agents after the step; () if the file does not have them.
        time_left: The ms that each agent has left after the step; () if the file does not have them.
    """

    step: int
    plans: tuple[int, ...]
    actions: tuple[int, ...]
    scores: tuple[int, ...]
    agents: tuple[Agent, ...] = ()
    time_left: tuple[int, ...] = ()


class Log(NamedTuple):
    """A field and the steps played on it."""

    field: Field
    plays: tuple[Play, ...] = ()


def read_text(data: bytes | str) -> Any:
    """Parse the JSON of a file; anything after it is ignored. Raises ValueError."""
    try:
        text = data if isinstance(data, str) else data.decode("utf-8-sig")
        raw, _ = json.JSONDecoder().raw_decode(text.lstrip())
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
    return raw


def read_field(raw: Any) -> Field:
    """Return the field in a file's JSON, or in its member `field`. Raises ValueError, which names the place.

    The lists of holes and treasure, `thinkTime` and `direction` may be missing. Their defaults are no holes,
    no treasure, 10 s and direction 0.
    """
    top = _object(raw, "the file")
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


def _rows(table: Mapping[str, Any], kind: type[T], *place: Any) -> tuple[T, ...]:
    """Convert a list in a file, whose items are JSON objects with numbers, to named tuples.

    Args:
        table: The object that has the list; a missing list is empty.
        kind: The class of the named tuples. Its fields are the members of an item.
        *place: The path of the list in the file, for messages. The last word is the list's name in `table`.
    """
    names: Sequence[str] = kind._fields  # type: ignore[attr-defined]
    defaults: Mapping[str, int] = kind._field_defaults  # type: ignore[attr-defined]
    rows = []
    for number, raw in enumerate(_array(table.get(place[-1], ()), *place)):
        row = _object(raw, *place, number)
        numbers = [_whole(row.get(name, defaults.get(name)), *place, number, name) for name in names]
        rows.append(kind(*numbers))
    return tuple(rows)


def read_log(data: bytes) -> Log:
    """Return the game or field of a file. Raises ValueError, which names the place."""
    top = _object(read_text(data), "the file")
    if "field" not in top:
        raise ValueError("field: missing")
    filetype = top.get("filetype", FILETYPE)
    if filetype != FILETYPE:
        raise ValueError(f"filetype: expected {FILETYPE!r}, got {filetype!r:.80}")
    plays = _array(top.get("plays", ()), "plays")
    return Log(
        field=read_field(top),
        plays=tuple(_play(_object(raw, "plays", step), step) for step, raw in enumerate(plays)),
    )


def _play(table: Mapping[str, Any], step: int) -> Play:
    place = ("plays", step)
    agents = _rows(table, Agent, *place, "agents")
    if len(agents) not in (0, AGENTS):
        raise ValueError(f"plays.{step}.agents: expected {AGENTS}, got {len(agents)}")
    left = table.get("timeLeft")
    return Play(
        step=_whole(table.get("step", step), *place, "step"),
        plans=_numbers(table.get("plans"), AGENTS, *place, "plans"),
        actions=_numbers(table.get("actions"), AGENTS, *place, "actions"),
        scores=_numbers(table.get("scores"), _TEAMS, *place, "scores"),
        agents=agents,
        time_left=_numbers(left, AGENTS, *place, "timeLeft") if isinstance(left, list) and left else (),
    )


def _numbers(raw: Any, count: int, *place: Any) -> tuple[int, ...]:
    numbers = _array(raw, *place)
    if len(numbers) != count:
        raise ValueError(f"{'.'.join(map(str, place))}: expected {count} numbers, got {len(numbers)}")
    return tuple([_whole(each, *place, most=_INT) for each in numbers])


def _object(raw: Any, *place: Any) -> Mapping[str, Any]:
    """Return `raw` if it is an object. Raises ValueError for any other value."""
    if type(raw) is not dict and not isinstance(raw, Mapping):
        raise ValueError(_misfit("an object", raw, place))
    return raw


def _array(raw: Any, *place: Any) -> Sequence[Any]:
    """Return `raw` if it is a list. Raises ValueError for any other value."""
    if not isinstance(raw, list | tuple):
        raise ValueError(_misfit("a list", raw, place))
    return raw


def _whole(raw: Any, *place: Any, most: int = MOST) -> int:
    """Return an integer in [-`most`, `most`], given as such or as 3.0. Raises ValueError for other values."""
    if isinstance(raw, float) and raw.is_integer():
        raw = int(raw)
    if type(raw) is not int:
        raise ValueError(_misfit("a whole number", raw, place))
    if not -most <= raw <= most:
        raise ValueError(_misfit(f"{-most} to {most}", raw, place))
    return raw


def _misfit(expected: str, raw: Any, place: Sequence[Any]) -> str:
    got = "nothing" if raw is None else quote(repr(raw))
    return f"{_name(place)}: expected {expected}, got {got}"


def _name(place: Sequence[Any]) -> str:
    """Return the name of a place in a file, such as plays.3.plans."""
    return ".".join(map(str, place))


def json_field(field: Field) -> dict[str, Any]:
    """Return a field as JSON values under the official names."""
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
    """Return a field as a `.dighere` file."""
    return log_file(field, ())


def log_file(field: Field, plays: Iterable[str]) -> bytes:
    """Return the file of a log: one line of JSON, as the official manager writes it.

    Args:
        field: The field.
        plays: The JSON text of each play.
    """
    about = json.dumps(
        {"field": json_field(field), "filetype": FILETYPE}, sort_keys=True, separators=(",", ":")
    )
    return f'{about[:-1]},"plays":[{",".join(plays)}]}}\n'.encode()
