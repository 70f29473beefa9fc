"""What the games of one worker share: how engines are started, their folders, and those that stay."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from gyoji.core.plugins import plugin
from gyoji.core.ports import Engine, Executor
from gyoji.core.spec import Player
from gyoji.runner.engine_pool import EnginePool
from gyoji.runner.loop import Loop
from gyoji.runner.order import BOARD_SIZE, Board
from gyoji.runner.workspace import Cleanup, Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerContext:
    """Made once for a worker, or for one game that is played without one; `close` it at the end.

    to_move: which seats of its game are to move.
    """

    loop: Loop = field(default_factory=Loop)
    executor: Executor = field(default_factory=lambda: plugin("executors", "contained").executor())
    workspace: Workspace = field(default_factory=Workspace)
    pool: EnginePool = field(default_factory=EnginePool)
    to_move: Board = field(default_factory=lambda: bytearray(BOARD_SIZE))

    def start(self, player: Player, environ: Mapping[str, str]) -> tuple[Engine, Cleanup]:
        """A new engine of `player`, in its folders, and what removes those. Raises Breakdown."""
        folders = self.workspace.make_folders(player)
        try:
            engine = self.executor.start(folders.player, {**folders.environ, **environ}, place=folders.place)
        except BaseException:
            folders.cleanup()
            raise
        return engine, folders.cleanup

    def close(self) -> None:
        """Send away the engines that are still here, and remove their folders."""
        self.pool.dismiss_all()
        self.loop.run(lambda: self.pool.is_empty)
        self.executor.close()
        self.workspace.close()
        self.loop.close()
