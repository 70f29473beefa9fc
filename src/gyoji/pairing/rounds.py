"""Rounds of matches: the common part of Swiss systems, knockouts, ladders and round robins by stages.

A `System` decides who meets whom in a round, from the rounds before. `Rounds` issues the games of the matches
and counts their results.
"""

# Theory of operation
# -------------------
#
# Results may be added in any order, and a resumed run adds all stored ones before it issues a game. The state
# must not depend on that order:
#
#     add(result) --> round has begun, match exists --> counted in its match and in the cross table
#                \--> round has not begun ------------> _early[pairing], counted when the match begins
#                \--> match does not exist -----------> _early[pairing] for good: `uncounted`
#
# A round begins lazily (`_go_on`): when a caller asks for games, matches or tables and all matches before it
# are over. By then all stored results of the earlier rounds have been added, so `System.draw` sees the same
# rounds as in the run before.
#
# If a ruling changes who should have met whom, the games of matches that no longer exist stay in the store
# but do not count, and the missing matches are played. A Swiss system is the exception: a round in which
# games have been played keeps their pairs (`Keeps`), and only the other players are paired anew. For that,
# `keep` notes who met whom before a round begins.
#
# Games of different matches alternate: `_queue` is a ring of matches, each issues one block (the games of an
# opening) and goes to the end. A match leaves the ring when it needs no game now, and comes back when extra
# games are due.

from collections import deque
from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

from gyoji.core.faults import ConfigError
from gyoji.core.ports import supports
from gyoji.core.record import GameResult
from gyoji.core.setup import CompetitionSetup, GameSettings
from gyoji.core.spec import GameSpec
from gyoji.core.text import quote
from gyoji.pairing.competitors import trials
from gyoji.pairing.game_maker import GameMaker, block_of
from gyoji.results.cross import Cross
from gyoji.results.engine_reports import EngineReports
from gyoji.results.game_ids import game_id, game_number
from gyoji.results.matches import Fixture, Match, Played, Terms


class System(Protocol):
    """A rule that decides who meets whom, such as the Swiss system or the knockout."""

    players: tuple[str, ...]
    """All players that may meet, in the order of their seeds."""
    terms: Terms
    sizes: Sequence[int]
    """The number of matches of each round."""
    waits: bool
    """Whether a round depends on the results of earlier rounds."""

    def draw(self, played: Played) -> Sequence[Fixture]:
        """Return the matches of the next round.

        Args:
            played: The matches of all earlier rounds. If `waits` is True, all of them are over.
        """

    def ranking(self, played: Played) -> Sequence[str]:
        """Return the players from first to last, by the results so far."""


class Keeps(Protocol):
    """A system that pairs a round again without separating players whose match has begun."""

    def draw_around(self, played: Played, kept: Sequence[Fixture]) -> Sequence[Fixture]:
        """Return the matches of the next round.

        Matches in `kept` whose players still compete are among them. If two share a player, the newer one is.

        Args:
            played: The rounds before.
            kept: The matches of the round in which games have been played, the newest first.
        """


class KeepsPairs(Protocol):
    """A competition by rounds whose control file can be read again during a run.

    Players whose match has begun stay paired, even if the changed file would pair them with others.
    """

    def keep(self, result: GameResult) -> None:
        """Make sure that the players of a game in progress stay paired when their round is paired again.

        Called for each game in progress when the control file is read again during a run.

        Args:
            result: The game, which has no result yet.

        Raises:
            ConfigError: The game belongs to no round.
        """


def pairing_id(*path: object, first: str, second: str) -> str:
    """Return the id of a match, which does not depend on the order of the players.

    Args:
        path: Parts before the players, such as the number of the round. Empty ones are left out.

    >>> pairing_id("", 3, first="b", second="a")
    '3,a,b'
    """
    return ",".join((*filter(None, map(str, path)), *sorted((first, second))))


class _Entry(NamedTuple):
    """A match of a round that has begun, and the number of the round, from 0."""

    round: int
    match: Match


class _Meeting(NamedTuple):
    """A match that has begun, although its round has not been paired yet in this competition.

    That happens after a resume or a reload of the control file, when rounds are paired again from results.

    Attributes:
        started: Start of the match's newest game, ISO 8601.
        pairing: The id of the match.
        fixture: The match.
    """

    started: str
    pairing: str
    fixture: Fixture


class Rounds:
    """A competition by the rounds of a system. It implements `gyoji.core.ports.Competition`.

    Attributes:
        system: The rule that says who meets whom.
        path: The part of match ids before the number of the round.
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
        """Begin the first round.

        Args:
            setup: The competition's setup.
            settings: The settings of all games.
            system: The rule that says who meets whom.
            path: The parts of match ids before the number of the round.
            name: The name of the part of the competition, for records.
            is_begin: Whether the first round depends on no results. Then a stored game of that round is
                refused if its players do not meet in the round.
        """
        self.setup = setup
        self.system = system
        self.engines = EngineReports()
        self._played: list[tuple[Match, ...]] = []
        self._cross = Cross(system.players)
        self._settings = settings
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
        """The cross table of all games that count."""
        self._go_on()
        return self._cross

    @property
    def is_over(self) -> bool:
        """Whether every match is over."""
        return len(self.played) == len(self.system.sizes) and not self._unfinished

    @property
    def ranking(self) -> Sequence[str]:
        """The players from first to last, by the results so far."""
        return self.system.ranking(self.played)

    @property
    def uncounted(self) -> list[str]:
        """The sorted ids of stored games that belong to no match."""
        self._go_on()
        return sorted({result.id for results in self._early.values() for result in results})

    def remaining(self) -> int:
        """Return the number of games still to be issued, if no match needs extra games or ends early."""
        return self._room + sum(self.system.sizes[len(self.played) :]) * self.system.terms.games

    def add(self, result: GameResult) -> None:
        """Count a game, once. If its match has not begun, keep the game until then.

        Raises:
            ConfigError: The game belongs to no round. Or round 1 depends on no results, and the game is of
                round 1 but its players do not meet there.
        """
        round_ = self._round(result)
        self.engines.add(result)
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
        """Note that the players of a game have begun a match, so that they stay paired when their round is
        paired.

        Do nothing if the round has been paired, or if the system does not implement `Keeps`.

        Raises:
            ConfigError: The game belongs to no round.
        """
        round_ = self._round(result)
        if round_ < len(self._played) or not supports(self.system, Keeps):
            return
        seats = result.opponents[::-1] if game_number(result) % 2 else result.opponents
        met = self._met.setdefault(round_, {})
        before = met.get(result.pairing)
        if before is None or before.started < result.started:
            met[result.pairing] = _Meeting(result.started, result.pairing, Fixture(*seats))

    def next_game(self) -> GameSpec | None:
        """Issue the next game, or return None if no match needs a game now.

        Matches take turns. In its turn a match issues the games of one opening.
        """
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

    def checks(self) -> Iterator[GameSpec]:
        """Yield one game for the check of each player before a run, scoring players included."""
        return trials(self.setup, (self._settings, self.system.players))

    def crosses(self) -> dict[str, Cross]:
        return {"": self.cross}

    def pairing(self, number: int, match: Match) -> str:
        """Return the id of a match of round `number`, from 0."""
        fixture = match.fixture
        return pairing_id(self.path, number + 1, first=fixture.first, second=fixture.second)

    def _round(self, result: GameResult) -> int:
        """Return the number of a stored game's round, from 0. Raise ConfigError if it belongs to no round."""
        first, second = result.opponents
        number = result.pairing.rsplit(",", 3)[-3:][0]
        is_number = number.isascii() and number.isdigit()
        if not is_number or result.pairing != pairing_id(self.path, number, first=first, second=second):
            raise ConfigError(f"stored game {quote(result.id)} is not a game of these players' rounds")
        return int(number) - 1

    def _go_on(self) -> None:
        """Begin the next round if all matches are over. Repeat that if the new round has no matches to
        play."""
        while not self._unfinished and len(self._played) < len(self.system.sizes):
            self._begin()

    def _begin(self) -> None:
        """Begin the next round, and count the results of its games that were added earlier."""
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
        if met and supports(system, Keeps):
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
        """Return game `number`, from 0, of a match. All matches of a round have the same openings; extra
        games have further openings.
        """
        pairing, terms = self.pairing(*entry), self.system.terms
        part, game = divmod(number, terms.games)
        openings = -(-terms.games // self._block)  # of a part
        opening = (
            (part * len(self.system.sizes) + entry.round) * openings + game // self._block
        ) * self._block
        fixture = entry.match.fixture
        players = self.setup.players[fixture.first], self.setup.players[fixture.second]
        return self._maker.game(
            game_id(pairing, number, terms.most),
            pairing,
            players[::-1] if number % 2 else players,
            opening + game % self._block,
            note=fixture.note,
        )
