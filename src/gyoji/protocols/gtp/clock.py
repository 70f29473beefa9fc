"""Time controls in GTP's words, in whole seconds, rounded down.

GTP 2 itself knows main time and Canadian byo-yomi. Japanese byo-yomi is told in the way of KGS and Fischer
time in that of KataGo to engines that know these; for the others the nearest control that promises no
more time than there is: one period, and the increment as a period for each move. Only a control that is all
under a second is told as more, as one second.
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
    if not control.has_main:
        return (_time_settings(0, control.move, 1),)
    if control.increment:
        fischer = f"fischer {control.main / SECOND:g} {control.increment / SECOND:g}"
        return (("kata-time_settings", fischer), _time_settings(control.main, control.increment, 1))
    canadian = _time_settings(control.main, control.period, control.stones)
    if control.periods <= 1 or control.period < SECOND:
        return (canadian,)
    japanese = f"byoyomi {control.main // SECOND} {control.period // SECOND} {control.periods}"
    return (("kgs-time_settings", japanese), ("kata-time_settings", japanese), canadian)


def _time_settings(main: int, period: int, stones: int) -> tuple[str, str]:
    """GTP's own command. A period under a second is left out: it would be told as none, or as too much.

    Where nothing whole is left one second is told, as no time at all may be taken for no limit.
    """
    if period >= SECOND:
        return "time_settings", f"{main // SECOND} {period // SECOND} {stones}"
    if main >= SECOND or not period:
        return "time_settings", f"{max(1, main // SECOND)} 0 0"
    return "time_settings", f"0 1 {stones}"


def time_left(clock: Clock, *, counts_periods: bool) -> str:
    """The arguments of time_left behind the colour.

    counts_periods: Japanese byo-yomi has been told in the way of KGS, where the stones are the periods left.

    >>> time_left(Clock(0, 3, 1, 30 * SECOND), counts_periods=True)
    '30 3'
    """
    if clock.main or not clock.periods:
        return f"{max(clock.main, 0) // SECOND} 0"
    return f"{max(clock.period, 0) // SECOND} {clock.periods if counts_periods else clock.stones}"
