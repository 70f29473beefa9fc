"""House rules: what may be agreed on beside a ruleset and is not in the language that engines share.

In a text they follow the ruleset, ``tromp-taylor +literal``; in a table they are fields that are true.

>>> read_rules("Tromp Taylor +literal +settled")
Agreed(name='tromp-taylor +literal +settled', ruleset=Ruleset(ko='POSITIONAL', scoring='AREA', tax='NONE', \
suicide=True), house=HouseRules(literal=True, settled=True, opening=False, suicidelife=False))
>>> read_rules({"ko": "SIMPLE", "suicide": False, "settled": True}).name
'koSIMPLEscoreAREAtaxNONEsui0 +settled'
"""

from collections.abc import Mapping
from typing import NamedTuple

from gyoji.core.text import printable, quote
from gyoji.games.go.ruleset_text import read, read_table
from gyoji.games.go.rulesets import Ruleset, canonical_name


class HouseRules(NamedTuple):
    """literal: every stone left on the board is counted as alive, as Tromp and Taylor wrote, also where it
    could not be saved from pass-alive groups. settled: the game ends as soon as every point is pass-alive or
    pass-alive territory. opening: Black's plays before White's first one count as handicap. suicidelife: what
    is pass-alive is decided as if suicide were legal, also where it is not; newer networks of KataGo do so.
    """

    literal: bool = False
    settled: bool = False
    opening: bool = False
    suicidelife: bool = False


class Agreed(NamedTuple):
    """By what is played. name: all of it in one text that `read_rules` reads."""

    name: str
    ruleset: Ruleset
    house: HouseRules


def read_rules(given: str | Mapping[str, str | bool]) -> Agreed:
    """The ruleset and house rules of a text or a table. Raises ValueError; komi is a mistake."""
    if isinstance(given, Mapping):
        table = dict(given)
        wanted = {word: table.pop(word) for word in HouseRules._fields if word in table}
        for word, value in wanted.items():
            if not isinstance(value, bool):
                raise ValueError(f"{word}: got {printable(repr(value), 80)}, expected true or false")
        house = HouseRules(**wanted)  # type: ignore[arg-type]
        ruleset = read_table(table, allow_komi=False).ruleset
        return Agreed(_name(ruleset.compact(), house), ruleset, house)
    text, *words = given.split(" +") if not given.startswith("{") else [given]
    words = [word.strip() for word in words]
    for word in words:
        if word not in HouseRules._fields:
            raise ValueError(f"no house rule {quote(word)}; there are: {', '.join(HouseRules._fields)}")
    house = HouseRules(**dict.fromkeys(words, True))
    ruleset = read(text, allow_komi=False).ruleset
    return Agreed(_name(canonical_name(text) or ruleset.compact(), house), ruleset, house)


def _name(ruleset: str, house: HouseRules) -> str:
    return ruleset + "".join(f" +{word}" for word, holds in house._asdict().items() if holds)
