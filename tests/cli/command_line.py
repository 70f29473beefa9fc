"""The command line in this process, for tests."""

from click.testing import CliRunner, Result

from gyoji.cli.app import app


def gyoji(*words: object) -> Result:
    """Return what `gyoji` with these words says, and its exit status."""
    return CliRunner().invoke(app, [str(word) for word in words])
