"""How many links of each player were revoked, in a file beside the control file.

Human players and players of remote owners take part by a secret link. A revoked link is no longer accepted.
"""

import json
from pathlib import Path

from gyoji.core import wire
from gyoji.core.faults import ConfigError
from gyoji.store.filesystem import write_file


def taken_back(path: Path) -> dict[str, int]:
    """Return how many links of each player were revoked. Players without revoked links are left out.

    Raises:
        ConfigError: The file cannot be read.
    """
    try:
        return wire.loads(dict[str, int], path.read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path}: cannot be read: {error}; put it right, or delete it") from None


def take_back(path: Path, player: str) -> None:
    """Revoke the present link of a player, who then has a new one.

    Raises:
        ConfigError: The file cannot be read.
        OSError: The file cannot be written.
    """
    numbers = taken_back(path)
    write_file(path, json.dumps({**numbers, player: numbers.get(player, 0) + 1}).encode())
