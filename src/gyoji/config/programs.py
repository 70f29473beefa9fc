"""The program of a player: where it is found, and what its protocol says of its name."""

import os
import shutil
import sys
from collections.abc import Sequence
from types import ModuleType

from gyoji.config.document import Document
from gyoji.core.text import quote


def find_program(word: str, document: Document, search_path: str | None) -> str:
    """The program that the first word of a command names, as an absolute path where it can be found.

    A path is taken from the control file's folder, and so is a package; a bare name is looked for on PATH,
    then beside our Python, where the engines are that come with gyoji. A name that is not found stays as it
    is: the check before the first game says so, with the player.
    """
    if "/" in word or _is_package(word):
        return document.resolve(word)
    beside = os.path.dirname(sys.executable)
    found = shutil.which(word, path=search_path) or shutil.which(word, path=beside)
    return os.path.abspath(found) if found else word


def examine_program(program: str, protocol: ModuleType) -> tuple[Sequence[str], Sequence[str]]:
    """(problems, warnings) about a program, or a package of one, for players of that protocol."""
    executable = getattr(protocol, "executable", None)
    if executable is None:
        advice = f"unpack {quote(os.path.basename(program))}, and name the program in it"
        return ([f"its protocol has no packages: {advice}"] if _is_package(program) else []), ()
    names = _names_in(program) if _is_package(program) else (os.path.basename(program),)
    try:
        return (), executable(names)[1] if names else ()
    except ValueError as error:
        return ((str(error),), ()) if _is_package(program) else ((), (str(error),))


def _is_package(program: str) -> bool:
    return program.lower().endswith(".zip")


def _names_in(package: str) -> Sequence[str]:
    """The files of a package; none if it cannot be read, of which the check before the first game speaks."""
    from zipfile import BadZipFile, ZipFile  # noqa: PLC0415 - a hundredth of a second, for packages alone

    try:
        with ZipFile(package) as archive:
            return [name for name in archive.namelist() if not name.endswith("/")]
    except (OSError, BadZipFile, ValueError, NotImplementedError):
        return ()
