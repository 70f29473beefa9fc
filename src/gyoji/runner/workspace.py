"""The folders that engines find around them: a private one for each game, a lasting one for each player.

All private ones are below one folder of the run in the system's place for temporary files, without blanks
in its name: engines cut what they are told at blanks. A worker removes what it makes; the run's warden
removes the whole when the run has ended, however it ended; and if that was killed too, the next run does.
"""

import os
import secrets
from collections.abc import Callable
from dataclasses import replace

from gyoji.core.environment import RUN
from gyoji.core.faults import Breakdown
from gyoji.core.spec import Player
from gyoji.runner.package import is_package, unpack
from gyoji.runner.scratch import claim, scratch_folder
from gyoji.runner.trees import remove_tree

Leave = Callable[[], str]
"""To be called once the engine is gone: removes what was made for it. Says what went wrong, "" if nothing."""


class Workspace:
    """The folders of one worker's engines, or of whoever plays a game outside a run."""

    def __init__(self) -> None:
        run, _, number = os.environ.get(RUN, "").partition(".")
        self._whole = scratch_folder(run or secrets.token_hex(8))
        self._claim = -1
        self.root = self._whole / number if run else self._whole
        self._packages = self._whole / "packages"
        self._count = 0

    def furnish(self, player: Player) -> tuple[Player, Leave]:
        """The player with its program unpacked and its folders made, as its engine is to find them.

        Raises Breakdown.
        """
        try:
            return self._furnish(player)
        except OSError as error:
            text = f"cannot make {error.filename}: {error.strerror}"
            raise Breakdown(f"player {player.code}: {text}") from None

    def _furnish(self, player: Player) -> tuple[Player, Leave]:
        if self._claim < 0 and (player.cwd == "" or is_package(player.command[0])):
            self._claim = claim(self._whole)
        player = unpack(player, self._packages)
        if player.cwd != "":
            return player, _nothing
        self._count += 1
        place = self.root / str(self._count)
        folder = player.folder
        if folder is not None:
            os.makedirs(folder, exist_ok=True)
        work = place / "work"
        work.mkdir(mode=0o700, parents=True)
        if folder is not None and folder.split() != [folder]:
            (place / "folder").symlink_to(folder)
            folder = str(place / "folder")
        return replace(player, cwd=str(work), folder=folder), lambda: remove_tree(place)

    def close(self) -> None:
        """Remove what is left."""
        remove_tree(self.root)
        if self._claim >= 0:
            os.close(self._claim)
            self._claim = -1


def _nothing() -> str:
    """What is to be removed where nothing was made."""
    return ""
