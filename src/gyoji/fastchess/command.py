"""The program `gyoji-fastchess`: it plays the match of a command line.

Exit statuses are those of fastchess: 0 after a complete match, 1 after an error or an interruption.
"""

import os
import shlex
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from gyoji import __version__
from gyoji.cli.checking import check_before_run
from gyoji.cli.exits import complain
from gyoji.cli.matching import match_folder
from gyoji.core.faults import ConfigError, GyojiError
from gyoji.core.text import printable
from gyoji.fastchess.options import SWITCHES, parse
from gyoji.fastchess.output import Output, StrictEnd
from gyoji.fastchess.settings import NAME, competition_setup
from gyoji.fastchess.wishes import Wishes
from gyoji.play.loop import Loop
from gyoji.scheduler.event import Event
from gyoji.scheduler.run import RunOptions, taking
from gyoji.scheduler.status import ExitStatus
from gyoji.store.files import CompetitionFiles

VERSION = f"fastchess alpha 1.8.2 (options and output of it, by gyoji {__version__})"
"""The output of `-version`. The first number is fastchess's, because programs that call it parse the version
there.
"""

HELP = "gyoji-fastchess takes the options of fastchess 1.8.2: see docs/how-to/fastchess.md"


def main() -> None:
    sys.exit(run(sys.argv[1:]))


def run(words: Sequence[str]) -> int:
    """Carry out a command line, given without the program's name, and return the exit status.

    It plays a match, checks an engine (`--compliance`), or prints the version or a line of help.
    """
    switches = [word[1:] for word in words if word[1:] in SWITCHES]
    if not words or switches:
        print(VERSION if switches and "v" in switches[0].lstrip("-")[:1] else HELP)
        return 0
    if words[0] == "--compliance" and len(words) > 1:
        return _comply(words[1:])
    began = time.monotonic()
    try:
        is_complete = _play(parse(words))
    except BrokenPipeError:  # the reader has gone, as with `| head`; Python still has lines to write
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (GyojiError, OSError) as error:
        print(error)
        return 1
    except (KeyboardInterrupt, StrictEnd):
        is_complete = False
    if not is_complete:
        print("Tournament was interrupted.")
    seconds = int(time.monotonic() - began)
    clock = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    print(f"Finished match\nTotal Time: {clock} (hours:minutes:seconds)\n", flush=True)
    return 0 if is_complete else 1


def _comply(words: Sequence[str]) -> int:
    """Check an engine, given by the words of its command. Return 0 if it can play, else 1."""
    from gyoji.cli.app import app  # noqa: PLC0415 - a match needs none of it

    try:
        app(["check", "--protocol", "uci", "--command", shlex.join(words)])
    except SystemExit as end:
        return int(bool(end.code))
    return 0


def _play(wishes: Wishes) -> bool:
    """Play a match. Return whether it was completed."""
    if wishes.must_exist and not CompetitionFiles(Path(wishes.folder) / NAME).database.exists():
        raise ConfigError(f"File not found: {wishes.folder}")
    stem = time.strftime("fastchess_%Y%m%d_%H%M%S")
    if wishes.pgn is not None:
        wishes.pgn = {**wishes.pgn, "file": wishes.pgn["file"] or f"{stem}.pgn"}
    if wishes.epd is not None:
        wishes.epd = {**wishes.epd, "file": wishes.epd["file"] or f"{stem}.epd"}
    if not wishes.openings.get("file"):
        complain("Warning: No opening book specified! All games begin from the ordinary position.")
    if (wishes.sprt or {}).get("model") == "bayesian":
        complain("Warning; the Bayesian model is of single games: no figures of pairs are printed")
    if wishes.openings.get("file") and wishes.openings.get("order") == "random":
        print("Indexing opening suite...", flush=True)
    with _folder(wishes) as folder:
        setup = competition_setup(wishes, folder)
        for warning in setup.warnings:
            complain(warning)
        os.makedirs(folder, exist_ok=True)
        event = Event(setup, source="gyoji-fastchess", control_file=folder / NAME)
        output = Output(
            wishes,
            lambda game: taken.store.record(game),  # noqa: PLW0108 - taken below
            event.files.transcripts,
        )
        options = RunOptions(parallel=wishes.concurrency, transcripts=output.logs_engines)
        with taking(event, options, complain, folds=[output]) as taken:
            output.files.begin(is_new=not taken.store.count)
            if taken.remaining != 0:
                taken.pool.start_ahead(event.competition.checks())
                if not check_before_run(event, quiet=True):
                    return False
            end = taken.play(lambda _loop: _listening(output, _loop))
    if line := output.decided():
        output.block(*(engine.name for engine in wishes.engines))
        output.say(line)
    if not wishes.cutechess and (lines := output.fault_lines()):
        output.say(*lines)
    if end.status is not ExitStatus.COMPLETE:
        complain(printable(end.reason, 1000))
    return end.status is ExitStatus.COMPLETE


@contextmanager
def _listening(output: Output, _loop: Loop) -> Iterator[Output]:
    yield output


@contextmanager
def _folder(wishes: Wishes) -> Iterator[Path]:
    with match_folder(Path(wishes.folder) if wishes.folder else None) as folder:
        yield folder
