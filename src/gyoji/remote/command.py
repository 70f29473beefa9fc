"""The commands `gyoji join` and `gyoji invite`."""

from pathlib import Path
from typing import Any, Literal

import click

from gyoji.core.faults import ConfigError


@click.command("join", short_help="Play in somebody's event with an engine that runs here.")
@click.argument("link", metavar="LINK")
@click.argument("command", nargs=-1, type=click.UNPROCESSED, metavar="[-- COMMAND...]")
@click.option("--echo", is_flag=True, help="Only measure the connection to the server.")
@click.option("--check", "only_checks", is_flag=True, help="Only check the engine and the connection.")
@click.option("--games", type=click.IntRange(1), metavar="N", help="Leave after N games.")
@click.option(
    "--ca", type=click.Path(path_type=Path, exists=True), help="Trust the certificates of this file (PEM)."
)
@click.option(
    "--sandbox",
    type=click.Choice(("off", "guarded", "strict")),
    default="off",
    show_default=True,
    help="Level of containment of the engine, as in a control file.",
)
@click.option("--memory", metavar="SIZE", help="With --sandbox: limit on all that it starts, such as 1GB.")
@click.option("--network", is_flag=True, help="With --sandbox: give it the machine's network.")
def join(
    link: str,
    command: tuple[str, ...],
    *,
    sandbox: Literal["off", "guarded", "strict"],
    memory: str | None,
    network: bool,
    **wishes: Any,
) -> int:
    """Play in somebody's event with an engine that runs here.

    LINK is the link of your player, which the organiser has sent. The engine is checked with the event's
    settings and plays whenever a game of yours is due. It speaks its own protocol, as if it ran there; the
    event has the clock. If the connection is cut, it is made again, and the game goes on.

    \b
        gyoji join https://cup.example.org/join#cup/8b1f... -- gnugo --mode gtp

    The first Ctrl-C leaves after the game in progress, the second one at once. Nothing but the engine's
    lines goes to the event: its standard error is shown here, and stays here.
    """
    from gyoji.core.links import read_link  # noqa: PLC0415
    from gyoji.core.spec import Containment  # noqa: PLC0415
    from gyoji.core.text import parse_size  # noqa: PLC0415
    from gyoji.remote.joining import join_event  # noqa: PLC0415
    from gyoji.remote.owner_check import Wishes  # noqa: PLC0415

    if not (command or wishes["echo"]):
        raise click.UsageError("expected the engine's command after --")
    if sandbox == "off" and (memory or network):
        raise click.UsageError("--memory and --network go with --sandbox")
    try:
        most = parse_size(memory) if memory else 0
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--memory") from None
    containment = Containment(level=sandbox, network=network)
    wanted = Wishes(command, containment, memory=most, **wishes)
    return join_event(read_link(link), wanted)


@click.command("invite", short_help="Print the links of remote players.")
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False), metavar="FILE")
@click.argument("players", nargs=-1, metavar="[PLAYER]...")
@click.option(
    "--at",
    default="http://127.0.0.1:8437",
    show_default=True,
    metavar="ADDRESS",
    help="The address of the server (`gyoji serve FILE`), as owners reach it.",
)
@click.option(
    "--take-back",
    "is_taken_back",
    is_flag=True,
    help="Replace the links of these players by new ones. Whoever has the old ones is cut off.",
)
def invite(file: Path, players: tuple[str, ...], *, at: str, is_taken_back: bool) -> None:
    """Print the links with which owners join FILE as its remote players.

    Without PLAYER, the links of all remote players are printed. They begin with the server's ADDRESS, and
    are valid from now on, before the first game. Anyone who has a player's link can play as that player:
    send it where nobody else can read it. With --take-back, the old links of the players stop working.
    """
    from gyoji.core.text import quote  # noqa: PLC0415
    from gyoji.remote.inviting import invitations  # noqa: PLC0415

    if is_taken_back and not players:
        raise click.UsageError("--take-back: expected the players whose links are taken back")
    links = invitations(file)
    if unknown := [player for player in players if player not in links]:
        able = ", ".join(links) or "none; a remote player has `remote = true`"
        raise ConfigError(f"{file}: there is no remote player {quote(unknown[0])}; there are: {able}")
    if is_taken_back:
        links = invitations(file, players)
    for player in players or links:
        click.echo(f"{player}: {at.rstrip('/')}/join#{links[player]}")
