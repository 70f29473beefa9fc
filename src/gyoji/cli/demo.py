"""`gyoji demo`: play a first competition of programs that come with gyoji, and print commands to try next."""

import os
import shlex
from pathlib import Path

from gyoji.cli.examples import examples_folder
from gyoji.cli.exits import say
from gyoji.cli.running import run_file
from gyoji.core.faults import ConfigError
from gyoji.scheduler.status import ExitStatus

FILE = "demo.toml"
"""The example that the demo plays."""

SLOTS = 2
"""Games played at once, if there are as many processors."""


def play_demo(folder: Path) -> ExitStatus:
    """Play the demo in a folder, or continue it, and print commands to try next."""
    path = folder / FILE
    if not path.exists():
        _write(path)
        say(f"gyoji writes a control file, {path}, and plays it.")
        say("Three programs play twelve games of gomoku.")
    else:
        say(f"{path} is there already. gyoji goes on with it, and shows its results.")
    say("")
    status = run_file(path, quiet=False, parallel=min(SLOTS, os.cpu_count() or 1))
    if status is ExitStatus.COMPLETE:
        say(_next(path, folder))
    return status


# Mode "x": another demo that writes the same file at the same time is not overwritten.
def _write(path: Path) -> None:
    """Write the control file. Raise ConfigError if it cannot be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write((examples_folder() / FILE).read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(
            f"{path}: cannot be written: {error.strerror}; name another folder: gyoji demo FOLDER"
        ) from None


def _next(path: Path, folder: Path) -> str:
    """Return the text that ends the demo: three commands to try next."""
    file, page = (shlex.quote(str(each)) for each in (path, path.with_suffix(".html")))
    return f"""
All results and records are in {folder}. To delete them, type: gyoji reset {file}

What to do next:
  gyoji report --format html {file}
      writes {page}: open it in a browser, and see every game
  gyoji play pbrain-narabe --game gomoku
      plays a game against you, here in the terminal
  gyoji init
      writes a first control file for programs of your own"""
