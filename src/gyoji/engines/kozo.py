"""Kozo, a simple Go player. It reads captures, escapes and ladders, and otherwise enlarges its area.

::

    python -m gyoji.engines.kozo [--seed N] [--random] [--resign]

The value of a move is the gain of points that are nearer to own living stones than to the opponent's, plus
the stones that it saves or captures by reading, minus the stones that it endangers. Kozo passes when no move
is worth a point and no dead stones are left on the board that would count for the opponent if all stones were
alive. A move takes a few milliseconds; the clock is ignored. `--random` plays any legal move that does not
fill an eye of its own. Without a seed, the games of a competition differ by GYOJI_GAME_TOKEN.
"""

from random import Random

from gyoji.core.boards import bits
from gyoji.engines.gtp import Arguments, GtpError, command
from gyoji.engines.gtp_states import RESIGN, Game, GoEngine, Result
from gyoji.engines.reading import Group, reader_of
from gyoji.engines.session import read_options, seed_of
from gyoji.games.go.board import PASS

VERSION = "1"
WORTH_PLAYING = 0.6
"""Minimum value of a move that is played, in points, random part included. Filling a neutral point is worth
one.
"""

LUCK = 0.4
"""The maximum of the random part of a move's value, in points."""

SMALL = 14
"""A region with fewer points has no room for a new living group."""

BEHIND = 0.4
"""Kozo resigns when it is behind by this share of the board's points."""


class Kozo:
    """The function that chooses Kozo's moves.

    Attributes:
        resigns: Whether it gives up games that are clearly lost.
    """

    def __init__(self, seed: str, *, resigns: bool = False) -> None:
        self.random = Random(seed)
        self.resigns = resigns

    def __call__(self, game: Game) -> int | Result:
        look = _Look(game)
        values = look.values()
        for move in values:
            values[move] += self.random.random() * LUCK
        while values:
            best = max(values, key=values.__getitem__)
            if values[best] < WORTH_PLAYING:
                break
            if not look.repeats(best):
                return Result(best, comment=f"{values[best]:.1f} points. {look.why.get(best, '')}".strip())
            del values[best]
        if self.resigns and look.lead() < -BEHIND * game.rules.board.points and len(game.moves) > 20:
            return RESIGN
        return look.clean_up()


class _Look:
    """One position as the side to move sees it. Sets of points are ints, as in `gyoji.games.go.board`.

    Attributes:
        own: Stones of the side to move.
        other: Stones of the other side.
        lost: Own stones that cannot be saved.
        dead: Stones of the other side that cannot be saved.
        bonus: Points gained by each move that captures or saves stones, found by reading.
        why: Reason, in words, for each move in `bonus`.
        balance: Number of points nearer to own stones minus those nearer to the other side's.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        position = game.position
        self.seat = position.to_play
        self.reader = reader = reader_of(game.rules.board)
        black, white = position.black, position.white
        self.own, self.other = (white, black) if self.seat else (black, white)
        self.empty = reader.full ^ black ^ white
        self.ours = reader.groups(self.own, self.empty)
        self.theirs = reader.groups(self.other, self.empty)
        self.why: dict[int, str] = {}
        self.bonus: dict[int, float] = {}
        self.lost = 0  # our stones that are lost whoever moves
        self.dead = 0  # theirs
        self.ko = position.ko
        mine, yours = reader.influence(self.own, self.other)
        self.balance = mine.bit_count() - yours.bit_count()
        for group in self.ours:
            if group.liberties.bit_count() <= 2:
                reader, seed, size = self.reader, group.stones & -group.stones, group.stones.bit_count()
                if group.liberties.bit_count() == 1:
                    moves = [
                        move for move in reader.escapes(seed, self.own, self.other) if not self.ko >> move & 1
                    ]
                    if not moves:
                        self.lost |= group.stones
                    for move in moves:
                        self._add(move, self._swing(group.stones, 0), f"saves {size}")
                elif reader.captures(seed, self.own, self.other):
                    moves = [move for move in self._helpers(group) if self._is_safe_after(seed, move)]
                    if not moves:
                        self.lost |= group.stones
                    for move in moves:
                        self._add(move, 0.9 * self._swing(group.stones, 0), f"saves {size} from a ladder")
        for group in self.theirs:
            if group.liberties.bit_count() <= 2:
                reader, seed, size = self.reader, group.stones & -group.stones, group.stones.bit_count()
                if group.liberties.bit_count() == 1:
                    move = group.liberties.bit_length() - 1
                    if reader.escapes(seed, self.other, self.own):
                        if not self.ko >> move & 1:
                            self._add(move, self._swing(0, group.stones), f"takes {size}")
                    else:
                        self.dead |= group.stones
                else:
                    for move in reader.captures(seed, self.other, self.own):
                        self._add(move, 0.9 * self._swing(0, group.stones), f"catches {size} in a ladder")

    def _add(self, move: int, points: float, why: str) -> None:
        if points > self.bonus.get(move, 0.0):
            self.why[move] = why
        self.bonus[move] = self.bonus.get(move, 0.0) + points

    def _swing(self, ours: int, theirs: int) -> int:
        """Return by how many points the balance changes if the stones `ours` and `theirs` are captured."""
        mine, yours = self.reader.influence(self.own & ~ours, self.other & ~theirs)
        return abs(mine.bit_count() - yours.bit_count() - self.balance)

    def _helpers(self, group: Group) -> list[int]:
        """Return moves that may add liberties to a group.

        These are the group's own liberties, and moves that capture adjacent groups in atari.
        """
        moves = dict.fromkeys(bits(group.liberties))
        for each in self.reader.in_atari_beside(group.stones, self.other, self.empty):
            moves[each.liberties.bit_length() - 1] = None
        return [move for move in moves if not self.ko >> move & 1]

    def _is_safe_after(self, seed: int, move: int) -> bool:
        reader = self.reader
        own, other = reader.place(self.own, self.other, move)
        if own == self.own:
            return False
        count = reader.group(seed, own, reader.full ^ own ^ other).liberties.bit_count()
        return count > 2 or (count == 2 and not reader.captures(seed, own, other))

    def values(self) -> dict[int, float]:
        """Return the value in points of each move worth considering."""
        reader = self.reader
        own, other = self.own & ~self.lost, self.other & ~self.dead
        mine, yours = reader.influence(own, other)
        before = mine.bit_count() - yours.bit_count()
        room = self._hopeless()
        found = {}
        for move in bits(self.empty & ~self.ko):
            if reader.is_eye(move, self.own, self.other):
                continue
            after, left = reader.place(self.own, self.other, move)
            if after == self.own:
                continue
            bonus = self.bonus.get(move, 0.0)
            if room >> move & 1 and not bonus:
                continue
            risk = self._risk(move, after, left)
            if risk is None:
                continue
            mine, yours = reader.influence(after & ~self.lost, left & ~self.dead)
            gain = mine.bit_count() - yours.bit_count() - before
            found[move] = gain + bonus - risk + (self._shape(move) if gain > 0 else 0.0)
        return found

    def _risk(self, move: int, own: int, other: int) -> float | None:
        """Return how many points a move loses by endangering the group of the played stone.

        Return None if the move must not be played.

        Args:
            own: The stones of the side to move after the move.
            other: The stones of the other side after the move.
        """
        reader, captured = self.reader, self.other != other
        group = reader.group(1 << move, own, reader.full ^ own ^ other)
        count, size = group.liberties.bit_count(), group.stones.bit_count()
        if count == 1:
            return 1.0 if captured and size == 1 else None
        if count == 2 and reader.captures(1 << move, own, other):
            return 2.0 * size
        return 0.0

    def _hopeless(self) -> int:
        """Return the empty points in regions of the opponent that are too small for a living group."""
        reader, rest, found = self.reader, self.empty, 0
        living = self.own & ~self.lost
        while rest:
            region = reader.board.flood(rest & -rest, reader.full & ~(self.other & ~self.dead))
            rest &= ~region
            if region.bit_count() < SMALL and not region & living:
                found |= region & self.empty
        return found

    def _shape(self, move: int) -> float:
        """Return a bonus or penalty, in points, for the place of a move on the board.

        It depends on the distance from the edge. In the opening on a board larger than 9x9, a move in an open
        corner gets a bonus.
        """
        width, height = self.reader.board.width, self.reader.board.height
        x, y = self.reader.board.column_row(move)
        line = 1 + min(x, y, width - 1 - x, height - 1 - y)
        small = min(width, height)
        if self.empty.bit_count() * 3 < 2 * self.reader.board.points:
            return -0.5 if line == 1 else 0.0
        value = (0.0, -6.0, -2.0, 1.0, 1.0)[line] if line < 5 else 0.0
        if small > 9 and self._is_open_corner(x, y):
            value += 12.0
        return value

    def _is_open_corner(self, x: int, y: int) -> bool:
        """Return whether column x, row y is at or near the star point of a corner without stones.

        A corner is a third of the board wide and high.
        """
        board = self.reader.board
        width, height = board.width // 3 + 1, board.height // 3 + 1
        left = 0 if x < width else board.width - width
        bottom = 0 if y < height else board.height - height
        x, y = min(x, board.width - 1 - x), min(y, board.height - 1 - y)
        if not (2 <= x <= 3 and 2 <= y <= 3 and x + y >= 5):
            return False
        row = ((1 << width) - 1) << board.bit(left, bottom)
        corner = sum(row << step * board.stride for step in range(height))
        return not corner & (self.own | self.other)

    def repeats(self, move: int) -> bool:
        """Return whether a move repeats an earlier position of the game, which superko rules forbid."""
        own, other = self.reader.place(self.own, self.other, move)
        after = (other, own) if self.seat else (own, other)
        return any((past.black, past.white) == after for past in self.game.positions)

    def lead(self) -> float:
        """Return the lead of the side to move in points, if every stone on the board is alive."""
        outcome = self.game.rules.outcome(self.game.position._replace(passes=2))
        margin = outcome.margin or 0.0
        return margin if outcome.winner == self.seat else -margin

    def clean_up(self) -> int:
        """Return a move that captures dead stones, or PASS.

        Dead stones that stay on the board count for the opponent if all stones are counted as alive. A side
        that is behind also attacks other stones in small regions.
        """
        moves = self.game.moves
        if moves and moves[-1].move == PASS and self.lead() > 0:
            return PASS
        reader, behind = self.reader, self.lead() <= 0
        for group in sorted(self.theirs, key=lambda each: each.liberties.bit_count()):
            region = reader.board.flood(group.stones, reader.full & ~(self.own & ~self.lost))
            if not group.stones & self.dead and not (
                behind and region.bit_count() < SMALL + group.stones.bit_count()
            ):
                continue
            for move in bits(group.liberties & ~self.ko):
                own, other = reader.place(self.own, self.other, move)
                if own != self.own and self._risk(move, own, other) is not None and not self.repeats(move):
                    self.why[move] = "takes dead stones off"
                    return move
        return PASS


class Drunk:
    """A player that chooses a random legal move. It does not fill its own eyes."""

    def __init__(self, seed: str) -> None:
        self.random = Random(seed)

    def __call__(self, game: Game) -> int:
        black, white = game.position.black, game.position.white
        own, other = (white, black) if game.position.to_play else (black, white)
        reader = reader_of(game.rules.board)
        moves = [move for move in game.legal() if move != PASS and not reader.is_eye(move, own, other)]
        return self.random.choice(moves) if moves else PASS


AREA_RULES = ("chinese", "aga", "new_zealand")
"""The rules that `kgs-rules` can set: those with area scoring. Kozo fills neutral points and captures dead
stones, which costs points under territory scoring.
"""


class AreaEngine(GoEngine):
    """A Go engine for area scoring only. It answers `kgs-rules` with a failure for other rules."""

    @command("kgs-rules")
    def _kgs_rules(self, args: Arguments) -> None:
        if args.text(0, "rules") not in AREA_RULES:
            raise GtpError(f"plays by area rules alone: {', '.join(AREA_RULES)}")


def main() -> int:
    options = read_options("kozo", "--seed N", "--random", "--resign")
    if options is None:
        return 2
    seed = seed_of(options)
    choose, name = (
        (Drunk(seed), "Drunk")
        if "--random" in options
        else (Kozo(seed, resigns="--resign" in options), "Kozo")
    )
    return AreaEngine(choose, name=name, version=VERSION, description=f"Seed {seed}").run()


if __name__ == "__main__":
    raise SystemExit(main())
