"""The executor of contained engines: it starts each engine in a cell, a sandbox for the player's level.

Engines of the level "off" are started as in `local`.
"""

# Cells and their reuse:
#
#     plan_of(player, place) --> Launcher.make --> Cell --start--> engine --reap--> release --> idle (at most
#     16)
#                                                    ^                                            |
#                                                    +------ same key: the plan, or as root ------+
#
# Making a plan examines many files, and a cell costs a fork and its mounts, so both are kept: the plan by the
# engine's folder (one for each player in a worker), the cell by its plan. Players with equal plans share
# cells.
#
# The launcher can be killed at any moment. `start` detects that, drops everything that depends on it (idle
# cells, and plans, whose uids are derived from its pid) and starts another launcher. A game whose cell or
# launcher died is void (`ProcessLost`), because no engine can cause that.

import os
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import ClassVar

from msgspec import structs

from gyoji.core.environment import RUN
from gyoji.core.faults import Breakdown, ProcessLost
from gyoji.core.spec import Player
from gyoji.core.text import quote
from gyoji.executors import kernel, local
from gyoji.executors.contained import uids
from gyoji.executors.contained.belongings import has_own_view
from gyoji.executors.contained.cells import Cell, CellBroken, CellLost, Launcher, OutOfReach, key_of
from gyoji.executors.contained.cgroups import Groups
from gyoji.executors.contained.engine import ContainedEngine
from gyoji.executors.contained.layers import describe
from gyoji.executors.contained.machine import Machine, examine
from gyoji.executors.contained.plan import Launch, Plan
from gyoji.executors.contained.planning import plan_of

_IDLE_CELLS = 16
"""The maximum number of idle cells that are kept. Each takes 3 MB."""


class _PlayerPlan:
    """The containment of one player's engines that use the same folder of their own.

    Attributes:
        player: The player.
        plan: The plan of the cells for these engines.
        as_root: The same plan for an engine that stays root.
        keys: `key_of` both plans. Cells with either key can be used.
        uid: The user id of the engines, instead of root; 0 for none.
        launch: Program and environment; None before the first start.
        told: Descriptions of the containment for reports. Each key is the file that forces engines to stay
            root; "" for engines that do not have to.
    """

    def __init__(self, player: Player, plan: Plan, number: int) -> None:
        self.player = player
        self.number = number
        self.plan = plan
        self.as_root = plan.copy()
        self.as_root["user"] = None
        self.keys = key_of(plan), key_of(self.as_root)
        self.uid = plan["user"]["uid"] if plan["user"] else 0
        self.launch: Launch | None = None
        self.told: dict[str, str] = {}


class ContainedExecutor:
    """Starts engines in cells, their sandboxes.

    Use it from one thread only, because the launcher dies with the thread that started it.
    """

    _examined: ClassVar[Machine | None] = None

    def __init__(
        self,
        launcher: Callable[[], Launcher] = Launcher,
        pipes: Callable[[str], local.Pipes] = local.Pipes,
    ) -> None:
        """Create the executor. The launcher process is started later.

        Args:
            launcher: Starts the launcher process.
            pipes: Makes the pipes of an engine, as `local.Pipes` does, given the setting `stderr` of its
                player: "log", "discard" or "inherit".
        """
        self._start_launcher, self._make_pipes = launcher, pipes
        self._local = local.LocalExecutor()
        self._launcher: Launcher | None = None
        self._idle: list[Cell] = []
        self._plans: dict[str, _PlayerPlan] = {}  # by place
        self._groups: Groups | None = None

    def prepare(self) -> Callable[[], object]:
        """Start the launcher process.

        Returns:
            A function that determines which layers of containment the machine has. It is slow, so the caller
            chooses when to call it.
        """
        _ = self.launcher
        return lambda: self.machine

    def start(self, player: Player, environ: Mapping[str, str], *, place: str = "") -> local.LocalEngine:
        """Start an engine.

        Args:
            environ: Environment variables of this game.
            place: The engine's own folder. Required unless the level is "off".

        Raises:
            ProcessLost: A process of gyoji was killed.
            Breakdown: The program cannot be executed or contained.
        """
        if player.containment.level == "off":
            return self._local.start(player, environ, place=place)
        try:
            self._drop_dead_launcher()
            engine = self._start(player, environ, place)
        except CellLost as lost:
            raise ProcessLost(f"player {player.code}: cannot be contained: {lost}") from None
        except CellBroken as broken:
            raise Breakdown(f"player {player.code}: cannot be contained: {broken}") from None
        engine.place = place
        return engine

    def _start(self, player: Player, environ: Mapping[str, str], place: str) -> ContainedEngine:
        plan = self._plan(player, place)
        if plan.launch is None:
            plan.launch = self._launch(player, place)
        told = {name: value for name, value in environ.items() if name not in (*player.lacks, RUN)}
        while (cell := self._idle_cell(plan.keys)) is not None:
            try:
                return self._start_in(cell, player, plan, told)
            except (CellBroken, OSError):  # spoilt while it was idle: the next cell, or a new one
                continue
        plan.launch = self._launch(player, place)  # the program may be gone by now, or be elsewhere
        try:
            return self._start_in(self._make(plan), player, plan, told)
        except OSError as error:
            named = quote(plan.launch["program"])
            raise Breakdown(f"player {player.code}: cannot start {named}: {error.strerror}") from None

    def _launch(self, player: Player, place: str) -> Launch:
        """Return how a player's engines are started.

        Raises:
            Breakdown: The program or the working folder does not exist.
        """
        program = local.find_program(player)
        environ = self._local.environ_of(player, {})
        environ.pop(RUN, None)  # the mark by which the reaper finds processes: nothing outlives a cell
        cwd = place if has_own_view(player) and not self.machine.overlays else player.cwd or os.getcwd()
        return {"program": program, "argv": player.command, "environ": environ, "cwd": cwd}

    def _plan(self, player: Player, place: str) -> _PlayerPlan:
        known = self._plans.get(place)
        # The destination of stderr is not part of a plan, and differs between games
        if known is None or structs.replace(known.player, stderr=player.stderr) != player:
            number = len(self._plans) if known is None else known.number
            uid = uids.number(self.launcher.pid, number) if self.machine.own_uid else 0
            plan = plan_of(player, place, self.machine, uid=uid)
            known = self._plans[place] = _PlayerPlan(player, plan, number)
        return known

    def _make(self, plan: _PlayerPlan) -> Cell:
        """Make a cell (the sandbox of an engine) for a player. Raises CellBroken.

        If the engines need a file that only root can read, they stay root in this cell. The next cell is
        tried with the original plan again.
        """
        try:
            return self._make_as_planned(plan.plan)
        except OutOfReach as error:
            cell = self._make_as_planned(plan.as_root)
            cell.closed_file, cell.closed_part = error.path, uids.closed_part(error.path)
            return cell

    def _make_as_planned(self, plan: Plan) -> Cell:
        try:
            return self._make_once(plan)
        except OutOfReach:
            raise
        except CellBroken:  # another program may have removed the control group before the cell had joined it
            return self._make_once(plan)

    def _make_once(self, plan: Plan) -> Cell:
        if self._groups is None and self.machine.groups is not None:
            self._groups = Groups(self.machine.groups)
        group = None
        if self._groups is not None:
            try:
                group = self._groups.make(**plan["group"])
            except OSError as error:
                why = kernel.describe_error(error)
                raise CellBroken(f"it cannot get a control group: {why}") from None
        return self.launcher.make(plan, group)

    def closed_file(self, player: Player, place: str) -> str:
        """Return a file that a player's engines need and only root can read, so that they must stay root.

        The result is "" without such a file, or if engines run as gyoji's user in any case.

        Raises:
            CellBroken: No cell (sandbox) can be made for the player.
        """
        plan = self._plan(player, place)
        if not plan.uid:
            return ""
        self.release(cell := self._make(plan))
        return cell.closed_file

    def _start_in(
        self, cell: Cell, player: Player, plan: _PlayerPlan, told: Mapping[str, str]
    ) -> ContainedEngine:
        """Start an engine in a cell. If that fails, close the cell and raise CellBroken or OSError.

        Args:
            told: Environment variables of this game.
        """
        assert plan.launch is not None
        try:
            with self._make_pipes(player.stderr) as pipes:
                if plan.uid and not cell.closed_file:
                    pipes.give(plan.uid)
                started = cell.start(plan.launch, told, pipes.standard_files())
                engine = ContainedEngine(player, cell, started, self)
                engine.stdin, engine.stdout, engine.stderr = pipes.keep()
                engine.containment = self._describe(plan, cell.closed_file)
                return engine
        except BaseException:
            cell.close()
            raise

    def _idle_cell(self, keys: Sequence[str]) -> Cell | None:
        """Remove and return an idle cell (sandbox) with one of these keys, or None.

        Cells in which engines have to stay root are closed instead if the reason for that has gone.
        """
        for cell in [each for each in self._idle if each.key in keys]:
            self._idle.remove(cell)
            if not cell.closed_file or uids.is_closed(cell.closed_part, cell.closed_file):
                return cell
            cell.close()
        return None

    def release(self, cell: Cell) -> None:
        """Take back a cell (sandbox) in which nothing runs, for another engine, or close it if unusable."""
        if not cell.is_usable:
            cell.close()
            return
        self._idle.append(cell)
        if len(self._idle) > _IDLE_CELLS:
            self._idle.pop(0).close()

    @cached_property
    def machine(self) -> Machine:
        """The layers of containment of this machine, determined once per process."""
        if ContainedExecutor._examined is None:
            examined = examine(self.launcher)
            if self.launcher.has_ended():  # then all layers seemed to be missing
                raise CellLost("the launcher has ended")
            ContainedExecutor._examined = examined
        return ContainedExecutor._examined

    def _describe(self, plan: _PlayerPlan, closed_file: str) -> str:
        """Describe the containment of an engine, for reports and the first line of a run.

        Args:
            closed_file: File that only root can read, so that the engine has to run as root; "" if there is
                none.
        """
        if closed_file not in plan.told:
            user = "own uid" if plan.uid else ""
            if closed_file:
                user = f"uid 0 ({uids.open_to_root(closed_file)})"
            groups = f"cgroups v{self.machine.groups.version}" if self.machine.groups else ""
            contained = plan.player.containment
            network = "network" if contained.network else ""
            plan.told[closed_file] = describe(self.machine, contained.level, user, groups, network)
        return plan.told[closed_file]

    def _drop_dead_launcher(self) -> None:
        """If the launcher process has died, forget it and its cells (sandboxes).

        The property `launcher` starts another one.
        """
        if self._launcher is not None and self._launcher.has_ended():
            self._close_idle()
            self._plans.clear()
            self._launcher.close()
            self._launcher = None

    @property
    def launcher(self) -> Launcher:
        if self._launcher is None:
            self._launcher = self._start_launcher()
        return self._launcher

    @property
    def pids(self) -> frozenset[int]:
        """The pid of the launcher, which is not an orphan of an engine."""
        return frozenset() if self._launcher is None else frozenset((self._launcher.pid,))

    def _close_idle(self) -> None:
        for cell in self._idle:
            cell.close()
        self._idle.clear()

    def close(self) -> None:
        self._close_idle()
        if self._launcher is not None:
            self._launcher.close()
            self._launcher = None
        if self._groups is not None:
            self._groups.close()
