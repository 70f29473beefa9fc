"""The command `gyoji keys`."""

from pathlib import Path

import click


@click.command("keys", short_help="Make the keys of a cluster.")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), metavar="FOLDER")
def keys(folder: Path) -> None:
    """Make the keys of a cluster, in FOLDER.

    The scheduler, the workers and the runs of the cluster identify each other by these keys. Whoever has a
    copy of FOLDER can run programs on all hosts: copy it in a safe way (scp), and let nobody else read it.
    The key that signed them is not kept, so name a new folder for new keys.
    """
    from gyoji.cluster.keys import make_keys  # noqa: PLC0415 - imports what needs the extra

    for path in make_keys(folder):
        click.echo(str(path))
