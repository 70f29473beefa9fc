"""`gyoji join`: checks the owner's engine and the connection, and plays until the owner leaves or the event
ends.
"""

import asyncio
import json
import signal
import time
from collections.abc import Sequence
from contextlib import closing, suppress

import click

from gyoji.core import wire
from gyoji.core.faults import ConfigError
from gyoji.core.links import JoinLink
from gyoji.core.spec import GameSpec
from gyoji.core.text import format_duration, printable
from gyoji.play.context import WorkerContext
from gyoji.play.remote_talk import encode
from gyoji.remote.event_server import TIMEOUT, EventServer
from gyoji.remote.owner import Owner, patience_for
from gyoji.remote.owner_check import Wishes, check_engine
from gyoji.remote.sessions import Engines
from gyoji.remote.websocket import Closed


def join_event(link: JoinLink, wishes: Wishes) -> int:
    """Carry out `gyoji join`. Return the exit status, which is always 0: other ends raise an exception.

    Raises:
        ConfigError: The link, the certificate or the engine is wrong.
    """
    server = EventServer(link, _say, wishes.ca)
    told = server.ask()
    _say(f"{told['player']} in {told['title'] or told['competition']}, at {link.authority}")
    spec = wire.decode(GameSpec, told["spec"])
    if not wishes.echo:
        player, found = check_engine(spec, wishes)
        _say(found)
        if not wishes.only_checks:
            with closing(WorkerContext()) as context:
                patience = patience_for(player.clock or spec.clock)
                owner = Owner(server, Engines(player, context), wishes.games, patience=patience)
                return asyncio.run(_play(owner))
    for line in describe_trips(asyncio.run(_trips(server)), spec.lag):
        _say(line)
    return 0


def _say(line: str) -> None:
    with suppress(OSError):  # the terminal is gone: the game goes on
        click.echo(f"{time.strftime('%H:%M:%S')} {printable(line, 400)}", err=True)


async def _play(owner: Owner) -> int:
    """Play until a signal ends the process or the owner has played enough games. Return the exit status 0."""
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGINT, owner.interrupt)
    for number in (signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, owner.leave)
    games = await owner.play()
    _say(f"left after {games} game{'' if games == 1 else 's'}")
    return 0


async def _trips(server: EventServer) -> Sequence[int]:
    """Return the round trips in ns that the server measures. The connection is like one for games."""
    connection = await server.connect("")
    try:
        while True:
            message = json.loads(await connection.receive(TIMEOUT))
            if "trips" in message:
                return [int(each) for each in message["trips"]]
            connection.send(encode({"echo": message.get("echo")}))
    except Closed as error:
        raise ConfigError(f"join: the round trip was not measured: {error}") from None
    finally:
        await connection.close()


def describe_trips(trips: Sequence[int], lag: int) -> list[str]:
    """Return lines about the round trips to the server and their effect on the player's clock.

    Args:
        trips: Measured times in ns.
        lag: Network delay in ns, for one answer, up to which the event does not charge the clock.
    """
    middle, longest = sorted(trips)[len(trips) // 2], max(trips)
    measured = f"median {middle / 1e6:.1f} ms, longest {longest / 1e6:.1f} ms"
    lines = [f"{len(trips)} round trips, measured by the server: {measured}"]
    credited = f"the event credits up to {format_duration(lag)} for each answer" if lag else ""
    if not lag:
        lines.append("your clock also runs while an answer is on the way: the event credits nothing")
    elif longest <= lag:
        lines.append(f"your clock is not charged for them: {credited}")
    else:
        late = sum(each > lag for each in trips)
        charged = f"at most {(longest - lag) / 1e6:.1f} ms of an answer"
        lines.append(f"your clock is charged for {late} of them, {charged}: {credited}")
    return lines
