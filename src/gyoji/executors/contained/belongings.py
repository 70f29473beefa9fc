"""The files of a player: those named in its commands, the package of its program, and its working folder.

At the level "strict" an engine can read only these and the system's files. At "guarded" they stay visible in
folders in which other files are hidden.
"""

import glob
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from gyoji.core.spec import Player

_BROAD = ("/", "/home", "/var")
"""Folders that contain the folders of many programs."""

_SCRIPTS = (".py", ".pyz", ".jar", ".js", ".lua", ".pl", ".rb", ".sh", ".tcl", ".php", ".exe")
"""Suffixes of programs that an interpreter runs."""

OF_THE_NETWORK = ("/etc/resolv.conf", "/etc/hosts", "/etc/gai.conf", "/etc/services", "/etc/protocols")
"""Files that are read to resolve host names. The first is often a symbolic link into /run."""


def is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def is_in(path: str, folders: Iterable[str]) -> bool:
    return any(is_below(path, each) for each in folders)


def event_folder(player: Player) -> str:
    """Return the folder with the competition's files; "" if nothing is hidden from the player."""
    return os.path.dirname(player.containment.hidden[0]) if player.containment.hidden else ""


def works_over_event(player: Player) -> bool:
    """Return whether an engine works in the competition's own folder, or in a folder above it."""
    event = event_folder(player)
    return bool(player.cwd and event and is_below(event, player.cwd))


def has_own_view(player: Player) -> bool:
    """Return whether an engine that works over the competition's folder sees only its own files there.

    Such an engine works in the competition's folder or in a folder above it. It sees only its own files at
    the level "strict", unless the setting `readable` names its working folder or one above it.
    """
    is_named = is_in(player.cwd or "", player.containment.readable)
    return player.containment.level == "strict" and works_over_event(player) and not is_named


def named_files(player: Player) -> list[str]:
    """Return the absolute paths of existing files and folders that a player's commands name.

    A path is a word of a command, or follows "=" in a word that begins with "-". The competition's folder and
    the folders above it are left out.
    """
    return [path for command in (player.command, player.partner) for path in _named_in(command, player)]


def _named_in(command: Sequence[str], player: Player) -> list[str]:
    found = []
    for word in command:
        value = word.partition("=")[2] if word.startswith("-") else word
        path = os.path.normpath(os.path.join(player.cwd or os.getcwd(), value)) if value else ""
        if path and not is_below(event_folder(player), path) and os.path.lexists(path):
            found.append(path)
    return found


def own_files(player: Player) -> list[str]:
    """Return the paths that an engine may read at the level "strict", without those of the system.

    They include two folders that the engine may also change: the working folder and `Player.folder`. If
    `has_own_view`, the working folder is left out.
    """
    own: list[str] = []
    event = event_folder(player)
    for path in named_files(player):
        own += _package_of(path)
    for command in (player.command, player.partner):
        programs = [each for each in command[:1] if os.path.isabs(each)]
        if programs and not is_below(programs[0], event):  # an interpreter: its script is the program
            programs += [path for path in _named_in(command[1:], player) if path.endswith(_SCRIPTS)][:1]
        for program in programs:
            own += _own_folder(os.path.realpath(program), event)
    cwd = "" if has_own_view(player) else player.cwd
    named = OF_THE_NETWORK if player.containment.network else ()
    return sorted({*own, *named, *player.containment.readable, *filter(None, (cwd, player.folder))})


def _package_of(path: str) -> list[str]:
    """Return the paths that are needed to use a path in a command: itself, its package, and its interpreter.

    Only a program PREFIX/bin/NAME has a package: the folder PREFIX, unless that is / or the home folder. The
    interpreter of a script may have a package, too.
    """
    found = [path]
    for each in (path, os.path.realpath(path)):
        folder, _ = os.path.split(each)
        prefix, name = os.path.split(folder)
        if name == "bin" and prefix not in ("/", str(Path.home())):
            found += [prefix, *_installed_elsewhere(prefix)]
        found.append(each)
    interpreter = interpreter_of(path)
    return found + (_package_of(interpreter) if interpreter not in ("", path) else [])


# /home/me/katago/katago includes its folder, /home/me/bot does not include the home folder, and
# /home/me/bin/katago does not include bin: the folder must have the program's name, or be deeper than a home
# or a folder of programs.
def _own_folder(program: str, event: str) -> list[str]:
    """Return a list with a program's folder, where its data may be.

    The list is empty if the folder may contain files of other programs.

    Args:
        event: The competition's folder, which is never returned; "" for none.
    """
    folder, name = os.path.split(program)
    parent, title = os.path.split(folder)
    home = os.path.realpath(Path.home())
    if folder == home or parent in _BROAD or (event and is_below(event, folder)):
        return []
    stem, title = name.partition(".")[0].lower(), title.lower()
    is_named = bool(stem) and (title.startswith(stem) or stem.startswith(title))
    return [folder] if is_named or (parent != home and os.path.dirname(parent) not in _BROAD) else []


def _installed_elsewhere(prefix: str) -> list[str]:
    """Return the folders outside a Python's prefix that its .pth files name (site(3)).

    Editable installs make such files.
    """
    found = []
    for file in sorted(glob.glob(f"{glob.escape(prefix)}/lib/python3*/site-packages/*.pth")):
        try:
            with open(file, encoding="utf-8", opener=_open_at_once) as text:
                lines = text.read().splitlines()
        except (OSError, TypeError, ValueError):  # TypeError: a pipe that has nothing to say
            continue
        found += [line for line in map(str.strip, lines) if os.path.isabs(line) and os.path.isdir(line)]
    return found


def interpreter_of(path: str) -> str:
    """Return the program in the first line (#!) of a script; "" for other files, or if it does not exist."""
    try:
        with open(path, "rb", opener=_open_at_once) as file:
            first = file.readline(256)
    except OSError:
        return ""
    words = first[2:].split() if first.startswith(b"#!") else []
    program = os.fsdecode(words[0]) if words else ""
    return program if os.path.lexists(program) else ""


def _open_at_once(path: str, flags: int) -> int:
    """Open a file without blocking.

    An engine may have replaced it with a named pipe, on which an open would block.
    """
    return os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY)
