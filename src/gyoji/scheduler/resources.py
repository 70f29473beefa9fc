"""Resources of a machine: the processors of each slot, and the queue of games that wait for resources.

A slot is a place for one game at a time. The referee and engines of a game can share one processor that no
other game uses. Other games then do not disturb it. It is also cheaper: to wake another processor for a
question costs more than all of the referee's work on a move.
"""

import os
from bisect import insort
from collections.abc import Iterable, Mapping
from operator import add, attrgetter, le, sub
from pathlib import Path

from gyoji.core.faults import ConfigError
from gyoji.core.setup import CompetitionSetup
from gyoji.core.spec import GameSpec, awaited_of
from gyoji.scheduler.issued_games import IssuedGame, Needs, WaitingGame

_PERSON = "person "
THREADS = "threads"
"""Name of the resource that stands for processors. Every game needs some of it where it is counted."""

PATIENCE = 8
"""Number of games that may start before the first waiting game and take resources that it needs."""

_SIBLINGS = "/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list"


class UnsatisfiableResource(ConfigError):
    """A game needs more of a resource than there is."""


# The first game is the one issued first. While it waits for a resource in use, later games may overtake it:
# without limit if they leave it what it needs, and PATIENCE times if they do not. So no resource stays idle
# for long, and no game waits for ever: once the patience is used up, what the first game needs can only
# become free.
class ReadyQueue:
    """The games that wait for resources: processors, a GPU, a human or remote player.

    A human or remote player is a resource of amount 1 (see `person_resource`), and absent until `appear` is
    called.
    """

    def __init__(self, there_is: Mapping[str, int]) -> None:
        self._there_is = dict(there_is)
        self._absent = {name for name in there_is if name.startswith(_PERSON)}
        self._free = [0 if name in self._absent else total for name, total in there_is.items()]
        self._waiting: list[IssuedGame] = []  # by number
        self._first = -1  # the number of the game whose patience is tried
        self._passed = 0  # how often it has let others pass at its cost

    def __len__(self) -> int:
        """Number of waiting games."""
        return len(self._waiting)

    def put(self, game: IssuedGame) -> None:
        """Add a game to the waiting ones, which are kept in the order of their numbers. Raises
        UnsatisfiableResource.
        """
        needs = game.needs = self._needs(game.spec)
        for need, (name, total) in zip(needs, self._there_is.items(), strict=True):
            if need > total:
                raise UnsatisfiableResource(
                    f"game {game.spec.id} needs {need} {name}, and there is only {total}"
                )
        insort(self._waiting, game, key=attrgetter("number"))

    def take(self) -> IssuedGame | None:
        """Remove and return the game to start now, with its resources reserved; None if none can start."""
        blocked = set[Needs]()  # most games need the same, so most are told by this
        for game in self._waiting:
            if game.needs in blocked:
                continue
            if all(map(le, game.needs, self._free)) and self._lets_pass(self._waiting[0], game):
                self._waiting.remove(game)
                self._free = list(map(sub, self._free, game.needs))
                game.has_resources = True
                return game
            blocked.add(game.needs)
        return None

    def _lets_pass(self, first: IssuedGame, game: IssuedGame) -> bool:
        """Return whether `game` may start before `first`, the waiting game with the lowest number.

        A game that leaves enough resources for `first` always may. Of all other games, at most `PATIENCE`
        may. For `first` itself the answer is True.
        """
        if game is first:
            return True
        if self._first != first.number:
            self._first, self._passed = first.number, 0
        rests = zip(game.needs, first.needs, self._free, strict=True)
        if all(not need or not want or free - need >= want for need, want, free in rests):
            return True
        self._passed += 1
        return self._passed <= PATIENCE

    def release(self, game: IssuedGame) -> None:
        """Free the resources that `take` reserved for a game."""
        game.has_resources = False
        self._free = list(map(add, self._free, game.needs))

    def clear(self) -> list[IssuedGame]:
        """Remove all waiting games and return them."""
        sent, self._waiting = self._waiting, []
        return sent

    def appear(self, person: str, *, is_there: bool) -> None:
        """Record that a human or remote player is ready to play, or has gone.

        The player's game in progress goes on.
        """
        name = person_resource(person)
        if name in self._there_is and (name in self._absent) == is_there:
            at = list(self._there_is).index(name)
            self._free[at] += 1 if is_there else -1
            self._absent ^= {name}

    @property
    def there(self) -> dict[str, bool]:
        """For each human and remote player, by name, whether the player is there."""
        people = [name for name in self._there_is if name.startswith(_PERSON)]
        return {name.removeprefix(_PERSON): name not in self._absent for name in people}

    def withdraw(self, game: IssuedGame) -> None:
        """Remove a waiting game."""
        self._waiting.remove(game)

    def waiting(self) -> list[WaitingGame]:
        """Return the games for which only human or remote players are missing.

        If several games wait for the same player, only the first of them is returned.
        """
        if not self._absent:
            return []
        people = {at: name for at, name in enumerate(self._there_is) if name in self._absent}
        found, awaited = list[WaitingGame](), set[int]()
        for game in self._waiting:
            missing = {at for at in people if game.needs[at]}
            rest = zip(game.needs, self._free, range(len(game.needs)), strict=True)
            fits = all(need <= free for need, free, at in rest if at not in missing)
            if missing and fits and not missing & awaited:
                awaited |= missing
                names = tuple([people[at].removeprefix(_PERSON) for at in sorted(missing)])
                found.append(WaitingGame(game, names))
        return found

    @property
    def awaits_people(self) -> bool:
        """Whether a game waits for an absent human or remote player."""
        absent = [at for at, name in enumerate(self._there_is) if name in self._absent]
        return any(game.needs[at] for game in self._waiting for at in absent)

    def provide(self, there_is: Mapping[str, int], issued: Iterable[IssuedGame]) -> None:
        """Change the total of each resource. Raises UnsatisfiableResource.

        Args:
            there_is: The new totals by resource.
            issued: All games without a result. Those in progress keep what they have.
        """
        names, self._there_is = set(self._there_is), dict(there_is)
        playing = [game for game in issued if game.has_resources]
        for game in playing:
            game.needs = self._needs(game.spec)
        self._absent = {name for name in self._absent if name in there_is} | {
            name for name in there_is if name.startswith(_PERSON) and name not in names
        }
        self._free = [
            total - sum(uses) - (name in self._absent)
            for (name, total), *uses in zip(there_is.items(), *[game.needs for game in playing], strict=True)
        ]
        for game in self.clear():
            self.put(game)

    @property
    def free(self) -> dict[str, int]:
        """Unused amount of each resource.

        It is negative if games in progress have more than there is now: after a reduction, or when a player
        has gone away during a game.
        """
        return dict(zip(self._there_is, self._free, strict=True))

    def _needs(self, spec: GameSpec) -> Needs:
        return tuple([self._need(name, spec) for name in self._there_is])

    def _need(self, name: str, spec: GameSpec) -> int:
        if name == THREADS:  # a game that could use more than there are is played alone
            return min(threads_of(spec), self._there_is[THREADS])
        everybody = spec.everybody
        if name.startswith(_PERSON):
            return int(
                any(player.is_elsewhere and person_resource(player.person) == name for player in everybody)
            )
        return sum(player.resources.get(name, 0) for player in everybody)


def person_resource(name: str) -> str:
    """Return the name of the resource that stands for a human or remote player.

    Its amount is 1, because a player plays one game at a time.
    """
    return f"{_PERSON}{name}"


def threads_of(spec: GameSpec) -> int:
    """Return the largest number of threads that the players of a game use at once.

    Players think in turns, so this is the largest number of threads of one player. If more than two players
    are asked together, it is the sum over the players.
    """
    threads = [player.threads for player in spec.players]
    return sum(threads) if len(threads) > 2 and spec.asking == "together" else max(threads)


def people(setup: CompetitionSetup) -> dict[str, int]:
    """Return the human and remote players of a competition as resources of amount 1."""
    return {person_resource(name): 1 for name in awaited_of(setup.players.values())}


def processors() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0))


def share_out(slots: int, cores: int) -> tuple[frozenset[int], ...]:
    """Choose `cores` processors for each slot, a place for one game at a time.

    Second threads of physical cores are chosen only after all first threads.

    Returns:
        One set of processor numbers for each slot; () if cores is 0.

    Raises:
        ConfigError: There are too few processors.
    """
    if not cores:
        return ()
    there = sorted(os.sched_getaffinity(0), key=lambda cpu: (_rank(cpu), cpu))
    if slots * cores > len(there):
        raise ConfigError(
            f"cores: {slots} games at once with {cores} processors each need {slots * cores}, and there are "
            f"{len(there)}: play fewer games at once (--parallel), or set cores to 0"
        )
    return tuple(frozenset(there[first * cores : (first + 1) * cores]) for first in range(slots))


def _rank(cpu: int) -> int:
    """Return which thread of its physical core a processor is, from 0; 0 if the kernel does not say."""
    try:
        text = Path(_SIBLINGS.format(cpu)).read_text()
    except OSError:
        return 0
    siblings: list[int] = []
    for part in text.strip().split(","):
        first, _, last = part.partition("-")
        siblings += range(int(first), int(last or first) + 1)
    return siblings.index(cpu) if cpu in siblings else 0
