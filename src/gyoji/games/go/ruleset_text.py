"""Parsing of rulesets and house rules.

A text or table gives a ruleset in any form that KataGo reads:

* a name, in any case: ``japanese``, ``Tromp-Taylor``, ``new_zealand``;
* fields: ``{"ko":"SIMPLE","scoring":"TERRITORY","suicide":false}``;
* a compact string, tokens in any order: ``koSIMPLEscoreTERRITORYtaxSEKIsui0``.

Choices that are not given are those of Tromp and Taylor, except that tax is SEKI under territory scoring.
Komi is a separate setting and refused here.

>>> read("japanese").compact(), read('{"ko":"SIMPLE","suicide":false}').compact()
('koSIMPLEscoreTERRITORYtaxSEKIsui0', 'koSIMPLEscoreAREAtaxNONEsui0')
>>> read("koSIMPLE sui0 whbNfpok1").sgf_name()
'Chinese'

House rules are additions to a ruleset for which KataGo has no notation. In a text they follow the ruleset,
``tromp-taylor +literal``; in a table they are fields with the value true.

>>> read_rules("Tromp Taylor +settled +literal").name
'tromp-taylor +literal +settled'
>>> read_rules({"ko": "SIMPLE", "suicide": False, "settled": True}).name
'koSIMPLEscoreAREAtaxNONEsui0 +settled'
"""

import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from gyoji.core.text import quote, quote_value
from gyoji.games.go import rulesets as r
from gyoji.games.go.rulesets import Ruleset, canonical_name

_NO_KOMI = "komi is a setting of its own, no part of a ruleset"


def read(text: str) -> Ruleset:
    """Parse a ruleset from a name, JSON or a compact string. Raises ValueError for other texts."""
    name = canonical_name(text)
    if name is not None:
        return r.NAMED[name]
    if not text.startswith("{"):
        compact = text.strip()
        chosen: dict[str, Any] = {}
        at = 0
        while at < len(compact) or not compact:
            token = _token().match(compact, at)
            if token is None:
                from difflib import get_close_matches  # noqa: PLC0415 - for messages

                names = ", ".join(r.NAMED)
                near = get_close_matches(text.strip().lower(), r.NAMED, n=1, cutoff=0.7)
                hint = f"did you mean {near[0]}? " if near else ""
                raise ValueError(
                    f"{quote(text)} is neither fields such as koSIMPLEsui0 nor a name; {hint}names: {names}"
                )
            if token["komi"]:
                raise ValueError(_NO_KOMI)
            name = str(token.lastgroup).removesuffix("_value")
            value = token[f"{name}_value"]
            chosen[name] = value if name in r.CHOICES else value == "1"
            at = token.end()
        return _completed(chosen)
    try:
        return read_table(json.loads(text))
    except (json.JSONDecodeError, RecursionError):
        raise ValueError(f"{quote(text)} is not JSON") from None


def read_table(table: Mapping[str, Any]) -> Ruleset:
    """Parse a ruleset from a table.

    The keys are the JSON names of the rules; `score` is an alias of `scoring`. Raises ValueError.
    """
    chosen: dict[str, Any] = {}
    for key, value in sorted(table.items()):
        if key == "komi":
            raise ValueError(_NO_KOMI)
        name = "scoring" if key == "score" else r.KEYS.get(key)
        if name is None:
            raise ValueError(f"no field {quote(key)} in a ruleset; there are: {', '.join(sorted(r.KEYS))}")
        chosen[name] = value
    return _completed(chosen)


@cache
def _token() -> re.Pattern[str]:
    """Return the pattern of a field of a compact string, compiled on first use because that takes 20 ms."""
    return re.compile(
        r"\s*(?:(?P<komi>komi)"
        rf"|(?P<ko>ko)\s*(?P<ko_value>{'|'.join(r.KOS)})"
        rf"|(?P<scoring>scoring|score)\s*(?P<scoring_value>{'|'.join(r.SCORINGS)})"
        rf"|(?P<tax>tax)\s*(?P<tax_value>{'|'.join(r.TAXES)})"
        r"|(?P<suicide>sui)\s*(?P<suicide_value>[01])"
        r"|(?P<has_button>button)\s*(?P<has_button_value>[01])"
        r"|(?P<white_handicap_bonus>whb)\s*(?P<white_handicap_bonus_value>0|N-1|N)"
        r"|(?P<friendly_pass_ok>fpok)\s*(?P<friendly_pass_ok_value>[01]))"
    )


def _completed(chosen: dict[str, Any]) -> Ruleset:
    if chosen.get("scoring") == r.TERRITORY:
        chosen.setdefault("tax", r.SEKI)
    return Ruleset(**chosen)


class HouseRules(NamedTuple):
    """Rules that players agree on in addition to a ruleset.

    Attributes:
        literal: Every stone left on the board counts as alive, as Tromp and Taylor wrote, even in the other
            side's pass-alive territory.
        settled: The game ends as soon as every point is pass-alive or pass-alive territory.
        opening: Black's plays before White's first one count as handicap.
        suicidelife: Pass-alive groups are determined as if suicide were legal, as newer networks of KataGo
            do.
    """

    literal: bool = False
    settled: bool = False
    opening: bool = False
    suicidelife: bool = False


class Agreed(NamedTuple):
    """The ruleset and house rules of a game.

    Attributes:
        name: The ruleset and house rules as text, such as "chinese +settled", which `read_rules` parses.
        ruleset: The ruleset without house rules.
        house: The house rules.
    """

    name: str
    ruleset: Ruleset
    house: HouseRules


def read_rules(given: str | Mapping[str, str | bool]) -> Agreed:
    """Parse a ruleset and house rules from a text or table. Raises ValueError, also for a komi."""
    if isinstance(given, Mapping):
        table = dict(given)
        wanted = {word: table.pop(word) for word in HouseRules._fields if word in table}
        for word, value in wanted.items():
            if not isinstance(value, bool):
                raise ValueError(f"{word}: got {quote_value(value)}, expected true or false")
        house = HouseRules(**wanted)  # type: ignore[arg-type]
        ruleset = read_table(table)
        return Agreed(_name(ruleset.compact(), house), ruleset, house)
    text, *words = given.split(" +") if not given.startswith("{") else [given]
    words = [word.strip() for word in words]
    for word in words:
        if word not in HouseRules._fields:
            raise ValueError(f"no house rule {quote(word)}; there are: {', '.join(HouseRules._fields)}")
    house = HouseRules(**dict.fromkeys(words, True))
    ruleset = read(text)
    return Agreed(_name(canonical_name(text) or ruleset.compact(), house), ruleset, house)


def _name(ruleset: str, house: HouseRules) -> str:
    return ruleset + "".join(f" +{word}" for word, holds in house._asdict().items() if holds)
