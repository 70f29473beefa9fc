"""Dig Here as an extension: the object that gyoji registers."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from gyoji.core.forms import Form
from gyoji.core.game import Game, Pictures, RecordFormat
from gyoji.core.record import GameRecord
from gyoji.core.spec import GameSpec
from gyoji.games.dighere.fields import AGENTS
from gyoji.games.dighere.game_options import Options, opening_time, openings, vary
from gyoji.games.dighere.rules import ROLES, DigHereRules, rules

if TYPE_CHECKING:
    from gyoji.core.drawing import Drawing

_PRESETS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "samurai-coding": MappingProxyType(
            {
                "invalid_plans": "shown",
                "asking": "in turn",
                "ponder": False,
                "sandbox": "strict",
                "clock": MappingProxyType({"control": "10s", "grain": "10ms", "by_opening": True}),
            }
        )
    }
)
# As the official manager of 2019-20 does it: one agent after the other, the others stopped, the field's
# own think time, ticks of 10 ms; the agents are strangers'.

# The rules count; each agent has the field's think time, 10 s as in the contest where a field is drawn; there
# is no limit but the field's steps; and programs that are told nothing of the end are not waited for.
_DEFAULTS: Mapping[str, Any] = MappingProxyType(
    {
        "protocol": "dighere",
        "scorer": "internal",
        "clock": MappingProxyType({"control": "10s", "by_opening": True}),
        "move_limit": 1_000_000,
        "budgets": MappingProxyType({"close": "400ms"}),
    }
)


def _logs() -> RecordFormat:
    from gyoji.games.dighere.records import LOG

    return LOG


def _summaries() -> RecordFormat:
    from gyoji.games.dighere.records import SUMMARY

    return SUMMARY


def _pictures() -> Pictures[DigHereRules]:
    from gyoji.games.dighere import frames

    return frames


def _drawing() -> "Drawing":
    from gyoji.games.dighere import drawing

    return drawing


def _told() -> Callable[[GameSpec, GameRecord], Sequence[bytes]]:
    from gyoji.games.dighere.played import told_of

    return told_of


def _form() -> Form:
    from gyoji.games.dighere.form import FORM

    return FORM


GAME = Game(
    name="dighere",
    options=Options,
    rules=rules,
    hides=True,
    seats=AGENTS,
    roles=ROLES,
    side_names=("team 0", "team 1"),
    unit="treasure",
    defaults=_DEFAULTS,
    presets=_PRESETS,
    openings=openings,
    vary=vary,
    shifts=True,
    opening_time=opening_time,
    record_formats=MappingProxyType({"dighere": _logs, "dighere_summary": _summaries}),
    records=("dighere",),
    pictures=_pictures,
    drawing=_drawing,
    told=_told,
    form=_form,
)
