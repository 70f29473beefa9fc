"""Counting a finished game as human players do, and the tool of a human judge for Go.

The judge says which groups are dead. First dead stones are removed and missed dame are filled. Area scoring
counts stones and surrounded points. Territory scoring counts surrounded points and prisoners, that is, stones
captured in play and dead stones. A point is surrounded if the empty region around it touches one colour only.
Points that a group in seki surrounds do not count. Its stones count under area scoring.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from types import MappingProxyType
from typing import NamedTuple

from gyoji.core.boards import bits
from gyoji.core.describe import result_code
from gyoji.core.game import Frame, JudgeView, Refusal
from gyoji.core.outcome import Ending, Outcome, shared, won_by
from gyoji.core.record import GameRecord, Ruling
from gyoji.core.replay import play_over
from gyoji.core.text import quote
from gyoji.games.go.board import PASS, Board, draw_signs
from gyoji.games.go.frames import place_of
from gyoji.games.go.life import life_of, touched_alone
from gyoji.games.go.phases import group_at
from gyoji.games.go.position import Position
from gyoji.games.go.rules import GoRules
from gyoji.games.go.rulesets import TERRITORY
from gyoji.games.go.score import Score, outcome_of


class Marks(NamedTuple):
    """A judge's marks on a position. All fields are sets of points.

    Attributes:
        dead: Stones to remove, of either colour, in whole groups.
        seki: Stones whose eyes do not count, in whole groups.
        black: Empty points filled with black stones. `white` is the same for White.
    """

    dead: int = 0
    seki: int = 0
    black: int = 0
    white: int = 0


class Count(NamedTuple):
    """The count of a marked position.

    Attributes:
        black: The set of points that count for Black. `white` is the same for White.
        prisoners: Numbers of stones that (Black, White) have captured, dead ones included; (0, 0) under area
            scoring.
        lead: White's points minus Black's, komi included.
    """

    black: int
    white: int
    prisoners: tuple[int, int]
    lead: Decimal


# Benson's algorithm is conservative: a stone that it calls dead is certainly dead.
def propose(board: Board, position: Position, *, suicide: bool) -> tuple[int, int]:
    """Return (certainly alive stones, certainly dead stones), the judge's first proposal.

    Most dead groups are in neither set, because the other side would still have to capture them.
    """
    black, white = position.black, position.white
    for_black = life_of(board, black, white, suicide=suicide)
    for_white = life_of(board, white, black, suicide=suicide)
    return for_black.alive | for_white.alive, for_black.secure & white | for_white.secure & black


def dame_of(board: Board, position: Position, marks: Marks) -> int:
    """Return the empty points that belong to neither side under the marks."""
    black, white = cleared(position, marks)
    alone = touched_alone(board, black, white)
    return board.full & ~(black | white | alone[0] | alone[1])


def cleared(position: Position, marks: Marks) -> tuple[int, int]:
    """Return the (black, white) stones after the removal of dead stones and the filling of dame."""
    return position.black & ~marks.dead | marks.black, position.white & ~marks.dead | marks.white


def count(board: Board, position: Position, marks: Marks, *, is_territory: bool, extra: Decimal) -> Count:
    """Count a marked position.

    Args:
        is_territory: Whether to count territory and prisoners instead of area.
        extra: White's points besides those on the board: komi, handicap and button.
    """
    black, white = cleared(position, marks)
    eyes_black, eyes_white = touched_alone(board, black, white)
    if marks.seki:
        spoiled = board.flood(board.spread(marks.seki), board.full & ~(black | white))
        eyes_black, eyes_white = eyes_black & ~spoiled, eyes_white & ~spoiled
    if not is_territory:
        mine, yours = black | eyes_black, white | eyes_white
        return Count(mine, yours, (0, 0), yours.bit_count() - mine.bit_count() + extra)
    prisoners = (
        position.white_lost + (position.white & marks.dead).bit_count(),
        position.black_lost + (position.black & marks.dead).bit_count(),
    )
    on_board = eyes_white.bit_count() - eyes_black.bit_count()
    return Count(eyes_black, eyes_white, prisoners, on_board + prisoners[1] - prisoners[0] + extra)


def picture(board: Board, position: Position, marks: Marks, counted: Count) -> str:
    """Draw the marked board as text, with the signs of `LEGEND`."""
    black, white = cleared(position, marks)
    signs = (
        (position.black & marks.dead, "x"),
        (position.white & marks.dead, "o"),
        (marks.black, "#"),
        (marks.white, "@"),
        (black, "X"),
        (white, "O"),
        (counted.black, "+"),
        (counted.white, "-"),
    )
    return draw_signs(board, signs)


LEGEND = "X # Black, O @ White (# and @ filled), x o dead, + Black's points, - White's, . nobody's"


COMMANDS = (
    "dead POINT...",
    "alive POINT...",
    "turn POINT...",
    "seki POINT...",
    "fill POINT b|w",
    "count area|territory",
    "score",
    "award b|w [MARGIN]",
    "draw",
    "incomplete",
    "remark TEXT",
)
_MARKINGS: Mapping[str, Callable[[int, int, int], tuple[int, int]]] = MappingProxyType(
    {
        "dead": lambda dead, seki, groups: (dead | groups, seki & ~groups),
        "alive": lambda dead, seki, groups: (dead & ~groups, seki & ~groups),
        "turn": lambda dead, seki, groups: (dead ^ groups, seki & ~groups),
        "seki": lambda dead, seki, groups: (dead & ~groups, seki | groups),
    }
)
"""The commands that mark groups: (dead stones, stones in seki, groups) -> (dead stones, stones in seki)."""
_SIDES = {"b": 0, "black": 0, "w": 1, "white": 1}
_WAYS = ("area", "territory")


class GoJudgeTable:
    """The judge's tool (port `JudgeTable`): marks on the last position of a game, and perhaps a decision.

    Without a decision, the count of the marked position decides the game.
    """

    commands: Sequence[str] = COMMANDS

    def __init__(self, rules: GoRules, record: GameRecord, dead: Sequence[str] = ()) -> None:
        self.rules = rules
        self.position = play_over(rules, record)[1]
        self.is_territory = bool(self.rules.choices and self.rules.choices.scoring == TERRITORY)
        self.remark = ""
        self._decision: tuple[Outcome, str] | None = None
        self._alive, proposed = propose(rules.board, self.position, suicide=rules.allows_suicide)
        self.marks = Marks(dead=proposed)
        score = rules.score(self.position)
        self._extra = Decimal(repr(rules.komi)) + score.handicap + score.button  # White's, not on the board
        for point in dead:
            with suppress(Refusal):  # an engine named it: it may be no point, or have no stone
                self.marks = self.marks._replace(dead=self.marks.dead | self._groups([point]))

    def opening(self) -> Iterator[str]:
        """Yield the first lines for the judge: stones certainly alive, stones proposed as dead, dame, and the
        board with its count.
        """
        board, marks = self.rules.board, self.marks
        yield f"alive for certain: {self._names(self._heads(self._alive))}"
        yield f"proposed as dead: {self._names(self._heads(marks.dead))}"
        yield f"dame: {self._names(bits(dame_of(board, self.position, marks)))}"
        yield from self._score()

    def obey(self, verb: str, words: list[str]) -> Iterator[str]:
        """Carry out one command of the judge and yield lines of output.

        Args:
            verb: The first word of the command, as in `COMMANDS`.
            words: The other words.

        Raises:
            Refusal: The command is invalid. Nothing is changed.
        """
        if verb in _MARKINGS:
            groups, marks = self._groups(words), self.marks
            dead, seki = _MARKINGS[verb](marks.dead, marks.seki, groups)
            self._mark(marks._replace(dead=dead, seki=seki))
        elif verb == "fill":
            if len(words) != 2 or words[1].lower() not in _SIDES:
                raise Refusal("write fill POINT b or fill POINT w")
            bit = 1 << self._point(words[0])
            if bit & (self.position.black | self.position.white):
                raise Refusal(f"{words[0]} is not empty")
            filled = [self.marks.black & ~bit, self.marks.white & ~bit]
            filled[_SIDES[words[1].lower()]] |= bit
            self._mark(self.marks._replace(black=filled[0], white=filled[1]))
        elif verb == "count":
            if len(words) != 1 or words[0] not in _WAYS:
                raise Refusal("write count area or count territory")
            self.is_territory, self._decision = words[0] == _WAYS[1], None
        elif verb == "score":
            self._decision = None
        elif verb == "award":
            if not 1 <= len(words) <= 2 or words[0].lower() not in _SIDES:
                raise Refusal("write award b or award w, and the margin if there is one")
            margin = _margin(words[1]) if len(words) > 1 else None
            points = won_by(_SIDES[words[0].lower()], 2)
            self._decision = Outcome(points=points, ending=Ending.SCORE, margin=margin), "awarded"
        elif verb == "draw":
            self._decision = Outcome(points=shared(2), ending=Ending.SCORE, margin=0.0), "a draw"
        elif verb == "incomplete":
            self._decision = Outcome(points=None, ending=Ending.NO_RESULT), "incomplete"
        elif verb == "remark":
            self.remark = " ".join(words)
        else:
            raise Refusal(f"no command {verb!r}; there are: {', '.join((*COMMANDS, 'accept', 'quit'))}")
        yield from self._score() if verb == "score" else [self._verdict()]

    def ruling(self, who: str, when: str) -> Ruling:
        """Return the ruling that follows from the present marks or decision.

        Args:
            who: Name of the judge.
            when: ISO 8601 time with offset.
        """
        outcome, basis = self._decided(self._count())
        marks = self.marks
        filled = [
            (seat, point) for seat, points in ((0, marks.black), (1, marks.white)) for point in bits(points)
        ]
        return Ruling(
            who=who,
            when=when,
            outcome=outcome,
            dead=tuple(self.rules.format(point) for point in self._heads(marks.dead)),
            seki=tuple(self.rules.format(point) for point in self._heads(marks.seki)),
            filled=tuple((seat, self.rules.format(point)) for seat, point in filled),
            basis=basis,
            remark=self.remark,
        )

    def view(self) -> JudgeView:
        """Return the marked board and its count (`JudgeTable.view`)."""
        position, counted = self.position, self._count()
        black, white = cleared(position, self.marks)
        signs: dict[int, str] = {}
        for sign, points in (
            ("B", black),
            ("W", white),
            ("b", position.black & ~black),
            ("w", position.white & ~white),
        ):
            signs |= dict.fromkeys(bits(points), sign)
        for side, points in enumerate((counted.black & ~black, counted.white & ~white)):
            signs |= {point: f"{signs.get(point, '')} +{side}".strip() for point in bits(points)}
        frame = Frame(
            changes=tuple(sorted((place_of(self.rules, each), sign) for each, sign in signs.items()))
        )
        columns = ("", f"points of {self._way}", "prisoners", "komi", "in all")
        return JudgeView(frame, columns, self._rows(counted), self._way)

    def _rows(self, counted: Count) -> tuple[tuple[str, ...], ...]:
        """Return a row of text for each side: its name, points, prisoners, komi and the sum."""
        rows = []
        for side, (name, points) in enumerate((("Black", counted.black), ("White", counted.white))):
            taken, extra = counted.prisoners[side], self._extra if side else Decimal(0)
            total = points.bit_count() + taken + extra
            figures = (Decimal(points.bit_count()), Decimal(taken), extra, total)
            rows.append((name, *(f"{figure.normalize():f}" for figure in figures)))
        return tuple(rows)

    # Commands

    # The position

    def _mark(self, marks: Marks) -> None:
        """Set the marks. An earlier decision is dropped."""
        self.marks, self._decision = marks, None

    def _point(self, word: str) -> int:
        try:
            move = self.rules.parse(word)
        except ValueError as error:
            raise Refusal(str(error)) from None
        if move == PASS:
            raise Refusal("pass is not a point")
        return int(move)

    def _groups(self, words: Sequence[str]) -> int:
        if not words:
            raise Refusal("name a point of each group, such as D4")
        groups = 0
        for word in words:
            try:
                groups |= group_at(self.rules.board, self.position, self._point(word))
            except ValueError as error:
                raise Refusal(f"{word}: {error}") from None
        return groups

    def _heads(self, stones: int) -> list[int]:
        """Return one point of each group in a set of stones, ascending."""
        board, position = self.rules.board, self.position
        groups = [*board.pieces(position.black, stones), *board.pieces(position.white, stones)]
        return sorted((group & -group).bit_length() - 1 for group in groups)

    def _names(self, points: Iterable[int]) -> str:
        return " ".join(self.rules.format(point) for point in points) or "none"

    @property
    def _way(self) -> str:
        return _WAYS[self.is_territory]

    def _count(self) -> Count:
        board, position, extra = self.rules.board, self.position, self._extra
        return count(board, position, self.marks, is_territory=self.is_territory, extra=extra)

    def _decided(self, counted: Count) -> tuple[Outcome, str]:
        """Return (outcome by the present marks or decision, its basis such as "counted by area")."""
        outcome = outcome_of(Score(counted.black, counted.white, counted.lead))
        return self._decision or (outcome, f"counted by {self._way}")

    def _verdict(self) -> str:
        outcome, basis = self._decided(self._count())
        return f"{result_code(outcome)} ({basis})"

    def _score(self) -> Iterator[str]:
        counted = self._count()
        yield picture(self.rules.board, self.position, self.marks, counted)
        yield LEGEND
        for name, points, taken in zip(
            ("Black", "White"), (counted.black, counted.white), counted.prisoners, strict=True
        ):
            prisoners = f", {taken} {'prisoner' if taken == 1 else 'prisoners'}" if self.is_territory else ""
            yield f"{name}: {points.bit_count()} points of {self._way}{prisoners}"
        yield f"White's komi and compensation: {self._extra}"
        yield self._verdict()


def _margin(word: str) -> float:
    try:
        margin = float(word)
    except ValueError:
        margin = 0.0
    if not 0 < margin < math.inf:
        raise Refusal(f"{quote(word)} is not a margin: write a number of points above 0")
    return margin
