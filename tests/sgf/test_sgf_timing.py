"""BL, WL, OB and OW: what is left on the clocks of a record."""

import pytest

from gyoji.core.clocks import TimeControl
from gyoji.sgf.records import Timing, clock_headings

S = 1_000_000_000


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("10s", ["BL[8]", "WL[7]", "BL[7]", "WL[4]"]),
        ("10s hourglass", ["BL[8]", "WL[9]", "BL[10]", "WL[7]"]),
        ("10s + 1s delay", ["BL[10]", "WL[9]", "BL[10]", "WL[7]"]),
        ("1/10s, 5s", ["BL[13]", "WL[12]", "BL[12]", "WL[9]"]),
        ("2/10s, 5s", ["BL[8] OB[1]", "WL[7] OW[1]", "BL[12]", "WL[9]"]),
    ],
)
def test_the_time_that_is_left_is_told_after_each_move(text, told):
    timing = Timing([TimeControl.parse(text)] * 2)
    uses = zip((0, 1, 0, 1), (2, 3, 1, 3), strict=True)
    assert [" ".join(timing.after(seat, used * S, "BW"[seat])) for seat, used in uses] == told


def test_what_follows_main_time_is_told_in_words():
    heading = clock_headings([TimeControl.parse("3m hourglass")] * 2)
    assert heading == {"TM": "180", "OT": "hourglass"}
    stages = clock_headings([TimeControl.parse("40/90m, 30m")] * 2)
    assert stages == {"TM": "", "OT": "40/1h30m, 30m"}
