"""Koma, a simple UCI chess engine: a weak opponent for beginners and for first tests.

It uses alpha-beta with iterative deepening, a quiescence search of captures, and piece-square tables. It
plays standard chess, Chess960 and double Fischer random, and obeys all parameters of `go` except
`searchmoves` and `mate`. Searches of equal depth with equal seeds return the same move.
"""

import sys
from collections.abc import Callable
from itertools import pairwise
from operator import getitem
from queue import Queue
from random import Random
from threading import Thread
from time import monotonic

from gyoji.engines.session import read_options, seed_of
from gyoji.games.chess.fen import STANDARD_START, read_fen
from gyoji.games.chess.position import MATE, MOVES, Position, legal_moves, played

NAME, AUTHOR = "Koma 1", "the gyoji team"
DEEPEST = 40
MATED = 30_000
"""The score of a checkmate on the board. A mate in N plies scores N less, and always more than
`NEAR_MATE`.
"""

NEAR_MATE = 29_000
AT_LEAST_S = 0.005
CHECKED = 128
"""The search looks at the clock and the input once per this many positions, about every 3 ms."""

MOST_KNOWN = 200_000
"""The maximum number of positions in the transposition table, about 60 MB."""

VALUES = (0, 100, 320, 330, 500, 900, 0)


def _tables() -> tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]:
    """Return the piece-square tables for the middlegame and the endgame.

    In each table, item [square][code] is the value of the piece with this code on this square. It is positive
    if that is good for White.
    """

    def worth(code: int, square: int, is_end: bool) -> int:
        kind, is_black = code & 7, code >> 3
        if kind == 0 or kind > 6:
            return 0
        column, row = square % 8, square // 8 if not is_black else 7 - square // 8
        centre = 6 - abs(2 * column - 7) // 2 - abs(2 * row - 7) // 2  # 0 in a corner, 6 in the middle
        if kind == 1:
            bonus = (8 if is_end else 2) * (row - 1) + (3 * centre if column in (3, 4) else 0)
        elif kind == 6:
            bonus = 8 * centre if is_end else -12 * row + 6 * (abs(2 * column - 7) // 2)
        else:
            bonus = (0, 0, 7, 4, 1, 2)[kind] * (centre - 3) + (20 if kind == 4 and row == 6 else 0)
        value = VALUES[kind] + bonus
        return -value if is_black else value

    middle, end = (
        tuple(tuple(worth(code, square, is_end) for code in range(16)) for square in range(64))
        for is_end in (False, True)
    )
    return middle, end


_MIDDLE, _END = _tables()


class Stopped(Exception):
    """Raised in a search that has no time left or was told to stop."""


class Search:
    """A search of one position.

    Attributes:
        is_over: The function that returns whether the search must end. It is called now and then.
        most: Largest number of positions to search.
        nodes: Number of positions searched so far.
    """

    def __init__(self, is_over: Callable[[], bool], nodes: int, random: Random) -> None:
        self.is_over = is_over
        self.most = nodes
        self.random = random
        self.nodes = 0
        self.known: dict[tuple[bytes, int, int], tuple[int, int, int, str]] = {}  # depth, bound, score, move

    def best(self, position: Position, depth: int, first: str) -> tuple[int, str]:
        """Search to one depth and return the score of the best move, and the move.

        Args:
            position: The position, in which the game is not over.
            depth: The depth in half-moves.
            first: The move to try first; "" for none.

        Returns:
            The score in centipawns for the side to move, or the code of a mate (see `score_text`); and the
            move.

        Raises:
            Stopped: The search has no time left, or was told to stop.
        """
        best, found, alpha = -MATED, "", -MATED
        moves = legal_moves(position)
        self.random.shuffle(moves)
        for move in self._ordered(position, moves, first):
            after = played(position, move)
            assert after is not None
            score = -self._value(after, depth - 1, -MATED, -alpha, 1)
            if score > best:
                best, found, alpha = score, move, max(alpha, score)
        return best, found

    def _value(self, position: Position, depth: int, alpha: int, beta: int, ply: int) -> int:
        """Return the score of a position for the side to move, exact if it is between alpha and beta.

        Args:
            depth: The remaining depth, in half-moves.
            ply: The number of half-moves since the first position of the search.
        """
        self._count()
        if position.end:
            return ply - MATED if position.end == MATE else 0
        if position.check:
            depth += 1
        if depth <= 0:
            return self._quiet(position, alpha, beta, ply)
        key = (position.board, position.rights, position.en_passant)
        known_depth, bound, known, first = self.known.get(key, (-1, 0, 0, ""))
        # repetitions depend on the way to a position, so a value close to a draw is found anew
        if (
            known_depth >= depth
            and known
            and (bound == 0 or (known >= beta if bound > 0 else known <= alpha))
        ):
            return known
        best, found, floor = -MATED, "", alpha
        for move in self._ordered(position, legal_moves(position), first):
            after = played(position, move)
            assert after is not None
            score = -self._value(after, depth - 1, -beta, -alpha, ply + 1)
            if score > best:
                best, found, alpha = score, move, max(alpha, score)
                if alpha >= beta:
                    break
        if len(self.known) < MOST_KNOWN and abs(best) < NEAR_MATE:
            self.known[key] = depth, (best >= beta) - (best <= floor), best, found
        return best

    def _quiet(self, position: Position, alpha: int, beta: int, ply: int) -> int:
        """Return the score of a quiescence search, which follows captures and promotions to a queen only."""
        best = standing(position)
        if best >= beta or ply > DEEPEST:
            return best
        alpha = max(alpha, best)
        board = position.board
        taking = [move for move in legal_moves(position) if board[MOVES[move][1]] or move[4:] == "q"]
        for move in self._ordered(position, taking, ""):
            after = played(position, move)
            assert after is not None
            self._count()
            if after.end:
                score = MATED - ply - 1 if after.end == MATE else 0
            else:
                score = -self._quiet(after, -beta, -alpha, ply + 1)
            if score > best:
                best, alpha = score, max(alpha, score)
                if alpha >= beta:
                    break
        return best

    @staticmethod
    def _ordered(position: Position, moves: list[str], first: str) -> list[str]:
        """Sort moves for the search: `first`, then captures of the most valuable pieces, then the others."""
        board = position.board

        def rank(move: str) -> int:
            start, goal, _, _, _, promoted = MOVES[move]
            taken = board[goal] & 7
            return (
                (move == first) * 99_999
                + (16 * VALUES[taken] - (board[start] & 7) if taken else 0)
                + promoted
            )

        return sorted(moves, key=rank, reverse=True)

    def _count(self) -> None:
        self.nodes += 1
        if self.nodes >= self.most or (not self.nodes % CHECKED and self.is_over()):
            raise Stopped


def standing(position: Position) -> int:
    """Return the static evaluation of a position in centipawns, for the side to move."""
    board = position.board
    is_end = (position.own | position.other).bit_count() < 12
    value = sum(map(getitem, _END if is_end else _MIDDLE, board))
    return 10 - value if board[64] else value + 10


class Koma:
    """The engine: it obeys the lines of UCI in the queue `lines`."""

    def __init__(self, seed: str, depth: int = DEEPEST, *, is_random: bool = False) -> None:
        self.lines: Queue[str] = Queue()
        self.waiting: list[str] = []  # lines that came during a search
        self.seed, self.depth, self.is_random = seed, depth, is_random
        self.is_960 = False
        self.position = read_fen(STANDARD_START)

    def run(self) -> int:
        """Obey lines until `quit` or the end of the input. Return the program's exit status."""
        Thread(target=self._read, daemon=True).start()
        try:
            while (line := self._next()) != "quit":
                self.obey(line.split())
        except (BrokenPipeError, KeyboardInterrupt):
            return 1
        return 0

    def _read(self) -> None:
        for line in sys.stdin:
            self.lines.put(line.strip())
        self.lines.put("quit")

    def _next(self) -> str:
        return self.waiting.pop(0) if self.waiting else self.lines.get()

    def obey(self, words: list[str]) -> None:
        """Carry out a command. An unknown one is ignored, as UCI requires."""
        match words:
            case ["uci"]:
                say(f"id name {NAME}", f"id author {AUTHOR}")
                say(
                    "option name UCI_Chess960 type check default false",
                    "option name Ponder type check default false",
                )
                say("uciok")
            case ["isready"]:
                say("readyok")
            case ["setoption", "name", name, "value", value] if name.lower() == "uci_chess960":
                self.is_960 = value.lower() == "true"
            case ["position", *rest]:
                self.set_up(rest)
            case ["go", *rest]:
                self.go(rest)

    def set_up(self, words: list[str]) -> None:
        """Set up the position of `position startpos|fen ... [moves ...]`. If it is invalid, nothing
        changes.
        """
        at = words.index("moves") if "moves" in words else len(words)
        fen = STANDARD_START if words[:1] == ["startpos"] else " ".join(words[1:at])
        try:
            position: Position | None = read_fen(fen, is_960=self.is_960)
        except ValueError as error:
            say(f"info string {error}")
            return
        for move in words[at + 1 :]:
            position = position and played(position, move)
        if position is None:
            say("info string illegal move in position")
        else:
            self.position = position

    def go(self, words: list[str]) -> None:
        """Search within the limits of `go`, and print the best move."""
        limits = {name: int(value) for name, value in pairwise(words) if value.lstrip("-").isdigit()}
        waits = "infinite" in words or "ponder" in words
        moves = legal_moves(self.position)
        random = Random(f"{self.seed} {self.position.board.hex()}")
        if not moves or self.is_random:
            best = random.choice(moves) if moves else "0000"
        else:
            best = self._think(limits, random, waits=waits)
        while waits and (line := self._next()) not in ("stop", "ponderhit"):
            if line == "quit":
                self.waiting.insert(0, line)
                break
            self.obey([line] if line == "isready" else [])
        say(f"bestmove {best}")

    def _think(self, limits: dict[str, int], random: Random, *, waits: bool) -> str:
        began = monotonic()
        seconds = float("inf") if waits else seconds_of(limits, "b" if self.position.turn else "w")
        search = Search(
            lambda: monotonic() - began > seconds or self._is_stopped(),
            limits.get("nodes", sys.maxsize),
            random,
        )
        found = random.choice(legal_moves(self.position))
        try:
            for depth in range(1, min(self.depth, limits.get("depth", DEEPEST)) + 1):
                score, found = search.best(self.position, depth, found)
                ms = round((monotonic() - began) * 1000)
                say(
                    f"info depth {depth} score {score_text(score)} nodes {search.nodes} "
                    f"nps {search.nodes * 1000 // max(1, ms)} time {ms} pv {found}"
                )
                if abs(score) > NEAR_MATE or monotonic() - began > seconds / 3:
                    break
        except Stopped:
            pass
        return found

    def _is_stopped(self) -> bool:
        """Read the input during a search, and answer `isready`.

        Return whether the next command ends the search: `stop`, `ponderhit` or `quit`.
        """
        while not self.lines.empty():
            line = self.lines.get()
            if line == "isready":
                say("readyok")
            else:
                self.waiting.append(line)
        return self.waiting[:1] in (["stop"], ["ponderhit"], ["quit"])


def seconds_of(limits: dict[str, int], side: str) -> float:
    """Return the thinking time for a move in seconds; infinite if `go` has neither `movetime` nor a clock.

    Args:
        limits: The parameters of `go` with a number.
        side: The side to move, "w" or "b".
    """
    if "movetime" in limits:
        return max(AT_LEAST_S, limits["movetime"] / 1000 * 0.9 - 0.02)
    if f"{side}time" not in limits:
        return float("inf")
    left = max(0, limits[f"{side}time"]) / 1000 - 0.05
    share = left / min(30, limits.get("movestogo", 30)) + 0.7 * limits.get(f"{side}inc", 0) / 1000
    return max(AT_LEAST_S, min(share, left / 2))


def score_text(score: int) -> str:
    """Return a score in UCI's form: centipawns, or moves until mate."""
    if abs(score) < NEAR_MATE:
        return f"cp {score}"
    plies = MATED - abs(score)
    return f"mate {(plies + 1) // 2 if score > 0 else -(plies // 2)}"


def say(*lines: str) -> None:
    """Print lines and flush the output."""
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


def main() -> int:
    options = read_options("koma", "--seed N", "--depth N", "--random")
    if options is None:
        return 2
    depth = options.get("--depth", str(DEEPEST))
    if not depth.isdecimal() or not int(depth):
        sys.stderr.write(f"koma: --depth {depth!r}: expected how many plies it looks ahead\n")
        return 2
    return Koma(seed_of(options), int(depth), is_random="--random" in options).run()


if __name__ == "__main__":
    raise SystemExit(main())
