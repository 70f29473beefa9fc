"""The command `gyoji serve`."""

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import click

from gyoji.core.faults import ConfigError

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
PORT = 8437


def games_folder(paths: Sequence[Path]) -> Path:
    """Return the default folder of games that are begun on the page.

    It is the folder `games` beside the first served file, or in the first served folder. If nothing is
    served, it is `gyoji/games` in the user's data folder (XDG_DATA_HOME).
    """
    if paths:
        return (paths[0] if paths[0].is_dir() else paths[0].parent) / "games"
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / "gyoji" / "games"


def _address(_context: click.Context, _option: click.Parameter, given: str | None) -> tuple[str, int] | None:
    """Return (address or "", port) of an option "[ADDRESS:]PORT". Raises BadParameter."""
    if given is None:
        return None
    address, _, port = given.rpartition(":")
    if not (port.isascii() and port.isdecimal() and int(port) < 1 << 16):
        raise click.BadParameter(f"got {given!r}, expected PORT or ADDRESS:PORT, with a port from 0 to 65535")
    return address.removeprefix("[").removesuffix("]"), int(port)


# The listener is opened before the application is made, so that a taken port costs nothing.
@click.command("serve", short_help="Show competitions in browsers, live; people play there, too.")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="[FILE|FOLDER]...")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=PORT,
    show_default=True,
    help="The port to listen on; 0 is any free one.",
)
@click.option("--bind", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--cert", type=click.Path(path_type=Path, exists=True), help="Encrypt, with this certificate (PEM)."
)
@click.option("--key", type=click.Path(path_type=Path, exists=True), help="The private key of --cert.")
@click.option("--host-name", multiple=True, help="A name by which the server may be called; may be repeated.")
@click.option(
    "--games",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of games that are begun on the page.  [default: games, beside the first FILE or in FOLDER]",
)
@click.option(
    "--open",
    "most_open",
    type=click.IntRange(0, 1000),
    default=0,
    metavar="N",
    help="Let anybody begin games on the page, at most N at once. Without it only the organiser can.",
)
@click.option(
    "--chat",
    type=click.Choice(["players", "spectators", "open"]),
    multiple=True,
    help="Let people write beside a game: its players to each other, spectators to each other, or (open)"
    " spectators to all, players included. May be repeated.  [default: nobody]",
)
@click.option(
    "--analysis", is_flag=True, help="Let anybody have finished games analysed by the engines of their event."
)
@click.option(
    "--cgos",
    callback=_address,
    metavar="[ADDRESS:]PORT",
    help='Let clients of CGOS connect here, as players with protocol = "cgos"; the address is that of --bind'
    " unless given.",
)
def serve(  # noqa: PLR0913 - an argument for each option of the command
    paths: tuple[Path, ...],
    *,
    port: int,
    bind: str,
    host_name: tuple[str, ...],
    games: Path | None,
    most_open: int,
    chat: tuple[str, ...],
    analysis: bool,
    cgos: tuple[str, int] | None,
    **certificate: Path | None,
) -> None:
    """Show competitions in browsers, running or finished; people can play there, too.

    FILE is a control file. FOLDER is a folder of control files; the page has those whose games have begun.
    The server disturbs no run: it and a run may start and end in any order. On the page /new a person begins
    a game without a control file.
    """
    try:
        from gyoji.web.app import application  # noqa: PLC0415
        from gyoji.web.hub import control_files  # noqa: PLC0415
        from gyoji.web.listening import answer, listen  # noqa: PLC0415
    except ImportError as error:
        if (error.name or "").startswith("gyoji"):
            raise
        raise ConfigError(f"serve: {error.name} is not installed: pip install 'gyoji[web]'") from None
    cert, key = certificate["cert"], certificate["key"]
    if (cert is None) != (key is None):
        raise click.UsageError("--cert and --key go together")
    control_files(paths)
    listener = listen(bind, port)
    port = listener.getsockname()[1]
    clients = listen(cgos[0] or bind, cgos[1]) if cgos is not None else None
    shown = f"[{bind}]" if ":" in bind else bind
    app = application(
        paths,
        (*LOOPBACK, shown, *host_name),
        _tell,
        games=games or games_folder(paths),
        most_open=most_open,
        chat=chat,
        analysis=analysis,
        cgos=clients,
    )
    address = f"{'https' if cert else 'http'}://{host_name[0] if host_name else shown}:{port}"
    app.state.address = address
    click.echo(f"{address}/")
    click.echo(f"whoever opens this link can start and stop runs: {address}/#steer={app.state.token}")
    if clients is not None:
        where, place, *_ = clients.getsockname()
        click.echo(f"clients of CGOS connect to {where}, port {place}")
    if most_open or not paths:
        token = "" if most_open else f"#steer={app.state.token}"
        click.echo(f"begin a game here: {address}/new{token}")
    answer(app, listener, app.state.hub.broadcast.close, certificate=(cert, key) if cert and key else None)


def _tell(line: str) -> None:
    """Print a line. Do nothing if the terminal is gone, so that the server goes on."""
    with suppress(OSError):
        click.echo(line)
