"""Judging a recorded Go game again by the rules.

Records of other programs may set stones by hand, let a side move twice, or have passes after the end. Such
entries are accepted with a note if their meaning is clear; only the rules refuse moves.
"""

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import takewhile

from gyoji.core.boards import bits
from gyoji.core.describe import format_margin, result_code
from gyoji.core.faults import IllegalMove
from gyoji.core.replay import Replay, Wanted
from gyoji.core.text import printable
from gyoji.games.go.board import PASS
from gyoji.games.go.game_options import NO_RULESET
from gyoji.games.go.opening import smothered_stones
from gyoji.games.go.phases import AGREEMENT, DISPUTE, PLAY, SETTLED_WORDS
from gyoji.games.go.position import NO_RESULT, Position
from gyoji.games.go.rules import GoRules
from gyoji.games.go.score import outcome_of
from gyoji.games.go.sgf_reader import MainLine, check_ruleset, main_line, terms_of
from gyoji.games.go.sgf_writer import DEAD_STONES, without_dead, write, write_played
from gyoji.sgf.grammar import Node
from gyoji.sgf.property_values import Point
from gyoji.sgf.records import sgf_format

SEATS = ("Black", "White")


def with_handicap_set_up(game: MainLine) -> tuple[MainLine, str]:
    """Convert Black's first moves to set-up stones if HA gives a handicap and no stones are set up.

    Some servers write a free handicap as moves of Black in a row.

    Returns:
        The game, changed or not, and a note about it ("" for none).
    """
    stones = game.handicap or 0
    if stones < 2 or any(game.stones):
        return game, ""
    leading = [point for _, point in takewhile(lambda move: move[0] == 0, game.moves)]
    given = [point for point in leading[:stones] if point is not None]
    if len(set(given)) < stones:
        return game, f"HA[{stones}] but no handicap stones: played without"
    moved = replace(game, stones=(tuple(given), ()), moves=game.moves[stones:])
    return moved, f"Black's first {stones} moves are its handicap stones"


class Playing:
    """The state of a recorded game while its moves are replayed by the rules.

    Attributes:
        position: The present position.
        refusals: Refused moves, a line each, such as "move 5, White D4: ko at D4".
    """

    def __init__(self, game: MainLine, rules: GoRules, *, before: int = 0) -> None:
        self._game = game
        self._rules = rules
        self._before = before
        self._turned: list[int] = []  # numbers of the moves made out of turn
        self._goes_on = game.info.get(DEAD_STONES) in (PLAY, DISPUTE)  # after both sides have passed
        self._late = 0  # passes after the end
        self.refusals: list[str] = []
        self.position = self._first_position()

    def play(self, *, goes_on: bool) -> None:
        """Play all moves, up to the first that is refused; none if a set-up stone has no liberty.

        Args:
            goes_on: Whether to skip refused moves instead of stopping.
        """
        if smothered := smothered_stones(self._rules.board, *self.position[:2]):
            where = self._rules.format(next(bits(smothered)))
            self.refusals.append(f"the stones at the start: no liberty at {where}")
            return
        for index, (seat, point) in enumerate(self._game.moves):
            if self.refusals and not goes_on:
                return
            self._play_move(index, seat, point)

    @property
    def notes(self) -> list[str]:
        notes = []
        if self._turned:
            numbers = ", ".join(map(str, self._turned[:5])) + (", ..." if len(self._turned) > 5 else "")
            notes.append(f"out of turn, played as if it were that side's turn: move {numbers}")
        if self._late:
            notes.append(f"passes after the end of the game, left out: {self._late}")
        return notes

    def _first_position(self) -> Position:
        game, rules = self._game, self._rules
        black, white = (self._points(points) for points in game.stones)
        to_play = 1 if rules.handicap else 0
        if game.to_play is not None:
            to_play = game.to_play
        elif game.moves:
            to_play = game.moves[0][0]
        return rules.set_up(black, white, to_play=to_play)

    def _points(self, points: Iterable[Point]) -> int:
        return sum(1 << self._rules.point(*point) for point in points)

    def _play_move(self, index: int, seat: int, point: Point | None) -> None:
        rules, position = self._rules, self.position
        number = index + 1 + self._before
        move = PASS if point is None else rules.point(*point)
        if self._goes_on and rules.stopped(position) and not rules.acting(position):
            self._goes_on, position = False, rules.resume(position)
        if not rules.acting(position):
            if move == PASS:
                self._late += 1
            else:
                why = " (the third time the same position)" if position.passes == NO_RESULT else ""
                self._refuse(number, seat, move, f"the game is over{why}")
            return
        if position.to_play != seat:
            self._turned.append(number)
            position = position._replace(to_play=seat, ko=0, passes=0)
        try:
            self.position = rules.play(position, ((seat, move),))
        except IllegalMove as error:
            self._refuse(number, seat, move, error.reason)
            self.position = position._replace(to_play=1 - seat, ko=0)

    def _refuse(self, number: int, seat: int, move: int, reason: str) -> None:
        self.refusals.append(f"move {number}, {SEATS[seat]} {self._rules.format(move)}: {reason}")


_BY_POINTS = re.compile(r"([BW])\+([0-9]{1,9}(?:[.,][0-9]{0,9})?)")
_LEVEL = ("0", "DRAW", "JIGO")


TAKES = ("rules", "komi", "is_scored", "goes_on")
"""The fields of `Wanted` that apply to a game of Go."""


def replay_game(root: Node, wanted: Wanted) -> Replay:
    """Replay one game of a collection by the rules from `terms_of`.

    Raises:
        ConfigError: The requested ruleset is unknown.
        ValueError: The game cannot be read.
    """
    if wanted.rules is not None:
        check_ruleset(wanted.rules)
    game = main_line(root)
    played, note = with_handicap_set_up(game)
    rules, assumptions = terms_of(played, ruleset=wanted.rules, komi=wanted.komi)
    playing = Playing(played, rules, before=len(game.moves) - len(played.moves))
    playing.play(goes_on=wanted.goes_on)
    notes = (*assumptions, *filter(None, [note]), *playing.notes)
    facts = _facts(game, rules)
    has_ended = not rules.acting(playing.position) or [point for _, point in game.moves[-2:]] == [None, None]
    if playing.refusals or not (wanted.is_scored or has_ended):
        return Replay(facts=facts, notes=notes, refusals=tuple(playing.refusals))
    code, remark = _count(rules, playing, game)
    verdict, differs = _verdict(game.result, code)
    return Replay(
        facts=facts,
        notes=(*notes, remark) if remark else notes,
        diagram=rules.render(playing.position),
        verdict=verdict,
        differs=differs,
    )


def _facts(game: MainLine, rules: GoRules) -> tuple[tuple[str, str], ...]:
    size = str(rules.width) if rules.width == rules.height else f"{rules.width}x{rules.height}"
    facts = [
        ("black", printable(game.black, 60) or "?"),
        ("white", printable(game.white, 60) or "?"),
        ("size", size),
        ("komi", f"{rules.komi:g}"),
        ("rules", str(rules.ruleset) or NO_RULESET),
        ("moves", str(len(game.moves))),
    ]
    if settled := SETTLED_WORDS.get(game.info.get(DEAD_STONES, "")):
        facts.append(("dead stones", settled))
    if rules.handicap:
        facts.insert(3, ("handicap", str(rules.handicap)))
    return tuple(facts)


def _count(rules: GoRules, playing: Playing, game: MainLine) -> tuple[str, str]:
    """Return (result by the rules as a code such as "B+3.5", remark on how it was counted or "")."""
    position = playing.position
    is_over = not rules.acting(position)
    if is_over and rules.outcome(position).points is None:
        outcome = rules.outcome(position)
        return result_code(outcome), outcome.detail
    cleared, dead = without_dead(rules, position, game.territory)
    if dead:
        stones = "1 stone" if dead == 1 else f"{dead} stones"
        remark = f"{stones} taken off as dead, as TB and TW of the file have it"
        return result_code(outcome_of(rules.score(cleared))), remark
    if is_over:
        return result_code(rules.outcome(position)), ""
    is_open = position.phase and game.info.get(DEAD_STONES) != AGREEMENT
    remark = "the clean-up was not played out: the board is counted as it stands" if is_open else ""
    return result_code(outcome_of(rules.score(position))), remark


def _verdict(recorded: str, code: str) -> tuple[str, bool]:
    """Compare the recorded result with that of the rules. Return (a line about both, whether they differ)."""
    if not recorded:
        return f"the record says nothing, the rules {code}", False
    said = _code(recorded)
    if said is None:
        return f"the record says {printable(recorded, 40)}, the rules {code}", False
    differs = said != code
    return f"the record says {said}, the rules {code}" + (": they differ" if differs else ""), differs


def _code(recorded: str) -> str | None:
    """Convert a recorded result by points to gyoji's spelling; None for any other result.

    >>> _code("w+34.50"), _code("Draw"), _code("B+R")
    ('W+34.5', '0', None)
    """
    text = recorded.strip().upper()
    if text in _LEVEL:
        return "0"
    if (match := _BY_POINTS.fullmatch(text)) is None:
        return None
    margin = float(match[2].replace(",", "."))
    return f"{match[1]}+{format_margin(margin)}" if margin else "0"


SGF = sgf_format("go", 1, write=write, write_played=write_played, replay=replay_game, takes=TAKES)
