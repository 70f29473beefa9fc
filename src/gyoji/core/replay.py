"""Judging a recorded game again: the request, the report, and the walk through its positions.

The function `replay` of a record format (`gyoji.core.game.RecordFormat`) gets a file and a `Wanted`, and
returns one `Replay` for each game in the file.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from msgspec import Struct

from gyoji.core.faults import ConfigError
from gyoji.core.messages import MoveT, Turn
from gyoji.core.ports import Position, Rules, SettlesDead, TakesDeclining, Umpired, supports
from gyoji.core.record import GameRecord, GameResult

_WORDS = {"is_scored": "score", "goes_on": "all"}


class Wanted(Struct, frozen=True, kw_only=True):
    """The request to judge a recorded game again. Fields that are set override the record.

    Attributes:
        rules: Name of the game's ruleset.
        size: Columns and rows of the board.
        komi: Points for White.
        is_scored: Whether to count the final position of an unfinished game.
        goes_on: Whether to skip illegal moves instead of stopping at the first.
    """

    rules: str | None = None
    size: tuple[int, int] | None = None
    komi: float | None = None
    is_scored: bool = False
    goes_on: bool = False

    def check_fits(self, game: str, takes: Collection[str]) -> None:
        """Raise ConfigError if a field is set that the game does not support.

        Args:
            takes: Names of the fields that the game supports.

        >>> Wanted(komi=6.5).check_fits("gomoku", ("rules", "size"))
        Traceback (most recent call last):
        gyoji.core.faults.ConfigError: komi: gomoku has none; it is replayed by rules, size
        """
        defaults = type(self)()
        for field in self.__struct_fields__:
            if getattr(self, field) != getattr(defaults, field) and field not in takes:
                words = ", ".join(_WORDS.get(name, name) for name in takes)
                raise ConfigError(f"{_WORDS.get(field, field)}: {game} has none; it is replayed by {words}")


class Replay(Struct, frozen=True, kw_only=True):
    """The report on one recorded game, in printable lines.

    Attributes:
        facts: (label, text) about the game and its players.
        notes: Assumptions, and values of the file that were replaced.
        refusals: Illegal moves in order; only the first unless `goes_on` was set.
        forfeit: The last move, if it is illegal and the record says that it lost the game. It is not in
            `refusals`.
        diagram: The final position; "" for none.
        verdict: The recorded result and the result by the rules; "" if they were not compared.
        differs: Whether these results differ.
    """

    facts: tuple[tuple[str, str], ...]
    notes: tuple[str, ...] = ()
    refusals: tuple[str, ...] = ()
    forfeit: str = ""
    diagram: str = ""
    verdict: str = ""
    differs: bool = False


def replaying(rules: Rules[Position, MoveT], lines: Sequence[str]) -> Rules[Position, MoveT]:
    """Return the rules to use for replaying a recorded game.

    Args:
        lines: The conversation with the umpire (`GameRecord.umpire`); () for a game without one.
    """
    made: Any = rules
    if not supports(made, Umpired):
        return rules
    return made.replayed(lines)  # type: ignore[return-value]  # which are rules, too


def awaiting(
    rules: Rules[Position, MoveT], result: GameResult, position: Position, seats: Collection[int], phase: str
) -> Position:
    """Return the position in which a recorded turn was made, given the position after the previous turn.

    The two differ if play resumed after passes, seats left the game, or a seat declined a phase in between.

    Args:
        result: The recorded result.
        position: The position after the previous turn.
        seats: The seats that move in the turn.
        phase: The recorded phase of the turn.
    """
    acting = rules.acting(position)
    if not acting and result.settled:
        return rules.resume(position) if supports(rules, SettlesDead) else position
    position = left_out(rules, result, position, seats)
    if not phase and rules.phase(position) and supports(rules, TakesDeclining):
        after = rules.declined(position, acting[0])
        position = position if after is None else after
    return position


def left_out(
    rules: Rules[Position, MoveT], result: GameResult, position: Position, seats: Collection[int] = ()
) -> Position:
    """Remove the seats that left the game (`GameResult.left_out`) until none of them is to move.

    Return the position. If the game cannot go on without such a seat, the seat stays.

    Args:
        seats: Seats that stay in the game although they leave it later.
    """
    out = [seat for seat in result.left_out if seat not in seats]
    while (missing := next((seat for seat in out if seat in rules.acting(position)), None)) is not None:
        after = rules.drop(position, missing)
        if after is None:
            break
        position = after
    return position


def positions(rules: Rules[Position, MoveT], record: GameRecord) -> Iterator[tuple[Turn[MoveT], Position]]:
    """Yield each turn of a gyoji record with the position after it.

    Raises:
        IllegalMove: The rules refuse a recorded move.
        ValueError: A recorded text is not a move of the game.
    """
    rules = replaying(rules, record.umpire)
    position = rules.start()
    for played in record.turns:
        turn = tuple((each.seat, rules.parse(each.move)) for each in played)
        seats, phase = [seat for seat, _ in turn], played[0].phase if played else ""
        position = rules.play(awaiting(rules, record.result, position, seats, phase), turn)
        yield turn, position


def play_over(rules: Rules[Position, MoveT], record: GameRecord) -> tuple[tuple[Turn[MoveT], ...], Position]:
    """Replay a gyoji record and return (its turns, the position after the last one).

    Raises:
        IllegalMove: The rules refuse a recorded move.
        ValueError: A recorded text is not a move of the game.
    """
    turns: list[Turn[MoveT]] = []
    position = replaying(rules, record.umpire).start()
    for turn, position in positions(rules, record):  # noqa: B007 (the last one is wanted)
        turns.append(turn)
    return tuple(turns), position


def counted(rules: Rules[Position, MoveT], result: GameResult, position: Position) -> Position:
    """Return the position that was counted: the last played position with the dead stones removed."""
    is_open = bool(rules.acting(position))
    if not supports(rules, SettlesDead):
        return position
    if result.dead or (is_open and (result.settled or rules.stopped(position))):
        closed: Position = rules.close(position, rules.dead_groups(position, result.dead))
        return closed
    return position
