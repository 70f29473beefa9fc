"""Every time control, as arithmetic."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import astuple, replace

from gyoji.core.clocks import Bonus, Clock, StageTime, TimeControl, pass_on
from gyoji.core.text import format_duration, parse_duration

S = 1_000_000_000

MOVES_IN_TIME = {"period": 5_400 * S, "periods": 1, "stones": 40, "carries": True}
FORMS = {
    "none": TimeControl(),
    "10m": TimeControl(main=600 * S),
    "5m + 3s/move": TimeControl(main=300 * S, increment=3 * S),
    "10m + 3x30s": TimeControl(main=600 * S, period=30 * S, periods=3),
    "10m + 5m/25": TimeControl(main=600 * S, period=300 * S, periods=1, stones=25),
    "2s/move": TimeControl(move=2 * S),
    "0s + 5x10s": TimeControl(period=10 * S, periods=5),
    "40/5m": TimeControl(period=300 * S, periods=1, stones=40, carries=True),
    "40/5m + 2s/move": TimeControl(period=300 * S, periods=1, stones=40, carries=True, increment=2 * S),
    "40/1h30m + 30s/move, 30m + 30s/move": TimeControl(
        **MOVES_IN_TIME,
        increment=30 * S,
        stages=(StageTime(time=1_800 * S, increment=30 * S),),
    ),
    "40/1h30m, 20/1h, 15m + 30s/move": TimeControl(
        **MOVES_IN_TIME,
        stages=(StageTime(moves=20, time=3_600 * S), StageTime(time=900 * S, increment=30 * S)),
    ),
    "40/1h30m, 20/1h": TimeControl(**MOVES_IN_TIME, stages=(StageTime(moves=20, time=3_600 * S),)),
    "40/1h30m + 5s delay, 30m + 5s delay": TimeControl(
        **MOVES_IN_TIME,
        bonus=Bonus.DELAY,
        increment=5 * S,
        stages=(StageTime(time=1_800 * S, increment=5 * S),),
    ),
    "10m + 5s delay": TimeControl(main=600 * S, increment=5 * S, bonus=Bonus.DELAY),
    "10m + 5s bronstein": TimeControl(main=600 * S, increment=5 * S, bonus=Bonus.BRONSTEIN),
    "3m hourglass": TimeControl(main=180 * S, hourglass=True),
}


@pytest.mark.parametrize("text", FORMS)
def test_every_form_is_read_and_written_back(text):
    assert TimeControl.parse(text) == FORMS[text]
    assert TimeControl.parse(FORMS[text].describe()) == FORMS[text]


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("8+0.08", "8s + 80ms/move"),
        ("60 + 1", "1m + 1s/move"),
        ("1:30+.5", "1m30s + 500ms/move"),
        ("0:30.5", "30.5s"),
        ("2:00:00", "2h"),
        ("40/300", "40/5m"),
        ("40/4:00+2", "40/4m + 2s/move"),
        ("1m+2s", "1m + 2s/move"),
        ("10m + 500ms", "10m + 500ms/move"),
        ("8+0.08s", "8s + 80ms/move"),
        ("40/300+2s", "40/300 + 2s/move"),
        ("10m+30s/5", "10m + 30s/5"),
        ("10:00+3x0:30", "10m + 3x30s"),
        ("INF", "none"),
        ("40/90m+30s,30m+30s", "40/90m + 30s/move, 30m + 30s/move"),
        ("40/5400+30:1800+30", "40/90m + 30s, 30m + 30s"),  # the tag TimeControl of PGN
        ("40/7200:3600", "40/2h, 1h"),
        ("40/7200:20/3600:900", "40/2h, 20/1h, 15m"),
        ("40/240:60", "40/4m, 1m"),
        ("40/4:00", "40/240"),
        ("*180", "3m hourglass"),
        ("180hourglass", "3m hourglass"),
        ("600+5 delay", "10m + 5s delay"),
        ("40/2h + 5s Bronstein, 30m + 5s bronstein", "40/2h + 5s bronstein,30m+5s bronstein"),
    ],
)
def test_what_other_programs_write_is_read_too(text, same):
    assert TimeControl.parse(text) == TimeControl.parse(same)


@pytest.mark.parametrize(
    "text", ["10", "ten minutes", "10m + x30s", "10m + 3x", "10m + 5m/0", "-5s", "1m++2s"]
)
def test_what_is_no_time_control_is_refused(text):
    if text == "10":  # a plain number is seconds
        assert TimeControl.parse(text).main == 10 * S
        return
    with pytest.raises(ValueError, match=r"."):
        TimeControl.parse(text)


# control, seconds used per move, clock after each: (main, periods, stones, period) or None for lost
GAMES = [
    ("none", [1, 1e6], [(0, 0, 1, 0), (0, 0, 1, 0)]),
    ("10s", [4, 6, 0.1], [(6, 0, 1, 0), (0, 0, 1, 0), None]),
    ("10s + 2s/move", [4, 8, 2, 2.5], [(8, 0, 1, 0), (2, 0, 1, 0), (2, 0, 1, 0), None]),
    (
        "10s + 3x5s",
        [9, 3, 5, 6, 5, 5.5],
        [(1, 3, 1, 5), (0, 3, 1, 5), (0, 3, 1, 5), (0, 2, 1, 5), (0, 2, 1, 5), (0, 1, 1, 5)],
    ),
    ("10s + 3x5s", [25], [(0, 1, 1, 5)]),
    ("10s + 3x5s", [25.5], [None]),
    ("10s + 10s/3", [10, 4, 4, 2, 11], [(0, 1, 3, 10), (0, 1, 2, 6), (0, 1, 1, 2), (0, 1, 3, 10), None]),
    ("3/10s", [4, 4, 1, 11.5], [(0, 1, 2, 6), (0, 1, 1, 2), (0, 1, 3, 11), None]),
    ("2/10s + 1s/move", [4, 7, 13.5], [(0, 1, 1, 7), (0, 1, 2, 11), None]),
    ("2s/move", [2, 2, 2.1], [(0, 0, 1, 0), (0, 0, 1, 0), None]),
    # FIDE Laws of Chess, 6.3: a number of moves in a first time, all remaining ones in a second
    (
        "2/10s + 1s, 20s + 2s",
        [4, 3, 25, 2, 2.5],
        [(0, 1, 1, 7), (25, 0, 1, 0), (2, 0, 1, 0), (2, 0, 1, 0), None],
    ),
    (
        "2/10s, 1/5s, 3s",
        [4, 4, 7, 2, 1.5],
        [(0, 1, 1, 6), (0, 1, 1, 7), (3, 0, 1, 0), (1, 0, 1, 0), None],
    ),
    ("1/10s, 2/5s", [4, 4, 4, 8.5], [(0, 1, 2, 11), (0, 1, 1, 7), (0, 1, 2, 8), None]),
    ("10s + 3s bronstein", [2, 3, 7, 6.5], [(10, 0, 1, 0), (10, 0, 1, 0), (6, 0, 1, 0), None]),
    ("10s + 3s delay", [2, 3, 7, 9, 4], [(13, 0, 1, 0), (13, 0, 1, 0), (9, 0, 1, 0), (3, 0, 1, 0), None]),
    ("1/5s + 3s delay, 10s + 3s delay", [8, 2, 14], [(13, 0, 1, 0), (13, 0, 1, 0), None]),
    ("10s hourglass", [4, 6, 0.5], [(6, 0, 1, 0), (0, 0, 1, 0), None]),
]


@pytest.mark.parametrize(("text", "uses", "clocks"), GAMES)
def test_clocks_run_as_their_rules_say(text, uses, clocks):
    control = TimeControl.parse(text)
    clock = control.start()
    for used, expected in zip(uses, clocks, strict=True):
        clock = control.spend(clock, round(used * S))
        if expected is None:
            assert clock is None
            return
        main, periods, stones, period = expected
        assert astuple(clock)[:4] == (main * S, periods, stones, period * S)


def test_the_margin_forgives_but_is_no_part_of_the_budget():
    control = TimeControl.parse("10s", margin=S)
    clock = control.spend(control.start(), round(10.5 * S))
    assert clock == Clock(-S // 2, 0, 1, 0)
    assert control.allowance(clock) == S // 2
    assert control.spend(control.start(), round(11.5 * S)) is None


def test_a_period_for_several_stones_forgives_the_margin_once_and_the_next_one_anew():
    control = TimeControl.parse("0s + 10s/3", margin=S)
    clock = control.spend(control.start(), round(10.75 * S))
    assert clock == Clock(0, 1, 2, -3 * S // 4)
    assert control.allowance(clock) == S // 4
    assert control.spend(clock, S // 4 + 1) is None
    clock = control.spend(control.spend(clock, S // 8), S // 8)
    assert clock == Clock(0, 1, 3, 10 * S)
    assert control.allowance(clock) == 11 * S


def test_a_period_for_one_stone_is_new_at_each_move_and_so_is_its_margin():
    control = TimeControl.parse("0s + 2x10s", margin=S)
    clock = control.start()
    for _ in range(3):
        clock = control.spend(clock, 21 * S)
        assert clock == Clock(0, 1, 1, 10 * S)
        clock = control.spend(clock, 11 * S)
        assert clock == Clock(0, 1, 1, 10 * S)
        clock = control.start()


def test_rounding_to_the_grain_takes_no_more_than_is_left():
    control = TimeControl(main=S, grain=S // 10, margin=S // 10)
    clock = control.spend(control.start(), S // 2)
    clock = control.spend(clock, S // 2 - 1)
    assert clock.main == 0
    control = TimeControl(main=5, grain=10)
    assert control.spend(control.start(), 3) == Clock(0, 0, 1, 0)


@pytest.mark.parametrize(
    "text",
    [
        "5m/25",
        "10 minutes",
        "10m +",
        "1 hour",
        "10m + 5",
        "10m + 5 seconds",
        "10m + 0:5",
        "1:3",
        "1m + 3y30s",
        "fast",
        "40/90m,",
        "40/90m, 2s/move",
        "40/90m, 3x10s",
        "40/90m, 3m hourglass",
        "40/90m + 5s delay, 30m + 5s bronstein",
        "10m + 5 delay",
        "10m delay",
        "3m hourglass + 2s",
    ],
)
def test_what_is_no_form_of_a_time_control_is_told_the_forms(text):
    with pytest.raises(ValueError, match=r"is not a time control: write 10m, 1h, .* 2s/move$") as caught:
        TimeControl.parse(text)
    assert str(caught.value).startswith(repr(text))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("30m, 40/90m", "stages follow moves in a time"),
        ("40/90m, 30m, 10m", "only the last stage may be for the rest of the game"),
        ("40/90m + 5s delay, 30m", "delay needs an increment, which is the same in all stages"),
        ("10m + 0s delay", "delay needs an increment"),
        ("0s hourglass", "an hourglass has main time and nothing else"),
    ],
)
def test_stages_and_delays_that_mean_nothing_are_told_why(text, problem):
    with pytest.raises(ValueError, match=problem):
        TimeControl.parse(text)


def test_numbers_of_a_form_that_do_not_go_are_told_as_such():
    with pytest.raises(ValueError, match="1 stone or more"):
        TimeControl.parse("10m + 5m/0")


def test_time_from_the_start_of_the_process_is_charged_where_the_control_says_so():
    assert TimeControl(main=10 * S, from_start=True).start(3 * S).main == 7 * S
    assert TimeControl(main=10 * S).start(3 * S).main == 10 * S
    assert TimeControl(move=10 * S, from_start=True).start(3 * S).main == 0


def test_only_the_moves_after_main_time_are_in_byo_yomi_where_a_move_may_overrun_it():
    control = TimeControl(main=10 * S, period=2 * S, periods=1, overrun=60 * S)
    clock = control.spend(control.start(), 8 * S)
    assert control.allowance(clock) == 62 * S
    late = control.spend(clock, 30 * S)
    assert (late, control.allowance(late)) == (Clock(0, 1, 1, 2 * S), 2 * S)
    assert control.spend(late, 2 * S) == late
    assert control.spend(late, 2 * S + 1) is None
    assert control.spend(clock, 62 * S + 1) is None
    assert control.spend(clock, 2 * S) == late  # main time is over to the tick


def test_the_last_stage_has_no_byo_yomi_to_overrun_into():
    control = replace(TimeControl.parse("1/10s, 5s"), overrun=60 * S)
    assert control.allowance(control.spend(control.start(), 4 * S)) == 11 * S


def test_time_is_rounded_up_to_the_grain():
    control = TimeControl(main=S, grain=S // 100)
    assert control.spend(control.start(), 1).main == S - S // 100
    assert control.spend(control.start(), S // 100).main == S - S // 100
    assert control.spend(control.start(), 0).main == S


@pytest.mark.parametrize(
    "numbers",
    [
        {"main": -1},
        {"stones": 0},
        {"period": 5},
        {"main": 5, "overrun": 5},
        {"periods": 2},
        {"main": 5, "increment": 1, "period": 5, "periods": 1},
        {"main": 5, "carries": True, "period": 5, "periods": 1},
        {"carries": True},
        {"period": 5, "periods": 2, "stones": 2},
        {"main": 5, "increment": 2, "hourglass": True},
        {"main": 5, "bonus": Bonus.DELAY},
        {"main": 5, "stages": (StageTime(time=5),)},
    ],
)
def test_controls_that_mean_nothing_are_refused(numbers):
    with pytest.raises(ValueError, match=r"."):
        TimeControl(**numbers)


@given(
    st.sampled_from(sorted(FORMS)),
    st.integers(0, 50 * S),
    st.lists(st.integers(0, 40 * S), max_size=30),
    st.integers(0, S),
)
def test_a_move_within_the_allowance_is_in_time_and_one_beyond_it_is_not(text, overrun, uses, margin):
    control = TimeControl.parse(text, margin=margin)
    control = replace(control, overrun=overrun if control.period else 0)
    clock = control.start()
    for used in uses:
        allowed = control.allowance(clock)
        after = control.spend(clock, used)
        assert (after is None) == (allowed is not None and used > allowed)
        assert control.charge(clock, used) == (after and (after, control.allowance(after)))
        if after is None:
            return
        assert min(astuple(after)) >= -margin
        clock = after


@given(st.lists(st.integers(0, 20 * S), max_size=30), st.integers(1, 60 * S), st.integers(1, 9 * S))
def test_us_delay_is_bronstein_with_one_more_increment_and_a_clock_that_waits(uses, main, delay):
    """Article 6.3.2 of the FIDE Laws of Chess ("time-delay mode") has one arithmetic for both."""
    by_delay = TimeControl(main=main, increment=delay, bonus=Bonus.DELAY)
    by_bronstein = TimeControl(main=main + delay, increment=delay, bonus=Bonus.BRONSTEIN)
    first, second, waiting = by_delay.start(), by_bronstein.start(), main
    for used in uses:
        first, second = by_delay.spend(first, used), by_bronstein.spend(second, used)
        assert first == second
        waiting -= max(used - delay, 0)
        assert (first is None) == (waiting < 0)
        if first is None:
            return
        assert first.main == waiting + delay


STAGES = st.lists(
    st.builds(
        StageTime, moves=st.integers(1, 4), time=st.integers(1, 9 * S), increment=st.integers(0, 2 * S)
    ),
    min_size=2,
    max_size=4,
)


@given(STAGES, st.booleans(), st.lists(st.integers(0, 9 * S), max_size=30))
def test_a_clock_of_stages_has_all_that_was_given_less_all_that_was_used(stages, is_sudden, uses):
    first, *later = stages
    if is_sudden:
        later[-1] = replace(later[-1], moves=0)
    control = TimeControl(
        period=first.time,
        periods=1,
        stones=first.moves,
        increment=first.increment,
        carries=True,
        stages=tuple(later),
    )
    assert TimeControl.parse(control.describe()) == control
    stages, number, made, left = [first, *later], 0, 0, first.time
    clock = control.start()
    for used in uses:
        allowed = control.allowance(clock)
        assert (allowed, clock.stage) == (left, number)
        assert clock.stones == (stages[number].moves - made or 1)
        clock = control.spend(clock, used)
        assert (clock is None) == (used > left)
        if clock is None:
            return
        left, made = left - used + stages[number].increment, made + 1
        assert control.increment_of(clock) == stages[clock.stage].increment
        if made == stages[number].moves:
            number, made = min(number + 1, len(stages) - 1), 0
            left += stages[number].time
        elif not stages[number].moves:
            made = 0


@given(st.lists(st.integers(0, 20 * S), max_size=30), st.integers(1, 60 * S))
def test_the_sum_of_two_hourglasses_stays_and_a_seat_that_uses_more_than_it_has_loses(uses, main):
    controls = [TimeControl(main=main, hourglass=True)] * 2
    clocks = [control.start() for control in controls]
    for number, used in enumerate(uses):
        seat = number % 2
        before = clocks[seat].main
        after = controls[seat].spend(clocks[seat], used)
        assert (after is None) == (used > before)
        if after is None:
            return
        clocks[seat] = after
        clocks = pass_on(controls, clocks, seat, used)
        assert sum(clock.main for clock in clocks) == 2 * main


def test_an_hourglass_gives_nothing_to_a_clock_of_another_kind_and_parts_to_several():
    glass, plain = TimeControl.parse("10s hourglass"), TimeControl.parse("10s")
    clocks = pass_on([glass, plain], [glass.start(), plain.start()], giver=0, used=S)
    assert [clock.main for clock in clocks] == [10 * S, 10 * S]
    clocks = pass_on([glass] * 3, [glass.start()] * 3, giver=1, used=S)
    assert [clock.main for clock in clocks] == [10 * S + S // 2, 10 * S, 10 * S + S // 2]


@given(st.integers(0, 10**15))
def test_durations_are_read_as_written(ns):
    assert abs(parse_duration(format_duration(ns)) - ns) <= 1


@pytest.mark.parametrize(
    ("text", "used", "shown"),
    [
        ("none", [], None),
        ("10m", [90], (510, 510, 0, 0, 0, 0)),
        ("5m + 3s/move", [10], (293, 293, 0, 0, 0, 0)),
        ("30s/move", [20], (30, 0, 0, 0, 0, 30)),
        ("10m + 3x30s", [], (690, 600, 30, 3, 0, 0)),
        ("10m + 3x30s", [600, 12], (90, 0, 30, 3, 0, 0)),
        ("10m + 3x30s", [600, 45], (60, 0, 30, 2, 0, 0)),
        ("10m + 5m/25", [], (900, 600, 300, 1, 25, 0)),
        ("10m + 5m/25", [610, 20], (270, 0, 270, 1, 23, 0)),
        ("40/300", [], (300, 0, 300, 1, 40, 0)),
        ("40/300", [100], (200, 0, 200, 1, 39, 0)),
        ("2/60, 30s", [10], (50, 0, 50, 1, 1, 0)),
        ("2/60, 30s", [10, 10], (70, 70, 0, 0, 0, 0)),
    ],
)
def test_a_clock_is_shown_in_its_parts(text, used, shown):
    control = TimeControl.parse(text, margin=S // 10)
    clock = control.start()
    for seconds in used:
        clock = control.spend(clock, seconds * S)
    names = ("left", "main", "period", "periods", "stones", "move")
    found = control.shown(clock)
    told = found and tuple(
        number if name in ("periods", "stones") else number // 1000
        for name, number in zip(names, found, strict=True)
    )
    assert told == shown
