"""Types of the messages that a worker sends to its launcher and to its cells; see `launcher` for their order.

They are plain dicts of JSON: the launcher imports no library that could decode anything else.
"""

from collections.abc import Mapping, Sequence
from typing import TypedDict


class GroupLimits(TypedDict):
    """Limits of a cell's control group; 0 for no limit."""

    memory: int
    processes: int


class User(TypedDict):
    """The user that an engine of root becomes; see `uids`.

    Attributes:
        uid: Its number outside the cell. Inside it is 0.
        own: Files and folders in which it owns what root owns.
        needed: Paths that it must be able to read; if it cannot, the cell is not made.
        groups: Its supplementary groups, which own device files.
    """

    uid: int
    own: Sequence[str]
    needed: Sequence[str]
    groups: Sequence[int]


class Rules(TypedDict):
    """Rules of Landlock: rights that are denied except where a path grants them.

    Attributes:
        version: Version of the interface.
        handled: Rights that are denied.
        grants: (path, rights) pairs. A folder stands for everything below it.
    """

    version: int
    handled: int
    grants: Sequence[tuple[str, int]]


class Filesystem(TypedDict):
    """What a cell sees of the file system; `layout` carries it out.

    Attributes:
        devices: Device files of its own /dev; None to see the machine's.
        overlays: (folder, lower, upper, work, names) of each layer: `folder` shows what is in `lower` except
            `names`; what is written there goes to `upper`.
        layers: Folder that holds all `upper` and `work` folders, which the engine does not see; "" for none.
        copies: (folder, upper, work) of each private copy: an overlay of a folder over itself. Changes stay
            in memory if `upper` and `work` are "".
        masks: Files and folders that are hidden.
        kept: Paths below an overlay, a copy or a mask that are shown nevertheless.
        writable: Paths of shared memory, overlays, copies and `kept` that can be changed. Everything else is
            read-only.
        fixed: Paths of `kept` that are below a writable one and cannot be changed.
    """

    devices: Sequence[str] | None
    overlays: Sequence[tuple[str, str, str, str, Sequence[str]]]
    layers: str
    copies: Sequence[tuple[str, str, str]]
    masks: Sequence[str]
    kept: Sequence[str]
    writable: Sequence[str]
    fixed: Sequence[str]


class Plan(TypedDict):
    """How a cell gives up rights before it starts an engine.

    `planning` makes a plan, `cell_process` carries it out.

    Attributes:
        flags: Namespaces of its own, as clone(2) names them.
        map: [uid, gid] that stay the same in a new user namespace; None without one.
        group: Limits of its control group.
        user: Another user for an engine of root; None to stay who we are.
        limits: (resource, limit) pairs for setrlimit(2).
        landlock: Rules of Landlock; None without any.
        seccomp: Filter of system calls in hexadecimal digits; "" for none.
        filesystem: What a cell with a mount namespace sees.
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
    """A plan as the launcher gets it.

    Attributes:
        joins: Files by which the cell enters its control group.
    """

    joins: Sequence[str]


class Launch(TypedDict):
    """How a cell starts the engines of one player: what is the same for all its games.

    Attributes:
        program: Path of the file to execute.
        argv: Its arguments, its name first.
        environ: Variables of the environment that every game has.
        cwd: Working folder.
    """

    program: str
    argv: Sequence[str]
    environ: Mapping[str, str]
    cwd: str
