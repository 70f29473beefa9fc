"""What a brain is told of its limits and the game by INFO: in milliseconds and bytes, in Piskvork's order."""

from gyoji.core.clocks import Clock, TimeControl
from gyoji.core.messages import NewGame
from gyoji.protocols.gomocup.options import MOST, Options, info_line, is_tellable

_MS = 1_000_000


def introduce_game(request: NewGame, options: Options) -> tuple[bytes, tuple[str, ...]]:
    """(the INFO lines before a game, what could not be told in them)."""
    control, player = request.control, request.player
    told = {"max_memory": str(min(player.budgets.memory, MOST) if player else 0)}
    told |= _limits(control)
    told |= {"game_type": str(options.game_type), "rule": str(request.rules.bits)}
    limits = {"max_depth": options.depth, "max_node": options.nodes, "thread_num": options.thread}
    told |= {key: str(limit) for key, limit in limits.items() if limit}
    unable = _untold(control)
    if player is not None and player.folder is not None:
        if is_tellable("folder", player.folder):
            told["folder"] = player.folder
        else:
            unable.append("its folder")
    told |= options.info
    return b"".join([info_line(key, value) for key, value in told.items()]), tuple(unable)


def _limits(control: TimeControl) -> dict[str, str]:
    """Match and turn limit. A limit of 0 for a turn means haste, so where there is none, none is told.

    Where only the match is limited a move may take all of it: brains take the smaller of that and a share of
    what is left.
    """
    match = (control.main or control.period or control.increment) // _MS
    turn = control.move // _MS if control.move else match
    limits = {"timeout_match": str(min(match, MOST))}
    if turn or control.move:
        limits["timeout_turn"] = str(min(turn, MOST))
    return limits


def _untold(control: TimeControl) -> list[str]:
    untold = {"the increment": control.increment, "byo-yomi": control.period}
    return [words for words, amount in untold.items() if amount]


def time_left_line(clock: Clock) -> bytes:
    """What is left of the match; below 0 when the margin has been needed."""
    left = clock.period if clock.in_byo_yomi else clock.main
    return b"INFO time_left %d\r\n" % min(left // _MS, MOST)


UNLIMITED_LINE = info_line("time_left", str(MOST))
"""The match time that is left where there is no limit."""
