"""The state of each game and of each host in a run on several hosts, and the resources that a game needs."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

from msgspec.structs import replace

from gyoji.cluster.agent_messages import Ended, Facts, LeftFile
from gyoji.cluster.artifacts import everybody
from gyoji.core import wire
from gyoji.core.faults import Breakdown
from gyoji.core.spec import GameSpec
from gyoji.core.text import printable, quote
from gyoji.play.order import Order, Report
from gyoji.scheduler.pool import Abandoned, Host, OrderFuture, WorkerDied
from gyoji.scheduler.resources import threads_of
from gyoji.store.filesystem import write_file


@dataclass(slots=True, eq=False)
class OrderedGame:
    """A game that the run has submitted to the pool, until it ends.

    Attributes:
        future: Gets the report of the game.
        needs: Amount of each resource of a host that the game needs.
        losses: Number of hosts that were lost while they played this game.
        passed: Number of later games that were sent to a host before this one. Games that were sent while
            `is_bound` was set do not count.
        is_abandoned: Whether the game is to end without a result.
        is_bound: Whether the game waits for one particular host.
    """

    future: OrderFuture
    needs: Mapping[str, int]
    losses: int = 0
    passed: int = 0
    is_abandoned: bool = False
    is_bound: bool = False

    @property
    def id(self) -> str:
        return self.future.order.spec.id

    def end_abandoned(self) -> None:
        """Let the game's future raise `Abandoned`."""
        self.future.set_exception(Abandoned("the game was abandoned"))


@dataclass(slots=True, eq=False)
class HostState:
    """The state of a host, as far as the run knows it.

    Attributes:
        name: The name of the host.
        facts: The host's first message, with its version and number of games at once; None until it is ready.
        playing: The host's games in progress by number of the attempt.
        played: Number of games that the host has played.
        trouble: Why the host gets no games; "" if it gets games.
        troubles: Number of invalid messages from the host.
        missed: Number of times in a row that the run has checked the host and found no new message.
        heard: Time of the last message, in monotonic seconds.
        lacks: Why a player cannot play on the host, by the command of its engine.
        kept: Digest (see `SpooledGame`) by id of each game whose report the host keeps.
    """

    name: str
    facts: Facts | None = None
    playing: dict[int, OrderedGame] = field(default_factory=dict)  # by ticket
    played: int = 0
    trouble: str = ""
    troubles: int = 0
    missed: int = 0
    heard: float = field(default_factory=monotonic)
    lacks: dict[tuple[str, ...], str] = field(default_factory=dict)
    kept: dict[str, str] = field(default_factory=dict)

    @property
    def is_starting(self) -> bool:
        return self.facts is None and not self.trouble

    @property
    def slots(self) -> int:
        return self.facts.slots if self.facts is not None and not self.trouble else 0

    def plays(self, game_id: str) -> bool:
        return any(game.id == game_id for game in self.playing.values())

    def can_play(self, programs: Iterable[tuple[str, ...]]) -> bool:
        """Return whether the host is in use, and none of these engine commands is known to fail on it."""
        return bool(self.slots) and not (self.lacks and not self.lacks.keys().isdisjoint(programs))

    def told(self) -> Host:
        """Return the description of the host for `gyoji control --status`."""
        playing = tuple([game.id for game in self.playing.values()])
        return Host(
            name=self.name,
            slots=self.slots,
            playing=playing,
            played=self.played,
            silent=round(monotonic() - self.heard, 1),
            trouble=self.trouble,
        )

    def has_room(self, needs: Mapping[str, int], resources: Mapping[str, int]) -> bool:
        """Return whether the host has a free slot, and enough free resources for a game.

        A game that may use more threads than the host has is not refused, but is played there alone.

        Args:
            needs: Amount of each resource that the game needs.
            resources: Amount of each resource that the host has.
        """
        if len(self.playing) >= self.slots or self.facts is None:
            return False
        there_is = {**resources, "threads": max(self.facts.threads, self.slots)}
        return all(
            sum(other.needs.get(name, 0) for other in self.playing.values())
            + min(amount, there_is.get(name, 0) if name == "threads" else amount)
            <= there_is.get(name, 0)
            for name, amount in needs.items()
        )


def needs_of(spec: GameSpec) -> dict[str, int]:
    """Return the amounts of resources of a host that a game needs, by name."""
    needs = {"threads": threads_of(spec)}
    for player in spec.everybody:
        for name, amount in player.resources.items():
            needs[name] = needs.get(name, 0) + amount
    return needs


def programs_of(spec: GameSpec) -> list[tuple[str, ...]]:
    """Return the engine commands of all players of a game."""
    return [player.command for player in everybody(spec)]


def command_of(spec: GameSpec, lacks: str) -> tuple[str, ...]:
    """Return the engine command of the player that cannot play on a host.

    If the message names no player of the game, return the command of the first player.

    Args:
        spec: The game.
        lacks: The host's message about the problem, which begins with the player's code.
    """
    code = lacks.partition(":")[0]
    players = everybody(spec)
    return next((player.command for player in players if player.code == code), players[0].command)


def end_of(game: OrderedGame, ended: Ended, host: str) -> Report | Breakdown:
    """Return the report or the error that a host's message about the end of a game stands for.

    Args:
        game: The game.
        ended: The message.
        host: Name of the host, which is written into the report.

    Returns:
        The report of the game, or the exception with which its future fails.

    Raises:
        ValueError: The message cannot be about this game.
    """
    spec = game.future.order.spec
    if ended.report is not None:
        report = ended.report.report(spec)
        told = report.record.result if report.record is not None else report.void  # reads all of the record
        if told is None or (told.players, told.pairing) != (spec.codes, spec.pairing):
            raise ValueError(f"got a report of other players than those of {spec.id}")
        if report.finished is None:
            return report
        result = replace(report.finished.result, host=host)
        finished = report.finished._replace(result=result, result_text=wire.dumps(result))
        return Report(finished=finished, log=report.log)
    if ended.died:
        if not all(0 <= seat < len(spec.players) for seat in ended.to_move):
            raise ValueError(f"seats {ended.to_move} are none of game {spec.id}")
        return WorkerDied(f"{host}: {printable(ended.died)}", ended.to_move)
    if not game.is_abandoned:
        raise ValueError(f"game {spec.id} was abandoned, and nobody had said so")
    return Abandoned("the game was abandoned")


def _place_of(order: Order, kind: str, name: str) -> Path | None:
    """Return the path of a file of a game, relative to the competition's folder.

    The kind and the name have come from a host, which may have sent wrong ones. Return None if the game
    writes no such file.

    Args:
        kind: "records", "voids" or "transcript" (see `LeftFile`).
        name: Name of the file, without a folder.
    """
    files, game_id = order.files, order.spec.id
    is_own = name.startswith(f"{game_id}.") and "/" not in name and "\0" not in name
    if not is_own:
        return None
    if kind == "transcript":
        return Path(files.transcript) if files.transcript else None
    folder = {"records": files.records, "voids": files.voids}.get(kind)
    return Path(folder) / name if folder else None


def leave_files(folder: Path, order: Order, files: Iterable[LeftFile]) -> list[str]:
    """Write the files that a game has written on a host, to their places in or below `folder`.

    Returns:
        One error line for each file that could not be written.
    """
    troubles = []
    for file in files:
        place = _place_of(order, file.kind, file.name)
        if place is None:
            troubles.append(f"a file {quote(file.name)} of kind {quote(file.kind)} is not written")
            continue
        try:
            write_file(folder / place, file.content, in_our_folder=True)
        except OSError as error:
            troubles.append(f"cannot write {place}: {error.strerror}; the game itself is stored")
    return troubles
