"""Rounds of matches: what Swiss systems, knockouts, ladders and contests by stages have in common.

A `System` says who meets whom in a round: a function of the rounds before. `Rounds` has them played.

Results come in any order. One of a round that has not begun is kept until its match does, so what has been
played is a function of the set of results. A round begins when somebody wants to know of it: then all results
of it that are stored are there. Should a ruling change who meets whom, what somebody played in a match that
there is not any more does not count, and the matches that are lacking are played; but a system that `Keeps`
what was paired is told which matches have been played.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from gyoji.core.faults import ConfigError
from gyoji.core.ports import offers
from gyoji.core.record import GameResult
from gyoji.core.setup import CompetitionSetup, GameSettings
from gyoji.core.spec import GameSpec
from gyoji.core.text import quote
from gyoji.pairing.cross import Cross
from gyoji.pairing.field import EngineReports, trials
from gyoji.pairing.games import GameMaker, block_of, game_id, game_number
from gyoji.pairing.matches import Fixture, Match, Terms

Played: TypeAlias = Sequence[Sequence[Match]]
"""The matches of each round that has begun, in order."""


class System(Protocol):
    """Who meets whom."""

    players: tuple[str, ...]
    """All who may meet, in the order of their seeds."""
    terms: Terms
    sizes: Sequence[int]
    """How many matches each round has."""
    waits: bool
    """Whether a round depends on those before it."""

    def draw(self, played: Played) -> Sequence[Fixture]:
        """The next round, when all before it are over; if it does not depend on them, have begun."""

    def ranking(self, played: Played) -> Sequence[str]:
        """The players from first to last, by what is over."""


class Keeps(Protocol):
    """A system in which two who have met in a round stay paired in it, whatever has changed."""

    def draw_around(self, played: Played, kept: Sequence[Fixture]) -> Sequence[Fixture]:
        """The next round. kept: the matches of it that games have been played of, the newest first."""


class KeepsPairs(Protocol):
    """A competition with rounds in which two who have met stay paired."""

    def keep(self, result: GameResult) -> None:
        """Take note of who has met whom, before the result is counted. Raises ConfigError as `add` does."""


def pairing_id(*path: object, first: str, second: str) -> str:
    """The id of a match, whichever player comes first; no code has a comma. Empty parts are left out.

    >>> pairing_id("", 3, first="b", second="a")
    '3,a,b'
    """
    return ",".join((*filter(None, map(str, path)), *sorted((first, second))))


class _Entry(NamedTuple):
    """A match that is played, and the number of its round."""

    round: int
    match: Match


class _Meeting(NamedTuple):
    """A match that a game has been played of, and when the newest one began."""

    started: str
    pairing: str
    fixture: Fixture


class Rounds:
    """The rounds of a system, as far as they have been played.

    path    what the ids of matches have before the number of the round.
    """

    def __init__(
        self,
        setup: CompetitionSetup,
        settings: GameSettings,
        system: System,
        *,
        path: Sequence[str] = (),
        name: str = "",
        is_begin: bool = True,
    ) -> None:
        """path: what ids have before the number of the round; name: what records call this part of it all.

        is_begin: the first round depends on no results, so a game that it does not have is refused.
        """
        self.system = system
        self._played: list[tuple[Match, ...]] = []
        self._cross = Cross(system.players)
        self._setup = setup
        self.path = ",".join(path)
        self._is_begin = is_begin
        self._maker = GameMaker(setup, settings, name=name)
        self._block = block_of(settings)
        self._entries: dict[str, _Entry] = {}  # by pairing
        self._early: dict[str, list[GameResult]] = {}  # results without a match, by pairing
        self._met: dict[int, dict[str, _Meeting]] = {}  # of rounds that have not begun, by pairing
        self._queue: deque[_Entry] = deque()  # matches with games to issue
        self._unfinished = 0  # matches of the rounds that have begun
        self._room = 0  # their games that are to be issued
        self._go_on()

    @property
    def played(self) -> Sequence[tuple[Match, ...]]:
        """The matches of the rounds that have begun."""
        self._go_on()
        return self._played

    @property
    def cross(self) -> Cross:
        """All games that count."""
        self._go_on()
        return self._cross

    @property
    def is_over(self) -> bool:
        """Whether every match is."""
        return len(self.played) == len(self.system.sizes) and not self._unfinished

    @property
    def ranking(self) -> Sequence[str]:
        """The players from first to last, by what is over."""
        return self.system.ranking(self.played)

    @property
    def uncounted(self) -> list[str]:
        """The ids of games that no match has, in order."""
        self._go_on()
        return sorted({result.id for results in self._early.values() for result in results})

    @property
    def remaining(self) -> int:
        """How many games are still to be issued, unless there are extra games or some are not needed."""
        begun = len(self.played)
        return self._room + sum(self.system.sizes[begun:]) * self.system.terms.games

    def add(self, result: GameResult) -> None:
        """Count a game, once. Raises ConfigError for a game of no rounds."""
        round_ = self._round(result)
        while not self.system.waits and len(self._played) <= round_ < len(self.system.sizes):
            self._begin()
        entry = self._entries.get(result.pairing)
        if entry is not None:
            self._count(entry, result)
        elif round_ or not self._is_begin:
            self._early.setdefault(result.pairing, []).append(result)
            self.keep(result)
        else:
            raise ConfigError(
                f"stored game {quote(result.id)} is of round 1, in which its players do not meet: the "
                "competitors or their order have changed: give them as they were, or reset the competition"
            )

    def keep(self, result: GameResult) -> None:
        """Take note of who has met whom, before the result is counted. Raises ConfigError as `add` does."""
        round_ = self._round(result)
        if round_ < len(self._played) or not offers(self.system, Keeps):
            return
        seats = result.opponents[::-1] if game_number(result) % 2 else result.opponents
        met = self._met.setdefault(round_, {})
        before = met.get(result.pairing)
        if before is None or before.started < result.started:
            met[result.pairing] = _Meeting(result.started, result.pairing, Fixture(*seats))

    def next_game(self) -> GameSpec | None:
        """The next game: a block of each match, then the next block of each, and so on."""
        self._go_on()
        while self._queue or (not self.system.waits and len(self._played) < len(self.system.sizes)):
            if not self._queue:
                self._begin()
                continue
            entry = self._queue[0]
            number = entry.match.take()
            if number is None:
                self._queue.popleft()
                continue
            self._room -= 1
            if (number % self.system.terms.games + 1) % self._block == 0:
                self._queue.rotate(-1)
            return self._spec(entry, number)
        return None

    def pairing(self, number: int, match: Match) -> str:
        """The pairing of a match of round `number`, from 0, as the ids of its games name it."""
        fixture = match.fixture
        return pairing_id(self.path, number + 1, first=fixture.first, second=fixture.second)

    def _round(self, result: GameResult) -> int:
        """The number of the round that a game is of, from 0."""
        first, second = result.opponents
        number = result.pairing.rsplit(",", 3)[-3:][0]
        is_number = number.isascii() and number.isdigit()
        if not is_number or result.pairing != pairing_id(self.path, number, first=first, second=second):
            raise ConfigError(f"stored game {quote(result.id)} is not a game of these players' rounds")
        return int(number) - 1

    def _go_on(self) -> None:
        """Begin the next round, if it depends on nothing that is still played."""
        while not self._unfinished and len(self._played) < len(self.system.sizes):
            self._begin()

    def _begin(self) -> None:
        """Begin the next round, and count the results of it that there are."""
        number = len(self._played)
        matches = tuple(Match(fixture, self.system.terms) for fixture in self._draw(number))
        self._played.append(matches)
        for match in matches:
            entry = _Entry(number, match)
            pairing = self.pairing(number, match)
            self._entries[pairing] = entry
            self._unfinished += 1
            self._room += match.room
            self._queue.append(entry)
            for result in self._early.pop(pairing, ()):
                self._count(entry, result)

    def _draw(self, number: int) -> Sequence[Fixture]:
        system, met = self.system, self._met.pop(number, {})
        if met and offers(system, Keeps):
            newest_first = sorted(met.values(), reverse=True)
            return system.draw_around(self._played, [each.fixture for each in newest_first])
        return system.draw(self._played)

    def _count(self, entry: _Entry, result: GameResult) -> None:
        match, number = entry.match, game_number(result)
        was_over, room = match.is_over, match.room
        if number >= self.system.terms.most:
            self._early.setdefault(result.pairing, []).append(result)
            return
        if not match.add(number, result):
            return
        self._cross.add(result)
        self._unfinished -= match.is_over and not was_over
        self._room += match.room - room
        if not room and match.room:
            self._queue.append(entry)

    def _spec(self, entry: _Entry, number: int) -> GameSpec:
        """A game of a match. Its opening is that of the round, or of the extra games of the round."""
        pairing, terms = self.pairing(*entry), self.system.terms
        part, game = divmod(number, terms.games)
        openings = -(-terms.games // self._block)  # of a part
        opening = (
            (part * len(self.system.sizes) + entry.round) * openings + game // self._block
        ) * self._block
        fixture = entry.match.fixture
        players = self._setup.players[fixture.first], self._setup.players[fixture.second]
        return self._maker.game(
            game_id(pairing, number, terms.most),
            pairing,
            players[::-1] if number % 2 else players,
            opening + game % self._block,
            note=fixture.note,
        )


Kind = TypeVar("Kind", bound=System)


class RoundsEvent(Generic[Kind]):
    """The rounds of a setup, as far as they have been played. See `gyoji.core.ports.Competition`."""

    def __init__(self, setup: CompetitionSetup, system: Kind) -> None:
        self.setup = setup
        self.system = system
        self.rounds = Rounds(setup, setup.settings_as(GameSettings), system)
        self.engines = EngineReports()

    def add(self, result: GameResult) -> None:
        """Count a finished game, once. Raises ConfigError for one that this competition cannot have."""
        self.rounds.add(result)
        self.engines.add(result)

    def keep(self, result: GameResult) -> None:
        """Take note of who has met whom, before the result is counted. See `KeepsPairs`."""
        self.rounds.keep(result)

    def next_game(self) -> GameSpec | None:
        """The next game of the rounds that have begun."""
        return self.rounds.next_game()

    def remaining(self) -> int:
        return self.rounds.remaining

    def checks(self) -> Iterator[GameSpec]:
        """A game for each player, and for the one that scores."""
        return trials(self.setup, self.setup.settings_as(GameSettings), *self.system.players)

    def crosses(self) -> dict[str, Cross]:
        """One, of all games."""
        return {"": self.rounds.cross}

    @property
    def ranking(self) -> Sequence[str]:
        """The players from first to last."""
        return self.rounds.ranking
