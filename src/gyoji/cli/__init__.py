"""The command line: the composition root, where files, competitions, workers and displays meet."""

import gc

RARELY = 50_000
"""Objects between two garbage collections. Little of what is imported or stored is garbage: looking for it at
every 700th object, Python's default, took a tenth of the time.
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
