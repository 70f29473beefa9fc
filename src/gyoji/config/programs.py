"""Commands of players: where their programs and files are searched, and warnings about them."""

import os
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from gyoji.config.document import Document
from gyoji.core.forms import Form, Program
from gyoji.core.plugins import AnyProtocol
from gyoji.core.text import quote

DEBIAN_GAMES = "/usr/games:/usr/local/games"
"""The folders for games in Debian, which are not on root's PATH."""


def find_command(
    words: Sequence[str], document: Document, cwd: str | None, search_path: str | None
) -> tuple[str, ...]:
    """Return the words of a command with absolute paths, ready to be executed.

    The program is replaced by its absolute path if it is found. An argument, or the value in an argument such
    as `--net=b6.bin`, is replaced if it has a dot or a slash and names a file relative to the control file's
    folder.

    There are two exceptions, in which arguments stay: a player that runs in that folder, and, in Python
    control files, a player without a private working directory.

    Args:
        words: The words of the command in the control file.
        document: The control file.
        cwd: The working directory as in `Player`: "" for a private one, None for that of gyoji.
        search_path: The PATH on which the program is searched; None for that of gyoji.
    """
    finds_itself = cwd == document.resolve(".") or (document.inherits_cwd and cwd != "")
    program, *arguments = words
    found = [word if finds_itself else _written_out(word, document) for word in arguments]
    return (find_program(program, document, search_path), *found)


def find_program(word: str, document: Document, search_path: str | None) -> str:
    """Return the absolute path of the program that the first word of a command names.

    A word with a slash, or the name of a package (.zip), is a path relative to the control file's folder.
    Another word is searched on PATH, then in the folder of gyoji's Python, which has the engines of gyoji,
    then in Debian's folders for games. A word that is not found is returned unchanged. The check of players
    before the run reports it.

    Args:
        word: The word.
        document: The control file.
        search_path: The PATH; None for that of gyoji.
    """
    if "/" in word or word.lower().endswith(".zip"):
        return document.resolve(word)
    beside = os.path.dirname(sys.executable)
    found = shutil.which(word, path=search_path) or shutil.which(word, path=f"{beside}:{DEBIAN_GAMES}")
    return os.path.abspath(found) if found else word


def _written_out(word: str, document: Document) -> str:
    """Return an argument with an absolute path if it names a file; otherwise return it unchanged."""
    option, equals, value = word.partition("=") if word.startswith("-") else ("", "", word)
    if not ("/" in value or "." in value) or value.startswith("{"):
        return word
    path = document.resolve(value)
    return f"{option}{equals}{path}" if os.path.isfile(path) else word


def name_warnings(words: Sequence[str], protocol: AnyProtocol) -> Sequence[str]:
    """Return the warnings of a protocol about the name of a program, such as one that it does not allow.

    A program with arguments gets no warnings, because it may start another program, as python does. The names
    in a package are checked when the package is unpacked.

    Args:
        words: The words of the command.
        protocol: The protocol.
    """
    if len(words) > 1 or protocol.executable is None or words[0].lower().endswith(".zip"):
        return ()
    try:
        return protocol.executable((os.path.basename(words[0]),))[1]
    except ValueError as error:
        return (str(error),)


def needs_network(program: str) -> bool:
    """Return whether a program, such as ssh, connects to other machines and so needs a network."""
    return os.path.basename(program) in ("ssh", "autossh", "plink", "socat", "nc", "telnet")


def asks_agent(program: str) -> bool:
    """Return whether a program may use the keys of an ssh agent, and gyoji's environment names an agent."""
    return os.path.basename(program) in ("ssh", "autossh") and "SSH_AUTH_SOCK" in os.environ


def installed(form: Form) -> Iterator[tuple[Program, str]]:
    """Yield the programs of a game that this machine has, each with its path.

    First come the known programs, then programs whose name begins with the game's prefix. They are searched
    on PATH, in the folder of gyoji's Python, and in Debian's folders for games.
    """
    known = set[str]()
    for program in form.programs:
        known.add(program.command[0])
        if (path := shutil.which(program.command[0], path=os.pathsep.join(_folders()))) is not None:
            yield program, os.path.abspath(path)
    for name, path in _begun(form.prefix).items():
        if name not in known:
            yield Program(Path(name).stem.removeprefix(form.prefix), (name,)), path


def _folders() -> list[str]:
    return [*os.get_exec_path(), os.path.dirname(sys.executable), *DEBIAN_GAMES.split(":")]


def _begun(prefix: str) -> dict[str, str]:
    """Return the paths of all programs whose name begins with a prefix, by name."""
    found: dict[str, str] = {}
    for folder in _folders() if prefix else ():
        try:
            entries = sorted(os.listdir(folder))
        except OSError:
            continue
        for name in entries:
            path = os.path.abspath(os.path.join(folder, name))
            if name.startswith(prefix) and os.path.isfile(path) and os.access(path, os.X_OK):
                found.setdefault(name, path)
    return found


_QUOTED = re.compile(r"\\.|'[^']*'|\"(?:\\.|[^\"\\])*\"", re.DOTALL)
_OPERATOR = re.compile(r"[0-9]?(?:>>?|<).*?(?=\s|$)|\|\|?|&&|(?<!\S)&(?!\S)|;|`|\$\(")
_WORD = re.compile(r"&&?|\|\|?|;|[0-9]?(?:>>?|<)[^>]*|(?:`|\$\().*", re.DOTALL)


def find_shell_syntax(command: str | Sequence[str]) -> str:
    """Return the first part of a command that only a shell understands; "" if there is none.

    Quoted text is an argument, such as that of `sh -c`. A "&" inside a word is allowed, because URLs have it.

    >>> find_shell_syntax("echo over >> log; date"), find_shell_syntax("sh -c 'date >> log'")
    ('>>', '')
    >>> find_shell_syntax(["gnugo", "--mode", "gtp", "2>/dev/null"])
    '2>/dev/null'
    """
    if isinstance(command, str):
        found = _OPERATOR.search(_QUOTED.sub("x", command))
        return found[0] if found else ""
    return next((word for word in command[1:] if _WORD.fullmatch(word)), "")


def of_a_shell(command: Sequence[str]) -> str:
    """Return a warning about a command with syntax that only a shell understands; "" if it has none."""
    found = find_shell_syntax(command)
    return f"no shell reads command: {quote(found)} goes to the program as it is" if found else ""
