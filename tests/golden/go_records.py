"""Golden data of Go: who owns a board, whole games, and texts of rulesets.

Boards and maps are rows from the top, parted by ``/``: X Black, O White, ``.`` nobody. A record has these
maps, each for rules without suicide (0) and, where that differs, with it (1):

==========  ===========================================================================
``pa``      pass-alive stones and pass-alive territory
``safe``    and stone-free regions of any size between pass-alive groups (not compared)
``terr``    and all empty regions that one colour alone touches
``area``    and all other stones
``ind``     independently living regions alone; ``T``: and surrounded points elsewhere,
            dead stones included; ``S``: and other stones in their own area
``nind``    how many such regions, White's less Black's
==========  ===========================================================================

Games are told move by move, with legality at many states, captures, phases, ends and scores. Pictures show a
board as the side to move sees it, with one character for each point:

===========  ============================================================================
``X`` ``O``  a stone; ``x`` ``o`` one that is blocked
``A`` ``B``  a black or white blocked stone from which the side to move may take the mark
``.``        empty and legal; ``k`` the same, where a play takes the mark from a stone
``s``        empty, suicide; ``q`` simple ko; ``u`` superko, or a ko capture made before
===========  ============================================================================

Texts of rulesets are accepted or refused, and come to the same in every form.
"""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from gyoji.core.outcome import Ending
from gyoji.games.go import position as p
from gyoji.games.go.board import PASS, Board, board_of
from gyoji.games.go.game_options import Options
from gyoji.games.go.life import areas_of, independent_life, life_of, touched_alone
from gyoji.games.go.position import IllegalPlay, IllegalReason
from gyoji.games.go.rules import GoRules
from gyoji.games.go.ruleset_text import read
from gyoji.games.go.rulesets import KEYS

Record = Mapping[str, Any]


def is_area(record: Record) -> bool:
    return "b" in record and "area0" in record


def area_differences(record: Record) -> Iterator[str]:
    board = board_of(record["x"], record["y"])
    stones = read_rows(board, record["b"])
    for suicide in (False, True):
        got, regions = maps(board, stones, suicide=suicide)
        for name, pair in got.items():
            key = f"{name[:3]}{int(suicide)}{name[3:]}" if name.startswith("ind") else f"{name}{int(suicide)}"
            expected = record.get(key, record[key.replace("1", "0")])
            if (text := write_rows(board, *pair)) != expected:
                yield f"{key}: expected {expected}, got {text}"
        if regions != record[f"nind{int(suicide)}"]:
            yield f"nind{int(suicide)}: expected {record[f'nind{int(suicide)}']}, got {regions}"
    for name, expected in record.get("static", {}).items():
        scoring, tax, suicide_mark = name.split("-")
        ruleset = {"scoring": scoring, "tax": tax, "suicide": suicide_mark == "s1"}
        rules = GoRules(Options(board_size=(record["x"], record["y"]), komi=0, ruleset=ruleset))
        score = rules.score(rules.set_up(*stones, to_play="BW".index(record["pla"])))
        counted = {"area": write_rows(board, score.black, score.white), "score": float(score.lead)}
        if counted != expected:
            yield f"{name}: expected {expected}, got {counted}"


def maps(board: Board, stones: tuple[int, int], *, suicide: bool) -> tuple[dict[str, tuple[int, int]], int]:
    """Every map as (Black's, White's) points by its name, and the balance of living regions."""
    black, white = stones
    lives = life_of(board, black, white, suicide=suicide), life_of(board, white, black, suicide=suicide)
    secure = lives[0].secure, lives[1].secure
    open_points = board.full & ~(secure[0] | secure[1])
    alone = [points & open_points for points in touched_alone(board, black, white)]
    areas = areas_of(board, black, white, suicide=suicide)
    life = independent_life(board, areas)
    area, living = (areas.black, areas.white), (life.black, life.white)
    elsewhere = [points & ~own for points, own in zip(area, stones, strict=True)]
    own_stones = [points & own for points, own in zip(area, stones, strict=True)]

    def both(*parts: Any) -> tuple[int, int]:
        first = second = 0
        for part in parts:
            first, second = first | part[0], second | part[1]
        return first, second

    found = {
        "pa": secure,
        "terr": both(secure, alone),
        "area": area,
        "ind": living,
        "indT": both(living, elsewhere),
        "indS": both(living, own_stones),
        "indTS": both(living, elsewhere, own_stones),
    }
    return found, life.white_regions - life.black_regions


def read_rows(board: Board, text: str) -> tuple[int, int]:
    """Return the (black, white) stones of a board in one line."""
    black = white = 0
    for y, row in enumerate(reversed(text.split("/"))):
        for x, sign in enumerate(row):
            black |= (sign == "X") << board.bit(x, y)
            white |= (sign == "O") << board.bit(x, y)
    return black, white


def write_rows(board: Board, black: int, white: int) -> str:
    """Return two sets of points as a board in one line."""
    rows = []
    for y in reversed(range(board.height)):
        points = [1 << board.bit(x, y) for x in range(board.width)]
        rows.append("".join("X" if bit & black else "O" if bit & white else "." for bit in points))
    return "/".join(rows)


PHASES = ("", p.CLEANUP_1, p.CLEANUP_2)
ENDS = {p.TWO_PASSES: "pass2", p.REPEATED_PASS: "spight", p.NO_RESULT: "noresult"}
SIGNS = {
    IllegalReason.SUICIDE: "s",
    IllegalReason.KO: "q",
    IllegalReason.SUPERKO: "u",
    IllegalReason.ONCE: "u",
}


def is_game(record: Record) -> bool:
    return "mv" in record and "pla" in record


def game_differences(record: Record) -> Iterator[str]:
    """Play the game again and look at everything that the record says of it."""
    replay = Replay(record)
    start = replay.rules.score(replay.position)
    if float(start.handicap) != record["hb0"]:
        yield f"start: White has {start.handicap} for handicap, expected {record['hb0']}"
    yield from replay.state_differences()
    for text in record["mv"].split():
        try:
            yield from replay.move_differences(text)
        except IllegalPlay as refused:
            yield f"move {replay.number + 1}, {text}: refused: {refused.reason}"
            return
        yield from replay.state_differences()
    yield from replay.end_differences()


class Replay:
    """A game record on the way through its moves."""

    def __init__(self, record: Record) -> None:
        table = {key: value for key, value in record["r"].items() if key != "komi"}
        table["opening"] = record["assumeHcp"]
        self.record = record
        self.rules = GoRules(
            Options(
                board_size=(record["x"], record["y"]),
                komi=record["r"]["komi"],
                ruleset=table,
            )
        )
        stones = read_rows(self.rules.board, record["init"]) if record["init"] else (0, 0)
        self.position = self.rules.set_up(
            *stones, to_play="BW".index(record["pla"]), phase=PHASES[record["ph0"]]
        )
        self.number = 0
        self.captures = dict(record["cap"])
        self.phases = {number: (phase, why) for number, phase, why in record["ph"]}
        self.pictures = dict(record["s"])
        self.unblocks = frozenset(record["pfk"])
        self.settled_at = record["apa"]

    def state_differences(self) -> Iterator[str]:
        """Yield the differences before the next move, or at the end."""
        picture = self.pictures.get(self.number)
        if picture is not None and (got := draw_choices(self.rules, self.position)) != picture:
            yield f"state {self.number}: expected {picture}, got {got}"
        if self.settled_at is None or self.number <= self.settled_at[0]:
            expected = None
            if self.settled_at is not None and self.number == self.settled_at[0]:
                expected = self.settled_at[1]
            score = self.rules.settled_score(self.position)
            if (lead := None if score is None else float(score.lead)) != expected:
                yield f"state {self.number}: settled with {lead}, expected {expected}"

    def move_differences(self, text: str) -> Iterator[str]:
        """Play the next move; what of it is different."""
        rules, before = self.rules, self.position
        move = PASS if text == "-" else rules.parse(text)
        if before.passes >= p.TWO_PASSES:
            yield f"move {self.number + 1}: the game is over already ({ENDS[before.passes]})"
            return
        self.position = after = rules.play(before, ((before.to_play, move),))
        self.number += 1
        taken = captured(before, after)
        if taken != self.captures.get(self.number, 0):
            yield f"move {self.number}: takes {taken}, expected {self.captures.get(self.number, 0)}"
        is_unblock = move != PASS and before[:2] == after[:2] and not taken
        if is_unblock != (self.number in self.unblocks):
            yield f"move {self.number}: {'takes' if is_unblock else 'does not take'} a mark off"
        got = None
        if after.phase != before.phase:
            got = (PHASES.index(after.phase), "pass2" if before.passes else "spight")
        if got != self.phases.get(self.number):
            yield f"move {self.number}: starts {got}, expected {self.phases.get(self.number)}"

    def end_differences(self) -> Iterator[str]:
        """Yield the differences at the end."""
        expected, rules, position = self.record["end"], self.rules, self.position
        got: dict[str, Any] = {
            "n": self.number,
            "how": ENDS.get(position.passes, "unfinished"),
            "finished": position.passes >= p.TWO_PASSES,
            "noResult": position.passes == p.NO_RESULT,
            "phase": PHASES.index(position.phase),
            "board": write_rows(rules.board, position.black, position.white),
            "bCap": position.black_lost,
            "wCap": position.white_lost,
            "winner": None,
            "score": None,
        }
        score = rules.score(position)
        button_left = has_button_left(rules, position)
        got["buttonLeft"] = button_left
        got["bonus"] = float(score.balance + (Decimal(0) if button_left else score.button))
        got["hcpBonus"] = float(score.handicap)
        if got["finished"] and not got["noResult"]:
            outcome = rules.outcome(position)
            assert outcome.ending is Ending.SCORE
            got["winner"] = "draw" if outcome.winner is None else "BW"[outcome.winner]
            got["score"] = float(score.lead)
            got["area"] = write_rows(rules.board, score.black, score.white)
        for key, value in expected.items():
            if key not in got or got[key] != value:
                yield f"end: {key} is {got.get(key)!r}, expected {value!r}"


def captured(before: p.Position, after: p.Position) -> int:
    """Stones that a move took from the other side; negative: that it took from its own."""
    lost = (after.black_lost - before.black_lost, after.white_lost - before.white_lost)
    seat = before.to_play
    return lost[1 - seat] or -lost[seat]


def has_button_left(rules: GoRules, position: p.Position) -> bool:
    assert rules.choices is not None
    assert position.notes is not None
    return rules.choices.has_button and position.notes.button == p.UNTAKEN


def draw_choices(rules: GoRules, position: p.Position) -> str:
    """Return the picture of a position; legality is asked of `check` and, for the whole set, of `legal`."""
    board, seat = rules.board, position.to_play
    legal = set(rules.legal(position, seat))
    blocked = position.notes.blocked if position.notes else 0
    rows = []
    for y in reversed(range(board.height)):
        row = ""
        for point in (board.bit(x, y) for x in range(board.width)):
            bit = 1 << point
            reason = refusal(rules, position, point)
            marked = rules.takes_mark_off(position, point)
            if (reason is None) != (point in legal):
                sign = "?"
            elif bit & (position.black | position.white):
                sign = "XO"[bool(bit & position.white)]
                if bit & blocked:
                    sign = "AB"["XO".index(sign)] if reason is None else sign.lower()
            elif reason is None:
                sign = "k" if marked else "."
            else:
                sign = SIGNS[reason]
            row += sign
        rows.append(row)
    return "/".join(rows)


def refusal(rules: GoRules, position: p.Position, point: int) -> IllegalReason | None:
    try:
        rules.check(position, position.to_play, point)
    except IllegalPlay as refused:
        return refused.kind
    return None


def is_ruleset(record: Record) -> bool:
    return isinstance(record.get("input"), dict) and record["input"].get("cmd") in ("rules", "updateRule")


def ruleset_differences(record: Record) -> Iterator[str]:
    """Read the text again. Texts with a komi, and changes of one field, are nothing that gyoji reads."""
    asked = record["input"]
    if asked["cmd"] == "updateRule" or ("komi" in asked["s"].lower() and not asked.get("withoutKomi")):
        return
    try:
        ruleset = read(asked["s"])
    except ValueError as error:
        if record["ok"]:
            yield f"refused: {error}"
        return
    if not record["ok"]:
        yield f"accepted as {ruleset.compact()}, expected: {record['error']}"
        return
    fields = {key: getattr(ruleset, name) for key, name in KEYS.items()}
    expected = {key: value for key, value in record["rules"].items() if key != "komi"}
    if fields != expected:
        yield f"rules: expected {expected!r}, got {fields!r}"
    if ruleset.compact() != record["strNoKomi"]:
        yield f"strNoKomi: expected {record['strNoKomi']!r}, got {ruleset.compact()!r}"


KINDS = (
    (is_area, area_differences),
    (is_game, game_differences),
    (is_ruleset, ruleset_differences),
)
