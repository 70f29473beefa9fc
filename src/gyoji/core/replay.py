"""A recorded game judged again: what is asked for, and what came of it.

A record format that can be read offers `replay(data, wanted) -> list[Replay]`, one for each game of the file.
It raises ValueError for a file that cannot be read, and ConfigError for what is asked for and does not fit.
"""

from collections.abc import Collection, Iterator

from msgspec import Struct

from gyoji.core.faults import ConfigError
from gyoji.core.messages import MoveT, Turn
from gyoji.core.ports import Position, Rules, SettlesDead, TakesDeclining, offers
from gyoji.core.record import GameRecord, GameResult

_WORDS = {"is_scored": "score", "goes_on": "all"}


class Wanted(Struct, frozen=True, kw_only=True):
    """By what to judge, whatever the record says; a field that is left alone asks for nothing.

    rules      the game's own rules, in words.
    size       columns and rows of the board.
    komi       points for White.
    is_scored  count the final position also of a game that was not played out.
    goes_on    leave out a move that is refused, and play on.
    """

    rules: str | None = None
    size: tuple[int, int] | None = None
    komi: float | None = None
    is_scored: bool = False
    goes_on: bool = False

    def check_fits(self, game: str, takes: Collection[str]) -> None:
        """Raise ConfigError if something is asked for beside the fields that a game takes.

        >>> Wanted(komi=6.5).check_fits("gomoku", ("rules", "size"))
        Traceback (most recent call last):
        gyoji.core.faults.ConfigError: komi: gomoku has none; it is replayed by rules, size
        """
        usual = type(self)()
        for field in self.__struct_fields__:
            if getattr(self, field) != getattr(usual, field) and field not in takes:
                words = ", ".join(_WORDS.get(name, name) for name in takes)
                raise ConfigError(f"{_WORDS.get(field, field)}: {game} has none; it is replayed by {words}")


class Replay(Struct, frozen=True, kw_only=True):
    """The report on one recorded game, in printable lines for people.

    facts     (label, text): who played what.
    notes     what was assumed, or taken otherwise than it stands in the file.
    refusals  the moves that the rules refuse, in their order: only the first one unless all were asked for.
    forfeit   the last move, if it is against the rules and the record says that it lost: no refusal.
    diagram   the final position, where there is one to show.
    verdict   the recorded result and that of the rules; "" if that was not looked at.
    differs   whether those two are not the same.
    """

    facts: tuple[tuple[str, str], ...]
    notes: tuple[str, ...] = ()
    refusals: tuple[str, ...] = ()
    forfeit: str = ""
    diagram: str = ""
    verdict: str = ""
    differs: bool = False


def awaiting(
    rules: Rules[Position, MoveT], result: GameResult, position: Position, seats: Collection[int], phase: str
) -> Position:
    """The position in which a recorded turn of these seats was made, in that phase, after the one before.

    Where both sides had passed and play went on, it goes on here; who fell out of the game is out of it, and
    a phase that somebody could not carry out has not been.
    """
    acting = rules.acting(position)
    if not acting and result.settled:
        return rules.resume(position) if offers(rules, SettlesDead) else position
    for seat in result.left_out:
        if seat in acting and seat not in seats and (after := rules.drop(position, seat)) is not None:
            position = after
    if not phase and rules.phase(position) and offers(rules, TakesDeclining):
        after = rules.declined(position, acting[0])
        position = position if after is None else after
    return position


def positions(rules: Rules[Position, MoveT], record: GameRecord) -> Iterator[tuple[Turn[MoveT], Position]]:
    """Each turn of a record of ours with the position after it. Raises IllegalMove, and ValueError."""
    position = rules.start()
    for played in record.turns:
        turn = tuple((each.seat, rules.parse(each.move)) for each in played)
        seats, phase = [seat for seat, _ in turn], played[0].phase if played else ""
        position = rules.play(awaiting(rules, record.result, position, seats, phase), turn)
        yield turn, position


def play_over(rules: Rules[Position, MoveT], record: GameRecord) -> tuple[tuple[Turn[MoveT], ...], Position]:
    """(the turns of a record of ours, the position after them)."""
    turns: list[Turn[MoveT]] = []
    position = rules.start()
    for turn, position in positions(rules, record):  # noqa: B007 (the last one is wanted)
        turns.append(turn)
    return tuple(turns), position


def counted_position(rules: Rules[Position, MoveT], record: GameRecord) -> Position:
    """The position of a game that was counted: the last one, without the stones that are dead."""
    return counted(rules, record.result, play_over(rules, record)[1])


def counted(rules: Rules[Position, MoveT], result: GameResult, position: Position) -> Position:
    """The position that was counted, of the last one that was played to."""
    is_open = bool(rules.acting(position))
    if not offers(rules, SettlesDead):
        return position
    if result.dead or (is_open and (result.settled or rules.stopped(position))):
        closed: Position = rules.close(position, rules.dead_groups(position, result.dead))
        return closed
    return position
