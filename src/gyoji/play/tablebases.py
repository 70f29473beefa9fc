"""Looking up chess positions in Syzygy tablebases, with the package `chess`."""

# `chess` is a separate extra (`gyoji[tablebases]`), because its licence is the GPL 3 while gyoji's is MIT.
# The free C libraries Pyrrhic and Fathom would have to be compiled wherever gyoji is installed. A look-up
# happens between two moves, when no clock runs, and only after a capture or a pawn move.

from collections.abc import Sequence
from functools import cache

from gyoji.core.faults import Breakdown
from gyoji.core.spec import GameSpec
from gyoji.referee.tablebases import Probe

INSTALL = "pip install 'gyoji[tablebases]'"


def probe_of(spec: GameSpec) -> Probe | None:
    """Return the function that looks up positions for a game; None if its settings name no tablebases.

    Raises:
        Breakdown: The package `chess` is missing, or a folder cannot be read.
    """
    tables = spec.adjudication.tablebases
    return None if tables is None else _opened(tables.folders)


@cache
def _opened(folders: Sequence[str]) -> Probe:
    """Return the function that looks up positions in these folders, which stay open for later games."""
    try:
        import chess  # noqa: PLC0415 - an extra, which takes 0.2 s to import
        import chess.syzygy  # noqa: PLC0415
    except ImportError as error:
        raise Breakdown(f"tablebases: {error}: {INSTALL}") from None
    tables = chess.syzygy.Tablebase()
    for folder in folders:
        try:
            tables.add_directory(folder, load_dtz=False)
        except OSError as error:
            raise Breakdown(f"tablebases: {folder}: {error.strerror}") from None

    def probe(fen: str) -> int | None:
        try:
            return tables.probe_wdl(chess.Board(fen))
        except KeyError:  # MissingTableError is one
            return None
        except Exception as error:  # noqa: BLE001 (a damaged table: the game is void, and no player's fault)
            raise Breakdown(f"tablebases: {fen}: {type(error).__name__}: {error}") from None

    return probe
