"""Rulesets: what there is to choose in the rules of Go, and the names of common choices.

Fields, names and texts are those of KataGo, the nearest there is to a common language for rules among
engines. `ruleset_text` reads them; komi is no part of a ruleset here.

>>> NAMED["japanese"]
Ruleset(ko='SIMPLE', scoring='TERRITORY', tax='SEKI', suicide=False)
>>> NAMED["aga"].compact(), NAMED["aga"].short_name()
('koSITUATIONALscoreAREAtaxNONEsui0whbN-1fpok1', 'AGA')
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from gyoji.core.text import quote, quote_value

SIMPLE, POSITIONAL, SITUATIONAL, SPIGHT = KOS = ("SIMPLE", "POSITIONAL", "SITUATIONAL", "SPIGHT")
AREA, TERRITORY = SCORINGS = ("AREA", "TERRITORY")
NONE, SEKI, ALL = TAXES = ("NONE", "SEKI", "ALL")
BONUSES = ("0", "N-1", "N")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Ruleset:
    """One choice of rules. The defaults are those of Tromp and Taylor.

    ko        SIMPLE: no immediate retake of a single stone; a position that comes up for the third time
              without a pass in between voids the game. POSITIONAL: no play may bring back a board that
              was there before; SITUATIONAL: nor with the same side to move. SPIGHT: positional since the
              last pass, and only a pass from where one has passed before ends the game.
    scoring   AREA: stones and what they surround. TERRITORY: what they surround and prisoners, with two
              clean-up phases in which dead stones are taken off the board by playing.
    tax       which surrounded points do not count. SEKI: those of groups in seki; ALL: also two points of
              each living region, the eyes it needs; NONE: all count.
    suicide   whether a play may take several own stones off the board; a single one never.
    has_button  the first pass of the game is worth half a point.
    white_handicap_bonus  points that White gets for N handicap stones: 0, N-1 or N.
    friendly_pass_ok  engines may pass while dead stones are on the board. Changes nothing in the rules.
    """

    ko: str = POSITIONAL
    scoring: str = AREA
    tax: str = NONE
    suicide: bool = True
    has_button: bool = False
    white_handicap_bonus: str = "0"
    friendly_pass_ok: bool = False

    def __post_init__(self) -> None:
        for key, name in KEYS.items():
            value, known = getattr(self, name), CHOICES.get(name)
            if known is None and not isinstance(value, bool):
                raise ValueError(f"{key}: got {quote_value(value)}, expected true or false")
            if known is not None and not (isinstance(value, str) and value in known):
                raise ValueError(f"{key}: got {quote_value(value)}, expected {' or '.join(known)}")

    def __repr__(self) -> str:
        always = ("ko", "scoring", "tax", "suicide")
        shown = [
            f"{field.name}={getattr(self, field.name)!r}"
            for field in fields(self)
            if field.name in always or getattr(self, field.name) != field.default
        ]
        return f"Ruleset({', '.join(shown)})"

    @property
    def default_komi(self) -> float:
        """The komi of such rules unless another is given."""
        if self.scoring == TERRITORY:
            return 6.5
        return 7.0 if self.has_button else 7.5

    def bonus_for(self, stones: int) -> int:
        """White's points for so many handicap stones; fewer than 2 are no handicap.

        >>> [Ruleset(white_handicap_bonus=kind).bonus_for(4) for kind in BONUSES]
        [0, 3, 4]
        """
        if stones < 2 or self.white_handicap_bonus == "0":
            return 0
        return stones if self.white_handicap_bonus == "N" else stones - 1

    def is_whole(self, komi: float) -> bool:
        """Whether every result is a whole number of points."""
        return float(komi).is_integer() != self.has_button

    def table(self) -> dict[str, str | bool]:
        """Every field under its JSON name, sorted by it."""
        return {key: getattr(self, name) for key, name in sorted(KEYS.items())}

    def json(self, komi: float | None = None, *, short: bool = False) -> str:
        """The fields as JSON without blanks; short: those of the last three that are off left out."""
        shown: dict[str, Any] = self.table()
        if short:
            shown = {key: value for key, value in shown.items() if value != _OFF.get(key)}
        if komi is not None:
            shown = dict(sorted({**shown, "komi": float(komi)}.items()))
        return json.dumps(shown, separators=(",", ":"))

    def compact(self, komi: float | None = None) -> str:
        """The compact string; button, bonus and friendly pass only where they are on."""
        text = f"ko{self.ko}score{self.scoring}tax{self.tax}sui{int(self.suicide)}"
        if self.has_button:
            text += "button1"
        if self.white_handicap_bonus != "0":
            text += f"whb{self.white_handicap_bonus}"
        if self.friendly_pass_ok:
            text += "fpok1"
        return text if komi is None else f"{text}komi{komi:g}"

    def short_name(self) -> str:
        """The name that SGF files use for exactly these rules; the compact string where there is none."""
        return next((name for name, ruleset in _SHORT_NAMES if ruleset == self), self.compact())

    def sgf_name(self) -> str:
        """The value of RU in an SGF file: FF[4]'s word for exactly these rules, else the short name."""
        return next((name for name, ruleset in _SGF_NAMES if ruleset == self), self.short_name())

    def updated(self, key: str, value: str) -> "Ruleset":
        """With one field changed, as `kata-set-rule` does it: value in any case. Raises ValueError."""
        name = "scoring" if key.strip() == "score" else KEYS.get(key.strip())
        if name is None:
            raise ValueError(f"no field {quote(key)} in a ruleset; there are: {', '.join(sorted(KEYS))}")
        plain: Any = value.strip().upper()
        if name not in CHOICES:
            if plain not in ("TRUE", "FALSE"):
                raise ValueError(f"{key.strip()}: got {quote(value)}, expected true or false")
            plain = plain == "TRUE"
        return replace(self, **{name: plain})


CHOICES = {"ko": KOS, "scoring": SCORINGS, "tax": TAXES, "white_handicap_bonus": BONUSES}
KEYS = {
    "ko": "ko",
    "scoring": "scoring",
    "tax": "tax",
    "suicide": "suicide",
    "hasButton": "has_button",
    "whiteHandicapBonus": "white_handicap_bonus",
    "friendlyPassOk": "friendly_pass_ok",
}
_OFF = {"hasButton": False, "whiteHandicapBonus": "0", "friendlyPassOk": False}

_TROMP_TAYLOR = Ruleset()
_CHINESE = Ruleset(ko=SIMPLE, suicide=False, white_handicap_bonus="N", friendly_pass_ok=True)
_CHINESE_SUPERKO = replace(_CHINESE, ko=POSITIONAL)
_JAPANESE = Ruleset(ko=SIMPLE, scoring=TERRITORY, tax=SEKI, suicide=False)
_STONE_SCORING = Ruleset(ko=SIMPLE, tax=ALL, suicide=False, friendly_pass_ok=True)
_ANCIENT_TERRITORY = replace(_JAPANESE, tax=ALL)
_AGA = Ruleset(ko=SITUATIONAL, suicide=False, white_handicap_bonus="N-1", friendly_pass_ok=True)
_NEW_ZEALAND = Ruleset(ko=SITUATIONAL, friendly_pass_ok=True)
_ING = Ruleset(friendly_pass_ok=True)

NAMED: Mapping[str, Ruleset] = {
    "tromp-taylor": _TROMP_TAYLOR,
    "chinese": _CHINESE,
    "chinese-ogs": _CHINESE_SUPERKO,
    "chinese-kgs": _CHINESE_SUPERKO,
    "japanese": _JAPANESE,
    "korean": _JAPANESE,
    "stone-scoring": _STONE_SCORING,
    "ancient-area": _STONE_SCORING,
    "ancient-territory": _ANCIENT_TERRITORY,
    "aga": _AGA,
    "bga": _AGA,
    "french": _AGA,
    "aga-button": replace(_AGA, has_button=True),
    "new-zealand": _NEW_ZEALAND,
    "ing": _ING,
    "goe": _ING,
}
"""The named rulesets, each under its first spelling."""

NAMED_KOMI = {"new-zealand": 7.0}
"""Where the komi of a name is not that of its fields."""

_SHORT_NAMES = (
    ("TrompTaylor", _TROMP_TAYLOR),
    ("Japanese", _JAPANESE),
    ("Chinese", _CHINESE),
    ("Chinese-OGS", _CHINESE_SUPERKO),
    ("AGA", _AGA),
    ("StoneScoring", _STONE_SCORING),
    ("NewZealand", _NEW_ZEALAND),
)

_SGF_NAMES = (("AGA", _AGA), ("GOE", _ING), ("Japanese", _JAPANESE), ("NZ", _NEW_ZEALAND))


def _spellings() -> dict[str, str]:
    """Every accepted spelling of a name, lower case: for ``-`` also ``_``, nothing, and mostly a blank."""
    found = {"nz": "new-zealand"}
    for name in NAMED:
        joints = "-_" if name.startswith("chinese-") else "-_ "
        found |= {name.replace("-", joint): name for joint in ("", *joints)}
    return found


_SPELLINGS = _spellings()


def canonical_name(text: str) -> str | None:
    """The first spelling of the name that `text` is, None if it is none.

    >>> canonical_name(" AGA button "), canonical_name("tt")
    ('aga-button', None)
    """
    return _SPELLINGS.get(text.strip().lower())


_KGS_NAMES = (
    ("chinese", _CHINESE),
    ("chinese", _CHINESE_SUPERKO),
    ("japanese", _JAPANESE),
    ("aga", _AGA),
    ("new_zealand", _NEW_ZEALAND),
)


def kgs_name(ruleset: Ruleset) -> str:
    """The argument of `kgs-rules` for these rules, "" if it has no word for them.

    >>> kgs_name(NAMED["korean"]), kgs_name(NAMED["tromp-taylor"])
    ('japanese', '')
    """
    told = replace(ruleset, friendly_pass_ok=False)
    named = (name for name, known in _KGS_NAMES if replace(known, friendly_pass_ok=False) == told)
    return next(named, "")


def kata_params(choices: Ruleset | None, *, lives_by_suicide: bool) -> tuple[tuple[str, str, str], ...]:
    """For `kata-set-param`: some networks take what lives as if suicide were legal, unless told not to."""
    if choices is None or choices.suicide:
        return ()
    name = "alwaysComputePassAliveUnderSuicideRules"
    if lives_by_suicide:
        return ((name, "true", "the house rule suicidelife"),)
    return ((name, "false", ""),)
