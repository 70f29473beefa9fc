"""The extension object for Dig Here, which gyoji registers."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from gyoji.core.game import Game
from gyoji.core.later import later
from gyoji.games.dighere.fields import AGENTS
from gyoji.games.dighere.game_options import Options, opening_time, openings, vary
from gyoji.games.dighere.rules import ROLES, rules

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
    record_formats=MappingProxyType(
        {
            "dighere": later("gyoji.games.dighere.records", "LOG"),
            "dighere_summary": later("gyoji.games.dighere.records", "SUMMARY"),
        }
    ),
    records=("dighere",),
    pictures=later("gyoji.games.dighere.frames"),
    drawing=later("gyoji.games.dighere.drawing"),
    told=later("gyoji.games.dighere.played", "told_of"),
    form=later("gyoji.games.dighere.form", "FORM"),
)
