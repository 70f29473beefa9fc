"""A person decides finished games: `gyoji judge`. Line by line, so that a script can do it too.

Nothing is stored before `accept`, and what was ruled before stays on record beside the new ruling.
"""

import getpass
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path

import click

from gyoji.cli.exits import complain, say
from gyoji.core.describe import describe_result, result_code
from gyoji.core.faults import ConfigError
from gyoji.core.game import JudgeTable, Refusal
from gyoji.core.plugins import GAMES
from gyoji.core.record import GameRecord, Ruling, is_waiting
from gyoji.core.spec import GameSpec
from gyoji.core.text import printable
from gyoji.play.context import make_rules
from gyoji.play.engine_scoring import score_by_engine
from gyoji.play.game_files import write_records
from gyoji.play.loop import time_of_day
from gyoji.play.order import Files
from gyoji.scheduler.event import Event
from gyoji.scheduler.status import ExitStatus
from gyoji.store.files import RunLock
from gyoji.store.store import Store


def judge_file(path: Path, game_id: str | None, *, who: str | None) -> ExitStatus:
    """`gyoji judge`: list what there is to rule, or rule one game. Raises ConfigError."""
    event = Event.open(path, complain)
    if game_id is None:
        return _list(event)
    with ExitStack() as stack:
        try:
            stack.enter_context(RunLock(event.files))
        except ConfigError as error:
            remedy = f"rulings are given between runs: wait, or `gyoji stop {event.source}`"
            raise ConfigError(f"{error}; {remedy}") from None
        store = stack.enter_context(Store.open(event.files.database, event.setup.code))
        return _judge(event, store, game_id, who)


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
    spec, record = event.finished(store, game_id)
    game = GAMES.find(spec.game)
    if game.judge is None:
        raise ConfigError(f"{spec.id} is a game of {spec.game}, which its rules decide, and not a person")
    rules = make_rules(spec)
    opinion, advice = _advice(spec, record)
    table = game.judge()(rules, record, opinion)
    say(f"{spec.id}: {describe_result(record.result, game.result_words)}")
    for _, earlier in store.rulings(game_id):
        say(f"  {earlier.when}  {result_code(earlier.outcome, game.result_words.letters)}  {earlier.text}")
    for line in (*advice, *table.opening()):
        say(line)
    ruling = _session(table, lambda: _name(who))
    if ruling is None:
        click.echo("nothing was ruled")
        return ExitStatus.COMPLETE
    store.rule(game_id, ruling)
    ruled = store.record(game_id)[1]
    say(f"{spec.id}: {describe_result(ruled.result, game.result_words)}")
    for trouble in _leave_file(event, spec, ruled):
        click.echo(trouble, err=True)
    return ExitStatus.COMPLETE


def _advice(spec: GameSpec, record: GameRecord) -> tuple[tuple[str, ...], list[str]]:
    """(points of the stones that the scoring player calls dead, what there is to say of it)."""
    if spec.scoring_player is None:
        return record.result.dead, []
    code, verdict = spec.scoring_player.code, score_by_engine(spec, record)
    if verdict.opinion is None or verdict.problem:
        return (), [f"{code} has no opinion: {printable(verdict.problem)}"]
    dead = verdict.opinion.dead or ()
    return dead, [
        f"{code} says {printable(verdict.opinion.text)}; dead: {printable(' '.join(dead)) or 'none'}"
    ]


def _session(table: JudgeTable, name: Callable[[], str]) -> Ruling | None:
    """Do what the lines say until one accepts, which makes the ruling, or none does."""
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
    """The name of who is logged in, "" if nobody knows."""
    with suppress(OSError, KeyError):
        return os.environ.get("USER") or getpass.getuser()
    return ""


def _name(who: str | None) -> str:
    """Who is judging: as said, as asked for on a terminal, or who is logged in."""
    if who is None:
        who = login()
        if sys.stdin.isatty():
            who = click.prompt("who is judging", default=who or None)
    return printable(who.strip(), 80) or "somebody"


def _leave_file(event: Event, spec: GameSpec, record: GameRecord) -> list[str]:
    """The game's own file says what was ruled, too."""
    if not event.setup.record_games:
        return []
    formats = event.setup.record_formats or GAMES.find(spec.game).records
    files = Files(records=str(event.files.games), formats=formats)
    return write_records(files, spec, record)
