"""The form for a new game: what it offers, the answers it takes, and the position that a game begins from."""

import json
from pathlib import Path

import pytest

from gyoji.config.competition import load
from gyoji.core.faults import ConfigError
from gyoji.core.forms import Strength
from gyoji.core.plugins import FORMATS, GAMES
from gyoji.core.wire import dumps, encode
from gyoji.web.hosting import MARK, write_game
from gyoji.web.new_game import described, plain_game, position
from gyoji.web.opponents import Opponent

ENGINE = Opponent(
    "engine", "", {"command": ["pbrain-prog"]}, (Strength("usual"), Strength("level 1", ("--level", "1")))
)
ANSWERS = {"game": "go", "name": "ann", "clock": "10m", "side": 0, "opponent": {"key": "/engine"}}
WITH_FORMS = sorted(name for name in GAMES.names if GAMES.find(name).form is not None)


def plain(is_limited=False, **answers):
    return plain_game({**ANSWERS, **answers}, [ENGINE], is_limited=is_limited)


@pytest.mark.parametrize("game", WITH_FORMS)
@pytest.mark.parametrize("opponent", [{"key": "/engine"}, {"person": "ben"}])
def test_the_usual_answers_make_a_game_that_can_be_played(tmp_path, game, opponent):
    path = write_game(tmp_path / "games", plain(game=game, opponent=opponent))
    setup = load(path)
    spec = FORMATS.find(setup.kind).competition(setup).next_game()
    assert (spec.game, spec.players[0].code, spec.players[0].is_person) == (game, "ann", True)
    assert spec.players[1].is_person is ("person" in opponent)
    assert setup.warnings == ()


@pytest.mark.parametrize("game", WITH_FORMS)
def test_every_choice_of_a_form_is_one_that_the_game_knows(tmp_path, game):
    form = GAMES.find(game).form()
    for field in form.fields:
        for value, _ in field.choices or ((field.value, ""),):
            plain_settings = plain(game=game, settings={field.key: value}, opponent={"person": "ben"})
            write_game(tmp_path / "games", plain_settings)


def test_every_game_has_files_of_its_own_and_says_that_it_was_begun_on_the_page(tmp_path):
    paths = [write_game(tmp_path, plain()) for _ in range(3)]
    assert [path.name for path in paths] == [f"ann-engine-{number}.toml" for number in (1, 2, 3)]
    assert all(path.read_text().startswith(MARK) for path in paths)


@pytest.mark.parametrize(
    ("name", "code", "stem"),
    [
        ("Jürg  Müller", "Jürg Müller", "Jurg-Muller"),
        ("林", "林", "player"),
        ("J\u0075\u0308rg", "Jürg", "Jurg"),
        ("สมชาย", "สมชาย", "player"),
    ],
)
def test_people_have_names_in_any_script(tmp_path, name, code, stem):
    path = write_game(tmp_path, plain(name=name))
    assert path.name == f"{stem}-engine-1.toml"
    setup = load(path)
    assert list(setup.players) == [code, "engine"]
    assert setup.description == f"{code} - engine"


def test_colours_change_when_the_same_players_play_again(tmp_path):
    path = write_game(tmp_path, plain(side=1))
    setup = load(path.rename(tmp_path / "two.toml"))
    assert setup.settings.matchups[0].codes == ("engine", "ann")
    assert setup.settings.matchups[0].swaps


def test_a_strength_is_more_words_of_the_command_and_a_name_of_its_own():
    made = plain(opponent={"key": "/engine", "strength": "level 1"})
    assert made["players"]["engine-level-1"] == {"command": ["pbrain-prog", "--level", "1"]}


def test_a_person_may_have_all_the_time_against_an_engine_but_not_where_anybody_plays():
    assert plain(untimed=True)["players"]["ann"] == {"human": True, "clock": "none"}
    assert plain(untimed=True, is_limited=True)["players"]["ann"] == {"human": True}
    assert plain(untimed=True, opponent={"person": "ben"})["players"]["ann"] == {"human": True}


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ({"game": "hex"}, "no game 'hex'"),
        ({"name": ""}, "your name: expected"),
        ({"name": "a/b"}, "your name: expected"),
        ({"name": "../x"}, "your name: expected"),
        ({"name": "x" * 31}, "your name: expected"),
        ({"name": 3.5}, "your name: expected"),
        ({"side": 2}, "side: expected 0 or 1"),
        ({"side": True}, "side: expected 0 or 1"),
        ({"opponent": None}, "opponent: expected an object"),
        ({"opponent": {"key": "/rm"}}, "opponent: there is none of that name"),
        ({"opponent": {"command": "rm"}}, "opponent: there is none of that name"),
        ({"opponent": {"key": "/engine", "strength": "x"}}, "strength: expected one of usual, level 1"),
        ({"opponent": {"person": "ann"}}, "you are ann"),
        ({"opponent": {"person": "b,b"}}, "the other person's name"),
        ({"name": "a\u202eb"}, "your name: expected"),
        ({"settings": []}, "settings: expected an object"),
        ({"settings": {"scorer": "judge"}}, "'scorer' is not asked for"),
        ({"settings": {"board_size": 26}}, "board: '26' cannot be chosen"),
        ({"settings": {"board_size": "9"}}, "board: '9' cannot be chosen"),
        ({"settings": {"board_size": True}}, "board: 'True' cannot be chosen"),
        ({"settings": {"ruleset": "ing"}}, "rules: 'ing' cannot be chosen"),
        ({"settings": {"komi": 1e999}}, "komi: 'inf' cannot be chosen"),
        ({"opening": 3}, "opening: expected a text"),
    ],
)
def test_answers_that_the_form_does_not_offer_are_refused(answers, message):
    with pytest.raises(ConfigError, match=message):
        plain(**answers)


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ({"clock": "soon"}, "clock"),
        ({"settings": {"board_size": 5, "handicap": 9}}, "handicap"),
        ({"opening": "A1 A1"}, "opening"),
        ({"settings": {"board_size": 9.5}}, "board_size"),
        ({"take_backs": "sometimes"}, "take_backs"),
    ],
)
def test_answers_that_do_not_fit_together_leave_no_file(tmp_path, answers, message):
    with pytest.raises(ConfigError, match=message):
        write_game(tmp_path / "games", plain(**answers))
    assert not (tmp_path / "games").exists()


def test_where_anybody_plays_nobody_keeps_a_game_waiting():
    assert (plain()).get("show_up") is None
    assert plain(is_limited=True)["show_up"] == "15m"


def test_a_game_without_a_clock_is_refused_where_anybody_plays():
    with pytest.raises(ConfigError, match="clock"):
        plain(is_limited=True, clock="none")


RANDOM = Opponent("random", "", {"command": ["random"]})
SLOW = Opponent("slow", "cup", {"command": ["slow"], "threads": 2}, resources={"gpu": 1})
DOGS = [ENGINE, RANDOM, SLOW]


def seated(tmp_path, *mates):
    """Who sits where in a game of Dig Here with these mates: the person or the program of each seat."""
    told = {**ANSWERS, "game": "dighere", "mates": list(mates)}
    setup = load(write_game(tmp_path, plain_game(told, DOGS, is_limited=False)))
    players = FORMATS.find(setup.kind).competition(setup).next_game().players
    return [player.person if player.is_person else player.command[0] for player in players]


PERSON = {"person": True}


@pytest.mark.parametrize(
    ("mates", "samurai_and_dogs"),
    [
        ([None, None], ["ann", "pbrain-prog", "ann", "pbrain-prog"]),
        ([{"key": "/random"}, None], ["ann", "pbrain-prog", "random", "pbrain-prog"]),
        ([PERSON, None], ["ann", "pbrain-prog", "ann (partner)", "pbrain-prog"]),
        ([None, {"key": "/random"}], ["ann", "pbrain-prog", "ann", "random"]),
        ([None, PERSON], ["ann", "pbrain-prog", "ann", "engine (partner)"]),
        ([{"key": "cup/slow"}, PERSON], ["ann", "pbrain-prog", "slow", "engine (partner)"]),
    ],
)
def test_each_agent_of_a_team_has_a_player_of_its_own_where_somebody_wants_that(
    tmp_path, mates, samurai_and_dogs
):
    assert seated(tmp_path, *mates) == samurai_and_dogs


def test_a_mate_has_its_strength_and_settings_and_the_resources_that_it_needs():
    told = {
        **ANSWERS,
        "game": "dighere",
        "mates": [{"key": "cup/slow"}, {"key": "/engine", "strength": "level 1"}],
    }
    made = plain_game(told, DOGS, is_limited=False)
    assert made["players"]["ann"] == {"human": True, "threads": 2, "partner": ["slow"]}
    assert made["players"]["engine"]["partner"] == ["pbrain-prog", "--level", "1"]
    assert made["resources"] == {"gpu": 1}


def test_who_plays_beside_other_persons_takes_moves_back_where_they_agree():
    told = {**ANSWERS, "game": "dighere", "take_backs": "always"}
    ways = [
        plain_game({**told, "mates": mates}, DOGS, is_limited=False)["take_backs"]
        for mates in ([None, None], [{"key": "/random"}, None], [PERSON, None], [None, PERSON])
    ]
    assert ways == ["always", "always", "ask", "ask"]


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ({"mates": [None]}, "mates: expected a list of two"),
        ({"mates": {"key": "/random"}}, "mates: expected a list of two"),
        ({"mates": ["random", None]}, "mates: expected an object or null"),
        ({"mates": [{"key": "/rm"}, None]}, "mates: there is none of that name"),
        ({"mates": [{"command": "rm"}, None]}, "mates: there is none of that name"),
        ({"mates": [None, {"key": "cup/slow"}]}, "same settings"),
        ({"game": "go", "mates": [PERSON, None]}, "mates: expected null"),
    ],
)
def test_mates_that_the_form_does_not_offer_are_refused(answers, message):
    with pytest.raises(ConfigError, match=message):
        plain_game({**ANSWERS, "game": "dighere", **answers}, DOGS, is_limited=False)


def test_only_programs_with_the_same_settings_are_offered_for_one_team():
    game = GAMES.find("dighere")
    offered = described(game, game.form(), DOGS)
    assert offered["mate"] == "dog"
    assert [each["mates"] for each in offered["opponents"]] == [["/engine", "/random"]] * 2 + [["cup/slow"]]
    assert described(GAMES.find("go"), GAMES.find("go").form(), [])["mate"] == ""


SGF = "(;GM[1]SZ[9]AB[cc]AW[gg];B[ee])"
PSQ = "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,0\n"


@pytest.mark.parametrize(
    ("game", "means", "opening", "to_move"),
    [
        ("go", {}, "", 0),
        ("go", {"opening": "e5 c3"}, "E5 C3", 0),
        ("go", {"stones": [["B", "E5"], ["W", "C3"]]}, "AB E5 AW C3 PL B", 0),
        ("go", {"stones": [["B", "E5"], ["B", "C3"]]}, "AB E5 C3 PL W", 1),
        ("go", {"stones": [["B", "E5"]], "to_move": 0}, "AB E5 PL B", 0),
        ("go", {"stones": []}, "", 0),
        ("go", {"file": {"name": "x.sgf", "text": SGF}}, "AB C7 AW G3 PL B E5", 1),
        ("go", {"settings": {"handicap": 2}}, "", 1),
        ("gomoku", {"stones": [["B", "H8"], ["W", "J9"], ["B", "A1"]]}, "h8j9a1", 1),
        ("gomoku", {"opening": "H8J9"}, "h8j9", 0),
        ("gomoku", {"file": {"name": "x.psq", "text": PSQ}}, "h8i9", 0),
        ("dighere", {}, "", None),
    ],
)
def test_a_position_is_typed_drawn_or_read_from_a_file(game, means, opening, to_move):
    told = position({"game": game, **means})
    assert (told["opening"], told["to_move"]) == (opening, to_move)


EXAMPLES = Path(__file__).parents[2] / "examples"
FIELD = (EXAMPLES / "openings" / "dighere.jsonl").read_text(encoding="utf-8").partition("\n")[0]


@pytest.mark.parametrize(
    ("game", "file"),
    [
        ("go", {"name": "x.sgf", "text": SGF}),
        ("gomoku", {"name": "x.psq", "text": PSQ}),
        ("dighere", {"name": "x.dighere", "text": FIELD}),
    ],
)
def test_a_game_begins_from_the_position_that_was_shown(tmp_path, game, file):
    shown = position({"game": game, "file": file})
    setup = load(write_game(tmp_path, plain(game=game, opening=json.loads(dumps(shown["opening"])))))
    options = FORMATS.find(setup.kind).competition(setup).next_game().options
    assert encode(options["opening"]) == shown["opening"]
    assert shown["board"]["columns"]


def test_what_stands_on_the_board_is_in_the_first_frame():
    board = position({"game": "go", "opening": "AB A9 AW B9"})["board"]
    assert [frame[0] for frame in board["frames"]] == [[0, "B", 1, "W"]]
    assert (board["columns"][0], board["rows"][0]) == ("A", "9")


@pytest.mark.parametrize(
    ("game", "means", "message"),
    [
        ("go", {"opening": "Z9"}, "opening"),
        ("go", {"stones": [["B", "Z9"]]}, "Z9"),
        ("go", {"stones": [["B"]]}, "stones"),
        ("go", {"stones": "B"}, "stones"),
        ("go", {"stones": [["B", "A2"], ["B", "B1"], ["W", "A1"]]}, "no liberty at A1"),
        ("go", {"stones": [], "to_move": 2}, "stones"),
        ("go", {"file": {"name": "x.sgf", "text": "no game"}}, "line 1"),
        ("go", {"file": {"name": "x.sgf", "text": ""}}, "found the end"),
        ("go", {"file": {"name": "x.txt", "text": "# nothing"}}, "no position in it"),
        ("go", {"file": {"name": "x.sgf", "text": "(;SZ[19];B[aa])"}}, "got a game of 19x19"),
        ("go", {"file": "x"}, "file"),
        ("gomoku", {"stones": [["W", "H8"]]}, "take turns"),
        ("gomoku", {"stones": [["B", "H8"]], "to_move": 0}, "black is to move"),
        ("gomoku", {"opening": "a1a9b1b9c1c9d1d9e1"}, "over"),
        ("dighere", {"stones": []}, "stones"),
        ("dighere", {"opening": "{}"}, "opening"),
    ],
)
def test_a_position_that_cannot_be_says_why(game, means, message):
    with pytest.raises(ConfigError, match=message):
        position({"game": game, **means})
