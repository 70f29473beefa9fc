"""Rulings on games by a judge at a page, as with `gyoji judge`.

The page keeps the judge's commands, and sends all of them with each request. Nothing is stored before the
ruling. Rulings are possible only while no run goes on.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from gyoji.core.describe import describe_result, result_code
from gyoji.core.faults import ConfigError
from gyoji.core.game import Refusal
from gyoji.core.plugins import GAMES
from gyoji.core.spec import GameSpec
from gyoji.core.text import printable
from gyoji.play.loop import time_of_day
from gyoji.report.html.games import frame_values, game_title
from gyoji.scheduler.event import Event
from gyoji.scheduler.ruling import Ask, EngineOpinion, RulingSession, between_runs
from gyoji.web.run_control import run_gyoji
from gyoji.web.watched import WatchedCompetition

MOST_SECONDS = 120
"""Seconds that an engine may take to give its opinion of a game."""
MOST_SAID = 1000
"""Largest number of a judge's commands about one game."""


def waiting(watched: WatchedCompetition) -> list[dict[str, Any]]:
    """Return the games that wait for a judge or have a ruling, as JSON-ready objects. Call it in a thread.

    Raises:
        ConfigError: The store cannot be read.
    """
    assert watched.event is not None
    words = GAMES.find(watched.event.setup.game).result_words
    with watched.store() as store:
        ruled = {game for game, _ in store.rulings()}
        ids = [*watched.endings.waiting, *sorted(ruled - set(watched.endings.waiting))]
        games = [(spec, record.result) for spec, record in map(store.record, ids)]
    return [
        {
            "id": each.id,
            "title": game_title(spec),
            "players": list(dict.fromkeys(each.players)),
            "result": printable(describe_result(each, words)),
            "ruled": each.id in ruled,
        }
        for spec, each in games
    ]


def rulings(watched: WatchedCompetition, game: str) -> list[dict[str, str]]:
    """Return all rulings on a game, the newest first, as JSON-ready objects. Call it in a thread.

    Raises:
        ConfigError: The store cannot be read.
    """
    assert watched.event is not None
    letters = GAMES.find(watched.event.setup.game).result_words.letters
    with watched.store() as store:
        given = [ruling for _, ruling in store.rulings(game)]
    return [
        {
            **{key: getattr(each, key) for key in ("who", "when", "basis", "remark")},
            "result": result_code(each.outcome, letters),
            "dead": " ".join(each.dead),
        }
        for each in reversed(given)
    ]


# All commands are carried out again for each request, on a new table: the server has no session that could be
# lost, and to undo a command the page leaves it out.
def hear(watched: WatchedCompetition, game: str, told: Mapping[str, Any], ask: Ask) -> dict[str, Any]:
    """Carry out a judge's commands about a game, and return the judge's view of it. Call it in a thread.

    Args:
        told: The request: all `commands` so far, in order; with `accept` true, the ruling is stored under the
            judge's name `who`.
        ask: Function that returns an engine's opinion of the game.

    Returns:
        A JSON-ready object. Among its keys are `opening`, the lines that the judge reads first; `answers`,
        the lines that answer the last command; `refusal`, why a command was refused, or ""; `frame`, the
        board; and `verdict`, the result by the ruling so far.

    Raises:
        ConfigError: A run goes on, or the commands are malformed.
    """
    event = watched.event
    assert event is not None
    commands = _commands(told.get("commands", []))
    who = printable(" ".join(str(told.get("who", "")).split()), 80) or "somebody"
    with between_runs(event) as store:
        session = RulingSession.of(event, store, game, ask)
        opening, answers, refusal = list(session.opening()), list[str](), ""
        for verb, *words in map(str.split, commands):
            try:
                answers = list(session.table.obey(verb, words))
            except Refusal as error:
                refusal = str(error)
        view = session.table.view()
        ruling = session.table.ruling(who, time_of_day())
        accepted, troubles = "", list[str]()
        if told.get("accept") is True:
            accepted, troubles = session.rule(event, store, ruling)
    return {
        "opening": opening,
        "answers": answers,
        "refusal": refusal,
        "commands": list(session.table.commands),
        "dead": list(ruling.dead),
        "seki": list(ruling.seki),
        "frame": frame_values(view.frame) if view.frame is not None else None,
        "columns": view.columns,
        "rows": view.rows,
        "way": view.way,
        "said": session.said(),
        "can_ask": _can_ask(event, session.spec),
        "verdict": printable(
            describe_result(ruling.applied(session.record.result), session.game.result_words)
        ),
        "accepted": accepted,
        "troubles": troubles,
    }


class EngineOpinions:
    """Cache of engines' opinions on the score of games. Each engine is asked only once about a game."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str, str], EngineOpinion] = {}  # by competition, game and player

    def of(self, watched: WatchedCompetition, game: str, player: str) -> EngineOpinion:
        """Return what a player's engine says about the end of a game: its score and dead stones.

        The first time, `gyoji judge --ask` starts the engine and asks it. Call this method in a thread.

        Raises:
            ConfigError: The engine cannot be started, or does not answer within MOST_SECONDS.
        """
        key = watched.name, game, player
        if key not in self._known:
            words = ("judge", f"--ask={player}", "--json", "--", str(watched.path), game)
            asked = run_gyoji(*words, seconds=MOST_SECONDS, late=f"{player} has not answered")
            if asked.returncode:
                raise ConfigError(printable(asked.stderr.decode("utf-8", "replace").strip()))
            told = json.loads(asked.stdout)
            self._known[key] = EngineOpinion(**{**told, "dead": tuple(told["dead"])})
        return self._known[key]


def _can_ask(event: Event, spec: GameSpec) -> list[str]:
    """Return the names of the players whose engines can give an opinion on a game."""
    players = {**event.setup.players, **{each.code: each for each in spec.players}}
    if spec.scoring_player is not None:
        players[spec.scoring_player.code] = spec.scoring_player
    return [code for code, player in players.items() if not player.is_elsewhere and player.protocol == "gtp"]


def _commands(told: object) -> Sequence[str]:
    """Return the judge's commands in a request. Raise ConfigError if they are not a list of lines."""
    if not isinstance(told, list) or len(told) > MOST_SAID:
        raise ConfigError(f"commands: expected a list of at most {MOST_SAID} lines")
    if not all(isinstance(each, str) and each.strip() and len(each) < 400 for each in told):
        raise ConfigError("commands: expected lines with a command each")
    return told
