"""Records played over by the rules: what is refused, what is taken as it is meant, how it is counted."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gyoji.core.faults import ConfigError
from gyoji.core.replay import Wanted
from gyoji.games.go.game_options import DEFAULT_RULESET
from gyoji.games.go.sgf_replay import SGF
from gyoji.sgf.grammar import SgfError

# White takes the ko at B4 and Black may not take back at once: the points of a ko around B4 and C4.
KO = ";B[ba];W[ca];B[ab];W[db];B[bc];W[cc];B[cb];W[bb]"


def replayed(body, **wanted):
    """Return the one game of an SGF text without its brackets and GM."""
    [game] = SGF.replay(f"(;GM[1]FF[4]{body})".encode(), Wanted(**wanted))
    return game


def fact(game, label):
    return dict(game.facts)[label]


@pytest.mark.parametrize(
    ("body", "rules", "refusal"),
    [
        ("SZ[5];B[cc];W[cc]", "chinese", "move 2, White C3: occupied point C3"),
        (f"SZ[5]{KO};B[cb]", "chinese", "move 9, Black C4: ko at C4"),
        ("SZ[4:1];B[ba];W[ca];B[aa];W[aa];B[ba]", "tromp-taylor", "move 5, Black B1: superko at B1"),
        ("SZ[5]AW[ba][ab][bb];B[aa]", "chinese", "move 1, Black A5: suicide at A5"),
        ("SZ[5]AW[ca][cb][ab][bb]AB[ba];B[aa]", "chinese", "move 1, Black A5: suicide at A5"),
        ("SZ[5];B[];W[];B[aa]", "chinese", "move 3, Black A5: the game is over"),
        ("SZ[3]AB[aa:ca]AW[ab:cb];B[ac]", "chinese", "the stones at the start: no liberty at A3"),
    ],
)
def test_the_first_illegal_move_is_named_with_the_law_it_breaks(body, rules, refusal):
    game = replayed(body, rules=rules)
    assert game.refusals == (refusal,)
    assert (game.diagram, game.verdict) == ("", "")


def test_a_play_that_one_ruleset_forbids_another_allows():
    suicide = "SZ[5]AW[ca][cb][ab][bb]AB[ba];B[aa]"
    assert replayed(suicide, rules="new-zealand").refusals == ()
    assert replayed(suicide, rules="japanese").refusals != ()


def test_only_the_first_illegal_move_counts_unless_all_are_wanted():
    body = "SZ[5];B[cc];W[cc];B[dd];W[dd];B[ee]"
    assert len(replayed(body).refusals) == 1
    assert replayed(body, goes_on=True).refusals == (
        "move 2, White C3: occupied point C3",
        "move 4, White D2: occupied point D2",
    )


@pytest.mark.parametrize(
    ("given", "taken", "note"),
    [
        ("RU[Japanese]", "japanese", ""),
        ("RU[ AGA ]", "aga", ""),
        ("RU[koSIMPLEscoreAREAtaxSEKIsui1]", "koSIMPLEscoreAREAtaxSEKIsui1", ""),
        ("RU[House]", DEFAULT_RULESET, "RU[House] is not a known ruleset: chinese rules are taken"),
        ("", DEFAULT_RULESET, "the file names no rules: chinese rules are taken"),
        ("AP[gyoji:1]", "none", ""),
        ("AP[gyoji:1]RU[NZ]", "new-zealand", ""),
    ],
)
def test_the_rules_are_those_that_the_file_names(given, taken, note):
    game = replayed(f"SZ[9]KM[0]{given};B[aa]")
    assert fact(game, "rules") == taken
    assert game.notes == ((note,) if note else ())


def test_rules_and_komi_that_are_asked_for_go_before_those_of_the_file():
    game = replayed("SZ[9]KM[0]RU[Japanese];B[aa]", rules="none", komi=5.5)
    assert (fact(game, "rules"), fact(game, "komi"), game.notes) == ("none", "5.5", ())


@pytest.mark.parametrize(("rules", "komi"), [("japanese", "6.5"), ("chinese", "7.5"), ("none", "7.5")])
def test_without_a_komi_that_of_the_rules_is_taken_and_said_so(rules, komi):
    game = replayed("SZ[9];B[aa]", rules=rules)
    assert fact(game, "komi") == komi
    assert game.notes == (f"the file gives no komi: it is taken as {komi}",)


def test_rules_that_nobody_knows_are_the_users_mistake():
    with pytest.raises(ConfigError, match=r"rules: 'foo' is neither .* goe; or none"):
        replayed("SZ[9];B[aa]", rules="foo")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("SZ[30];B[aa]", "board_size"),
        ("SZ[9];B[zz]", "node 1: 'zz' is not a point"),
        ("SZ[9]AB[aa:cc]AW[bb]", "node 0: a black and a white stone are set up at bb"),
        ("SZ[9];B[aa];AE[aa]", "node 2: stones are set by hand after move 1"),
    ],
)
def test_what_cannot_be_a_game_is_no_illegal_move_but_a_bad_file(body, message):
    with pytest.raises(ValueError, match=message):
        replayed(body)


def test_a_bad_game_of_a_collection_is_named():
    with pytest.raises(ValueError, match=r"^game 2: node 1: 'zz' is not a point"):
        SGF.replay(b"(;SZ[9];B[aa])(;SZ[9];B[zz])", Wanted())


def test_handicap_stones_are_set_up_and_counted():
    game = replayed("SZ[9]KM[0.5]HA[2]AB[cg][gc]RU[AGA]RE[B+79.5];W[];B[]")
    assert fact(game, "handicap") == "2"
    assert game.verdict == "the record says B+79.5, the rules B+79.5"
    assert game.notes == ()


def test_a_handicap_that_is_written_as_moves_is_a_handicap():
    game = replayed("SZ[9]KM[0.5]HA[2]RU[AGA];B[cg];B[gc];W[ee];B[ee]")
    assert (fact(game, "handicap"), fact(game, "moves")) == ("2", "4")
    assert game.notes == ("Black's first 2 moves are its handicap stones",)
    assert game.refusals == ("move 4, Black E5: occupied point E5",)


@pytest.mark.parametrize("moves", [";W[aa]", ";B[aa];W[bb]", ";B[aa];B[]", ";B[aa];B[aa]", ""])
def test_a_handicap_without_stones_is_played_without(moves):
    game = replayed(f"SZ[9]KM[0.5]HA[2]RU[AGA]{moves}")
    assert "HA[2] but no handicap stones: played without" in game.notes
    assert "handicap" not in dict(game.facts)


def test_a_board_may_be_wider_than_high():
    game = replayed("SZ[4:2]KM[0]RU[Chinese]RE[W+4];B[da];W[];B[]", is_scored=True)
    assert fact(game, "size") == "4x2"
    assert game.diagram.splitlines()[0] == " 2 . . . X"
    assert game.verdict.endswith("the rules B+8: they differ")


def test_a_side_that_moves_twice_in_a_row_is_taken_at_its_word():
    game = replayed("SZ[9]KM[0]RU[Chinese];B[aa];B[bb];W[cc];W[dd];W[ee]")
    assert game.refusals == ()
    assert game.notes == ("out of turn, played as if it were that side's turn: move 2, 4, 5",)


def test_whose_turn_it_is_at_first_the_file_says():
    assert replayed("SZ[9]KM[0]RU[Chinese]PL[W];W[aa]").notes == ()
    assert replayed("SZ[9]KM[0]RU[Chinese]PL[W];B[aa]").notes != ()
    assert replayed("SZ[9]KM[0]RU[Chinese]AB[cc]AW[dd];W[aa]").notes == ()


def test_passes_after_the_end_are_left_out():
    game = replayed("SZ[3]KM[0]RU[AGA]RE[B+9];B[bb];W[];B[];W[tt]")
    assert game.notes == ("passes after the end of the game, left out: 1",)
    assert game.verdict == "the record says B+9, the rules B+9"


WALLS = "B[ba];W[ca];B[bb];W[cb];B[bc];W[cc];B[bd];W[cd];B[be];W[ce]"
"""Black has the left 2 columns of 5, White the right 3."""


@pytest.mark.parametrize(
    ("body", "verdict"),
    [
        (f"RU[Chinese]RE[W+5.50];{WALLS};B[];W[]", "the record says W+5.5, the rules W+5.5"),
        (f"RU[Chinese]RE[W+R];{WALLS};B[];W[]", "the record says W+R, the rules W+5.5"),
        (f"RU[Chinese];{WALLS};B[];W[]", "the record says nothing, the rules W+5.5"),
        (f"RU[Chinese]RE[B+1];{WALLS};B[];W[]", "the record says B+1, the rules W+5.5: they differ"),
        (f"RU[Chinese]RE[Draw];{WALLS};B[];W[]", "the record says 0, the rules W+5.5: they differ"),
        (f"RU[Japanese]RE[W+5.5];{WALLS};B[];W[]", "the record says W+5.5, the rules W+5.5"),
        (f"RU[Chinese];{WALLS}", ""),
    ],
)
def test_a_game_that_ends_with_passes_is_counted_and_compared(body, verdict):
    assert replayed(f"SZ[5]KM[0.5]{body}").verdict == verdict


def test_a_game_that_does_not_end_with_passes_is_counted_on_request():
    game = replayed(f"SZ[5]KM[0.5]RU[Chinese]RE[W+T];{WALLS}", is_scored=True)
    assert game.verdict == "the record says W+T, the rules W+5.5"


@pytest.mark.parametrize(("rules", "result"), [("Japanese", "W+6.5"), ("Chinese", "W+5.5"), ("AGA", "W+5.5")])
def test_stones_in_the_others_territory_are_dead(rules, result):
    body = f"SZ[5]KM[0.5]RU[{rules}]RE[{result}];{WALLS};B[dc];W[];B[];W[]"
    owners = "TB[aa:ae]TW[da:ee]"
    assert replayed(body).verdict.endswith("differ")
    game = replayed(body + owners)
    assert game.verdict == f"the record says {result}, the rules {result}"
    assert game.notes[-1] == "1 stone taken off as dead, as TB and TW of the file have it"


def test_territory_that_cannot_be_read_is_as_good_as_none():
    assert replayed(f"SZ[5]KM[0.5]RU[Chinese]RE[W+5.5];{WALLS};B[];W[]TB[zz]").verdict.endswith("W+5.5")


def test_a_clean_up_that_was_not_played_out_is_mentioned():
    game = replayed(f"SZ[5]KM[0.5]RU[Japanese];{WALLS};B[];W[]")
    assert game.notes == ("the clean-up was not played out: the board is counted as it stands",)


def test_a_position_that_comes_up_for_the_third_time_ends_the_game_without_result():
    circle = ";B[ba];W[da];B[aa];W[ca];B[ba];W[da];B[aa];W[ca];B[ba]"
    game = replayed(f"SZ[4:1]KM[0]RU[Chinese]RE[Void]{circle}")
    assert game.verdict == "the record says Void, the rules Void"
    assert game.notes == ("the third time the same position",)
    assert replayed(f"SZ[4:1]KM[0]RU[Chinese]{circle};W[da]").refusals == (
        "move 10, White D1: the game is over (the third time the same position)",
    )


def test_what_stands_in_a_file_is_printed_as_one_line():
    game = replayed("SZ[9]KM[0]RU[a\x1b[2Jb\nc]PB[x\x1by\nz];B[aa]".replace("[2J", "\\[2J"))
    assert fact(game, "black") == "x\\x1by z"
    assert "\x1b" not in "".join(game.notes)


moves = st.lists(st.sampled_from([f"{x}{y}" for x in "abcd" for y in "abcd"] + [""]), max_size=25)


@given(moves, st.sampled_from(["none", "chinese", "japanese", "tromp-taylor", "aga-button"]), st.booleans())
def test_any_sequence_of_moves_is_played_or_refused(points, rules, goes_on):
    body = "".join(f";{'BW'[index % 2]}[{point}]" for index, point in enumerate(points))
    game = replayed(f"SZ[4]KM[0]{body}", rules=rules, is_scored=True, goes_on=goes_on)
    assert bool(game.verdict) != bool(game.refusals)


@given(st.binary(max_size=60))
def test_anything_that_is_no_record_is_refused_as_such(data):
    with pytest.raises((SgfError, ValueError)):
        SGF.replay(b"(" + data.replace(b";", b"").replace(b"[", b""), Wanted())
