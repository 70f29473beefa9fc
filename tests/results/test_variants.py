"""Games that are played with other options because an engine refuses those that are wanted."""

import re

import pytest
from msgspec.structs import replace

from gyoji.core import wire
from gyoji.core.setup import CompetitionSetup
from gyoji.core.spec import GameSpec, Player
from gyoji.formats.playoff import Matchup, Settings
from gyoji.games.gomoku.game_options import Options
from gyoji.pairing.game_maker import GameMaker
from gyoji.results.comparison import Conditions
from gyoji.results.variants import as_played, describe_variant, fitted, strangers, variant_key, variants

PLAYERS = {code: Player(code=code, command=("brain", code)) for code in "abc"}


def options(**given):
    made = Options(**given)
    return wire.encode({name: getattr(made, name) for name in Options.__dataclass_fields__})


WANTED = options(board_size=20, other_sizes=[15, [10, 12]], opening="k11l12")


def spec(*codes, **given):
    players = tuple(PLAYERS[code] for code in codes)
    return GameSpec(id="0", pairing="0", game="gomoku", players=players, options=given or WANTED)


def size_key(place):
    return variant_key(variants("gomoku", WANTED)[place])


def test_the_variants_of_a_game_are_at_its_sizes_with_the_opening_as_far_from_the_middle():
    found = [
        (each["board_size"], each["opening"], each["other_sizes"]) for each in variants("gomoku", WANTED)
    ]
    assert found == [(20, "k11l12", []), (15, "h8i9", []), ([10, 12], "f7g8", [])]
    alone = options(board_size=20)
    assert variants("gomoku", alone) == (alone,)
    assert variants("go", {"board_size": 9}) == ({"board_size": 9},)


@pytest.mark.parametrize(
    ("refused", "size"),
    [
        ({}, 20),
        ({"c": (0, 1, 2)}, 20),
        ({"a": (0,)}, 15),
        ({"a": (0,), "b": (1,)}, [10, 12]),
        ({"a": (0, 1), "b": (2,)}, 20),
    ],
)
def test_a_game_is_played_at_the_first_size_that_nobody_in_it_refuses(refused, size):
    refusals = {code: frozenset(map(size_key, places)) for code, places in refused.items()}
    game = fitted(spec("a", "b"), refusals)
    assert (game.options["board_size"], game.options["other_sizes"]) == (size, [])
    assert as_played(spec("a", "b"), game.options).options == game.options


def test_another_opening_is_refused_and_taken_at_the_same_sizes():
    other = spec("a", "b", **{**WANTED, "opening": "j10"})
    refusals = {"a": frozenset([size_key(0)])}
    assert fitted(other, refusals).options["opening"] == "g7"


def test_players_without_a_size_in_common_are_found():
    refusals = {"a": frozenset([size_key(0)]), "b": frozenset([size_key(1)]), "c": frozenset([size_key(2)])}
    assert list(strangers(spec("a", "b"), refusals)) == []
    refusals["c"] |= {size_key(1)}
    assert list(strangers(spec("a", "b"), refusals)) == [("a", "c")]


def test_a_variant_is_described_by_what_is_another_option():
    assert [describe_variant(each, WANTED) for each in variants("gomoku", WANTED)] == [
        *("", "board_size = 15", "board_size = [10,12]"),
    ]


def differences(played, **now):
    matchup = Matchup(id="0", name="a v b", player_1="a", player_2="b", game="gomoku", options=options(**now))
    setup = CompetitionSetup(
        code="cup", kind="playoff", players=PLAYERS, settings=Settings(matchups=(matchup,))
    )
    pair = (PLAYERS["a"], PLAYERS["b"])
    game = replace(GameMaker(setup, matchup).spec("0", 0, 10, pair, swaps=True), options=played)
    return [each.text for each in Conditions.of(game).differences(Conditions.of_settings(matchup))]


def test_a_game_counts_at_whichever_size_of_the_event_it_was_played():
    sizes = {"board_size": 20, "other_sizes": [15]}
    assert differences(options(board_size=15), **sizes) == []
    assert differences(options(board_size=20), **sizes) == []
    assert differences(options(board_size=20), board_size=20) == []
    assert differences(options(board_size=10), **sizes) == ["board size 10, not 20"]
    assert differences(options(board_size=15), board_size=20) == ["board size 15, not 20"]
    assert differences(options(board_size=15, rule="renju"), **sizes) == [
        *("board size 15, not 20", "rule renju, not freestyle"),
    ]


def test_a_game_that_was_stored_before_there_were_other_sizes_counts():
    before = {name: value for name, value in options(board_size=15).items() if name != "other_sizes"}
    assert differences(before, board_size=20, other_sizes=[15]) == []
    assert differences(before, board_size=15, other_sizes=[20]) == []


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"other_sizes": 15}, "other_sizes: got 15, expected a list of sizes such as [15, 19]"),
        ({"other_sizes": [4]}, "other_sizes: 4: board_size: got 4, expected 5 to 127"),
        ({"other_sizes": ["x"]}, "other_sizes: 'x': board_size: got 'x'"),
        ({"other_sizes": [15]}, "other_sizes: expected sizes that differ, and none that is board_size"),
        ({"other_sizes": [[20, 20], 20]}, "other_sizes: expected sizes that differ"),
        ({"opening": "a1", "other_sizes": [7]}, "other_sizes: 7: column -4, row -4"),
        ({"draw_margin": 50, "other_sizes": [7]}, "other_sizes: 7: draw_margin: got 50, expected 0 to 48"),
    ],
)
def test_sizes_at_which_a_game_could_not_be_played_are_refused(given, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        Options(**given)
