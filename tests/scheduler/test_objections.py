"""A competition is refused, when its file is opened, whose games the protocol of a player cannot express."""

import pytest

from gyoji.core.faults import ConfigError
from gyoji.scheduler.event import Event
from gyoji.scheduler.reload import read_again
from gyoji.store.store import Store

CUP = """competition = "allplayall"
board_size = 9
komi = 7
ruleset = "chinese-ogs"
dead_stones = "alive"
clock = "10m"

[players]
nomo = { remote = true, protocol = "cgos" }
ours = { command = "gyoji-kozo" }
"""


def opened(path, text):
    file = path / "cup.toml"
    file.write_text(text)
    return Event.open(file)


def test_an_event_by_the_rules_of_cgos_is_opened(tmp_path):
    assert set(opened(tmp_path, CUP).setup.players) == {"nomo", "ours"}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("chinese-ogs", "japanese"), "its rules are fixed"),
        (('"alive"', '"auto"'), "dead stones are settled in this event"),
        (('"10m"', '"30s/move"'), 'clock: got "30s/move"'),
    ],
)
def test_other_rules_and_clocks_are_refused_with_the_player_who_cannot_be_told_them(tmp_path, change, reason):
    with pytest.raises(ConfigError) as refused:
        opened(tmp_path, CUP.replace(*change))
    (line,) = str(refused.value).splitlines()
    assert f"cup.toml: player nomo, protocol cgos: {reason}" in line


def test_a_control_file_that_is_read_again_is_refused_for_the_same_reasons(tmp_path):
    event = opened(tmp_path, CUP)
    Store.open(event.files.database, event.setup.code, create=True).close()
    assert set(read_again(tmp_path / "cup.toml").setup.players) == {"nomo", "ours"}
    (tmp_path / "cup.toml").write_text(CUP.replace("chinese-ogs", "japanese"))
    with pytest.raises(ConfigError, match="player nomo, protocol cgos: its rules are fixed"):
        read_again(tmp_path / "cup.toml")
