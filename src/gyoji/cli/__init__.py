"""The command line: each command combines control files, competitions, pools of workers and displays."""

import gc

RARELY = 50_000
"""New objects between two garbage collections (`gc.set_threshold`).

Python's default, 700, took a tenth of the time, and few of gyoji's objects are garbage.
"""


def main() -> None:
    """Run the `gyoji` command. It ends the process with a `gyoji.scheduler.status.ExitStatus`."""
    from gyoji.cli.interruption import STOPPED, say, stop_in_one_line, stop_silently  # noqa: PLC0415

    stop_in_one_line()
    gc.set_threshold(RARELY)
    try:
        from gyoji.cli.app import app  # noqa: PLC0415 - `import gyoji.cli` costs nothing

        app()
    except KeyboardInterrupt as interrupt:
        say(interrupt)
        raise SystemExit(STOPPED) from None
    finally:
        stop_silently()
        gc.freeze()  # what there is still is not worth a search for garbage
