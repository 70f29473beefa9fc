"""Games of Othello as SGF files: GM[2], squares by two letters from the upper left, moves with a colour.

Who is passed over has no node. Files are read as this module writes them: one game, its main line.
"""

import re
from collections.abc import Iterator, Sequence

from gyoji.core.describe import describe_result
from gyoji.core.faults import IllegalMove
from gyoji.core.game import RecordFormat, make_options
from gyoji.core.outcome import Ending, Outcome
from gyoji.core.record import GameRecord, VoidGame
from gyoji.core.replay import Replay, Wanted
from gyoji.core.spec import GameSpec
from gyoji_othello.rules import COLUMNS, SIDE, Options, OthelloRules, name

_PROPERTY = re.compile(r"([A-Z]+)\[((?:[^\\\]]|\\.)*)\]", re.DOTALL)
_OURS = re.compile(rb"\A\s*\(;[^;]*GM\[2\]")
_TAKES = ("is_scored",)
_SIDES = "BW"


def write(spec: GameSpec, record: GameRecord | VoidGame) -> bytes:
    """The file of a game."""
    rules = OthelloRules(make_options(Options, spec.options))
    played = [(each.seat, rules.parse(each.move), each) for turn in record.turns for each in turn]
    black, white = (player.code for player in spec.players)
    headings = {
        "FF": "4",
        "GM": "2",
        "CA": "UTF-8",
        "SZ": str(SIDE),
        "PB": black,
        "PW": white,
        "DT": record.started[:10] if isinstance(record, VoidGame) else record.result.started[:10],
        "GN": spec.id,
        "EV": spec.event,
        "RU": f"empties for {spec.options.get('empties', 'winner')}",
        "RE": _result(record.result.outcome) if isinstance(record, GameRecord) else "Void",
        "C": describe_result(record.result) if isinstance(record, GameRecord) else record.reason,
    }
    nodes = ["".join(f"{key}[{_escaped(text)}]" for key, text in headings.items() if text)]
    nodes += [f"{_SIDES[seat]}[{_point(square)}]" for seat, square in rules.opening_plays]
    for seat, square, each in played:
        comment = f"{each.ns // 1_000_000}ms\n{each.comment}".strip()
        nodes.append(f"{_SIDES[seat]}[{_point(square)}]C[{_escaped(comment)}]")
    return "".join(("(", *(f";{node}\n" for node in nodes), ")\n")).encode()


def _result(outcome: Outcome) -> str:
    if outcome.points is None:
        return "?"
    if outcome.winner is None:
        return "0"
    letters = {Ending.TIME: "T", Ending.RESIGNATION: "R"}
    end = f"{outcome.margin:g}" if outcome.ending is Ending.SCORE else letters.get(outcome.ending, "F")
    return f"{_SIDES[outcome.winner]}+{end}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")


def _point(square: int) -> str:
    return COLUMNS[square % SIDE] + COLUMNS[square // SIDE]


def _properties(data: bytes) -> Iterator[tuple[str, str]]:
    """(name, value) of the properties in their order. Raises ValueError for what is no file of Othello."""
    if not is_ours(data):
        raise ValueError("no SGF file of Othello: expected (; and GM[2]")
    for key, value in _PROPERTY.findall(data.decode("utf-8", "replace")):
        yield key, re.sub(r"\\(.)", r"\1", value, flags=re.DOTALL)


def is_ours(data: bytes) -> bool:
    """Whether the root says that this is a game of Othello."""
    return _OURS.match(data) is not None


def content(data: bytes) -> Sequence[tuple[str, str]]:
    """The properties, without comments."""
    return [pair for pair in _properties(data) if pair[0] != "C"]


def replay(data: bytes, wanted: Wanted) -> Sequence[Replay]:
    """The game of a file by the rules. Raises ValueError, and ConfigError for what does not fit."""
    wanted.check_fits("othello", _TAKES)
    found = list(_properties(data))
    heading = dict(reversed(found))
    rules = OthelloRules(Options(empties="nobody" if heading.get("RU") == "empties for nobody" else "winner"))
    position, refusals, count = rules.start(), [], 0
    for key, value in found:
        if key not in _SIDES or not value:
            continue
        count += 1
        seat = _SIDES.index(key)
        try:
            square = COLUMNS.index(value[0]) + SIDE * COLUMNS.index(value[1:])
            position = rules.play(position, ((seat, square),))
        except IllegalMove as error:
            refusals.append(f"move {count}, {key} {name(square)}: {error}")
            break
        except ValueError:
            raise ValueError(f"move {count}: {value!r} is no square") from None
    told = heading.get("RE", "")
    outcome = None if refusals or rules.acting(position) else _result(rules.outcome(position))
    differs = outcome is not None and told != outcome
    verdict = f"the record says {told}, the rules {outcome or 'no end'}" if told or outcome else ""
    facts = (("black", heading.get("PB", "")), ("white", heading.get("PW", "")), ("moves", str(count)))
    return [
        Replay(
            facts=facts, refusals=tuple(refusals), verdict=verdict, differs=differs, diagram=diagram(position)
        )
    ]


def diagram(position: tuple[int, int, int]) -> str:
    """The board, Black's discs as X."""
    black, white, _ = position
    rows = []
    for row in range(SIDE):
        places = range(row * SIDE, row * SIDE + SIDE)
        discs = ("X" if black >> at & 1 else "O" if white >> at & 1 else "." for at in places)
        rows.append(f"{row + 1} {' '.join(discs)}")
    return "\n".join([f"  {' '.join(COLUMNS)}", *rows])


SGF = RecordFormat(suffix=".sgf", write=write, replay=replay, content=content, is_ours=is_ours)
