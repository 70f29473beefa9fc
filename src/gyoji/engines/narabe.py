"""Narabe, a simple gomoku player for the Gomocup protocol: fast and reproducible.

It finds wins by fives and by consecutive fours, and stops those of the opponent. In other positions it
searches a few moves ahead. It supports every rule of Gomocup, any board, and swap2.

A move takes about a tenth of a second. It takes less if the limit per move is short, and a few milliseconds
if the limit is 0.

The same seed plays the same moves, as long as time does not run out. Without a seed, the games of a
competition differ by GYOJI_GAME_TOKEN.
"""

import sys
from collections.abc import Callable
from random import Random
from time import monotonic

from gyoji.core.boards import bits
from gyoji.engines.gomocup import DEAD, OWN, SWAP, Brain, Game, GomocupError, Result
from gyoji.engines.narabe_lines import BLACK, WHITE, Lines, Position, is_forbidden
from gyoji.engines.narabe_search import Search
from gyoji.engines.session import read_options, seed_of
from gyoji.games.gomoku.board import board_of
from gyoji.games.gomoku.rulesets import CONTINUOUS, standards, winning_rows

VERSION = "1"

RULES = (0, 1, 2, 3, 4, 8, 9, 10, 11)
"""The supported numbers of INFO rule. Renju (4) cannot be combined with the other bits."""

NODES = 4000
"""The maximum number of positions searched per move."""

AT_ONCE = 150
"""The maximum number of positions searched if the limit per move is 0."""

PER_SECOND = 8000
"""The maximum number of positions searched per second of the limit per move. Slow machines reach this speed
too.
"""

SHARE = 20
"""A move may take the remaining time of the match divided by this."""

EVEN = -5.0
"""Value for White of an opening under swap2 that Narabe takes for even. In 120 games against itself (60
openings of three stones), White won 40 to 43 % of those whose opening had a value of -7 to -4, and 65 % of
those at -4 to 2.
"""

NO_MOVE = "there is no point where a stone may be put"


def seen(game: Game) -> tuple[Lines, Position]:
    """Convert a game of the Gomocup protocol to Narabe's lines and position.

    In a continuous game the stones of completed rows are dead, but the manager does not always say so. This
    function replays the game to find these stones.
    """
    rule, board = game.rule, board_of(game.width, game.height)
    stones = [0, 0]  # the opponent's, and our own
    dead = 0
    for x, y, field in game.stones:
        point = board.point(x, y)
        if field == DEAD:
            dead |= 1 << point
            continue
        mine = field == OWN
        stones[mine] |= 1 << point
        if rule & CONTINUOUS:
            for row in winning_rows(board, stones[mine], stones[not mine], point, standards(rule)[BLACK]):
                won = sum(1 << each for each in row)
                stones[mine] &= ~won
                dead |= won
    lines = Lines(game.width, game.height, rule, dead=dead)
    return lines, Position(stones[1], stones[0], BLACK if game.is_black else WHITE)


class Narabe:
    """The function that chooses Narabe's moves.

    Args:
        seed: Seed of the random choice between moves of nearly equal value.
        nodes: The maximum number of positions searched per move.
        clock: The function that returns the time in seconds.
    """

    def __init__(self, seed: str, nodes: int = NODES, clock: Callable[[], float] = monotonic) -> None:
        self.seed = seed
        self.nodes = nodes
        self.clock = clock

    def __call__(self, game: Game) -> Result:
        if not game.stones:
            return Result((game.width // 2, game.height // 2), "the centre")
        lines, position = seen(game)
        choice = self._search(game, lines, position).choose(position)
        if not choice:
            raise GomocupError(NO_MOVE)
        return Result(lines.board.coordinates(choice.move), choice.why)

    def _random(self, position: Position) -> Random:
        """Return a random generator whose seed is made of the engine's seed and the position only.

        So its numbers do not depend on earlier moves.
        """
        return Random(f"{self.seed} {position.own:x} {position.other:x}")

    def limits(self, game: Game) -> tuple[int, float]:
        """Return the maximum number of positions and of seconds for a move."""
        nodes, seconds = self.nodes, float("inf")
        turn, left = game.number("timeout_turn"), game.number("time_left")
        if turn is not None:
            nodes = min(nodes, max(AT_ONCE, turn * PER_SECOND // 1000))
            seconds = turn / 2000 if turn > 0 else seconds
        if left is not None:
            seconds = min(seconds, max(0, left) / 1000 / SHARE)
        return nodes, seconds

    def _search(self, game: Game, lines: Lines, position: Position) -> Search:
        nodes, seconds = self.limits(game)
        late = self.clock() + seconds
        return Search(lines, nodes=nodes, random=self._random(position), is_late=lambda: self.clock() > late)

    def choose(self, game: Game) -> Result:
        """Play the swap2 opening: place three stones near the centre, or choose the side that looks
        better.
        """
        lines, position = seen(game)
        if not game.stones:
            x, y = game.width // 2, game.height // 2
            near = [(x + across, y + down) for across in range(-2, 3) for down in range(-2, 3)]
            return Result(self._random(position).sample(near, 3), "White: three stones near the centre")
        choice = self._search(game, lines, position).choose(position)
        if not choice:
            raise GomocupError(NO_MOVE)
        answer = lines.board.coordinates(choice.move) if choice.value > EVEN else SWAP
        return Result(answer, f"White: {choice.why}")


class Drunk:
    """A player that chooses a random legal move."""

    def __init__(self, seed: str) -> None:
        self.random = Random(seed)

    def __call__(self, game: Game) -> Result:
        lines, position = seen(game)
        empty = list(bits(lines.empty(position)))
        self.random.shuffle(empty)
        for point in empty:
            if not is_forbidden(lines, position, point):
                return Result(lines.board.coordinates(point))
        raise GomocupError(NO_MOVE)


def main() -> int:
    options = read_options("narabe", "--seed N", "--nodes N", "--random")
    if options is None:
        return 2
    seed, nodes = seed_of(options), options.get("--nodes", str(NODES))
    if not nodes.isdecimal():
        sys.stderr.write(f"narabe: --nodes {nodes!r}: expected how many positions a move may cost\n")
        return 2
    if "--random" in options:
        return Brain(Drunk(seed), name="Drunk", version=VERSION, rules=RULES).run()
    narabe = Narabe(seed, int(nodes))
    return Brain(narabe, name="Narabe", version=VERSION, choose=narabe.choose, rules=RULES).run()


if __name__ == "__main__":
    raise SystemExit(main())
