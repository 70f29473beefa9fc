"""Writing a file so that whoever reads it sees the old text or the new one, never a part."""

from pathlib import Path

from gyoji.core.faults import Breakdown
from gyoji.core.text import legible
from gyoji.store.writing import write_file


def write_text(path: Path, text: str) -> None:
    """Put `text` into a file, in one step. Raises Breakdown if it cannot be written."""
    write_bytes(path, legible(text).encode())


def write_bytes(path: Path, content: bytes) -> None:
    """Put `content` into a file, in one step. Raises Breakdown if it cannot be written."""
    try:
        write_file(path, content)
    except OSError as error:
        raise Breakdown(f"{path} cannot be written: {error.strerror}") from None
