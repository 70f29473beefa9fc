"""A competition as it stands (`show`, `reset`), and as it is being played (`stop`, `control`)."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import click
from msgspec.structs import replace

from gyoji.cli.exits import complain, say
from gyoji.cli.screen import void_line
from gyoji.core import wire
from gyoji.core.faults import Breakdown, ConfigError
from gyoji.core.plugins import GAMES
from gyoji.core.text import legible, legible_json
from gyoji.pairing.games import known_names
from gyoji.pairing.shards import Shard
from gyoji.report.text import text_lines
from gyoji.scheduler.asking import ANSWER_SECONDS, send_command
from gyoji.scheduler.event import (
    Endings,
    Event,
    Fold,
    comparable,
    event_values,
    hosts_part,
    repeated_part,
    report_lines,
    totals_part,
)
from gyoji.scheduler.shards import shard_files
from gyoji.scheduler.status import ExitStatus
from gyoji.store import filesystem
from gyoji.store.files import CompetitionFiles, reset
from gyoji.tables.digest import Beside
from gyoji.tables.hosts import running_blocks
from gyoji.tables.remarks import remarks
from gyoji.tables.totals import Plans, plans_blocks, plans_values

RELOAD_SECONDS = 600.0
"""How long a run may take to count all its games anew."""


def write_text(path: Path, text: str) -> None:
    """Put `text` into a file, in one step. Raises Breakdown if it cannot be written."""
    write_pieces(path, [legible(text).encode()])


def write_pieces(path: Path, pieces: Iterable[bytes]) -> None:
    """Put the pieces into a file, one after the other; others see it when all of them are there.

    Raises Breakdown if it cannot be written, and what making a piece raises.
    """
    try:
        filesystem.write_pieces(path, pieces)
    except OSError as error:
        raise Breakdown(f"{path} cannot be written: {error.strerror}") from None


def fold(event: Event, *others: Fold) -> int:
    """Count the stored games, here and in `others`; how many were void.

    Raises ConfigError if there is nothing stored, or it is of another competition.
    """
    with event.read() as store:
        event.count(store, *others)
    return event.failures.count


def show_file(path: Path, *, as_json: bool, shard: Shard | None = None) -> ExitStatus:
    """`gyoji show`: the short report, or all of it as JSON."""
    event = Event.open(path, complain, shard)
    endings, beside = Endings(counts=as_json), Beside(event.setup.players, pairs=as_json)
    voids = fold(event, endings, beside)
    if as_json:
        now = {"running": running(event.files), "secret_seed": event.setup.is_seed_secret}
        say(legible_json({**event_values(event, endings, beside), **now}, indent=2))
        return ExitStatus.COMPLETE
    if voids:
        click.echo(void_line(voids))
    for line in text_lines(event.tables().screen()) if endings.games else ["no results yet"]:
        say(line)
    for line in text_lines(running_blocks((running(event.files) or {}).get("hosts", ()))):
        say(line)
    told = remarks(event.comparison, event.failures)
    for line in (*totals_part(event, beside), *repeated_part(beside), *hosts_part(beside), *told):
        say(line)
    if endings.waiting:
        click.echo(f"waiting for the judge: {' '.join(endings.waiting)}")
    return ExitStatus.COMPLETE


def show_seed(path: Path) -> ExitStatus:
    """`gyoji show --seed`: what makes another event play the same games, given as its `seed`."""
    event = Event.open(path, complain)
    if event.setup.draws_seed and not event.files.database.exists():
        raise ConfigError(f"{path}: there is no seed yet: the first run draws it")
    click.echo(event.setup.seed)
    return ExitStatus.COMPLETE


def write_report(event: Event, beside: Beside) -> None:
    """The report file as the competition stands now; readers never see half of it."""
    write_text(event.files.report, "".join(f"{line}\n" for line in report_lines(event, beside)))


def show_game(path: Path, game: str, *, timing: bool, as_json: bool) -> ExitStatus:
    """`gyoji show --game`: its moves, or their times. Raises ConfigError for a game that is not stored."""
    from gyoji.tables.one_game import game_blocks, game_values  # noqa: PLC0415 - `show` without a game is lighter
    from gyoji.tables.timings import timing_blocks, timing_values  # noqa: PLC0415

    event = Event.open(path, complain)
    with event.read() as store:
        spec, record = event.finished(store, game)
    words = GAMES.find(spec.game).result_words
    if as_json:
        told = {"game": game, "moves": timing_values(record)} if timing else game_values(record, words)
        say(legible_json(told, indent=2))
        return ExitStatus.COMPLETE
    for line in text_lines(timing_blocks(record) if timing else game_blocks(record, words)):
        say(line)
    return ExitStatus.COMPLETE


def reset_file(path: Path) -> ExitStatus:
    """`gyoji reset`: everything but the control file goes."""
    event = Event.open(path, complain)
    reset(event.files)
    return ExitStatus.COMPLETE


def show_plans(path: Path, *, as_json: bool) -> ExitStatus:
    """`gyoji show --plans`: what became of every plan, and what was gathered on each field.

    Raises ConfigError for a game that does not account for its moves.
    """
    plans = _plans(Event.open(path, complain))
    if as_json:
        say(legible_json(plans_values(plans), indent=2))
        return ExitStatus.COMPLETE
    for line in list(text_lines(plans_blocks(plans))) or ["no results yet"]:
        say(line)
    return ExitStatus.COMPLETE


def _plans(event: Event) -> Plans:
    """All stored games counted."""
    game = GAMES.find(event.setup.game)
    if game.counts is None:
        raise ConfigError(f"{event.source}: games of {game.name} have no plans to count")
    counts = game.counts()
    plans = Plans(game)
    with event.read() as store:
        for result in comparable(store, event.comparison):
            spec, record = store.record(result.id)
            plans.add(
                replace(result, players=known_names(result.players, event.setup.players)),
                counts.moves(spec, record),
                field=wire.dumps(spec.options.get("opening")) if spec.options.get("opening") else spec.id,
                description=counts.describe(spec.options, spec.seed),
            )
    return plans


def _files(path: Path, shard: Shard | None = None) -> CompetitionFiles:
    """The files of a competition, or of a shard of it, whose control file is not read, only looked for.

    Raises ConfigError.
    """
    if not path.exists():
        raise ConfigError(f"{path}: there is no such control file")
    return shard_files(path, shard) if shard else CompetitionFiles(path)


def stop_file(path: Path, shard: Shard | None = None) -> ExitStatus:
    """`gyoji stop`: let running games finish, and start no more."""
    files = _files(path, shard)
    try:
        answer = send_command(files, {"do": "stop"})
    except ConfigError as error:
        complain(str(error))
        return ExitStatus.COMPLETE
    waiting = answer.get("games", [])
    click.echo("stopping" + (f"; in progress: {' '.join(game['id'] for game in waiting)}" if waiting else ""))
    return ExitStatus.COMPLETE


def running(files: CompetitionFiles) -> dict[str, Any] | None:
    """The status of the run in progress, None if there is none or it does not answer."""
    try:
        answer = send_command(files, {"do": "status"})
    except ConfigError:
        return None
    return {key: value for key, value in answer.items() if key != "ok"}


def control_file(
    path: Path,
    *,
    shard: Shard | None,
    parallel: int | None,
    pause: bool,
    resume: bool,
    reload: bool,
    retry: bool,
    status: bool,
) -> ExitStatus:
    """The whole command: everything that is asked for, in an order that makes sense."""
    if not (parallel or pause or resume or reload or retry or status):
        raise click.UsageError("say what to do: --parallel, --pause, --resume, --reload, --retry or --status")
    if pause and resume:
        raise click.UsageError("--pause and --resume contradict each other")
    files = _files(path, shard)
    answer = _ask(files, {"do": "pause" if pause else "status"})
    if reload:
        from gyoji.cli.checking import check_newcomers  # noqa: PLC0415 - nothing else here starts engines

        event = Event.open(path, complain)
        if answer.get("hosts"):
            click.echo("new players are tried on each host, before they play there")
        elif not check_newcomers(event, answer["players"]):
            complain(f"{path}: not read again: the competition goes on unchanged")
            return ExitStatus.HALTED
        answer = _ask(files, {"do": "reload"}, RELOAD_SECONDS)
    if retry:
        answer = _ask(files, {"do": "retry"}, RELOAD_SECONDS)
    if parallel:
        answer = _ask(files, {"do": "parallel", "games": parallel})
    if resume:
        answer = _ask(files, {"do": "resume"})
    click.echo(legible_json(answer, indent=2) if status else state_line(answer))
    return ExitStatus.COMPLETE


def rule_running(
    path: Path, shard: Shard | None, *, game: str, player: str | None, reason: str | None
) -> ExitStatus:
    """`gyoji control --forfeit` and `--restart`: a player loses a running game, or it is played again."""
    if reason is None:
        raise click.UsageError("give a --reason: it goes into the record")
    decision = {"decision": "restart"} if player is None else {"decision": "forfeit", "player": player}
    answer = _ask(_files(path, shard), {"do": "rule", "game": game, "reason": reason, **decision})
    click.echo(state_line(answer))
    return ExitStatus.COMPLETE


def purge_file(path: Path, host: str, *, because: str, who: str) -> ExitStatus:
    """`gyoji purge`: take back the games of a host, which are played again. Raises ConfigError."""
    from gyoji.play.loop import time_of_day  # noqa: PLC0415
    from gyoji.scheduler.ruling import between_runs, purge  # noqa: PLC0415 - imports the referee

    event = Event.open(path, complain)
    if running(event.files) is not None:
        command = {"do": "purge", "host": host, "because": because, "who": who}
        click.echo(state_line(_ask(event.files, command, RELOAD_SECONDS)))
        return ExitStatus.COMPLETE
    with between_runs(event) as store:
        taken_back = purge(store, host, because=because, who=who, when=time_of_day())
    games = len(taken_back.games)
    say(f"{games} game{'s' * (games != 1)} of host {host} taken back: `gyoji run {path}` plays them again")
    return ExitStatus.COMPLETE


def _ask(files: CompetitionFiles, command: Mapping[str, Any], seconds: float = ANSWER_SECONDS) -> Any:
    """Send a command to the run; its answer. Raises ConfigError if it refuses or does not answer."""
    answer = send_command(files, command, seconds=seconds)
    if not answer.pop("ok"):
        raise ConfigError(answer["error"])
    return answer


def state_line(status: Mapping[str, Any]) -> str:
    """How a run is, in one line.

    >>> state = {"stopping": None, "paused": False, "parallel": 2, "games": [], "remaining": 7}
    >>> state_line(state)
    '2 at once, 7 to be started'
    >>> state_line(state | {"paused": True, "games": [{"id": "0_1"}], "remaining": None})
    'paused, 2 at once, in progress: 0_1'
    """
    parts = [f"stopping: {status['stopping']}"] if status["stopping"] else []
    parts += ["paused"] if status["paused"] else []
    parts.append(f"{status['parallel']} at once")
    parts += [f"{status['remaining']} to be started"] if status["remaining"] is not None else []
    parts += [f"in progress: {' '.join(game['id'] for game in status['games'])}"] if status["games"] else []
    return ", ".join(parts)
