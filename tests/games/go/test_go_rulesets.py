"""What a ruleset may be, how it is written, and what others are told of it."""

import itertools
import json
import re
from dataclasses import replace

import pytest

from gyoji.games.go.game_options import Options
from gyoji.games.go.rules import rules
from gyoji.games.go.ruleset_text import HouseRules, read, read_rules, read_table
from gyoji.games.go.rulesets import BONUSES, KEYS, KOS, NAMED, SCORINGS, TAXES, Ruleset, canonical_name

FLAGS = (False, True)
EVERY = [
    Ruleset(
        ko=ko,
        scoring=scoring,
        tax=tax,
        suicide=suicide,
        has_button=button,
        white_handicap_bonus=bonus,
        friendly_pass_ok=friendly,
    )
    for ko, scoring, tax, suicide, button, bonus, friendly in itertools.product(
        KOS, SCORINGS, TAXES, FLAGS, FLAGS, BONUSES, FLAGS
    )
]


def rules_under(ruleset, **settings):
    return rules(Options(**({"board_size": 5, "komi": 0} | settings), ruleset=ruleset))


def test_every_ruleset_is_read_as_it_is_written():
    for ruleset in EVERY:
        fields = {key: getattr(ruleset, name) for key, name in KEYS.items()}
        assert read(ruleset.compact()) == read(json.dumps(fields)) == read_table(fields) == ruleset
        if canonical_name(ruleset.sgf_name()) is not None:
            assert read(ruleset.sgf_name()) == ruleset


@pytest.mark.parametrize("name", NAMED)
def test_a_name_may_be_written_in_several_ways(name):
    joints = {"-", "_", ""} | (set() if name.startswith("chinese") else {" "})
    for joint in joints:
        spelling = name.replace("-", joint)
        assert read(f" {spelling.upper()} ") == NAMED[name]
        assert canonical_name(spelling) == name
    if name.startswith("chinese-"):
        assert canonical_name(name.replace("-", " ")) is None


# name, kgs-rules, RU
TOLD = [
    # name, the word of kgs-rules, RU if what is on the board was counted, RU if dead stones were agreed on
    ("tromp-taylor", "", "TrompTaylor", "TrompTaylor"),
    ("chinese", "chinese", "koSIMPLEscoreAREAtaxNONEsui0whbN", "Chinese"),
    ("chinese-ogs", "chinese", "koPOSITIONALscoreAREAtaxNONEsui0whbN", "Chinese-OGS"),
    ("chinese-kgs", "chinese", "koPOSITIONALscoreAREAtaxNONEsui0whbN", "Chinese-OGS"),
    ("japanese", "japanese", "Japanese", "Japanese"),
    ("korean", "japanese", "Japanese", "Japanese"),
    ("aga", "aga", "koSITUATIONALscoreAREAtaxNONEsui0whbN-1", "AGA"),
    ("bga", "aga", "koSITUATIONALscoreAREAtaxNONEsui0whbN-1", "AGA"),
    ("french", "aga", "koSITUATIONALscoreAREAtaxNONEsui0whbN-1", "AGA"),
    ("new-zealand", "new_zealand", "koSITUATIONALscoreAREAtaxNONEsui1", "NZ"),
    ("stone-scoring", "", "koSIMPLEscoreAREAtaxALLsui0", "StoneScoring"),
    ("ancient-area", "", "koSIMPLEscoreAREAtaxALLsui0", "StoneScoring"),
    ("ancient-territory", "", "koSIMPLEscoreTERRITORYtaxALLsui0", "koSIMPLEscoreTERRITORYtaxALLsui0"),
    (
        "aga-button",
        "",
        "koSITUATIONALscoreAREAtaxNONEsui0button1whbN-1",
        "koSITUATIONALscoreAREAtaxNONEsui0button1whbN-1fpok1",
    ),
    ("ing", "", "TrompTaylor", "GOE"),
    ("goe", "", "TrompTaylor", "GOE"),
]


def test_the_table_has_every_name():
    assert [name for name, *_ in TOLD] == sorted(NAMED, key=[name for name, *_ in TOLD].index)


@pytest.mark.parametrize(("name", "kgs", "counted", "agreed"), TOLD)
def test_engines_and_records_are_told_what_is_enforced(name, kgs, counted, agreed):
    game = rules_under(name)
    assert (game.ruleset, game.kgs_rules) == (name, kgs)
    assert (game.sgf_rules, game.sgf_agreed_rules) == (counted, agreed)
    assert read(agreed) == NAMED[name]
    assert read(counted) == replace(NAMED[name], friendly_pass_ok=False)
    told = read(game.kata_rules)
    assert told == replace(NAMED[name], friendly_pass_ok=False)
    assert game.allows_suicide == NAMED[name].suicide


def test_the_kgs_word_is_found_for_fields_too():
    assert rules_under("koSIMPLEscoreTERRITORYtaxSEKIsui0").kgs_rules == "japanese"
    assert rules_under("koSIMPLEscoreTERRITORYtaxNONEsui0").kgs_rules == ""


def test_without_a_ruleset_nobody_is_told_anything():
    game = rules_under("")
    assert (game.choices, game.kata_rules, game.kgs_rules, game.kata_params) == (None, "", "", ())
    assert game.sgf_rules == game.sgf_agreed_rules == ""


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("", ""),
        ("Japanese ", "japanese"),
        ("Tromp Taylor", "tromp-taylor"),
        ("koSIMPLE sui0", "koSIMPLEscoreAREAtaxNONEsui0"),
        ('{"scoring":"TERRITORY"}', "koPOSITIONALscoreTERRITORYtaxSEKIsui1"),
        ({"ko": "SIMPLE", "score": "TERRITORY", "tax": "NONE"}, "koSIMPLEscoreTERRITORYtaxNONEsui1"),
        ({"suicide": False, "hasButton": True}, "koPOSITIONALscoreAREAtaxNONEsui0button1"),
        ({}, "koPOSITIONALscoreAREAtaxNONEsui1"),
        ("aga +settled +literal", "aga +literal +settled"),
        ({"settled": True, "opening": False}, "koPOSITIONALscoreAREAtaxNONEsui1 +settled"),
    ],
)
def test_a_ruleset_is_kept_as_one_text(given, kept):
    options = Options(board_size=5, komi=0, ruleset=given)
    assert options.ruleset == kept
    again = Options(board_size=5, komi=0, ruleset=kept)
    assert (again, hash(again), again.agreed) == (options, hash(options), options.agreed)


def test_house_rules_are_read_beside_a_ruleset():
    assert read_rules("goe").house == HouseRules()
    assert read_rules("goe +opening").house == HouseRules(opening=True)
    assert read_rules({"literal": True, "settled": True}).house == HouseRules(literal=True, settled=True)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (3, "got 3, expected a name, a table, a string of fields, or 'none'"),
        (
            "chinese ogs",
            "'chinese ogs' is neither fields such as koSIMPLEsui0 nor a name; did you mean chinese-ogs?",
        ),
        (" ", "' ' is neither fields"),
        ("kosimple", "'kosimple' is neither fields"),
        ("koSIMPLEkomi7", "komi is a setting of its own, no part of a ruleset"),
        ('{"komi": 7}', "komi is a setting of its own, no part of a ruleset"),
        ({"komi": "7"}, "komi is a setting of its own, no part of a ruleset"),
        ({"Ko": "SIMPLE"}, "no field 'Ko' in a ruleset; there are: friendlyPassOk, hasButton, ko,"),
        ({"ko": "simple"}, "ko: got 'simple', expected SIMPLE or POSITIONAL or SITUATIONAL or SPIGHT"),
        ({"ko": True}, "ko: got True, expected SIMPLE"),
        ({"suicide": "false"}, "suicide: got 'false', expected true or false"),
        ({"whiteHandicapBonus": "1"}, "whiteHandicapBonus: got '1', expected 0 or N-1 or N"),
        ('{"ko"', "'{\"ko\"' is not JSON"),
        ('{"ko":NaN}', "ko: got nan, expected SIMPLE"),
        ("{" + '"a":[' * 100_000, "is not JSON"),
        ("aga +more", "no house rule 'more'; there are: literal, settled, opening"),
        ({"settled": "yes"}, "settled: got 'yes', expected true or false"),
    ],
)
def test_what_is_no_ruleset_is_refused_in_words(given, message):
    with pytest.raises(ValueError, match=re.escape(message)) as caught:
        Options(board_size=5, komi=0, ruleset=given)
    assert str(caught.value).startswith("ruleset: ")


@pytest.mark.parametrize(
    ("ruleset", "compensation"), [("aga", "no"), ("japanese", "short"), ("chinese", "short")]
)
def test_a_ruleset_decides_about_compensation(ruleset, compensation):
    settings = {"board_size": 9, "komi": 0, "internal_scorer_handicap_compensation": compensation}
    with pytest.raises(ValueError, match=r"^internal_scorer_handicap_compensation: got .*, but ruleset"):
        Options(**settings, ruleset=ruleset)


@pytest.mark.parametrize(("ruleset", "bonus"), [("aga", 3), ("chinese", 4), ("japanese", 0)])
@pytest.mark.parametrize("style", ["fixed", "free"])
def test_white_gets_what_the_ruleset_says_for_handicap_stones(ruleset, bonus, style):
    game = rules_under(ruleset, board_size=9, handicap=4, handicap_style=style)
    position = game.start()
    if style == "free":
        position = game.play(position, ((0, game.parse("A1 B2 C3 D4")),))
    assert game.score(position).handicap == bonus
    assert game.score(position).lead == -81 + bonus + (4 if game.choices.scoring == "TERRITORY" else 0)


@pytest.mark.parametrize(("moves", "bonus"), [("A1 pass B2 E5", 2), ("A1 E5", 0), ("A1 pass B2 pass C3", 3)])
def test_early_moves_count_as_handicap_where_it_is_agreed(moves, bonus):
    for ruleset, expected in (("chinese", 0), ("chinese +opening", bonus)):
        game = rules_under(ruleset)
        position = game.start()
        for text in moves.split():
            position = game.play(position, ((position.to_play, game.parse(text)),))
        assert game.score(position).handicap == expected
