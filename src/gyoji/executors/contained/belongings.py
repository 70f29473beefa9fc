"""The files that are a player's own: what its commands name, the package of its program, its working folder.

At strict an engine reads nothing else but the system. At both levels it is shown what is its own in folders
that are hidden because they are named for others.
"""

import glob
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from gyoji.core.spec import Player

_BROAD = ("/", "/home", "/var")
"""Folders of folders for everything."""

_SCRIPTS = (".py", ".pyz", ".jar", ".js", ".lua", ".pl", ".rb", ".sh", ".tcl", ".php", ".exe")
"""Ends of the names of programs that another one runs."""

OF_THE_NETWORK = ("/etc/resolv.conf", "/etc/hosts", "/etc/gai.conf", "/etc/services", "/etc/protocols")
"""Files by which names of hosts are found; the first is often a link to below /run."""


def is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def is_in(path: str, folders: Iterable[str]) -> bool:
    return any(is_below(path, each) for each in folders)


def event_folder(player: Player) -> str:
    """The folder with the files of the competition; "" if there is none to be kept from the player."""
    return os.path.dirname(player.containment.hidden[0]) if player.containment.hidden else ""


def works_over_event(player: Player) -> bool:
    """Whether an engine works in the competition's own folder, or in one above it."""
    event = event_folder(player)
    return bool(player.cwd and event and is_below(event, player.cwd))


def has_own_view(player: Player) -> bool:
    """Whether a player's working folder has nothing in it but its own, though it is the competition's.

    That is so at strict, unless `readable` names that folder.
    """
    is_named = is_in(player.cwd or "", player.containment.readable)
    return player.containment.level == "strict" and works_over_event(player) and not is_named


def named_files(player: Player) -> list[str]:
    """The absolute paths of files and folders that a player's commands name, also after "=" in an option."""
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
    """At strict, what an engine may read besides the system and what it may write."""
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
    """Paths that go with a file in a command: itself, for PREFIX/bin/NAME all of PREFIX, its interpreter."""
    found = [path]
    for each in (path, os.path.realpath(path)):
        folder, _ = os.path.split(each)
        prefix, name = os.path.split(folder)
        if name == "bin" and prefix not in ("/", str(Path.home())):
            found += [prefix, *_installed_elsewhere(prefix)]
        found.append(each)
    return found + _files_of_interpreter(path)


def _own_folder(program: str, event: str) -> list[str]:
    """The folder of a program, with its data, unless there may be more in it than the program's own.

    That is so of homes, of folders for everything, and of folders in these that have another name.
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
    """The folders that the packages of a Python in a prefix are in, where they are not in it themselves.

    An editable install is such a package: a file `.pth` names the folder, as site(3) reads it.
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


def _files_of_interpreter(path: str) -> list[str]:
    """Paths that go with the program in the first line of a script; none for other files."""
    program = interpreter_of(path)
    return _package_of(program) if program not in ("", path) else []


def interpreter_of(path: str) -> str:
    """The program in the first line of a script, if there is such a file; "" for other files."""
    try:
        with open(path, "rb", opener=_open_at_once) as file:
            first = file.readline(256)
    except OSError:
        return ""
    words = first[2:].split() if first.startswith(b"#!") else []
    program = os.fsdecode(words[0]) if words else ""
    return program if os.path.lexists(program) else ""


def _open_at_once(path: str, flags: int) -> int:
    """Open a file without waiting for anybody: it may be a pipe, which an engine has put there."""
    return os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY)
