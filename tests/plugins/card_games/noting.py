"""Noting: an executor that starts engines as the local one does, and notes whom it has started."""

import os
from collections.abc import Mapping

from gyoji.core.plugins import Executor
from gyoji.core.ports import Channel
from gyoji.core.spec import Player
from gyoji.executors.local import LocalExecutor


class Noting(LocalExecutor):
    """Adds a line to the file that NOTES names."""

    def start(self, player: Player, environ: Mapping[str, str], *, place: str = "") -> Channel:
        with open(os.environ["NOTES"], "a") as notes:
            notes.write(f"{player.code}\n")
        return super().start(player, environ, place=place)


EXECUTOR = Executor(name="noting", open=Noting)
