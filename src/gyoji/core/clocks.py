"""Time controls and clocks as values: arithmetic on nanoseconds that never reads a clock.

One `TimeControl` expresses every common time control:

==================  ==============================================================
none                nothing set
sudden death        ``main``
Fischer             ``main`` and ``increment``, which is added after each move made in time
Bronstein           ``bonus``: a move gets back the time it used, up to the increment
US delay            as Bronstein, but the clock starts with one increment added
hourglass           ``main``; the time that a seat uses is added to the other clocks
Japanese byo-yomi   ``main``, then ``periods`` periods of ``period``, each for one move
Canadian byo-yomi   ``main``, then one period of ``period`` for ``stones`` moves
moves in a time     a period from the start; its unused time carries over to the next (``carries``)
stages              moves in a time, then ``stages``; unused time carries over
per move            ``move`` limits each move, alone or on top of any other control
==================  ==============================================================

>>> control = TimeControl.parse("1m + 3x30s")
>>> clock = control.start()
>>> control.allowance(clock) == parse_duration("2m30s")
True
>>> clock = control.spend(clock, parse_duration("1m45s"))
>>> clock.main, clock.periods
(0, 2)
"""

# Theory of operation
#
# A `TimeControl` is the rule, a `Clock` the state of one seat. Both are values. Time enters only as the ns
# that a move took, measured by `gyoji.play.link` with the control's meter. So the referee, the review of
# stored games and the tests compute the same clocks from the same numbers.
#
#     start -> Clock -- spend(used) --> Clock -- spend(used) --> ... None: the seat has lost on time
#
#     main > 0:   main -= used                       main time, to which Fischer adds an increment
#     main <= 0:  the overshoot goes into byo-yomi   period -= overshoot; each whole period used up is lost
#
# * A move may take `allowance` ns: all that is left on the clock, all periods included, and the margin.
# * `margin` forgives lateness but the time is still charged. So `main`, and `period` for several stones, can
#   fall below 0 by the margin, once. A limit for each move, and byo-yomi with one stone, start anew with each
#   move, and so does their margin.
# * `from_start` charges the start of the process to main time: Gomocup's match time includes it.
# * `overrun` and `grain` come from the USENIX tournament of 1984. The move during which main time ends may
#   take `overrun` ns more. A move's time is rounded up to a multiple of `grain`, because that referee looked
#   at the clock only so often; rounding never takes more than is left.
# * Moves in a time are stages too: the last stage of a control repeats if it is for a number of moves. Each
#   clock counts the moves of its own seat only, in the game: moves of an opening do not count.
# * US delay and Bronstein use the same arithmetic (FIDE Laws of Chess 6.3.2, "time-delay mode"). A clock with
#   m left that waits d before it runs equals a clock with m + d left that runs at once and gets back
#   min(used, d). So the only difference is that a clock with US delay shows d more than one with Bronstein.
#   Engines know no delay: the time that they are sent is all the time they have.
# * An hourglass changes the other clocks: `receive` adds the used time to them. The sum of all clocks stays
#   as it was.
# * `charge` repeats `spend` and `allowance` for main time alone. Every move of a fast game calls it, and most
#   games have no more than main time and an increment.

import re
from collections.abc import Sequence
from contextlib import suppress
from enum import StrEnum
from functools import cached_property
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from gyoji.core.text import format_duration, parse_duration, quote
from gyoji.core.wire import Value, require

FORMS = (
    "10m, 1h, 8+0.08, 5m+3s, 5m + 3s delay, 5m + 3s bronstein, 3m hourglass, 10m + 3x30s, 10m + 5m/25, "
    "40/300, 40/90m + 30s, 30m + 30s or 2s/move"
)
"""One example of each form of a time control, for messages."""


_MS = 1_000_000


class Meter(StrEnum):
    """The kind of time that a clock charges: wall time or CPU time."""

    WALL = "wall"  # monotonic time between the question and the answer
    CPU = "cpu"  # user and system time of the engine's process, between the question and the answer
    USER = "user"  # user time since its last answer or its start (the USENIX tournament)


class Bonus(StrEnum):
    """How much of the increment a move earns."""

    FISCHER = "fischer"  # all of it
    BRONSTEIN = "bronstein"  # as much as the move used
    DELAY = "delay"  # as much as the move used; the clock begins with one increment on it (US delay)


class Clock(Struct, frozen=True):
    """The state of one seat's clock. Durations are in ns.

    Attributes:
        main: Main time that is left. It may be below 0, by up to `TimeControl.margin`.
        periods: Periods of byo-yomi that are left.
        stones: Moves still to be made in the current period.
        period: Time left in the current period. In a period for several moves it may be below 0, by up to the
            margin.
        stage: Index of the current stage, from 0, if the control has several.
    """

    main: int
    periods: int
    stones: int
    period: int
    stage: int = 0

    @property
    def in_byo_yomi(self) -> bool:
        return self.main == 0 and self.periods > 0


class ShownClock(NamedTuple):
    """A seat's clock for display. Durations are in ms.

    Attributes:
        left: Time until the seat loses on time.
        main: Main time that is left.
        period: Time that is left in the current period.
        periods: Periods that are left.
        stones: Moves to make in the current period; 0 if each period is for one move.
        move: Limit for one move; 0 for no limit.
    """

    left: int
    main: int
    period: int
    periods: int
    stones: int
    move: int


class StageTime(Value, frozen=True, kw_only=True):
    """One stage of a time control, which adds its time to the clock when it begins. Durations are in ns.

    Attributes:
        moves: Moves of the seat after which the next stage begins; 0 for the rest of the game.
        time: Time that the stage adds to the unused time of the previous stage.
        increment: Increment of each move in the stage.
    """

    moves: int = 0
    time: int = 0
    increment: int = 0

    def __post_init__(self) -> None:
        require(min(self.moves, self.time, self.increment) >= 0, "a stage has no negative numbers")


class TimeControl(Value, frozen=True, kw_only=True, dict=True):
    """The rules of a seat's clock: main time, increment, byo-yomi, or a limit for each move.

    All durations are in ns. 0 means that the control has no such part.

    Attributes:
        periods: Number of byo-yomi periods after main time.
        stones: Moves for which one byo-yomi period lasts.
        margin: Time in ns by which a move may exceed its limit without losing. The excess is still charged.
        grain: Unit to which the time of a move is rounded up.
        overrun: Extra time for the move during which main time ends, before byo-yomi begins.
        carries: Whether unused time of a period carries over to the next.
        stages: Stages that follow the first `stones` moves. Only allowed if `carries` is true. If the last
            stage is for a number of moves, it repeats.
        bonus: How much of the increment a move earns.
        hourglass: Whether time that other seats use is added to this clock.
        from_start: Whether main time runs while the engine starts.
        by_opening: Whether the game's opening may set another main time.
        meter: The kind of time that is charged.
    """

    main: int = 0
    increment: int = 0
    period: int = 0
    periods: int = 0
    stones: int = 1
    move: int = 0
    margin: int = 0
    grain: int = 0
    overrun: int = 0
    carries: bool = False
    stages: tuple[StageTime, ...] = ()
    bonus: Bonus = Bonus.FISCHER
    hourglass: bool = False
    from_start: bool = False
    by_opening: bool = False
    meter: Meter = Meter.WALL

    def __post_init__(self) -> None:
        durations = (self.main, self.increment, self.period, self.move, self.margin, self.grain, self.overrun)
        require(min(self.periods, *durations) >= 0, "a clock has no negative numbers")
        require(self.period or not self.overrun, "overrun needs byo-yomi for the moves after it")
        require(self.stones >= 1, "a byo-yomi period is for 1 stone or more")
        has_both = bool(self.period) == bool(self.periods)
        require(has_both, "byo-yomi needs both a period and a number of periods")
        is_session = self.period and not self.main
        problem = "moves in a time (carries) need a period and have no main time besides"
        require(is_session or not self.carries, problem)
        is_fischer = not self.period or self.carries
        require(is_fischer or not self.increment, "increment and byo-yomi do not go together")
        problem = "Canadian byo-yomi has one period: several stones or several periods, not both"
        require(self.stones == 1 or self.periods <= 1, problem)
        require(self.carries or not self.stages, "stages follow moves in a time, as in 40/90m, 30m")
        problem = "only the last stage may be for the rest of the game: the others need a number of moves"
        require(all(stage.moves for stage in self.stages[:-1]), problem)
        if self.bonus is not Bonus.FISCHER:
            increments = {self.increment, *(stage.increment for stage in self.stages)}
            problem = f"{self.bonus} needs an increment, which is the same in all stages"
            require(len(increments) == 1 and self.increment, problem)
        only_main = self.main and not (self.increment or self.period)
        require(only_main or not self.hourglass, "an hourglass has main time and nothing else")

    @classmethod
    def parse(cls, text: str, *, margin: int = 0, meter: Meter = Meter.WALL) -> "TimeControl":
        """Parse a time control.

        The forms are "none", "10m", "5m+3s" or "5m + 3s/move" (Fischer), "10m + 3x30s" (Japanese), "10m +
        5m/25" (Canadian) and "2s/move" (a limit for each move). Forms of chess programs are "8+0.08"
        (seconds, and seconds added after each move), "40/300" and "40/300+2" (moves in so many seconds), and
        "inf". A duration may also be "1:30" or "1:00:00".

        After an increment, "delay" and "bronstein" say that a move earns only what it used: "10m + 5s delay".
        "3m hourglass" adds the time that one side uses to the other side's clock. Commas separate stages, as
        in "40/90m + 30s, 30m + 30s". The forms of the PGN tag TimeControl, "*180" and "40/5400+30:1800+30",
        are accepted too. A colon is read as part of a duration wherever it can be one. Other colons separate
        stages.

        Args:
            margin: Grace in ns after the time is used up.
            meter: What is counted: wall time or CPU time.

        Raises:
            ValueError: The text has none of these forms. The message lists them.
        """
        compact = text.strip().lower()
        if compact in ("", "none", "inf"):
            return cls()
        try:
            numbers = _read_numbers(compact)
        except ValueError:
            raise ValueError(f"{quote(text)} is not a time control: write {FORMS}") from None
        try:
            control = replace(cls(margin=margin, meter=meter), **numbers)
        except ValueError as error:
            raise ValueError(f"{quote(text)} is not a time control: {error}") from None
        if control.is_unlimited:
            raise ValueError(f'{quote(text)} means no time at all: write "none" for no clock')
        return control

    def describe(self) -> str:
        """Return the control in the notation of `parse`, or "none" for no time limit.

        The text may have two parts that `parse` cannot read: ", 5s/move at most" after main time, and ", or
        the opening's own".
        """
        if self.is_unlimited:
            return "none"
        limit = f"{format_duration(self.move)}/move" if self.move else ""
        if not self.has_main:
            return limit
        if self.carries:
            text = ", ".join(self._stage_text(stage) for stage in self.all_stages)
            return f"{text}, {limit} at most" if limit else text
        text = format_duration(self.main)
        if self.by_opening:
            text += ", or the opening's own"
        if self.hourglass:
            text += " hourglass"
        text += self._increment_text(self.increment)
        if self.period and self.stones > 1:
            text += f" + {format_duration(self.period)}/{self.stones}"
        elif self.period:
            text += f" + {self.periods}x{format_duration(self.period)}"
        return f"{text}, {limit} at most" if limit else text

    def _stage_text(self, stage: StageTime) -> str:
        moves = f"{stage.moves}/" if stage.moves else ""
        return f"{moves}{format_duration(stage.time)}{self._increment_text(stage.increment)}"

    def _increment_text(self, increment: int) -> str:
        end = "/move" if self.bonus is Bonus.FISCHER else f" {self.bonus}"
        return f" + {format_duration(increment)}{end}" if increment else ""

    @cached_property
    def has_main(self) -> bool:
        """Whether the control has main time, byo-yomi or an increment. If not, its only possible limit is
        that for each move.
        """
        return bool(self.main or self.period or self.increment)

    @cached_property
    def is_unlimited(self) -> bool:
        return not (self.has_main or self.move)

    @cached_property
    def has_parts(self) -> bool:
        """Whether the control has periods (byo-yomi, moves in a time) or a limit per move."""
        return bool(self.period or self.move)

    # Cached, like the other properties here: every move reads them, and a control never changes.
    @cached_property
    def _is_of_main_time(self) -> bool:
        """Whether the control is main time, with or without an increment, and nothing else."""
        return self.has_main and self._is_fischer and not (self.period or self.move or self.grain)

    @cached_property
    def _is_fischer(self) -> bool:
        return self.bonus is Bonus.FISCHER

    @cached_property
    def all_stages(self) -> tuple[StageTime, ...]:
        """The stages of the control. Without `carries` there is one: the main time and increment."""
        if not self.carries:
            return (StageTime(time=self.main, increment=self.increment),)
        return StageTime(moves=self.stones, time=self.period, increment=self.increment), *self.stages

    def start(self, startup: int = 0) -> Clock:
        """Return the clock before the first move.

        Args:
            startup: ns that the engine took to get ready. They are charged only if `from_start` is set.
        """
        main = self.main - startup if self.from_start and self.main else self.main
        delay = self.increment if self.bonus is Bonus.DELAY else 0
        if self.carries:
            return Clock(main, self.periods, self.stones, self.period + delay)
        return Clock(main + delay, self.periods, self.stones, self.period)

    def increment_of(self, clock: Clock) -> int:
        """Return the increment, in ns, of the clock's current stage."""
        return self.stages[clock.stage - 1].increment if clock.stage else self.increment

    def receive(self, clock: Clock, used: int) -> Clock:
        """Return an hourglass clock with `used` ns added. Any other clock is returned unchanged.

        Args:
            used: ns that another seat used, or this clock's share of them.
        """
        return replace(clock, main=clock.main + used) if self.hourglass else clock

    def charge(self, clock: Clock, used: int) -> tuple[Clock, int | None] | None:
        """Return (clock after a move of `used` ns, ns allowed for the next move), or None if time ran out.

        The result is that of `spend` followed by `allowance`.
        """
        if not self._is_of_main_time:
            after = self.spend(clock, used)
            return None if after is None else (after, self.allowance(after))
        left = clock.main - used
        if left + self.margin < 0:
            return None
        left += self.increment
        return Clock(left, 0, clock.stones, 0), left + self.margin

    def allowance(self, clock: Clock) -> int | None:
        """Return how many ns the next move may take before the seat loses on time, `margin` included.

        None means no limit.
        """
        if not self.has_main:
            return self.move + self.margin if self.move else None
        left = self._left(clock)
        return (min(left, self.move) if self.move else left) + self.margin

    def _left(self, clock: Clock) -> int:
        """Return the ns left on the clock, remaining byo-yomi periods included."""
        if clock.main > 0 and self.overrun and not self.stages:
            return clock.main + self.overrun
        if clock.periods:
            return clock.main + clock.period + (clock.periods - 1) * self.period
        return clock.main

    def reading(self, allowed: int) -> tuple[int, int]:
        """Split a remaining time into (ns until the current period ends, number of periods after it).

        During main time the first number is the ns until byo-yomi begins.

        Args:
            allowed: The result of `allowance`. With stages, `overrun` or a limit per move it cannot be split,
                and the result is (all of it, 0).

        >>> control = TimeControl.parse("5m + 3x10s")
        >>> [control.reading(parse_duration(left)) for left in ("5m30s", "25s", "20s", "4s")]
        [(300000000000, 3), (5000000000, 2), (10000000000, 1), (4000000000, 0)]
        """
        left = max(allowed - self.margin, 0)
        if not self.period or self.carries or self.overrun or self.move:
            return left, 0
        all_periods = self.periods * self.period
        if left > all_periods or not left:
            return max(left - all_periods, 0), self.periods if left else 0
        after = -(-left // self.period) - 1
        return left - after * self.period, after

    def shown(self, clock: Clock) -> ShownClock | None:
        """Return the clock for display, or None if there is no time limit.

        >>> control = TimeControl.parse("1m + 3x30s")
        >>> control.shown(control.start())
        ShownClock(left=150000, main=60000, period=30000, periods=3, stones=0, move=0)
        """
        left = self.allowance(clock)
        if left is None:
            return None
        return ShownClock(
            left=max(left - self.margin, 0) // _MS,
            main=max(clock.main, 0) // _MS,
            period=max(clock.period, 0) // _MS,
            periods=clock.periods,
            stones=clock.stones if (self.stones > 1 or self.stages) and clock.periods else 0,
            move=self.move // _MS,
        )

    def spend(self, clock: Clock, used: int) -> Clock | None:
        """Return the clock after a move that took `used` ns, or None if the move lost on time."""
        allowed = self.allowance(clock)
        if allowed is not None and used > allowed:
            return None
        if not self.has_main:
            return clock
        if self.grain:
            used = max(used, min(-(-used // self.grain) * self.grain, self._left(clock)))
        if self.carries:
            return self._spend_stage(clock, used)
        left = clock.main - used
        if left > 0 or not self.periods:
            left += self.increment if self._is_fischer else min(used, self.increment)
            return Clock(left, clock.periods, clock.stones, clock.period)
        if clock.main > 0 and self.overrun:
            return Clock(0, clock.periods, clock.stones, clock.period)
        return self._spend_byo_yomi(clock, -left)

    def _spend_byo_yomi(self, clock: Clock, over: int) -> Clock:
        """Return the clock after a move that ended in byo-yomi.

        Args:
            over: ns of byo-yomi that the move used; 0 if the move used exactly the rest of main time.
        """
        periods, left = clock.periods, clock.period - over
        while left < 0 and periods > 1:
            periods, left = periods - 1, left + self.period
        if clock.main and not over:
            return Clock(0, periods, self.stones, self.period)
        if clock.stones > 1:
            return Clock(0, periods, clock.stones - 1, left)
        return Clock(0, periods, self.stones, self.period)

    def _spend_stage(self, clock: Clock, used: int) -> Clock:
        """Return the clock after a move of `used` ns in a control with stages. The move was made in time.

        The time left in a stage with a number of moves is in `Clock.period`. The time left in a last stage
        without such a number is in `Clock.main`.
        """
        stages = self.all_stages
        stage = stages[clock.stage]
        left = clock.main + clock.period - used
        left += stage.increment if self._is_fischer else min(used, stage.increment)
        if not stage.moves:
            return Clock(left, 0, 1, 0, clock.stage)
        if clock.stones > 1:
            return Clock(0, 1, clock.stones - 1, left, clock.stage)
        number = min(clock.stage + 1, len(stages) - 1)
        new = stages[number]
        if new.moves:
            return Clock(0, 1, new.moves, left + new.time, number)
        return Clock(left + new.time, 0, 1, 0, number)


def pass_on(controls: Sequence[TimeControl], clocks: Sequence[Clock], giver: int, used: int) -> list[Clock]:
    """Return all seats' clocks after seat `giver` used `used` ns. Each other hourglass gains an equal share.

    >>> controls = [TimeControl.parse("1m hourglass")] * 2
    >>> clocks = [control.start() for control in controls]
    >>> [clock.main // 10**9 for clock in pass_on(controls, clocks, giver=0, used=5 * 10**9)]
    [60, 65]
    """
    share = used // max(len(clocks) - 1, 1)
    return [
        clock if seat == giver else control.receive(clock, share)
        for seat, (control, clock) in enumerate(zip(controls, clocks, strict=True))
    ]


def _read_numbers(text: str) -> dict[str, Any]:
    """Parse a time control into fields of `TimeControl`. Raises ValueError for text of another form."""
    first, *others = _split_stages(text)
    numbers = _read_stage(first)
    if not others:
        return numbers
    bonus = numbers.get("bonus", Bonus.FISCHER)
    stages = []
    for each in map(_read_stage, others):
        wrong = each.keys() & {"periods", "move", "hourglass"} and not each.get("carries")
        if wrong or each.get("bonus", bonus) is not bonus:
            raise ValueError(text)
        moves, time = each.get("stones", 0), each.get("period", 0) or each.get("main", 0)
        stages.append(StageTime(moves=moves, time=time, increment=each.get("increment", 0)))
    return numbers | {"stages": tuple(stages)}


def _split_stages(text: str) -> list[str]:
    """Split a time control into its stages, at commas or, as PGN writes them, at colons."""
    if "," not in text and ":" in text:
        with suppress(ValueError):
            _read_stage(text)
            return [text]
        return text.split(":") if re.match(r"\d+/", text) else [text]
    return text.split(",")


def _read_stage(text: str) -> dict[str, Any]:
    """Parse one stage of a time control into fields of `TimeControl`.

    Raises ValueError for text of another form.
    """
    head, plus, tail = (part.strip() for part in text.partition("+"))
    if not plus and head.endswith("/move"):
        return {"move": _duration(head.removesuffix("/move"))}
    if not plus and (glass := _HOURGLASS.fullmatch(head)):
        return {"main": _duration(glass[1] or glass[2]), "hourglass": True}
    if session := re.fullmatch(r"(\d+)\s*/\s*(\S+)", head):
        base = {"period": _duration(session[2]), "periods": 1, "stones": int(session[1]), "carries": True}
        return base | _increment(session[2], tail) if plus else base
    main = {"main": _duration(head)}
    if not plus:
        return main
    if japanese := re.fullmatch(r"(\d+)\s*x\s*(\S+)", tail):
        return main | {"period": _duration(japanese[2]), "periods": int(japanese[1])}
    if canadian := re.fullmatch(r"(\S+)\s*/\s*(\d+)", tail):
        return main | {"period": _duration(canadian[1]), "periods": 1, "stones": int(canadian[2])}
    return main | _increment(head, tail)


def _increment(main: str, text: str) -> dict[str, Any]:
    """Parse an increment into fields of `TimeControl`: "3s", "3s/move", "3s delay", "3s bronstein", or a bare
    number of seconds after a main time without a unit.

    "5m+3" is refused, because the 3 could mean seconds or minutes.
    """
    kind = re.fullmatch(r"(.*\S)\s*(delay|bronstein)", text)
    number = kind[1] if kind else text
    if _NUMBER.fullmatch(number) and not _UNITLESS.fullmatch(main):
        raise ValueError(text)
    if kind:
        return {"increment": _duration(number), "bonus": Bonus(kind[2])}
    return {"increment": _duration(number.removesuffix("/move"))}


_HOURGLASS = re.compile(r"(\S+)\s*hourglass|\*\s*(\S+)")
_NUMBER = re.compile(r"\d+(\.\d*)?|\.\d+")
_UNITLESS = re.compile(r"[\d.:]+")
_BY_COLONS = re.compile(r"(?:(\d+):)?(\d+):([0-5]\d(?:\.\d+)?)")


def _duration(text: str) -> int:
    """Parse a duration, such as "90s", "1:30" or "1:00:00", into ns. Raises ValueError for other text."""
    if parts := _BY_COLONS.fullmatch(text):
        return parse_duration(float(parts[1] or 0) * 3600 + float(parts[2]) * 60 + float(parts[3]))
    return parse_duration(text)
