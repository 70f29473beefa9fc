"""`gyoji demo`: play a first competition of programs that come with gyoji, and print commands to try next."""

import os
import shlex
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from gyoji.cli.examples import examples_folder
from gyoji.cli.exits import say
from gyoji.cli.running import run_file
from gyoji.config.document import suggest
from gyoji.core.faults import ConfigError
from gyoji.core.text import quote
from gyoji.scheduler.status import ExitStatus


class Demo(NamedTuple):
    """A demo of one game.

    Attributes:
        file: Name of the example (a control file) that the demo plays.
        told: What the demo plays, in words.
        engine: The command of a program that the user can play against afterwards.
    """

    file: str
    told: str
    engine: str


DEMOS = MappingProxyType(
    {
        "gomoku": Demo("demo.toml", "Three programs play twelve games of gomoku.", "pbrain-narabe"),
        "chess": Demo("chess.toml", "Three programs play six games of chess.", "gyoji-koma"),
    }
)
"""The demos by game. The first one is played if none is named."""

SLOTS = 2
"""Games played at once, if there are as many processors."""


def play_demo(folder: Path, game: str | None = None) -> ExitStatus:
    """Play the demo of a game in a folder, or continue it, and print commands to try next.

    Raises:
        ConfigError: There is no demo of the game, or the control file cannot be written.
    """
    game = game or next(iter(DEMOS))
    if game not in DEMOS:
        raise ConfigError(f"--game: got {quote(game)}, expected {' or '.join(DEMOS)}{suggest(game, DEMOS)}")
    path = folder / DEMOS[game].file
    if not path.exists():
        _write(path)
        say(f"gyoji writes a control file, {path}, and plays it.")
        say(DEMOS[game].told)
    else:
        say(f"{path} is there already. gyoji goes on with it, and shows its results.")
    say("")
    status = run_file(path, quiet=False, parallel=min(SLOTS, os.cpu_count() or 1))
    if status is ExitStatus.COMPLETE:
        say(_next(path, folder, game))
    return status


# Mode "x": another demo that writes the same file at the same time is not overwritten.
def _write(path: Path) -> None:
    """Write the control file. Raise ConfigError if it cannot be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write((examples_folder() / path.name).read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(
            f"{path}: cannot be written: {error.strerror}; name another folder: gyoji demo FOLDER"
        ) from None


def _next(path: Path, folder: Path, game: str) -> str:
    """Return the text that ends the demo: three commands to try next."""
    file, page = (shlex.quote(str(each)) for each in (path, path.with_suffix(".html")))
    return f"""
All results and records are in {folder}. To delete them, type: gyoji reset {file}

What to do next:
  gyoji report --format html {file}
      writes {page}: open it in a browser, and see every game
  gyoji play {DEMOS[game].engine} --game {game}
      plays a game against you, here in the terminal
  gyoji init
      writes a first control file for programs of your own"""
