"""Stored values for the interface for programs, JSON-ready. Reads stores: call it in threads."""

from collections.abc import Sequence
from typing import Any

from gyoji.core.describe import describe_result
from gyoji.core.faults import ConfigError
from gyoji.core.plugins import GAMES
from gyoji.core.record import GameRecord, GameResult
from gyoji.core.spec import GameSpec
from gyoji.core.text import printable
from gyoji.report.documents import table_values
from gyoji.report.html.games import game_values
from gyoji.scheduler.reports import account_of
from gyoji.tables.general import tables
from gyoji.web.following import Followed
from gyoji.web.judging import rulings
from gyoji.web.live import LiveGame
from gyoji.web.trying import expected, tried


def has_game(followed: Followed, game: str) -> bool:
    """Whether a game is stored; no if the store cannot be read."""
    try:
        with followed.store() as store:
            return store.has(game)
    except ConfigError:
        return False


def stored_game(followed: Followed, game: str) -> dict[str, Any]:
    """A game for the viewer, and the suffixes of its records. Raises KeyError and ConfigError."""
    with followed.store() as store:
        spec, record = store.record(game)
    game_of = GAMES.find(spec.game)
    forms = [game_of.record_format(name) for name in game_of.record_formats]
    suffixes = [form.suffix for form in forms if form.write is not None]
    return {
        **game_values(spec, record),
        "live": False,
        "records": suffixes,
        "rulings": rulings(followed, game),
    }


def record_file(followed: Followed, file: str) -> bytes:
    """The file of a game, whose name is its id and a suffix. Raises KeyError and ConfigError."""
    assert followed.event is not None
    game = GAMES.find(followed.event.setup.game)
    for name in game.record_formats:
        form = game.record_format(name)
        if file.endswith(form.suffix) and form.write is not None:
            with followed.store() as store:
                return form.write(*store.record(file.removesuffix(form.suffix)))
    raise KeyError(file)


def listed_game(game: str, number: int, result: GameResult) -> dict[str, Any]:
    """A game of a list."""
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
    """A game of a list, which goes on."""
    spec = game.spec
    return {"id": spec.id, "players": list(dict.fromkeys(spec.codes)), "note": spec.note, "turns": game.count}


def tried_moves(followed: Followed, game: str, turn: int, moves: Sequence[str]) -> dict[str, Any]:
    """A variation of a game, also of one that goes on. Raises KeyError and ConfigError."""
    return tried(*_known(followed, game), turn, moves)


def expected_moves(followed: Followed, game: str, turn: int, seat: int) -> dict[str, Any]:
    """What an engine expected at a turn of a game, likewise. Raises KeyError and ConfigError."""
    return expected(*_known(followed, game), turn, seat)


def _known(followed: Followed, game: str) -> tuple[GameSpec, GameRecord]:
    """A game as far as everybody may know it."""
    if (playing := followed.playing.get(game)) is not None:
        if playing.hidden:
            raise ConfigError("its moves are not told before it is over")
        return playing.spec, playing.record()
    with followed.store() as store:
        return store.record(game)


def board_of(values: dict[str, Any]) -> dict[str, Any]:
    """The values of a game in progress without its words: for a board among many."""
    return {name: value for name, value in values.items() if name not in ("turns", "curves", "remarks")}


def table_list(followed: Followed) -> list[dict[str, Any]]:
    """The tables of a competition, as reports have them."""
    assert followed.event is not None
    return [table_values(each) for each in tables(account_of(followed.event, followed.digest))]
