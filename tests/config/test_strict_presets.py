"""The presets of leagues and contests take programs for strangers', unless the control file knows them."""

import pytest

from gyoji.config.competition import load
from gyoji.core.plugins import GAMES

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
