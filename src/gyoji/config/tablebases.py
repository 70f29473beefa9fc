"""Reads the setting `tablebases` of adjudication: folders of Syzygy tables, which must exist and have
tables.
"""

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gyoji.config.document import KeyPath, shown
from gyoji.config.kinds import TABLEBASE_KINDS
from gyoji.core.plugins import GAMES
from gyoji.core.setup import DEFAULT_GAME
from gyoji.core.spec import Tablebases

if TYPE_CHECKING:
    from gyoji.config.reader import Reader

_SUFFIX = ".rtbw"
"""The suffix of files of Syzygy tables with wins, draws and losses."""


def read_tablebases(reader: "Reader", path: KeyPath, raw: Any) -> Tablebases | None:
    """Return the value of `tablebases`: a list of folders, a table of settings, or "none".

    Raises:
        ValueError: The value is another text than "none", a folder does not exist or has no tables, the
            package that reads tables is missing, or the game has no tablebases.
        Rejected: A setting in the table is wrong.
    """
    if raw == "none":
        return None
    if isinstance(raw, str):
        raise ValueError(f'expected a list of folders such as ["syzygy"], got {shown(raw)}')
    values = reader.whole(
        path, TABLEBASE_KINDS, {"folders": raw} if isinstance(raw, list) else reader.table(path, raw)
    )
    document = reader.problems.document
    game = document.raw.get("game", DEFAULT_GAME)
    if game in GAMES.names and not GAMES.find(game).has_tablebases:
        raise ValueError(f"the game {shown(game)} has no tablebases")
    folders = tuple(document.resolve(folder) for folder in values.get("folders", ()))
    for folder in folders:
        if not Path(folder).is_dir():
            raise ValueError(f"{folder}: there is no such folder")
        if next(Path(folder).glob(f"*{_SUFFIX}"), None) is None:
            raise ValueError(f"{folder}: there is no table in it, a file that ends in {_SUFFIX}")
    if find_spec("chess") is None:
        raise ValueError("the package chess, which reads tables, is missing: pip install 'gyoji[tablebases]'")
    return Tablebases(**{**values, "folders": folders})
