"""Types of the messages that order sandboxes, from a worker process to its launcher and to a cell.

They are plain JSON dicts, because the launcher imports no library that could decode other types. `launcher`
documents the sequence of messages.
"""

from collections.abc import Mapping, Sequence
from typing import TypedDict


class GroupLimits(TypedDict):
    """Limits of a sandbox's control group; 0 for none.

    Attributes:
        memory: Bytes.
        processes: Number of processes.
    """

    memory: int
    processes: int


class User(TypedDict):
    """The user as which an engine runs if gyoji runs as root; see `uids`.

    Attributes:
        uid: The user's id outside the sandbox. Inside the id is 0.
        own: Files and folders of root that belong to this user inside the sandbox.
        needed: Paths that the user must be able to read. Otherwise the sandbox is not made.
        groups: Ids of the user's supplementary groups, which own device files.
    """

    uid: int
    own: Sequence[str]
    needed: Sequence[str]
    groups: Sequence[int]


class Rules(TypedDict):
    """A Landlock ruleset: rights that are denied except where a path grants them.

    Attributes:
        version: Version of the Landlock interface.
        handled: Rights that are denied.
        grants: Pairs of a path and the rights that it grants. A folder stands for everything below it.
    """

    version: int
    handled: int
    grants: Sequence[tuple[str, int]]


class Filesystem(TypedDict):
    """A cell's view of the file system, which `layout` mounts.

    Attributes:
        devices: Device files of the cell's own /dev; None to see the machine's.
        overlays: For each overlay its folder, its lower, upper and work folders, and names. The overlay's
            folder shows the contents of `lower` without these names. Changes go to `upper`.
        layers: Folder that holds all upper and work folders, which the engine does not see; "" for none.
        copies: For each private copy its folder, upper folder and work folder. A copy is an overlay of a
            folder over itself. Changes are kept in memory if `upper` and `work` are "".
        masks: Files and folders that are hidden.
        kept: Paths below an overlay, a copy or a mask that stay visible.
        writable: Paths that can be changed: shared memory, and some folders of overlays, copies and `kept`.
            All other paths are read-only. A path in `kept` below a writable one is read-only, too, unless
            this list names it.
    """

    devices: Sequence[str] | None
    overlays: Sequence[tuple[str, str, str, str, Sequence[str]]]
    layers: str
    copies: Sequence[tuple[str, str, str]]
    masks: Sequence[str]
    kept: Sequence[str]
    writable: Sequence[str]


class Plan(TypedDict):
    """The restrictions of a cell (the sandbox of an engine), which it applies to itself before it starts the
    engine.

    `planning` makes plans, `cell_process` carries them out.

    Attributes:
        flags: clone(2) flags for the cell's namespaces.
        map: The uid and gid that stay the same in a new user namespace; None without such a namespace.
        group: Limits of the cell's control group.
        user: The user as which the engine runs if gyoji runs as root; None for the present user.
        limits: Pairs of a resource and its limit, for setrlimit(2).
        landlock: Landlock ruleset; None for none.
        seccomp: System call filter in hexadecimal digits; "" for none.
        filesystem: The cell's view of the file system, if it has a mount namespace.
    """

    flags: int
    map: Sequence[int] | None
    group: GroupLimits
    user: User | None
    limits: Sequence[tuple[int, int]]
    landlock: Rules | None
    seccomp: str
    filesystem: Filesystem


class Order(Plan):
    """An order to the launcher to make a cell (sandbox): its plan, and the control groups to join.

    Attributes:
        joins: Files to which the cell writes 0 to enter its control group.
    """

    joins: Sequence[str]


class Launch(TypedDict):
    """How a cell (sandbox) starts the engines of one player, as far as it is the same in all games.

    Attributes:
        program: Path of the file to execute.
        argv: Its arguments, the first of which is its name.
        environ: Environment variables of every game.
        cwd: Working folder.
    """

    program: str
    argv: Sequence[str]
    environ: Mapping[str, str]
    cwd: str
