"""How engines are called, and how time is told them."""

import pytest

from gyoji.core.clocks import Clock, TimeControl
from gyoji.protocols.gtp.wording import SECOND, describe, settings_commands, short_name, time_left

MOGO = (
    "MoGo 3. Please read http://example.org/mogo.htm for more information. That is not an official version, "
    "but a public release."
)
PACHI = "Pachi UCT 8.99 (Hakugen-devel): I'm playing UCT. Anyone can send me 'winrate' in private chat."
LONG_VERSION = "release-20 " + "x" * 60
MIDDLING = "1.0-" + "y" * 30


@pytest.mark.parametrize(
    ("name", "version", "text", "short", "description"),
    [
        ("", "", "", "", ""),
        ("GNU Go", "3.8", "", "GNU Go:3.8", "GNU Go:3.8"),
        ("GNU Go", "", "", "GNU Go", "GNU Go"),
        ("", "3.8", "", "", "version 3.8"),
        ("GNU Go", "gnu go 3.8", "", "GNU Go:3.8", "GNU Go:3.8"),
        ("GNU Go", "GNU Go", "", "GNU Go", "GNU Go"),
        ("x", MIDDLING, "", "x", f"x:{MIDDLING}"),
        ("x", LONG_VERSION, "", "x:release-20", "x:release-20"),
        ("x", "z" * 70, "", "x", f"x:{'z' * 70}"),
        ("MoGo", MOGO, "", "MoGo:3", "MoGo:3"),
        ("Pachi UCT", PACHI, "", "Pachi UCT:8.99 (Hakugen-devel)", "Pachi UCT:8.99 (Hakugen-devel)"),
        ("x", "1", "x 1\nseed 7\n", "x:1", "x 1\nseed 7"),
        ("", "", "only this", "", "only this"),
        ("two\n lines", "1", "", "two lines:1", "two lines:1"),
    ],
)
def test_engines_are_called_by_name_and_short_version(name, version, text, short, description):
    assert (short_name(name, version), describe(name, version, text)) == (short, description)


@pytest.mark.parametrize(
    ("control", "expected"),
    [
        ("none", ""),
        ("10m", "time_settings 600 0 0"),
        ("0.4s", "kata-time_settings absolute 0.4, time_settings 1 0 0"),
        ("90.9s", "kata-time_settings absolute 90.9, time_settings 90 0 0"),
        ("10m + 5m/25", "time_settings 600 300 25"),
        ("10m + 1x30s", "time_settings 600 30 1"),
        ("0s + 1x0.5s", "kata-time_settings byoyomi 0 0.5 1, time_settings 0 1 1"),
        ("0.5s/move", "kata-time_settings byoyomi 0 0.5 1, time_settings 0 1 1"),
        ("10m + 3x0.5s", "kata-time_settings byoyomi 600 0.5 3, time_settings 600 0 0"),
        ("10m + 4.5s/10", "kata-time_settings canadian 600 4.5 10, time_settings 600 4 10"),
        (
            "15s + 2x2.5s",
            "kata-time_settings byoyomi 15 2.5 2, kgs-time_settings byoyomi 15 2 2, time_settings 15 2 1",
        ),
        ("10m + 3x0.0005s", "time_settings 600 0 0"),
        ("2s + 50ms/move", "kata-time_settings fischer 2 0.05, time_settings 2 0 0"),
        (
            "10m + 3x30s",
            "kgs-time_settings byoyomi 600 30 3, kata-time_settings byoyomi 600 30 3, time_settings 600 30 1",
        ),
        ("5m + 2.5s/move", "kata-time_settings fischer 300 2.5, time_settings 300 2 1"),
        ("3s/move", "time_settings 0 3 1"),
    ],
)
def test_a_time_control_is_told_in_the_nearest_words_an_engine_may_have(control, expected):
    commands = settings_commands(TimeControl.parse(control))
    assert ", ".join(map(" ".join, commands)) == expected


@pytest.mark.parametrize("main", ["1s", "59.999s", "1m"])
@pytest.mark.parametrize("rest", ["", " + 50ms/move", " + 1.9s/move", " + 2x0.9s", " + 2x1.5s", " + 9.9s/10"])
def test_no_control_told_promises_more_time_than_there_is(main, rest):
    control = TimeControl.parse(main + rest)
    for _, arguments in settings_commands(control):
        told, extra, *_ = [*(float(word) for word in arguments.split() if word[0].isdigit()), 0]
        assert told * SECOND <= control.main
        assert extra * SECOND <= max(control.period, control.increment)


@pytest.mark.parametrize(
    ("clock", "counts_periods", "expected"),
    [
        (Clock(600 * SECOND, 0, 1, 0), False, "600 0"),
        (Clock(600 * SECOND, 3, 1, 30 * SECOND), False, "600 0"),
        (Clock(SECOND // 2, 3, 1, 30 * SECOND), False, "0 0"),
        (Clock(0, 0, 1, 0), False, "0 0"),
        (Clock(0, 3, 1, 30 * SECOND), False, "30 1"),
        (Clock(0, 3, 1, 30 * SECOND), True, "30 3"),
        (Clock(0, 1, 17, 29 * SECOND + 5), False, "29 17"),
    ],
)
def test_time_left_is_main_time_without_stones_or_the_period_with_them(clock, counts_periods, expected):
    assert time_left(clock, counts_periods=counts_periods) == expected


@pytest.mark.parametrize(
    ("clock", "expected"),
    [
        (Clock(90 * SECOND + 1_999_999, 0, 1, 0), "90.001 0"),
        (Clock(0, 2, 1, 2 * SECOND + SECOND // 2), "2.5 2"),
        (Clock(-5, 0, 1, 0), "0 0"),
    ],
)
def test_time_left_has_fractions_for_an_engine_that_reads_them(clock, expected):
    assert time_left(clock, counts_periods=True, is_exact=True) == expected
