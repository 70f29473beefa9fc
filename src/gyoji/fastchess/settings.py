"""The conversion of a fastchess command line to a competition, by way of control file settings."""

import dataclasses
import os
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from gyoji.config.competition import read_competition
from gyoji.config.document import Document
from gyoji.core.openings import Openings
from gyoji.core.setup import CompetitionSetup
from gyoji.fastchess.books import ShuffledBook
from gyoji.fastchess.wishes import Engine, Wishes

NAME = "match"
"""The code of the competition, with which its file names begin."""


def competition_setup(wishes: Wishes, folder: Path) -> CompetitionSetup:
    """Return the setup of the match that a command line describes. Raises ConfigError if it is wrong.

    Args:
        folder: The folder for the results.
    """
    path = (folder / NAME).absolute()
    document = Document(name="gyoji-fastchess", path=path, base=Path.cwd(), raw=settings(wishes))
    setup = read_competition(document)
    made: Any = setup.settings
    if _has_fastchess_order(wishes):
        made = _shuffled(made, wishes.seed or 0)
    return replace(setup, control_file="", settings=made)


def _has_fastchess_order(wishes: Wishes) -> bool:
    """Return whether openings are in the random order that fastchess derives from `-srand`."""
    return wishes.openings.get("order") == "random" and wishes.seed is not None


def _shuffled(settings: Any, seed: int) -> Any:
    """Return a format's settings with all openings, also those of matchups, in fastchess's random order.

    Args:
        seed: The seed of the order, from `-srand`.
    """
    if isinstance(getattr(settings, "openings", None), Openings):
        book = ShuffledBook(settings.openings.lines, seed)
        return dataclasses.replace(settings, openings=dataclasses.replace(settings.openings, lines=book))
    matchups = tuple(_shuffled(matchup, seed) for matchup in settings.matchups)
    return dataclasses.replace(settings, matchups=matchups)


def settings(wishes: Wishes) -> dict[str, Any]:
    """Return the match as the settings of a control file."""
    plain: dict[str, Any] = {
        "game": "chess",
        "variant": "chess960" if wishes.chess960 else "standard",
        "description": wishes.event,
        "place": wishes.site,
        "record_games": False,
        "players": {engine.name: _player(engine, wishes) for engine in wishes.engines},
        **_format(wishes),
    }
    if wishes.seed is not None:
        plain["seed"] = wishes.seed
    if wishes.pinned:
        plain["cores"] = 1
    if adjudication := _adjudication(wishes):
        plain["adjudication"] = adjudication
    if "file" in (given := wishes.openings):
        openings: dict[str, Any] = {
            "file": given["file"],
            "order": "sequential" if _has_fastchess_order(wishes) else given.get("order", "sequential"),
            "start": int(given.get("start", 1)),
            "games": wishes.games,
        }
        if "plies" in given:
            openings["plies"] = int(given["plies"])
        plain["openings"] = openings
    else:
        plain["openings"] = "none"  # else gyoji's own openings are played
    return plain


def _player(engine: Engine, wishes: Wishes) -> dict[str, Any]:
    program = engine.cmd
    if engine.folder:
        program = os.path.abspath(os.path.join(engine.folder, program))
    player: dict[str, Any] = {
        "command": f"{shlex.quote(program)} {engine.args}".strip(),
        "restart": "on" if engine.restart else "auto",
        "options": {name: _value(text) for name, text in engine.options.items()},
        "budgets": {"startup": f"{wishes.startup_ms + wishes.ping_ms + wishes.ucinewgame_ms}ms"},
        "clock": engine.clock,
    }
    if engine.margin and engine.clock != "none":
        player["clock"] = {"control": engine.clock, "margin": f"{engine.margin}ms"}
    if engine.folder:
        player["cwd"] = os.path.abspath(engine.folder)
    if wishes.lines:
        player["keep_lines"] = list(wishes.lines)
    for name in ("nodes", "depth"):
        if number := getattr(engine, name):
            player[name] = number
    return player


def _value(text: str) -> str | int | bool:
    """Return the value of a UCI option: "true" and "false" become booleans, digits a number."""
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.lstrip("-").isdecimal() else text


def _format(wishes: Wishes) -> dict[str, Any]:
    names = [engine.name for engine in wishes.engines]
    number = (wishes.rounds or 0) * wishes.games
    if wishes.sprt is not None:
        values: dict[str, Any] = {"elo0": 0.0, "elo1": 0.0, "alpha": 0.05, "beta": 0.05}
        values |= {key: float(text) for key, text in wishes.sprt.items() if key != "model"}
        return {
            "competition": "sprt",
            "competitors": names,
            "model": wishes.sprt.get("model", "normalized"),
            "observations": "pairs" if wishes.penta else "games",
            "rounds": number,
            **values,
        }
    if wishes.gauntlet and len(names) > 2:
        first, others = names[: wishes.seeds], names[wishes.seeds :]
        return {"competition": "gauntlet", "champions": first, "challengers": others, "rounds": number}
    if len(names) > 2:
        return {"competition": "allplayall", "competitors": names, "rounds": number}
    matchup = {"players": names[::-1] if wishes.reverse else names, "number_of_games": number}
    return {"competition": "playoff", "alternating": wishes.swap, "matchups": [matchup]}


def _adjudication(wishes: Wishes) -> Mapping[str, Any]:
    adjudication: dict[str, Any] = {}
    if (draw := wishes.draw) is not None:
        adjudication["draw"] = {
            "score": float(draw.get("score", 0)),
            "moves": draw.get("movecount", 1),
            "after": 2 * draw.get("movenumber", 0),
        }
    if (resign := wishes.resign) is not None:
        win = {"score": float(resign.get("score", 0)), "moves": resign.get("movecount", 1)}
        adjudication |= {"win": win, "agreed": wishes.twosided}
    if wishes.tables:
        adjudication["tablebases"] = {
            "folders": list(wishes.tables),
            "pieces": wishes.table_pieces,
            "fifty_moves": wishes.table_fifty,
            "results": wishes.table_results,
        }
    if wishes.max_moves:
        adjudication["length"] = 2 * wishes.max_moves
    return adjudication
