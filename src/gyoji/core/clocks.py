"""Clocks as values: how long a seat may think, as pure arithmetic on nanoseconds. Reads no clock.

One `TimeControl` holds every control the field knows, because each is a choice of the same few numbers:

==================  ==============================================================
none                nothing set
sudden death        ``main``
Fischer             ``main`` and ``increment``: added after every move made in time
Japanese byo-yomi   ``main``, then ``periods`` periods of ``period`` with 1 ``stones``
Canadian byo-yomi   ``main``, then one period of ``period`` for ``stones`` moves
moves in a time     the same from the start, and what is left of a period is added to the next (``carries``)
per move            ``move``: no move may take longer; alone, or on top of any other
==================  ==============================================================

`margin` forgives lateness: the time is charged all the same, so that main time, or a period of byo-yomi for
several stones, may fall below 0 by the margin, once. A limit per move is new at each move, and so is its
margin; a period of byo-yomi for one stone likewise. The time charged is of the meter the control names: wall
time, or the CPU time of the engine. With `from_start` the time from the start of its process until it is
ready is taken off main time too (Gomocup's match time). With `overrun` the move during which main time ends
may go on for so long after it, not for a period; only the moves after it are in byo-yomi (the USENIX
tournament). With `grain` what a move took is rounded up to a multiple of it, as by a referee that looks every
so often; rounding takes no more than is left. With `by_opening` a game's main time is what its opening gives,
where it gives one (a think time).

>>> control = TimeControl.parse("1m + 3x30s")
>>> clock = control.start()
>>> control.allowance(clock) == parse_duration("2m30s")
True
>>> clock = control.spend(clock, parse_duration("1m45s"))
>>> clock.main, clock.periods
(0, 2)
"""

import re
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from gyoji.core.text import format_duration, parse_duration, quote
from gyoji.core.wire import Value

FORMS = "10m, 1h, 8+0.08, 5m+3s, 10m + 3x30s, 10m + 5m/25, 40/300 or 2s/move"
"""Each form of a time control, in an example."""


_MS = 1_000_000


class Meter(StrEnum):
    """The kind of time that a clock charges."""

    WALL = "wall"  # monotonic time between the question and the answer
    CPU = "cpu"  # user and system time of the engine's process, between the question and the answer
    USER = "user"  # user time it has accumulated since its last answer, or its start (the USENIX tournament)


class Clock(Struct, frozen=True):
    """The state of one seat's clock. ns; `stones` is what is still to be played in this period.

    main, or period if it is for several stones, is below 0 when the margin has been needed.
    """

    main: int
    periods: int
    stones: int
    period: int  # left of the running period

    @property
    def in_byo_yomi(self) -> bool:
        return self.main == 0 and self.periods > 0


class ShownClock(NamedTuple):
    """A clock for who looks at it, in ms.

    left     until the seat has lost on time, if it does not move.   main, period: left of them.
    periods  that are left.   stones: that are to be played in the period, 0 where one is enough.
    move     the most for one move, 0: no limit.
    """

    left: int
    main: int
    period: int
    periods: int
    stones: int
    move: int


class TimeControl(Value, frozen=True, kw_only=True, dict=True):
    """The rules of a seat's clock; all durations in ns, 0 for what is not used."""

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
    from_start: bool = False
    by_opening: bool = False
    meter: Meter = Meter.WALL

    def __post_init__(self) -> None:
        durations = (self.main, self.increment, self.period, self.move, self.margin, self.grain, self.overrun)
        if min(self.periods, *durations) < 0:
            raise ValueError("a clock has no negative numbers")
        if self.overrun and not self.period:
            raise ValueError("overrun needs byo-yomi for the moves after it")
        if self.stones < 1:
            raise ValueError("a byo-yomi period is for 1 stone or more")
        if bool(self.period) != bool(self.periods):
            raise ValueError("byo-yomi needs both a period and a number of periods")
        if self.carries and (self.main or not self.period):
            raise ValueError("moves in a time (carries) need a period and have no main time besides")
        if self.increment and self.period and not self.carries:
            raise ValueError("increment and byo-yomi do not go together")
        if self.stones > 1 and self.periods > 1:
            raise ValueError("Canadian byo-yomi has one period: several stones or several periods, not both")

    @classmethod
    def parse(cls, text: str, *, margin: int = 0, meter: Meter = Meter.WALL) -> "TimeControl":
        """The control that `text` writes down.

        "none", "10m", "5m+3s" or "5m + 3s/move" (Fischer), "10m + 3x30s" (Japanese), "10m + 5m/25"
        (Canadian), and "2s/move" alone as the limit of each move. As programs for chess matches have them:
        "8+0.08" (seconds, and so many more after each move), "40/300" and "40/300+2" (so many moves in so
        many seconds), "inf". A duration may be written "1:30" or "1:00:00" too. Raises ValueError, naming the
        forms.
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
        """The text that `parse` reads, or "none"; the per-move limit is added in words when not alone."""
        if self.is_unlimited:
            return "none"
        limit = f"{format_duration(self.move)}/move" if self.move else ""
        if not self.has_main:
            return limit
        text = f"{self.stones}/{format_duration(self.period)}" if self.carries else format_duration(self.main)
        if self.by_opening:
            text += ", or the opening's own"
        if self.increment:
            text += f" + {format_duration(self.increment)}/move"
        elif self.carries:
            pass
        elif self.period and self.stones > 1:
            text += f" + {format_duration(self.period)}/{self.stones}"
        elif self.period:
            text += f" + {self.periods}x{format_duration(self.period)}"
        return f"{text}, {limit} at most" if limit else text

    @cached_property
    def has_main(self) -> bool:
        """Whether time used up in one move is missing in the next."""
        return bool(self.main or self.period or self.increment)

    @cached_property
    def is_unlimited(self) -> bool:
        return not (self.has_main or self.move)

    @cached_property
    def has_parts(self) -> bool:
        """Whether a clock is more than one time that is left: periods of byo-yomi, or a limit per move."""
        return bool(self.period or self.move)

    @cached_property
    def _is_of_main_time(self) -> bool:
        """Whether there is main time, an increment perhaps, and no more."""
        return self.has_main and not (self.period or self.move or self.grain)

    def scaled(self, factor: float) -> "TimeControl":
        """The control of a machine on which everything takes `factor` times as long.

        The margin stays: it is for what takes time besides the engine.

        >>> TimeControl.parse("10s + 3x2s").scaled(0.5).describe()
        '5s + 3x1s'
        """
        if factor == 1 or self.is_unlimited:
            return self
        names = ("main", "increment", "period", "move", "overrun")
        return replace(self, **{name: round(getattr(self, name) * factor) for name in names})

    def start(self, startup: int = 0) -> Clock:
        """The clock before the first move of an engine that took `startup` ns to get ready."""
        main = self.main - startup if self.from_start and self.main else self.main
        return Clock(main, self.periods, self.stones, self.period)

    def charge(self, clock: Clock, used: int) -> tuple[Clock, int | None] | None:
        """The clock after a move that took `used` ns, and ns that the next one may take; None: too long.

        `spend` and `allowance` in one, as every move of a game needs them.
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
        """ns the next move may take before the seat has lost on time; None if there is no limit."""
        if not self.has_main:
            return self.move + self.margin if self.move else None
        left = self._left(clock)
        return (min(left, self.move) if self.move else left) + self.margin

    def _left(self, clock: Clock) -> int:
        """ns on the clock, all periods of byo-yomi included."""
        if clock.main > 0 and self.overrun:
            return clock.main + self.overrun
        if clock.periods:
            return clock.main + clock.period + (clock.periods - 1) * self.period
        return clock.main

    def reading(self, allowed: int) -> tuple[int, int]:
        """ns until the next period of byo-yomi begins, or its last one ends, and how many begin after that.

        allowed: what `allowance` says. Where a clock cannot be read from that, all of it and no period.

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
        """A clock for who looks at it; None where there is none.

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
            stones=clock.stones if self.stones > 1 else 0,
            move=self.move // _MS,
        )

    def spend(self, clock: Clock, used: int) -> Clock | None:
        """The clock after a move that took `used` ns; None when that was too long."""
        allowed = self.allowance(clock)
        if allowed is not None and used > allowed:
            return None
        if not self.has_main:
            return clock
        if self.grain:
            used = max(used, min(-(-used // self.grain) * self.grain, self._left(clock)))
        left = clock.main - used
        if left > 0 or not self.periods:
            return Clock(left + self.increment, clock.periods, clock.stones, clock.period)
        if clock.main > 0 and self.overrun:
            return Clock(0, clock.periods, clock.stones, clock.period)
        return self._spend_byo_yomi(clock, -left)

    def _spend_byo_yomi(self, clock: Clock, over: int) -> Clock:
        """Byo-yomi after a move that went `over` ns past the end of main time (0: main time just ended)."""
        periods, left = clock.periods, clock.period - over
        while left < 0 and periods > 1:
            periods, left = periods - 1, left + self.period
        if clock.main and not over:
            return Clock(0, periods, self.stones, self.period)
        if clock.stones > 1:
            return Clock(0, periods, clock.stones - 1, left + self.increment)
        carried = left + self.increment if self.carries else 0
        return Clock(0, periods, self.stones, self.period + carried)


def _read_numbers(text: str) -> dict[str, int]:
    """The numbers that a text writes down in one of the forms. Raises ValueError."""
    head, plus, tail = (part.strip() for part in text.partition("+"))
    if not plus and head.endswith("/move"):
        return {"move": _duration(head.removesuffix("/move"))}
    if session := re.fullmatch(r"(\d+)\s*/\s*(\S+)", head):
        base = {"period": _duration(session[2]), "periods": 1, "stones": int(session[1]), "carries": True}
        return base | {"increment": _increment(session[2], tail)} if plus else base
    main = {"main": _duration(head)}
    if not plus:
        return main
    if japanese := re.fullmatch(r"(\d+)\s*x\s*(\S+)", tail):
        return main | {"period": _duration(japanese[2]), "periods": int(japanese[1])}
    if canadian := re.fullmatch(r"(\S+)\s*/\s*(\d+)", tail):
        return main | {"period": _duration(canadian[1]), "periods": 1, "stones": int(canadian[2])}
    return main | {"increment": _increment(head, tail)}


def _increment(main: str, text: str) -> int:
    """ns added after each move: "3s", "3s/move", or a bare number of seconds behind a time without a unit.

    "5m+3" is refused: the 3 may be meant in minutes too.
    """
    if _NUMBER.fullmatch(text) and not _UNITLESS.fullmatch(main):
        raise ValueError(text)
    return _duration(text.removesuffix("/move"))


_NUMBER = re.compile(r"\d+(\.\d*)?|\.\d+")
_UNITLESS = re.compile(r"[\d.:]+")
_BY_COLONS = re.compile(r"(?:(\d+):)?(\d+):(\d\d(?:\.\d+)?)")


def _duration(text: str) -> int:
    """ns of a duration, or of one that is written with colons: "1:30", "1:00:00". Raises ValueError."""
    if parts := _BY_COLONS.fullmatch(text):
        return parse_duration(float(parts[1] or 0) * 3600 + float(parts[2]) * 60 + float(parts[3]))
    return parse_duration(text)
