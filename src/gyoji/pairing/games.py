"""The games that a format makes: their ids and names, who sits where, what they start from.

A game that is played once more, because it was played by other settings, has another id: "0_3", then "0_3@2".
A competition issues a game once, and knows it by its plain id. All that is kept of games (results, records)
has an id of its own for each time.
"""

from collections.abc import Collection, Container, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from gyoji.core import wire
from gyoji.core.clocks import TimeControl
from gyoji.core.faults import ConfigError
from gyoji.core.plugins import GAMES
from gyoji.core.record import GameResult
from gyoji.core.setup import CompetitionSetup, GameSettings
from gyoji.core.spec import GameSpec, Player, derive_seed
from gyoji.core.text import quote

CANDIDATES = "candidates"
"""The common name of a tuner's candidates. Their codes have a # that no player's has."""

CHECKED = ("#best", "#start")
"""The codes of the two candidates of a check match, which have names of their own."""


def known_names(players: tuple[str, ...], known: Collection[str]) -> tuple[str, ...]:
    """The names of the players of a game. A clone, `a#2`, is called what it is.

    known: the players of the control file.

    >>> known_names(("#17", "steady", "a#2"), {"steady", "a"})
    ('candidates', 'steady', 'a#2')
    """
    for code in players:
        if "#" in code:
            return tuple([_name(each, players, known) if "#" in each else each for each in players])
    return players


def player_of(code: str) -> str:
    """The player that a code stands for: its own, or that of its clone; "" for a candidate."""
    return code.partition("#")[0]


def _name(code: str, players: tuple[str, ...], known: Collection[str]) -> str:
    original = player_of(code)
    return code if original in known or original in players or code in CHECKED else CANDIDATES


_MARK = "@"


def plain_id(game_id: str) -> str:
    """The id by which a competition knows a game.

    >>> plain_id("0_3@2"), plain_id("0_3")
    ('0_3', '0_3')
    """
    return game_id.partition(_MARK)[0]


def plain(result: GameResult) -> GameResult:
    """A result as its competition knows it."""
    return replace(result, id=plain_id(result.id)) if _MARK in result.id else result


def with_free_id(spec: GameSpec, taken: Container[str]) -> GameSpec:
    """A game that a competition issues, under an id that is not taken."""
    if spec.id not in taken:
        return spec
    number = 2
    while f"{spec.id}{_MARK}{number}" in taken:
        number += 1
    return replace(spec, id=f"{spec.id}{_MARK}{number}")


CHECK_ID = "startup-check"


def game_id(pairing: str, number: int, limit: int | None) -> str:
    """The id of a game of a pair that is to have `limit` games, padded so that ids sort.

    >>> game_id("AvB", 3, 24), game_id("AvB", 3, None)
    ('AvB_03', 'AvB_3')
    """
    width = len(str(limit - 1)) if limit else 1
    return f"{pairing}_{number:0{width}}"


def game_number(result: GameResult) -> int:
    """The number of a game of its pair. Raises ConfigError for an id that `game_id` does not make."""
    pairing, _, digits = result.id.rpartition("_")
    if not digits.isdecimal():
        digits = plain_id(digits)
    if pairing != result.pairing or not (digits.isascii() and digits.isdecimal()):
        raise ConfigError(
            f"stored game {quote(result.id)} does not belong to matchup {quote(result.pairing)}"
        )
    return int(digits)


def pair_of(game_id: str, pairing: str) -> str:
    """The name of a pair of games from one opening: a game with an even number and the next; "" for none.

    >>> pair_of("AvB_2", "AvB"), pair_of("AvB_3@2", "AvB"), pair_of("AvB_4", "AvB")
    ('AvB 1', 'AvB 1', 'AvB 2')
    """
    number = plain_id(game_id).rpartition("_")[2]
    return f"{pairing} {int(number) // 2}" if number.isdecimal() else ""


def block_of(settings: GameSettings) -> int:
    """How many games of a pair belong together: those of an opening."""
    return settings.openings.games if settings.openings else 1


PAIR = 2
"""The teams of a game of all formats that pair players."""


class GameMaker(wire.Unchanging):
    """Makes the specs of games with the same settings, of a pair of players or of as many as it is told.

    Each player has the seats of a team, as the rules say, and its `partner` command or its mate takes all but
    the first of them.
    """

    def __init__(
        self, setup: CompetitionSetup, settings: GameSettings, *, name: str = "", teams: int = PAIR
    ) -> None:
        """name: what the games are part of, for records; "" for the competition alone. teams: how many
        players the format seats in a game. Raises ConfigError for a game of more or fewer teams.
        """
        self._setup = setup
        self._settings = settings
        self._game = GAMES.find(settings.game)
        self._event = f"{setup.code} ({name})" if name else setup.code
        self._opening: tuple[int, Mapping[str, Any]] = (-1, settings.options)
        self._blank: GameSpec | None = None  # of the games with the options that were asked for last
        self._teams: Sequence[int] = range(PAIR)  # of the seats
        if (self._game.seats, teams) != (PAIR, PAIR):
            self._teams = tuple(self._game.make_rules(self._options(0), setup.seed).teams)
        if (count := len(set(self._teams))) != teams:
            raise ConfigError(
                f"{setup.code}: game: {setup.kind} seats {teams} sides in a game, and {settings.game} has "
                f"{count}: expected a game of {teams}, or a format that seats {count}"
            )
        self._count = teams

    def spec(
        self, pairing: str, number: int, limit: int | None, players: tuple[Player, ...], *, swaps: bool
    ) -> GameSpec:
        """The game of these players, one for each team, with that number, from 0, of `limit`.

        swaps: `players` change places from game to game, each to the one before it and the first to the last:
        a pair in every game with an odd number. All depends on the number alone, so a replayed game is the
        same.
        """
        moved = number % len(players) if swaps else 0
        seated = players[moved:] + players[:moved]
        return self._made(game_id(pairing, number, limit), pairing, seated, self._options(number))

    def game(
        self, name: str, pairing: str, players: tuple[Player, ...], number: int, *, note: str = ""
    ) -> GameSpec:
        """A game with an id and a note of the caller's; number: which of the games with openings it is."""
        return replace(self._made(name, pairing, players, self._options(number)), note=note)

    def check(self, pairing: str, player: Player) -> GameSpec:
        """A game to try `player` with, with the first opening: it has every seat; of a team with a person the
        program has."""
        programs = [replace(each, mate=None) for each in player.members if not each.is_person]
        return self._made(CHECK_ID, pairing, (*programs, player)[:1] * self._count, self._options(0))

    @property
    def has_trial(self) -> bool:
        """Whether the rules count, and there is a trial of whether an engine plays by all of them."""
        trial = self._game.trial
        settings = self._settings
        return trial is not None and settings.scorer == "internal" and trial(settings.options) is not None

    def _options(self, number: int) -> Mapping[str, Any]:
        """The game's options with its opening; all games of a round share them."""
        settings = self._settings
        if settings.openings is None:
            return settings.options
        round_ = number // settings.openings.games
        if self._opening[0] != round_:
            options = settings.openings.options(self._game.vary, settings.options, number, self._setup.seed)
            self._opening = round_, options
        return self._opening[1]

    def _clock(self, control: TimeControl, options: Mapping[str, Any]) -> TimeControl:
        """The clock of a game with these options: the opening's own time on it, where that is to count."""
        if not control.by_opening:
            return control
        own = self._game.opening_time
        main = None if own is None else own(options)
        return replace(control, main=control.main if main is None else main, by_opening=False)

    def _timed(self, player: Player, options: Mapping[str, Any]) -> Player:
        """The player, whose own clock may go by the opening as well."""
        if player.clock is None or not player.clock.by_opening:
            return player
        mate = None if player.mate is None else self._timed(player.mate, options)
        return replace(player, clock=self._clock(player.clock, options), mate=mate)

    def _made(
        self, name: str, pairing: str, players: tuple[Player, ...], options: Mapping[str, Any]
    ) -> GameSpec:
        blank = self._blank
        if blank is None or blank.options is not options:
            blank = self._blank = self._blank_of(options)
        return replace(
            blank,
            id=name,
            pairing=pairing,
            players=self._seated(tuple([self._timed(player, options) for player in players])),
            seed=derive_seed(self._setup.seed, name),
        )

    def _blank_of(self, options: Mapping[str, Any]) -> GameSpec:
        """All that games with these options have in common."""
        setup, settings = self._setup, self._settings
        return GameSpec(
            id="",
            pairing="",
            game=settings.game,
            players=(),
            options=options,
            clock=self._clock(settings.clock, options),
            move_limit=settings.move_limit,
            scorer=settings.scorer,
            scoring_player=setup.players.get(settings.scoring_player),
            asking=settings.asking,
            disputed_score=settings.disputed_score,
            refused_moves=settings.refused_moves,
            without_cleanup=settings.without_cleanup,
            adjudication=settings.adjudication,
            take_backs=settings.take_backs,
            draw_offers=settings.draw_offers,
            advice=settings.advice,
            lag=settings.lag,
            scale_clocks=settings.scale_clocks,
            competition=setup.code,
            event=self._event,
            place=setup.place,
        )

    def _seated(self, players: tuple[Player, ...]) -> tuple[Player, ...]:
        """The players of all seats: of a team the first seat is the player's, the others its partner's."""
        if len(self._teams) == len(players):
            return tuple([players[team] for team in self._teams])
        firsts = [self._teams.index(team) for team in self._teams]
        return tuple(
            players[team] if firsts[seat] == seat else partner_of(players[team])
            for seat, team in enumerate(self._teams)
        )


def partner_of(player: Player) -> Player:
    """The player in the other seats of its team."""
    if player.mate is not None:
        return player.mate
    return replace(player, command=player.partner, partner=()) if player.partner else player
