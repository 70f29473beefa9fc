"""Writing a file so that whoever reads it sees the old text or the new one, never a part."""

import os
from contextlib import suppress
from pathlib import Path

from gyoji.core.faults import Breakdown
from gyoji.core.text import legible


def write_text(path: Path, text: str) -> None:
    """Put `text` into a file, in one step. Raises Breakdown if it cannot be written."""
    beside = path.with_name(f".{path.name}.new")
    try:
        beside.write_text(legible(text), encoding="utf-8")
        os.replace(beside, path)
    except OSError as error:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise Breakdown(f"{path} cannot be written: {error.strerror}") from None
