"""Finished games, as Python has them: before and after they were played, and as pictures."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from gyoji.api.showing import Picture, game_html, game_line, picture, pictures
from gyoji.core.record import GameRecord
from gyoji.core.spec import GameSpec

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Game", "Picture", "PlayedGame"]


class Game(NamedTuple):
    """A finished game: before and after it was played. Printed, it says who won and why the game ended.

    A notebook shows its last position and what became of it.
    """

    spec: GameSpec
    record: GameRecord

    def picture(self, turn: int | None = None) -> Picture:
        """The position after so many turns, 0 to all of them; None: the last one.

        Raises ValueError for a turn that there is not, or a game that has no pictures.
        """
        return picture(self.spec, self.record, turn)

    def pictures(self) -> Iterator[Picture]:
        """The positions from the first one on. Raises ValueError for a game that has no pictures."""
        return pictures(self.spec, self.record)

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw what engines thought of the game, from the view of side 0, by matplotlib. Returns the axes.

        Heights are from -1 (side 1 wins) to 1 (side 0 wins): by chances to win, or by scores as parts of the
        largest. ax: axes to draw in; None for new ones. Raises ImportError where matplotlib is not installed.
        """
        from gyoji.api import analysis  # noqa: PLC0415 - matplotlib is an extra

        return analysis.plot_opinions(self.record, ax)

    def __str__(self) -> str:
        return game_line(self.spec, self.record)

    def _repr_html_(self) -> str:
        return game_html(self.spec, self.record)


class PlayedGame(GameRecord, frozen=True, kw_only=True):
    """The record of a game that `play` has played, with its spec.

    game: the same as a `Game`, which has pictures and plots.
    """

    spec: GameSpec

    @property
    def game(self) -> Game:
        """Spec and record, with the pictures and plots of the game."""
        return Game(self.spec, self)

    def __str__(self) -> str:
        return str(self.game)

    def _repr_html_(self) -> str:
        return game_html(self.spec, self)
