"""The command line: the composition root, where files, competitions, workers and displays meet."""


def main() -> None:
    """The `gyoji` command. Ends the process with one of `gyoji.scheduler.status.ExitStatus`."""
    from gyoji.cli.app import app  # noqa: PLC0415 - `import gyoji.cli` costs nothing

    app()
