"""Games and tables as JSON-ready values.

Call the functions in threads, because they read files or compute for long. `listed_game`, `listed_live` and
`board_of` do neither.
"""

from collections.abc import Iterable
from contextlib import suppress
from itertools import islice
from typing import Any

from gyoji.core.describe import describe_result
from gyoji.core.faults import ConfigError
from gyoji.core.game import Frame
from gyoji.core.plugins import GAMES
from gyoji.core.record import GameRecord, GameResult
from gyoji.core.spec import GameSpec
from gyoji.core.tables import Kind, Part, Table, Tree, records_by_name
from gyoji.core.text import printable
from gyoji.report.html.games import about_game, frame_values, game_title, game_values, pictures_of
from gyoji.scheduler.reports import account_of, post_text
from gyoji.store.search import Search
from gyoji.tables.report_tables import tables
from gyoji.web.judging import rulings
from gyoji.web.live import LiveGame
from gyoji.web.watched import WatchedCompetition


def has_game(watched: WatchedCompetition, game: str) -> bool:
    """Return whether a game is stored; False also if the store cannot be read."""
    with suppress(ConfigError), watched.store() as store:
        return store.has(game)
    return False


def title_of(watched: WatchedCompetition, game: str) -> str:
    """Return the title of a game, in progress or stored: its players and round.

    Raises:
        KeyError: There is no such game.
        ConfigError: The store cannot be read.
    """
    if (playing := watched.playing.get(game)) is not None:
        return playing.title
    with watched.store() as store:
        return game_title(store.record(game)[0])


def stored_game(watched: WatchedCompetition, game: str) -> dict[str, Any]:
    """Return a stored game for the viewer: moves, positions, rulings, and the suffixes of its record files.

    Raises:
        KeyError: There is no such game.
        ConfigError: The store cannot be read.
    """
    with watched.store() as store:
        spec, record = store.record(game)
    game_of = GAMES.find(spec.game)
    forms = [game_of.record_format(name) for name in game_of.record_formats]
    suffixes = [form.suffix for form in forms if form.write is not None]
    return {
        **game_values(spec, record),
        "live": False,
        "records": suffixes,
        "rulings": rulings(watched, game),
    }


def last_board(watched: WatchedCompetition, game: str) -> dict[str, Any]:
    """Return a stored game for a small board, JSON-ready: its players, its result and its last position.

    The keys are those of `about_game`, `result`, `count` and `frames`, which has only the last position.

    Raises:
        KeyError: There is no such game.
        ConfigError: The store cannot be read.
    """
    with watched.store() as store:
        spec, record = store.record(game)
    scene, frames, _ = pictures_of(spec, record)
    last = Frame(changes=(), marks=frames[-1].marks)
    changes = {place: signs for frame in frames for place, signs in frame.changes}
    words = GAMES.find(spec.game).result_words
    return {
        **about_game(spec, record.result, scene),
        "result": printable(describe_result(record.result, words)),
        "count": len(record.turns),
        "frames": [frame_values(last._replace(changes=tuple(changes.items())))],
    }


MOST_LEADERS = 12
"""Largest number of players in the list of leaders."""


def leaders(watched: WatchedCompetition) -> tuple[list[dict[str, Any]], Tree | None]:
    """Return (the leading players, the bracket of a knockout).

    There are at most MOST_LEADERS players, each with the keys `rank`, `name` and `points`. The list is empty
    if the competition ranks nobody. The bracket is None for other formats.
    """
    assert watched.event is not None
    found = tables(account_of(watched.event, watched.digest, "standings"))
    trees = [each for each in found if isinstance(each, Tree)]
    return _ranked(found), trees[0] if len(trees) == 1 else None


def _ranked(found: Iterable[Part]) -> list[dict[str, Any]]:
    standings = [each for each in found if isinstance(each, Table) and each.name == "standings"]
    if not standings:
        return []
    table = standings[0]
    columns = {column.key: column.cells for column in table.columns}
    names = next((column.cells for column in table.columns if column.kind is Kind.NAME), ())
    ranks = columns.get("rank", [str(number) for number in range(1, len(names) + 1)])
    points = columns.get("points", [""] * len(names))
    rows = zip(ranks, names, points, strict=True)
    return [{"rank": rank, "name": name, "points": each} for rank, name, each in islice(rows, MOST_LEADERS)]


def post(watched: WatchedCompetition, form: str) -> str:
    """Return the standings as "markdown" or "bbcode", to be pasted into a document or a forum."""
    assert watched.event is not None
    return post_text(watched.event, watched.digest, form)


def last_game(watched: WatchedCompetition, player: str) -> str:
    """Return the id of a player's newest stored game; "" if there is none."""
    if watched.event is None or not watched.event.files.database.exists():
        return ""
    found = watched.page(Search(player), before=None, most=1)
    return found[0][1].id if found else ""


def record_file(watched: WatchedCompetition, file: str) -> bytes:
    """Return the content of a record file, written from the stored game.

    Args:
        file: Name of the record file: the game's id and the suffix of a record format.

    Raises:
        KeyError: There is no such game or format.
        ConfigError: The store cannot be read.
    """
    assert watched.event is not None
    game = GAMES.find(watched.event.setup.game)
    for name in game.record_formats:
        form = game.record_format(name)
        if file.endswith(form.suffix) and form.write is not None:
            with watched.store() as store:
                return form.write(*store.record(file.removesuffix(form.suffix)))
    raise KeyError(file)


def listed_game(game: str, number: int, result: GameResult) -> dict[str, Any]:
    """Return a stored game as the entry of a list, JSON-ready.

    Args:
        game: Name of the game's rules, such as "go".
        number: Number of the result in the store.
    """
    return {
        "number": number,
        "id": result.id,
        "players": list(dict.fromkeys(result.players)),
        "result": printable(describe_result(result, GAMES.find(game).result_words)),
        "ending": result.outcome.ending.value,
        "detail": printable(result.outcome.detail),
        "turns": result.turns,
        "seconds": round(result.wall_ns / 1e9, 3),
        "started": result.started,
    }


def listed_live(game: LiveGame) -> dict[str, Any]:
    """Return a game in progress as the entry of a list, JSON-ready."""
    spec = game.spec
    return {
        "id": spec.id,
        "title": game.title,
        "players": list(dict.fromkeys(spec.codes)),
        "note": spec.note,
        "turns": game.count,
    }


# Variations of a hidden game in progress are refused too: they would show which moves are legal.
def known(watched: WatchedCompetition, game: str) -> tuple[GameSpec, GameRecord]:
    """Return (settings, record) of a game, stored or in progress. A game in progress has the moves so far.

    Raises:
        KeyError: There is no such game.
        ConfigError: The moves of the game are hidden until it is over, or the store cannot be read.
    """
    if (playing := watched.playing.get(game)) is not None:
        if playing.hidden:
            raise ConfigError("its moves are not told before it is over")
        return playing.spec, playing.record()
    with watched.store() as store:
        return store.record(game)


def board_of(values: dict[str, Any]) -> dict[str, Any]:
    """Return the values of a game in progress without moves, evaluations and remarks, for a small board."""
    return {name: value for name, value in values.items() if name not in ("turns", "curves", "remarks")}


def table_records(watched: WatchedCompetition) -> dict[str, Any]:
    """Return all tables of a competition, by name, as `gyoji report --format json` prints them."""
    assert watched.event is not None
    return records_by_name(tables(account_of(watched.event, watched.digest)))
