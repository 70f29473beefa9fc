"""The parts that all reports have: a title, what the players say they are, the head of the values.

What the others show their formats say; of a competition whose format says nothing the players are shown.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Generic, Protocol, TypeVar

from gyoji.core.describe import GOMILL, ResultWords, describe_result
from gyoji.core.outcome import Ending
from gyoji.core.plugins import FORMATS, GAMES
from gyoji.core.ports import Competition, FixesGames, adapts, offers
from gyoji.core.record import EngineReport, GameResult
from gyoji.core.setup import CompetitionSetup
from gyoji.core.spec import GameSpec
from gyoji.core.tables import Block, Drawing, Endings, Part, Tables
from gyoji.core.text import printable
from gyoji.pairing.cross import Cross, crosses_of
from gyoji.pairing.field import EngineReports
from gyoji.pairing.games import PAIR
from gyoji.pairing.standings import standings
from gyoji.tables.brief import standings_line
from gyoji.tables.places import Places, is_of_many, places_table, places_values
from gyoji.tables.standings import brief_table, standing_values


class Shown(Protocol):
    """A competition of which something can be shown."""

    @property
    def setup(self) -> CompetitionSetup: ...

    @property
    def engines(self) -> Mapping[str, EngineReport]: ...

    def remaining(self) -> int | None: ...


Event = TypeVar("Event", bound=Shown)


class EventTables(Generic[Event]):
    """See `gyoji.core.tables.Tables`. A format overrides `screen`, and what else is not the usual."""

    def __init__(self, event: Event) -> None:
        self.event = event

    def screen(self) -> Iterable[Block]:
        """The short report."""
        raise NotImplementedError

    def brief(self) -> Iterator[str]:
        """Who is ahead, where players meet each other."""
        for heading, cross in crosses_of(self.event).items():
            if cross.players:
                yield standings_line(cross, heading)

    def report(self) -> Iterator[Block]:
        """Title, description, body, and what the players say they are."""
        yield from title_lines(self.event.setup)
        yield from self.body()
        yield from player_lines(self.event.engines)
        yield ""

    def body(self) -> Iterator[Block]:
        """The report between its title and its players."""
        yield ""
        yield from self.screen()
        yield ""

    def values(self, endings: Endings) -> dict[str, Any]:
        """The head, and the format's own values."""
        event = self.event
        return head_values(event.setup, event.remaining(), event.engines) | self.own_values(endings)

    def own_values(self, endings: Endings) -> dict[str, Any]:
        """The values of this format alone, JSON-ready."""
        return {}

    def tables(self) -> Sequence[Part]:
        """None: the points of all games say who is ahead."""
        return ()

    def charts(self) -> Sequence[Drawing]:
        """None."""
        return ()

    def history(self, result: GameResult) -> Iterable[str]:
        """Who beat whom."""
        return (history_line(result, GAMES.find(self.event.setup.game).result_words),)


def history_line(result: GameResult, words: ResultWords = GOMILL) -> str:
    """A result's line in the history file: its id right-aligned in 7, and what happened."""
    return f"{result.id:>7} {describe_result(result, words)}"


def title_lines(setup: CompetitionSetup) -> list[str]:
    """The first lines of a report: format, code, and the description if there is one."""
    lines = [f"{setup.kind}: {setup.code}"]
    return [*lines, setup.description] if setup.description else lines


def player_lines(engines: Mapping[str, EngineReport]) -> list[str]:
    """The words of each player's engine about itself, by code; its line breaks are kept."""
    return [
        printable(line, 1000).rstrip()
        for code, engine in sorted(engines.items())
        for line in f"player {code}: {engine.description or engine.name or code}".splitlines()
    ]


def head_values(
    setup: CompetitionSetup, remaining: int | None, engines: Mapping[str, EngineReport]
) -> dict[str, Any]:
    """The values of every competition: which it is, how much is left, what its players are."""
    return {
        "competition": {
            "code": setup.code,
            "kind": setup.kind,
            "game": setup.game,
            "description": setup.description,
        },
        "remaining": remaining,
        "players": {
            code: {"name": engine.name, "description": engine.description}
            for code, engine in sorted(engines.items())
        },
    }


def uncounted_lines(ids: Iterable[str], of: str) -> Iterator[str]:
    """The line about stored games that the competition does not have any more, if there are some."""
    if told := " ".join(sorted(ids)):
        yield f"not counted, of {of}: {told}"


def played_line(played: int, total: int | None) -> str:
    """How many games have results, of how many."""
    return f"{played}{'' if total is None else f'/{total}'} games played"


# Competitions whose format says nothing of tables


class Counted:
    """Such a competition, and what players have done in it: who beat whom, or came in in which place."""

    def __init__(self, setup: CompetitionSetup, competition: Competition) -> None:
        self.setup = setup
        self.competition = competition
        self.adapts = adapts(competition)
        self.has_fixed_games: bool = offers(competition, FixesGames) and competition.has_fixed_games
        self.played = 0
        self.cross = Cross()
        self.places = Places()
        self.engines = EngineReports()

    def add(self, result: GameResult) -> None:
        """Count a finished game."""
        self.competition.add(result)
        if result.outcome.ending is not Ending.SET_ASIDE:
            self.played += 1
            self.engines.add(result)
            if is_of_many(result):
                self.places.add(result)
            elif len(set(result.opponents)) == PAIR:
                self.cross.add(result)

    def next_game(self) -> GameSpec | None:
        return self.competition.next_game()

    def remaining(self) -> int | None:
        return self.competition.remaining()

    def checks(self) -> Iterable[GameSpec]:
        return self.competition.checks()

    def crosses(self) -> dict[str, Cross]:
        """One, of all games."""
        return {"": self.cross}


MOST_ON_SCREEN = 50
"""How many of the standings are shown on the screen: who reads on will want the report."""


class PlayerTables(EventTables[Counted]):
    """How many games are played, and the standings by points."""

    def screen(self) -> Iterator[Block]:
        return self._standings(MOST_ON_SCREEN)

    def body(self) -> Iterator[Block]:
        yield ""
        yield from self._standings(None)
        yield ""

    def own_values(self, endings: Endings) -> dict[str, Any]:
        places = standing_values(standings(self.event.cross), self.event.setup.game)
        of_many = {"places": places_values(self.event.places)} if self.event.places.players else {}
        return {"played": self.event.played, "standings": places, **of_many}

    def _standings(self, most: int | None) -> Iterator[Block]:
        yield played_line(self.event.played, None)
        yield ""
        if self.event.places.players:
            yield places_table(self.event.places, GAMES.find(self.event.setup.game))
        else:
            yield brief_table(islice(standings(self.event.cross), most))


def unplayed(setup: CompetitionSetup) -> Competition:
    """The competition of a setup before its first game, which `tables_of` can show."""
    form = FORMATS.find(setup.kind)
    made = form.competition(setup)
    return made if form.tables else Counted(setup, made)


def tables_of(setup: CompetitionSetup, competition: Any) -> Tables:
    """The tables of a competition of that setup."""
    return (FORMATS.find(setup.kind).tables or PlayerTables)(competition)
