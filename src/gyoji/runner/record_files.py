"""The files a game leaves: its records in each format, or what there is of a void game."""

from pathlib import Path

from gyoji.core.plugins import plugin
from gyoji.core.record import GameRecord, VoidGame
from gyoji.core.spec import GameSpec
from gyoji.runner.order import Files
from gyoji.store.writing import write_file


def write_records(files: Files, spec: GameSpec, record: GameRecord) -> list[str]:
    """Write the record files; returns a line for the event log for each that could not be written.

    A finished game is never lost with its file: the store has it all, and can write the file again.
    """
    return _cleanup(files.records, files.formats, spec, record)


def write_void_records(files: Files, spec: GameSpec, void: VoidGame) -> list[str]:
    """Write what there is of a void game, if it had a move."""
    return _cleanup(files.voids, files.formats, spec, void) if void.turns else []


def _cleanup(
    folder: str | None, formats: tuple[str, ...], spec: GameSpec, record: GameRecord | VoidGame
) -> list[str]:
    troubles = []
    for name in formats if folder else ():
        path = Path(folder or "", spec.id)
        try:
            form = plugin("records", name)
            path = Path(folder or "", spec.id + form.suffix)
            write_file(path, form.write(spec, record), in_our_folder=True)
        except OSError as error:
            where = f"{error.filename}: " if error.filename == folder else ""
            troubles.append(f"cannot write {path}: {where}{error.strerror}; the game itself is stored")
        except Exception as error:  # noqa: BLE001 (a bug of a format must not cost the game)
            kind = type(error).__name__
            troubles.append(f"cannot write {path} as {name}: {kind}: {error}; the game itself is stored")
    return troubles
