"""A game in progress: its positions, moves and clocks as the values that the page's viewer reads."""

# The values are those of stored games (`gyoji.report.html.games`) up to the newest turn, and:
#
#     live      True
#     left      ms on each seat's clock when it was asked, null without a clock
#     clocks    each seat's clock as the fields of `ShownClock`, if some clock has periods, which `left` lacks
#     acting    the seats that are to move
#     phase     the phase of their moves, "" in ordinary play
#     waited    ms since they were asked, when this was made
#     at        the server's monotonic clock in ms when this was made, by which a page knows the age of a
#               message that it gets late
#     first     in news: the number of the first turn sent; it replaces all turns from there on
#     thoughts  False if the thoughts of engines are sent only to those with a secret; else missing
#     hidden    whether spectators see the moves only after the game: until then only their number is sent
#
# Positions are made turn by turn: `pictures.frames` is an iterator over the growing list of turns, and gives
# one frame more for each turn, so that each move costs one step of the rules. It cannot go back: when a turn
# changes that was drawn already (moves were taken back, or the run reports the game again), all frames are
# made again from the start (`_begin`).

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import repeat
from typing import Any, cast

from msgspec.structs import replace

from gyoji.core import wire
from gyoji.core.faults import IllegalMove
from gyoji.core.game import Frame, Scene
from gyoji.core.outcome import Ending, Outcome
from gyoji.core.plugins import GAMES
from gyoji.core.record import GameRecord, GameResult, Opinion, Played, stored_teams
from gyoji.core.replay import replaying
from gyoji.core.spec import GameSpec
from gyoji.core.text import printable
from gyoji.play.live_updates import Live
from gyoji.report.html.games import about_game, curves, frame_values, game_title, opinion_texts, turn_values


class LiveGame:
    """A game in progress, with the moves that the run has reported so far.

    Attributes:
        spec: Players and settings of the game.
        started: When the game began, as the run reports it.
        hidden: Whether spectators see the moves only when the game is over. Then only `count` is known.
        count: Number of turns so far.
    """

    def __init__(self, spec: GameSpec, started: str, *, hidden: bool) -> None:
        self.spec = spec
        self.started = started
        self.hidden = hidden
        self.count = 0
        self._turns: list[tuple[Played, ...]] = []
        self._umpire: list[str] = []  # the conversation with the umpire; it grows like the turns
        self._scene_now: Callable[[], Scene | None] = _no_scene
        self._scene: Scene | None = None
        self._opinions: list[Opinion] = []
        self._frames: list[Frame] = []
        self._words: list[list[list[Any]]] = []  # of each turn
        self._clock: dict[str, Any] = {"left": [], "acting": [], "phase": ""}
        self._asked = time.monotonic()  # when the seats to move were asked
        self._missing = ""
        self._result = _unfinished(spec, started)
        self._about: dict[str, Any] = {}
        self._coming: Iterator[Frame] = _BLANK
        self._begin()

    def _begin(self) -> None:
        """Set up the game from its settings anew, with nothing drawn yet."""
        spec, game, scene = self.spec, GAMES.find(self.spec.game), None
        self._frames, self._words, self._coming = [], [], _BLANK
        self._scene_now = _no_scene
        try:
            rules = game.make_rules(wire.frozen(spec.options), spec.seed)
        except (TypeError, ValueError) as error:
            self._missing = f"This game cannot be set up here: {printable(str(error))}"
        else:
            self._result = replace(self._result, teams=stored_teams(rules.teams))
            rules = replaying(rules, self._umpire)
            if game.pictures is not None:
                pictures = game.pictures()
                self._scene_now = partial(pictures.scene, rules)
                scene = self._scene = pictures.scene(rules)
                if self.hidden:
                    scene = Scene(kind=scene.kind, columns=(), rows=())
                else:
                    # The list grows while the game is played; nobody asks for a turn that is not there yet.
                    turns = cast(tuple[tuple[Played, ...], ...], self._turns)
                    umpire = cast(tuple[str, ...], self._umpire)
                    record = GameRecord(result=self._result, turns=turns, umpire=umpire)
                    self._coming = pictures.frames(rules, record)
        self._about = about_game(spec, self._result, scene)

    def take(self, live: Live) -> int:
        """Add turns and clocks that a run reports. Return the number, from 0, of the first new or changed
        turn.
        """
        self._clock = {
            "left": [None if ns is None else ns // 1_000_000 for ns in live.left],
            "acting": list(live.acting),
            "phase": live.phase,
        }
        self._asked = time.monotonic() - live.waited / 1e9
        if live.clocks:
            self._clock["clocks"] = [clock and clock._asdict() for clock in live.clocks]
        self.count = live.first + len(live.turns)
        if self.hidden:
            return live.first
        before = self._result
        self._result = replace(before, left_out=live.left_out, sides=live.sides)
        first = min(live.first, len(self._turns))
        known = self._turns[first:]
        del self._turns[first:]
        self._turns += live.turns
        self._opinions = [each for each in self._opinions if each.turn < first] + list(live.opinions)
        del self._umpire[live.heard :]
        self._umpire += live.umpire
        is_other = list(map(_moves, known)) != list(map(_moves, self._turns[first:][: len(known)]))
        has_other_board = bool(live.umpire) and self._scene_now() != self._scene
        if self._result != before or is_other or has_other_board:
            self._begin()
            first = 0
        else:
            del self._words[first:]
        return first if self._draw() else 0

    def _clocks(self) -> dict[str, Any]:
        """Return the clocks as of now, JSON-ready.

        `waited` is the time since the seats to move were asked; 0 if no seat is to move.
        """
        now = time.monotonic()
        waited = round(1000 * (now - self._asked)) if self._clock["acting"] else 0
        return {**self._clock, "waited": waited, "at": round(1000 * now)}

    @property
    def title(self) -> str:
        """The players, and the round or stage."""
        return game_title(self.spec)

    def record(self) -> GameRecord:
        """Return a game record with the moves so far, without an outcome."""
        return GameRecord(
            result=self._result,
            turns=tuple(self._turns),
            opinions=tuple(self._opinions),
            umpire=tuple(self._umpire),
        )

    def brief(self, first: int) -> dict[str, Any]:
        """Return the positions from turn number `first` on and the clocks, JSON-ready, for small boards
        without texts.
        """
        news: dict[str, Any] = {"id": self.spec.id, "count": self.count, **self._clocks()}
        if self.hidden:
            return news
        frames = [frame_values(frame) for frame in self._frames[first + 1 if first else 0 :]]
        return {**news, "first": first, "frames": frames}

    def news(self, first: int) -> dict[str, Any]:
        """Return positions, moves and opinions from turn number `first` on, JSON-ready."""
        news = self.brief(first)
        if self.hidden:
            return news
        return {
            **news,
            **({} if first else self._about),
            "turns": self._words[first:],
            "curves": curves(self._result, self._opinions, len(self._turns)),
            "missing": self._missing,
        }

    def _draw(self) -> bool:
        """Make the positions and texts of the turns that have none yet.

        Return False if all positions had to be made again from the start of the game, because the rules
        refused a turn.
        """
        try:
            self._draw_rest()
        except (IllegalMove, ValueError, StopIteration):
            self._begin()  # how a game begins its first turns may have told
            try:
                self._draw_rest()
            except (IllegalMove, ValueError, StopIteration) as error:
                self._missing = f"The rules refuse the next turn: {printable(str(error))}"
            return False
        return True

    def _draw_rest(self) -> None:
        while len(self._frames) <= len(self._turns):
            self._frames.append(next(self._coming))
        first = len(self._words)
        said = opinion_texts(self._opinions, len(self._turns), first)
        rest = zip(self._turns[first:], self._frames[first + 1 :], said, strict=True)
        self._words += [turn_values(turn, frame, texts) for turn, frame, texts in rest]

    def values(self) -> dict[str, Any]:
        """Return the whole game so far, JSON-ready: the keys that `game_values` has for a finished game,
        and the clocks, `live`, `hidden` and `count`.
        """
        if not self.hidden:
            self._draw()
        return {
            **self._about,
            "result": "",
            "remarks": [],
            "taken_back": [],
            "frames": [frame_values(frame) for frame in self._frames] or [[]],
            "turns": self._words,
            "curves": [] if self.hidden else curves(self._result, self._opinions, len(self._turns)),
            "missing": self._missing,
            **self._clocks(),
            "live": True,
            "hidden": self.hidden,
            "count": self.count,
        }


def without_thoughts(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values or news of a game in progress without engines' messages and evaluations.

    Of each move these stay: seat, text, time, phase and note (see `turns` of `game_values`).
    """
    turns = [[[*move[:3], "", *move[4:6]] for move in turn] for turn in values.get("turns", ())]
    kept = {"turns": turns, "curves": [], "thoughts": False}
    return {**values, **{key: value for key, value in kept.items() if key in values or key == "thoughts"}}


def _no_scene() -> None:
    """Return None, the scene of a game without pictures."""


_BLANK: Iterator[Frame] = repeat(Frame(changes=()))
"""Empty frames for a game without pictures, so that a reader can step through its moves."""


def _moves(turn: Sequence[Played]) -> list[tuple[int, str, str]]:
    return [(each.seat, each.move, each.phase) for each in turn]


def _unfinished(spec: GameSpec, started: str) -> GameResult:
    """Return the result of a game without an outcome.

    Its field `settled` is "play": in Go, turns after two passes then mean that play has gone on.
    """
    return GameResult(
        id=spec.id,
        pairing=spec.pairing,
        players=spec.codes,
        outcome=Outcome(points=None, ending=Ending.NO_RESULT),
        turns=0,
        engines=(),
        started=started,
        settled="play",
        wall_ns=0,
    )
