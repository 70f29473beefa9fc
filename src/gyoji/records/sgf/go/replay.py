"""A record played over by the rules: whether every move stands, and whether the result is as recorded."""

import re

from gyoji.core.describe import format_margin, result_code
from gyoji.core.replay import Replay, Wanted
from gyoji.core.text import printable
from gyoji.games.go import GoRules
from gyoji.games.go.score import outcome_of
from gyoji.games.go.settling import AGREEMENT, SETTLED
from gyoji.records.sgf.go.mainline import MainLine, main_line
from gyoji.records.sgf.go.nodes import DEAD_STONES
from gyoji.records.sgf.go.playing import Playing, with_handicap_set_up
from gyoji.records.sgf.go.terms import Terms, check_ruleset, terms_of
from gyoji.records.sgf.go.territory import without_dead
from gyoji.records.sgf.tree import Node

_BY_POINTS = re.compile(r"([BW])\+([0-9]{1,9}(?:[.,][0-9]{0,9})?)")
_LEVEL = ("0", "DRAW", "JIGO")


TAKES = ("rules", "komi", "is_scored", "goes_on")
"""The fields of `Wanted` that a game of Go has."""


def replay_game(root: Node, wanted: Wanted) -> Replay:
    """One game of a collection; rules as `terms` has them.

    Raises ConfigError for unknown rules, ValueError for a game that cannot be read.
    """
    if wanted.rules is not None:
        check_ruleset(wanted.rules)
    game = main_line(root)
    played, note = with_handicap_set_up(game)
    terms = terms_of(played, ruleset=wanted.rules, komi=wanted.komi)
    if note:
        terms = terms._replace(notes=(*terms.notes, note))
    return _judge(game, played, terms, is_scored=wanted.is_scored, goes_on=wanted.goes_on)


def _judge(game: MainLine, played: MainLine, terms: Terms, *, is_scored: bool, goes_on: bool) -> Replay:
    rules = terms.rules
    playing = Playing(played, rules, before=len(game.moves) - len(played.moves))
    playing.play(goes_on=goes_on)
    notes = (*terms.notes, *playing.notes)
    facts = _facts(game, terms)
    has_ended = not rules.acting(playing.position) or _ends_with_passes(game)
    if playing.refusals or not (is_scored or has_ended):
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


def _ends_with_passes(game: MainLine) -> bool:
    return [point for _, point in game.moves[-2:]] == [None, None]


def _facts(game: MainLine, terms: Terms) -> tuple[tuple[str, str], ...]:
    rules = terms.rules
    size = str(rules.width) if rules.width == rules.height else f"{rules.width}x{rules.height}"
    facts = [
        ("black", printable(game.black, 60) or "?"),
        ("white", printable(game.white, 60) or "?"),
        ("size", size),
        ("komi", f"{rules.komi:g}"),
        ("rules", terms.name),
        ("moves", str(len(game.moves))),
    ]
    if settled := SETTLED.get(game.info.get(DEAD_STONES, "")):
        facts.append(("dead stones", settled))
    if rules.handicap:
        facts.insert(3, ("handicap", str(rules.handicap)))
    return tuple(facts)


def _count(rules: GoRules, playing: Playing, game: MainLine) -> tuple[str, str]:
    """The code of the result by the rules, and how that was counted if that needs saying."""
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
    """What both say, and whether they differ where they can be compared."""
    if not recorded:
        return f"the record says nothing, the rules {code}", False
    said = _code(recorded)
    if said is None:
        return f"the record says {printable(recorded, 40)}, the rules {code}", False
    differs = said != code
    return f"the record says {said}, the rules {code}" + (": they differ" if differs else ""), differs


def _code(recorded: str) -> str | None:
    """A recorded result by points in our spelling; None for any other.

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
