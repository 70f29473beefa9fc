"""What the players of a game of Gomoku said in public while it went on (MESSAGE), a line each. Written only.

::

    ----------------------------------------
    Game ID: alpha_v_beta_3
    Engines: alpha x beta           Black's first
    5) alpha: depth 8, ev 31        at the game's 5th stone; "swap)" at none
    end) beta: hopeless             not about a move of the game
"""

from gyoji.core.record import GameRecord, VoidGame
from gyoji.core.spec import GameSpec
from gyoji.core.text import printable
from gyoji.games.gomoku.played import opening_of, sides_of, stones_in

suffix = ".messages.txt"

_LONGEST = 8000  # of a line, as in Piskvork


def write(spec: GameSpec, record: GameRecord | VoidGame) -> bytes:
    """The lines of a game, under a heading."""
    opening = opening_of(spec.options, record)
    codes = [player.code for player in spec.players]
    sides = sides_of(record, opening)
    black, white = (codes[sides.index(side)] for side in (0, 1))
    lines = ["-" * 40, f"Game ID: {spec.id}", f"Engines: {black} x {white}"]
    count = len(stones_in(opening))
    for seat, move, _, comment, *_ in (played for turn in record.turns for played in turn):
        stones = len(stones_in(move))
        if comment:
            lines += _said(str(count + 1) if stones else "swap", codes[seat], comment)
        count += stones
    if isinstance(record, GameRecord):
        for seat, words in record.final_remarks:
            lines += _said("end", codes[seat], words)
    return "\n".join([*lines, ""]).encode("utf-8", "replace")


def _said(when: str, code: str, words: str) -> list[str]:
    return [f"{when}) {code}: {printable(line, _LONGEST)}" for line in words.splitlines()]
