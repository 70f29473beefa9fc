"""Time in SGF: the clock in the root, and what a player has left after each move."""

from collections.abc import Sequence

from gyoji.core.clocks import Clock, TimeControl
from gyoji.core.spec import GameSpec
from gyoji.core.text import format_duration
from gyoji.records.sgf.values import format_real


def controls_of(spec: GameSpec) -> list[TimeControl]:
    """The time control of each seat."""
    return [player.clock or spec.clock for player in spec.players]


def clock_headings(controls: Sequence[TimeControl]) -> dict[str, str]:
    """TM and OT, where both seats have the same clock; else the root's comment tells."""
    control = controls[0]
    if control.is_unlimited or control != controls[1]:
        return {}
    main = format_real(control.main / 1e9) if control.main else ""
    return {"TM": main, "OT": _overtime(control)}


def _overtime(control: TimeControl) -> str:
    """What follows main time, as the time control itself describes it; "" for sudden death."""
    return control.describe().removeprefix(format_duration(control.main)).lstrip(" +,")


class Timing:
    """The clocks of both seats as the game goes on, for moves that are charged one after the other."""

    def __init__(self, controls: Sequence[TimeControl]) -> None:
        self._controls = controls
        self._clocks: list[Clock | None] = [control.start() for control in controls]
        self.is_told = any(control.has_main for control in controls)

    def after(self, seat: int, ns: int, colour: str) -> tuple[str, ...]:
        """What is told after a move that was charged `ns`: BL or WL, and OB or OW.

        Seconds left, in byo-yomi those of the period, and there stones or periods left; nothing once a
        clock has run out or where main time is not counted.
        """
        control = self._controls[seat]
        before = self._clocks[seat]
        self._clocks[seat] = clock = control.spend(before, ns) if before else None
        if clock is None or not control.has_main:
            return ()
        if not clock.in_byo_yomi:
            return (f"{colour}L[{_seconds(max(clock.main, 0))}]",)
        left = clock.stones if control.stones > 1 else clock.periods
        return f"{colour}L[{_seconds(max(clock.period, 0))}]", f"O{colour}[{left}]"


def _seconds(ns: int) -> str:
    """Seconds to the millisecond, as short as can be."""
    whole, rest = divmod(ns // 1_000_000, 1000)
    return f"{whole}.{rest:03}".rstrip("0") if rest else str(whole)
