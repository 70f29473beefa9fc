"""`gyoji export`: stored results in the forms of other programs."""

from collections.abc import Callable, Iterator
from pathlib import Path

from gyoji.cli.compose import Event, open_event
from gyoji.cli.exits import say
from gyoji.cli.files import write_text
from gyoji.cli.standing import fold
from gyoji.report.bayeselo import pgn
from gyoji.report.crosstable import table_lines
from gyoji.report.matchup import game_sides
from gyoji.scheduler.status import ExitStatus
from gyoji.store.store import Store


def export_file(path: Path, form: str, output: Path | None) -> ExitStatus:
    """The whole command: to standard output, or in one step into the file `output`. form: one of `FORMS`."""
    pieces = FORMS[form](open_event(path))
    if output is not None:
        write_text(output, "".join(pieces))
        return ExitStatus.COMPLETE
    for piece in pieces:
        say(piece, nl=False)
    return ExitStatus.COMPLETE


def _games(event: Event) -> Iterator[str]:
    """Every result as a game in PGN, in order of completion. Reads as it is asked."""
    setup = event.setup
    with Store.read(event.files.database, competition=setup.code) as store:
        for result in store.results():
            yield pgn(result, event=setup.code, site=setup.place)


def _tables(event: Event) -> Iterator[str]:
    """The cross tables, with their headings if they have some."""
    fold(event)
    names = game_sides(event.setup.game)
    for number, (heading, cross) in enumerate(event.layout.crosses(event.competition).items()):
        if number:
            yield "\n"
        if heading:
            yield f"{heading}\n"
        yield from (f"{line}\n" for line in table_lines(cross, names))


FORMS: dict[str, Callable[[Event], Iterator[str]]] = {"bayeselo": _games, "crosstable": _tables}
"""What results can be exported to."""
