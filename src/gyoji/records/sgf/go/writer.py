"""A finished or void game of Go as an SGF file: what a viewer shows of it, and what the organiser looks up.

The root tells who played what and how it ended; each engine's words stand at its move; the last node adds
what was said and decided after it. Of an opening the root has the stones set up, and its moves come first.
Text is built piece by piece without a tree: writing may not cost more than playing.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from gyoji.core.faults import IllegalMove
from gyoji.core.outcome import Ending
from gyoji.core.record import GameRecord, Played, VoidGame
from gyoji.core.replay import counted_position
from gyoji.core.spec import GameSpec
from gyoji.core.text import quote
from gyoji.games import go
from gyoji.games.go import GoRules
from gyoji.games.go.settling import SETTLED
from gyoji.records.sgf.go.moves import vertex_letters
from gyoji.records.sgf.go.nodes import DEAD_STONES, HANDICAP, move_pieces
from gyoji.records.sgf.go.territory import territory
from gyoji.records.sgf.points import format_size
from gyoji.records.sgf.root import (
    check_two_seats,
    encode_game,
    format_comment,
    headings,
    last_words,
    root_comment,
    with_last_words,
)
from gyoji.records.sgf.timing import Timing, clock_headings, controls_of
from gyoji.records.sgf.values import format_real, format_simple_text

OPENING = "opening move"
"""The comment of moves that neither of the two has made, in the words of other programs."""


def write(spec: GameSpec, record: GameRecord | VoidGame) -> bytes:
    """The SGF file of a game. Raises ValueError for a game not of two seats, and a move that is no vertex."""
    check_two_seats(spec)
    width, height = _size(spec.options["board_size"])
    controls = controls_of(spec)
    played = [move for turn in record.turns for move in turn]
    has_moves = bool(played) and played[-1].phase != HANDICAP
    rules = go.rules(go.Options(**spec.options))
    settled = record.result.settled if isinstance(record, GameRecord) else ""
    counted_by = _rules_counted_by(spec, record, rules)
    told = [_rules_named(rules, counted_by), f"Dead stones: {SETTLED[settled]}" if settled else ""]
    comment = root_comment(spec, record, has_moves=has_moves, rules="\n".join(filter(None, told)))
    if has_moves:
        played = with_last_words(record, played)
    else:
        comment = f"{comment}\n\n{last_words(record)}"
    try:
        properties = {
            "C": format_comment(comment),
            "GM": "1",
            "KM": format_real(spec.options["komi"]),
            "SZ": format_size(width, height),
            **headings(spec, record),
            "RU": format_simple_text(counted_by),
            DEAD_STONES: settled,
            **clock_headings(controls),
            **_first_stones(rules, played, vertex_letters(width, height)),
        }
        opening = [
            f";{'BW'[seat]}[{vertex_letters(width, height)[rules.format(move)]}]C[{OPENING}]"
            for seat, move in rules.opening.turns
        ]
        moves = move_pieces(played, Timing(controls), width=width, height=height)
    except KeyError as error:
        raise ValueError(f"game {spec.id}: {quote(str(error.args[0]))} is no vertex of the board") from None
    return encode_game(properties, [*opening, *moves, *_territory(rules, record)])


def _rules_counted_by(spec: GameSpec, record: GameRecord | VoidGame, rules: GoRules) -> str:
    """RU. A name such as AGA means that dead stones are agreed on and taken off, and so KataGo reads it.

    Where we count what is on the board, dead stones too, the rules without that are written out.
    """
    is_agreed = spec.scorer != "internal" or (isinstance(record, GameRecord) and record.result.dead)
    return rules.sgf_agreed_rules if is_agreed else rules.sgf_rules


def _rules_named(rules: GoRules, counted_by: str) -> str:
    """A line of the root's comment about what RU does not tell: the name, the house rules."""
    is_said = rules.sgf_agreed_rules in ("", counted_by) and " +" not in rules.ruleset
    return "" if is_said else f"Rules {rules.ruleset}"


def _territory(rules: Any, record: GameRecord | VoidGame) -> list[str]:
    """TB and TW, if the game ended by the rules' own count. Only then is it worth playing it over."""
    if not isinstance(record, GameRecord) or record.result.outcome.ending is not Ending.SCORE:
        return []
    try:
        position = counted_position(rules, record)
    except (IllegalMove, ValueError):
        return []  # not a game of these rules: its moves are all that can be told
    sides = zip(("TB", "TW"), territory(rules, position, record.result.outcome), strict=True)
    # Half a board of points: a line may end between them
    return [f"{'' if nth else name}[{point}]" for name, points in sides for nth, point in enumerate(points)]


def _size(board_size: Any) -> tuple[int, int]:
    """(columns, rows) of the option: a number, or two."""
    if isinstance(board_size, int):
        return board_size, board_size
    width, height = board_size
    return width, height


def _first_stones(rules: Any, played: Sequence[Played], letters: Mapping[str, str]) -> dict[str, str]:
    """AB, AW, HA and PL: the stones that a game begins with, those of a free handicap included.

    HA counts the black ones where no white one lies beside them.
    """
    placed = [vertex for move in played if move.phase == HANDICAP for vertex in move.move.split()]
    opening = rules.opening
    black = placed or [rules.format(point) for point in (*rules.handicap_points, *opening.black)]
    white = [rules.format(point) for point in opening.white]
    found = {
        name: "][".join(sorted([letters[vertex] for vertex in vertices]))
        for name, vertices in (("AB", black), ("AW", white))
        if vertices
    }
    if len(black) > 1 and not white:
        found["HA"] = str(len(black))
    if opening.is_set_up:
        found["PL"] = "BW"[opening.to_play]
    return found
