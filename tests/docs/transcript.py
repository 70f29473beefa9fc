"""Pages as a reader uses them: their blocks, a shell for commands, and what is printed beside what is shown.

CONTRIBUTING.md tells writers of pages about the marks.
"""

import os
import re
import select
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from difflib import ndiff
from functools import partial
from itertools import groupby
from pathlib import Path

FENCE = re.compile(
    r"(?P<comments>(?:^<!--[^\n]*-->\n)*)^(?P<fence>```+)(?P<language>[^\n`]*)\n(?P<text>.*?)^(?P=fence) *$",
    re.MULTILINE | re.DOTALL,
)
MARK = re.compile(r"<!-- *(file|goes on|not run|figures vary|status)(?:: *(.*?))? *-->")
LOOP = r"""
status=0
while IFS= read -r -d '' -u 3 command; do
    (exit $status)
    eval "$command" 3<&- 4>&-
    status=$?
    printf '%s\0' $status >&4
done
"""


@dataclass(frozen=True)
class Block:
    """A block of a page: the language of its fence, the marks before it, and the line where it begins."""

    language: str
    text: str
    line: int
    marks: dict[str, str] = field(default_factory=dict)

    @property
    def is_run(self) -> bool:
        return self.language == "console" and "not run" not in self.marks

    def commands(self) -> list[tuple[str, str]]:
        """Each command with what is shown of it. `> ` begins a line that goes on with the command."""
        found: list[tuple[str, str]] = []
        for line in self.text.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], ""))
            elif not found:
                raise ValueError(f"line {self.line}: a console begins with a command: {line!r}")
            elif line == ">" or (line.startswith("> ") and not found[-1][1]):
                found[-1] = (f"{found[-1][0]}\n{line[2:]}", "")
            else:
                found[-1] = (found[-1][0], f"{found[-1][1]}{line}\n")
        return found


def blocks(page: str) -> list[Block]:
    """Return the fenced blocks of a page, in its order."""
    return [
        Block(
            language=match["language"].strip(),
            text=match["text"],
            line=page.count("\n", 0, match.start("fence")) + 1,
            marks=dict(MARK.findall(match["comments"])),
        )
        for match in FENCE.finditer(page)
    ]


# What varies from run to run and from machine to machine, wherever it stands
VARIES = [
    (re.compile(r"\b\d{4}-\d\d-\d\d[T -]\d\d:?\d\d:?\d\d([+-]\d{4}|Z)?"), "<date>"),
    (re.compile(r"\b\d+(\.\d+)? ?(ns|us|ms|s|min)\b"), "<time>"),
    (re.compile(r"\b127\.0\.0\.1:\d+"), "<address>"),
    (re.compile(r"\b(steer=[\w-]{20,}|[0-9a-f]{16,})"), "<secret>"),
    (re.compile(r"^(containment: \w+).*", re.MULTILINE), r"\1"),
]
# What varies besides, where a page says that figures do: results of games, and numbers
FIGURES = [(re.compile(r"\b[BW]\+[\w.]*"), "<result>"), (re.compile(r"[+-]?\d+(\.\d+)?"), "<n>")]


def plain(text: str, *, figures_vary: bool = False) -> str:
    """Return the text without what varies from run to run; games in order of their names, for they end in
    any.
    """
    runs = groupby(text.strip("\n").splitlines(), lambda line: line.startswith("game "))
    lines = [line.rstrip() for is_game, run in runs for line in (sorted(run) if is_game else run)]
    text = "\n".join(lines) + "\n"
    for pattern, name in VARIES + FIGURES * figures_vary:
        text = pattern.sub(name, text)
    return re.sub(r"^ +| +$", "", re.sub(" +", " ", text), flags=re.MULTILINE) if figures_vary else text


def difference(shown: str, printed: str, *, figures_vary: bool = False) -> str:
    """Return how what a command printed differs from what its page shows; empty if it does not.

    `...` stands for anything in a line, and on a line of its own for any number of lines.
    """
    expected, got = (plain(text, figures_vary=figures_vary) for text in (shown, printed))
    pattern = "".join(
        r"(?:.*\n)*?" if line == "..." else f"{re.escape(line).replace(re.escape('...'), '.*')}\n"
        for line in expected.splitlines()
    )
    return (
        "" if re.fullmatch(pattern, got) else "".join(ndiff(expected.splitlines(True), got.splitlines(True)))
    )


class Shell:
    """A bash that runs commands one after the other, as if typed: folder and variables stay.

    Use it as a context manager: with it ends all that it has started.
    """

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self._folder, self._environment = folder, environment

    def __enter__(self) -> "Shell":
        output, told = os.pipe(), os.pipe()
        commands = os.pipe()
        self._output, self._told, self._commands = output[0], told[0], commands[1]
        arguments = [f"exec 3<&{commands[0]} 4>&{told[1]} {commands[0]}<&- {told[1]}>&-\n{LOOP}"]
        self._process = subprocess.Popen(
            ["bash", "--norc", "-c", *arguments],
            cwd=self._folder,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=output[1],
            stderr=output[1],
            pass_fds=(commands[0], told[1]),
            start_new_session=True,
        )
        for end in (output[1], told[1], commands[0]):
            os.close(end)
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._commands)
        for number in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(self._process.pid, number)
                self._process.wait(timeout=5)
            except (ProcessLookupError, subprocess.TimeoutExpired):
                pass
        self._process.wait()
        os.close(self._output)
        os.close(self._told)

    def run(
        self, command: str, *, within: float = 300.0, is_enough: Callable[[str], bool] = lambda _: True
    ) -> tuple[int, str]:
        """Return the command's status and what it printed. Raises TimeoutError with what it has printed by
        then.

        is_enough: whether all is printed that is waited for, of a command that goes on in the background.
        """
        os.write(self._commands, command.encode() + b"\0")
        end, printed, told = time.monotonic() + within, b"", b""
        while not told.endswith(b"\0"):
            ready, _, _ = select.select([self._output, self._told], [], [], max(0.0, end - time.monotonic()))
            if not ready:
                raise TimeoutError(
                    f"$ {command}\n{printed.decode(errors='replace')}(no end in {within:.0f} s)"
                )
            if self._told not in ready:
                printed += os.read(self._output, 65536)
            elif more := os.read(self._told, 64):
                told += more
            else:
                raise ChildProcessError(f"$ {command}\nended the shell")
        while True:
            text = printed.decode(errors="replace")
            patience = 0.0 if is_enough(text) else max(0.0, min(60.0, end - time.monotonic()))
            if not select.select([self._output], [], [], patience)[0]:
                return int(told[:-1]), text
            printed += os.read(self._output, 65536)


def follow(page: str, shell: Shell, *, home: Path) -> None:
    """Write the files of a page and run its commands, in order. AssertionError: the first difference."""
    for block in blocks(page):
        if name := block.marks.get("file"):
            path = Path(shell.run("pwd")[1].strip()) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text)
        if block.is_run:
            _follow_console(block, shell, home)


def _follow_console(block: Block, shell: Shell, home: Path) -> None:
    """Run the commands of a console. Those that fail end with the status of its mark, and there is one."""
    allowed, failed = {0, int(block.marks.get("status", 0))}, False
    *_, (last, _) = block.commands()
    for command, shown in block.commands():
        differs = partial(_differs, block, shown, home)
        if "goes on" in block.marks and command == last:
            status, printed = shell.run(
                f"{command} &", is_enough=lambda text, differs=differs: not differs(text)
            )
        else:
            status, printed = shell.run(command)
        where, found = f"line {block.line}: $ {command}\n", differs(printed)
        assert not found, f"{where}(- on the page, + printed; status {status})\n{found}"
        assert status in allowed, f"{where}ended with status {status}\n{printed}"
        failed |= status != 0
    assert failed == ("status" in block.marks), f"line {block.line}: no command fails, and the page says so"


def _differs(block: Block, shown: str, home: Path, printed: str) -> str:
    printed = printed.replace(str(home), "/home/you")
    return shown and difference(shown, printed, figures_vary="figures vary" in block.marks)
