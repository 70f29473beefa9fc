"""The base class of all formats' reports, `EventTables`; the lines of a report for logs; and a default
report.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Generic, Protocol, TypeVar

from gyoji.core.describe import GOMILL, ResultWords, describe_result
from gyoji.core.outcome import Ending
from gyoji.core.plugins import FORMATS, GAMES
from gyoji.core.ports import Competition, FixesGames, adapts, supports
from gyoji.core.record import EngineReport, GameResult
from gyoji.core.setup import CompetitionSetup
from gyoji.core.tables import Block, Drawing, Part, Tables, count
from gyoji.core.text import printable
from gyoji.pairing.game_maker import PAIR
from gyoji.results.cross import Cross, crosses_of
from gyoji.results.engine_reports import EngineReports
from gyoji.results.standings import standings
from gyoji.results.tally import PlayerStats
from gyoji.tables.head_to_head import HeadToHead
from gyoji.tables.rankings import Rankings, is_of_many, rankings_table
from gyoji.tables.standings_tables import brief_table


class Shown(Protocol):
    """A competition with the attributes that every report needs."""

    @property
    def setup(self) -> CompetitionSetup: ...

    @property
    def engines(self) -> Mapping[str, EngineReport]: ...

    def remaining(self) -> int | None: ...


Event = TypeVar("Event", bound=Shown)


class EventTables(Generic[Event]):
    """The report of a competition. Every method has a default except `screen`.

    It implements `core.tables.Tables`. The report of a format is a subclass that overrides `screen` and
    whatever else the format shows differently.
    """

    def __init__(self, event: Event) -> None:
        self.event = event

    def screen(self) -> Iterable[Block]:
        """Return the short report that the live display shows. Subclasses must override it."""
        raise NotImplementedError

    def summary(self) -> Iterator[str]:
        """Yield the lines for logs: the best players of each part of the competition that has games."""
        for heading, cross in crosses_of(self.event).items():
            if cross.players:
                yield standings_line(cross, heading)

    def report(self) -> Iterator[Block]:
        """Yield the text report: title, body, and the engines' descriptions of themselves."""
        yield from title_lines(self.event.setup)
        yield from self.body()
        yield from player_lines(self.event.engines)
        yield ""

    def body(self) -> Iterator[Block]:
        """Yield the middle part of the text report, which has the results. By default it is the screen."""
        yield ""
        yield from self.screen()
        yield ""

    def facts(self) -> dict[str, Any]:
        """Return values for JSON, by key, that no table has. By default there are none."""
        return {}

    def tables(self) -> Sequence[Part]:
        """Return the format's own tables, which replace the standings by points. Default: none."""
        return ()

    def charts(self) -> Sequence[Drawing]:
        """Return the charts of the report's page. By default there are none."""
        return ()

    def history(self, result: GameResult) -> Iterable[str]:
        """Return the lines about a finished game for the history file. By default one line with its players
        and result.
        """
        return (history_line(result, GAMES.find(self.event.setup.game).result_words),)


def history_line(result: GameResult, words: ResultWords = GOMILL) -> str:
    """Return the line of the history file about a result.

    The id is right-aligned in 7 characters, as in the history files of gomill.
    """
    return f"{result.id:>7} {describe_result(result, words)}"


def title_lines(setup: CompetitionSetup) -> list[str]:
    """Return the first lines of a report: format and name of the competition, and its description, if any."""
    lines = [f"{setup.kind}: {setup.code}"]
    return [*lines, setup.description] if setup.description else lines


def player_lines(engines: Mapping[str, EngineReport]) -> list[str]:
    """Return the lines with each engine's description of itself, in the order of the players' names.

    A description may have several lines.
    """
    return [
        printable(line, 1000).rstrip()
        for code, engine in sorted(engines.items())
        # An engine may describe itself in several lines, which gomill prints as they are.
        for line in f"player {code}: {engine.description or engine.name or code}".splitlines()
    ]


def head(setup: CompetitionSetup, competition: Shown) -> dict[str, Any]:
    """Return the values with which the JSON report of a competition begins, whatever its format.

    These are the competition's name, format, game and description, the number of games left to play, and the
    name and description of each player's engine.
    """
    return {
        "competition": {
            "code": setup.code,
            "kind": setup.kind,
            "game": setup.game,
            "description": setup.description,
        },
        "remaining": competition.remaining(),
        "players": {
            code: {"name": engine.name, "description": engine.description}
            for code, engine in sorted(competition.engines.items())
        },
    }


def uncounted_lines(ids: Iterable[str], of: str) -> Iterator[str]:
    """Yield one line with the ids of stored games that no longer count, or nothing if there are none.

    Args:
        ids: The ids of the games.
        of: The reason, as words that follow "not counted, of": for example "players that are not in this
            group".
    """
    if told := " ".join(sorted(ids)):
        yield f"not counted, of {of}: {told}"


def played_line(played: int, total: int | None) -> str:
    """Return a line with the number of games played, such as "3/10 games played" or, without a total, "3
    games played".
    """
    return f"{played}{'' if total is None else f'/{total}'} games played"


# Lines for logs: the state of a competition in a few lines, each of which can be read alone

MOST_NAMED = 8
"""Largest number of players in one line for logs."""


class HasSummary(Protocol):
    """A report that has lines for logs."""

    def summary(self) -> Iterable[str]:
        """Return the lines for logs. Each begins with a word and a colon."""


def summary_lines(tables: Tables) -> Iterable[str]:
    """Return the lines of a report for logs. Empty if the report has none."""
    return tables.summary() if supports(tables, HasSummary) else ()


def standings_line(cross: Cross, heading: str = "") -> str:
    """Return a line with the best players of a cross table by points.

    Args:
        cross: The cross table.
        heading: Name of a part of the competition; "" for the whole.
    """
    best = [each.stats for each in islice(standings(cross), MOST_NAMED)]
    return players_line(best, len(cross.players), heading)


def players_line(best: Iterable[PlayerStats], of: int, heading: str = "") -> str:
    """Return a line with players in the given order, each with its points and number of games.

    Args:
        best: The players to name, best first.
        of: Number of players in all.
        heading: Name of a part of the competition; "" for the whole.
    """
    named = [f"{each.player} {count(each.total.points)}/{each.total.played}" for each in best]
    # A line of a log should stay short: the rest is in the report.
    more = [f"and {of - len(named)} more"] if of > len(named) else []
    return f"standings{f' of {heading}' if heading else ''}: {', '.join((*named, *more))}"


def elo_lines(met: HeadToHead) -> Iterator[str]:
    """Yield a line for every two players that have a game with a known result against each other.

    The line has the difference of their strength in Elo, its 95 % interval, and the likelihood of
    superiority. If too many pairs have met (`HeadToHead.encounters`), there are no lines.
    """
    for encounter in met.encounters():
        scores = encounter.scores
        if scores.elo is None:
            continue
        first, second = encounter.players
        limits = scores.interval
        bounds = f" (95 %: {limits[0]:+z.1f} to {limits[1]:+z.1f})" if limits else ""
        chance = "" if scores.superiority is None else f", LOS {scores.superiority:.1%}"
        yield f"elo: {first} {scores.elo:+z.1f}{bounds} against {second}{chance}"


# The default report
# A format of a plug-in may define no report. Its competition is wrapped in one that counts results, so that
# all commands can show a report on it.
class Counted:
    """A wrapper of a competition whose format defines no report. It counts the results for the default
    report.
    """

    def __init__(self, setup: CompetitionSetup, competition: Competition) -> None:
        self.setup = setup
        self.competition = competition
        self.adapts = adapts(competition)
        self.has_fixed_games: bool = supports(competition, FixesGames) and competition.has_fixed_games
        self.next_game = competition.next_game
        self.remaining = competition.remaining
        self.checks = competition.checks
        self.played = 0
        self.cross = Cross()
        self.rankings = Rankings()
        self.engines = EngineReports()

    def add(self, result: GameResult) -> None:
        """Add a finished or skipped game to the competition. Count it in the report if it is not skipped."""
        # The competition must know skipped games, to stop waiting for them, but no table counts them.
        self.competition.add(result)
        if result.outcome.ending is not Ending.SKIPPED:
            self.played += 1
            self.engines.add(result)
            if is_of_many(result):
                self.rankings.add(result)
            # A player that meets itself says nothing about its strength.
            elif len(set(result.opponents)) == PAIR:
                self.cross.add(result)

    def crosses(self) -> dict[str, Cross]:
        """Return the cross table of all games, with the key "" of the whole competition."""
        return {"": self.cross}


class PlayerTables(EventTables[Counted]):
    """The report of a format that defines none: the number of games, and the standings by points."""

    def screen(self) -> Iterator[Block]:
        yield played_line(self.event.played, None)
        yield ""
        if self.event.rankings.players:
            yield rankings_table(self.event.rankings, GAMES.find(self.event.setup.game))
        else:
            yield brief_table(standings(self.event.cross))

    def facts(self) -> dict[str, Any]:
        return {"played": self.event.played}


def unplayed(setup: CompetitionSetup) -> Competition:
    """Create the competition that a setup describes, before its first game.

    It is wrapped in `Counted` if its format defines no report, so that `tables_of` can show it.
    """
    form = FORMATS.find(setup.kind)
    made = form.competition(setup)
    return made if form.tables else Counted(setup, made)


def tables_of(setup: CompetitionSetup, competition: Any) -> Tables:
    """Return the report of a competition, which must have been made by `unplayed` with the same setup."""
    return (FORMATS.find(setup.kind).tables or PlayerTables)(competition)
