"""The judge's table on a page: all that a judge has said, done anew each time; a ruling when it is accepted.

The page keeps what was said; nothing is kept here, and nothing is stored before the ruling. Rulings are
given between runs, as with `gyoji judge`.
"""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from gyoji.core.describe import describe_result, result_code
from gyoji.core.faults import ConfigError
from gyoji.core.game import Refusal
from gyoji.core.plugins import GAMES
from gyoji.core.record import Ruling
from gyoji.core.spec import GameSpec
from gyoji.core.text import printable
from gyoji.play.loop import time_of_day
from gyoji.report.html.games import frame_values
from gyoji.scheduler.event import Event
from gyoji.scheduler.ruling import Ask, Claim, Hearing, between_runs
from gyoji.web.following import Followed

MOST_SECONDS = 120
"""How long a player may take to say what it thinks of a game."""

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
        {
            "id": each.id,
            "players": list(dict.fromkeys(each.players)),
            "result": printable(describe_result(each, words)),
            "ruled": each.id in ruled,
        }
        for each in results
    ]


def rulings(followed: Followed, game: str) -> list[dict[str, str]]:
    """The rulings on a game for whoever looks at it, the newest first, JSON-ready. Raises ConfigError."""
    assert followed.event is not None
    letters = GAMES.find(followed.event.setup.game).result_words.letters
    with followed.store() as store:
        given = [ruling for _, ruling in store.rulings(game)]
    return [
        {
            "who": each.who,
            "when": each.when,
            "result": result_code(each.outcome, letters),
            "basis": each.basis,
            "remark": each.remark,
            "dead": " ".join(each.dead),
        }
        for each in reversed(given)
    ]


def hear(followed: Followed, game: str, told: Mapping[str, Any], ask: Ask) -> dict[str, Any]:
    """The result of a judge's commands about a game, JSON-ready. Call it in a thread.

    told: `commands` that were given, in their order; with `accept` the ruling is stored, by `who`. The answer
    has the lines that the judge reads, what the last command came to, and the ruling as it stands. ask: gives
    what the scoring player says. Raises ConfigError, also while a run goes on.
    """
    event = followed.event
    assert event is not None
    commands = _commands(told.get("commands", []))
    who = printable(" ".join(str(told.get("who", "")).split()), 80) or "somebody"
    with between_runs(event) as store:
        hearing = Hearing.of(event, store, game, ask)
        opening, answers, refusal = list(hearing.opening()), list[str](), ""
        for verb, *words in map(str.split, commands):
            try:
                answers = list(hearing.table.obey(verb, words))
            except Refusal as error:
                refusal = str(error)
        view = hearing.table.view()
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
        "frame": frame_values(view.frame) if view.frame is not None else None,
        "columns": view.columns,
        "rows": view.rows,
        "said": hearing.said(),
        "can_ask": _can_ask(event, hearing.spec),
        "verdict": _verdict(hearing, ruling),
        "accepted": accepted,
        "troubles": troubles,
    }


class Claims:
    """The opinions of players about games. An engine is started once for each, by a process of its
    own: engines die with the thread that has started them, and no thread here lasts.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[str, str, str], Claim] = {}  # by competition, game and player

    def of(self, followed: Followed, game: str, player: str) -> Claim:
        """The opinion of a player about a game. Call it in a thread. Raises ConfigError."""
        key = followed.name, game, player
        if key not in self._known:
            words = [sys.executable, "-m", "gyoji", "judge", f"--ask={player}", "--json", "--"]
            try:
                asked = subprocess.run(
                    [*words, str(followed.path), game],
                    stdin=subprocess.DEVNULL,
                    capture_output=True,
                    timeout=MOST_SECONDS,
                    check=False,
                )
            except subprocess.TimeoutExpired:
                raise ConfigError(f"{player} has not answered within {MOST_SECONDS} s") from None
            if asked.returncode:
                raise ConfigError(printable(asked.stderr.decode("utf-8", "replace").strip()))
            told = json.loads(asked.stdout)
            self._known[key] = Claim(**{**told, "dead": tuple(told["dead"])})
        return self._known[key]


def _can_ask(event: Event, spec: GameSpec) -> list[str]:
    """The players of an event that can say what they think of a game."""
    players = {**event.setup.players, **{each.code: each for each in spec.players}}
    if spec.scoring_player is not None:
        players[spec.scoring_player.code] = spec.scoring_player
    return [code for code, player in players.items() if not player.is_person and player.protocol == "gtp"]


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
