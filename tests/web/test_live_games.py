"""A game in progress as the page has it: its clocks."""

import pytest

from gyoji.core import wire
from gyoji.core.clocks import TimeControl
from gyoji.core.spec import GameSpec, Player
from gyoji.games.go.game_options import Options
from gyoji.games.go.rules import rules
from gyoji.play.live_updates import Live
from gyoji.referee.referee import Referee
from gyoji.web.live import LiveGame


def news(*clocks):
    """Return the news of a game whose seats have these time controls, as a watcher gets it before the first
    move.
    """
    controls = map(TimeControl.parse, clocks)
    players = tuple(Player(code=f"p{seat}", command=("p",), clock=each) for seat, each in enumerate(controls))
    spec = GameSpec(id="g", pairing="0", game="go", players=players, options={"board_size": 5, "komi": 0.5})
    referee = Referee(spec, rules(Options(board_size=5, komi=0.5), 0))
    live = Live(id="g", first=0, left=referee.time_left(), clocks=referee.clocks())
    game = LiveGame(spec, "", hidden=False)
    game.take(wire.loads(Live, wire.dumps(live)))
    return game.brief(0)


def test_of_clocks_without_parts_one_number_each_is_told():
    told = news("10m", "5m + 5s/move")
    assert told["left"] == [600_000, 300_000]
    assert "clocks" not in told


@pytest.mark.parametrize(
    ("control", "left", "parts"),
    [
        ("10m + 3x30s", 690_000, (600_000, 30_000, 3, 0, 0)),
        ("10m + 5m/25", 900_000, (600_000, 300_000, 1, 25, 0)),
        ("40/300", 300_000, (0, 300_000, 1, 40, 0)),
        ("30s/move", 30_000, (0, 0, 0, 0, 30_000)),
    ],
)
def test_of_clocks_with_parts_each_part_is_told(control, left, parts):
    told = news(control, "none")
    names = ("main", "period", "periods", "stones", "move")
    assert told["left"] == [left, None]
    assert told["clocks"] == [{"left": left, **dict(zip(names, parts, strict=True))}, None]
