"""Rulesets: the choices in the rules of Go, and the named rulesets.

Fields, names and texts are those of KataGo, whose notation of rules most engines share. `ruleset_text` parses
them. Komi is not part of a ruleset here.

>>> NAMED["japanese"].compact()
'koSIMPLEscoreTERRITORYtaxSEKIsui0'
>>> NAMED["aga"].compact(), NAMED["aga"].sgf_name()
('koSITUATIONALscoreAREAtaxNONEsui0whbN-1fpok1', 'AGA')
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from gyoji.core.text import quote_value

SIMPLE, POSITIONAL, SITUATIONAL, SPIGHT = KOS = ("SIMPLE", "POSITIONAL", "SITUATIONAL", "SPIGHT")
AREA, TERRITORY = SCORINGS = ("AREA", "TERRITORY")
NONE, SEKI, ALL = TAXES = ("NONE", "SEKI", "ALL")
BONUSES = ("0", "N-1", "N")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruleset:
    """The choices that make up the rules of Go. The defaults are those of Tromp and Taylor.

    Attributes:
        ko: SIMPLE: a single stone may not be recaptured at once, and a position that occurs a third time
            without a pass in between voids the game. POSITIONAL: a play may not repeat an earlier board.
            SITUATIONAL: a play may not repeat an earlier board with the same side to move. SPIGHT: as
            POSITIONAL, but earlier boards count only since the last pass, and the game ends when a side
            passes from a state from which it has passed before.
        scoring: AREA counts stones and surrounded points. TERRITORY counts surrounded points and prisoners,
            with two clean-up phases in which dead stones are captured.
        tax: Surrounded points that do not count. SEKI: those of groups in seki. ALL: also two points of each
            living region, for its eyes. NONE: all points count.
        suicide: Whether suicide of several stones is legal. Suicide of a single stone never is.
        has_button: Whether the first pass of the game is worth half a point.
        white_handicap_bonus: White's points for N handicap stones: 0, N-1 or N.
        friendly_pass_ok: Whether engines may pass while dead stones are on the board. It does not change the
            rules.
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

    @property
    def default_komi(self) -> float:
        """The default komi of the ruleset."""
        if self.scoring == TERRITORY:
            return 6.5
        return 7.0 if self.has_button else 7.5

    def bonus_for(self, stones: int) -> int:
        """Return White's points for a number of handicap stones. Fewer than 2 do not count as handicap.

        >>> [Ruleset(white_handicap_bonus=kind).bonus_for(4) for kind in BONUSES]
        [0, 3, 4]
        """
        if stones < 2 or self.white_handicap_bonus == "0":
            return 0
        return stones if self.white_handicap_bonus == "N" else stones - 1

    def compact(self) -> str:
        """Return KataGo's compact string. Button, handicap bonus and friendly pass are omitted if off."""
        text = f"ko{self.ko}score{self.scoring}tax{self.tax}sui{int(self.suicide)}"
        if self.has_button:
            text += "button1"
        if self.white_handicap_bonus != "0":
            text += f"whb{self.white_handicap_bonus}"
        return f"{text}fpok1" if self.friendly_pass_ok else text

    def sgf_name(self) -> str:
        """Return the value of RU in SGF: the name of exactly these rules, else the compact string."""
        return next((name for name, ruleset in _SGF_NAMES if ruleset == self), self.compact())


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
"""The named rulesets, by the standard spelling of their names."""

# The names that SGF (FF[4]) defines, and KataGo's for other rules.
_SGF_NAMES = (
    ("AGA", _AGA),
    ("Chinese", _CHINESE),
    ("Chinese-OGS", _CHINESE_SUPERKO),
    ("GOE", _ING),
    ("Japanese", _JAPANESE),
    ("NZ", _NEW_ZEALAND),
    ("StoneScoring", _STONE_SCORING),
    ("TrompTaylor", _TROMP_TAYLOR),
)


def _spellings() -> dict[str, str]:
    """Return the standard name for each accepted spelling, in lower case.

    A spelling may replace "-" by "_", nothing or, except in "chinese-ogs" and "chinese-kgs", a blank.
    """
    found = {"nz": "new-zealand"}
    for name in NAMED:
        joints = "-_" if name.startswith("chinese-") else "-_ "
        found |= {name.replace("-", joint): name for joint in ("", *joints)}
    return found


_SPELLINGS = _spellings()


def canonical_name(text: str) -> str | None:
    """Return the standard spelling of the name in `text`, or None if it is not a name.

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
    """Return the argument of `kgs-rules` for these rules; "" if KGS has no name for them.

    >>> kgs_name(NAMED["korean"]), kgs_name(NAMED["tromp-taylor"])
    ('japanese', '')
    """
    told = replace(ruleset, friendly_pass_ok=False)
    named = (name for name, known in _KGS_NAMES if replace(known, friendly_pass_ok=False) == told)
    return next(named, "")


def kata_params(choices: Ruleset | None, *, lives_by_suicide: bool) -> tuple[tuple[str, str, str], ...]:
    """Return the parameters with which KataGo determines pass-alive stones by these rules.

    If suicide is illegal, KataGo still assumes legal suicide for this with some networks. The parameter
    ``alwaysComputePassAliveUnderSuicideRules`` turns that on or off. It is set by `kata-set-param`.

    Args:
        choices: The ruleset; None without one.
        lives_by_suicide: Whether the house rule `suicidelife` holds, by which suicide counts as legal here.

    Returns:
        (name of the parameter, value, rule that an engine without the parameter cannot play by) for each
        parameter. The rule is "" if such an engine plays correctly anyway. The result is () if suicide is
        legal or there is no ruleset.
    """
    if choices is None or choices.suicide:
        return ()
    name = "alwaysComputePassAliveUnderSuicideRules"
    if lives_by_suicide:
        return ((name, "true", "the house rule suicidelife"),)
    return ((name, "false", ""),)
