"""Writing a finished or void Go game as SGF, for viewers and for the organiser.

The root has the players, the result and set-up stones; the moves of the opening come first; each move has the
engine's remark as its comment; the last node has final remarks and decisions. The text is joined from pieces,
without a tree, so that writing a game does not cost more than playing it.

TB and TW are the points that a side owns without a stone of its own: surrounded points and the other side's
dead stones. So they say which stones are dead.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any

from gyoji.core.boards import bits
from gyoji.core.faults import IllegalMove
from gyoji.core.game import PlayedOut, make_options
from gyoji.core.outcome import Ending
from gyoji.core.record import GameRecord, Played, VoidGame
from gyoji.core.replay import counted, play_over
from gyoji.core.spec import GameSpec
from gyoji.core.text import quote
from gyoji.games.go.board import COLUMNS
from gyoji.games.go.game_options import Options as GoOptions
from gyoji.games.go.phases import SETTLED_WORDS, without
from gyoji.games.go.position import HANDICAP, Position
from gyoji.games.go.rules import GoRules
from gyoji.games.go.rules import rules as go_rules
from gyoji.games.go.sgf_reader import pass_letters
from gyoji.sgf.property_values import Point, format_point, format_real, format_simple_text, format_size
from gyoji.sgf.records import (
    Timing,
    check_two_seats,
    clock_headings,
    controls_of,
    encode_game,
    format_comment,
    headings,
    last_words,
    moves_told,
    root_comment,
    with_last_words,
)


@cache
def vertex_letters(width: int, height: int) -> Mapping[str, str]:
    """Return the SGF letters of every vertex and of "pass", as a look-up table."""
    table = {
        f"{letter}{row + 1}": format_point((column, row), width, height)
        for column, letter in enumerate(COLUMNS[:width])
        for row in range(height)
    }
    return MappingProxyType({**table, "pass": pass_letters(width, height)})


DEAD_STONES = "DEAD"
"""gyoji's own root property for the method that settled dead stones (`GameResult.settled`)."""


# Precomputed, so that writing a game of 300 moves is 300 look-ups.
@cache
def _nodes(width: int, height: int) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Return, for Black and for White, the SGF text with which the node of a move begins, by vertex."""
    letters = vertex_letters(width, height).items()
    black, white = ({vertex: f";{colour}[{point}]" for vertex, point in letters} for colour in "BW")
    return black, white


def without_dead(
    rules: GoRules, position: Position, marked: tuple[Sequence[Point], Sequence[Point]]
) -> tuple[Position, int]:
    """Return (position without stones in the other side's territory, number of these stones).

    Args:
        marked: The points of TB and of TW.
    """
    for_black, for_white = (sum(1 << rules.point(*point) for point in set(points)) for points in marked)
    dead = position.black & for_white | position.white & for_black
    return without(position, dead), dead.bit_count()


OPENING = "opening move"
"""The comment on moves of the opening, as other programs write it."""


def write(spec: GameSpec, record: GameRecord | VoidGame) -> bytes:
    """Return the SGF file of a game.

    Raises:
        ValueError: The game does not have two seats, or a move is not on its board.
    """
    rules = go_rules(make_options(GoOptions, spec.options))
    return _written(spec, record, rules, lambda game: play_over(rules, game)[1])


def write_played(spec: GameSpec, record: GameRecord, played: PlayedOut) -> bytes:
    """Return the SGF file of a game whose last position is known."""
    return _written(spec, record, played.rules, lambda _: played.last)


def _written(
    spec: GameSpec, record: GameRecord | VoidGame, rules: GoRules, last: Callable[[GameRecord], Position]
) -> bytes:
    """Return the SGF file of a game.

    Args:
        last: Returns the position after the last turn. It is called only if territory is written.
    """
    check_two_seats(spec)
    width, height = rules.width, rules.height
    controls = controls_of(spec)
    played, values = moves_told(record)
    has_moves = bool(played) and played[-1].phase != HANDICAP
    settled = record.result.settled if isinstance(record, GameRecord) else record.settled
    # For KataGo, a name such as AGA implies that players agree on dead stones. If the final board was counted
    # as it was, with dead stones as alive, RU has the rules in full instead.
    is_agreed = spec.scorer != "internal" or (isinstance(record, GameRecord) and record.result.dead)
    counted_by = rules.sgf_agreed_rules if is_agreed else rules.sgf_rules
    words = [f"Dead stones: {SETTLED_WORDS[settled]}"] if settled else []
    if rules.sgf_agreed_rules not in ("", counted_by) or " +" in rules.ruleset:
        words.insert(0, f"Rules {rules.ruleset}")  # RU does not tell the name, or the house rules
    comment = root_comment(spec, record, rules="\n".join(words))
    if has_moves:
        played = with_last_words(record, played)
    else:
        comment = f"{comment}\n\n{last_words(record)}"
    try:
        properties = {
            "C": format_comment(comment),
            "GM": "1",
            "KM": format_real(rules.komi),
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
        timing = Timing(controls)
        nodes = _nodes(width, height)
        is_timed = timing.is_told
        moves: list[str] = []
        times: tuple[str, ...] = ()
        current = ""
        for number, (seat, vertex, ns, comment, phase, _) in enumerate(played):
            if is_timed:
                times = timing.after(seat, ns, "BW"[seat])
            if phase == HANDICAP:
                continue  # they belong to the root (AB) and are no moves
            moves.append(nodes[seat][vertex])
            if times:
                moves += times
            if values and number in values:
                moves.append(values[number])
            if phase != current:
                current = phase
                comment = "\n\n".join(filter(None, (phase and f"{phase} begins", comment)))  # noqa: PLW2901
            if comment:
                moves.append(f"C[{format_comment(comment)}]")
    except KeyError as error:
        raise ValueError(f"game {spec.id}: {quote(str(error.args[0]))} is no vertex of the board") from None
    return encode_game(properties, [*opening, *moves, *_territory(rules, record, last)])


def _territory(
    rules: GoRules, record: GameRecord | VoidGame, last: Callable[[GameRecord], Position]
) -> list[str]:
    """Return the properties TB and TW if the rules' own count decided the game, else [].

    Args:
        rules: The rules of the game.
        record: The game.
        last: Returns the position after the last turn.
    """
    if not isinstance(record, GameRecord) or record.result.outcome.ending is not Ending.SCORE:
        return []
    try:
        position = counted(rules, record.result, last(record))
    except (IllegalMove, ValueError):
        return []  # not a game of these rules: its moves are all that can be told
    if (score := rules.deciding_score(position, record.result.outcome)) is None:
        return []
    letters, pieces = vertex_letters(rules.width, rules.height), []
    for name, owned in (("TB", score.black & ~position.black), ("TW", score.white & ~position.white)):
        points = sorted([letters[rules.format(point)] for point in bits(owned)])
        # Half a board of points: a line may end between them.
        pieces += [f"{'' if nth else name}[{point}]" for nth, point in enumerate(points)]
    return pieces


def _first_stones(rules: Any, played: Sequence[Played], letters: Mapping[str, str]) -> dict[str, str]:
    """Return the SGF properties for the stones on the board before the first move: AB, AW, HA and PL.

    Free handicap stones are included. HA is the number of black stones, if there are several and no white.

    Args:
        rules: The rules of the game.
        played: All moves of the game, of which the placement of a free handicap is used.
        letters: The SGF letters of each vertex.
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
