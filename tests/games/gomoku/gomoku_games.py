"""Games of gomoku for the tests of records: specs and finished records from the texts of moves."""

import re

from gyoji.core.clocks import TimeControl
from gyoji.core.outcome import Ending, Outcome
from gyoji.core.record import EngineReport, GameRecord, GameResult, Played, VoidGame
from gyoji.core.spec import GameSpec, Player

STARTED = "2026-11-21T01:09:59+01:00"
FIVE = Outcome(points=(1.0, 0.0), ending=Ending("five"), detail="five, a1 to e1")
LATE = Outcome(points=(1.0, 0.0), ending=Ending.TIME, detail="b took 6s of 5s", seat=1)

# Black makes five in the first row, White has four in the third.
BLACK_WINS = "a1 a3 b1 b3 c1 c3 d1 d3 e1"


def game_spec(*, clock=TimeControl(), players=("a", "b"), **options):  # noqa: B008 - a frozen value
    return GameSpec(
        id="a_v_b_7",
        pairing="a_v_b",
        game="gomoku",
        players=tuple(Player(code=code, command=("x",)) for code in players),
        options={
            "board_size": 15,
            "rule": "freestyle",
            "opening": "",
            "swap2": False,
            "max_moves": 0,
            "draw_margin": 0,
            "dead_draw": False,
            **options,
        },
        clock=clock,
        competition="cup",
        event="cup",
    )


def turns_of(moves, first=0):
    """moves: texts in turn from seat `first` on, the nth taking n + 1 ms; or Played as they are."""
    words = moves.split() if isinstance(moves, str) else moves
    return tuple(
        (move if isinstance(move, Played) else Played((index + first) % 2, move, (index + 1) * 1_000_000),)
        for index, move in enumerate(words)
    )


FORBIDDEN = Outcome(
    points=(0.0, 1.0), ending=Ending.ILLEGAL_MOVE, detail="forbidden: double three at h8", seat=0
)
# Black's h8 makes two threes at once.
DOUBLE_THREE = "g8 a1 i8 a3 h7 a5 h9 a7"
REFUSED = Played(0, "h8", 5_000_000)


def game_record(moves, *, outcome=FIVE, first=0, sides=(), remarks=(), refused=None):
    turns = turns_of(moves, first)
    result = GameResult(
        id="a_v_b_7",
        pairing="a_v_b",
        players=("a", "b"),
        outcome=outcome,
        turns=len(turns),
        engines=(EngineReport(name="Alpha 1"), EngineReport(name="Beta 2")),
        started=STARTED,
        wall_ns=10**9,
        sides=sides,
    )
    return GameRecord(result=result, turns=turns, final_remarks=remarks, refused=refused)


def void_game(moves, *, first=0):
    return VoidGame(
        id="a_v_b_7",
        pairing="a_v_b",
        players=("a", "b"),
        reason="no room on the disk",
        started=STARTED,
        turns=turns_of(moves, first),
    )


def swap2_game(*choices):
    """Return a game whose sides are chosen so: seat 0 opens with three stones, then these (seat, move), then
    on.
    """
    phases = {0: "swap2: three stones", 1: "swap2: choice", 2: "swap2: last choice"}
    opening = [(0, "h8i9g7"), *choices]
    return [
        Played(seat, move, 10_000_000 * (nth + 1), "", phases[nth])
        for nth, (seat, move) in enumerate(opening)
    ]


def points(text):
    """(column, row) from 0 of names of single letters."""
    return tuple((ord(letter) - 97, int(row) - 1) for letter, row in re.findall(r"([a-z])(\d+)", text))


def refusal(read, *arguments):
    """Return what a reader says of a file that it refuses; "" if it does not."""
    try:
        read(*arguments)
    except ValueError as error:
        return str(error)
    return ""
