"""Time controls in GTP's words, in whole seconds, rounded down.

GTP 2 itself knows main time and Canadian byo-yomi. Japanese byo-yomi is told in the way of KGS and Fischer
time in that of KataGo to engines that know these; for the others the nearest control that never
promises more time than there is: one period, and the increment as a period for each move.
"""

from gyoji.core.clocks import Clock, TimeControl

SECOND = 1_000_000_000


def settings_commands(control: TimeControl) -> tuple[tuple[str, str], ...]:
    """(command, arguments) that tell an engine of `control`, the best first. Empty if there is no clock.

    >>> settings_commands(TimeControl.parse("10m + 3x30s"))[::2]
    (('kgs-time_settings', 'byoyomi 600 30 3'), ('time_settings', '600 30 1'))
    >>> settings_commands(TimeControl.parse("2s/move"))
    (('time_settings', '0 2 1'),)
    """
    if control.is_unlimited:
        return ()
    main = _whole(control.main)
    if not control.has_main:
        return (("time_settings", f"0 {_at_least_one(control.move)} 1"),)
    if control.increment:
        fischer = f"fischer {control.main / SECOND:g} {control.increment / SECOND:g}"
        return (
            ("kata-time_settings", fischer),
            ("time_settings", f"{main} {_at_least_one(control.increment)} 1"),
        )
    if not control.periods:
        # No seconds and no period would mean no limit
        return (("time_settings", f"{_at_least_one(control.main)} 0 0"),)
    period = _at_least_one(control.period)
    canadian = ("time_settings", f"{main} {period} {control.stones}")
    if control.periods == 1:
        return (canadian,)
    japanese = f"byoyomi {main} {period} {control.periods}"
    return (("kgs-time_settings", japanese), ("kata-time_settings", japanese), canadian)


def time_left(clock: Clock, *, counts_periods: bool) -> str:
    """The arguments of time_left behind the colour.

    counts_periods: Japanese byo-yomi has been told in the way of KGS, where the stones are the periods left.

    >>> time_left(Clock(0, 3, 1, 30 * SECOND), counts_periods=True)
    '30 3'
    """
    if clock.main or not clock.periods:
        return f"{clock.main // SECOND} 0"
    return f"{clock.period // SECOND} {clock.periods if counts_periods else clock.stones}"


def _whole(ns: int) -> int:
    return ns // SECOND


def _at_least_one(ns: int) -> int:
    """Whole seconds, but not 0, which is not a short time in GTP but another kind of control."""
    return max(1, ns // SECOND)
