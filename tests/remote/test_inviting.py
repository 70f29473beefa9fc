"""`gyoji invite` prints links of remote players, and takes them back."""

import pytest
from click.testing import CliRunner

from gyoji.remote.command import invite

CUP = """competition = "allplayall"
game = "go"
board_size = 5
komi = 0.5
[players.ann]
remote = true
[players.bob]
remote = true
[players.kozo]
command = "gyoji-kozo"
"""


@pytest.fixture
def run(tmp_path):
    path = tmp_path / "cup.toml"
    path.write_text(CUP)

    def run(*words):
        done = CliRunner().invoke(invite, [str(path), *words])
        return done.exit_code, dict(line.split(": ") for line in done.stdout.splitlines()), done

    return run


def test_the_links_of_remote_players_are_printed_and_stay_the_same(run):
    status, links, _ = run("--at", "https://cup.example.org/")
    assert status == 0
    assert set(links) == {"ann", "bob"}
    assert links["ann"].startswith("https://cup.example.org/join#cup/")
    assert run("ann", "--at", "https://cup.example.org")[1] == {"ann": links["ann"]}


def test_a_link_is_replaced_for_that_player_alone_and_each_time_by_another(run):
    first, second, third = run()[1], run("ann", "--take-back")[1], run("ann", "--take-back")[1]
    assert len({links["ann"] for links in (first, second, third)}) == 3
    assert run()[1] == {"ann": third["ann"], "bob": first["bob"]}


def test_nobody_s_link_is_taken_back_unless_named(run):
    before = run()[1]
    status, _, done = run("--take-back")
    assert status == 2
    assert "expected the players whose links are taken back" in done.output
    assert "there is no remote player 'kozo'" in str(run("ann", "kozo", "--take-back")[2].exception)
    assert run()[1] == before
