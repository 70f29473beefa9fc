"""The specs of a pair's games: ids, seats, openings, and what they take from the settings."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
from msgspec import structs

from gyoji.core.faults import ConfigError
from gyoji.core.openings import Openings
from gyoji.core.plugins import GAMES
from gyoji.core.setup import CompetitionSetup, GameSettings
from gyoji.core.spec import Adjudication, Player, derive_seed
from gyoji.pairing.game_maker import GameMaker, block_of
from gyoji.results.game_ids import CHECK_ID, game_id, game_number
from result_games import game

A, B, S = (Player(code=code, command=(code,)) for code in "abs")
SETUP = CompetitionSetup(
    code="cup", kind="playoff", players={"a": A, "b": B, "s": S}, settings=None, seed=7, place="Tokyo"
)


def spec(settings, number=0, *, swaps=True, limit=24, name=""):
    return GameMaker(SETUP, settings, name=name).spec("AvB", number, limit, (A, B), swaps=swaps)


def seats(settings, count, **how):
    return ["".join(player.code for player in spec(settings, n, **how).players) for n in range(count)]


GO = GameSettings(game="go")
OPENED = replace(GO, options={"board_size": 9, "opening": ""}, openings=Openings(lines=("x", "y")))


@pytest.fixture
def in_teams(monkeypatch):
    """Makes the settings of a game for four, in two teams."""

    def made(*teams):
        four = structs.replace(
            GAMES.find("go"), name="four", seats=4, rules=lambda options, seed: SimpleNamespace(teams=teams)
        )
        monkeypatch.setitem(GAMES._loaded, "four", four)
        return GameSettings(game="four", options={"board_size": 9, "komi": 7.5})

    return made


@pytest.fixture
def in_pairs(in_teams):
    return in_teams(0, 1, 0, 1)


@pytest.mark.parametrize(
    ("number", "limit", "expected"),
    [(3, None, "p_3"), (3, 10, "p_3"), (3, 11, "p_03"), (12, None, "p_12"), (3, 0, "p_3"), (99, 24, "p_99")],
)
def test_ids_are_padded_to_the_width_of_the_last_number(number, limit, expected):
    assert game_id("p", number, limit) == expected
    assert game_number(game("ab", name=expected)) == number


@pytest.mark.parametrize("name", ["p_", "p_x", "p_-1", "q_0", "p", "p_²"])
def test_an_id_that_no_format_made_is_refused(name):
    with pytest.raises(ConfigError, match="does not belong to matchup 'p'"):
        game_number(game("ab", name=name, pairing="p"))


def test_the_players_change_places_in_odd_games_or_never():
    assert seats(GO, 4) == ["ab", "ba", "ab", "ba"]
    assert seats(GO, 4, swaps=False) == ["ab", "ab", "ab", "ab"]


def test_in_a_game_for_four_each_player_is_a_team(in_pairs):
    assert seats(in_pairs, 2) == ["abab", "baba"]
    check = GameMaker(SETUP, in_pairs).check("AvB", A)
    assert [player.code for player in check.players] == ["a"] * 4


def test_a_partner_takes_the_other_seats_of_its_team(in_pairs):
    pair = structs.replace(A, partner=("a-dog", "--fast")), B
    for number, commands in enumerate(("a b a-dog b", "b a b a-dog")):
        made = GameMaker(SETUP, in_pairs).spec("AvB", number, 2, pair, swaps=True)
        assert [player.command[0] for player in made.players] == commands.split()
        assert not any(player.partner for player in made.players[2:])


@pytest.mark.parametrize(
    ("teams", "commands"), [((0, 0, 1, 1), "a a-dog b b-dog"), ((0, 1, 1, 0), "a b b-dog a-dog")]
)
def test_the_seats_of_a_team_are_those_that_the_rules_say(in_teams, teams, commands):
    pair = structs.replace(A, partner=("a-dog",)), structs.replace(B, partner=("b-dog",))
    made = GameMaker(SETUP, in_teams(*teams)).spec("AvB", 0, 2, pair, swaps=True)
    assert [player.command[0] for player in made.players] == commands.split()


def test_players_of_more_than_two_teams_go_round_the_table(in_teams):
    maker = GameMaker(SETUP, in_teams(0, 1, 2), teams=3)
    games = [maker.spec("table", number, 4, (A, B, S), swaps=True) for number in range(4)]
    assert ["".join(game.codes) for game in games] == ["abs", "bsa", "sab", "abs"]
    assert maker.spec("table", 1, 4, (A, B, S), swaps=False).codes == ("a", "b", "s")
    assert maker.check("table", B).codes == ("b", "b", "b")


@pytest.mark.parametrize(("teams", "count"), [((0, 1, 2), 2), ((0, 1, 0, 1), 3), ((0, 0, 0), 2)])
def test_a_game_of_more_or_fewer_teams_than_the_format_seats_is_refused(in_teams, teams, count):
    has = len(set(teams))
    with pytest.raises(ConfigError, match=f"^cup: game: playoff seats {count} sides .* four has {has}: "):
        GameMaker(SETUP, in_teams(*teams), teams=count)


def test_every_opening_is_played_twice_with_the_players_changing_places():
    games = [spec(OPENED, number) for number in range(6)]
    told = [("".join(player.code for player in each.players), each.options["opening"]) for each in games]
    assert told == [("ab", "x"), ("ba", "x"), ("ab", "y"), ("ba", "y"), ("ab", "x"), ("ba", "x")]
    assert block_of(OPENED) == 2
    assert block_of(GO) == 1


def test_an_opening_depends_on_the_number_alone():
    maker = GameMaker(SETUP, OPENED)
    for number in (5, 0, 3, 3, 1, 4, 2):
        made = maker.spec("AvB", number, 24, (A, B), swaps=True)
        assert made == spec(OPENED, number)


def test_games_of_the_same_round_share_their_options():
    """The store writes what games share once, and tells it by identity."""
    maker = GameMaker(SETUP, OPENED)
    one, other = (maker.spec(pair, 2, 24, (A, B), swaps=True) for pair in ("AvB", "AvC"))
    assert one.options is other.options


def test_other_settings_of_the_options_stay_with_an_opening():
    assert spec(OPENED).options == {"board_size": 9, "opening": "x"}


def test_a_spec_carries_its_settings():
    settings = replace(GO, move_limit=9, scorer="engine", scoring_player="s", asking="in turn")
    made = spec(settings)
    assert (made.move_limit, made.scorer, made.scoring_player, made.asking) == (9, "engine", S, "in turn")
    assert (made.id, made.pairing, made.competition, made.place) == ("AvB_00", "AvB", "cup", "Tokyo")
    assert made.seed == derive_seed(7, "AvB_00")
    assert spec(GO).scoring_player is None


def test_a_spec_carries_what_may_end_its_game_and_what_its_seats_may_request():
    asked = {"adjudication": Adjudication(length=9), "take_backs": "ask", "draw_offers": True, "hints": True}
    made = spec(replace(GO, **asked))
    assert {name: getattr(made, name) for name in asked} == asked


def test_records_name_what_a_game_is_part_of_if_it_has_a_name():
    assert spec(GO).event == "cup"
    assert spec(GO, name="the final").event == "cup (the final)"


def test_a_check_is_a_game_against_oneself_from_the_first_opening():
    check = GameMaker(SETUP, OPENED).check("AvB", A)
    assert (check.id, check.players, check.options["opening"]) == (CHECK_ID, (A, A), "x")
