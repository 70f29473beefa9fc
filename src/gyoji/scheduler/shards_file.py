"""The file that all parts (shards) of a divided competition share.

A part is played on any machine that has the control file and this file, without a connection to the others.
Its database is in the same folder and names the part. `gyoji.scheduler.gathering` joins the databases.

The file has the competition's secret, from which everything random in its games follows. Engines cannot read
the folder.
"""

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_hex

from msgspec import Struct
from msgspec.json import Decoder

from gyoji.core.faults import ConfigError
from gyoji.core.setup import CompetitionSetup
from gyoji.core.text import quote
from gyoji.pairing.shards import MOST, Deal, Shard
from gyoji.store.files import CompetitionFiles
from gyoji.store.layout import SECRETS, Origin, draw_secret
from gyoji.tables.event_tables import unplayed


@dataclass(frozen=True, slots=True)
class Shards:
    """The content of the file that all parts of a divided competition share.

    Attributes:
        id: 32 hexadecimal digits that identify this division.
        of: Number of parts.
        secret: The competition's secret.
    """

    id: str
    of: int
    secret: int = field(repr=False)

    def origin(self, shard: Shard | None = None) -> Origin:
        """Return the identity to store in the database of one part.

        Args:
            shard: The part; None for the database of the whole competition.
        """
        return Origin(self.secret, self.id, str(shard) if shard else "")


class _Content(Struct):
    """The JSON content of the file."""

    competition: str
    id: str
    shards: int
    secret: str


_read = Decoder(_Content).decode


def shards_file(control_file: Path) -> Path:
    """Return the path of the file that all parts of a divided competition share. It need not exist."""
    return CompetitionFiles(control_file).shards / "shards.json"


def shard_files(control_file: Path, shard: Shard) -> CompetitionFiles:
    """Return the paths of the files that one part of a divided competition writes."""
    return CompetitionFiles(CompetitionFiles(control_file).shards / f"{shard.number}-of-{shard.of}.toml")


def divide(setup: CompetitionSetup, files: CompetitionFiles, of: int, *, source: str) -> Path:
    """Divide a competition without results into parts: write the file that they share.

    Args:
        of: Number of parts.
        source: The control file as the user named it, for messages.

    Returns:
        The path of the file.

    Raises:
        ConfigError: There are results already, the competition cannot be divided (`Deal`), the number does
            not fit, or the file exists or cannot be written.
    """
    if files.database.exists():
        raise ConfigError(
            f"{source}: it has results already, in {files.database}: play on as before, or begin anew with "
            "`gyoji reset`"
        )
    games = len(Deal(unplayed(setup), of, source=source))
    if not 1 <= of <= min(MOST, games):
        raise ConfigError(f"{source}: expected 1 to {min(MOST, games)} shards of its {games} games, got {of}")
    path = shards_file(files.control_file)
    value = {"competition": setup.code, "id": token_hex(16), "shards": of, "secret": str(draw_secret())}
    try:
        path.parent.mkdir(mode=0o700, exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    except FileExistsError:
        raise ConfigError(
            f"{path}: it is in shards already, and dividing it again would change their games: to begin "
            f"anew, delete {path.parent}"
        ) from None
    except OSError as error:
        raise ConfigError(f"{path}: cannot be written: {error.strerror}") from None
    with os.fdopen(descriptor, "w") as file:
        file.write(json.dumps(value, indent=2) + "\n")
    return path


def read_shards(control_file: Path, code: str) -> Shards:
    """Read the file that all parts of a divided competition share.

    Args:
        code: Name of the competition that it must belong to.

    Raises:
        ConfigError: The file is missing, damaged, or another competition's.
    """
    path = shards_file(control_file)
    try:
        content = _read(path.read_bytes())
        shards = Shards(content.id, content.shards, int(content.secret))
    except FileNotFoundError:
        raise ConfigError(
            f"{path}: there is no such file: make it with `gyoji shard {control_file.name} N`, for N shards, "
            "and copy it to every machine that plays one"
        ) from None
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None
    except (ValueError, TypeError):
        shards = None
    if shards is None or not 0 < shards.secret < SECRETS:
        raise ConfigError(f"{path}: it is not as `gyoji shard` wrote it: copy it again")
    if content.competition != code:
        raise ConfigError(
            f"{path}: expected the shards of {quote(code)}, got {quote(content.competition)}'s: copy that"
        )
    return shards


def shards_of(control_file: Path, code: str) -> Shards | None:
    """Read the file that all parts of a divided competition share; None if the competition is not divided.

    Raises:
        ConfigError: The file is damaged, or another competition's.
    """
    return read_shards(control_file, code) if shards_file(control_file).exists() else None
