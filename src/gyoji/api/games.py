"""Finished games: their settings, their record, and their positions as SVG."""

from collections.abc import Iterator
from typing import NamedTuple

from gyoji.core.describe import describe_result
from gyoji.core.game import Frame, Scene
from gyoji.core.plugins import GAMES
from gyoji.core.record import GameRecord
from gyoji.core.spec import GameSpec
from gyoji.core.text import counted, printable
from gyoji.report.html.boards import board_svg
from gyoji.report.html.games import pictures_of

__all__ = ["Game", "Picture", "PlayedGame"]


class Picture(NamedTuple):
    """A position as SVG, which notebooks show.

    Attributes:
        turn: The number of turns played before this position.
        svg: The text of the SVG.
    """

    turn: int
    svg: str

    def _repr_svg_(self) -> str:
        return self.svg


class Game(NamedTuple):
    """A finished game.

    `str(game)` is a line with its result and the reason of its end. A notebook shows its last position.

    Attributes:
        spec: Players and settings.
        record: Moves, result and times.
    """

    spec: GameSpec
    record: GameRecord

    def picture(self, turn: int | None = None) -> Picture:
        """Return a picture of the position after `turn` turns, or of the last position if `turn` is None.

        Raises:
            ValueError: The game has no such turn, or no pictures.
        """
        scene, frames, _ = self._frames()
        number = len(frames) - 1 if turn is None else turn
        if not 0 <= number < len(frames):
            raise ValueError(f"turn: expected 0 to {len(frames) - 1}, got {turn}")
        signs = {place: sign for frame in frames[: number + 1] for place, sign in frame.changes}
        return Picture(number, board_svg(scene, signs, frames[number].marks))

    def pictures(self) -> Iterator[Picture]:
        """Yield pictures of the position before the first turn and after each turn.

        Raises:
            ValueError: The game has no pictures, or the installed rules refuse a turn.
        """
        scene, frames, missing = self._frames()
        signs: dict[int, str] = {}
        for number, frame in enumerate(frames):
            signs.update(frame.changes)
            yield Picture(number, board_svg(scene, signs, frame.marks))
        if missing:
            raise ValueError(missing)

    def _frames(self) -> tuple[Scene, list[Frame], str]:
        """Return the board, the changes in each turn, and the reason if the changes of some turns are
        missing, else "".

        Raises:
            ValueError: The game has no pictures.
        """
        scene, frames, missing = pictures_of(self.spec, self.record)
        if scene is None:
            raise ValueError(missing)
        return scene, frames, missing

    def __str__(self) -> str:
        result = self.record.result
        text = describe_result(result, GAMES.find(self.spec.game).result_words)
        if not text.endswith(")"):  # it has no reason yet
            detail = f" ({result.outcome.detail})" if result.outcome.detail else ""
            text = f"{text}: {result.outcome.ending}{detail}"
        return printable(f"{text} after {counted(result.turns, 'turn')}", 1000)

    def _repr_svg_(self) -> str | None:
        try:
            return self.picture().svg
        except ValueError:  # no pictures: the notebook shows the text
            return None


class PlayedGame(GameRecord, frozen=True, kw_only=True):
    """The record of a game that `play` has played, with its players and settings."""

    spec: GameSpec

    @property
    def game(self) -> Game:
        """The same game as a `Game`, which can draw its positions."""
        return Game(self.spec, self)

    def __str__(self) -> str:
        return str(self.game)

    def _repr_svg_(self) -> str | None:
        return self.game._repr_svg_()
