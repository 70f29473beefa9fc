"""What the games of one worker share: how engines are started, their folders, and those that stay."""

from dataclasses import dataclass, field

from gyoji.core.plugins import plugin
from gyoji.core.ports import Executor
from gyoji.runner.loop import Loop
from gyoji.runner.stable import Stable
from gyoji.runner.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """Made once for a worker, or for one game that is played without one; `close` it at the end."""

    loop: Loop = field(default_factory=Loop)
    executor: Executor = field(default_factory=lambda: plugin("executors", "local").executor())
    workspace: Workspace = field(default_factory=Workspace)
    stable: Stable = field(default_factory=Stable)

    def close(self) -> None:
        """Send away the engines that are still here, and remove their folders."""
        self.stable.dismiss_all()
        self.loop.run(lambda: self.stable.is_empty)
        self.workspace.close()
        self.loop.close()
