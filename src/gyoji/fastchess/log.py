"""The log of `-log`: what the program prints, and with `engine=true` the conversation with each engine.

The lines have fastchess's form: level or `Engine`, time of day, thread, text. In place of the thread, lines
about a game have the game's number::

    [INFO  ] [10:20:30.123456] <                    > fastchess --- Started game 1 of 2 (a vs b)
    [Engine] [10:20:31.004512] <                   1> a <--- go wtime 8080 btime 8080 winc 80 binc 80
    [Engine] [10:20:31.184512] <                   1> a ---> bestmove e2e4

The conversation of a game is added when the game ends: it is the game's transcript in this form.
"""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

LEVELS = ("trace", "info", "warn", "err", "fatal")

_ARROWS = {">>": "<---", "<<": "--->"}
_ENTRY = re.compile(r" *(\d+\.\d+) (>>|<<) (.*)")


class Log:
    """Appends lines to the file of `-log`."""

    def __init__(self, keys: Mapping[str, str]) -> None:
        """Open the log.

        Args:
            keys: The KEY=VALUE words of `-log`. `file` must be among them.

        Raises:
            OSError: The file cannot be written.
        """
        self._least = LEVELS.index(keys.get("level", "warn"))
        self.has_engines = keys.get("engine") == "true"
        mode = "w" if keys.get("append") == "false" else "a"
        self._file = open(keys["file"], mode, encoding="utf-8")  # noqa: SIM115 - as long as the process

    def printed(self, lines: Sequence[str]) -> None:
        """Add lines that the program prints, except those below the level of the log.

        A warning has the level `warn`, any other line `info`.
        """
        now = datetime.now()
        for line in lines:
            level = "warn" if line.startswith("Warning;") else "info"
            if LEVELS.index(level) >= self._least:
                self._add(level.upper(), now, "", f"fastchess --- {line}")
        self._file.flush()

    def conversation(self, transcript: Path, began: str, number: int) -> None:
        """Add the conversation of a finished game and delete its transcript.

        Args:
            began: The time at which the game began, in ISO format.
            number: The number of the game.
        """
        with suppress(FileNotFoundError), transcript.open(encoding="utf-8") as lines:
            start = datetime.fromisoformat(began).astimezone()
            for entry in filter(None, map(_ENTRY.match, lines)):
                time = start + timedelta(milliseconds=float(entry[1]))
                name, _, text = entry[3].partition(": ")
                self._add("Engine", time, str(number), f"{name} {_ARROWS[entry[2]]} {text}")
            transcript.unlink()
        self._file.flush()

    def _add(self, label: str, time: datetime, thread: str, text: str) -> None:
        self._file.write(f"[{label:<6}] [{time:%H:%M:%S.%f}] <{thread:>20}> {text}\n")
