"""The judge's table on a page: all that a judge has said, done anew each time; a ruling when it is accepted.

The page keeps what was said; nothing is kept here, and nothing is stored before the ruling. Rulings are
given between runs, as with `gyoji judge`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from gyoji.core.describe import describe_result
from gyoji.core.faults import ConfigError
from gyoji.core.game import Refusal
from gyoji.core.plugins import GAMES
from gyoji.core.record import Ruling
from gyoji.core.text import printable
from gyoji.play.loop import time_of_day
from gyoji.scheduler.ruling import Hearing, between_runs
from gyoji.web.following import Followed

MOST_SAID = 1000
"""Commands of one hearing, at most."""


def waiting(followed: Followed) -> list[dict[str, Any]]:
    """The games that wait for a ruling or have one, JSON-ready. Call it in a thread. Raises ConfigError."""
    assert followed.event is not None
    words = GAMES.find(followed.event.setup.game).result_words
    with followed.store() as store:
        ruled = {game for game, _ in store.rulings()}
        ids = [*followed.endings.waiting, *sorted(ruled - set(followed.endings.waiting))]
        results = [store.record(game)[1].result for game in ids]
    return [
        {"id": each.id, "result": printable(describe_result(each, words)), "ruled": each.id in ruled}
        for each in results
    ]


def hear(followed: Followed, game: str, told: Mapping[str, Any]) -> dict[str, Any]:
    """What comes of what a judge has said of a game, JSON-ready. Call it in a thread.

    told: `commands` that were given, in their order; with `accept` the ruling is stored, by `who`. The answer
    has the lines that the judge reads, what the last command came to, and the ruling as it stands: its dead
    and seki groups by a point each. Raises ConfigError, also while a run goes on.
    """
    event = followed.event
    assert event is not None
    commands = _commands(told.get("commands", []))
    who = printable(" ".join(str(told.get("who", "")).split()), 80) or "somebody"
    with between_runs(event) as store:
        hearing = Hearing.of(event, store, game)
        opening, answers, refusal = list(hearing.opening()), list[str](), ""
        for verb, *words in map(str.split, commands):
            try:
                answers = list(hearing.table.obey(verb, words))
            except Refusal as error:
                refusal = str(error)
        ruling = hearing.table.ruling(who, time_of_day())
        accepted, troubles = "", list[str]()
        if told.get("accept") is True:
            accepted, troubles = hearing.rule(event, store, ruling)
    return {
        "opening": opening,
        "answers": answers,
        "refusal": refusal,
        "commands": list(hearing.table.commands),
        "dead": list(ruling.dead),
        "seki": list(ruling.seki),
        "verdict": _verdict(hearing, ruling),
        "accepted": accepted,
        "troubles": troubles,
    }


def _commands(told: object) -> Sequence[str]:
    """The commands, if they are any. Raises ConfigError."""
    if not isinstance(told, list) or len(told) > MOST_SAID:
        raise ConfigError(f"commands: expected a list of at most {MOST_SAID} lines")
    if not all(isinstance(each, str) and each.strip() and len(each) < 400 for each in told):
        raise ConfigError("commands: expected lines with a command each")
    return told


def _verdict(hearing: Hearing, ruling: Ruling) -> str:
    """The result by this ruling, in words."""
    return printable(describe_result(ruling.applied(hearing.record.result), hearing.game.result_words))
