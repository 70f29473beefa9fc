"""Recorded games played over by the rules, whatever format they are recorded in."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

import click

from gyoji.core.faults import ConfigError
from gyoji.core.plugins import plugin, plugin_names
from gyoji.scheduler.status import ExitStatus


class Replay(Protocol):
    """What a record format's `replay(data, rules, komi, is_scored, goes_on)` returns for each game.

    All of it is printable: (label, text) of who played what, notes, the moves refused, and if the result
    was looked at a drawing of the end and the verdict.
    """

    @property
    def facts(self) -> Sequence[tuple[str, str]]: ...
    @property
    def notes(self) -> Sequence[str]: ...
    @property
    def refusals(self) -> Sequence[str]: ...
    @property
    def diagram(self) -> str: ...
    @property
    def verdict(self) -> str: ...


def replay_file(path: Path, **wanted: Any) -> ExitStatus:
    """`gyoji replay`: HALTED if a move of any game is illegal. Raises ConfigError for a file we cannot read.

    wanted: rules, komi, is_scored, goes_on; what they mean, the format says.
    """
    record_format = _format_of(path)
    try:
        replays: list[Replay] = record_format.replay(path.read_bytes(), **wanted)
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}") from None
    except ValueError as error:
        raise ConfigError(f"{path}: {error}") from None
    for number, replay in enumerate(replays, 1):
        if number > 1:
            click.echo()
        click.echo(f"{path}: game {number} of {len(replays)}" if len(replays) > 1 else f"{path}")
        for line in _lines(replay):
            click.echo(line)
    illegal = sum(bool(replay.refusals) for replay in replays)
    if len(replays) > 1:
        click.echo(f"\n{len(replays)} games, {illegal or 'none'} of them illegal")
    return ExitStatus.HALTED if illegal else ExitStatus.COMPLETE


def _format_of(path: Path) -> ModuleType:
    """The record format of a file, by its suffix. Raises ConfigError if no format with it can be replayed."""
    formats = [plugin("records", name) for name in plugin_names("records")]
    known = {each.suffix: each for each in formats if hasattr(each, "replay")}
    try:
        return known[path.suffix.lower()]
    except KeyError:
        raise ConfigError(
            f"{path}: no record that can be replayed has such a name; there are: {', '.join(sorted(known))}"
        ) from None


def _lines(replay: Replay) -> Iterable[str]:
    width = max(len(label) for label, _ in replay.facts)
    yield from (f"  {label:{width}}  {text}" for label, text in replay.facts)
    yield from (f"note: {note}" for note in replay.notes)
    yield from (f"illegal: {refusal}" for refusal in replay.refusals)
    if not replay.refusals:
        yield "every move is legal"
    if replay.diagram:
        yield replay.diagram
    if replay.verdict:
        yield replay.verdict
