"""The command line: the composition root, where files, competitions, workers and displays meet."""

import gc


def main() -> None:
    """The `gyoji` command. Ends the process with one of `gyoji.scheduler.status.ExitStatus`."""
    from gyoji.cli.interruption import STOPPED, say, stop_in_one_line, stop_silently  # noqa: PLC0415

    stop_in_one_line()
    gc.set_threshold(50_000)  # little that is imported is garbage; to look for it took a tenth of the time
    try:
        from gyoji.cli.app import app  # noqa: PLC0415 - `import gyoji.cli` costs nothing

        app()
    except KeyboardInterrupt as interrupt:
        say(interrupt)
        raise SystemExit(STOPPED) from None
    finally:
        stop_silently()
