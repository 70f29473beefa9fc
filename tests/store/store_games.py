"""Games to store."""

from gyoji.core.outcome import Ending, Outcome
from gyoji.core.record import EngineReport, GameRecord, GameResult, Played, VoidGame
from gyoji.core.spec import GameSpec, Player

PLAYERS = tuple(Player(code=code, command=("/bin/engine", code), options={"x": 1}) for code in "ab")


def make_spec(number, **changes):
    fields = {"game": "go", "pairing": "0", "players": PLAYERS, "options": {"size": 9}, "seed": number}
    return GameSpec(id=f"0_{number}", **(fields | changes))


def make_record(number, *, turns=4):
    result = GameResult(
        id=f"0_{number}",
        pairing="0",
        players=("a", "b"),
        outcome=Outcome(points=(1.0, 0.0), ending=Ending.SCORE, margin=number + 0.5),
        turns=turns,
        engines=(EngineReport(name="A"), EngineReport(name="B", cpu_ns=5)),
        started="2026-11-21T01:02:03+00:00",
        wall_ns=123,
    )
    moves = tuple((Played(turn % 2, "D4", 100 + turn, "ein Zug, ö"),) for turn in range(turns))
    return GameRecord(result=result, turns=moves, final_remarks=((1, "bye"),) if number % 2 else ())


def make_void(number):
    return VoidGame(id=f"0_{number}", pairing="0", players=("a", "b"), reason="no program", started="now")
