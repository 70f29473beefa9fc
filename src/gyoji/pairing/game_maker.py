"""The specs of a format's games: the players' seats, the opening, the clock and the seed of each game."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from gyoji.core import wire
from gyoji.core.clocks import TimeControl
from gyoji.core.faults import ConfigError
from gyoji.core.plugins import GAMES
from gyoji.core.setup import CompetitionSetup, GameSettings
from gyoji.core.spec import GameSpec, Player, derive_seed
from gyoji.pairing.seatings import seat_orders
from gyoji.results.comparison import IN_SPECS
from gyoji.results.game_ids import CHECK_ID, game_id, partner_of


def block_of(settings: GameSettings) -> int:
    """Return how many consecutive games of a pair share an opening; 1 without openings."""
    return settings.openings.games if settings.openings else 1


PAIR = 2
"""The number of players in a game of every format that pairs players."""


def sides_of(setup: CompetitionSetup, settings: GameSettings) -> int:
    """Return how many sides games with these settings have. Seats of one team are one side."""
    game = GAMES.find(settings.game)
    return PAIR if game.seats == PAIR else len(set(game.make_rules(settings.options, setup.seed).teams))


class GameMaker(wire.Unchanging):
    """Makes the specs of games with the same settings.

    In some games a team has several seats. Then the player takes the team's first seat. The player's mate or
    `partner` command takes the other seats. A player without these takes all seats.

    Attributes:
        sides: How many players a game has: one for each team.
    """

    def __init__(
        self, setup: CompetitionSetup, settings: GameSettings, *, name: str = "", teams: int | None = PAIR
    ) -> None:
        """Prepare games of one competition.

        Args:
            setup: The competition's setup.
            settings: The settings of the games.
            name: The name of the part of the competition, for records; "" if it has no parts.
            teams: How many players the format seats in a game; None for as many as the game has.

        Raises:
            ConfigError: The game has another number of teams.
        """
        self._setup = setup
        self._settings = settings
        self._game = GAMES.find(settings.game)
        self._event = f"{setup.code} ({name})" if name else setup.code
        self._opening: tuple[int, Mapping[str, Any]] = (-1, settings.options)
        self._blank: GameSpec | None = None  # of the games with the options that were asked for last
        self._teams: Sequence[int] = range(PAIR)  # of the seats
        if self._game.seats != PAIR or teams not in (PAIR, None):
            self._teams = tuple(self._game.make_rules(self._options(0), setup.seed).teams)
        count = len(set(self._teams))
        if teams is not None and count != teams:
            others = ": tables, elimination, sprt" if count > PAIR else ""
            raise ConfigError(
                f"{setup.code}: game: {setup.kind} seats {teams} sides in a game, and {settings.game} has "
                f"{count}: expected a game of {teams}, or a format that seats {count}{others}"
            )
        self.sides = count

    def spec(
        self, pairing: str, number: int, limit: int | None, players: tuple[Player, ...], *, swaps: bool
    ) -> GameSpec:
        """Return a game of a pair.

        Everything else about the game follows from its id and its number. So a game that is played again is
        the same game.

        Args:
            pairing: The id of the pair.
            number: The number of the game, from 0.
            limit: How many games the pair is to have, None for no limit.
            players: One player for each team.
            swaps: Whether players change seats: in each game they move on by one place. Two players have
                swapped seats in every game with an odd number.
        """
        moved = number % len(players) if swaps else 0
        seated = players[moved:] + players[:moved]
        return self._made(game_id(pairing, number, limit), pairing, seated, self._options(number))

    def rotation(
        self, pairing: str, codes: Sequence[str], number: int, limit: int | None, *, unit: int
    ) -> GameSpec:
        """Return a game of a unit: games with the same players, seed and opening, between which the players
        change seats.

        Args:
            pairing: The id of the pairing.
            codes: The names of the players at the table, in their order.
            number: The number of the game within the pairing, from 0.
            limit: How many games the pairing is to have, None for no limit.
            unit: The number of the unit, from 0. It chooses the opening.
        """
        order = seat_orders(len(codes), unit)[number % len(codes)]
        seated = tuple([self._setup.players[codes[place]] for place in order])
        options = self._options(unit * block_of(self._settings))
        made = self._made(game_id(pairing, number, limit), pairing, seated, options)
        return replace(made, seed=derive_seed(self._setup.seed, "unit", pairing, unit))

    def game(
        self, name: str, pairing: str, players: tuple[Player, ...], number: int, *, note: str = ""
    ) -> GameSpec:
        """Return a game with a given id and note.

        Args:
            name: The id of the game.
            pairing: The id of its pairing.
            players: One player for each team.
            number: The number by which its opening is chosen.
            note: One line for the record.
        """
        return replace(self._made(name, pairing, players, self._options(number)), note=note)

    def check(self, pairing: str, player: Player) -> GameSpec:
        """Return a game with which a player is checked before a run. The game has the first opening.

        The player has every seat. For a human player with a mate that is a program, the mate has every seat.
        """
        programs = [replace(each, mate=None) for each in player.members if not each.is_person]
        return self._made(CHECK_ID, pairing, (*programs, player)[:1] * self.sides, self._options(0))

    @property
    def has_trial(self) -> bool:
        """Whether gyoji scores the games itself (scorer "internal"), and the game has a test that shows
        whether an engine knows its rules (`AnyGame.trial`).
        """
        trial = self._game.trial
        settings = self._settings
        return trial is not None and settings.scorer == "internal" and trial(settings.options) is not None

    def _options(self, number: int) -> Mapping[str, Any]:
        """Return the game's options with the opening of game `number`. Consecutive games with the same
        opening share one object.
        """
        settings = self._settings
        if settings.openings is None:
            return settings.options
        round_ = number // settings.openings.games
        if self._opening[0] != round_:
            options = settings.openings.options(self._game.vary, settings.options, number, self._setup.seed)
            self._opening = round_, options
        return self._opening[1]

    def _clock(self, control: TimeControl, options: Mapping[str, Any]) -> TimeControl:
        """Return the clock of a game.

        If the clock is "by opening" and the opening has a main time, that is the clock's main time.

        Args:
            control: The clock in the settings.
            options: The game's options, with its opening.
        """
        if not control.by_opening:
            return control
        main = self._game.opening_time(options) if self._game.opening_time else None
        return replace(control, main=control.main if main is None else main, by_opening=False)

    def _timed(self, player: Player, options: Mapping[str, Any]) -> Player:
        """Return the player with the opening's main time on its own clock, if that clock is "by opening".

        In that case the clock of its mate is treated in the same way.
        """
        if player.clock is None or not player.clock.by_opening:
            return player
        mate = None if player.mate is None else self._timed(player.mate, options)
        return replace(player, clock=self._clock(player.clock, options), mate=mate)

    # All but id, players and seed is the same from game to game, so it is made once for each opening.
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
        """Return the part of a spec that all games with these options have in common."""
        setup, settings = self._setup, self._settings
        same = {name: getattr(settings, name) for name in IN_SPECS}
        same["clock"] = self._clock(settings.clock, options)
        return GameSpec(
            id="",
            pairing="",
            players=(),
            options=options,
            scoring_player=setup.players.get(settings.scoring_player),
            umpire=setup.umpire,
            competition=setup.code,
            event=self._event,
            place=setup.place,
            **same,
        )

    def _seated(self, players: tuple[Player, ...]) -> tuple[Player, ...]:
        """Return the player of each seat.

        The first seat of a team is the player's. The others are its partner's (`partner_of`).

        Args:
            players: One player for each team.
        """
        if len(self._teams) == len(players):
            return tuple([players[team] for team in self._teams])
        firsts = [self._teams.index(team) for team in self._teams]
        return tuple(
            players[team] if firsts[seat] == seat else partner_of(players[team])
            for seat, team in enumerate(self._teams)
        )
