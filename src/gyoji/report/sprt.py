"""The reports of a test that stops by itself: what it says so far, what it left out, and all games."""

from collections.abc import Iterator, Mapping
from typing import Any

from gyoji.competitions.sprt import SequentialTest
from gyoji.pairing.cross import Cross
from gyoji.report.matchup import block_lines, pair_values
from gyoji.report.parts import head_values, player_lines, title_lines
from gyoji.report.sequential import sprt_lines, sprt_values


def screen_lines(event: SequentialTest) -> Iterator[str]:
    """Who is tested, what is decided by what, what was left out, and the table of the games."""
    is_vain = not event.is_decided and event.remaining() == 0
    yield " against ".join(event.players) + (": undecided after all its games" if is_vain else "")
    yield from sprt_lines(event.settings.test(), event.trial.scores)
    yield from _omission_lines(event)
    stats = event.stats()
    if stats.played:
        yield ""
        yield from block_lines(stats)


def report_lines(event: SequentialTest) -> list[str]:
    """The whole report."""
    return [*title_lines(event.setup), "", *screen_lines(event), "", *player_lines(event.engines), ""]


def values(event: SequentialTest, endings: Mapping[str, Mapping[str, int]]) -> dict[str, Any]:
    """The tables as JSON-ready values. endings: by pairing, how many games ended in which way."""
    return {
        **head_values(event.setup, event.remaining(), event.engines),
        "test": {
            "players": list(event.players),
            "counted": event.counted,
            "left_out": event.left_out,
            **sprt_values(event.settings.test(), event.trial.scores),
        },
        "matchups": [pair_values(event.stats(), endings.get(event.pairing, {}))],
    }


def crosses(event: SequentialTest) -> dict[str, Cross]:
    """What cross tables are made of: one, without a heading."""
    return {"": event.cross}


def _omission_lines(event: SequentialTest) -> Iterator[str]:
    """Which games were not looked at, and why."""
    if event.left_out:
        yield f"left out  {event.left_out} games, of {event.settings.observations} that nobody can decide"
    if later := event.stats().played - event.counted:
        lacking = "one before them, or of their pair, is lacking"
        why = "they came after the decision" if event.is_decided else lacking
        yield f"not seen  {later} games: {why}"
