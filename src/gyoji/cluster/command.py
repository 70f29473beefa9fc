"""`gyoji keys`."""

from pathlib import Path

import click


@click.command("keys", short_help="Make the keys of a cluster")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), metavar="FOLDER")
def keys(folder: Path) -> None:
    """Make the keys with which scheduler, workers and runs of a cluster know each other, in FOLDER.

    Whoever has a copy of FOLDER can run programs on all of its hosts: bring it there by a safe way (scp), and
    let nobody else read it. The key of their authority is not kept: new keys are made in a new folder.
    """
    from gyoji.cluster.keys import make_keys  # noqa: PLC0415 - imports what needs the extra

    for path in make_keys(folder):
        click.echo(str(path))
