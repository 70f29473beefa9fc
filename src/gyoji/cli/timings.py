"""`gyoji show --game ID --timing`: what became of the time of each move of a game."""

from pathlib import Path

from gyoji.cli.exits import say
from gyoji.cli.files import open_event
from gyoji.core.faults import ConfigError
from gyoji.core.text import legible_json, quote
from gyoji.report.text import text_lines
from gyoji.scheduler.status import ExitStatus
from gyoji.store.store import Store
from gyoji.tables.timings import timing_blocks, timing_values


def show_timing(path: Path, game: str, *, as_json: bool) -> ExitStatus:
    """The whole command. Raises ConfigError for a game that is not stored."""
    event = open_event(path)
    with Store.read(event.files.database, competition=event.setup.code) as store:
        try:
            _, record = store.record(game)
        except KeyError:
            raise ConfigError(f"{event.source}: there is no finished game {quote(game)}") from None
    if as_json:
        say(legible_json({"game": game, "moves": timing_values(record)}, indent=2))
        return ExitStatus.COMPLETE
    for line in text_lines(timing_blocks(record)):
        say(line)
    return ExitStatus.COMPLETE
