"""What a control file does not say: its game's usual settings, and over them those of a preset."""

import pytest

from gyoji.config.competition import load
from gyoji.core.clocks import TimeControl
from gyoji.core.plugins import GAMES
from gyoji.core.text import parse_duration, parse_size

HEAD = """
    competition = "playoff"
    game = "stones"
    """
TABLES = """
    [players.a]
    command = "./b-a"
    [players.b]
    command = "./b-b"
    [[matchups]]
    players = ["a", "b"]
    """


@pytest.fixture
def setup(write):
    return lambda top="", tables=TABLES: load(write(HEAD + top + tables))


def only(setup):
    (matchup,) = setup.settings.matchups
    return matchup


def test_a_game_s_usual_settings_are_those_that_the_file_does_not_give(setup):
    got = setup()
    assert only(got).move_limit == 400
    assert [player.protocol for player in got.players.values()] == ["brain", "brain"]
    assert got.players["a"].budgets.startup == parse_duration("5s")
    assert only(setup("move_limit = 7")).move_limit == 7
    assert only(setup(tables=TABLES + "move_limit = 8")).move_limit == 8


def test_a_preset_lies_over_them_and_under_the_file(setup):
    got = setup('preset = "club"\nboard_size = 13')
    matchup = only(got)
    assert matchup.options == {"board_size": 13, "rule": "strict", "opening": "", "gap": 0}
    assert (matchup.alternating, matchup.move_limit) == (True, 400)
    assert matchup.clock == TimeControl(
        main=parse_duration("3m"), move=parse_duration("30s"), margin=parse_duration("1s"), from_start=True
    )
    assert [player.ponders for player in got.players.values()] == [False, False]
    assert {player.budgets.memory for player in got.players.values()} == {parse_size("350MB")}


def test_a_clock_replaces_the_preset_s_as_a_whole(setup):
    assert only(setup('preset = "club"\nclock = "1m"')).clock == TimeControl.parse("1m")


def test_budgets_are_laid_over_each_other_key_by_key(setup):
    tables = TABLES.replace('"./b-a"', '"./b-a"\nbudgets = { close = "4s", reply = "2KB" }')
    got = setup('preset = "club"\nbudgets = { move = "9s", close = "3s" }', tables)
    a, b = (got.players[code].budgets for code in "ab")
    assert (a.startup, a.close, a.move, a.reply) == (7 * 10**9, 4 * 10**9, 9 * 10**9, 2048)
    assert (b.startup, b.close, b.move, b.reply) == (7 * 10**9, 3 * 10**9, 9 * 10**9, 1 << 20)


def test_what_a_preset_says_to_another_format_is_left_out(setup):
    """`competitors_only` is no setting of a playoff: the preset of a league serves every format."""
    assert setup('preset = "club"').warnings == ()


@pytest.mark.parametrize(
    ("top", "complaint"),
    [
        ("preset = 'clbu'", "event.toml:3: preset: no preset 'clbu' of 'stones'; there are: club, huge"),
        ("preset = 3", "event.toml:3: preset: no preset 3 of 'stones'; there are: club, huge"),
    ],
)
def test_a_preset_that_there_is_not_is_told_with_those_that_there_are(complaints, top, complaint):
    assert complaints(f"{HEAD.strip()}\n{top}\n{TABLES}") == [complaint]


def test_a_game_without_presets_says_so(complaints):
    text = 'competition = "playoff"\nboard_size = 9\nkomi = 0\npreset = "club"\n'
    assert complaints(text + TABLES) == ["event.toml:4: preset: no preset 'club' of 'go'; it has none"]


def test_a_mistake_of_a_preset_is_told_as_its_own_at_the_line_that_names_it(complaints):
    assert complaints(f'{HEAD.strip()}\npreset = "huge"\n{TABLES}') == [
        "event.toml:3: budgets.move: -1 is not a duration: write seconds from 0, or 90s, 1m30s, 250ms"
        " (from preset 'huge')",
        "event.toml:3: board_size: got 99, expected 20 at most (from preset 'huge')",
    ]
    (complaint,) = complaints(f'{HEAD.strip()}\npreset = "huge"\nboard_size = 9\nbudgets.move = 1\n{TABLES}')
    assert complaint == "event.toml:3: move_limit: expected 1 or more, got 0 (from preset 'huge')"


def test_a_value_that_does_not_go_with_a_preset_is_told_with_what_that_gives(complaints):
    assert complaints(f'{HEAD.strip()}\npreset = "club"\ngap = 19\n{TABLES}') == [
        "event.toml:4: gap: got 19, expected less than 19"
    ]


def test_an_unknown_protocol_of_the_game_s_own_is_told_as_that(complaints, monkeypatch):
    from gyoji.core.plugins import GAMES  # noqa: PLC0415

    monkeypatch.setitem(GAMES.find("stones").defaults, "protocol", "morse")
    (complaint,) = complaints(f"{HEAD.strip()}\n{TABLES}")
    assert complaint.startswith("event.toml:2: protocol: no protocol 'morse'; there are: ")
    assert complaint.endswith(" (from the game 'stones')")


LEAGUES = [(game, preset) for game in ("gomoku", "dighere") for preset in GAMES.find(game).presets]


def levels(tmp_path, game, preset, top="", own=""):
    for name in ("pbrain-a", "pbrain-b"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    path = tmp_path / "cup.toml"
    path.write_text(
        f'competition = "allplayall"\ngame = "{game}"\npreset = "{preset}"\n{top}\n'
        f'[players.a]\ncommand = "./pbrain-a"\n{own}\n[players.b]\ncommand = "./pbrain-b"\n'
    )
    return {code: player.containment.level for code, player in load(path).players.items()}


def test_there_are_leagues():
    assert len(LEAGUES) > 10


@pytest.mark.parametrize(("game", "preset"), LEAGUES)
def test_a_league_contains_its_programs_strictly(tmp_path, game, preset):
    assert levels(tmp_path, game, preset) == {"a": "strict", "b": "strict"}


def test_a_control_file_or_a_player_can_say_otherwise(tmp_path):
    game, preset = LEAGUES[0]
    assert levels(tmp_path, game, preset, top='sandbox = "off"') == {"a": "off", "b": "off"}
    assert levels(tmp_path, game, preset, own='sandbox = "guarded"') == {"a": "guarded", "b": "strict"}
