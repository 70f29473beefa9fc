"""`gyoji judge`: a person, or a script, decides finished games by commands on standard input.

Nothing is stored before the command `accept`. Earlier rulings stay on record.
"""

import getpass
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path

import click

from gyoji.cli.exits import complain, say
from gyoji.core.describe import describe_result
from gyoji.core.game import JudgeTable, Refusal
from gyoji.core.plugins import GAMES
from gyoji.core.record import Ruling, is_waiting
from gyoji.core.text import legible_json, printable
from gyoji.play.loop import time_of_day
from gyoji.scheduler.event import Event
from gyoji.scheduler.ruling import RulingSession, between_runs, opinion_of_player
from gyoji.scheduler.status import ExitStatus
from gyoji.store.store import Store


def judge_file(path: Path, game_id: str | None, *, who: str | None) -> ExitStatus:
    """Carry out `gyoji judge`: list the games that wait for a ruling, or rule on one.

    Args:
        game_id: The game to rule on; None for the list.
        who: The judge's name; None to ask for it.

    Raises:
        ConfigError: There is no such game, or the competition is being played.
    """
    event = Event.open(path, complain)
    if game_id is None:
        return _list(event)
    with between_runs(event) as store:
        return _judge(event, store, game_id, who)


def ask_player(path: Path, game_id: str, player: str, *, as_json: bool) -> ExitStatus:
    """Ask a player's engine for its opinion about a finished game, and print it.

    Raises:
        ConfigError: There is no such game or player.
    """
    event = Event.open(path, complain)
    with event.read() as store:
        opinion = opinion_of_player(event, store, game_id, player)
    say(legible_json(opinion._asdict(), indent=2) if as_json else opinion.line)
    return ExitStatus.COMPLETE


def _list(event: Event) -> ExitStatus:
    words = GAMES.find(event.setup.game).result_words
    with event.read() as store:
        ruled = {game_id for game_id, _ in store.rulings()}
        lines = [
            f"{result.id:12} {'ruled  ' if result.id in ruled else 'waiting'}  "
            f"{describe_result(result, words)}"
            for result in store.results()
            if result.id in ruled or is_waiting(result)
        ]
    for line in lines or ["no game waits for a judge"]:
        say(line)
    return ExitStatus.COMPLETE


def _judge(event: Event, store: Store, game_id: str, who: str | None) -> ExitStatus:
    session = RulingSession.of(event, store, game_id)
    for line in session.opening():
        say(line)
    ruling = _session(session.table, lambda: _name(who))
    if ruling is None:
        click.echo("nothing was ruled")
        return ExitStatus.COMPLETE
    told, troubles = session.rule(event, store, ruling)
    say(told)
    for trouble in troubles:
        click.echo(trouble, err=True)
    return ExitStatus.COMPLETE


def _session(table: JudgeTable, name: Callable[[], str]) -> Ruling | None:
    """Carry out the judge's commands from standard input, until `accept`, `quit` or the end of the input.

    Args:
        table: Carries out the commands about the game.
        name: Returns the judge's name. It is called only for `accept`, because it may ask the user.

    Returns:
        The ruling that `accept` makes; None if the judge has accepted none.
    """
    for line in _lines(table.commands):
        verb, *words = line.split() or [""]
        if verb == "quit":
            return None
        try:
            if verb == "accept":
                return table.ruling(name(), time_of_day())
            for answer in table.obey(verb, words):
                say(answer)
        except Refusal as refusal:
            say(f"? {refusal}")
    return None


# A script's lines get no prompt; lines that begin with # are comments, so that a script can explain itself.
def _lines(commands: Sequence[str]) -> Iterable[str]:
    stream = sys.stdin
    is_asked = stream.isatty()
    if is_asked:
        click.echo(f"commands: {', '.join((*commands, 'accept', 'quit'))}")
    while True:
        if is_asked:
            click.echo("judge> ", nl=False)
        line = stream.readline()
        if not line:
            return
        if line.strip() and not line.startswith("#"):
            yield line.strip()


def login() -> str:
    """Return the name of the user who is logged in, "" if unknown."""
    with suppress(OSError, KeyError):
        return os.environ.get("USER") or getpass.getuser()
    return ""


def _name(who: str | None) -> str:
    """Return the name of the judge; "somebody" if it is unknown.

    Args:
        who: The name as given; None if it was not given. Then the user is asked for it on a terminal, with
            the login name as the default. Without a terminal it is the login name.
    """
    if who is None:
        who = login()
        if sys.stdin.isatty():
            who = click.prompt("who is judging", default=who or None)
    return printable(who.strip(), 80) or "somebody"
